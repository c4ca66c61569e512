"""Hands up to suit permutations as consecutive integers."""

import hashlib
from itertools import permutations
from math import comb

import numpy as np
import pytest

import holdem
from hands import random_hands
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT
from holdem_abstraction import HandIndexer
from holdem_abstraction.streets import street_boards

SIZES = {"preflop": 169, "flop": 1_286_792, "turn": 13_960_050, "river": 123_156_254}
CARDS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
# Indices are written to files, and must never change.
DIGESTS = {
    "preflop": "d0158a8f6bcfc077",
    "flop": "93d7d1bfc585be61",
    "turn": "130cedbbcd40df8a",
    "river": "69bc7662a45a1e92",
}
SUITS = np.array(list(permutations(range(4))), dtype=np.uint8)


def dealt(street, count, seed=1):
    """Return random hands of a street: hole cards and boards."""
    cards = random_hands(count, 2 + CARDS[street], seed=seed)
    return cards[:, :2], cards[:, 2:]


@pytest.mark.parametrize("street", SIZES)
def test_sizes_and_numbers(street):
    indexer = HandIndexer(street)
    assert indexer.size == SIZES[street]
    holes, boards = indexer.hands(np.arange(0, indexer.size, max(1, indexer.size // 5000)))
    digest = hashlib.blake2b(holes.tobytes() + boards.tobytes(), digest_size=8)
    assert digest.hexdigest() == DIGESTS[street]


def test_hands_in_any_order():
    """The hand of an index does not depend on the indices before it."""
    indexer = HandIndexer("flop")
    indices = np.arange(0, indexer.size, 997)[::-1]
    assert np.array_equal(indices, indexer.index(*indexer.hands(indices)))


def inverse(street, step=1 << 20):
    """Check that every number has a hand, and that this hand has the number."""
    indexer = HandIndexer(street)
    for first in range(0, indexer.size, step):
        numbers = np.arange(first, min(first + step, indexer.size))
        holes, boards = indexer.hands(numbers)
        np.testing.assert_array_equal(indexer.index(holes, boards), numbers)


@pytest.mark.parametrize("street", ["preflop", "flop"])
def test_inverse(street):
    inverse(street)


@pytest.mark.slow
@pytest.mark.parametrize("street", ["turn", "river"])
def test_inverse_on_later_streets(street):
    inverse(street)


def renamed(cards, suits):
    """Return hands, ``uint8 (hand, card)``, with the suits of each renamed."""
    return cards // 4 * 4 + np.take_along_axis(suits, cards % 4, axis=1)


@pytest.mark.parametrize("street", SIZES)
def test_invariance(street):
    """Suit permutations, and the order of the cards, do not change the index."""
    indexer, rng = HandIndexer(street), np.random.default_rng(2)
    hands = dealt(street, 20_000)
    suits = SUITS[rng.integers(24, size=len(hands[0]))]
    other = [renamed(rng.permuted(cards, axis=1), suits) for cards in hands]
    np.testing.assert_array_equal(indexer.index(*other), indexer.index(*hands))


@pytest.mark.parametrize("street", SIZES)
def test_classes(street):
    """Hands have one index if and only if a permutation of the suits turns one into the other."""
    holes, boards = dealt(street, 1000)
    found = HandIndexer(street).index(holes, boards)
    images = [
        np.concatenate(
            [np.sort(renamed(cards, np.tile(suits, (len(cards), 1)))) for cards in (holes, boards)],
            1,
        )
        for suits in SUITS
    ]
    least = [min(keys) for keys in zip(*(image.tolist() for image in images), strict=True)]
    pairs = set(zip(found.tolist(), map(tuple, least), strict=True))
    assert len(pairs) == len(set(found.tolist())) == len({key for _, key in pairs})


@pytest.mark.parametrize(("street", "count"), [("preflop", 1), ("flop", 1755), ("turn", 16432)])
def test_boards(street, count):
    """The orbits of the boards, and of the hands on them, add up to all deals."""
    boards = street_boards(street)
    assert len(boards.cards) == count
    assert boards.deals.sum() == comb(52, CARDS[street])
    some = np.arange(0, count, max(1, count // 300))
    holes = np.tile(COMBO_CARDS, (len(some), 1))
    cards = np.repeat(boards.cards[some], COMBO_COUNT, axis=0)
    free = ~(holes[:, :, None] == cards[:, None]).any(axis=(1, 2))
    cells = boards.locate(holes[free], cards[free])
    # A canonical board is its own, and a combo moves only where suits can be exchanged.
    np.testing.assert_array_equal(cells // COMBO_COUNT, np.repeat(some, COMBO_COUNT)[free])
    indexer = HandIndexer(street)
    np.testing.assert_array_equal(
        indexer.index(COMBO_CARDS[cells % COMBO_COUNT], cards[free]),
        indexer.index(holes[free], cards[free]),
    )


@pytest.mark.slow
def test_boards_of_rivers():
    test_boards("river", 134_459)


@pytest.mark.parametrize("street", ["flop", pytest.param("turn", marks=pytest.mark.slow)])
def test_orbits(street):
    """The hands that have each index add up to all deals, and are at most 24."""
    boards, indexer = street_boards(street), HandIndexer(street)
    sizes = np.zeros(indexer.size, dtype=np.int64)
    for row in range(0, len(boards.cards), 500):
        own = boards.cards[row : row + 500]
        holes, cards = np.tile(COMBO_CARDS, (len(own), 1)), np.repeat(own, COMBO_COUNT, axis=0)
        deals = np.repeat(boards.deals[row : row + 500].astype(np.int64), COMBO_COUNT)
        free = ~(holes[:, :, None] == cards[:, None]).any(axis=(1, 2))
        sizes += np.bincount(
            indexer.index(holes[free], cards[free]), deals[free], indexer.size
        ).astype(int)
    assert sizes.sum() == comb(52, 2) * comb(50, CARDS[street])
    assert sizes.min() >= 1
    assert sizes.max() <= 24


def test_text():
    indexer = HandIndexer("flop")
    expected = indexer.index(np.array([[51, 47]]), np.array([[33, 29, 0]]))
    assert indexer.index("AsKs", "Td9d2c").tolist() == expected.tolist()
    assert indexer.index("K♥ A♥", ["2s 9c Tc"]).tolist() == expected.tolist()
    assert indexer.index(["AsKs", "KdAd"], ["Td9d2c", "Th9h2s"]).tolist() == [*expected] * 2
    assert len(indexer.index(["AsKs", "QhQd"], "Td9d2c")) == 2
    holes, boards = indexer.hands(int(expected[0]))
    assert (holes.shape, boards.shape) == ((1, 2), (1, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda i: i.index("AsKs", "AsTd9d"), "hand 0: As Ks As Td 9d has As twice"),
        (lambda i: i.index("AsKs", "Td9d"), "hand 0: board: expected 3 cards, not 2"),
        (lambda i: i.index("AsKs"), "hand 0: board: expected 3 cards, not 0"),
        (lambda i: i.index(["AsKs", "xx"], "Td9d2c"), "hand 1: hole cards: 'xx' is not a card"),
        (lambda i: i.index(["AsKs"] * 2, ["Td9d2c"] * 3), "2 hands and 3 boards"),
        (lambda i: i.index(np.uint8([[51, 47]]), ["Td9d2c"] * 3), "1 hand and 3 boards"),
        (lambda i: i.index(np.uint8([[60, 1]]), "Td9d2c"), "hand 0: no card has the id 60"),
        (
            lambda i: i.index(np.uint8([[51, 47, 33, 29, 0]])),
            "hole cards: 5 cards, not 2; give the boards as the second argument",
        ),
        (lambda i: i.hands([3, -1]), "index 1: -1 is not from 0 to 1286791"),
        (lambda i: i.hands(1_286_792), "index 0: 1286792 is not from 0"),
        (lambda i: HandIndexer("Flop"), "no street 'Flop' .did you mean flop"),
        (
            lambda i: HandIndexer("preflop").index("AsKs", "2c3c4c"),
            "no board before the flop",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(holdem.HoldemValueError, match=message):
        call(HandIndexer("flop"))


def test_deals():
    """The hands of all indices are all hands; one index has those that differ by suits only."""
    before = HandIndexer("preflop")
    assert before.deals(np.arange(169)).tolist() == [
        {2: 6, 1: 4, 0: 12}[len({hole[0] // 4, hole[1] // 4}) % 2 * 2 or hole[0] % 4 == hole[1] % 4]
        for hole in before.hands(np.arange(169))[0].tolist()
    ]
    flops = HandIndexer("flop")
    deals = flops.deals(np.arange(flops.size))
    assert (deals.dtype, deals.sum()) == (np.int64, 1326 * 19600)
    rng = np.random.default_rng(3)
    for street in ("turn", "river"):
        indexer = HandIndexer(street)
        some = rng.integers(indexer.size, size=20)
        for index, count in zip(some.tolist(), indexer.deals(some).tolist(), strict=True):
            (hole,), (board,) = indexer.hands(index)
            images = {
                (frozenset(4 * (c // 4) + s[c % 4] for c in hole.tolist()),
                 frozenset(4 * (c // 4) + s[c % 4] for c in board.tolist()))
                for s in permutations(range(4))
            }  # fmt: skip
            assert len(images) == count
    with pytest.raises(holdem.HoldemValueError, match="is not from 0 to"):
        flops.deals([flops.size])
