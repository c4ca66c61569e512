"""The spots of `check_intervals.py`, and how they are sampled."""

from __future__ import annotations

from fractions import Fraction

import attrs


@attrs.frozen
class Case:
    """A spot, and how it is sampled."""

    name: str
    players: tuple[str, ...]
    board: str = ""
    dead: str = ""
    deals: int | None = 2_000
    stderr: float | None = None
    """Stop early by this standard error instead."""
    equal: int = 0
    """The number of players, from the first on, with equal ranges and so equal equities: all, or
    all but one. For spots that are too expensive for every exact method."""


_WEIGHTED = "22+,A2s+:0.4,KTs+,QJs,ATo+:0.7"
_PAIRS = ("JJ+",) * 7

CASES = (
    Case("coin flip", ("AsKs", "QdQh")),
    Case("pair over pair", ("AcAs", "KdKh")),
    Case("hole v random", ("AsKs", "random"), deals=1_000),
    Case("ranges", ("QQ+,AK", "TT+,AQ+")),
    Case("weighted ranges", ("AA:0.2,KK,AKs:0.5", "QQ:0.01,22,87s")),
    Case("dead cards", ("77", "AKo"), dead="7c 7d As"),
    Case("flop draw", ("AhKh", "9c9d"), "Qh 7h 2s"),
    Case("turn, ranges", ("22+,A2s+", "random"), "Ks 7d 2c 5h"),
    Case("same hand, mostly ties", ("AsKd", "AhKc"), deals=4_000),
    Case("same hand on a flop, always ties", ("AsKd", "AhKc"), "Ks 7d 2c", deals=4_000),
    Case("three ways", ("AsKs", "QdQh", "7c7d")),
    Case("three ways, ranges on a flop", ("QQ+", "AK", "JTs"), "Td 9d 2c"),
    Case("three ways, weighted", ("AA:0.3,KK", "QQ,AKs:0.5", "98s"), "9d 8d 2c"),
    Case("six ways", ("AsKs", "QdQh", "7c7d", "JhTh", "5s4s", "Ad2c")),
    Case("six ways on a flop", ("AsKs", "QdQh", "7c7d", "JhTh", "5s4s", "Ad2c"), "Qs Jd 4h"),
    Case(
        "nine ways",
        ("AsKs", "QdQh", "7c7d", "JhTh", "5s4s", "Ad2c", "9h8h", "KcJc", "3d3s"),
        deals=8_000,
    ),
    Case(
        "nine ways, dead cards",
        ("AA", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h", "8s8h", "7s7h", "6s6h"),
        "2c 3d 4h",
    ),
    Case("near 1: set over pair on a turn", ("KsKd", "AcAh"), "Kc 7d 2c 5h", deals=1_000),
    Case("near 0: two outs", ("9c9d", "AcAh"), "Kd 2c 7h", deals=1_000),
    Case("near 0: runner-runner", ("7c2d", "AhAd"), "As Ks Kh", deals=1_000),
    Case("near 0, few deals", ("9c9d", "AcAh"), "Kd 2c 7h", deals=50),
    Case("certain", ("AsKs", "2c2d"), "Qs Js Ts", deals=200),
    Case("few deals", ("AsKs", "QdQh"), deals=20),
    Case("stopped by error: coin flip", ("AsKs", "QdQh"), deals=None, stderr=0.0018),
    Case("stopped by error: ranges", ("QQ+,AK", "TT+,AQ+"), deals=None, stderr=0.0018),
    Case("stopped by error: mostly ties", ("AsKd", "AhKc"), deals=None, stderr=0.0005),
    Case("stopped by error: near 1", ("KsKd", "AcAh"), "Kc 7d 2c 5h", deals=None, stderr=0.0007),
    Case("stopped by error: near 0", ("7c2d", "AhAd"), "As Ks Kh", deals=None, stderr=0.0001),
    Case("mostly ties, one side ahead", ("AsKs", "AhKd")),
    Case("mostly ties, few deals", ("AsKs", "AhKd"), deals=100),
    Case("mostly ties, three ways", ("AsKs", "AhKd", "AdQc"), deals=500),
    Case("near 1: quads on a flop", ("7s7h", "random"), "7c 7d Ks", deals=20_000),
    Case("two deals", ("7c2d", "random"), deals=2),
    Case("stopped by error: three ways", ("AsKs", "QdQh", "7c7d"), deals=None, stderr=0.0018),
    Case(
        "stopped by error: six ways",
        ("AsKs", "QdQh", "7c7d", "JhTh", "5s4s", "Ad2c"),
        deals=None,
        stderr=0.0016,
    ),
    Case("stopped by error: one tie in 990", ("7c2d", "AhAd"), "As Ks Kh", "", None, 0.00004),
    Case("stopped by error: quads on a flop", ("7s7h", "random"), "7c 7d Ks", "", None, 0.00004),
    Case(
        "stopped by error: one in 18,000",  # few outcomes: the worst estimate of the error
        ("AsKs,9c9d:0.00006", "AhAd"),
        "Qs Js Ts",
        deals=None,
        stderr=0.00001,
    ),
    # Cluster sampling from here on.
    Case("six equal ranges", ("top 20%",) * 6, equal=6),
    Case("six equal ranges, few deals", ("top 20%",) * 6, deals=30, equal=6),
    Case("six equal ranges, ten deals", ("top 20%",) * 6, deals=10, equal=6),
    Case("nine equal weighted ranges", (_WEIGHTED,) * 9, dead="Ah 7d", deals=4_001, equal=9),
    Case("eight equal ranges", ("top 20%",) * 8, deals=4_000, equal=8),
    Case("ten conflicting ranges", ("99+",) * 10, equal=10),
    Case("ten conflicting ranges, few deals", ("99+",) * 10, deals=100, equal=10),
    Case("nine equal ranges", ("top 15%",) * 9, deals=3_000, equal=9),
    Case("seven with JJ+ and one other", (*_PAIRS, "54s"), equal=7),
    Case("seven with JJ+ and one other, few deals", (*_PAIRS, "32o"), deals=200, equal=7),
    Case("stopped by error: six equal ranges", ("top 20%",) * 6, "", "", None, 0.0016, equal=6),
    Case("stopped by error: eight equal ranges", ("top 20%",) * 8, "", "", None, 0.0012, equal=8),
    Case("stopped by error: seven with JJ+", (*_PAIRS, "54s"), "", "", None, 0.002, equal=7),
)

#: Equities of first players that were counted by hand: two aces among 44 rivers beat three kings;
#: two kings on the board, one of 45 * 44 / 2 = 990 turns and rivers, are a tie, and else aces full
#: win; nothing beats a royal flush; without a flush the same ranks tie.
COUNTED_BY_HAND = {
    "near 1: set over pair on a turn": Fraction(42, 44),
    "near 0: runner-runner": Fraction(1, 2 * 990),
    "certain": Fraction(1),
    "same hand on a flop, always ties": Fraction(1, 2),
}
