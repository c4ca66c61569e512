"""Strengths of some boards of a street, since those of all take seconds."""

from contextlib import contextmanager

import attrs
import pytest

import holdem_abstraction
from holdem_abstraction import buckets, strengths
from holdem_abstraction.streets import street_boards

_STEPS = {"flop": 250, "turn": 400}


@contextmanager
def some_rows(street):
    """Let a street have a few of its boards; yield a function that computes their strengths."""

    def some_boards(name):
        boards = street_boards(name)
        if name != street:
            return boards
        rows = slice(None, None, _STEPS[street])
        return attrs.evolve(
            boards, cards=boards.cards[rows], deals=boards.deals[rows], groups=boards.groups[rows]
        )

    with pytest.MonkeyPatch.context() as patch:
        for module in (buckets, strengths):
            patch.setattr(module, "street_boards", some_boards)
        yield lambda **options: holdem_abstraction.hand_strengths(street, **options)


def partial_strengths(street, **options):
    """Compute the strengths on some boards of a street only."""
    with some_rows(street) as compute:
        return compute(**options)
