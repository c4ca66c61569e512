"""How often does somebody flop a set, and what is it worth?
=========================================================

Simulate hands: deal many as arrays, ask in a line of Python, and get a mean with its error.
"""

import holdem

hands = holdem.deal(players=6, hands=200_000, seed=1)
sets = hands.has("set", street="flop")  # bool (hand, player)
print(f"{sets.any(axis=1).mean():.2%} of all flops give one of six players a set")
print(f"whoever has it wins {hands.share[sets].mean():.1%} of the pots")

found = holdem.estimate(
    lambda table: table.has("set", street="flop").max(axis=1), players=6, stderr=0.0002, seed=2
)
print(f"as precisely as you ask for: {found.mean:.2%} ± {1.96 * found.stderr:.2%}")
