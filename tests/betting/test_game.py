"""`holdem.Game`: rules by hand, errors, cards, and random play by a state machine."""

import copy
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import holdem
from holdem import Game
from holdem.evaluation.evaluator import Evaluator

ROYAL = "AsKs QhJh 2c7d"  # hole cards by position; the board is below
BOARD = "5h 6h 8c 9d 3s"


def deck(holes, board="2h 7h 8c 9d 3s"):
    """A deck in dealing order, with the given hole cards and board."""
    known = holdem.parse_cards(f"{holes} {board}")
    others = [card for card in holdem.Deck() if card not in known]
    hole_cards, (a, b, c, turn, river) = known[:-5], known[-5:]
    return [*hole_cards, others[0], a, b, c, others[1], turn, others[2], river]


def play(game, *actions):
    for action in actions:
        game.act(action)
    return game


def test_positions_and_streets():
    game = Game([200] * 3, blinds=(1, 2), seed=7)
    assert (game.position, game.street, game.bets) == (2, 0, (1, 2, 0))
    play(game, 0, 0)
    assert game.position == 1  # the big blind has the option
    assert game.decision.to_call == 0
    game.call()
    assert (game.position, game.street, len(game.board)) == (0, 1, 3)
    play(game, *[0] * 6)
    assert (game.street, len(game.board)) == (3, 5)
    play(game, *[0] * 3)
    assert game.is_over
    assert sum(game.net) == 0
    assert game.position is None


def test_heads_up_the_button_posts_the_small_blind_and_opens():
    game = Game([200, 200], blinds=(1, 2), seed=7)
    assert (game.position, game.bets) == (1, (2, 1))
    play(game, 0, 0)
    assert game.position == 0


@pytest.mark.parametrize(
    ("arguments", "actions", "expected"),
    [
        # The least raise is the last full bet or raise.
        ({}, [6], (10, 200)),
        ({}, [6, 20], (34, 200)),
        ({"blinds": (1, 2, 4)}, [], (8, 200)),  # a straddle: position 0 acts first
        # A short all-in lowers neither the call nor the least raise.
        ({"stacks": [200, 200, 5, 200]}, [5], (8, 200)),
        # A short big blind must be called in full, and the least raise is to twice as much.
        ({"stacks": [200, 1, 200, 200]}, [], (4, 200)),
        ({"stacks": [200, 1, 200, 200], "full_blind": False}, [], (3, 200)),
        ({"limit": "pot"}, [], (4, 7)),
        ({"limit": "pot"}, [7], (12, 24)),
        # A short blind counts in full for the pot (54B).
        ({"limit": "pot", "stacks": [200, 1, 200, 200]}, [], (4, 7)),
        ({"limit": "fixed"}, [], (4, 4)),
        ({"limit": "fixed"}, [4, 6, 8], (0, 0)),  # the blind and three raises
        ({"limit": "fixed", "cap": 3}, [4, 6], (0, 0)),
        ({"cap": 1}, [], (0, 0)),  # the blind is the one bet
        ({"limit": "fixed"}, [0, 0, 0, 0, 0, 0, 0, 0], (4, 4)),  # the turn has the big bet
        ({"blinds": (), "bets": (3, 3, 3, 3), "antes": 1}, [], (3, 199)),
        ({"antes": [1, 0, 0, 5]}, [], (4, 200)),  # trimmed: nobody matches more than 1
    ],
)
def test_bounds_of_a_raise(arguments, actions, expected):
    arguments = {"stacks": [200] * 4, "seed": 1} | arguments
    found = play(Game(**arguments), *actions).decision
    assert (found.min_raise, found.max_raise) == expected


def test_who_has_acted_may_raise_only_when_facing_a_full_raise():
    """47A; its example has short all-ins that add up to a full raise."""
    game = play(Game([1000, 1000, 1000, 125, 200], blinds=(50, 100), seed=1), 0, 125, 0, 0, 0)
    assert game.decision.max_raise == 0  # position 2 faces 25
    with pytest.raises(holdem.HoldemValueError, match="has faced no full raise since"):
        game.raise_to(300)
    game = play(Game([1000, 1000, 1000, 125, 200], blinds=(50, 100), seed=1), 0, 125, 200, 0, 0)
    assert game.decision.min_raise == 300  # it faces 100 in two short raises


def test_half_a_bet_reopens_in_fixed_limit():
    """47B."""
    for stack, opens in ((5, False), (6, True)):
        game = Game([100, 100, 100, stack], blinds=(2, 4), limit="fixed", seed=1)
        play(game, 0, stack, 0, 0)
        assert bool(game.decision.max_raise) is opens


def test_no_raise_is_open_if_nobody_can_call_one():
    game = play(Game([200, 20, 20], seed=1), 20, 0)
    assert (game.decision.to_call, game.decision.max_raise) == (18, 0)


def test_uncalled_chips_go_back_and_side_pots_are_split_separately():
    """20, 21: odd chips one each from the left of the button, in each side pot."""
    game = Game([5, 11, 11, 200], blinds=(1, 2), deck=deck("AhAd AcTs AsTc KhQd"))
    play(game, 0, 200, 0, 0, 0)
    amounts = [(pot.amount, pot.seats) for pot in game.pots]
    assert amounts == [(20, (0, 1, 2, 3)), (18, (1, 2, 3))]
    assert game.net == (15, -2, -2, -11)


def test_odd_chips():
    game = Game([7, 7, 7, 200], blinds=(1, 2), deck=deck("AhAd KcTs AsAc 4h4d"), antes=0)
    play(game, 7, 0, 0, 0)
    assert game.pots[0].amount == 28
    assert game.net == (7, -7, 7, -7)
    game = Game(
        [5, 5, 200], blinds=(1, 2), deck=deck("AhAd AsAc 4h4d"), antes=[0, 0, 1], trims_antes=False
    )
    play(game, 5, 0, 0)
    assert game.net == (3, 3, -6)
    game = Game([7, 7, 200], blinds=(1, 2), deck=deck("AhAd AsAc 4h4d"))
    play(game, 7, 0, 0)
    assert game.net == (4, 3, -7)  # 21 chips
    game = play(Game([5] * 4, deck=deck("AhKd AsKc AcKh QhJd")), 5, 0, 0, 0)
    assert game.net == (2, 2, 1, -5)  # 20 chips for three


def test_strengths_may_be_negative(own_registrations):
    @holdem.evaluator("below-zero")
    def below_zero(cards):
        return holdem.evaluate([int(card) for card in cards]).strength - 100_000

    for evaluator in (None, below_zero):
        game = play(Game([5, 9], deck=deck("AhAd KcKs"), evaluator=evaluator), 9, 0)
        assert game.net == (5, -5)


def test_folded_chips_above_the_last_level_belong_to_the_last_pot():
    """Antes that differ by seat can leave them: the chips are lost otherwise."""
    antes, bets = [4, 4, 6, 10, 10], (2, 2, 2, 2)
    game = Game([4, 4, 100, 100, 100], blinds=(), bets=bets, antes=antes, seed=1)
    play(game, 5, -1, -1)
    assert [(pot.amount, pot.seats) for pot in game.pots] == [(20, (0, 1, 2)), (14, (2,))]
    assert sum(game.net) == 0
    game = Game([30, 4, 4], blinds=(0, 1), antes=[10, 4, 4], trims_antes=False, seed=1)
    assert game.is_over
    assert sum(game.net) == 0


def test_antes_and_dead_chips():
    game = Game([100] * 3, antes=1, seed=1)
    assert (game.pot, game.stacks) == (6, (98, 97, 99))
    game = Game([100] * 3, big_blind_ante=2, seed=1)
    assert (game.pot, game.stacks) == (5, (99, 96, 100))
    for blind_first, bets in ((False, (1, 1, 0)), (True, (1, 2, 0))):
        game = Game([100, 3, 100], big_blind_ante=2, blind_first=blind_first, seed=1)
        assert game.bets == bets
    game = Game([100] * 4, posts={3: 2}, dead_chips={3: 1}, seed=1)
    assert (game.pot, game.bets) == (6, (1, 2, 0, 2))
    play(game, 0)
    assert game.decision.to_call == 0  # the late player has the option
    play(game, 0, 0, 0)
    assert game.street == 1


def test_a_free_fold_is_a_fold():
    game = play(Game([100] * 3, seed=1), 0, 0, -1)
    assert game.live == (0, 2)


@pytest.mark.parametrize(
    "amount", [np.float32(6), np.int64(6), np.where(True, 6, -1), Decimal(6), Fraction(6)]
)
def test_numbers_of_any_kind(amount):
    assert play(Game([200] * 3, seed=1), amount).bets == (1, 2, 6)


def test_decimal_amounts():
    game = play(Game([20, 20.5], blinds=(0.05, 0.1), seed=1), 0.25)
    assert game.bets == (0.1, 0.25)
    game.fold()
    assert game.net == (-0.1, 0.1)
    assert game.hand.net == (Fraction(-1, 10), Fraction(1, 10))
    assert play(Game([20, 20], chip=0.5, seed=1), 4.5).bets == (2, 4.5)


TINY = holdem.RuleSet(
    "tiny",
    "TJQKA",
    [
        "pair",
        "two pair",
        "three of a kind",
        "straight",
        "full house",
        "four of a kind",
        "straight flush",
    ],
)
ERRORS = [
    (lambda: Game([200]), "stacks: a game has 2 to 10 seats, not 1"),
    (lambda: Game([200] * 11), "stacks: a game has 2 to 10 seats, not 11"),
    (lambda: Game(200), "stacks: expected a list of amounts, not 200"),
    (lambda: Game([200, 0]), "stacks: position 1 has no chips"),
    (lambda: Game([200, -5]), "stacks[1]: '-5' is negative"),
    (lambda: Game([200, float("nan")]), "stacks[1]: NaN is not an amount"),
    (lambda: Game([200, "5"]), "stacks[1]: expected an amount"),
    (lambda: Game([2**31, 5]), "stacks: more than 2^31-1 chips of 1"),
    (lambda: Game([200, 200], blinds=(1, 10**11)), "bets: more than 2^31-1 chips"),
    (lambda: Game([200, True]), "stacks[1]: expected an amount"),
    (lambda: Game([200, 200], seed=1).value(2), "position must be an integer from 0 to 1, not 2"),
    (lambda: Game([200, 200], seed=1).act(np.array([1, 2])), "act("),
    (lambda: Game([200, 200], blinds=5), "blinds: expected a list of amounts"),
    (lambda: Game([200, 200], blinds=(2, 1)), "blinds: (2, 1) must not fall"),
    (
        lambda: Game([200, 200], blinds=(1, 2, 4)),
        "heads-up there are a small and a big blind, and no straddle",
    ),
    (lambda: Game([200, 200], blinds=()), "without blinds, bets=(…)"),
    (lambda: Game([200, 200], bets=(1, 2)), "the least bet of each of the four streets"),
    (lambda: Game([200, 200], antes=(1, 2, 3)), "one for each of 2 seats, not (1, 2, 3)"),
    (lambda: Game([200, 200], antes=(0, 2)), "no other matches, would be returned, in (0, 2)"),
    (lambda: Game([200, 200], antes=1, big_blind_ante=2), "takes the place of antes"),
    (lambda: Game([200, 200], posts={5: 2}), "from 0 to 1, not 5"),
    (lambda: Game([200, 200], posts={0: 2}), "posts: position 0 posts a blind already"),
    (lambda: Game([200, 200], posts=2), "expected amounts by position, as in {3: 2}, not 2"),
    (lambda: Game([200, 200], limit="pots"), "did you mean pot?"),
    (lambda: Game([200, 200], cap=0), "cap must be an integer from 1"),
    (lambda: Game([200, 200], cap=[]), "cap must be an integer from 1"),
    (lambda: Game([200, 200], limit=["no"]), "limit must be text"),
    (lambda: Game([200, 200], chip=[1]), "chip: expected an amount"),
    (lambda: Game([200, Decimal("1e99")]), "1E+99 is not an amount"),
    (lambda: Game([200, 10**400]), "stacks: more than 2^31-1 chips of 1, the largest"),
    (lambda: Game([9] * 10, evaluator="short-deck", deck=holdem.Deck().cards), "not in the deck"),
    (lambda: Game([9] * 10, evaluator=TINY), "28 cards, with the board and three burnt ones, and"),
    (lambda: play(Game([9, 9], evaluator="short-deck"), -1).hand, "has the standard rules"),
    (lambda: Game([200, 200], chip=3), "not all amounts are multiples of 3"),
    (lambda: Game([200, 200], deck="AsAs"), "As appears twice"),
    (lambda: Game([200, 200], deck="AsKs"), "need 12 cards, with the board and three burnt ones"),
    (lambda: Game([200, 200], hand=3), "expected a hand of deal or simulate"),
    (lambda: Game([200, 200], hand=holdem.deal(players=3, seed=1)[0]), "3 players, and the game 2"),
    (lambda: Game([200, 200], deck="AsKs", seed=1), "one of hand, deck and seed"),
    (lambda: Game([200, 200], names=["a"]), "1 name"),
    (lambda: Game([200] * 3, seed=1).raise_to(3), "position 2 may raise to a total from 4 to 200"),
    (lambda: Game([200] * 3, seed=1).raise_to(201), "may raise to a total from 4 to 200"),
    (
        lambda: Game([200] * 3, seed=1).raise_to(4.5),
        "4.5 is not a multiple of 1, the smallest chip",
    ),
    (lambda: Game([200] * 3, seed=1).raise_to(float("inf")), "is not an amount"),
    (lambda: Game([200] * 3, seed=1).raise_to(None), "expected an amount, such as 2 or 0.5"),
    (lambda: Game([200] * 3, limit="fixed", seed=1).raise_to(5), "may raise to 4 only"),
    (lambda: Game([200] * 3, seed=1).act(-2), "act(-2): expected -1 to fold, 0 to check or call"),
    (lambda: Game([200] * 3, seed=1).act(None), "act(None): expected -1 to fold"),
    (lambda: Game([200] * 3, seed=1).act("fold"), "act('fold'): expected -1 to fold"),
    (lambda: Game([200] * 3, seed=1).act(float("nan")), "NaN is not an amount"),
    (lambda: play(Game([200, 200], seed=1), -1).call(), "the game is over; no one can act"),
    (lambda: play(Game([200, 200], seed=1), -1).decision, "the game is over"),
    (lambda: Game([200, 200], seed=1).hand, "the hand is not over"),
    (lambda: Game([200, 200], seed=1).decision.value, "there are no five cards before the flop"),
    (lambda: play(Game([20, 200], seed=1), 30).raise_to(50), "no more chips than a call takes"),
    (lambda: play(Game([200, 20], seed=1), 20).raise_to(50), "no one has chips to call a raise"),
    (
        lambda: play(Game([200, 200], limit="fixed", seed=1), 4, 6, 8).raise_to(10),
        "3 bets and raises on this street, the most there may be",
    ),
]


@pytest.mark.parametrize(("ask", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_errors(ask, message):
    with pytest.raises(holdem.HoldemError) as caught:
        ask()
    assert message in str(caught.value)


def test_blinds_above_the_stacks_and_stacks_below_the_ante():
    game = Game([1, 1], blinds=(5, 10), seed=1)
    assert game.is_over
    assert sorted(game.net) in ([-1, 1], [0, 0])
    game = Game([1, 100, 100], antes=2, seed=1)
    assert game.pots[0].amount == 3
    assert sum(play(game, -1).net) == 0
    assert game.is_over


def test_cards():
    """They are those of a deck of the same seed, of a hand that was dealt, or of one's own deck."""
    game = Game([200, 200], seed=5)
    cards = holdem.Deck(seed=5).cards
    assert game.holes == (cards[:2], cards[2:4])
    while not game.is_over:
        game.call()
    assert game.board == (*cards[5:8], cards[9], cards[11])
    dealt = holdem.deal("AA", players=3, seed=2)[0]
    game = Game([200] * 3, hand=dealt)
    assert game.holes == tuple(seat.hole for seat in dealt.seats)
    assert Game([200] * 2, seed=1, evaluator="short-deck").holes[0][0].rank >= 4
    assert Game([200] * 2).seed != Game([200] * 2).seed


def test_a_hand_of_a_game_is_a_played_hand():
    game = Game([50, 200, 100], deck=deck("AhAd KcKs QsQc"), names=["ann", "bob", "cy"])
    play(game, 6, 50, 0, -1)
    hand = game.hand
    assert isinstance(hand, holdem.PlayedHand)
    assert hand.names == ("ann", "bob", "cy")
    assert hand.all_in == ()
    assert [len(street.board) for street in hand.streets] == [0, 3, 4, 5]
    assert hand.streets[0].seats == (0, 1, 2)
    assert hand.streets[1].seats == hand.live == (0, 1)
    assert hand.put == (50, 50, 6)
    assert hand.net == game.net == (56, -50, -6)
    assert hand.equities()[1, 2] != hand.equities()[1, 2]  # NaN


def test_a_decision():
    game = play(Game([200, 100, 50, 200], seed=3), 6, 0, 20)
    decision = game.decision
    assert (decision.position, decision.to_call, decision.highest) == (1, 18, 20)
    assert (decision.pot, decision.stack, decision.bet) == (34, 98, 2)
    assert decision.stacks == (98, 44, 194, 180)
    assert decision.bets == (2, 6, 6, 20)
    assert decision.live == (True,) * 4
    assert (decision.raises, decision.raises_before, decision.last_raiser) == (2, 0, 3)
    assert decision.actions == ((0, 2, 6), (0, 3, 0), (0, 0, 20))
    assert decision.hole == game.holes[1]
    assert "18 to call, raise to 34..100" in repr(decision)
    game.fold()
    with pytest.raises(holdem.HoldemRuntimeError, match="this decision is over"):
        _ = decision.pot
    play(game, -1, 0)
    assert game.decision.value == holdem.evaluate([*game.decision.hole, *game.board])
    assert (game.decision.raises, game.decision.raises_before) == (0, 2)


def test_the_price_of_a_call():
    """Only what the player can win counts; dead chips and earlier streets do."""
    decision = play(Game([200, 40], seed=1), 0, 200).decision
    assert (decision.to_call, decision.pot, decision.winnable) == (38, 202, 80)
    decision = play(Game([200, 40, 100], seed=1, big_blind_ante=2), 0, 0, 0, 50, 0).decision
    assert (decision.to_call, decision.winnable) == (50, 2 + 6 + 36 + 100)
    game = Game([10, 10], blinds=(0.1, 0.1 + 0.2), chip=0.05, seed=1)
    assert (game.decision.chip, game.decision.winnable) == (0.05, 0.6)
    game.raise_to(3 * 0.2)
    assert game.bets == (0.3, 0.6)


def test_percentiles_of_hole_cards():
    found = {}
    for hole in ("AsAh", "KsKh", "7c2d", "3c2d"):
        game = Game([9, 9], deck=deck(f"{hole} 4h4d"))
        game.call()
        found[hole] = game.decision.percentile
    assert found["AsAh"] == 1
    assert found["KsKh"] == pytest.approx(1 - 6 / 1326)
    assert found["3c2d"] == pytest.approx(12 / 1326)
    assert 0 < found["7c2d"] < 0.1


def test_copies_go_on_independently():
    game = play(Game([200] * 3), 6)
    other = game.copy()
    other.fold()
    game.call()
    assert (game.position, other.position) == (1, 1)
    assert (game.pot, other.pot) == (14, 9)
    assert game.holes == other.holes
    third = copy.copy(game)
    third.fold()
    assert game.position == 1


def test_an_action_that_fails_is_not_taken(monkeypatch):
    """The evaluator raises at showdown, or Ctrl-C comes: the game stays as it was."""
    game = play(Game([9, 9], seed=1), *[0] * 7)

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Evaluator, "strength", interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.call()
    assert (game.position, game.street, game.stacks) == (1, 3, (7, 7))
    game.call()
    assert game.is_over
    assert sum(game.net) == 0


@given(
    stacks=st.lists(st.integers(1, 90), min_size=2, max_size=10),
    blinds=st.sampled_from([(1, 2), (5, 5), (0, 3), (10, 20)]),
    limit=st.sampled_from(["no", "pot", "fixed"]),
)
def test_a_hand_has_an_end(stacks, blinds, limit):
    """Of raises, all but one a seat add a least bet; each, and each street, is followed by all."""
    game = Game(stacks, blinds, limit=limit, cap=1000, seed=1)
    raises, count = max(stacks) // blinds[1] + len(stacks), 0
    while not game.is_over:
        least = game.decision.min_raise
        game.raise_to(least) if least else game.call()
        count += 1
    assert count <= len(stacks) * (raises + 4)


class Play(RuleBasedStateMachine):
    """Random games: chips are conserved, copies agree, and a hand ends."""

    @initialize(
        stacks=st.lists(st.integers(1, 300), min_size=2, max_size=10),
        blinds=st.sampled_from([(1, 2), (5, 5), (0, 3), (10, 20)]),
        ante=st.integers(0, 4),
        limit=st.sampled_from(["no", "pot", "fixed"]),
        seed=st.integers(0, 1000),
    )
    def begin(self, stacks, blinds, ante, limit, seed):
        self.game = Game(stacks, blinds, antes=ante, limit=limit, seed=seed)
        self.total = sum(stacks)
        self.count = 0

    @precondition(lambda self: not self.game.is_over)
    @rule(draw=st.floats(0, 1), kind=st.sampled_from(["fold", "call", "call", "raise", "raise"]))
    def act(self, draw, kind):
        game, decision = self.game, self.game.decision
        other = game.copy()
        assert 0 <= decision.to_call <= decision.stack
        if kind == "raise" and decision.max_raise:
            low, high = decision.min_raise, decision.max_raise
            action = low + int(draw * (high - low))
        else:
            action = -1 if kind == "fold" else 0
        for each in (game, other):
            each.act(action)
        assert (game.stacks, game.pot, game.position) == (other.stacks, other.pot, other.position)
        self.count += 1

    @precondition(lambda self: self.game.is_over)
    @rule()
    def look(self):
        assert self.game.hand.net == self.game.net

    @invariant()
    def chips_are_conserved(self):
        if not hasattr(self, "game"):
            return
        game = self.game
        in_play = 0 if game.is_over else game.pot
        assert sum(game.stacks) + in_play == self.total
        assert min(game.stacks) >= 0
        assert sum(pot.amount for pot in game.pots) <= game.pot
        if game.is_over:
            assert sum(pot.amount for pot in game.pots) == game.pot
            assert sum(game.net) == 0


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=100, stateful_step_count=60, deadline=None)
