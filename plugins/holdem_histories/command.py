"""``holdem history``: luck in all-ins, and equities by street, from hand histories."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from holdem.cli import options
from holdem.cli.output import print_message, print_report, shows_progress
from holdem.errors import HoldemValueError, did_you_mean, quoted

if TYPE_CHECKING:
    from holdem.betting.played_hand import PlayedHand
    from holdem_histories.reading import HandReader

_MOST_MESSAGES = 5


@click.command("history")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, allow_dash=True),
)
@click.option("--player", metavar="NAME", help="Show this player only.")
@click.option(
    "--by",
    type=options.Report("player", "all-in", "street"),
    default="player",
    show_default=True,
    help="What the rows are: luck by player, all-ins, or equities by street.",
)
@click.option(
    "--unit",
    type=click.Choice(["chips", "bb"]),
    default="chips",
    show_default=True,
    help="Unit of amounts: the currency of the log, or the big blinds of each hand.",
)
@click.option(
    "--folded",
    type=click.Choice(["unknown", "dead"]),
    default="unknown",
    show_default=True,
    help="Whether cards that were folded may still come.",
)
@click.option(
    "--input-format",
    type=click.Choice(["auto", "phh", "pokerstars"]),
    default="auto",
    show_default=True,
    help="Format of the logs.",
)
@click.option(
    "--errors",
    type=click.Choice(["skip", "raise"]),
    default="skip",
    show_default=True,
    help="Skip hands that can't be read, or stop at the first.",
)
@options.output_format("table", "json", "csv")
@options.plot
@options.symbols
def command(
    files: tuple[str, ...],
    player: str | None,
    by: str,
    unit: Any,
    folded: Any,
    input_format: str,
    errors: str,
    output_format: str,
    plot: str | None,
) -> None:
    """Show the luck of players in all-ins: what they won beyond the all-in adjusted result.

    FILE is a log, a folder with logs, an archive .zip or .gz, or - for standard input. PHH, PHHS
    and cash games of PokerStars are read. Hands that can't be read are skipped; the first of them
    and their number are shown on standard error.

    The all-in adjusted result divides the pots by equity when no more betting is possible. Luck is
    shown with its exact standard deviation (sd), and z is their ratio: with many all-ins, it
    is between -2 and 2 in 95 % of all cases; with a few, it says little.

    \b
    holdem history logs/ --unit bb --plot luck.png
    holdem history session.txt --by all-in --player Ann
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem_histories.luck import all_in_report, settle_hands
    from holdem_histories.reading import HandReader
    from holdem_histories.reports import all_ins_report, luck_report, streets_report
    from holdem_histories.sources import LogFile, list_files

    if plot is not None and by != "player":
        raise click.UsageError("--plot draws luck by player; leave out --by")
    standard_input = LogFile(None, lambda: nullcontext(sys.stdin.buffer))  # is not closed
    sources = [iter([standard_input]) if file == "-" else list_files(file) for file in files]
    reader = HandReader(chain.from_iterable(sources), input_format, errors == "raise")
    names: set[str] = set()
    hands = _show_progress(reader, names)
    if by == "all-in":
        settled = settle_hands(hands, folded=folded, unit=unit)
        print_report(all_ins_report(settled, player, reader.skipped), output_format)
    elif by == "street":
        print_report(streets_report(hands, player, reader.skipped), output_format)
    else:
        report = all_in_report(hands, folded=folded, unit=unit)
        if not report.players:
            _print_skipped(reader)
            raise HoldemValueError("no hand was read")
        shown = report.only(player) if player is not None else report
        print_report(luck_report(shown, reader.skipped), output_format)
        if plot is not None:
            report.save_plot(plot, player=player)
    _print_skipped(reader)
    if player is not None and player not in names:
        raise HoldemValueError(f"no player {quoted(player)}{did_you_mean(player, names)}")


def _show_progress(reader: HandReader, names: set[str]) -> Iterator[PlayedHand]:
    """Yield the hands that `reader` reads, show a progress bar, and add players to `names`."""
    from holdem.jobs.run import progress_bar

    with progress_bar(shows_progress(), "hands") as bar:
        for hand in reader:
            bar.update(1)
            names.update(hand.names)
            yield hand


def _print_skipped(reader: HandReader) -> None:
    """Print why the first few hands were skipped, and how many hands were read and skipped."""
    for row in reader.skipped[:_MOST_MESSAGES]:
        print_message(str(row))
    if reader.kinds:
        print_message(reader.summary())
