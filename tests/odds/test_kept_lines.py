"""Ranges narrowed by lines such as "top pair+", and by rules that go on from street to street."""

import random

import pytest

import holdem
from holdem.odds.kept_lines import LineRule, narrow_by_rules, narrow_range

RANGE = "22+,A2s+,K9s+,QTs+,JTs,T9s:0.5,98s,87s:0.25,ATo+,KJo+,QJo:0.75"
BOARDS = ["Td9d2cKh2s", "Ks7d2c2d5h", "8h7h6h5c4c", "QsQh7s2sAs", "AcKd3sTh9c"]
BETTER = ["straight flush", "four of a kind", "full house", "flush", "straight", "set", "trips"]
BETTER += ["three of a kind on the board", "two pair", "overpair", "top pair"]
DRAWS = {"flush draw", "backdoor flush draw", "open-ended", "gutshot", "overcards"}


def _combos(hands):
    return {str(combo) for combo in hands}


def _named(hands, board, names):
    """Return the combos with one of these made hands or draws, line by line."""
    hits = holdem.hits(hands, board=board)
    groups = hits.made | hits.draws
    return {combo for name in names if name in groups for combo in _combos(groups[name].range)}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_plus_means_that_line_or_a_better_one(board, size):
    board = board[: 2 * size]
    hits = holdem.hits(RANGE, board=board)
    assert _combos(hits.keep("Top pair +")) == _named(RANGE, board, BETTER)
    left = narrow_range(holdem.Range(RANGE), board, None, ["top pair+"], ())
    assert left == hits.keep("top pair+")
    fine = holdem.hits(RANGE, board=board, fine=True)
    assert fine.keep("top pair+") == hits.keep("top pair+")
    good = fine.keep("top pair (good kicker)+")
    weak = fine.made["top pair (weak kicker)"].range
    assert _combos(good) == _combos(hits.keep("top pair+")) - _combos(weak)
    assert fine.remove("top pair+") == hits.remove("top pair+")


@pytest.mark.parametrize("name", ["flush draw+", "gutshot+"])
def test_a_plus_after_a_draw_is_refused(name):
    with pytest.raises(holdem.HoldemValueError, match=f"'{name[:-1]}.*follows a made hand"):
        holdem.hits(RANGE, board="Td9d2c").keep(name)
    with pytest.raises(holdem.HoldemValueError, match=r"'tp\+'"):
        holdem.hits(RANGE, board="Td9d2c").keep("tp+")


@pytest.mark.parametrize("board", BOARDS)
def test_rules_go_on_from_street_to_street(board):
    """Who is kept on the flop is asked again on the turn and river, where draws end."""
    chosen = random.Random(board)
    names = [*BETTER, *DRAWS, "second pair", "weak pair", "ace high"]
    for _ in range(4):
        kept = [*chosen.sample(names, 5), "top pair"]
        removed = chosen.choice(["gutshot", "ace high", "overpair"])
        start = chosen.choice([3, 4, 5])
        rules = [LineRule(keep=(", ".join(kept),)), LineRule(remove=(removed,), street=start)]
        for size in (3, 4, 5):
            left = _combos(holdem.Range(RANGE).without(holdem.parse_cards(board[: 2 * size])))
            for street in range(3, size + 1):
                now = board[: 2 * street]
                left &= _named(RANGE, now, kept)
                if street >= start:
                    left -= _named(RANGE, now, [removed])
            cards = holdem.parse_cards(board[: 2 * size])
            if left:
                found = narrow_by_rules(holdem.Range(RANGE), rules, cards, ())
                assert _combos(found) == left
                assert all(found.weight(x) == holdem.Range(RANGE).weight(x) for x in left)
            else:
                with pytest.raises(holdem.HoldemValueError, match="leave no combo"):
                    narrow_by_rules(holdem.Range(RANGE), rules, cards, ())


def test_a_rule_of_draws_alone_does_nothing_where_there_are_none():
    flop, river = holdem.parse_cards("Td9d2c"), holdem.parse_cards("Td9d2cKh2s")
    rules = [LineRule(keep=("flush draw",))]
    kept = narrow_by_rules(holdem.Range(RANGE), rules, river[:4], ())
    assert narrow_by_rules(holdem.Range(RANGE), rules, river, ()) == kept.without(river[4:])
    assert _combos(kept) <= _combos(narrow_by_rules(holdem.Range(RANGE), rules, flop, ()))


def test_a_rule_in_json_that_is_invalid():
    with pytest.raises(holdem.HoldemError, match="keep, remove and from"):
        LineRule.from_dict({"keeps": ["set"]})
    with pytest.raises(holdem.HoldemError, match="3 to 5"):
        LineRule.from_dict({"keep": ["set"], "from": 6})
    for lines in ("set", ["set", 3]):
        with pytest.raises(holdem.HoldemTypeError, match="list of texts"):
            LineRule.from_dict({"remove": lines})
