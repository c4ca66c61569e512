"""`write_hands`: deal hands into a file, a few thousand at a time; or write played hands as PHH."""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias, cast

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_path, is_iterable
from holdem.atomic_files import atomic_file
from holdem.cards import DECK, CardsLike
from holdem.dealing.seeds import Seed
from holdem.errors import (
    HandFileError,
    HoldemTypeError,
    HoldemValueError,
    Interrupted,
    one_line,
    quoted,
)
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import End, Job, Task, progress_bar, run
from holdem.jobs.workers import Workers, count_workers
from holdem.optional_packages import import_package
from holdem.ranges.range import Range
from holdem.trials.hand_table import HandTable, SignedCards
from holdem.trials.simulation import HandDealer, checked_hand_count

if TYPE_CHECKING:
    from holdem.betting.played_hand import PlayedHand

#: The file formats, which are also the extensions of file names.
FORMATS = ("jsonl", "csv", "parquet")

#: The extensions of files of played hands.
PLAYED_FORMATS = (".phhs", ".phh")

#: Hands per table. With nine players, finding the best five cards of a table takes some 20 MB.
HANDS_PER_TABLE = 1 << 12

#: Tables per row group of a Parquet file: 65,536 hands, 10 MB with nine players.
TABLES_PER_GROUP = 16


_DEFAULT_HANDS = 1000


def write_hands(
    path: str | os.PathLike[str],
    *seats: str | Range | HandTable | Iterable[PlayedHand],
    players: int | None = None,
    hands: int = _DEFAULT_HANDS,
    seed: Seed | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    overwrite: bool = True,
) -> int | None:
    """Deal the same hands as `simulate` would with these arguments, and write them to a file.

    ``write_hands(path, table)`` writes a `HandTable` instead. If `HandTable.showdown` made it, the
    file also has ``plays``, the seats of the players who are in.

    Hands that were played with betting, as `Game.hand` or `holdem_histories.read_hands` give them,
    are written in PHH, the poker hand history format: ``write_hands("played.phhs", hands)``. Other
    arguments than `overwrite` have no meaning then.

    Args:
        path: the file. Its name ends in ``.jsonl`` (a line per hand, as
            `holdem deal -f jsonl` prints), ``.csv`` (a row per hand) or ``.parquet`` (the columns
            of the CSV; needs pyarrow, ``pip install pyarrow``); for played hands, in ``.phhs``, or
            in ``.phh`` for a single one.
        *seats: hole cards or a range for each of the first players. Further players hold any hand.
            Or a single `HandTable`, without any arguments about dealing; for PHH, the played hands.
        players: the number of players, 1 to 10. By default, as many as in `seats`, or 6 if `seats`
            is empty.
        hands: the number of hands.
        seed: 0..2^64-1 or a SeedSequence; drawn if None.
        workers: the number of threads; None means one per core. The file does not depend on it.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.
        board: up to five cards, the same in every hand.
        dead: cards out of play.
        overwrite: replace an existing file. If False, an existing file is an error, as it is
            for ``holdem deal -o`` without ``--force``.

    Returns:
        The seed, given or drawn, None for a table that was dealt from decks of the user; of played
        hands, how many were written.

    Raises:
        HoldemError: an argument is invalid, or PHH can't hold one of the played hands, as
            `PlayedHand.to_phh` says.
        HandFileError: the file cannot be written, or it exists and `overwrite` is False.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception is the number
            of hands in the file. They are hands 1 to that number, and all are complete.
    """
    file = Path(checked_path(path, "a file of hands"))
    if file.suffix.lower() in PLAYED_FORMATS:
        for name, value in {"players": players, "board": board, "dead": dead, "seed": seed}.items():
            if value is not None:
                raise HoldemTypeError(
                    f"{name} is for dealt hands; {quoted(file.name)} has played ones"
                )
        _require_new(file, overwrite)
        return _write_played(file, seats, overwrite, progress)
    form = find_format(file)
    dealer: HandDealer | _DealtHands
    hands = checked_hand_count(hands)
    if any(isinstance(seat, HandTable) for seat in seats):
        others = (players, board, dead, seed, evaluator)
        dealer = _read_table(seats, any(value is not None for value in others), hands)
        hands = len(dealer.hands)
    else:
        dealer = HandDealer(cast("Any", seats), players, board, dead, seed, evaluator)
        dealer.warm_up()
    threads = count_workers(workers)
    _require_new(file, overwrite)
    with (
        _file_errors(file),
        atomic_file(file, kept_after=(Interrupted,), replaces=overwrite) as new,
        _open(new, form, dealer, hands) as writing,
    ):
        run(writing, threads, progress=progress)
    return dealer.seed


@attrs.frozen
class _DealtHands:
    """A table of hands in the place of a dealer."""

    hands: HandTable

    @property
    def players(self) -> int:
        return self.hands.players

    @property
    def seed(self) -> int | None:
        return self.hands.seed

    def table(self, first: int, count: int, _: Workers | None = None) -> HandTable:
        return self.hands[first - 1 : first - 1 + count]


_Dealer: TypeAlias = HandDealer | _DealtHands


def _read_table(seats: Sequence[Any], has_others: bool, hands: int) -> _DealtHands:
    """Take the table that is the only one of `seats`."""
    if len(seats) > 1 or has_others or hands not in (_DEFAULT_HANDS, len(seats[0])):
        raise HoldemTypeError(
            "a table is written as it is, without other arguments about dealing, as in"
            " write_hands(path, table); table[:100] has the first hundred hands"
        )
    return _DealtHands(seats[0])


def _require_new(file: Path, overwrite: bool) -> None:
    if not overwrite and file.exists():
        raise HandFileError(
            f"{one_line(str(file))} exists already: choose another name, or replace it with"
            " overwrite=True (on the command line: --force)"
        )


def _write_played(file: Path, given: Sequence[Any], overwrite: bool, progress: bool) -> int:
    """Write played hands as PHH, one after the other, and return their number."""
    is_single = file.suffix.lower() == ".phh"
    if len(given) != 1 or isinstance(given[0], str) or not is_iterable(given[0]):
        raise HoldemTypeError(
            f"{quoted(file.name)} is a file of played hands, as in write_hands({file.name!r},"
            " [game.hand]); for hands that are only dealt, write .csv, .jsonl or .parquet"
        )
    number = 0
    total = len(given[0]) if isinstance(given[0], Sized) else None
    with (
        _file_errors(file),
        atomic_file(file, replaces=overwrite) as new,
        new.open("w", encoding="utf-8", newline="") as stream,
        progress_bar(progress, "hands", total) as bar,
    ):
        for number, hand in enumerate(given[0], 1):
            if not hasattr(hand, "to_phh"):
                raise HoldemTypeError(
                    f"hand {number}: expected a played hand, such as game.hand, not {quoted(hand)}"
                )
            if is_single and number > 1:
                raise HoldemValueError("a file .phh has a single hand; several need .phhs")
            try:
                text = hand.to_phh()
            except HoldemValueError as error:
                raise HoldemValueError(f"hand {number}: {error}") from None
            stream.write(f"{text}\n" if is_single else f"[{number}]\n{text}\n\n")
            bar.update()
        if is_single and not number:
            raise HoldemValueError("a file .phh has a hand, and none was given")
    return number


def print_hands(
    stream: TextIO,
    form: str,
    *seats: str | Range,
    hands: int,
    workers: int | None,
    progress: bool,
    **options: Any,
) -> None:
    """Deal hands and write them to a text stream, which stays open, one hand per line.

    The form is ``"jsonl"``, or ``"csv"`` for a header and a CSV row per hand. `seats` and `options`
    (`players`, `seed`, `evaluator`, `board` and `dead`) are as for `write_hands`.
    """
    hands = checked_hand_count(hands)
    dealer = HandDealer(seats, **options)
    dealer.warm_up()
    threads = count_workers(workers)
    run(StreamWriting(dealer, hands, stream, form), threads, progress=progress)


def find_format(path: Path) -> str:
    """Determine the format of a file from its extension: jsonl, csv or parquet."""
    form = path.suffix[1:].lower()
    if form not in FORMATS:
        endings = " or ".join(", ".join(f".{known}" for known in FORMATS).rsplit(", ", 1))
        raise HoldemValueError(
            f"the name of a file of hands must end in {endings}, that of played hands in .phhs or"
            f" .phh; {quoted(path.name)} does not"
        )
    return form


def format_jsonl(table: HandTable) -> str:
    """Format each hand as a line of JSON: the text of ``json.dumps(hand.to_dict())``."""
    seat_object = '{"hole": [%s], "category": "%s", "class": %d, "best": [%s]}'
    seats = ", ".join([seat_object] * table.players)
    label = json.dumps(table.evaluator.to_dict()).replace("%", "%%")
    seed, plays = json.dumps(table.seed), ' "plays": [%s],' * table.has_folds
    line = (
        f'{{"hand": %d, "seed": {seed}, "seats": [{seats}], "burns": [%s], "board": [%s],'
        f' "winners": [%s],{plays} "evaluator": {label}}}\n'
    )
    columns = [
        table.number.tolist(),
        *_format_seats(table, _QUOTED, 2),
        _format_cards(table.burns, _QUOTED, 2),
        _format_cards(table.board, _QUOTED, 2),
        _format_seat_numbers(table.winners, ", "),
        *([_format_seat_numbers(table.plays, ", ")] if table.has_folds else []),
    ]
    return "".join([line % row for row in zip(*columns, strict=True)])


def name_columns(players: int, *, has_folds: bool = False) -> list[str]:
    """List the column names of CSV and Parquet files of hands."""
    names = ["hand", "seed", "board", "burns", "winners", *(["plays"] if has_folds else [])]
    for seat in range(players):
        names += [f"seat{seat}_{column}" for column in ("hole", "category", "class", "best")]
    return [*names, "evaluator"]


def list_columns(table: HandTable) -> Iterator[tuple[str, str, Sequence[Any]]]:
    """Yield each column of a CSV file of hands: its name, its type and its value for each hand.

    The type, for data frames, is ``"int64"``, ``"string"`` or ``"category"``. Hole cards are text
    such as ``AsKd``, other cards are text such as ``As Kd``, and winners and plays are text such as
    ``0 3``.
    """
    seed_type = "int64" if table.seed is not None else "Int64"
    types = ["int64", seed_type, "string", "string", "string", *["string"] * table.has_folds]
    types += ["string", "category", "int64", "string"] * table.players + ["string"]
    values = [
        table.number.tolist(),
        [table.seed] * len(table),
        _format_cards(table.board, _SPACED, 1),
        _format_cards(table.burns, _SPACED, 1),
        _format_seat_numbers(table.winners, " "),
        *([_format_seat_numbers(table.plays, " ")] if table.has_folds else []),
        *_format_seats(table, _SPACED, 1, hole=(_CARD_TEXTS, 0)),
        [table.evaluator.name] * len(table),
    ]
    names = name_columns(table.players, has_folds=table.has_folds)
    yield from zip(names, types, values, strict=True)


def format_csv(table: HandTable) -> str:
    """Format each hand as a row of CSV, ended by a newline; there is no header."""
    # No field needs quotes: names of evaluators and categories have neither commas nor quotes.
    seed = "" if table.seed is None else str(table.seed)
    same = {"seed": seed, "evaluator": table.evaluator.name}  # in each line
    names = name_columns(table.players, has_folds=table.has_folds)
    line = ",".join([same.get(name, "%s") for name in names]) + "\n"
    columns = [values for name, _, values in list_columns(table) if name not in same]
    return "".join([line % row for row in zip(*columns, strict=True)])


def _encode_characters(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Encode strings of equal length as an array of ASCII codes, ``uint8 (string, character)``."""
    return np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8).reshape(len(texts), -1)


# The columns with few distinct values, by the ends of their names.
_REPEATED = ("seed", "category", "class", "evaluator")

#: The text of each card, ``uint8 (52, 2)``.
_CARD_TEXTS = _encode_characters([str(card) for card in DECK])
_SPACED = _encode_characters([f"{text} " for text in DECK])
_QUOTED = _encode_characters([f'"{text}", ' for text in DECK])


def _format_cards(
    cards: SignedCards, texts: NDArray[np.uint8] = _CARD_TEXTS, cut: int = 0
) -> list[str]:
    """Format each row of card ids ``int8 (row, card)`` as a string, by joining the texts of cards.

    `texts` has the 52 cards, such as ``"As "`` with a separator, in ASCII codes, ``uint8 (52,
    character)``. `cut` characters, a separator, are omitted at the end of each string.
    """
    joined = texts[cards].tobytes().decode("ascii")
    width = cards.shape[1] * texts.shape[1]
    return [joined[start : start + width - cut] for start in range(0, len(joined), width)]


def _format_seats(
    table: HandTable, texts: NDArray[np.uint8], cut: int, hole: tuple[Any, int] | None = None
) -> Iterator[Sequence[Any]]:
    """Yield four columns for each seat: hole cards, category, class and best five cards.

    A column has a value for each hand: the class is a number, the others are text. `texts` and
    `cut` are as for `_format_cards`; `hole` are those for hole cards, if they differ.
    """
    names = table.categories
    for seat in range(table.players):
        yield _format_cards(table.hole[:, seat], *(hole or (texts, cut)))
        yield [names[category] for category in table.category()[:, seat].tolist()]
        yield table.rank_class()[:, seat].tolist()
        yield _format_cards(table.best[:, seat], texts, cut)


def _format_seat_numbers(mask: NDArray[np.bool_], separator: str) -> list[str]:
    """Format the seats in each row of a mask ``(hand, player)`` as a string, such as ``"0, 3"``."""
    players = mask.shape[1]
    rows = (mask @ (1 << np.arange(players))).tolist()
    texts = {
        seats: separator.join(str(seat) for seat in range(players) if seats >> seat & 1)
        for seats in set(rows)
    }
    return [texts[seats] for seats in rows]


def _make_seat_column(mask: NDArray[np.bool_]) -> Any:
    """Convert a mask ``(hand, player)`` to an Arrow array of lists of seat numbers."""
    import pyarrow as pa

    seats = np.nonzero(mask)[1].astype(np.int8)
    starts = np.concatenate([[0], np.cumsum(mask.sum(axis=1))]).astype(np.int32)
    return pa.ListArray.from_arrays(starts, seats)


def _make_record_batch(table: HandTable) -> Any:
    """Convert a table of hands to an Arrow record batch with the columns of `name_columns`.

    ``hand`` and ``seed`` are int64, and ``winners`` and ``plays`` are lists of int8 seat numbers.
    For each seat, the class is int16, the cards are strings, and the category is a
    dictionary-encoded string, as is ``evaluator``.
    """
    import pyarrow as pa

    count = len(table)
    columns = [
        pa.array(table.number),
        pa.nulls(count, pa.int64()) if table.seed is None else pa.array(np.full(count, table.seed)),
        _make_card_column(table.board, _SPACED, 1),
        _make_card_column(table.burns, _SPACED, 1),
        _make_seat_column(table.winners),
        *([_make_seat_column(table.plays)] if table.has_folds else []),
    ]
    for seat in range(table.players):
        columns += [
            _make_card_column(table.hole[:, seat], _CARD_TEXTS, 0),
            _make_name_column(table.category()[:, seat], table.categories),
            pa.array(table.rank_class()[:, seat]),
            _make_card_column(table.best[:, seat], _SPACED, 1),
        ]
    columns.append(_make_name_column(np.zeros(count), (table.evaluator.name,)))
    names = name_columns(table.players, has_folds=table.has_folds)
    return pa.record_batch(columns, names=names)


def _make_name_column(indices: Any, names: tuple[str, ...]) -> Any:
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(indices.astype(np.int8), list(names))


def _make_card_column(cards: SignedCards, texts: NDArray[np.uint8], cut: int) -> Any:
    """Format each row of card ids as a string, like `_format_cards`; return an Arrow array."""
    import pyarrow as pa

    characters = texts[cards].reshape(len(cards), cards.shape[1] * texts.shape[1])
    text = np.ascontiguousarray(characters[:, : characters.shape[1] - cut])
    width = text.shape[1]
    starts = np.arange(0, width * len(cards) + 1, width, dtype=np.int32)
    return pa.StringArray.from_buffers(len(cards), pa.py_buffer(starts), pa.py_buffer(text))


def _make_table(dealer: _Dealer, first: int, count: int, workers: Workers) -> HandTable:
    """Deal `count` hands from number `first` on, and compute all that is written of them."""
    table = dealer.table(first, count, workers)
    _ = table.category(), table.rank_class(), table.best, table.winners
    return table


class HandWriting(Job[HandTable, None]):
    """Base class of the jobs that deal hands in threads and write them to an output in order."""

    unit = "hands"
    total: int

    def __init__(self, dealer: _Dealer, hands: int) -> None:
        self.total = hands
        self._dealer = dealer
        self._added = 0

    def tasks(self) -> Iterator[Task[HandTable]]:
        for first in range(1, self.total + 1, HANDS_PER_TABLE):
            count = min(HANDS_PER_TABLE, self.total - first + 1)
            yield Task(partial(_make_table, self._dealer, first, count), count)

    def add(self, part: HandTable) -> bool:
        """Write the next table of hands, and finish the output after the last one.

        If Ctrl-C interrupts this method, `partial_answer` finishes the output.
        """
        self._write(part)
        self._added += len(part)
        is_last = self._added >= self.total
        if is_last:
            self._finish()
        return is_last

    def answer(self, end: End) -> None:
        """Return None, because all hands have been written."""

    def partial_answer(self) -> int:
        """Finish the output after Ctrl-C, and return the number of hands written."""
        return self._finish()

    @abstractmethod
    def _write(self, table: HandTable) -> None:
        """Write the next table of hands."""

    @abstractmethod
    def _finish(self) -> int:
        """Finish the output, and return the number of hands in it.

        This method may be called again, also after Ctrl-C has interrupted it or `_write`.
        """


class StreamWriting(HandWriting):
    """Job that writes hands to a text stream, one hand per line."""

    def __init__(self, dealer: _Dealer, hands: int, stream: TextIO, form: str) -> None:
        """Prepare the job, and write the header if the form, ``"jsonl"`` or ``"csv"``, is CSV."""
        super().__init__(dealer, hands)
        self._stream = stream
        self._format = format_jsonl if form == "jsonl" else format_csv
        has_folds = dealer.table(1, 0).has_folds
        names = name_columns(dealer.players, has_folds=has_folds)
        header = ",".join(names) + "\n" if form == "csv" else ""
        self._written = (0, len(header))  # hands, and characters up to the end of the last one
        stream.write(header)

    def _write(self, table: HandTable) -> None:
        lines = self._format(table)
        self._stream.write(lines)
        hands, size = self._written
        # One assignment, so that Ctrl-C never separates the two numbers.
        self._written = (hands + len(table), size + len(lines))

    def _finish(self) -> int:
        return self._written[0]


class FileWriting(StreamWriting):
    """Job that writes hands to a text file, one hand per line, and closes the file."""

    def _finish(self) -> int:
        """Remove any incomplete table from the end of the file, and close the file."""
        hands, size = self._written
        if not self._stream.closed:
            with self._stream as file:
                if file.seekable() and file.tell() > size:
                    file.truncate(size)
        return hands


class ParquetWriting(HandWriting):
    """Job that writes hands to a Parquet file, `TABLES_PER_GROUP` tables to a row group."""

    def __init__(self, dealer: _Dealer, hands: int, writer: Any) -> None:
        super().__init__(dealer, hands)
        self._writer = writer
        self._waiting: list[Any] = []

    def _write(self, table: HandTable) -> None:
        """Collect the next table; once there are enough for a row group, write the group."""
        self._waiting.append(_make_record_batch(table))
        if len(self._waiting) == TABLES_PER_GROUP:
            self._flush()

    def _finish(self) -> int:
        """Write the tables that were collected for a row group, and close the file."""
        if self._writer.is_open:
            self._flush()
            self._writer.close()
        return int(self._writer.writer.metadata.num_rows)

    def _flush(self) -> None:
        import pyarrow as pa

        if self._waiting:
            group = pa.Table.from_batches(self._waiting)
            self._waiting = []  # before writing, so that Ctrl-C never leads to writing it twice
            self._writer.write_table(group, row_group_size=len(group))


@contextmanager
def _open(path: Path, form: str, dealer: _Dealer, hands: int) -> Iterator[HandWriting]:
    """Create a file of hands for the job that writes it; close it at the end of the ``with``."""
    if form == "parquet":
        import_package("pyarrow.parquet", "Parquet needs pyarrow")
        from pyarrow.parquet import ParquetWriter

        schema = _make_record_batch(dealer.table(1, 1)).schema
        # Of cards there are too many to gain from a dictionary, which takes a third of the time.
        repeated = [own for own in schema.names if own.endswith(_REPEATED)]
        with ParquetWriter(path, schema, compression="zstd", use_dictionary=repeated) as writer:
            yield ParquetWriting(dealer, hands, writer)
    else:
        with path.open("w", encoding="ascii", newline="") as stream:
            yield FileWriting(dealer, hands, stream, form)


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    """Convert an `OSError` in a ``with`` statement to a `HandFileError` that names `path`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if not path.parent.is_dir():
            reason += f"; there is no directory {path.parent}: make it first, or write elsewhere"
        raised = HandFileError(one_line(f"{path} cannot be written: {reason}"))
        raised.errno = error.errno
        raise raised from error
