"""Hands, evaluators and published counts for the tests of evaluators."""

from itertools import chain, combinations
from math import comb

import attrs
import numpy as np

import holdem
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator

#: Included evaluators with standard rules; all rank hands of five to seven cards.
EVALUATORS = ("lookup", "reference", "bitwise", "cactus-kev", "dead-horse", "suit-mask")

#: Numbers of hands of five, six and seven cards by category, weakest first.
#: Sources: Wikipedia, "Poker probability", for five and seven cards; Brian Alspach, "6-Card
#: Poker Hands" (2000), for six.
CATEGORY_COUNTS = {
    5: (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40),
    6: (6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844),
    7: (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584),
}

#: Numbers of classes that occur among hands of five, six and seven cards.
CLASS_COUNTS = {5: 7462, 6: 6075, 7: 4824}


def all_hands_of_five():
    """Return every hand of five, ``uint8 (2598960, 5)``, in lexicographic order."""
    flat = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(flat, dtype=np.uint8, count=5 * comb(52, 5)).reshape(-1, 5)


def random_hands(count, size, seed):
    """Return uniformly random hands with cards in random order, ``uint8 (count, size)``."""
    rng = np.random.default_rng(seed)
    blocks = []
    for start in range(0, count, 1 << 14):
        keys = rng.random((min(1 << 14, count - start), 52), dtype=np.float32)
        picked = np.argpartition(keys, size, axis=1)[:, :size].astype(np.uint8)
        blocks.append(rng.permuted(picked, axis=1))
    return np.concatenate(blocks)


def classes_by(evaluator, hands):
    """Return the class of each hand according to an evaluator, ``int64 (hand,)``."""
    return evaluator.scale.classes(evaluator.rank(np.ascontiguousarray(hands)))


def wrong_later(name, change):
    """Return an evaluator that is `lookup` until it is loaded, and wrong afterwards.

    ``change(hands, strengths)`` returns its strengths then. The checks of a run find no fault, as
    if they met none of the wrong hands.
    """
    loaded = []

    def rank(hands):
        strengths = rank_batch(hands).astype(np.int64)
        return change(hands, strengths) if loaded else strengths

    evaluator = holdem.get_evaluator(EvaluatorSpec(name, "", "", {5, 6, 7}, lambda: rank))
    evaluator.load()
    evaluator._loaded = attrs.evolve(evaluator._loaded, consistency=None)
    loaded.append(True)
    return evaluator


def make(rank, sizes=(5,), name="mine"):
    """Return an evaluator of a batch function."""
    return Evaluator(EvaluatorSpec(name, "", "", sizes, lambda: rank))


def lookup():
    """Return the default evaluator."""
    return holdem.get_evaluator("lookup")
