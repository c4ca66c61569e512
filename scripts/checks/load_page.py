"""Ask the page's server from many clients at once, and compare every answer with the right one.

    python scripts/checks/load_page.py [--clients 200] [--minutes 10]

The server is a process of its own, ``holdem serve``. Most questions are short, some are streamed,
some wrong, and some clients leave before the answer. The exit code is 1 if an answer is wrong or
missing, or if the server's memory grows by more than 5 % in the second half of the time.
Needs Linux, for the memory of the server.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from holdem.errors import HoldemError
from holdem_page.answers import answer
from holdem_page.refusals import error_json

BOARDS = ("Td9d2c", "Ks7d2c", "AhKh4s", "8c8d3h", "QsJsTs4d", "5d6d7hAc", "2c2d2h9s9d")
RANGES = ("AsKs", "QQ+,AKs", "22+,A2s+", "top 20%", "random", "KTs+:0.5,77", "T9s,98s:0.3", "A2x")
SLEEP = 0.2  # the most seconds between two questions of a client


def questions() -> list[tuple[str, dict[str, Any]]]:
    """Return the questions, each with its name."""
    found: list[tuple[str, dict[str, Any]]] = []
    for board in BOARDS:
        found += [("equity", {"players": [a, b], "board": board}) for a in RANGES for b in RANGES]
        found += [("hits", {"range": text, "board": board}) for text in RANGES[:3]]
    found += [("range", {"text": text, "board": board}) for text in RANGES for board in BOARDS[:2]]
    sampled = {"method": "monte-carlo", "deals": 50_000, "seed": 7}
    found += [("equity", {"players": [text, "22+", "AK"], **sampled}) for text in RANGES]
    return found


def right_answer(name: str, question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a question, computed here."""
    try:
        content = answer(name, question)[1]
    except HoldemError as error:
        content = error_json(error)
    return timeless(json.loads(content))


def timeless(content: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without its duration."""
    content.pop("elapsed", None)
    return content


class Load:
    """The clients, and what they have seen."""

    def __init__(self, address: str, asked: list[tuple[str, dict[str, Any]]]) -> None:
        self.port = int(urlsplit(address).port or 0)
        self.token = address.partition("token=")[2]
        self.asked = asked
        self.expected = [right_answer(*question) for question in asked]
        self.seen: Counter[str] = Counter()
        self.seconds: list[float] = []
        self.is_over = threading.Event()

    def client(self, seed: int) -> None:
        """Ask questions, one after the other, until the time is over."""
        draw = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.is_over.wait(draw.random() * SLEEP):
            number = draw.randrange(len(self.asked))
            way = draw.choices(("plain", "stream", "leave"), (90, 8, 2))[0]
            started = time.monotonic()
            try:
                self._ask(connection, number, way)
            except (OSError, http.client.HTTPException) as error:
                self.seen[f"lost: {type(error).__name__}"] += 1
                connection.close()
            self.seconds.append(time.monotonic() - started)
        connection.close()

    def _ask(self, connection: http.client.HTTPConnection, number: int, way: str) -> None:
        name, question = self.asked[number]
        headers = {"Content-Type": "application/json", "X-Holdem-Token": self.token}
        if way == "stream":
            headers["Accept"] = "text/event-stream"
        connection.request("POST", f"/api/{name}", json.dumps(question), headers)
        if way == "leave":
            connection.close()
            self.seen["left"] += 1
            return
        response = connection.getresponse()
        content = response.read().decode()
        if response.getheader("Content-Type") == "text/event-stream":
            content = content.rpartition("event: answer\ndata: ")[2]
        if timeless(json.loads(content)) == self.expected[number]:
            self.seen["right"] += 1
        else:
            self.seen["wrong"] += 1


def memory(process: int) -> float:
    """Return the memory that a process occupies, in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    match = re.search(r"VmRSS:\s+([0-9]+) kB", status)
    return int(match[1]) / 1024 if match else 0.0


def main() -> int:
    """Run the load and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "holdem", "serve", "--no-browser", "--port", "0"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as server:
        assert server.stdout is not None
        load = Load(server.stdout.readline().strip(), questions())
        threads = [
            threading.Thread(target=load.client, args=(seed,)) for seed in range(arguments.clients)
        ]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        memories = []
        for _ in range(10):
            time.sleep(6 * arguments.minutes)
            memories.append(memory(server.pid))
        load.is_over.set()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - started
        server.terminate()
    times = sorted(load.seconds)
    print(f"{arguments.clients} clients, {seconds / 60:.1f} minutes, {len(load.asked)} questions")
    print(", ".join(f"{name} {count:,}" for name, count in sorted(load.seen.items())))
    print(
        f"{len(times) / seconds:.0f} a second; median {1000 * times[len(times) // 2]:.0f} ms,"
        f" 95th percentile {1000 * times[int(0.95 * len(times))]:.0f} ms"
    )
    print("memory of the server, MB:", " ".join(f"{each:.0f}" for each in memories))
    is_flat = memories[-1] < 1.05 * memories[len(memories) // 2]
    return 0 if is_flat and set(load.seen) <= {"right", "left"} else 1


if __name__ == "__main__":
    sys.exit(main())
