"""The architecture, read from the imports: layers, cycles, private interfaces, names, sizes.

A module that a string names, as for `importlib`, counts as imported.
"""

import ast
import importlib.util
import re
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import holdem
from holdem.plugins import bundled

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "holdem"

# The parts of the package, lowest layer first. A part imports parts of lower layers only.
LAYERS = [
    {"advice", "atomic_files", "cached_property", "errors", "messages", "version"},
    {"arguments", "optional_packages"},
    {"plugins"},
    {"cards"},
    {"results", "jobs"},
    {"jit"},
    {"rules"},
    {"dealing"},
    {"ranges"},
    {"evaluation"},
    {"dask_tasks"},
    {"odds"},
    {"trials", "betting"},
    {"matches"},
    {"report", "compilation"},
    {"cli", "testing"},
    {"pytest_plugin", "__main__"},
]
# The same inside `holdem.odds`.
ODDS_LAYERS = [
    {"bounds", "card_removal", "hand_lines", "pot_odds", "tally"},
    {"spot"},
    {"breakdown", "named_lines", "symmetry"},
    {"matchups", "result"},
    {"exact", "sampling"},
    {"plan", "starting_hand_counts"},
    {"line_counts", "next_cards"},
    {"late_breakdowns"},
    {"equity", "flops"},
    {"equity_matrix", "explanation", "hits", "many_spots"},
    {"kept_lines"},
]
# Modules that play the same role in several folders and may share a name.
ROLES = {"__init__.py", "result.py", "run.py"}
# The one way to higher layers: a result declares functions of `holdem.report` in these attributes,
# and rules, ranges and hands what finds the rest of what they ask for, as "module:function";
# `holdem.results.base_result` imports what they name.
DECLARED = {
    "_report": "holdem.report.",
    "_chart": "holdem.report.",
    "_html": "holdem.report.",
    "_known_rules": "holdem.evaluation.registry:",
    "_count_hands": "holdem.odds.starting_hand_counts:",
    "_phh": "holdem.betting.phh:",
    "_text": "holdem.betting.hand_text:",
}
WAY_UP = "holdem.results.base_result"
# Interfaces that numba and CPython do not promise to keep. Only `holdem.jit` uses them.
PRIVATE_INTERFACES = ("numba.core", "llvmlite", "ctypes", "sys.modules")


PLUGINS = {path.parent.name for path in ROOT.glob("plugins/*/__init__.py")}
# Bundled plugins that are features, not evaluators: they may import any module of the engine.
FEATURES = set(bundled.COMMANDS.values())


def _module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _nodes(node, *, types=False):
    """Yield the nodes below a node; those that only a type checker reads if `types`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING" and not types:
            continue
        yield child
        yield from _nodes(child, types=types)


@cache
def _imports(path, *, types=False):
    """Return the dotted names that a file imports, at module level and in functions.

    `from package import name` counts as an import of the module `package.name` where there is
    one, else of `package`.
    """
    names = set()
    for node in _nodes(ast.parse(path.read_text(encoding="utf-8")), types=types):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            full = [f"{node.module}.{name.name}" for name in node.names]
            names |= {name if name in MODULES else node.module for name in full}
    return names


@cache
def _named(module):
    """Return the modules of the package that strings in a module name, except declared ones.

    A string may name something inside of a module, or be the beginning of an f-string.
    """
    if module == WAY_UP:
        return set()
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    declarations = [node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
    declared = {node.value: DECLARED.get(ast.unparse(node.target)) for node in declarations}
    names = set()
    for node in ast.walk(tree):
        text = str(node.value) if isinstance(node, ast.Constant) else ""
        if not re.fullmatch(r"holdem\.[\w.:]+", text):
            continue
        if (above := declared.get(node)) and text.startswith(above):
            continue
        while text not in MODULES:
            text = re.sub(r"[.:]*\w*$", "", text)
        names.add(text)
    return names - {"holdem", module}


def _package_imports(module, *, types=False):
    """Return the modules of the package that a module imports, or names in strings."""
    imports = _imports(MODULES[module], types=types)
    return {name for name in imports if name in MODULES} | _named(module)


def _part(module, package):
    """Return the part of `package` in which a module lies, or None."""
    inside = module.removeprefix(f"{package}.")
    return None if inside == module else inside.partition(".")[0]


def _level(part, layers):
    for level, parts in enumerate(layers):
        if part in parts:
            return level
    raise AssertionError(f"{part} is in no layer")


@pytest.mark.parametrize(
    ("package", "layers"), [("holdem", LAYERS), ("holdem.odds", ODDS_LAYERS)], ids=["all", "odds"]
)
def test_layers(package, layers):
    """A module imports its own part and parts of lower layers."""
    refused = [
        f"{module} imports {name}"
        for module in MODULES
        for name in _package_imports(module)
        if (own := _part(module, package)) and (other := _part(name, package)) and own != other
        if _level(other, layers) >= _level(own, layers)
    ]
    assert [] == refused


def test_names_in_strings_count():
    """The command line names the modules of its commands in strings, which count as imports."""
    assert "holdem.cli.range" in _package_imports("holdem.cli")
    assert "holdem.cli.range" not in _imports(MODULES["holdem.cli"])


def test_no_cycles():
    """No module imports itself through others; imports in functions and for types count, too."""
    imports = {module: _package_imports(module, types=True) for module in MODULES}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def _plugins_named(path):
    """Return the bundled plugins that a file imports, or names in strings such as "plugin:name"."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    places = {text for text in strings if isinstance(text, str) and re.fullmatch(r"[\w.:]+", text)}
    names = {re.split("[.:]", name)[0] for name in _imports(path, types=True) | places}
    return names & PLUGINS


def test_the_engine_imports_no_plugin():
    """Plugins are found through entry points only; one module names some, for messages."""
    found = {module: _plugins_named(path) for module, path in MODULES.items()}
    assert FEATURES == found.pop("holdem.plugins.bundled")
    assert {} == {module: plugins for module, plugins in found.items() if plugins}


@pytest.mark.parametrize("plugin", sorted(PLUGINS))
def test_no_plugin_imports_another(plugin):
    """What two plugins need is in the engine."""
    for path in (ROOT / "plugins" / plugin).rglob("*.py"):
        assert _plugins_named(path) <= {plugin}


@pytest.mark.parametrize("plugin", sorted(PLUGINS - FEATURES))
def test_evaluators_import_public_names_only(plugin):
    """An evaluator's plugin uses what a stranger's can use: public names of `holdem`."""
    for path in (ROOT / "plugins" / plugin).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(name.name.startswith("holdem.") for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert not node.module.startswith("holdem.")
                if node.module == "holdem":
                    assert {name.name for name in node.names} <= set(holdem.__all__)


def _names_used(path):
    """Return the dotted names that a file imports or refers to."""
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            used.add(ast.unparse(node))
        elif isinstance(node, ast.Import):
            used |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            used |= {f"{node.module}.{name.name}" for name in node.names}
    return used


def test_private_interfaces():
    """Only `holdem.jit` uses interfaces that numba and CPython do not promise to keep."""
    refused = [
        f"{module} uses {name}"
        for module, path in MODULES.items()
        if _part(module, "holdem") != "jit"
        for name in _names_used(path)
        if any(f"{name}.".startswith(f"{private}.") for private in PRIVATE_INTERFACES)
    ]
    assert [] == refused


def test_no_module_hides_a_public_function():
    """No direct child of the package bears the name of a public function."""
    children = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    names = {name for name in holdem.__all__ if callable(getattr(holdem, name))}
    assert not children & names


def test_file_names_are_unique():
    """Modules share a file name only for a role; those of `holdem.cli` are named after commands."""
    places = defaultdict(list)
    for path in MODULES.values():
        if path.parent.name != "cli" and path.name not in ROLES:
            places[path.name].append(str(path.relative_to(PACKAGE)))
    assert [] == [paths for paths in places.values() if len(paths) > 1]


def test_modules_stay_small():
    """No module is longer than 1,000 lines: a longer one is likely to serve two ideas."""
    paths = [*MODULES.values(), *(ROOT / "plugins").rglob("*.py")]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert {} == {path: count for path, count in lines.items() if count > 1000}


def test_the_figure_is_that_of_the_layers():
    """The figure in the docs is made of `LAYERS` and docstrings by a script."""
    path = ROOT / "scripts" / "make" / "make_layers_figure.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.draw(LAYERS) == script.FIGURE.read_text(encoding="utf-8")
