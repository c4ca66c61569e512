"""The report that ``holdem flops`` prints: equities on all flops, and their means by texture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdem.cards import cards_text
from holdem.odds.flops import FlopEquities, Texture, TextureMean, describe_texture
from holdem.report import cells
from holdem.report.model import Block, Column, Report, Table, columns_of_rows, text_columns
from holdem.results.fields import column, columns_of, json_value, to_json

_SHOWN = 10  # of the best and of the worst flops, in text
_DIGITS = 2


def flops_report(
    found: FlopEquities, names: Sequence[str], *, by_texture: bool = False, seconds: float = 0.0
) -> Report:
    """Build a `Report` on the equities on all flops, or only on the means by texture.

    `seconds` is the duration of the computation, which is shown.
    """
    textures = found.by_texture()

    def record() -> dict[str, Any]:
        whole = {} if by_texture else found.to_dict()
        return {
            "schema": "holdem/flops/1",
            **whole,
            "textures": json_value(textures),
            "elapsed": seconds,
        }

    def blocks() -> Iterator[Block]:
        columns = text_columns(TextureMean, textures)
        groups, described = columns.pop("group"), columns.pop("texture")
        equities = zip(*(_equities(row.equity) for row in textures), strict=True)
        yield Table(
            ["texture", "", *columns, *names],
            list(zip(groups, described, *columns.values(), *equities, strict=True)),
            left=2,
            title="mean equity by texture",
            note=f"exact, over {sum(found.weight.tolist()):,} flops,"
            f" {len(found.flops):,} up to suits; {seconds:.3f} s",
        )
        if not by_texture:
            order = (-found.results.equity[:, 0]).argsort(kind="stable").tolist()
            for title, rows in (("best", order[:_SHOWN]), ("worst", order[::-1][:_SHOWN])):
                yield Table(
                    ["flop", "flops", *names, "texture"],
                    [_flop_row(found, row) for row in rows],
                    title=f"{title} flops for {names[0]}",
                )

    def parts() -> Iterator[list[Column]]:
        equities = [*column("equity_1", float), *column("equity_2", float)]
        if by_texture:
            types = columns_of(TextureMean, equities)
            rows = list(map(to_json, textures))
        else:
            names = (("flop", str), ("weight", int), ("deals", float))
            shown = (column(name, of) for name, of in names)
            types = columns_of(*shown, Texture, column("exact", bool), equities)
            rows = found.to_dict()["flops"]
        yield columns_of_rows(types, [_numbered(row, row["equity"]) for row in rows])

    return Report(record, blocks, parts)


def _numbered(row: dict[str, Any], equities: Sequence[float]) -> dict[str, Any]:
    return row | {f"equity_{number}": equity for number, equity in enumerate(equities, 1)}


def _equities(equities: Sequence[float]) -> list[str]:
    return [cells.percent(equity, _DIGITS) for equity in equities]


def _flop_row(found: FlopEquities, row: int) -> list[str]:
    flop = found.flops[row].tolist()
    texture = describe_texture(flop, found.rules)
    words = [texture.suits, *([texture.ranks] if texture.ranks != "unpaired" else [])]
    words += ["connected"] * texture.connected
    equities = _equities(found.results.equity[row].tolist())
    return [cards_text(flop), str(found.weight[row]), *equities, ", ".join(words)]
