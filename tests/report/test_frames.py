"""Data frames of all results: rows join to other data, and types do not depend on values."""

import re
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

import holdem
import holdem_abstraction
import holdem_histories
from holdem.results.base_result import Result
from holdem.trials.studies.results import StudyResults

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

PLURIBUS = Path(__file__).parents[1] / "data" / "histories" / "pluribus.phhs"
FLOP = "Td9d2c"
HANDS = np.array([[48, 44, 40, 36, 32], [50, 46, 42, 38, 34]], dtype=np.uint8)


@cache
def exact():
    return holdem.equity("AsKs", "QQ+,AQ:0.5", "JJ", board=FLOP)


@cache
def sampled():
    return holdem.equity(
        "AsKs", "QQ+,AQ", "JJ", board=FLOP, dead="2h", method="monte-carlo", deals=20, seed=5
    )


@cache
def cut_short():
    """Return a result without equities, of a run that was stopped by its time."""
    return holdem.equity(
        *("22+,A2+", "K2+", "Q2+"), board=FLOP, method="exact", time=1e-9, workers=1
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Return the results of two spots and of a grid with two boards."""
    spots = [
        {"name": "exact", "players": ["AsKs", "QQ"], "board": FLOP},
        {"name": "sampled", "players": ["AsKs", "QQ"], "method": "monte-carlo", "deals": 64},
    ]
    grid = {"hero": ["AA", "KK"], "villain": ["QQ"], "board": ["2c3c4c", "Td9d2c"]}
    store = tmp_path_factory.mktemp("studies") / "store"
    return holdem.run_study({"spot": spots, "grid": [grid]}, store)


def contest(*evaluators, **options):
    return holdem.head_to_head(
        "AsKs", "QQ", deals=50, seed=1, evaluators=evaluators or None, **options
    )


def one_hand(seed):
    return next(iter(holdem.simulate(players=2, hands=1, seed=seed)))


# For each result two or more of one kind, with values and without, or of different kinds.
RESULTS = {
    "equity": (exact, sampled, cut_short),
    **{
        f"by {by}": tuple(
            lambda make=make, by=by: getattr(make().players[1], f"by_{by}")
            for make in (exact, sampled, cut_short)
        )
        for by in ("class", "category", "combo")
    },
    "by next card": (lambda: exact().by_next_card, lambda: cut_short().by_next_card),
    "by runout": (lambda: exact().by_runout, lambda: cut_short().by_runout),
    "convergence": (lambda: sampled().convergence,),
    "equities": (
        lambda: holdem.equities(["AsKs", "AsAs"], "JJ", errors="nan"),
        lambda: holdem.equities([], "JJ"),
    ),
    "match": (
        lambda: holdem.play(["tight", "caller"], hands=20, seed=7, board=FLOP),
        lambda: holdem.play(["tight", "tight"], hands=1, seed=7, runouts=4),
    ),
    "buckets": (
        lambda: holdem_abstraction.card_abstraction("preflop", 5, by="equity"),
        lambda: holdem_abstraction.card_abstraction("preflop", 5, by="ehs2"),
    ),
    "matrix": (
        lambda: holdem.equity_matrix("QQ,AKs", "JJ", board=FLOP),
        lambda: holdem.equity_matrix("AsKs,QdQh", "AsKs,QdQh", board=FLOP),
    ),
    "hits": (lambda: holdem.hits("QQ+,AK:0.5", board=FLOP), lambda: holdem.hits("AA")),
    "explanation": (
        lambda: holdem.explain("AsKs", "QdQh", board=FLOP),
        lambda: holdem.explain("AsKs", "QdQh"),
        lambda: holdem.explain("AsKs", "QdQh", board="Td9d2c5h6h"),
    ),
    "value": (
        lambda: holdem.evaluate("As Ks Qs Js Ts"),
        lambda: holdem.evaluate("2s 3d 4c 5h 7c", evaluator="reference"),
    ),
    "comparison": (
        lambda: holdem.compare_hands(HANDS, HANDS[::-1]),
        lambda: holdem.compare_hands(HANDS[:0], HANDS[:0]),
    ),
    "hand": (lambda: one_hand(1), lambda: one_hand(2)),
    "hands": (
        lambda: holdem.deal(players=2, hands=5, seed=1),
        lambda: holdem.deal(players=2, hands=0, seed=1),
    ),
    "estimate": (
        lambda: holdem.estimate(lambda h: h.winners[:, 0], players=2, hands=50, seed=1),
        lambda: holdem.estimate(
            lambda h: {"a": h.share[:, 0], "b": h.winners[:, 1]}, players=2, hands=50, seed=1
        ),
    ),
    "settlement": (
        lambda: holdem.settle([(6, (0, 1))], ["AsAh", "KsKh"]),
        lambda: holdem.settle([(6.5, (0, 1))], ["AsAh", "KsKh"], board="2c3c4c5c6c"),
    ),
    "all-ins": (
        lambda: holdem_histories.all_in_report(holdem_histories.read_hands(PLURIBUS)),
        lambda: holdem_histories.all_in_report([]),
    ),
    "aggregate": (
        lambda: holdem.aggregate(players=3, hands=50, seed=1),
        lambda: holdem.aggregate(players=2, hands=1, seed=1, evaluator="reference"),
    ),
    "head-to-head": (
        contest,
        partial(contest, "lookup", "reference", board=FLOP, confidence=0.99),
    ),
}
RESULTS = {name: tuple(map(cache, makes)) for name, makes in RESULTS.items()}
CATEGORIES = {"by category": "category", "value": "category", "hand": "category"}
CATEGORIES |= {"hands": "seat0_category"}


def dtypes(frame):
    """Return the type of each column of a frame by its name; categories count."""
    if isinstance(frame, pandas.DataFrame):
        return dict(frame.dtypes)
    if isinstance(frame, pa.Table):
        return dict(zip(frame.column_names, frame.schema.types, strict=True))
    return dict(frame.schema)


JOINED = {"pandas": pandas.concat, "polars": polars.concat, "pyarrow": pa.concat_tables}


@pytest.mark.parametrize("name", RESULTS)
def test_types_do_not_depend_on_values(name):
    results = [make() for make in RESULTS[name]]
    for library in JOINED:
        require_equal_types(name, library, [result.to_frame(library) for result in results])


def require_equal_types(name, library, frames):
    """Assert that frames of a result have the types of the first, alone and joined."""
    first = dtypes(frames[0])
    assert first
    for frame in frames:
        assert dtypes(frame) == first
    assert not {polars.Null, polars.Object, object, pa.null()} & set(first.values())
    if name in CATEGORIES:
        column = frames[0][CATEGORIES[name]]
        if library == "pyarrow":
            assert column.type.ordered
            column = column.to_pandas()
        found = column.dtype.categories
        assert len(found) == 9
        assert found[0] == "high card"
        assert library == "polars" or column.dtype.ordered
    assert dtypes(JOINED[library](frames)) == first


@pytest.mark.parametrize("name", RESULTS)
def test_libraries_have_the_same_rows(name):
    for make in RESULTS[name]:
        result = make()
        rows = result.to_frame("polars").to_dicts()
        assert result.to_frame("pyarrow").to_pylist() == rows
        frame = result.to_frame()
        found = frame.astype(object).where(frame.notna(), None).to_dict("records")
        assert found == rows


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("by", ["spot", "player", "pair"])
def test_types_of_studies(by, library, study):
    """Results without spots have no columns of players; the others have the same types."""
    first = dtypes(study.to_frame(library, by=by))
    if by == "spot":
        first = {
            name: dtype for name, dtype in first.items() if not re.fullmatch("p[12]|.*_[12]", name)
        }
    none = StudyResults(False, 4, 0, ()).to_frame(library, by=by)
    assert len(none) == 0
    assert dtypes(none) == first
    exact_only = evolve(study, spots=study.spots[:1]).to_frame(library, by=by)
    assert dtypes(exact_only).items() >= first.items()


def test_every_result_is_here():
    """All classes of results with frames are in `RESULTS`, but for a study."""
    packages = (holdem, holdem_abstraction, holdem_histories)
    public = {getattr(package, name) for package in packages for name in package.__all__}
    kinds = {kind for kind in public if isinstance(kind, type) and issubclass(kind, Result)}
    assert kinds == {type(makes[0]()) for makes in RESULTS.values()} | {StudyResults}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_missing_values(library):
    """Numbers that a result does not have are missing, and text is empty or missing."""
    frame = sampled().to_frame(library)
    assert frame["progress"].count() == 0
    assert list(frame["seed"]) == [5] * 3
    assert str(frame["seed"].dtype) == "Int64"
    assert list(frame["dead"]) == ["2h"] * 3
    assert exact().to_frame(library)["seed"].count() == 0
    assert not cut_short().exact
    assert list(cut_short().to_frame(library)["progress"]) == [cut_short().progress] * 3
    combos = sampled().players[1].by_combo
    assert combos.to_frame(library)["equity"].count() == sum(
        record.equity is not None for record in combos
    )


# For each result its columns that name a row, another column, and its values from the result.
JOINS = {
    "equity": (["range"], "equity", lambda r: {p.range: p.equity for p in r.players}),
    "by class": (["name"], "share", lambda r: {each.name: each.share for each in r}),
    "by category": (["category"], "win", lambda r: {each.category: each.win for each in r}),
    "by combo": (["combo"], "lose", lambda r: {each.combo: each.lose for each in r}),
    "by next card": (["card"], "tie_2", lambda r: {each.card: each.tie[1] for each in r}),
    "convergence": (["deals"], "low_2", lambda r: {each.deals: each.low[1] for each in r}),
    "matrix": (
        ["row", "column"],
        "equity",
        lambda r: {
            (row, column): r.equity[i, j]
            for i, row in enumerate(r.rows)
            for j, column in enumerate(r.columns)
        },
    ),
    "hits": (
        ["report", "name"],
        "share",
        lambda r: (
            {("made", name): group.share for name, group in r.made.items()}
            | {("draws", name): group.share for name, group in r.draws.items()}
            | {("by_next_card", name): share for name, share in r.by_next_card.items()}
            | {("by_river", name): share for name, share in r.by_river.items()}
        ),
    ),
    "explanation": (
        ["player"],
        "equity_flop",
        lambda r: dict(enumerate(r.streets[1].equities, 1)),
    ),
    "comparison": (["pair"], "winner", lambda r: dict(enumerate(r.winners.tolist()))),
    "hand": (["seat"], "share", lambda r: {seat.number: float(seat.share) for seat in r.seats}),
    "hands": (
        ["hand"],
        "seat1_hole",
        lambda r: {hand.number: "".join(map(str, hand.seats[1].hole)) for hand in r},
    ),
    "estimate": (["name"], "mean", lambda r: {name: own.mean for name, own in r.means.items()}),
    "aggregate": (["seat"], "ties", lambda r: {n: seat.ties for n, seat in enumerate(r.seats)}),
    "head-to-head": (
        ["part", "player", "hand", "against"],
        "losses",
        lambda r: {
            ("against", number, own, theirs): found.losses
            for number, player in enumerate(r.players, 1)
            for own, opposing in player.against.items()
            for theirs, found in opposing.items()
        },
    ),
}


def require_joined(result, keys, column, expected):
    """Require of a frame, joined to shuffled rows with other labels, the result's own values."""
    names = [name if isinstance(name, tuple) else (name,) for name in expected]
    rows = pandas.DataFrame(names, columns=keys).assign(wanted=list(expected.values()))
    rows = rows.sample(frac=1, random_state=1)
    rows.index = rows.index * 7 % 101
    joined = rows.merge(result, on=keys, how="left", validate="one_to_one")
    assert len(joined) == len(expected) > 0
    known = joined.wanted.notna()
    assert joined[column].notna().equals(known)
    assert joined[column][known].tolist() == joined.wanted[known].tolist()


@pytest.mark.parametrize("name", JOINS)
def test_frames_join_to_shuffled_rows(name):
    keys, column, values = JOINS[name]
    for make in RESULTS[name][: 2 if name in ("equity", "by combo", "by class") else 1]:
        require_joined(make().to_frame(), keys, column, values(make()))


def test_frames_of_studies_join(study):
    results = study
    spots = {spot.name: spot.result.players[1].wins for spot in results.spots}
    require_joined(results.to_frame(), ["spot"], "wins_2", spots)
    players = {
        (spot.name, number): player.tie
        for spot in results.spots
        for number, player in enumerate(spot.result.players, 1)
    }
    require_joined(results.to_frame(by="player"), ["spot", "player"], "tie", players)
    pairs = {(pair.hero, pair.villain): pair.highest.result.equities[0] for pair in results.pairs}
    require_joined(results.to_frame(by="pair"), ["hero", "villain"], "highest_equity", pairs)


def test_categories_have_an_order():
    """A filter by category follows the order of the rule set."""
    frame = exact().players[1].by_category.to_frame()
    assert frame[frame.category > "flush"].category.tolist() == [
        *("full house", "four of a kind", "straight flush")
    ]
    short = holdem.evaluate("As Ks Qs Js Ts").to_frame().category
    assert short.dtype == frame.category.dtype
