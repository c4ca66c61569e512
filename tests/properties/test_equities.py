"""What equities have in common, whatever the ranges, the board and the dead cards."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import strategies as st

import holdem
from holdem.jobs.run import run
from holdem.odds.exact.candidates import EXACT_METHODS
from holdem.odds.exact.exact_run import ExactRun
from holdem.odds.exact.random_opponents import RandomOpponents
from holdem.odds.spot import make_spot
from properties import holds_for, permuted_cards, permuted_range, spots

COUNTS = ("wins", "ties", "losses")


def counts_of(player):
    return np.array([getattr(player, name) for name in COUNTS], dtype=float)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.equity
@holds_for(12, 500, spot=spots())
def test_equities_sum_to_one(spot):
    """So do the outcomes of each player; counts sum to the deals, or to their weight."""
    ranges, cards = spot
    result = holdem.equity(*ranges, **cards, method="exact")
    close(result.equities.sum(), 1)
    totals = [counts_of(player).sum() for player in result.players]
    close(totals, totals[0])
    for player in result.players:
        close(player.win + player.tie + player.lose, 1)
        close(player.win, np.clip(player.win, 0, player.equity))
        close(player.equity, np.clip(player.equity, 0, min(1, player.win + player.tie)))
    gone = {*cards["board"], *cards["dead"]}
    deals = weight = 0
    for combos in product(*ranges):
        held = [card for combo in combos for card in combo]
        if len({*held, *gone}) == len(held) + len(gone):
            runouts = comb(52 - len(gone) - len(held), 5 - len(cards["board"]))
            deals += runouts
            weight += runouts * np.prod(
                [held.weight(combo) for held, combo in zip(ranges, combos, strict=True)]
            )
    assert result.deals == deals
    close(totals[0], weight)


@pytest.mark.equity
@holds_for(12, 500, spot=spots(), suits=st.permutations(range(4)), data=st.data())
def test_suits_cards_and_players_are_permuted(spot, suits, data):
    """The answer is permuted with them, combo by combo, and nothing else changes."""
    ranges, cards = spot
    result = holdem.equity(*ranges, **cards, method="exact")
    order = data.draw(st.permutations(range(len(ranges))))
    moved = {
        name: data.draw(st.permutations(permuted_cards(own, suits))) for name, own in cards.items()
    }
    other = holdem.equity(
        *(permuted_range(ranges[player], suits) for player in order), **moved, method="exact"
    )
    assert other.deals == result.deals
    for place, player in enumerate(order):
        one, two = result.players[player], other.players[place]
        close(counts_of(two), counts_of(one))
        close(two.equity, one.equity)
        found = {record.combo: record for record in two.by_combo}
        assert len(found) == len(one.by_combo)
        for record in one.by_combo:
            text = "".join(
                map(str, sorted(permuted_cards(holdem.parse_cards(record.combo), suits))[::-1])
            )
            close(
                (found[text].weight, found[text].equity, found[text].win, found[text].tie),
                (record.weight, record.equity, record.win, record.tie),
            )


@holds_for(12, 500, spot=spots(), data=st.data())
def test_union_is_the_mean_of_its_parts(spot, data):
    """The counts of disjoint ranges add up to those of their union."""
    ranges, cards = spot
    player = data.draw(st.integers(0, len(ranges) - 1))
    chosen = data.draw(st.sets(st.sampled_from(list(ranges[player]))))
    weights = {combo: ranges[player].weight(combo) for combo in ranges[player]}
    whole = holdem.equity(*ranges, **cards, method="exact")
    added = np.zeros((len(ranges), 3))
    shares = np.zeros(len(ranges))
    for part in (chosen, weights.keys() - chosen):
        own = list(ranges)
        own[player] = holdem.Range.from_combos({combo: weights[combo] for combo in part})
        try:
            result = holdem.equity(*own, **cards, method="exact")
        except holdem.SpotError:  # empty, or always blocked
            continue
        totals = np.array([counts_of(other) for other in result.players])
        added += totals
        shares += result.equities * totals.sum(axis=1)
    close(added, [counts_of(other) for other in whole.players])
    close(shares / added.sum(axis=1), whole.equities)


@pytest.mark.equity
@holds_for(12, 500, spot=spots(dead=1))
def test_dead_card_only_takes_its_boards(spot):
    """With a card that nobody can hold, the deals are those without it and those with it."""
    ranges, cards = spot
    held = {int(card) for own in ranges for combo in own for card in combo}
    dead = next(c for c in range(52) if c not in {*held, *cards["board"], *cards["dead"]})
    whole = holdem.equity(*ranges, **cards, method="exact")
    without = holdem.equity(
        *ranges, board=cards["board"], dead=[*cards["dead"], dead], method="exact"
    )
    parts = [without]
    if len(cards["board"]) < 5:
        board = [*cards["board"], dead]
        parts.append(holdem.equity(*ranges, board=board, dead=cards["dead"], method="exact"))
    assert sum(part.deals for part in parts) == whole.deals
    for player, own in enumerate(whole.players):
        close(sum(counts_of(part.players[player]) for part in parts), counts_of(own))


@holds_for(8, 300, spot=spots(board=(3, 4)))
def test_parts_average_to_the_whole(spot):
    """Combos, classes, categories, and next cards, which are spots of their own."""
    ranges, cards = spot
    result = holdem.equity(*ranges, **cards, method="exact")
    for player in result.players:
        total, by_combo = counts_of(player).sum(), player.by_combo
        for table in (by_combo, player.by_class, player.by_category):
            shares = np.array([record.deals for record in table], dtype=float)
            if table is by_combo:
                shares *= by_combo.weight
            close(shares.sum(), total)
            for name in ("equity", "win", "tie"):
                values = [getattr(record, name) or 0.0 for record in table]
                close(shares @ values, total * getattr(player, name))
    nexts = list(result.by_next_card)
    weights = np.array([record.deals for record in nexts])
    close(weights @ [record.equity for record in nexts] / weights.sum(), result.equities)
    record = nexts[len(nexts) // 2]
    board = [*cards["board"], holdem.Card(record.card)]
    one = holdem.equity(*ranges, board=board, dead=cards["dead"], method="exact")
    close(record.equity, one.equities)


@holds_for(6, 300, spot=spots(board=(5,), weighted=False), data=st.data())
def test_streets_are_means_of_the_next(spot, data):
    """Each street of an explanation is the equity there, the mean over the cards of the next."""
    ranges, cards = spot
    hands = [str(next(iter(held))) for held in ranges]
    held = {card for text in hands for card in holdem.parse_cards(text)}
    if len(held) < 2 * len(hands) or held & {*cards["board"], *cards["dead"]}:
        return
    streets = holdem.explain(*hands, **cards).streets
    for street in streets[1:]:
        result = holdem.equity(*hands, board=street.board, dead=cards["dead"], method="exact")
        close(street.equities, result.equities)
        if len(street.board) < 5:
            nexts = list(result.by_next_card)
            close(np.mean([record.equity for record in nexts], axis=0), street.equities)
    assert set(np.round(np.array(streets[-1].equities) * 6).tolist()) <= {0, 2, 3, 6}


def every_method(spot):
    """Return the exact methods that apply to a spot, also beside the table."""
    methods = [listed.method for listed in EXACT_METHODS]
    return [method for method in methods if method.cost(spot) is not None]


def require_agreement(ranges, cards):
    spot = make_spot(tuple(ranges), **cards)
    methods = every_method(spot)
    results = [run(ExactRun(method(spot)), workers=1) for method in methods]
    for result in results[1:]:
        for one, other in zip(results[0].players, result.players, strict=True):
            close(counts_of(other), counts_of(one))
            close(other.equity, one.equity)
            close(other.by_combo.equity, one.by_combo.equity)
    return [method.name for method in methods]


@holds_for(12, 500, spot=spots(board=(3, 4, 5), players=(2, 3, 4)))
def test_methods_agree(spot):
    """Every exact method that applies gives the same counts, for each combo."""
    assert len(require_agreement(*spot)) >= 2


@holds_for(2, 40, spot=spots(board=(0,), players=(2,), dead=0, weighted=False))
def test_methods_agree_before_the_flop(spot):
    """The table, too, is one of them."""
    assert len(require_agreement(*spot)) >= 2


def test_every_method_is_compared():
    hero, *villains = map(holdem.Range, ("AsKs", "QQ", "JJ"))
    names = {
        *require_agreement([hero, villains[0]], {"board": None}),
        *require_agreement([hero, villains[0]], {"board": [0, 5, 9, 14]}),
        *require_agreement([hero, *villains], {"board": [0, 5, 9, 14]}),
        # Before the flop, others take too long: tests/odds/test_random_opponents.py.
        RandomOpponents.name,
    }
    assert names == {listed.method.name for listed in EXACT_METHODS}


def test_a_wrong_answer_is_found():
    with pytest.raises(AssertionError):
        close([0.5, 0.5 + 1e-9], [0.5, 0.5])
