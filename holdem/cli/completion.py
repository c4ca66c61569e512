"""What a shell completes, besides what click knows: evaluators, named ranges, rule sets, files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from click import Context, Parameter

from holdem.errors import one_line

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_LONGEST_HELP = 60  # characters


def complete_evaluators(_: Context, __: Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of an evaluator, the last one of a list with commas."""
    from holdem.evaluation.registry import evaluators

    before, comma, name = incomplete.rpartition(",")
    active = ((each.name, each.summary) for each in evaluators() if each.status == "active")
    return _matching(active, name, before + comma)


def complete_strategies(_: Context, __: Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a strategy."""
    from holdem.matches.named_strategies import strategies

    active = [(each.name, each.summary) for each in strategies() if each.status == "active"]
    return _matching(active, incomplete)


def complete_ranges(_: Context, __: Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a range at the end of a range, as in ``QQ+,@open``."""
    from holdem.ranges.named_ranges import list_entries
    from holdem.ranges.range import may_have_names

    before, at, name = incomplete.rpartition("@")
    if incomplete and not (at and may_have_names(before[-1:] + at)):  # AK@50 has a weight
        return []
    names = [(each.name, each.named.text) for each in list_entries() if each.range is not None]
    return _matching(names, name, f"{before}@")


def complete_rules(_: Context, __: Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a rule set."""
    from holdem.evaluation.registry import known_rules

    return _matching(((each.name, "") for each in known_rules()), incomplete)


def complete_files(_: Context, __: Parameter, incomplete: str) -> list[CompletionItem]:
    """Have the shell complete the name of a file."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def _matching(
    names: Iterable[tuple[str, str]], start: str, before: str = ""
) -> list[CompletionItem]:
    """Return the names, given with their help, that begin with `start`, each after `before`."""
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(before + name, help=one_line(text, _LONGEST_HELP))
        for name, text in dict(names).items()
        if name.startswith(start)
    ]
