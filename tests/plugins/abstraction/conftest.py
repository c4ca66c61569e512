"""Strengths of hands that several tests use."""

import pytest

from holdem_abstraction import hand_strengths
from street_tables import partial_strengths


@pytest.fixture(scope="session")
def river():
    return hand_strengths("river")


@pytest.fixture(scope="session")
def flop():
    return partial_strengths("flop", bins=50)


@pytest.fixture(scope="session")
def turn():
    return partial_strengths("turn", bins=30)
