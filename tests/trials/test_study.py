"""Study files: parsing, validation and error messages."""

import re

import numpy as np
import pytest

import holdem
from holdem.dealing.seeds import counter_start
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import canonical_text
from holdem.ranges.starting_hands import starting_hands
from holdem.rules import SHORT_DECK
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.study_file import read_study

TWO = {"players": ["AsKs", "QQ+"]}


def study(text, tmp_path):
    """Write a study file and read it."""
    path = tmp_path / "study.toml"
    path.write_text(text, encoding="utf-8")
    return read_study(path)


@pytest.mark.slow
def test_the_example(tmp_path):
    """Spots come first, then the grid by opponents, then by class in the order of the 169."""
    found = study(
        """
        seed = 4
        method = "monte-carlo"
        deals = 6_000_000
        [[spot]]
        name = "ace-king"
        players = ["AsKs", "QQ+", "random"]
        board = "Td9d2c"
        [[grid]]
        hero = "each class"
        opponents = [1, 9]
        """,
        tmp_path,
    )
    first, *cells = found.spots
    assert (first.name, first.players) == ("ace-king", ("AsKs", "QQ+", "random"))
    assert (first.board, first.dead, first.combos) == (("Td", "9d", "2c"), (), (1, 12, 1081))
    names = [hand.name for hand in starting_hands()]
    expected = [(0, name, count) for count in range(1, 10) for name in names]
    assert expected == [spot.cell for spot in cells]
    assert [(spot.seed, spot.method, spot.deals) for spot in found.spots] == [
        (4, "monte-carlo", 6_000_000)
    ] * len(found.spots)
    assert cells[200].players == (cells[200].cell[1], "random", "random")
    assert cells[200].name == f"{cells[200].cell[1]} v 2 random"


@pytest.mark.parametrize("stands", ["top", "grid"])
def test_each_class_of_another_deck(stands):
    """`each class` is the 81 classes of the short deck, in its order."""
    grid = {"hero": "each class", "opponents": [1, 2]}
    evaluator = {"evaluator": "short-deck"}
    study = {"method": "monte-carlo", "deals": 100, "seed": 1}
    if stands == "top":
        found = read_study({**study, **evaluator, "grid": [grid]}).spots
    else:
        found = read_study({**study, "grid": [{**grid, **evaluator}]}).spots
    names = [hand.name for hand in starting_hands(SHORT_DECK)]
    assert len(names) == 81
    assert names != [hand.name for hand in starting_hands() if hand.name in names]
    assert [(0, name, count) for count in (1, 2) for name in names] == [s.cell for s in found]
    assert {"rules short-deck"} == {spot.question.rpartition(" | ")[2] for spot in found}


def test_a_grid_of_another_deck_is_answered(tmp_path):
    """A grid of the short deck has the results of the deck's list of starting hands."""
    study = {
        "evaluator": "short-deck",
        "grid": [{"hero": "each class", "opponents": 1}],
        "method": "monte-carlo",
        "deals": 2000,
        "seed": 1,
    }
    found = holdem.run_study(study, tmp_path / "store", workers=2)
    assert found.complete
    exact = {hand.name: hand.equity for hand in starting_hands(SHORT_DECK)}
    assert list(exact) == [spot.cell[1] for spot in found.spots]
    for spot in found.spots:
        hero = spot.result.players[0]
        # Of 81 errors one is beyond 4.5 of its own with probability 0.0006.
        assert abs(hero.equity - exact[spot.cell[1]]) <= 4.5 * hero.stderr


def test_defaults_can_be_given_again():
    """Defaults apply to spots and grids that do not override them."""
    found = read_study(
        {
            "seed": 1,
            "deals": 100,
            "evaluator": "bitwise",
            "spot": [
                {**TWO},
                {**TWO, "seed": 2, "deals": 50, "evaluator": "lookup", "stderr": 0.01, "time": 3},
                {**TWO, "method": "exact", "board": ["2c", "3d", "4h"], "dead": "2d 2h"},
            ],
            "grid": [{"hero": ["AA", "AKs, KK"], "opponents": 2, "board": "2c3c4d", "seed": 5}],
        }
    ).spots
    assert [(s.seed, s.deals, s.stderr, s.time, s.evaluator) for s in found] == [
        (1, 100, None, None, "bitwise"),
        (2, 50, 0.01, 3, "lookup"),
        (1, None, None, None, "bitwise"),  # what samples only is no default of an exact spot
        (5, 100, None, None, "bitwise"),
        (5, 100, None, None, "bitwise"),
    ]
    assert [spot.name for spot in found] == [
        "AsKs v QQ+",
        "AsKs v QQ+",
        "AsKs v QQ+ on 2c3d4h without 2d2h",
        "AA v 2 random on 2c3c4d",
        "AKs, KK v 2 random on 2c3c4d",
    ]
    assert found[0].bounds.stderr is None
    assert read_study({"spot": [TWO]}).spots[0].bounds.stderr == 0.0005


def test_a_spot_survives_its_record():
    """A spot equals that of its record."""
    import json

    for spot in read_study(
        {"seed": 3, "spot": [{**TWO, "time": 0.5}], "grid": [{"hero": ["AA"], "opponents": 1}]}
    ).spots:
        assert spot == StudySpot.from_dict(json.loads(json.dumps(spot.to_dict())))


def test_the_stream_comes_from_the_question():
    """Random streams are equal for equal questions and seeds only."""
    spots = [
        {"players": ["AsKs", "QQ+"], "board": "Td9d2c"},
        {"players": ["KsAs", "AA,KK,QQ"], "board": "2c 9d Td", "evaluator": "bitwise"},
        {"players": ["QQ+", "AsKs"], "board": "Td9d2c"},
        {"players": ["AsKs", "QQ+"], "board": "Td9d2h"},
        {"players": ["AsKs", "QQ+"], "board": "Td9d2c", "dead": "2d"},
        {"players": ["AsKs", "QQ+:0.5,AA"], "board": "Td9d2c"},
        {"players": ["AsKs", "QQ+"], "board": "Td9d2c", "seed": 8},
    ]
    found = read_study({"seed": 7, "spot": spots}).spots
    assert (
        found[0].question
        == found[1].question
        == "AsKs v QQ+ | board Td 9d 2c | dead - | rules standard"
    )
    starts = [spot.sampler().start for spot in found]
    assert starts[0] == starts[1] == counter_start(7, "deals", found[0].question)
    assert len(set(starts)) == len(found) - 1
    assert canonical_text(found[0].spot()) == found[0].question


def test_equity_keeps_its_stream():
    """A sampler without a path uses the stream of the seed."""
    spot = read_study({"spot": [TWO]}).spots[0].spot()
    assert Sampler(spot, 7).start == counter_start(7, "deals")
    assert not np.array_equal(Sampler(spot, 7).deals(0, 50), Sampler(spot, 7, "x").deals(0, 50))


BAD = [
    ("", "a study needs a [[spot]] or a [[grid]], and has none"),
    ("seed = ", "not valid TOML: Invalid value (at end of document)"),
    ("spot = 5", "the top of the file: spot = 5: expected tables [[spot]]"),
    ("[spot]\nplayers = []", "write [[spot]] with two brackets"),
    ("borad = 5", "unknown key 'borad' at the top level; there are: seed, method"),
    ("sed = 5", "unknown key 'sed' at the top level (did you mean seed?)"),
    ('[[spot]]\nplayers = ["AA", "KK"]\nborad = ""', "[[spot]] 1: no key 'borad' (did you mean bo"),
    (
        '[[spot]]\nname = "x"\nplayer = []',
        "[[spot]] 1 (x): no key 'player' (did you mean players?)",
    ),
    ("[[spot]]", '[[spot]] 1: players: expected a list of 2 to 10 strings, as in ["AsKs", "QQ+"]'),
    ('[[spot]]\nplayers = "AA"', "[[spot]] 1: players = 'AA': expected a list"),
    ('[[spot]]\nplayers = ["AA", 5]', "[[spot]] 1: players = ['AA', 5]: expected a list"),
    ('[[spot]]\nplayers = ["AA"]', "[[spot]] 1: expected 2 to 10 players, not 1"),
    ('[[spot]]\nplayers = ["AA", "KZ"]', "[[spot]] 1: player 2: "),
    ('[[spot]]\nplayers = ["AA", "KK"]\nname = 5', "[[spot]] 1: name = 5: expected one printable"),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nboard = 5',
        "[[spot]] 1: board = 5: expected cards as text",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nboard = "Td9d2c2h3s4s"',
        "[[spot]] 1: a board has up to 5 cards",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nseed = -1',
        "[[spot]] 1: seed = -1: seed must be an integer",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nseed = true',
        "[[spot]] 1: seed = True: seed must be an integer",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\ndeals = 1.5',
        "[[spot]] 1: deals = 1.5: deals must be an integer",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nstderr = "x"',
        "[[spot]] 1: stderr = 'x': stderr must be a number",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\ntime = nan',
        "[[spot]] 1: time = nan: time must be a number above",
    ),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nmethod = "guess"',
        "method = 'guess': expected one of auto",
    ),
    ('[[spot]]\nplayers = ["AA", "KK"]\nmethod = []', "method = []: expected one of auto, exact"),
    (
        '[[spot]]\nplayers = ["AA", "KK"]\nevaluator = "kev"',
        "evaluator = 'kev': no evaluator 'kev'",
    ),
    ('[[spot]]\nplayers = ["AA", "KK"]\nevaluator = 1', "evaluator = 1: expected a name as text"),
    ('method = "exact"\ndeals = 5', "the top of the file: deals = 5: method exact takes no deals"),
    (
        '[[spot]]\nmethod = "exact"\nstderr = 0.1\nplayers = ["AA", "KK"]',
        "stderr = 0.1: method exa",
    ),
    (
        '[[spot]]\nmethod = "exact"\nplayers = ["1%-99%", "5%-99%", "random", "random", "random"]',
        "o",
    ),
    (
        '[[spot]]\nmethod = "monte-carlo"\nplayers = ["AA", "AA", "AA"]',
        "[[spot]] 1: no deal is poss",
    ),
    ('deals = 0\n[[spot]]\nplayers = ["AA", "KK"]\ndeals = 5', "the top of the file: deals = 0: "),
    ("[[grid]]\nhero = 5\nopponents = 1", "[[grid]] 1: hero = 5: expected a range, a list"),
    ("[[grid]]\nhero = []\nopponents = 1", "[[grid]] 1: hero = []: expected"),
    (
        '[[grid]]\nhero = "each class"',
        "[[grid]] 1: opponents: expected the smallest and the largest number",
    ),
    (
        '[[grid]]\nhero = "each class"\nopponents = [1, 10]',
        "opponents = [1, 10]: expected the small",
    ),
    ('[[grid]]\nhero = "each class"\nopponents = [3, 2]', "from 1 to 9, as in [1, 9]"),
    ('[[grid]]\nhero = "each class"\nopponents = true', "opponents = True: expected"),
    ('[[grid]]\nhero = ["AA", "ZZ"]\nopponents = 1', "[[grid]] 1 ZZ v 1 random: player 1: "),
    (
        '[[grid]]\nhero = ["AA"]\nopponents = 1\nboard = "AsAhAd"',
        "[[grid]] 1 AA v 1 random: player",
    ),
    ("[[spot]]\nx = " + "[" * 5000, "not valid TOML: tables or lists nested too deeply"),
]


def test_spots_that_cannot_be_sampled_are_found_early(monkeypatch):
    """Reading a study asks each sampled spot whether its deals can be found, and nothing more."""

    def refuse(lists):
        raise holdem.BudgetError("too many draws")

    monkeypatch.setattr("holdem.odds.sampling.sampler.choose_scarce_cards", refuse)
    spots = [TWO, {"players": ["AA,KK,QQ,JJ,TT"] * 10}]
    read_study({"method": "monte-carlo", "spot": spots[:1]})
    with pytest.raises(holdem.StudyError, match=r"\[\[spot\]\] 2: too many draws"):
        read_study({"method": "monte-carlo", "spot": spots})


@pytest.mark.parametrize(("text", "told"), BAD, ids=[told[:40] for _, told in BAD])
def test_bad_studies(text, told, tmp_path):
    """Each mistake raises a `StudyError` with the file, the table and the key."""
    with pytest.raises(holdem.StudyError) as raised:
        study(text, tmp_path)
    message = str(raised.value)
    assert told in message
    assert message.startswith(str(tmp_path / "study.toml"))
    assert len(message) < 500


def test_the_mark_of_utf_8_is_no_setting(tmp_path):
    """A byte order mark is ignored."""
    text = 'seed = 4\n[[spot]]\nplayers = ["AsKs", "QQ+"]\n'
    assert study(text, tmp_path) == study("\ufeff" + text.replace("\n", "\r\n"), tmp_path)


def test_files_that_cannot_be_read(tmp_path):
    """Errors tell missing files, directories and invalid text apart."""
    with pytest.raises(holdem.StudyError, match=r"none\.toml: cannot be read: No such file"):
        read_study(tmp_path / "none.toml")
    with pytest.raises(holdem.StudyError, match="cannot be read"):
        read_study(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(holdem.StudyError, match=r"bytes\.toml: not valid TOML"):
        read_study(tmp_path / "bytes.toml")
    with pytest.raises(holdem.HoldemTypeError, match="a study must be a path or a mapping, not 5"):
        read_study(5)


def test_the_message_is_for_a_terminal(tmp_path):
    """Messages escape control characters."""
    with pytest.raises(holdem.StudyError) as raised:
        study('[[spot]]\nname = "\\u001b[31m"\nplayers = []', tmp_path)
    assert "\x1b" not in str(raised.value)
    assert re.search(r"\\x1b\[31m", str(raised.value))
