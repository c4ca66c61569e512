"""The store: its content survives, and damaged or foreign files raise errors."""

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import attrs
import numpy as np
import pytest

import holdem
from holdem.evaluation.registry import versions_of
from holdem.odds.sampling.sampler import STREAM
from holdem.odds.tally import tally_of_record, tally_record, tally_size
from holdem.trials.studies import store as study_store
from holdem.trials.studies.store import Store, digest_row
from holdem.trials.studies.study_file import read_study

STUDY = {
    "seed": 4,
    "method": "monte-carlo",
    "deals": 100_000,
    "spot": [{"players": ["AsKs", "QQ+"]}, {"players": ["AA", "random", "random"], "name": "x"}],
}


def opened(path, study=STUDY, **versions):
    """Open a store for a run."""
    asked = read_study(study)
    found = versions_of(asked.evaluators)
    return Store(path, asked, {**found, **versions})


def read_store(path):
    """Return all that a store holds."""
    with study_store.read_store(path) as stored:
        return SimpleNamespace(run=stored.run, spots=list(stored.spots))


def add(store, number, counts, blocks, seconds):
    """Add finished blocks of a spot's deals."""
    spot = store.spot(number)
    counts, blocks, seconds = spot.counts + counts, spot.blocks + blocks, spot.elapsed + seconds
    store.put(number, attrs.evolve(spot, counts=counts, blocks=blocks, elapsed=seconds))


def finish(store, number, stop, answer=None):
    """Record why a spot's computation stopped, and any exact answer."""
    store.put(number, attrs.evolve(store.spot(number), stop=stop, answer=answer))


def tally(*counts):
    """Return a tally of two players."""
    return np.array([0, *counts], dtype=np.int64)


@pytest.fixture
def path(tmp_path):
    """Return a path for a store."""
    return tmp_path / "a.store"


def test_what_is_kept_is_there_again(path):
    """Blocks and seconds add up over sessions; ends and exact answers are stored."""
    answer = {"method": "exact", "players": [0.1 + 0.2]}
    with opened(path) as store:
        add(store, 0, tally(5, 6, 7), 2, 0.5)
        store.flush()
        add(store, 0, tally(1, 0, 1), 1, 0.25)
        assert store.spot(0).blocks == 3
    with opened(path) as store:
        assert (store.spot(0).blocks, store.spot(0).elapsed) == (3, 0.75)
        assert store.spot(0).counts.tolist() == [0, 6, 6, 8]
        assert not store.is_finished.any()
        add(store, 0, tally(1, 1, 1), 1, 1.0)
        finish(store, 0, "stderr")
        finish(store, 1, "exhausted", answer)
    first, second = read_store(path).spots
    assert (first.stop, first.blocks, first.deals) == ("stderr", 4, 23)
    assert (second.stop, second.answer) == ("exhausted", answer)
    assert first.spot == read_study(STUDY).spots[0]


def test_a_name_that_is_special_to_sqlite(tmp_path, monkeypatch):
    """A store named `:memory:` is a file, and not a database that is lost at the end."""
    monkeypatch.chdir(tmp_path)
    with opened(":memory:") as store:
        finish(store, 1, "exhausted", {"players": [0.5]})
    assert [spot.stop for spot in read_store(":memory:").spots][1] == "exhausted"


def test_a_record_that_is_no_result(path):
    """A record with other content than a result is damage, for readers and for runs."""
    with opened(path) as store:
        finish(store, 0, "deals")
        finish(store, 1, "exhausted", {"method": "exact"})
    for use in (holdem.study_results, lambda path: holdem.run_study(STUDY, path)):
        with pytest.raises(holdem.StoreError, match="is damaged"):
            use(path)


def test_a_tally_survives_its_record():
    """A tally equals that of its record; invalid records raise errors."""
    counts = np.random.default_rng(3).integers(0, 2**50, tally_size(10))
    counts[0] = 0
    record = json.loads(json.dumps(tally_record(counts)))
    assert counts.tolist() == tally_of_record(record, 10).tolist()
    for key in ("1055", "1056", "0", "-1", "x"):
        with pytest.raises(ValueError, match=r"not a count|invalid literal"):
            tally_of_record({key: 1}, 10)
    for count in (-1, 1.0, True):
        with pytest.raises(ValueError, match="not a count"):
            tally_of_record({"1": count}, 10)


def test_nothing_but_the_store_is_left(path):
    """A store has no second file, neither between commits nor when it is closed."""
    with opened(path) as store:
        add(store, 0, tally(1, 1, 1), 1, 0.1)
        store.flush()
        read_store(path)
    assert [path.name] == os.listdir(path.parent)


def test_interrupted_anywhere(path):
    """Ctrl-C at any line leaves a valid store of complete additions."""

    def interrupted_after(steps):
        """Interrupt the use of a store after some lines of its code; return how many ran."""
        ran = 0

        def trace(frame, event, argument):
            nonlocal ran
            if "store" in os.path.basename(frame.f_code.co_filename):
                ran += 1
                if ran == steps:
                    sys.settrace(None)
                    raise KeyboardInterrupt
            return trace

        path.unlink(missing_ok=True)
        before = sys.gettrace()
        with contextlib.suppress(KeyboardInterrupt), opened(path) as store:
            add(store, 0, tally(1, 0, 0), 1, 0.0)
            sys.settrace(trace)
            try:
                store.flush()
                add(store, 0, tally(0, 2, 0), 2, 0.0)
                store.flush()
                add(store, 0, tally(0, 0, 4), 4, 0.0)
                store.flush()
            finally:
                sys.settrace(before)
        return ran

    everything = interrupted_after(0)
    assert everything > 100
    reached = set()
    for steps in random.Random(7).sample(range(1, everything), 60):
        interrupted_after(steps)
        kept = read_store(path).spots[0]
        assert kept.blocks == kept.deals
        reached.add(kept.blocks)
    assert reached == {1, 3, 7}


def test_seeds_are_drawn_once(path):
    """The seed drawn for a study is stored; another one raises an error."""
    study = {"deals": 10, "spot": [{"players": ["AA", "KK"]}, {"players": ["AA", "KK"], "seed": 1}]}
    with opened(path, study) as store:
        seed = store.study.spots[0].seed
        assert 0 <= seed < 2**53
        assert store.study.spots[1].seed == 1
    with opened(path, study) as store:
        assert seed == store.study.spots[0].seed
    with opened(path, {**study, "seed": seed}) as store:
        assert seed == store.study.spots[0].seed
    with pytest.raises(holdem.StoreError, match=f"spot 1 has seed {seed} there and 5 here"):
        opened(path, {**study, "seed": 5})


OTHERS = [
    ({"deals": 5}, "spot 1 has deals 100000 there and 5 here"),
    ({"seed": 5}, "spot 1 has seed 4 there and 5 here"),
    ({"stderr": 0.1}, "spot 1 has stderr none there and 0.1 here"),
    ({"evaluator": "reference"}, "spot 1 has evaluator lookup there and reference here"),
    ({"method": "auto"}, "spot 1 has method monte-carlo there and auto here"),
    ({"spot": STUDY["spot"][:1]}, "it has 2 spots there and 1 here"),
    ({"grid": [{"hero": ["AA"], "opponents": 1}]}, "it has 2 spots there and 3 here"),
    ({"spot": STUDY["spot"][::-1]}, "spot 1 has players AsKs QQ+ there and AA random random here"),
    (
        {"spot": [STUDY["spot"][0], {**STUDY["spot"][1], "name": "y"}]},
        "spot 2 has name x there and y here",
    ),
]


@pytest.mark.parametrize(("change", "told"), OTHERS, ids=[told[:30] for _, told in OTHERS])
def test_another_study(path, change, told):
    """A store of another study raises an error with the first difference, and is unchanged."""
    opened(path).close()
    before = path.read_bytes()
    with pytest.raises(holdem.StoreError) as raised:
        opened(path, {**STUDY, **change})
    assert f"{path} belongs to another study: {told}" in str(raised.value)
    assert path.read_bytes() == before


def test_other_versions(path):
    """A store of other versions of holdem or an evaluator raises an error."""
    opened(path).close()
    with pytest.raises(holdem.StoreError, match=r"created by holdem .*, and this is holdem 9\.9:"):
        opened(path, holdem="9.9")
    with pytest.raises(holdem.StoreError, match=r"of holdem-engine .*, and this is x 1: use"):
        opened(path, evaluators={"lookup": ["x", "1"]})
    assert len(read_store(path).spots) == 2


@pytest.mark.parametrize("stream", [None, 9])
def test_another_stream(path, stream):
    """A store whose deals are of another random stream is neither continued nor read.

    The first stores did not record their stream.
    """
    opened(path).close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        header = json.loads(
            db.execute("SELECT content FROM header WHERE name = 'run'").fetchone()[0]
        )
        assert header.pop("stream") == STREAM
        if stream is not None:
            header["stream"] = stream
        content = json.dumps(header)
        db.execute(
            "UPDATE header SET content = ?, digest = ? WHERE name = 'run'",
            (content, digest_row("run", content)),
        )
        db.commit()
    before = path.read_bytes()
    told = f"has deals of random stream {stream or 1}, and this holdem draws stream {STREAM}: use"
    for use in (opened, read_store):
        with pytest.raises(holdem.StoreError, match=told):
            use(path)
    assert path.read_bytes() == before


def test_no_store(path, tmp_path):
    """Files that are not stores raise errors, for runs and for reading."""
    with pytest.raises(holdem.StoreError, match=r"there is no store .*a\.store"):
        read_store(path)
    path.write_bytes(b"")
    with pytest.raises(holdem.StoreError, match="is empty: no run has begun with it"):
        read_store(path)
    text = tmp_path / "text"
    text.write_bytes(b"something else " * 100)
    other = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE mine (x)")
        db.commit()
    for file, told in ((text, "it is not an SQLite file"), (other, "but not a holdem store")):
        before = file.read_bytes()
        for use in (opened, read_store):
            with pytest.raises(holdem.StoreError, match=told):
                use(file)
        assert file.read_bytes() == before
    for use in (opened, read_store):
        with pytest.raises(holdem.StoreError):
            use(tmp_path)
    with pytest.raises(holdem.StoreError, match="cannot be opened"):
        opened(tmp_path / "no" / "directory")


@pytest.mark.parametrize("version", [1, 9])
def test_tables_of_another_version(path, version):
    """A store with tables of another version raises an error."""
    opened(path).close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    for use in (opened, read_store):
        with pytest.raises(holdem.StoreError, match=f"has tables of version {version}, and this"):
            use(path)


def _content(path):
    kept = read_store(path)
    return kept.run, [{**attrs.asdict(spot), "counts": spot.counts.tolist()} for spot in kept.spots]


def test_damage_is_found_out(path, tmp_path):
    """A store with a changed byte or a missing end raises an error, or has the same content."""
    with opened(path) as store:
        for block in range(40):
            add(store, 0, tally(block, 1, 2), 1, 0.1)
            add(store, 1, np.arange(8) * (np.arange(8) > 0), 1, 0.1)
            store.flush()
        finish(store, 1, "exhausted", {"x": list(range(500))})
    expected, content = _content(path), path.read_bytes()
    rng, found, told = random.Random(7), 0, set()
    # Every byte of what describes the file, and some of all others.
    places = [*range(100), *rng.sample(range(100, len(content)), 500)]
    other = tmp_path / "damaged"
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= rng.randrange(1, 256)
        other.write_bytes(damaged)
        try:
            content_now = _content(other)
        except holdem.StoreError as error:
            told.add(str(error).replace(str(other), "FILE"))
            found += 1
            if found % 5 == 0:
                with pytest.raises(holdem.StoreError):
                    opened(other)
        else:
            assert expected == content_now
    assert all("FILE" in message and len(message) < 400 for message in told)
    assert found > 150
    for size in rng.sample(range(1, len(content)), 40):
        other.write_bytes(content[:size])
        with pytest.raises(holdem.StoreError):
            read_store(other)


def test_missing_rows_are_found_out(path, tmp_path):
    """A store with a missing, changed or additional row raises an error."""
    with opened(path) as store:
        for _ in range(3):
            add(store, 0, tally(1, 1, 1), 1, 0.1)
            store.flush()
    other = tmp_path / "other"
    for statement in (
        "DELETE FROM blocks WHERE first = 0",
        "DELETE FROM blocks WHERE first = 2",
        "DELETE FROM spots WHERE number = 1",
        "DELETE FROM spots WHERE number = 0",
        "DELETE FROM header WHERE name = 'run'",
        "INSERT INTO blocks SELECT spot + 1, first, blocks, deals, counts, digest FROM blocks",
        "UPDATE blocks SET deals = 4 WHERE first = 1",
        "UPDATE blocks SET counts = '{}' WHERE first = 1",
        "UPDATE spots SET asked = replace(asked, 'AsKs', 'AsQs')",
        "UPDATE spots SET elapsed = NULL WHERE 0",
    ):
        shutil.copy(path, other)
        with contextlib.closing(sqlite3.connect(other)) as db:
            changed = db.execute(statement).rowcount
            db.commit()
        if not changed:
            assert len(read_store(other).spots) == 2
            continue
        for use in (opened, read_store):
            with pytest.raises(holdem.StoreError, match=r"is damaged \("):
                use(other)


_OWNER = """
import sys
from holdem.trials.studies.store import Store
from holdem.trials.studies.study_file import read_study
from holdem.evaluation.registry import versions_of
import json
study = read_study(json.loads(sys.argv[2]))
store = Store(sys.argv[1], study, versions_of(["lookup"]))
import attrs
import numpy as np
def add(seconds):
    spot = store.spot(0)
    counts, elapsed = spot.counts + [0, 1, 2, 3], spot.elapsed + seconds
    store.put(0, attrs.evolve(spot, counts=counts, blocks=spot.blocks + 1, elapsed=elapsed))
add(0.5)
store.flush()
print("open", flush=True)
for line in sys.stdin:
    add(0.5)
    store.flush()
    print("flushed", flush=True)
"""


@contextlib.contextmanager
def other_owner(path):
    """Let another process own a store."""
    command = [sys.executable, "-c", _OWNER, str(path), json.dumps(STUDY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout.readline() == "open\n"
        try:
            yield one
        finally:
            one.kill()


def test_a_store_in_use(path):
    """A second owner raises an error with the id of the first; reading is possible."""
    with other_owner(path) as owner:
        for _ in range(3):
            with pytest.raises(holdem.StoreError, match=f"is in use by process {owner.pid}: wait"):
                opened(path)
            assert read_store(path).spots[0].elapsed >= 0.5
            owner.stdin.write("more\n")
            owner.stdin.flush()
            assert owner.stdout.readline() == "flushed\n"
        assert read_store(path).spots[0].blocks == 4


def test_a_dead_owner(path):
    """A store whose owner was killed can be opened, with its content."""
    with other_owner(path) as owner:
        owner.kill()
        owner.wait()
        with opened(path) as store:
            assert store.spot(0).deals == 6
    with opened(path), pytest.raises(holdem.StoreError, match=f"by process {os.getpid()}: wait"):
        opened(path)


def test_an_owner_whose_number_is_another_process_now(path, monkeypatch):
    """A process without the lock is not the owner, even if its id is recorded."""
    monkeypatch.setattr("holdem.trials.studies.store._PAUSE", 0)
    with other_owner(path) as owner:
        owner.kill()
        owner.wait()
    with contextlib.closing(sqlite3.connect(path)) as db:
        from holdem.trials.studies.store import digest_row

        for host in ("another machine", __import__("platform").node()):
            content = json.dumps({"pid": os.getppid(), "host": host})
            row = ("owner", content, digest_row("owner", content))
            db.execute("INSERT OR REPLACE INTO header VALUES (?, ?, ?)", row)
            db.commit()
            with opened(path) as store:
                assert store.spot(0).deals == 6


def test_a_commit_cut_in_the_middle(path):
    """A commit that a kill interrupted is rolled back, by owners and by readers."""
    with opened(path) as store:
        add(store, 0, tally(1, 2, 3), 1, 0.5)
    expected = _content(path)
    context = multiprocessing.get_context("spawn")
    for use in (read_store, opened):
        process = context.Process(target=_die_half_written, args=(str(path),))
        process.start()
        process.join()
        assert process.exitcode == 9
        assert os.path.exists(f"{path}-journal")
        found = use(path)
        if isinstance(found, Store):
            found.close()
        assert expected == _content(path)
        assert not os.path.exists(f"{path}-journal")


def _die_half_written(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")  # pages go to the file before the commit
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM blocks")
    db.execute("CREATE TABLE filler (x)")
    for _ in range(50):
        db.execute("INSERT INTO filler VALUES (randomblob(5000))")
    os._exit(9)
