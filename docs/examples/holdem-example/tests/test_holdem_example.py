"""The evaluator fulfils its contract, and equities computed with it are right."""

import holdem
from holdem.testing import assert_conforms


def test_conformance():
    """The evaluator passes all conformance checks."""
    assert_conforms("example")


def test_equity():
    """Wins and ties are the same as with the default evaluator."""
    result, expected = (
        holdem.equity("AsKs", "QdQh", board="Td9d2c", evaluator=name)
        for name in ("example", "lookup")
    )
    for player, other in zip(result.players, expected.players, strict=True):
        assert (player.wins, player.ties) == (other.wins, other.ties)
