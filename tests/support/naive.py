"""Naive answers: every deal is dealt, and every hand is ranked by looking at its choices of five.

Nothing here uses the engine's tables, symmetries or exact methods. Hands are ranked by the rule
book (`holdem.evaluation.builtin.reference`, five cards at a time), by eval7 where there are many,
or by `NaiveGame`, which shares no code with the engine. Cards are ids unless a function says
otherwise, and the functions that count deals take any cards; a *range* is a list of
``(hole, weight)`` with weights that are `Fraction` or int.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import prod

import eval7
import numpy as np

from hands import all_hands_of_five
from holdem.cards import DECK, DECK_SIZE, card_set, card_sets
from holdem.evaluation.builtin import reference
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS
from holdem.ranges.range import Range
from holdem.rules import STANDARD

# --- hands -------------------------------------------------------------------------------------


def card_set_of(cards):
    """Return the sum of a power of two for each card."""
    return sum(2 ** (4 * (card // 4) + card % 4) for card in cards)


def rank_by_rule_book(cards, rules=STANDARD):
    """Return the strength of the best five of the cards."""
    return max(reference.strength(five, rules) for five in combinations(cards, 5))


def best_fives(cards, rules=STANDARD):
    """Return every choice of five, as a tuple, that is as strong as the cards."""
    best = rank_by_rule_book(cards, rules)
    return [five for five in combinations(cards, 5) if reference.strength(five, rules) == best]


def classify(cards, rules=STANDARD):
    """Return the category of the best five of the cards, and the ranks that decide."""
    return reference.classify(best_fives(cards, rules)[0], rules)


@cache
def _class_numbers():
    classes = enumerate(STANDARD.classes, start=1)
    return {(found.category, found.ranks): number for number, found in classes}


def class_by_rule_book(cards):
    """Return the number of the class, 1 the strongest."""
    return _class_numbers()[classify(cards)]


_EVAL7_CARDS = [eval7.Card(str(card)) for card in DECK]


def rank_by_eval7(cards):
    """Return eval7's strength of the cards; bigger is stronger."""
    return eval7.evaluate([_EVAL7_CARDS[card] for card in cards])


def category_by_eval7(cards):
    """Return the category of the cards according to eval7, by our name."""
    name = eval7.handtype(rank_by_eval7(cards))
    return {"Trips": "three of a kind", "Quads": "four of a kind"}.get(name, name.lower())


# --- deals -------------------------------------------------------------------------------------


def range_of(text, rules="standard"):
    """Return the range that a text or a `Range` stands for."""
    held = Range(text, rules=rules) if isinstance(text, str) else text
    return [(tuple(map(int, combo)), Fraction(str(held.weight(combo)))) for combo in held]


def ranges_of_weights(weights):
    """Return the ranges of weights, ``float64 (player, 1326)``; weights are exactly the floats."""
    return [
        [(tuple(COMBO_CARDS[n].tolist()), Fraction(float(own[n]))) for n in np.flatnonzero(own)]
        for own in weights
    ]


def every_holding(ranges, board=(), dead=()):
    """Yield each way to hold the players' cards, no card twice, and the product of its weights."""
    for hands in product(*ranges):
        holes = [hole for hole, _ in hands]
        held = [card for hole in holes for card in hole]
        if len({*held, *board, *dead}) == len(held) + len(board) + len(dead):
            yield holes, prod(weight for _, weight in hands)


def every_deal(ranges, board=(), dead=(), deck=range(DECK_SIZE)):
    """Yield each deal: the players' hole cards, five board cards and the weight."""
    for holes, weight in every_holding(ranges, board, dead):
        gone = {*board, *dead, *(card for hole in holes for card in hole)}
        for runout in combinations([card for card in deck if card not in gone], 5 - len(board)):
            yield holes, (*board, *runout), weight


def count_deals(ranges, board=(), dead=(), rank=rank_by_eval7, deck=range(DECK_SIZE)):
    """Return each player's weight of ``[wins, ties, losses, shares]``, and the number of deals."""
    totals = [[0, 0, 0, 0] for _ in ranges]
    deals = 0
    for holes, shared, weight in every_deal(ranges, board, dead, deck):
        _add(totals, [rank((*shared, *hole)) for hole in holes], weight)
        deals += 1
    return [_with_shares(total) for total in totals], deals


def count_by_category(ranges, board=(), dead=()):
    """Return each player's totals as in `count_deals`, by the category that the player has."""
    tables = [defaultdict(lambda: [0, 0, 0, 0]) for _ in ranges]
    rank, category = cache(rank_by_eval7), cache(category_by_eval7)
    for holes, shared, weight in every_deal(ranges, board, dead):
        hands = [tuple(sorted((*shared, *hole))) for hole in holes]
        totals = [table[category(hand)] for table, hand in zip(tables, hands, strict=True)]
        _add(totals, [rank(hand) for hand in hands], weight)
    return [{name: _with_shares(total) for name, total in table.items()} for table in tables]


def _add(totals, ranks, weight):
    winners = ranks.count(max(ranks))
    for total, rank in zip(totals, ranks, strict=True):
        if rank < max(ranks):
            total[2] += weight
        else:
            total[0 if winners == 1 else 1] += weight
            total[3] += weight * (2520 // winners)  # which up to ten players share evenly


def _with_shares(total):
    wins, ties, losses, shares = total
    return [wins, ties, losses, Fraction(shares) / 2520]


def settle(pots, holes, board, dead):
    """Return the exact expectation and variance of each seat's chips, lists of `Fraction`.

    On each runout, each pot of a whole number of chips goes to the best of its own seats.

    Args:
        pots: ``(amount, seats)`` of each.
        holes: of each seat; None if it is in no pot.
        board: card ids.
        dead: card ids.
    """
    known = {*board, *dead, *(card for hole in holes if hole is not None for card in hole)}
    live = {seat for _, seats in pots for seat in seats}
    sums, squares, runouts = [0] * len(holes), [0] * len(holes), 0
    for runout in combinations([c for c in range(DECK_SIZE) if c not in known], 5 - len(board)):
        won = [0] * len(holes)  # in 1/2520 of a chip, which up to ten winners share evenly
        ranks = {seat: rank_by_eval7((*holes[seat], *board, *runout)) for seat in live}
        for amount, seats in pots:
            best = max(ranks[seat] for seat in seats)
            winners = [seat for seat in seats if ranks[seat] == best]
            for seat in winners:
                won[seat] += 2520 * amount // len(winners)
        sums = [total + own for total, own in zip(sums, won, strict=True)]
        squares = [total + own * own for total, own in zip(squares, won, strict=True)]
        runouts += 1
    means = [Fraction(total, 2520 * runouts) for total in sums]
    return means, [
        Fraction(total, 2520 * 2520 * runouts) - mean * mean
        for total, mean in zip(squares, means, strict=True)
    ]


# --- what a hand has on a board ----------------------------------------------------------------


def made_hand(hole, board, rules=STANDARD):
    """Return the made hand of a combo, by the definitions in the docs of `holdem hits`."""
    best = classify((*hole, *board), rules)[0]
    if best not in ("high card", "pair", "two pair", "three of a kind"):
        return best
    own = sorted((card // 4 for card in hole), reverse=True)
    counts = Counter(card // 4 for card in board)
    ranks = sorted(counts, reverse=True)
    paired = [rank for rank in own if rank in counts]
    is_pair = own[0] == own[1]
    if best == "three of a kind":
        if max(counts.values()) == 3:
            return "three of a kind on the board"
        return "set" if is_pair else "trips"
    if len(paired) == 2 and not is_pair:
        return "two pair"
    if is_pair and own[0] > ranks[0]:
        return "overpair"
    if ranks[0] in paired:
        return "top pair"
    if ranks[1] in paired or (is_pair and ranks[0] > own[0] > ranks[1]):
        return "second pair"
    if is_pair or paired:
        return "weak pair"
    if max(counts.values()) >= 2:
        return "board pair"
    return "ace high" if 12 in own else "no made hand"


def draws(hole, board, rules=STANDARD):
    """Return the set of draws of a combo."""
    found = set()
    for suit in {card % 4 for card in hole}:
        suited = [card for card in (*hole, *board) if card % 4 == suit]
        if len(suited) == 4:
            found.add("flush draw")
        if len(suited) == 3 and len(board) == 3:
            found.add("backdoor flush draw")
    own, common = {card // 4 for card in hole}, {card // 4 for card in board}
    straights = [set(straight) for straight in rules.straights]  # the strongest first
    present = [straight <= own | common for straight in straights]
    better = straights[: present.index(True)] if True in present else straights
    completing = [
        rank
        for rank in {card // 4 for card in rules.deck}
        for best in [next((s for s in better if s <= own | common | {rank}), None)]
        if best and not best <= common | {rank}
    ]
    if completing:
        found.add("gutshot" if len(completing) == 1 else "open-ended")
    if len(own) == 2 and min(own) > max(common):
        found.add("overcards")
    return found


def fine_lines(hole, board, rules=STANDARD):
    """Return the finest lines of a combo: its made hand and its draws, some of them split."""
    made, drawing = made_hand(hole, board, rules), draws(hole, board, rules)
    own, common = {card // 4 for card in hole}, {card // 4 for card in board}
    if made == "top pair":
        (kicker,) = own - {max(common)}
        better = [rank for rank in range(kicker + 1, 13) if rank not in common]
        kind = "top" if not better else "good" if len(better) <= 2 else "weak"
        made = f"top pair ({kind} kicker)"
    elif made == "weak pair":
        made = "pocket pair below second pair" if len(own) == 1 else "third pair or lower"
    lines = {made, *drawing}
    if "flush draw" in lines:
        if drawing & {"open-ended", "gutshot"}:
            lines.add("combo draw")
        suits = [card % 4 for card in (*hole, *board)]
        (suit,) = {suit for suit in suits if suits.count(suit) == 4}
        nut = next(card for card in range(48 + suit, -1, -4) if card not in board)
        lines.remove("flush draw")
        lines.add(f"flush draw ({'nut' if nut in hole else 'other'})")
    ranks = own | common
    if "open-ended" in drawing and not any({n, n + 1, n + 2, n + 3} <= ranks for n in range(10)):
        lines.add("double gutshot")
    return lines


def categories_to_come(held, board, dead, cards):
    """Return the weight of each category over all boards with so many more cards."""
    sums = Counter()
    for (hole,), weight in every_holding([held], board, dead):
        deck = [card for card in range(DECK_SIZE) if card not in {*hole, *board, *dead}]
        for more in combinations(deck, cards):
            sums[category_by_eval7((*hole, *board, *more))] += weight
    return sums


# --- flops up to suits -------------------------------------------------------------------------


def sizes_of_flop_orbits(deck, *ranges):
    """Return the sizes of the orbits of flops in ascending order; flops without a deal count not.

    Suits may be exchanged if this changes no weight of a range.

    Args:
        deck: the cards, `Card` objects.
        ranges: two of them, each a `Range`.
    """
    cards = {str(card): card for card in deck}
    weights = [{combo: hands.weight(combo) for combo in hands} for hands in ranges]

    def image(some, suits):
        return frozenset(cards[str(card)[0] + suits[str(card)[1]]] for card in some)

    group = []
    for images in permutations("cdhs"):
        suits = dict(zip("cdhs", images, strict=True))
        if all(
            {image(combo, suits): weight for combo, weight in own.items()}
            == {frozenset(combo): weight for combo, weight in own.items()}
            for own in weights
        ):
            group.append(suits)
    sizes = Counter()
    for flop in combinations(deck, 3):
        left = [[combo for combo in own if not set(combo) & set(flop)] for own in weights]
        if any(not set(a) & set(b) for a in left[0] for b in left[1]):
            sizes[min(tuple(sorted(image(flop, suits))) for suits in group)] += 1
    return sorted(sizes.values())


# --- every combo of whole ranges, with numpy ---------------------------------------------------


def count_winners(players, board=(), dead=()):
    """Return the deals won by each set of players, ``int64 (2^players, one, two, …)``.

    Every combo of each player meets every combo of the others on every board. The hands are ranked
    by the default evaluator's batch function, whose own tests do without these counts.

    Args:
        players: the numbers of each player's combos, two or three arrays.
        board: card ids.
        dead: card ids.
    """
    grids = np.meshgrid(*players, indexing="ij", sparse=True)
    apart = True
    for (_, one), (_, two) in combinations(enumerate(grids), 2):
        apart = apart & ((COMBO_SETS[one] & COMBO_SETS[two]) == 0)
    counts = np.zeros((1 << len(players), *map(len, players)), dtype=np.int64)
    rest = [card for card in range(DECK_SIZE) if card not in {*board, *dead}]
    for runout in combinations(rest, 5 - len(board)):
        gone = np.uint64(card_set((*board, *runout, *dead)))
        possible, strengths = apart, []
        for own, grid in zip(players, grids, strict=True):
            hands = np.empty((len(own), 7), dtype=np.uint8)
            hands[:, :5], hands[:, 5:] = (*board, *runout), COMBO_CARDS[own]
            strengths.append(rank_batch(hands).reshape(grid.shape))
            possible = possible & ((COMBO_SETS[grid] & gone) == 0)
        best = np.maximum.reduce(np.broadcast_arrays(*strengths))
        winners = sum((own == best) << seat for seat, own in enumerate(strengths))
        for winner_set in range(1, 1 << len(players)):
            counts[winner_set] += possible & (winners == winner_set)
    return counts


def weigh(counts, weights):
    """Return the exact sum of counts times weights: int64 (combo, opponent) -> (combo,)."""
    exact = [Fraction(float(weight)) for weight in weights]
    return [
        sum((int(count) * weight for count, weight in zip(row, exact, strict=True)), Fraction(0))
        for row in counts
    ]


def count_every_board(holes, gone=0):
    """Count the winners of match-ups before the flop, ``int64 (match-up, 2^players)``.

    Args:
        holes: ``uint8 (match-up, player, 2)``.
        gone: the set of dead cards.
    """
    counts = np.zeros((len(holes), 1 << holes.shape[1]), dtype=np.int64)
    for row, own in enumerate(holes):
        taken = np.uint64(gone | card_set(own.ravel().tolist()))
        fives, sets = _every_five()
        boards = fives[sets & taken == 0]
        hands = np.empty((len(boards), 7), dtype=np.uint8)
        hands[:, :5] = boards
        strengths = []
        for hole in own:
            hands[:, 5:] = hole
            strengths.append(rank_batch(hands))
        at_top = strengths == np.max(strengths, axis=0)
        winners = (at_top << np.arange(len(own))[:, None]).sum(axis=0)
        counts[row] = np.bincount(winners, minlength=counts.shape[1])
    return counts


@cache
def _every_five():
    fives = all_hands_of_five()
    return fives, card_sets(fives)


# --- a game that shares no code with the engine ------------------------------------------------


class NaiveGame:
    """A game by its ranks, lowest first, and its categories, weakest first; cards are text."""

    def __init__(self, ranks, categories):
        self.ranks = ranks
        self.categories = list(categories)
        self.deck = [rank + suit for rank in ranks for suit in "cdhs"]
        self._known = {}

    def classify(self, five):
        """Return the category of five cards and the ranks that decide, by their places."""
        places = [self.ranks.index(rank) for rank, _ in five]
        counts = Counter(places)
        deciding = sorted(counts, key=lambda place: (counts[place], place), reverse=True)
        suited = len({suit for _, suit in five}) == 1
        shape = sorted(counts.values())
        if shape == [1, 1, 1, 1, 1]:
            ace = len(self.ranks) - 1
            wheel = sorted(places) == [0, 1, 2, 3, ace] and len(self.ranks) > 5
            if wheel or max(places) - min(places) == 4:
                top = 3 if wheel else max(places)
                return "straight flush" if suited else "straight", [top]
            return "flush" if suited else "high card", deciding
        names = {
            (1, 1, 1, 2): "pair",
            (1, 2, 2): "two pair",
            (1, 1, 3): "three of a kind",
            (2, 3): "full house",
            (1, 4): "four of a kind",
        }
        return names[tuple(shape)], deciding

    def shuffled(self, seed):
        """Return the deck, shuffled."""
        return random.Random(seed).sample(self.deck, len(self.deck))

    def rank(self, five):
        """Return something that compares as five cards do; cards in any order."""
        return self._rank(tuple(sorted(five)))

    def _rank(self, five):
        if five not in self._known:
            category, deciding = self.classify(five)
            self._known[five] = (self.categories.index(category), deciding)
        return self._known[five]

    def best(self, cards):
        """Return the rank of the best five of the cards."""
        return max(map(self._rank, combinations(sorted(cards), 5)))

    def count(self, players, board=(), dead=()):
        """Return each player's [wins, ties, losses] over all deals.

        Args:
            players: for each player a list of pairs of cards.
            board: 0 to 5 cards.
            dead: cards out of play.
        """
        ranges = [[(hole, 1) for hole in holes] for holes in players]
        totals, _ = count_deals(ranges, board, dead, self.best, self.deck)
        return [counts for *counts, _ in totals]
