"""Plugins that are given on the command line with ``--plugin``: Python files, or modules.

A file is executed as a separate module. The version of its evaluators is a digest of the file, so
that the store of a study notices when the file has changed. The workers of a cluster receive the
content of the file, so that they run the same code.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

import attrs

from holdem.errors import EvaluatorError, HoldemValueError, one_line, quoted
from holdem.plugins.guard import GuardedCall
from holdem.plugins.manager import PLUGINS, Origin

_DIGITS = 16  # of a digest


@attrs.frozen
class GivenPlugin:
    """A Python file or a module that is given as a plugin."""

    label: str
    """The name of the file, or of the module."""
    path: str
    """The path of the file, or of the module's file."""
    text: bytes | None
    """The content of the file, which is executed; None for a module, which is imported."""
    digest: str
    """The beginning of the SHA-256 digest of the content, in hexadecimal digits."""

    @property
    def origin(self) -> Origin:
        return Origin(self.label, f"sha256:{self.digest}")

    def to_record(self) -> dict[str, Any]:
        """Build a JSON object from which `plugin_from_record` creates the same plugin."""
        text = None if self.text is None else self.text.decode("utf-8", "surrogateescape")
        return {"label": self.label, "path": self.path, "text": text}


#: The plugins given so far, by label.
GIVEN: dict[str, GivenPlugin] = {}


def find_plugins(arguments: Iterable[str]) -> list[GivenPlugin]:
    """Find the files and modules that the arguments of ``--plugin`` name."""
    found: dict[str, GivenPlugin] = {}
    for argument in arguments:
        plugin = find_plugin(argument)
        if found.setdefault(plugin.label, plugin).path != plugin.path:
            raise HoldemValueError(
                f"plugin {quoted(argument)}: another plugin has the name {quoted(plugin.label)},"
                f" {one_line(found[plugin.label].path)}; rename one of them"
            )
    return list(found.values())


def find_plugin(argument: str) -> GivenPlugin:
    """Find the file or the module that an argument of ``--plugin`` names."""
    path = Path(argument)
    if (path.suffix == ".py" or len(path.parts) > 1 or path.is_file()) and not path.is_dir():
        try:
            text = path.read_bytes()
        except OSError as error:
            raise HoldemValueError(f"plugin {quoted(argument)}: {error.strerror}") from error
        return _describe(path.name, str(path.resolve()), text)
    found = None
    if all(part.isidentifier() for part in argument.split(".")):
        try:
            with GuardedCall():  # the parents of the module are imported
                found = find_spec(argument)
        except EvaluatorError as error:
            raise HoldemValueError(f"plugin {quoted(argument)}: {error}") from error
    if found is not None and found.origin is not None:
        return _describe(argument, found.origin, None)
    if path.is_dir():
        example = "".join(
            f", such as {one_line(str(file))}" for file in sorted(path.glob("*.py"))[:1]
        )
        problem = f"it is a folder: give a file{example}, or the name of a module"
    else:
        file = f"{argument}.py"
        problem = "no such file or module" + f"; did you mean {file}?" * Path(file).is_file()
    raise HoldemValueError(f"plugin {quoted(argument)}: {problem}")


def plugin_from_record(record: Mapping[str, Any]) -> GivenPlugin:
    """Create a plugin from a record that `GivenPlugin.to_record` made in another process."""
    text = record["text"]
    if text is None:
        return find_plugin(record["label"])
    content = text.encode("utf-8", "surrogateescape")
    return _describe(record["label"], record["path"], content)


def register_given(plugin: GivenPlugin, complete: Callable[[ModuleType, set[str]], None]) -> None:
    """Execute or import a plugin, and register its evaluators and other hooks.

    If the plugin was registered before, this has no effect unless it has changed. `complete` is
    called with the module, and the names of the plugins registered before it, to add the hooks of
    what the module only defines.
    """
    with _lock:
        known = GIVEN.get(plugin.label)
        if known == plugin:
            return
        if known is not None:
            PLUGINS.unregister(name=plugin.label)
        try:
            before = {name for name, _ in PLUGINS.list_name_plugin()}
            with GuardedCall():
                module = _import(plugin)
                complete(module, before)
            PLUGINS.add(module, plugin.label, plugin.origin)
        except EvaluatorError as error:
            nothing = (
                "it decorates no function with @holdem.evaluator or @holdem.strategy, and has no"
                " hook"
            )
            reason = str(error).replace("it has no hook", nothing) + _find_line(error, plugin.path)
            raise HoldemValueError(f"plugin {quoted(plugin.label)}: {reason}") from error
        GIVEN[plugin.label] = plugin


def given_digests() -> dict[str, str]:
    """Map the label of each plugin given so far to its digest, ``"sha256:…"``.

    The store of a study keeps them, to notice changes.
    """
    return {label: plugin.origin.version for label, plugin in GIVEN.items()}


def needed_records(versions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Build the records of the given plugins whose evaluators a run needs on a cluster's workers.

    `versions` is what `holdem.evaluation.registry.versions_of` returns for the run.
    """
    labels = dict.fromkeys(distribution for distribution, _ in versions["evaluators"].values())
    return [GIVEN[label].to_record() for label in labels if label in GIVEN]


def _describe(label: str, path: str, text: bytes | None) -> GivenPlugin:
    content = text
    if content is None and Path(path).is_file():  # not "built-in" or "frozen"
        content = Path(path).read_bytes()
    digest = hashlib.sha256(content or b"").hexdigest()[:_DIGITS]
    return GivenPlugin(label, path, text, digest)


def _import(plugin: GivenPlugin) -> ModuleType:
    if plugin.text is None:
        module = import_module(plugin.label)
    else:
        stem = Path(plugin.label).stem.replace(".", "_")
        name = f"{stem}@{plugin.digest[:8]}"  # a name that no other module has
        folder = str(Path(plugin.path).parent)
        if folder not in sys.path:  # for files that it imports, as when Python runs it
            sys.path.insert(0, folder)
        _FINDER.loaders[name] = _Loader(plugin.path, plugin.text)
        module = import_module(name)
    return module


def _find_line(error: BaseException, path: str) -> str:
    """Return ``" (line 3)"`` if that of a file raised an exception or its cause, else ``""``."""
    cause: BaseException | None = error
    while cause is not None:
        lines = [
            frame.lineno for frame in extract_tb(cause.__traceback__) if frame.filename == path
        ]
        if lines:
            return f" (line {lines[-1]})"
        cause = cause.__cause__
    return ""


class _Loader(SourceLoader):
    """Loader that executes the content that a file had when its digest was computed."""

    def __init__(self, path: str, text: bytes) -> None:
        self._path, self._text = path, text

    def get_filename(self, fullname: str) -> str:  # noqa: ARG002
        return self._path

    def get_data(self, path: str) -> bytes:  # noqa: ARG002
        return self._text


class _Finder(MetaPathFinder):
    """Import hook that finds the modules of files given as plugins."""

    def __init__(self) -> None:
        self.loaders: dict[str, _Loader] = {}

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        loader = self.loaders.get(fullname)
        return spec_from_loader(fullname, loader) if loader else None


_FINDER = _Finder()
sys.meta_path.append(_FINDER)
_lock = threading.RLock()
