"""The CSV of an equity result."""

import csv
import io

import pytest

import holdem
from holdem.odds.equity import equity
from holdem.report.equity_report import equity_report
from holdem.report.formats import render


def _cell(value):
    """Return the CSV cell for a value of the JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " ".join(value)
    return repr(value) if isinstance(value, float) else str(value)


@pytest.mark.parametrize(
    "result",
    [
        holdem.equity("AsKs", "QQ+:0.5", "72o", board="Td9d2c", dead="2h 3s"),
        holdem.equity("AcAs", "KdKh", method="monte-carlo", deals=1000, seed=7),
        equity("22+", "A2s+", "random", board="Td9d2c", method="exact", time=1e-9),
    ],
    ids=["exact", "sampled", "cut short"],
)
def test_csv_has_all_of_the_json(result):
    """The CSV has every value of the JSON but the schema."""
    answer = result.to_dict()
    lines = list(csv.DictReader(io.StringIO(render(equity_report(result), "csv"))))
    assert len(lines) == len(answer["players"])
    label = answer.pop("evaluator")
    expected = {"evaluator": label["name"], "evaluator_version": label["version"], "progress": ""}
    players = answer.pop("players")
    expected |= {name: _cell(value) for name, value in answer.items() if name != "schema"}
    for number, (line, player) in enumerate(zip(lines, players, strict=True), 1):
        own = {"player": str(number)}
        for name, value in player.items():
            if name.endswith("ci95"):
                own |= dict(
                    zip(
                        (f"{name}_low", f"{name}_high"),
                        map(_cell, value or [None] * 2),
                        strict=True,
                    )
                )
            else:
                own[name] = _cell(value)
        assert expected | own == line


def test_rows_without_an_equity_come_last():
    """A class that a sampled run never dealt is below all others, also one that always wins."""
    found = holdem.equity(
        "AA:0.0001,KK", "QQ", board="Ks7d2c", method="monte-carlo", deals=200, seed=1
    )
    lines = str(found.players[0].by_class).splitlines()[1:]
    assert ["KK", "AA"] == [line.split()[0] for line in lines]
