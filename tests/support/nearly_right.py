"""Evaluators that differ from `lookup` in one respect, and what the checks find in them."""

import numpy as np

import holdem
from holdem.cards import card_set, card_sets, parse_cards
from holdem.evaluation.builtin.lookup.kernels import rank_batch
from holdem.evaluation.conformance.check import CHECKS, Extent, check_conformance
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
    wrong = np.array([card_set(parse_cards(hand)) for hand in hands], dtype=np.uint64)

    def change(given, strengths):
        strengths[np.isin(card_sets(given), wrong)] += by

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
