"""What pytest finds by itself where holdem is installed: the fixture ``assert_conforms``.

def test_conformance(assert_conforms):
    assert_conforms("my-evaluator")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # every run of pytest imports this module, and most need nothing of it
    from holdem.evaluation.conformance.findings import Conformance


@pytest.fixture(name="assert_conforms", scope="session")
def _assert_conforms() -> Callable[..., Conformance]:
    """Return `holdem.testing.assert_conforms`, which holds an evaluator to its contract."""
    from holdem.testing import assert_conforms

    return assert_conforms
