"""The 95 % intervals hold the exact answer as often as they say."""

from pathlib import Path

import pytest

from check_intervals import is_within, measure
from interval_cases import CASES

SEEDS = 400
NAMES = (
    "same hand, mostly ties",
    "six ways",
    "near 0: runner-runner",
    "mostly ties, few deals",
    "stopped by error: near 0",
)


@pytest.mark.parametrize("name", NAMES)
def test_coverage(name):
    """Over 400 seeds coverage is within 3.5 standard errors of that measurement of 95 %.

    ``scripts/checks/check_intervals.py`` does the same for all its spots with 4,000 seeds.
    """
    (case,) = (case for case in CASES if case.name == name)
    found = measure(case, SEEDS)
    assert is_within(found, SEEDS), found


def test_page_has_every_spot():
    """The page shows all spots of the script, in its order, with 4,000 seeds."""
    page = Path(__file__).parents[2] / "docs" / "how" / "intervals.md"
    table, *_ = page.read_text(encoding="utf-8").partition(
        "\nEach spot was sampled with 4,000 seeds"
    )
    lines = table.splitlines()
    shown = [line.split(" | ") for line in lines if line.startswith("| ")][2:]
    assert [case.name for case in CASES] == [row[0].removeprefix("| ") for row in shown]
    deals = [(case.deals, row[1]) for case, row in zip(CASES, shown, strict=True)]
    assert all(f"{number:,}" == text for number, text in deals if number is not None)
