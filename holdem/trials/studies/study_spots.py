"""Spots of a study file: each ``[[spot]]``, and the `StudySpot` of any validated spot."""

from __future__ import annotations

from holdem.odds.card_removal import sum_unblocked
from holdem.odds.plan import Method, make_plan
from holdem.odds.sampling.sampler import require_deals
from holdem.odds.spot import Spot, canonical_text, make_spot
from holdem.rules import MAX_PLAYERS
from holdem.trials.studies.study import GridCell, StudySpot
from holdem.trials.studies.study_table import EACH_FLOP, SAMPLED_ONLY, StudyTable, check_exact


def listed_spot(table: StudyTable) -> StudySpot:
    """Return the spot of a ``[[spot]]``.

    Raises:
        StudyError: a value is invalid, or the spot has no answer.
    """
    players = table.content.get("players")
    if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        raise table.error(
            "players", f'expected a list of 2 to {MAX_PLAYERS} texts, as in ["AsKs", "QQ+"]'
        )
    name = table.content.get("name")
    if name is not None and (not isinstance(name, str) or not name.isprintable() or not name):
        raise table.error("name", "expected one printable line of text")
    board = table.content.get("board")
    if isinstance(board, str) and board == EACH_FLOP:
        raise table.error("board", "a [[spot]] has one board; use a [[grid]]")
    with table.located():
        cards = table.cards("board"), table.cards("dead")
        spot = make_spot(tuple(players), *cards, table.evaluator)
        return study_spot(table, spot, spot.texts, name)


def study_spot(
    table: StudyTable,
    spot: Spot,
    players: tuple[str, ...],
    name: str | None = None,
    cell: GridCell | None = None,
    weight: int = 1,
) -> StudySpot:
    """Return a validated spot with the method, the bounds and the seed of a table.

    Args:
        table: the table.
        spot: the spot.
        players: the ranges as given.
        name: the name; None for the players, the board and the dead cards.
        cell: the place in a grid, if the spot is in one.
        weight: the number of boards that the board stands for.

    Raises:
        HoldemError: the method cannot answer the spot, or does not take a bound.
    """
    method: Method = table.value("method") or "auto"
    check_exact(table, method)
    bounds = {key: table.value(key) for key in ("deals", "stderr", "time")}
    # Raise errors of the method now rather than hours into the run.
    if method == "exact":
        make_plan(spot, method)
        bounds |= dict.fromkeys(SAMPLED_ONLY)  # the defaults are for sampled spots
    elif method == "monte-carlo":
        require_deals(spot)
    board, dead = (tuple(str(card) for card in cards) for cards in (spot.board, spot.dead))
    if name is None:
        name = f"{players[0]} v {cell.against}" if cell else " v ".join(players)
        name += f" on {''.join(board)}" if board else ""
        name += f" without {''.join(dead)}" if dead else ""
    return StudySpot(
        name=name,
        players=players,
        board=board,
        dead=dead,
        method=method,
        **bounds,
        seed=table.value("seed"),
        evaluator=spot.evaluator.name,
        question=canonical_text(spot),
        combos=tuple(len(live) for live in spot.live),
        cell=cell,
        weight=weight,
        matchups=None if cell is None else _matchups(spot),
    )


def _matchups(spot: Spot) -> float:
    """Return the total weight of the match-ups of the first two players."""
    hero, villain, *_ = spot.all_weights
    return float(hero @ sum_unblocked(villain[None])[0])
