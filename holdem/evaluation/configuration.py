"""The user's configuration file, which names the default evaluator.

It is a TOML file in the platform's configuration directory, or the file that ``HOLDEM_CONFIG``
names. The working directory is never searched, because results must not depend on it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import attrs

from holdem.errors import ConfigurationError, one_line, quoted

if TYPE_CHECKING:
    from pathlib import Path  # takes 6 ms, and most users have no file

CONFIG_VARIABLE = "HOLDEM_CONFIG"
FILE = "config.toml"


@attrs.frozen
class Configuration:
    """The settings in the user's configuration file."""

    file: Path | None = None
    """The file; None if there is none."""

    evaluator: str | None = None
    """Name of the default evaluator; None if it is not set."""


def read_configuration() -> Configuration:
    """Read the user's configuration file.

    Raises:
        ConfigurationError: the file cannot be read or is invalid, or ``HOLDEM_CONFIG`` names a
            file that does not exist. The message is one line that names the file.
    """
    chosen = os.environ.get(CONFIG_VARIABLE)
    path = _chosen_file(chosen) if chosen else _default_file()
    content = None if path is None else _read(path, must_exist=bool(chosen))
    if path is None or content is None:
        return Configuration()
    return _checked(path, _parsed(path, content))


def _chosen_file(text: str) -> str:
    path = os.path.expanduser(text)
    if not os.path.isabs(path):
        raise ConfigurationError(
            f"{CONFIG_VARIABLE} is {quoted(text)}, a relative path: write an absolute one"
        )
    return path


def _default_file() -> str | None:
    """Return the default path of the configuration file, or None without a home directory.

    platformdirs does the same, but takes 14 ms to import, in every command.
    """
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or "~/AppData/Roaming"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_CONFIG_HOME", "")
        if not os.path.isabs(base):  # ignored, as the XDG Base Directory Specification demands
            base = "~/.config"
    path = os.path.join(os.path.expanduser(base), "holdem", FILE)
    return path if os.path.isabs(path) else None


def _read(path: str, *, must_exist: bool) -> bytes | None:
    """Return a file's content, or None if an optional file does not exist."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError) and not must_exist:
            return None
        raise _fault(path, f"cannot be read: {error.strerror or error}") from None


def _parsed(path: str, content: bytes) -> dict[str, Any]:
    import tomllib  # takes some milliseconds

    try:
        return tomllib.loads(content.decode("utf-8-sig"))  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        raise _fault(path, f"is not UTF-8 text (byte {error.start + 1})") from None
    except tomllib.TOMLDecodeError as error:
        raise _fault(path, f"is not TOML: {error}") from None
    except ValueError as error:  # an integer with thousands of digits
        raise _fault(path, f"is not TOML that can be parsed: {error}") from None
    except RecursionError:
        raise _fault(path, "is not TOML that can be parsed: it is nested too deeply") from None


def _checked(path: str, content: dict[str, Any]) -> Configuration:
    known = [field.name for field in attrs.fields(Configuration) if field.name != "file"]
    for key in content:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(key, known, n=1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise _fault(path, f"has no setting {quoted(key)}{hint}; there is: {', '.join(known)}")
    evaluator = content.get("evaluator")
    if evaluator is not None and not isinstance(evaluator, str):
        value = one_line(repr(evaluator), 60)
        raise _fault(path, f'evaluator must be a name, as in evaluator = "lookup", not {value}')
    from pathlib import Path

    return Configuration(Path(path), evaluator)


def _fault(path: str, problem: str) -> ConfigurationError:
    return ConfigurationError(f"configuration {one_line(path)} {one_line(problem)}")
