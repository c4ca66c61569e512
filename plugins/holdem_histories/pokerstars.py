"""Reader of cash games of PokerStars, which uses the parser of PokerKit.

PokerKit replays each hand by the rules of the game. Its parser knows neither antes nor dead blinds
in these logs, and fails on some names of players and some lines of chat. Each hand is therefore
rewritten for it: with the relevant lines only, and with plain names. The pot of the replay must
equal the pot of the log. How much of the pot each player was paid is read from the log directly.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import attrs

from holdem.betting.played_hand import Amount, PlayedHand, Pot, plain
from holdem.errors import HistoryError, one_line, quoted
from holdem.optional_packages import import_package
from holdem_histories.phh import TOTAL_POT, parse_amount, replay_phh
from holdem_histories.replay import read_cards

_NUMBER = r"[^\d\s(]{0,3}([\d.,]+)"
_HEADER = re.compile(r"\s*PokerStars [^\n#]*#(\d+)[:, ]\s*(?:\{[^}\n]*\}\s*)?(.*)")
_GAME = re.compile(rf"(Hold'em (?:No |Pot )?Limit) \({_NUMBER}/{_NUMBER}")
_SEAT = re.compile(rf"Seat (\d\d?): (.+) \({_NUMBER} in chips[^)]*\)")
_POSTS = re.compile(rf"posts (?:the |a )?(.+?) {_NUMBER}")
_ACTS = re.compile(rf"(folds|checks|calls|bets|raises)(?: {_NUMBER})?")
_BETS = re.compile(rf"(?:bets|raises) {_NUMBER}")
_UNCALLED = re.compile(rf"Uncalled bet \({_NUMBER}\) returned to ")
_SHOWS = re.compile(r"shows \[(\w\w) (\w\w)\]")
_STREET = re.compile(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\*.*\[")
_DEALT = re.compile(r"Dealt to (.+) \[(\w\w) (\w\w)\]")
_COLLECTED = re.compile(rf"(.+) collected {_NUMBER}(?: from (pot|main pot|side pot.*?))?\s*$")
_TOTAL = re.compile(rf"Total pot {_NUMBER}.*\| Rake {_NUMBER}")
_REVEALED = re.compile(r"Seat (\d\d?): .* (?:showed|mucked) \[(\w\w) (\w\w)\]")

# Hands that are not read: a kind, what tells it, and the reason.
_REFUSED = (
    ("run more than once", r"^\*\*\* FIRST |was run (?:twice|three)", "several boards were dealt"),
    ("cash-out", r"cashed out|Cash Out Fee", "a player sold the hand to the house: cash-out"),
    ("cancelled", r"[Cc]ancelled", "the hand was cancelled"),
    ("splash the pot", r"\bSTP\b", "the house added money to the pot"),
)


def read_pokerstars(text: str, file: str | None = None, line: int = 1) -> PlayedHand:
    """Read one hand of a PokerStars cash game; `line`, from 1, is where it begins in the file."""
    header = _HEADER.match(text)
    if header is None:
        first = text.strip().partition("\n")[0]
        raise HistoryError(
            f"{quoted(first, 40)} does not begin a hand of PokerStars; expected PokerStars Hand"
            " #123: Hold'em No Limit ($1/$2) …"
        )
    number, title = header[1], header[2]
    if "Tournament" in title:
        raise HistoryError("a tournament; cash games are read", kind="tournament")
    game = _GAME.match(title)
    if game is None or "CAP" in title:
        raise HistoryError(
            f"{quoted(one_line(title, 40))} is not read; hold'em without a cap is",
            kind="other game",
        )
    for kind, pattern, reason in _REFUSED:
        if re.search(pattern, text, re.MULTILINE):
            raise HistoryError(reason, kind=kind)
    total = _TOTAL.search(text)
    if total is None:
        raise HistoryError("the line with Total pot and Rake is missing", kind="incomplete")
    big_blind = _amount(game[2] if game[1] == "Hold'em Limit" else game[3])
    log = _Log.read(text, big_blind)
    fields = _parse(log.canonical(number))
    seats: list[int] = fields["seats"]
    fields["players"] = [log.names[seat] for seat in seats]
    fields["actions"] += log.reveal(seats)
    paid = log.paid()
    won: list[Amount] = [sum(chips for seat, chips, _ in paid if seat == own) for own in seats]
    hand = replay_phh(fields | {"winnings": won, TOTAL_POT: _amount(total[1])}, file, line)
    if sum(won) + _amount(total[2]) != _amount(total[1]):
        raise HistoryError(
            f"the players got {float(sum(won)):g} and the house {total[2]} of a pot of {total[1]}",
            kind="pot does not fit",
        )
    pots = _spread_as_paid(hand.pots, paid)
    return attrs.evolve(hand, number=number, big_blind=big_blind, pots=pots)


def _spread_as_paid(
    pots: tuple[Pot, ...], paid: Sequence[tuple[int, Amount, str]]
) -> tuple[Pot, ...]:
    """Set the rake of each pot to the chips that the log does not pay out from this pot.

    If the log pays out another number of pots, or more from a pot than it has, the pots, the main
    pot first, are returned unchanged. `paid` is `_Log.paid`.
    """
    order = sorted({name for *_, name in paid})  # the main pot, and side pots by number
    if len(order) != len(pots):
        return pots
    sums = [sum(chips for _, chips, name in paid if name == own) for own in order]
    found = [
        attrs.evolve(pot, rake=plain(Fraction(pot.amount - own)))
        for pot, own in zip(pots, sums, strict=True)
    ]
    return tuple(found) if all(pot.rake >= 0 for pot in found) else pots


def _amount(text: str) -> Amount:
    return parse_amount(text.replace(",", "").rstrip("."))


@attrs.frozen
class _Log:
    """The relevant lines of a hand. Players are identified by the seat numbers of the log."""

    table: str
    """The line that names the table and the button."""
    names: dict[int, str]
    stacks: dict[int, str]
    big_blind: Amount
    actions: list[tuple[int | None, str]]
    """Pairs of a seat and what its player did, such as ``calls $2``. For a new street, the seat is
    None and the text the whole line; for hole cards dealt to a player, it is also the whole line.
    """
    rest: list[str]
    """The lines of the summary, and the lines which say that a player collected chips."""

    @classmethod
    def read(cls, text: str, big_blind: Amount) -> _Log:
        """Extract the relevant lines from the text of a hand; `big_blind` is in chips."""
        names: dict[int, str] = {}
        stacks: dict[int, str] = {}
        actions: list[tuple[int | None, str]] = []
        rest: list[str] = []
        table = ""
        uncalled: Amount = 0
        for line in map(str.strip, text.splitlines()):
            if rest and rest[0].startswith("*** SUMMARY"):
                rest.append(line)
            elif line.startswith("*** SUMMARY"):
                rest.insert(0, line)
            elif back := _UNCALLED.match(line):
                uncalled = _amount(back[1])
            elif line.startswith("*** "):
                if uncalled:  # the hand goes on after it, so all others are all-in
                    _call_instead(actions, uncalled)
                    uncalled = 0
                if _STREET.match(line):
                    actions.append((None, line))
            elif (seat := _SEAT.match(line)) and not actions:
                names[int(seat[1])], stacks[int(seat[1])] = seat[2], seat[3].replace(",", "")
            elif " is the button" in line and not names:
                table = line
            elif _COLLECTED.match(line):
                rest.append(line)
            elif dealt := _DEALT.match(line):
                actions += [(own, line) for own, name in names.items() if name == dealt[1]]
            else:
                actions += _find_actor(line, names)
        return cls(table, names, stacks, big_blind, actions, rest)

    def canonical(self, number: str) -> str:
        """Rewrite the hand as a log that PokerKit can parse, with its number.

        Names become plain ones, such as ``P3``. Dead money, such as a second small blind, becomes
        an ante.
        """
        dead: dict[int, Amount] = {}
        lines: list[str] = []
        has_small = False
        for seat, text in self.actions:
            name = f"P{seat}"
            if seat is None:
                lines.append(text)
            elif dealt := _DEALT.match(text):
                lines.append(f"Dealt to {name} [{dealt[2]} {dealt[3]}]")
            elif shown := _SHOWS.match(text):
                lines.append(f"{name}: shows [{shown[1]} {shown[2]}] (hand)")
            elif post := _POSTS.match(text):
                chips = _amount(post[2])
                small = post[1] == "small blind"
                if post[1] == "ante" or (small and has_small):
                    dead[seat] = dead.get(seat, 0) + chips
                    continue
                has_small |= small
                if post[1] == "small & big blinds":
                    dead[seat] = dead.get(seat, 0) + chips - self.big_blind
                    chips = self.big_blind
                blind = "small blind" if small else "big blind"  # a straddle is like a blind
                lines.append(f"{name}: posts {blind} {_decimal(chips)}")
            elif act := _ACTS.match(text):
                chips_text = f" {_decimal(_amount(act[2]))}" if act[2] else ""
                lines.append(f"{name}: {act[1]}{chips_text}")
        antes = [f"P{seat}: posts the ante {_decimal(chips)}" for seat, chips in dead.items()]
        seats = [f"Seat {seat}: P{seat} ({stack} in chips)" for seat, stack in self.stacks.items()]
        title = f"PokerStars Hand #{number}:  Hold'em No Limit (0/0) - "
        return "\n".join([title, self.table, *seats, *antes, *lines])

    def paid(self) -> list[tuple[int, Amount, str]]:
        """List the payments to players as triples of the seat, the chips, and the pot.

        The pot has the name that the log gives it, such as ``side pot-1``.
        """
        numbers = {name: seat for seat, name in self.names.items()}
        found = []
        for line in self.rest:
            match = _COLLECTED.match(line)
            if match and match[1] in numbers:
                found.append((numbers[match[1]], _amount(match[2]), match[3] or "pot"))
        return found

    def reveal(self, seats: Sequence[int]) -> Iterator[str]:
        """Yield the hole cards in the summary, also mucked ones, as PHH actions: ``p1 sm AsKs``.

        `seats` are the seat numbers of p1, p2 and so on.
        """
        for line in self.rest:
            shown = _REVEALED.match(line)
            if shown and int(shown[1]) in seats:
                read_cards(shown[2] + shown[3])
                yield f"p{seats.index(int(shown[1])) + 1} sm {shown[2]}{shown[3]}"


def _call_instead(actions: list[tuple[int | None, str]], uncalled: Amount) -> None:
    """Replace the last bet or raise in `actions` by a call if all of its chips were returned.

    PokerKit does not allow a raise that nobody is able to call. The pot stays the same.
    """
    for number, (seat, text) in reversed(list(enumerate(actions))):
        if by := _BETS.match(text):
            if uncalled >= _amount(by[1]):
                actions[number] = (seat, "calls")
            return


def _find_actor(line: str, names: dict[int, str]) -> list[tuple[int | None, str]]:
    """Parse a line that begins with a player's name and a colon as one pair of seat and rest.

    The list is empty if the line does not begin in this way.
    """
    found = [seat for seat, name in names.items() if line.startswith(f"{name}: ")]
    if not found:
        return []
    seat = max(found, key=lambda own: len(names[own]))
    return [(seat, line[len(names[seat]) + 2 :])]


def _decimal(amount: Amount) -> str:
    return str(amount) if isinstance(amount, int) else f"{float(amount):.4f}"


def _parse(text: str) -> dict[str, Any]:
    """Parse and replay a hand from `_Log.canonical` with PokerKit; return fields of PHH by name.

    ``"seats"`` has the seat numbers of p1, p2 and so on.
    """
    parser, parse_value = _make_parser()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of play that is unusual, such as a needless fold
        try:
            found = parser.parse(text, parse_value)
        except (ValueError, KeyError, IndexError, StopIteration, ArithmeticError) as error:
            reason = one_line(str(error), 100)
            raise HistoryError(
                f"PokerKit cannot replay it: {reason}", kind="cannot be replayed"
            ) from None
    return {
        "variant": "NT",
        "antes": found.antes,
        "blinds_or_straddles": found.blinds_or_straddles,
        "starting_stacks": found.starting_stacks,
        "seats": found.seats,
        "actions": list(found.actions),
    }


@cache
def _make_parser() -> tuple[Any, Any]:
    """Import PokerKit; return an extended parser of hands, and PokerKit's parser of amounts."""
    import_package("pokerkit.notation", "logs of PokerStars need PokerKit")
    from pokerkit.notation import PokerStarsParser
    from pokerkit.utilities import parse_value

    class Parser(PokerStarsParser):  # type: ignore[misc, unused-ignore]
        """PokerKit's parser, extended to read antes."""

        ANTE_POSTING = re.compile(r"(?P<player>.+): posts the ante (?P<ante>[0-9.]+)")

        def parse(self, text: str, parse_value: Any) -> Any:
            """Parse one hand. Errors are raised, whereas calling the parser would print them."""
            return self._parse(text, parse_value)

    return Parser(), parse_value
