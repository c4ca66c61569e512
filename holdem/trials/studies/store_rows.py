"""Definition of the tables in a study's store, and reading and validation of their rows.

A store is one SQLite file. Counts are JSON, with one row for several consecutive blocks of a spot:
a row per block would take gigabytes per hour. Each row has a digest, and each spot has its number
of blocks and deals, so that damage to any part of the file is detected.
"""

from __future__ import annotations

import errno
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import StoreError, one_line
from holdem.odds.result import Stop
from holdem.odds.tally import deals_in, tally_of_record, tally_size
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem.trials.studies.study import StudySpot

#: The application id of the SQLite file: "hold" in ASCII.
APPLICATION = 0x686F6C64
#: The version of the tables and of the random streams. A store of another version cannot be
#: resumed, because the remaining deals would not be those of its seed.
SCHEMA = 4

TABLES = (
    """CREATE TABLE header (
    name TEXT PRIMARY KEY,      -- 'run': versions, seed drawn, number of spots; 'owner': who runs
    content TEXT NOT NULL,      -- JSON
    digest TEXT NOT NULL
)""",
    """CREATE TABLE spots (
    number INTEGER PRIMARY KEY, -- from 0 on, in the order of the study
    asked TEXT NOT NULL,        -- JSON: the question, the method, the bounds
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


@attrs.frozen(eq=False)
class StoredSpot:
    """A spot of a study, and the state of its computation."""

    spot: StudySpot
    counts: NDArray[np.int64]
    """The tally of the finished blocks, ``int64 (size,)``."""
    blocks: int = 0
    """The number of finished blocks."""
    elapsed: float = 0.0
    """Seconds, over all sessions."""
    stop: Stop | None = None
    """Why the computation ended; None if it has not."""
    answer: dict[str, Any] | None = None
    """The result as a record, if it is exact and finished."""

    @property
    def deals(self) -> int:
        """The number of deals sampled so far."""
        return deals_in(self.counts)


@attrs.frozen
class StoredStudy:
    """The content of a study's store: versions, seed and spots."""

    run: dict[str, Any]
    """The versions of holdem and the evaluators, and the seed that was drawn, if any."""
    spots: list[StoredSpot]


def empty_tally(players: int) -> NDArray[np.int64]:
    """Return a tally of no deals, ``int64 (size,)``."""
    return np.zeros(tally_size(players), dtype=np.int64)


def row_digest(*fields: Any) -> str:
    """Return a digest of a row's fields, by which damage to the row is detected."""
    return hashlib.blake2b(json.dumps(fields).encode(), digest_size=12).hexdigest()


def check_format(db: sqlite3.Connection, path: str) -> bool:
    """Return True for an SQLite file that is a store and False for an empty one; raise `StoreError`
    for any other.

    Raises:
        StoreError: another kind of file, or tables of another version.
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
        return False
    if application != APPLICATION:
        raise StoreError(f"{path} is an SQLite file, but not a holdem store")
    if schema != SCHEMA:
        raise StoreError(
            f"{path} has tables of version {schema}, and this holdem reads version {SCHEMA}:"
            " use the version of holdem that created it"
        )
    return True


def read_rows(db: sqlite3.Connection, path: str) -> StoredStudy:
    """Read and validate all rows of a store, within the caller's transaction.

    Raises:
        StoreError: a row is damaged or missing.
    """
    with damage_errors(path):
        for (problem,) in db.execute("PRAGMA quick_check(1)"):
            if problem != "ok":
                raise ValueError(problem)
        run = read_header(db, "run")
        if run is None:
            raise ValueError("the header is missing")
        for name, (distribution, version) in run["evaluators"].items():
            if not isinstance(distribution, str) or not isinstance(version, str):
                raise ValueError(f"the header has no version of evaluator {name}")
        return StoredStudy(run, _read_spots(db, int(run["spots"])))


def read_header(db: sqlite3.Connection, name: str) -> dict[str, Any] | None:
    """Return the header record with the given name; None if no such record exists.

    Raises:
        ValueError: the record is damaged.
    """
    row = db.execute("SELECT content, digest FROM header WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None
    if row_digest(name, row[0]) != row[1]:
        raise ValueError(f"the header {name!r} has a wrong digest")
    record = json.loads(row[0])
    if not isinstance(record, dict):
        raise ValueError(f"the header {name!r} is not an object")
    return record


def _read_spots(db: sqlite3.Connection, count: int) -> list[StoredSpot]:
    spots: list[StoredSpot] = []
    for row in db.execute("SELECT * FROM spots ORDER BY number"):
        number, record, blocks, _, elapsed, stop, answer, digest = row
        if number != len(spots) or row_digest(*row[:-1]) != digest:
            raise ValueError(f"spot {len(spots) + 1} is missing or has a wrong digest")
        spot = StudySpot.from_dict(json.loads(record))
        if not MIN_PLAYERS <= len(spot.players) <= MAX_PLAYERS:
            raise ValueError(f"spot {number + 1} has {len(spot.players)} players")
        spots.append(
            StoredSpot(
                spot=spot,
                counts=empty_tally(len(spot.players)),
                blocks=blocks,
                elapsed=elapsed,
                stop=stop,
                answer=json.loads(answer) if answer is not None else None,
            )
        )
    if len(spots) != count:
        raise ValueError(f"{count - len(spots)} of {count} spots are missing")
    reached = [0] * count
    for row in db.execute("SELECT * FROM blocks ORDER BY spot, first"):
        number, first, blocks, deals, counts, digest = row
        is_next = 0 <= number < count and first == reached[number]
        if not is_next or row_digest(*row[:-1]) != digest:
            raise ValueError(f"block {first} of spot {number + 1} is missing or has a wrong digest")
        tally = tally_of_record(json.loads(counts), len(spots[number].spot.players))
        if deals_in(tally) != deals:
            raise ValueError(f"block {first} of spot {number + 1} has a wrong sum")
        spots[number].counts[:] += tally
        reached[number] += blocks
    for number, deals in db.execute("SELECT number, deals FROM spots"):
        if (spots[number].blocks, spots[number].deals) != (reached[number], deals):
            raise ValueError(f"blocks of spot {number + 1} are missing")
    return spots


@contextmanager
def damage_errors(path: str) -> Iterator[None]:
    """Context manager that turns errors about the content of a record into `StoreError`."""
    try:
        yield
    except (
        *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
        ValueError,
    ) as error:
        raise damaged(path, error) from error


def damaged(path: str, error: Exception) -> StoreError:
    """Return the error for a damaged store."""
    return StoreError(
        f"{path} is damaged ({one_line(str(error), 120)}): restore a copy of it, or begin again"
        " with another file"
    )


@contextmanager
def store_errors(path: str) -> Iterator[None]:
    """Context manager that turns errors of SQLite into `StoreError`, with the file and a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        reason = one_line(str(error), 120)
        if name == "SQLITE_NOTADB":
            raise StoreError(f"{path} is not a holdem store: it is not an SQLite file") from error
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
        raise damaged(path, error) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes the file
        raise damaged(path, error) from error
