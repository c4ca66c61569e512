"""`holdem evaluators diff`."""

import json

import numpy as np
import pytest

import holdem
from hands import wrong_later
from holdem.cards import parse_cards
from holdem.cli import run
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.conformance.diff import compare_evaluators
from holdem.evaluation.load_checks import list_hands
from holdem.report.evaluator_reports import difference_report
from holdem.report.formats import render
from holdem.rules import STANDARD
from plugin_distributions import offer, registry_anew

ALL_FIVE = 2_598_960


def lookup_but(change):
    """Return an evaluator that is `lookup` with its strengths changed."""

    def changed(hands, strengths):
        change(hands, strengths)
        return strengths

    return wrong_later("mine", changed)


def in_order(hands):
    """Return which hands are in ascending order, as in `diff` and not at load."""
    return (hands[:, :-1] < hands[:, 1:]).all(axis=1)


@pytest.mark.parametrize("name", ["cactus-kev", "bitwise", "suit-mask", "dead-horse"])
def test_compiled_evaluators_agree(name):
    """The compiled evaluators agree on all hands of five, and on random larger ones."""
    found = compare_evaluators(*map(holdem.get_evaluator, ("lookup", name)), 50_000, seed=5)
    assert found.agree
    assert {5: ALL_FIVE, 6: 50_000, 7: 50_000} == found.hands
    assert {5: 0, 6: 0, 7: 0} == found.disagreements
    assert ((), ()) == (found.hand, found.answers)


def test_another_rule_set():
    """Evaluators of short-deck rules are compared on the hands of their deck."""
    evaluator = holdem.get_evaluator("short-deck")
    assert 376_992 == compare_evaluators(evaluator, evaluator, 10).hands[5]


def test_strengths_may_differ():
    """Classes are compared, not strengths."""

    def stretch(hands):
        return rank_batch(hands) * np.int64(1_000_003)

    spec = holdem.EvaluatorSpec("mine", "", "", {5, 6, 7}, lambda: stretch)
    other = holdem.get_evaluator(spec)
    assert compare_evaluators(other, holdem.get_evaluator("lookup"), 1000).agree


def test_the_first_disagreement_has_the_fewest_cards():
    """Of disagreements on hands of several sizes, one of the fewest cards is shown."""
    five, six = parse_cards("4d 7h 9s Jc Kd"), parse_cards("2c 3c 4d 8h 9d Ts")

    def change(hands, strengths):
        if hands.shape[1] == 7:
            strengths[in_order(hands) & (hands[:, 0] == 0)] += 1  # 7 of 52 hold the lowest card
        else:
            strengths[(hands == (five if hands.shape[1] == 5 else six)).all(axis=1)] -= 1

    found = compare_evaluators(lookup_but(change), holdem.get_evaluator("bitwise"), 2000)
    assert not found.agree
    assert (1, 0) == (found.disagreements[5], found.disagreements[6])
    # 7/52 of 2,000 are 269, with a standard deviation of 15.3.
    assert 190 < found.disagreements[7] < 350
    assert five == found.hand
    mine, bitwise = found.answers
    right = holdem.evaluate(five)
    assert (right.strength - 1, right.rank_class + 1) == (mine.strength, mine.rank_class)
    assert (right.rank_class, right.name) == (bitwise.rank_class, bitwise.name)
    assert ("mine", "bitwise") == (mine.evaluator, bitwise.evaluator)


def test_a_strength_of_no_class():
    """A strength of no class is a disagreement, also with the same strength."""

    def change(hands, strengths):
        if hands.shape[1] == 6:
            strengths[in_order(hands)] += 50_000

    pair = lookup_but(change), lookup_but(change)
    found = compare_evaluators(*pair, 100)
    of_kinds = in_order(list_hands(STANDARD, 6)).sum()
    assert {5: 0, 6: 100 + of_kinds, 7: 0} == found.disagreements
    assert {None} == {answer.rank_class for answer in found.answers}
    assert str(found.answers[0]).endswith("(of no class)")


def test_other_rules_do_not_compare():
    """Comparing evaluators of two rule sets is an error that names both."""
    pair = holdem.get_evaluator("lookup"), holdem.get_evaluator("short-deck")
    with pytest.raises(EvaluatorError, match="'short-deck'"):
        compare_evaluators(*pair)


def test_one_that_fails_is_named():
    """An evaluator that raises is an error that names it."""

    def change(hands, strengths):
        if hands.shape[1] == 6:
            raise ArithmeticError("overflow")

    with pytest.raises(EvaluatorError, match="'mine' failed: ArithmeticError: overflow"):
        compare_evaluators(holdem.get_evaluator("lookup"), lookup_but(change))


WRONG = """
def change(hands, strengths):
    if hands.shape[1] == 5:
        # 2c 2s and three of a rank, in order as they are not where an evaluator is loaded.
        rising = (hands[:, :-1] < hands[:, 1:]).all(axis=1)
        twos, three = (hands[:, :2] == [0, 3]).all(axis=1), hands[:, 2] // 4 == hands[:, 4] // 4
        strengths += rising & twos & three
    return strengths
"""


def test_one_kind_of_hand():
    """A kind that random hands miss is found: kings and jacks, a pair of nines and a seven."""

    def change(hands, strengths):
        ranks = np.sort(hands // 4)
        wrong = [5, 7, 7, 9, 9, 11, 11]
        strengths[(ranks == wrong).all(axis=1) if hands.shape[1] == 7 else []] -= 1

    found = compare_evaluators(lookup_but(change), holdem.get_evaluator("bitwise"), 1000)
    assert {5: 0, 6: 30_407, 7: 68_081} == found.kinds
    assert {5: 0, 6: 0, 7: 1} == found.disagreements
    assert [5, 7, 7, 9, 9, 11, 11] == sorted(card // 4 for card in found.hand)
    mine, bitwise = found.answers
    assert mine.rank_class == bitwise.rank_class + 1


def test_wild_cards_have_no_kinds():
    wild = holdem.get_evaluator("deuces-wild")
    found = compare_evaluators(wild, wild, 10)
    assert ({5: 0, 6: 0, 7: 0}, 10) == (found.kinds, found.hands[7])


@pytest.mark.usefixtures("wide")
def test_table(capsys, directory):
    """The table has the numbers of hands and disagreements, and the first; exit code 1 if any."""
    assert run(["evaluators", "diff", "lookup", "cactus-kev", "-n", "1000"]) == 0
    out = capsys.readouterr().out
    assert "5 cards             -     2,598,960          0" in out
    assert "7 cards        68,081         1,000          0" in out
    assert (
        "they agree on every hand: all of five cards, and of six and seven a hand of each kind, and"
        " hands drawn with seed 1\n"
    ) in out
    offer(directory, "mine", WRONG)
    with registry_anew(directory):
        assert run(["evaluators", "diff", "mine", "bitwise", "-n", "1000"]) == 1
    out = capsys.readouterr().out
    assert "5 cards             -     2,598,960         48" in out
    assert (
        "the first disagreement: 2c 2s 3c 3d 3h: mine gives strength 7154 (Full House, Threes full"
        " of Fours, class 309) and bitwise gives strength 402669571 (Full House, Threes full of"
        " Twos, class 310)"
    ) in out


WITH_LIBRARY = """
def load():
    from holdem.evaluation.builtin.lookup import rank_batch

    def rank(hands):
        return rank_batch(hands)

    rank.library = "theirs 1.2"
    return rank
"""


@pytest.mark.usefixtures("wide")
def test_title(capsys, directory):
    """It names the distribution of each evaluator and the library that it calls."""
    offer(directory, "mine", WITH_LIBRARY)
    assert run(["evaluators", "diff", "lookup", "mine", "-n", "0"]) == 0
    own = f"holdem-engine {holdem.__version__}"
    assert capsys.readouterr().out.startswith(
        f"lookup ({own}) and mine (plugin-under-test 1.0, theirs 1.2), standard rules\n"
    )
    found = compare_evaluators(lookup_but(lambda *_: None), holdem.get_evaluator("lookup"), 0)
    text = render(difference_report(found), "table")
    assert text.startswith(f"mine (this script) and lookup ({own}), standard")


def test_json(capsys, directory):
    """The JSON is one object, with the hand and both answers."""
    offer(directory, "mine", WRONG)
    arguments = ["diff", "mine", "lookup", "-n", "10", "--seed", "9", "-f", "json"]
    assert run(["evaluators", *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    assert json.loads(captured.out) == {
        "schema": "holdem/difference/1",
        "agree": False,
        "evaluators": [
            {
                "name": "mine",
                "version": "1.0",
                "distribution": "plugin-under-test",
                "library": "",
            },
            {
                "name": "lookup",
                "version": holdem.__version__,
                "distribution": "holdem-engine",
                "library": "",
            },
        ],
        "rules": "standard",
        "seed": 9,
        "kinds": {"5": 0, "6": 30_407, "7": 68_081},
        "hands": {"5": ALL_FIVE, "6": 10, "7": 10},
        "disagreements": {"5": 48, "6": 0, "7": 0},
        "first": {
            "hand": ["2c", "2s", "3c", "3d", "3h"],
            "answers": [
                {
                    "evaluator": "mine",
                    "strength": 7154,
                    "rank_class": 309,
                    "name": "Full House, Threes full of Fours",
                },
                {
                    "evaluator": "lookup",
                    "strength": 7153,
                    "rank_class": 310,
                    "name": "Full House, Threes full of Twos",
                },
            ],
        },
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lookup"], "Missing argument 'B'"),
        (["lookup", "kev"], "no evaluator 'kev'"),
        (["lookup", "short-deck"], "their strengths cannot be compared"),
        (["lookup", "bitwise", "-n", "-1"], "not -1"),
        (["lookup", "bitwise", "--no-plugins"], "no evaluator 'bitwise'"),
    ],
)
def test_bad_input(arguments, message, capsys, directory):
    """Bad input is one message, with exit code 2."""
    assert run(["evaluators", "diff", *arguments]) == 2
    captured = capsys.readouterr()
    assert (captured.out, message in captured.err) == ("", True)
