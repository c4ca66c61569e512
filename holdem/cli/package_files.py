"""The files of a new evaluator package, and extraction of an evaluator's code from a script."""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TypeGuard

from holdem.errors import HoldemValueError, quoted

# Modules that a package has without declaring more in its `pyproject.toml`.
_AVAILABLE = {*sys.stdlib_module_names, "holdem", "numpy"}

# The files of the package, and their templates.
_SHARED = {"pyproject.toml": "pyproject.toml.txt", "tests/test_{package}.py": "test.py.txt"}
_COMPILED = {
    "README.md": "README_compiled.md.txt",
    "{package}/__init__.py": "init_compiled.py.txt",
    "{package}/kernel.py": "kernel.py.txt",
}
_FUNCTION = {
    "README.md": "README_function.md.txt",
    "{package}/__init__.py": "init_function.py.txt",
}


def write_package(name: str, root: Path, code: str = "", function: str = "") -> list[Path]:
    """Write the files of a new evaluator package, and return their paths, sorted.

    `name` is assumed to be valid; the directory `root` must not exist. `code` is a decorated
    function, called `function`, and everything that it uses; without it, the package has a compiled
    kernel from a template.
    """
    package = "holdem_" + "".join(char if char.isalnum() else "_" for char in name)
    values = {
        "code": "\n" * code.startswith(("@", "def", "class")) + code.strip(),
        "function": function,
        "name": name,
        "package": package,
        "distribution": f"holdem-{name}",
    }
    root.mkdir(parents=True)
    files = []
    try:
        for file, template in {**_SHARED, **(_FUNCTION if code else _COMPILED)}.items():
            text = _read_template(template)
            for word, value in values.items():
                text = text.replace("{{" + word + "}}", value)
            path = root / file.format(package=package)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            files.append(path)
    except BaseException:  # a full disk, or Ctrl-C
        shutil.rmtree(root, ignore_errors=True)
        raise
    return sorted(files)


def default_function() -> tuple[str, str]:
    """Return the code of a simple evaluator as a template, and the name of its function."""
    return _read_template("function.py.txt"), "rank"


def extract_evaluator(name: str, file: Path) -> tuple[str, str, list[str]]:
    """Extract an evaluator's function from a script, with everything that it uses.

    Its decorator is ``@holdem.evaluator(NAME)``. Other statements of the script, such as those that
    register the evaluator or use it, are left out. The script is not run. Returned are the code,
    the name of the function, and notes for the author: which functions and classes are left out,
    and which modules the package imports but does not declare.
    """
    shown = quoted(file.name)
    try:
        text = file.read_text(encoding="utf-8")
        body = ast.parse(text, file.name).body
    except OSError as error:
        raise HoldemValueError(f"--from {quoted(str(file))}: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:
        raise HoldemValueError(f"--from {shown}: {type(error).__name__}: {error}") from error
    found = {_name_of_evaluator(node): node for node in body}
    found.pop("", None)
    if name not in found:
        others = ", ".join(found)
        what = f"it has {others}" if others else "decorate a function with @holdem.evaluator(NAME)"
        raise HoldemValueError(f"--from {shown}: no evaluator {quoted(name)} in it; {what}")
    function = found[name]
    assert isinstance(function, ast.FunctionDef)
    needed: set[ast.stmt] = {function}
    wanted = _names_in(function)
    while more := {node for node in body if node not in needed and _bound_by(node) & wanted}:
        needed |= more
        wanted |= set().union(*map(_names_in, more))
    lines = text.splitlines()
    parts = []
    for node in body:
        if node in needed:
            is_import = isinstance(node, ast.Import | ast.ImportFrom)
            code = "\n".join(lines[_first_line(node, lines) : node.end_lineno])
            if code != "import holdem":
                parts.append(code + ("\n" if is_import else "\n\n"))
    notes = []
    left = [node.name for node in body if _is_definition(node) and node not in needed]
    if left := [name for name in left if name != "holdem_evaluators"]:  # the package has its own
        notes.append(f"left out of {file.name}: {', '.join(left)}")
    modules = dict.fromkeys(module for node in body if node in needed for module in _imports(node))
    if missing := [module for module in modules if module not in _AVAILABLE]:
        notes.append(
            f"imported, but not part of the package: {', '.join(missing)}; copy a file of yours"
            " into the package, and add an installed package to dependencies in pyproject.toml"
        )
    return "\n".join(parts).replace("\n\n\n\n", "\n\n\n"), function.name, notes


def _is_definition(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.ClassDef]:
    return isinstance(node, ast.FunctionDef | ast.ClassDef)


def _imports(node: ast.AST) -> Iterator[str]:
    """Yield the top-level name of each module that a statement imports, with any leading dots."""
    for each in ast.walk(node):
        if isinstance(each, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in each.names)
        elif isinstance(each, ast.ImportFrom):
            yield "." * each.level + (each.module or "").partition(".")[0]


def _name_of_evaluator(node: ast.stmt) -> str:
    """Read the name that a function's decorator ``@holdem.evaluator(NAME)`` gives.

    The result is an empty string if the statement is no function with this decorator.
    """
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("evaluator"):
            given = [*decorator.args, *(k.value for k in decorator.keywords if k.arg == "name")]
            if given and isinstance(given[0], ast.Constant) and isinstance(node, ast.FunctionDef):
                return str(given[0].value)
    return ""


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _bound_by(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(each.asname or each.name).partition(".")[0] for each in node.names}
    if _is_definition(node):
        return {node.name}
    if isinstance(node, ast.Expr):
        return set()
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _first_line(node: ast.stmt, lines: list[str]) -> int:
    """Find the index in `lines` where a statement, or a decorator or comment above it, begins."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(each.lineno for each in decorators)]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return first


def _read_template(name: str) -> str:
    templates = resources.files(__package__) / "template"
    return (templates / name).read_text(encoding="utf-8")
