"""Answers from tables are those of the evaluator itself, asked directly: it ranks every hand.

Each comparison counts the hands that the evaluator ranks, to make sure that it did, and that tables
did not ask it.
"""

import warnings
from functools import cache

import numpy as np
import pytest

import holdem
from holdem.evaluation.contract import EvaluatorSpec
from holdem.odds.bounds import Bounds
from holdem.odds.flops import compute_flops
from holdem.odds.next_cards import NextCards
from holdem.odds.spot import make_spot

PEERS = ("eval7", "phevaluator")
IN_PYTHON = ("reference", "eleven-lines", *PEERS)
COMPILED = ("bitwise", "cactus-kev", "suit-mask", "dead-horse")
PLAYERS = (
    *("AsKs", "QdQh", "7c2d", "JhTh", "55,A5s", "QQ+,AK", "T9s,98s:0.5", "22+,A2s+,KTs+,QJs"),
    *("AA,KK,72o", "random"),
)


def eleven_lines(cards):
    """README's evaluator."""
    ranks = [card // 4 for card in cards]
    shape, order = zip(
        *sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True), strict=True
    )
    if order == (12, 3, 2, 1, 0):
        order = (3, 2, 1, 0, -1)
    flush = len({card % 4 for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    kinds = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
    strength = max(kinds.get(shape, 0), 4 * straight, 5 * flush, 8 * (straight and flush))
    for rank in (*order, 0, 0, 0)[:5]:
        strength = 13 * strength + rank
    return strength


def peer(name):
    """Return a function that ranks a hand by another library."""
    texts = [str(holdem.Card(card)) for card in range(52)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        library = pytest.importorskip(name)
    if name == "eval7":
        cards = [library.Card(text) for text in texts]
        return lambda hand: library.evaluate([cards[card] for card in hand])
    return lambda hand: 7463 - library.evaluate_cards(*hand)


@cache
def counted(name):
    """Return an evaluator that counts the hands that it ranks, and the list of its counts."""
    if name == "eleven-lines":
        inner = holdem.evaluator(name)(eleven_lines)
    elif name in PEERS:
        inner = holdem.evaluator(f"peer-{name}", hand_sizes={5, 6, 7})(peer(name))
    else:
        inner = holdem.get_evaluator(name).spec
    ranked = []

    def load():
        rank = inner.load()

        def counting(hands):
            ranked.append(len(hands))
            return rank(hands)

        return counting

    spec = EvaluatorSpec(name, "", "", inner.hand_sizes, load, rules=inner.rules)
    evaluator = holdem.get_evaluator(spec)
    evaluator.load()
    return evaluator, ranked


def both(name, ask, fewest=1):
    """Answer by tables and directly; check that the evaluator ranked hands for the second only.

    Args:
        name: of the evaluator.
        ask: called with an evaluator.
        fewest: the fewest hands that it ranks.
    """
    evaluator, ranked = counted(name)
    before = sum(ranked)
    by_tables = ask(evaluator)
    assert before == sum(ranked)
    directly = ask(evaluator.direct)
    assert sum(ranked) - before >= fewest
    return by_tables, directly


def figures(result):
    """Return all that an exact answer says, with its breakdowns."""
    result.compute("category")
    return [
        (own.wins, own.ties, own.losses, own.equity, own.by_combo, own.by_category)
        for own in result.players
    ]


def random_spots(count, seed, sizes=(3, 4, 5), players=(2, 3)):
    """Yield random players and boards that have a deal, with few enough deals."""
    rng = np.random.default_rng(seed)
    while count:
        held = [PLAYERS[n] for n in rng.integers(len(PLAYERS), size=rng.choice(players))]
        board = rng.permutation(52)[: rng.choice(sizes)].tolist()
        try:
            spot = make_spot(held, board)
        except holdem.SpotError:
            continue
        if held.count("random") < 2:
            count -= 1
            yield held, spot.board


@pytest.mark.parametrize("name", COMPILED)
def test_random_spots(name):
    """Exact counts, by combo and by category, of two and three players on random boards."""
    for held, board in random_spots(8, seed=len(name), sizes=(4, 5)):
        tables, direct = both(
            name, lambda own, held=held, board=board: _exact(held, board, own), fewest=2
        )
        assert figures(tables) == figures(direct)


def _exact(held, board, evaluator):
    return holdem.equity(*held, board=board, method="exact", evaluator=evaluator)


@pytest.mark.parametrize("name", IN_PYTHON)
def test_random_spots_in_python(name):
    """The same on rivers, with evaluators that take one hand at a time."""
    for held, board in random_spots(3, seed=3, sizes=(5,), players=(2,)):
        tables, direct = both(
            name, lambda own, held=held, board=board: _exact(held, board, own), fewest=2
        )
        assert figures(tables) == figures(direct)


@pytest.mark.parametrize("name", ["suit-mask", "short-deck"])
def test_what_else_is_asked(name):
    """Next cards, runouts, hits, matrices, many spots, samples, trials and whole hands."""
    board = "Td9d7c"
    deal = {"method": "monte-carlo", "deals": 3000, "seed": 5}

    def next_cards(own):
        found = holdem.equity("AsKs", "QQ,JJ", board=board, evaluator=own)
        found.compute("next-card", "runout")
        return found.by_next_card, found.by_runout

    def matrix(own):
        found = holdem.equity_matrix("QQ+,AK", "TT+,98s", board=board, evaluator=own)
        return found.wins.tolist(), found.ties.tolist()

    def whole_hands(own):
        found = holdem.aggregate(players=4, hands=500, seed=3, evaluator=own).to_dict()
        dealt = [
            hand.to_dict() for hand in holdem.simulate(players=3, hands=5, seed=3, evaluator=own)
        ]
        return {key: found[key] for key in found if key != "elapsed"}, dealt

    def many(own):
        spots = ["AsKs", "QdQh", "8h8s"], ["JcJd", "AcAh", "random"]
        found = holdem.equities(*spots, board=["Td9d7c", "Td9d7cTh", "Td9d7cTh6s"], evaluator=own)
        return found.equity.tolist(), found.win.tolist(), found.tie.tolist()

    asked = {
        "next cards": next_cards,
        "hits": lambda own: _without_time(holdem.hits("QQ+,A9+", board=board, evaluator=own)),
        "matrix": matrix,
        "many spots": many,
        "samples": lambda own: figures_of_samples(
            holdem.equity(*PLAYERS[:2], **deal, evaluator=own)
        ),
        "trials": lambda own: (
            holdem.head_to_head("AsKs", "QdQh", deals=500, seed=1, evaluator=own).players
        ),
        "whole hands": whole_hands,
    }
    for what, ask in asked.items():
        tables, direct = both(name, ask, fewest=500)
        assert tables == direct, what


def _without_time(result):
    record = result.to_dict()
    return {key: record[key] for key in record if key != "elapsed"}


def figures_of_samples(result):
    return [own.to_dict() for own in result.players]


def test_flops():
    """The equities on some flops, which are swept together by tables."""

    def ask(own):
        spot = make_spot(("22+,A2s+", "AKs,QQ"), None, None, own)
        found = compute_flops(NextCards(spot, "exact", Bounds(), 0, 1), 0, 5)
        return [column.tolist() for column in found.results]

    tables, direct = both("suit-mask", ask, fewest=5000)
    np.testing.assert_allclose(tables[2], direct[2], rtol=0, atol=1e-12)


@pytest.mark.equity
def test_the_evaluator_of_the_session(request):
    """``pytest --evaluator NAME`` has NAME rank every hand that no test names another one for."""
    name = request.config.getoption("--evaluator")
    result = holdem.equity("AsKs", "QdQh", board="Td9d2c7h")
    assert result.evaluator.name == (name or "lookup")
    assert holdem.get_evaluator().has_tables == (name is None)
