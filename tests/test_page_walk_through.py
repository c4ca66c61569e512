"""The numbers of the walk-through in the guide to the page are those of the engine."""

import re

import holdem
from update_examples import ROOT

FLOP, HERO, POT, BET = "Qh8s3h", "9c8c", 60, 30


def _walk_through():
    text = (ROOT / "docs" / "guide" / "page.md").read_text(encoding="utf-8")
    section = text.partition("## A decision, step by step")[2].partition("\n## ")[0]
    return " ".join(section.partition("**5. Show it.**")[0].split())


def _numbers():
    """Compute the numbers of each step, as the page prints them."""
    button = holdem.hits("top 40%", FLOP, dead=HERO)
    made = {name: group.share for name, group in button.made.items()}
    ranges = [
        "top 40%",
        button.keep("top pair+, flush draw"),
        button.keep("top pair+, flush draw, gutshot"),
    ]
    results = [holdem.equity(HERO, one, board=FLOP) for one in ranges]
    equities = [result.players[0].equity for result in results]
    turn = {row.card: row.equity[0] for row in results[2].by_next_card}
    assert ("Th", "8d") == (min(turn, key=turn.get), max(turn, key=turn.get))
    better = sum(made[name] for name in ("set", "two pair", "overpair"))
    unpaired = made["ace high"] + made["no made hand"]
    return {
        *(f"{equity:.2%}" for equity in equities),
        *(f"{share:.1%}" for share in (made["top pair"], better, unpaired)),
        *(f"{share:.1%}" for share in (turn["8d"], turn["Th"], BET / (POT + 2 * BET))),
        *(f"{abs(equity * (POT + 2 * BET) - BET):.2f} chips" for equity in equities),
        f"{button.combos:.0f} combos",
        f"{len(ranges[1])} combos",
        f"{len(ranges[2]) - len(ranges[1])} combos",
    }


def test_every_number_is_that_of_the_engine():
    """Percentages with a decimal place, chips and combos of the text are computed again."""
    found = re.findall(r"\d+\.\d+ ?%|\d+\.\d+ chips|\d+ combos", _walk_through())
    assert _numbers() == {text.replace(" %", "%") for text in found}


def test_the_pictures_are_of_this_question():
    """The script of the pictures asks what the text says, and each picture is there."""
    script = (ROOT / "scripts" / "make" / "screenshot_page.py").read_text(encoding="utf-8")
    assert f"&b={FLOP}&pot={POT}&bet={BET}" in script
    for name in re.findall(r"\(\.\./_static/(pictures/page-call-\d\.png)\)", _walk_through()):
        assert (ROOT / "docs" / "_static" / name).exists(), name
