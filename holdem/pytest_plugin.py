"""The pytest fixture ``assert_conforms``, available wherever `holdem` is installed.

For example, in a test of an evaluator::

    def test_conformance(assert_conforms):
        assert_conforms("my-evaluator")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # pytest imports this module in every run
    from holdem.evaluation.conformance.findings import Conformance


@pytest.fixture(name="assert_conforms", scope="session")
def _assert_conforms() -> Callable[..., Conformance]:
    """Provide the function `holdem.testing.assert_conforms` as a fixture."""
    from holdem.testing import assert_conforms

    return assert_conforms
