"""A spec says what an evaluator is; one that cannot be right is refused when it is made."""

import attrs
import pytest

from holdem.errors import EvaluatorError, HoldemTypeError
from holdem.evaluation.contract import CONTRACT, EvaluatorSpec
from holdem.values import RULE_SETS


def make(**changes):
    """Make a spec that is right but for `changes`."""
    given = {"name": "mine", "summary": "", "source": "", "hand_sizes": {5}, "load": list}
    return EvaluatorSpec(**{**given, **changes})


@pytest.mark.parametrize("name", ["a", "7", "my-evaluator", "two.plus_two", "a" * 64, "x--y"])
def test_names_that_users_can_type(name):
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
def test_other_names_are_refused(name, shown):
    """No paths, no blanks, no escapes, no look-alikes; the name is shown escaped and cut."""
    with pytest.raises(EvaluatorError) as caught:
        make(name=name)
    assert str(caught.value).startswith(f"{shown} is no name for an evaluator: use 1 to 64 of")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("sizes", [{5}, {5, 6, 7}, [5], (5, 6, 7), frozenset({5}), range(5, 8)])
def test_hand_sizes_are_a_set(sizes):
    """Any collection of sizes becomes a frozen set."""
    assert frozenset(sizes) == make(hand_sizes=sizes).hand_sizes
    assert frozenset is type(make(hand_sizes=sizes).hand_sizes)


@pytest.mark.parametrize("sizes", [set(), {7}, {6, 7}, {4, 5}, {5, 8}, {2, 5}])
def test_hand_sizes_without_five_or_beyond_seven_are_refused(sizes):
    """Five cards every evaluator ranks: its scale is learnt from them."""
    with pytest.raises(EvaluatorError, match=r"hand_sizes is \{5\} or \{5, 6, 7\}, not \{"):
        make(hand_sizes=sizes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": 5}, "an evaluator's name is text, not 5"),
        ({"name": None}, "an evaluator's name is text, not None"),
        ({"name": b"mine"}, "an evaluator's name is text, not b'mine'"),
        ({"summary": None}, "an evaluator's summary is text, not None"),
        ({"source": 5}, "an evaluator's source is text, not 5"),
        ({"hand_sizes": 5}, "hand_sizes is a set of numbers, {5} or {5, 6, 7}, not 5"),
        ({"hand_sizes": "5"}, "hand_sizes is a set of numbers, {5} or {5, 6, 7}, not '5'"),
        ({"hand_sizes": {5.0}}, "hand_sizes is a set of numbers, {5} or {5, 6, 7}, not {5.0}"),
        ({"hand_sizes": [[5]]}, "hand_sizes is a set of numbers, {5} or {5, 6, 7}, not [[5]]"),
        ({"hand_sizes": None}, "hand_sizes is a set of numbers, {5} or {5, 6, 7}, not None"),
        ({"load": 5}, "load is a function that returns the batch function, not 5"),
        ({"load": None}, "load is a function that returns the batch function, not None"),
        ({"rules": []}, "a rule set is named by text, not []"),
    ],
)
def test_wrong_types_are_refused(changes, told):
    """The message says what is wanted, and shows what came."""
    with pytest.raises(HoldemTypeError) as caught:
        make(**changes)
    assert told == str(caught.value)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"contract": 2}, "written for contract 2; this engine has contract 1"),
        ({"contract": "1"}, "written for contract '1'; this engine has contract 1"),
        ({"contract": None}, "written for contract None; this engine has contract 1"),
        ({"rules": "omaha"}, f"no rule set 'omaha'; there are: {', '.join(RULE_SETS)}"),
        ({"rules": "\x1b"}, rf"no rule set '\x1b'; there are: {', '.join(RULE_SETS)}"),
        (
            {"summary": "one\ntwo"},
            r"an evaluator's summary is one printable line, not 'one\ntwo'",
        ),
        (
            {"source": "\x1b[2J"},
            r"an evaluator's source is one printable line, not '\x1b[2J'",
        ),
    ],
)
def test_what_cannot_work_here_is_refused(changes, told):
    """Another contract, an unknown rule set, text that is no line: said when the spec is made."""
    with pytest.raises(EvaluatorError) as caught:
        make(**changes)
    assert told == str(caught.value)


def test_a_spec_has_the_documented_fields_in_order():
    """`EvaluatorSpec(name, summary, source, hand_sizes, load, contract=1, rules="standard")`."""
    spec = EvaluatorSpec("mine", "a summary", "a source", {5}, list)
    assert ("mine", "a summary", "a source", {5}, list, 1, "standard") == attrs.astuple(spec)
    assert 1 == CONTRACT
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        spec.name = "other"
