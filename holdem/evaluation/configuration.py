"""The user's configuration: which evaluator is asked where none is named.

It is a TOML file in the user's own configuration directory, or where ``HOLDEM_CONFIG`` says.
The working directory is never looked at: what a program answers must not depend on where it
is started. The file is read when a default evaluator is first wanted.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import attrs

from holdem.errors import ConfigurationError, one_line, quoted

if TYPE_CHECKING:
    from pathlib import Path  # 6 ms, for those who have a file

CONFIG_VARIABLE = "HOLDEM_CONFIG"
FILE = "config.toml"


@attrs.frozen
class Configuration:
    """What the user has set; nothing, where there is no file."""

    file: Path | None = None
    """Where it was read from; None if there is no such file."""

    evaluator: str | None = None
    """The name of the evaluator to ask where none is named."""


def read_configuration() -> Configuration:
    """Read the user's configuration.

    Raises:
        ConfigurationError: the file cannot be read, or says what has no meaning; one line that
            names the file. Without ``HOLDEM_CONFIG`` there need not be a file.
    """
    chosen = os.environ.get(CONFIG_VARIABLE)
    path = _chosen_file(chosen) if chosen else _usual_file()
    content = None if path is None else _content(path, needed=bool(chosen))
    if path is None or content is None:
        return Configuration()
    return _checked(path, _parsed(path, content))


def _chosen_file(text: str) -> str:
    path = os.path.expanduser(text)
    if not os.path.isabs(path):
        raise ConfigurationError(
            f"{CONFIG_VARIABLE} is {quoted(text)}, which depends on the working directory: write"
            " the whole path"
        )
    return path


def _usual_file() -> str | None:
    """Return where the file of this user is, if there is one."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or "~/AppData/Roaming"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
        if not os.path.isabs(base):
            base = "~/.config"  # as the XDG Base Directory Specification has it
    directory = os.path.expanduser(base)
    # A user without a home directory has no configuration.
    return os.path.join(directory, "holdem", FILE) if os.path.isabs(directory) else None


def _content(path: str, *, needed: bool) -> bytes | None:
    """Return what is in a file; None if there is none and none is `needed`."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError) and not needed:
            return None
        raise _fault(path, f"cannot be read: {error.strerror or error}") from None


def _parsed(path: str, content: bytes) -> dict[str, Any]:
    import tomllib  # some milliseconds, for those who have a file

    try:
        return tomllib.loads(content.decode("utf-8-sig"))  # some editors write the mark
    except UnicodeDecodeError as error:
        raise _fault(path, f"is not UTF-8 text (byte {error.start + 1})") from None
    except tomllib.TOMLDecodeError as error:
        raise _fault(path, f"is not TOML: {error}") from None
    except RecursionError:
        raise _fault(path, "is not TOML that can be read: it is nested too deep") from None


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
        shown = one_line(repr(evaluator), 60)
        raise _fault(path, f'evaluator is a name, as in evaluator = "lookup", not {shown}')
    from pathlib import Path

    return Configuration(Path(path), evaluator)


def _fault(path: str, problem: str) -> ConfigurationError:
    return ConfigurationError(f"configuration {one_line(path)} {one_line(problem)}")
