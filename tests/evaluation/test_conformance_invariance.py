"""Checks that strengths depend on nothing but the hand."""

import itertools
import threading

import numpy as np
import pytest

import holdem
from holdem.cards import card_set, parse_cards
from holdem.evaluation.conformance.checker import CHECKS, INVARIANCE_HANDS, check_conformance
from holdem.evaluation.conformance.hands import random_hands
from holdem.rules import STANDARD
from incorrect_evaluators import FEW, failures, lookup_but, shown


def test_card_order():
    """Wrong if the ace is first: the failure shows the cards in that order."""
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
    """A royal flush of spades is not recognized, in one order of its cards."""
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
    assert f"as with its suits permuted: {shown(right)}" == failure.expected
    assert (1, True) == (failure.affected, failure.at_least)  # asked for six times


def test_batch_size():
    """The last hand of a small batch is wrong."""

    def last(hands, strengths):
        if len(hands) == 17:
            strengths[-1] += 1

    failed = failures(lookup_but(last))
    assert {"batches"} == set(failed)
    failure = failed["batches"]
    samples = [random_hands(STANDARD, size, INVARIANCE_HANDS, seed=2) for size in (6, 7)]
    wrong = [hand for hands in (STANDARD.examples, *samples) for hand in hands[16::17].tolist()]
    assert len(wrong) == failure.affected == 7462 // 17 + 2 * (INVARIANCE_HANDS // 17)
    assert min(wrong, key=card_set) == list(failure.hand)
    right = holdem.evaluate(failure.hand)
    assert shown(right, by=1) == failure.answered
    assert f"as in another batch: {shown(right)}" == failure.expected


def test_threads():
    """All threads use the same memory."""
    shared = np.zeros(1 << 20, dtype=np.int64)
    turns, met = itertools.count(), threading.Barrier(2)

    def one_place(hands, strengths):
        np.add(strengths, 0, out=shared[: len(hands)])
        # Two threads of the check are here at once, and the first one to write returns the
        # strengths of the other. Calls with one hand, which compile, use another thread too.
        is_main = threading.current_thread() is threading.main_thread()
        if len(hands) > 1 and not is_main and next(turns) < 2:
            met.wait()
        return shared[: len(hands)].copy()

    failed = failures(lookup_but(one_place))
    assert {"threads"} == set(failed)
    failure = failed["threads"]
    assert failure.expected.startswith("as in one thread: strength ")
    assert failure.answered.startswith("strength ")
    assert 5 == len(failure.hand)
    assert 1 <= failure.affected


def test_same_array_from_each_call():
    shared = np.zeros(1 << 20, dtype=np.int64)

    def one_array(hands, strengths):
        shared[: len(hands)] = strengths
        return shared[: len(hands)]

    # The examples again, the last first: each gets the strength of another.
    failure = failures(lookup_but(one_array))["answers kept"]
    right = holdem.evaluate(failure.hand)
    later = 7463 - right.strength
    assert f"a later call changed the answer to strength {later}" == failure.answered
    told = f"strength {right.strength}: each call must return a new array"
    assert told == failure.expected
    assert 7462 == failure.affected
    assert min(STANDARD.examples.tolist(), key=card_set) == list(failure.hand)


@pytest.mark.parametrize("share", [1.0, 0.001])
def test_nondeterministic(share):
    """The failure says so and names the hand's class; other strengths are not checked."""
    generator = np.random.default_rng(7)
    calls = [0]

    def random_error(hands, strengths):
        calls[0] += 1
        strengths += generator.random(len(hands)) < share if calls[0] % 2 else 0

    found = check_conformance(lookup_but(random_error), FEW)
    status = {check.name: check.status for check in found.checks}
    assert ("ok", "failed") == (status["answers kept"], status["repeatable"])
    assert {"not run"} == {status[name] for name in CHECKS[CHECKS.index("classes") : -2]}
    (failed,) = found.failures
    assert "(the evaluator is nondeterministic): strength " in failed.failure.expected
    right = holdem.evaluate(failed.failure.hand)
    assert failed.failure.expected.endswith(f" ({right.name}, class {right.rank_class:,})")
