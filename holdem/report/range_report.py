"""Reports on a range (its size, grid and live combos), and the list of named ranges."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import comb
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS, Card
from holdem.ranges.combos import (
    CLASS_NAMES,
    CLASS_SIZES,
)
from holdem.ranges.range import Range
from holdem.ranges.starting_hands import Standing
from holdem.ranges.weights import combo_records
from holdem.report.cells import count, percent, range_in_report
from holdem.report.colours import SEQUENTIAL
from holdem.report.equity_report import known_cards
from holdem.report.formats import render
from holdem.report.markup import grid_html
from holdem.report.model import (
    Block,
    ColouredDrawing,
    Report,
    Style,
    Table,
)
from holdem.rules import STANDARD, RuleSet

if TYPE_CHECKING:
    from holdem.plugins.manager import Fault
    from holdem.ranges.named_ranges import RangeEntry

# Upper limits of weights, and their background colours in the 256-colour palette, from dark to
# bright green. The text on the two brightest is black.
_SHADES = ((0.25, 22), (0.5, 28), (0.75, 34), (1.0, 40), (float("inf"), 46))
_BRIGHT = 40
_CELL_WIDTH = 4


def named_ranges_report(entries: Sequence[RangeEntry], faults: Sequence[Fault]) -> Report:
    """Build a `Report` that lists named ranges and, below, disabled or broken plugins."""
    return Report(
        lambda: [entry.to_dict() for entry in entries],
        partial(_lay_out_named_ranges, entries, faults),
    )


def _lay_out_named_ranges(
    entries: Sequence[RangeEntry], faults: Sequence[Fault]
) -> Iterator[Block]:
    rows = [
        [
            f"@{entry.name}",
            entry.named.origin.distribution or str(entry.named.origin),
            entry.named.text,
            "-" if entry.range is None else count(len(entry.range)),
            "-" if entry.range is None else percent(entry.range.share),
        ]
        for entry in entries
    ]
    if rows:
        yield Table(["name", "from", "range", "combos", "share"], rows, left=3)
    else:
        yield "no plugin offers named ranges"
    problems = [f"@{entry.name}: {entry.reason}" for entry in entries if entry.reason]
    problems += [
        f"{fault.plugin} ({fault.origin}): {fault.status}: {fault.reason}" for fault in faults
    ]
    if problems:
        yield "\n".join(problems)


def range_report(
    hands: Range, *, rules: RuleSet = STANDARD, notes: Sequence[str] = (), against: int = 1
) -> Report:
    """Build a `Report` on a range: size, text, weights, grid, and starting hands by strength.

    The rule set has the deck, and with the number of random hands `against` the order of starting
    hands. `notes` on how the range was written are added to the JSON.
    """
    order = (rules, against)
    return Report(partial(_record, hands, *order, notes), partial(_lay_out, hands, *order))


def range_html(hands: Range) -> str:
    return render(range_report(hands), "html")


def grid_text(grid: NDArray[np.float64], style: Style, texts: Sequence[str] | None = None) -> str:
    """Draw the grid of starting hands as text, with a line for each rank below a header of ranks.

    A class that is fully in the range is shown by its name (``AKs``), a class that is partly in the
    range by its share (``50%``), and any other class by a dot. The grid is thus readable without
    colours; those of `style` are by share.

    `grid` has the share of each class, 0 to 1, ``(rank, rank)``, aces first, suited hands above the
    diagonal. `texts` replaces names and shares, in the order of `CLASS_NAMES`, by three characters
    at most.
    """
    ranks = RANKS[: -len(grid) - 1 : -1]
    lines = ["   " + "".join(rank.ljust(_CELL_WIDTH) for rank in ranks).rstrip()]
    for row, rank in enumerate(ranks):
        cells = []
        for place in range(len(ranks)):
            number, share = 13 * row + place, float(grid[row, place])
            text = _cell_text(CLASS_NAMES[number], share) if texts is None else texts[number]
            cells.append(_cell(text, share, style.colour))
        lines.append(f"{rank}  {''.join(cells).rstrip()}")
    return "\n".join(lines)


def _cell_text(name: str, share: float) -> str:
    if share <= 0:
        return "."
    return name if share >= 1 else _share_text(share)


def _cell(text: str, share: float, colour: bool) -> str:
    if share <= 0 or not colour:
        return text.ljust(_CELL_WIDTH)
    shade = next(shade for limit, shade in _SHADES if share < limit)
    return f"\x1b[48;5;{shade};38;5;{16 if shade >= _BRIGHT else 231}m{text.ljust(3)}\x1b[0m "


def _share_text(share: float) -> str:
    """Format a share between 0 and 1 in at most three characters: ``50%``, ``<1%``, ``>99``."""
    hundredths = round(100 * share)
    if hundredths < 1:
        return "<1%"
    return ">99" if hundredths > 99 else f"{hundredths}%"


def _lay_out(hands: Range, rules: RuleSet, against: int) -> Iterator[Block]:
    weights = np.unique(hands.weights[hands.weights > 0])
    lines = [f"combos   {len(hands):,} of {comb(len(rules.deck), 2):,}"]
    if (weights < 1).any():
        lines.append(f"weight   {hands.total:,.4f} combos")
    lines.append(f"share    {100 * _share(hands, rules):.4f} % of all hands")
    if len(weights) == 1:
        lines.append(f"weights  {weights[0]:.6g} each")
    elif len(weights):
        lines.append(f"weights  {weights[0]:.6g} to {weights[-1]:.6g}, {len(weights):,} different")
    lines.append(f"text     {range_in_report(str(hands)) or 'no hand'}")
    standing = _standing(hands, rules, against)
    if standing is not None:
        lines += [
            f"rank     {standing.hand} is {standing.rank} of {standing.classes} starting hands,"
            f" percentile {standing.percentile:.2f}, in the top {100 * standing.top:.2f} %",
            f"equity   {100 * standing.equity:.4f} % {_against(against)}",
        ]
    yield "\n".join(lines)
    side = len(rules.deck) // 4
    grid = hands.grid
    yield ColouredDrawing(partial(grid_text, grid[:side, :side]), partial(_grid_html, grid))
    if len(hands):
        yield partial(_by_strength, hands, rules, against)


def _against(number: int) -> str:
    return "against a random hand" if number == 1 else f"against {number} random hands"


def _grid_html(grid: NDArray[np.float64]) -> str:
    """Draw the grid of shares, 0 to 1, ``(13, 13)``, as HTML, with partial shares."""
    values = np.where(grid > 0, grid, np.nan).ravel().tolist()
    texts = [_share_text(value) if value < 1 else "" for value in values]
    return grid_html(values, texts, SEQUENTIAL)


def _standing(hands: Range, rules: RuleSet, against: int) -> Standing | None:
    """Find the rank of a range's class among all starting hands; None unless it has one class."""
    is_one = np.count_nonzero(hands.counts) == 1
    return hands.standing(rules=rules, against=against) if is_one else None


def _share(hands: Range, rules: RuleSet) -> float:
    """Compute a range's total weight as a fraction of the combos in the deck."""
    return hands.total / comb(len(rules.deck), 2)


def _by_strength(hands: Range, rules: RuleSet, against: int, style: Style) -> str:
    """List the classes of starting hands in a range, strongest first, as wrapped text."""
    from holdem.ranges.starting_hands import class_order

    shares = hands.grid.ravel()
    words = []
    for number in class_order(rules, against):
        name, share = CLASS_NAMES[number], float(shares[number])
        if share > 0:
            # A non-breaking space keeps the class and its share on one line.
            words.append(name if share >= 1 else f"{name}\xa0{_share_text(share)}")
    text = textwrap.fill(", ".join(words), style.width, break_on_hyphens=False)
    return f"strongest first, by equity {_against(against)}:\n" + text.replace("\xa0", " ")


def _record(hands: Range, rules: RuleSet, against: int, notes: Sequence[str]) -> dict[str, Any]:
    standing = _standing(hands, rules, against)
    rank = None
    if standing is not None:
        rank = {**attrs.asdict(standing), "percentile": standing.percentile}
    return {
        "schema": "holdem/range/1",
        "count": len(hands),
        "share": _share(hands, rules),
        "weight": hands.total,
        "text": str(hands),
        "standing": rank,
        "combos": combo_records(hands.weights),
        **({"notes": list(notes)} if notes else {}),
    }


def known_range_report(
    hands: Range,
    board: tuple[Card, ...],
    dead: tuple[Card, ...],
    rules: RuleSet,
    notes: Sequence[str],
    left: Range,
    lines: Mapping[str, Sequence[str]],
    against: int = 1,
) -> Report:
    """Build a `Report` on a range and, if there are known cards, on its live combos.

    Live combos contain no known card; `left` are those of them that remain if the range was
    narrowed. `lines` has the names of the made hands and draws whose combos were kept, under the
    key ``"keep"``, and removed, under ``"remove"``. `notes` and `against` are those of
    `range_report`.
    """
    full = range_report(hands, rules=rules, notes=notes, against=against)
    if not (board or dead):
        return full
    lines = {name: given for name, given in lines.items() if given}
    narrowed = [f"{name} {text}" for name, given in lines.items() for text in given]
    known = ", ".join([known_cards(board, dead), *narrowed])
    return Report(
        lambda: {**_live_record(full, hands, left, board, dead), **lines},
        partial(_lay_out_live, full, hands, left, known, rules),
    )


def _lay_out_live(
    full: Report, hands: Range, live: Range, known: str, rules: RuleSet
) -> Iterator[Block]:
    summary = next(iter(full.blocks()))
    assert isinstance(summary, str)
    share = _live_share(live, hands)
    lines = [f"left     {len(live):,} of {len(hands):,} combos"]
    if live.total != len(live):
        lines.append(f"weight   {live.total:,.4f} of {hands.total:,.4f} combos")
    if share is not None:
        lines.append(f"share    {100 * share:.4f} % of the range")
    lines.append(f"text     {range_in_report(str(live)) or 'no hand'}")
    yield summary
    yield "\n".join([known, *lines])
    if len(hands):
        yield partial(_counts, hands, live, len(rules.deck) // 4)


def _counts(hands: Range, live: Range, side: int, style: Style) -> str:
    """Draw a titled grid with the number of live combos of each class of starting hands.

    `hands` also has blocked combos. `side` is the number of ranks of the deck.
    """
    texts = [
        str(number) if held else "."
        for number, held in zip(live.counts.ravel(), hands.counts.ravel(), strict=True)
    ]
    shares = (live.counts.ravel() / CLASS_SIZES).reshape(13, 13)
    grid = grid_text(shares[:side, :side], style, texts)
    return f"live combos of each class:\n{grid}"


def _live_share(live: Range, hands: Range) -> float | None:
    """Compute the share of a range's weight, 0 to 1, that is live; None for an empty range."""
    return live.total / hands.total if len(hands) else None


def _live_record(
    full: Report, hands: Range, live: Range, board: Sequence[Card], dead: Sequence[Card]
) -> dict[str, Any]:
    held = np.flatnonzero(hands.counts.ravel())
    names = list(hands.frequencies())
    counts = live.counts.ravel().tolist()
    return {
        **full.json(),
        "board": [str(card) for card in board],
        "dead": [str(card) for card in dead],
        "left": {
            "count": len(live),
            "weight": live.total,
            "share": _live_share(live, hands),
            "text": str(live),
            "combos": combo_records(live.weights),
            "classes": {names[number]: counts[number] for number in held},
        },
    }
