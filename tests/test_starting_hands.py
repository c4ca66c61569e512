"""The page of starting hands shows the results of its study."""

import tomllib

import pytest

import holdem
from holdem.ranges.starting_hands import starting_hands
from make_starting_hand_table import PAGE, ROOT, STUDY, cells, distances, page, table

CONTENT = (ROOT / STUDY).read_text(encoding="utf-8")
ROWS = [line.split(",") for line in PAGE.with_suffix(".csv").read_text("utf-8").splitlines()[1:]]


def answers(tmp_path, heroes, opponents, seed=None):
    """Return the results of a part of the study."""
    study = tomllib.loads(CONTENT)
    study["seed"] = seed or study["seed"]
    study["grid"] = [{"hero": heroes, "opponents": count} for count in opponents]
    return holdem.run_study(study, tmp_path / f"{study['seed']}.store")


def test_page_has_every_hand_with_its_exact_equity():
    """The 169 rows are ordered by strength, with exact equities against one opponent."""
    hands = starting_hands()
    expected = [
        [hand.name, str(place), f"{100 * (hand.wins + hand.ties / 2) / hand.deals:.2f}"]
        for place, hand in enumerate(hands, 1)
    ]
    assert expected == [row[:3] for row in ROWS]
    assert {11} == {len(row) for row in ROWS}


def test_page_has_the_results_of_the_study(tmp_path):
    """A spot's deals depend on its seed and its text alone, so a part of the study suffices."""
    found = cells(answers(tmp_path, ["TT", "72o"], [2, 5, 6, 9]))
    rows = {row[0]: row for row in ROWS}
    for (hand, count), cell in found.items():
        digits = 2 if count < 6 else 1
        assert f"{100 * cell.equity:.{digits}f}" == rows[hand][1 + count], (hand, count)
        assert (cell.stderr == 0) == (count < 6)
        assert cell.stderr <= 0.001


def test_table(tmp_path):
    """Exact equities have two decimal places, sampled ones have one."""
    found = cells(answers(tmp_path, ["AA"], [1, 6]))
    header, row = table(found).splitlines()
    assert header == "hand,place,1,6"
    assert row[:-1] == "AA,1,85.20,43."


def test_wrong_exact_column_is_an_error(tmp_path):
    """No page is generated if the equities against one opponent are not those of the table."""
    study = {"method": "monte-carlo", "deals": 100, "seed": 1}
    study["grid"] = [{"hero": "each class", "opponents": 1}]
    sampled = holdem.run_study(study, tmp_path / "sampled.store")
    with pytest.raises(SystemExit, match="not those of the exact table"):
        page(sampled, sampled, "", 1.0)


def test_distances_between_seeds(tmp_path):
    """Sampled equities of two seeds differ by at most five standard errors.

    The probability of a larger difference, among three, is 2e-6.
    """
    hands = ["AA", "T9s", "72o"]
    one, other = (cells(answers(tmp_path, hands, [1, 7], seed)) for seed in (1, 2))
    found = distances(one, other)
    assert 3 == len(found)
    assert all(0 < distance < 5 for distance in found)


def test_unfinished_study_is_an_error(tmp_path):
    """No table is generated from a part of the study."""
    results = answers(tmp_path, ["AA"], [2])
    unfinished = type(results)(False, 2, 1, results.spots)
    with pytest.raises(ValueError, match="1 of 2 spots are finished"):
        cells(unfinished)
