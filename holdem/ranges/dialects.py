"""Warnings about range tokens that other tools read differently."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from holdem.cards import RANKS
from holdem.errors import HoldemWarning
from holdem.ranges.hand_tokens import Hand


class DialectWarning(HoldemWarning):
    """Warning that a range text has a different meaning in other tools."""


class Ambiguity(NamedTuple):
    """A token of range text that other tools read differently."""

    token: str
    kind: str
    """``"connector"`` for ``T9s+``, ``"apart"`` for ``Ax Kx``."""

    other: str
    """Unambiguous text with the meaning that the token has in other tools."""


def connector_ambiguity(hand: Hand) -> Ambiguity | None:
    """Return the ambiguity of a connector with a ``+``, such as ``T9s+``; None for other hands.

    ``T9s+`` is T9s alone here, and all of ``AKs-T9s`` in other tools.
    """
    high, low = hand.ranks
    if high is None or low is None or high - low != 1 or RANKS[high] == "A":
        return None
    top = f"A{hand.text[1]}K{hand.text[3]}" if len(hand.text) == 4 else f"AK{hand.text[2:]}"
    return Ambiguity(f"{hand.text}+", "connector", f"{top}-{hand.text}")


def spaced_ambiguity(text: str) -> Ambiguity | None:
    """Return the ambiguity of ``Ax Kx``, which could mean ``AX, KX``; None for other text."""
    words = text.split()
    if len(words) == 2 and all(word[-1] in "xX" for word in words):
        classes = ", ".join(f"{word[:-1].upper()}X" for word in words)
        return Ambiguity(" ".join(words), "apart", classes)
    return None


def warning_texts(ambiguities: Iterable[Ambiguity]) -> tuple[str, ...]:
    """Return one warning message for each kind of ambiguity."""
    texts = []
    by_kind: dict[str, list[Ambiguity]] = {}
    for ambiguity in dict.fromkeys(ambiguities):
        by_kind.setdefault(ambiguity.kind, []).append(ambiguity)
    for kind, (first, *others) in by_kind.items():
        token, other = first.token, first.other
        if kind == "connector":
            text = (
                f"{token} is {token[:-1]} alone here, as in eval7, PokerKit and OMPEval;"
                f" PioSOLVER and rs-poker read it as {other}: write {token[:-1]} or {other}"
            )
        else:
            text = (
                f"{token!r} is one hand with suit variables here; as two hands it would be"
                f" {other}: write {''.join(token.split())} or {other}"
            )
        if others:
            more = ", ".join(f"{one.token} ({one.other})" for one in others[:3])
            text += f"; likewise {more}" + (", …" if len(others) > 3 else "")
        texts.append(text)
    return tuple(texts)
