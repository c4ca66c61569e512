"""`explain` agrees with the rule book on winners, best five and what decides."""

from collections import Counter

import numpy as np
import pytest

import holdem
from holdem.cards import cards_text
from holdem.rules import CATEGORIES, RANK_NAMES, RANK_PLURALS
from naive import best_fives, classify

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def best_hand(cards):
    """Return the key of the best five by the rule book, and all choices of five that reach it."""
    category, ranks = classify(cards)
    return (CATEGORIES.index(category), ranks), [set(five) for five in best_fives(cards)]


def decision(best, second):
    """Return what decides between two keys of one category, and the rank."""
    category, ranks = CATEGORIES[best[0]], best[1]
    index = next(i for i, pair in enumerate(zip(ranks, second[1], strict=True)) if len({*pair}) > 1)
    rank = ranks[index]
    if category in ("straight", "straight flush"):
        return f"high card, {RANK_NAMES[rank]}", rank
    if category == "flush":
        part = "high card" if index == 0 else f"{ORDINALS[index]} card"
        return f"{part}, {RANK_NAMES[rank]}", rank
    groups = {
        "high card": ["high card"],
        "pair": ["pair"],
        "two pair": ["higher pair", "lower pair"],
        "three of a kind": ["three of a kind"],
        "full house": ["three of a kind", "pair"],
        "four of a kind": ["four of a kind"],
    }[category]
    if index < len(groups):
        names = RANK_NAMES if category == "high card" else RANK_PLURALS
        return f"{groups[index]}, {names[rank]}", rank
    kicker = "kicker"
    if len(ranks) - len(groups) > 1:
        kicker = f"{ORDINALS[index - len(groups)]} kicker"
    return f"{kicker}, {RANK_NAMES[rank]}", rank


def require_explained(holes, board, result):
    """Assert winners, best five and decision of an explanation of a complete board."""
    found = [best_hand((*hole, *board)) for hole in holes]
    keys = [key for key, _ in found]
    best = max(keys)
    winners = tuple(number for number, key in enumerate(keys) if key == best)
    assert result.winners == winners
    for player, (key, fives) in zip(result.players, found, strict=True):
        assert {*player.value.best} in fives
        assert player.value.category == CATEGORIES[key[0]]
        counts = Counter(card.rank for card in player.value.best)
        assert [*dict.fromkeys(card.rank for card in player.value.best)] == [*key[1]], counts
        assert player.outs == ()
    first = result.players[winners[0]].value.best
    losing = [key for key in keys if key != best]
    if not losing:
        plays = best == best_hand(board)[0]
        assert result.decided_by == ("tie, the board plays" if plays else "tie")
        assert result.deciding_cards == ()
    elif max(losing)[0] != best[0]:
        assert result.decided_by == "category"
        assert result.deciding_cards == first
    else:
        text, rank = decision(best, max(losing))
        assert result.decided_by == text
        assert result.deciding_cards == tuple(card for card in first if card.rank == rank)
        assert result.deciding_cards
    river = result.streets[-1]
    assert river.street == "river"
    shares = [(number in winners) / len(winners) for number in range(len(holes))]
    assert river.equities == pytest.approx(shares)
    assert [len(street.board) for street in result.streets] == [0, 3, 4, 5]
    for street in result.streets:
        assert sum(street.equities) == pytest.approx(1)
        assert street.board == result.board[: len(street.board)]


def explain_random_deals(count, seed):
    """Check explanations of random deals, of which many have close decisions."""
    rng = np.random.default_rng(seed)
    decks = [np.arange(52), np.arange(32), np.flatnonzero(np.arange(52) % 4 < 2)]
    decided = Counter()
    for number in range(count):
        players = int(rng.integers(2, 11)) if number % 3 == 0 else int(rng.integers(2, 4))
        cards = rng.permutation(decks[number % 3])[: 2 * players + 5].tolist()
        board, holes = cards[:5], [cards[5 + 2 * i : 7 + 2 * i] for i in range(players)]
        result = holdem.explain(*map(cards_text, holes), board=board)
        require_explained(holes, board, result)
        decided[result.decided_by.partition(",")[0]] += 1
    return decided


def test_random_deals():
    decided = explain_random_deals(150, seed=1)
    assert {"category", "pair", "kicker", "first kicker", "tie", "high card"} <= {*decided}


@pytest.mark.slow
def test_ten_thousand_random_deals():
    decided = explain_random_deals(10_000, seed=2)
    assert len(decided) >= 14, decided


@pytest.mark.parametrize(
    ("players", "board", "winners", "decided_by", "sentence"),
    [
        (
            ("AsKs", "QdQh"),
            "Td9d2c5h3s",
            (1,),
            "category",
            "Player 2 wins with Pair, Queens, which beats player 1's High Card, Ace.",
        ),
        (
            ("As2d", "Ah3d"),
            "AcTd9d8s6h",
            (0, 1),
            "tie",
            "Players 1 and 2 split the pot with Pair, Aces: their best five cards have equal"
            " ranks.",
        ),
        (
            ("2s3d", "4h3c", "5s5d"),
            "AcKcQcJcTc",
            (0, 1, 2),
            "tie, the board plays",
            "Players 1, 2 and 3 split the pot with Royal Flush: the board plays.",
        ),
        (
            ("AsKs", "AhQh"),
            "AcTd9d8s2h",
            (0,),
            "first kicker, King",
            "Player 1 wins with Pair, Aces over player 2's Pair, Aces: the first kicker decides,"
            " King against Queen.",
        ),
        (
            ("Ac8c", "AhTh"),
            "AdKdQs7h2c",
            (1,),
            "third kicker, Ten",
            "Player 2 wins with Pair, Aces over player 1's Pair, Aces: the third kicker decides,"
            " Ten against Eight.",
        ),
        (
            ("As9s", "Ks8s"),
            "QsJs3s2d2h",
            (0,),
            "high card, Ace",
            "Player 1 wins with Flush, Ace high over player 2's Flush, King high: the high card"
            " decides, Ace against King.",
        ),
        (
            ("9s2d", "8s2h"),
            "AsQsJs3s5d",
            (0,),
            "fourth card, Nine",
            "Player 1 wins with Flush, Ace high over player 2's Flush, Ace high: the fourth card"
            " decides, Nine against Eight.",
        ),
        (
            ("Ah4d", "6h2c"),
            "2s3d5cKhKd",
            (0,),
            "category",
            "Player 1 wins with Straight, Five high, which beats player 2's Two Pair, Kings and"
            " Twos.",
        ),
        (
            ("Ah9d", "6h9c"),
            "2s3d5c4hKd",
            (1,),
            "high card, Six",
            "Player 2 wins with Straight, Six high over player 1's Straight, Five high: the high"
            " card decides, Six against Five.",
        ),
        (
            ("AsQs", "AdQd", "KcJd", "KhJs"),
            "AhKs7c4d2s",
            (0, 1),
            "pair, Aces",
            "Players 1 and 2 split the pot with Pair, Aces over players 3 and 4's Pair, Kings: the"
            " pair decides, Aces against Kings.",
        ),
    ],
)
def test_sentences(players, board, winners, decided_by, sentence):
    result = holdem.explain(*players, board=board)
    assert (result.winners, result.decided_by, result.sentence) == (winners, decided_by, sentence)
    assert repr(result) == f"<Explanation: {sentence}>"


def test_ten_players():
    holes = ["As2s", "Ac3h", "Td4c", "5c6c", "7c8c", "JcJd", "JhJs", "9h9s", "8h8s", "7h7d"]
    result = holdem.explain(*holes, board="KhKd9cQs2d")
    assert result.winners == (7,)
    assert result.decided_by == "category"
    assert "players 6 and 7's Two Pair, Kings and Jacks" in result.sentence


def test_outs():
    """The cards after which a player who is not ahead alone is ahead alone."""
    rng = np.random.default_rng(5)
    for number in range(12):
        players, size = 2 + number % 3, 3 + number % 2
        cards = rng.permutation(np.arange(52))[: 2 * players + size].tolist()
        board, holes = (
            cards[:size],
            [cards[size + 2 * i : size + 2 * i + 2] for i in range(players)],
        )
        dead = int(rng.choice(np.setdiff1d(np.arange(52), cards)))
        result = holdem.explain(*map(cards_text, holes), board=board, dead=[dead])
        now = [best_hand((*hole, *board))[0] for hole in holes]
        assert result.winners == tuple(i for i, key in enumerate(now) if key == max(now))
        expected = [[] for _ in holes]
        for card in sorted({*range(52)} - {*cards, dead}, reverse=True):
            after = [best_hand((*hole, *board, card))[0] for hole in holes]
            if after.count(max(after)) == 1:
                expected[after.index(max(after))].append(card)
        for player, (own, outs) in enumerate(zip(result.players, expected, strict=True)):
            assert [*own.outs] == ([] if result.winners == (player,) else outs)
        assert "the flop" in result.sentence or "the turn" in result.sentence


def test_streets():
    """Equities are those of `equity`, with dead cards."""
    players = ("AsKs", "QdQh", "7c7h")
    result = holdem.explain(*players, board="Td9d2c5h", dead="Ah")
    assert [street.street for street in result.streets] == ["before the flop", "flop", "turn"]
    for street in result.streets:
        expected = holdem.equity(*players, board=street.board, dead="Ah", method="exact")
        assert street.equities == tuple(expected.equities.tolist())
    assert result.street == "turn"


def test_before_the_flop():
    result = holdem.explain("AsKs", "QdQh")
    assert (result.winners, result.decided_by, result.deciding_cards) == ((), "", ())
    assert result.players[0].value is None
    assert result.sentence == "Player 2 has the best equity, 53.79 %."
    same = holdem.explain("AsKs", "AhKh")
    assert same.sentence == "Players 1 and 2 have the best equity, 50.00 %."


def test_other_rules():
    """In short deck a flush beats a full house; wild twos make five of a kind."""
    result = holdem.explain("AsKs", "TdTh", board="Tc9s9d8s7s", evaluator="short-deck")
    assert result.winners == (0,)
    assert "which beats player 2's Full House, Tens full of Nines" in result.sentence
    result = holdem.explain("Ac2s", "AhKs", board="AsAdKcKd7h", evaluator="deuces-wild")
    assert (result.winners, result.decided_by) == ((0,), "category")
    result = holdem.explain("2c2s", "2dKs", board="AsAdKcKd7h", evaluator="deuces-wild")
    assert (result.winners, result.decided_by) == ((0,), "four of a kind, Aces")
    assert result.deciding_cards == holdem.parse_cards("AsAd2s2c")
    result = holdem.explain("Qs3c", "Js3d", board="2h7d9c", evaluator="deuces-wild")
    assert (result.decided_by, result.deciding_cards) == (
        "pair, Queens",
        holdem.parse_cards("Qs2h"),
    )
    result = holdem.explain("2cJs", "7d6s", board="Td9c8h", evaluator="deuces-wild")
    assert (result.decided_by, result.deciding_cards) == (
        "high card, Queen",
        holdem.parse_cards("2c"),
    )


def test_errors():
    with pytest.raises(holdem.SpotError, match="no deal is possible"):
        holdem.explain("AsKs", "AsQs")
