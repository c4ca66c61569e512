"""Agreement with the parsers of other libraries on text that both accept."""

import numpy as np
import pytest

from holdem import Range
from holdem.errors import RangeError
from holdem.ranges.combos import COMBO_TEXT
from holdem.ranges.parser import read

eval7 = pytest.importorskip("eval7")
pokerkit = pytest.importorskip("pokerkit")

_RANKS = "23456789TJQKA"


def _texts(count, seed):
    """Yield random range texts, most in notations that all libraries share."""
    source = np.random.default_rng(seed)

    def pick(options):
        return options[source.integers(len(options))]

    def hand():
        high, low = sorted(source.choice(13, 2, replace=False).tolist(), reverse=True)
        return _RANKS[high] + _RANKS[low] + pick(["s", "o", ""])

    def token():
        kind = source.integers(9)
        if kind == 0:
            return pick(_RANKS) * 2
        if kind == 1:
            return pick(_RANKS) * 2 + "+"
        if kind == 2:
            return f"{pick(_RANKS) * 2}-{pick(_RANKS) * 2}"
        if kind in (3, 4):
            return hand() + pick(["", "+"])
        if kind == 5:
            return pick(COMBO_TEXT)
        if kind == 6:  # kickers under one top card
            top = int(source.integers(2, 13))
            one, two = source.choice(top, 2, replace=False).tolist()
            suits = pick(["s", "o", ""])
            return f"{_RANKS[top]}{_RANKS[one]}{suits}-{_RANKS[top]}{_RANKS[two]}{suits}"
        if kind == 7:  # down a diagonal
            gap = int(source.integers(1, 5))
            one, two = source.integers(gap, 13, 2).tolist()
            suits = pick(["s", "o"])
            return (
                f"{_RANKS[one]}{_RANKS[one - gap]}{suits}-{_RANKS[two]}{_RANKS[two - gap]}{suits}"
            )
        return f"{int(source.integers(1, 101))}%({hand()})"

    for _ in range(count):
        yield pick([",", ", ", " "]).join(token() for _ in range(int(source.integers(1, 5))))


def _eval7(text):
    try:
        hands = eval7.HandRange(text).hands
    except eval7.rangestring.RangeStringError:
        return None
    return {frozenset(map(str, cards)) for cards, _ in hands}


def _pokerkit(text):
    try:
        found = pokerkit.parse_range(text)
    except (ValueError, KeyError, IndexError):
        return None
    return {frozenset(repr(card) for card in cards) for cards in found}


@pytest.mark.parametrize("count", [300, pytest.param(2500, marks=pytest.mark.slow)])
def test_other_libraries_read_the_same_combos(capsys, count):
    """On at least two fifths of the texts, each library gives the same combos."""
    both = {"eval7": 0, "pokerkit": 0}
    refused = 0
    texts = list(_texts(count, seed=5))
    for text in texts:
        try:
            ours = {frozenset((c[:2], c[2:])) for c in map(str, _range(text))}
        except RangeError:
            refused += 1
            continue
        for name, theirs in (("eval7", _eval7(text)), ("pokerkit", _pokerkit(text))):
            if theirs is not None:
                assert theirs == ours, (
                    f"{name} reads {text!r} as {len(theirs)} combos, not {len(ours)}"
                )
                both[name] += 1
    with capsys.disabled():
        print(f"\n{len(texts):,} texts, {refused} not read here; the same combos as", end=" ")
        print(", ".join(f"{name} on {count:,}" for name, count in both.items()))
    assert min(both.values()) >= count * 2 // 5


def _range(text):
    return Range.from_weights(read(text).weights)


def test_weights_agree_with_eval7():
    """Weights before a bracket agree with eval7."""
    for text in ("0.4(AK,QQ)", "40%(ATs+)", "AA,0.25(KK,AKs)", "33.3%(77-TT), 22"):
        theirs = {
            frozenset(map(str, cards)): weight for cards, weight in eval7.HandRange(text).hands
        }
        held = _range(text)
        assert len(theirs) == len(held)
        for combo in held:
            assert held.weight(combo) == pytest.approx(
                theirs[frozenset(map(str, combo))], rel=1e-15
            )
