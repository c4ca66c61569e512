"""Random questions, alone and from many clients at once."""

import random
import threading
from urllib.parse import quote

from hypothesis import given, settings
from hypothesis import strategies as st

from page_client import Client

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
TEXTS = st.text("23456789TJQKA+-,:0.5scdho% \x00é♠", max_size=12) | st.sampled_from(
    ["22+", "AKs", "random", "top 5%", "AsKs", "", "Td9d2c", "\ud800"]
)
KEYS = ("players", "board", "dead", "method", "by", "seed", "deals", "format", "text", "range")
QUESTIONS = VALUES | st.fixed_dictionaries(
    {},
    optional={
        "players": st.lists(TEXTS, max_size=11) | VALUES,
        "board": TEXTS | VALUES,
        "dead": TEXTS | VALUES,
        "text": TEXTS | VALUES,
        "range": TEXTS | VALUES,
        "by": st.lists(st.sampled_from(["class", "combo", "next-card", "x"]), max_size=3) | VALUES,
        "seed": SCALARS,
        "count": st.sampled_from([1, 3]) | SCALARS,
        "keep": st.lists(st.sampled_from(["set", "top pair, flush draw", ""]), max_size=2) | VALUES,
        "format": st.sampled_from(["json", "csv", "xml"]) | VALUES,
        "deals": st.sampled_from([1, 100, 20_000]) | SCALARS,
        "method": st.sampled_from(["monte-carlo", "exact"]) | VALUES,
    },
)


@settings(max_examples=80, deadline=None)
@given(name=st.sampled_from(["equity", "flops", "range", "hits"]), question=QUESTIONS)
def test_random_questions(client, name, question):
    """Whatever is asked, the answer is JSON or CSV, and errors are the client's."""
    if name == "equity" and isinstance(question, dict):
        question = {"time": 0.05, **question}
    response = client.ask(name, question)
    assert response.status in (200, 400), response.content
    if response.status == 400:
        assert response.error["message"]
    elif response.type == "application/json":
        assert response.json["schema"].startswith(f"holdem/{name}/")


@settings(max_examples=60, deadline=None)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "OPTIONS", "X"]),
    path=st.text("./%abcequityjs?token=0\\:#é", max_size=20),
    content=st.binary(max_size=50),
    headers=st.dictionaries(
        st.sampled_from(["Content-Type", "Origin", "Accept", "X-Holdem-Token", "If-None-Match"]),
        st.text("abc/*:é ,", max_size=10).map(str.encode),
    ),
)
def test_random_requests(client, method, path, content, headers):
    """A request without the token gets a refusal as JSON."""
    response = client.request(method, "/" + quote(path, safe="/?=%:#"), content, headers)
    assert 400 <= response.status < 500
    assert response.error["message"]


def test_many_clients(server, client):
    """Answers to many clients at once are the right ones."""
    questions = [
        ("equity", {"players": [hand, "22+,AK"], "board": board})
        for hand in ("AsKs", "QQ+", "random")
        for board in ("Td9d2c", "Ks7d2c4h")
    ]
    questions += [("range", {"text": text}) for text in ("22+", "top 10%", "nonsense", "")]
    questions += [("hits", {"range": "22+,AK", "board": "Td9d2c"})]
    questions += [("equity", {"players": ["22", "AK", "QJ"], "deals": 5000, "seed": 1})]
    expected = [_timeless(client.ask(*question)) for question in questions]
    wrong = []

    def ask(seed):
        own = Client(server)
        for number in random.Random(seed).choices(range(len(questions)), k=8):
            found = _timeless(own.ask(*questions[number]))
            if found != expected[number]:
                wrong.append((questions[number], found))
        own.close()

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == wrong


def _timeless(response):
    answer = response.json
    answer.pop("elapsed", None)
    return response.status, answer
