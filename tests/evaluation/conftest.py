"""Fixtures for tests of plugins."""

import importlib
import sys

import pytest

from holdem.evaluation.registry import DISABLE_VARIABLE


@pytest.fixture
def clean(monkeypatch):
    """Restore the environment and the imported modules after the test."""
    monkeypatch.delenv(DISABLE_VARIABLE, raising=False)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("plugin_"):
            del sys.modules[name]


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a distribution of one module."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(module, code, *, entry=None, distribution=None, version="1.0", files=()):
        distribution = distribution or module.replace("_", "-")
        (tmp_path / f"{module}.py").write_text(code)
        info = tmp_path / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        contents = {
            "METADATA": f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n",
            "entry_points.txt": f"[holdem]\n{entry or module} = {module}\n",
            **dict(files),
        }
        for name, content in contents.items():
            if content is not None:
                (info / name).write_text(content)
        importlib.invalidate_caches()

    return install
