"""Reader of PHH, the poker hand history format, which is based on TOML.

The format is described at https://phh.readthedocs.io. Two of its games are read: Texas hold'em with
no limit (``NT``) and with fixed limit (``FT``).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from holdem.betting.played_hand import Amount, PlayedHand, plain
from holdem.betting.rulebook import CALL, FOLD
from holdem.cards import Card
from holdem.errors import HistoryError, counted, quoted
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem_histories.amounts import MOST_DIGITS, PLAIN, parse_amount, read_cards
from holdem_histories.replay import DEAL, LoggedHand

_GAMES = ("NT", "FT")
_UNKNOWN = "?"
_SHOW, _MUCK = 3, 4  # in place of an action
_SEATS = {f"p{seat + 1}": seat for seat in range(MAX_PLAYERS)}

# A number such as 1e999999999, of which Python would compute all digits, is no amount.
_LARGE = 10**MOST_DIGITS

# The first line of a hand in a file of several, and the name of a field.
_HEADER = re.compile(r"\s*\[[0-9]+\][ \t]*\n")
_NAME = re.compile("[A-Za-z_]+")

_JSON = json.JSONDecoder(parse_float=Decimal)

_LONG = 10_000  # characters; longer than real hands
_MOST_PARTS = 1000


def read_phh(text: str, file: str | None = None, line: int = 1) -> PlayedHand:
    """Read one hand in the PHH format; it begins on `line`, from 1, of `file`, None for text."""
    # The memory that `tomllib` takes grows with the square of the parts of a key.
    if len(text) > _LONG and any(
        line.partition("=")[0].count(".") > _MOST_PARTS for line in text.splitlines()
    ):
        raise HistoryError(f"not TOML: a key has more than {_MOST_PARTS:,} parts")
    if plain := _read_plain(text):
        return replay_phh(plain, file, line)
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise HistoryError(f"not TOML: {error}") from None
    if len(fields) == 1 and isinstance(table := next(iter(fields.values())), dict):
        fields = table  # one hand of a file with several
    return replay_phh(fields, file, line)


def _read_plain(text: str) -> dict[str, Any] | None:
    """Read a hand whose lines are also JSON but for the quotes, in a fifth of the time of TOML.

    The result is None for any other text, which may still be TOML.
    """
    if '"' in text or "\\" in text:
        return None
    names, rows = set[str](), list[str]()
    for row in _HEADER.sub("", text, count=1).splitlines():
        name, is_field, value = row.partition(" = ")
        if row.startswith("#") or not (is_field or row.strip()):
            continue
        if not _NAME.fullmatch(name) or name in names:
            return None
        names.add(name)
        rows.append(f'"{name}": {value}')
    try:
        fields: dict[str, Any] = _JSON.decode(f"{{{','.join(rows)}}}".replace("'", '"'))
    except ValueError:
        return None
    return fields if len(fields) == len(names) else None


def replay_phh(fields: Mapping[str, Any], file: str | None = None, line: int = 1) -> PlayedHand:
    """Convert the fields of a hand in PHH to a `PlayedHand`, by replaying the actions.

    The hand begins on `line`, from 1, of `file`, or of a text if that is None.
    """
    game = fields.get("variant")
    if game not in _GAMES:
        if game is None:
            raise HistoryError("the field 'variant' is missing; expected 'NT' or 'FT'")
        raise HistoryError(
            f"the game {quoted(game)} is not read; NT and FT, Texas hold'em, are", kind="other game"
        )
    stacks = _amounts(fields, "starting_stacks")
    count = len(stacks)
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        raise HistoryError(
            f"the field 'starting_stacks' has {counted(count, 'amount')}; expected"
            f" {MIN_PLAYERS} to {MAX_PLAYERS}, one for each player"
        )
    antes = _amounts(fields, "antes", count)
    for name, amounts in (("starting_stacks", stacks), ("antes", antes)):
        if least := min(min(amounts), 0):
            raise HistoryError(f"the field {name!r} has {least}, which is not an amount")
    # A blind of a player who has just sat down is negative.
    blinds = [max(own, -own) for own in _amounts(fields, "blinds_or_straddles", count)]
    actions = fields.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise _make_field_error(
            "actions", actions, "a list of texts, as in ['p1 cc', 'd db Td9d2c']"
        )
    names = fields.get("players", [f"p{number}" for number in range(1, count + 1)])
    if not isinstance(names, list) or len(names) != count:
        problem = f"a list of {count} names, one for each of the starting stacks"
        raise _make_field_error("players", names, problem)
    trims = bool(fields.get("ante_trimming_status", False))
    if count == 2 and not _are_in_order(blinds, stacks, actions):
        antes, blinds = antes[::-1], blinds[::-1]
    log = LoggedHand(
        names=[_text(name) for name in names],
        stacks=stacks,
        antes=antes,
        blinds=blinds,
        dead=[0] * count,
        big_blind=0,
        trims_antes=trims,
        limit="fixed" if game == "FT" else "no",
        holes=[None] * count,
    )
    for number, action in enumerate(actions, 1):
        try:
            seat, code, value = _read_action(action)
            if seat >= count:
                known = f"there are: p1 to p{count}"
                raise HistoryError(f"{quoted(_player(action))} is not a player; {known}")
            if code == _SHOW:
                log.show(seat, value)
            elif code == _MUCK:
                log.mucked.add(seat)
            elif code is not None:
                log.steps.append((seat, code, value, (number, action)))
        except HistoryError as error:
            place = f"action {number}, {quoted(action)}"
            raise HistoryError(f"{place}: {error}", kind=error.kind) from None
    if "finishing_stacks" in fields:
        log.after = _amounts(fields, "finishing_stacks", count)
    elif "winnings" in fields:
        log.won = _amounts(fields, "winnings", count)
    if "_rakes" in fields:
        log.rakes = _amounts(fields, "_rakes")
    smallest = fields.get("min_bet", fields.get("small_bet"))
    log.big_blind = max(blinds) if smallest is None else _amount("min_bet", smallest)
    number_text = _text(fields.get("hand", ""))
    log.details = {"number": number_text, "file": file, "line": line, **_details(fields, count)}
    return log.play()


def _details(fields: Mapping[str, Any], count: int) -> dict[str, Any]:
    """Read where and when a hand was played, as far as the file says it."""
    texts = ("site", "venue"), ("table", "table"), ("tournament", "event"), ("stakes", "_stakes")
    found: dict[str, Any] = {
        own: _text(fields[name])
        for own, name in (*texts, ("currency", "currency"))
        if name in fields
    }
    hero = fields.get("_hero")
    if type(hero) is int and 0 < hero <= count:
        found["hero"] = hero - 1
    clock = fields.get("time", time())
    if isinstance(clock, time) and "year" in fields:
        with suppress(TypeError, ValueError):
            day = date(*(fields.get(name, 1) for name in ("year", "month", "day")))
            found["time"] = datetime.combine(day, clock)
    return found


def _amounts(fields: Mapping[str, Any], name: str, count: int | None = None) -> list[Amount]:
    values = fields.get(name)
    if not isinstance(values, list):
        raise _make_field_error(name, values, "a list of amounts, as in [100, 100]")
    if count is not None and len(values) != count:
        raise HistoryError(
            f"the field {name!r} has {counted(len(values), 'amount')}; expected {count}, one for"
            " each of the starting stacks"
        )
    return [
        value if type(value) is int and 0 <= value < _LARGE else _amount(name, value)
        for value in values
    ]


def _make_field_error(name: str, value: Any, expected: str) -> HistoryError:
    found = "missing" if value is None else quoted(value)
    return HistoryError(f"the field {name!r} is {found}; expected {expected}")


def _text(value: Any) -> str:
    # `str` refuses an int of more than 4,300 digits, which a hexadecimal number may be.
    return str(value) if isinstance(value, str | Decimal) else quoted(value)


def _amount(name: str, value: Any) -> Amount:
    if type(value) is int and abs(value) < _LARGE:
        return value
    amount = value
    if isinstance(value, Decimal) and abs(value.adjusted()) < MOST_DIGITS:
        text = f"{value:f}"
        amount = Fraction(value) if PLAIN.fullmatch(text.removeprefix("-")) else None
    is_number = isinstance(amount, Fraction) or type(amount) is int
    if not is_number or abs(amount) >= _LARGE:
        raise HistoryError(f"the field {name!r} has {quoted(_text(value))}, which is not an amount")
    return plain(amount)


def _are_in_order(
    blinds: Sequence[Amount], stacks: Sequence[Amount], actions: Sequence[str]
) -> bool:
    """Test whether a file lists the blinds of two players in the order of seats.

    According to the format, the blind of the second seat, which has the button, comes first. Some
    files list the blind of the first seat first instead. They are recognised by their first action:
    read according to the format, the player with the big blind would act first.
    """
    found = (re.match(r"p([12]) (?:f|cc|cbr)\b", action) for action in actions)
    first = next(filter(None, found), None)
    if first is None:
        return False
    actor = int(first[1]) - 1
    other = 1 - actor
    own, theirs = blinds[other], blinds[actor]  # by the format
    return own > theirs and stacks[other] > theirs


@lru_cache(maxsize=1 << 14)
def _read_action(action: str) -> tuple[int, int | None, Any]:
    """Read an action in the notation of PHH, such as ``p1 cbr 100``.

    The result is a seat, what it does as in `LoggedHand.steps`, `_SHOW`, `_MUCK` or None for
    nothing, and the amount or cards.
    """
    match action.partition("#")[0].split():
        case ["d", "db", cards]:
            return 0, DEAL, read_cards(cards)
        case ["d", "dh", player, cards]:
            return _seat(player), None if _UNKNOWN in cards else _SHOW, _hole(cards)
        case [player, "f"]:
            return _seat(player), FOLD, None
        case [player, "cc"]:
            return _seat(player), CALL, None
        case [player, "cbr", amount]:
            return _seat(player), 1, parse_amount(amount)
        case [player, "sm"]:
            return _seat(player), _MUCK, None
        case [player, "sm", cards]:
            is_shown = cards != "-" and _UNKNOWN not in cards
            return _seat(player), _SHOW if is_shown else None, _hole(cards)
        case []:
            return 0, None, None  # only a comment
        case _:
            raise HistoryError(
                "not an action of hold'em; there are: p1 f, p1 cc, p1 cbr 100, p1 sm AsKs,"
                " d dh p1 AsKs, d db Td9d2c"
            )


def _player(action: str) -> str:
    words = action.split()
    return words[2] if words[0] == "d" else words[0]


def _hole(cards: str) -> tuple[Card, ...]:
    return () if _UNKNOWN in cards or cards == "-" else read_cards(cards)


def _seat(player: str) -> int:
    return _SEATS.get(player, MAX_PLAYERS)
