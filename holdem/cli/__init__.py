"""The command line: one module for each command or family of commands.

`hands` contains evaluate, compare and explain; `range` contains range and hits; `trials` contains
deal and head-to-head; `matches` contains play and strategies; `study` contains run and results;
`evaluators` contains evaluators and warm-up; the other modules are named after their command. All
share `options` and `output`; `spot_files` reads and writes the files of equities, and
`package_files` writes the package of ``holdem evaluators new``. `_COMMANDS` maps each command,
except those of plugins, to its function. `LazyGroup` in `options` imports the module of a command
when the command is called, so slow imports in this module delay every call.

Results go to standard output, everything else to standard error. Exit codes: 0 for success, 1 for
a failed check or a failure of the system, 2 for bad input, 130 after Ctrl-C, and 143 after SIGTERM.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
import threading
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

import click

from holdem.advice import advise_option
from holdem.cli import options
from holdem.cli.options import LazyGroup, common_options
from holdem.cli.output import OutputError, checked_streams, print_message
from holdem.errors import HoldemError, error_text, one_line
from holdem.jobs.workers import THREAD_NAME
from holdem.messages import QUIET_VARIABLE, listeners
from holdem.plugins.bundled import COMMANDS
from holdem.plugins.guard import TRACEBACK_VARIABLE
from holdem.version import VERSION

if TYPE_CHECKING:
    from holdem.plugins.commands import PluginCommand

_COMMANDS = {
    "equity": "holdem.cli.equity:command",
    "equities": "holdem.cli.equities:command",
    "flops": "holdem.cli.flops:command",
    "hits": "holdem.cli.range:hits_command",
    "explain": "holdem.cli.hands:explain_command",
    "evaluate": "holdem.cli.hands:evaluate_command",
    "head-to-head": "holdem.cli.trials:head_to_head_command",
    "deal": "holdem.cli.trials:deal_command",
    "play": "holdem.cli.matches:play_command",
    "range": "holdem.cli.range:range_command",
    "compare": "holdem.cli.hands:compare_command",
    "run": "holdem.cli.study:run_command",
    "results": "holdem.cli.study:results_command",
    "evaluators": "holdem.cli.evaluators:command",
    "strategies": "holdem.cli.matches:strategies_command",
    "warm-up": "holdem.cli.evaluators:warm_up_command",
}

_LONG_WORD = re.compile(r"(\S{60})\S{40,}(\S)")
_BOARD = re.compile("(?:(?:[2-9TJQKA]|10)[cdhs]){3,5}", re.IGNORECASE)
_DISK_FAULTS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
_INTERRUPTED = 130
_terminated: list[int] = []  # SIGTERM, once it has come
_EXIT_SECONDS = 0.25  # how long to wait for threads at exit


class _PluginGroup(LazyGroup):
    """The group of the engine's commands and, last, those of plugins.

    Plugins are called only to find a command that the engine does not have, and to list all
    commands.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        found = self._find_commands()
        bundled = [name for name in COMMANDS if name in found]
        return [*super().list_commands(ctx), *dict.fromkeys([*bundled, *found])]

    def find_command(self, name: str) -> click.Command | None:
        """Load a plugin's command; the error about a bundled one says why it is not there."""
        found = self._find_commands().get(name)
        if found is None and name in COMMANDS:
            from holdem.plugins.commands import describe_missing

            raise click.UsageError(describe_missing(name))
        return found.load() if found else None

    def describe_broken(self) -> str:
        """Name the broken plugins, one of which may offer the command; empty if there are none."""
        from holdem.plugins.manager import PLUGINS

        return PLUGINS.describe_broken()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; hands in its place are answered with the command for them."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from holdem.ranges.parser import read

            with suppress(HoldemError):
                read(args[0])
                from shlex import quote

                words = [quote(word) for word in args]
                if len(args) == 3 and _BOARD.fullmatch(args[2]):
                    words.insert(2, "-b")
                ctx.fail(f"no command {args[0]!r}; use holdem equity {' '.join(words)}")
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; if a plugin's command fails, name the plugin in the message."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, HoldemError, OSError):
            raise
        except Exception as error:
            name = ctx.invoked_subcommand
            is_own = name in self.commands_at or name in COMMANDS
            if name is None or is_own or os.environ.get(TRACEBACK_VARIABLE):
                raise
            origin = self._find_commands()[name].origin
            raise _PluginCommandError(
                f"command {name!r} of {origin} failed: {error_text(error)} (--traceback shows all"
                " of it)"
            ) from error

    def _find_commands(self) -> dict[str, PluginCommand]:
        from holdem.plugins.commands import find_commands

        return find_commands(self.commands_at)


class _PluginCommandError(RuntimeError):
    pass


@click.group(
    cls=_PluginGroup,
    commands_at=_COMMANDS,
    params=common_options(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@options.plugin
@options.symbols
@click.version_option(VERSION, message="%(prog)s %(version)s")
def cli(plugin: tuple[str, ...]) -> None:
    """Texas Hold'em: equity, hands, ranges, and hand evaluators as plugins."""
    if plugin:
        from holdem.evaluation.registry import require_usable

        require_usable()


def main() -> NoReturn:
    """Run the command line with the arguments of the process, and exit with the exit code."""
    if not os.environ.get(QUIET_VARIABLE):
        listeners.append(print_message)
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    code = run(sys.argv[1:], is_last=True)
    for number in (signal.SIGINT, signal.SIGTERM):  # too late to change anything
        signal.signal(number, signal.SIG_IGN)
    is_terminated = code == _INTERRUPTED and bool(_terminated)
    if is_terminated:
        code = 128 + signal.SIGTERM
    if is_terminated or _has_running_threads():
        # Python would end itself by SIGINT if the KeyboardInterrupt passed through code that was
        # run from a string. And it would wait for threads of an abandoned computation, or of an
        # evaluator that does not return, or crash them during shutdown.
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def _terminate(number: int, _: object) -> None:
    """Handle SIGTERM like Ctrl-C. A second SIGTERM ends the process at once."""
    signal.signal(number, signal.SIG_DFL)
    _terminated.append(number)
    raise KeyboardInterrupt


def _has_running_threads() -> bool:
    """Test whether threads that would delay or disturb a normal exit are still running.

    Waits a short time for threads that are about to end, because functions that plugins have
    registered with `atexit` are not called while threads are running.
    """
    threads = [
        thread
        for thread in threading.enumerate()[1:]
        if not thread.daemon or thread.name.startswith(THREAD_NAME)
    ]
    until = time.monotonic() + _EXIT_SECONDS
    with suppress(KeyboardInterrupt, RuntimeError):  # the latter if Ctrl-C interrupted a start
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
    return any(thread.is_alive() for thread in threads)


def run(arguments: list[str], *, is_last: bool = False) -> int:
    """Run one command and return its exit code.

    If `is_last`, the process exits afterwards; the streams then stay as `checked_streams` made
    them.
    """
    warnings.showwarning = _show_warning
    if sys.stdin is None:  # closed by the parent process
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open until the end
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace", newline="\n")
    with checked_streams(permanently=is_last):
        try:
            if sys.stdout is None:
                raise OutputError("cannot write to standard output: it is closed")
            return _run(arguments)
        except OutputError as error:
            print_message(str(error))
            return 1


def _run(arguments: list[str]) -> int:
    """Run one command, report any exception as a message, and return the exit code."""
    try:
        exit_code = cli.main(arguments, prog_name="holdem", standalone_mode=False)
        sys.stdout.flush()
        return exit_code if isinstance(exit_code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "holdem"
        message = _LONG_WORD.sub(r"\1…\2", error.format_message()).rstrip(".")
        if isinstance(error, click.NoSuchOption) and (hint := _advise_on_option(error)):
            message = f"{error.message.rstrip('.')}: {hint}"
        print_message(f"{message} (see {command} --help)", command)
        return 2
    except click.ClickException as error:
        print_message(error.format_message())
        return 2
    except HoldemError as error:
        print_message(str(error))
        return 1 if isinstance(error, OSError) and error.errno in _DISK_FAULTS else 2
    except (KeyboardInterrupt, click.Abort):
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe: discard the rest of the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OutputError:
        raise
    except _PluginCommandError as error:
        message = str(error)
    except OSError as error:
        file = f"{one_line(str(error.filename))}: " if error.filename else ""
        message = f"{file}{error.strerror or error}"
    except MemoryError:
        message = "not enough memory"
    except Exception as error:
        if _follows_interruption(error):
            return _INTERRUPTED
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        message = (
            f"unexpected error ({type(error).__name__}: {error}); please report it with the"
            " traceback that --traceback shows"
        )
    print_message(message)
    return 1


def _advise_on_option(error: click.NoSuchOption) -> str | None:
    parameters = error.ctx.command.params if error.ctx else []
    known = {name for parameter in parameters for name in parameter.opts}
    return advise_option(error.option_name, known)


def _follows_interruption(error: BaseException | None) -> bool:
    """Test whether an exception was caused by Ctrl-C.

    If Ctrl-C comes during the definition of a class, for example while matplotlib is imported,
    Python raises a `RuntimeError` instead of a `KeyboardInterrupt`.
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print_message(f"note: {message}")
