"""Kernels give the same answers as Python code, and compiled with bounds checks."""

import json

import pytest

from check_kernels import answers, differences, run


@pytest.mark.slow
def test_as_python():
    """Nothing is compiled: an index out of bounds or an unknown name would be an exception."""
    expected = json.loads(json.dumps(answers()))
    assert len(expected) == 42
    assert run("python") == expected


@pytest.mark.slow
def test_with_bounds_checks():
    assert differences("bounds") == (42, [])
