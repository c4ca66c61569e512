"""What a game is played for: seats, blinds, antes, limits and the smallest chip, from arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import lcm
from numbers import Rational
from typing import Any

import attrs
import numpy as np

from holdem.arguments import checked_integer, is_iterable, require_text
from holdem.betting.played_hand import Amount, Limit, plain
from holdem.betting.rulebook import FIXED_LIMIT, NO_LIMIT, POT_LIMIT, RULES
from holdem.errors import HoldemTypeError, HoldemValueError, did_you_mean, quoted
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS

_LIMITS: dict[Limit, int] = {"no": NO_LIMIT, "pot": POT_LIMIT, "fixed": FIXED_LIMIT}
_FIXED_CAP = 4  # a bet and three raises
_MOST_CHIPS = 2**31 - 1  # of all seats together; kernels count in 32 bits


@attrs.frozen(kw_only=True)
class Stakes:
    """The rules of a game, with the attributes of a record of `RULES`, in whole chips."""

    players: int
    limit: int = NO_LIMIT
    caps: Sequence[int] = (-1,) * 4
    first: int
    opening: int
    blind_first: bool = False
    trims: bool = True
    bets: Sequence[int]
    antes: Sequence[int]
    blinds: Sequence[int]
    dead: Sequence[int]
    big_blind: int
    chip: Fraction = Fraction(1)
    """The smallest chip, in the unit of the user."""

    @property
    def unit(self) -> int:
        """The chips of a big blind or, without blinds, of the least bet before the flop."""
        return self.big_blind or self.bets[0]

    def record(self) -> Any:
        """Convert to an array with one record of `RULES`, for kernels."""
        rules = np.zeros(1, dtype=RULES)
        for name in RULES.names or ():
            values = getattr(self, name)
            if isinstance(values, Sequence):
                rules[name][0, : len(values)] = values
            else:
                rules[name] = values
        return rules.view(np.recarray)

    def amount(self, chips: int) -> int | float:
        """Convert chips to the unit of the user: an int if all amounts are whole, else a float."""
        found = chips * self.chip
        return found.numerator if self.chip.denominator == 1 else float(found)

    def exact_amount(self, chips: int) -> Amount:
        """Convert chips to the unit of the user, exactly."""
        return plain(chips * self.chip)

    def chips(self, amount: object, name: str) -> int:
        """Convert an amount in the unit of the user to whole chips; `name` is for messages."""
        chips = read_amount(amount, name) / self.chip
        if chips.denominator != 1:
            raise HoldemValueError(
                f"{name}: {quoted(amount)} is not a multiple of {float(self.chip):g}, the smallest"
                f" chip of this game; round it, or begin the game with a smaller chip=…"
            )
        return chips.numerator


def read_amount(amount: object, name: str) -> Fraction:
    """Read an amount exactly; a float is read to twelve digits, so that 0.1 + 0.2 is 0.3."""
    if isinstance(amount, np.generic | np.ndarray) and not amount.ndim:
        amount = amount.item()
    if isinstance(amount, float):
        amount = Decimal(f"{amount:.12g}")
    if isinstance(amount, bool) or not isinstance(amount, Rational | Decimal):
        raise HoldemTypeError(f"{name}: expected an amount, such as 2 or 0.5, not {quoted(amount)}")
    if isinstance(amount, Decimal) and not (amount.is_finite() and abs(amount.adjusted()) < 30):
        raise HoldemValueError(f"{name}: {amount} is not an amount")
    found = Fraction(amount)
    if found < 0:
        raise HoldemValueError(f"{name}: {quoted(str(amount))} is negative")
    return found


def default_stack(blinds: object, bets: object) -> Fraction:
    """A hundred big blinds or, without blinds, a hundred of the least bet."""
    posted = _read_list(blinds, "blinds")
    if not posted and bets is not None:
        posted = _read_list(bets, "bets")[:1]
    return 100 * (posted[:2] or [Fraction(1)])[-1]


@lru_cache(maxsize=256, typed=True)  # games of one match have the same
def make_stakes(
    stacks: object,
    blinds: object = (1, 2),
    *,
    antes: object = 0,
    big_blind_ante: object = 0,
    posts: object = (),
    dead_chips: object = (),
    limit: Limit = "no",
    bets: object = None,
    cap: int | None = None,
    trims_antes: bool = True,
    blind_first: bool = False,
    full_blind: bool = True,
    chip: object = None,
) -> tuple[Stakes, tuple[int, ...]]:
    """Validate the arguments of a game; return its rules, and the stacks in chips by position.

    Arguments are those of `Game` as `hashable` returns them.
    """
    switches = {"trims_antes": trims_antes, "blind_first": blind_first, "full_blind": full_blind}
    for name, switch in switches.items():
        if not isinstance(switch, bool | np.bool_):
            raise HoldemTypeError(f"{name} must be True or False, not {quoted(switch)}")
    given_stacks = _read_list(stacks, "stacks")
    players = len(given_stacks)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise HoldemValueError(
            f"stacks: a game has {MIN_PLAYERS} to {MAX_PLAYERS} seats, not {players}; for equal"
            " stacks, write [200] * 6"
        )
    posted = _read_list(blinds, "blinds")
    if players == 2 and len(posted) > 2:
        raise HoldemValueError(
            "blinds: heads-up there are a small and a big blind, and no straddle, not"
            f" {quoted(blinds)}"
        )
    if len(posted) > players or len(posted) == 1:
        raise HoldemValueError(
            f"blinds: expected the small and the big blind, and straddles if there are any, for"
            f" {players} seats, not {quoted(blinds)}"
        )
    if posted != sorted(posted):
        raise HoldemValueError(
            f"blinds: {quoted(blinds)} must not fall: the small blind, the big blind, straddles"
        )
    positions = list(range(players)) if players > 2 else [1, 0]  # heads-up the button posts first
    by_position = dict(zip(positions, posted, strict=False))
    big = posted[1] if posted else Fraction(0)
    late = _read_seats(posts, "posts", players)
    for seat in late:
        if by_position.get(seat):
            raise HoldemValueError(f"posts: position {seat} posts a blind already")
    dead = _read_seats(dead_chips, "dead_chips", players)
    if not isinstance(antes, tuple):
        antes = (antes,) * players
    ante_list = _read_list(antes, "antes")
    if len(ante_list) != players:
        raise HoldemValueError(
            f"antes: expected an amount, or one for each of {players} seats, not {quoted(antes)}"
        )
    of_big_blind = read_amount(big_blind_ante, "big_blind_ante")
    if of_big_blind:
        if any(ante_list) or not posted:
            raise HoldemValueError("big_blind_ante needs blinds, and takes the place of antes")
        ante_list[positions[1]], trims_antes = of_big_blind, False
    if trims_antes and sum(ante > 0 for ante in ante_list) == 1:
        raise HoldemValueError(
            f"antes: one seat's ante, which no other matches, would be returned, in"
            f" {quoted(antes)}; for an ante for all, give big_blind_ante, or trims_antes=False"
        )
    require_text(limit, "limit")
    if limit not in _LIMITS:
        hint = did_you_mean(limit, _LIMITS)
        raise HoldemValueError(f"limit must be no, pot or fixed, not {quoted(limit)}{hint}")
    largest = max([*by_position.values(), *late.values()], default=Fraction(0))
    if bets is not None:
        street_bets = _read_list(bets, "bets")
        if len(street_bets) != 4 or min(street_bets) <= 0:
            raise HoldemValueError(
                f"bets: expected the least bet of each of the four streets, not {quoted(bets)}"
            )
    elif not largest:
        raise HoldemValueError("blinds: without blinds, bets=(…) says the least bet of each street")
    else:
        least = big or largest
        street_bets = [max(least, largest), least, least, least]
        if limit == "fixed":
            street_bets = [least, least, 2 * least, 2 * least]
    every = [*given_stacks, *posted, *late.values(), *dead.values(), *ante_list, *street_bets]
    smallest = Fraction(1, lcm(*(each.denominator for each in every)))
    if chip is not None:
        smallest = read_amount(chip, "chip")
        if not smallest or any((each / smallest).denominator != 1 for each in every):
            raise HoldemValueError(f"chip: not all amounts are multiples of {quoted(chip)}")
    for name, amount in (("stacks", sum(given_stacks)), ("blinds, antes and bets", max(every))):
        if amount / smallest > _MOST_CHIPS:
            raise HoldemValueError(
                f"{name}: more than 2^31-1 chips of {smallest}, the largest chip of which all given"
                " amounts are multiples; round them"
            )
    for seat, stack in enumerate(given_stacks):
        if not stack:
            raise HoldemValueError(f"stacks: position {seat} has no chips; leave it out")
    # The blind is the first bet.
    most = _FIXED_CAP if limit == "fixed" else -1
    if cap is not None:
        most = checked_integer(cap, "cap", 1, 1000, HoldemValueError)

    def by_seat(found: Mapping[int, Fraction]) -> tuple[int, ...]:
        return tuple([int(found.get(seat, 0) / smallest) for seat in range(players)])

    # After the last blind or straddle; heads-up the button opens.
    first = (len(posted) % players if players > 2 else 1) if posted else 0
    stakes = Stakes(
        players=players,
        limit=_LIMITS[limit],
        caps=(most - 1, most, most, most) if most > 0 and largest else (most,) * 4,
        first=first,
        opening=int(largest / smallest) if full_blind else 0,
        blind_first=blind_first,
        trims=trims_antes,
        bets=tuple([int(bet / smallest) for bet in street_bets]),
        antes=by_seat(dict(enumerate(ante_list))),
        blinds=by_seat(by_position | late),
        dead=by_seat(dead),
        big_blind=int((big or largest) / smallest),
        chip=smallest,
    )
    return stakes, tuple([int(stack / smallest) for stack in given_stacks])


def hashable(argument: Any) -> Any:
    """Convert a list, an array or a mapping to tuples; leave anything else as it is."""
    if argument is None or isinstance(argument, int | float | str):  # quick: for each game
        return argument
    if isinstance(argument, Mapping):
        argument = argument.items()
    elif not is_iterable(argument):
        return argument.item() if isinstance(argument, np.ndarray) else argument
    return tuple([hashable(item) for item in argument])


def _read_list(values: Any, name: str) -> list[Fraction]:
    if not isinstance(values, tuple):
        raise HoldemTypeError(f"{name}: expected a list of amounts, not {quoted(values)}")
    return [read_amount(value, f"{name}[{place}]") for place, value in enumerate(values)]


def _read_seats(amounts: Any, name: str, players: int) -> dict[int, Fraction]:
    if amounts is None:
        return {}
    try:
        pairs = dict(amounts)
    except (TypeError, ValueError):
        raise HoldemTypeError(
            f"{name}: expected amounts by position, as in {{3: 2}}, not {quoted(amounts)}"
        ) from None
    what = f"a position of {name}"
    return {
        checked_integer(seat, what, 0, players - 1, HoldemValueError): read_amount(
            amount, f"{name}[{seat}]"
        )
        for seat, amount in pairs.items()
    }
