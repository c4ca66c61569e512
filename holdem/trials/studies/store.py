"""The store of a long run: an SQLite file that is right at every moment, and one owner's.

Everything is written in transactions, with a rollback journal rather than a write-ahead log:
what was committed is in the one file that can be copied or moved, no reader has to write, and
a commit a second asks for nothing faster. Killed in the middle of one, the next to open the
file rolls it back.

The owner is who holds SQLite's own write lock, which it takes again with every commit. It goes
with the process, however that ends; a process id that is used again, or a machine that was
switched off, can leave nothing behind. Who the owner is, is written down for the message only.
Reading is possible all the time.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time as clock
from collections.abc import Mapping
from contextlib import closing, suppress
from types import TracebackType
from typing import Any
from urllib.parse import quote

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.dealing.seeds import resolve_seed
from holdem.errors import StoreError, one_line
from holdem.odds.result import Stop
from holdem.odds.tally import deals_in, tally_record
from holdem.trials.studies.store_rows import (
    APPLICATION,
    SCHEMA,
    TABLES,
    Kept,
    KeptSpot,
    check_format,
    digest,
    no_counts,
    read_header,
    read_kept,
    telling,
)
from holdem.trials.studies.study import Study

_PATIENCE_MS = 60_000  # a reader may hold a commit up for so long
# Between a commit and the next transaction an owner holds no lock, for some microseconds. Who
# finds it free while the owner lives tries again so often before it takes the store.
_TRIES, _PAUSE = 20, 0.05


class Store:
    """A store that this process owns. Used by one thread."""

    def __init__(
        self, path: str | os.PathLike[str], study: Study, versions: dict[str, Any]
    ) -> None:
        """Open a store for a run, or make one.

        Args:
            path: the file; made if it is not there.
            study: what is asked. Where it lacks a seed, the one that the store drew is
                taken.
            versions: of the engine and of each evaluator's distribution: a store that was
                made with others is refused.

        Raises:
            StoreError: in use, damaged, no store, or made for something else.
        """
        self.path = one_line(os.fspath(path))
        self._dirty = False  # whether a transaction is partly written
        with telling(self.path):
            self._db = sqlite3.connect(os.fspath(path), timeout=0, isolation_level=None)
            try:
                self._own()
                kept = self._settled(study, versions)
            except BaseException:
                self._db.close()
                raise
        self.spots: list[KeptSpot] = kept.spots
        self._saved = tuple(self.spots)  # as of the last commit

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add(self, number: int, counts: NDArray[np.int64], blocks: int, seconds: float) -> None:
        """Add the next finished blocks of a spot; `flush` writes them.

        Args:
            number: the spot.
            counts: their tally, ``int64 (size,)``.
            blocks: how many they are.
            seconds: that they took.
        """
        spot = self.spots[number]
        # One assignment, so that Ctrl-C finds all of it done, or nothing.
        self.spots[number] = attrs.evolve(
            spot,
            counts=spot.counts + counts,
            blocks=spot.blocks + blocks,
            elapsed=spot.elapsed + seconds,
        )

    def finish(self, number: int, stop: Stop, answer: dict[str, Any] | None = None) -> None:
        """Say that a spot has ended, and why; `flush` writes it."""
        self.spots[number] = attrs.evolve(self.spots[number], stop=stop, answer=answer)

    def flush(self) -> None:
        """Write what was added: all of it, or nothing if the process ends meanwhile."""
        now = tuple(self.spots)
        changed = [n for n, spot in enumerate(now) if spot is not self._saved[n]]
        if not changed:
            return
        with telling(self.path):
            if self._dirty and self._db.in_transaction:
                self._db.execute("ROLLBACK")  # Ctrl-C came in the middle of the last time
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            self._dirty = True
            for number in changed:
                self._write_blocks(number, self._saved[number], now[number])
                self._write_spot(number, now[number])
            self._commit()
            self._saved, self._dirty = now, False

    def close(self) -> None:
        """Write what was added, and leave the store to others."""
        try:
            self.flush()
            with telling(self.path):
                self._db.execute("DELETE FROM header WHERE name = 'owner'")
                self._db.execute("COMMIT")
        finally:
            self._db.close()

    # --- opening ---

    def _own(self) -> None:
        """Take the write lock, and keep it."""
        for _ in range(_TRIES):
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY":
                    raise
                owner = self._owner()
                if owner is None or _may_live(owner):
                    raise StoreError(_in_use(self.path, owner)) from error
                # Someone else is taking over, or mending what a killed run left.
            else:
                owner = self._owner()
                if owner is None or not _may_live(owner):
                    break
                self._db.execute("ROLLBACK")
            clock.sleep(_PAUSE)
        else:
            # Free so many times: the number of the process that owned it is another's by now.
            self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        self._db.execute("PRAGMA cache_spill = OFF")  # nothing is written before a commit

    def _owner(self) -> dict[str, Any] | None:
        with suppress(sqlite3.OperationalError, ValueError):  # no such table yet; damaged
            return read_header(self._db, "owner")
        return None

    def _settled(self, study: Study, versions: dict[str, Any]) -> Kept:
        """Make the tables, or hold what there is against what is asked; write the owner."""
        if check_format(self._db, self.path):
            kept = read_kept(self._db, self.path)
            _check_versions(self.path, kept.run, versions)
            _check_study(self.path, kept, study.with_seed(kept.run["seed"]))
        else:
            kept = self._make_tables(study, versions)
        owner = {"pid": os.getpid(), "host": platform.node()}
        self._write_header("owner", owner)
        self._commit()
        return kept

    def _make_tables(self, study: Study, versions: dict[str, Any]) -> Kept:
        seed = resolve_seed(None) if study.lacks_seed else None
        asked = study.with_seed(seed).spots
        kept = Kept(
            {**versions, "seed": seed, "spots": len(asked)},
            [KeptSpot(spot, no_counts(len(spot.players))) for spot in asked],
        )
        for statement in TABLES:
            self._db.execute(statement)
        self._db.execute(f"PRAGMA application_id = {APPLICATION}")
        self._db.execute(f"PRAGMA user_version = {SCHEMA}")
        self._write_header("run", kept.run)
        for number, spot in enumerate(kept.spots):
            self._write_spot(number, spot)
        return kept

    # --- writing ---

    def _commit(self) -> None:
        self._db.execute("COMMIT")
        self._db.execute("BEGIN IMMEDIATE")

    def _write_header(self, name: str, record: Mapping[str, Any]) -> None:
        content = json.dumps(record)
        row = (name, content, digest(name, content))
        self._db.execute("INSERT OR REPLACE INTO header VALUES (?, ?, ?)", row)

    def _write_blocks(self, number: int, before: KeptSpot, now: KeptSpot) -> None:
        if now.blocks > before.blocks:
            counts = now.counts - before.counts
            row = (
                number,
                before.blocks,
                now.blocks - before.blocks,
                deals_in(counts),
                json.dumps(tally_record(counts)),
            )
            self._db.execute(
                "INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?, ?, ?)", (*row, digest(*row))
            )

    def _write_spot(self, number: int, spot: KeptSpot) -> None:
        answer = None if spot.answer is None else json.dumps(spot.answer)
        asked = json.dumps(spot.asked.to_dict())
        row = (number, asked, spot.blocks, spot.deals, spot.elapsed, spot.stop, answer)
        self._db.execute(
            "INSERT OR REPLACE INTO spots VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, digest(*row))
        )


def read_store(path: str | os.PathLike[str]) -> Kept:
    """Read what a store holds at this moment, also while a run writes it.

    Raises:
        StoreError: no such file, no store, or a damaged one.
    """
    shown = one_line(os.fspath(path))
    if not os.path.isfile(path):
        raise StoreError(
            f"there is no store {shown}: `holdem run STUDY.toml --store FILE` makes one"
        )
    with telling(shown):
        # Writable where that can be: what a killed run left half written is rolled back.
        mode = "rw" if os.access(path, os.W_OK) else "ro"
        address = f"file:{quote(os.path.abspath(path))}?mode={mode}"
        connection = sqlite3.connect(
            address, uri=True, timeout=_PATIENCE_MS / 1000, isolation_level=None
        )
        with closing(connection) as db:
            db.execute("BEGIN")
            if not check_format(db, shown):
                raise StoreError(f"{shown} is empty: no run has begun with it")
            return read_kept(db, shown)


def _may_live(owner: Mapping[str, Any]) -> bool:
    """Whether an owner may still run; False only where it is known to have ended."""
    if owner.get("host") != platform.node() or os.name != "posix":
        return True
    try:
        os.kill(int(owner["pid"]), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _in_use(path: str, owner: Mapping[str, Any] | None) -> str:
    if owner is None:
        return f"{path} is in use by another process"
    where = "" if owner["host"] == platform.node() else f" on {one_line(str(owner['host']))}"
    return f"{path} is in use by process {owner['pid']}{where}: wait for it, or end it"


def _check_versions(path: str, run: Mapping[str, Any], versions: Mapping[str, Any]) -> None:
    if run["holdem"] != versions["holdem"]:
        raise StoreError(
            f"{path} was made by holdem {run['holdem']}, and this is holdem {versions['holdem']}:"
            " go on with the version that began it, or begin again with another file"
        )
    for name, theirs in run["evaluators"].items():
        ours = versions["evaluators"].get(name, theirs)  # not asked for: another study
        if ours != theirs:
            raise StoreError(
                f"{path} was made with evaluator {name!r} of {' '.join(theirs)}, and here it is"
                f" of {' '.join(ours)}: go on with the version that began it, or begin again"
                " with another file"
            )


def _check_study(path: str, kept: Kept, study: Study) -> None:
    def refuse(what: str) -> StoreError:
        return StoreError(f"{path} was made for another study: {what}; use another file")

    for number, (there, here) in enumerate(zip(kept.spots, study.spots, strict=False), 1):
        theirs, ours = there.asked.to_dict(), here.to_dict()
        for key in sorted(theirs, key="name".__eq__):  # a name may follow from the rest
            if theirs[key] != ours[key]:
                shown = [_shown(theirs[key]), _shown(ours[key])]
                raise refuse(f"spot {number} has {key} {shown[0]} there and {shown[1]} here")
    if len(kept.spots) != len(study.spots):
        raise refuse(f"it has {len(kept.spots)} spots there and {len(study.spots)} here")


def _shown(value: Any) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return "none" if value is None or not text else one_line(text, 60)
