"""The page of starting hands against random ones is what the study of it answers."""

import re
import tomllib

import pytest

import holdem
from holdem.ranges.starting_hands import starting_hands
from make_starting_hand_table import ROOT, STUDY, cells, distances, page, table

PAGE = (ROOT / "docs" / "starting-hands.md").read_text(encoding="utf-8")
CONTENT = (ROOT / STUDY).read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| [2-9AKQJT]{2}[so]? \|", line)
]


def answers(tmp_path, heroes, opponents, seed=None):
    """Answer a part of the study."""
    study = tomllib.loads(CONTENT)
    study["seed"] = seed or study["seed"]
    study["grid"] = [{"hero": heroes, "opponents": opponents}]
    return holdem.run_study(study, tmp_path / f"{study['seed']}.store")


def test_page_has_every_hand_with_its_exact_equity():
    """A row for each of the 169, strongest first; against one hand the equity is the exact one."""
    hands = starting_hands()
    expected = [
        [hand.name, str(place), f"{100 * (hand.wins + hand.ties / 2) / hand.deals:.2f}"]
        for place, hand in enumerate(hands, 1)
    ]
    assert expected == [row[:3] for row in ROWS]
    assert {11} == {len(row) for row in ROWS}


def test_page_has_what_the_study_answers(tmp_path):
    """A spot's deals depend on seed and question alone, so a part of the study has its figures."""
    found = cells(answers(tmp_path, ["TT", "72o"], [2, 3]))
    rows = {row[0]: row for row in ROWS}
    for (hand, count), cell in found.items():
        assert f"{100 * cell.equity:.1f}" == rows[hand][1 + count], (hand, count)
        assert 0 < cell.stderr <= 0.001


def test_page_shows_the_study():
    """The study file stands on the page as it is."""
    assert f"\n{CONTENT}\n" in PAGE


def test_table(tmp_path):
    """Two digits where the equity is exact, one where it is sampled."""
    found = cells(answers(tmp_path, ["AA"], [1, 2]))
    assert re.fullmatch(r"\| AA \| 1 \| 85\.20 \| 73\.\d \|", table(found).splitlines()[-1])


def test_a_wrong_exact_column_is_no_page(tmp_path):
    """A study whose equities against one hand are not those of the table makes no page."""
    study = {"method": "monte-carlo", "deals": 100, "seed": 1}
    study["grid"] = [{"hero": "each class", "opponents": 1}]
    sampled = holdem.run_study(study, tmp_path / "sampled.store")
    with pytest.raises(SystemExit, match="not those of the exact table"):
        page(sampled, sampled, "", "", 1.0)


def test_other_seeds_are_apart_by_their_errors(tmp_path):
    """Exact cells are left out; the others differ, by no more than five standard errors.

    With three differences more than that has a chance of 2e-6.
    """
    hands = ["AA", "T9s", "72o"]
    one, other = (cells(answers(tmp_path, hands, [1, 2], seed)) for seed in (1, 2))
    found = distances(one, other)
    assert 3 == len(found)
    assert all(0 < distance < 5 for distance in found)


def test_unfinished_studies_make_no_table(tmp_path):
    """A table of a part of the study would be taken for all of it."""
    results = answers(tmp_path, ["AA"], 2)
    unfinished = type(results)(False, 2, 1, results.spots)
    with pytest.raises(ValueError, match="1 of 2 spots are finished"):
        cells(unfinished)
