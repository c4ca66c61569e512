"""Strategies that plugins offer by name, through the hook `holdem_strategies`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from holdem.errors import EvaluatorError, HoldemValueError, did_you_mean, one_line, quoted
from holdem.matches.strategies import Strategy
from holdem.plugins import given_files
from holdem.plugins.bundled import STRATEGIES
from holdem.plugins.manager import PLUGINS, Offer, Origin, Status
from holdem.rules import check_name
from holdem.version import DISTRIBUTION


@attrs.frozen(kw_only=True)
class StrategyRecord:
    """Description of a strategy that a plugin offers, or of a plugin that is broken or disabled."""

    name: str
    """The name of the strategy; of the plugin, if that is broken or disabled."""
    summary: str = ""
    """The first line of the function's docstring."""
    distribution: str
    """The distribution, or the file given with ``--plugin``, that offers the strategy."""
    version: str
    status: Status
    """``"active"``, ``"disabled"`` or ``"broken"``."""
    reason: str = ""
    """Why it is disabled or broken; empty if it is active."""

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem strategies -f json`` prints for the strategy."""
        return attrs.asdict(self)


def strategies() -> list[StrategyRecord]:
    """List the strategies that plugins offer by name, and the plugins that can't be used.

    Example:
        >>> import holdem
        >>> [record.name for record in holdem.strategies()]
        ['aggressive', 'caller', 'fold', 'random', 'tight']
    """
    offers = _by_name()
    records = [
        StrategyRecord(
            name=name,
            summary=found[0][1].summary,
            distribution=found[0][0].origin.distribution,
            version=found[0][0].origin.version,
            status="broken" if len(found) > 1 else "active",
            reason=_describe_clash(found),
        )
        for name, found in sorted(offers.items())
    ]
    return records + [
        StrategyRecord(
            name=fault.plugin,
            distribution=fault.origin.distribution,
            version=fault.origin.version,
            status=fault.status,
            reason=fault.reason,
        )
        for fault in PLUGINS.faults()
    ]


def find_strategy(name: str) -> Strategy:
    """Find the strategy that a plugin offers under a name."""
    offers = _by_name()
    for fault in PLUGINS.faults():
        if fault.origin.distribution in given_files.GIVEN:  # it may be the one that is meant
            raise HoldemValueError(f"plugin {quoted(fault.plugin)}: {fault.reason}")
    if name not in offers:
        known = ", ".join(sorted(offers)) or "none"
        raise HoldemValueError(
            f"no strategy {quoted(name)}{did_you_mean(name, offers)}; plugins offer: {known}; one"
            " of yours is given as a function, or by its file in holdem -p FILE play"
            f"{PLUGINS.describe_broken()}"
        )
    if clash := _describe_clash(offers[name]):
        raise HoldemValueError(f"strategy {quoted(name)}: {clash}")
    return offers[name][0][1]


def _by_name() -> dict[str, list[tuple[Offer[Any], Strategy]]]:
    found: dict[str, list[tuple[Offer[Any], Strategy]]] = {}
    for offer in PLUGINS.call(Strategy.HOOK, _read_strategies):
        for strategy in offer.answer:
            found.setdefault(strategy.name, []).append((offer, strategy))
    return found


def _describe_clash(offers: list[tuple[Offer[Any], Strategy]]) -> str:
    if len(offers) == 1:
        return ""
    origins = " and ".join(str(offer.origin) for offer, _ in offers)
    return f"{len(offers)} plugins offer it, {origins}: rename or uninstall one of them"


def _read_strategies(answer: Any, origin: Origin) -> tuple[Strategy, ...]:
    """Validate a plugin's answer to the hook."""
    found = tuple(answer) if isinstance(answer, Iterable) else (answer,)
    for each in found:
        if not isinstance(each, Strategy):
            raise EvaluatorError(
                f"{Strategy.HOOK} returned {one_line(repr(answer), 100)}, and not a list of"
                ' functions decorated with @holdem.strategy("name")'
            )
        check_name(each.name, "a strategy", EvaluatorError)
        if each.name in STRATEGIES and origin.distribution != DISTRIBUTION:
            raise EvaluatorError(
                f"{each.name!r} is a strategy of holdem itself: choose another name"
            )
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise EvaluatorError(f"it offers {name!r} twice")
    return found
