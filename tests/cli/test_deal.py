"""`holdem deal` prints the hands that `simulate` deals, as text, JSON lines or CSV."""

import itertools
import json
import re

import pytest
from click.testing import CliRunner

import holdem
from holdem.cli import run
from holdem.cli.trials import deal_command
from holdem.trials import simulation


def deal(*arguments):
    """Run the command, assert that standard error is empty, and return standard output."""
    result = CliRunner().invoke(deal_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert result.stderr == ""
    return result.stdout


@pytest.mark.parametrize(
    ("arguments", "players", "hands"),
    [
        (("--players", "3", "--hands", "20"), 3, 20),
        (("-p", "10", "-n", "4"), 10, 4),
        ((), 6, 1),
        (("-n", "0"), 6, 0),
    ],
)
def test_jsonl(arguments, players, hands):
    """Each line is the record of a hand; the default is one hand of six players."""
    lines = deal(*arguments, "--seed", "7", "--format", "jsonl").splitlines()
    expected = [hand.to_dict() for hand in holdem.simulate(players=players, hands=hands, seed=7)]
    assert expected == [json.loads(line) for line in lines]


def test_text():
    """The text of a hand is a block of aligned lines with seed, values and winner."""
    assert deal("-p", "2", "-n", "2", "--seed", "7") == (
        "Hand 1 of seed 7\n"
        "  board   6s Jc 4d  Js  8s     burnt Ah 5s 6d\n"
        "  seat 0  9c 3h   Pair, Jacks   Js Jc 9c 8s 6s\n"
        "  seat 1  Qc 2c   Pair, Jacks   Js Jc Qc 8s 6s   wins\n"
        "\n"
        "Hand 2 of seed 7\n"
        "  board   4h 6h 8c  8h  3d     burnt Ac Qd 8s\n"
        "  seat 0  9d 7s   Pair, Eights                 8h 8c 9d 7s 6h\n"
        "  seat 1  Kc 6d   Two Pair, Eights and Sixes   8h 8c 6h 6d Kc   wins\n"
    )


def test_text_marks_split_pots():
    """Exactly the winners of a split pot are marked with their shares."""
    blocks = deal("-p", "6", "-n", "200", "--seed", "7").split("\n\n")
    hands = list(holdem.simulate(players=6, hands=200, seed=7))
    assert len(hands) == len(blocks)
    for hand, block in zip(hands, blocks, strict=True):
        marked = {
            int(seat): outcome for seat, outcome in re.findall(r"seat (\d).*   (wins.*)", block)
        }
        message = "wins" if len(hand.winners) == 1 else f"wins 1/{len(hand.winners)}"
        assert dict.fromkeys(hand.winners, message) == marked
    assert any(len(hand.winners) > 1 for hand in hands)


def test_seats_are_aligned():
    """The columns of a hand are aligned, whatever the length of the names."""
    block = deal("-p", "10", "--seed", "3").splitlines()
    seats = [line for line in block if line.startswith("  seat")]
    assert len(seats) == 10
    values = [seat.value for seat in next(holdem.simulate(players=10, hands=1, seed=3)).seats]
    assert len({value.name for value in values}) > 1
    places = {
        line.index(" ".join(map(str, v.best)), 15) for line, v in zip(seats, values, strict=True)
    }
    assert len(places) == 1


@pytest.mark.parametrize("output_format", ["text", "jsonl"])
def test_drawn_seed_is_shown(output_format):
    """Without --seed a seed is drawn and shown; it reproduces the hands."""
    shown = deal("-n", "3", "-f", output_format)
    (seed,) = set(re.findall(r'(?:of seed |"seed": )(\d+)', shown))
    assert shown == deal("-n", "3", "-f", output_format, "--seed", seed)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-p", "11"), "players must be an integer from 1 to 10, not 11"),
        (("-p", "0"), "players must be an integer from 1 to 10, not 0"),
        (("AA", "KK", "-p", "1"), "players must be an integer from 2 to 10 (2 are given), not 1"),
        (("-n", "-1"), "hands must be an integer from 0 to 70,368,744,177,664, not -1"),
        (("--seed", "-1"), "seed must be an integer from 0 to 2^64-1, not -1"),
    ],
)
def test_bad_numbers(arguments, message):
    """A bad number raises a `HoldemError` before anything is printed."""
    result = CliRunner().invoke(deal_command, arguments)
    assert isinstance(result.exception, holdem.HoldemError)
    assert message == str(result.exception)
    assert result.output == ""


@pytest.mark.parametrize(
    "arguments", [("-p", "two"), ("-n", "1.5"), ("-f", "xml"), ("--seeds", "1")]
)
def test_bad_options(arguments):
    """Malformed numbers, unknown formats and unknown options end with code 2."""
    result = CliRunner().invoke(deal_command, arguments)
    assert result.exit_code == 2
    assert arguments[-1] in result.stderr or arguments[0] in result.stderr


def test_through_the_group(capsys):
    """`holdem deal` prints the same; a bad number is one line and exit code 2."""
    for output_format in ("text", "jsonl", "csv"):
        arguments = ("--seed", "7", "-f", output_format)
        assert run(["deal", *arguments]) == 0
        assert (deal(*arguments), "") == capsys.readouterr()
    assert run(["deal", "-p", "99"]) == 2
    assert capsys.readouterr() == ("", "holdem: players must be an integer from 1 to 10, not 99\n")


def test_csv():
    """`-f csv` prints what `holdem.write_hands` writes."""
    lines = deal("-p", "3", "-n", "20", "--seed", "7", "-f", "csv").splitlines()
    assert lines[0].startswith("hand,seed,board,burns,winners,seat0_hole,seat0_category,")
    assert [line.split(",")[0] for line in lines[1:]] == [str(n) for n in range(1, 21)]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_output(ending, tmp_path):
    """`-o` writes to a file what `-f` prints, with a message on standard error."""
    path = tmp_path / f"hands.{ending}"
    arguments = ("-p", "3", "-n", "2000", "--seed", "7")
    result = CliRunner().invoke(deal_command, [*arguments, "-o", str(path)], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"2,000 hands of seed 7 in {path}\n"
    assert path.read_text() == deal(*arguments, "-f", ending)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-f", "parquet"), "parquet is written to files only, as in -o hands.parquet"),
        (
            ("-o", "hands.txt"),
            "that of played hands in .phhs or .phh; 'hands.txt' does not",
        ),
        (
            ("-f", "csv", "-o", "hands.jsonl"),
            "-f csv does not fit the file name 'hands.jsonl'",
        ),
        (
            ("-o", "/no/place/hands.csv"),
            "holdem deal: /no/place/hands.csv: there is no directory",
        ),
        (
            ("-o", "/no/place/hands.csv"),
            "there is no directory /no/place: make it first, or wri",
        ),
        (
            ("-o", "no/place/hands.parquet"),
            "there is no directory no/place: make it first, or",
        ),
    ],
)
def test_bad_output(arguments, message, capsys):
    """An output that cannot be written is one message, with exit code 2."""
    assert run(["deal", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""


def test_text_interrupted(capsys, monkeypatch):
    """After Ctrl-C the number of hands shown so far is printed."""

    def cut(*seats, **asked):
        yield from itertools.islice(simulate(*seats, **asked), 3)
        raise KeyboardInterrupt

    simulate = simulation.simulate
    assert run(["deal", "-n", "3", "--seed", "7"]) == 0
    expected = capsys.readouterr().out
    monkeypatch.setattr(simulation, "simulate", cut)
    assert run(["deal", "-n", "9000", "--seed", "7"]) == 130
    message = "holdem: interrupted: at least 3 of 9,000 hands were written\n"
    assert (expected, message) == capsys.readouterr()


def test_interrupted(capsys, interrupted_after):
    """After Ctrl-C the lines are complete, and their number is printed."""
    interrupted_after(1)
    assert run(["deal", "-p", "2", "-n", "9000", "--seed", "7", "-f", "jsonl", "-j", "1"]) == 130
    captured = capsys.readouterr()
    assert captured.err == "holdem: interrupted: at least 4,096 of 9,000 hands were written\n"
    assert [json.loads(line)["hand"] for line in captured.out.splitlines()] == list(range(1, 4097))


def test_file_interrupted(capsys, interrupted_after, tmp_path):
    """After Ctrl-C the file has as many hands as the message says."""
    interrupted_after(1)
    path = tmp_path / "hands.jsonl"
    assert run(["deal", "-p", "2", "-n", "9000", "-j", "1", "-o", str(path)]) == 130
    assert capsys.readouterr() == ("", "holdem: interrupted: 4,096 of 9,000 hands were written\n")
    assert len(path.read_text().splitlines()) == 4096


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_existing_file(ending, tmp_path, capsys):
    """An existing file is overwritten with --force only, and the message says so."""
    path = tmp_path / f"hands.{ending}"
    path.write_text("kept")
    arguments = ["deal", "-n", "20", "--seed", "7", "-o", str(path)]
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert f"{path} exists already" in captured.err
    assert "--force" in captured.err
    assert len(captured.err.splitlines()) == 1
    assert path.read_text() == "kept"
    assert run([*arguments, "--force"]) == 0
    other = tmp_path / f"other.{ending}"
    assert run([*arguments[:-1], str(other)]) == 0
    assert path.read_bytes() == other.read_bytes()


def test_force_without_a_file(capsys):
    assert run(["deal", "--force"]) == 2
    assert "--force needs a file" in capsys.readouterr().err
