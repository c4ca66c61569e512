"""`equities` on a local Dask cluster gives the answers of one machine."""

import distributed
import numpy as np
import pytest

import holdem
from games import ROYAL
from holdem.dask_tasks import DaskTasks
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.many_spots import equities as many_spots
from holdem.odds.many_spots.equity_table import EquityTable

# Of asyncio and others, in code that is not ours, by version of Python.
pytestmark = [
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning:(distributed|dask|tornado|asyncio|click).*"
    ),
    # Streets are mixed, and a board that is missing beside others is warned of.
    pytest.mark.filterwarnings("ignore:.* answered before the flop"),
]

WEIGHTS = np.where(np.arange(1326) % 100 == 7, np.random.default_rng(1).random(1326), 0.0)
# Batches of each kind, single exact and sampled spots, equal ones, and rows without an answer.
SPOTS = [
    ("AsKs", "QdQh", "", ""),
    ("AsKs", "QdQh", "Td9d2c", ""),
    ("AsKs", "random", "Td9d2c7h", "2d"),
    ("22+,A2s+", "7h6h", "Td9d2c8h3s", ""),
    ("QQ+", "AK", "Td9d2c", ""),
    ("QQ+", "AK", "Th9h2s", ""),
    ("QQ+:0.5", "AK", "Td9d2c", "Ah"),
    (holdem.Range.from_weights(WEIGHTS), "random", "Td9d2c7h3s", ""),
    ("AA", "KK", "AdAhAc", ""),
    ("AA", "KK", "AdAhAs", ""),
    ("AsKs", "nonsense", "", ""),
    ("AA", "AA", "AdAhTc", ""),
    ("A5s", "random", "", ""),
    ("A5s", "random", "", ""),
]
COLUMNS = [list(column) for column in zip(*SPOTS, strict=True)]


def answers(**options) -> EquityTable:
    """Return the answers of all spots."""
    first, second, boards, dead = COLUMNS
    return holdem.equities(first, second, board=boards, dead=dead, errors="nan", **options)


@pytest.fixture(scope="module")
def client():
    """Return a client of a cluster in this process."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as made,
        distributed.Client(made) as client,
    ):
        yield client


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "monte-carlo", "deals": 3000, "seed": 5},
        {"evaluator": "bitwise"},
    ],
    ids=["exact", "sampled", "another evaluator"],
)
def test_the_same_bits(client, options):
    """The table is that of this machine: figures, deals, errors and messages."""
    here = answers(**options)
    assert here == answers(dask=client, **options)
    assert len(here.errors) == 4
    assert "Ah" in here.errors[8]
    assert "As" in here.errors[9]


def test_rules_of_ones_own(client):
    """A rule set of this script is sent to the workers, which need no code for it."""
    spots = (["AsKs", "TT+", "AKs"], ["QdQh", "AK", "QQ"])
    boards = ["AdKdTc", "", "QcJdTs"]
    here = holdem.equities(*spots, board=boards, evaluator=ROYAL)
    there = holdem.equities(*spots, board=boards, evaluator=ROYAL, dask=client)
    assert here == there
    assert "royal" == there.evaluator.name
    assert here != holdem.equities(*spots, board=boards, dask=client)


def test_tables_and_direct(client, monkeypatch):
    """Workers rank no hand where there are tables, and all hands where the evaluator is asked."""
    ranked = []

    def rank_here(evaluator, hands):
        ranked.append(len(hands))
        return original(evaluator, hands)

    original = Evaluator.rank_here
    monkeypatch.setattr(Evaluator, "rank_here", rank_here)  # the workers are in this process
    direct = holdem.get_evaluator("bitwise", direct=True)
    spots = ["QdQh", "JcJd"], ["AsKs", "TT+"]
    by_tables = holdem.equities(*spots, board="Td9d2c", evaluator="bitwise", dask=client)
    assert [] == ranked
    directly = holdem.equities(*spots, board="Td9d2c", evaluator=direct, dask=client)
    assert sum(ranked) > 2 * 2 * 990
    assert by_tables.equity.tolist() == directly.equity.tolist()


def test_many_batches(client):
    """Spots of several batches and requests, in the order of the spots."""
    rng = np.random.default_rng(3)
    cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (70_000, 1)), axis=1)
    first, second, boards = cards[:, :2], cards[:, 2:4], cards[:, 4:8]
    here = holdem.equities(first, second, board=boards)
    assert here == holdem.equities(first, second, board=boards, dask=client)


def test_refusals():
    """Unusable clusters and evaluators raise an error."""

    @holdem.evaluator("lookup")
    def of_this_script(cards):
        return 0

    for evaluator in (of_this_script, many_spots.get_evaluator(of_this_script)):
        with pytest.raises(holdem.ClusterError, match="'lookup' is registered by this script"):
            answers(dask="tcp://127.0.0.1:1", evaluator=evaluator)
    with pytest.raises(holdem.ClusterError, match=r"a cluster is a distributed\.Client or an"):
        answers(dask=5)


def test_interrupted(client, monkeypatch):
    """After Ctrl-C, the table has the answers so far."""

    class Cut(DaskTasks):
        def results(self, tasks, workers, deadline=None):
            for number, found in enumerate(super().results(tasks, workers, deadline)):
                if number == 3:
                    raise KeyboardInterrupt
                yield found

    monkeypatch.setattr("holdem.dask_tasks.DaskTasks", Cut)
    with pytest.raises(holdem.Interrupted) as raised:
        answers(dask=client)
    table = raised.value.finished
    assert 3 <= (~np.isnan(table.equity[:, 0])).sum() < len(SPOTS) - 4
    assert "interrupted" in table.errors.values()


def test_on_the_command_line(client, tmp_path, monkeypatch, capsys):
    """`holdem equities FILE --dask ADDRESS` prints the same as without a cluster."""
    from holdem.cli import run

    path = tmp_path / "spots.csv"
    path.write_text("p1,p2,board\nAsKs,QQ+,Td9d2c\nAA,nonsense,\n", encoding="utf-8")
    assert run(["equities", str(path)]) == 0
    here = capsys.readouterr()
    monkeypatch.setattr("holdem.jobs.run.ordered_results", None)  # runs tasks in threads
    assert run(["equities", str(path), "--dask", client.scheduler.address]) == 0
    assert capsys.readouterr() == here
