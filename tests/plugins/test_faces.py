"""The five functions that each package of an article exports, and the article's own small words."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

import holdem
import holdem_bitwise
import holdem_cactus_kev
import holdem_dead_horse
import holdem_suit_mask
from holdem_cactus_kev import tables

PACKAGES = [holdem_bitwise, holdem_cactus_kev, holdem_dead_horse, holdem_suit_mask]
ACES_OF_SPADES = {
    holdem_bitwise: (14, 1),
    holdem_cactus_kev: 1 << 28 | 1 << 12 | 12 << 8 | 41,
    holdem_dead_horse: 69632,
    holdem_suit_mask: 1 << 13 | 1,
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_card_is_its_code_in_the_method(package):
    assert ACES_OF_SPADES[package] == package.card("As") == package.card(51)
    with pytest.raises(holdem.CardError, match="Zs"):
        package.card("Zs")


@pytest.mark.parametrize("package", PACKAGES)
def test_values_of_text_and_of_hands_and_batches_agree_with_the_rule_book(package):
    """On one hand of each class in a random order, values have the order of the classes."""
    examples = holdem.get_evaluator("reference").rules.examples
    order = np.random.default_rng(5).permutation(len(examples))[::4]
    texts = [" ".join(str(holdem.Card(int(card))) for card in examples[row]) for row in order]
    values = [package.hand_value(text) for text in texts]
    assert values == [package.hand_value(package.hand(text)) for text in texts]
    batch = package.rank_batch(np.ascontiguousarray(examples[order]))
    if package is holdem_cactus_kev:  # the article's lowest value wins
        assert values == (7463 - batch).tolist()
    else:
        assert values == batch.tolist()
    assert sorted(order) == [order[row] for row in np.argsort(batch)[::-1]]


def test_an_imported_package_needs_no_plugin():
    """Its functions rank hands by its own evaluator, whichever plugins are loaded."""
    script = """
import numpy as np, sys, importlib
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    text = "2c 3d 7h 9s Jd As Ah"
    print(package.hand_value(text), package.hand_name(text))
    print(package.rank_batch(np.arange(7)[None]).tolist())
print(package.hand_value(text, deuces_wild=True))
"""
    names = [package.__name__ for package in PACKAGES]
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script, *names],
            env=os.environ | {"HOLDEM_DISABLE_PLUGINS": disabled},
            capture_output=True,
            text=True,
            check=False,
        )
        for disabled in ("", "1")
    ]
    assert ["", ""] == [output.stderr for output in outputs]
    assert outputs[0].stdout == outputs[1].stdout
    assert len(outputs[0].stdout.splitlines()) == 9


@pytest.mark.parametrize("package", PACKAGES)
def test_a_hand_is_given_as_text_cards_ids_or_in_the_form_of_the_article(package):
    for text in ("As Ad 5h Ah Ac", "2c 3d 7h 9s Jd As", "2c 3d 7h 9s Jd As Ah"):
        cards = holdem.parse_cards(text)
        own = package.hand(text)
        ids = np.array(cards, dtype=np.uint8)
        forms = [text.split(), cards, list(map(int, cards)), ids, iter(cards), own]
        if package is holdem_suit_mask:
            forms.append(np.uint64(own))
        elif package is holdem_bitwise:
            forms.append(tuple(own))
        else:
            forms.append(np.array(own))
        assert [package.hand_value(text)] * len(forms) == [package.hand_value(f) for f in forms]
        assert package.hand_name(cards) == package.hand_name(own) == package.hand_name(text)
        assert own == package.hand(cards) == package.hand(own)
        (strength,) = package.rank_batch(ids[None].astype(int))
        value = package.hand_value(text)
        assert strength == (7463 - value if package is holdem_cactus_kev else value)


def test_the_best_five_of_seven_cards():
    hands = np.array([holdem.parse_cards("2c 3d 7h 9s Jd As Ah")])
    assert [4028] == holdem_cactus_kev.rank_batch(hands).tolist()
    fives = [package.rank_batch(hands[:, 2:]).tolist() for package in PACKAGES]
    assert fives == [package.rank_batch(hands).tolist() for package in PACKAGES]


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        ("As Ks Qs Js", "a hand has 5 to 7 cards, not 4: As Ks Qs Js"),
        ("", "a hand has 5 to 7 cards, not 0: none given"),
        (range(8), "a hand has 5 to 7 cards, not 8: "),
        (holdem.Card("As"), "a hand has 5 to 7 cards, not 1: As"),
        ("As Ks Qs Js As", "hand: As appears twice in 'As Ks Qs Js As', at positions 1 and 13"),
        ([51, 50, 49, 48, 51], "hand: As appears twice, as item 1 and item 5"),
        ("As Ks Qs Js Zs", "hand: 'Zs' at position 13 of 'As Ks Qs Js Zs' is not a card"),
        ([51, 50, 49, 48, 52], "hand: item 5: no card has the id 52"),
        (None, "hand: expected text or a sequence of cards, not None"),
    ],
)
def test_what_is_not_a_hand_is_refused_with_one_sentence(hand, told):
    for package in PACKAGES:
        for function in (package.hand_value, package.hand_name):
            with pytest.raises(holdem.HoldemError) as caught:
                function(hand)
            assert str(caught.value).startswith(told), package


@pytest.mark.parametrize(
    ("hands", "told"),
    [
        (np.zeros((2, 3), np.uint8), "expected hands of 5 to 7 cards, shape (n, 5..7), not (2, 3)"),
        (np.zeros((2, 4), np.uint8), "expected hands of 5 to 7 cards, shape (n, 5..7), not (2, 4)"),
        (np.zeros((1, 8), np.uint8), "expected hands of 5 to 7 cards, shape (n, 5..7), not (1, 8)"),
        (np.arange(5), "expected hands of 5 to 7 cards, shape (n, 5..7), not (5,)"),
        (np.full((1, 5), 255), "hand 0: [255, 255, 255, 255, 255] has the id 255, outside 0..51"),
        (np.zeros((1, 5), int), "hand 0: 2c 2c 2c 2c 2c has 2c twice"),
        (np.zeros((1, 5)), "expected card ids (uint8), not float64"),
    ],
)
def test_what_is_no_batch_is_refused_with_one_sentence(hands, told):
    for package in PACKAGES:
        with pytest.raises(holdem.HoldemError) as caught:
            package.rank_batch(hands)
        assert str(caught.value).startswith(told), package


def test_hands_in_the_form_of_an_article_with_a_fault():
    for package, hand, told in [
        (holdem_bitwise, ((14, 13, 12, 11, 15), (1,) * 5), "(15, 1) is not a card: card makes one"),
        (holdem_bitwise, holdem_bitwise.Hand((14,) * 5, (1, 2, 4)), "5 ranks, but 3 suit flags"),
        (holdem_bitwise, ((14,) * 5, (1, 2, 4, 8, 1)), "hand: As appears twice"),
        (holdem_cactus_kev, [134236965] * 5, "hand: Kd appears twice"),
        (holdem_dead_horse, [69632, 69633, 1, 2, 3], "hand: item 2: no card has the id 69633"),
        (holdem_suit_mask, 1 << 14, "0x4000 is not a mask of cards"),
    ]:
        with pytest.raises(holdem.CardError) as caught:
            package.hand_value(hand)
        assert str(caught.value).startswith(told)
    with pytest.raises(holdem.CardError, match="names five cards, not 7"):
        holdem_bitwise.rank_poker_hand(*holdem_bitwise.hand("2c 3d 7h 9s Jd As Ah"))


@pytest.mark.parametrize("package", PACKAGES)
def test_names_are_the_categories_in_the_words_of_the_article(package):
    texts = {
        "As Ks Qs Js Ts": "straight flush",
        "5h 4h 3h 2h Ah": "straight flush",
        "8s 8c 8h 8d 9s": "four of a kind",
        "7s 7c 7h 9s 9c": "full house",
        "Tc Jc 6c Kc 9c": "flush",
        "2s 3c 4h 5c Ad": "straight",
        "4s 4c 4h 8s 9c": "three of a kind",
        "8s 8c Jh 9s 9c": "two pair",
        "8s 8c 3h 5s 9c": "pair",
        "Ts 5c 4h 7s 9c": "high card",
    }
    words = {"4": "four", "3": "three", "1": "", "2": "two", "one": ""}
    for text, category in texts.items():
        assert category == holdem.evaluate(text).category
        name = package.hand_name(text).removesuffix(" (Ace low)").lower()
        found = " ".join(words.get(word, word) for word in name.split()).strip()
        assert found in (category, "royal flush")
        assert (found == "royal flush") <= (text == "As Ks Qs Js Ts")


def test_bitwise_names_the_best_five_as_the_article_names_five():
    """`hand_name` reads a strength; the article's own four lines compute the name of five."""
    for row in holdem.get_evaluator("reference").rules.examples:
        hand = holdem_bitwise.hand(" ".join(str(holdem.Card(int(card))) for card in row))
        assert holdem_bitwise.rank_poker_hand(*hand) == holdem_bitwise.hand_name(hand)
    assert "2 Pair" == holdem_bitwise.hand_name("Qh 6s As Qd 9c Ah 6d")
    assert "Straight Flush (Ace low)" == holdem_bitwise.hand_name("Ah 2h 3h 4h 5h Kd Ks")


def test_the_words_of_the_factor_article():
    hand = holdem_cactus_kev.hand("7H 7S 7D AS AC")
    ranks = [(holdem_cactus_kev.card_rank(rank), holdem_cactus_kev.card_rank_prime(rank),
              holdem_cactus_kev.card_rank_bit(rank)) for rank in "2TA"]  # fmt: skip
    assert [(0, 2, 1), (8, 23, 256), (12, 41, 4096)] == ranks
    assert [8, 4, 2, 1] == [holdem_cactus_kev.card_suit(suit) for suit in "CDHS"]
    assert 7**0 * 13**3 * 41**2 == holdem_cactus_kev.prime_bits(hand)
    assert 1 << 12 | 1 << 5 == holdem_cactus_kev.rank_bits(hand)
    assert [False, True] == list(map(holdem_cactus_kev.is_flush, (hand, hand[3:4])))
    lowest = holdem_cactus_kev.hand("7C 5D 4H 3S 2C")
    assert 7462 == holdem_cactus_kev.lookup(lowest, tables.UNIQUE5)
    for wrong in ("1", "10", "", "x"):
        with pytest.raises(holdem.CardError, match="is not a rank"):
            holdem_cactus_kev.card_rank(wrong)


def test_the_deck_of_dead_horse():
    """The first and the last card of each suit as the article prints both lists."""
    numbers, labels = holdem_dead_horse.FIFTY_TWO, holdem_dead_horse.ALL_HUMAN_CARDS
    assert (52, 52) == (len(numbers), len(labels))
    ends = [0, 12, 13, 25, 26, 38, 39, 51]
    assert [65537, 69632, 32769, 36864, 16385, 20480, 8193, 12288] == [numbers[i] for i in ends]
    assert ["2s", "14s", "2h", "14h", "2c", "14c", "2d", "14d"] == [labels[i] for i in ends]
    quads = holdem_dead_horse.hand("14s 14d 5h 14h 14c")
    assert [69632, 12288, 32776, 36864, 20480] == list(quads)
    assert holdem_dead_horse.hand("As Ad 5h Ah Ac") == quads


def test_the_three_conversions_of_suit_mask_agree():
    from numba import njit

    from holdem_suit_mask import conversions, layout

    ways = {name: getattr(conversions, name) for name in ("branching", "shifting", "extracting")}
    for card in range(52):
        mask = layout.card_mask(card)
        expected = layout.to_index_set(mask)
        assert {expected} == {int(way(np.uint64(mask))) for way in ways.values()}
    if platform.machine() == "x86_64":
        way = conversions.extracting
        compiled = njit(lambda mask: way(mask))
        mask = layout.from_index_set((1 << 52) - 1)
        assert (1 << 52) - 1 == compiled(np.uint64(mask))
