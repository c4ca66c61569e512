"""Installed distributions for tests, and registries that find them."""

import importlib
import sys
from contextlib import contextmanager

import numpy as np
import pytest

from hands import EVALUATORS, random_hands
from holdem.evaluation.registry import REGISTRY, Registry
from holdem.plugins.manager import PLUGINS
from holdem.ranges import names as range_names

#: Plugins to be disabled where they do not matter: a list of evaluators proves each of them.
OTHERS = "peers,bitwise,cactus-kev,dead-horse,short-deck,suit-mask"
#: A module with one evaluator: `lookup` with a function applied to its strengths.
PLUGIN = """
import numpy as np

import holdem

NAME = "{name}"
SIZES = {{5, 6, 7}}
LOADING = 39  # calls at load; later ones belong to the run
state = {{"calls": 0}}


def change(hands, strengths):
    return strengths


def load():
    from holdem.evaluation.builtin.lookup import rank_batch

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
    """Write a distribution of one module with an entry point to a directory."""
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


def use_new_registry(monkeypatch):
    """Give the registry of the process a new state until the end of the test, and return it."""
    fresh = Registry()
    for name, value in vars(fresh.plugins).items():
        monkeypatch.setattr(PLUGINS, name, value)
    fresh.plugins = PLUGINS
    for name, value in vars(fresh).items():
        monkeypatch.setattr(REGISTRY, name, value)
    monkeypatch.setattr(range_names, "_NAMES", range_names._Names())
    return REGISTRY


@contextmanager
def registry_anew(directory):
    """Make the registry of the process find the plugins in `directory`, temporarily.

    The other libraries are disabled: their proofs would take most of the time of a list.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(directory))
        use_new_registry(patch)
        patch.setenv("HOLDEM_DISABLE_PLUGINS", "peers")
        before = set(sys.modules)
        importlib.invalidate_caches()
        yield REGISTRY
        for name in set(sys.modules) - before:
            if name.startswith("plugin_"):
                del sys.modules[name]


def offer(directory, name, code, module="plugin_under_test"):
    """Install `PLUGIN` with `code`, which may redefine `change`, `load` or `SIZES`."""
    write_distribution(directory, module, PLUGIN.format(name=name, code=code))


def records_of(registry):
    """Return the records by name, and assert that names are unique."""
    records = registry.records()
    names = [record.name for record in records]
    assert len(set(names)) == len(names)
    return dict(zip(names, records, strict=True))


def require_others_work(registry, *, also=()):
    """Assert that every included evaluator is active, and that a few are correct."""
    hands = random_hands(20, 7, seed=1)
    expected = registry.get("lookup").strengths(hands)
    records = records_of(registry)
    for name in (*EVALUATORS, *also):
        assert ("active", "") == (records[name].status, records[name].reason)
    for name in ("reference", "cactus-kev", *also):  # each is proved anew
        evaluator = registry.get(name)
        classes = evaluator.scale.classes(evaluator.strengths(hands))
        np.testing.assert_array_equal(7463 - expected.astype(int), classes)
