"""Tables of benchmark results for the terminal, the documentation and README."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from benchmarking.goals import COMPILED, NATIVE_PROGRAMS, TEXT
from holdem.report.cells import rate
from holdem.report.markup import markdown_table

_Json = dict[str, Any]
_OTHERS = "other programs"

_INTRODUCTION = """# Benchmark

How many times as fast is it? Each bar is the engine's speed divided by that of the fastest other
program that we know of for the same work. Where a bar points to the left, the other one is faster.

![Bars: the engine's speed in times that of the fastest other program](../_static/benchmark.png)

R is `22+,A2s+,KTs+,QJs,ATo+,KQo`, 202 combos. Open a section to see its figures.

:::{{dropdown}} How this was measured
{machine}

Figures are medians, for one core unless stated otherwise; programs that do the same work run in
turn. Every repetition asks a different question of the same shape, and no result is kept between
them. Answers to the same question were compared, except PokerKit's sampled ones. **Bold** marks the
figure that is compared with others, and with the project's own goal, which is shown where it is
missed.

*Italic* figures are the best of that program, measured once, in another run, on one core of a
machine of this kind. Three of these programs are not Python libraries; the versions given here are
the newest known to us, which need not be those measured: {natives}.

`scripts/benchmarks/make_benchmark_page.py` generates this page from
`docs/benchmarks/benchmark.json`. To measure on your machine:

```bash
pip install -e ".[bench]"
python scripts/benchmarks/benchmark.py --json docs/benchmarks/benchmark.json
```
:::
"""

_NATIVES = "; ".join(NATIVE_PROGRAMS.values())
_BEGIN, _END = "<!-- made of docs/benchmarks/benchmark.json -->", "<!-- to here -->"
_README_ROWS = (
    "batch",
    "random v random",
    "range v range, flop",
    "random v random, flop",
    "Monte Carlo, five random",
)


def page(found: _Json) -> str:
    """Return the page of the documentation."""
    parts = [_INTRODUCTION.format(machine=_machine(found["machine"]), natives=_NATIVES)]
    sections = list(dict.fromkeys(row["section"] for row in found["rows"]))
    for section in sections:
        rows = [row for row in found["rows"] if row["section"] == section]
        tables = [_table(rows)]
        notes = dict.fromkeys(row["note"] for row in rows if row["note"])
        if notes:
            tables.append("\n".join(f"* {note}." for note in notes))
        body = "\n\n".join(tables)
        parts.append(f"## {section}\n\n:::{{dropdown}} Tables\n{body}\n:::\n")
    return "\n".join(parts)


def chart(found: _Json) -> Figure:
    """Draw the engine's speed in times that of the fastest other program, for each row."""
    plt.style.use("holdem.report.plots.holdem")
    names, times = [], []
    for row in found["rows"]:
        best, own = _best_of_others(row), _judged(row)
        if best is not None and row["goal"] is not None:
            names.append(row["title"].replace("`", ""))
            times.append(best / own if row["unit"] == "s" else own / best)
    figure, ax = plt.subplots(figsize=(7, 0.19 * len(names) + 0.8))
    colours = ["C0" if each >= 1 else "C1" for each in times]
    ax.barh(names, [each - 1 for each in times], left=1, color=colours)
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set(xscale="log", xlabel="times as fast as the fastest other program")
    ax.set(xlim=(min(times) / 1.5, 1.5 * max(times)), ylim=(len(names), -1))
    ax.grid(visible=False, axis="y")
    return figure


def excerpt(found: _Json) -> str:
    """Return the rows that README shows."""
    by_key = {row["key"]: row for row in found["rows"]}
    rows = []
    for key in _README_ROWS:
        row, goal = by_key[key], by_key[key]["goal"]
        best = f"{_shown(goal['best'], row['unit'])}, {goal['by']}" if goal["best"] else "-"
        rows.append([row["title"], _shown(_judged(row), row["unit"]), best])
    table = markdown_table(["one core", "holdem", "best elsewhere, in another run"], rows)
    return (
        f"{table}\n\nR is a range of 202 combos. Measured on one core of an"
        f" {found['machine']['cpu']}; the other programs were measured on a machine of this kind."
    )


def put_excerpt(readme: str, found: _Json) -> str:
    """Return README with an updated excerpt.

    Raises:
        ValueError: the marks are not there.
    """
    before, begin, rest = readme.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"README has no {_BEGIN} and {_END}")
    return f"{before}{begin}\n\n{excerpt(found)}\n\n{end}{after}"


def _machine(machine: _Json) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    core = "" if machine["core"] is None else f", core {machine['core']} of {machine['cores']}"
    return f"{machine['cpu']}{core}; {machine['system']}, {machine['python']}; {versions}."


def _table(rows: Sequence[_Json]) -> str:
    """Return a table of the engine's figures, missed goals and other programs.

    The most frequent names of the engine's programs are columns. Of the others, a row with a goal
    has only the one that is compared with it.
    """
    own = [[program for program in row["programs"] if program["ours"]] for row in rows]
    firsts = Counter(programs[0]["name"] for programs in own)
    names = {program["name"] for row in rows for program in row["programs"]}
    columns = [TEXT, COMPILED] if names >= {TEXT, COMPILED} else [firsts.most_common(1)[0][0]]
    lines = []
    for row in rows:
        goal, unit = row["goal"], row["unit"]
        cells: dict[str, list[str]] = {column: [] for column in [*columns, _OTHERS]}
        if goal is not None and goal["best"] is not None:
            cells[_OTHERS].append(f"{goal['by']} *{_shown(goal['best'], unit)}*")
        for program in row["programs"]:
            name, shown = program["name"], _shown(program["median"], unit)
            if not program["ours"]:
                cells[_OTHERS].append(f"{name} {shown}")
                continue
            judged = goal is not None and name == goal["program"]
            if goal is not None and not judged and name not in columns:
                continue
            shown = f"**{shown}**" if judged else shown
            shown += "" if name in columns else f" ({name})"
            shown += _missed(row) if judged else ""
            cells[name if name in columns else columns[0]].append(shown)
        best = _best_of_others(row)
        times = "" if best is None else _times(_judged(row), best, unit)
        lines.append([row["title"], *map("; ".join, cells.values()), times])
    head = ["work", *columns, _OTHERS, "times the fastest"]
    if not any(line[-1] for line in lines):
        head, lines = head[:-2], [line[:-2] for line in lines]
    return markdown_table(head, lines)


def _missed(row: _Json) -> str:
    """Return the goal of a row if its figure misses it, else nothing."""
    figure, target = _judged(row), row["goal"]["target"]
    is_missed = figure > target if row["unit"] in ("s", "B") else figure < target
    return f", goal {_shown(target, row['unit'])}, missed" if is_missed else ""


def _best_of_others(row: _Json) -> float | None:
    """Return the best figure of another program, of this run or of another one."""
    found = [float(program["median"]) for program in row["programs"] if not program["ours"]]
    if row["goal"] is not None and row["goal"]["best"] is not None:
        found.append(float(row["goal"]["best"]))
    return (min if row["unit"] == "s" else max)(found, default=None)


def _judged(row: _Json) -> float:
    """Return the figure that is compared with the goal, else the engine's first figure."""
    goal = row["goal"]
    ours = [program for program in row["programs"] if program["ours"]]
    if goal is not None:
        ours = [program for program in ours if program["name"] == goal["program"]]
    return float(ours[0]["median"])


def _times(own: float, other: float, unit: str) -> str:
    times = other / own if unit in ("s", "B") else own / other
    return (
        f"{times:,.0f}" if times >= 9.95 else f"{times:.1f}" if times >= 0.095 else f"{times:.2g}"
    )


def _shown(value: float, unit: str) -> str:
    """Format a figure in a suitable unit, with at most three digits."""
    if unit == "times":
        return f"{value:.2f} ×"
    if unit == "B":
        return f"{value / 1e6:.3g} MB"
    if unit != "s":
        return rate(value)
    for size, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(value) >= 0.9995 * size:
            return f"{value / size:.3g} {name}" if value < 999.5 * size else f"{value:,.0f} {name}"
    return f"{value / 1e-9:.3g} ns"
