"""`HandTable.showdown`: dealt hands in which only some of the players are in."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import holdem

H = holdem.deal(players=4, hands=500, seed=3)
PLAYS = holdem.Range.top(0.3).weight(H.hole) > 0


def test_the_best_of_those_who_play_win():
    """Winners and shares are those of a loop over the hands; nobody wins what nobody plays."""
    s = H.showdown(PLAYS)
    strengths = H.strength()
    for row, plays in enumerate(PLAYS):
        best = max(strengths[row, plays], default=None)
        expected = [bool(plays[seat]) and strengths[row, seat] == best for seat in range(4)]
        assert s.winners[row].tolist() == expected
        shares = [won / max(sum(expected), 1) for won in expected]
        assert s.share[row].tolist() == [float(share) for share in s[row].shares] == shares
        assert s[row].winners == tuple(np.flatnonzero(expected))
    assert not PLAYS.any(axis=1).all()
    assert s[0].to_dict()["winners"] == list(s[0].winners)


def test_all_else_stays():
    """Cards, strengths and best cards stay, as do the winners of the first table."""
    winners = H.winners.tolist()
    s = H.showdown(PLAYS)
    for name in ("hole", "board", "burns", "number", "best"):
        assert (getattr(s, name) == getattr(H, name)).all()
    assert (s.strength() == H.strength()).all()
    assert (H.winners.tolist(), H.plays.all()) == (winners, True)
    everyone = H.showdown(np.ones_like(PLAYS))
    assert everyone == H != s
    assert (everyone.share == H.share).all()
    assert (s.showdown(~PLAYS).winners == H.showdown(~PLAYS).winners).all()


def test_parts_copies_and_frames():
    """Slices, masks, copies, hands and data frames keep who plays, and the mask is a copy."""
    plays = PLAYS.copy()
    s = H.showdown(plays)
    plays[:] = False
    assert (s.plays == PLAYS).all()
    assert not s.plays.flags.writeable
    for part in (s[7:90], s[PLAYS.any(axis=1)], pickle.loads(pickle.dumps(s))):
        rows = part.number - 1
        assert (part.winners == s.winners[rows]).all()
        assert (part.plays == PLAYS[rows]).all()
    assert list(s) == [s[row] for row in range(len(s))] != list(H)
    assert hash(s[0]) == hash(H.showdown(PLAYS)[0])
    texts = [" ".join(map(str, np.flatnonzero(row))) for row in s.winners]
    assert s.to_frame()["winners"].tolist() == texts
    assert "" in texts


@pytest.mark.parametrize(
    ("plays", "error", "message"),
    [
        (PLAYS[0], holdem.HoldemValueError, r"must have the shape \(500, 4\), .*, not \(4,\)"),
        (PLAYS.T, holdem.HoldemValueError, r"not \(4, 500\)"),
        (PLAYS * 1.0, holdem.HoldemTypeError, "bools .hand, player., not float64; the players of"),
        ([True], holdem.HoldemTypeError, "not list"),
    ],
)
def test_what_is_no_mask(plays, error, message):
    with pytest.raises(error, match=message):
        H.showdown(plays)


def test_files_and_frames_say_who_is_in(tmp_path):
    """A table is written as it is, in every format; a showdown's has a column of who plays."""
    for name, table in (("all", H), ("some", H.showdown(PLAYS)), ("few", H.showdown(PLAYS)[90:97])):
        paths = [tmp_path / f"{name}.{ending}" for ending in ("csv", "jsonl", "parquet")]
        for path in paths:
            assert holdem.write_hands(path, table) == 3
        lines = paths[1].read_text().splitlines()
        assert [json.loads(line) for line in lines] == [hand.to_dict() for hand in table]
        texts = [" ".join(map(str, np.flatnonzero(row))) for row in table.plays]
        frame = pd.read_csv(paths[0], keep_default_na=False, dtype=str)
        parquet = pd.read_parquet(paths[2])
        if name == "all":
            assert "plays" not in {*frame, *parquet, *table.to_frame(), *json.loads(lines[0])}
            continue
        assert frame["plays"].tolist() == table.to_frame()["plays"].tolist() == texts
        assert [" ".join(map(str, seats)) for seats in parquet["plays"]] == texts
        assert (frame["winners"] == table.to_frame()["winners"]).all()
        assert table[0].to_dict()["plays"] == np.flatnonzero(table.plays[0]).tolist()


def test_a_table_is_written_alone(tmp_path):
    """The file is that of `write_hands` with the same hands; other arguments are refused."""
    holdem.write_hands(tmp_path / "a.csv", players=4, hands=500, seed=3)
    holdem.write_hands(tmp_path / "b.csv", H)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    for seats, more in (((H, "AA"), {}), ((H,), {"seed": 1}), ((H,), {"hands": 7})):
        with pytest.raises(holdem.HoldemTypeError, match="a table is written as it is, without"):
            holdem.write_hands(tmp_path / "c.csv", *seats, **more)
