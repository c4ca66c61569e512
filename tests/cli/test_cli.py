"""The command line: results, errors, exit codes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdem.cli import run

DATA = Path(__file__).parents[1] / "data"


def _holdem(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "holdem", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        **options,
    )


def _json(capsys, *arguments):
    assert run([*arguments, "-f", "json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def test_equity_json(capsys):
    """`holdem equity -f json` prints the documented object."""
    answer = _json(capsys, "equity", "AcAs", "KdKh")
    assert answer["schema"] == "holdem/equity/1"
    assert (answer["method"], answer["exact"], answer["deals"], answer["stop"]) == (
        "exact",
        True,
        1712304,
        "exhausted",
    )
    assert (answer["board"], answer["dead"], answer["seed"]) == ([], [], None)
    assert answer["evaluator"]["name"] == "lookup"
    player = answer["players"][0]
    assert (player["range"], player["combos"]) == ("AcAs", 1)
    assert (player["wins"], player["ties"], player["losses"]) == (1388072, 6538, 317694)
    assert (player["stderr"], player["ci95"]) == (0.0, [player["equity"], player["equity"]])
    assert set(player) == {
        *(
            "range",
            "combos",
            "win",
            "tie",
            "lose",
            "equity",
            "stderr",
            "ci95",
            "wins",
            "ties",
            "losses",
        ),
        *("win_stderr", "win_ci95", "tie_stderr", "tie_ci95"),
    }


def test_players_with_random_hands(capsys):
    """Players beyond those given hold any hand, in `equity` as in `deal`."""
    sampled = ("--method", "monte-carlo", "--seed", "7", "--deals", "10000", "--names", "a,b,c,d")
    asked = _json(capsys, "equity", "AsKs", "QQ", "--players", "4", *sampled)
    spelt = _json(capsys, "equity", "AsKs", "QQ", "random", "random", *sampled)
    assert [player["range"] for player in asked["players"]] == ["AsKs", "QQ", "random", "random"]
    for answer in (asked, spelt):
        del answer["elapsed"]
    assert asked == spelt
    assert len(_json(capsys, "equity", "-p", "7", "--deals", "100")["players"]) == 7
    assert len(_json(capsys, "equity", "AA", "KK", "-p", "2", "-b", "Td9d2c")["players"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-p", "1"), "players must be an integer from 2 to 10, not 1"),
        (("AA", "-p", "11"), "players must be an integer from 2 to 10, not 11"),
        (("AA", "KK", "QQ", "-p", "2"), "must be an integer from 3 to 10 (3 are given), not 2"),
        (("AA",) * 11 + ("-p", "10"), "expected 2 to 10 players, not 11"),
        (
            ("AA", "-p", "9", "--evaluator", "short-deck", "-d", "AcKcQcJcTc9c8c7c6cAdKdQdJdTd9d"),
            "9 players and the board need 23 more cards, and only 21 are left",
        ),
        (("AA", "-p", "9", "--names", "a,b"), "2 names (a, b) for 9 players; give one for each"),
    ],
)
def test_bad_numbers_of_players(arguments, message, capsys):
    assert run(["equity", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


def test_monte_carlo_json(capsys):
    """A sampled result has its seed and its standard errors."""
    answer = _json(capsys, "equity", "AcAs", "KdKh", "--method", "monte-carlo", "--seed", "7")
    assert (answer["method"], answer["exact"], answer["stop"], answer["seed"]) == (
        "monte-carlo",
        False,
        "stderr",
        7,
    )
    player = answer["players"][0]
    assert abs(player["equity"] - 0.812555) < 4 * player["stderr"]
    assert player["stderr"] <= 0.0005
    assert player["wins"] + player["ties"] + player["losses"] == answer["deals"]


def test_equity_formats(capsys):
    """Table, CSV and Markdown show the players and their equity."""
    for form, expected in (
        ("table", "15.2441 %"),
        ("markdown", "| 15.2441 %"),
        ("csv", "0.15244107744107743"),
    ):
        assert run(["equity", "AsKs", "QQ+", "--board", "Td9d2c", "-f", form]) == 0
        out = capsys.readouterr().out
        assert "AsKs" in out
        assert "QQ+" in out
        assert expected in out


def test_explain_plan(capsys):
    """--explain-plan prints the choice of method."""
    assert run(["equity", *["random"] * 7, "--explain-plan"]) == 0
    assert "chosen: monte-carlo" in capsys.readouterr().out


def test_explain_plan_in_json(capsys):
    """The plan in JSON: the choice, the cost of each exact method, bounds without effect."""
    answer = _json(capsys, "equity", "AA", "KK", "-b", "Td9d2c", "-n", "5", "--explain-plan")
    assert (answer["schema"], answer["method"]) == ("holdem/plan/1", "exact")
    # 36 match-ups, 45 * 44 / 2 runouts
    assert (answer["deals"], answer["without_effect"]) == (35_640, ["deals"])
    costs = [way["evaluations"] for way in answer["considered"]]
    assert costs == sorted(costs)
    assert answer["considered"][0]["way"] == answer["way"]
    assert set(answer) == {
        *("schema", "method", "way", "reason", "deals", "budget", "considered"),
        *("evaluations_a_deal", "without_effect"),
    }


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("form", ["table", "csv"])
def test_bounds_without_effect_are_named(form, capsys):
    """Bounds that have no effect on an exact result are named, in a note and in the plan."""
    message = "--deals and --time have no effect on an exact answer; --method monte-carlo samples\n"
    asked = ["equity", "AsKs", "QdQh", "--deals", "1000", "--time", "5"]
    assert run([*asked, "-f", form]) == 0
    out, err = capsys.readouterr()
    assert "QdQh" in out
    assert err == f"holdem: {message}"
    assert run([*asked, "--explain-plan"]) == 0
    assert capsys.readouterr().out.endswith(message)
    assert run([*asked[:3], "--time", "5", "--method", "exact"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("--deals", "0"),
        ("--seed", "-1"),
        ("-j", "0"),
        ("-f", "csv"),
        ("--method", "exact", "--stderr", "0.1"),
    ],
)
def test_explain_plan_checks_as_well(arguments, capsys):
    """--explain-plan validates all options."""
    assert run(["equity", "AsKs", "QQ", "--explain-plan", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err


def test_evaluate_json(capsys):
    """`holdem evaluate -f json` prints the documented object."""
    answer = _json(capsys, "evaluate", "As Ks Qs Js Ts 2c 3d")
    assert answer["schema"] == "holdem/evaluation/1"
    assert answer["cards"] == ["As", "Ks", "Qs", "Js", "Ts", "2c", "3d"]
    assert answer["best"] == ["As", "Ks", "Qs", "Js", "Ts"]
    assert (answer["category"], answer["name"], answer["rank_class"]) == (
        "straight flush",
        "Royal Flush",
        1,
    )
    assert isinstance(answer["strength"], int)
    assert answer["evaluator"]["name"] == "lookup"


def test_evaluators_json(capsys):
    """Every installed evaluator is listed as active, with its source."""
    records = {record["name"]: record for record in _json(capsys, "evaluators")}
    for name in ("lookup", "reference", "bitwise", "suit-mask", "cactus-kev", "dead-horse"):
        assert records[name]["status"] == "active"
        assert records[name]["source"]
        assert set(records[name]) == {
            *("name", "summary", "source", "hand_sizes", "rules", "distribution", "version"),
            *("status", "reason", "tables", "kinds", "seconds"),
        }
        assert records[name]["tables"] is True
    assert records["lookup"]["kinds"] is None
    assert [7462, 82784] == [records[name]["kinds"] for name in ("cactus-kev", "suit-mask")]
    assert records["reference"]["seconds"] > 0


def test_head_to_head_table(capsys):
    """The table shows outcomes by hand and by opposing hand, and the verdict."""
    assert run(["head-to-head", "AsKs", "QdQh", "-n", "5000", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert "by own hand" in out
    assert "player 1's hand (rows) against player 2's hand" in out
    assert "player 2 is ahead" in out


def test_compare(capsys, monkeypatch):
    """`holdem compare` reads a file, or standard input if the name is a dash."""
    assert run(["compare", str(DATA / "comparison_hands.txt"), "-f", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["first"] + answer["second"] + answer["tie"] == 1000
    done = _holdem("compare", "-", "-f", "json", input="7c5d4h3s2c | KdQsJcTh9s\n")
    assert json.loads(done.stdout) == {
        "schema": "holdem/comparison/1",
        "first": 0,
        "second": 1,
        "tie": 0,
    }


BAD = [
    ("equity", "AsKb", "QQ"),
    ("equity", "AsKs"),
    ("equity",),
    ("equity", "AsKs", "QQ", "--board", "Td9d2c3c4c5c"),
    ("equity", "AsKs", "QQ", "--board", "TdTd9d"),
    ("equity", "AsKs", "QQ", "--board", "AsTd9d"),
    ("equity", "AA", "AA", "AA"),
    ("equity", "AsKs", "QQ", "--dead", "Zz"),
    ("equity", "AsKs", "QQ", "--evaluator", "kev"),
    ("equity", "AsKs", "QQ", "--deals", "0"),
    ("equity", "AsKs", "QQ", "--deals", "many"),
    ("equity", "AsKs", "QQ", "--deals", "1" + "0" * 400),
    ("equity", "AsKs", "QQ", "--deals", "1" + "0" * 5000),  # longer than Python parses
    ("equity", "AsKs", "QQ", "--stderr", "1e400"),
    ("equity", "AsKs", "QQ", "--time", "1e400"),
    ("equity", "AsKs", "QQ", "--workers", "1" + "0" * 400),
    ("equity", "AsKs", "QQ", "--stderr", "nan"),
    ("equity", "AsKs", "QQ", "--time", "-1"),
    ("equity", "AsKs", "QQ", "--seed", "-1"),
    ("equity", "AsKs", "QQ", "--seed", str(2**64)),
    ("equity", "AsKs", "QQ", "--workers", "0"),
    ("equity", "AsKs", "QQ", "--method", "guess"),
    ("equity", "AsKs", "QQ", "--method", "exact", "--deals", "5"),
    ("equity", *["random"] * 9, "--method", "exact"),
    ("equity", "AsKs", "QQ", "--unknown"),
    ("equity", "", "QQ"),
    ("equity", "\x1b[31m", "QQ"),
    ("evaluate", "AsKsQsJs"),
    ("evaluate", "AsAsQsJsTs"),
    ("evaluate", "As Ks Qs Js Ts 9s 8s 7s"),
    ("head-to-head", "AsKs"),
    ("head-to-head", "AsKs", "QQ", "-n", "-5"),
    ("compare", "/no/such/file"),
    ("nonsense",),
    ("--nonsense",),
]


@pytest.mark.parametrize(
    "arguments",
    BAD,
    ids=lambda arguments: " ".join(arguments)[:50].encode("unicode_escape").decode(),
)
def test_bad_input(arguments, capsys, monkeypatch):
    """Bad input ends with code 2 and one short message on standard error, without a traceback.

    No run starts: the test fails where one would.
    """
    monkeypatch.setattr("holdem.odds.equity.Query.answer", None)
    assert run(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip()
    assert "Traceback" not in captured.err
    assert "\x1b" not in captured.err
    assert len(captured.err) < 600


@pytest.mark.parametrize(
    "command", ["equity", "evaluate", "head-to-head", "deal", "range", "compare", "evaluators"]
)
def test_help(command, capsys):
    """Every command has --help, and the option --no-plugins."""
    assert run([command, "--help"]) == 0
    assert "--no-plugins" in capsys.readouterr().out


def test_module_and_version():
    """`python -m holdem --version` prints the version."""
    done = _holdem("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("holdem 0.")


def test_no_plugins():
    """With --no-plugins, before or after the command, only built-in evaluators are listed."""
    for arguments in (("--no-plugins", "evaluators"), ("evaluators", "--no-plugins")):
        done = _holdem(*arguments, "-f", "json")
        assert [record["name"] for record in json.loads(done.stdout)] == ["lookup", "reference"]


def test_a_closed_pipe_is_no_error():
    """A closed pipe ends the command without a message."""
    done = subprocess.run(
        f"{sys.executable} -m holdem deal -n 2000 --seed 1 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


# Says when the first result has been added: before that, there is no partial result to print.
ANNOUNCED = """
import sys
from holdem.__main__ import main
from holdem.jobs import run

results = run.ordered_results

def announced(*arguments):
    in_order = results(*arguments)
    yield next(in_order)
    print("begun", file=sys.stderr, flush=True)
    yield from in_order

run.ordered_results = announced
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    "arguments",
    [
        ("KsKd", "QQ", "--method", "monte-carlo", "--deals", "10000000000"),
        ("22+,A2+,K2+,Q2+,J2+", "22+,A2+,K2+,T2+,98s", "random", "--method", "exact"),
    ],
)
def test_ctrl_c(arguments, tmp_path):
    """Ctrl-C ends with code 130 and a partial result, which has no equity if the run was exact."""
    (tmp_path / "announced.py").write_text(ANNOUNCED)
    process = subprocess.Popen(
        [sys.executable, tmp_path / "announced.py", "equity", *arguments, "-f", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    answer = json.loads(out)
    assert answer["stop"] == "interrupted"
    assert answer["exact"] is False
    if answer["method"] == "exact":
        assert all(player["equity"] is None for player in answer["players"])
        assert 0 <= answer["progress"] < 1
    else:
        assert answer["deals"] > 0


@pytest.mark.parametrize("name", ["next_card", "Next-Cards"])
def test_similar_reports(name, capsys):
    """An unknown report is an error with the most similar one; capital letters are accepted."""
    assert run(["equity", "AA", "KK", "--by", name]) == 2
    assert "did you mean next-card?" in capsys.readouterr().err
    assert run(["equity", "AsKs", "QhQd", "-b", "Td9d2c5h", "--by", "Next-Card"]) == 0
    assert "by next card" in capsys.readouterr().out


def test_extremes_of_samples(capsys):
    """The lowest and the highest card of a sample are named if they differ beyond its errors."""
    sample = ["-b", "2c3d4h", "--by", "next-card", "--method", "monte-carlo", "--seed", "1"]
    assert run(["equity", "random", "random", *sample, "-n", "2000"]) == 0
    out = capsys.readouterr().out
    assert out.count("no card differs from the others by more than sampling explains; std.") == 2
    assert run(["equity", "AA", "KK", *sample, "-n", "20000"]) == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if "lowest" in line]
    assert all("; std. error up to 0." in note for note in notes)
    assert len(notes) == 2


def test_no_outs(capsys):
    """An explanation says that nobody has outs, while cards are to come."""
    assert run(["explain", "KcKd", "AhQh", "-b", "KhKs2d3c"]) == 0
    assert "\nouts: none\n" in capsys.readouterr().out
    assert run(["explain", "KcKd", "AhQh", "-b", "KhKs2d3c4c"]) == 0
    assert "outs" not in capsys.readouterr().out
