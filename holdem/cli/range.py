"""``holdem range`` and ``holdem hits``: show a range, and what it hits on a board."""

from __future__ import annotations

from typing import Any

import click

from holdem.cli import options
from holdem.cli.completion import complete_ranges, complete_rules
from holdem.cli.output import print_report, print_result, shows_progress
from holdem.rules import STANDARD, find_rules


@click.command("range")
@click.argument("text", nargs=-1, metavar="TEXT", shell_complete=complete_ranges)
@click.option("--list", "lists", is_flag=True, help="List the named ranges, which plugins offer.")
@click.option(
    "--rules",
    metavar="NAME",
    shell_complete=complete_rules,
    default=STANDARD.name,
    show_default=True,
    help="Rule set, which determines the deck and the order of starting hands: standard,"
    " short-deck, deuces-wild, or that of another evaluator.",
)
@options.against
@options.board
@options.dead
@click.option(
    "--keep",
    multiple=True,
    metavar="LINES",
    help="Keep the combos in one of these lines of `holdem hits`, separated by commas; 'top pair+'"
    " is a top pair or better; repeated, those in a line of each.",
)
@click.option(
    "--remove", multiple=True, metavar="LINES", help="Then remove the combos in these lines."
)
@options.output_format("table", "json")
@options.plot
@options.symbols
def range_command(
    text: tuple[str, ...],
    lists: bool,
    rules: str,
    against: int,
    board: str | None,
    dead: str | None,
    keep: tuple[str, ...],
    remove: tuple[str, ...],
    output_format: str,
    plot: str | None,
) -> None:
    """Show the hands in a range: combos, weights, and the 13x13 grid.

    The grid shows the name of a class held in full and the share of one held in part. On a
    terminal it is coloured by weight, unless NO_COLOR is set. A single hand or class is shown
    with its rank among all starting hands. With a board or dead cards, the grid shows how many
    combos of each class are left, also after --keep and --remove. --list shows the named ranges
    instead, which stand in any range as @name, and where they come from.

    \b
    holdem range "22+, A5s-A2s, KTs+, AhKd:0.5"
    holdem range "top 15%"
    holdem range "top 15%" --rules short-deck
    holdem range "top 15%" --against 3
    holdem range AKs
    holdem range "22+, AK" --board Ks7d2c
    holdem range "22+, AK" --board Ks7d2c --keep "top pair+, flush draw" --remove "gutshot"
    holdem range --list
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.errors import RangeError
    from holdem.odds.spot import parse_known_cards
    from holdem.ranges.parser import read
    from holdem.ranges.range import Range
    from holdem.report.range_report import known_range_report, named_ranges_report

    if lists:
        from holdem.plugins.manager import PLUGINS
        from holdem.ranges.named_ranges import list_entries

        if text:
            raise click.UsageError("--list takes no range")
        print_report(named_ranges_report(list_entries(), PLUGINS.faults()), output_format)
        return
    if not text:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param=context.command.params[0])
    rule_set = find_rules(rules)
    hands = Range(" ".join(text), rules=rule_set, against=against)
    if not hands:
        raise RangeError("the range is empty")
    notes = read(" ".join(text), rule_set, against).warnings
    known = parse_known_cards(board, dead, rule_set)
    left = hands.without([card for cards in known for card in cards])
    if keep or remove:
        from holdem.odds.kept_lines import narrow_range

        ranked_by = None if rule_set == STANDARD else rule_set
        left = narrow_range(hands, board, dead, keep, remove, ranked_by)
    lines = {"keep": keep, "remove": remove}
    report = known_range_report(hands, *known, rule_set, notes, left, lines, against)
    print_report(report, output_format)
    if plot is not None:
        left.save_plot(plot)


@click.command("hits")
@click.argument("hands", nargs=-1, required=True, metavar="RANGE", shell_complete=complete_ranges)
@options.board
@options.dead
@click.option(
    "--fine",
    is_flag=True,
    help="Split top pairs by kicker, and weak pairs and flush draws in two; add combo draws and"
    " double gutshots.",
)
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
@options.plot
@options.symbols
def hits_command(
    hands: tuple[str, ...], output_format: str, plot: str | None, **arguments: Any
) -> None:
    """Show the made hands and draws of a RANGE on a board, and how often it makes each category.

    All numbers are exact. There is no opponent; combos with a board or dead card are left out.
    Without a board, the made hands and draws are those on the flop, averaged over all flops.

    \b
    holdem hits QQ+,AK --board Ks7d2c
    holdem hits "top 20%" --board Ks7d2c --fine
    holdem hits AsKs
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.odds.hits import hits

    result = hits(" ".join(hands), progress=shows_progress(), **arguments)
    print_result(result, output_format, plot)
