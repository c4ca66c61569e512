"""Narrowing of ranges by made hands and draws, on one board or by rules from street to street.

Made hands and draws are called lines, since each is a line in the table of `hits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from holdem.cards import CardsLike
from holdem.errors import HoldemTypeError, HoldemValueError, quoted
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.hand_lines import BACKDOOR_FLUSH_DRAW, DRAWS
from holdem.odds.hits import make_groups
from holdem.odds.line_counts import LineCount
from holdem.odds.named_lines import NEEDS_A_BOARD, unite_lines
from holdem.odds.spot import make_spot
from holdem.ranges.range import Range

_STREETS = {3: "flop", 4: "turn", 5: "river"}


@attrs.frozen
class LineRule:
    """A rule that keeps or removes combos of a range by the made hands and draws that they have.

    It narrows the range on the street with `street` board cards, and again on each later street.
    Names of draws have no effect on the river, and names of backdoor draws no effect on the turn,
    where these do not exist.
    """

    keep: tuple[str, ...] = ()
    """Strings, each with one or more names of made hands and draws, as for `Hits.keep`. A combo
    stays if it has at least one of the made hands and draws in each string."""
    remove: tuple[str, ...] = ()
    """Names of made hands and draws whose combos are removed."""
    street: int = 3
    """The number of board cards from which the rule applies: 3, 4 or 5."""

    @classmethod
    def from_dict(cls, record: Any) -> LineRule:
        """Read a rule from a JSON object with the keys ``keep``, ``remove`` and ``from``.

        All are optional; ``from`` is `street`.
        """
        keys = {"keep": (), "remove": (), "from": 3}
        if not isinstance(record, dict) or not record.keys() <= keys.keys():
            raise HoldemTypeError(
                f"a rule has the keys keep, remove and from, not {quoted(record)}"
            )
        keep, remove, street = (record.get(key, default) for key, default in keys.items())
        for lines in (keep, remove):
            if not isinstance(lines, (list, tuple)) or not all(isinstance(x, str) for x in lines):
                raise HoldemTypeError(f"lines of a rule are a list of texts, not {quoted(lines)}")
        if type(street) is not int or street not in _STREETS:
            raise HoldemTypeError(
                f"from is the number of board cards, 3 to 5, not {quoted(street)}"
            )
        return cls(tuple(keep), tuple(remove), street)


def narrow_range(
    hands: Range,
    board: CardsLike | None,
    dead: CardsLike | None,
    keep: Iterable[str],
    remove: Iterable[str],
    evaluator: EvaluatorLike | None = None,
    within: Workers | None = None,
) -> Range:
    """Keep and remove combos of a range by the made hands and draws that they have on a board.

    Made hands and draws have the names of `hits`, with or without ``fine=True``. A string of `keep`
    has one or more, as for `Hits.keep`; a combo stays if it has one of each string, and none of
    `remove`.
    """
    if not board:
        raise HoldemValueError(NEEDS_A_BOARD)
    made, draws = _find_lines(hands, board, dead, evaluator, within)
    left = unite_lines(made, draws, made) - unite_lines(made, draws, remove)
    for lines in keep:
        left &= unite_lines(made, draws, [lines])
    return left


def narrow_by_rules(
    hands: Range,
    rules: Sequence[LineRule],
    board: Sequence[Any],
    dead: Sequence[Any],
    evaluator: EvaluatorLike | None = None,
    within: Workers | None = None,
) -> Range:
    """Narrow a range by rules, on each street of a board in turn.

    A rule that begins on a street that is still to come has no effect. The cards of the board are
    in the order in which they were dealt.
    """
    for size, street in _STREETS.items():
        due = [rule for rule in rules if rule.street <= size <= len(board)]
        if not due:
            continue
        later = [*dead, *board[size:]]
        made, draws = _find_lines(hands, board[:size], later, evaluator, within)
        everything = left = unite_lines(made, draws, made)
        for rule in due:
            for lines in (_possible(each, size) for each in rule.keep):
                left &= unite_lines(made, draws, [lines]) if lines else everything
            left -= unite_lines(
                made, draws, filter(None, (_possible(x, size) for x in rule.remove))
            )
        if not left:
            raise HoldemValueError(f"the rules leave no combo of the range on the {street}")
        hands = left
    return hands


def _find_lines(
    hands: Range,
    board: CardsLike,
    dead: CardsLike | None,
    evaluator: EvaluatorLike | None,
    within: Workers | None,
) -> tuple[Mapping[str, Range], Mapping[str, Range]]:
    """Find the combos with each made hand and each draw of `hits` with ``fine=True``."""
    spot = make_spot((hands,), board, dead, evaluator, fewest=1)
    job = LineCount(spot)
    made, draws, _ = job.name(run(job, count_workers(None), within=within))
    grouped = (make_groups(spot, lines, job.boards_of_each) for lines in (made, draws))
    found = [{name: group.range for name, group in groups.items()} for groups in grouped]
    return found[0], found[1]


def _possible(lines: str, size: int) -> str:
    """Drop draws that are impossible on a board of `size` cards from comma-separated names."""
    gone = {3: set(), 4: {BACKDOOR_FLUSH_DRAW}, 5: DRAWS}[size]
    names = lines.split(",")
    return ",".join(name for name in names if " ".join(name.lower().split()) not in gone)
