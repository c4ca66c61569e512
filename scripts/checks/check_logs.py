"""Hold the logs of a folder against an independent reader of their summary lines.

    python scripts/checks/check_logs.py FOLDER

The second reader shares no code with `holdem_histories`: it divides files into hands by itself, and
adds up, player by player, what goes into the pot and what comes back, by the words of each line,
without any rule of betting. Hands that both read must have the same results for each player, and
the same board. Counts are printed by site and kind of game, and each hand that is not read with
the reason.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

from holdem_histories import read_hands

_NUMBER = r"(\d[\d.,]*)"
_BOVADA = re.compile(r"\W*(Ignition|Bovada|Bodog)[^\n#]* Hand #(\d+)")
_START = re.compile(
    r"(?m)^\W*(?:PokerStars [^\n#]*(?:Hand|Game) #|Poker Hand #|(?:Ignition|Bovada|Bodog).* Hand #)"
)


def amount(text: str) -> Decimal:
    """Read an amount with points as decimal marks, or a comma before two digits at the end."""
    text = text.rstrip(".,")
    if re.fullmatch(r"\d+,\d{1,2}", text):
        return Decimal(text.replace(",", "."))
    return Decimal(text.replace(",", ""))


def read_text(path: Path) -> str:
    """Decode a file as UTF-16, UTF-8 or Windows-1252."""
    data = path.read_bytes()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig").replace("\ufeff", "")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def results(text: str) -> tuple[str, bool, dict[str, Decimal], str] | None:
    """Find the number of a hand, whether it is a tournament, the result of each player, the board.

    None for other games than hold'em.
    """
    lines = [line.strip() for line in text.replace("\r", "\n").split("\n")]
    lines = [line for line in lines if line]
    head = lines[0]
    if found_site := _BOVADA.match(head):
        is_read = "HOLDEM" in head and ("Limit" not in head or "No Limit" in head)
        return bovada_results(found_site[2], lines) if is_read else None
    if not re.search(r"(?<!6\+ )(?<!Split )Hold'em (No |Pot |Fixed )?Limit", head):
        return None
    number = re.search(r"#(\w+)", head)
    assert number
    seats = {}
    for line in lines:
        if line.startswith("***"):
            break
        seat = re.match(rf"Seat \d+: (.+) \(\D{{0,4}}{_NUMBER} in chips", line, re.IGNORECASE)
        if seat:
            seats[seat[1]] = amount(seat[2])
    names = sorted(seats, key=len, reverse=True)
    net = dict.fromkeys(names, Decimal(0))
    street = dict.fromkeys(names, Decimal(0))
    last: dict[str, Decimal] = {}
    sold: dict[str, Decimal] = {}
    put, got, board = Decimal(0), Decimal(0), ""
    total = next(line for line in lines if line.startswith("Total pot"))
    for line in lines[1:]:
        if re.match(r"\*\*\* (FIRST |SECOND |THIRD )?(FLOP|TURN|RIVER)", line):
            last = street if any(street.values()) else last
            street = dict.fromkeys(names, Decimal(0))
        if line.startswith("*** SUMMARY"):
            break
        dealt = re.match(r"\*\*\* (FIRST )?(FLOP|TURN|RIVER) \*\*\* (.*)", line)
        if dealt:
            board = "".join(re.findall(r"\[([^\]]*)\]", dealt[3])).replace(" ", "")
        back = re.match(rf"Uncalled bet \(\D{{0,4}}{_NUMBER}\) returned to (.+)", line)
        if back and back[2] in net:
            net[back[2]] += amount(back[1])
            put -= amount(back[1])
        name = next((own for own in names if line.startswith((own + ":", own + " "))), None)
        if name is None:
            continue
        rest = line[len(name) :].lstrip(":").strip()
        found = [amount(own) for own in re.findall(_NUMBER, rest)]
        before = net[name]
        if rest.startswith("collected"):
            net[name] += found[0]
            got += found[0]
            continue
        if rest.startswith("cashed out the hand"):
            sold[name] = found[0]
            continue
        if rest.startswith(("Receives Cashout", "Pays Cashout")):
            net[name] += found[0] if rest[0] == "R" else -found[0]
            continue
        if rest.startswith(("posts", "straddle")) and line.startswith(name + ":"):
            net[name] -= found[0]
            if "ante" not in rest and "missed" not in rest:
                street[name] += found[0]
            if "small & big" in rest:
                blinds = [amount(own) for own in re.findall(_NUMBER, head.split("(")[-1])]
                street[name] = blinds[1]
        elif line.startswith(name + ": ") and re.match(
            "(Bet & Muck )?(calls|bets|.*Muck .?[0-9])", rest
        ):
            net[name] -= found[0]
            street[name] += found[0]
        elif line.startswith(name + ": raises"):
            net[name] -= found[1] - street[name]
            street[name] = found[1]
        put += before - net[name]
    # Old logs, and converters, do not say that a bet comes back.
    fees = [amount(re.findall(_NUMBER, fee)[0]) for fee in total.split("|")[1:]]
    if not any(line.startswith("Uncalled bet") for line in lines) and not sold:
        last = street if any(street.values()) else last
        net[max(last, key=lambda own: last[own])] += put - got - sum(fees)
    for name, price in sold.items():
        paid = [line for line in lines if re.match(rf"{re.escape(name)} collected", line)]
        own = sum((amount(re.findall(_NUMBER, line[len(name) :])[0]) for line in paid), Decimal(0))
        net[name] += price - own
    return number[1], "Tournament #" in head or "TOURNAMENT" in head, net, board


def bovada_results(number: str, lines: list[str]) -> tuple[str, bool, dict[str, Decimal], str]:
    """Find the same of a hand of Ignition or Bovada.

    What a raise adds is the first of its two amounts; who won is read from the summary if it is
    there.
    """
    net: defaultdict[str, Decimal] = defaultdict(Decimal)
    street: defaultdict[str, Decimal] = defaultdict(Decimal)
    won: defaultdict[str, Decimal] = defaultdict(Decimal)
    listed: defaultdict[str, Decimal] = defaultdict(Decimal)
    hero, board, all_cards = "", "", ""
    for last, line in pairwise(lines):
        if line.startswith("***"):
            street = street if "HOLE" in line else defaultdict(Decimal)
            board += "".join(re.findall(r"\[([^\[]*)\]$", line)).replace(" ", "")
        if line.startswith("Board"):
            all_cards = re.sub(r"[^2-9TJQKAcdhs]", "", line.partition("[")[2])
        who = re.match(r"(Seat.\d+: )?(Small Blind|Big Blind|Dealer|UTG(\+\d)?)( *\[ME\])?", line)
        if who is None or line == last:
            continue
        rest = re.sub(r"\[.*", "", line[who.end() :]).lstrip(" :")
        found = [amount(own) for own in re.findall(_NUMBER, rest)]
        if who[1]:
            hero = who[2] if who[4] else hero
            if found and rest.lstrip("$")[0].isdigit():
                listed[who[2]] += found[0]
        elif rest.lower().startswith("hand result"):
            won[who[2]] += found[0]
        elif rest.startswith("Return"):
            net[who[2]] += found[0]
        elif found and re.match("Raises[^ ]* [^ ]+$", rest):
            net[who[2]] -= found[0] - street[who[2]]
            street[who[2]] = found[0]
        elif re.match(
            "Ante/|Ante chip|Big blind|Small blind|Posts|Call|Bets|Raises|All-in", rest, 2
        ):
            net[who[2]] -= found[0]
            street[who[2]] += found[0] if "Ante chip" not in rest else 0
    for player, chips in (listed or won).items():
        net[player] += chips
    results = {"Hero" if own == hero else own: chips for own, chips in net.items()}
    return number, "Tournament #" in lines[0], results, all_cards or board


def main() -> int:
    """Compare all hands of a folder, and return the exit code."""
    folder = Path(sys.argv[1])
    expected: dict[tuple[str, str], tuple[str, bool, dict[str, Decimal], str]] = {}
    counts: Counter[tuple[str, str, str]] = Counter()
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        text = read_text(path)
        starts = [match.start() for match in _START.finditer(text)] + [len(text)]
        for start, end in pairwise(starts):
            try:
                found = results(text[start:end])
            except (IndexError, ArithmeticError, KeyError, StopIteration, ValueError) as error:
                print(f"{path.name}: the second reader fails: {error!r}")
                continue
            if found:
                bovada = _BOVADA.match(text[start:end])
                site = "GGPoker" if "Poker Hand #" in text[start : start + 16] else "PokerStars"
                site = bovada[1] if bovada else site
                expected.setdefault((site, found[0]), found)
    reader = read_hands(folder)
    wrong = 0
    for hand in reader:
        own = expected.pop((hand.site, hand.number), None)
        kind = "tournaments" if hand.tournament else "cash"
        if own is None:
            counts[hand.site, kind, "read, not compared"] += 1
            continue
        _, _, net, board = own
        cards = "".join(map(str, hand.board))
        differ = {
            name: (str(net.get(name)), float(won))
            for name, won in zip(hand.names, hand.net, strict=True)
            if abs(float(net.get(name, Decimal(0))) - float(won)) > 1e-9
        }
        if differ or set(cards.lower()) != set(board.lower()) or len(cards) != len(board):
            wrong += 1
            print(f"{hand.file}, line {hand.line}: {differ or (cards, board)}")
        counts[hand.site, kind, "read"] += 1
    for (site, _), (number, is_tournament, _, _) in expected.items():
        counts[site, "tournaments" if is_tournament else "cash", "not read"] += 1
        print(f"not read: {site} {number}")
    for row in reader.skipped:
        if row.kind not in ("other game", "other site"):
            print(row)
    for key, count in sorted(counts.items()):
        print(*key, count)
    print(reader.summary())
    print(f"{wrong} hands with other results than the second reader")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
