"""The command line: one file a command, loaded when it is called.

Answers go to standard output, everything else to standard error. Bad input ends with one
short message and exit code 2, Ctrl-C with 130; no traceback reaches a user.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
import warnings
from contextlib import suppress
from typing import Any, NoReturn

import click

from holdem.cli.groups import LazyGroup, no_plugins_option
from holdem.cli.output import OutputError, answers_only
from holdem.errors import HoldemError, one_line
from holdem.jobs.old_threads import THREAD_NAME
from holdem.messages import listeners

# The command's name and the module it stands in; each has a click command `command`.
_COMMANDS = {
    "equity": "equity",
    "evaluate": "evaluate",
    "head-to-head": "head_to_head",
    "deal": "deal",
    "range": "range",
    "compare": "compare",
    "run": "study",
    "results": "results",
    "evaluators": "evaluators",
}

_LONG_WORD = re.compile(r"(\S{60})\S{40,}(\S)")  # shown in part

#: Set it to see where an unexpected error came from.
TRACEBACK_VARIABLE = "HOLDEM_TRACEBACK"

#: Set to anything, it leaves out the lines that say that something is compiled, or which
#: plugin was being loaded when Ctrl-C came.
QUIET_VARIABLE = "HOLDEM_QUIET"

_PATIENCE = 0.25  # seconds, for threads at the end


@click.group(
    cls=LazyGroup,
    modules=_COMMANDS,
    params=[no_plugins_option()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="holdem", message="%(prog)s %(version)s")
def cli() -> None:
    """Texas Hold'em: equity, hands, ranges, and hand evaluators as plugins."""


def main() -> NoReturn:
    """Run the command line and exit."""
    if not os.environ.get(QUIET_VARIABLE):
        listeners.append(_note)
    code = run(sys.argv[1:], is_last=True)
    if _is_at_work():
        # Still at work for an answer that was given up, or an evaluator that does not return
        # at all: Python would wait for it, or take down what it works with.
        if sys.stderr is not None:
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _is_at_work() -> bool:
    """Whether threads are left that the end of the program has to do without.

    Those that are about to end are waited for: with the others go what plugins do at exit.
    """
    threads = [
        thread
        for thread in threading.enumerate()[1:]
        if not thread.daemon or thread.name.startswith(THREAD_NAME)
    ]
    until = time.monotonic() + _PATIENCE
    with suppress(KeyboardInterrupt):
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
    return any(thread.is_alive() for thread in threads)


def run(arguments: list[str], *, is_last: bool = False) -> int:
    """Run one command and return its exit code.

    Args:
        arguments: the command and what follows it.
        is_last: nothing that is printed afterwards belongs to standard output.
    """
    warnings.showwarning = _show_warning
    if sys.stdin is None:  # closed before we began: there is nothing to read
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - as long as the program
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with answers_only(for_good=is_last):
            return _run(arguments)
    except OutputError as error:
        return _complain(f"holdem: {error}", 1)


def _run(arguments: list[str]) -> int:
    try:
        outcome = cli.main(arguments, prog_name="holdem", standalone_mode=False)
        sys.stdout.flush()
        return outcome if isinstance(outcome, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "holdem"
        told = _LONG_WORD.sub(r"\1…\2", error.format_message())
        return _complain(f"{command}: {told} (see {command} --help)")
    except click.ClickException as error:
        return _complain(f"holdem: {error.format_message()}")
    except HoldemError as error:
        return _complain(f"holdem: {error}")
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        # Who read our output has gone; nothing more can be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OutputError:
        raise
    except OSError as error:  # a disk, a network: what can be foreseen is told where it arises
        place = f"{one_line(str(error.filename))}: " if error.filename else ""
        return _complain(f"holdem: {place}{error.strerror or error}", 1)
    except MemoryError:
        return _complain("holdem: not enough memory for this question", 1)
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        told = f"{type(error).__name__}: {error}"
        return _complain(
            f"holdem: unexpected error ({told}); set {TRACEBACK_VARIABLE}=1 to see where,"
            " and report it",
            1,
        )


def _complain(message: str, code: int = 2) -> int:
    """Print a message to standard error, control characters shown escaped."""
    shown = "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in message
    )
    click.echo(shown, err=True)
    return code


def _note(text: str) -> None:
    _complain(f"holdem: {text}")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _note(f"note: {message}")
