"""What tests of kept kernels share: a package, and a process of its own that runs it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kept_package import PACKAGE, SCRIPT, environment

import holdem


@pytest.fixture
def packages(tmp_path):
    """Make a place for packages, with a copy of the engine: nothing else changes that one."""
    shutil.copytree(
        Path(holdem.__file__).parent,
        tmp_path / "packages" / "holdem",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return tmp_path / "packages"


@pytest.fixture
def package(packages):
    """Return a function that writes the package under a name."""

    def write(name="kept"):
        place = packages / name
        place.mkdir(parents=True)
        for file, text in PACKAGE.items():
            (place / file).write_text(text.replace("{name}", name))
        return place

    return write


@pytest.fixture
def run(tmp_path, packages):
    """Return a function that runs a script in a fresh process and returns what it prints.

    A second element holds the notes about the cache on standard error; anything else there
    is an error.
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
        notes = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
        assert all("compiled code is not kept between runs" in note for note in notes)
        assert len(notes) == done.stderr.count("Warning:"), done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout.splitlines(), notes

    return run
