"""Machine code is cached on disk, found again, and replaced if a file is damaged."""

import os
import random
import re
import subprocess
import sys

import pytest

from cached_package import ANSWER, ASK, SCRIPT, environment, listing, mode
from check_compiled_code import flip


@pytest.mark.smoke
def test_a_second_process_finds_the_code_in_a_private_directory(package, run, tmp_path):
    """Whatever the umask, only the user can go in; the name holds package and digest.

    From the second run on the code is read, no file is added or written, and rights that are too
    wide, but harmless, are narrowed.
    """
    package()
    assert ([f"{ANSWER}"], []) == run(umask=0)
    cache = tmp_path / "cache"
    (directory,) = (path for path in cache.iterdir() if path.is_dir())
    assert re.fullmatch(r"kernels-kept-[0-9a-f]{24}", directory.name)
    assert (0o700, 0o700) == (mode(cache), mode(directory))
    assert {".nbi", ".nbc"} == {path.suffix for path in directory.glob("*/*")}
    before = listing(cache)
    directory.chmod(0o755)
    assert ([f"{ANSWER} 1"], []) == run()
    assert before == listing(cache)
    assert 0o700 == mode(directory)


@pytest.mark.slow
def test_an_evaluator_is_found_compiled(run, tmp_path):
    """The engine's own kernels are kept: a second process compiles nothing."""
    script = (
        "import holdem\n"
        "from holdem.evaluation.builtin import lookup as kernels\n"
        "from holdem.jit.kernels import always_use_kernels\n"
        "always_use_kernels()\n"
        "hand = [51, 47, 43, 39, 35, 0, 5]\n"
        "print(*[holdem.get_evaluator().strengths([hand[:k]])[0] for k in (5, 7)])\n"
        "found = [k.stats for k in (kernels._rank_five, kernels._rank_seven)]\n"
        "print(*[sum(s.cache_hits.values()) > 0 for s in found])\n"
        "print(*[sum(s.cache_misses.values()) for s in found])\n"
    )
    first, notes = run(script)
    assert (["7462 7462", "False False"], []) == (first[:2], notes)
    before = listing(tmp_path / "cache")
    assert (["7462 7462", "True True", "0 0"], []) == run(script)
    assert before == listing(tmp_path / "cache")


@pytest.mark.slow
def test_many_packages_do_not_push_each_other_out(package, run, tmp_path):
    """Each package has its own directories: seven of them are all found compiled."""
    names = [f"kept_{place}" for place in range(7)]
    for name in names:
        package(name)
    script = "".join(f"from {name}.kernels import answer\n{ASK}" for name in names)
    assert ([f"{ANSWER}"] * 7, []) == run(script)
    assert ([f"{ANSWER} 1"] * 7, []) == run(script)
    assert 7 == len(list((tmp_path / "cache").iterdir()))


@pytest.mark.slow
def test_processes_that_start_together_agree(package, tmp_path):
    """Several processes that compile at once all answer, and leave a cache that works."""
    package()
    command = [sys.executable, "-W", "error", "-c", SCRIPT]
    env = environment(tmp_path, tmp_path / "cache")
    started = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    answers = [process.communicate()[0].split()[0] for process in started]
    assert [f"{ANSWER}"] * 3 == answers
    again = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert f"{ANSWER} 1" == again.stdout.strip()


@pytest.mark.slow
def test_older_directories_go(package, run, tmp_path):
    """The newest four directories of a package stay; other packages and files are left alone."""
    package()
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    for place in range(9):
        for name in ("kept", "kept_too"):
            old = cache / f"kernels-{name}-{place:024x}"
            old.mkdir()
            os.utime(old, (place + 1, place + 1))
    (cache / "notes").mkdir()
    run()
    names = sorted(path.name for path in cache.iterdir())
    kept = [name for name in names if name.startswith("kernels-kept-")]
    assert {f"kernels-kept-{place:024x}" for place in (6, 7, 8)} < set(kept)
    assert 4 == len(kept)
    assert 9 == len([name for name in names if name.startswith("kernels-kept_too-")])
    assert "notes" in names


# --- damage ----------------------------------------------------------------------------


def test_damaged_files_are_compiled_anew(package, run, tmp_path):
    """A damaged file is a miss, and is mended: the next run finds the code again.

    Flipped bits of machine code were run: `scripts/checks/check_compiled_code.py` flips more.
    """
    package()
    run()
    rng = random.Random(1)
    for suffix, damage in (
        (".nbi", lambda whole: flip(whole, 1, rng)),
        (".nbc", lambda whole: flip(whole, 3, rng)),
    ):
        (file,) = (tmp_path / "cache").rglob(f"*{suffix}")
        whole = file.read_bytes()
        file.write_bytes(damage(whole))
        assert ([f"{ANSWER}"], []) == run()
        assert len(whole) == file.stat().st_size
    assert ([f"{ANSWER} 1"], []) == run()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX systems")
def test_a_full_disk(package, run, tmp_path):
    """Code that cannot be written is compiled again, and nothing half written is used."""
    package()
    limit = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "sys.dont_write_bytecode = True\n"  # CPython 3.11 would leave the engine's half written
    )
    assert ([f"{ANSWER}"], []) == run(limit + SCRIPT)
    assert not any(path.suffix == ".nbc" for path in (tmp_path / "cache").rglob("*"))
    assert ([f"{ANSWER}"], []) == run()
    assert ([f"{ANSWER} 1"], []) == run()


@pytest.mark.slow
def test_a_directory_that_vanishes_is_no_error(package, run, tmp_path):
    """Code is compiled and cached again if another process has removed the directory."""
    package()
    script = (
        "import pathlib, shutil\n"
        "from kept.kernels import answer\n"
        "answer.dispatcher  # creates the directory\n"
        f"(directory,) = pathlib.Path({str(tmp_path / 'cache')!r}).glob('*-*')\n"
        "shutil.rmtree(directory)\n"
        "print(answer(2))\n"
    )
    assert ([f"{ANSWER}"], []) == run(script)
    (directory,) = (tmp_path / "cache").glob("*-*")
    assert mode(directory) in (0o700, 0o755)  # plain numba heeds the umask
    assert ([f"{ANSWER} 1"], []) == run()
    assert 0o700 == mode(directory)
