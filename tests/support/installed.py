"""Distributions for tests, on disk as pip would leave them, and registries that find them."""

import importlib
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from hands import EVALUATORS, random_hands

from holdem.evaluation.registry import REGISTRY

#: A module that offers one evaluator, `lookup` with a change of one's own in the middle.
PLUGIN = """
import numpy as np

import holdem

NAME = "{name}"
SIZES = {{5, 6, 7}}
LOADING = 8  # calls before the first answer: what comes then is the run
state = {{"calls": 0}}


def change(hands, strengths):
    return strengths


def load():
    from holdem.evaluation.builtin.lookup.kernels import rank_batch

    def rank(hands):
        state["calls"] += 1
        return change(hands, rank_batch(hands).astype(np.int64))

    return rank


{code}


@holdem.hookimpl
def holdem_evaluators():
    return [holdem.EvaluatorSpec(NAME, "for a test", "a test", SIZES, load)]
"""


def write_distribution(directory, module, code, *, version="1.0", entry=None):
    """Write a distribution of one module, and its entry point, into a directory of the path."""
    distribution = module.replace("_", "-")
    (directory / f"{module}.py").write_text(code, encoding="utf-8")
    info = directory / f"{module}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(
        f"[holdem]\n{entry or distribution} = {module}\n", encoding="utf-8"
    )


@contextmanager
def registry_anew(directory):
    """Let the process's registry find what is in `directory`, and forget it afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(directory))
        patch.setattr(REGISTRY, "_installed", None)
        patch.setattr(REGISTRY, "_registered", {})
        patch.setattr(REGISTRY, "_no_plugins", False)
        patch.delenv("HOLDEM_DISABLE_PLUGINS", raising=False)
        before = set(sys.modules)
        importlib.invalidate_caches()
        yield REGISTRY
        for name in set(sys.modules) - before:
            if name.startswith("plugin_"):
                del sys.modules[name]


def offer(directory, name, code, module="plugin_under_test"):
    """Install `PLUGIN` with `code` in it: it may define `change`, or `load`, or `SIZES` anew."""
    write_distribution(directory, module, PLUGIN.format(name=name, code=code))


def records_of(registry):
    """Return the records by name; names are unique."""
    records = registry.records()
    names = [record.name for record in records]
    assert len(set(names)) == len(names)
    return dict(zip(names, records, strict=True))


def require_others_work(registry, *, also=()):
    """Assert that every evaluator that comes with the engine is active and ranks."""
    hands = random_hands(20, 7, seed=1)
    expected = registry.get("lookup").strengths(hands)
    records = records_of(registry)
    for name in (*EVALUATORS, *also):
        assert ("active", "") == (records[name].status, records[name].reason)
        evaluator = registry.get(name)
        classes = evaluator.scale.classes(evaluator.strengths(hands))
        np.testing.assert_array_equal(7463 - expected.astype(int), classes)
