"""Look-up of made hands and draws by names such as "top pair+" or "set, flush draw".

`hits` and `kept_lines` keep and remove combos by these names, and `HandTable.has` finds them in
dealt hands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from holdem.arguments import is_iterable
from holdem.errors import HoldemTypeError, HoldemValueError, quoted
from holdem.odds.hand_lines import (
    BACKDOOR_FLUSH_DRAW,
    DRAWS,
    FINE_LINES,
    FLUSH_DRAW,
    GUTSHOT,
    NOTHING,
    OPEN_ENDED,
    SECOND_PAIR,
    WEAK_PAIR,
)
from holdem.odds.spot import are_hands
from holdem.ranges.range import Range
from holdem.rules import STANDARD, category_hint

NEEDS_A_BOARD = (
    "a range is narrowed by what it hits on a board of 3, 4 or 5 cards; give the board, or take"
    " hands out in the range itself, as in random!AA"
)

_STRAIGHT_DRAWS = f"{OPEN_ENDED}, {GUTSHOT}"
# What people say for a line, without hyphens.
_SAID = {
    **dict.fromkeys(("oesd", "open ended straight draw", "up and down"), OPEN_ENDED),
    **dict.fromkeys(("gut shot", "inside straight draw", "gutshot straight draw"), GUTSHOT),
    **dict.fromkeys(("straight draw", "sd", "straight draws"), _STRAIGHT_DRAWS),
    **dict.fromkeys(("fd", "four flush", "flush draws"), FLUSH_DRAW),
    **dict.fromkeys(("nfd", "nut flush draw"), FINE_LINES[FLUSH_DRAW][0]),
    **dict.fromkeys(("bdfd", "backdoor", "backdoor flush"), BACKDOOR_FLUSH_DRAW),
    "middle pair": SECOND_PAIR,
    **dict.fromkeys(("bottom pair", "third pair"), WEAK_PAIR),
    **dict.fromkeys(("underpair", "under pair"), FINE_LINES[WEAK_PAIR][0]),
    "over pair": "overpair",
    **dict.fromkeys(("air", "nothing", "nothing at all"), NOTHING),
}


def usual_name(text: str) -> str:
    """Name a line by its name in `hits`, if people call it otherwise."""
    name = " ".join(text.lower().replace("_", " ").replace("-", " ").split())
    return _SAID.get(name, text)


def unite_lines(
    made: Mapping[str, Range], draws: Mapping[str, Range], lines: Iterable[str]
) -> Range:
    """Unite the combos of the named made hands and draws in one range.

    `made` has the combos with each made hand, strongest hand first; `lines` are as for `Hits.keep`.
    """
    if not made:
        raise HoldemValueError(NEEDS_A_BOARD)
    names = select_lines(made, draws, lines)
    return reduce(or_, ((made if name in made else draws)[name] for name in names), Range(""))


def select_lines(
    made: Iterable[str],
    draws: Iterable[str],
    lines: Iterable[str],
    categories: Sequence[str] = (),
    where: str = "on this board",
) -> list[str]:
    """List the fine made hands, draws and categories for which names stand.

    `made` are all made hands, strongest first; `lines` are as for `Hits.keep`. A name of one of
    the `categories`, strongest first, is that category and not the made hand of the same name: it
    is listed as ``"=flush"``. Messages say `where` the names are unknown.
    """
    made, draws = list(made), list(draws)
    parts: dict[str, tuple[str, ...]] = {name: (name,) for name in (*made, *draws)}
    whole = {name: fine for name, fine in FINE_LINES.items() if parts.keys() >= {*fine}}
    parts = whole | parts  # each before its fine lines in the order
    order = {name: number for number, name in enumerate((*made, *draws))}
    selected: list[str] = []
    for line in lines:
        if not isinstance(line, str):
            raise HoldemTypeError(
                f"a made hand or draw must be text, not {quoted(line)}"
                + "; give names as separate arguments" * is_iterable(line)
            )
        for text in line.split(","):
            name = " ".join(text.lower().split())
            name, plus = name.removesuffix("+").rstrip(), name.endswith("+")
            if name in categories:
                place = categories.index(name)
                stronger = categories[: place + 1] if plus else [name]
                selected += [f"={category}" for category in stronger]
                continue
            if name not in parts:
                listed = sorted(parts, key=lambda name: order[parts[name][0]])
                listed = [*categories, *(name for name in listed if name not in categories)]
                advice = _advise_on_line(text.strip(), listed, is_dealt=bool(categories))
                raise HoldemValueError(
                    f"no made hand or draw {quoted(text.strip())} {where}{advice}; there are:"
                    f" {', '.join(listed)}"
                )
            if plus and parts[name][-1] not in made:
                raise HoldemValueError(
                    f"{quoted(text.strip())}: a + follows a made hand, as in top pair+; {name} is a"
                    " draw, and several names, as in flush draw, flush+, mean any of them"
                )
            selected += made[: made.index(parts[name][-1]) + 1] if plus else parts[name]
    return selected


def _advise_on_line(text: str, known: Iterable[str], *, is_dealt: bool) -> str:
    """Suggest a known made hand or draw in place of `text`, as a part of a message; "" for none."""
    name = " ".join(text.lower().split())
    stem = name.removesuffix(" or better")
    if name != stem and stem in known and stem not in DRAWS:
        return f" (did you mean {stem}+?)"
    if re.search(" (?:and|or|&) ", name):
        if is_dealt:
            return '; "top pair, flush draw" is either of two; for both, write has(…) & has(…)'
        return (
            '; "top pair, flush draw" is either of two; for both, use keep("top pair") &'
            ' keep("flush draw") in Python, and --keep twice on the command line'
        )
    said = usual_name(name)
    if said != name and {*said.split(", ")} <= {*known}:
        return f" (did you mean {said}?)"
    if are_hands([text], STANDARD):
        if is_dealt:
            return f'; who holds a hand of a range: holdem.Range("{text}").weight(table.hole) > 0'
        return f"; to take hands out of a range, write random!{text}"
    return category_hint(name, known)
