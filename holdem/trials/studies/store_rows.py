"""What a store holds: its tables, and how each row is checked when it is read.

A store is one SQLite file. Counts are kept as JSON, in rows that stand for some consecutive
blocks of one spot, counted together: a row a block would be gigabytes an hour. Every row has
a digest, and every spot says how many blocks and deals it has, so that a damaged file is
found out whatever part of it is damaged.
"""

from __future__ import annotations

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
from holdem.trials.studies.study import StudySpot

#: Marks an SQLite file as ours: "hold" in ASCII.
APPLICATION = 0x686F6C64
#: The version of the tables below, and of how deals are drawn. A store of another is refused: what
#: is left of its run would not be the deals of its seed.
SCHEMA = 3

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
class KeptSpot:
    """One spot of a study and what is known of its answer by now."""

    asked: StudySpot
    counts: NDArray[np.int64]
    """The tally of the finished blocks, ``int64 (size,)``."""
    blocks: int = 0
    elapsed: float = 0.0
    """Seconds, of all sessions."""
    stop: Stop | None = None
    """Why it ended; None while it has not."""
    answer: dict[str, Any] | None = None
    """The answer as a record, where it is exact and has ended."""

    @property
    def deals(self) -> int:
        """How many deals were drawn."""
        return deals_in(self.counts)


@attrs.frozen
class Kept:
    """All that a store holds."""

    run: dict[str, Any]
    """The versions it was made with, the seed that was drawn, if one was."""
    spots: list[KeptSpot]


def no_counts(players: int) -> NDArray[np.int64]:
    """Return the tally of no deal."""
    return np.zeros(tally_size(players), dtype=np.int64)


def digest(*fields: Any) -> str:
    """Return what a row's fields are held against when they are read."""
    return hashlib.blake2b(json.dumps(fields).encode(), digest_size=12).hexdigest()


def check_format(db: sqlite3.Connection, path: str) -> bool:
    """Tell whether a file holds a store; False for one that is still empty.

    Raises:
        StoreError: it holds something else, or tables of another version.
    """
    application, schema, tables = (
        db.execute(question).fetchone()[0]
        for question in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_master",
        )
    )
    if (application, schema, tables) == (0, 0, 0):
        return False
    if application != APPLICATION:
        raise StoreError(f"{path} is an SQLite file, but no store of holdem")
    if schema != SCHEMA:
        raise StoreError(
            f"{path} has tables of version {schema}, and this holdem reads version {SCHEMA}:"
            " use the holdem that made it"
        )
    return True


def read_kept(db: sqlite3.Connection, path: str) -> Kept:
    """Read and check everything, in one transaction that the caller has begun.

    Raises:
        StoreError: a row is damaged or missing.
    """
    try:
        for (told,) in db.execute("PRAGMA quick_check(1)"):
            if told != "ok":
                raise ValueError(told)
        run = read_header(db, "run")
        if run is None:
            raise ValueError("it has no header")
        return Kept(run, _read_spots(db, int(run["spots"])))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise damaged(path, error) from error


def read_header(db: sqlite3.Connection, name: str) -> dict[str, Any] | None:
    """Return one of the records about the whole store; None if there is none.

    Raises:
        ValueError: it is damaged.
    """
    row = db.execute("SELECT content, digest FROM header WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None
    if digest(name, row[0]) != row[1]:
        raise ValueError(f"its header {name!r} is not what was written")
    record = json.loads(row[0])
    assert isinstance(record, dict)
    return record


def _read_spots(db: sqlite3.Connection, count: int) -> list[KeptSpot]:
    spots: list[KeptSpot] = []
    for row in db.execute("SELECT * FROM spots ORDER BY number"):
        number, asked, blocks, _, elapsed, stop, answer, mark = row
        if number != len(spots) or digest(*row[:-1]) != mark:
            raise ValueError(f"spot {len(spots) + 1} is not what was written")
        question = StudySpot.from_dict(json.loads(asked))
        spots.append(
            KeptSpot(
                asked=question,
                counts=no_counts(len(question.players)),
                blocks=blocks,
                elapsed=elapsed,
                stop=stop,
                answer=json.loads(answer) if answer is not None else None,
            )
        )
    if len(spots) != count:
        raise ValueError(f"it has {len(spots)} spots of {count}")
    reached = [0] * count
    for row in db.execute("SELECT * FROM blocks ORDER BY spot, first"):
        number, first, blocks, deals, counts, mark = row
        if not 0 <= number < count or digest(*row[:-1]) != mark or first != reached[number]:
            raise ValueError(f"block {first} of spot {number + 1} is not what was written")
        tally = tally_of_record(json.loads(counts), len(spots[number].asked.players))
        if deals_in(tally) != deals:
            raise ValueError(f"block {first} of spot {number + 1} does not add up")
        spots[number].counts[:] += tally
        reached[number] += blocks
    for number, deals in db.execute("SELECT number, deals FROM spots"):
        if (spots[number].blocks, spots[number].deals) != (reached[number], deals):
            raise ValueError(f"spot {number + 1} lacks blocks")
    return spots


def damaged(path: str, error: Exception) -> StoreError:
    """Return the error that says that a store cannot be read, and why."""
    return StoreError(
        f"{path} is damaged ({one_line(str(error), 120)}): restore a copy of it, or begin again"
        " with another file"
    )


@contextmanager
def telling(path: str) -> Iterator[None]:
    """Turn SQLite's errors into ours, with the file and what would work."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        told = one_line(str(error), 120)
        if name == "SQLITE_NOTADB":
            raise StoreError(f"{path} is no store of holdem: it is not an SQLite file") from error
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
            raise StoreError(f"{path} cannot be opened for writing: {told}") from error
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            raise StoreError(
                f"{path} cannot be written: {told}; what was kept before is still there"
            ) from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreError(f"{path} is in use: {told}; try again") from error
        raise damaged(path, error) from error
    except UnicodeDecodeError as error:  # in a message of SQLite's that quotes the file
        raise damaged(path, error) from error
