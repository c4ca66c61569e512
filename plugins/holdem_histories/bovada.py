"""Reader of Ignition, Bovada and Bodog: cash games, Zone Poker and tournaments.

Players have no names: the owner of the log is called Hero, the others by their positions, which
change from hand to hand. All hole cards are in the log.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import attrs

from holdem.betting.played_hand import Amount, PlayedHand
from holdem.betting.rounds import BOARD_SIZES
from holdem.betting.rulebook import CALL, FOLD
from holdem.cards import Card
from holdem.errors import HistoryError, one_line, quoted
from holdem_histories.amounts import CARD, MONEY, parse_money, read_cards
from holdem_histories.pokerstars import SIGNS, Header, Lines, play_lines, read_action, read_time
from holdem_histories.replay import DEAL

_HEADER = re.compile(r"\W*(Ignition|Bovada|Bodog)[^#]* Hand #(\d+)(.*)", re.IGNORECASE)
_TOURNAMENT = re.compile(r"Tournament #(?:M-)?(\d+)")
_LEVEL = re.compile(rf"\(({MONEY}/{MONEY})\)")
_TABLE = re.compile(r"(?:TBL|Zone Poker ID)#(\d+)")
_PLAYER = r"(Small Blind|Big Blind|Dealer|UTG(?:\+(\d))?)\s*(\[ME\])?"
_SEAT = re.compile(rf"Seat \d+: {_PLAYER} \({MONEY} in chips\)")
_SAID = re.compile(rf"{_PLAYER}\s*: (.*)")
_INFO = re.compile(r"Table Info: .*Stakes: (\S+)-(\S+),")
_DEALT = re.compile(rf"Card dealt to a spot \[{CARD} {CARD}\]")
_VERB = re.compile(
    r"(Fold|Check|Call|Bets|Raises|All-in(?!\(raise)|All-in\(raise|Return uncalled|Hand result)",
    re.IGNORECASE,
)
_POST = re.compile(
    r"(?:Ante/)?(Small Blind|Big Blind|Ante chip|Posts chip|Posts dead chip|All-in)\b.*? "
    rf"({MONEY})$",
    re.IGNORECASE,
)
_BOARD = re.compile(r"Board \[([^\]]*)\]")
_AMOUNTS = re.compile(MONEY)


def read_bovada(text: str, file: str | None = None, line: int = 1) -> PlayedHand:
    """Read one hand of Bovada; `line`, from 1, is where it begins in the file."""
    head, *rows = text.strip().split("\n")
    found = _HEADER.match(head)
    assert found  # as it does where the hand begins
    site, number, title = found.groups()
    tournament, table, level = (find.search(title) for find in (_TOURNAMENT, _TABLE, _LEVEL))
    has_limit = "No Limit" in title if "Limit" in title else tournament
    if "HOLDEM" not in title or not has_limit or (tournament and not level):
        raise HistoryError(
            f"{quoted(one_line(title.strip(), 40))} is not read; no-limit hold'em is",
            kind="other game",
        )
    details = {
        "number": number,
        "site": site.capitalize(),
        "tournament": tournament[1] if tournament else "",
        "stakes": level[1] if level else "",
        "time": read_time(title),
    }
    small, big = (parse_money(level[2]), parse_money(level[3])) if level else (0, 0)
    lines = _Lines(Header(number, "no", small, big, None, details))
    lines.table = table[1] if table else ""
    return play_lines(lines, rows, file, line)


class _Lines(Lines):
    """The relevant lines of a hand. Positions are the seats, from the left of the button."""

    def __init__(self, header: Header) -> None:
        super().__init__(header, read_action)
        self.bets: dict[int, Amount] | None = None  # of the street; None before the cards
        self.written = ["-", ""]  # the blinds
        self.board: tuple[Card, ...] = ()
        self.last = ""

    def add(self, line: str) -> None:
        if " Hand #" in line:
            raise HistoryError("another hand begins within a line of it", kind="incomplete")
        if line == self.last and "side pot" not in line.lower():
            return  # the site writes some lines several times
        self.last = line
        if line.startswith("*** HOLE CARDS"):
            self._begin()
        elif line.startswith("***"):
            self._add_street(line)
            self.bets = {}
            if "SUMMARY" in line:
                self.total, self.rake = [], 0 if self.header.details["tournament"] else None
        elif found := _BOARD.match(line):
            self.board = read_cards(found[1])
        elif line.startswith("Total Pot"):
            amounts = [parse_money(own) for own in _AMOUNTS.findall(line)]
            self.total, self.rake = amounts[:1], amounts[1] if amounts[1:] else self.rake
        elif found := _SEAT.match(line):
            own = _position(found[1], found[2])
            if own in self.names:
                raise HistoryError(f"two seats are named {found[1]}", kind="incomplete")
            self.names[own] = "Hero" if found[3] else found[1]
            self.stacks[own] = parse_money(found[4])
            self.dealt += [own] if found[3] else []
        elif found := _INFO.match(line):
            self.written = [found[1], found[2]]
        elif (found := _SAID.match(line)) and (own := _position(found[1], found[2])) in self.names:
            self._add_said(own, found[4])

    def _add_said(self, seat: int, text: str) -> None:
        if hole := _DEALT.match(text):
            self.holes.append((seat, read_cards(hole[1] + hole[2])))
        elif self.bets is not None:
            if act := _VERB.match(text):
                self._act(seat, act[1].lower(), text, self.bets)
        elif post := _POST.match(text):
            name = post[1].lower()
            self.posts.append((seat, name, parse_money(post[3])))
            if name.endswith("blind"):
                self.written[name == "big blind"] = post[2]

    def _act(self, seat: int, verb: str, text: str, bets: dict[int, Amount]) -> None:
        if verb[:4] in ("fold", "chec"):
            self.steps.append((seat, FOLD if verb[0] == "f" else CALL, None, text))
            return
        amounts = [parse_money(own) for own in _AMOUNTS.findall(text)]
        if not amounts:
            raise HistoryError(f"{quoted(text)}: the amount is missing")
        chips, to = amounts[-1], amounts[-1] + bets.get(seat, 0)
        if verb == "hand result":
            self.paid.append((seat, chips, "side pot" if "side pot" in text.lower() else "pot"))
        elif verb == "return uncalled":
            self.uncalled[seat] = self.uncalled.get(seat, 0) + chips
        elif verb[0] == "c" or (verb == "all-in" and to <= max(bets.values(), default=0)):
            bets[seat] = to
            self.steps.append((seat, CALL, chips, text))
        else:  # an all-in without "raise" says what is added
            bets[seat] = to if verb == "all-in" else chips
            self.steps.append((seat, 1, bets[seat], text))

    def _begin(self) -> None:
        """Find the blinds of a cash game, and what those post who are all-in with it."""
        if not self.header.big:
            blind = _AMOUNTS.fullmatch(self.written[1])
            if blind is None:
                raise HistoryError("nobody has posted the whole big blind", kind="incomplete")
            own = {"stakes": "/".join(self.written), "currency": SIGNS.get(self.written[1][0], "")}
            details = {**self.header.details, **own}
            self.header = attrs.evolve(self.header, big=parse_money(blind[1]), details=details)
        big = self.header.big
        has_ante = {seat for seat, name, _ in self.posts if name == "ante chip"}
        self.bets = {0: big}
        posts, self.posts = self.posts, []
        for seat, name, chips in posts:
            if name == "all-in":
                name = "ante" if has_ante and seat not in has_ante else "big blind"
            elif name == "posts dead chip":
                name = "small & big blinds" if chips > big else "dead"
            self.posts.append((seat, name, chips))
            if "ante" not in name and name != "dead":
                self.bets[seat] = min(self.bets.get(seat, 0) + chips, big)

    def hand(self, details: dict[str, Any]) -> PlayedHand:
        """Replay the hand, with the streets that only the summary has after some all-ins."""
        dealt = [card for _, action, own, _ in self.steps if action == DEAL for card in own]
        if self.board and list(self.board[: len(dealt)]) != dealt:
            raise HistoryError("the summary has another board than was dealt")
        for start, end in pairwise(BOARD_SIZES):
            if len(dealt) <= start and end <= len(self.board):
                self.steps.append((0, DEAL, self.board[start:end], "Board"))
        folded = {seat for seat, action, _, _ in self.steps if action == FOLD}
        playing = {seat for seat, action, _, _ in self.steps if action != DEAL}
        playing |= {seat for seat, _, _ in self.posts}
        if len(playing - folded) > 1 and max(len(dealt), len(self.board)) < 5:
            raise HistoryError("not all cards of the board are in the log", kind="incomplete")
        if self.total == [] and not dealt:  # Zone Poker writes no pot, and this one has no rake
            self.total, self.rake = [sum([chips for _, chips, _ in self.paid])], 0
        return super().hand(details)


def _position(name: str, after: str | None) -> int:
    return {"Small Blind": 1, "Big Blind": 2, "Dealer": 1 << 10}.get(name, 3 + int(after or 0))
