"""Players who want the same few cards: the joint distribution, exactly, however few draws fit."""

from itertools import combinations, product
from math import prod

import numpy as np
import pytest

import holdem
from holdem.odds.sampling.deck_draws import prepare as deck_draws
from holdem.odds.sampling.deck_draws import scarce_cards
from holdem.odds.sampling.row_tables import prepare as row_tables
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot
from holdem.odds.tally import winners_in
from holdem.ranges.combos import COMBO_SETS


def _joint(spot):
    """Return every way to hold the players' combos, and the product of its weights."""
    law = {}
    for combos in product(*(own.tolist() for own in spot.live)):
        if all(COMBO_SETS[a] & COMBO_SETS[b] == 0 for a, b in combinations(combos, 2)):
            law[combos] = prod(
                spot.ranges[player].weights[combo] for player, combo in enumerate(combos)
            )
    return law


def _drawn(spot, blocks):
    """Count the combos dealt in some blocks, each for one board."""
    sampler = Sampler(spot, seed=21, independent=True)
    deals = np.concatenate([sampler.deals(block) for block in range(blocks)])
    holes = np.sort(deals[:, 5:].reshape(len(deals), spot.players, 2).astype(int), axis=2)
    combos = holes[:, :, 1] * (holes[:, :, 1] - 1) // 2 + holes[:, :, 0]
    seen, counts = np.unique(combos, axis=0, return_counts=True)
    return dict(zip(map(tuple, seen.tolist()), counts.tolist(), strict=True)), len(deals)


def _bound(freedom):
    """Return the 99.999 % quantile of chi-square (Wilson-Hilferty; 4.265 is that of a normal)."""
    return freedom * (1 - 2 / (9 * freedom) + 4.265 * (2 / (9 * freedom)) ** 0.5) ** 3


@pytest.mark.parametrize("cards", [1, 2, 5, 20])
@pytest.mark.parametrize(
    "texts",
    [
        ("AA:0.5,KK", "AA,KK:0.25,AKs", "AKs,AQs:0.3"),
        ("AA,KK:0.1", "AA:0.7,KK", "AA,KK", "KK,AA:0.4"),
        ("AhKh,AdKd:0.2,QQ", "QQ,AhQh:0.6", "QQ:0.5,AhKh", "KdQd,AdKd,AhKh:0.5", "AcAs,QQ"),
    ],
)
def test_holes_have_the_joint_distribution(monkeypatch, texts, cards):
    """Every way to hold the hands comes as often as its product of weights says.

    With all cards kept account of, with one (all drawn again when others clash), and between.
    """
    monkeypatch.setattr(row_tables, "_MOST_HOLES", 0)
    monkeypatch.setattr(deck_draws, "_JOINED_LIMIT", 0)
    monkeypatch.setattr(deck_draws, "_LEAST_KEPT", 2.0)
    monkeypatch.setattr(scarce_cards, "_SIZES", (cards,))
    spot = make_spot(texts)
    law = _joint(spot)
    assert len(Sampler(spot, seed=21).tables.chances) == sum(len(own) > 1 for own in spot.live)
    seen, deals = _drawn(spot, 12)
    assert set(seen) <= set(law)
    # Ways that are hardly ever expected are counted as one.
    scale = deals / sum(law.values())
    common = [way for way, weight in law.items() if weight * scale >= 10]
    expected = [law[way] * scale for way in common]
    found = [seen.get(way, 0) for way in common]
    rest = deals - sum(expected)
    if rest > 10:
        expected.append(rest)
        found.append(deals - sum(found))
    chi_square = sum((f - e) ** 2 / e for f, e in zip(found, expected, strict=True))
    assert len(expected) > 10
    assert chi_square < _bound(len(expected) - 1)


def test_the_cost_is_the_number_of_holes_drawn():
    """With all contested cards known, the cost is that of drawing hole by hole, worked out here.

    Two players of one AA and half a KK each. The first of them: a pair, and the room it leaves
    the second is, of AA 1/6 of the rank's weight, of the other rank all.
    """
    spot = make_spot(("AA,KK:0.5", "AA,KK:0.5"))
    weights = [spot.weights(player) for player in range(2)]
    contest = scarce_cards.weigh_contest(list(spot.live), weights)
    after_aces, after_kings = 2 / 3 / 6 + 1 / 3, 2 / 3 + 1 / 3 / 6
    total = 2 / 3 * after_aces + 1 / 3 * after_kings
    first = after_kings / total
    second = (2 / 3 * after_aces / total) / after_aces + (1 / 3 * after_kings / total) / after_kings
    assert contest.draws == pytest.approx(first + second, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "players"), [("AA,KK,QQ,JJ,TT", 10), ("JJ+,AK", 8), ("99+", 10), ("TT+,AJ+", 10)]
)
def test_hands_that_hardly_fit_together(text, players):
    """Of these at most one draw in five thousand fits; all are dealt, and nobody is favoured."""
    spot = make_spot([text] * players)
    sampler = Sampler(spot, seed=4)
    assert len(sampler.tables.chances) == players
    counts = winners_in(sampler.count(0, [1 << 14])[0])
    assert counts.sum() == 1 << 14
    shares = [
        sum(counts[winners] / int(winners).bit_count() for winners in range(1, 1 << players)
            if winners >> player & 1) / counts.sum()
        for player in range(players)
    ]  # fmt: skip
    # A share lies between 0 and 1: four and a half standard errors at most, if all deals
    # of the same holes came out alike.
    even, draws = 1 / players, (1 << 14) / sampler.cluster_size
    assert shares == pytest.approx([even] * players, abs=4.5 * (even * (1 - even) / draws) ** 0.5)


def test_all_cards_of_five_ranks_are_held():
    """Ten players on five pairs hold each of them twice, and each is as likely as any other."""
    seen, deals = _drawn(make_spot(["AA,KK,QQ,JJ,TT"] * 10), 2)
    first = np.zeros(5, dtype=int)
    for combos, count in seen.items():
        ranks = [COMBO_SETS[combo].item().bit_length() - 1 >> 2 for combo in combos]
        assert sorted(ranks) == sorted([8, 9, 10, 11, 12] * 2)
        first[ranks[0] - 8] += count
    expected = deals / 5
    assert (first - expected) @ (first - expected) / expected < _bound(4)


def test_same_bits_for_any_workers():
    """Where draws leave room for those who come later, workers change nothing either."""
    ask = {"method": "monte-carlo", "deals": 1 << 15, "seed": 3}
    one = holdem.equity(*["JJ+,AK"] * 8, workers=1, **ask)
    two = holdem.equity(*["JJ+,AK"] * 8, workers=2, **ask)
    assert [p.to_dict() for p in one.players] == [p.to_dict() for p in two.players]


def test_what_takes_too_many_draws_is_refused(monkeypatch):
    """The message says how many draws a deal takes, and what the limit is."""
    monkeypatch.setattr(deck_draws, "_MOST_DRAWS", 100)
    with pytest.raises(holdem.BudgetError, match=r"takes some 1\d\d draws, and the limit is 100"):
        holdem.equity(*["AA,KK,QQ,JJ,TT"] * 10, method="monte-carlo", deals=1000)


def test_no_possible_deal_is_still_an_error():
    """Six players cannot hold an ace each."""
    with pytest.raises(holdem.SpotError, match="no deal is possible"):
        holdem.equity(*["A2s+"] * 6, method="monte-carlo", deals=1000)
