"""Python values that are wrong or unusual for most arguments, and calls to try them on."""

import os

import numpy as np

import holdem


class Unprintable:
    """An object that has no text."""

    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


class Unhashable:
    """An object that cannot be compared or hashed."""

    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError("not comparable")


NESTED = []
for _ in range(5000):
    NESTED = [NESTED]
CIRCULAR = []
CIRCULAR.append(CIRCULAR)

#: By name, a value.
VALUES = {
    "None": None,
    "True": True,
    "a float": 1.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "-1": -1,
    "10^30": 10**30,
    "5,000 digits": 10**5000,
    "int64": np.int64(-7),
    "float64": np.float64(0.5),
    "NaN of numpy": np.float64("nan"),
    "bool of numpy": np.bool_(True),
    "str of numpy": np.str_("Zz"),
    "bytes": b"AsKs",
    "bytes of numpy": np.bytes_(b"AsKs"),
    "complex": 1j,
    "a date": np.datetime64("2020"),
    "nested lists": [1, [2, [3]]],
    "lists 5,000 deep": NESTED,
    "a list in itself": CIRCULAR,
    "a dictionary": {"a": 1},
    "a set": {1.5},
    "an object": object(),
    "a type": int,
    "no text": Unprintable(),
    "a list without text": [Unprintable()],
    "not comparable": Unhashable(),
    "no dimensions": np.array(-3),
    "float array": np.zeros((2, 2)),
    "ids beyond 51": np.array([250, 251], dtype=np.uint8),
    "array of objects": np.array([Unprintable(), 1], dtype=object),
    "records": np.zeros(2, dtype=[("a", "i4")]),
    "long text": "x" * 100_000,
    "a null character": "\0",
    "half a character": "\ud800",
}

_SPOT = {"board": "2c3c4c"}
_LOOKUP = holdem.get_evaluator("lookup")
_RESULT = holdem.equity("AsKs", "QQ", **_SPOT)


def study(**changes):
    """Run a study of one spot that differs from a valid one."""
    top = {key: changes.pop(key) for key in ("deals", "seed", "spot") if key in changes}
    spot = {"players": ["AsKs", "QQ"], "method": "monte-carlo", "deals": 10} | changes
    holdem.run_study({"spot": [spot]} | top, os.devnull)


#: By name, a call with one argument, and the values that it accepts.
CALLS = {
    "Card": (holdem.Card, {}),
    "parse_cards": (holdem.parse_cards, {}),
    "evaluate": (holdem.evaluate, {}),
    "evaluate, evaluator": (lambda v: holdem.evaluate("AsKsQsJsTs", evaluator=v), {"None"}),
    "Range": (holdem.Range, {}),
    "Range, rules": (lambda v: holdem.Range("AA", rules=v), {}),
    "Range.from_percent": (holdem.Range.from_percent, {"a float", "float64"}),
    "Range.top": (holdem.Range.top, {"float64"}),
    "Range.from_weights": (holdem.Range.from_weights, {}),
    "Range.from_grid": (holdem.Range.from_grid, {}),
    "Range.from_combos": (holdem.Range.from_combos, {}),
    "a weight": (
        lambda v: holdem.Range.from_combos({"AsKs": v}),
        {"True", "float64", "bool of numpy"},
    ),
    "Range.weight": (holdem.Range("AA").weight, {}),
    "Range.without": (holdem.Range("AA").without, {}),
    "Range.isdisjoint": (holdem.Range("AA").isdisjoint, {}),
    "Range.to_text": (holdem.Range("AA").to_text, {"None"}),
    "equity": (lambda v: holdem.equity(v, "QQ"), {}),
    "equity, board": (lambda v: holdem.equity("AsKs", "QQ", board=v), {"None"}),
    "equity, dead": (lambda v: holdem.equity("AsKs", "QQ", dead=v, **_SPOT), {"None"}),
    **{
        f"equity, {name}": (
            lambda v, name=name: holdem.equity("AsKs", "QQ", **_SPOT, **{name: v}),
            accepted,
        )
        for name, accepted in {
            "method": {},
            "deals": {"None"},
            "stderr": {"None", "float64"},
            "time": {"None", "a float", "float64"},
            "seed": {"None"},
            "workers": {"None"},
            "evaluator": {"None"},
        }.items()
    },
    "EquityResult.nut_shares": (_RESULT.nut_shares, {"float64"}),
    "EquityResult.compute": (_RESULT.compute, {}),
    "EquityResult.to_dict": (_RESULT.to_dict, {}),
    "EquityResult.to_frame": (_RESULT.to_frame, {}),
    "EquityResult.plot": (lambda v: _RESULT.plot(by=v), {"None"}),
    "EquityResult.plot, player": (lambda v: _RESULT.plot(by="class", player=v), {"None"}),
    "equities": (lambda v: holdem.equities(v, "QQ"), {}),
    "equities, a spot": (lambda v: holdem.equities([v], "QQ"), {}),
    "equities, board": (
        lambda v: holdem.equities("AsKs", "QQ", board=[v]),
        {"None", "NaN", "NaN of numpy"},
    ),
    "equities, dead": (
        lambda v: holdem.equities("AsKs", "QQ", dead=[v], **_SPOT),
        {"None", "NaN", "NaN of numpy"},
    ),
    "equities, errors": (lambda v: holdem.equities("AsKs", "QQ", errors=v), {}),
    "equity_matrix": (lambda v: holdem.equity_matrix(v, "QQ", **_SPOT), {}),
    "equity_matrix, by": (lambda v: holdem.equity_matrix("AsKs", "QQ", by=v, **_SPOT), {}),
    "hits": (lambda v: holdem.hits(v, **_SPOT), {}),
    "hits, board": (lambda v: holdem.hits("AA", board=v), {"None"}),
    "explain": (lambda v: holdem.explain(v, "QdQh", **_SPOT), {}),
    "head_to_head": (lambda v: holdem.head_to_head(v, "QQ", deals=10), {}),
    "head_to_head, seed": (lambda v: holdem.head_to_head("AA", "QQ", deals=9, seed=v), {"None"}),
    "simulate, players": (lambda v: holdem.simulate(players=v, hands=1), {"None"}),
    "simulate, hands": (lambda v: holdem.simulate(players=2, hands=v), {"None"}),
    "aggregate, players": (lambda v: holdem.aggregate(players=v, hands=1), {"None"}),
    "aggregate, hands": (lambda v: holdem.aggregate(players=2, hands=v), {}),
    "Deck, seed": (lambda v: holdem.Deck(seed=v), {"None"}),
    "Deck.deal": (lambda v: holdem.Deck(seed=1).deal(v), {}),
    "write_hands": (lambda v: holdem.write_hands(v, players=2, hands=1), {}),
    "run_study": (lambda v: holdem.run_study(v, os.devnull), {}),
    "run_study, spot": (lambda v: study(spot=v), {}),
    "run_study, players": (lambda v: study(players=v), {}),
    "run_study, deals": (lambda v: study(deals=v, spot=[{"players": ["AA", "KK"], "x": 1}]), {}),
    "run_study, board": (lambda v: study(board=v), {}),
    "study_results": (holdem.study_results, {}),
    "get_evaluator": (holdem.get_evaluator, {"None"}),
    "register": (holdem.register, {}),
    "EvaluatorSpec, name": (lambda v: _spec(name=v), {}),
    "EvaluatorSpec, hand_sizes": (lambda v: _spec(hand_sizes=v), {}),
    "EvaluatorSpec, load": (lambda v: _spec(load=v), {"a type"}),
    "EvaluatorSpec, rules": (lambda v: _spec(rules=v), {}),
    "evaluator": (lambda v: holdem.evaluator(v, hand_sizes={5})(len), {}),
    "strengths": (_LOOKUP.strengths, {}),
    "strengths, not validated": (lambda v: _LOOKUP.strengths(v, validate=False), {}),
    "strength": (_LOOKUP.strength, {}),
    "classes": (_LOOKUP.classes, {"ids beyond 51"}),
    "names": (_LOOKUP.names, {"ids beyond 51"}),
    "compare_hands": (holdem.compare_hands, {}),
    "compare_hands, second": (lambda v: holdem.compare_hands("AsKsQsJsTs", v), {}),
    "compare_hands, a line": (lambda v: holdem.compare_hands([v]), {}),
}


def _spec(**changes):
    valid = {"name": "mine", "summary": "", "source": "", "hand_sizes": {5}, "load": len}
    return holdem.EvaluatorSpec(**(valid | changes))
