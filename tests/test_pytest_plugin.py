"""The pytest fixture `assert_conforms`."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

# The three lines that an author writes, and one that is wrong.
TESTS = """
import holdem


def test_conformance(assert_conforms):
    found = assert_conforms("lookup", hands=10)
    assert found.passed


def test_one_that_is_wrong(assert_conforms):
    @holdem.evaluator("mine", batch=True)
    def mine(hands):
        return holdem.get_evaluator("lookup").strengths(hands) % 7000

    assert_conforms(mine, hands=10)
"""


def test_fixture(tmp_path):
    """It takes the arguments of `assert_conforms`; a failure shows the hand and the test."""
    (tmp_path / "test_mine.py").write_text(TESTS)
    # By module, in case the checkout was installed before it had this entry point.
    plugin = ["-p", "no:holdem", "-p", "holdem.pytest_plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "-q", "-W", "error"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (1, "") == (done.returncode, done.stderr)
    assert "1 failed, 1 passed" in done.stdout
    assert "classes: 2c 2d 2h 3c 3d: strength 141; expected: " in done.stdout
    assert "test_mine.py:15: AssertionError" in done.stdout
    assert "testing.py" not in done.stdout


def test_entry_point():
    """It names the module, which imports neither numpy nor numba."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    (place,) = project["project"]["entry-points"]["pytest11"].values()
    assert "holdem.pytest_plugin" == import_module(place).__name__
    code = f"import sys, {place}; print({{'numpy', 'numba'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "set()" == done.stdout.strip()
