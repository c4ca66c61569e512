"""Every notebook in docs runs from top to bottom."""

import ast
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def code_cells(path):
    """Return the source of each code cell of a notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(cells):
    """Run cells in order; return their variables and the value of each cell's last expression."""
    names = {"__name__": "__main__"}
    values = []
    for number, source in enumerate(cells):
        *body, last = ast.parse(source).body
        is_value = isinstance(last, ast.Expr)
        if not is_value:
            body.append(last)
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        code = compile(ast.Expression(last.value), f"cell {number}", "eval") if is_value else None
        values.append(eval(code, names) if code else None)
    return names, values


@pytest.fixture
def plots():
    """Plot without a window, and close all figures afterwards."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    yield plt
    plt.close("all")


def test_every_notebook_is_run_here():
    """Every notebook has a test below."""
    assert [path.name for path in NOTEBOOKS] == ["many_spots.ipynb"]


def test_many_spots(plots):
    """The frame has 100,000 spots, the plot takes ten lines, and the figures are right."""
    pytest.importorskip("pandas")
    cells = code_cells(NOTEBOOKS[0])
    names, values = run(cells)
    assert sum(bool(line.strip()) for line in cells[1].splitlines()) <= 10
    spots = names["spots"]
    assert len(spots) == 100_000
    assert len(names["axes"].patches) == 6
    # Both hands are random. A standard error of the mean is at most 0.5 / sqrt(100,000).
    assert abs(spots.equity.mean() - 0.5) < 5 * 0.0016
    summary = values[2]
    assert summary["count"].sum() == 100_000
    assert list(summary.index[:3]) == ["high card", "pair", "two pair"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_outputs_are_stored(path):
    """Outputs and counts are cleared, so that they cannot be out of date."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
