"""Specs of evaluators, and their validation."""

import attrs
import pytest

from holdem.errors import EvaluatorError, HoldemTypeError
from holdem.evaluation.contract import CONTRACT, EvaluatorSpec
from holdem.rules import RULE_SETS


def make(**changes):
    """Return a valid spec with changes."""
    given = {"name": "mine", "summary": "", "source": "", "hand_sizes": {5}, "load": list}
    return EvaluatorSpec(**{**given, **changes})


@pytest.mark.parametrize("name", ["a", "7", "my-evaluator", "two.plus_two", "a" * 64, "x--y"])
def test_valid_names(name):
    """Small letters, digits, and . _ - inside, up to 64 characters."""
    assert name == make(name=name).name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("", "''"),
        ("Mine", "'Mine'"),
        ("-mine", "'-mine'"),
        ("mine-", "'mine-'"),
        ("my evaluator", "'my evaluator'"),
        ("../mine", "'../mine'"),
        ("/etc/mine", "'/etc/mine'"),
        ("mine\n", r"'mine\n'"),
        ("mi\x1b[31mne", r"'mi\x1b[31mne'"),
        ("mi\x00ne", r"'mi\x00ne'"),
        ("müne", "'müne'"),
        ("а", "'а'"),  # a Cyrillic letter
        ("a,b", "'a,b'"),
        ("a" * 65, f"'{'a' * 59}…'"),
    ],
)
def test_invalid_names(name, shown):
    """No paths, blanks, escapes or look-alikes; the message escapes and cuts the name."""
    with pytest.raises(EvaluatorError) as caught:
        make(name=name)
    told = "use 1 to 64 characters, a-z and 0-9 with . _ - between them, as in my-evaluator"
    assert str(caught.value) == f"{shown} is not a valid evaluator name: {told}"
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("sizes", [{5}, {5, 6, 7}, [5], (5, 6, 7), frozenset({5}), range(5, 8)])
def test_hand_sizes_become_a_set(sizes):
    """Any collection of sizes is accepted."""
    assert frozenset(sizes) == make(hand_sizes=sizes).hand_sizes
    assert frozenset is type(make(hand_sizes=sizes).hand_sizes)


@pytest.mark.parametrize("sizes", [set(), {7}, {6, 7}, {5, 7}, {4, 5}, {5, 8}])
def test_invalid_hand_sizes(sizes):
    """It ranks five cards, which define its scale, and both six and seven cards or neither."""
    with pytest.raises(EvaluatorError, match=r"hand_sizes must be \{5\} or \{5, 6, 7\}, not \{"):
        make(hand_sizes=sizes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": 5}, "an evaluator's name must be text, not 5"),
        ({"name": None}, "an evaluator's name must be text, not None"),
        ({"name": b"mine"}, "an evaluator's name must be text, not b'mine'"),
        ({"summary": None}, "an evaluator's summary must be text, not None"),
        ({"source": 5}, "an evaluator's source must be text, not 5"),
        ({"hand_sizes": 5}, "hand_sizes must be a set of integers, {5} or {5, 6, 7}, not 5"),
        ({"hand_sizes": "5"}, "hand_sizes must be a set of integers, {5} or {5, 6, 7}, not '5'"),
        (
            {"hand_sizes": {5.0}},
            "hand_sizes must be a set of integers, {5} or {5, 6, 7}, not {5.0}",
        ),
        (
            {"hand_sizes": [[5]]},
            "hand_sizes must be a set of integers, {5} or {5, 6, 7}, not [[5]]",
        ),
        ({"hand_sizes": None}, "hand_sizes must be a set of integers, {5} or {5, 6, 7}, not None"),
        ({"load": 5}, "load must be a function that returns the batch function, not 5"),
        ({"load": None}, "load must be a function that returns the batch function, not None"),
        ({"rules": []}, "rules must be a rule set or the name of one, not []"),
    ],
)
def test_wrong_types(changes, told):
    """The message has the expected type and the value."""
    with pytest.raises(HoldemTypeError) as caught:
        make(**changes)
    assert told == str(caught.value)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"contract": 2}, "written for contract 2; this engine has contract 1"),
        ({"contract": "1"}, "written for contract '1'; this engine has contract 1"),
        ({"contract": None}, "written for contract None; this engine has contract 1"),
        (
            {"rules": "omaha"},
            f"unknown rule set 'omaha'; there are: {', '.join(RULE_SETS)}; for rules of your own,"
            " give a holdem.RuleSet",
        ),
        (
            {"rules": "\x1b"},
            rf"unknown rule set '\x1b'; there are: {', '.join(RULE_SETS)}; for rules of your own,"
            " give a holdem.RuleSet",
        ),
        (
            {"summary": "one\ntwo"},
            r"an evaluator's summary must be one printable line, not 'one\ntwo'",
        ),
        (
            {"source": "\x1b[2J"},
            r"an evaluator's source must be one printable line, not '\x1b[2J'",
        ),
    ],
)
def test_invalid_values(changes, told):
    """Another contract, an unknown rule set, text of several lines."""
    with pytest.raises(EvaluatorError) as caught:
        make(**changes)
    assert told == str(caught.value)


def test_fields_of_a_spec():
    """`EvaluatorSpec(name, summary, source, hand_sizes, load, contract=1, rules="standard")`."""
    spec = EvaluatorSpec("mine", "a summary", "a source", {5}, list)
    assert ("mine", "a summary", "a source", {5}, list, 1, "standard") == attrs.astuple(spec)
    assert 1 == CONTRACT
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        spec.name = "other"
