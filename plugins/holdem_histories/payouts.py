"""What each seat of a replayed hand got from the pots, by its log or by the cards, and the rake."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from holdem.betting.played_hand import Amount, Pot, plain, split_pots
from holdem.errors import HistoryError, counted
from holdem.evaluation.builtin.lookup import rank_one
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.rules import STANDARD
from holdem_histories.replay import Replay


def net_by_log(
    play: Replay, pots: tuple[Pot, ...], won: Sequence[Amount]
) -> tuple[tuple[Amount, ...], tuple[Pot, ...]]:
    """Find what each seat won or lost if it got `won`, and the pots with the rake: the rest."""
    total = sum([pot.amount for pot in pots])
    rake = total - sum(won)
    live = play.live
    if rake < 0 or min(won) < 0 or any(got for seat, got in enumerate(won) if seat not in live):
        raise HistoryError(
            f"the pots have {float(total):g}, but the players won"
            f" {', '.join(f'{float(own):g}' for own in won)}",
            kind="pot does not fit",
        )
    net = tuple([own - put for own, put in zip(won, play.put, strict=True)])
    return net, spread_rake(pots, rake)


def net_by_cards(play: Replay, pots: tuple[Pot, ...]) -> tuple[Amount, ...]:
    """Find what each seat won or lost by the hands that were shown, without rake."""
    able = [seat for seat in play.live if not play.is_mucked[seat]]
    strengths: list[int | None] = [None] * len(play.holes)
    if len(able) == 1:
        strengths[able[0]] = 1
    elif len(play.board) < 5:
        raise HistoryError(
            f"the hand stops before its end: {len(able)} players are left, and the board has"
            f" {counted(len(play.board), 'card')}",
            kind="incomplete",
        )
    else:
        for seat in able:
            hole = play.holes[seat]
            if hole is None:
                raise HistoryError(
                    f"who won is unknown: p{seat + 1} shows no cards, and there is no field"
                    " 'finishing_stacks' or 'winnings'",
                    kind="incomplete",
                )
            strengths[seat] = rank_one(tables_of(STANDARD), bytes((*play.board, *hole)))
    if any(all(strengths[seat] is None for seat in pot.seats) for pot in pots):
        raise HistoryError("who won is unknown: all who are left have mucked", kind="incomplete")
    won = split_pots(pots, strengths, len(strengths))
    return tuple([own - put for own, put in zip(won, play.put, strict=True)])


def spread_rake(pots: tuple[Pot, ...], rake: Amount) -> tuple[Pot, ...]:
    """Return the pots with `rake`, in chips, divided between them in proportion to their chips."""
    if not rake:
        return pots
    total = sum([pot.amount for pot in pots])
    return tuple(
        [Pot(pot.amount, pot.seats, plain(Fraction(rake * pot.amount) / total)) for pot in pots]
    )
