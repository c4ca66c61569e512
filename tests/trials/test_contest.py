"""`head_to_head`: counts by category, verdicts, confidence, cross-checks of evaluators."""

import attrs
import numpy as np
import pytest

import holdem
from hands import wrong_later
from holdem.jobs import run
from holdem.jobs.run import BatchSize
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot
from holdem.trials import contest
from holdem.trials.contest import Contest


@pytest.mark.equity
@pytest.mark.parametrize("players", [("AsKs", "QdQh"), ("QQ+", "AK", "random")])
def test_agrees_with_equity(players):
    """Wins, ties, losses, equity and error are those of `equity` over the same deals."""
    contest = holdem.head_to_head(*players, deals=10_000, seed=7)
    drawn = holdem.equity(*players, deals=10_000, seed=7, method="monte-carlo")
    for contender, player in zip(contest.players, drawn.players, strict=True):
        counted = contender.outcomes
        assert (player.wins, player.ties, player.losses) == (
            counted.wins,
            counted.ties,
            counted.losses,
        )
        assert (player.equity, player.stderr, player.ci95) == (
            contender.equity,
            contender.stderr,
            contender.ci95,
        )


def test_recounted_in_plain_python():
    """Counts by category equal those of a recount in plain Python."""
    players = "QQ+", "AK", "random", "22"
    deals = BLOCK + 500
    contest = holdem.head_to_head(*players, deals=deals, seed=3)
    sampler = Sampler(make_spot(players), seed=3)
    dealt = np.concatenate([sampler.deals(0), sampler.deals(1, 500)])
    expected = [{} for _ in players]
    for row in dealt[:1500].tolist() + dealt[-300:].tolist():
        values = [
            holdem.evaluate([*row[:5], *row[5 + 2 * p : 7 + 2 * p]]) for p in range(len(players))
        ]
        for p, value in enumerate(values):
            others = [other for q, other in enumerate(values) if q != p]
            best = max(others)
            outcome = 0 if value > best else 1 if value == best else 2
            cell = expected[p].setdefault((value.category, best.category), [0, 0, 0])
            cell[outcome] += 1
    # The recount covers a part of the deals; asking for that part must give just it.
    first = _counts(holdem.head_to_head(*players, deals=1500, seed=3))
    later = _counts(contest)
    before = _counts(holdem.head_to_head(*players, deals=deals - 300, seed=3))
    for p in range(len(players)):
        keys = set(first[p]) | set(later[p]) | set(before[p])
        found = {
            key: [
                first[p].get(key, [0] * 3)[i]
                + later[p].get(key, [0] * 3)[i]
                - before[p].get(key, [0] * 3)[i]
                for i in range(3)
            ]
            for key in keys
        }
        assert expected[p] == {key: cell for key, cell in found.items() if any(cell)}


def _counts(contest):
    return [
        {
            (own, theirs): [found.wins, found.ties, found.losses]
            for own, opposing in contender.against.items()
            for theirs, found in opposing.items()
        }
        for contender in contest.players
    ]


def test_differences_are_paired():
    """The error of a difference is that of the differences in each deal."""
    contest = holdem.head_to_head("AsKs", "QdQh", "7c7d", deals=50_000, seed=5)
    assert [found.players for found in contest.differences] == [(0, 1), (0, 2), (1, 2)]
    found = contest.differences[0]
    one, other = contest.players[:2]
    assert found.estimate == pytest.approx(one.equity - other.equity, abs=1e-12)
    # Shares of one pot are negatively correlated: the paired error is above the naive one.
    assert found.stderr > (one.stderr**2 + other.stderr**2) ** 0.5


def test_verdict():
    """The verdict names a clear leader, and is undecided otherwise."""
    clear = holdem.head_to_head("AA", "72o", deals=2000, seed=1)
    assert clear.verdict == "player 1 is ahead at 95 % confidence"
    assert (clear.stop, clear.confidence) == ("deals", None)
    close = holdem.head_to_head("random", "random", deals=500, seed=1)
    assert close.verdict.startswith("undecided between players 1 and 2 at 95 % confidence")


def test_ends_once_somebody_is_ahead():
    """A run with a confidence ends after the first decisive block, for any number of workers."""
    found = holdem.head_to_head("AhQh", "4c4d", confidence=0.99, seed=4, workers=1)
    assert found.stop == "confidence"
    assert found.verdict == "player 2 is ahead at 99 % confidence"
    assert BLOCK < found.deals < 100 * BLOCK
    assert found.deals % BLOCK == 0
    again = holdem.head_to_head("AhQh", "4c4d", confidence=0.99, seed=4, workers=3)
    assert found == again
    # One block less does not tell, and these are the same deals as without a confidence.
    before = holdem.head_to_head("AhQh", "4c4d", confidence=0.99, seed=4, deals=found.deals - BLOCK)
    assert before.stop == "deals"
    assert before.verdict == "undecided at 99 % confidence: no player is ahead of all others"
    assert _counts(found) == _counts(holdem.head_to_head("AhQh", "4c4d", seed=4, deals=found.deals))


def test_intervals_hold_at_every_look():
    """Intervals of a run with a confidence are wider, with the same means."""
    plain = holdem.head_to_head("QQ", "AKs", deals=BLOCK, seed=4)
    looked = holdem.head_to_head("QQ", "AKs", deals=BLOCK, seed=4, confidence=0.95)
    for one, other in zip(plain.players, looked.players, strict=True):
        assert one.equity == other.equity
        assert other.ci95[0] < one.ci95[0]
        assert other.ci95[1] > one.ci95[1]
    assert looked.differences[0].ci95[0] < plain.differences[0].ci95[0]


@pytest.mark.parametrize("confidence", [0.49, 1, 95, float("nan"), float("inf")])
def test_confidence_within_bounds(confidence):
    """A confidence out of bounds raises an error with the bounds."""
    told = r"confidence must be a number from 0\.5 to less than 1, such as 0\.95, not [\da-z.]+$"
    with pytest.raises(holdem.HoldemError, match=told):
        holdem.head_to_head("AA", "KK", confidence=confidence)


@pytest.mark.parametrize("confidence", [True, "95 %"])
def test_confidence_of_another_type(confidence):
    """A confidence that is not a number raises a type error."""
    with pytest.raises(holdem.HoldemTypeError, match="confidence must be a number from"):
        holdem.head_to_head("AA", "KK", confidence=confidence)


def test_speaks_of_itself():
    """The error for one player names the head-to-head."""
    with pytest.raises(holdem.SpotError, match="a head-to-head needs 2 to 10 players, not 1"):
        holdem.head_to_head("AsKs")


def test_workers_and_evaluators():
    """The counts do not depend on the number of workers, nor on the evaluator."""
    whole = _counts(holdem.head_to_head("AsKs", "QQ", deals=9000, seed=2, workers=1))
    assert whole == _counts(holdem.head_to_head("AsKs", "QQ", deals=9000, seed=2, workers=3))
    assert whole == _counts(
        holdem.head_to_head("AsKs", "QQ", deals=9000, seed=2, evaluator="suit-mask")
    )


def test_json():
    """The JSON has the documented fields."""
    answer = holdem.head_to_head("AsKs", "QdQh", deals=3000, seed=7).to_dict()
    assert answer["schema"] == "holdem/head-to-head/1"
    assert (answer["deals"], answer["seed"]) == (3000, 7)
    player = answer["players"][0]
    assert {"range", "wins", "ties", "losses", "equity", "stderr", "ci95"} <= set(player)
    assert set(player["by_category"]["pair"]) == {"wins", "ties", "losses"}
    assert set(player["against"]["pair"]["pair"]) == {"wins", "ties", "losses"}
    assert {"players", "estimate", "stderr", "ci95"} == set(answer["differences"][0])
    assert isinstance(answer["verdict"], str)
    assert (answer["stop"], answer["confidence"], answer["evaluators"]) == ("deals", None, [])


class Fixed(BatchSize):
    """A batch size that does not adapt."""

    def update(self, items, seconds):
        pass


@pytest.mark.parametrize("size", [300, 5000])
def test_batches_make_no_difference(size):
    """The results do not depend on the batch size."""
    spot = make_spot(("AA", "72o", "random"))
    for deals, confidence in ((BLOCK + 77, None), (10 * BLOCK, 0.9)):
        job = Contest(spot, 3, deals, confidence)
        expected = run.run(job, 2)
        job = Contest(spot, 3, deals, confidence)
        job.batch_size = Fixed(size)
        assert expected == run.run(job, 2)


def _register(name, change):
    """Register an evaluator that differs from `lookup` for some hands, once it is loaded."""
    holdem.register(wrong_later(name, change).spec)


def _has(cards, wanted):
    return np.all([(cards == card).any(axis=1) for card in holdem.parse_cards(wanted)], axis=0)


def test_evaluators_that_agree():
    """Evaluators that agree do not change the result."""
    found = holdem.head_to_head(
        "AsKs", "QdQh", deals=9000, seed=7, evaluators=["lookup", "cactus-kev", "suit-mask"]
    )
    alone = holdem.head_to_head("AsKs", "QdQh", deals=9000, seed=7)
    assert _counts(found) == _counts(alone)
    assert [judge.evaluator.name for judge in found.cross_checks] == ["cactus-kev", "suit-mask"]
    assert all(
        judge.agrees and judge.deals == 0 and judge.hand == () for judge in found.cross_checks
    )


@pytest.mark.usefixtures("own_registrations")
def test_a_different_answer_is_a_bug():
    """Disagreements are counted in hands and deals, and the smallest hand is reported."""

    def change(cards, strengths):
        if cards.shape[1] < 7:  # five cards are right, and so the wrong hands have seven
            return strengths
        return np.where(_has(cards, "2c 3d"), 1, strengths)

    _register("wrong-in-seven", change)
    deals = 3 * BLOCK
    found = holdem.head_to_head(
        "QQ", "22", deals=deals, seed=7, evaluators=["lookup", "wrong-in-seven"], workers=2
    )
    sampler = Sampler(make_spot(("QQ", "22")), seed=7)
    dealt = np.concatenate([sampler.deals(block) for block in range(3)])
    hands = [dealt[:, [0, 1, 2, 3, 4, *places]] for places in ((5, 6), (7, 8))]
    wrong = np.concatenate([own[_has(own, "2c 3d")] for own in hands])
    (judge,) = found.cross_checks
    assert judge.hands == len(wrong)
    lowest = min(wrong.tolist(), key=lambda hand: sorted(hand, reverse=True))
    assert judge.hand == tuple(lowest)
    assert [answer.evaluator for answer in judge.answers] == ["lookup", "wrong-in-seven"]
    plain = holdem.head_to_head("QQ", "22", deals=deals, seed=7)
    direct = holdem.get_evaluator("wrong-in-seven", direct=True)
    other = holdem.head_to_head("QQ", "22", deals=deals, seed=7, evaluator=direct)
    assert abs(plain.players[0].outcomes.wins - other.players[0].outcomes.wins) <= judge.deals
    assert 0 < judge.deals <= judge.hands
    assert found == holdem.head_to_head(
        "QQ", "22", deals=deals, seed=7, evaluators=["lookup", "wrong-in-seven"], workers=1
    )


@pytest.mark.usefixtures("own_registrations")
def test_interrupted_anywhere(monkeypatch, interrupted_at_every_line):
    """Ctrl-C at any line leaves a consistent result of complete batches."""

    def change(cards, strengths):  # a tenth of player 2's hands
        return np.where(_has(cards, "2c 3d") & (cards.shape[1] == 7), 1, strengths)

    _register("wrong-in-seven", change)
    monkeypatch.setattr(contest, "BLOCK", 48)
    spot = make_spot(("AsKs", "7d2c"), evaluator=holdem.get_evaluator(direct=True))
    other = holdem.get_evaluator("wrong-in-seven", direct=True)

    def played(deals):
        job = Contest(spot, 11, deals, 0.8, (other,))
        job.batch_size = Fixed(24)  # two batches per block
        return run.run(job, 1)

    whole = played(1000)
    assert whole.stop == "confidence"
    assert whole.deals > 48
    assert whole.deals % 48 == 0
    expected = {deals: played(deals) for deals in range(24, whole.deals + 1, 24)}
    assert len({found.cross_checks[0].hands for found in expected.values()}) > 1
    reached = set()
    for found in interrupted_at_every_line(lambda: played(1000), contest, run):
        reached.add(found and found.deals)
        if found is not None:
            assert found.stop == "interrupted"
            verdict = expected[found.deals].verdict
            if found.deals % 48:  # no look within a block
                verdict = expected[48].verdict
            assert attrs.evolve(expected[found.deals], stop="interrupted", verdict=verdict) == found
    assert reached == {None, *expected}


@pytest.mark.usefixtures("own_registrations")
def test_the_smallest_hand_within():
    """A disagreement is reduced to five of the seven cards if possible."""

    def change(cards, strengths):
        full = _has(cards, "2h 2s 3h 3s 8h")  # two small pairs, taken for the weakest hand
        return np.where(full & (cards.shape[1] == 5), 1, strengths)

    _register("wrong-in-five", change)
    lookup = holdem.get_evaluator("lookup")

    @holdem.evaluator("best-of-wrong", hand_sizes={5}, batch=True)
    def rank(cards):
        return change(cards, lookup.strengths(cards).astype(np.int64))

    holdem.register(rank)
    found = holdem.head_to_head(
        "2h2s", "AsKs", board="3h3s8h", deals=BLOCK, seed=1, evaluators=["lookup", "best-of-wrong"]
    )
    (judge,) = found.cross_checks
    assert len(judge.hand) == 5
    assert set(map(str, judge.hand)) == {"2h", "2s", "3h", "3s", "8h"}
    assert [answer.strength == 1 for answer in judge.answers] == [False, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"evaluators": ["lookup"]}, "must be two or more, not 1"),
        ({"evaluators": ["lookup", "lookup"]}, "evaluators has 'lookup' twice"),
        ({"evaluators": "lookup"}, "must be a list of two or more"),
        ({"evaluators": ["lookup", "kev"]}, "no evaluator 'kev'"),
        ({"evaluators": ["lookup", "short-deck"]}, "their strengths cannot be compared"),
        ({"evaluators": ["lookup", "bitwise"], "evaluator": "lookup"}, "not both"),
    ],
)
def test_evaluators_that_cannot_be_compared(arguments, message):
    """Invalid lists of evaluators raise errors before a deal."""
    with pytest.raises(holdem.HoldemError, match=message):
        holdem.head_to_head("AA", "KK", **arguments)
