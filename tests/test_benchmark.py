"""The benchmark runs, its page is current, and every goal has a row."""

import json
import re
import subprocess
import sys

import attrs
import pytest

import make_benchmark_page
from benchmarking import measure
from benchmarking.goals import GOALS, NATIVE_PROGRAMS
from benchmarking.measure import Program, Work
from benchmarking.page import page, put_excerpt

FOUND = json.loads(make_benchmark_page.MEASURED.read_text(encoding="utf-8"))


def test_the_page_is_current():
    """The page of the documentation is generated from the recorded figures."""
    assert page(FOUND) == make_benchmark_page.PAGE.read_text(encoding="utf-8")


def test_the_excerpt_in_readme_is_current():
    """The excerpt in README is generated from the recorded figures."""
    readme = make_benchmark_page.README.read_text(encoding="utf-8")
    assert put_excerpt(readme, FOUND) == readme


def test_every_goal_is_measured():
    """Each goal has a row of a full run, which has the figure of the goal."""
    rows = {row["key"]: row for row in FOUND["rows"]}
    assert not FOUND["quick"]
    assert set(GOALS) <= set(rows)
    for key, goal in GOALS.items():
        figures = {program["name"]: program["median"] for program in rows[key]["programs"]}
        assert figures[goal.program] != 0, key
        assert rows[key]["goal"] == attrs.asdict(goal)


def test_programs_elsewhere_have_a_version():
    """A program with a best figure is in the page's list of versions, or has a link there."""
    for goal in GOALS.values():
        if goal.by:
            name = re.match(r"[\w-]+", goal.by)[0]
            listed = NATIVE_PROGRAMS.get(name, f"{name} {FOUND['machine']['versions'].get(name)}")
            assert listed in page(FOUND), name


@pytest.mark.slow
def test_a_run_of_one_row(tmp_path):
    """A quick run of one row writes the figures of the engine and of installed libraries."""
    script = make_benchmark_page.ROOT / "scripts" / "benchmarks" / "benchmark.py"
    output = tmp_path / "figures.json"
    options = ["--quick", "--only", "three known hands", "--json", output]
    done = subprocess.run(
        [sys.executable, "-W", "error", script, *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(output.read_text(encoding="utf-8"))
    (row,) = found["rows"]
    assert "three known hands" == row["key"]
    assert {"holdem.equity on text", "compiled method"} <= {p["name"] for p in row["programs"]}
    assert all(0 < p["low"] <= p["median"] <= p["high"] for p in row["programs"])
    assert page(found) == done.stdout.rstrip("\n") + "\n"


def test_different_answers_end_the_run():
    """The run ends if two programs answer the same question differently."""
    programs = [
        Program("one", lambda _: None, figures=lambda _: [0.5]),
        Program("other", lambda _: None, figures=lambda _: [0.6]),
    ]
    with pytest.raises(SystemExit, match=r"both: other says \[0.6\], and not \[0.5\]"):
        Work("both", "section", "both", "s", programs).rows(3, 1.0)


def test_calls_are_timed_warm(monkeypatch):
    """An untimed call with a different question precedes each timed call."""
    asked, timed = [], []
    monkeypatch.setattr(measure, "_GROUP", 0.0)  # one call at a time, however short
    time_calls = measure._time

    def note(program, first, calls):
        timed.append(first)
        return time_calls(program, first, calls)

    monkeypatch.setattr(measure, "_time", note)
    program = Program("one", asked.append)
    Work("one", "section", "one", "s", [program]).rows(3, 1.0)
    assert [2, 4, 6] == timed[2:]
    assert [3, 2, 5, 4, 7, 6] == asked[2:]


def test_questions_differ():
    """Every repetition of a program has a different question."""
    asked = []
    program = Program("one", asked.append, lambda number: number)
    (row,) = Work("one", "section", "one", "s", [program]).rows(5, 1.0)
    assert 5 == row.programs[0].repetitions
    timed = asked[2:]  # the first call loads and compiles, the second estimates the duration
    assert sorted(set(timed)) == sorted(timed)
