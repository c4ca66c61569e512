"""`estimate`: means against exact values, coverage of intervals, bounds and errors."""

import time
from functools import cache

import numpy as np
import pytest

import holdem
from holdem.trials import estimation


def set_or_better(h):
    return h.category("flop")[:, 0] >= h.code("three of a kind")


def first_wins(h):
    return h.winners[:, 0] & ~h.winners[:, 1]


EXACT = holdem.equity("AcKd", "AhQs").players[0]


def test_means():
    """Proportions, numbers and conditional means are the exact ones, within four errors."""
    r = holdem.estimate(
        lambda h: {"win": first_wins(h), "share": h.share[:, 0], "one": np.ones(len(h))},
        "AcKd",
        "AhQs",
        hands=300_000,
        seed=3,
    )
    for name, exact in (("win", EXACT.win), ("share", EXACT.equity), ("one", 1.0)):
        assert r[name].mean == pytest.approx(exact, abs=4 * r[name].stderr + 1e-12)
        assert r[name].hands == r.dealt == 300_000
    assert r["share"].stderr == pytest.approx(
        holdem.deal("AcKd", "AhQs", hands=300_000, seed=3).share[:, 0].std() / 300_000**0.5,
        rel=1e-4,
    )
    p = holdem.estimate(set_or_better, "7h7d", stderr=0.001, seed=1)
    by_flop = holdem.hits("7h7d").by_flop
    exact = sum(by_flop[name] for name in ("three of a kind", "full house", "four of a kind"))
    assert p.stop == "stderr"
    assert p.stderr <= 0.001
    assert p.mean == pytest.approx(exact, abs=4 * p.stderr)
    # What comes on the river, if flop and turn are known: conditional on no king, queen or ace.
    known = {"board": "Kh7s2c9d"}
    blank = [card for card in range(44) if holdem.Card(card) not in holdem.parse_cards("7s 2c 9d")]
    runs = [
        holdem.equity("AcKd", "QhQs", board=[*map(str, holdem.parse_cards("Kh7s2c9d")), card])
        for card in blank
        if card // 4 < 10
    ]
    exact = np.mean([run.players[0].win for run in runs])
    c = holdem.estimate(
        first_wins,
        "AcKd",
        "QhQs",
        given=lambda h: h.board[:, 4] >> 2 < 10,
        hands=200_000,
        seed=1,
        **known,
    )
    assert 100_000 < c.hands < 200_000
    assert c.mean == pytest.approx(exact, abs=4 * c.stderr)


def test_the_answer_depends_on_the_seed_alone():
    questions = {"hands": 150_000, "seed": 5}
    one = holdem.estimate(first_wins, "AcKd", "AhQs", **questions, workers=1)
    assert one == holdem.estimate(first_wins, "AcKd", "AhQs", **questions, workers=8)
    assert one != holdem.estimate(first_wins, "AcKd", "AhQs", hands=150_000, seed=6)
    deal = holdem.deal("AcKd", "AhQs", **questions)
    assert one.mean == first_wins(deal).mean()


def test_bounds():
    """Without a bound, proportions have an error of 0.0005, and numbers are of a million hands."""
    p = holdem.estimate(first_wins, "AcKd", "AhQs", seed=1)
    assert (p.stop, p.stderr <= 0.0005) == ("stderr", True)
    n = holdem.estimate(lambda h: h.share[:, 0], "AcKd", "AhQs", seed=1)
    assert (n.stop, n.hands) == ("hands", 1_000_000)
    many = holdem.estimate(lambda h: h.share[:, 0], "AcKd", "AhQs", seed=1, workers=16)
    assert (many.hands, many.mean) == (n.hands, n.mean)  # also if tables are under way
    timed = holdem.estimate(first_wins, "AcKd", "AhQs", time=0.2)
    assert timed.stop == "time"


@cache
def _hands():
    return holdem.deal(players=1, hands=1000 * 2000, seed=4, workers=1)


@pytest.mark.parametrize(
    ("mean", "ask", "given"),
    [
        (0.5, lambda h: h.burns[:, 0] & 1 == 0, None),
        (25 / (52 * 51), lambda h: h.burns[:, 0].astype(int) * 51 + h.burns[:, 1] < 26, None),
        (4 / 51, lambda h: h.burns[:, 0] >> 2 == 0, lambda h: h.burns[:, 1] >> 2 != 0),
        (25.5, lambda h: h.burns[:, 0].astype(float), None),
    ],
)
def test_coverage(mean, ask, given):
    """A 95 % interval covers the mean in 95 % of 2,000 runs, within 3.5 standard deviations.

    It covers the mean of rare events more often, since they are counted in whole numbers.
    """
    dealt = _hands()
    covered = 0
    for start in range(0, len(dealt), 1000):
        part = dealt[start : start + 1000]
        found = ask(part)[given(part)] if given else ask(part)
        low, high = estimation._sum(found).estimate().ci95
        covered += low <= mean <= high
    deviations = 3.5 * (0.95 * 0.05 / 2000) ** 0.5
    highest = 0.985 if mean < 0.01 else 0.95 + deviations
    assert 0.95 - deviations < covered / 2000 < highest


def test_error_of_large_numbers():
    """A constant that is added to all numbers leaves their error as it is."""
    asked = {"plain": lambda h: h.share[:, 0], "far": lambda h: h.share[:, 0] + 1e9}
    r = holdem.estimate(
        lambda h: {name: ask(h) for name, ask in asked.items()},
        "AcKd",
        "AhQs",
        hands=200_000,
        seed=1,
    )
    assert r["far"].stderr == pytest.approx(r["plain"].stderr, rel=1e-5)


def test_few_hands_do_not_end_a_run():
    """The error of a number is not believed from a few hands, or from equal ones."""
    only = {"given": lambda h: h.number % 50_000 == 1, "hands": 140_000, "seed": 1}
    r = holdem.estimate(lambda h: h.share[:, 0], "AcKd", "AhQs", stderr=0.5, **only)
    assert (r.stop, r.dealt, r.hands) == ("hands", 140_000, 3)
    late = holdem.estimate(
        lambda h: 1000.0 * (h.number > 200_000),
        "AcKd",
        "AhQs",
        stderr=1.0,
        hands=400_000,
        seed=1,
    )
    assert late.mean > 100
    with pytest.raises(holdem.HoldemValueError, match="only one of 10 hands counts"):
        holdem.estimate(lambda h: h.share[:, 0], "AcKd", **only | {"hands": 10})


def royal_jackpot(h):
    """A stake of 0.1, and 30,940 back for a royal flush: one number for nearly all hands."""
    return np.where(h.rank_class()[:, 0] == 1, 30_939.9, -0.1)


def noisy(h):
    return h.share.sum(axis=1) - 0.1  # 0.9, but for what rounding leaves


@pytest.mark.parametrize("ask", [0.1, 1 / 3, -7e99, 0, noisy])
def test_equal_numbers_end_a_run_late(ask):
    """Equal numbers have no error, and end a run only after 2^20 hands: others may be rare."""
    value = ask if isinstance(ask, float | int) else None
    questions = {"players": 6, "seed": 19, "stderr": 0.3}
    r = holdem.estimate(ask if value is None else lambda h: np.full(len(h), value), **questions)
    assert r.dealt == 2**20
    if value is not None:
        assert (r.mean, r.stderr, r.ci95) == (value, 0, (value, value))
    assert f"less than 3 times in {r.hands:,} hands may be missing in a mean" in str(r)


@pytest.mark.parametrize("seed", [15, 19, 44, 54])
def test_a_rare_number_does_not_end_a_run(seed):
    """Nor do a few: with these seeds, the error is small from the first royal flushes on."""
    r = holdem.estimate(royal_jackpot, players=1, seed=seed, stderr=0.3)
    assert r.ci95[0] <= 0.9 <= r.ci95[1]
    royals = (r.mean + 0.1) * r.dealt / 30_940
    assert royals > 19.99 or r.dealt == 2**20


def test_numbers_of_a_large_first_hand():
    """Sums of tables with other first numbers are those of all hands together."""
    asked = {"plain": lambda h: h.number * 1.0, "ahead": lambda h: np.where(h.number == 1, 1e9, 0)}
    r = holdem.estimate(
        lambda h: {name: ask(h) for name, ask in asked.items()}, players=2, hands=150_000, seed=1
    )
    for name, ask in asked.items():
        numbers = ask(holdem.deal(players=2, hands=150_000, seed=1))
        assert r[name].mean == pytest.approx(numbers.mean(), rel=1e-12)
        assert r[name].stderr == pytest.approx(numbers.std(ddof=1) / 150_000**0.5, rel=1e-9)


def test_condition_that_no_hand_meets(monkeypatch):
    """Without a bound on hands or time, a run ends when 2^24 hands have not met the condition."""
    assert estimation.PATIENCE == 2**24
    monkeypatch.setattr(estimation, "PATIENCE", 2**17)
    never = {"given": lambda h: h.category()[:, 0] == "flush", "players": 2, "seed": 1}
    for bound in ({}, {"stderr": 0.01}):
        with pytest.raises(holdem.HoldemValueError) as caught:
            holdem.estimate(first_wins, **never, **bound)
        assert "given is true for none of 131,072 hands" in str(caught.value)
        assert "compares categories with text instead of table.code" in str(caught.value)


def raising(h):
    raise KeyError("no such thing")


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda h: h.winners, r"not an array of bool and shape \(65536, 2\)"),
        (lambda h: [True] * len(h), "not a value of the type list"),
        (lambda h: np.full(len(h), np.nan), "and not nan as for row 0"),
        (lambda h: h.winners[:, 0].astype(str), "not an array of <U5"),
        (lambda h: 1e200 * h.share[:, 0], r"not 1e\+200 as for row"),
        (lambda h: np.full(len(h), np.float32(np.inf)), "and not inf as for row 0"),
        (lambda h: None, "not a value of the type NoneType"),
        (lambda h: {}, "an empty dictionary"),
        (
            lambda h: {1: h.winners[:, 0], "1": h.winners[:, 0]},
            r"names that are equal as text: \[1, '1'\]",
        ),
        (lambda h: {"": h.winners[:, 0]}, "an answer with an empty name"),
        (raising, "ask raised KeyError: 'no such thing'"),
        (lambda h: h.category("flip"), "street must be flop, turn or river, not 'flip'"),
        (lambda h: {str(h.number[0]): h.winners[:, 0]}, "the same names for every table"),
    ],
)
def test_what_ask_returns(ask, told):
    with pytest.raises(holdem.HoldemValueError, match=told):
        holdem.estimate(ask, "AcKd", "AhQs", hands=200_000, seed=1)


def test_other_errors():
    with pytest.raises(holdem.HoldemTypeError, match="ask must be a function"):
        holdem.estimate("AcKd", "AhQs", hands=10)
    with pytest.raises(holdem.HoldemValueError, match="given must return an array of bools"):
        holdem.estimate(first_wins, "AcKd", "AhQs", given=lambda h: h.share[:, 0], hands=10)
    with pytest.raises(holdem.HoldemValueError, match="given is true for none of 10 hands"):
        holdem.estimate(
            first_wins, "AcKd", "AhQs", given=lambda h: h.share[:, 0] > 2, hands=10, seed=1
        )
    with pytest.raises(holdem.HoldemRuntimeError, match="the time was over before ask"):
        holdem.estimate(lambda h: time.sleep(20), "AcKd", "AhQs", time=0.1)
    with pytest.raises(holdem.SpotError, match="stderr must be a number above 0, not -1"):
        holdem.estimate(first_wins, "AcKd", "AhQs", stderr=-1)
    r = holdem.estimate(lambda h: {"a": h.winners[:, 0]}, "AcKd", "AhQs", hands=10, seed=1)
    with pytest.raises(holdem.HoldemValueError, match=r"choose one, such as result\['a'\]"):
        _ = r.mean
    with pytest.raises(holdem.HoldemValueError, match="no question 'b'; there are: a"):
        r["b"]


def test_interruption():
    """After Ctrl-C, the answer so far is in the exception."""

    def ask(h):
        if h.number[0] > 1:
            raise KeyboardInterrupt
        return h.winners[:, 0]

    with pytest.raises(holdem.Interrupted) as caught:
        holdem.estimate(ask, "AcKd", "AhQs", hands=10**6, seed=1, workers=1)
    finished = caught.value.finished
    assert (finished.stop, finished.dealt) == ("interrupted", 65_536)
    expected = holdem.deal("AcKd", "AhQs", hands=65_536, seed=1).winners[:, 0].mean()
    assert finished.mean == expected


def test_shown():
    p = holdem.estimate(set_or_better, "7h7d", hands=1000, seed=1)
    assert "95 % interval" in str(p)
    assert "1,000 hands dealt, seed 1, ended by hands" in str(p)
    assert p.to_dict()["means"][0]["mean"] == p.mean == p.to_frame()["mean"][0]


def test_relative_error():
    """A run ends when every error is a part of its mean; rare answers are 1 in so many."""
    r = holdem.estimate(
        lambda h: {"quads": h.has("four of a kind")[:, 0], "pair": h.has("pair")[:, 0]},
        players=1,
        relative=0.1,
        seed=1,
    )
    assert r.stop == "relative"
    exact = 224_848 / 133_784_560  # 1 in 595
    for own, mean in ((r["quads"], exact), (r["pair"], 58_627_800 / 133_784_560)):
        assert own.stderr <= 0.1 * own.mean
        assert own.mean == pytest.approx(mean, abs=4 * own.stderr)
    with_more = holdem.estimate(lambda h: h.has("pair")[:, 0], relative=0.1, stderr=0.4, seed=1)
    assert with_more.stop == "stderr"
    never = holdem.estimate(lambda h: h.number < 0, relative=0.1, hands=200_000, seed=1)
    assert (never.stop, never.dealt, never.mean) == ("hands", 200_000, 0)


@pytest.mark.parametrize("chance", [0, 2**-17])
def test_relative_error_of_what_may_be_0(monkeypatch, chance):
    """If nothing else ends the run, it ends where the error is still above half of the mean."""
    assert estimation.PATIENCE == 2**24
    monkeypatch.setattr(estimation, "PATIENCE", 2**17)
    ask = {
        0: lambda h: h.share[:, 0] - h.share[:, 1],  # 0 on average
        2**-17: lambda h: h.number == 7,
    }[chance]
    r = holdem.estimate(ask, players=2, relative=0.1, seed=1)
    assert (r.stop, r.dealt) == ("hands", 2**17)
    assert abs(r.mean) < 2 * r.stderr
    assert r.ci95[0] <= 0 <= r.ci95[1] or chance


def test_rare_answers_are_shown_with_two_digits():
    r = holdem.estimate(lambda h: h.number % 31_000 == 0, hands=310_000, seed=1)
    assert "0.000032 ± 0.000010 (1 in 31,000)" in repr(r)
    assert "0.0032 %, 1 in 31,000" in str(r)
    assert "1 in" not in str(holdem.estimate(lambda h: h.number % 900 == 0, hands=9000, seed=1))
    none = holdem.estimate(lambda h: h.number < 0, hands=310_000, seed=1)
    assert "0.0000 %" in str(none)
    assert "0.0016 %" in str(none)  # the end of the interval
    assert none.means[""].one_in == ""


def loop_difference(first, second):
    """Mean and standard error of differences, hand by hand."""
    apart = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    return apart.mean(), apart.std(ddof=1) / len(apart) ** 0.5


def test_difference():
    """It is that of the differences hand by hand: of bools, of numbers, and of both."""

    def ask(h):
        return {
            "first": h.winners[:, 0],
            "second": h.winners[:, 1],
            "far": 1e6 + h.share[:, 0],
            "share": h.share[:, 1],
        }

    questions = {"hands": 150_000, "seed": 5}
    r = holdem.estimate(ask, "AcKd", "AhQs", **questions)
    answers = ask(holdem.deal("AcKd", "AhQs", **questions))
    for first in answers:
        for second in answers:
            found = r.difference(first, second)
            mean, stderr = loop_difference(answers[first], answers[second])
            assert found.mean == pytest.approx(mean, abs=1e-9)
            assert found.hands == 150_000
            assert found.ci95[0] <= found.mean <= found.ci95[1]
            if first != second:
                assert found.stderr == pytest.approx(stderr, rel=1e-3)
    exact = EXACT.win + EXACT.tie - (1 - EXACT.win)
    found = r.difference("first", "second")
    assert found.mean == pytest.approx(exact, abs=4 * found.stderr)
    assert found.stderr > r["first"].stderr  # they exclude each other
    given = holdem.estimate(ask, "AcKd", "AhQs", given=lambda h: h.number % 3 == 0, **questions)
    rows = answers["share"][2::3], answers["first"][2::3]
    assert given.difference("share", "first").stderr == pytest.approx(
        loop_difference(*rows)[1], rel=1e-3
    )
    assert r == holdem.estimate(ask, "AcKd", "AhQs", **questions, workers=1)


def test_difference_of_what_never_differs():
    """Two answers that were equal in all hands need not be equal: the interval has a width."""
    r = holdem.estimate(
        lambda h: {"a": h.number % 2 == 0, "b": h.number % 2 == 0}, hands=1000, seed=1
    )
    found = r.difference("a", "b")
    assert found.mean == 0
    assert found.ci95[0] < 0 < found.ci95[1]
    assert 0 < found.ci95[1] < 0.01


def test_a_relative_error_is_not_met_by_luck():
    """The mean is 0; a limit of 0.5 was met in one run of three."""
    with pytest.raises(holdem.SpotError, match=r"up to 0\.1"):
        holdem.estimate(lambda h: h.share[:, 0], players=2, relative=0.5)
    for seed in range(1, 8):
        found = holdem.estimate(
            lambda h: 1.0 * h.winners[:, 0] - h.winners[:, 1],
            players=2,
            relative=0.1,
            hands=300_000,
            seed=seed,
        )
        assert found.stop == "hands"


def test_an_interval_up_to_1_is_shown():
    one = holdem.estimate(lambda h: h.winners[:, 0] & False, players=2, hands=1, seed=1)
    assert "0.0000 % … 100 %" in str(one)


def test_an_answer_differs_from_itself_by_exactly_nothing():
    found = holdem.estimate(
        lambda h: {"a": h.winners[:, 0], "b": h.share[:, 0]}, players=2, hands=1000, seed=1
    )
    assert found.difference("a", "a").stderr == 0
