"""Answers to the page's queries, computed by the functions that the command line uses."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

import attrs

from holdem.arguments import checked_integer
from holdem.dealing.seeds import resolve_seed
from holdem.errors import BudgetError, HoldemTypeError, HoldemValueError, SpotError, quoted
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.run import OnPartial
from holdem.jobs.workers import THREAD_NAME, Workers, WorkersClosedError, count_workers
from holdem.odds.bounds import Bounds
from holdem.odds.breakdown import check_breakdowns
from holdem.odds.equity import Query, make_query
from holdem.odds.flops import compute_flops
from holdem.odds.hits import hits_of_spot
from holdem.odds.kept_lines import LineRule, narrow_by_rules, narrow_range
from holdem.odds.next_cards import NextCards, require_affordable_runouts
from holdem.odds.plan import make_plan
from holdem.odds.result import EquityResult, compute_breakdowns
from holdem.odds.spot import make_spot, parse_known_cards
from holdem.ranges.names import list_ranges
from holdem.ranges.parser import read
from holdem.ranges.range import Range, checked_opponents, expand_names
from holdem.report.equity_report import equity_report
from holdem.report.formats import render
from holdem.report.hits_report import hits_report
from holdem.report.model import Report
from holdem.report.range_report import known_range_report
from holdem.results.base_result import make_chart
from holdem.rules import STANDARD, RuleSet

#: The longest time of sampling, and of an exact run, in seconds.
MAX_SECONDS = 60.0

# Until an exact answer that takes more evaluations, some 30 ms, estimates are streamed.
_SLOW = 20_000_000
# The exact run would take the cores that the browser needs to show the first estimate. While one
# paints, the next question comes before it begins.
_PAUSE_SECONDS = 0.15

_TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8", "png": "image/png"}
_drawing = threading.Lock()  # settings of matplotlib belong to the process


#: Takes an event of an answer: its name, and its content as JSON.
Send: TypeAlias = Callable[[str, bytes], None]
#: A type that a JSON value can have: its name in messages, and a test of values.
JsonType: TypeAlias = tuple[str, Callable[[Any], bool]]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_TEXT: JsonType = ("text", lambda value: isinstance(value, str))
_TEXTS: JsonType = ("a list of texts", _is_list_of_text)
_NUMBER: JsonType = ("a number", _is_number)
_FLAG: JsonType = ("true or false", lambda value: isinstance(value, bool))
_LIST: JsonType = ("a list", lambda value: isinstance(value, list))

_SHARED = {"board": _TEXT, "dead": _TEXT, "format": _TEXT}
_EQUITY = {"players": _TEXTS, **_SHARED, "method": _TEXT, "by": _TEXTS, "names": _TEXTS}
_EQUITY |= {"rules": _LIST, "against": _NUMBER}
_EQUITY |= dict.fromkeys(("deals", "stderr", "time", "seed"), _NUMBER)
_RANGE = {"text": _TEXT, **_SHARED, "keep": _TEXTS, "remove": _TEXTS, "rules": _LIST}
_RANGE |= {"against": _NUMBER}
_FLOPS = {"players": _TEXTS, "dead": _TEXT, "format": _TEXT, "start": _NUMBER, "count": _NUMBER}
_SPOT = {"players": _TEXTS, "board": _TEXT, "dead": _TEXT, "rules": _LIST, "hits": _LIST}
_HITS = {"range": _TEXT, **_SHARED, "members": _FLAG, "fine": _FLAG, "rules": _LIST}


@attrs.frozen
class _Answer:
    report: Report
    result: Any = None
    """The result of which the format ``"png"`` shows the chart; None if there is no chart."""
    chart_options: Mapping[str, Any] = attrs.field(factory=dict)

    def content(self, output_format: str) -> bytes:
        """Render the answer in a format: ``"json"``, ``"csv"`` or ``"png"``."""
        if output_format == "png":
            from holdem.report.plots.figures import image

            with _drawing:
                return image(make_chart(self.result, **self.chart_options), ".png")
        return render(self.report, output_format).encode("utf-8", "backslashreplace")


@attrs.frozen
class Endpoint:
    """An endpoint of the server, such as ``/api/equity``, which answers one type of query."""

    types: Mapping[str, JsonType]
    """The type that each key of a query must have. The first key, if any, is required."""
    formats: tuple[str, ...]
    """The formats that the answer can have: ``"json"``, ``"csv"``, ``"png"``."""
    compute: Callable[..., _Answer]
    """The function that computes the answer. Its first argument is a dict with the checked values
    of the query and, under ``"evaluator"``, the evaluator or None; the others are `within` and
    `send`, as for the function `answer`."""


def answer(
    name: str,
    question: Any,
    within: Workers | None = None,
    send: Send | None = None,
    evaluator: Evaluator | None = None,
) -> tuple[str, bytes]:
    """Answer a query of the endpoint `name`; return the content type and the content.

    `question` is the query as parsed from JSON, not yet checked. Another thread ends the
    computation by closing the workers `within`. `send` gets what is known before the answer: as
    ``"partial"`` the JSON of a sampled answer so far, and the parts of a spot. The rule set of
    `evaluator`, None for the default one, defines the deck.
    """
    endpoint = ENDPOINTS[name]
    given = _checked(question, endpoint.types)
    output_format = given.pop("format", "json")
    if output_format not in endpoint.formats:
        known = ", ".join(endpoint.formats)
        raise HoldemValueError(f"no format {quoted(output_format)} for {name}; there are: {known}")
    if output_format != "json" and len(set(given.get("by", ()))) > 1:
        raise HoldemValueError(f"{output_format} shows one report at a time; give a single by")
    result = endpoint.compute(given | {"evaluator": evaluator}, within, send)
    return _TYPES[output_format], result.content(output_format)


def _checked(question: Any, types: Mapping[str, JsonType]) -> dict[str, Any]:
    """Validate a query, as parsed from JSON, and return its non-null values by key.

    `types` has the type that each key must have; the first key, if any, is required.
    """
    if not isinstance(question, dict):
        raise HoldemValueError("a question must be a JSON object")
    for key, value in question.items():
        if key not in types:
            raise HoldemValueError(f"no key {quoted(key)}; there are: {', '.join(types)}")
        type_name, accepts = types[key]
        if value is not None and not accepts(value):
            raise HoldemValueError(f"{key} must be {type_name}, not {quoted(value)}")
    given = {key: value for key, value in question.items() if value is not None}
    for required in list(types)[:1]:
        if required not in given:
            raise HoldemValueError(f"the question has no {quoted(required)}")
    return given


def _equity(given: dict[str, Any], within: Workers | None, send: Send | None) -> _Answer:
    by = given.pop("by", ())
    if given.get("time", 0) > MAX_SECONDS:
        raise HoldemValueError(
            f"time must be at most {MAX_SECONDS:g} seconds on the page, not"
            f" {quoted(given['time'])}; the command line has no limit"
        )
    rules, players = given.pop("rules", []), given.pop("players")
    if (against := given.pop("against", 1)) != 1:
        if rules:
            raise HoldemValueError("give either rules, or against")
        texts, number, rule_set = players, checked_opponents(against), _rule_set(given)
        players = [Range.from_weights(read(text, rule_set, number).weights) for text in texts]
    if rules:
        players = _narrow_players(players, rules, given, within)
    query = make_query(*players, **given)
    breakdowns = check_breakdowns(by, query.spot.board)
    if "runout" in breakdowns:  # before the spot is sampled
        require_affordable_runouts(query.spot)
    bounds = attrs.evolve(query.bounds, time=query.bounds.time or MAX_SECONDS)
    result = _run(attrs.evolve(query, bounds=bounds, limits_exact=True), within, send)
    compute_breakdowns(result, breakdowns, within=within)
    return _Answer(
        equity_report(result, breakdowns), result, {"by": breakdowns[0] if breakdowns else None}
    )


def _run(query: Query, within: Workers | None, send: Send | None) -> EquityResult:
    """Compute the result of a query; send those of the deals sampled so far.

    While a slow exact answer is computed, these go on, with the seconds that it still takes.
    """
    latest: EquityResult | None = None
    exact_in: int | None = None
    sending = threading.Lock()

    def on_partial(result: EquityResult | None) -> None:
        nonlocal latest
        if send is not None and result is not None:
            with sending:
                latest, report = result, equity_report(result)
                record = {**report.json(), "exact_in": exact_in}
                send("partial", _Answer(attrs.evolve(report, json=lambda: record)).content("json"))

    chosen = query.plan.chosen
    if send is None or chosen is None or chosen.evaluations <= _SLOW:
        is_sampled = send is not None and chosen is None
        result = query.answer(within=within, on_partial=on_partial if is_sampled else None)
    else:
        with _sampling(query, on_partial):
            time.sleep(_PAUSE_SECONDS)
            if within is not None:
                within.require_open()
            began = time.monotonic()

            def note(result: EquityResult) -> None:
                nonlocal exact_in
                seconds = (time.monotonic() - began) * (1 / (result.progress or 1) - 1)
                if seconds > 0 and math.ceil(seconds) != exact_in:
                    exact_in = math.ceil(seconds)
                    on_partial(latest)

            result = query.answer(within=within, on_partial=note)
    if result.method == "exact" and not result.exact:  # cut short by time
        raise SpotError(
            f"an exact answer takes longer than {MAX_SECONDS:g} seconds: narrow the ranges, or use"
            " the command line"
        )
    return result


@contextmanager
def _sampling(query: Query, on_partial: OnPartial) -> Iterator[None]:
    """Sample a query in a thread meanwhile, from the first partial result on."""
    plan, seed = make_plan(query.spot, "monte-carlo"), resolve_seed(query.seed)
    estimate = attrs.evolve(query, plan=plan, seed=seed, workers=1)
    workers, has_begun = Workers(1), threading.Event()

    def pass_on(result: EquityResult | None) -> None:
        on_partial(result)
        has_begun.set()

    def sample() -> None:
        ends = SpotError, BudgetError, WorkersClosedError, ConnectionError, TimeoutError
        try:
            with suppress(*ends):  # the exact answer may be possible all the same
                pass_on(estimate.answer(within=workers, on_partial=pass_on))
        finally:
            has_begun.set()

    thread = threading.Thread(target=sample, name=THREAD_NAME, daemon=True)
    thread.start()
    has_begun.wait()
    try:
        yield
    finally:
        workers.close()
        thread.join()


def _spot(given: dict[str, Any], within: Workers | None, send: Send | None) -> _Answer:
    """Send the parts of an answer: equities, what players hit, and the equities of combos.

    ``"hits"`` is a list of queries as for ``/api/hits``. They do not wait for an answer that takes
    long; before the flop, they take longer than the equities of combos, and come last.
    """
    if send is None:
        raise HoldemValueError("a spot is streamed: ask with Accept: text/event-stream")
    wanted, evaluator = given.pop("hits", []), given["evaluator"]

    def send_hits() -> None:
        while wanted:
            send("hits", answer("hits", wanted.pop(0), within, evaluator=evaluator)[1])

    def pass_on(event: str, content: bytes) -> None:
        send(event, content)
        if event == "partial" or given.get("board"):
            send_hits()

    result = _equity(dict(given), within, pass_on).result
    pass_on("equity", _Answer(equity_report(result)).content("json"))
    compute_breakdowns(result, ("combo",), within=within)
    send("combos", _Answer(equity_report(result, ("combo",))).content("json"))
    send_hits()
    return _Answer(Report(dict, lambda: ()))


def _narrow_players(
    players: list[str], rules: list[Any], given: dict[str, Any], within: Workers | None
) -> list[str | Range]:
    """Narrow each player's range by that player's rules, such as to keep flush draws on the flop.

    `rules` has for each player a list of JSON objects, as for `LineRule.from_dict`; a range with an
    empty list is returned as text. `given` has the checked values of the query and the evaluator.
    """
    if len(rules) != len(players):
        raise HoldemValueError(f"there are {len(rules)} lists of rules for {len(players)} players")
    narrowed: list[str | Range] = []
    for player, (text, own) in enumerate(zip(players, rules, strict=True)):
        try:
            narrowed.append(_narrow(text, own, given, within) if own else text)
        except HoldemValueError as error:
            if error.player is None and error.field is None:
                error.player = player
            raise
    return narrowed


def _rule_set(given: dict[str, Any]) -> RuleSet:
    """Return the rule set of ``given["evaluator"]``, or the standard rules if this is None."""
    evaluator: Evaluator | None = given["evaluator"]
    return evaluator.rules if evaluator else STANDARD


def _narrow(text: str | Range, rules: Any, given: dict[str, Any], within: Workers | None) -> Range:
    """Keep the combos of a range that pass its rules on the board of the query.

    `rules` are not yet checked; `given` has the checked values of the query and the evaluator.
    """
    if not isinstance(rules, list):
        raise HoldemValueError(f"the rules of a range are a list, not {quoted(rules)}")
    evaluator, rule_set = given["evaluator"], _rule_set(given)
    board, dead = parse_known_cards(given.get("board"), given.get("dead"), rule_set)
    try:
        due = [LineRule.from_dict(rule) for rule in rules]
    except HoldemTypeError as error:
        raise HoldemValueError(str(error)) from error  # which can name the player
    hands = text if isinstance(text, Range) else Range(text, rules=rule_set)
    return narrow_by_rules(hands, due, board, dead, evaluator, within)


def _range(given: dict[str, Any], within: Workers | None, _: object) -> _Answer:
    evaluator, rule_set = given["evaluator"], _rule_set(given)
    # Read here, because a `Range` warns, and threads share the filters of warnings.
    against = checked_opponents(given.get("against", 1))
    reading = read(given["text"], rule_set, against)
    hands = Range.from_weights(reading.weights)
    board, dead = given.get("board"), given.get("dead")
    known = parse_known_cards(board, dead, rule_set)
    left = hands.without([card for cards in known for card in cards])
    lines = {name: given.get(name, []) for name in ("keep", "remove")}
    if any(lines.values()) and given.get("rules"):
        raise HoldemValueError("give either rules, or lines to keep and remove")
    if any(lines.values()):
        left = narrow_range(hands, board, dead, **lines, evaluator=evaluator, within=within)
    elif given.get("rules"):
        left = _narrow(hands, given["rules"], given, within)
    report = known_range_report(hands, *known, rule_set, reading.warnings, left, lines, against)
    return _Answer(report, left)


def _hits(given: dict[str, Any], within: Workers | None, _: object) -> _Answer:
    known = given.get("board"), given.get("dead")
    hands = _narrow(given["range"], given["rules"], given, within) if given.get("rules") else None
    spot = make_spot((hands or given["range"],), *known, given["evaluator"], fewest=1)
    fine = given.get("fine", False)
    result = hits_of_spot(spot, count_workers(None), fine=fine, within=within)

    report = hits_report(result)
    if given.get("members"):
        report = attrs.evolve(report, json=partial(result.to_dict, members=True))
    return _Answer(report, result)


def _flops(given: dict[str, Any], within: Workers | None, _: object) -> _Answer:
    start = checked_integer(given.get("start", 0), "start", 0, 22_100, HoldemValueError)
    count = checked_integer(given.get("count", 100), "count", 1, 22_100, HoldemValueError)
    spot = make_spot(tuple(given["players"]), None, given.get("dead"), given["evaluator"])
    if spot.players != 2:
        raise SpotError(f"flops are for 2 players, not {spot.players}")
    wanted = NextCards(spot, "exact", Bounds(), 0, count_workers(None))
    found = compute_flops(wanted, start, count, within)
    return _Answer(Report(found.to_dict, lambda: ()))


def _presets(given: dict[str, Any], _: Workers | None, __: object) -> _Answer:
    """List the plugins' named ranges that the rule set allows: folder (plugin), name and text."""
    rule_set = _rule_set(given)
    presets = [
        {
            "folder": own.folder,
            "name": own.name,
            "text": expand_names(f"@{own.full_name}", rule_set),
        }
        for own in list_ranges()
    ]
    valid = [preset for preset in presets if not preset["text"].startswith("@")]
    return _Answer(Report(lambda: {"presets": valid}, lambda: ()))


#: Endpoints by the last part of their path, as in ``/api/equity``.
ENDPOINTS = {
    "equity": Endpoint(_EQUITY, ("json", "csv", "png"), _equity),
    "spot": Endpoint(_SPOT, ("json",), _spot),
    "range": Endpoint(_RANGE, ("json", "png"), _range),
    "flops": Endpoint(_FLOPS, ("json",), _flops),
    "hits": Endpoint(_HITS, ("json", "csv", "png"), _hits),
    "presets": Endpoint({}, ("json",), _presets),
}
