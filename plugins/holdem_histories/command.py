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
    type=options.Report("player", "session", "month", "stake", "position", "all-in", "street"),
    default="player",
    show_default=True,
    help="What the rows are: luck by player, or of one player by session, month, stake or position;"
    " all-ins; or equities by street.",
)
@click.option(
    "--sort",
    type=click.Choice(["luck", "pot"]),
    help="With --by all-in: the largest luck, good or bad, or the largest pot first.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="With --sort: the number of rows.",
)
@click.option(
    "--unit",
    type=click.Choice(["auto", "chips", "bb"]),
    default="auto",
    show_default=True,
    help="Unit of amounts: the currency of the log, each with rows of its own, or the big blinds of"
    " each hand; auto is bb for tournaments, and with --sort.",
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
    type=click.Choice(["auto", "phh", "pokerstars", "ggpoker", "bovada"]),
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
@click.option(
    "--copies",
    type=click.Choice(["skip", "keep"]),
    default="skip",
    show_default=True,
    help="Count hands once that are found again, in a copy or an archive, or each time.",
)
@options.output_format("table", "json", "csv")
@options.plot
@options.symbols
def command(
    files: tuple[str, ...],
    player: str | None,
    by: Any,
    sort: str | None,
    top: int | None,
    unit: Any,
    folded: Any,
    input_format: str,
    errors: str,
    copies: str,
    output_format: str,
    plot: str | None,
) -> None:
    """Show the luck of players in all-ins: what they won beyond the all-in adjusted result.

    FILE is a log, a folder with logs, an archive .zip or .gz, or - for standard input. PHH, PHHS,
    PokerStars, GGPoker, Ignition and Bovada are read, cash games and tournaments. Hands that can't
    be read are skipped; the first of them and their number are shown on standard error.

    The all-in adjusted result divides the pots by equity when no more betting is possible. Luck is
    shown with its exact standard deviation (sd), and z is their ratio: with many all-ins, it
    is between -2 and 2 in 95 % of all cases; with a few, it says little.

    \b
    holdem history logs/ --unit bb --plot luck.png
    holdem history logs/ --by month --player Ann
    holdem history session.txt --by all-in --sort luck --top 10
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem_histories.luck import all_in_report, settle_hands
    from holdem_histories.reading import HandReader
    from holdem_histories.reports import all_ins_report, luck_report, streets_report
    from holdem_histories.sources import LogFile, list_files

    if (sort or top) and by != "all-in":
        raise click.UsageError("--sort and --top are for --by all-in")
    if top and not sort:
        raise click.UsageError("--top needs --sort luck or --sort pot")
    if plot is not None and by != "player":
        raise click.UsageError("--plot draws luck by player; leave out --by")
    standard_input = LogFile(None, lambda: nullcontext(sys.stdin.buffer))  # is not closed
    sources = [iter([standard_input]) if file == "-" else list_files(file) for file in files]
    if sort and unit == "auto":
        unit = "bb"  # in which luck of several currencies can be compared
    log_format = input_format if input_format in ("auto", "phh") else "sites"
    found = chain.from_iterable(sources)
    reader = HandReader(found, log_format, errors == "raise", copies == "keep")
    names: set[str] = set()
    hands = _show_progress(reader, names)
    if by == "all-in":
        settled = settle_hands(hands, folded=folded, unit=unit)
        print_report(all_ins_report(settled, player, reader.skipped, sort, top), output_format)
    elif by == "street":
        print_report(streets_report(hands, player, reader.skipped), output_format)
    else:
        report = all_in_report(hands, folded=folded, unit=unit, by=by, player=player)
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
    if reader.kinds or reader.copies:
        print_message(reader.summary())
