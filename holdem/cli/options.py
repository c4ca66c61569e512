"""Options shared by several commands, and `LazyGroup`, which imports commands when needed."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from holdem.cli.completion import complete_evaluators, complete_files, complete_ranges
from holdem.cli.output import WANTS_SYMBOLS
from holdem.errors import did_you_mean, quoted
from holdem.plugins.guard import TRACEBACK_VARIABLE


def _disable_plugins(_: click.Context, __: click.Parameter, is_set: bool) -> None:
    if is_set:
        from holdem.plugins.manager import PLUGINS

        PLUGINS.disable()


def _register_plugins(_: click.Context, __: click.Parameter, plugins: Any) -> Any:
    if plugins:
        from holdem.evaluation.registry import register_files
        from holdem.plugins.given_files import find_plugins

        register_files(find_plugins(plugins))
    return plugins


plugin = click.option(
    "-p",
    "--plugin",
    multiple=True,
    is_eager=True,  # before --help, which shows the commands of plugins
    callback=_register_plugins,
    shell_complete=complete_files,
    metavar="FILE_OR_MODULE",
    help="Use a file of Python code, or a module, as a plugin; can be repeated.",
)


def _show_tracebacks(_: click.Context, __: click.Parameter, is_set: bool) -> None:
    if is_set:
        os.environ[TRACEBACK_VARIABLE] = "1"  # workers of a cluster inherit it


def _register_ranges(_: click.Context, __: click.Parameter, files: tuple[str, ...]) -> None:
    if files:
        from holdem.plugins.range_files import register_file

        for file in files:
            register_file(file)


def common_options() -> list[click.Parameter]:
    """Create the options that every command has, such as ``--no-plugins`` and ``--ranges``."""
    options = {
        "--no-plugins": (_disable_plugins, "Load no installed plugins."),
        "--traceback": (
            _show_tracebacks,
            "Show errors of evaluators, and unexpected errors, with their traceback.",
        ),
    }
    ranges = click.Option(
        ["--ranges"],
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_register_ranges,
        shell_complete=complete_files,
        metavar="FILE",
        help="Read named ranges, used as @name, from a file that the page has saved, or with a line"
        " `name: range` for each; can be repeated.",
    )
    flags = [
        click.Option(
            [name], is_flag=True, is_eager=True, expose_value=False, callback=callback, help=text
        )
        for name, (callback, text) in options.items()
    ]
    return [ranges, *flags]


class LazyGroup(click.Group):
    """A command group that imports a command's module only when the command is needed."""

    def __init__(
        self, *arguments: Any, commands_at: dict[str, str] | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        # By command name, such as "holdem.cli.range:hits_command".
        self.commands_at = commands_at or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*self.commands_at, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = self.commands.get(cmd_name)
        if command is None and cmd_name in self.commands_at:
            module, _, function = self.commands_at[cmd_name].partition(":")
            command = getattr(import_module(module), function)
            assert isinstance(command, click.Command)
        command = command or self.find_command(cmd_name)
        if command is None:
            names = self.list_commands(ctx)
            hint = did_you_mean(cmd_name, names)
            broken = self.describe_broken()
            ctx.fail(f"no command {cmd_name!r}{hint}; there are: {', '.join(names)}{broken}")
        known = {text for parameter in command.params for text in parameter.opts}
        command.params += [each for each in common_options() if known.isdisjoint(each.opts)]
        return command

    def find_command(self, name: str) -> click.Command | None:  # noqa: ARG002
        """Find a command that is neither in `commands_at` nor in `commands`, as subclasses do."""
        return None

    def describe_broken(self) -> str:
        """Return text for the end of the message about an unknown command, as subclasses do."""
        return ""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; make a usage error that lacks a context name the subcommand."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = self.get_command(ctx, name) if error.ctx is None and name else None
            if command is not None:
                error.ctx = click.Context(command, parent=ctx, info_name=name)
            raise


_Command = TypeVar("_Command", bound=Callable[..., Any] | click.Command)

_COUNT = re.compile(
    r"([+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)(?:\.[0-9]+)?)(?:e\+?([0-9]{1,2})|([km]))?",
    re.IGNORECASE,
)
_MULTIPLES = {"k": 1000, "m": 1_000_000}


class Number(click.types.FloatParamType):
    """Type of options for numbers, from `least` to `most` if these are given."""

    what = "a number"

    def __init__(self, least: float = -math.inf, most: float = math.inf) -> None:
        self.least, self.most = least, most

    def parse(self, text: str) -> float:
        return float(text)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = self.parse(value) if isinstance(value, str) else value
        except ValueError:
            is_share = self.name == "float" and value.endswith("%")
            hint = "; write 0.5% as 0.005" if is_share else ""
            self.fail(f"{quoted(value)} is not {self.what}{hint}", param, ctx)
        if number < self.least or number > self.most:
            self.fail(f"must be from {self.least} to {self.most}, not {number}", param, ctx)
        return number


class Whole(Number):
    """Type of options for whole numbers in digits."""

    name = "integer"
    what = "a whole number"

    def parse(self, text: str) -> int:
        return int(text)


class Count(Whole):
    """Type of options for whole numbers, written as 1000000, 1e6, 1,000,000, 100k or 1.5m."""

    what = "a whole number; write one as 1000000, 1,000,000, 1e6, 100k or 1.5m"

    def parse(self, text: str) -> int:
        match = _COUNT.fullmatch(text.strip())
        if match is None:
            raise ValueError(text)
        digits, exponent, unit = match.groups()
        number = Fraction(digits.replace(",", "").replace("_", ""))
        number *= 10 ** int(exponent or 0) * _MULTIPLES.get((unit or "").lower(), 1)
        if number.denominator != 1:
            raise ValueError(text)
        return int(number)


_START = r"[1-9][0-9]{0,2}"
#: Groups of three digits in a number, and what separates them.
_GROUPED = (
    (rf"{_START}(?:[\s'’][0-9]{{3}})+(?:[.,][0-9]+)?", r"[\s'’]"),
    (rf"{_START}(?:,[0-9]{{3}})+(?:\.[0-9]+)?", ","),
    (rf"{_START}(?:\.[0-9]{{3}}){{2,}}|{_START}(?:\.[0-9]{{3}})+,[0-9]+", r"\."),
)
_UNCLEAR = re.compile(rf"{_START}\.[0-9]{{3}}")
_PLAIN = re.compile(r"(?=.)(?:0|[1-9][0-9]*)?(?:[.,][0-9]+)?")


class Amount(click.types.FloatParamType):
    """Type of options for chips: 1500, 1,500, 1 500, 1.5k or 0.5; ambiguous text is refused.

    The page reads amounts in the same way (``plugins/holdem_page/static/js/amounts.js``).
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return float(value)
        text = value.strip()
        unit = text[-1:].lower() if text[-1:].lower() in _MULTIPLES else ""
        digits = text[: len(text) - len(unit)].rstrip()
        if _UNCLEAR.fullmatch(digits):
            whole, part = digits.replace(".", ""), f"{float(digits):g}"
            self.fail(f"{quoted(text)} could mean {whole}{unit} or {part}{unit}", param, ctx)
        for pattern, separator in _GROUPED:
            if re.fullmatch(pattern, digits):
                digits = re.sub(separator, "", digits)
                break
        if not _PLAIN.fullmatch(digits):
            self.fail(f"{quoted(text)} is not an amount such as 100, 1,500 or 1.5k", param, ctx)
        return float(digits.replace(",", ".")) * _MULTIPLES.get(unit, 1)


class Report(click.Choice[str]):
    """Type of options that name reports, in upper or lower case; errors suggest a similar name."""

    def __init__(self, *names: str) -> None:
        super().__init__(names, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = did_you_mean(str(value).lower(), map(str, self.choices))
            if not hint:
                raise
            self.fail(f"{error.message.rstrip('.')}{hint}", param, ctx)


def _use_symbols(context: click.Context, _: click.Parameter, is_set: bool) -> None:
    if is_set:  # the context of a command has the `meta` of its group
        context.meta[WANTS_SYMBOLS] = True


def _take_one(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> str | None:
    if len(texts) > 1:
        raise click.BadParameter(f"given {len(texts)} times: {', '.join(map(quoted, texts))}")
    return texts[0] if texts else None


def seats(metavar: str) -> Callable[[_Command], _Command]:
    """Create a decorator that adds the players' hands, any number of arguments, to a command."""
    return click.argument("seats", nargs=-1, metavar=metavar, shell_complete=complete_ranges)


def players(bounds: str, default: str) -> Callable[[_Command], _Command]:
    """Create a decorator that adds the option ``--players``, beside `seats`, to a command."""
    return click.option(
        "-p",
        "--players",
        type=Whole(),
        metavar="N",
        help=f"Number of players, {bounds}; those that no PLAYER is given for hold any hand. By"
        f" default {default}.",
    )


board = click.option(
    "-b",
    "--board",
    multiple=True,
    callback=_take_one,
    metavar="CARDS",
    help="Up to five community cards, such as Td9d2c.",
)
dead = click.option(
    "-d",
    "--dead",
    multiple=True,
    callback=_take_one,
    metavar="CARDS",
    help="Cards out of play.",
)
method = click.option(
    "--method",
    type=click.Choice(["auto", "exact", "monte-carlo"]),
    default="auto",
    show_default=True,
    help="auto is exact if the cost is within a fixed budget, also with --stderr or --time.",
)
deals = click.option("-n", "--deals", type=Count(), metavar="N", help="Sample at most N deals.")
stderr = click.option(
    "--stderr",
    type=Number(),
    metavar="X",
    help="Sample until all standard errors are at most X; 0.0005 without another limit.",
)
time = click.option("--time", type=Number(), metavar="SECONDS", help="Sample for at most SECONDS.")
relative = click.option(
    "--relative",
    type=Number(),
    metavar="X",
    help="Sample until each standard error is at most X times its equity, such as 0.05.",
)
seed = click.option(
    "--seed",
    type=Whole(),
    metavar="N",
    help="Random seed, 0..2^64-1; drawn and reported by default.",
)
workers = click.option(
    "-j", "--workers", type=Whole(), metavar="N", help="Number of threads; all cores by default."
)
dask = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Compute on the workers of this Dask scheduler, such as tcp://10.0.0.7:8786.",
)
_EVALUATOR = "Hand evaluator; see `holdem evaluators`."
evaluator_name = click.option(
    "--evaluator", metavar="NAME", shell_complete=complete_evaluators, help=_EVALUATOR
)


against = click.option(
    "--against",
    type=click.IntRange(1, 5),
    default=1,
    show_default=True,
    help="Percentages such as 15% are of the hands with most equity against so many random ones;"
    " PokerStove and Equilab have 3.",
)


def evaluator(command: _Command) -> _Command:
    """Add the options ``--evaluator`` and ``--direct`` to a command.

    The command receives a name; with ``--direct``, an `Evaluator` that uses no tables.
    """

    def remember(context: click.Context, _: click.Parameter, is_set: bool) -> None:
        context.meta["direct"] = is_set

    def look_up(context: click.Context, _: click.Parameter, name: str | None) -> Any:
        if not context.meta.get("direct"):
            return name
        from holdem.evaluation.registry import get_evaluator

        return get_evaluator(name, direct=True)

    direct = click.option(
        "--direct",
        is_flag=True,
        is_eager=True,  # before --evaluator
        expose_value=False,
        callback=remember,
        help="Rank every hand with the evaluator itself, without tables; much slower.",
    )
    name = click.option(
        "--evaluator",
        metavar="NAME",
        callback=look_up,
        shell_complete=complete_evaluators,
        help=_EVALUATOR,
    )
    return name(direct(command))


seed_of_hands = click.option(
    "--seed",
    type=Whole(),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the random hands.",
)

by = click.option(
    "--by",
    multiple=True,
    type=Report("class", "category", "combo", "next-card", "runout"),
    help="Show where the equity comes from; can be repeated.",
)


def _split_names(_: click.Context, __: click.Parameter, text: str | None) -> list[str] | None:
    return None if text is None else text.split(",")


names = click.option(
    "--names",
    metavar="NAME,NAME...",
    callback=_split_names,
    help="Names of the players in tables and charts, such as BTN,BB.",
)

symbols = click.option(
    "--symbols",
    is_flag=True,
    envvar="HOLDEM_SYMBOLS",
    show_envvar=True,
    expose_value=False,
    callback=_use_symbols,
    help="Print suits as ♠ ♥ ♦ ♣ in text, if the terminal can show them.",
)


def _check_chart(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    if path is not None:
        # Imported here because it loads matplotlib, whose absence is an error now and not later.
        from holdem.report.plots.figures import check_path

        check_path(path)
    return path


plot = click.option(
    "--plot",
    metavar="FILE",
    callback=_check_chart,
    shell_complete=complete_files,
    help="Also draw the result, and write the chart to FILE: .png, .svg or .pdf.",
)


def output_format(*choices: str) -> Callable[[_Command], _Command]:
    """Create a decorator that adds the option ``--format`` to a command; the first is the default.

    The choices are keys of `holdem.report.formats.FORMATS`.
    """
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="Output format.",
    )


def output_file(
    metavar: str, extensions: str, *, required: bool = False
) -> Callable[[_Command], _Command]:
    """Create a decorator that adds the options ``--output`` and ``--force`` to a command.

    The file's name, `metavar`, and its valid extensions are for the help text.
    """
    description = f"Write to {metavar}, in the format of its extension: {extensions}."
    output = click.option(
        "-o",
        "--output",
        metavar=metavar,
        type=click.Path(path_type=Path),
        required=required,
        help=f"File to write, {extensions}." if required else description,
    )
    force = click.option("--force", is_flag=True, help=f"Overwrite {metavar} if it exists.")
    return lambda command: output(force(command))
