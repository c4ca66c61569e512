"""The public function `explain` and its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np

from holdem import rules
from holdem.cards import DECK, Card, CardsLike
from holdem.errors import SpotError, quoted
from holdem.evaluation.hand_value import HandValue, evaluate
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.stopwatch import Stopwatch
from holdem.odds.equity import make_query
from holdem.odds.result import name_players
from holdem.odds.spot import BOARD_SIZE, PlayerLike, Spot, make_spot, seat_label
from holdem.ranges.combos import Combo, combo_at
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import EvaluatorLabel, shown, shown_property, to_json
from holdem.rules import RANK_NAMES, RANK_PLURALS, HandClass

#: Streets by the number of board cards.
STREETS = {0: "before the flop", 3: "flop", 4: "turn", 5: "river"}
# All that a board can be, also while a flop is turned over card by card.
_FLOP = 3
_BOARDS = STREETS | {1: "first card", 2: "second card"}

_KICKERS = ("first kicker", "second kicker", "third kicker", "fourth kicker")
# The parts of a hand of each category, in the order of `HandClass.ranks`.
_PARTS = {
    rules.HIGH_CARD: ("high card", *_KICKERS),
    rules.PAIR: ("pair", *_KICKERS),
    rules.TWO_PAIR: ("higher pair", "lower pair", "kicker"),
    rules.THREE_OF_A_KIND: ("three of a kind", *_KICKERS),
    rules.STRAIGHT: ("high card",),
    rules.FLUSH: ("high card", "second card", "third card", "fourth card", "fifth card"),
    rules.FULL_HOUSE: ("three of a kind", "pair"),
    rules.FOUR_OF_A_KIND: ("four of a kind", "kicker"),
    rules.STRAIGHT_FLUSH: ("high card",),
    rules.FIVE_OF_A_KIND: ("five of a kind",),
}

# The number of cards in each part; 1 in all others.
_SIZES = {
    "pair": 2,
    "higher pair": 2,
    "lower pair": 2,
    "three of a kind": 3,
    "four of a kind": 4,
    "five of a kind": 5,
}
_DEUCE = 0


@attrs.frozen
class ExplainedPlayer:
    """One player's hand in an `Explanation`, with its value and its outs."""

    _first = ("player_name", "hole", "category", "name", "best", "rank_class")

    hole: Combo = attrs.field(metadata=shown(head="cards"))
    value: HandValue | None = attrs.field(metadata=shown(in_json=False, in_columns=False))
    """The hand with the board: its name, category and best five cards; None before the flop."""
    outs: tuple[Card, ...] = attrs.field(metadata=shown(in_text=False))
    """The next cards that make this hand the only best one, highest first. Empty for a player who
    is ahead alone, and before the flop and on the river."""
    player_name: str | None = attrs.field(
        default=None, metadata=shown(is_optional=True, in_text=False)
    )
    """The name of the player, if names were given."""

    def to_dict(self) -> dict[str, Any]:
        """Convert the player to a JSON object."""
        return to_json(self)

    @property
    @shown_property(in_text=False)
    def category(self) -> str | None:
        """The category of the hand, such as ``"pair"``; None before the flop."""
        return None if self.value is None else self.value.category

    @property
    @shown_property(head="hand")
    def name(self) -> str | None:
        """The name of the hand, such as ``"Pair, Queens"``; None before the flop."""
        return None if self.value is None else self.value.name

    @property
    @shown_property(head="best five")
    def best(self) -> tuple[Card, ...]:
        """The five cards of the hand that count, strongest first; empty before the flop."""
        return () if self.value is None else self.value.best

    @property
    @shown_property(in_text=False)
    def rank_class(self) -> int | None:
        """The number of the hand's strength class, 1 for the strongest; None before the flop."""
        return None if self.value is None else self.value.rank_class


@attrs.frozen
class StreetEquity:
    """The players' equities on one street."""

    street: str
    """``"before the flop"``, ``"flop"``, ``"turn"`` or ``"river"``."""
    board: tuple[Card, ...]
    """The board cards known on the street."""
    equities: tuple[float, ...] | None
    """The exact equity of each player; None if it would take too long to compute."""

    def to_dict(self) -> dict[str, Any]:
        """Convert the street to a JSON object."""
        return to_json(self)


@attrs.frozen(repr=False)
class Explanation(Result, Plottable):
    """The result of `explain`: who wins between known hands, and why.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.equity_report:explanation_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:explanation_chart"

    _first = ("street",)

    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""
    winners: tuple[int, ...]
    """The indices of the players with the best hand so far, from 0; empty before the flop."""
    decided_by: str
    """The part of the hands that decides between the winners and the best other hand:
    ``"category"``, or a part with its rank, such as ``"pair, Queens"`` or ``"third kicker,
    Nine"``. If all hands tie, ``"tie"`` or ``"tie, the board plays"``. Empty before the flop."""
    deciding_cards: tuple[Card, ...]
    """The winner's cards that decide: all five if the category does; empty for a tie and before the
    flop. Of several winners, those of the first."""
    sentence: str
    """An English sentence that says who wins, or is ahead, and why."""
    players: tuple[ExplainedPlayer, ...]
    streets: tuple[StreetEquity, ...]
    """The equities on each street so far."""

    @property
    @shown_property()
    def street(self) -> str:
        """The current street: ``"before the flop"``, ``"flop"``, ``"turn"`` or ``"river"``.

        On a board of one or two cards, ``"first card"`` or ``"second card"``.
        """
        return _BOARDS[len(self.board)]

    def __repr__(self) -> str:
        return f"<Explanation: {self.sentence}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the result to the dictionary that ``holdem explain -f json`` prints."""
        return {"schema": "holdem/explanation/1", **to_json(self)}


def explain(
    *players: PlayerLike,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
    names: Sequence[str] | None = None,
) -> Explanation:
    """Explain which of the known hands wins, with which five cards, and what decides the outcome.

    If cards are still to come, the result says who is ahead, and lists the next cards that put
    another player ahead.

    Args:
        *players: the hole cards of 2 to 10 players, each two cards, as text or a sequence, or
            a `Range` of one combo.
        board: up to five cards.
        dead: cards out of play.
        workers: the number of threads; all cores if None. The answer does not depend on it.
        evaluator: a name, an `EvaluatorSpec` or a `RuleSet`; None for the default evaluator.
        progress: show a progress bar on standard error.
        names: a name for each player, such as ``["BTN", "BB"]``, for the sentence, tables, charts
            and JSON.

    Returns:
        The winners, each player's hand, what decided, and the equities street by street.

    Raises:
        SpotError: there are fewer than two players, a player has a range of several combos, or no
            deal is possible.
        HoldemError: another argument is invalid.
        Interrupted: Ctrl-C was pressed.

    Example:
        >>> import holdem
        >>> result = holdem.explain("AsKs", "QdQh", board="Td9d2c5h3s")
        >>> result.winners, str(result).splitlines()[5]
        ((1,), "Player 2 wins with Pair, Queens, which beats player 1's High Card, Ace.")
    """
    if len(players) < 2:
        raise SpotError(
            f"explain needs 2 to 10 players, not {len(players)}, each with two known cards, as in"
            " AsKs QdQh"
        )
    spot = make_spot(players, board, dead, evaluator, names=names)
    _require_known_hands(spot)
    stopwatch = Stopwatch()
    holes = [combo_at(int(live[0])) for live in spot.live]
    hands, decision = [], None
    if len(spot.board) >= _FLOP:
        hands = [evaluate((*hole, *spot.board), evaluator=spot.evaluator) for hole in holes]
        decision = decide(hands, board_plays=_does_board_play(spot, hands), names=spot.names)
    winners = decision.winners if decision else ()
    outs = _find_outs(spot, winners)
    streets = tuple(
        _compute_street(spot, size, workers, progress=progress)
        for size in sorted({*STREETS, len(spot.board)})
        if size <= len(spot.board)
    )
    return Explanation(
        players=tuple(
            ExplainedPlayer(
                hole,
                hands[number] if hands else None,
                outs[number],
                spot.name(number),
            )
            for number, hole in enumerate(holes)
        ),
        winners=winners,
        decided_by=decision.decided_by if decision else "",
        deciding_cards=decision.cards if decision else (),
        sentence=_write_sentence(spot, hands, decision, streets[-1].equities),
        streets=streets,
        board=spot.board,
        dead=spot.dead,
        evaluator=spot.evaluator.label,
        elapsed=stopwatch.elapsed,
    )


def _require_known_hands(spot: Spot) -> None:
    for number, (own, text) in enumerate(zip(spot.ranges, spot.texts, strict=True)):
        if len(own) > 1:
            raise SpotError(
                f"{seat_label(number, spot.players)}{quoted(text)} is {len(own):,} combos, and"
                f" explain needs two known cards, such as {next(iter(own))}"
            )


def _does_board_play(spot: Spot, hands: list[HandValue]) -> bool:
    """Check whether the board is complete and no player has a better hand than the board itself."""
    if spot.to_come:
        return False
    return max(hands) == evaluate(spot.board, evaluator=spot.evaluator)


def _find_outs(spot: Spot, winners: tuple[int, ...]) -> list[tuple[Card, ...]]:
    """Find the outs of each player: the next cards that give the player alone the best hand.

    `winners` have the best hand so far. The highest card is first. There are none for a player who
    is ahead alone, and for all players before the flop is complete and on the river.
    """
    if len(spot.board) < _FLOP or not spot.to_come:
        return [()] * spot.players
    cards = spot.board_cards[::-1]
    hands = np.empty((len(cards), spot.players, len(spot.board) + 3), dtype=np.uint8)
    hands[:, :, 0] = cards[:, None]
    hands[:, :, 1:3] = spot.known
    hands[:, :, 3:] = spot.board
    ranked = spot.evaluator.ranker.rank(hands.reshape(-1, hands.shape[2]), None)
    strengths = ranked.reshape(hands.shape[:2])
    leads = strengths == strengths.max(axis=1, keepdims=True)
    leads &= leads.sum(axis=1, keepdims=True) == 1
    return [
        () if (player,) == winners else tuple(DECK[card] for card in cards[leads[:, player]])
        for player in range(spot.players)
    ]


def _compute_street(spot: Spot, size: int, workers: int | None, *, progress: bool) -> StreetEquity:
    """Compute the exact equities with the first `size` board cards; None if too costly."""
    query = make_query(
        *spot.ranges,
        board=spot.board[:size],
        dead=spot.dead,
        workers=workers,
        evaluator=spot.evaluator,
    )
    equities = None
    if query.plan.method == "exact":
        equities = tuple(query.answer(progress=progress).equities.tolist())
    return StreetEquity(_BOARDS[size], spot.board[:size], equities)


def _write_sentence(
    spot: Spot,
    hands: list[HandValue],
    decision: Decision | None,
    equities: tuple[float, ...] | None,
) -> str:
    if decision is None:
        return _write_preflop_sentence(equities, spot.names)
    one = len(decision.winners) == 1
    if len(spot.board) == BOARD_SIZE:
        verb = "wins" if one else "split the pot"
    else:
        street = STREETS[len(spot.board)]
        verb = f"is ahead on the {street}" if one else f"are level on the {street}"
    name = hands[decision.winners[0]].name
    return f"{_begin_sentence(decision.winners, spot.names)} {verb} with {name}{decision.reason}."


def _write_preflop_sentence(equities: tuple[float, ...] | None, names: Sequence[str] | None) -> str:
    if equities is None:
        return "No hand is complete before the flop."
    best = max(equities)
    leaders = [player for player, equity in enumerate(equities) if equity == best]
    verb = "has" if len(leaders) == 1 else "have"
    return f"{_begin_sentence(leaders, names)} {verb} the best equity, {100 * best:.2f} %."


def _begin_sentence(players: Sequence[int], names: Sequence[str] | None) -> str:
    phrase = name_players(players, names)
    return phrase.capitalize() if names is None else phrase


@attrs.frozen
class Decision:
    """The outcome of comparing several hands: the winners, and the part of the hand that decides.

    A part is, for example, the pair or the second kicker.
    """

    winners: tuple[int, ...]
    """The indices of the strongest hands."""
    decided_by: str
    """``"category"``, a part of the hand with its rank, such as ``"third kicker, Nine"``,
    ``"tie"`` or ``"tie, the board plays"``."""
    cards: tuple[Card, ...]
    """The first winner's cards that decide, as in `Explanation.deciding_cards`; wild cards that
    complete the deciding part are included."""
    reason: str
    """The end of a sentence such as "Player 1 wins with Pair, Queens", without the full stop, as in
    ``", which beats player 2's High Card, Ace"``."""


def decide(
    hands: Sequence[HandValue], *, board_plays: bool, names: Sequence[str] | None = None
) -> Decision:
    """Compare hands ranked by one evaluator, and find what decides the showdown.

    `board_plays` says that no player has a better hand than the five cards of the board.
    """
    best = max(hands)
    winners = tuple(number for number, hand in enumerate(hands) if hand == best)
    others = [hand for hand in hands if hand != best]
    if not others:
        decided_by = "tie, the board plays" if board_plays else "tie"
        equal = "the board plays" if board_plays else "their best five cards have equal ranks"
        return Decision(winners, decided_by, (), f": {equal}")
    second = max(others)
    rivals = tuple(number for number, hand in enumerate(hands) if hand == second)
    against = f"{name_players(rivals, names)}'s {second.name}"
    if best.category != second.category:
        return Decision(winners, "category", best.best, f", which beats {against}")
    part, rank, other = _find_first_difference(best.hand_class, second.hand_class)
    ranks = RANK_NAMES if part.endswith(("card", "kicker")) else RANK_PLURALS
    return Decision(
        winners,
        f"{part}, {ranks[rank]}",
        _find_deciding_cards(best, part, rank),
        f" over {against}: the {part} decides, {ranks[rank]} against {ranks[other]}",
    )


def _find_first_difference(best: HandClass, second: HandClass) -> tuple[str, int, int]:
    """Find the first part, such as a pair or kicker, in which two hands of one category differ.

    The answer is its name, and the ranks 0..12 of `best` and of `second` in it.
    """
    pairs = zip(_PARTS[best.category], best.ranks, second.ranks, strict=False)
    return next((part, rank, other) for part, rank, other in pairs if rank != other)


def _find_deciding_cards(hand: HandValue, part: str, rank: int) -> tuple[Card, ...]:
    """Find the cards that form a part of a hand of the given rank, 0..12; wild cards come last."""
    natural = tuple(card for card in hand.best if card.rank == rank)
    if rank == _DEUCE or not hand.evaluator.rules.deuces_wild:
        return natural
    wild = tuple(card for card in hand.best if card.rank == _DEUCE)
    return (natural + wild)[: _SIZES.get(part, 1)]
