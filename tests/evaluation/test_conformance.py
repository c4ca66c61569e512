"""Each way to break the contract is found by its check, with the hand that shows it."""

import ctypes
import itertools
import os
import random
import threading
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hands import EVALUATORS

import holdem
from holdem.cards import cards_text, index_set, index_sets, parse_cards
from holdem.evaluation import reference
from holdem.evaluation.conformance import timing
from holdem.evaluation.conformance.findings import Wrong
from holdem.evaluation.conformance.hands import random_hands
from holdem.evaluation.conformance.invariance import HANDS_ASKED_AGAIN
from holdem.evaluation.conformance.run import CHECKS, Extent, check_conformance
from holdem.evaluation.lookup.kernels import rank_batch
from holdem.report.conformance import checks_text
from holdem.testing import assert_conforms
from holdem.values import STANDARD

FEW = Extent(hands=2000)


def offered(function, sizes=(5, 6, 7), load=None):
    """Return a batch function as an evaluator that nobody has registered."""
    spec = holdem.EvaluatorSpec("mine", "", "", frozenset(sizes), load or (lambda: function))
    return holdem.get_evaluator(spec)


def lookup_but(change, sizes=(5, 6, 7)):
    """Return `lookup` with its answer passed through ``change(hands, strengths)``."""

    def rank(hands):
        strengths = rank_batch(hands)
        changed = change(hands, strengths)
        return strengths if changed is None else changed

    return offered(rank, sizes)


def wrong_for(*hands, by=1):
    """Return `lookup` that is wrong for these hands, whatever the order of their cards."""
    wrong = np.array([index_set(parse_cards(hand)) for hand in hands], dtype=np.uint64)

    def change(given, strengths):
        strengths[np.isin(index_sets(given), wrong)] += by

    return lookup_but(change)


def shown(value, by=0):
    """Return a hand's strength and class as a failure shows them; `by` so many classes off."""
    number = value.rank_class - by
    name = STANDARD.class_at(number).name
    return f"strength {value.strength + by} ({name}, class {number:,})"


def failures(evaluator, extent=FEW):
    """Return name -> failure of the checks that fail; the rest is in order."""
    found = check_conformance(evaluator, extent)
    assert CHECKS == tuple(check.name for check in found.checks)
    failed = {check.name: check.failure for check in found.checks if check.status == "failed"}
    assert found.passed == (not failed)
    return failed


@pytest.mark.parametrize("name", [name for name in EVALUATORS if name != "reference"])
def test_what_comes_with_the_engine_conforms(name):
    """The engine's own evaluators pass every check, each of which is run."""
    found = check_conformance(holdem.get_evaluator(name))
    assert () == found.failures
    assert {"ok"} == {check.status for check in found.checks}
    asked = {check.name: check.hands for check in found.checks}
    assert comb(52, 5) == asked["five cards"]
    drawn = 1_000_000 if 7 in holdem.get_evaluator(name).spec.hand_sizes else 20_000
    assert drawn == asked["six cards"] == asked["seven cards"]
    assert {5, 6, 7} == set(found.speeds)
    assert all(speed > 0 for speed in found.speeds.values())
    assert found.first_call > 0


@pytest.mark.exhaustive
def test_the_rule_book_conforms():
    """All 2,598,960 hands of five, asked one by one, have the level derived from 7,462 of them."""
    assert_conforms("reference")


def test_another_rule_set_conforms():
    """Short deck is held to its own reference: 36 cards, 376,992 hands of five."""
    found = assert_conforms("short-deck")
    assert "short-deck" == found.rules
    assert comb(36, 5) == {check.name: check.hands for check in found.checks}["five cards"]


@pytest.mark.exhaustive
def test_every_hand_of_the_short_deck():
    """All 1,947,792 hands of six and 8,347,680 of seven are gone through."""
    found = assert_conforms("short-deck", exhaustive=True)
    asked = {check.name: check.hands for check in found.checks}
    assert (comb(36, 6), comb(36, 7)) == (asked["six cards"], asked["seven cards"])


# --- wrong answers ---------------------------------------------------------------------


def test_one_wrong_hand_of_five():
    """A single wrong hand is found, with what was answered and what is right."""
    failed = failures(wrong_for("2c 3d 5h 7s 9c"))
    assert {"five cards"} == set(failed)
    failure = failed["five cards"]
    assert parse_cards("2c 3d 5h 7s 9c") == failure.hand
    right = holdem.evaluate("2c 3d 5h 7s 9c")
    assert shown(right) == failure.expected
    assert shown(right, by=1) == failure.answered
    assert 1 == failure.affected


def test_the_smallest_of_several_wrong_hands():
    """Of all wrong hands the one with the least index set is shown, and all are counted."""
    wrong = ["Ac Kc Qc Jc 2d", "3c 4c 5c 6c 8d", "2c 3c 4c 5c 9d"]
    failure = failures(wrong_for(*wrong))["five cards"]
    assert parse_cards("3c 4c 5c 6c 8d") == failure.hand
    assert 3 == failure.affected


def test_a_strength_of_no_class_says_so():
    """An answer that no class has is shown as such."""
    failure = failures(wrong_for("2c 3d 5h 7s 9c", by=20_000))["five cards"]
    assert failure.answered.endswith("(of no class)")


WRONG_SEVEN = "2h 9c 9d Jd Jh Kc Kh"


@pytest.mark.exhaustive
def test_one_wrong_hand_of_133_784_560():
    """One wrong hand of seven among all is found by going through all of them."""
    hand = parse_cards(WRONG_SEVEN)

    def wrong(hands, strengths):
        if hands.shape[1] == 7:
            strengths[(hands == hand).all(axis=1)] += 1

    failed = failures(lookup_but(wrong), Extent(exhaustive=True))
    assert {"seven cards"} == set(failed)
    assert hand == failed["seven cards"].hand
    assert 1 == failed["seven cards"].affected


@pytest.mark.parametrize(("size", "check"), [(6, "six cards"), (7, "seven cards")])
def test_wrong_only_with_more_cards(size, check):
    """What goes wrong with many hands of six or seven is found in those that are drawn."""

    def three_pairs_take_the_lowest(hands, strengths):
        if hands.shape[1] == size:
            strengths[_three_pairs(hands)] -= 1

    failed = failures(lookup_but(three_pairs_take_the_lowest))
    drawn = random_hands(STANDARD, size, FEW.hands, FEW.seed)
    wrong = drawn[_three_pairs(drawn)]
    # Three pairs have 0.3 % of all hands of six, C(13, 3) 6^3, and 1.85 % of seven.
    assert len(wrong) > 1
    assert {check} == set(failed)
    failure = failed[check]
    smallest = wrong[index_sets(wrong).argmin()]
    assert smallest.tolist() == list(failure.hand)
    right = holdem.evaluate(failure.hand)
    assert shown(right) == failure.expected
    assert shown(right, by=-1) == failure.answered
    assert len(wrong) == failure.affected


def _three_pairs(hands):
    """Tell which of ``(hand, card)`` have three pairs, and no card of these ranks besides."""
    counts = (hands[:, :, None] // 4 == hands[:, None, :] // 4).sum(axis=2)
    return (counts.max(axis=1) == 2) & (counts.sum(axis=1) == 12 + hands.shape[1] - 6)


def test_one_class_out_of_place():
    """A class that stands below the next but one is named, with the hands that it has."""

    def swap(hands, strengths):
        strengths[strengths == 7462 - 10] = 9000  # the best four of a kind beats all

    failed = failures(lookup_but(swap))
    assert {"classes"} == set(failed)
    failure = failed["classes"]
    assert "four of a kind" == holdem.evaluate(failure.hand).category
    assert "strength 9000" == failure.answered
    assert failure.expected == (
        "above strength 7451 of Four of a Kind, Aces Ac Ad Ah As Qs"
        " and below strength 7453 of Straight Flush, Five high 5c 4c 3c 2c Ac"
    )
    assert 4 == failure.affected  # four aces and a king


def test_two_classes_that_tie():
    """Two neighbouring classes of one strength are found: the kicker of two pair is forgotten."""
    tied = holdem.evaluate("As Ad Ks Kd Qc").strength

    def tie(hands, strengths):
        strengths[strengths == tied] -= 1

    failure = failures(lookup_but(tie))["classes"]
    assert "two pair" == holdem.evaluate(failure.hand).category
    assert 6 * 6 * 4 == failure.affected


def test_the_wrong_way_round():
    """Where smaller is stronger, the failure says so, and that nearly all hands are affected."""
    failed = failures(lookup_but(lambda hands, strengths: -strengths))
    assert {"classes"} == set(failed)
    whole = "; bigger is stronger, and here all is the other way round"
    assert failed["classes"].expected.endswith(whole)
    assert failed["classes"].affected > 2_500_000


def test_all_hands_tie():
    """An evaluator that ties all is told just that."""
    failure = failures(lookup_but(lambda hands, strengths: strengths * 0))["classes"]
    assert "all hands tie" in failure.expected


def test_a_five_card_evaluator_is_asked_through_the_engine():
    """With hand sizes {5}, hands of seven come to it as their 21 choices of five."""
    sizes = set()

    def note(hands, strengths):
        sizes.add(hands.shape[1])

    assert {} == failures(lookup_but(note, sizes={5}))
    assert {5} == sizes


# --- answers that depend on more than the hand -----------------------------------------


def test_card_order():
    """An evaluator that is wrong where the ace comes first is found, with that order shown."""
    pair = holdem.evaluate("2c 2d Ac Kc Qs")
    wrong = []

    def ace_first(hands, strengths):
        if hands.shape[1] > 5:
            return
        rows = (hands[:, 0] == parse_cards("Ac")[0]) & (strengths == pair.strength)
        wrong.extend(hands[rows].tolist())
        strengths[rows] += 1

    # In no example and in no hand in ascending order does the ace come before the pair.
    failed = failures(lookup_but(ace_first))
    assert {"card order"} == set(failed)
    failure = failed["card order"]
    assert parse_cards("Ac Kc Qs 2c 2d") == failure.hand  # turned by two: the first in this order
    assert shown(pair, by=1) == failure.answered
    assert f"as with its cards in another order: {shown(pair)}" == failure.expected
    assert len(wrong) > 1
    assert (1, True) == (failure.affected, failure.at_least)  # one hand, in several orders


def test_suits():
    """A royal flush that is overlooked in spades, and in one order of its cards only, is found."""
    royal = parse_cards("As Ks Qs Js Ts")

    def spades(hands, strengths):
        if hands.shape[1] == 5:
            strengths[(hands == royal).all(axis=1)] -= 1

    # The example is of clubs; of the 24 renamings 6 make them spades.
    failed = failures(lookup_but(spades))
    assert {"suits"} == set(failed)
    failure = failed["suits"]
    assert royal == failure.hand
    right = holdem.evaluate(royal)
    assert shown(right, by=-1) == failure.answered
    assert f"as with its suits renamed: {shown(right)}" == failure.expected
    assert (1, True) == (failure.affected, failure.at_least)  # asked for six times


def test_one_suit_counts_more():
    """A high card that is stronger for the ace of spades is found in two ways."""
    ace = parse_cards("As")[0]

    def spades(hands, strengths):
        if hands.shape[1] == 7:
            strengths[(strengths <= 1277) & (hands == ace).any(axis=1)] += 1

    failed = failures(lookup_but(spades))
    assert {"seven cards", "suits"} == set(failed)
    assert ace in failed["seven cards"].hand
    assert failed["suits"].expected.startswith("as with its suits renamed: strength ")


def test_batch_size():
    """An evaluator that errs on the last hand of a small batch is found."""

    def last(hands, strengths):
        if len(hands) == 17:
            strengths[-1] += 1

    failed = failures(lookup_but(last))
    assert {"batches"} == set(failed)
    failure = failed["batches"]
    samples = [random_hands(STANDARD, size, HANDS_ASKED_AGAIN, seed=2) for size in (6, 7)]
    wrong = [hand for hands in (STANDARD.examples, *samples) for hand in hands[16::17].tolist()]
    assert len(wrong) == failure.affected == 7462 // 17 + 2 * (HANDS_ASKED_AGAIN // 17)
    assert min(wrong, key=index_set) == list(failure.hand)
    right = holdem.evaluate(failure.hand)
    assert shown(right, by=1) == failure.answered
    assert f"as in another batch: {shown(right)}" == failure.expected


def test_call_order():
    """An evaluator that is wrong after a call with fewer hands is found."""
    before = [0]

    def remembers(hands, strengths):
        if 0 < before[0] < 1000 < len(hands):
            strengths[0] += 1
        before[0] = len(hands)

    failed = failures(lookup_but(remembers))
    assert failed["batches"].expected.startswith("as in another batch: ")


def test_threads():
    """An evaluator that keeps its work in one place for all threads is found."""
    shared = np.zeros(1 << 20, dtype=np.int64)
    turns, met = itertools.count(), threading.Barrier(2)

    def one_place(hands, strengths):
        np.add(strengths, 0, out=shared[: len(hands)])
        # The check starts several threads, each of which asks: two of them are here at once,
        # and the first to have written finds the other's answers.
        if threading.current_thread() is not threading.main_thread() and next(turns) < 2:
            met.wait()
        return shared[: len(hands)].copy()

    failed = failures(lookup_but(one_place))
    assert {"threads"} == set(failed)
    failure = failed["threads"]
    assert failure.expected.startswith("as when one thread asks: strength ")
    assert failure.answered.startswith("strength ")
    assert 5 == len(failure.hand)
    assert 1 <= failure.affected


def test_answers_are_kept():
    """An evaluator that hands out the same array each time is found."""
    shared = np.zeros(1 << 20, dtype=np.int64)

    def one_array(hands, strengths):
        shared[: len(hands)] = strengths
        return shared[: len(hands)]

    # The examples again, the last first: each gets the strength of another.
    failure = failures(lookup_but(one_array))["answers kept"]
    right = holdem.evaluate(failure.hand)
    later = 7463 - right.strength
    assert f"a later call changed the answer to strength {later}" == failure.answered
    told = f"strength {right.strength}: each call returns an array of its own"
    assert told == failure.expected
    assert 7462 == failure.affected
    assert min(STANDARD.examples.tolist(), key=index_set) == list(failure.hand)


# --- shape and type --------------------------------------------------------------------

ANSWERS = {
    "a column": (lambda s: s[:, None], "answered shape (1, 1) for 1 hands"),
    "too few": (lambda s: s[1:], "answered shape (0,) for 1 hands"),
    "a number": (lambda s: 7, "answered int, not an array of integers"),
    "None": (lambda s: None, "answered NoneType, not an array of integers"),
    "a list": (lambda s: s.tolist(), "answered list, not an array of integers"),
    "floats": (lambda s: s.astype(float), "answered float64, not an array of integers"),
    "NaN": (lambda s: s * np.nan, "answered float"),
    "text": (lambda s: s.astype(str), "answered <U6, not an array of integers"),
    "objects": (lambda s: s.astype(object), "answered object, not an array of integers"),
    "truth values": (lambda s: s > 5, "answered bool, not an array of integers"),
    "beyond 63 bits": (
        lambda s: s.astype(np.uint64) + np.uint64(2**63),
        "strengths end at 2^63-1",
    ),
}


@pytest.mark.parametrize(("answer", "told"), ANSWERS.values(), ids=ANSWERS)
def test_answers_of_the_wrong_kind(answer, told):
    """Anything but integers (hand,) fails, on a single hand; what builds on it is not run."""
    found = check_conformance(offered(lambda hands: answer(rank_batch(hands))), FEW)
    statuses = {check.name: check.status for check in found.checks}
    assert "failed" == statuses["answers"]
    assert "not run" == statuses["classes"] == statuses["seven cards"]
    (check,) = found.failures
    failure = check.failure
    assert told in failure.answered
    assert STANDARD.class_at(1).example == failure.hand  # asked for first, and alone
    assert "integers (hand,), one for each hand of the batch" == failure.expected
    assert 1 == failure.affected


def test_a_batch_of_no_hands():
    """No hands have no answers; an error instead is found."""

    def fails_on_none(hands, strengths):
        if not len(hands):
            raise IndexError("no hands")

    failure = failures(lookup_but(fails_on_none))["answers"]
    assert "IndexError: no hands" in failure.answered
    assert "(0,)" in failure.expected


def test_one_hand_raises():
    """The one hand of all for which it raises is found, not just the batch it is in."""
    wrong = np.uint64(index_set(parse_cards("3h 5c 8d 8h Qs")))

    def raises(hands, strengths):
        if (index_sets(hands) == wrong).any():
            raise ArithmeticError("overflow")

    failed = failures(lookup_but(raises))
    assert {"five cards"} == set(failed)
    assert parse_cards("3h 5c 8d 8h Qs") == failed["five cards"].hand
    assert "evaluator 'mine' failed: ArithmeticError: overflow" == failed["five cards"].answered
    assert 1 == failed["five cards"].affected


def test_all_hands_of_seven_raise():
    """Where every hand fails, what is told is of one of them, and "at least" so many."""

    def raises(hands, strengths):
        if hands.shape[1] == 7:
            raise NotImplementedError

    failure = failures(lookup_but(raises))["answers"]
    assert 7 == len(failure.hand)
    assert "evaluator 'mine' failed: NotImplementedError" == failure.answered
    assert failure.at_least


def test_a_class_raises_in_a_function_of_one_hand():
    """The hand is named, what is right is said for such a function, and more hands may fail."""

    @holdem.evaluator("mine")
    def fails_on_one_class(cards):
        if {card // 4 for card in cards} == {0, 1, 2, 3, 6}:  # 8 5 4 3 2: 1,024 hands
            raise ValueError("oops")
        return reference.strength(cards)

    failed = failures(holdem.get_evaluator(fails_on_one_class))
    assert {"answers"} == set(failed)
    hand = cards_text(failed["answers"].hand, " ")
    assert str(failed["answers"]) == (
        f"{hand}: evaluator 'mine' failed: ValueError: oops, for {hand}; right is: an int of 64"
        " bits for each hand that the function is given; at least 2 hands are affected"
    )


def test_hands_that_are_drawn_are_not_all():
    """Of seven cards some are asked for: at least so many are wrong; exhaustively just as many."""

    def three_pairs_take_the_lowest(hands, strengths):
        if hands.shape[1] == 6:
            strengths[_three_pairs(hands)] -= 1

    evaluator = lookup_but(three_pairs_take_the_lowest)
    assert "; at least " in str(failures(evaluator)["six cards"])
    assert not failures(wrong_for("2c 3d 5h 7s 9c"))["five cards"].at_least


def test_large_batches_raise():
    """Where no hand fails alone, the batch as a whole does."""

    def raises(hands, strengths):
        if len(hands) > 10_000:
            raise MemoryError("too many")

    failure = failures(lookup_but(raises))["five cards"]
    assert "MemoryError: too many" in failure.answered
    assert comb(52, 5) - 2598960 % (1 << 16) <= failure.affected <= comb(52, 5)


# --- conduct ---------------------------------------------------------------------------


def test_the_input_is_changed():
    """One that sorts the hands it is given is found, though numpy would have refused it."""

    def sorts(hands):
        hands.sort(axis=1)
        return rank_batch(hands)

    failed = failures(offered(sorts))
    assert {"input", "answers"} == set(failed)  # for what the engine gives cannot be sorted
    failure = failed["input"]
    changed = [hand for hand in STANDARD.examples.tolist() if sorted(hand) != hand]
    assert min(changed, key=index_set) == list(failure.hand)
    assert f"the hand became {cards_text(sorted(failure.hand), ' ')}" == failure.answered
    assert "the hands are left as they are" == failure.expected
    assert len(changed) == failure.affected


def test_the_input_is_changed_behind_numpy():
    """Compiled code that writes to a read-only array is found as well."""

    def writes(hands):
        strengths = rank_batch(hands)
        if len(hands):
            ctypes.memset(hands.ctypes.data, 99, 1)
        return strengths

    failed = failures(offered(writes))
    assert {"input"} == set(failed)
    failure = failed["input"]
    assert STANDARD.class_at(1).example == failure.hand
    assert f"the hand became 99 {cards_text(failure.hand[1:], ' ')}" == failure.answered
    assert 1 == failure.affected


USES = {
    "draws": (lambda: random.random(), "Python's random"),
    "seeds": (lambda: random.seed(5), "Python's random"),
    "numpy draws": (lambda: np.random.random(), "numpy.random"),  # noqa: NPY002
    "numpy seeds": (lambda: np.random.seed(5), "numpy.random"),  # noqa: NPY002
}


@pytest.mark.parametrize(("use", "name"), USES.values(), ids=USES)
@pytest.mark.parametrize("when", ["load", "call"])
def test_global_random_generators(use, name, when):
    """Drawing from a global generator, or seeding it, is found at load and in a call."""

    def load():
        if when == "load":
            use()
        return rank

    def rank(hands):
        if when == "call":
            use()
        return rank_batch(hands)

    failed = failures(offered(None, load=load))
    assert {"random state"} == set(failed)
    failure = failed["random state"]
    assert f"the state of {name} is another than before" == failure.answered
    assert "no global random generator is drawn from or set" == failure.expected
    assert ((), 0) == (failure.hand, failure.affected)


@pytest.mark.parametrize(
    "write", [print, lambda text: os.write(1, text.encode())], ids=["print", "C"]
)
@pytest.mark.parametrize("when", ["load", "call"])
def test_printing(write, when, capfd):
    """What is printed is found, shown, and does not reach standard output."""
    times = []

    def load():
        if when == "load":
            write("loading\ntables")
        return rank

    def rank(hands):
        if when == "call" and not times:
            times.append(1)
            write("loading\ntables")
        return rank_batch(hands)

    failed = failures(offered(None, load=load))
    assert {"output"} == set(failed)
    failure = failed["output"]
    assert "it wrote 'loading tables' to standard output" == failure.answered
    assert "answers are returned, and nothing is printed" == failure.expected
    assert ((), 0) == (failure.hand, failure.affected)
    assert "" == capfd.readouterr().out


def test_progress_and_estimate_may_print(capsys):
    """What the caller's own functions print is nobody's fault, and all hands are told of."""
    told = []
    found = check_conformance(
        offered(rank_batch),
        FEW,
        on_estimate=lambda hands, seconds: (
            print("estimate", hands) or told.append((hands, seconds))
        ),
        on_progress=lambda hands: told.append(hands),
    )
    assert found.passed
    (hands, seconds), *parts = told
    assert f"estimate {hands}\n" == capsys.readouterr().out
    assert 0 < seconds
    # The calls with a few hands at a time are left out of the estimate.
    assert hands <= sum(parts) <= hands + 3 * 600


class Clock:
    """A clock that goes on when hands are ranked: so many seconds a hand, and once more."""

    def __init__(self, seconds, *, interrupted=None):
        self.now, self.seconds, self.interrupted = 0.0, seconds, interrupted
        self.batches = []

    def perf_counter(self):
        return self.now

    def ask(self, hands):
        self.batches.append(len(hands))
        self.now += self.seconds * len(hands)
        if len(self.batches) == self.interrupted:
            self.now += 100.0


@pytest.mark.parametrize("interrupted", [None, 1, 2, 3, 4])
@pytest.mark.parametrize(
    ("seconds", "most"), [(1e-9, 1 << 16), (1e-5, 1 << 16), (1e-3, 512), (0.1, 64), (5.0, 1)]
)
def test_the_estimate(seconds, most, interrupted, monkeypatch):
    """It is by the fastest call, whatever else the machine did meanwhile, and by a few hands."""
    clock = Clock(seconds, interrupted=interrupted)
    monkeypatch.setattr(timing, "time", clock)
    found = timing.seconds_a_hand(clock.ask, lambda count: range(count))
    assert seconds == pytest.approx(found, rel=1e-6)  # differences of a sum of floats
    assert max(clock.batches) <= most
    assert 4 <= len(clock.batches) <= 9


# --- load ------------------------------------------------------------------------------


def raising(error):
    def load():
        raise error

    return load


LOADS = {
    "raises": (raising(OSError("no table")), "cannot be loaded: OSError: no table"),
    "exits": (raising(SystemExit(3)), "cannot be loaded: SystemExit: 3"),
    "another root": (raising(BaseException("odd")), "cannot be loaded: BaseException: odd"),
    "None": (lambda: None, "load returned None, not a function"),
}


@pytest.mark.parametrize(("load", "told"), LOADS.values(), ids=LOADS)
def test_a_load_that_fails(load, told):
    """The reason is shown, and nothing else is run."""
    found = check_conformance(offered(None, load=load), FEW)
    statuses = [check.status for check in found.checks]
    assert ["failed", *["not run"] * 11, "ok", "ok"] == statuses
    failure = found.checks[0].failure
    assert told in failure.answered
    assert ("a function", (), 0) == (failure.expected, failure.hand, failure.affected)


# --- in an author's tests --------------------------------------------------------------


def test_the_assertion_passes():
    """It takes a name or a spec, and gives back what was found."""
    assert assert_conforms("lookup", hands=10).passed
    assert "lookup" == assert_conforms("lookup", hands=10).evaluator
    spec = holdem.EvaluatorSpec("mine", "", "", {5}, lambda: rank_batch)
    assert "mine" == assert_conforms(spec, hands=10).evaluator


def test_what_the_assertion_returns_prints_as_the_command_does():
    """`print` shows the table of all checks, and the speeds."""
    found = assert_conforms("lookup", hands=10)
    assert checks_text(found) == str(found)
    assert f"lookup {holdem.__version__}, standard rules" == str(found).splitlines()[0]
    assert all(f"\n{name} " in str(found) for name in CHECKS)
    assert str(found).endswith("/s of 7 cards")


def test_the_assertion_shows_the_hand():
    """Its message has every check, the hand, the answer, what is right, and how many hands."""
    with pytest.raises(AssertionError) as caught:
        assert_conforms(wrong_for("2c 3d 5h 7s 9c", "2c 3d 5h 7s 9d"), hands=10)
    message = str(caught.value)
    assert all(name in message for name in CHECKS)
    assert "five cards: 2c 3d 5h 7s 9c: strength " in message
    assert "right is: strength " in message
    assert "; 2 hands are affected" in message


def test_the_assertion_needs_an_evaluator():
    """A name that nobody has is the registry's error."""
    with pytest.raises(holdem.EvaluatorError, match="no evaluator 'kev'"):
        assert_conforms("kev")


def test_the_smallest_wrong_hand_across_batches():
    """Hands come in any order of batches; the least set stays."""
    wrong = Wrong()
    hands = np.array(list(combinations(range(8), 5)), dtype=np.uint8)
    right = np.zeros(len(hands), dtype=np.int64)
    for part in (hands[40:], hands[10:20], hands[:10], hands[20:40]):
        wrong.add(part, right[: len(part)] + 1, right[: len(part)], {})
    assert (0, 1, 2, 3, 4) == wrong.hand
    assert 56 == wrong.count
