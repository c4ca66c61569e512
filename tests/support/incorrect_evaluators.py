"""Evaluators with one fault, and the checks that fail for them."""

import numpy as np

import holdem
from holdem.cards import card_set, card_sets, parse_cards
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.conformance.checker import CHECKS, check_conformance
from holdem.evaluation.conformance.hands import Extent
from holdem.rules import STANDARD

FEW = Extent(hands=2000)


def offered(function, sizes=(5, 6, 7), load=None, rules="standard"):
    """Return a batch function as an unregistered evaluator."""
    spec = holdem.EvaluatorSpec(
        "mine", "", "", frozenset(sizes), load or (lambda: function), rules=rules
    )
    return holdem.get_evaluator(spec)


def lookup_but(change, sizes=(5, 6, 7)):
    """Return `lookup` with strengths modified by ``change(hands, strengths)``."""

    def rank(hands):
        strengths = rank_batch(hands)
        changed = change(hands, strengths)
        return strengths if changed is None else changed

    return offered(rank, sizes)


def wrong_for(*hands, by=1):
    """Return `lookup` with wrong strengths for these hands, in any order of cards."""
    wrong = np.array([card_set(parse_cards(hand)) for hand in hands], dtype=np.uint64)

    def change(given, strengths):
        strengths[np.isin(card_sets(given), wrong)] += by

    return lookup_but(change)


def shown(value, by=0):
    """Return a hand's strength and class as in a failure, shifted by `by` classes."""
    number = value.rank_class - by
    name = STANDARD.class_at(number).name
    return f"strength {value.strength + by} ({name}, class {number:,})"


def failures(evaluator, extent=FEW):
    """Return the failures by name of check."""
    found = check_conformance(evaluator, extent)
    assert CHECKS == tuple(check.name for check in found.checks)
    failed = {check.name: check.failure for check in found.checks if check.status == "failed"}
    assert found.passed == (not failed)
    return failed
