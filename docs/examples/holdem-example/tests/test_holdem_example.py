"""The evaluator keeps holdem's contract, and the engine's answers with it are right."""

import holdem
from holdem.testing import assert_conforms


def test_conformance():
    """All classes in order, every hand of five cards, and an answer that depends on it alone."""
    assert_conforms("example")


def test_equity():
    """The same wins and ties as with the engine's own evaluator."""
    ours, expected = (
        holdem.equity("AsKs", "QdQh", board="Td9d2c", evaluator=name)
        for name in ("example", "lookup")
    )
    for player, right in zip(ours.players, expected.players, strict=True):
        assert (player.wins, player.ties) == (right.wins, right.ties)
