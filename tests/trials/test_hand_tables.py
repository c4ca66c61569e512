"""`deal` and `deal_batches`: whole hands as arrays, against another evaluator and exact values."""

import pickle
import tracemalloc
from itertools import islice

import numpy as np
import pytest
from phevaluator import evaluate_cards

import holdem
from holdem.cards import DECK

TABLE = {"players": 3, "hands": 300, "seed": 5}


def strength(cards):
    """Rank cards by another library, so that bigger is stronger."""
    return -evaluate_cards(*[str(DECK[card]) for card in cards])


@pytest.mark.parametrize(("street", "size"), [("flop", 3), ("turn", 4), ("river", 5)])
def test_columns(street, size):
    """Strengths order hands as phevaluator does; classes and categories are those of `evaluate`."""
    h = holdem.deal("QQ+,AK", "random", board="Kd7s2c", hands=120, seed=3)
    found, expected = [], []
    for row in range(len(h)):
        for seat in range(2):
            cards = [*h.hole[row, seat].tolist(), *h.board[row, :size].tolist()]
            value = holdem.evaluate(cards)
            assert value.strength == h.strength(street)[row, seat]
            assert value.rank_class == h.rank_class(street)[row, seat]
            assert value.category == h.categories[h.category(street)[row, seat]]
            found.append(int(h.strength(street)[row, seat]))
            expected.append(strength(cards))
    order = np.argsort(expected, kind="stable")
    assert (np.sign(np.diff(np.array(found)[order])) == np.sign(np.diff(np.sort(expected)))).all()


def test_winners():
    """Winners are those of phevaluator, and share the pot equally."""
    h = holdem.deal(players=6, hands=2000, seed=7)
    for row in range(len(h)):
        ranked = [strength([*hole, *h.board[row].tolist()]) for hole in h.hole[row].tolist()]
        winners = [own == max(ranked) for own in ranked]
        assert h.winners[row].tolist() == winners
        assert h.share[row].tolist() == [won / sum(winners) for won in winners]
    assert h.winners.sum(axis=1).max() > 1


@pytest.mark.parametrize(
    "asked",
    [
        {"players": 4},
        {"seats": ("AcKd", "QQ+"), "board": "Kh7s2c", "dead": "2d 2h"},
        {"seats": ("22+", "A2s+", "JJ+:0.5,AKs"), "players": 5, "board": "Kh7s2c9d"},
        {"players": 3, "evaluator": "short-deck"},
    ],
)
def test_the_same_hands_everywhere(asked, tmp_path):
    """Tables, `simulate`, batches, files, data frames and any number of workers agree."""
    asked = {**asked, "hands": 700, "seed": 11}
    seats = asked.pop("seats", ())
    table = holdem.deal(*seats, **asked)
    assert table == holdem.deal(*seats, **asked, workers=1)
    hands = list(holdem.simulate(*seats, **asked))
    assert hands == list(table) == [table[row] for row in range(700)]
    parts = list(holdem.deal_batches(*seats, **asked, batch=256))
    assert [len(part) for part in parts] == [256, 256, 188]
    assert [hand for part in parts for hand in part] == hands
    holdem.write_hands(tmp_path / "hands.csv", *seats, **asked)
    frame = table.to_frame()
    lines = (tmp_path / "hands.csv").read_text().splitlines()
    assert lines[0].split(",") == list(frame.columns)
    assert lines[1:] == [",".join(map(str, row)) for row in frame.itertuples(index=False)]
    summary = holdem.aggregate(*seats, **asked, of=lambda part: part.winners.sum(axis=0))
    assert summary.sums.tolist() == table.winners.sum(axis=0).tolist()
    assert [own.wins + own.ties for own in summary.seats] == summary.sums.tolist()
    for hand, row in zip(hands, table.winners, strict=True):
        assert hand.winners == tuple(np.flatnonzero(row))


@pytest.mark.parametrize("hands", [5, 40_000])
def test_sums_of_small_types(hands):
    """Sums do not overflow, whatever the type of their parts, and are read-only."""
    asked = {"players": 2, "hands": hands, "seed": 1}
    parts = holdem.aggregate(**asked, of=lambda _: 1).sums
    for kind in (np.uint8, np.int8, np.float16, np.int64):
        assert holdem.aggregate(**asked, of=lambda _, kind=kind: kind(100)).sums == 100 * parts
        found = holdem.aggregate(**asked, of=lambda _, kind=kind: {"x": np.array([1, 100], kind)})
        assert found.sums["x"].tolist() == [parts, 100 * parts]
        assert not found.sums["x"].flags.writeable
    assert f"{parts:,}" == str(parts)  # a number, not an array


def test_given_cards():
    """Holes are of the ranges by their weights, the board begins as given, dead cards are gone."""
    h = holdem.deal("AA:0.25,KK", "QsQh", board="Kd 7s 2c", dead="7d", hands=4000, seed=2)
    assert (h.hole[:, 1] == [DECK.index(holdem.Card(card)) for card in ("Qs", "Qh")]).all()
    assert (h.board[:, :3] == [int(card) for card in holdem.parse_cards("Kd 7s 2c")]).all()
    aces = (h.hole[:, 0] >> 2 == 12).all(axis=1).mean()
    assert aces == pytest.approx(6 * 0.25 / (6 * 0.25 + 3), abs=4 * np.sqrt(0.25 / 4000))
    every = np.concatenate([h.hole.reshape(4000, -1), h.board, h.burns], axis=1)
    assert (np.diff(np.sort(every, axis=1), axis=1) > 0).all()
    assert not (every == int(holdem.Card("7d"))).any()


def test_arrays_are_signed():
    """Differences of ids, ranks and classes don't wrap, and the arrays go back in as they are."""
    h = holdem.deal(players=2, hands=4000, seed=1)
    assert {a.dtype for a in (h.hole, h.board, h.burns, h.best, h[3:].best)} == {np.dtype(np.int8)}
    assert h.rank_class().dtype == np.int16
    gap = np.abs((h.hole[..., 0] >> 2) - (h.hole[..., 1] >> 2))
    assert (gap == 1).mean() == pytest.approx(12 * 16 / 1326, abs=0.02)
    cards = np.concatenate([h.hole[:, 0], h.board], axis=1)
    evaluator = holdem.get_evaluator()
    for validate in (True, False):
        assert (evaluator.strengths(cards, validate=validate) == h.strength()[:, 0]).all()
    table = holdem.equities(h.hole[:, 0], h.hole[:, 1], board=h.board)
    assert (table.equity == h.share).all()
    settled = holdem.settle([(2, (0, 1))], [h.hole[:, 0], h.hole[:, 1]], h.board)
    assert (settled.shares == 2 * h.share).all()
    fives = h.best.reshape(-1, 5)
    assert (evaluator.strengths(fives) == h.strength().ravel()).all()
    with pytest.raises(holdem.CardError, match=r"hand 1: .* has the id -1, outside 0..51"):
        evaluator.strengths(np.array([[0, 1, 2, 3, 4], [-1, 1, 2, 3, 4]], np.int8))


@pytest.mark.parametrize("evaluator", ["lookup", "short-deck"])
@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_lines_are_those_of_hits(street, evaluator):
    """Each name, also with a plus, means for dealt hands what it means for a range on a board."""
    h = holdem.deal(players=2, hands=60, seed=8, evaluator=evaluator)
    boards = h.board[:, : {"flop": 3, "turn": 4, "river": 5}[street]]
    lines = [
        "top pair",
        "top pair (good kicker)",
        "set",
        "trips+",
        " Overpair +,Gutshot",
        "weak pair+",
    ]
    lines += ["flush draw", "combo draw, open-ended", "backdoor flush draw", "overcards"]
    lines = [
        x for x in lines if street != "river" or not ("draw" in x or "shot" in x or "over" in x)
    ]
    found = np.array([h.has(line, street) for line in lines])
    hands = [
        holdem.hits(hole, board, fine=True, evaluator=evaluator)
        for holes, board in zip(h.hole, boards, strict=True)
        for hole in holes
    ]
    expected = [[len(hits.keep(line)) > 0 for hits in hands] for line in lines]
    assert found.reshape(len(lines), -1).tolist() == expected
    assert found.any()


def test_categories_by_name():
    """Names of categories are these, with a plus or better ones, in the order of the rules."""
    for evaluator in ("lookup", "short-deck"):
        h = holdem.deal(players=5, hands=9000, seed=8, evaluator=evaluator)  # in several parts
        for street in ("flop", "river"):
            codes = h.category(street)
            for name in h.categories:
                assert (h.has(name, street) == (codes == h.code(name))).all()
                assert (h.has(f"{name}+", street) == (codes >= h.code(name))).all()
        assert (h.has("flush, Pair") == (h.has("flush") | h.has("pair"))).all()
    assert h[:7].has("set, flush").tolist() == h.has("set, flush")[:7].tolist()


def test_each_street_has_categories_of_its_own():
    h, other = (holdem.deal(players=3, hands=500, seed=8) for _ in range(2))
    on_flop = h.category("flop")
    assert (h.category() == other.category()).all()
    assert (h.category() >= on_flop).all()
    assert (h.category() != on_flop).any()


def test_a_table_is_a_sequence():
    """Slices, masks and row numbers give tables, with what is already known; indices give hands."""
    h = holdem.deal(**TABLE)
    _ = h.winners
    mask = h.category()[:, 0] >= h.code("two pair")
    for key in (slice(5, 40, 3), mask, np.array([7, 3])):
        part = h[key]
        assert part == holdem.deal(**TABLE)[key]
        for name in ("hole", "board", "burns", "number", "winners", "best", "share"):
            assert (getattr(part, name) == getattr(h, name)[key]).all()
    assert h[-1] == list(h)[-1]
    assert h[2].seats[1].value.best == tuple(DECK[card] for card in h.best[2, 1])
    assert pickle.loads(pickle.dumps(h[:9])) == h[:9]
    assert pickle.loads(pickle.dumps(h[4])) == h[4]
    assert h[:9] != h[1:10]
    for name in ("hole", "board", "burns", "number", "winners", "share", "best"):
        assert not getattr(h, name).flags.writeable
    assert not h.strength().flags.writeable
    assert "the first 10 of 300 hands of seed 5" in str(h)
    with pytest.raises(IndexError):
        h[300]


def test_batches_without_end():
    """Memory does not grow with the number of hands."""
    tracemalloc.start()
    try:
        batches = holdem.deal_batches("AcKd", "AhQs", batch=20_000, seed=3, workers=1)
        peaks = []
        for part in islice(batches, 12):
            _ = part.winners
            peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
    assert peaks[-1] < 1.1 * peaks[2]


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"hands": 10**12}, holdem.BudgetError, "GB: take .* at most, deal them in parts"),
        ({"seats": ("KsKd",), "board": "Ks7d2c"}, holdem.SpotError, "'KsKd' has no possible hand"),
        ({"board": "AsKsQsJsTs9s"}, holdem.SpotError, "a board has up to 5 cards, not 6"),
        ({"seats": (6,)}, holdem.HoldemTypeError, "the number of players is players=6"),
        (
            {"seats": ("AA", "KK", 10)},
            holdem.HoldemTypeError,
            "^player 3: .* not 10; the number of players is players=10, that of hands hands=10$",
        ),
        (
            {"seats": (["AsKs", "QQ"],)},
            holdem.HoldemTypeError,
            r"not \['AsKs', 'QQ'\]; give the players as separate arguments; for the range of one",
        ),
        ({"seats": ("AsAh", "AsKd")}, holdem.SpotError, "As"),
        ({"players": 11}, holdem.SpotError, "players must be an integer from 1 to 10, not 11"),
        (
            {"seats": ("AA", "KK"), "players": 1},
            holdem.SpotError,
            r"from 2 to 10 \(2 are given\), not 1",
        ),
        ({"hands": 2.5}, holdem.HoldemTypeError, "hands must be an integer"),
        (
            {"players": 10, "dead": [*range(25)]},
            holdem.SpotError,
            "10 players need 28 cards with the board and three burns, and only 27 are left; deal"
            " to at most 9 players",
        ),
    ],
)
def test_errors(arguments, error, told):
    seats = arguments.pop("seats", ())
    for door in (holdem.deal, holdem.simulate):
        if "hands" in arguments and door is holdem.simulate:
            continue
        with pytest.raises(error, match=told):
            door(*seats, **arguments)


def test_errors_of_a_table():
    h = holdem.deal(**TABLE)
    with pytest.raises(holdem.HoldemValueError, match=r"'flsh' \(did you mean flush\?\)"):
        h.code("flsh")
    with pytest.raises(holdem.HoldemValueError, match="street must be flop, turn or river"):
        h.strength("preflop")
    with pytest.raises(holdem.HoldemError, match="a mask has a bool for each row"):
        h[h.winners]
    with pytest.raises(IndexError, match="no row 300: the table has 300 hands"):
        h[300]
    assert repr(h[:1]).startswith("<HandTable: 1 hand of ")
    with pytest.raises(holdem.BudgetError, match=r"^batch: "):
        holdem.deal_batches(batch=10**9)
