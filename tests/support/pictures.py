"""Pictures of ordinary and extreme results, and figures on which they are drawn."""

import warnings

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import holdem
from holdem.results.base_result import import_named

LONG = "22+,A2s+,K2s+,Q9s+,J9s+,T9s,98s:0.5,87s:0.25,A9o+,KTo+,QTo+"


def picture_of(result, **options):
    """Return the picture of a result."""
    return import_named(result._chart)(result, **options)


def drawn(picture):
    """Return a figure with a picture, laid out as in a file."""
    figure = Figure()
    FigureCanvasAgg(figure)
    with mpl.style.context("default"), warnings.catch_warnings():
        warnings.simplefilter("error")
        picture.draw(figure)
        figure.canvas.draw()
    return figure


def sampled(*players, deals=2000, **options):
    """Return a sampled equity."""
    return holdem.equity(*players, method="monte-carlo", deals=deals, seed=5, workers=1, **options)


def study(store):
    """Return the results of a study with two boards, a grid of hands and a spot."""
    spots = {
        "seed": 1,
        "spot": [{"players": ["AsKs", "QdQh"], "board": "Td9d2c"}],
        "grid": [
            {"hero": ["QQ+"], "villain": ["AK"], "board": ["Td9d2c", "Ks7d2c", "AhKh2h"]},
            {"hero": ["AA", "72o"], "opponents": 1},
        ],
    }
    return holdem.run_study(spots, store, workers=1)


#: Functions that return a picture, by name.
CASES = {
    "range": lambda: picture_of(holdem.Range(LONG + ",72o:0.001")),
    "exact": lambda: picture_of(holdem.equity("AsKs", LONG, board="Td9d2c")),
    "ten players": lambda: picture_of(sampled(*["random"] * 10), by="equity"),
    "convergence": lambda: picture_of(sampled("AA", LONG, deals=20_000)),
    "range v range": lambda: picture_of(holdem.equity(LONG, "KK", board="Td9d2c"), by="combo"),
    "classes": lambda: picture_of(holdem.equity("KK", LONG, board="Td9d2c"), by="class", player=1),
    "categories": lambda: picture_of(
        holdem.equity(LONG, "KK", board="Td9d2c"), by="category", player=0
    ),
    "next cards": lambda: picture_of(holdem.equity(LONG, "KK", board="Td9d2c"), by="next-card"),
    "runouts": lambda: picture_of(
        holdem.equity("AsKs", "QdQh", board="Td9d2c"), by="runout", player=0
    ),
    "hits": lambda: picture_of(holdem.hits(LONG, board="Ks7s8s")),
    "hits of a wide range": lambda: picture_of(
        holdem.hits("22+,A2s+,KTs+,QTs+,JTs,T9s,98s,K2o,Q3o,J9o", board="Ks7d2c")
    ),
    "ten hands": lambda: picture_of(
        holdem.explain(*(f"{rank}c{rank}s" for rank in "AKQJT98765"), board="2d3d4hKh")
    ),
    "matrix": lambda: picture_of(
        holdem.equity_matrix("TT+,AK", "99+,AQ", board="Ks7d2c", dead="Ah", by="class")
    ),
    "wide matrix": lambda: picture_of(
        holdem.equity_matrix("AsKh", "random", board="Ks7d2c5h", by="class")
    ),
    "contest": lambda: picture_of(holdem.head_to_head("AsKs", LONG, deals=999, seed=7)),
}
#: More of them, for tests that take longer.
MORE_CASES = {
    "empty range": lambda: picture_of(holdem.Range("")),
    "all hands": lambda: picture_of(holdem.Range("random")),
    "equal": lambda: picture_of(holdem.equity("AsKs", "AdKd", board="Tc9c2h3h")),
    "never wins": lambda: picture_of(holdem.equity("AsAd", "7c2h", board="AcAhKsKdKc")),
    "one deal": lambda: picture_of(sampled("AA", "KK", deals=1)),
    "many deals": lambda: picture_of(sampled("AsKs", "QQ", deals=3_000_000), player=1),
    "ten ranges": lambda: picture_of(sampled(*[LONG] * 2, *["random"] * 8), by="combo"),
    "sampled classes": lambda: picture_of(sampled("random", "AA"), by="class", player=0),
    "always ahead": lambda: picture_of(
        holdem.equity("AcAs", "KcKs", board="AdAh2c2d").by_next_card
    ),
    "player": lambda: picture_of(holdem.equity("AA", "KK", board="Td9d2c").players[0]),
    "category table": lambda: picture_of(sampled("AA", "KK").players[0].by_category),
    "combos": lambda: picture_of(holdem.equity("QQ+", "KK", board="Td9d2c").players[0].by_combo),
    "hits of a hand": lambda: picture_of(holdem.hits("AsAd", board="AcAhKs7d2c")),
    "hits before the flop": lambda: picture_of(holdem.hits("AsAd")),
    "explanation": lambda: picture_of(holdem.explain("AsKs", "QdQh", board="Td9d2c5h3s")),
    "one street": lambda: picture_of(holdem.explain("AsKs", "QdQh")),
    "small matrix": lambda: picture_of(holdem.equity_matrix("AsKh", "QQ", board="Ks7d2c5h")),
    "high matrix": lambda: picture_of(holdem.equity_matrix("random", "QQ", board="Ks7d2c5h3h")),
    "three players": lambda: picture_of(holdem.head_to_head("AsKs", LONG, "77", deals=999, seed=7)),
    "many spots": lambda: picture_of(holdem.equities(["AsKs", "7c2d"], "QdQh", board="Td9d2c")),
}
