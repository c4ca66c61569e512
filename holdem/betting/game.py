"""`Game`: one hand of hold'em, played step by step; `Decision`: what a player sees of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from holdem.arguments import checked_integer
from holdem.betting.played_hand import Limit, PlayedHand, PlayedStreet, Pot
from holdem.betting.rounds import BOARD_SIZES, Rounds, positions_in
from holdem.betting.rulebook import (
    CALL,
    FIXED_LIMIT,
    FOLD,
    NO_LIMIT,
    POT_LIMIT,
    SHOWDOWN,
)
from holdem.betting.stakes import hashable, make_stakes
from holdem.cards import DECK, Card, CardsLike, cards_text, parse_cards
from holdem.dealing.seeds import Seed, resolve_seed, stream
from holdem.errors import CardError, HoldemRuntimeError, HoldemTypeError, HoldemValueError, quoted
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_value import HandValue, evaluate
from holdem.evaluation.registry import EvaluatorLike, get_evaluator
from holdem.odds.spot import check_names
from holdem.ranges.starting_hands import hole_percentiles
from holdem.rules import STANDARD

if TYPE_CHECKING:
    from holdem.trials.hand_table import Hand

_LIMITS: dict[int, Limit] = {NO_LIMIT: "no", POT_LIMIT: "pot", FIXED_LIMIT: "fixed"}


class Game:
    """One hand of hold'em with betting, played step by step.

    Positions count from the left of the button: 0 acts first after the flop, and the last one has
    the button. With three seats or more, 0 posts the small blind and 1 the big one. Heads-up, the
    button, 1, posts the small blind and acts first before the flop. All amounts are in the unit of
    the arguments: integers if all of them are, otherwise floats.

    The cards are those of `Deck` with the same seed, dealt seat by seat: two to position 0, two to
    position 1 and so on; then a card is burnt before the flop, the turn and the river. The rules
    and their sources are on the page *The rules of betting*.

    Args:
        stacks: the chips of each position, 2 to 10, before antes and blinds.
        blinds: the small and the big blind, then straddles, in the order of positions; empty for
            none.
        antes: the ante of all, or of each position. The part of an ante that no other seat matches
            is returned, unless `trims_antes` is False: then antes are dead chips of the main pot.
        big_blind_ante: an ante that the big blind posts for all, as dead chips.
        posts: blinds of others by position, such as that of a player who comes late.
        dead_chips: chips by position that belong to the main pot and count for no bet.
        limit: ``"no"``, ``"pot"`` or ``"fixed"``.
        bets: the least bet of each of the four streets; in fixed limit, the bets. By default the
            big blind, before the flop the largest blind or straddle; in fixed limit, twice as much
            on turn and river.
        cap: the most bets and raises of a street, the blind included; 4 by default in fixed limit,
            else any number.
        trims_antes: see `antes`.
        blind_first: a seat that is short of chips posts its blind before its ante.
        full_blind: a short blind must be called in full.
        chip: the smallest chip; by default 1, or the largest 1/n of which all given amounts are
            multiples.
        hand: a hand of `deal` or `simulate`, whose cards are dealt. Its seats are the positions.
        deck: the cards in dealing order, from the top, in place of a seed.
        seed: 0..2^64-1 or a SeedSequence; drawn from the operating system's entropy if None.
        evaluator: ranks the hands at showdown: a name, a spec, or None for the default.
        names: a name for each position, for `hand`; by default ``"p1"`` and so on.

    Raises:
        HoldemValueError: an argument is out of bounds, or does not fit another.
        HoldemTypeError: an argument has the wrong type.
        CardError: `deck` has too few cards, or one twice.

    Example:
        >>> import holdem
        >>> game = holdem.Game(stacks=[200] * 3, blinds=(1, 2), seed=7)
        >>> game.position, game.decision.to_call
        (2, 2)
        >>> game.raise_to(6)
        >>> game.fold()
        >>> game.fold()
        >>> game.is_over, game.net
        (True, (-1, -2, 3))
    """

    def __init__(
        self,
        stacks: Sequence[float],
        blinds: Sequence[float] = (1, 2),
        *,
        antes: float | Sequence[float] = 0,
        big_blind_ante: float = 0,
        posts: Mapping[int, float] | None = None,
        dead_chips: Mapping[int, float] | None = None,
        limit: Limit = "no",
        bets: Sequence[float] | None = None,
        cap: int | None = None,
        trims_antes: bool = True,
        blind_first: bool = False,
        full_blind: bool = True,
        chip: float | None = None,
        hand: Hand | None = None,
        deck: CardsLike | None = None,
        seed: Seed | None = None,
        evaluator: EvaluatorLike | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self._stakes, self._stacks = make_stakes(
            hashable(stacks),
            hashable(blinds),
            antes=hashable(antes),
            big_blind_ante=hashable(big_blind_ante),
            posts=hashable(posts),
            dead_chips=hashable(dead_chips),
            limit=hashable(limit),
            bets=hashable(bets),
            cap=hashable(cap),
            trims_antes=trims_antes,
            blind_first=blind_first,
            full_blind=full_blind,
            chip=hashable(chip),
        )
        self._evaluator = get_evaluator(evaluator)
        self._names = _read_names(names, self.players)
        if sum(source is not None for source in (hand, deck, seed)) > 1:
            raise HoldemTypeError("a game takes its cards from one of hand, deck and seed")
        self._seed = resolve_seed(seed) if hand is None and deck is None else None
        self._cards: list[Card] | None = None
        if hand is not None:
            self._cards = _cards_of(hand, self.players)
        elif deck is not None:
            self._cards = self._lay_out(parse_cards(deck, what="deck"))
        self._require_cards(self._cards)
        self._rounds = Rounds(self._stakes, self._stacks)
        # Street, position and action in chips, in order.
        self._log: list[tuple[int, int, int]] = []
        self._finish()

    # --- cards ---

    @property
    def seed(self) -> int | None:
        """The seed of the cards; None if they were given."""
        return self._seed

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator that ranks the hands."""
        return self._evaluator

    def _deal(self) -> list[Card]:
        """The board, then the hole cards of each position; dealt when they are first seen."""
        if self._cards is None:
            assert self._seed is not None
            deck = self._evaluator.rules.deck
            order = stream(self._seed, "deck").permutation(len(deck))  # as `Deck` shuffles
            self._cards = self._lay_out([DECK[deck[place]] for place in order.tolist()])
        return self._cards

    def _require_cards(self, given: list[Card] | None) -> None:
        """Raise an error if the rules' deck is too small for the seats, or lacks a given card."""
        rules = self._evaluator.rules
        if len(rules.deck) < 2 * self.players + 8:
            raise CardError(
                f"{self.players} positions need {2 * self.players + 8} cards, with the board and"
                f" three burnt ones, and {rules.name} rules have {rules.deck_text}"
            )
        missing = set(given or ()) - set(rules.deck)
        if missing:
            card = DECK[min(missing)]
            raise CardError(f"{card} is not in the deck of {rules.name} rules ({rules.deck_text})")

    def _lay_out(self, deck: Sequence[Card]) -> list[Card]:
        """Deal from the top: two cards a position, then flop, turn and river after a burnt card."""
        holes = 2 * self.players
        if len(deck) < holes + 8:
            raise CardError(
                f"deck: {self.players} positions need {holes + 8} cards, with the board and three"
                f" burnt ones, not {len(deck)}"
            )
        board = (holes + 1, holes + 2, holes + 3, holes + 5, holes + 7)
        return [*(deck[place] for place in board), *deck[:holes]]

    @property
    def holes(self) -> tuple[tuple[Card, Card], ...]:
        """The hole cards of each position, also of those that have folded."""
        cards = self._deal()
        return tuple(zip(cards[5::2], cards[6::2], strict=True))

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards dealt so far; all five once the cards decide."""
        size = 5 if self._rounds.shown else BOARD_SIZES[self._rounds.street]
        return tuple(self._deal()[:size]) if size else ()

    def value(self, position: int) -> HandValue:
        """Rank the best five cards of a position with the board.

        Raises:
            CardError: there is no board yet.
            HoldemValueError: there is no such position.
        """
        position = checked_integer(position, "position", 0, self.players - 1, HoldemValueError)
        if not self.board:
            raise CardError(
                "there are no five cards before the flop; decision.percentile compares hole cards"
            )
        return evaluate([*self.holes[position], *self.board], evaluator=self._evaluator.spec)

    # --- the game ---

    @property
    def players(self) -> int:
        """The number of positions."""
        return self._stakes.players

    @property
    def position(self) -> int | None:
        """The position whose turn it is; None if the game is over."""
        actor = self._rounds.actor
        return None if actor < 0 else actor

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended, and the pots are paid out."""
        return self._rounds.actor < 0

    @property
    def decision(self) -> Decision:
        """What the player whose turn it is can see.

        Raises:
            HoldemValueError: the game is over.
        """
        self._require_turn()
        return Decision(self)

    @property
    def street(self) -> int:
        """0 before the flop, 1 on the flop, 2 on the turn, 3 on the river."""
        return self._rounds.street

    @property
    def pot(self) -> int | float:
        """All chips that are in, bets included; at the end, what was paid out."""
        return self._stakes.amount(self._rounds.pot)

    @property
    def stacks(self) -> tuple[int | float, ...]:
        """The chips behind of each position."""
        return self._amounts(self._rounds.stack)

    @property
    def bets(self) -> tuple[int | float, ...]:
        """The bet of each position on this street."""
        return self._amounts(self._rounds.bet)

    @property
    def live(self) -> tuple[int, ...]:
        """The positions that have not folded."""
        return positions_in(self._rounds.live)

    @property
    def actions(self) -> tuple[tuple[int, int, int | float], ...]:
        """The actions so far: street, position, and -1 for a fold, 0 for a check or call, or the
        total that was raised to.
        """
        amount = self._stakes.amount
        return tuple(
            [(on, who, amount(action) if action > 0 else action) for on, who, action in self._log]
        )

    def fold(self) -> None:
        """Fold the hand of the player whose turn it is.

        Raises:
            HoldemValueError: the game is over.
        """
        self._require_turn()
        self._take(FOLD)

    def call(self) -> None:
        """Check, or call as far as the player's chips go.

        Raises:
            HoldemValueError: the game is over.
        """
        self._require_turn()
        self._take(CALL)

    def raise_to(self, amount: float) -> None:
        """Bet or raise to a total of `amount` on this street.

        Raises:
            HoldemValueError: the game is over, no raise is open, or the amount is out of bounds.
        """
        self._require_turn()
        rounds, stakes = self._rounds, self._stakes
        chips = stakes.chips(amount, "raise_to")
        _, least, most = rounds.bounds()
        if not most:
            raise HoldemValueError(f"raise_to({amount}): {self._why_no_raise()}; call or fold")
        if not least <= chips <= most:
            low, high = stakes.amount(least), stakes.amount(most)
            bounds = f"{low} only" if least == most else f"a total from {low} to {high}"
            raise HoldemValueError(
                f"raise_to({amount}): position {rounds.actor} may raise to {bounds}"
            )
        self._take(chips)

    def act(self, action: float) -> None:
        """Fold (-1), check or call (0), or raise to a total, as strategies answer.

        Raises:
            HoldemValueError: as for `fold`, `call` and `raise_to`.
            HoldemTypeError: the action is not a number.
        """
        _require_number(action)
        if action == FOLD:
            self.fold()
        elif action == CALL:
            self.call()
        else:
            self.raise_to(action)

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots so far, the main pot first; bets of a street that goes on are in none.

        Amounts are exact, as in `hand`: integers or fractions.
        """
        exact = self._stakes.exact_amount
        return tuple([Pot(exact(chips), seats) for chips, seats in self._rounds.pots()])

    @property
    def net(self) -> tuple[int | float, ...]:
        """What each position has won or lost so far, its bets included."""
        return self._amounts(self._net_chips())

    @property
    def hand(self) -> PlayedHand:
        """The hand, as one that is read from a log; of a game that is over.

        Raises:
            HoldemValueError: the game is not over, or has other rules than the standard ones, by
                which a `PlayedHand` is understood.
        """
        if not self.is_over:
            raise HoldemValueError("the hand is not over; its decision is game.decision")
        rules = self._evaluator.rules
        if rules != STANDARD:
            raise HoldemValueError(
                f"a played hand has the standard rules, and this game has {rules.name}"
            )
        rounds, stakes, exact = self._rounds, self._stakes, self._stakes.exact_amount
        cards = self._deal()
        live_on = rounds.live_on
        if rounds.shown:
            live_on = live_on + [(rounds.live, rounds.pot)] * (4 - len(live_on))
        streets = [
            PlayedStreet(tuple(cards[:size]), positions_in(live), exact(pot))
            for size, (live, pot) in zip(BOARD_SIZES, live_on, strict=False)
        ]
        return PlayedHand(
            names=self._names,
            holes=self.holes,
            board=self.board,
            streets=tuple(streets),
            pots=self.pots,
            put=tuple([exact(chips) for chips in self._put]),
            net=tuple([exact(chips) for chips in self._net_chips()]),
            all_in=tuple(cards[: BOARD_SIZES[rounds.all_in]]) if rounds.all_in >= 0 else None,
            big_blind=exact(stakes.big_blind),
            stacks=tuple([exact(chips) for chips in self._stacks]),
            antes=tuple([exact(chips) for chips in stakes.antes]),
            blinds=tuple([exact(chips) for chips in stakes.blinds]),
            dead=tuple([exact(chips) for chips in stakes.dead]),
            opening=exact(stakes.opening),
            trims_antes=stakes.trims,
            limit=_LIMITS[stakes.limit],
            actions=tuple(
                [(street, who, exact(to) if to > 0 else to) for street, who, to in self._log]
            ),
        )

    def copy(self) -> Game:
        """Copy the game with its cards; the copies go on independently."""
        found = Game.__new__(Game)
        found.__dict__.update(self.__dict__)
        self._deal()
        found._cards = self._cards
        found._rounds, found._log = self._rounds.copy(), self._log.copy()
        return found

    __copy__ = copy

    def __repr__(self) -> str:
        board = cards_text(self.board, " ") or "no board"
        turn = "over" if self.is_over else f"position {self.position} to act"
        return f"<Game of {self.players}, {board}, pot {self.pot}: {turn}>"

    def _require_turn(self) -> None:
        if self._rounds.actor < 0:
            raise HoldemValueError("the game is over; no one can act")

    def _why_no_raise(self) -> str:
        rounds, rules = self._rounds, self._stakes
        if 0 <= rules.caps[rounds.street] <= rounds.raises:
            return (
                f"there are {rounds.raises} bets and raises on this street, the most there may be"
            )
        if rounds.stack[rounds.actor] <= rounds.highest - rounds.bet[rounds.actor]:
            return f"position {rounds.actor} has no more chips than a call takes"
        if rounds.acted >> rounds.actor & 1:
            others = [rounds.stack[i] for i in positions_in(rounds.able) if i != rounds.actor]
            if any(others):
                return f"position {rounds.actor} has acted, and has faced no full raise since"
        return "no one has chips to call a raise with"

    def _take(self, action: int) -> None:
        rounds = self._rounds
        self._log.append((rounds.street, rounds.actor, action))
        try:
            rounds.act(action)
            self._finish()
        except BaseException:  # the evaluator fails, or Ctrl-C: the action was not taken
            self._log.pop()
            self._rounds = Rounds(self._stakes, self._stacks)
            for _, _, taken in self._log:
                self._rounds.act(taken)
            raise

    def _finish(self) -> None:
        """Pay out the pots if the cards decide."""
        rounds = self._rounds
        if rounds.actor >= 0:
            return
        self._put = rounds.put()
        if rounds.actor == SHOWDOWN:
            cards, strengths = self._deal(), [0] * self.players
            for seat in positions_in(rounds.live):
                hand = (*cards[:5], *cards[5 + 2 * seat : 7 + 2 * seat])
                strengths[seat] = self._evaluator.strength(hand)
            rounds.award(strengths)

    def _net_chips(self) -> list[int]:
        return [now - then for now, then in zip(self._rounds.stack, self._stacks, strict=False)]

    def _amounts(self, chips: Sequence[int]) -> tuple[int | float, ...]:
        amount = self._stakes.amount
        return tuple([amount(chips[seat]) for seat in range(self.players)])

    def _relative(self, chips: Sequence[int]) -> tuple[int | float, ...]:
        amount, players, actor = self._stakes.amount, self.players, self._rounds.actor
        return tuple([amount(chips[(actor + seat) % players]) for seat in range(players)])


class Decision:
    """What the player whose turn it is can see; a property is computed when it is asked for.

    Amounts are in the unit of the game. `stacks`, `bets` and `live` are relative: item 0 is the
    player who decides, item 1 the next one clockwise, and so on. A decision can be read until the
    player has acted.

    Raises:
        HoldemRuntimeError: a property is read after the player has acted.
    """

    __slots__ = ("_count", "_game")

    FOLD: ClassVar[int] = -1
    """The action that folds."""
    CALL: ClassVar[int] = 0
    """The action that checks or calls; any larger number raises to this number of chips."""

    def __init__(self, game: Game) -> None:
        self._game, self._count = game, len(game._log)

    def _now(self) -> Game:
        if len(self._game._log) != self._count:
            raise HoldemRuntimeError(
                "this decision is over; copy what you need of it before the action, or ask"
                " game.decision again"
            )
        return self._game

    @property
    def position(self) -> int:
        """The position of the player, counted from the left of the button."""
        return self._now()._rounds.actor

    @property
    def street(self) -> int:
        """0 before the flop, 1 on the flop, 2 on the turn, 3 on the river."""
        return self._now()._rounds.street

    @property
    def hole(self) -> tuple[Card, Card]:
        """The player's hole cards."""
        game = self._now()
        return game.holes[game._rounds.actor]

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards that are dealt."""
        return self._now().board

    @property
    def pot(self) -> int | float:
        """All chips that are in, bets of this street included."""
        game = self._now()
        return game._stakes.amount(game._rounds.pot)

    @property
    def winnable(self) -> int | float:
        """The chips that the player can win by calling, the call included.

        What others have put in beyond the player's last chip is not among them, so that
        ``to_call / winnable`` is the price of a call.
        """
        game = self._now()
        rounds = game._rounds
        in_play = [paid + bet for paid, bet in zip(rounds.paid, rounds.bet, strict=True)]
        own = in_play[rounds.actor] + rounds.bounds()[0]
        others = sum(min(chips, own) for chips in in_play) - min(in_play[rounds.actor], own)
        return game._stakes.amount(rounds.dead + others + own)

    @property
    def chip(self) -> int | float:
        """The smallest chip of the game; all amounts are multiples of it."""
        return self._now()._stakes.amount(1)

    @property
    def to_call(self) -> int | float:
        """The chips that a call costs: 0 to check, at most the player's stack."""
        game = self._now()
        return game._stakes.amount(game._rounds.bounds()[0])

    @property
    def highest(self) -> int | float:
        """The bet to call, as a total for this street."""
        game = self._now()
        return game._stakes.amount(game._rounds.highest)

    @property
    def bet(self) -> int | float:
        """The player's bet on this street so far."""
        game = self._now()
        return game._stakes.amount(game._rounds.bet[game._rounds.actor])

    @property
    def stack(self) -> int | float:
        """The player's chips behind."""
        game = self._now()
        return game._stakes.amount(game._rounds.stack[game._rounds.actor])

    @property
    def min_raise(self) -> int | float:
        """The least total to raise to, all-in included; 0 if no raise is open."""
        game = self._now()
        return game._stakes.amount(game._rounds.bounds()[1])

    @property
    def max_raise(self) -> int | float:
        """The largest total to raise to; 0 if no raise is open."""
        game = self._now()
        return game._stakes.amount(game._rounds.bounds()[2])

    @property
    def big_blind(self) -> int | float:
        """The big blind of the game; without blinds, the least bet before the flop."""
        game = self._now()
        return game._stakes.amount(game._stakes.unit)

    @property
    def raises(self) -> int:
        """Bets and raises on this street so far; blinds do not count."""
        return self._now()._rounds.raises

    @property
    def raises_before(self) -> int:
        """Bets and raises on earlier streets."""
        return self._now()._rounds.raises_before

    @property
    def last_raiser(self) -> int | None:
        """Who has raised last in this hand, relative to the player; None if nobody has."""
        game = self._now()
        raiser = game._rounds.raiser
        return None if raiser < 0 else (raiser - game._rounds.actor) % game.players

    @property
    def opponents(self) -> int:
        """The number of other players who have not folded."""
        return self._now()._rounds.live.bit_count() - 1

    @property
    def stacks(self) -> tuple[int | float, ...]:
        """The chips behind of all players, relative to the player."""
        return self._now()._relative(self._game._rounds.stack)

    @property
    def bets(self) -> tuple[int | float, ...]:
        """The bets of all players on this street, relative to the player."""
        return self._now()._relative(self._game._rounds.bet)

    @property
    def live(self) -> tuple[bool, ...]:
        """Whether each player has not folded, relative to the player."""
        game = self._now()
        live, players = game._rounds.live, game.players
        actor = game._rounds.actor
        return tuple([bool(live >> (actor + i) % players & 1) for i in range(players)])

    @property
    def actions(self) -> tuple[tuple[int, int, int | float], ...]:
        """The actions so far, as in `Game.actions`."""
        return self._now().actions

    @property
    def percentile(self) -> float:
        """The share of all hole cards that are not stronger before the flop; 1 for aces."""
        rules = self._now().evaluator.rules
        return float(hole_percentiles(rules)[self.hole])

    @property
    def value(self) -> HandValue:
        """The player's best five cards with the board, from the flop on."""
        game = self._now()
        return game.value(game._rounds.actor)

    def __repr__(self) -> str:
        board = cards_text(self.board, " ") or "no board"
        raises = f", raise to {self.min_raise}..{self.max_raise}" if self.max_raise else ""
        return (
            f"<Decision of position {self.position}: {cards_text(self.hole, ' ')}, {board},"
            f" pot {self.pot}, {self.to_call} to call{raises}>"
        )


def _cards_of(hand: Any, players: int) -> list[Card]:
    seats, board = getattr(hand, "seats", None), getattr(hand, "board", None)
    if seats is None or board is None:
        raise HoldemTypeError(
            "hand: expected a hand of deal or simulate, such as deal(players=6)[0], not"
            f" {quoted(hand)}"
        )
    if len(seats) != players:
        raise HoldemValueError(f"hand: it has {len(seats)} players, and the game {players} stacks")
    return [*board, *(card for seat in seats for card in seat.hole)]


def _require_number(action: Any) -> None:
    is_number = isinstance(action, Real | Decimal | np.number) or (
        isinstance(action, np.ndarray) and action.ndim == 0
    )
    if not is_number or (action < 0 and action != FOLD):
        raise (HoldemValueError if is_number else HoldemTypeError)(
            f"act({quoted(action)}): expected -1 to fold, 0 to check or call, or the total to raise"
            " to"
        )


def _read_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        return tuple([f"p{number}" for number in range(1, players + 1)])
    return check_names(names, players)
