"""The architecture, read from the imports: layers import downwards only."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "holdem"

# What each part may import, besides itself and the parts below it.
LAYERS = [
    {"errors", "messages", "version"},
    {"arguments"},
    {"jobs"},
    {"jit", "cards"},
    {"values"},
    {"ranges", "dealing"},
    {"evaluation"},
    {"odds"},
    {"trials"},
    {"report"},
    {"cli", "testing"},
    {"pytest_plugin"},
]
PUBLIC_FUNCTIONS = {
    "equity",
    "evaluate",
    "evaluator",
    "evaluators",
    "simulate",
    "head_to_head",
    "register",
    "aggregate",
    "get_evaluator",
}


def _imports(path):
    """Yield the dotted names that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            # `from holdem import values` imports the module as `from holdem.values` does.
            names = [f"{node.module}.{name.name}" for name in node.names]
            yield from names if node.module == "holdem" else [node.module]


def _level(part):
    for level, parts in enumerate(LAYERS):
        if part in parts:
            return level
    raise AssertionError(f"holdem.{part} stands in no layer")


MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem[0] != "_"
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_layers(path):
    """A module imports its own part, and parts of the layers below it."""
    part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name in _imports(path):
        if name.split(".")[0] == "holdem" and name != "holdem":
            imported = name.split(".")[1]
            assert imported == part or _level(imported) < _level(part), f"{path} imports {name}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "plugins").rglob("*.py")), ids=lambda path: path.parent.name
)
def test_plugins_import_the_public_face_only(path):
    """A plugin imports `holdem`, never a module of it, and no other plugin."""
    for name in _imports(path):
        top = name.split(".")[0]
        if top == "holdem":
            # `from holdem import kernel` reads as holdem.kernel: a public name, one level deep.
            assert name.count(".") <= 1
            assert name == "holdem" or name.split(".")[1] in _public_names()
        elif top.startswith("holdem_"):
            assert top == path.parent.name


def _public_names():
    import holdem

    return holdem.__all__


def test_no_module_hides_a_public_function():
    """No direct child of the package bears the name of a public function."""
    children = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not children & PUBLIC_FUNCTIONS


@pytest.mark.parametrize(
    "path",
    sorted([*PACKAGE.rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]),
    ids=lambda p: p.name,
)
def test_modules_stay_small(path):
    """No module is longer than 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
