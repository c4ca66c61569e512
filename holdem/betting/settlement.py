"""`settle`, which divides pots by equity, and computes the exact variance of each seat's chips."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from numbers import Real
from typing import Any, ClassVar, NamedTuple, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable
from holdem.betting.played_hand import Pot
from holdem.cards import DECK_SIZE, Card, CardArray, read_only
from holdem.errors import (
    CardError,
    EvaluatorError,
    HoldemError,
    HoldemTypeError,
    HoldemValueError,
    SpotError,
    counted,
    quoted,
)
from holdem.evaluation.builtin.lookup import rank_strength, strength
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, CARD_MASKS, StrengthTable
from holdem.evaluation.registry import EvaluatorLike, get_evaluator
from holdem.jit.kernels import inlined, interruptible, kernel, popcount, unowned
from holdem.odds.exact.boards_by_ranks import (
    Dealt,
    allocate_dealt,
    correct_for_flushes,
    count_by_ranks,
    deal_matchup,
    find_many_flushes,
)
from holdem.odds.exact.matchup_method import list_deck
from holdem.odds.exact.ranked_combos import sum_cards
from holdem.odds.many_spots.column_readers import (
    NO_PLAYER,
    PlayerReader,
    make_card_sets,
    pad_cards,
    read_cards,
    read_dead,
)
from holdem.odds.many_spots.columns import Column, is_per_spot, normalize_column
from holdem.odds.tally import SHARE_UNIT, share_units, update_winners
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS
from holdem.results.base_result import Result
from holdem.rules import MAX_PLAYERS, RuleSet

#: An amount, or one for each situation, and the seats that can win it.
PotLike: TypeAlias = "tuple[Any, Any] | Pot"

_MOST_CHIPS = 1e100  # of a pot; the square of more could overflow
_ROWS = 1 << 14  # situations in one call of a kernel: Ctrl-C is noticed between the calls
_MOST_TALLIES = 1 << 24  # in memory at once: 128 MB


@attrs.frozen(eq=False, repr=False)
class Settlement(Result):
    """The expected chips of each seat and their variance, over all runouts; made by `settle`."""

    _report: ClassVar[str] = "holdem.report.settlement_report:settlement_report"

    shares: NDArray[np.float64]
    """The expected chips of each seat, ``float64 (seat,)``; ``float64 (situation, seat)`` if
    `settle` was called with columns."""
    variance: NDArray[np.float64]
    """The variance of the chips of each seat, in squares of chips, in the shape of `shares`. One
    board decides all pots, so the correlation of the pots is included."""

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation of the chips of each seat, in the shape of `shares`."""
        return read_only(np.sqrt(self.variance))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settlement):
            return NotImplemented
        pairs = (self.shares, other.shares), (self.variance, other.variance)
        return all(np.array_equal(own, its) for own, its in pairs)

    def __hash__(self) -> int:
        return hash(self.shares.shape)

    def __repr__(self) -> str:
        if self.shares.ndim == 2:
            return f"<Settlement of {counted(len(self.shares), 'situation')}>"
        each = zip(self.shares.tolist(), self.deviations.tolist(), strict=True)
        return "<Settlement: " + ", ".join(f"{own:.6g} ± {sd:.4g}" for own, sd in each) + ">"

    def to_dict(self) -> dict[str, Any]:
        """Convert the settlement to a JSON object of the schema ``holdem/settlement/1``."""
        return {
            "schema": "holdem/settlement/1",
            "shares": self.shares.tolist(),
            "variance": self.variance.tolist(),
        }


def settle(
    pots: Sequence[PotLike],
    holes: Sequence[Column],
    board: Column = None,
    dead: Column = None,
    evaluator: EvaluatorLike | None = None,
) -> Settlement:
    """Divide pots by equity: compute the expected chips of each seat, and their variance.

    All runouts of the board are counted, and on each of them every pot is divided between the best
    hands of the seats that can win it. Expectations and variances are therefore exact, over all
    pots together, except for the rounding of the last digit.

    Many situations can be settled in one call, as in `holdem.equities`: each amount, hole, board
    and set of dead cards is either a column with a value for each situation, or a single value for
    all of them. A situation in columns takes about 15 µs on the flop, less on the turn and the
    river, and 0.3 to 1 ms before the flop.

    Args:
        pots: pairs of an amount of chips and the numbers of the seats, from 0, that can win it; or
            the pots of a `PlayedHand`, whose rake is not shared out.
            In columns, the amount may be an array, ``(situation,)``, and the seats may be
            ``bool (situation, seat)``; a pot of 0 chips is ignored.
        holes: two cards for each of 1 to 10 seats; None for a seat that can't win any pot and has
            unknown cards. The known cards of such a seat are dead.
        board: 0, 3, 4 or 5 cards; None is a board without cards.
        dead: other cards out of play, such as ``"2c3c"``; a list of texts is a column.
        evaluator: a name, a spec, a rule set, or None for the default. Rules with wild cards are
            not supported.

    Returns:
        The expected chips and their variance. The shares add up to the pots.

    Raises:
        SpotError: a pot without seats or with an invalid amount, a seat without known cards that
            can win a pot, or a board of another size.
        CardError: a card does not exist, is not in the deck, or appears twice.
        EvaluatorError: the evaluator cannot be used.
        HoldemTypeError: an argument of an unsupported type.
        HoldemValueError: columns have different lengths.

    Example:
        >>> import holdem
        >>> pots = [(3, (0, 1, 2)), (4, (0, 1))]
        >>> result = holdem.settle(pots, ["AsKs", "QdQh", "7c7d"], board="Td9d2c")
        >>> result.shares.round(3)
        array([1.565, 5.12 , 0.316])
    """
    table, rules = _find_table(evaluator)
    situations = _read_situations(pots, holes, board, dead, rules)
    shares, variance = settle_situations(situations, table)
    if not situations.is_column:
        shares, variance = shares[0], variance[0]
    return Settlement(read_only(shares), read_only(variance))


@attrs.frozen(eq=False)
class Situations:
    """Arrays with the pots, hole cards, boards and dead cards of many situations to settle."""

    amounts: NDArray[np.float64]
    """The chips of each pot, ``float64 (situation, pot)``."""
    winners: NDArray[np.bool_]
    """Whether a seat can win a pot, ``bool (situation, pot, seat)``. A pot of more than 0 chips has
    at least one such seat."""
    combos: NDArray[np.int32]
    """The combo number of each seat; negative for unknown cards, ``int32 (situation, seat)``."""
    boards: CardArray
    """The known board cards, followed by `NO_CARD`, ``uint8 (situation, 5)``."""
    sizes: NDArray[np.int8]
    """The number of known board cards, ``int8 (situation,)``."""
    gone: NDArray[np.uint64]
    """The card set of the board, the dead cards and the cards outside the deck, without the hole
    cards, ``uint64 (situation,)``."""
    is_column: bool = True
    """Whether any argument of `settle` was a column, so that its result has an axis of situations.
    """


def _find_table(evaluator: EvaluatorLike | None) -> tuple[StrengthTable, RuleSet]:
    """Look up an evaluator; return its strength table for seven-card hands and its rule set."""
    found = get_evaluator(evaluator)
    if found.rules.deuces_wild:
        raise EvaluatorError(
            f"pots are not settled by {found.rules.name} rules, which have wild cards; use an"
            " evaluator of other rules, such as standard or short-deck"
        )
    tables = found.ranker.tables
    if tables is None:
        raise EvaluatorError(
            "pots are settled by the tables of a rule set, which a direct evaluator does not use;"
            " leave out direct=True"
        )
    return tables.seven, found.rules


def settle_situations(
    given: Situations, table: StrengthTable | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the expected chips of each seat, and their variance in squares of chips.

    Both are ``float64 (situation, seat)``. The situations are not checked. The table ranks
    seven-card hands; None for the default evaluator.
    """
    if table is None:
        table, _ = _find_table(None)
    shares = np.zeros(given.combos.shape)
    variance = np.zeros(given.combos.shape)
    is_pot = given.amounts > 0
    winners = given.winners & is_pot[:, :, None]
    is_live = np.asarray(winners.any(axis=1))
    counts = is_live.sum(axis=1)
    # The kernels take situations with equal numbers of board cards, live seats and pots.
    kinds = np.stack([given.sizes.astype(np.intp), counts, is_pot.sum(axis=1)], axis=1)
    for kind in np.unique(kinds, axis=0).tolist():
        found = np.flatnonzero((kinds == kind).all(axis=1))
        size, seats, pots = kind
        most = max(1, min(_ROWS, _MOST_TALLIES // (max(pots, 1) << seats)))
        for start in range(0, len(found), most) if pots else ():
            rows = found[start : start + most]
            live = np.argsort(~is_live[rows], axis=1, kind="stable")[:, :seats]
            own = np.argsort(~is_pot[rows], axis=1, kind="stable")[:, :pots]
            amounts = np.take_along_axis(given.amounts[rows], own, axis=1)
            can_win = winners[rows[:, None, None], own[:, :, None], live[:, None, :]]
            found_shares, found_variance = _settle_alike(
                table,
                amounts,
                can_win,
                given.combos[rows[:, None], live],
                given.boards[rows, :size],
                given.gone[rows] | _held_by_others(given.combos[rows], is_live[rows]),
            )
            shares[rows[:, None], live] = found_shares
            variance[rows[:, None], live] = found_variance
    return shares, variance


def _held_by_others(combos: NDArray[np.int32], is_live: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Build the set of the known hole cards of seats that can win no pot, ``uint64 (situation,)``.

    `combos`, ``int32 (situation, seat)``, are negative if unknown; `is_live` says whether each seat
    can win a pot, ``bool (situation, seat)``.
    """
    known = np.where((combos >= 0) & ~is_live, COMBO_SETS[combos], np.uint64(0))
    sets: NDArray[np.uint64] = np.bitwise_or.reduce(known, axis=1)
    return sets


def _settle_alike(
    table: StrengthTable,
    amounts: NDArray[np.float64],
    can_win: NDArray[np.bool_],
    combos: NDArray[np.int32],
    boards: CardArray,
    gone: NDArray[np.uint64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Settle situations with equal numbers of board cards, seats and pots.

    `table` is that for seven-card hands. `amounts` are above 0, ``float64 (situation, pot)``; each
    seat can win at least one pot by `can_win`, ``bool (situation, pot, seat)``. `combos` are
    ``int32 (situation, seat)``, `boards` have no padding, ``uint8 (situation, card)``. `gone` is
    the card set of the board and of all other cards that cannot be dealt, without those of
    `combos`, ``uint64 (situation,)``.

    The results are the expected chips and their variance, each ``float64 (situation, seat)``.
    """
    count, pots, seats = can_win.shape
    tallies = np.zeros((count, pots, 1 << seats), dtype=np.int64)
    products = np.zeros((count, pots, pots, seats), dtype=np.int64)
    bits = np.uint64(1) << np.arange(seats, dtype=np.uint64)
    sets = np.bitwise_or.reduce(np.where(can_win, bits, np.uint64(0)), axis=2)
    holes = np.ascontiguousarray(COMBO_CARDS[combos])
    if boards.shape[1]:
        boards = np.ascontiguousarray(boards)
        interruptible(settle_on_boards)(table, holes, boards, gone, sets, tallies, products)
    else:
        interruptible(settle_before_flop)(table, holes, gone, sets, tallies, products)
    runouts = tallies[:, :1].sum(axis=2)
    units = share_units(seats).astype(np.int64)
    # In shares of a pot, so that the variance of a share that never changes is exactly 0.
    means = tallies @ units.T / SHARE_UNIT / runouts[:, :, None]
    squares = tallies @ (units * units).T / SHARE_UNIT**2 / runouts[:, :, None]
    expected = np.einsum("rp,rps->rs", amounts, means)
    variance = np.einsum("rp,rps->rs", amounts * amounts, squares - means * means)
    for pot in range(pots):
        for other in range(pot):
            both = products[:, pot, other] / SHARE_UNIT**2 / runouts
            covariance = both - means[:, pot] * means[:, other]
            variance += 2 * (amounts[:, pot] * amounts[:, other])[:, None] * covariance
    return expected, np.maximum(variance, 0.0)


# --- the arguments --------------------------------------------------------------------------


def _read_situations(
    pots: Sequence[PotLike], holes: Sequence[Column], board: Column, dead: Column, rules: RuleSet
) -> Situations:
    holes, given = _read_pots(pots, holes)
    seats = len(holes)
    columns = {f"holes[{seat}]": _as_cards(column) for seat, column in enumerate(holes)}
    columns |= {"board": _as_cards(board), "dead cards": dead}
    columns = {
        # An empty list is no card, not a column without situations.
        name: None
        if isinstance(column, list | tuple) and not column
        else normalize_column(name, column)
        for name, column in columns.items()
    }
    lengths = {name: len(column) for name, column in columns.items() if is_per_spot(column)}
    for pot, (amount, winners) in enumerate(given):
        lengths |= {f"the amounts of pots[{pot}]": len(amount)} if amount.ndim else {}
        lengths |= {f"the seats of pots[{pot}]": len(winners)} if winners.ndim == 2 else {}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise HoldemValueError(f"the columns have different lengths: {listed}")
    count = next(iter(lengths.values()), 1)
    amounts = np.empty((count, len(given)))
    can_win = np.empty((count, len(given), seats), dtype=np.bool_)
    for pot, (amount, winners) in enumerate(given):
        amounts[:, pot], can_win[:, pot] = amount, winners
    reader = PlayerReader(rules)
    combos = np.empty((count, seats), dtype=np.int32)
    for seat in range(seats):
        name = f"holes[{seat}]"
        column = columns[name]
        combos[:, seat] = NO_PLAYER if column is None else reader.read(name, column, count)
    boards, sizes, rows = read_cards("board", columns["board"], count, 5, reader.errors)
    dead_sets, dead_rows = read_dead(columns["dead cards"], count, reader.errors)
    padded = pad_cards(boards, 5)[rows]
    gone = make_card_sets(boards)[rows] | dead_sets[dead_rows] | np.uint64(rules.outside)
    found = Situations(amounts, can_win, combos, padded, sizes[rows], gone, bool(lengths))
    _require_valid(found, dead_sets[dead_rows], reader.errors, rules)
    return found


def _read_pots(
    pots: Any, holes: Any
) -> tuple[list[Column], list[tuple[NDArray[np.float64], NDArray[np.bool_]]]]:
    """Validate `pots` and `holes` of `settle`; return the columns of hole cards and pots.

    A pot is its amount, ``float64 ()`` or ``(situation,)``, and the seats that can win it, ``bool
    (seat,)`` or ``(situation, seat)``.
    """
    if isinstance(holes, str) or not is_iterable(holes):
        raise HoldemTypeError(f"holes: expected two cards for each seat, not {quoted(holes)}")
    holes = list(holes)
    if not 1 <= len(holes) <= MAX_PLAYERS:
        raise SpotError(f"holes: expected 1 to {MAX_PLAYERS} seats, not {len(holes)}")
    if isinstance(pots, str) or not is_iterable(pots):
        raise HoldemTypeError(f"pots: expected pairs of an amount and seats, not {quoted(pots)}")
    found = []
    for number, pot in enumerate(pots):
        name = f"pots[{number}]"
        try:
            amount, seats = (pot.amount - pot.rake, pot.seats) if isinstance(pot, Pot) else pot
        except (TypeError, ValueError):
            raise HoldemTypeError(
                f"{name}: expected an amount and the seats that can win it, as in (3.15, (0, 1)),"
                f" not {quoted(pot)}"
            ) from None
        found.append((_read_amount(name, amount), _read_seats(name, seats, len(holes))))
    if not found:
        raise SpotError("pots: expected at least one pot, as in [(3.15, (0, 1))]")
    return holes, found


def _as_cards(column: Column) -> Column:
    """Convert a list of cards, such as ``["As", "Kd"]``, to a tuple: one hand or board.

    Any other list is a column of hands or boards; it is returned unchanged, like other values.
    """
    if isinstance(column, list | tuple) and column:
        with suppress(HoldemError):
            return tuple(map(Card, column))
    return column


def _read_amount(name: str, amount: Any) -> NDArray[np.float64]:
    try:
        given = np.asarray(amount)
    except ValueError:  # rows of different lengths
        given = np.empty((1, 1))
    each = given.ravel().tolist() if given.dtype.kind == "O" else ()  # such as fractions
    is_number = given.dtype.kind in "iufO" and all(
        isinstance(own, Real | Decimal) and not isinstance(own, bool) for own in each
    )
    if given.ndim > 1 or (given.size and not is_number):
        raise HoldemTypeError(f"{name}: {quoted(amount)} is not an amount of chips")
    try:
        amounts = given.astype(np.float64)
    except OverflowError:
        raise SpotError(f"{name}: {quoted(amount)} is too large for an amount of chips") from None
    if isinstance(amount, np.ma.MaskedArray):
        amounts[np.ma.getmaskarray(amount)] = np.nan  # refused below, with its place
    wrong = ~((amounts >= 0) & (amounts < _MOST_CHIPS))
    if wrong.any():
        where = f" in situation {int(np.flatnonzero(wrong)[0])}" if amounts.ndim else ""
        raise SpotError(
            f"{name}: {amounts[wrong][0]:g}{where} is not an amount of chips; 0 stands for no pot"
        )
    return amounts


def _read_seats(name: str, seats: Any, count: int) -> NDArray[np.bool_]:
    if isinstance(seats, np.ndarray) and seats.dtype == np.bool_:
        if seats.ndim not in (1, 2) or seats.shape[-1] != count:
            raise HoldemTypeError(
                f"{name}: expected the seats as bool (situation, {count}), not {seats.shape}"
            )
        return seats
    if isinstance(seats, str) or not is_iterable(seats):
        raise HoldemTypeError(f"{name}: expected numbers of seats, not {quoted(seats)}")
    winners = np.zeros(count, dtype=np.bool_)
    for seat in seats:
        if not isinstance(seat, int | np.integer) or isinstance(seat, bool):
            raise HoldemTypeError(f"{name}: {quoted(seat)} is not the number of a seat")
        if not 0 <= seat < count:
            raise SpotError(f"{name}: there is no seat {seat}; holes has seats 0 to {count - 1}")
        if winners[seat]:
            raise SpotError(f"{name}: seat {seat} is listed twice")
        winners[seat] = True
    return winners


def _require_valid(
    given: Situations, dead: NDArray[np.uint64], errors: dict[int, str], rules: RuleSet
) -> None:
    """Raise an error about the first invalid situation, if there is one.

    `dead` is the card set of the dead cards, ``uint64 (situation,)``; `errors` are the messages of
    situations that could not be read, by index.
    """
    is_pot = given.amounts > 0
    is_known = (given.combos >= 0) & (given.combos < COMBO_COUNT)
    needs_cards = (given.winners & is_pot[:, :, None]).any(axis=1)
    sets = np.where(is_known, COMBO_SETS[np.where(is_known, given.combos, 0)], np.uint64(0))
    boards = make_card_sets(given.boards)
    together = np.bitwise_or.reduce(sets, axis=1) | boards | dead
    cards = 2 * is_known.sum(axis=1) + given.sizes + np.bitwise_count(dead)
    wrong = (
        (is_pot & ~given.winners.any(axis=2)).any(axis=1)
        | (needs_cards & ~is_known).any(axis=1)
        | (given.combos >= COMBO_COUNT).any(axis=1)
        | ((given.sizes != 0) & ((given.sizes < 3) | (given.sizes > 5)))
        | (np.bitwise_count(together) != cards)
        | (together & np.uint64(rules.outside) != 0)
        | (DECK_SIZE - rules.outside.bit_count() - cards < 5 - given.sizes)
    )
    wrong[list(errors)] = True
    if not wrong.any():
        return
    row = int(np.flatnonzero(wrong)[0])
    where = f"situation {row}: " if given.is_column else ""
    kind, message = _find_fault(given, row, int(dead[row]), errors.get(row), rules)
    total = int(wrong.sum())
    more = f" ({total:,} of {len(wrong):,} situations are invalid)" if total > 1 else ""
    raise kind(where + message + more)


def _find_fault(
    given: Situations, row: int, dead: int, error: str | None, rules: RuleSet
) -> tuple[type[HoldemValueError], str]:
    """Find what is wrong with a situation; return the exception class and the message.

    `dead` is the card set of its dead cards; `error` is the message if it could not be read.
    """
    if error is not None:
        return SpotError, error
    for pot in np.flatnonzero(given.amounts[row] > 0).tolist():
        if not given.winners[row, pot].any():
            return SpotError, f"pots[{pot}]: no seat can win it"
        for seat in np.flatnonzero(given.winners[row, pot]).tolist():
            if given.combos[row, seat] < 0:
                return SpotError, f"pots[{pot}]: seat {seat} can win it, but holes[{seat}] is None"
    for seat, code in enumerate(given.combos[row].tolist()):
        if code >= COMBO_COUNT:
            return SpotError, f"holes[{seat}]: expected two cards, not a range of several hands"
    size = int(given.sizes[row])
    if size not in (0, 3, 4, 5):
        return SpotError, f"the board has {counted(size, 'card')}; expected 0, 3, 4 or 5"
    groups: list[tuple[str, list[int]]] = [
        (f"holes[{seat}]", COMBO_CARDS[code].tolist())
        for seat, code in enumerate(given.combos[row].tolist())
        if code >= 0
    ]
    groups.append(("board", given.boards[row, :size].tolist()))
    groups.append(("dead cards", [card for card in range(DECK_SIZE) if dead >> card & 1]))
    owner: dict[int, str] = {}
    for name, cards in groups:
        for card in cards:
            if rules.outside >> card & 1:
                text = f"{Card(card)} is not in the deck of {rules.name} rules ({rules.deck_text})"
                return CardError, f"{name}: {text}"
            if card in owner:
                both = f"in {name}" if owner[card] == name else f"in {owner[card]} and in {name}"
                return CardError, f"{Card(card)} appears twice: {both}"
            owner[card] = name
    return SpotError, "too few cards are left to complete the board"


# --- kernels ------------------------------------------------------------------------------

_ONE, _NONE = np.uint64(1), np.uint64(0)
# The share of each of a number of winners, ``int64 (winners,)``.
_UNITS: NDArray[np.int64] = np.array([0, *(SHARE_UNIT // count for count in range(1, 11))])
# The most boards of different ranks: 6,175 without flushes, and twice those with three to five
# cards of each suit, which are also taken off as boards without a flush.
_MOST_BOARDS = np.int64(6175 + 2 * 4 * (286 * 91 + 715 * 13 + 1287))


class _Boards(NamedTuple):
    """The strengths of the seats' hands on many boards; one entry can stand for many runouts."""

    strengths: NDArray[np.uint16]
    """The strength of each seat's hand on each board, ``uint16 (board, seat)``."""
    ways: NDArray[np.int32]
    """The number of runouts for which each entry stands, ``int32 (board,)``; negative for an entry
    that takes runouts of an earlier one back (see `_add_boards`)."""


@inlined
def _divide_pots(
    boards: _Boards,
    count: Any,
    seats: NDArray[np.uint64],
    tallies: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Divide the pots of one situation on each of the first `count` entries of `boards`.

    The outcomes are added to `tallies`, ``int64 (pot, set)``, and `products`, ``int64 (pot, pot,
    seat)``. They and `seats`, ``uint64 (pot,)``, are those of `settle_on_boards` for one situation.
    """
    winners = np.empty(len(seats), dtype=np.uint64)
    for board in range(np.uint64(count)):
        ways = np.int64(boards.ways[board])
        for pot in range(np.uint64(len(seats))):
            best, found = np.int64(0), _NONE
            for seat in range(np.uint64(boards.strengths.shape[1])):
                own = np.int64(boards.strengths[board, seat]) * np.int64(seats[pot] >> seat & _ONE)
                best, found = update_winners(best, found, own, _ONE << seat)
            winners[pot] = found
            tallies[pot, found] += ways
            for other in range(pot):
                unit = ways * _UNITS[popcount(found)] * _UNITS[popcount(winners[other])]
                both = found & winners[other]
                for seat in range(np.uint64(boards.strengths.shape[1])):
                    products[pot, other, seat] += unit * np.int64(both >> seat & _ONE)


@kernel
def settle_on_boards(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    gone: NDArray[np.uint64],
    seats: NDArray[np.uint64],
    tallies: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Tally, for each situation, which seats win each pot over all runouts of the board.

    `table` is that for seven-card hands. `holes` are ``uint8 (situation, seat, 2)``; all cards of a
    situation differ. `boards` are ``uint8 (situation, 3..5)``. `gone` is the card set of the board
    and of all other cards that cannot be dealt, without the hole cards, ``uint64 (situation,)``.
    `seats` are those that can win each pot, at least one, as bits, ``uint64 (situation, pot)``.

    Runouts on which each set of seats, as bits, wins or shares each pot are added to `tallies`,
    ``int64 (situation, pot, set)``. To `products`, ``int64 (situation, pot, pot, seat)``, is added
    the sum over all runouts of the product of a seat's shares of two pots, each in units of
    1/`SHARE_UNIT` of its pot; the first pot has the larger index.
    """
    known, count, by_key = boards.shape[1], holes.shape[1], unowned(table)
    keys, masks = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint64)
    ranked = _Boards(np.zeros((52, count), dtype=np.uint16), np.ones(52, dtype=np.int32))
    deck = np.zeros((52, 2), dtype=np.uint64)
    for row in range(len(holes)):
        _, key, mask = sum_cards(boards, row, known)
        used = gone[row]
        for seat in range(count):
            high, low = holes[row, seat, 0], holes[row, seat, 1]
            keys[seat] = key + CARD_KEYS[high] + CARD_KEYS[low]
            masks[seat] = mask | CARD_MASKS[high] | CARD_MASKS[low]
            used |= _ONE << np.uint64(high) | _ONE << np.uint64(low)
        size = list_deck(used, deck)
        if known == 5:  # one runout: a null card, which changes no strength
            deck[0, 0], deck[0, 1], size = _NONE, _NONE, np.int64(1)
        for first in range(size if known == 3 else np.int64(1)):
            first_key, first_mask, lasts = _NONE, _NONE, size
            if known == 3:
                first_key, first_mask, lasts = deck[first, 0], deck[first, 1], np.int64(first)
            for seat in range(np.uint64(count)):
                key, mask = keys[seat] + first_key, masks[seat] | first_mask
                for last in range(np.uint64(lasts)):
                    value = strength(by_key, key + deck[last, 0], mask | deck[last, 1])
                    ranked.strengths[last, seat] = value
            _divide_pots(ranked, lasts, seats[row], tallies[row], products[row])


@inlined
def _add_boards(
    ways: np.int64,
    key: np.uint32,
    dealt: Dealt,
    flushes: Any,
    ranked: _Boards,
    count: Any,
) -> Any:
    """Append an entry to `ranked` for `ways` boards that have the same ranks; return the new count.

    If `flushes` are given, the boards were appended before as if there were no flushes. Two entries
    then correct this: one with minus `ways`, which takes the boards back, and one with the
    strengths of the flushes.

    `key` is the sum of the keys of the board's ranks, by which strengths are looked up. `flushes`
    are the strengths of each seat's flush, 0 for none; None to append the boards as if there were
    none. `ranked` has room for more than `count` entries.
    """
    ranked.ways[count] = ways
    for seat in range(np.uint64(len(dealt.keys))):
        value = rank_strength(dealt.table, np.uint32(key + dealt.keys[seat]))
        ranked.strengths[count, seat] = value
    if flushes is None:
        return count + 1
    ranked.ways[count], ranked.ways[count + 1] = -ways, ways
    for seat in range(np.uint64(len(dealt.keys))):
        own = flushes[seat]
        ranked.strengths[count + 1, seat] = own if own else ranked.strengths[count, seat]
    return count + 2


@kernel
def settle_before_flop(
    table: StrengthTable,
    holes: CardArray,
    gone: NDArray[np.uint64],
    seats: NDArray[np.uint64],
    tallies: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Tally, for each situation before the flop, which seats win each pot over all boards.

    The arguments are those of `settle_on_boards` without `boards`.
    """
    count = holes.shape[1]
    dealt = allocate_dealt(count, table)
    ranked = _Boards(
        np.empty((_MOST_BOARDS, count), dtype=np.uint16), np.empty(_MOST_BOARDS, dtype=np.int32)
    )
    for row in range(len(holes)):
        deal_matchup(holes, row, gone[row], dealt)
        boards = count_by_ranks(dealt, _add_boards, ranked, np.int64(0))
        boards = correct_for_flushes(dealt, find_many_flushes, _add_boards, ranked, boards)
        _divide_pots(ranked, boards, seats[row], tallies[row], products[row])
