"""Reports by currency, tournament, session, month, stake and position; rake and showdowns."""

import csv
import io
import json
from pathlib import Path

import pytest

import holdem
from holdem.cli import run
from holdem_histories import all_in_report, read_hands
from holdem_histories.luck import position_name

HAND = """PokerStars Hand #{number}: {game} ({sign}1/{sign}2{code}) - {time} ET
Table 'Lyra' 6-max Seat #1 is the button
Seat 1: Ann ({sign}100 in chips)
Seat 2: Bob ({sign}100 in chips)
Seat 3: Cy ({sign}100 in chips)
Bob: posts small blind {sign}1
Cy: posts big blind {sign}2
*** HOLE CARDS ***
Dealt to Ann [Ks Kd]
Ann: raises {sign}4 to {sign}6
Bob: folds
Cy: {end}
"""
FOLDED = """folds
Uncalled bet ({sign}4) returned to Ann
Ann collected {sign}5 from pot
*** SUMMARY ***
Total pot {sign}5 | Rake 0"""
CALLED = """raises {sign}94 to {sign}100 and is all-in
Ann: calls {sign}94 and is all-in
*** FLOP *** [2c 7d 9h]
*** TURN *** [2c 7d 9h] [3s]
*** RIVER *** [2c 7d 9h 3s] [4c]
*** SHOW DOWN ***
{shows}: shows [Qs Qd] (a pair of Queens)
Ann: shows [Ks Kd] (a pair of Kings)
Ann collected {sign}196 from pot
*** SUMMARY ***
Total pot {sign}201 | Rake {sign}5"""
_NUMBERS = iter(range(1, 10**6))


def log(end=FOLDED, sign="$", code=" USD", time="2024/01/31 20:00:00", game="Hold'em No Limit"):
    """Make up a hand that Ann wins."""
    end = end.format(sign=sign, shows="Cy")
    number = next(_NUMBERS)
    return HAND.format(number=number, end=end, sign=sign, code=code, time=time, game=game)


def report(*logs, **options):
    return all_in_report(read_hands("\n\n".join(logs), errors="raise"), **options)


def rows(found, name="Ann"):
    return {(own.unit, own.group): own.net for own in found.players if own.name == name}


def test_currencies():
    """Dollars, euros and play chips have rows of their own; big blinds join them."""
    logs = [log(), log(sign="€", code=" EUR"), log(sign="", code=""), log(sign="€", code=" EUR")]
    found = report(*logs)
    assert rows(found) == {("USD", ""): 3, ("EUR", ""): 6, ("chips", ""): 3}
    assert rows(report(*logs, unit="bb")) == {("bb", ""): 6}
    with pytest.raises(holdem.HoldemValueError, match="Ann' has several rows, in EUR and USD"):
        found.player("Ann")
    assert found.player("Ann", unit="USD").net == 3
    assert found.line("Ann", unit="EUR").net.tolist() == [0, 3, 6]
    text = str(found)
    assert "Ann     €" in text
    assert "in €" in str(report(logs[1]))
    assert len(found.plot(player="Ann")) == 3
    assert [ax.get_ylabel() for ax in found.plot(player="Ann")] == ["€", r"\$", "chips"]


def test_tournaments():
    """Chips of two tournaments are never added; without a unit they are big blinds."""
    logs = [
        log(sign="", code="", game=f"Tournament #{number}, Hold'em No Limit - Level I")
        for number in (1, 2, 2)
    ]
    assert rows(report(*logs)) == {("bb", ""): 4.5}
    assert rows(report(*logs, unit="chips")) == {
        ("chips of tournament 2", ""): 6,
        ("chips of tournament 1", ""): 3,
    }
    assert rows(report(*logs, log())) == {("bb", ""): 4.5, ("USD", ""): 3}


def test_groups():
    """Sessions of logs in any order end after an hour; months and stakes; the owner by default."""
    times = ("2024/01/31 23:50:00", "2024/02/01 00:40:00", "2024/02/01 01:50:00")
    logs = [log(time=time) for time in reversed(times)]
    assert rows(report(*logs, by="session")) == {
        ("USD", "2024-01-31 23:50"): 6,
        ("USD", "2024-02-01 01:50"): 3,
    }
    assert rows(report(*logs, by="month")) == {("USD", "2024-01"): 3, ("USD", "2024-02"): 6}
    assert rows(report(*logs, by="stake")) == {("USD", "$1/$2"): 9}
    assert rows(report(*logs, by="position")) == {("USD", "BTN"): 9}
    found = report(*logs, by="position", player="Cy")
    assert {own.name for own in found.players} == {"Cy"}
    assert rows(found, "Cy") == {("USD", "BB"): -6}
    with pytest.raises(holdem.HoldemValueError, match="no player 'Dee'"):
        report(*logs, by="month", player="Dee")
    with pytest.raises(holdem.HoldemValueError, match="give the name of a player"):
        report(log().replace("Dealt to Ann [Ks Kd]\n", ""), by="month")
    with pytest.raises(holdem.HoldemValueError, match="by must be"):
        report(log(), by="table")


def test_positions():
    """Names of positions with two to ten players."""
    assert [position_name(seat, 2) for seat in range(2)] == ["BB", "BTN"]
    names = {seats: [position_name(seat, seats) for seat in range(seats)] for seats in range(3, 11)}
    assert names[3] == ["SB", "BB", "BTN"]
    assert names[4] == ["SB", "BB", "CO", "BTN"]
    assert names[6] == ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
    assert names[9] == ["SB", "BB", "UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN"]
    assert all(len(set(found)) == seats for seats, found in names.items())


def test_showdown_and_rake():
    """What is won at showdown, without it, the rake of the winner, and big blinds per 100."""
    ann = report(log(), log(CALLED)).player("Ann")
    assert (ann.net, ann.at_showdown, ann.without_showdown, ann.rake) == (99, 96, 3, 5)
    assert ann.bb_per_100 == 100 * 99 / 2 / 2
    assert ann.adjusted_bb_per_100 == pytest.approx(100 * ann.adjusted / 2 / 2)
    assert report(log(CALLED)).player("Cy").rake == 0
    hidden = log(CALLED).replace("Cy: shows [Qs Qd] (a pair of Queens)", "Cy: mucks hand")
    left = report(hidden)
    assert (left.player("Ann").left_out, left.player("Ann").left_out_pots) == (1, 196)
    title = left.plot(player="Ann").get_legend().get_title().get_text()
    assert title.splitlines() == [
        "Ann: 1 hand, 0 all-ins",
        "1 left out, with 196.00 in the pots",
        "actual +96.00 (+4,800.0 bb/100)",
        "adjusted +96.00 (+4,800.0 bb/100)",
        "luck +0.00 ± 0.00",
    ]


def test_pot_of_streets():
    """Each street says what was in when it began."""
    (hand,) = read_hands(log(CALLED))
    assert [street.pot for street in hand.streets] == [3, 201, 201, 201]


def test_dates():
    """A line has the time of each hand, and the axis their dates if they are in order."""
    logs = [log(time=f"2024/01/{day} 20:00:00") for day in (29, 30, 31)]
    found = report(*logs)
    assert str(found.line("Ann").time[1]) == "2024-01-29T20:00:00"
    axes = found.plot()
    assert "2024-01-31" in axes.xaxis.get_major_formatter()(3, 0)
    assert axes.yaxis.get_major_formatter()(0.05, 0) == "0.05"
    backwards = report(*reversed(logs)).plot()
    assert "2024" not in backwards.xaxis.get_major_formatter()(3, 0)


def test_command(capsys, tmp_path):
    """Rows by month; the ten largest all-ins in big blinds, whatever the currency; copies."""
    path = tmp_path / "log.txt"
    euros = log(CALLED, sign="€", code=" EUR")
    path.write_text("\n\n".join([log(), log(CALLED), euros, euros]), encoding="utf-8")
    assert run(["history", str(path), "--by", "month", "-f", "csv"]) == 0
    out, err = capsys.readouterr()
    assert [
        (row["unit"], row["group"], row["hands"]) for row in csv.DictReader(io.StringIO(out))
    ] == [
        ("EUR", "2024-01", "1"),
        ("USD", "2024-01", "2"),
    ]
    assert "3 hands, 1 copy skipped" in err
    arguments = ["history", str(path), "--by", "all-in", "-f", "json"]
    assert run([*arguments, "--sort", "luck", "--top", "2", "--copies", "keep"]) == 0
    found = json.loads(capsys.readouterr().out)["all_ins"]
    assert ["bb", "bb"] == [row["unit"] for row in found]
    assert run([*arguments, "--sort", "luck", "--player", "Cy", "--copies", "keep"]) == 0
    luck = [abs(row["luck"]) for row in json.loads(capsys.readouterr().out)["all_ins"]]
    assert len(luck) == 3
    assert luck == sorted(luck, reverse=True)
    for wrong in (["--sort", "luck"], ["--by", "all-in", "--top", "2"]):
        assert run(["history", str(path), *wrong]) == 2
        assert "--sort" in capsys.readouterr().err


def test_pluribus_by_position():
    """The positions add up to the whole."""
    path = Path(__file__).parents[2] / "data" / "histories" / "pluribus.phhs"
    whole = all_in_report(read_hands(path)).player("Bill")
    parts = all_in_report(read_hands(path), by="position", player="Bill").players
    assert [own.group for own in parts] == ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
    assert sum(own.hands for own in parts) == whole.hands
    assert sum(own.luck for own in parts) == pytest.approx(whole.luck)
