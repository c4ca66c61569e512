"""Text of every command fits 80 columns when piped, and the width of the terminal otherwise."""

import pytest

import holdem
from holdem.cli import run
from holdem.ranges.combos import COMBO_TEXT
from plugin_distributions import offer, write_distribution

LONG = "22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+"
NAME = "an-evaluator-with-a-name-as-long-as-a-name-of-an-evaluator-can-be"[:64]
SAMPLED = ("--method", "monte-carlo", "--seed", "7", "-n")

COMMANDS = {
    "equity": [
        ["AsKs", "QQ+", "-b", "Td9d2c"],
        ["QQ+", "TT+,AK:0.5", "AhKh", "-b", "Ks7d2c", "-d", "2h"],
        ["random", "random"],
        [f"{LONG}:0.123456789", "AX:0.333333333", "-b", "Ks7d2c"],
        [*["random"] * 10, *SAMPLED, "2000"],
        [*[LONG] * 10, *SAMPLED, "2000"],
        ["AsKs", "random", LONG, *SAMPLED, "2m", "-b", "Td9d2c5h"],
        ["AcAs:0.000000001", "random:0.999999999", *SAMPLED, "1000"],
        ["AsKs", "QQ", "-b", "Td9d2c5h3s", "--evaluator", NAME],
        [
            LONG,
            "random",
            "-b",
            "Td9d2c",
            "-d",
            "AhAcKhKcQhQcJhJcThTc9h9c8h8c",
            "--explain-plan",
        ],
        [*["random"] * 10, "--deals", "1", "--time", "1", "--explain-plan"],
    ],
    "head-to-head": [
        ["AsKs", "QdQh", "-n", "2000", "--seed", "7"],
        ["random"] * 10 + ["-n", "3000", "--seed", "7"],
        [LONG, "random", "-n", "1m", "--seed", "7"],
        ["random", "random", "-n", "20000", "--seed", "7", "--evaluator", "deuces-wild"],
        ["AsKs", "QdQh", "-n", "300", "--seed", "1", "--evaluators", f"lookup,{NAME}"],
    ],
    "deal": [
        ["-p", "10", "-n", "40", "--seed", "7"],
        ["-p", "10", "-n", "10", "--seed", "7", "--evaluator", NAME],
    ],
    "evaluate": [["AsKsQsJsTs2c3d"], ["7s7h7dAsAc2c9d", "--evaluator", NAME]],
    "range": [
        ["random"],
        ["top 50%:0.123456789"],
        [",".join(f"{text}:0.{n + 100}" for n, text in enumerate(COMBO_TEXT))],
    ],
    "hits": [[LONG, "-b", "Ks7d2c"]],
    "explain": [["AsKs", "QdQh", "JcTc", "9h9s", "-b", "Td9d2c"]],
    "compare": [["pairs.txt", "--show"], ["pairs.txt", "--evaluator", NAME]],
    "equities": [[f"{players}.csv", "-f", "table", *SAMPLED, "1000"] for players in (2, 3, 10)],
    "results": [["store"]],
    "evaluators": [
        [],
        ["check", NAME, "--hands", "10"],
        ["bench", NAME, "lookup", "--seconds", "0.001"],
        ["diff", NAME, "lookup", "-n", "10"],
    ],
}
STUDY = f"""
seed = 4
deals = 16384
[[spot]]
name = "a long name of a spot with ten players, whose ranges are long as well"
players = {[LONG] * 10}
[[spot]]
players = ["AsKs", "QQ+"]
board = "Td9d2c"
[[grid]]
hero = ["{LONG}", "AKs"]
opponents = [1, 9]
"""


@pytest.fixture
def files(directory):
    """Create the files and the evaluator that the commands above name."""
    offer(directory, NAME, "")
    write_distribution(directory, "a_broken_plugin_with_a_name", "import no_such_module\n")
    for players in (2, 3, 10):
        header = ",".join(f"p{n + 1}" for n in range(players))
        row = ",".join([f'"{LONG}"'] * players)
        other = ",".join(["random"] * (players - 1))
        lines = [f"{header},board", f"{row},Ks7d2c5h3s", f"AsKs,{other},Td9d2c5h3s", f"zz,{other},"]
        (directory / f"{players}.csv").write_text("\n".join(lines))
    (directory / "study.toml").write_text(STUDY)


@pytest.mark.parametrize(
    ("command", "width"),
    [*((name, 80) for name in COMMANDS), ("equity", 60), ("head-to-head", 60), ("results", 60)],
)
def test_lines_fit(command, width, files, capsys, monkeypatch):
    """No line of a command's text is longer than the width: 80, or that of COLUMNS."""
    if width != 80:
        monkeypatch.setenv("COLUMNS", str(width))
    if command == "results":
        assert run(["run", "study.toml", "--store", "store"]) == 0
        capsys.readouterr()
    for words in COMMANDS[command]:
        run([command, *words])
        text = capsys.readouterr().out
        assert text, words
        assert max(map(len, text.splitlines())) <= width, text
        assert "\x1b" not in text.replace("\x1b[1m", "").replace("\x1b[0m", "")


def _columns(capsys, *words):
    """Return the column names of the equity tables that a command prints."""
    assert run(["equity", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line.replace("95 % i", "i").split() for line in lines if line.startswith("player")]
    assert all(head[0] == "player" for head in heads)
    return [name for head in heads for name in head if name != "player"]


@pytest.mark.parametrize("width", [80, 60])
def test_equities_and_errors_are_always_shown(width, capsys, monkeypatch):
    """A narrow table leaves out counts at most."""
    monkeypatch.setenv("COLUMNS", str(width))
    for players in (["AsKs", "QQ"], ["QQ+", LONG, "random"], [LONG] * 10):
        sampled = _columns(capsys, *players, *SAMPLED, "1000")
        assert {"range", "equity", "interval", "win", "tie"} <= set(sampled)
    exact = _columns(capsys, "QQ+", f"{LONG}:0.3", "AhKh", "-b", "Ks7d2c")
    assert {"range", "equity", "win", "tie"} <= set(exact)


def test_wide_tables_have_all_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    names = ["range", "combos", "equity", "interval", "win", "tie", "wins", "ties", "losses"]
    assert _columns(capsys, LONG, "random", "random", *SAMPLED, "1000") == names


@pytest.mark.parametrize("width", [80, 60])
def test_text_of_results_fits(width, monkeypatch):
    """The text of a result in Python has 80 columns, or COLUMNS."""
    if width != 80:
        monkeypatch.setenv("COLUMNS", str(width))
    sampled = holdem.equity(LONG, "random", "22", method="monte-carlo", deals=2000, seed=7)
    boards = ["Ks7d2c", "Td9d2c", "AhAd2c7s"]
    for result in (
        sampled,
        sampled.players[0].by_combo,
        holdem.equity_matrix(LONG, "random", board="Ks7d2c5h"),
        holdem.equity_matrix(LONG, "random", board="Ks7d2c5h", by="class"),
        holdem.aggregate(players=10, hands=20_000, seed=7),
        holdem.head_to_head(*[LONG] * 4, deals=1000, seed=7),
        holdem.equities(["QhJh"] * 3, LONG, board=boards),
        next(iter(holdem.simulate(players=10, hands=1, seed=7))),
        holdem.compare_hands(["7c5d4h3s2c | KdQsJcTh9s"]),
    ):
        assert max(map(len, str(result).splitlines())) <= width, str(result)
