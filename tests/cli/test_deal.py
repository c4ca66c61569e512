"""`holdem deal` prints the hands that `simulate` deals, for people or as lines of JSON."""

import itertools
import json
import re

import pytest
from click.testing import CliRunner

import holdem
from holdem.cli import run
from holdem.cli.deal import command
from holdem.trials.hands import simulation


def deal(*arguments):
    """Run the command and return its standard output; nothing may be on standard error."""
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
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
    """Each line is the record of a hand; without options one hand of six is dealt."""
    lines = deal(*arguments, "--seed", "7", "--format", "jsonl").splitlines()
    expected = [hand.to_dict() for hand in holdem.simulate(players, hands, seed=7)]
    assert expected == [json.loads(line) for line in lines]


def test_text():
    """A hand is a block of aligned lines that says its seed, the values and the winner."""
    assert deal("-p", "2", "-n", "2", "--seed", "7") == (
        "Hand 1 of seed 7\n"
        "  board   8s 2h Kd  Qh  5s     burnt 6s As 4c\n"
        "  seat 0  Kh 7c   Pair, Kings       Kh Kd Qh 8s 7c   wins\n"
        "  seat 1  6h 3d   High Card, King   Kd Qh 8s 6h 5s\n"
        "\n"
        "Hand 2 of seed 7\n"
        "  board   9c 7h 2d  3h  5h     burnt 7c Qh Kd\n"
        "  seat 0  9h Kh   Flush, King high   Kh 9h 7h 5h 3h   wins\n"
        "  seat 1  Jc 4h   High Card, Jack    Jc 9c 7h 5h 4h\n"
    )


def test_text_tells_split_pots():
    """Every winner of a split pot is marked with its share, and nobody else."""
    blocks = deal("-p", "6", "-n", "200", "--seed", "7").split("\n\n")
    hands = list(holdem.simulate(6, 200, seed=7))
    assert len(hands) == len(blocks)
    for hand, block in zip(hands, blocks, strict=True):
        marked = {
            int(seat): outcome
            for seat, outcome in re.findall(r"seat (\d).*   (wins|splits.*)", block)
        }
        told = "wins" if len(hand.winners) == 1 else f"splits the pot, 1/{len(hand.winners)}"
        assert dict.fromkeys(hand.winners, told) == marked
    assert any(len(hand.winners) > 1 for hand in hands)


def test_seats_are_aligned():
    """Names and best fives stand below each other, however long the names are."""
    block = deal("-p", "10", "--seed", "3").splitlines()
    seats = [line for line in block if line.startswith("  seat")]
    assert len(seats) == 10
    values = [seat.value for seat in next(holdem.simulate(10, 1, seed=3)).seats]
    assert len({value.name for value in values}) > 1
    places = {
        line.index(" ".join(map(str, v.best)), 15) for line, v in zip(seats, values, strict=True)
    }
    assert len(places) == 1


@pytest.mark.parametrize("output_format", ["text", "jsonl"])
def test_drawn_seed_is_told(output_format):
    """Without --seed one is drawn, and the output says which: it gives the same again."""
    shown = deal("-n", "3", "-f", output_format)
    (seed,) = set(re.findall(r'(?:of seed |"seed": )(\d+)', shown))
    assert shown == deal("-n", "3", "-f", output_format, "--seed", seed)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-p", "11"), "players must be an integer from 2 to 10, not 11"),
        (("-p", "1"), "players must be an integer from 2 to 10, not 1"),
        (("-n", "-1"), "hands must be an integer from 0 to 10^15, not -1"),
        (("--seed", "-1"), "seed must be an integer from 0 to 2^53-1, not -1"),
    ],
)
def test_errors_are_left_to_the_group(arguments, told):
    """A bad number is the engine's own error, and nothing has been printed by then."""
    result = CliRunner().invoke(command, arguments)
    assert isinstance(result.exception, holdem.HoldemError)
    assert told == str(result.exception)
    assert result.output == ""


@pytest.mark.parametrize(
    "arguments", [("-p", "two"), ("-n", "1.5"), ("-f", "xml"), ("--seeds", "1")]
)
def test_bad_options(arguments):
    """What is no number, no format or no option at all ends with code 2."""
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert arguments[-1] in result.stderr or arguments[0] in result.stderr


def test_through_the_group(capsys):
    """As `holdem deal` it prints the same; a bad number is one line and exit code 2."""
    from holdem.cli import run

    assert run(["deal", "--seed", "7", "-f", "jsonl"]) == 0
    out, err = capsys.readouterr()
    assert (deal("--seed", "7", "-f", "jsonl"), "") == (out, err)
    assert run(["deal", "-p", "99"]) == 2
    assert capsys.readouterr() == ("", "holdem: players must be an integer from 2 to 10, not 99\n")


def test_csv():
    """`-f csv` prints what `holdem.write_hands` writes."""
    lines = deal("-p", "3", "-n", "20", "--seed", "7", "-f", "csv").splitlines()
    assert lines[0].startswith("hand,seed,board,burns,winners,seat0_hole,seat0_category,")
    assert [line.split(",")[0] for line in lines[1:]] == [str(n) for n in range(1, 21)]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_output(ending, tmp_path):
    """`-o` writes to a file what `-f` prints, and says so on standard error."""
    path = tmp_path / f"hands.{ending}"
    arguments = ("-p", "3", "-n", "2000", "--seed", "7")
    result = CliRunner().invoke(command, [*arguments, "-o", str(path)], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"2,000 hands of seed 7 in {path}\n"
    assert path.read_text() == deal(*arguments, "-f", ending)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-f", "parquet"), "give a file, as -o hands.parquet"),
        (
            ("-o", "hands.txt"),
            "ends in one of .jsonl, .csv, .parquet, not as 'hands.txt'",
        ),
        (
            ("-f", "csv", "-o", "hands.jsonl"),
            "-f csv and the file's name differ: 'hands.jsonl'",
        ),
        (
            ("-o", "/no/place/hands.csv"),
            "holdem: /no/place/hands.csv cannot be written: No such",
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
    """What cannot be written is said in one line, with exit code 2 and no traceback."""
    assert run(["deal", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""


def test_text_interrupted(capsys, monkeypatch):
    """After Ctrl-C the hands that were shown stand, and it is said how many they are."""

    def cut(*asked):
        yield from itertools.islice(simulate(*asked), 3)
        raise KeyboardInterrupt

    simulate = simulation.simulate
    assert run(["deal", "-n", "3", "--seed", "7"]) == 0
    expected = capsys.readouterr().out
    monkeypatch.setattr(simulation, "simulate", cut)
    assert run(["deal", "-n", "9000", "--seed", "7"]) == 130
    told = "holdem: interrupted: at least 3 of 9,000 hands were written\n"
    assert (expected, told) == capsys.readouterr()


def test_interrupted(capsys, interrupted_after):
    """After Ctrl-C the lines that were printed are whole, and it is said how many they are."""
    interrupted_after(1)
    assert run(["deal", "-p", "2", "-n", "9000", "--seed", "7", "-f", "jsonl", "-j", "1"]) == 130
    captured = capsys.readouterr()
    assert captured.err == "holdem: interrupted: at least 4,096 of 9,000 hands were written\n"
    assert [json.loads(line)["hand"] for line in captured.out.splitlines()] == list(range(1, 4097))


def test_file_interrupted(capsys, interrupted_after, tmp_path):
    """After Ctrl-C the file has the hands that are told."""
    interrupted_after(1)
    path = tmp_path / "hands.jsonl"
    assert run(["deal", "-p", "2", "-n", "9000", "-j", "1", "-o", str(path)]) == 130
    assert capsys.readouterr() == ("", "holdem: interrupted: 4,096 of 9,000 hands were written\n")
    assert len(path.read_text().splitlines()) == 4096
