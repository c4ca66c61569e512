"""The store of a study: an SQLite file with the finished work, which one process at a time owns.

The file is valid at any time. Everything is written in transactions, with a rollback journal rather
than a write-ahead log. So all committed data are in one file that can be copied or moved, and
readers need not write. If a process is killed during a commit, the next process that opens the file
rolls the transaction back.

The owner is the process that holds SQLite's write lock. It takes the lock again after every commit.
The lock ends with the process, so that neither a reused process id nor a machine that was
switched off can block a store. The process id is recorded for error messages. Readers are never
blocked for long.

The deals of a sampled spot are stored as tallies (`holdem.odds.tally`) in JSON. A row has the tally
of several consecutive blocks of deals, because a row for each block would take gigabytes per hour.
Each row has a digest, and each spot has the number of its blocks and deals, so that damage to any
part of the file is detected.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import sqlite3
import time as clock
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_path
from holdem.dealing.seeds import resolve_seed
from holdem.errors import StoreError, one_line, quoted
from holdem.odds.result import Stop
from holdem.odds.sampling.sampler import STREAM
from holdem.odds.tally import deals_in, tally_of_record, tally_record, tally_size
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem.trials.studies.study import Study, StudySpot

#: The application id of the SQLite file: "hold" in ASCII.
APPLICATION = 0x686F6C64
#: The version of the tables.
SCHEMA = 4

TABLES = (
    """CREATE TABLE header (
    name TEXT PRIMARY KEY,      -- 'run': versions, stream, seed, number of spots; 'owner': who runs
    content TEXT NOT NULL,      -- JSON
    digest TEXT NOT NULL
)""",
    """CREATE TABLE spots (
    number INTEGER PRIMARY KEY, -- from 0 on, in the order of the study
    asked TEXT NOT NULL,        -- JSON: the spot, the method, the bounds
    blocks INTEGER NOT NULL,    -- finished ones, from block 0 on without a gap
    deals INTEGER NOT NULL,     -- in them
    elapsed REAL NOT NULL,      -- seconds, of all sessions
    stop TEXT,                  -- why it ended; NULL while it has not
    answer TEXT,                -- JSON: of an exact spot, once it has ended
    digest TEXT NOT NULL
)""",
    """CREATE TABLE blocks (
    spot INTEGER NOT NULL,
    first INTEGER NOT NULL,     -- the number of the first block
    blocks INTEGER NOT NULL,    -- how many blocks are counted together
    deals INTEGER NOT NULL,
    counts TEXT NOT NULL,       -- JSON: a tally: set of winners (a bit for each player) -> deals,
                                -- then the account of deals that share holes
    digest TEXT NOT NULL,
    PRIMARY KEY (spot, first)
) WITHOUT ROWID""",
)

_TIMEOUT_MS = 60_000  # how long a reader may delay a commit
_TRIES, _PAUSE = 4, 0.05  # retries while the lock is free but has an owner


@attrs.frozen(eq=False)
class StoredSpot:
    """A spot of a study, and the state of its computation."""

    spot: StudySpot
    counts: NDArray[np.int64] = attrs.field()
    """The tally (`holdem.odds.tally`) of the finished blocks of deals, ``int64 (size,)``; zeros by
    default."""
    blocks: int = 0
    """The number of finished blocks of deals; a last one that a limit cut short counts."""
    elapsed: float = 0.0
    """The time spent on the spot in all runs, in seconds."""
    stop: Stop | None = None
    """Why the spot is finished; None if it is not."""
    answer: dict[str, Any] | None = None
    """The result of an exact computation, as from `EquityResult.to_dict`; None if the spot is
    sampled or not finished."""

    @counts.default
    def _make_empty_tally(self) -> NDArray[np.int64]:
        return np.zeros(tally_size(len(self.spot.players)), dtype=np.int64)

    @property
    def deals(self) -> int:
        """The number of deals sampled so far."""
        return deals_in(self.counts)


@attrs.frozen
class StoredStudy:
    """The content of a study's store: a record of the run, and the spots."""

    run: dict[str, Any]
    """The record of the run, with the keys ``holdem`` (its version), ``evaluators`` (distribution
    and version by name), ``plugins`` (digests of the plugin files that were given, by name),
    ``stream`` (the version of the random stream), ``spots`` (their number) and ``seed`` (the seed
    that was drawn for the spots without one; None if all have one)."""
    spots: Iterator[StoredSpot]
    """The spots in the order of the study. Each is read from the file and validated when the
    iterator reaches it."""


class Store:
    """The open store of a study, to which this process, its owner, writes the spots' progress.

    Only one thread may use it.
    """

    def __init__(
        self, path: str | os.PathLike[str], study: Study, versions: dict[str, Any]
    ) -> None:
        """Open a store, or create it if the file does not exist.

        Spots without a seed get the seed of the store, which is drawn when it is created.
        `versions` are those of `versions_of` and, under the key ``plugins``, the digests of the
        plugin files that were given, by name. A store with other versions is refused.
        """
        path = checked_path(path, "a store")
        self.path = one_line(path) or quoted(path)  # as shown in messages
        # Spots that are partly computed, and finished ones that are not written yet, by number.
        self._in_work: dict[int, StoredSpot] = {}
        with store_errors(self.path):
            # To SQLite, the paths "" and ":memory:" are databases that are lost at the end.
            self._db = sqlite3.connect(os.path.abspath(path), timeout=0, isolation_level=None)
            try:
                self._lock()
                self._open(study, versions)
                self._db.execute("PRAGMA cache_spill = OFF")  # write to the file only at a commit
            except BaseException:
                self._db.close()
                raise
        self._committed = dict(self._in_work)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def unfinished(self) -> list[int]:
        """The indices, in the study, of the spots that are not finished."""
        numbers: list[int] = np.flatnonzero(~self.is_finished).tolist()
        return numbers

    def spot(self, number: int) -> StoredSpot:
        return self._in_work.get(number) or self._untouched(number)

    def _untouched(self, number: int) -> StoredSpot:
        return StoredSpot(self.study.spots[number])

    def read(self) -> StoredStudy:
        """Write all pending changes to disk, and return the content of the store.

        Its spots must be read before the store is closed.
        """
        self.flush()
        return StoredStudy(self._run, read_spots(self._db, self.path, self._run))

    def put(self, number: int, spot: StoredSpot) -> None:
        """Replace the state of an unfinished spot in memory; `flush` writes it to disk.

        The tally of the new state includes all deals of the state that it replaces.
        """
        self._in_work[number] = spot
        self.is_finished[number] = spot.stop is not None

    def flush(self) -> None:
        """Write all states that were put and not written yet to disk, in one transaction."""
        now = dict(self._in_work)
        changed = [n for n, spot in now.items() if spot is not self._committed.get(n)]
        if not changed:
            return
        with store_errors(self.path):
            # After Ctrl-C in an earlier call there may be no transaction, or one that holds some
            # of these rows, which are written again.
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            for number in changed:
                before, spot = self._committed.get(number) or self._untouched(number), now[number]
                if spot.blocks > before.blocks:
                    counts, added = spot.counts - before.counts, spot.blocks - before.blocks
                    row = before.blocks, added, deals_in(counts), json.dumps(tally_record(counts))
                    self._write_row("blocks", number, *row)
                self._write_spot(number, spot)
            self._commit()
            self._committed = now
        for number in changed:
            if now[number].stop is not None:
                del self._in_work[number]

    def close(self) -> None:
        """Write all pending changes, remove the record of the owner, and close the file."""
        try:
            self.flush()
            with store_errors(self.path):
                self._db.execute("DELETE FROM header WHERE name = 'owner'")
                self._db.execute("COMMIT")
        finally:
            self._db.close()

    def _lock(self) -> None:
        """Acquire SQLite's write lock, which makes this process the owner of the store.

        Between a commit and the next transaction, an owner has no lock for some microseconds. So
        if this process gets the lock while another owner is recorded, it releases the lock and
        tries again. If the lock is free every time, the recorded owner was killed.
        """
        for tries_left in reversed(range(_TRIES)):
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY":
                    raise
                raise StoreError(_describe_owner(self.path, self._recorded_owner())) from error
            if not tries_left or self._recorded_owner() is None:
                break
            self._db.execute("ROLLBACK")
            clock.sleep(_PAUSE)
        self._db.execute(f"PRAGMA busy_timeout = {_TIMEOUT_MS}")

    def _recorded_owner(self) -> dict[str, Any] | None:
        with suppress(sqlite3.OperationalError, ValueError):  # no table yet, or damaged
            return read_header(self._db, "owner")
        return None

    def _open(self, study: Study, versions: dict[str, Any]) -> None:
        """Create the tables, or read and validate existing ones; record this process as owner."""
        count = len(study.spots)
        # Of each spot: its deals in the store when it was opened, and whether it is finished.
        self.deals = np.zeros(count, dtype=np.int64)
        self.is_finished = np.zeros(count, dtype=np.bool_)
        run = read_run(self._db, self.path)
        if run is not None:
            self._run = run
            _check_versions(self.path, run, versions)
            self.study = study.with_seed(run["seed"])
            self._resume()
            plugins = _plugins_of(run)
            run["plugins"] = {**plugins, **_plugins_of(versions)}
            if run["plugins"] != plugins:
                self._write_row("header", "run", json.dumps(run))
        else:
            seed = resolve_seed(None) if study.lacks_seed else None
            self._run = {**versions, "stream": STREAM, "seed": seed, "spots": count}
            self.study = study.with_seed(seed)
            for statement in TABLES:
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            self._write_row("header", "run", json.dumps(self._run))
            for number in range(count):
                self._write_spot(number, self._untouched(number))
        owner = {"pid": os.getpid(), "host": platform.node()}
        self._write_row("header", "owner", json.dumps(owner))
        self._commit()

    def _resume(self) -> None:
        """Load the states of the spots from the file."""
        spots = zip(read_spots(self._db, self.path, self._run), self.study.spots, strict=False)
        for number, (stored, asked) in enumerate(spots):
            _check_spot(self.path, number, stored.spot, asked)
            self.deals[number] = stored.deals
            self.is_finished[number] = stored.stop is not None
            if stored.stop is None and (stored.blocks or stored.elapsed):
                self._in_work[number] = stored
        there, here = self._run["spots"], len(self.study.spots)
        if there != here:
            raise _other_study(self.path, f"it has {there} spots there and {here} here")

    def _commit(self) -> None:
        self._db.execute("COMMIT")
        self._db.execute("BEGIN IMMEDIATE")

    def _write_spot(self, number: int, spot: StoredSpot) -> None:
        record = json.dumps(spot.spot.to_dict())
        answer = None if spot.answer is None else json.dumps(spot.answer)
        row = (number, record, spot.blocks, spot.deals, spot.elapsed, spot.stop, answer)
        self._write_row("spots", *row)

    def _write_row(self, table: str, *fields: Any) -> None:
        row = (*fields, digest_row(*fields))
        values = ", ".join("?" * len(row))
        self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({values})", row)  # noqa: S608


@contextmanager
def read_store(path: str | os.PathLike[str]) -> Iterator[StoredStudy]:
    """Open a store within a ``with`` statement, to read it even while a run is in progress.

    Its spots can be read until the end of the statement.
    """
    path = checked_path(path, "a store")
    shown = one_line(path)
    if not os.path.isfile(path):
        raise StoreError(
            f"there is no store {shown}: `holdem run STUDY.toml --store FILE` creates one"
        )
    with store_errors(shown):
        # Writable if possible, so that a transaction of a killed run can be rolled back.
        mode = "rw" if os.access(path, os.W_OK) else "ro"
        address = f"{Path(path).absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(
            address, uri=True, timeout=_TIMEOUT_MS / 1000, isolation_level=None
        )
        with closing(connection) as db:
            db.execute("BEGIN")
            run = read_run(db, shown)
            if run is None:
                raise StoreError(f"{shown} is empty: no run has begun with it")
            yield StoredStudy(run, read_spots(db, shown, run))


def _describe_owner(path: str, owner: Mapping[str, Any] | None) -> str:
    if owner is None:
        return f"{path} is in use by another process"
    where = "" if owner["host"] == platform.node() else f" on {one_line(str(owner['host']))}"
    return f"{path} is in use by process {owner['pid']}{where}: wait for it, or end it"


def _check_versions(path: str, run: Mapping[str, Any], versions: Mapping[str, Any]) -> None:
    """Raise `StoreError` if a store was made with other versions than those of this process.

    An evaluator or plugin that only one of the two has is no difference.
    """
    if run["holdem"] != versions["holdem"]:
        raise StoreError(
            f"{path} was created by holdem {run['holdem']}, and this is holdem"
            f" {versions['holdem']}: use the version that created it, or another file"
        )
    for name, theirs in run["evaluators"].items():
        ours = versions["evaluators"].get(name, theirs)  # absent if this study does not use it
        if ours != theirs:
            raise StoreError(
                f"{path} was created with evaluator {name!r} of {' '.join(theirs)}, and this is"
                f" {' '.join(ours)}: use the version that created it, or another file"
            )
    given = _plugins_of(versions)  # it lacks those that are not given now
    for name, theirs in _plugins_of(run).items():
        if (ours := given.get(name, theirs)) != theirs:
            raise StoreError(
                f"{path} was computed with the plugin {quoted(name)} {theirs}, and the file has"
                f" changed since: now it is {ours}; give the file as it was, or use another store"
            )


def _plugins_of(run: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of plugin files by name, of a store or of this process."""
    found: dict[str, str] = run.get("plugins", {})  # old stores have none
    return found


def _check_spot(path: str, number: int, there: StudySpot, here: StudySpot) -> None:
    """Raise `StoreError` if a stored spot differs from the spot in the study; name a difference."""
    if there == here:
        return
    theirs, ours = there.to_dict(), here.to_dict()
    # What derives from the rest comes last.
    for key in sorted(theirs, key=("matchups", "name").__contains__):
        if theirs[key] != ours[key]:
            values = f"{_format_value(theirs[key])} there and {_format_value(ours[key])} here"
            raise _other_study(path, f"spot {number + 1} has {key} {values}")


def _other_study(path: str, difference: str) -> StoreError:
    return StoreError(f"{path} belongs to another study: {difference}; use another file")


def _format_value(value: Any) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return "none" if value is None or not text else one_line(text, 60)


def digest_row(*fields: Any) -> str:
    """Compute a digest of a row's other fields, which is stored in the row to detect damage."""
    return hashlib.blake2b(json.dumps(fields).encode(), digest_size=12).hexdigest()


def read_run(db: sqlite3.Connection, path: str) -> dict[str, Any] | None:
    """Check that a database is an undamaged store, and read the record of its run.

    The record is that of `StoredStudy.run`, or None if the database is empty. The spots are not
    validated.
    """
    application, schema, tables = (
        db.execute(query).fetchone()[0]
        for query in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_master",
        )
    )
    if (application, schema, tables) == (0, 0, 0):
        return None
    if application != APPLICATION:
        raise StoreError(f"{path} is an SQLite file, but not a holdem store")
    if schema != SCHEMA:
        raise StoreError(
            f"{path} has tables of version {schema}, and this holdem reads version {SCHEMA}:"
            " use the version of holdem that created it"
        )
    with damage_errors(path):
        for (problem,) in db.execute("PRAGMA quick_check(1)"):
            if problem != "ok":
                raise ValueError(problem)
        run = read_header(db, "run")
        if run is None:
            raise ValueError("the header is missing")
        if (stream := run.get("stream", 1)) != STREAM:  # the first stream was not recorded
            raise StoreError(
                f"{path} has deals of random stream {stream}, and this holdem draws stream"
                f" {STREAM}: use the version of holdem that created it, {run['holdem']}, or"
                " another file"
            )
        for name, (distribution, version) in run["evaluators"].items():
            if not isinstance(distribution, str) or not isinstance(version, str):
                raise ValueError(f"the header has no version of evaluator {name}")
        for name, digest in _plugins_of(run).items():
            if not isinstance(digest, str):
                raise ValueError(f"the header has no digest of plugin {name}")
        run["spots"] = int(run["spots"])
        return run


def read_header(db: sqlite3.Connection, name: str) -> dict[str, Any] | None:
    """Read the record ``"run"`` or ``"owner"`` of the header table; None if there is none."""
    row = db.execute("SELECT content, digest FROM header WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None
    if digest_row(name, row[0]) != row[1]:
        raise ValueError(f"the header {name!r} has a wrong digest")
    record = json.loads(row[0])
    if not isinstance(record, dict):
        raise ValueError(f"the header {name!r} is not an object")
    return record


def read_spots(db: sqlite3.Connection, path: str, run: dict[str, Any]) -> Iterator[StoredSpot]:
    """Read and validate the spots of a store in order, within the caller's transaction."""
    with store_errors(path), damage_errors(path):
        count = rows = 0
        for row in db.execute("SELECT * FROM spots ORDER BY number"):
            spot, deals = _read_spot(row, count)
            reached = 0
            if spot.blocks:
                query = "SELECT * FROM blocks WHERE spot = ? ORDER BY first"
                for blocks in db.execute(query, (count,)):
                    spot.counts[:] += _read_blocks(blocks, reached, len(spot.spot.players))
                    reached += blocks[2]
                    rows += 1
            if (spot.blocks, spot.deals) != (reached, deals):
                raise ValueError(f"blocks of spot {count + 1} are missing")
            yield spot
            count += 1
        if count != run["spots"]:
            raise ValueError(f"{run['spots'] - count} of {run['spots']} spots are missing")
        if rows != db.execute("SELECT count(*) FROM blocks").fetchone()[0]:
            raise ValueError("there are blocks of a spot that is missing")


def _read_spot(row: Sequence[Any], number: int) -> tuple[StoredSpot, int]:
    """Decode a row of the spots table, which should have the spot with the index `number`.

    The tally of the spot is all zeros, and has to be added up from the blocks table; it should then
    have the returned number of deals.
    """
    found, record, blocks, deals, elapsed, stop, answer, digest = row
    if found != number or digest_row(*row[:-1]) != digest:
        raise ValueError(f"spot {number + 1} is missing or has a wrong digest")
    spot = StudySpot.from_dict(json.loads(record))
    if not MIN_PLAYERS <= len(spot.players) <= MAX_PLAYERS:
        raise ValueError(f"spot {number + 1} has {len(spot.players)} players")
    result = None if answer is None else json.loads(answer)
    stored = StoredSpot(spot, blocks=blocks, elapsed=elapsed, stop=stop, answer=result)
    return stored, deals


def _read_blocks(row: Sequence[Any], first: int, players: int) -> NDArray[np.int64]:
    """Decode a row of the blocks table: the tally of consecutive blocks of a spot, ``(size,)``.

    `first` is the number of the block with which the row should begin.
    """
    spot, found, _, deals, counts, digest = row
    if found != first or digest_row(*row[:-1]) != digest:
        raise ValueError(f"block {found} of spot {spot + 1} is missing or has a wrong digest")
    tally = tally_of_record(json.loads(counts), players)
    if deals_in(tally) != deals:
        raise ValueError(f"block {found} of spot {spot + 1} has a wrong sum")
    return tally


@contextmanager
def damage_errors(path: str) -> Iterator[None]:
    """Convert errors from damaged records that a ``with`` statement decodes to `StoreError`."""
    try:
        yield
    except (
        *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
        ValueError,
    ) as error:
        raise make_damage_error(path, error) from error


def make_damage_error(path: str, error: Exception) -> StoreError:
    return StoreError(
        f"{path} is damaged ({one_line(str(error), 120)}): restore a copy of it, or begin again"
        " with another file"
    )


@contextmanager
def store_errors(path: str) -> Iterator[None]:
    """Convert SQLite errors in a ``with`` statement to `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        reason = one_line(str(error), 120)
        if name == "SQLITE_NOTADB":
            raise StoreError(
                f"{path} is not a holdem store: it is not an SQLite file; a store is the file"
                " that holdem run has after --store"
            ) from error
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
            raise StoreError(f"{path} cannot be opened for writing: {reason}") from error
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            raised = StoreError(
                f"{path} cannot be written: {reason}; what was stored before is still there"
            )
            raised.errno = errno.ENOSPC if name == "SQLITE_FULL" else errno.EIO
            raise raised from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreError(f"{path} is in use: {reason}; try again") from error
        raise make_damage_error(path, error) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes the file
        raise make_damage_error(path, error) from error
