"""Mutants of a module, made by the operators of cosmic-ray."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import attrs
from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

# Operators that rename variables at random make mutants that fail on import.
_UNUSED = ("core/VariableReplacer", "core/VariableInserter")


@attrs.frozen
class Mutant:
    """One change of a module."""

    path: str
    """The module, relative to the root of the checkout."""
    before: str
    """The first line that changes, stripped."""
    after: str
    line: int
    """Where the change begins, counted from 1."""
    source: str = attrs.field(repr=False)
    """The changed module."""


def draw(root: Path, paths: list[Path], count: int, seed: int) -> Iterator[Mutant]:
    """Yield random mutants of modules: a random place, then a random change of it.

    Changes of annotations, docstrings and formatting, which Python does not execute, are left out.
    """
    chance = random.Random(seed)
    places = [(path, place) for path in paths for place in _places(path.read_text())]
    seen = set[str]()
    while len(seen) < count:
        path, (line, changes) = chance.choice(places)
        operator, occurrence = chance.choice(changes)
        original = path.read_text()
        changed = mutate_code(original, plugins.get_operator(operator)(), occurrence)
        if changed is None or changed in seen or _executed(changed) in ("", _executed(original)):
            continue
        seen.add(changed)
        change = unified_diff(original.splitlines(), changed.splitlines(), n=0, lineterm="")
        lines = list(change)[2:]
        old, new = (
            next((text[1:].strip() for text in lines if text[0] == sign and text[1:].strip()), "")
            for sign in "-+"
        )
        yield Mutant(str(path.relative_to(root)), old, new, line, changed)


def _places(source: str) -> list[tuple[int, list[tuple[str, int]]]]:
    """Return each place that can change: its line, and operators with their occurrence."""
    found: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    nodes = list(ast_nodes(get_ast(source)))
    for name in plugins.operator_names():
        if name in _UNUSED:
            continue
        operator = plugins.get_operator(name)()
        positions = (start for node in nodes for start, _ in operator.mutation_positions(node))
        for occurrence, start in enumerate(positions):
            found[start].append((name, occurrence))
    return [(start[0], changes) for start, changes in sorted(found.items())]


class _Strip(ast.NodeTransformer):
    """Remove what is not executed: annotations and docstrings."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def _executed(source: str) -> str:
    """Return a dump of the code that is executed; empty if it cannot be parsed."""
    try:
        return ast.dump(_Strip().visit(ast.parse(source)))
    except SyntaxError:
        return ""
