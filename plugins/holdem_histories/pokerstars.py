"""Reader of cash games of PokerStars.

How much of the pot each player was paid is read from the log; the pot of the replay must equal that
of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

import attrs

from holdem.betting.played_hand import Amount, PlayedHand, Pot, plain
from holdem.errors import HistoryError, counted, one_line, quoted
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem_histories.payouts import net_by_log
from holdem_histories.phh import parse_amount
from holdem_histories.replay import Replay, read_cards

_NUMBER = r"[^\d\s(]{0,3}([\d.,]+)"
_HEADER = re.compile(r"\s*PokerStars [^\n#]*#(\d+)[:, ]\s*(?:\{[^}\n]*\}\s*)?(.*)")
_GAME = re.compile(rf"(Hold'em (?:No |Pot )?Limit) \({_NUMBER}/{_NUMBER}")
_SEAT = re.compile(rf"Seat (\d\d?): (.+) \({_NUMBER} in chips[^)]*\)")
_POSTS = re.compile(rf"posts (?:the |a )?(.+?) {_NUMBER}")
_ACTS = re.compile(rf"(folds|checks|calls|bets|raises)(?: {_NUMBER}(?: to {_NUMBER})?)?")
_BUTTON = re.compile(r"Seat #(\d\d?) is the button")
_BRACKET = re.compile(r"\[([^\]]*)\]")
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
    log = _Log.read(text)
    seats = log.order()
    play = log.replay(seats, big_blind)
    pots = play.end()
    found = sum([pot.amount for pot in pots])
    if found != _amount(total[1]):
        raise HistoryError(
            f"the replay has a pot of {float(found):g}, and the log {float(_amount(total[1])):g}",
            kind="pot does not fit",
        )
    paid = log.paid()
    won: list[Amount] = [sum(chips for seat, chips, _ in paid if seat == own) for own in seats]
    net, pots = net_by_log(play, pots, won)
    if sum(won) + _amount(total[2]) != found:
        raise HistoryError(
            f"the players got {float(sum(won)):g} and the house {total[2]} of a pot of {total[1]}",
            kind="pot does not fit",
        )
    names = [log.names[seat] for seat in seats]
    return play.hand(names, _spread_as_paid(pots, paid), net, big_blind, number, file, line)


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

    button: int
    """The seat that has the button; 0 if there is none."""
    names: dict[int, str]
    stacks: dict[int, Amount]
    actions: list[tuple[int | None, str]]
    """Pairs of a seat and what its player did, such as ``calls $2``. For a new street, the seat is
    None and the text the whole line; for hole cards dealt to a player, it is also the whole line.
    """
    rest: list[str]
    """The lines of the summary, and the lines which say that a player collected chips."""

    @classmethod
    def read(cls, text: str) -> _Log:
        """Extract the relevant lines from the text of a hand."""
        names: dict[int, str] = {}
        stacks: dict[int, Amount] = {}
        actions: list[tuple[int | None, str]] = []
        rest: list[str] = []
        button = 0
        for line in map(str.strip, text.splitlines()):
            if rest and rest[0].startswith("*** SUMMARY"):
                rest.append(line)
            elif line.startswith("*** SUMMARY"):
                rest.insert(0, line)
            elif _STREET.match(line):
                actions.append((None, line))
            elif (seat := _SEAT.match(line)) and not actions:
                names[int(seat[1])], stacks[int(seat[1])] = seat[2], _amount(seat[3])
            elif (found := _BUTTON.search(line)) and not names:
                button = int(found[1])
            elif _COLLECTED.match(line):
                rest.append(line)
            elif dealt := _DEALT.match(line):
                actions += [(own, line) for own, name in names.items() if name == dealt[1]]
            else:
                actions += [
                    (seat, text)
                    for seat, text in _find_actor(line, names)
                    if any(played.match(text) for played in (_POSTS, _ACTS, _SHOWS))
                ]
        return cls(button, names, stacks, actions, rest)

    def order(self) -> list[int]:
        """List the seats that are in the hand, from the left of the button."""
        seats = sorted({seat for seat, _ in self.actions if seat is not None})
        if not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
            found = counted(len(seats), "player")
            raise HistoryError(f"the hand has {found}; expected 2 to 10", kind="incomplete")
        return sorted(seats, key=lambda seat: (seat <= self.button, seat))

    def replay(self, seats: list[int], big_blind: Amount) -> Replay:
        """Replay the hand; position i is the seat ``seats[i]``."""
        position = {seat: place for place, seat in enumerate(seats)}
        antes: list[Amount] = [0] * len(seats)
        blinds, dead = antes.copy(), antes.copy()
        has_small = False
        rest: list[tuple[int | None, str]] = []
        for seat, text in self.actions:
            post = _POSTS.match(text)
            if seat is None or post is None:
                rest.append((seat, text))
                continue
            chips, own = _amount(post[2]), position[seat]
            is_small = post[1] == "small blind"
            if post[1] == "ante":
                antes[own] += chips
            elif is_small and has_small:
                dead[own] += chips
            else:
                has_small |= is_small
                if post[1] == "small & big blinds":
                    dead[own] += max(0, chips - big_blind)
                    chips = min(chips, big_blind)
                blinds[own] += chips  # a straddle is like a blind
        acts = [(position[seat], _ACTS.match(text)) for seat, text in rest if seat is not None]
        raises = [_amount(act[3] or act[2]) for _, act in acts if act and act[2]]
        play = Replay(
            [self.stacks[seat] for seat in seats],
            antes,
            blinds,
            dead,
            trims_antes=True,
            first=next((own for own, act in acts if act), 0),
            opening=max([big_blind, *blinds]) if any(blinds) else 0,
            amounts=raises,
        )
        for seat, text in rest:
            try:
                _act(play, -1 if seat is None else position[seat], text)
            except HistoryError as error:
                raise HistoryError(f"{quoted(text)}: {error}", kind=error.kind) from None
        for seat, hole in self.revealed():
            if seat in position:
                play.show(position[seat], read_cards(hole))
        return play

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

    def revealed(self) -> Iterator[tuple[int, str]]:
        """Yield the seats in the summary and their hole cards, also mucked ones."""
        for line in self.rest:
            if shown := _REVEALED.match(line):
                yield int(shown[1]), shown[2] + shown[3]


def _act(play: Replay, seat: int, text: str) -> None:
    """Apply a line of the log; `seat` is -1 for a new street."""
    if seat < 0:
        play.deal(read_cards(_BRACKET.findall(text)[-1].replace(" ", "")))
    elif dealt := _DEALT.match(text):
        play.show(seat, read_cards(dealt[2] + dealt[3]))
    elif shown := _SHOWS.match(text):
        play.show(seat, read_cards(shown[1] + shown[2]))
    elif act := _ACTS.match(text):
        if act[1] == "folds":
            play.fold(seat)
        elif act[1] in ("bets", "raises"):
            if not act[2]:
                raise HistoryError("the amount is missing")
            play.raise_to(seat, _amount(act[3] or act[2]))
        else:
            cost, logged = play.call(seat), _amount(act[2] or "0")
            if cost != logged:
                raise HistoryError(f"it costs {float(cost):g} here", kind="pot does not fit")


def _find_actor(line: str, names: dict[int, str]) -> list[tuple[int | None, str]]:
    """Parse a line that begins with a player's name and a colon as one pair of seat and rest.

    The list is empty if the line does not begin in this way.
    """
    found = [seat for seat, name in names.items() if line.startswith(f"{name}: ")]
    if not found:
        return []
    seat = max(found, key=lambda own: len(names[own]))
    return [(seat, line[len(names[seat]) + 2 :])]
