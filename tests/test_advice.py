"""Advice about input that people type first, in Python and on the command line."""

import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import holdem
from holdem import advice
from holdem.cli import run

RANGES = [
    ("ak suited", "aks"),
    ("AK offsuit, QQ", "AKo, QQ"),
    ("AQ off", "AQo"),
    ("best 15%", "top 15%"),
    ("the strongest 7.5 percent", "top 7.5%"),
    ("22+/A2s+", "22+, A2s+"),
    ("22+ | A2s+", "22+, A2s+"),
    ("AK or QQ", "AK, QQ"),
    ("AK and QQ", "AK, QQ"),
    ("pairs", "22+"),
    ("pocket pairs or AK suited", "22+, AKs"),
    ("suited connectors", "AKs-32s"),
    ("offsuit connectors", "AKo-32o"),
    ("suited aces", "A2s+"),
    ("any ace", "A*"),
    ("ace x", "AX"),
    ("any two", "random"),
    ("AKs*0.5", "AKs:0.5"),
    ("QQ(50%)", "QQ@50"),
    ("KK++", "KK+"),
    ("random - AA", "random!AA"),
    ("QQ+, !AhKh", "QQ+!AhKh"),
    ("AK, QQ+ , !AhKh", "(AK, QQ+)!AhKh"),
    ("D4 S8", "4d 8s"),
    ("SAHT, QQ", "AsTh, QQ"),
    ("14d13d", "AdKd"),
    ("🂡🂮", "AsKs"),
    ("5%-10,5%", "5%-10.5%"),
    ("top12,5%", "top 12.5%"),
    ("100: AA, AKs, 75: AQs", "100%(AA, AKs), 75%(AQs)"),
    ("TT+; Weights: JJ:50%, AA:25%", "(TT+)!(JJ, AA), JJ@50%, AA@25%"),
]


@pytest.mark.parametrize(("text", "meant"), RANGES)
def test_ranges(text, meant, capsys):
    with pytest.raises(holdem.RangeError) as raised:
        holdem.Range(text)
    assert raised.value.hint == meant
    assert str(raised.value).endswith(f"\nhint: {meant}")
    assert len(holdem.Range(meant)) > 0
    assert run(["equity", text, "QQ"]) == 2
    assert capsys.readouterr().err.endswith(f"hint: {meant}\n")


# By what each means, the phrases of the table of advice.
PHRASES = {
    "AKs-32s": ["suited connectors", "any suited connector"],
    "AKo-32o": ["offsuit connectors", "any off suit connector", "unsuited connectors"],
    "AK-32": ["connectors", "any connector"],
    "A2s+": ["suited aces", "any suited ace"],
    "22+": ["pairs", "any pocket pair", "all pairs"],
    "A*": ["any ace", "any aces"],
    "AX": ["ace x", "aces x", "acex"],
    "random": ["any two", "any two cards", "any hand", "anyhand", "anything", "atc", "all hands"],
    "A5-A2": ["A5x-A2x", "A5-A2x"],
    "22-77": ["22..77", "22 to 77"],
    "random!AA": ["all except AA", "any two without AA", "random-AA"],
    "QQ@50": ["QQ(50%)", "QQ (50)"],
    "KK+": ["KK++"],
    "KK@50%": ["KK50%", "KK/50%", "KK | 50 %", "KK % 50", "50%/KK"],
    "55-, A2+": ["55- A2+"],
    "12.5%": ["12,5%"],
    "top 12.5%": ["top 12,5%"],
    "AKs:0.5": ["AKs*0.5", "AKs * 0.5", "AKs (0.5)", "AKs:0,5"],
    "AKs@33.3": ["AKs@33,3"],
    "AKs:0.55": ["AKs:0,55"],
    "AKs": ["AK suited", "AKsuited", "AK-suited", "AK s", "A-Ks", "A/Ks", "AK:xx"],
    "AA": ["AAp"],
    "AKo": ["AK:xy", "AK offsuit", "AK off suit", "AK unsuited", "AK off"],
    "AKs+, QQ": ["AKs+QQ"],
    "top 15%": [
        "top 15",
        "top 15 percent",
        "best 15%",
        "the best 15 %",
        "first 15 percent",
        "strongest 15",
    ],
}


def _spaced(text):
    """Vary the blanks before, between and after the words of a text."""
    for blanks in (" ", "\t", "\n", " \r\n\t "):
        yield from (text + blanks, blanks + text, blanks + text.replace(" ", blanks) + blanks)


@pytest.mark.parametrize(("meant", "phrases"), PHRASES.items())
def test_blanks_around_phrases(meant, phrases):
    """Blanks, tabs and line breaks before, between and after words change no advice."""
    for phrase in phrases:
        forms = {phrase: meant, f"QQ or {phrase}": f"QQ, {meant}", f"({phrase})": f"({meant})"}
        for text, hint in forms.items():
            for spaced in _spaced(text):
                with pytest.raises(holdem.RangeError) as raised:
                    holdem.Range(spaced)
                assert raised.value.hint == hint, spaced
    table = holdem.equities(["AA", f"{phrases[0]} "], "KK", errors="nan")
    assert list(table.errors) == [1]


def test_phrases_are_complete():
    """Each pattern of the table stands in a phrase or a range above."""
    texts = [phrase for phrases in PHRASES.values() for phrase in phrases] + [
        text for text, _ in RANGES
    ]
    for pattern, _ in advice._PARTS:
        assert any(re.search(pattern, text, re.IGNORECASE) for text in texts), pattern


def test_what_the_advice_means():
    """The hint on a kind of hands is the range of all hands of this kind."""
    kinds = {
        "pairs": lambda gap, _high, _suited: gap == 0,
        "connectors": lambda gap, _high, _suited: gap == 1,
        "suited connectors": lambda gap, _high, suited: gap == 1 and suited,
        "offsuit connectors": lambda gap, _high, suited: gap == 1 and not suited,
        "suited aces": lambda _gap, high, suited: high == 12 and suited,
        "any ace": lambda _gap, high, _suited: high == 12,
        "anything": lambda *_: True,
    }
    for text, is_meant in kinds.items():
        with pytest.raises(holdem.RangeError) as raised:
            holdem.Range(text)
        found = set(holdem.Range(raised.value.hint))
        for combo in holdem.Range("random"):
            (high, suit), (low, other) = ((card // 4, card % 4) for card in combo)
            assert (combo in found) == is_meant(high - low, high, suit == other), (text, combo)


@pytest.mark.parametrize("text", ["nonsense", "AK suitable", "pairsQQ", "best", "AK or XY!", "QQ/"])
def test_no_advice(text):
    """What the table would change to another invalid string gets none of it."""
    with pytest.raises(holdem.RangeError) as raised:
        holdem.Range(text)
    assert raised.value.hint is None


def test_classes_are_no_combos():
    for name, example in (("aks", "AsKs"), ("QQ", "QsQh"), ("AKO", "AsKh")):
        with pytest.raises(holdem.RangeError, match=f"as in {example}. For {name[:2].upper()}"):
            holdem.Range("AK").weight(name)


def test_hands_and_weights_of_a_frame():
    """What stands in a column of hands becomes a range as the message says."""
    hands = ["AA", "AKs", "QQ"]
    weights = {"AA": 1, "AKs": 0.5}
    given = (hands, weights)
    for x, meant in zip(given, ("AA,QQ,AKs", "AA,AKs:0.5"), strict=True):
        with pytest.raises(holdem.HoldemTypeError) as raised:
            holdem.Range(x)
        advice = str(raised.value).partition(" as in ")[2]
        assert holdem.Range(eval(advice, {"x": x})) == holdem.Range(meant)
    pandas = pytest.importorskip("pandas")
    with pytest.raises(holdem.HoldemTypeError, match="not a value of type Series; join hands"):
        holdem.Range(pandas.Series(hands))
    series = pandas.Series({"AsAh": 1, "KsKh": 0.5})
    with pytest.raises(holdem.HoldemTypeError, match=r"from_combos\(dict\(series\)\)"):
        holdem.Range.from_combos(series)
    assert holdem.Range.from_combos(dict(series)) == holdem.Range("AsAh,KsKh:0.5")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_in_place_of_a_spot(library):
    """`equity` of two columns names the function that takes them, and not what is in them."""
    column = pytest.importorskip(library).Series(["AsKs", "7c7d"])
    with pytest.raises(holdem.HoldemTypeError) as raised:
        holdem.equity(column, "QQ")
    assert str(raised.value) == (
        "player 1: expected a Range, text or two cards, not a value of type Series;"
        " equities takes columns of spots"
    )


def test_rows_and_columns_of_a_table():
    """A table takes masks; for a column, it says that its frame has them."""
    pandas = pytest.importorskip("pandas")
    table = holdem.equities(["AsKs", "AsAs", "7c7d"], "QQ", errors="nan")
    assert repr(table).startswith("<EquityTable, 3 spots, 2 exact, 1 without answer: mean")
    mask = table.equity[:, 0] > 0.3
    for index in (mask, pandas.Series(mask)):
        assert [record.players for record in table[index]] == [("AsKs", "QQ")]
    with pytest.raises(holdem.HoldemTypeError, match="a slice, a mask or numbers") as raised:
        table["equity_1"]
    assert str(raised.value).partition("; ")[2] == "table.to_frame() takes names of columns"
    assert len(table.to_frame()["equity_1"]) == 3


def test_deals_as_floats():
    """1e6 is a number of deals, as on the command line; 1.5 and NaN are not."""
    options = {"method": "monte-carlo", "seed": 1}
    expected = holdem.equity("AsKs", "QQ", deals=2000, **options)
    assert holdem.equity("AsKs", "QQ", deals=2e3, **options) == expected
    assert holdem.equities("AsKs", "QQ", deals=2e3, **options).deals.tolist() == [2000]
    for deals in (1e2, np.float32(1e2), np.float16(1e2)):
        assert holdem.head_to_head("AsKs", "QQ", deals=deals, seed=1).deals == 100
    for deals in (1.5, float("nan"), float("inf"), 0.0):
        with pytest.raises(holdem.HoldemError, match="deals must be an integer from 1"):
            holdem.equity("AsKs", "QQ", deals=deals, **options)


def test_frames_without_values():
    """A LazyFrame is collected first, and a relation of DuckDB fetched, without a warning."""

    class Relation:
        columns = ("hero",)

        def fetchnumpy(self):
            raise AssertionError

    lazy = pytest.importorskip("polars").LazyFrame({"hero": ["AsKs"]})
    for frame, way in ((lazy, '.collect()["hero"]'), (Relation(), '.fetchnumpy()["hero"]')):
        for players in ((frame, "QQ"), ("QQ", frame)):
            with pytest.raises(holdem.HoldemTypeError, match=re.escape(way)):
                holdem.equities(*players)


@pytest.mark.parametrize("columns", ["pandas", "polars", "pyarrow"])
def test_frames_in_place_of_columns(columns):
    """The error names the type and the columns, and not their contents."""
    data = {"hero": ["AsKs"], "pot": ["77"]}
    library = pytest.importorskip(columns)
    frame = library.table(data) if columns == "pyarrow" else library.DataFrame(data)
    calls = [(frame,), (frame, "QQ"), ("QQ", "JJ", frame)]
    if columns == "pandas":
        calls.append((library.Series(["AsKs"], index=[7]), frame))
    for arguments in calls:
        with pytest.raises(holdem.HoldemTypeError) as raised:
            holdem.equities(*arguments, errors="nan")
        text = str(raised.value)
        assert f"not a {type(frame).__name__}; give one of its columns: hero, pot" in text
        assert "77" not in text


def test_notebooks_show_the_line_of_the_caller():
    """What IPython prints of an input error is the caller's line and the message."""

    def call_in_between():
        holdem.equities(["AsKs"], ["Q!"])

    with pytest.raises(holdem.HoldemError) as raised:
        call_in_between()
    place, line, blank, *message = raised.value._render_traceback_()
    assert place.startswith(f"  {__file__}, line ")
    assert (line, blank) == ('    holdem.equities(["AsKs"], ["Q!"])', "")
    assert "\n".join(message) == f"{type(raised.value).__name__}: {raised.value}"
    assert not hasattr(holdem.HoldemRuntimeError("x"), "_render_traceback_")
    assert holdem.HoldemValueError("x")._render_traceback_() == ["", "HoldemValueError: x"]


MODULE = """\
import holdem

@holdem.evaluator("of-a-module", hand_sizes={5})
def mine(cards):
    return max(cards)

class Group:
    @holdem.evaluator("of-a-group", batch=True)
    def other(cards):
        return cards.sum(axis=1)

def plain(cards):
    return 0

made = holdem.evaluator("unnamed")(plain)

def make():
    return holdem.evaluator("local")(lambda cards: 0)
"""


def test_specs_pickle_by_name(tmp_path, monkeypatch):
    """A spec of a module is found there by another process; its function is, under another name."""
    (tmp_path / "module_of_specs.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import module_of_specs

    for spec in (module_of_specs.mine, module_of_specs.Group.other):
        data = pickle.dumps(spec)
        assert pickle.loads(data) is copy.deepcopy(spec) is spec
        code = (
            f"import pickle; spec = pickle.loads({data!r}); import module_of_specs as module;"
            " print(spec.name, spec is module.mine or spec is module.Group.other)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [spec.name, "True"]
    assert pickle.loads(pickle.dumps(module_of_specs.made)) == module_of_specs.made
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(module_of_specs.make())
