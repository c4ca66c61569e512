"""From text to weights: the bound on length, the short way for plain tokens, what is kept.

Most ranges are lists of classes and combos. Those are read here, token by token, without
the parser, which costs 60 ms to load and build. Everything else, and whatever is wrong in
the least, goes the long way round (`holdem.ranges.parser`); the two give the same weights and the
same notes wherever the short way answers at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, RANKS
from holdem.ranges.combos import COMBO_COUNT, combo_index
from holdem.ranges.faults import Fault
from holdem.ranges.hands import Mask, alone, climb, dash, parse_hand, upward
from holdem.values import STANDARD, RuleSet

MAX_LENGTH = 65_536
MAX_DEPTH = 50
BLANKS = " \t\r\n"

#: Weights of all combos: ``float64 (combo,)``.
Weights: TypeAlias = NDArray[np.float64]


class DialectWarning(UserWarning):
    """A text that is read in one way here and in another by other tools."""


class Reading(NamedTuple):
    """What a text means."""

    weights: Weights
    """``float64 (combo,)``, 0..1, read-only."""

    notes: tuple[str, ...]
    """What to warn of, a sentence or two each."""


class Remark(NamedTuple):
    """A token that other tools read in another way."""

    token: str
    kind: str
    """``climb`` or ``apart``."""

    instead: str
    """What says unmistakably what other tools would take `token` for."""


@lru_cache(maxsize=256)
def read(text: str, rules: RuleSet = STANDARD) -> Reading:
    """Read a text of the range language.

    Args:
        text: the text.
        rules: whose deck and order of starting hands it speaks of. A rank that the deck does
            not have cannot be named; what has no end, as `random` or ``88-``, ends with it.

    Raises:
        RangeError: with the offending part underlined.
    """
    if len(text) > MAX_LENGTH:
        problem = f"a range of {len(text):,} characters is too long"
        raise Fault(problem, expected=f"at most {MAX_LENGTH:,} characters").at(
            text, MAX_LENGTH, MAX_LENGTH + 1
        )
    # The short way knows all ranks: a text that may name one too low is left to the parser.
    missing = RANKS[: rules.lowest_rank]
    reading = None if any(rank in text for rank in missing) else read_plain(text)
    if reading is None:
        from holdem.ranges.parser import read_any

        reading = read_any(text, rules)
    if missing:
        from holdem.ranges.ranking import in_deck

        weights = np.where(in_deck(rules), reading.weights, 0.0)
        weights.setflags(write=False)
        reading = reading._replace(weights=weights)
    return reading


# --- the short way --------------------------------------------------------------------------

_RANK = "(?:10|[2-9TJQKAtjqka])"
_HAND = f"(?:{_RANK}{{2}}[soSO]?|(?:{_RANK}[cdhsCDHS]){{2}})"
_TOKEN = re.compile(rf"({_HAND})(?:(\+)|-({_HAND}))?(?:[:=]([0-9]+(?:\.[0-9]*)?|\.[0-9]+))?")
_CARD = {str(card): card for card in DECK}
_SEPARATOR = re.compile(r"[ \t\r\n]*[,;][ \t\r\n]*|[ \t\r\n]+")


def read_plain(text: str) -> Reading | None:
    """Read a list of plain tokens: classes and combos, with ``+``, a dash, or a weight.

    None where a token is not plain, or not right.
    """
    words = _SEPARATOR.split(text.strip(BLANKS))
    if len(words) > 1 and not words[-1]:
        words.pop()  # one separator may trail
    weights = np.zeros(COMBO_COUNT)
    remarks = []
    for word in words:
        token = _token(word)
        if token is None:
            return None
        held, weight, remark = token
        weights[held] = 1.0 if weight == 1.0 else np.maximum(weights[held], weight)
        if remark:
            remarks.append(remark)
    return finished(weights, remarks)


def _combo(word: str) -> int | None:
    """Return the number of a combo written out; a mask of all combos would take 20 us."""
    first, second = _CARD.get(word[:2]), _CARD.get(word[2:])
    if first is None or second is None or first == second:
        return None
    return combo_index(first, second)


@lru_cache(maxsize=1024)
def _token(word: str) -> tuple[Mask | int, float, Remark | None] | None:
    combo = _combo(word)
    if combo is not None:
        return combo, 1.0, None
    match = _TOKEN.fullmatch(word)
    if match is None:
        return None
    hand, plus, other, number = match.groups()
    weight = float(number) if number else 1.0
    if not 0 < weight <= 1:
        return None
    try:
        if plus:
            return upward(hand), weight, climb_remark(hand)
        return dash(hand, other) if other else alone(hand), weight, None
    except Fault:
        return None


# --- what both ways share -------------------------------------------------------------------


def finished(weights: Weights, remarks: Iterable[Remark]) -> Reading:
    """Return the reading of finished weights; they become read-only."""
    weights.setflags(write=False)
    return Reading(weights, dialect_notes(remarks))


def climb_remark(hand: str) -> Remark | None:
    """Return what to remark of ``hand+``."""
    instead = climb(hand)
    return Remark(f"{parse_hand(hand).text}+", "climb", instead) if instead else None


def dialect_notes(remarks: Iterable[Remark]) -> tuple[str, ...]:
    """Turn remarks into notes, one for each kind, that name both meanings."""
    notes = []
    by_kind: dict[str, list[Remark]] = {}
    for remark in dict.fromkeys(remarks):
        by_kind.setdefault(remark.kind, []).append(remark)
    for kind, (first, *others) in by_kind.items():
        token, instead = first.token, first.instead
        if kind == "climb":
            note = (
                f"{token} is {token[:-1]} alone here, as in eval7, PokerKit and OMPEval;"
                f" PioSOLVER and rs-poker read it as {instead}: write {token[:-1]} or {instead}"
            )
        else:
            note = (
                f"{token!r} is one hand with suit variables here; as two hands it would be"
                f" {instead}: write {''.join(token.split())} or {instead}"
            )
        if others:
            more = ", ".join(f"{other.token} ({other.instead})" for other in others[:3])
            note += f"; likewise {more}" + (", …" if len(others) > 3 else "")
        notes.append(note)
    return tuple(notes)
