"""A played hand as text in PHH, the poker hand history format (https://phh.readthedocs.io)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm

from holdem.betting.played_hand import Amount, PlayedHand
from holdem.betting.rounds import Rounds
from holdem.betting.rulebook import CALL, FIXED_LIMIT, FOLD, NO_LIMIT
from holdem.betting.stakes import Stakes
from holdem.cards import cards_text
from holdem.errors import HoldemValueError

_VARIANTS = {"no": "NT", "fixed": "FT"}


def phh_text(hand: PlayedHand) -> str:
    """Convert a hand to PHH; raise a `HoldemValueError` if the format can't hold it."""
    if not hand.stacks:
        raise HoldemValueError("PHH needs the actions of a hand, and this one has none")
    if hand.limit not in _VARIANTS:
        raise HoldemValueError("PHH has no pot-limit hold'em, only no limit and fixed limit")
    if hand.more_boards:
        raise HoldemValueError("PHH has one board, and this hand was run several times")
    if hand.sold:
        raise HoldemValueError("PHH has no cash-out, which changed what a player got")
    if not hand.big_blind:
        raise HoldemValueError("PHH needs a big blind, and this hand has none")
    antes: tuple[Amount, ...] = hand.antes
    trims = hand.trims_antes
    if any(hand.dead):  # PHH has only antes for chips that count for no bet
        antes, trims = tuple(map(sum, zip(antes, hand.dead, strict=True))), False
    blinds = _sign_late(hand)
    _require_same(hand, antes, blinds, trims)
    order = -1 if len(hand.names) == 2 else 1  # heads-up, the format lists the button first
    fields = [("variant", _quote(_VARIANTS[hand.limit]))]
    if trims and any(antes):
        fields.append(("ante_trimming_status", "true"))
    fields += [
        ("antes", _list(map(_decimal, antes[::order]))),
        ("blinds_or_straddles", _list(map(_decimal, blinds[::order]))),
    ]
    if hand.limit == "no":
        fields.append(("min_bet", _decimal(hand.big_blind)))
    else:
        fields += [
            ("small_bet", _decimal(hand.big_blind)),
            ("big_bet", _decimal(2 * hand.big_blind)),
        ]
    fields += [
        ("starting_stacks", _list(map(_decimal, hand.stacks))),
        ("actions", _list(map(_quote, _actions(hand)))),
        ("players", _list(map(_quote, hand.names))),
    ]
    after = [start + own for start, own in zip(hand.stacks, hand.net, strict=True)]
    if all(_is_decimal(amount) for amount in after):
        fields.append(("finishing_stacks", _list(map(_decimal, after))))
    elif any(pot.rake for pot in hand.pots):
        raise HoldemValueError("a share of the pots is no decimal number, as PHH needs it")
    return "\n".join(f"{name} = {value}" for name, value in [*fields, *_details(hand)])


def _details(hand: PlayedHand) -> Iterator[tuple[str, str]]:
    """Yield the fields of a hand that say where and when it was played, or what else is known."""
    number = hand.number
    if number:
        is_int = number.isdecimal() and number.isascii() and len(number) < 19 and number[0] != "0"
        yield "hand", number if is_int else _quote(number)
    texts = {"venue": hand.site, "table": hand.table, "event": hand.tournament}
    texts |= {"currency": hand.currency, "_stakes": hand.stakes}
    yield from [(name, _quote(text)) for name, text in texts.items() if text]
    if hand.time is not None:
        yield "time", hand.time.strftime("%H:%M:%S")
        yield from [(name, str(getattr(hand.time, name))) for name in ("day", "month", "year")]
    if hand.hero is not None:
        yield "_hero", str(hand.hero + 1)
    rakes = [pot.rake for pot in hand.pots]
    if len(rakes) > 1 and any(rakes) and all(map(_is_decimal, rakes)):
        yield "_rakes", _list(map(_decimal, rakes))


def _sign_late(hand: PlayedHand) -> tuple[Amount, ...]:
    """Turn the sign of blinds that are posted late, as PHH has it: behind who opens the betting."""
    seats = [seat for street, seat, _ in hand.actions if not street]
    opener = seats[0] if seats and len(hand.names) > 2 else 0
    return tuple(
        [own if not opener or seat < opener else -own for seat, own in enumerate(hand.blinds)]
    )


def _require_same(
    hand: PlayedHand, antes: Sequence[Amount], blinds: Sequence[Amount], trims: bool
) -> None:
    """Replay a hand by the rules of PHH, and raise an error if it is not the same."""
    raises = [to for _, _, to in hand.actions]
    amounts: list[Amount] = [*hand.stacks, *antes, *blinds, hand.big_blind, *raises]
    scale = lcm(*{amount.denominator for amount in amounts})
    least, players = int(hand.big_blind * scale), len(hand.names)
    left = [own - min(own, ante) for own, ante in zip(hand.stacks, antes, strict=True)]
    posted = [min(own, stack) for own, stack in zip(blinds, left, strict=True)]
    highest = max(range(players), key=lambda seat: (posted[seat], seat))
    is_fixed = hand.limit == "fixed"
    rules = Stakes(
        players=players,
        limit=FIXED_LIMIT if is_fixed else NO_LIMIT,
        first=(highest + 1) % players if any(blinds) else 0,
        opening=0,
        trims=trims,
        bets=(least, least, 2 * least, 2 * least) if is_fixed else (least,) * 4,
        antes=[int(own * scale) for own in antes],
        blinds=[abs(int(own * scale)) for own in blinds],
        dead=(0,) * players,
        big_blind=least,
    )
    rounds = Rounds(rules, [int(own * scale) for own in hand.stacks])
    for number, (street, seat, to) in enumerate(hand.actions, 1):
        if (rounds.actor, rounds.street) != (seat, street):
            raise HoldemValueError(
                f"by the rules of PHH, it is not the turn of p{seat + 1} at action {number}"
            )
        if to > 0:
            _, low, high = rounds.bounds()
            if not low <= to * scale <= high:
                raise HoldemValueError(
                    f"by the rules of PHH, action {number} can't be a bet or raise to {float(to):g}"
                )
            rounds.act(int(to * scale))
        else:
            rounds.act(FOLD if to < 0 else CALL)
    pots = [(Fraction(chips, scale), seats) for chips, seats in rounds.pots()]
    put = [Fraction(chips, scale) for chips in rounds.put()]
    same = [(pot.amount, pot.seats) for pot in hand.pots] == pots and list(hand.put) == put
    if rounds.actor >= 0 or not same:
        raise HoldemValueError(
            "by the rules of PHH, the pots are others: it has no dead chips beside short antes, and"
            " a short blind lowers the call"
        )


def _actions(hand: PlayedHand) -> Iterator[str]:
    """Yield the deals, actions and hands at showdown of a hand in the notation of PHH."""
    for seat, hole in enumerate(hand.holes, 1):
        yield f"d dh p{seat} {cards_text(hole) if hole else '????'}"
    dealt = 0
    for street, seat, to in hand.actions:
        for cards in _deals(hand, dealt, street):
            yield f"d db {cards}"
        dealt = street
        name = f"p{seat + 1}"
        yield f"{name} cbr {_decimal(to)}" if to > 0 else f"{name} {'f' if to < 0 else 'cc'}"
    # Hands are shown when the betting is over, before the rest of the board.
    last = len(hand.streets) - 1 if hand.all_in is None else dealt
    for cards in _deals(hand, dealt, last):
        yield f"d db {cards}"
    for seat in hand.live if len(hand.live) > 1 else ():
        hole = hand.holes[seat]
        # Who mucks is out, which ends the hand if only one is left; who wins has shown something.
        is_out = hand.all_in is None and not hand.net[seat] + hand.put[seat]
        yield f"p{seat + 1} sm{f' {cards_text(hole)}' if hole else '' if is_out else ' ????'}"
    for cards in _deals(hand, last, len(hand.streets) - 1):
        yield f"d db {cards}"


def _deals(hand: PlayedHand, after: int, until: int) -> Iterator[str]:
    """Yield the board cards of the streets after one until another."""
    for street in range(after + 1, until + 1):
        yield cards_text(hand.streets[street].board[len(hand.streets[street - 1].board) :])


def _is_decimal(amount: Amount) -> bool:
    return 10**18 % amount.denominator == 0


def _decimal(amount: Amount) -> str:
    """Write an amount that is a decimal number, exactly."""
    if isinstance(amount, int):
        return str(amount)
    if not _is_decimal(amount):
        raise HoldemValueError(f"{amount} is no decimal number, as PHH needs it")
    digits = next(d for d in range(19) if 10**d % amount.denominator == 0)
    units = abs(amount.numerator) * 10**digits // amount.denominator
    whole, rest = divmod(units, 10**digits)
    return f"{'-' * (amount < 0)}{whole}.{rest:0{digits}}"


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _quote(text: str) -> str:
    """Quote text for TOML, by single quotes if nothing in it has to be escaped."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text.encode(errors="replace").decode()).replace("\x7f", "\\u007f")
