"""The functions, the command line and the page give the same numbers."""

import csv
import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import numpy as np

import holdem
from holdem.cards import cards_text
from holdem.cli import run
from holdem_page.answers import answer
from properties import holds_for, spots


def printed(*arguments):
    """Run a command and return what it printed."""
    out, errors = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        code = run([str(argument) for argument in arguments])
    assert code == 0, errors.getvalue()
    return out.getvalue()


def as_options(cards):
    found = {name: cards_text(own) for name, own in cards.items()}
    return [text for name, cards in found.items() if cards for text in (f"--{name}", cards)]


def asked(ranges, cards, **options):
    """Return the answer to a request of the page."""
    known = {name: cards_text(own) for name, own in cards.items()}
    content_type, content = answer("equity", {"players": [*map(str, ranges)], **known, **options})
    assert content_type == "application/json"
    return json.loads(content)


@holds_for(8, 300, spot=spots())
def test_exact(spot):
    """`equity`, `equities`, the command line and the page, to the last bit."""
    ranges, cards = spot
    result = holdem.equity(*ranges, **cards, method="exact")
    table = holdem.equities(
        *ranges, board=cards_text(cards["board"]), dead=cards_text(cards["dead"]), method="exact"
    )
    assert table.equity[0].tolist() == result.equities.tolist()
    assert (table.deals[0], table.exact[0]) == (result.deals, True)
    options = [*map(str, ranges), *as_options(cards), "--method", "exact"]
    record = json.loads(printed("equity", *options, "-f", "json"))
    expected = json.loads(json.dumps(result.to_dict()))
    on_page = asked(ranges, cards, method="exact")
    for one in (record, on_page, expected):
        del one["elapsed"]
    assert record == on_page == expected
    rows = list(csv.DictReader(printed("equity", *options, "-f", "csv").splitlines()))
    assert [float(row["equity"]) for row in rows] == result.equities.tolist()


@holds_for(4, 100, spot=spots())
def test_sampled(spot):
    """The same seed gives the same deals in Python, on the command line and on the page."""
    ranges, cards = spot
    bounds = {"method": "monte-carlo", "deals": 2000, "seed": 5}
    result = holdem.equity(*ranges, **cards, **bounds)
    options = [text for name, value in bounds.items() for text in (f"--{name}", value)]
    words = [*map(str, ranges), *as_options(cards), *options, "-f", "json"]
    for record in (json.loads(printed("equity", *words)), asked(ranges, cards, **bounds)):
        assert [player["equity"] for player in record["players"]] == result.equities.tolist()


@holds_for(8, 300, spot=spots(players=(2,)))
def test_matrix(spot):
    """The matrix by combo, weighted, is the equity; its rows are the combos."""
    ranges, cards = spot
    result = holdem.equity(*ranges, **cards, method="exact")
    matrix = holdem.equity_matrix(*ranges, **cards)
    weight = matrix.weight
    equity = np.where(weight > 0, matrix.equity, 0.0)
    np.testing.assert_allclose(
        (equity * weight).sum() / weight.sum(), result.equities[0], rtol=1e-12, atol=1e-12
    )
    combos = {record.combo: record.equity for record in result.players[0].by_combo}
    assert set(matrix.rows) == combos.keys()
    for name, own, weights in zip(matrix.rows, equity, weight, strict=True):
        np.testing.assert_allclose(
            (own * weights).sum() / weights.sum(), combos[name], rtol=1e-12, atol=1e-12
        )
