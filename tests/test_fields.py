"""A field of a result is written in one place: a new one stands in all outputs and in records.

A process imports the package with a field added to the class of a result of each family, and makes
their outputs. The field has a default, as if it had been computed.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import attrs
import numpy as np
import pytest

from holdem.report.cells import cell_format
from holdem.report.model import text_columns
from holdem.results.fields import json_value, shown

# For each family the module, the start of the line before which the field is added, and the field.
# It is added to the same line, so that machine code stays valid, whose names have line numbers.
NUMBER = "extra: float = attrs.field(default=0.25, kw_only=True)"
COLUMN = "attrs.field(default=attrs.Factory(lambda own: own.deals * 0 + 0.25, takes_self=True))"
SOURCES = {
    "odds/result.py": {"range: str": NUMBER},
    "odds/breakdown.py": {
        "stderr: RealOrNone": f"extra: RealOrNone = {COLUMN}",
        "tie: Reals": f"extra: Real = {COLUMN}",
    },
    "trials/contest_result.py": {"range: str": NUMBER},
    "trials/aggregation.py": {"equity: float": NUMBER},
    "trials/estimation.py": {"mean: float": NUMBER},
    "evaluation/hand_value.py": {"cards: tuple[Card, ...]": NUMBER},
    "odds/explanation.py": {"hole: Combo": NUMBER},
    "odds/hits.py": {"combos: float": NUMBER},
    "odds/flops.py": {"high: str": NUMBER, "group: str": NUMBER},
    "holdem_histories/luck.py": {"name: str = attrs": NUMBER},
    "holdem_histories/reports.py": {"file: str": NUMBER},
    "holdem_abstraction/buckets.py": {"bucket: int": NUMBER},
}

IMPORT = textwrap.dedent(
    """
    import json, sys
    from importlib.machinery import SourceFileLoader
    from pathlib import Path

    sources = json.loads(sys.argv[1])
    get_code = SourceFileLoader.get_code

    def get_changed_code(loader, name):
        path = Path(loader.path)
        inside = next((own for own in sources if path.match(own)), "")
        if not inside:
            return get_code(loader, name)
        text = path.read_text(encoding="utf-8")
        for line, field in sources[inside].items():
            assert f"\\n    {line}" in text, (inside, line)
            text = text.replace(f"\\n    {line}", f"\\n    {field}; {line}", 1)
        return compile(text, loader.path, "exec")

    SourceFileLoader.get_code = get_changed_code
    """
)

CALLS = textwrap.dedent(
    """
    import holdem
    import holdem_histories
    import numpy as np
    from holdem_abstraction.buckets import CardAbstraction
    from holdem.results.base_result import make_report
    from holdem.odds.flops import FlopEquities
    from holdem.odds.next_cards import AddedCardResults
    from holdem.report.flops_report import flops_report
    from holdem.report.formats import render
    from holdem.report.model import Style
    from holdem.cli import run
    from holdem.rules import STANDARD

    equity = holdem.equity("AsKs", "QdQh,QdQc", board="Td9d2c")  # so few that no kernel is needed
    player = equity.players[1]
    results = {
        "equity": equity,
        "combos": player.by_combo,
        "classes": player.by_class,
        "categories": player.by_category,
        "next cards": equity.by_next_card,
        "runouts": equity.by_runout,
        "head-to-head": holdem.head_to_head("AsKs", "QQ", deals=100, seed=1),
        "aggregate": holdem.aggregate(players=2, hands=10, seed=1),
        "estimate": holdem.estimate(lambda hands: hands.share[:, 0], hands=10, seed=1),
        "hand": holdem.evaluate("As Ks Qs Js Ts"),
        "explanation": holdem.explain("AsKs", "QdQh", board="Td9d2c"),
        "hits": holdem.hits("QQ+", board="Ks7d2c"),
        "luck": holdem_histories.all_in_report(holdem_histories.read_hands(sys.argv[2])),
        "buckets": CardAbstraction(
            *("preflop", "equity", "random", None, None, np.zeros((1, 0), np.uint8)),
            *(np.ones(1, np.uint8), np.zeros((1, 1326), np.uint16)),
            *(np.array([1326]), np.array([0.5])),
        ),
    }
    found = {
        name: {
            "json": render(make_report(result), "json"),
            "csv": render(make_report(result), "csv"),
            "text": render(make_report(result), "table", Style(width=300)),
            "frame": [*map(str, result.to_frame().columns)],
        }
        for name, result in results.items()
    }
    one = np.ones((1, 2)) / 2
    outcomes = AddedCardResults(np.array([True]), np.ones(1), one, one, one, one, np.array([True]))
    flop, weight = np.array([[51, 47, 0]], np.uint8), np.array([4], np.uint8)
    flops = FlopEquities(1, flop, weight, outcomes, STANDARD)
    report = flops_report(flops, ["a", "b"])
    found["flops"] = {form: render(report, form) for form in ("json", "csv")}
    found["flops"]["text"] = render(report, "table", Style(width=300))
    records = {
        "combos": player.by_combo[0],
        "next cards": equity.by_next_card[0],
        "equity": player,
    }
    for name, record in records.items():
        found[name]["record"] = [record.extra, found[name]["frame"]]
    hands = list(holdem_histories.read_hands(sys.argv[2]))
    from holdem_histories.luck import settle_hands
    from holdem_histories.reports import all_ins_report
    found["all-ins"] = {
        name: render(all_ins_report(settle_hands(hands), None, []), form, Style(width=300))
        for name, form in (("json", "json"), ("csv", "csv"), ("text", "table"))
    }
    print(json.dumps(found))
    """
)


@pytest.fixture(scope="module")
def outputs():
    """Make the outputs with one more field in each family."""
    pytest.importorskip("pandas")
    log = Path(__file__).parent / "data" / "histories" / "pluribus.phhs"
    done = subprocess.run(
        [sys.executable, "-c", IMPORT + CALLS, json.dumps(SOURCES), str(log)],
        env=os.environ | {"HOLDEM_DISABLE_PLUGINS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _has_extra(value):
    """Find the field in a JSON value, at any depth."""
    if isinstance(value, dict):
        return value.get("extra") == 0.25 or any(map(_has_extra, value.values()))
    return isinstance(value, list) and any(map(_has_extra, value))


FAMILIES = (
    "equity",
    "combos",
    "classes",
    "categories",
    "next cards",
    "runouts",
    "head-to-head",
    "aggregate",
    "estimate",
    "hand",
    "explanation",
    "hits",
    "luck",
    "flops",
    "all-ins",
    "buckets",
)


#: Whose text is a grid of equities by cards, and has no place for other values.
GRIDS = ("next cards", "runouts")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_new_field_is_in_all_outputs(outputs, family):
    found = outputs[family]
    assert _has_extra(json.loads(found["json"]))
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert rows
    assert {row["extra"] for row in rows} - {""} == {"0.25"}
    if "frame" in found:
        assert "extra" in found["frame"]
    if "record" in found:
        assert found["record"][0] == 0.25


@pytest.mark.parametrize("family", [own for own in FAMILIES if own not in GRIDS])
def test_a_new_field_is_in_the_text(outputs, family):
    """In a column, or, of one hand, in a line."""
    lines = outputs[family]["text"].splitlines()
    assert any("extra" in re.split(" {2,}", line.strip()) for line in lines)
    assert any("0.25" in re.split(" {2,}", line.strip()) for line in lines)


def test_all_families_are_tested(outputs):
    assert set(outputs) == set(FAMILIES)


def test_numbers_of_numpy_are_plain_in_json():
    """A field may hold a number of numpy, which JSON must not."""
    values = (np.float64(0.5), np.int64(3), np.bool_(True), (np.float32(0.25),), {1: np.int8(2)})
    found = [json_value(value) for value in values]
    assert found == [0.5, 3, True, [0.25], {"1": 2}]
    assert json.loads(json.dumps(found)) == found


@attrs.frozen
class _Unusual:
    counts: dict[str, int]
    means: list[float]
    is_exact: bool
    spot: str | None = attrs.field(metadata=shown(cell="range"))
    groups: dict[str, int] = attrs.field(metadata=shown(cell="{digits}"))


def test_fields_without_a_format_in_text():
    """Truth values are words; what no cell can hold is left out unless a format is declared."""
    found = text_columns(_Unusual, [_Unusual({"a": 1}, [0.5], True, None, {})][:0])
    assert list(found) == ["is exact", "spot", "groups"]
    assert text_columns(_Unusual, [_Unusual({}, [], True, None, None)]) == {
        "is exact": ["yes"],
        "spot": ["-"],
        "groups": ["-"],
    }


@pytest.mark.parametrize("form", ["", "8", "%", ".2%", ",", "interval", "range", "cards", ".3f"])
def test_a_missing_value_is_a_dash(form):
    assert cell_format(form)(None, 4) == "-"
