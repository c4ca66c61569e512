"""Games by rule sets of one's own on the command line: from a package, and from a script."""

import json
from pathlib import Path

import pytest

import holdem
from games import GAMES, ROYAL, THIRTY_TWO
from holdem.cli import run
from page_client import Client, serving
from plugin_distributions import registry_anew, write_distribution

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "royal.py"
PACKAGE = f'''
import holdem

RULES = holdem.RuleSet("thirty-two", {THIRTY_TWO.ranks!r}, {THIRTY_TWO.categories})


@holdem.evaluator("by-reference", rules=RULES)
def by_reference(cards):
    """A second opinion on these rules."""
    from holdem.evaluation.builtin.reference import strength

    return strength(cards, RULES)


@holdem.evaluator("no-wheel", rules=RULES)
def no_wheel(cards):
    """It takes A 7 8 9 T for a high card."""
    from holdem.evaluation.builtin.reference import strength
    from holdem.rules import STANDARD

    is_wheel = {{card // 4 for card in cards}} == {{5, 6, 7, 8, 12}}
    return strength(cards, STANDARD if is_wheel else RULES)


@holdem.hookimpl
def holdem_evaluators():
    return [RULES, by_reference, no_wheel]
'''


@pytest.fixture(scope="module", autouse=True)
def package(tmp_path_factory):
    """Install a package of 32-card hold'em."""
    directory = tmp_path_factory.mktemp("package")
    write_distribution(directory, "plugin_thirty_two", PACKAGE, version="2.5")
    with registry_anew(directory):
        yield


@pytest.fixture
def ask(capsys):
    """Return a function that runs a command and returns its JSON."""

    def ask(*words, output="json"):
        assert run([*words, "-f", output]) == 0
        return json.loads(capsys.readouterr().out)

    return ask


def test_the_package_offers_its_rules(ask):
    """Its rules are an evaluator with the version of the package, beside one of its own."""
    records = {record["name"]: record for record in ask("evaluators")}
    own = records["thirty-two"]
    assert ("thirty-two", "2.5", "plugin-thirty-two") == (
        own["rules"],
        own["version"],
        own["distribution"],
    )
    assert "thirty-two" == records["by-reference"]["rules"]
    assert THIRTY_TWO == holdem.get_evaluator("thirty-two").rules
    assert ask("evaluators", "check", "thirty-two", "--hands", "200")["passed"]


def test_questions_about_the_package(ask):
    """Equity, hits, explain, deal and ranges follow the rules of the package."""
    game = GAMES[THIRTY_TWO]
    found = ask("equity", "AsKs", "QdQh", "-b", "7d8d9s", "--evaluator", "thirty-two")
    counts = game.count([[("As", "Ks")], [("Qd", "Qh")]], ("7d", "8d", "9s"))
    assert [[p["wins"], p["ties"], p["losses"]] for p in found["players"]] == counts
    second = ask("equity", "AsKs", "QdQh", "-b", "7d8d9s", "--evaluator", "by-reference")
    assert second["players"] == found["players"]
    assert 48 == ask("range", "77+", "--rules", "thirty-two")["count"]
    assert 0 < ask("range", "top 10%", "--rules", "thirty-two")["share"] - 0.09 < 0.02
    hits = ask("hits", "AsTs,JsTs,AsKs", "-b", "7d8d9s", "--evaluator", "thirty-two")
    assert "AsTs,JsTs" == hits["made"]["straight"]["range"]  # A 7 8 9 T is the wheel
    deal = ["deal", "-p", "3", "-n", "1", "--seed", "7", "--evaluator", "thirty-two"]
    dealt = ask(*deal, output="jsonl")
    assert {card[0] for seat in dealt["seats"] for card in seat["hole"]} <= {*THIRTY_TWO.ranks}
    value = ask("evaluate", "7s8s9sTsAsKdKh", "--evaluator", "thirty-two")
    assert ("straight flush", "Straight Flush, Ten high") == (value["category"], value["name"])
    told = ask("explain", "AsKs", "QdQh", "-b", "7d8d9sTdKh", "--evaluator", "thirty-two")
    assert "Player 1 wins with Straight, Ten high" in told["sentence"]
    with serving(holdem.get_evaluator("thirty-two")) as server:
        client = Client(server)
        page = client.ask("equity", {"players": ["AsKs", "QdQh"], "board": "7d8d9s"})
        assert page.json["players"] == found["players"]
        assert b'content="AKQJT987"' in client.request("GET", f"/?token={client.token}").content
        client.close()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("equity", "66", "AA", "--evaluator", "thirty-two"),
            "not in the deck of thirty-two",
        ),
        (("equity", "AA", "KK", "--evaluator", "no-wheel"), "no-wheel"),
        (("range", "77+", "--rules", "thirty-one"), "did you mean thirty-two"),
        (
            ("deal", "-p", "7", "--evaluator", "royal"),
            "7 players need 22 cards with the board and three burns, and royal rules have 20",
        ),
    ],
)
def test_mistakes(words, told, capsys):
    """Each is one sentence, and ends with 2."""
    assert run(["-p", str(SCRIPT), *words]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_royal_from_a_script(ask):
    """A script that registers its rules is used by `-p`."""
    game = GAMES[ROYAL]
    own = ["-p", str(SCRIPT)]
    found = ask(*own, "equity", "AsKs", "QdQh", "-b", "TsTdJc", "--evaluator", "royal")
    counts = game.count([[("As", "Ks")], [("Qd", "Qh")]], ("Ts", "Td", "Jc"))
    assert [[p["wins"], p["ties"], p["losses"]] for p in found["players"]] == counts
    assert 30 == ask(*own, "range", "TT+", "--rules", "royal")["count"]


def test_tables_by_rank_have_the_ranks_of_the_deck(capsys):
    """Ranks that the deck lacks have no column."""
    words = ["AsKs", "QdQh", "-b", "7d8d9s", "--evaluator", "thirty-two"]
    assert run(["equity", *words, "--by", "next-card", "--by", "runout"]) == 0
    heads = [line.split() for line in capsys.readouterr().out.splitlines() if " K  " in line]
    heads = [head for head in heads if "A" in head and "Q" in head]
    assert [[*THIRTY_TWO.ranks[::-1]]] * 4 == [head for head in heads if head[0] == "A"]
