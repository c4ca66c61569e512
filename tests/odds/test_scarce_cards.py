"""Scarce cards: the exact joint distribution when few draws fit together."""

from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from scipy.stats import chisquare

import holdem
from holdem.odds.sampling import sampler as samplers
from holdem.odds.sampling.deal_tables import single_lists
from holdem.odds.sampling.sampler import Sampler, choose_lists
from holdem.odds.sampling.scarce_cards import choose_scarce_cards
from holdem.odds.spot import make_spot
from holdem.odds.tally import winners_in
from holdem.ranges.combos import COMBO_SETS, combo_numbers


def _joint_weights(spot):
    """Return every way to hold the players' combos, and the product of its weights."""
    weights = {}
    for combos in product(*(own.tolist() for own in spot.live)):
        if all(COMBO_SETS[a] & COMBO_SETS[b] == 0 for a, b in combinations(combos, 2)):
            weights[combos] = prod(
                spot.ranges[player].weights[combo] for player, combo in enumerate(combos)
            )
    return weights


def _count_combos(sampler, blocks):
    """Count the combos dealt in some blocks."""
    deals = np.concatenate([sampler.deals(block) for block in range(blocks)])
    combos = combo_numbers(deals[:, 5:].reshape(len(deals), -1, 2))
    seen, counts = np.unique(combos, axis=0, return_counts=True)
    return dict(zip(map(tuple, seen.tolist()), counts.tolist(), strict=True)), len(combos)


@pytest.mark.parametrize(
    ("texts", "cards"),
    [
        (("AA:0.5,KK", "AA,KK:0.25,AKs", "AKs,AQs:0.3"), 1),
        (("AA:0.5,KK", "AA,KK:0.25,AKs", "AKs,AQs:0.3"), 5),
        (
            ("AhKh,AdKd:0.2,QQ", "QQ,AhQh:0.6", "QQ:0.5,AhKh", "KdQd,AdKd,AhKh:0.5", "AcAs,QQ"),
            20,
        ),
    ],
)
def test_holes_have_the_joint_distribution(texts, cards, monkeypatch):
    """Every way to hold the hands is dealt as often as its product of weights says.

    With all scarce cards tracked, with one (so that all is drawn again when others clash), and
    between.
    """
    spot = make_spot(texts)
    weights = _joint_weights(spot)
    monkeypatch.setattr(samplers, "_MIN_ACCEPTANCE", 2.0)
    monkeypatch.setattr(
        samplers, "choose_scarce_cards", lambda lists: choose_scarce_cards(lists, (cards,))
    )
    seen, deals = _count_combos(Sampler(spot, 3), 12)
    assert set(seen) <= set(weights)
    # Ways that are hardly ever expected are counted as one.
    scale = deals / sum(weights.values())
    common = [way for way, weight in weights.items() if weight * scale >= 10]
    expected = [weights[way] * scale for way in common]
    found = [seen.get(way, 0) for way in common]
    rest = deals - sum(expected)
    if rest > 10:
        expected.append(rest)
        found.append(deals - sum(found))
    assert len(expected) > 10
    assert _is_plausible(found, np.array(expected) * sum(found) / sum(expected))


def _is_plausible(seen, expected=None):
    """Return whether chi-square is below its 99.999 % quantile."""
    return chisquare(seen, expected).pvalue > 1e-5


def test_the_cost_is_the_number_of_holes_drawn():
    """With all scarce cards tracked, the cost is that of drawing hole by hole, computed here.

    Two players have AA at weight 1 and KK at a half. A pair leaves the second player a sixth of
    the weight of its own rank, and all of the other rank.
    """
    scarce = choose_scarce_cards(single_lists(make_spot(("AA,KK:0.5", "AA,KK:0.5"))))
    after_aces, after_kings = 2 / 3 / 6 + 1 / 3, 2 / 3 + 1 / 3 / 6
    total = 2 / 3 * after_aces + 1 / 3 * after_kings
    first = after_kings / total
    second = (2 / 3 * after_aces / total) / after_aces + (1 / 3 * after_kings / total) / after_kings
    assert scarce.draws == pytest.approx(first + second, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("AA,KK,QQ,JJ,TT", 10),
        ("JJ+,AK", 8),
        pytest.param("99+", 10, marks=pytest.mark.slow),
        pytest.param("TT+,AJ+", 10, marks=pytest.mark.slow),
    ],
)
def test_hands_that_hardly_fit_together(text, players):
    """Of these at most one draw in five thousand fits; the deals favour no player."""
    spot = make_spot([text] * players)
    sampler = Sampler(spot, seed=4)
    assert len(sampler._scarce.acceptance) == players
    counts = winners_in(sampler.count(0, [1 << 14])[0])
    assert counts.sum() == 1 << 14
    shares = [
        sum(counts[winners] / int(winners).bit_count() for winners in range(1, 1 << players)
            if winners >> player & 1) / counts.sum()
        for player in range(players)
    ]  # fmt: skip
    # At most four and a half standard errors of a share in 0..1, if all deals of a cluster had
    # the same outcome.
    even, clusters = 1 / players, (1 << 14) / sampler.cluster_size
    error = (even * (1 - even) / clusters) ** 0.5
    assert shares == pytest.approx([even] * players, abs=4.5 * error)


def test_all_cards_of_five_ranks_are_held():
    """Ten players with five pairs hold each pair twice, and each pair is equally likely."""
    spot = make_spot(["AA,KK,QQ,JJ,TT"] * 10)
    seen, _ = _count_combos(Sampler(spot, 3, independent=True), 2)
    first = np.zeros(5, dtype=int)
    for combos, count in seen.items():
        ranks = [COMBO_SETS[combo].item().bit_length() - 1 >> 2 for combo in combos]
        assert sorted(ranks) == sorted([8, 9, 10, 11, 12] * 2)
        first[ranks[0] - 8] += count
    assert _is_plausible(first)


def test_same_bits_for_any_workers():
    """Deals drawn with scarce cards do not depend on workers."""
    ask = {"method": "monte-carlo", "deals": 1 << 15, "seed": 3}
    one = holdem.equity(*["JJ+,AK"] * 8, workers=1, **ask)
    two = holdem.equity(*["JJ+,AK"] * 8, workers=2, **ask)
    assert [p.to_dict() for p in one.players] == [p.to_dict() for p in two.players]


def test_too_many_draws():
    """The message says how many draws a deal takes, and what the limit is."""
    spot = make_spot(["AA,KK,QQ,JJ,TT"] * 10)
    with pytest.raises(holdem.BudgetError, match=r"takes some 1\d\d draws, and the limit is 100:"):
        choose_lists(spot, max_draws=100)


def test_no_possible_deal_is_still_an_error():
    """Six players cannot hold an ace each."""
    with pytest.raises(holdem.SpotError, match="no deal is possible"):
        holdem.equity(*["A2s+"] * 6, method="monte-carlo", deals=1000)
