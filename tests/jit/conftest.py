"""Fixtures for tests of the disk cache: a package, and a process that runs a script."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import holdem
from cached_package import PACKAGE, SCRIPT, environment


@pytest.fixture
def packages(tmp_path):
    """Create a directory of packages with a copy of the engine, which nothing else changes."""
    shutil.copytree(
        Path(holdem.__file__).parent,
        tmp_path / "packages" / "holdem",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return tmp_path / "packages"


@pytest.fixture
def package(packages):
    """Return a function that writes the package under a given name."""

    def write(name="kept"):
        place = packages / name
        place.mkdir(parents=True)
        for file, text in PACKAGE.items():
            (place / file).write_text(text.replace("{name}", name))
        return place

    return write


@pytest.fixture
def run(tmp_path, packages):
    """Return a function that runs a script in a new process and returns its output.

    The second element of the result holds the warnings about the cache. Anything else on
    standard error fails the test.
    """

    def run(script=SCRIPT, cache=tmp_path / "cache", umask=0o022):
        done = subprocess.run(
            [sys.executable, "-W", "always", "-c", script],
            env=environment(tmp_path, cache),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            umask=umask,
        )
        assert 0 == done.returncode, done.stderr
        notes = [line for line in done.stderr.splitlines() if "HoldemWarning" in line]
        assert all("compiled code is not kept between runs" in note for note in notes)
        assert len(notes) == done.stderr.count("Warning:"), done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout.splitlines(), notes

    return run
