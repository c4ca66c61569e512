"""``holdem flops``, and the price of ``holdem equity --pot --bet``."""

import csv
import io
import json

import click
import pytest

import holdem
from amounts import AMOUNTS
from holdem.cli import run
from holdem.cli.options import Amount
from holdem.odds.pot_odds import Price

PLAYERS = ["QQ+,AKs:0.5,76s", "TT+,A5s"]
# How many of the 22,100 flops there are of each kind: counted by hand.
COUNTS = {
    "rainbow": 4 * 13**3,
    "monotone": 4 * 286,
    "trips": 13 * 4,
    "paired": 13 * 6 * 48,
    "A": 22_100 - 17_296,  # C(48, 3) flops have no ace
}


def _printed(capsys, *arguments):
    assert run([*arguments]) == 0
    return capsys.readouterr().out


def test_flops_in_every_format(capsys):
    rows = list(csv.DictReader(io.StringIO(_printed(capsys, "flops", *PLAYERS, "-f", "csv"))))
    assert sum(int(row["weight"]) for row in rows) == 22_100
    for row in rows[:: len(rows) // 5]:
        expected = holdem.equity(*PLAYERS, board=row["flop"]).equities
        shown = [float(row["equity_1"]), float(row["equity_2"])]
        assert shown == pytest.approx(expected, abs=1e-12)
    answer = json.loads(_printed(capsys, "flops", *PLAYERS, "-f", "json"))
    assert [flop["flop"] for flop in answer["flops"]] == [row["flop"] for row in rows]
    textures = {each["texture"]: each for each in answer["textures"]}
    whole = holdem.equity(*PLAYERS).equities  # before the flop
    assert textures[""]["equity"] == pytest.approx(whole, abs=1e-12)
    for name, count in COUNTS.items():
        assert textures[name]["flops"] == count
    for name, column in (("two-tone", "suits"), ("paired", "ranks"), ("7", "high")):
        own = [row for row in rows if row[column] == name]
        mass = [int(row["weight"]) * float(row["deals"]) for row in own]
        mean = sum(m * float(row["equity_1"]) for m, row in zip(mass, own, strict=True)) / sum(mass)
        assert textures[name]["equity"][0] == pytest.approx(mean, abs=1e-12)
    by = _printed(capsys, "flops", *PLAYERS, "--by", "texture", "--names", "BTN,BB")
    assert "BTN" in by.splitlines()[1]
    assert "best flops" not in by
    line = next(line for line in by.splitlines() if "monotone" in line)
    assert f"{100 * textures['monotone']['equity'][0]:.2f} %" in line
    table = _printed(capsys, "flops", *PLAYERS)
    best = max(rows, key=lambda row: float(row["equity_1"]))
    assert table.split("best flops for player 1\n")[1].splitlines()[1].startswith(best["flop"])


def test_flops_are_of_two_players(capsys):
    assert run(["flops", "AA"]) == 2
    assert run(["flops", "AA", "KK", "QQ"]) == 2
    capsys.readouterr()


@pytest.mark.parametrize(("pot", "bet"), [("60", "30"), ("1,000", "0.5k"), ("100", "250")])
def test_a_price_by_hand(capsys, pot, bet):
    arguments = ["equity", "QQ", "KK,JJ", "-b", "Ks7d2c", "--pot", pot, "--bet", bet]
    answer = json.loads(_printed(capsys, *arguments, "-f", "json"))
    price, own = answer["price"], answer["players"][0]["equity"]
    big, small = {"60": (60, 30), "1,000": (1000, 500), "100": (100, 250)}[pot]
    assert (price["pot"], price["bet"]) == (big, small)
    # A call puts in `small` for `big + 2 small`; a bluff loses `small` or wins `big`.
    assert price["needed"] * (big + 2 * small) == pytest.approx(small)
    assert price["bluff_folds"] * big == pytest.approx((1 - price["bluff_folds"]) * small)
    assert price["mdf"] == pytest.approx(1 - price["bluff_folds"])
    assert price["call_ev"] == pytest.approx(own * (big + small) - (1 - own) * small)
    assert price["check_ev"] == pytest.approx(own * big)
    folds = price["folds"]
    if folds:
        assert folds * big + (1 - folds) * price["call_ev"] == pytest.approx(0)
    else:
        assert price["call_ev"] >= 0
    assert price["verdict"] == ("call" if own > price["needed"] else "fold")
    table = _printed(capsys, *arguments)
    assert f"{100 * price['needed']:.2f} %" in table
    assert f"{price['call_ev']:+.2f}" in table
    assert f"{price['check_ev']:+.2f}" in table


def test_folds_of_a_bet_that_is_behind():
    price = Price(60, 30)
    assert price.folds(0) == price.bluff_folds == pytest.approx(1 / 3)
    assert price.folds(0.1) == pytest.approx(18 / 78)  # it loses 18 when it is called
    assert price.folds(0.25) == 0
    for pot, bet in ((-1, 1), (1, 0), (float("nan"), 1)):
        with pytest.raises(holdem.HoldemValueError, match="number"):
            Price(pot, bet)


@pytest.mark.parametrize(
    ("text", "said"),
    [("1.000", "could mean 1000 or 1"), ("x", "'x' is not an amount"), ("", "is not")],
)
def test_an_unclear_amount_is_refused(capsys, text, said):
    assert run(["equity", "QQ", "KK", "--pot", text, "--bet", "1"]) == 2
    assert said in capsys.readouterr().err
    assert run(["equity", "QQ", "KK", "--pot", "1"]) == 2
    assert "give --pot and --bet together" in capsys.readouterr().err


def test_amounts_are_those_of_the_page():
    found = {}
    for text in AMOUNTS:
        try:
            found[text] = Amount().convert(text, None, None)
        except click.BadParameter:
            found[text] = None
    assert found == AMOUNTS
