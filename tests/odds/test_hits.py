"""`hits`: made hands, draws and categories, against the definitions and against eval7."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

import holdem
from games import ROYAL, THIRTY_TWO, THREES_FIRST
from holdem.ranges.combos import COMBO_TEXT
from holdem.rules import CATEGORIES, DEUCES_WILD, SHORT_DECK, STANDARD
from naive import categories_to_come, classify, draws, fine_lines, made_hand

DRAWS = ["flush draw", "backdoor flush draw", "open-ended", "gutshot", "overcards"]
MADE = [
    *("straight flush", "four of a kind", "full house", "flush", "straight"),
    *("set", "trips", "three of a kind on the board", "two pair", "overpair", "top pair"),
    *("second pair", "weak pair", "board pair", "ace high", "no made hand"),
]
FINE = {
    "top pair": ["top pair (top kicker)", "top pair (good kicker)", "top pair (weak kicker)"],
    "weak pair": ["pocket pair below second pair", "third pair or lower"],
    "flush draw": ["flush draw (nut)", "flush draw (other)"],
}


def require_groups(result, deal, weights, board, rules=STANDARD):
    """Assert that each group has the combos that belong to it, with their weights."""
    expected = {name: {} for name in (*result.made, *result.draws)}
    for combo, weight in weights.items():
        hole = [int(card) for card in combo]
        expected[made_hand(hole, board, rules)][combo] = weight
        if len(board) < 5:
            for name in draws(hole, board, rules):
                expected[name][combo] = weight
    total = sum(weights.values())
    for name, group in {**result.made, **result.draws}.items():
        held = {combo: group.range.weight(combo) for combo in group.range}
        assert held == expected[name], (deal, name)
        assert group.combos == pytest.approx(sum(held.values()), rel=1e-14)
        assert group.share == pytest.approx(sum(held.values()) / total, rel=1e-14)
    assert sum(group.share for group in result.made.values()) == pytest.approx(1)


def random_range(rng, combos):
    """Return random combos with random weights."""
    numbers = rng.choice(1326, size=combos, replace=False).tolist()
    return {
        holdem.Combo(COMBO_TEXT[number]): weight
        for number, weight in zip(numbers, rng.choice([1, 0.5, 0.123], combos), strict=True)
    }


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize(
    ("evaluator", "rules"),
    [
        ("lookup", STANDARD),
        ("short-deck", SHORT_DECK),
        *((rules, rules) for rules in (ROYAL, THIRTY_TWO, THREES_FIRST)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_made_hands_and_draws(size, evaluator, rules):
    """Every combo is in the groups of its definition, on boards of which many are paired."""
    rng = np.random.default_rng(size)
    lowest = rules.deck[0]
    for number in range(12):
        deck = np.arange(lowest, 52)
        if number % 3 == 1:
            deck = deck[deck % 4 < 2]
        elif number % 3 == 2:
            deck = deck[deck < lowest + 28]
        cards = rng.permutation(deck)[: size + number % 4].tolist()
        board, dead = cards[:size], cards[size:]
        weights = random_range(rng, 70)
        result = holdem.hits(
            holdem.Range.from_combos(weights), board=board, dead=dead, evaluator=evaluator
        )
        live = {
            combo: weight
            for combo, weight in weights.items()
            if not {*combo} & {*cards} and min(combo) >= lowest
        }
        assert result.combos == pytest.approx(sum(live.values()), rel=1e-14)
        assert list(result.draws) == (DRAWS if size < 5 else [])
        require_groups(result, cards, live, board, rules)


def test_the_order_of_made_hands_is_that_of_the_rules():
    """Sets and trips stand where three of a kind does; by odd orders there are no such lines."""
    names = list(holdem.hits("random", board="9s8s7d", evaluator=THREES_FIRST).made)
    assert [*THREES_FIRST.categories[:4:-1], "set", "trips"] == names[:6]
    assert names.index("three of a kind on the board") + 1 == names.index("straight")
    odd = holdem.RuleSet("odd", "6789TJQKA", ("pair", "high card", *THREES_FIRST.categories[2:]))
    with pytest.warns(holdem.HoldemWarning, match="categories only: by odd rules"):
        found = holdem.hits("AKs,99", board="9s8s7d", evaluator=odd)
    assert odd.categories[::-1] == tuple(found.made)
    assert holdem.Range("9h9d,9h9c,9d9c") == found.made["three of a kind"].range
    assert holdem.Range("AsKs") == found.draws["flush draw"].range


@pytest.mark.parametrize("board", ["Ks7d2c", "9h8h7c6d", "KsKd7c7h2s", "KsKdKc7h", "AhKhQhJh"])
def test_every_combo(board):
    result = holdem.hits("random", board=board)
    assert list(result.made) == MADE
    cards = [int(card) for card in holdem.parse_cards(board)]
    weights = {combo: 1.0 for combo in holdem.Range("random") if not {*combo} & {*cards}}
    require_groups(result, board, weights, cards)


@pytest.mark.parametrize(
    ("hole", "board", "name"),
    [
        ("7h7c", "Ks7d2c", "set"),
        ("Kh2d", "KsKd7c", "trips"),
        ("Ah2d", "KsKdKc", "three of a kind on the board"),
        ("Kh7h", "Ks7d2c", "two pair"),
        ("AhAd", "KsKd7c", "overpair"),
        ("Ah7h", "KsKd7c", "second pair"),
        ("QhQd", "Ks7d2c", "second pair"),
        ("6h6d", "Ks7d2c", "weak pair"),
        ("2h2d", "KsKd7c7h", "weak pair"),  # not among the best five
        ("AhQd", "KsKd7c7h", "board pair"),
        ("AhQd", "Ks7d2c", "ace high"),
        ("KhQd", "As7d2c", "no made hand"),  # the ace is on the board
        ("2h3d", "AsKsQsJsTs", "straight flush"),
        ("5h4d", "As3d2c", "straight"),
    ],
)
def test_examples_of_made_hands(hole, board, name):
    made = holdem.hits(hole, board=board).made
    assert [key for key, group in made.items() if group.combos] == [name]


@pytest.mark.parametrize(
    ("hole", "board", "names"),
    [
        ("AsQs", "Ks7s2c", ["flush draw"]),
        ("AsQd", "Ks7s2s", ["flush draw"]),
        ("AhQd", "Ks7s2s", []),
        ("AsQs", "Ks7d2c", ["backdoor flush draw"]),
        ("AsQs", "Ks7d2c3h", []),  # a backdoor draw ends with the flop
        ("9h8d", "7s6d2c", ["open-ended", "overcards"]),
        ("9h7d", "Js8d5c", ["open-ended"]),  # a six or a ten
        ("9h5d", "8s6d2c", ["gutshot"]),
        ("AhKd", "QsJd2c", ["gutshot", "overcards"]),
        ("Ah4d", "3s2dKc", ["gutshot"]),
        ("AhKd", "9s8d7c6h", ["overcards"]),  # a ten or a five makes a straight of the board
        ("Th2d", "9s8d7c6h", ["gutshot"]),  # to a better straight
        ("Ah5d", "9s8d7c6h", []),
        ("AhAd", "9s4d2c", []),  # an overpair
        ("AhKd", "9s5d3c", ["overcards"]),
    ],
)
def test_examples_of_draws(hole, board, names):
    drawing = holdem.hits(hole, board=board).draws
    assert [key for key, group in drawing.items() if group.combos] == names


@pytest.mark.parametrize(
    ("hole", "board", "names"),
    [
        ("AhKh", "Ks7d2c", ["top pair (top kicker)"]),
        ("AhJh", "AsKd2c", ["top pair (good kicker)"]),  # kings are two pair, so queens are top
        ("KhTh", "Ks7d2c", ["top pair (weak kicker)"]),
        ("6h6d", "Ks7d2c", ["pocket pair below second pair"]),
        ("Ah2h", "Ks7d2c", ["third pair or lower"]),
        ("QsJs", "AsKs2c", ["no made hand", "flush draw (nut)", "combo draw", "gutshot"]),
        ("QsJd", "Ks7s2s", ["no made hand", "flush draw (other)"]),
        ("9h7d", "Js8d5c", ["no made hand", "open-ended", "double gutshot"]),
        ("9h8d", "7s6d2c", ["no made hand", "open-ended", "overcards"]),
    ],
)
def test_examples_of_fine_lines(hole, board, names):
    found = holdem.hits(hole, board=board, fine=True)
    lines = {**found.made, **found.draws}
    assert {key for key, group in lines.items() if group.combos} == {*names}


@pytest.mark.parametrize("rules", [STANDARD, SHORT_DECK], ids=["standard", "short-deck"])
def test_fine_lines(rules):
    """Every combo is in the lines of its definition, and the parts of a line add up to it."""
    rng = np.random.default_rng(12)
    evaluator = "lookup" if rules is STANDARD else "short-deck"
    counts = Counter()
    for number in range(18):
        deck = np.arange(rules.deck[0], 52)
        deck = deck[(deck % 4 < 2) | (number % 2 == 0)]
        board = rng.permutation(deck)[: 3 + number % 3].tolist()
        hands = holdem.Range.from_combos(random_range(rng, 80))
        coarse = holdem.hits(hands, board=board, evaluator=evaluator)
        found = holdem.hits(hands, board=board, evaluator=evaluator, fine=True)
        lines = {**found.made, **found.draws}
        for combo in found.remove():
            hole = [int(card) for card in combo]
            expected = fine_lines(hole, board, rules)
            if len(board) == 5:
                expected = {name for name in expected if name in found.made}
            assert {name for name, group in lines.items() if combo in group.range} == expected
            counts.update(expected)
        for name, group in {**coarse.made, **coarse.draws}.items():
            parts = [lines[part] for part in FINE.get(name, [name])]
            assert sum(part.combos for part in parts) == pytest.approx(group.combos, rel=1e-14)
            union = parts[0].range
            for part in parts[1:]:
                assert union.isdisjoint(part.range)
                union |= part.range
            assert union == group.range
    parts = {part for names in FINE.values() for part in names}
    assert parts | {"combo draw", "double gutshot"} <= {*counts}


def test_keep_and_remove():
    """What remains is what is in the lines, or in none of them, with its weights."""
    hands = holdem.Range("22+,A2s+,KTs+:0.25,QJs,AKo:0.5")
    for fine in (False, True):
        h = holdem.hits(hands, board="Ks7s2c", fine=fine)
        kept = h.keep("top pair", "flush draw")
        assert kept == h.keep("Flush  draw , top pair")
        for combo in hands.without("Ks7s2c"):
            hole, board = [int(card) for card in combo], [47, 23, 0]
            lines = {made_hand(hole, board), *draws(hole, board)}
            weight = hands.weight(combo)
            is_kept = bool(lines & {"top pair", "flush draw"})
            assert kept.weight(combo) == weight * is_kept
            assert h.remove("top pair", "flush draw").weight(combo) == weight * (not is_kept)
        assert len(h.keep()) == 0
        assert h.remove() == hands.without("Ks7s2c")
    assert h.keep("top pair") - h.keep("top pair (top kicker)") == h.keep(
        "top pair (good kicker), top pair (weak kicker)"
    )
    wild = holdem.hits("AhKd,JJ", board="Qs2d9h", evaluator="deuces-wild", fine=True)
    assert str(wild.keep("three of a kind")) == "JJ"


def test_lines_that_do_not_exist():
    h = holdem.hits("22+", board="Ks7d2c")
    with pytest.raises(holdem.HoldemValueError, match="'top pai'"):
        h.keep("set, top pai")
    with pytest.raises(holdem.HoldemValueError, match=r"''.*; there are: straight flush, .*, over"):
        h.remove("set,")
    with pytest.raises(holdem.HoldemTypeError, match="must be text"):
        h.keep(["set"])
    river = holdem.hits("22+", board="Ks7d2c3h4h", fine=True)
    with pytest.raises(holdem.HoldemValueError, match="'flush draw'"):
        river.keep("flush draw")
    with pytest.raises(holdem.HoldemValueError, match="give the board"):
        holdem.hits("AsKs").keep("top pair")


def test_wild_twos():
    """All made hands are categories, and there are no draws."""
    result = holdem.hits("AhKd,2c3s,JJ", board="Qs2d9h", evaluator="deuces-wild")
    assert list(result.made) == list(DEUCES_WILD.categories[::-1])
    board = [int(card) for card in holdem.parse_cards("Qs2d9h")]
    for name, group in result.made.items():
        assert {classify((*map(int, combo), *board), DEUCES_WILD)[0] for combo in group.range} <= {
            name
        }
    assert sum(group.combos for group in result.made.values()) == 8
    assert result.draws == {}
    assert sum(result.by_next_card.values()) == pytest.approx(1)


# --- categories to come ------------------------------------------------------------------------


def require_shares(shares, sums):
    """Assert that probabilities are those of weights, to the last digits."""
    total = sum(sums.values())
    assert list(shares) == list(CATEGORIES[::-1])
    for name, share in shares.items():
        assert share == pytest.approx(float(sums[name] / total), rel=1e-14, abs=0), name


def require_categories(weights, board, dead):
    """Assert the categories on the streets to come."""
    result = holdem.hits(holdem.Range.from_combos(weights), board=board, dead=dead)
    held = [(tuple(map(int, own)), Fraction(float(weight))) for own, weight in weights.items()]
    require_shares(result.by_river, categories_to_come(held, board, dead, 5 - len(board)))
    if len(board) in (3, 4):
        require_shares(result.by_next_card, categories_to_come(held, board, dead, 1))
    else:
        assert result.by_next_card == {}
    if board:
        assert (result.by_flop, result.by_turn) == ({}, {})
    else:
        require_shares(result.by_flop, categories_to_come(held, board, dead, 3))
        require_shares(result.by_turn, categories_to_come(held, board, dead, 4))
    cards = 52 - len(board) - len(dead) - 2
    assert result.runouts == comb(cards, 5 - len(board))


def generated(count, sizes, combos, dead=(0, 6), seed=1):
    """Generate random ranges, boards and dead cards; one in two is a single hand."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        size = sizes[number % len(sizes)]
        cards = rng.permutation(52)[: size + int(rng.integers(*dead))].tolist()
        weights = random_range(rng, 1 if number % 2 else int(rng.integers(2, combos)))
        if all({*combo} & {*cards} for combo in weights):
            continue
        yield weights, cards[:size], cards[size:]


@pytest.mark.equity
def test_categories_to_come():
    """Categories are those of eval7 over all boards."""
    for question in generated(40, (3, 4, 5), 8):
        require_categories(*question)


def test_categories_before_the_flop():
    """With many dead cards all boards are run; these have few or many symmetries."""
    for question in generated(6, (0,), 4, dead=(31, 37), seed=2):
        require_categories(*question)
    low = list(range(32))  # all suits are symmetric
    aces = dict.fromkeys(holdem.Range("AsKs,AA:0.5"), 0.3)
    require_categories(aces, [], low)


@pytest.mark.slow
def test_categories_of_200_questions():
    for question in generated(196, (3, 3, 4, 5), 40, seed=3):
        require_categories(*question)
    for question in generated(6, (0,), 3, dead=(0, 3), seed=4):
        require_categories(*question)


def test_all_combos_on_all_boards():
    """The categories of a random hand are the known numbers of hands of five to seven cards."""
    known = {
        "by_flop": [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40],
        "by_turn": [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844],
        "by_river": [
            *(23294460, 58627800, 31433400, 6461620, 6180020),
            *(4047644, 3473184, 224848, 41584),
        ],
    }
    result = holdem.hits("random")
    assert result.runouts == 2118760
    assert result.by_next_card == {}
    for size, (name, counts) in enumerate(known.items(), 5):
        named = zip(CATEGORIES, counts, strict=True)
        expected = {category: count / comb(52, size) for category, count in named}
        assert getattr(result, name) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("dead", "rules", "fine"),
    [
        (range(36), STANDARD, False),  # all suits are symmetric
        ([*range(4, 36), 36, 41, 51], STANDARD, True),
        ([*range(30, 48), 50], SHORT_DECK, True),
    ],
)
def test_flopped_lines(dead, rules, fine):
    """Each combo has each line on as many flops as the definitions say."""
    dead = [card for card in dead if card >= rules.deck[0]]
    deck = [int(card) for card in rules.deck if card not in dead]
    rng = np.random.default_rng(5)
    weights = {
        holdem.Combo(combo): float(weight)
        for combo, weight in zip(
            rng.permutation([*combinations(deck, 2)])[:9].tolist(), rng.random(9), strict=True
        )
    }
    evaluator = "lookup" if rules is STANDARD else "short-deck"
    hands = holdem.Range.from_combos(weights)
    result = holdem.hits(hands, dead=dead, evaluator=evaluator, fine=fine)
    found = {**result.made, **result.draws}
    expected = {name: {} for name in found}
    for combo, weight in weights.items():
        hole = [int(card) for card in combo]
        flops = [*combinations([card for card in deck if card not in hole], 3)]
        lines = Counter()
        for flop in flops:
            coarse = {made_hand(hole, flop, rules), *draws(hole, flop, rules)}
            lines.update(fine_lines(hole, flop, rules) if fine else coarse)
        for name, count in lines.items():
            expected[name][combo] = weight * count / len(flops)
    total = sum(weights.values())
    for name, group in found.items():
        held = {combo: group.range.weight(combo) for combo in group.range}
        assert held == pytest.approx(expected[name], rel=1e-14), name
        assert group.combos == pytest.approx(sum(held.values()), rel=1e-14)
        assert group.share == pytest.approx(sum(held.values()) / total, rel=1e-14)
    assert sum(group.share for group in result.made.values()) == pytest.approx(1)


def test_known_flops():
    """Of 19,600 flops, 2,304 have a card of a pocket pair's rank; on 165 flops suited cards have
    a flush, and on 2,145 a flush draw.
    """
    pair, suited = holdem.hits("77"), holdem.hits("Th4h")
    better = ("set", "full house", "four of a kind")
    on_board = 48 / 19600  # three of a kind on the board, a full house
    assert sum(pair.made[name].share for name in better) - on_board == pytest.approx(2304 / 19600)
    assert suited.made["flush"].share == pytest.approx(165 / 19600)
    assert suited.draws["flush draw"].share == pytest.approx(2145 / 19600)


@pytest.mark.parametrize("evaluator", ["bitwise", "cactus-kev", "reference"])
@pytest.mark.parametrize("board", ["Ks7s2c", "Ks7s2c5h", "Ks7s2c5h9h"])
def test_other_evaluators(evaluator, board):
    """They give the same figures, to the last bit."""
    hands = "KsQs:0.3,8h7c" if evaluator == "reference" else "77+,AsQs:0.3,98s"
    if evaluator == "reference" and len(board) == 6:
        board = "Ks7s2c5d"
    result = holdem.hits(hands, board=board, evaluator=evaluator)
    expected = holdem.hits(hands, board=board)
    assert result.evaluator.name == evaluator
    names = ("made", "draws", "by_next_card", "by_river", "combos", "runouts")
    assert [getattr(result, name) for name in names] == [getattr(expected, name) for name in names]


def test_other_evaluator_before_the_flop():
    result = holdem.hits("AsKs,QQ:0.3", dead="2c", evaluator="bitwise")
    expected = holdem.hits("AsKs,QQ:0.3", dead="2c")
    names = ("made", "draws", "by_flop", "by_turn", "by_river")
    assert [getattr(result, name) for name in names] == [getattr(expected, name) for name in names]


def test_any_number_of_workers():
    questions = [{"board": "Ks7d2c"}, {"dead": "2c"}]
    for options in questions:
        first, *others = (
            holdem.hits("22+,AK:0.3", workers=workers, **options) for workers in (1, 2, 3)
        )
        assert others == [first, first]


def test_errors():
    with pytest.raises(holdem.RangeError, match=r"^'QQ\+\+' is not a hand"):
        holdem.hits("QQ++")
    with pytest.raises(holdem.SpotError, match="not 6: Ks 7d 2c"):
        holdem.hits("AA", board="Ks7d2c3c4c5c")
    with pytest.raises(holdem.SpotError, match="the range is empty"):
        holdem.hits("")
    with pytest.raises(holdem.BudgetError, match=r"board cards, or leave out direct ranking$"):
        holdem.hits("random", dead="Ah2c", evaluator=holdem.get_evaluator("reference", direct=True))


def test_the_board_may_be_the_second_argument():
    """`hits` takes one range; what follows can only be the board."""
    assert holdem.hits("AKs", "Td9d2c") == holdem.hits("AKs", board="Td9d2c")
