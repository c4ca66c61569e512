"""A played hand as text in plain English: seats, bets by street, showdown and pots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from holdem.betting.played_hand import Amount, Limit, PlayedHand
from holdem.betting.rulebook import FOLD
from holdem.cards import cards_text
from holdem.errors import one_line
from holdem.evaluation.hand_value import evaluate

_LIMITS: dict[Limit, str] = {"no": "no-limit", "pot": "pot-limit", "fixed": "fixed-limit"}
#: The dead chips, the ante and the blind that a seat posts.
_Posts: TypeAlias = tuple[Amount, Amount, Amount]
_STREETS = ("Before the flop", "Flop", "Turn", "River")


def hand_text(hand: PlayedHand) -> str:
    """Write a hand on lines of text, without a final line break."""
    names = [one_line(name) for name in hand.names]
    if len(set(names)) < len(names):
        names = [f"{name} ({seat})" for seat, name in enumerate(names)]
    posts = _posts(hand)
    streets = _streets(hand, names, posts)
    return "\n".join([*_heads(hand, names, posts), *streets, *_ends(hand, names)])


def _heads(hand: PlayedHand, names: list[str], posts: list[_Posts]) -> Iterator[str]:
    """Yield a title, and a line for each seat, with what it posts."""
    table, tournament = hand.table and f"table {hand.table}", f"tournament {hand.tournament}"
    when = "" if hand.time is None else f"{hand.time:%Y-%m-%d %H:%M:%S}"
    parts = [f"{_LIMITS[hand.limit]} hold'em", hand.stakes, hand.currency, hand.site, table]
    parts += [tournament if hand.tournament else "", when]
    yield one_line(f"Hand {hand.number}".rstrip() + ": " + ", ".join(filter(None, parts)))
    stacks = [_amount(stack) for stack in hand.stacks] or [""] * len(names)
    wide, far = max(map(len, names)), max(map(len, stacks))
    for seat, (name, stack) in enumerate(zip(names, stacks, strict=True)):
        kinds = ("dead", "ante", "straddle" if posts[seat][2] > hand.big_blind else "blind")
        paid = zip(kinds, posts[seat], strict=True)
        shown = [f"{kind} {_amount(amount)}" for kind, amount in paid if amount]
        button = ["button"] if seat == len(names) - 1 else []
        own = f"{name:{wide}}  {stack:>{far}}  {cards_text(hand.holes[seat] or (), ' ') or '?? ??'}"
        yield f"  {own}  {', '.join(shown + button)}".rstrip()


def _posts(hand: PlayedHand) -> list[_Posts]:
    if not hand.stacks:
        return [(0, 0, 0)] * len(hand.names)
    left = list(hand.stacks)

    def pay(amounts: Sequence[Amount]) -> list[Amount]:
        paid = [min(own, amount) for own, amount in zip(left, amounts, strict=True)]
        left[:] = [own - amount for own, amount in zip(left, paid, strict=True)]
        return paid

    dead = pay(hand.dead)
    matched = sorted(map(min, left, hand.antes))[-2]
    antes = pay([min(ante, matched) if hand.trims_antes else ante for ante in hand.antes])
    return list(zip(dead, antes, pay(hand.blinds), strict=True))


def _streets(hand: PlayedHand, names: list[str], posts: list[_Posts]) -> Iterator[str]:
    """Yield a line for each street and action, and the bets that came back."""
    begun = hand.stacks or [0] * len(names)
    left = [stack - sum(own) for stack, own in zip(begun, posts, strict=True)]
    bets = [blind for _, _, blind in posts]
    highest = max(*bets, hand.opening)
    last = hand.actions[-1][0] if hand.actions else 0
    for number, street in enumerate(hand.streets):
        new = street.board[len(hand.streets[number - 1].board) if number else 0 :]
        title = f"{_STREETS[number]} {cards_text(new, ' ')}".rstrip()
        yield f"{title}, pot {_amount(street.pot)}" if street.pot else title
        if number:
            bets, highest = [0] * len(names), 0
        for _, seat, to in [own for own in hand.actions if own[0] == number]:
            if to == FOLD:
                yield f"  {names[seat]} folds"
                continue
            paid = min(left[seat], (to or highest) - bets[seat])
            left[seat] -= paid
            what = "checks"
            if to:
                what = f"raises to {_amount(to)}" if highest else f"bets {_amount(to)}"
            elif paid:
                what = f"calls {_amount(paid)}"
            bets[seat] += paid
            highest = max(highest, bets[seat])
            yield f"  {names[seat]} {what}{'' if left[seat] or not paid else ', all-in'}"
        for seat, stack in enumerate(hand.stacks if number == last else ()):
            if back := stack - left[seat] - hand.put[seat]:
                yield f"  {_amount(back)} goes back to {names[seat]}"


def _ends(hand: PlayedHand, names: list[str]) -> Iterator[str]:
    """Yield a line for each hand at showdown, each pot, and what seats got and won."""
    boards = [board for board in (hand.board, *hand.more_boards) if len(board) == 5]
    yield from [f"Board {cards_text(board, ' ')}" for board in hand.more_boards]
    if len(hand.live) > 1:
        yield "Showdown"
        for seat in hand.live:
            hole = hand.holes[seat]
            sold = ", and sells the hand" if seat in hand.sold else ""
            if hole is None:
                yield f"  {names[seat]} does not show{sold}"
            else:
                values = [evaluate([*hole, *board]).name for board in boards]
                shown = f"{cards_text(hole, ' ')}{': ' * bool(values)}{'; '.join(values)}"
                yield f"  {names[seat]} shows {shown}{sold}"
    for number, pot in enumerate(hand.pots):
        kind = "Side pot" if number else "Main pot" if len(hand.pots) > 1 else "Pot"
        rake = f", rake {_amount(pot.rake)}" if pot.rake else ""
        able = f" between {', '.join(names[seat] for seat in pot.seats)}" * (len(pot.seats) > 1)
        yield f"{kind} {_amount(pot.amount)}{able}{rake}"
    got = [net + put for net, put in zip(hand.net, hand.put, strict=True)]
    yield from [f"  {names[seat]} gets {_amount(own)}" for seat, own in enumerate(got) if own]
    signs = [("+" if own > 0 else "") + _amount(own) for own in hand.net]
    yield "Net " + ", ".join(f"{name} {own}" for name, own in zip(names, signs, strict=True))


def _amount(amount: Amount) -> str:
    return f"{amount:,}" if isinstance(amount, int) else f"{float(amount):,.12g}"
