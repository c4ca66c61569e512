"""`holdem.play`: what strategies see and do is what `Game` says; nothing depends on batches."""

import pickle
from collections import defaultdict
from functools import partial

import attrs
import numpy as np
import pytest

import holdem
from holdem.jobs import run
from holdem.matches import match
from holdem.matches.game_kernels import CORRECTIONS


def wild(decision):
    """Random actions of all kinds, some of them not allowed."""
    draw = decision.random
    size = decision.min_raise + (decision.max_raise - decision.min_raise) * ((draw * 991) % 1) ** 3
    choices = [-1, 0, size, 1, 10**7]
    return np.select([draw < 0.2, draw < 0.6, draw < 0.9, draw < 0.95, draw < 2], choices)


def tight(decision):
    good = decision.percentile > 0.8
    after = np.where(decision.category > 0, decision.highest + decision.pot // 2, -1)
    return np.where(decision.street == 0, np.where(good, 3 * decision.highest, -1), after)


def caller(decision):
    return np.full(len(decision), decision.CALL)


SEEN = ["position", "street", "pot", "winnable", "to_call", "highest", "bet", "stack"]
SEEN += ["min_raise", "max_raise", "raises", "raises_before", "last_raiser", "opponents"]
SEEN += ["stacks", "bets", "live", "percentile", "hole", "board"]
SETTINGS = [
    {"blinds": (1, 2), "stacks": 30},
    {"blinds": (1, 2, 4), "stacks": (9, 200, 41, 60), "antes": 1},
    {"blinds": (0.5, 1), "stacks": 25, "limit": "pot", "antes": (0.5, 1, 0, 2)},
    {"blinds": (0.1, 0.3), "stacks": (1.7, 20, 0.4, 0.2), "full_blind": False},
    {"blinds": (2, 4), "stacks": 70, "limit": "fixed", "dead_chips": {2: 1}},
    {"blinds": (1, 2), "stacks": (2, 3, 50, 9), "big_blind_ante": 2, "blind_first": True},
    {"blinds": (10_000, 20_000), "stacks": 10**8},
]


def expected_action(decision, action):
    """What the rules make of an action, with the number of the correction."""
    if action > 0 and not decision.max_raise:
        return 0, 2
    if 0 < action < decision.min_raise:
        return decision.min_raise, 0
    if action > decision.max_raise:
        return decision.max_raise, 1
    return (0, 3) if action == -1 and not decision.to_call else (action, None)


def as_seen(value):
    """A value of `Decision` as it is in an array: -1 for nobody, cards padded to five."""
    return -1 if value is None else value


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_each_decision_is_that_of_a_game(settings):
    """Hands are replayed by `Game`, which sees the same, and ends with the same chips."""
    told = defaultdict(list)

    def tell(decision):
        rows = [getattr(decision, name).tolist() for name in SEEN]
        actions = decision.actions.tolist()
        answer = np.round(np.floor(wild(decision) / decision.chip + 1e-9) * decision.chip, 6)
        everything = zip(decision.deal.tolist(), *rows, actions, answer.tolist(), strict=True)
        for deal, *seen, before, action in everything:
            told[deal].append((seen, before, action))
        return answer

    result = holdem.play([tell] * 4, hands=300, seed=3, workers=1, **settings)
    hands = holdem.deal(players=4, hands=300, seed=3)
    stacks = settings.pop("stacks")
    stacks = stacks if isinstance(stacks, tuple) else (stacks,) * 4
    nets, notes = np.zeros(4), np.zeros(4, dtype=int)
    for hand in hands:
        game = holdem.Game(stacks, hand=hand, **settings)
        for seen, before, answer in told[hand.number]:
            decision = game.decision
            for name, value in zip(SEEN, seen, strict=True):
                own = as_seen(getattr(decision, name))
                if name in ("hole", "board"):
                    value = [card for card in value if card >= 0]
                    own = list(map(int, own))
                assert value == (list(own) if isinstance(own, tuple) else own), name
            assert [tuple(own) for own in before if own[0] >= 0] == list(game.actions)
            action, note = expected_action(decision, answer)
            game.act(action)
            if note is not None:
                notes[note] += 1
        assert game.is_over
        nets += game.net
    rates = [own.bb_per_100 for own in result["tell"].by_position]
    assert rates == pytest.approx(nets / 3 / result.big_blind, abs=1e-9)
    assert result["tell"].corrections == {
        note: count for note, count in zip(CORRECTIONS, notes.tolist(), strict=True) if count
    }


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_recorded_hands(monkeypatch, settings):
    """A recorded hand has the net, cards and actions of the match, over batches."""
    monkeypatch.setattr(match, "_FIRST_GAMES", 200)
    settings = {"stacks": 30, **settings}
    result = holdem.play([wild, tight, caller, wild], hands=600, seed=3, record=True, **settings)
    hands = result.hands
    assert len(hands) == result.hand_count
    assert [hand.number for hand in hands[500:503]] == ["501", "502", "503"]
    won = dict.fromkeys(("wild", "tight", "caller"), 0)
    for hand in hands:
        for name, net in zip(hand.names, hand.net, strict=True):
            won[name] += net
    for name, net in won.items():
        rate = 100 * float(net) / result.big_blind / result[name].hands
        assert result[name].bb_per_100 == pytest.approx(rate)
    table = holdem.deal(players=4, hands=result.deals, seed=3)
    assert hands[-1].holes == tuple(seat.hole for seat in table[result.deals - 1].seats)
    few = holdem.play([wild, tight, caller, wild], hands=600, seed=3, record=250, **settings)
    assert list(few.hands) == list(hands[:250])
    assert pickle.loads(pickle.dumps(few.hands[:2]))[1] == hands[1]


def test_nothing_recorded():
    result = holdem.play([tight, caller], hands=10, seed=1)
    with pytest.raises(holdem.HoldemValueError, match="record=20"):
        result.hands  # noqa: B018
    with pytest.raises(holdem.BudgetError, match="at most 20,000,000 hands"):
        holdem.play([tight, caller], record=1e8)


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize(("games", "workers"), [(700, 1), (1 << 15, 3)])
def test_batches_workers_and_queues_do_not_matter(monkeypatch, games, workers, shuffled):
    ask = partial(holdem.play, [wild, tight, caller], hands=20_000, seed=5, stacks=40)
    expected = ask(workers=1)
    monkeypatch.setattr(match, "_MOST_GAMES", games)
    monkeypatch.setattr(match, "_FIRST_GAMES", games)
    if shuffled:
        monkeypatch.setattr(match, "choose_queue", lambda sizes: int(np.flatnonzero(sizes)[-1]))
    found = ask(workers=workers)
    assert found == expected
    assert found.compare("wild", "tight") == expected.compare("wild", "tight")


def test_chips_are_conserved():
    result = holdem.play([wild, tight, caller, wild], hands=12_000, stacks=(90, 20, 7, 50), seed=1)
    won = sum(own.bb_per_100 * own.hands for own in result.strategies)
    assert won == pytest.approx(0, abs=1e-6)
    assert sum(own.hands for own in result.strategies) == 4 * result.hand_count


def test_seats_of_other_names():
    """With all line-ups, the order in which strategies are given makes no difference."""
    one = holdem.play([wild, tight, caller], hands=6000, seed=2)
    other = holdem.play([caller, wild, tight], hands=6000, seed=2)
    assert one.lineups == other.lineups == 6
    for name in ("wild", "tight", "caller"):
        assert attrs.evolve(one[name]) == other[name]


def test_equal_strategies_tie_exactly():
    result = holdem.play([wild, wild, caller], names=["a", "b", "c"], hands=6000, seed=2)
    assert result["a"] == attrs.evolve(result["b"], name="a")
    assert result.compare("a", "b").bb_per_100 == 0
    alone = holdem.play([wild, wild], hands=6000, seed=2)
    assert (alone["wild"].bb_per_100, alone["wild"].stderr) == (0, 0)


@pytest.mark.parametrize(
    ("seats", "lineups"),
    [
        ([0, 1], [(0, 1), (1, 0)]),
        ([0, 0, 0], [(0, 0, 0)]),
        ([0, 1, 1], [(0, 1, 1), (1, 0, 1), (1, 1, 0)]),
        ([0, 1] * 3, [(0, 1, 0, 1, 0, 1), (1, 0, 1, 0, 1, 0)]),
        ([0, 1, 2, 3, 4], [tuple(np.roll(range(5), -place)) for place in range(5)]),
    ],
)
def test_line_ups(seats, lineups):
    assert [tuple(own) for own in match.turn(seats).tolist()] == lineups


def test_errors_with_few_line_ups():
    """The error of a result is that of many seeds, also of players who sit only between others."""
    seats = [tight, caller] * 3
    found = [holdem.play(seats, hands=400, seed=seed, workers=1)["tight"] for seed in range(150)]
    spread = np.std([own.bb_per_100 for own in found], ddof=1)
    assert spread == pytest.approx(np.sqrt(np.mean([own.stderr**2 for own in found])), rel=0.12)


def test_seats_that_do_not_turn():
    result = holdem.play([tight, caller], turn_seats=False, hands=1000, seed=1)
    assert [own.position for own in result["tight"].by_position] == [0]
    assert result.lineups == 1


def test_cards_are_those_of_deal():
    seen = {}

    def look(decision):
        seen.update(zip(decision.deal.tolist(), decision.hole.tolist(), strict=True))
        return 0 * decision.street

    options = {"board": "2h7h8c", "dead": "9c", "seed": 4}
    holdem.play([look, caller], holes=["AA"], hands=200, turn_seats=False, **options)
    table = holdem.deal("AA", players=2, hands=200, **options)
    assert [seen[number] for number in table.number.tolist()] == table.hole[:, 0].tolist()


def test_made_hands_and_draws():
    found = []

    def look(decision):
        for name in ("top pair+", "flush draw", "set, gutshot"):
            for street, size in ((1, "flop"), (2, "turn"), (3, "river")):
                rows = np.flatnonzero(decision.street == street)
                draws = street == 3 and name != "top pair+"
                if draws and name == "flush draw":
                    assert not decision.has(name)[rows].any()
                    continue
                expected = holdem.deal(players=2, hands=500, seed=6)
                own = expected.has("set" if draws else name, street=size)
                deals = decision.deal[rows] - 1
                assert (decision.has(name)[rows] == own[deals, decision.position[rows]]).all()
                found.append(int(own.sum()))
        assert not decision.has("top pair+")[decision.street == 0].any()
        with pytest.raises(holdem.HoldemValueError, match="top pare"):
            decision.has("top pare")
        return 0 * decision.street

    holdem.play([look, look], hands=500, seed=6)
    assert sum(found) > 1000


def test_equity_against_a_range():
    seen = []

    def look(decision):
        found = decision.equity("QQ+,AK")
        rows = zip(
            decision.street.tolist(),
            decision.hole.tolist(),
            decision.board.tolist(),
            found,
            strict=True,
        )
        seen.extend(rows)
        return 0

    holdem.play([look, look], hands=10, seed=3)
    for street in (0, 2, 3):
        for on, hole, board, found in seen:
            if on == street:
                own = [holdem.Card(card) for card in hole]
                shown = [holdem.Card(card) for card in board if card >= 0]
                expected = holdem.equity(own, "QQ+,AK", board=shown, method="exact").players[0]
                assert found == expected.equity
                break
    kings = [lambda decision: np.where(np.isnan(decision.equity("KhKd")), decision.max_raise, 0)]
    result = holdem.play([*kings, caller], hands=4, holes=["KhKd"], turn_seats=False, seed=1)
    assert result.strategies[0].pfr == 1


def test_strength_and_category():
    def look(decision):
        table = holdem.deal(players=3, hands=300, seed=6)
        for street, name in ((1, "flop"), (2, "turn"), (3, "river")):
            rows = decision.street == street
            at = decision.deal[rows] - 1, decision.position[rows]
            assert (decision.strength[rows] == 7463 - table.rank_class(name)[at]).all()
            assert (decision.category[rows] == table.category(name)[at]).all()
        assert decision.categories == table.categories
        assert (decision.category[decision.street == 0] == -1).all()
        return 0 * decision.street

    holdem.play([look] * 3, hands=300, seed=6)


@pytest.mark.parametrize("rules", ["standard", "short-deck"])
def test_other_evaluators(rules):
    evaluator = {"standard": "reference", "short-deck": "short-deck"}[rules]
    result = holdem.play([tight, caller], hands=500, seed=1, evaluator=evaluator)
    assert result.evaluator.name == evaluator


class Remembers:
    """Raises once in each hand, which it can know only by its memory."""

    def start(self, games):
        self.raised = np.zeros(games, dtype=bool)

    def __call__(self, decision):
        raises = ~self.raised[decision.game]
        self.raised[decision.game] = True
        return np.where(raises, decision.min_raise, 0)


def test_memory(monkeypatch):
    ask = partial(holdem.play, [Remembers(), caller], hands=3000, seed=1)
    expected = ask(workers=1)
    assert expected["Remembers"].pfr == 1
    assert expected["caller"].pfr == 0
    monkeypatch.setattr(match, "_FIRST_GAMES", 200)
    assert ask(workers=3) == expected


def test_percentages():
    result = holdem.play([tight, caller], hands=20_000, seed=1)
    assert result["caller"].pfr == 0
    # The small blind calls always; the big blind whenever the other raises.
    assert result["caller"].vpip > 0.5
    assert result["tight"].pfr == pytest.approx(result["tight"].vpip)
    assert 0 < result["tight"].won_at_showdown < 1
    twice = holdem.play([lambda decision: 0] * 2, hands=10, seed=1)
    assert [own.name for own in twice.strategies] == ["strategy 1"]
    folder = holdem.play([lambda decision: -1, caller], hands=100, seed=1)
    assert folder["strategy 1"].vpip == 0
    # As the big blind it may check until the end.
    assert folder["strategy 1"].by_position[1].went_to_showdown is None
    assert folder["strategy 1"].by_position[0].went_to_showdown == 1


def test_errors_of_strategies():
    def refused(answer, text):
        def faulty(decision):
            return answer(decision) if callable(answer) else answer

        with pytest.raises(holdem.HoldemValueError) as caught:
            holdem.play([faulty, caller], hands=100, seed=1)
        assert str(caught.value).startswith("strategy 'faulty' ")
        assert text in str(caught.value)
        return str(caught.value)

    shape = refused(lambda decision: np.zeros((len(decision), 2)), "shape (")
    assert "hand 2, before the flop: position 1 with" in shape
    refused(lambda decision: np.zeros(1), "shape (1,)")
    refused(lambda decision: ["fold"] * len(decision), "an array of <U4")
    refused("fold", "'fold'")
    refused(None, "None")
    refused(lambda decision: [[1], [1, 2]], "[[1], [1, 2]]")
    refused(lambda decision: decision.percentile > 0.5, "an array of bool")
    refused(lambda decision: np.where(decision.game == 4, np.nan, 0), "nan, and not -1")
    refused(lambda decision: 0 * decision.street - 2, "-2, and not -1 to fold")
    refused(lambda decision: 1 / 0, "ZeroDivisionError: division by zero (the first of 50")
    refused(lambda decision: 0 if decision.street == 0 else 1, "np.where")
    refused(lambda decision: decision.potty, "no attribute 'potty'")


def test_the_line_of_an_error():
    """The deepest line of the strategy's own file, also if a function of numpy raises."""

    def helper(decision):
        return np.stack([decision.pot, np.zeros(1)])

    def faulty(decision):
        return helper(decision)

    line = helper.__code__.co_firstlineno + 1
    with pytest.raises(holdem.HoldemValueError, match=f"^strategy 'faulty' failed in line {line}:"):
        holdem.play([faulty, caller], hands=100, seed=1)


def test_strategies_may_print(capsys, monkeypatch):
    """What a strategy prints comes whole and in order; the progress bar is on standard error."""
    monkeypatch.setattr(match, "_FIRST_GAMES", 200)
    monkeypatch.setattr(run, "progress_bar", partial(run.progress_bar, delay=0, mininterval=0))
    lines = []

    def talks(decision):
        lines.append(f"line {len(lines)} of {len(decision)} decisions")
        print(lines[-1])
        return 0

    def silent(decision):
        return 0

    ask = partial(holdem.play, names=["a", "b"], hands=5000, seed=1)
    found = ask([talks, caller], workers=1, progress=True)
    out, err = capsys.readouterr()
    assert out.splitlines() == lines
    assert "5.00k/5.00k" in err
    assert "line" not in err
    assert found == ask([silent, caller])


def test_decisions_that_are_kept():
    kept = []

    def keeper(decision):
        kept.append(decision)
        decision.pot  # noqa: B018
        return 0

    holdem.play([keeper, caller], hands=10, seed=1)
    with pytest.raises(holdem.HoldemRuntimeError, match="these decisions are over"):
        kept[0].pot  # noqa: B018


def test_ctrl_c_gives_what_was_played(monkeypatch):
    monkeypatch.setattr(match, "_FIRST_GAMES", 200)
    parts = []
    plus = match._Part.plus

    def interrupted(self, part):
        parts.append(part)
        if len(parts) > 2:
            raise KeyboardInterrupt
        return plus(self, part)

    monkeypatch.setattr(match._Part, "plus", interrupted)
    with pytest.raises(holdem.Interrupted) as caught:
        holdem.play([tight, caller], hands=5000, seed=1, workers=1)
    monkeypatch.undo()
    found = caught.value.finished
    assert found.stop == "interrupted"
    deals = sum(part.deals for part in parts[:2])
    expected = holdem.play([tight, caller], hands=2 * deals, seed=1)
    assert found == attrs.evolve(expected, stop="interrupted")


def test_a_strategy_that_never_ends():
    stops = []

    def endless(decision):
        while not stops:
            pass
        return 0 * decision.street

    with pytest.raises(holdem.HoldemRuntimeError, match="'endless' was called last"):
        holdem.play([endless, caller], hands=100, seed=1, time=0.01)
    stops.append(True)


def test_time_ends_a_match():
    result = holdem.play([tight, caller], time=0.2, seed=1)
    assert result.stop == "time"
    assert result == attrs.evolve(
        holdem.play([tight, caller], hands=result.hand_count, seed=1), stop="time"
    )


def other_tight(decision):
    return 0


other_tight.__name__ = "tight"


@pytest.mark.parametrize(
    ("strategies", "options", "text"),
    [
        (tight, {}, "a list of strategies"),
        ("tight", {}, "a list of strategies"),
        ([tight], {}, "2 to 10 seats, not 1"),
        ([tight] * 11, {}, "2 to 10 seats, not 11"),
        ([tight, 3], {}, r"strategies\[1\]: expected a function"),
        ([tight, "nobody"], {}, "no strategy 'nobody'"),
        ([tight, other_tight], {}, "two strategies are named 'tight': give names"),
        ([tight, caller], {"names": ["x"]}, "names: expected one for each of 2 seats"),
        ([tight, caller], {"names": ["x", "x"]}, "two strategies are named 'x'"),
        ([tight, caller], {"stacks": [1, 2, 3]}, "stacks: expected an amount, or one for each"),
        ([tight, caller], {"stacks": [0, 2]}, "position 0 has no chips"),
        ([tight, caller], {"hands": 0}, "hands must be an integer from 1"),
        ([tight, caller], {"time": 0}, "time must be a number above 0"),
        ([tight, caller], {"holes": "AA"}, "holes: expected a list"),
        ([tight, caller], {"evaluator": "deuces-wild"}, "no wild cards"),
    ],
)
def test_errors_of_arguments(strategies, options, text):
    with pytest.raises(holdem.HoldemError, match=text):
        holdem.play(strategies, **options)


def test_default_stacks_are_100_big_blinds():
    ask = partial(holdem.play, [tight, caller], hands=10, seed=1)
    assert ask(blinds=(5, 10)).stacks == (1000, 1000)
    assert ask(blinds=(0.5, 1)).stacks == (100, 100)
    assert ask(blinds=(), antes=1, bets=(2, 2, 4, 4)).stacks == (200, 200)


def test_reports():
    result = holdem.play([tight, caller], hands=1000, seed=1)
    text = " ".join(str(result).split())
    assert "bb/100" in text
    assert "caller" in text
    assert "confidence" in text
    assert "1,000 hands of 500 deals with 2 line-ups, seed 1" in text
    assert "a check, " in text
    frame = result.to_frame()
    assert frame.name.tolist() == ["tight", "caller"]
    assert frame.hands.tolist() == [1000, 1000]
    assert result.to_dict()["schema"] == "holdem/play/1"
    with pytest.raises(holdem.HoldemValueError, match="did you mean tight"):
        result["tigth"]


@holdem.strategy("wild", batch=False)
def wild_alone(decision):
    draw = decision.random
    size = decision.min_raise + (decision.max_raise - decision.min_raise) * ((draw * 991) % 1) ** 3
    return (
        -1 if draw < 0.2 else 0 if draw < 0.6 else size if draw < 0.9 else int(1e7 ** (draw > 0.95))
    )


@holdem.strategy("wild", compiled=True)
def wild_compiled(turn):
    draw = turn.random
    if draw < 0.2:
        return float(turn.FOLD)
    if draw < 0.6:
        return 0.0
    if draw < 0.9:
        return turn.min_raise + (turn.max_raise - turn.min_raise) * ((draw * 991) % 1) ** 3
    return 1.0 if draw < 0.95 else 1e7


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("own", [wild_alone, wild_compiled], ids=["alone", "compiled"])
def test_three_ways_to_write_a_strategy(own, settings):
    """Functions of arrays, of one decision, and compiled ones play the same."""
    settings = {"hands": 600, "seed": 8, "record": True, **settings}
    expected = holdem.play([wild, caller, tight, wild], **settings)
    found = holdem.play([own, caller, tight, own], **settings)
    assert found == expected
    assert list(found.hands) == list(expected.hands)


FIELDS = [name for name in holdem.Turn._fields if name not in ("hole", "board", "FOLD", "CALL")]


@pytest.mark.parametrize("names", [FIELDS[:7], FIELDS[7:14], FIELDS[14:]], ids=" ".join)
def test_turns_have_what_decisions_have(names):
    """A strategy that raises to a sum of all that it sees plays the same, compiled or not."""

    def see(decision):
        terms = [np.abs(getattr(decision, name)) * (2 + k) for k, name in enumerate(names)]
        return np.floor(sum(terms) + 0.0 * decision.pot)

    terms = " + ".join(f"abs(turn.{name}) * {2 + k}" for k, name in enumerate(names))
    namespace = {"np": np}
    exec(f"def see(turn):\n    return np.floor({terms})", namespace)
    compiled = holdem.strategy("see", compiled=True)(namespace["see"])
    options = {"hands": 900, "seed": 8, "blinds": (0.5, 1), "stacks": 10_000}
    expected = holdem.play([see, caller, see], **options)
    assert holdem.play([compiled, caller, compiled], **options) == expected


def test_cards_of_turns():
    @holdem.strategy("cards", compiled=True)
    def compiled(turn):
        return (turn.hole[0] + 2 * turn.hole[1] + turn.board[0] + turn.board[3] * turn.board[4]) % 7

    def cards(decision):
        hole, board = decision.hole.astype(int), decision.board.astype(int)
        return (hole @ [1, 2] + board[:, 0] + board[:, 3] * board[:, 4]) % 7

    options = {"hands": 900, "seed": 8}
    assert holdem.play([compiled, caller], **options) == holdem.play([cards, caller], **options)


def test_a_compiled_strategy_fills_the_log(monkeypatch):
    """The log of a batch grows, and a strategy with many turns in a row goes on."""
    monkeypatch.setattr(match, "LOGGED_AT_FIRST", 1)
    ask = partial(holdem.play, [wild_compiled] * 5, hands=2000, seed=8, stacks=5000, record=True)
    found = ask()
    monkeypatch.undo()
    assert list(found.hands[-50:]) == list(ask().hands[-50:])
    assert found == ask()


def test_logs_are_bounded(monkeypatch):
    """Deep stacks make small batches, until it is known how long hands are."""
    sizes = []
    begin = match.game_kernels.begin_games
    monkeypatch.setattr(
        match.game_kernels,
        "begin_games",
        lambda games, *rest: [sizes.append(len(games)), begin(games, *rest)],
    )
    monkeypatch.setattr(match, "MOST_LOGGED", 1 << 16)

    def raises(decision):
        return decision.min_raise

    options = {"stacks": 400, "hands": 2000, "seed": 1, "workers": 1}
    holdem.play([raises, raises], **options)  # 200 raises in each hand
    assert max(sizes) == 128
    sizes.clear()
    holdem.play([caller, caller], **options)
    assert sizes[0] == 128
    assert max(sizes) > 1000


def test_big_blinds_without_blinds():
    """Sizes in big blinds, and results, are in least bets."""

    def look(decision):
        assert decision.big_blind == 3
        return 2 * decision.big_blind

    options = {"blinds": (), "antes": 1, "bets": (3, 3, 6, 6), "seed": 1}
    game = holdem.Game([300, 300], **options)
    assert (game.decision.big_blind, game.decision.highest) == (3, 0)
    compiled = holdem.strategy("look", compiled=True)(lambda turn: 2 * turn.big_blind)
    found = holdem.play([look, caller], hands=100, **options)
    assert found.big_blind == 3
    assert found["look"].pfr == 1
    assert holdem.play([compiled, caller], hands=100, **options) == found


def test_single_decisions():
    """One decision has what `Decision` of `Game` has, with cards that print."""
    seen = []

    @holdem.strategy(batch=False)
    def single(decision):
        assert str(decision.hole) == " ".join(map(str, decision.hole))
        names = [name for name in dir(holdem.Decision) if not name.startswith("_")]
        if decision.street == 0:
            names.remove("value")
        seen.append((decision.deal, {name: getattr(decision, name) for name in names}))
        if decision.street:
            assert decision.has("pair+") == (decision.value.category != "high card")
        return decision.CALL

    holdem.play([single, single], hands=50, seed=2)
    hands = holdem.deal(players=2, hands=50, seed=2)
    games = [holdem.Game([200, 200], hand=hand) for hand in hands]
    for deal, fields in seen:
        decision = games[deal - 1].decision
        for name, value in fields.items():
            assert getattr(decision, name) == value, name
        games[deal - 1].call()
    assert all(game.is_over for game in games)


def test_single_decisions_that_are_kept():
    kept = []

    @holdem.strategy(batch=False)
    def keeper(decision):
        kept.append(decision)
        return 0

    holdem.play([keeper, caller], hands=10, seed=1)
    with pytest.raises(holdem.HoldemRuntimeError, match="this decision is over"):
        kept[0].pot  # noqa: B018


@pytest.mark.parametrize("answer", ["'call'", "None", "True", "-3", "float('nan')"])
def test_wrong_single_answers(answer):
    single = holdem.strategy("single", batch=False)(lambda decision: eval(answer))
    with pytest.raises(holdem.HoldemValueError, match=r"'single' returned .*hand 2, before"):
        holdem.play([single, caller], hands=10, seed=1)


def test_faults_of_compiled_strategies():
    def refused(function, text):
        own = holdem.strategy("own", compiled=True)(function)
        with pytest.raises(holdem.HoldemValueError) as caught:
            holdem.play([own, caller], hands=10, seed=1)
        assert "strategy 'own' " in str(caught.value)
        assert text in str(caught.value)

    refused(lambda turn: -3, "returned -3, and not -1")
    refused(lambda turn: np.nan * turn.pot, "returned nan, and not -1")
    refused(lambda turn: turn.potty, "potty")
    refused(lambda turn: None, "failed")
    refused(lambda turn: 1 // (turn.street - turn.street), "division by zero")


def test_names_of_strategies():
    assert holdem.strategy(tight).name == "tight"
    assert holdem.strategy()(tight).name == "tight"
    with pytest.raises(holdem.HoldemTypeError):
        holdem.strategy(3)


def test_decks_of_ones_own():
    """The decks of dealt hands give the same match; there must be one for each deal."""
    h = holdem.deal(players=3, hands=100, seed=3)
    flop, turn, river = h.board[:, :3], h.board[:, 3:4], h.board[:, 4:]
    burns = h.burns[:, :, None]
    after = [burns[:, 0], flop, burns[:, 1], turn, burns[:, 2], river]
    decks = np.concatenate([h.hole.reshape(100, 6), *after], axis=1)
    seats = [wild, tight, caller]
    dealt = holdem.play(seats, hands=600, seed=3, record=True)
    given = holdem.play(seats, deck=decks, seed=3, record=True)
    assert (given.hand_count, given.strategies) == (600, dealt.strategies)
    assert given.hands[7] == dealt.hands[7]
    assert holdem.play(seats, deck=decks, hands=60, seed=3).hand_count == 60
    with pytest.raises(holdem.SpotError, match="deck has 100 rows, enough for 600 hands"):
        holdem.play(seats, deck=decks, hands=601)
    with pytest.raises(holdem.SpotError, match="leave out holes, board and dead"):
        holdem.play(seats, deck=decks, board="Td9d2c")
    with pytest.raises(holdem.CardError, match="deck, row 0: 2c is card 0 and again card 1"):
        holdem.play(seats, deck=np.zeros((1, 52), dtype=int))
