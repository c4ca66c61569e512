"""``holdem evaluators``: which evaluators are installed."""

from __future__ import annotations

import click

from holdem.cli import options


@click.command("evaluators")
@options.output_format("table", "json")
def command(output_format: str) -> None:
    """List the installed evaluators, broken and disabled ones with the reason."""
    from holdem.evaluation.registry import evaluators
    from holdem.report.record import to_json
    from holdem.report.table import text_table

    records = evaluators()
    if output_format == "json":
        click.echo(to_json([record.to_dict() for record in records]))
        return
    head = ["name", "status", "cards", "from", "summary"]
    rows = [
        [
            record.name,
            record.status,
            _sizes(record.hand_sizes),
            f"{record.distribution} {record.version}".strip() or "this script",
            record.summary or record.reason,
        ]
        for record in records
    ]
    click.echo(text_table(head, rows, left=len(head)))
    click.echo()
    for record in records:
        if record.source:
            click.echo(f"{record.name}: {record.source}")
        elif record.reason:
            click.echo(f"{record.name}: {record.reason}")


def _sizes(sizes: tuple[int, ...]) -> str:
    return "-".join(str(size) for size in sizes[:: len(sizes) - 1 or 1]) if sizes else ""
