"""``holdem flops``: the equities of two ranges on all flops."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.completion import complete_ranges
from holdem.cli.output import print_report, shows_progress


@click.command("flops")
@click.argument("players", nargs=2, metavar="PLAYER PLAYER", shell_complete=complete_ranges)
@options.dead
@click.option(
    "--by",
    type=options.Report("texture"),
    help="Show the mean equities by texture only: suits, pairs, connected ranks, the high card.",
)
@options.workers
@options.evaluator
@options.names
@options.output_format("table", "json", "csv", "markdown")
@options.symbols
def command(
    players: tuple[str, str],
    dead: str | None,
    by: str | None,
    workers: int | None,
    evaluator: str | None,
    names: list[str] | None,
    output_format: str,
) -> None:
    """Compute the equities of two ranges on every flop, exactly.

    Flops that differ only in their suits count as one, unless a range or a dead card tells the
    suits apart: 1,755, and up to 22,100. The table shows means by texture, and the best and the
    worst flops; csv and json have all flops.

    \b
    holdem flops "22+,A2s+,KTs+" "top 20%"
    holdem flops "22+,A2s+,KTs+" "top 20%" --by texture
    holdem flops "22+,A2s+,KTs+" "top 20%" -f csv > flops.csv
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.jobs.stopwatch import Stopwatch
    from holdem.jobs.workers import count_workers
    from holdem.odds.bounds import Bounds
    from holdem.odds.flops import MAX_FLOPS, compute_flops
    from holdem.odds.next_cards import NextCards
    from holdem.odds.spot import make_spot
    from holdem.report.flops_report import flops_report

    spot = make_spot(players, None, dead, evaluator, names=names)
    wanted = NextCards(spot, "exact", Bounds(), 0, count_workers(workers))
    stopwatch = Stopwatch()
    found = compute_flops(wanted, 0, MAX_FLOPS, progress=shows_progress())
    shown = names or ["player 1", "player 2"]
    report = flops_report(found, shown, by_texture=by is not None, seconds=stopwatch.elapsed)
    print_report(report, output_format)
