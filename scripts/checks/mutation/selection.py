"""The tests that run a line, as coverage.py recorded them."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cached_property
from pathlib import Path

import attrs
from coverage import CoverageData

_FEW = 10
_DURATION = re.compile(r"([\d.]+)s (?:call|setup) +(\S+?\.py::\w+)")
_FAILED = re.compile(r"(?:FAILED|ERROR) (\S+?\.py::\w+)")


@attrs.frozen(slots=False)
class Selection:
    """Records of a run of the tests under coverage."""

    root: Path
    records: Path
    """The folder with coverage's data and the logs of pytest."""

    @cached_property
    def _contexts(self) -> dict[str, dict[int, set[str]]]:
        """For each file and line the tests that run it."""
        found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in self.records.glob("data*"):
            data = CoverageData(str(file))
            data.read()
            for path in data.measured_files():
                for line, contexts in data.contexts_by_lineno(path).items():
                    tests = {context for context in contexts if context.startswith("tests.")}
                    found[path][line] |= tests
        return found

    @cached_property
    def _seconds(self) -> dict[str, float]:
        """The duration of each test that passed."""
        text = "\n".join(log.read_text() for log in self.records.glob("*.log"))
        seconds: dict[str, float] = defaultdict(float)
        for duration, test in _DURATION.findall(text):
            seconds[test] += float(duration)
        for test in _FAILED.findall(text):
            seconds[test] = float("inf")
        return seconds

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        """For each module's path those that import it, also inside functions."""
        found = defaultdict(set)
        for path in (self.root / "holdem").rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and node.module:
                    imported = node.module.replace(".", "/") + ".py"
                    found[imported].add(str(path.relative_to(self.root)))
        return found

    def tests(self, path: str, line: int, most: float) -> list[list[str]]:
        """Return ids of tests that run a line: those of its package, and others, fastest first.

        Lines that run on import, and kernels, which coverage does not see, have the tests of their
        module and of the modules that import it, directly or, if these are few, indirectly.

        Args:
            path: relative to the root.
            line: counted from 1.
            most: their total duration in seconds; the fastest is always returned.
        """
        contexts = set[str]()
        if _is_in_function((self.root / path).read_text(), line):
            contexts |= self._contexts[path][line]
        new, seen = {path}, set[str]()
        while not contexts or (seen and len(contexts) < _FEW and new):
            seen |= new
            new |= set().union(*(self._importers[module] for module in new))
            for module in new:
                contexts |= set().union(*self._contexts[module].values())
            new -= seen
        tests = [_test_id(context) for context in contexts]
        tests = [test for test in tests if self._seconds[test] < float("inf")]
        tests.sort(key=lambda test: (self._seconds[test], test))
        folder = f"tests/{Path(path).parts[1]}/"
        near = [test for test in tests if test.startswith(folder)]
        others = [test for test in tests if not test.startswith(folder)]
        total, groups = 0.0, list[list[str]]()
        for own in (near, others):
            groups.append([])
            for test in own:
                total += self._seconds[test]
                if total <= most or not any(groups):
                    groups[-1].append(test)
        return [group for group in groups if group]


def _is_in_function(source: str, line: int) -> bool:
    """Return whether a line is in the body of a function, and so is not run on import."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return any(own.body[0].lineno <= line <= (own.end_lineno or 0) for own in functions)


def _test_id(context: str) -> str:
    module, _, function = context.rpartition(".")
    return f"{module.replace('.', '/')}.py::{function}"
