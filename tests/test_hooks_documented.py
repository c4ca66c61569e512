"""The page on evaluators says of every hook what the code says."""

import inspect
import re
from pathlib import Path

import attrs
import pytest

import holdem
from holdem.evaluation import contract
from holdem.evaluation.conformance.check import CHECKS, HANDS, HANDS_OF_FIVES
from holdem.testing import assert_conforms
from holdem.values import RULE_SETS

PAGE = (Path(__file__).parents[1] / "docs" / "evaluators.md").read_text(encoding="utf-8")
REFERENCE = PAGE.partition("\n## Reference\n")[2]


def sections():
    """Return heading -> text of the reference's sections."""
    parts = re.split(r"^### `(.*)`$", REFERENCE, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def signature(function):
    """Return a function's signature as it stands in the page: without quotes about types."""
    return f"{function.__name__}{inspect.signature(function)}".replace("'Iter", "Iter").replace(
        "Spec]'", "Spec]"
    )


def live_hooks():
    """Return the hooks that pluggy would find in the contract."""
    marker = f"{contract.PROJECT}_spec"
    functions = vars(contract).values()
    return [each for each in functions if inspect.isfunction(each) and hasattr(each, marker)]


def test_each_hook_is_documented():
    """There is a hook, and each has a section headed by its very signature."""
    hooks = live_hooks()
    assert ["holdem_evaluators"] == [hook.__name__ for hook in hooks]
    for hook in hooks:
        assert signature(hook) in sections()
    documented = [heading for heading in sections() if heading.startswith("holdem_")]
    assert documented == [signature(hook) for hook in hooks]


@pytest.mark.parametrize(
    "heading",
    [
        "holdem_evaluators() -> Iterable[EvaluatorSpec]",
        "load() -> BatchFunction",
        "BatchFunction(hands: ndarray) -> ndarray",
    ],
)
def test_what_is_called_says_when_and_what_it_may_do(heading):
    """Each thing that the engine calls says when, what it returns, costs and raises."""
    for word in ("Called", "Returns", "Cost", "Raises"):
        assert f"* **{word}**" in sections()[heading]


def test_the_fields_of_a_spec():
    """The table has every field with its type and default, in order."""
    rows = re.findall(
        r"^\| `([^`]+)` \| `([^`]+)` \|([^|]*)\| .+ \|$", sections()["EvaluatorSpec"], re.M
    )
    fields = [
        (field.name, str(field.type), "" if field.default is attrs.NOTHING else repr(field.default))
        for field in attrs.fields(holdem.EvaluatorSpec)
    ]
    assert fields == [(name, kind, default.strip("` ")) for name, kind, default in rows]


@pytest.mark.parametrize("name", ["evaluator", "register"])
def test_the_easy_door(name):
    """The headings of the decorator and of `register` have their parameters and defaults."""
    parameters = inspect.signature(getattr(holdem, name)).parameters.values()
    given = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in given:
            given.append("*")
        default = parameter.default
        shown = "{5}" if default == frozenset({5}) else repr(default)
        given.append(parameter.name + ("" if default is parameter.empty else f"={shown}"))
    assert f"{name}({', '.join(given)})" in sections()


def test_the_checks():
    """The table of checks has each of them, in order, with the numbers that are used."""
    table = PAGE.partition("| check | requirement |")[2].partition("\n\n")[0]
    names = [row.split("|")[1].strip() for row in table.splitlines()[2:]]
    assert list(CHECKS) == ", ".join(names).split(", ")
    assert f"{HANDS:,} random hands ({HANDS_OF_FIVES:,} if" in table


def test_the_assertion():
    """The assertion for an author's tests has the parameters that the page gives it."""
    parameters = inspect.signature(assert_conforms).parameters.values()
    given = [p.name + ("" if p.default is p.empty else f"={p.default!r}") for p in parameters]
    assert f"`assert_conforms({', '.join([given[0], '*', *given[1:]])})`" in PAGE


def test_rule_sets_and_the_contract():
    """The rule sets and the version of the contract are those of the code."""
    rows = sections()["EvaluatorSpec"]
    assert " or ".join(f"`{name}`" for name in RULE_SETS) in rows
    assert f"`{contract.CONTRACT}`" in rows
