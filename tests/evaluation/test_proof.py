"""Proofs: a fault in any kind of hand is refused with the hand, before the first answer."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import holdem
from holdem.cards import card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.builtin.lookup import RankByTables, rank_batch
from holdem.evaluation.builtin.lookup_tables import (
    list_flush_kinds,
    list_rank_kinds,
    look_up_hands,
    tables_of,
)
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.load_checks import count_kinds, list_hands
from holdem.rules import SHORT_DECK, STANDARD

SPADES = 3


def make(change, sizes=(5, 6, 7), name="mine"):
    """Return `lookup` with strengths modified by ``change(hands, strengths)``."""
    spec = EvaluatorSpec(
        name, "", "", sizes, lambda: lambda hands: change(hands, rank_batch(hands).astype(int))
    )
    return holdem.get_evaluator(spec)


def has_ranks(hands, ranks):
    """Return which hands have these ranks, in any order."""
    wanted = np.sort(holdem.parse_cards(ranks))[::-1] // 4
    return (np.sort(hands // 4)[:, ::-1] == wanted).all(axis=1)


KINGS_JACKS = "KcKdJcJd9c9d7c"
STRAIGHT_FLUSHES = 7452


def one_kind(hands, strengths):
    return strengths - (has_ranks(hands, KINGS_JACKS) if hands.shape[1] == 7 else 0)


def straight_flushes_of_spades(hands, strengths):
    is_spade = (hands % 4 == SPADES).sum(axis=1) >= 5
    return np.where(is_spade & (strengths > STRAIGHT_FLUSHES), strengths - 1599, strengths)


def some_flushes_of_spades(hands, strengths):
    is_flush = (hands % 4 == SPADES).sum(axis=1) >= 5
    return strengths - (is_flush & (card_sets(hands) % np.uint64(11) == 0))


def order_of_cards(hands, strengths):
    return strengths + (hands[:, 0] > hands[:, 1]) * (hands.shape[1] == 7)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            one_kind,
            r"gives (\w\w ){7}strength \d+, but its best five, .*; 1 of 68,081 hands of 7 is",
        ),
        (
            straight_flushes_of_spades,
            r"of one class different strengths, Straight Flush, .*; 10 of 11,323",
        ),
        (
            some_flushes_of_spades,
            r"of one class different strengths, .* 2s 3s 6s 5s 4s .*; \d+ of 11,323 hands are",
        ),
        (order_of_cards, r"depends on the order of the cards: "),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_in_a_kind(change, told):
    """The message has the hand; nothing is answered, not even from the table before the flop."""
    evaluator = make(change)
    for ask in (
        lambda: holdem.equity("AcAs", "KdKh", evaluator=evaluator),
        lambda: holdem.equities(["AcAs"], ["KdKh"], evaluator=evaluator),
        lambda: holdem.equity_matrix("AA", "KK", evaluator=evaluator),
        lambda: holdem.equity("AcAs", "KdKh", evaluator=evaluator.direct),
    ):
        with pytest.raises(EvaluatorError, match=told):
            ask()


def test_the_smallest_wrong_hand_is_named():
    """Of several wrong hands, the one of the fewest cards and the smallest card set."""

    def is_wrong(hands):  # four aces, and cards of which five are spades
        spades = (hands % 4 == SPADES).sum(axis=1)
        return (hands.shape[1] > 5) & (((hands >= 48).sum(axis=1) == 4) | (spades == 5))

    with pytest.raises(EvaluatorError) as caught:
        make(lambda hands, strengths: strengths - is_wrong(hands)).load()
    hands = list_hands(STANDARD, 6)
    hands = hands[is_wrong(hands)]
    smallest = hands[card_sets(hands).argmin()]
    assert f"gives {' '.join(str(holdem.Card(card)) for card in smallest)} strength" in str(
        caught.value
    )


def test_an_answer_that_changes_with_the_call():
    calls = []

    def change(hands, strengths):
        calls.append(1)
        return strengths + (len(calls) > 12)

    with pytest.raises(
        EvaluatorError, match=r"is inconsistent: |depends on|of one class|best five"
    ):
        make(change).load()


def test_an_exception_at_one_kind():
    """It names the hand, though thousands are ranked at once."""

    def change(hands, strengths):
        if hands.shape[1] == 7 and has_ranks(hands, KINGS_JACKS).any():
            raise LookupError("no such hand")
        return strengths

    with pytest.raises(
        EvaluatorError, match=r"failed: LookupError: no such hand, for (\w\w ?){7}$"
    ):
        make(change).load()


@pytest.mark.parametrize("rules", [STANDARD, SHORT_DECK], ids=str)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_hand_of_each_kind(rules, size):
    """All kinds, flushes in each suit; otherwise no five cards of a suit, and suits vary."""
    hands = list_hands(rules, size)
    assert (np.bitwise_count(card_sets(hands)) == size).all()
    assert hands.min() >= rules.deck[0]
    suited = (hands[:, :, None] % 4 == np.arange(4)).sum(axis=1)
    is_flush = suited.max(axis=1) >= 5
    plain = np.sort(hands[~is_flush] // 4)
    assert (
        len(np.unique(plain, axis=0)) == len(plain) == len(list_rank_kinds(rules.lowest_rank, size))
    )
    assert {*suited[~is_flush].max(axis=1).tolist()} >= {2, 3, 4}
    suits = suited[is_flush].argmax(axis=1)
    own = [
        {
            frozenset((hand[hand % 4 == suit] // 4).tolist())
            for hand in hands[is_flush][suits == suit]
        }
        for suit in range(4)
    ]
    expected = sum(len(list_flush_kinds(rules.lowest_rank, n)) for n in range(5, size + 1))
    assert [expected] * 4 == [len(kinds) for kinds in own]
    assert count_kinds(rules, size) == len(plain) + expected


def test_kinds_of_the_standard_rules():
    assert [7462, 21_398, 53_924] == [count_kinds(STANDARD, size) for size in (5, 6, 7)]


def test_tables_of_other_rules():
    """Made from the classes, those of the standard rules would be the shipped ones."""
    from holdem.evaluation.builtin.lookup_tables import _make_tables

    made, shipped = _make_tables(STANDARD), tables_of(STANDARD)
    for size in (5, 6, 7):
        np.testing.assert_array_equal(made.of_size[size], shipped.of_size[size])
    short = holdem.get_evaluator("short-deck")
    rng = np.random.default_rng(5)
    for size in (5, 6, 7):
        hands = rng.permuted(np.tile(np.arange(16, 52, dtype=np.uint8), (20_000, 1)), axis=1)
        hands = np.ascontiguousarray(hands[:, :size])
        found = look_up_hands(tables_of(SHORT_DECK), hands)
        np.testing.assert_array_equal(found, 1405 - short.classes(short.strengths(hands)))
        np.testing.assert_array_equal(found, RankByTables(SHORT_DECK)(hands))


def test_sixteen_threads_share_one_proof():
    ranked, found, start = [], [], threading.Barrier(16)

    def rank(hands, strengths):
        ranked.append(len(hands))
        return strengths

    evaluator = make(rank)

    def ask():
        start.wait()
        found.append(holdem.equity("AcAs", "KdKh", evaluator=evaluator).players[0].wins)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [1388072] * 16 == found
    alone = make(lambda hands, strengths: strengths)
    alone.load()
    assert sum(ranked) < 2 * 120_000


def test_replaced_evaluators_are_proved_anew(own_registrations):
    """The proof belongs to the spec, not to its name."""
    right = make(lambda hands, strengths: strengths).spec
    wrong = make(lambda hands, strengths: strengths - 1 * (strengths == 5000)).spec
    holdem.register(right)
    assert 1388072 == holdem.equity("AcAs", "KdKh", evaluator="mine").players[0].wins
    holdem.register(wrong, replace=True)
    with pytest.raises(EvaluatorError, match=r"ties "):
        holdem.equity("AcAs", "KdKh", evaluator="mine")
    holdem.register(right, replace=True)
    assert 1388072 == holdem.equity("AcAs", "KdKh", evaluator="mine").players[0].wins


SLOW = """
import time
import holdem
from holdem.evaluation.builtin.lookup import rank_batch

is_slow = True

@holdem.evaluator("slow", batch=True, hand_sizes={5, 6, 7})
def slow(hands):
    if is_slow and len(hands) > 1:
        print("proving", flush=True)
        time.sleep(0.5)
    return rank_batch(hands)

try:
    holdem.equity("AcAs", "KdKh", evaluator=slow)
except KeyboardInterrupt:
    print("interrupted", flush=True)
is_slow = False
print(holdem.equity("AcAs", "KdKh", evaluator=slow).players[0].wins)
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_during_the_proof():
    """It interrupts at once, and the evaluator can be asked again."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "proving\n"
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, message = process.communicate(timeout=60)
    assert "interrupted\n" in out, message
    assert out.endswith("1388072\n")
    assert time.monotonic() - sent < 30
