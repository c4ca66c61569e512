"""Under ``python -O``, which drops asserts, invalid input has the same errors."""

import json
import subprocess
import sys

SCRIPT = """
import json

import holdem


def message(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except holdem.HoldemError as error:
        return f"{type(error).__name__}: {error}"


assert False, "python -O drops this"
blocked = message(holdem.equity, "AsKs", "AsAh")
spots = message(holdem.equities, "AsKs", ["AsAh"])
errors = holdem.equities("AsKs", ["AsAh"], errors="nan").errors
table = holdem.equity("AsKs,AsQs", "JdJh", board="Td9d2c").by_next_card
print(json.dumps([blocked, spots, errors, len(table)]))
"""


def test_errors_do_not_depend_on_asserts(tmp_path):
    done = subprocess.run(
        [sys.executable, "-O", "-c", SCRIPT],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    blocked, spots, errors, next_cards = json.loads(done.stdout)
    reason = "no deal is possible: As is in the hands of players 1 and 2"
    assert blocked == f"SpotError: {reason}"
    assert spots == f"SpotError: spot 0: {reason}"
    assert errors == {"0": reason}
    assert next_cards == 52 - 3 - 3  # no deal has the ace of spades as its next card
