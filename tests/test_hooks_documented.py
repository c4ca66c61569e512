"""The reference of plugins agrees with the code."""

import inspect
import re
from pathlib import Path

import attrs
import pytest

import holdem
from holdem.evaluation import contract
from holdem.evaluation.conformance.checker import CHECKS
from holdem.evaluation.conformance.hands import HANDS, HANDS_OF_FIVES
from holdem.plugins import hookspecs
from holdem.rules import RULE_SETS
from holdem.testing import assert_conforms

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "evaluators" / "plugin-reference.md").read_text(encoding="utf-8")
REFERENCE = PAGE


def sections():
    """Return the sections of the reference by heading."""
    parts = re.split(r"^### `(.*)`$", REFERENCE, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def signature(function):
    """Return the signature of a function as in the page, without quotes around types."""
    shown = f"{function.__name__}{inspect.signature(function)}"
    return shown.replace("'", "").replace("holdem.", "")


def live_hooks():
    """Return the hooks that pluggy finds."""
    marker = f"{hookspecs.PROJECT}_spec"
    functions = vars(hookspecs).values()
    return [each for each in functions if inspect.isfunction(each) and hasattr(each, marker)]


def test_hooks():
    """Each hook has a section with its signature as heading."""
    hooks = live_hooks()
    names = ["holdem_evaluators", "holdem_commands", "holdem_ranges"]
    names += ["holdem_strategies", "holdem_warm_up"]
    assert names == [hook.__name__ for hook in hooks]
    for hook in hooks:
        assert signature(hook) in sections()
    documented = [heading for heading in sections() if heading.startswith("holdem_")]
    assert sorted(documented) == sorted(signature(hook) for hook in hooks)


@pytest.mark.parametrize(
    "heading",
    [
        "holdem_evaluators() -> Iterable[EvaluatorSpec]",
        "holdem_ranges() -> Mapping[str, Range | str]",
        "holdem_commands() -> Mapping[str, click.Command | str]",
        "holdem_strategies() -> Iterable[Strategy]",
        "holdem_warm_up() -> Mapping[str, Callable[[], object]]",
        "load() -> BatchFunction",
        "BatchFunction(hands: ndarray) -> ndarray",
    ],
)
def test_functions_that_the_engine_calls(heading):
    """Each has when it is called and what it returns."""
    for word in ("Called", "Returns"):
        assert f"* **{word}**" in sections()[heading]


def test_fields_of_a_spec():
    """The table has every field with its type and default, in order."""
    rows = re.findall(
        r"^\| `([^`]+)` \| `([^`]+)` \|([^|]*)\| .+ \|$", sections()["EvaluatorSpec"], re.M
    )
    fields = [
        (
            field.name,
            str(field.type).replace("|", "or"),
            "" if field.default is attrs.NOTHING else repr(field.default),
        )
        for field in attrs.fields(holdem.EvaluatorSpec)
    ]
    assert fields == [(name, kind, default.strip("` ")) for name, kind, default in rows]


@pytest.mark.parametrize("name", ["evaluator", "register"])
def test_decorator_and_register(name):
    """The headings have their parameters and defaults."""
    parameters = inspect.signature(getattr(holdem, name)).parameters.values()
    given = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in given:
            given.append("*")
        default = parameter.default
        shown = "{5}" if default == frozenset({5}) else repr(default)
        given.append(parameter.name + ("" if default is parameter.empty else f"={shown}"))
    assert f"{name}({', '.join(given)})" in sections()


def test_checks():
    """The table has all checks in order, with their numbers of hands."""
    table = PAGE.partition("| check | requirement |")[2].partition("\n\n")[0]
    names = [row.split("|")[1].strip() for row in table.splitlines()[2:]]
    assert list(CHECKS) == ", ".join(names).split(", ")
    assert f"{HANDS:,} random hands ({HANDS_OF_FIVES:,} if" in table


def test_assertion():
    """The page has its parameters."""
    parameters = inspect.signature(assert_conforms).parameters.values()
    given = [p.name + ("" if p.default is p.empty else f"={p.default!r}") for p in parameters]
    assert f"`assert_conforms({', '.join([given[0], '*', *given[1:]])})`" in PAGE


def test_rule_sets_and_contract():
    rows = sections()["EvaluatorSpec"]
    assert all(f"`{name}`" in rows for name in RULE_SETS)
    assert f"`{contract.CONTRACT}`" in rows
