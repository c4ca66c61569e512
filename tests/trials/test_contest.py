"""Head-to-head: the same deals as a sampled equity, counted by category."""

import numpy as np
import pytest

import holdem
from holdem.odds.monte_carlo import BLOCK, Sampler
from holdem.odds.spot import make_spot


@pytest.mark.parametrize("players", [("AsKs", "QdQh"), ("QQ+", "AK", "random")])
def test_agrees_with_equity(players):
    """Wins, ties, losses, equity and error are those of `equity` over the same deals."""
    contest = holdem.head_to_head(*players, deals=10_000, seed=7)
    drawn = holdem.equity(*players, deals=10_000, seed=7, method="monte-carlo")
    for contender, player in zip(contest.players, drawn.players, strict=True):
        counted = contender.outcomes
        assert (player.wins, player.ties, player.losses) == (
            counted.wins,
            counted.ties,
            counted.losses,
        )
        assert (player.equity, player.stderr, player.ci95) == (
            contender.equity,
            contender.stderr,
            contender.ci95,
        )


@pytest.mark.parametrize("players", [("AsKs", "QdQh"), ("QQ+", "AK", "random", "22")])
def test_recounted_in_plain_python(players):
    """Categories and opponents are what a hand-by-hand recount of the same deals gives."""
    deals = BLOCK + 500
    contest = holdem.head_to_head(*players, deals=deals, seed=3)
    sampler = Sampler(make_spot(players), seed=3)
    dealt = np.concatenate([sampler.deals(0), sampler.deals(1, 500)])
    expected = [{} for _ in players]
    for row in dealt[:1500].tolist() + dealt[-300:].tolist():
        values = [
            holdem.evaluate([*row[:5], *row[5 + 2 * p : 7 + 2 * p]]) for p in range(len(players))
        ]
        for p, value in enumerate(values):
            others = [other for q, other in enumerate(values) if q != p]
            best = max(others)
            outcome = 0 if value > best else 1 if value == best else 2
            cell = expected[p].setdefault((value.category, best.category), [0, 0, 0])
            cell[outcome] += 1
    # The recount covers a part of the deals; asking for that part must give just it.
    first = _counts(holdem.head_to_head(*players, deals=1500, seed=3))
    later = _counts(contest)
    before = _counts(holdem.head_to_head(*players, deals=deals - 300, seed=3))
    for p in range(len(players)):
        keys = set(first[p]) | set(later[p]) | set(before[p])
        found = {
            key: [
                first[p].get(key, [0] * 3)[i]
                + later[p].get(key, [0] * 3)[i]
                - before[p].get(key, [0] * 3)[i]
                for i in range(3)
            ]
            for key in keys
        }
        assert expected[p] == {key: cell for key, cell in found.items() if any(cell)}


def _counts(contest):
    return [
        {
            (own, theirs): [found.wins, found.ties, found.losses]
            for own, opposing in contender.against.items()
            for theirs, found in opposing.items()
        }
        for contender in contest.players
    ]


def test_parts_add_up():
    """By category and against every category, the counts add up to all deals."""
    contest = holdem.head_to_head("AsKs", "random", deals=20_000, seed=1)
    for contender in contest.players:
        by_category = contender.by_category.values()
        assert sum(found.deals for found in by_category) == 20_000
        assert sum(found.wins for found in by_category) == contender.outcomes.wins
        for own, opposing in contender.against.items():
            assert sum(found.ties for found in opposing.values()) == contender.by_category[own].ties


def test_differences_are_paired():
    """The difference of two shares has the error of the differences deal by deal."""
    contest = holdem.head_to_head("AsKs", "QdQh", "7c7d", deals=50_000, seed=5)
    assert [found.players for found in contest.differences] == [(0, 1), (0, 2), (1, 2)]
    found = contest.differences[0]
    one, other = contest.players[:2]
    assert found.estimate == pytest.approx(one.equity - other.equity, abs=1e-12)
    # Shares of one pot are negatively correlated: the paired error is above the naive one.
    assert found.stderr > (one.stderr**2 + other.stderr**2) ** 0.5


def test_verdict():
    """A clear lead is said, a narrow one is not claimed."""
    assert holdem.head_to_head("AA", "72o", deals=2000, seed=1).verdict == "player 1 is ahead"
    close = holdem.head_to_head("random", "random", deals=500, seed=1)
    assert close.verdict.startswith("undecided")


def test_workers_and_evaluators():
    """The same counts on any number of workers and with any evaluator."""
    whole = _counts(holdem.head_to_head("AsKs", "QQ", deals=9000, seed=2, workers=1))
    assert whole == _counts(holdem.head_to_head("AsKs", "QQ", deals=9000, seed=2, workers=3))
    assert whole == _counts(
        holdem.head_to_head("AsKs", "QQ", deals=9000, seed=2, evaluator="suit-mask")
    )


def test_json():
    """The JSON has the promised fields, and its numbers are those of the record."""
    answer = holdem.head_to_head("AsKs", "QdQh", deals=3000, seed=7).to_dict()
    assert answer["schema"] == "holdem/head-to-head/1"
    assert (answer["deals"], answer["seed"]) == (3000, 7)
    player = answer["players"][0]
    assert {"range", "wins", "ties", "losses", "equity", "stderr", "ci95"} <= set(player)
    assert set(player["by_category"]["pair"]) == {"wins", "ties", "losses"}
    assert set(player["against"]["pair"]["pair"]) == {"wins", "ties", "losses"}
    assert {"players", "estimate", "stderr", "ci95"} == set(answer["differences"][0])
    assert isinstance(answer["verdict"], str)
