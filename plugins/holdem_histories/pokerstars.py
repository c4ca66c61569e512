"""Reader of PokerStars, and of programs and sites that write nearly the same form.

How much of the pot each player was paid is read from the log; the pots of the replay must equal
those of the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

import attrs

from holdem.betting.played_hand import Amount, Limit, PlayedHand
from holdem.betting.rulebook import CALL, FOLD
from holdem.cards import Card
from holdem.errors import HistoryError, counted, one_line, quoted
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem_histories.amounts import (
    CARD,
    MONEY,
    THREE_DIGITS,
    join_thousands,
    parse_money,
    read_cards,
)
from holdem_histories.replay import DEAL, LoggedHand

_HEADER = re.compile(r".*?#([A-Z]*\d+)[:, ]\s*(?:\{[^}\n]*\}\s*)?(.*)", re.IGNORECASE)
_GAME = re.compile(r"(?<!6\+ )(?<!Split )Hold'em (No |Pot |Fixed )?Limit", re.IGNORECASE)
_BLINDS = re.compile(rf"[(,]\s*({MONEY}/{MONEY})")
_CAP = re.compile(rf"- {MONEY} Cap\b")
_CURRENCY = re.compile(r"\b(USD|EUR|GBP|INR|CAD|AUD|CNY|BRL|SEK|DKK)\b")
SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "Rs": "INR", "¥": "CNY"}
_TIME = re.compile(r"(\d{4})[/-](\d\d?)[/-](\d\d?)(?: -)? (\d\d?):(\d\d):(\d\d)")
_TOURNAMENT = re.compile(r"Tournament #(\d+)", re.IGNORECASE)
_SEAT = re.compile(rf"Seat (\d\d?): (.+) \({MONEY} in chips\b[^)]*\)", re.IGNORECASE)
_TABLE = re.compile(r"Table '(.*)'")
_BUTTON = re.compile(r"Seat #(\d\d?) is the button")
_STREET = re.compile(r"\*\*\* (?:(\w+) )?(?:FLOP|TURN|RIVER) \*\*\*.*\[([^\]]*)\]")
_DEALT = re.compile(rf"Dealt to (.+?)(?: \[{CARD} {CARD}\])?$")
_UNCALLED = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.+)")
_COLLECTED = re.compile(rf"(.+?):? collected \(?{MONEY}\)?(?: from (pot|main pot|side pot.*?))?$")
_CASHED = re.compile(rf"(.+?):? cashed out the hand for {MONEY}")
_AMOUNTS = re.compile(MONEY)
_REVEALED = re.compile(rf"Seat (\d\d?): .* (?:showed|mucked) \[{CARD} {CARD}\]")
_NOT_AWARDED = re.compile(rf"Seat (\d\d?): .* won \({MONEY}\).*\(pot not awarded")

_VERB = re.compile(r"(?:Bet & Muck )?(folds|checks|calls|bets|raises|Bet & Muck)\b(.*)")
_POSTS = re.compile(rf"(?:posts (?:the |a )?(.+?)|(straddle)) \[?{MONEY}")
_TWO = re.compile(rf"(?:shows|folds) \[{CARD} {CARD}\]")
_AGAIN = ("SECOND", "THIRD")

# What a line of a player says: what it is, and its amount or cards; see `Lines`.
Said: TypeAlias = tuple[str, Any, Any]
ReadAction: TypeAlias = "Callable[[str], Said | None]"


@attrs.frozen
class Header:
    """What the first line of a hand says."""

    number: str
    limit: Limit
    small: Amount
    big: Amount
    cap: Amount | None
    details: dict[str, Any]


def read_pokerstars(text: str, file: str | None = None, line: int = 1) -> PlayedHand:
    """Read one hand of PokerStars; `line`, from 1, is where it begins in the file."""
    return read_lines("PokerStars", text, read_action, file, line)


def read_lines(site: str, text: str, read: ReadAction, file: str | None, line: int) -> PlayedHand:
    """Read a hand whose lines are those of PokerStars; `read` reads what players do."""
    if THREE_DIGITS.search(text):
        text = join_thousands(text, has_decimals=not _TOURNAMENT.search(text))
    head, *rows = text.strip().split("\n")
    found = _HEADER.match(head)
    assert found  # as it does where the hand begins
    return play_lines(Lines(_read_title(site, found[1], found[2].strip()), read), rows, file, line)


def play_lines(lines: Lines, rows: list[str], file: str | None, line: int) -> PlayedHand:
    """Read the rows below the first line of a hand, and replay them."""
    for row in rows:
        lines.add(row.strip())
    return lines.hand({**lines.header.details, "table": lines.table, "file": file, "line": line})


def _read_title(site: str, number: str, title: str) -> Header:
    """Read what follows the number of a hand, as in ``Hold'em No Limit ($1/$2 USD) - 2020/…``."""
    game = _GAME.search(title)
    blinds = _BLINDS.search(title, game.end()) if game else None
    if game is None or blinds is None:
        raise HistoryError(
            f"{quoted(one_line(title, 40))} is not read; Texas hold'em is", kind="other game"
        )
    cap = _CAP.search(title, game.end())
    tournament = _TOURNAMENT.search(title)
    stakes = blinds[1]
    currency = ""
    if tournament is None:
        code = _CURRENCY.search(title, blinds.end())
        signs = [own for sign, own in SIGNS.items() if stakes.startswith(sign)]
        currency = code[1] if code else signs[0] if signs else ""
    kind = (game[1] or "fixed").strip().lower()
    limits: dict[str, Limit] = {"no": "no", "pot": "pot"}
    return Header(
        number=number,
        limit=limits.get(kind, "fixed"),
        small=parse_money(blinds[2]),
        big=parse_money(blinds[3]),
        cap=parse_money(cap[1]) if cap else None,
        details={
            "number": number,
            "site": site,
            "tournament": tournament[1] if tournament else "",
            "stakes": stakes,
            "currency": currency,
            "time": read_time(title),
        },
    )


def read_time(title: str) -> datetime | None:
    if clock := _TIME.search(title):
        with suppress(ValueError):  # a hand without a date is still a hand
            return datetime(*map(int, clock.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    return None


@lru_cache(maxsize=1 << 14)
def read_action(text: str) -> Said | None:
    """Read what a player does, the part of a line behind the name; None for anything else."""
    if act := _VERB.match(text):
        verb, rest = act[1], act[2]
        if verb == "folds":
            two = _TWO.match(text)
            return "acts", FOLD, read_cards(two[1] + two[2]) if two else None
        amounts = [parse_money(own) for own in _AMOUNTS.findall(rest)]
        if verb in ("checks", "calls"):
            return "acts", CALL, amounts[0] if amounts else 0
        if not amounts:
            raise HistoryError(f"{quoted(text)}: the amount is missing")
        return "acts", 1, amounts[1] if len(amounts) > 1 and " to " in rest else amounts[0]
    if post := _POSTS.match(text):
        return "posts", post[1] or post[2], parse_money(post[3])
    if two := _TWO.match(text):
        return "shows", read_cards(two[1] + two[2]), None
    return None


class Lines:
    """The relevant lines of a hand. Players are identified by the seat numbers of the log."""

    def __init__(self, header: Header, read: ReadAction) -> None:
        self.header = header
        self.read = read
        self.button = 0
        self.table = ""
        self.seats: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.stacks: dict[int, Amount] = {}
        self.has_colon = False
        self.posts: list[tuple[int, str, Amount]] = []
        self.steps: list[tuple[int, int, Any, str]] = []
        self.holes: list[tuple[int, tuple[Card, ...]]] = []
        self.dealt: list[int] = []
        self.paid: list[tuple[int, Amount, str]] = []
        self.uncalled: dict[int, Amount] = {}
        self.sold: dict[int, Amount] = {}
        self.extra: dict[int, Amount] = {}
        self.unpaid: list[tuple[int, Amount, str]] = []
        self.boards: dict[str, list[tuple[Card, ...]]] = {}
        self.known = 0
        self.total: list[Amount] | None = None
        self.rake: Amount | None = 0
        self.in_summary = False

    def add(self, line: str) -> None:
        if not line:
            return
        if self.in_summary:
            self._add_summary(line)
            return
        if line[0] == "*":
            self._add_street(line)
            return
        if " collected " in line and (found := _COLLECTED.match(line)):
            seat = self.seats.get(found[1])
            if seat is not None:
                self.paid.append((seat, parse_money(found[2]), found[3] or "pot"))
                return
        name, is_said, rest = line.partition(": ")
        seat = self.seats.get(name) if is_said else None
        if self.has_colon:
            found_names = [own for own in self.seats if line.startswith(f"{own}: ")]
            if found_names:
                name = max(found_names, key=len)
                seat, rest = self.seats[name], line[len(name) + 2 :]
        if seat is not None:
            self._add_action(seat, rest)
        elif line.startswith("Seat "):
            if not self.steps and (found := _SEAT.match(line)):
                seat = int(found[1])
                self.names[seat], self.stacks[seat] = found[2], parse_money(found[3])
                self.seats[found[2]] = seat
                self.has_colon |= ":" in found[2]
        elif line.startswith("Dealt to "):
            if (found := _DEALT.match(line)) and found[2] and found[1] in self.seats:
                seat = self.seats[found[1]]
                self.dealt.append(seat)
                self.holes.append((seat, read_cards(found[2] + found[3])))
        elif line.startswith("Uncalled bet"):
            if (found := _UNCALLED.match(line)) and found[2] in self.seats:
                seat = self.seats[found[2]]
                self.uncalled[seat] = self.uncalled.get(seat, 0) + parse_money(found[1])
        elif line.startswith("Table "):
            if (found := _TABLE.match(line)) and not self.table:
                self.table = found[1]
            if found := _BUTTON.search(line):
                self.button = int(found[1])
        elif " cashed out the hand for " in line:
            if (found := _CASHED.match(line)) and found[1] in self.seats:
                self.sold[self.seats[found[1]]] = parse_money(found[2])
        else:
            self._add_other(line)

    def _add_other(self, line: str) -> None:
        if line.startswith("Hand cancelled"):
            raise HistoryError("the hand was cancelled", kind="cancelled")
        if line.startswith(("STP added", "Cash Drop to Pot")):
            raise HistoryError("the house added money to the pot", kind="splash the pot")
        if not self.names and (found := _BUTTON.search(line)):
            self.button = int(found[1])

    def _add_action(self, seat: int, text: str) -> None:
        said = self.read(text)
        if said is None:
            return
        kind, first, second = said
        if kind == "acts":
            if first == FOLD and second is not None:
                self.holes.append((seat, second))
                second = None
            self.steps.append((seat, first, second, text))
        elif kind == "posts":
            self.posts.append((seat, first, second))
        elif kind == "shows":
            self.holes.append((seat, first))
        else:  # the house pays, or is paid, beside the pots
            self.extra[seat] = self.extra.get(seat, 0) + first

    def _add_street(self, line: str) -> None:
        if line.startswith("*** SUMMARY"):
            self.in_summary = True
        elif street := _STREET.match(line):
            which, cards = street[1], read_cards(street[2])
            if which in _AGAIN:
                self.boards.setdefault(which, []).append(cards)
            else:
                if which == "FIRST" and not self.known:
                    self.known = 1 + sum(
                        len(own) for _, action, own, _ in self.steps if action == DEAL
                    )
                self.steps.append((0, DEAL, cards, line))

    def _add_summary(self, line: str) -> None:
        if line.startswith("Seat "):
            if shown := _REVEALED.match(line):
                self.holes.append((int(shown[1]), read_cards(shown[2] + shown[3])))
            if "(pot not awarded" in line and (found := _NOT_AWARDED.match(line)):
                self.unpaid.append((int(found[1]), parse_money(found[2]), "pot"))
        elif line.startswith("Total pot"):
            pots, *fees = line.split("|")
            amounts = _AMOUNTS.findall(_LABELS.sub(" ", pots))
            self.total = [parse_money(own) for own in amounts] or None
            self.rake = sum([parse_money(own) for fee in fees for own in _AMOUNTS.findall(fee)[:1]])
        elif line.startswith(("Hand cancelled", "STP added")):
            self._add_other(line)

    def hand(self, details: dict[str, Any]) -> PlayedHand:
        """Replay the hand; position i is the i-th seat from the left of the button."""
        if self.total is None:
            raise HistoryError("the line with Total pot and Rake is missing", kind="incomplete")
        playing = {seat for seat, action, _, _ in self.steps if action != DEAL}
        playing |= {seat for seat, _, _ in self.posts}
        seats = sorted(playing, key=lambda seat: (seat <= self.button, seat))
        if not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
            found = counted(len(seats), "player")
            raise HistoryError(f"the hand has {found}; expected 2 to 10", kind="incomplete")
        at = {seat: position for position, seat in enumerate(seats)}
        stacks = [self.stacks[seat] for seat in seats]
        if self.header.cap is not None:
            stacks = [min(own, self.header.cap) for own in stacks]
        log = LoggedHand(
            names=[self.names[seat] for seat in seats],
            stacks=stacks,
            antes=[0] * len(seats),
            blinds=[0] * len(seats),
            dead=[0] * len(seats),
            big_blind=self._big_blind(),
            limit=self.header.limit,
            holes=[None] * len(seats),
            steps=[
                (at[seat] if action != DEAL else 0, action, own, text)
                for seat, action, own, text in self.steps
            ],
            paid=[
                (at[seat], chips, name)
                for seat, chips, name in (*self.paid, *self.unpaid)
                if seat in at
            ],
            total=self.total[0] if self.total else None,
            listed=self.total[1:],
            rake=self.rake,
            uncalled={at[seat]: chips for seat, chips in self.uncalled.items() if seat in at},
            sold={at[seat]: chips for seat, chips in (self.sold or self.extra).items()},
            is_extra=not self.sold,
        )
        self._post(log, at)
        for seat, hole in self.holes:
            if seat in at:
                log.show(at[seat], hole)
        log.more_boards = self._more_boards()
        if len(set(self.dealt)) == 1 and self.dealt[0] in at:
            details["hero"] = at[self.dealt[0]]
        log.details = details
        return log.play()

    def _big_blind(self) -> Amount:
        """Find the big blind: in fixed limit, the header has the two bets, or the two blinds."""
        header = self.header
        if header.limit != "fixed":
            return header.big
        posted = max([own for _, name, own in self.posts if name == "big blind"], default=0)
        return header.big if posted == header.big else header.small

    def _post(self, log: LoggedHand, at: dict[int, int]) -> None:
        has_small = False
        for seat, name, chips in self.posts:
            own = at[seat]
            is_small = name == "small blind"
            if "ante" in name:
                log.antes[own] = log.antes[own] + chips if log.antes[own] else chips
            elif (is_small and has_small) or (
                name.startswith(("missed", "dead")) and "big" not in name
            ):
                log.dead[own] += chips
            else:
                has_small |= is_small
                if name == "small & big blinds":
                    log.dead[own] += max(0, chips - log.big_blind)
                    chips = min(chips, log.big_blind)
                # A straddle is like a blind.
                log.blinds[own] = log.blinds[own] + chips if log.blinds[own] else chips
        # One ante for all belongs to the pot, whatever others post.
        log.trims_antes = sum(ante > 0 for ante in log.antes) != 1
        # Even if antes have taken all chips of the blinds.
        is_posted = any(log.blinds) or any(log.antes)
        log.opening = max([log.big_blind, *log.blinds]) if is_posted else 0

    def _more_boards(self) -> list[tuple[Card, ...]]:
        """Complete the second and third boards of a hand that was run several times."""
        shared: tuple[Card, ...] = ()
        for _, action, cards, _ in self.steps:
            if action == DEAL and len(shared) + 1 < self.known:
                shared += cards
        return [
            shared + tuple([card for street in self.boards[name] for card in street])
            for name in _AGAIN
            if name in self.boards
        ]


_LABELS = re.compile(r"Side pot-\d+")
