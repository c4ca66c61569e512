"""Made-up hands of 2 to 9 players, written as a site writes them, are read whole."""

import random

import pytest

import holdem
from holdem.cards import cards_text
from holdem_histories import read_hands

STREETS = ("FLOP", "TURN", "RIVER")


def play(number):
    """Play a random hand with short stacks, antes, short blinds, straddles and late blinds."""
    rng = random.Random(number)
    players = rng.randint(2, 9)
    options = {"antes": rng.choice([0, 0, 1, 3]), "blinds": (2, 4)}
    if players > 4 and rng.random() < 0.2:
        options["blinds"] = (2, 4, 8)
    elif players > 4 and rng.random() < 0.3:
        options |= {"posts": {players - 2: 4}, "dead_chips": {players - 2: 2}}
    stacks = [rng.choice((1, 2, 3, 5, 9, 17, 40, 100, 400)) for _ in range(players)]
    for seat in options.get("posts", {2: 8} if options["blinds"][2:] else {}):
        stacks[seat] = 100
    game = holdem.Game(stacks, seed=number, **options)
    while not game.is_over:
        decision = game.decision
        low, high = int(decision.min_raise), int(decision.max_raise)
        choice = rng.random()
        if choice < 0.25 and decision.to_call:
            game.fold()
        elif choice < 0.65 or not high:
            game.call()
        else:
            game.raise_to(high if rng.random() < 0.4 else rng.randint(low, high))
    return game.hand, rng


def write(hand, number, rng):
    """Write a hand in the form of PokerStars; return the text and the rake."""
    players = len(hand.names)
    names = [f"Player {seat}" for seat in range(players)]
    lines = [
        f"PokerStars Hand #{number}: Hold'em No Limit (2/4) - 2020/01/02 3:04:05 ET",
        f"Table 'Made up' 9-max Seat #{players} is the button",
    ]
    lines += [f"Seat {i + 1}: {names[i]} ({hand.stacks[i]} in chips)" for i in range(players)]
    left, bets = list(hand.stacks), [0] * players

    def pay(seat, chips):
        paid = min(chips, left[seat])
        left[seat] -= paid
        return f"{paid}{'' if left[seat] else ' and is all-in'}", paid

    antes = []
    for seat in range(players):
        if hand.dead[seat]:
            both = hand.dead[seat] + hand.blinds[seat]
            text, _ = pay(seat, both)
            antes.append(f"{names[seat]}: posts small & big blinds {text}")
            bets[seat] = hand.blinds[seat]
        if hand.antes[seat]:
            text, _ = pay(seat, hand.antes[seat])
            lines.append(f"{names[seat]}: posts the ante {text}")
    order = sorted(range(players), key=lambda seat: hand.blinds[seat])
    for seat in order:
        if hand.blinds[seat] and not hand.dead[seat] and left[seat]:
            text, bets[seat] = pay(seat, hand.blinds[seat])
            kind = {2: "small blind", 4: "big blind", 8: "straddle"}[hand.blinds[seat]]
            lines.append(f"{names[seat]}: posts {kind} {text}")
    lines += [*antes, "*** HOLE CARDS ***"]
    street, highest = 0, max(hand.opening, *bets)
    for on, seat, to in hand.actions:
        while street < on:
            lines.append(deal(hand, street))
            street, highest, bets = street + 1, 0, [0] * players
        if to < 0:
            lines.append(f"{names[seat]}: folds")
        elif to == 0 and highest == bets[seat]:
            lines.append(f"{names[seat]}: checks")
        elif to == 0:
            text, paid = pay(seat, highest - bets[seat])
            bets[seat] += paid
            lines.append(f"{names[seat]}: calls {text}")
        else:
            _, paid = pay(seat, to - bets[seat])
            verb = f"raises {to - highest} to {to}" if highest else f"bets {to}"
            all_in = "" if left[seat] else " and is all-in"
            lines.append(f"{names[seat]}: {verb}{all_in}")
            bets[seat] = highest = to
    for seat in range(players):
        back = hand.stacks[seat] - left[seat] - hand.put[seat]
        # The rest of an ante that nobody matches is not said to come back.
        if back and sum(left) < sum(hand.stacks) and bets[seat] >= back:
            lines.append(f"Uncalled bet ({back}) returned to {names[seat]}")
    lines += [deal(hand, dealt) for dealt in range(street, len(hand.streets) - 1)]
    live = hand.live
    if len(live) > 1:
        lines.append("*** SHOW DOWN ***")
        for seat in live:
            hole = cards_text(hand.holes[seat], " ")
            lines.append(f"{names[seat]}: shows [{hole}] (a hand)")
    won = [own + put for own, put in zip(hand.net, hand.put, strict=True)]
    total = sum(won)
    rake = total // 20 if rng.random() < 0.5 and total // 20 <= max(won) else 0
    won[won.index(max(won))] -= rake
    lines += [f"{names[i]} collected {won[i]} from pot" for i in range(players) if won[i]]
    lines += ["*** SUMMARY ***", f"Total pot {total} | Rake {rake}", ""]
    return "\n".join(lines), names, won


def deal(hand, street):
    """Write the line of the street after one."""
    before = cards_text(hand.streets[street].board, " ")
    new = hand.streets[street + 1].board[len(hand.streets[street].board) :]
    known = f"[{before}] " if before else ""
    return f"*** {STREETS[street]} *** {known}[{cards_text(new, ' ')}]"


def check(numbers):
    side_pots = all_ins = 0
    for number in numbers:
        hand, rng = play(number)
        text, names, won = write(hand, number, rng)
        try:
            (found,) = read_hands(text, errors="raise")
        except holdem.HistoryError as error:
            pytest.fail(f"{error}\n{text}")
        assert found.names == tuple(names)
        assert found.net == tuple(own - put for own, put in zip(won, hand.put, strict=True)), text
        assert [(pot.amount, pot.seats) for pot in found.pots] == [
            (pot.amount, pot.seats) for pot in hand.pots
        ]
        assert (found.all_in, found.put, found.board) == (hand.all_in, hand.put, hand.board)
        assert [street.pot for street in found.streets] == [street.pot for street in hand.streets]
        assert found.actions == hand.actions
        side_pots += len(found.pots) > 1
        all_ins += found.all_in is not None
    assert side_pots > len(numbers) // 8
    assert all_ins > len(numbers) // 4


def test_made_up_logs():
    check(range(150))


@pytest.mark.slow
def test_many_made_up_logs():
    check(range(150, 2650))
