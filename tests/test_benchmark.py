"""The benchmark runs, its page is current, and every goal has a row."""

import json
import re
import subprocess
import sys

import attrs
import pytest

import benchmark
import make_benchmark_page
from benchmarking import measure
from benchmarking.goals import GOALS, NATIVE_PROGRAMS, Goal
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
    """Each goal has a row in the recorded run or in the next one, with the figure of the goal."""
    rows = {row["key"]: row for row in FOUND["rows"]}
    works = {job.key: job for job in benchmark.jobs(False, {0, 1})}
    assert not FOUND["quick"]
    for key, goal in GOALS.items():
        job = works.get(key)
        programs = job.programs if isinstance(job, Work) else ()
        recorded = rows[key]["programs"] if key in rows else ()
        names = {program.name for program in programs} | {each["name"] for each in recorded}
        assert goal.program in names, key


@pytest.mark.parametrize(
    ("unit", "figure", "target", "shown"),
    [
        ("s", 0.008, 0.007, "**8 ms**, goal 7 ms, missed"),
        ("s", 0.006, 0.007, "**6 ms**"),
        ("hands/s", 9_000, 10_000, "**9.00 k/s**, goal 10.0 k/s, missed"),
        ("hands/s", 10_000, 10_000, "**10.0 k/s**"),
        ("B", 6e6, 5e6, "**6 MB**, goal 5 MB, missed"),
        ("times", 1.84, 1.85, "**1.84 ×**, goal 1.85 ×, missed"),
    ],
)
def test_a_goal_is_shown_when_it_is_missed(unit, figure, target, shown):
    program = attrs.asdict(measure.timed("own", [figure], ours=True))
    goal = attrs.asdict(Goal("own", target))
    row = {"key": "a", "section": "Part", "title": "a row", "unit": unit, "note": "", "goal": goal}
    found = {**FOUND, "rows": [{**row, "programs": [program]}]}
    assert f"\n| a row | {shown} |\n" in page(found)


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
