"""Sampled answers are streamed; work ends when its client goes or its time is over."""

import json
import socket
import threading
import time

import pytest

import holdem
from holdem.jobs.stopwatch import Stopwatch
from holdem.jobs.workers import WorkersClosedError
from holdem.odds.result import compute_breakdowns
from holdem_page.watcher import Watcher
from page_client import Client

LONG = {"players": ["22+", "AK", "QJs"], "method": "monte-carlo", "time": 60, "stderr": 1e-6}
# Much work even for many cores: 20 seconds on two.
EXACT = {"players": ["22+,A2+,K2+,Q2+,J2+,T2+", "22+,A2+,K2+,Q2+,T2+", "random"], "method": "exact"}
EVENTS = {"Accept": "text/event-stream"}


def _workers(before=()):
    """Return the threads that compute answers, except those in `before`."""
    return {each for each in threading.enumerate() if each.name == "holdem"}.difference(before)


def _until(condition, seconds):
    """Wait for a condition for at most some seconds, without those of compiling kernels."""
    stopwatch = Stopwatch()
    while not condition():
        assert stopwatch.elapsed < seconds, "too late"
        time.sleep(0.005)


def test_exact_answers(client):
    """An exact answer is one event."""
    question = {"players": ["22+", "AK"], "board": "Td9d2c"}
    response = client.ask("equity", question, **EVENTS)
    assert response.type == "text/event-stream"
    ((name, answer),) = response.events
    assert name == "answer"
    expected = client.ask("equity", question).json
    assert {**expected, "elapsed": answer["elapsed"]} == answer


def test_sampled_answers(client):
    """The interval narrows, and the last answer is the one that is not streamed, bit for bit."""
    question = {"players": ["22+", "AK", "QJs"], "seed": 4, "deals": 3_000_000}
    question["method"] = "monte-carlo"
    events = client.ask("equity", question, **EVENTS).events
    assert [name for name, _ in events[:-1]] == ["partial"] * (len(events) - 1)
    assert len(events) > 1
    name, answer = events[-1]
    assert name == "answer"
    expected = client.ask("equity", question).json
    assert {**expected, "elapsed": answer["elapsed"]} == answer
    deals = [partial["deals"] for _, partial in events]
    assert sorted(set(deals)) == deals
    first, last = (event[1]["players"][0]["stderr"] for event in (events[0], events[-1]))
    assert first > 1.5 * last
    assert events[0][1]["stop"] == "interrupted"


def test_an_estimate_comes_first(client, monkeypatch):
    """A long exact answer is preceded by a sampled estimate."""
    monkeypatch.setattr("holdem_page.answers._SLOW", 1000)
    events = client.ask("equity", {"players": ["55+", "AK"], "dead": "2h"}, **EVENTS).events
    assert not events[0][1]["exact"]
    name, answer = events[-1]
    assert (name, answer["exact"]) == ("answer", True)
    waits = [event["exact_in"] for _, event in events[:-1] if event["exact_in"]]
    assert waits
    assert all(isinstance(seconds, int) and seconds > 0 for seconds in waits)
    for estimated, exact in zip(events[-2][1]["players"], answer["players"], strict=True):
        assert abs(estimated["equity"] - exact["equity"]) < 6 * estimated["stderr"]


SPOT = {
    "players": ["22+,A2s+,KTs+:0.5", "top 20%"],
    "board": "Td9d2c",
    "hits": [{"range": "top 20%", "board": "Td9d2c", "members": True}, {"range": "22+"}],
}


def test_the_parts_of_a_spot_are_the_answers_of_the_other_addresses(client):
    """In one stream: equities, hits in the order of their questions, and combos."""
    events = client.ask("spot", SPOT, **EVENTS).events
    assert [name for name, _ in events] == ["equity", "hits", "hits", "combos", "answer"]
    spot = {name: value for name, value in SPOT.items() if name != "hits"}
    asked = [("equity", spot), *(("hits", each) for each in SPOT["hits"])]
    asked += [("equity", spot | {"by": ["combo"]})]
    for (_, part), (path, question) in zip(events, asked, strict=False):
        expected = client.ask(path, question).json
        assert part | {"elapsed": 0} == expected | {"elapsed": 0}


def test_hits_of_a_spot_do_not_wait_for_a_slow_answer_nor_combos_for_those_before_the_flop(
    client, monkeypatch
):
    spot = {"players": ["55+", "AK"], "dead": "2h", "hits": [{"range": "55+"}]}
    names = [name for name, _ in client.ask("spot", spot, **EVENTS).events]
    assert names == ["equity", "combos", "hits", "answer"]
    monkeypatch.setattr("holdem_page.answers._SLOW", 1000)
    names = [name for name, _ in client.ask("spot", spot, **EVENTS).events]
    assert names.index("hits") < names.index("equity") < names.index("combos")
    assert names[0] == "partial"


def test_mistakes_of_a_spot(client):
    assert "ask with Accept: text/event-stream" in client.ask("spot", SPOT).error["message"]
    response = client.ask("spot", SPOT | {"players": ["22", "x"]}, **EVENTS)
    assert (response.status, response.error["player"]) == (400, 1)
    wrong = SPOT | {"hits": [{"range": "x"}]}
    assert client.ask("spot", wrong, **EVENTS).events[-1][0] == "error"


def test_errors(client, monkeypatch):
    """An error before the first event is a plain response, a later one is an event."""
    response = client.ask("equity", {"players": ["22", "x"]}, **EVENTS)
    assert response.status == 400
    assert response.error["player"] == 1

    def fail(*_, **__):
        raise ValueError("in the middle")

    monkeypatch.setattr("holdem_page.answers.compute_breakdowns", fail)
    question = {"players": ["22", "AK"], "method": "monte-carlo", "deals": 200_000}
    events = client.ask("equity", question, **EVENTS).events
    name, content = events[-1]
    assert name == "error"
    assert "in the middle" in content["error"]["message"]
    assert client.ask("equity", question).status == 500


@pytest.mark.parametrize("headers", [EVENTS, {}], ids=["events", "json"])
@pytest.mark.parametrize("question", [LONG, EXACT], ids=["sampled", "exact"])
def test_a_client_that_goes(server, headers, question):
    """The work of a client that has gone ends, long before it would be complete."""
    before = _workers()  # of other tests
    client = Client(server)
    given = {"Content-Type": "application/json", "X-Holdem-Token": client.token, **headers}
    client.connection.request("POST", "/api/equity", json.dumps(question), given)
    _until(lambda: _workers(before), 60)
    time.sleep(0.1)
    client.close()
    _until(lambda: not _workers(before) and not server.watcher._watched, 10)


@pytest.mark.parametrize("name", ["combo", "category"])
def test_a_client_that_goes_before_the_reports(server, monkeypatch, name):
    """Reports are not computed for a client that has gone."""
    begun, ends = threading.Event(), []

    def compute(*given, within):
        begun.set()
        _until(lambda: within._is_closed, 60)
        try:
            compute_breakdowns(*given, within=within)
            ends.append("complete")
        except WorkersClosedError:
            ends.append("closed")

    monkeypatch.setattr("holdem_page.answers.compute_breakdowns", compute)
    client = Client(server)
    given = {"Content-Type": "application/json", "X-Holdem-Token": client.token}
    question = {"players": ["22+", "AK"], "method": "monte-carlo", "deals": 40_000, "by": [name]}
    client.connection.request("POST", "/api/equity", json.dumps(question), given)
    assert begun.wait(300)
    client.close()
    _until(lambda: ends, 60)
    assert ends == ["closed"]


def test_time_is_over(server, client, monkeypatch):
    """Work that takes too long ends with a message."""
    monkeypatch.setattr(server, "watcher", Watcher(1.2))
    response = client.ask("equity", LONG)
    assert response.status == 400
    assert "longer than 1.2 seconds" in response.error["message"]
    name, content = client.ask("equity", LONG, **EVENTS).events[-1]
    assert name == "error"
    assert "longer than 1.2 seconds" in content["error"]["message"]


def test_a_connection_that_cannot_be_checked_has_gone():
    """Its work ends, and the watch over others goes on, also above descriptor 1023."""
    fcntl, resource = map(pytest.importorskip, ("fcntl", "resource"))
    watcher = Watcher(60)
    low, other_end = socket.socketpair()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    connection = socket.socket(fileno=fcntl.fcntl(low, fcntl.F_DUPFD, 1024))
    with low, connection, watcher.watch(None) as closed, watcher.watch(connection) as watched:
        _until(lambda: closed.has_gone, 5)
        assert not watched.has_gone
        other_end.close()
        _until(lambda: watched.has_gone, 5)


def test_time_of_sampling(client, monkeypatch):
    """Sampling without its own limit in time ends after the server's, and says so."""
    monkeypatch.setattr("holdem_page.answers.MAX_SECONDS", 0.1)
    answer = client.ask("equity", {**LONG, "time": None}).json
    assert answer["stop"] == "time"
    assert 0 < answer["elapsed"] < 30  # and not a minute


def test_time_of_an_exact_answer(client, monkeypatch):
    """An exact run that takes longer than the server's limit is an error, without figures."""
    monkeypatch.setattr("holdem_page.answers.MAX_SECONDS", 0.1)
    response = client.ask("equity", EXACT)
    assert response.status == 400
    assert "an exact answer takes longer than 0.1 seconds" in response.error["message"]


def test_an_estimate_that_fails_does_not_matter(client, monkeypatch):
    """The exact answer comes also if no deal of the estimate before it is finished in time."""

    def no_deal(*_):
        raise holdem.SpotError("finished no deal")

    monkeypatch.setattr("holdem.odds.sampling.run.SampledRun.answer", no_deal)
    question = {"players": ["22+", "random", "random"], "board": "Td9d2c"}
    monkeypatch.setattr("holdem_page.answers._SLOW", 0)
    name, answer = client.ask("equity", question, **EVENTS).events[-1]
    assert name == "answer"
    assert answer["exact"]
