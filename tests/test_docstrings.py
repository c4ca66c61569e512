"""Public names have docstrings, with each argument; their examples give the answers shown."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import holdem

EXAMPLES = {
    name: examples
    for name in holdem.__all__
    if (doc := getattr(holdem, name).__doc__)
    and (examples := doctest.DocTestParser().get_examples(doc))
}


def test_the_main_functions_have_an_example():
    functions = {"equity", "equities", "equity_matrix", "evaluate", "hits", "explain", "Range"}
    functions |= {"deal", "estimate", "simulate", "head_to_head", "settle"}
    assert functions <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    test = doctest.DocTest(EXAMPLES[name], {}, name, None, 0, None)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def public_objects():
    """Yield the public classes and functions, and the methods of the classes, by name."""
    plugins = (Path(__file__).parents[1] / "plugins").glob("holdem_*")
    for module in map(importlib.import_module, ["holdem", *sorted(path.name for path in plugins)]):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value):
                yield f"{module.__name__}.{name}", value
                for method, function in inspect.getmembers(value):
                    owner = getattr(function, "__module__", None) or ""
                    if not method.startswith("_") and owner.startswith("holdem"):
                        yield f"{module.__name__}.{name}.{method}", function
            elif inspect.isroutine(value):
                yield f"{module.__name__}.{name}", value


def test_public_names_are_documented():
    """Each has a docstring; if there is a list of arguments, all of them are in it."""
    missing = []
    for name, value in public_objects():
        doc = inspect.getdoc(value) or ""
        if not doc:
            missing.append(name)
        elif "Args:" in doc and inspect.isroutine(value):
            names = set(inspect.signature(value).parameters) - {"self", "cls"}
            told = set(re.findall(r"^ +\*{0,2}([a-z_0-9]+):", doc, re.MULTILINE))
            missing += [f"{name}: {each}" for each in sorted(names - told) if each[0] != "_"]
    assert missing == []
