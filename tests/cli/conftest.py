"""Fixtures for tests of evaluators on the command line."""

import pytest

from plugin_commands import PAIRS
from plugin_distributions import registry_anew


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Return the working directory of commands, in which distributions are found."""
    (tmp_path / "pairs.txt").write_text(PAIRS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDEM_DISABLE_PLUGINS", "peers")  # to restore it, if the test changes it
    with registry_anew(tmp_path):
        yield tmp_path


@pytest.fixture
def wide(monkeypatch):
    """Set a width at which no line is wrapped."""
    monkeypatch.setenv("COLUMNS", "1000")
