"""Compiled code is kept between runs, in private, and never when it would be stale."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import holdem
from holdem import compilation
from holdem.compilation import CACHE_VARIABLE, cache_root, inlined, kernel

# A package whose kernel depends on a table, a constant and a function of other files.
PACKAGE = {
    "__init__.py": "",
    "tables.py": (
        "import numpy as np\n"
        "from pathlib import Path\n"
        "TABLE = np.array([1, 2, 3])\n"
        "EXTRA = np.frombuffer(Path(__file__).with_name('extra.dat').read_bytes(), np.uint8)\n"
    ),
    "constants.py": "FACTOR = 10\n",
    "steps.py": (
        "from holdem import inlined\n@inlined\ndef step(value):\n    return value + 100\n"
    ),
    "extra.dat": "A",  # 65
    "kernels.py": (
        "from holdem import kernel\n"
        "from {name}.constants import FACTOR\n"
        "from {name}.steps import step\n"
        "from {name}.tables import EXTRA, TABLE\n"
        "@kernel\n"
        "def answer(place):\n"
        "    return step(TABLE[place] * FACTOR) + EXTRA[0]\n"
    ),
}
ANSWER = 3 * 10 + 100 + 65
ASK = "print(answer(2), *answer.stats.cache_hits.values())\n"
SCRIPT = f"from kept.kernels import answer\n{ASK}"


@pytest.fixture
def packages(tmp_path):
    """Make a place for packages, with a copy of the engine: nothing else changes that one."""
    shutil.copytree(
        Path(holdem.__file__).parent,
        tmp_path / "packages" / "holdem",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return tmp_path / "packages"


@pytest.fixture
def package(packages):
    """Return a function that writes the package under a name."""

    def write(name="kept"):
        place = packages / name
        place.mkdir(parents=True)
        for file, text in PACKAGE.items():
            (place / file).write_text(text.replace("{name}", name))
        return place

    return write


@pytest.fixture
def run(tmp_path, packages):
    """Return a function that runs a script in a fresh process and returns what it prints.

    A second element holds the notes about the cache on standard error; anything else there
    is an error.
    """

    def run(script=SCRIPT, cache=tmp_path / "cache", umask=0o022):
        done = subprocess.run(
            [sys.executable, "-W", "always", "-c", script],
            env=environment(tmp_path, cache),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            umask=umask,
        )
        assert 0 == done.returncode, done.stderr
        notes = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
        assert all("compiled code is not kept between runs" in note for note in notes)
        assert len(notes) == done.stderr.count("Warning:"), done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout.splitlines(), notes

    return run


def environment(tmp_path, cache):
    """Return the environment of a process with the package on its path."""
    left_out = ("NUMBA_CACHE_DIR", "PYTHONPATH", "PYTHONWARNINGS")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**kept, CACHE_VARIABLE: str(cache), "PYTHONPATH": str(tmp_path / "packages")}


def listing(cache):
    """Return all files below a directory, with the time of their last change."""
    return {
        str(path.relative_to(cache)): path.stat().st_mtime_ns
        for path in cache.rglob("*")
        if path.is_file()
    }


def mode(path):
    """Return the permission bits."""
    return path.stat().st_mode & 0o777


# --- kept ------------------------------------------------------------------------------


def test_the_directory_is_private_and_named_by_a_digest(package, run, tmp_path):
    """Whatever the umask, only the user can go in; the name holds package and digest."""
    package()
    assert ([f"{ANSWER}"], []) == run(umask=0)
    cache = tmp_path / "cache"
    (directory,) = cache.iterdir()
    assert re.fullmatch(r"kernels-kept-[0-9a-f]{24}", directory.name)
    assert (0o700, 0o700) == (mode(cache), mode(directory))
    assert {".nbi", ".nbc"} == {path.suffix for path in directory.iterdir()}


def test_a_directory_that_others_can_read_becomes_private(package, run, tmp_path):
    """Rights that are too wide, but harmless, are narrowed."""
    package()
    run()
    (directory,) = (tmp_path / "cache").iterdir()
    directory.chmod(0o755)
    assert ([f"{ANSWER} 1"], []) == run()
    assert 0o700 == mode(directory)


def test_a_second_process_finds_the_code_and_adds_nothing(package, run, tmp_path):
    """From the second run on the code is read, and no file is added or written."""
    package()
    run()
    before = listing(tmp_path / "cache")
    assert before
    assert ([f"{ANSWER} 1"], []) == run()
    assert before == listing(tmp_path / "cache")


def test_an_evaluator_is_found_compiled(run, tmp_path):
    """The engine's own kernels are kept: a second process compiles nothing."""
    script = (
        "import holdem\n"
        "from holdem.evaluation.lookup import kernels\n"
        "print(holdem.evaluate('As Ks Qs Js Ts 2c 3d').rank_class)\n"
        "found = [k.stats for k in (kernels._rank_five, kernels._rank_seven)]\n"
        "print(*[sum(s.cache_hits.values()) > 0 for s in found])\n"
        "print(*[sum(s.cache_misses.values()) for s in found])\n"
    )
    first, notes = run(script)
    assert (["1", "False False"], []) == (first[:2], notes)
    before = listing(tmp_path / "cache")
    assert (["1", "True True", "0 0"], []) == run(script)
    assert before == listing(tmp_path / "cache")


def test_many_packages_do_not_push_each_other_out(package, run, tmp_path):
    """Each package has its own directories: seven of them are all found compiled."""
    names = [f"kept_{place}" for place in range(7)]
    for name in names:
        package(name)
    script = "".join(f"from {name}.kernels import answer\n{ASK}" for name in names)
    assert ([f"{ANSWER}"] * 7, []) == run(script)
    assert ([f"{ANSWER} 1"] * 7, []) == run(script)
    assert 7 == len(list((tmp_path / "cache").iterdir()))


def test_processes_that_start_together_agree(package, tmp_path):
    """Several processes that compile at once all answer, and leave a cache that works."""
    package()
    command = [sys.executable, "-W", "error", "-c", SCRIPT]
    env = environment(tmp_path, tmp_path / "cache")
    started = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    answers = [process.communicate()[0].split()[0] for process in started]
    assert [f"{ANSWER}"] * 4 == answers
    again = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert f"{ANSWER} 1" == again.stdout.strip()


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


# --- never stale -----------------------------------------------------------------------


def test_a_change_in_any_file_of_the_package_is_noticed(package, run):
    """A table, a constant, a helper or a data file beside the kernel's own changes the answer."""
    place = package()
    assert ([f"{ANSWER}"], []) == run()
    changes = [
        ("tables.py", "[1, 2, 3]", "[1, 2, 4]", ANSWER + 10),
        ("constants.py", "10", "20", ANSWER + 50),
        ("steps.py", "100", "200", ANSWER + 150),
        ("extra.dat", "A", "B", ANSWER + 151),
        ("kernels.py", "TABLE[place]", "TABLE[place - 1]", ANSWER + 111),
    ]
    for file, old, new, expected in changes:
        text, stamp = (place / file).read_text(), (place / file).stat()
        assert old in text
        (place / file).write_text(text.replace(old, new))
        os.utime(place / file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # the time tells nothing
        shutil.rmtree(place / "__pycache__", ignore_errors=True)  # Python's own does go by time
        assert ([f"{expected}"], []) == run(), file
    assert ([f"{expected} 1"], []) == run()


def test_a_changed_table_of_the_engine_is_noticed(run, packages):
    """With another table in `tables.py` the kernels of `kernels.py` give other answers."""
    place = packages / "holdem" / "evaluation" / "lookup"
    script = (
        "import numpy as np\n"
        "from holdem.evaluation.lookup import kernels\n"
        "hands = np.array([[51, 47, 43, 39, 35]], dtype=np.uint8)\n"
        "print(kernels.__file__)\n"
        "print(*kernels.rank_batch(hands), *kernels._rank_five.stats.cache_hits.values())\n"
    )
    kernels = str(place / "kernels.py")
    assert ([kernels, "7462"], []) == run(script)
    assert ([kernels, "7462 1"], []) == run(script)
    text = (place / "tables.py").read_text()
    assert 1 == text.count('_ARRAYS["flush"].astype')
    changed = text.replace('_ARRAYS["flush"].astype', '(_ARRAYS["flush"] + 5).astype')
    (place / "tables.py").write_text(changed)
    assert ([kernels, "7467"], []) == run(script)


def test_a_change_of_the_engine_reaches_the_packages_that_use_it(package, packages, run):
    """The digest of a package covers the engine, whose functions its kernels may hold."""
    package()
    run()
    with (packages / "holdem" / "cards.py").open("a") as file:
        file.write("# changed\n")
    assert ([f"{ANSWER}"], []) == run()


def test_what_tools_leave_changes_no_digest(package):
    """Python's and editors' own files are no sources; every other file is."""
    place = package()
    digest = compilation._digest.__wrapped__
    before = digest((place,))
    for name in ("__pycache__/kernels.cpython-311.pyc", ".mypy_cache/x.json", ".kernels.py.swp"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("x")
    (place / ".#kernels.py").symlink_to("nowhere")
    assert before == digest((place,))
    (place / "table.npy").write_text("x")
    changed = digest((place,))
    assert before != changed
    (place / "table.npy").rename(place / "tables.npy")
    assert len({before, changed, digest((place,))}) == 3


# --- not kept --------------------------------------------------------------------------

TWICE = (
    "from kept.kernels import answer\n"
    "from kept_too.kernels import answer as other\n"
    "print(answer(2), other(2), len(answer.stats.cache_hits))\n"
)


def a_relative_path(tmp_path):
    """Return a path that would mean another place in each working directory."""
    return "cache", "the cache directory cache/kernels-kept-[0-9a-f]{24} is not an absolute path"


def a_directory_open_to_all(tmp_path):
    """Return a directory that anyone can write to."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    return tmp_path / "cache", f"{tmp_path}/cache can be written by others"


def a_file_in_the_way(tmp_path):
    """Return a path where a file stands."""
    (tmp_path / "cache").write_text("")
    return tmp_path / "cache", f"{tmp_path}/cache is not a directory"


def a_path_below_a_file(tmp_path):
    """Return a path that nobody can make, not even root."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "cache", r"\[Errno \d+\] Not a directory: .*"


@pytest.mark.parametrize(
    "make", [a_relative_path, a_directory_open_to_all, a_file_in_the_way, a_path_below_a_file]
)
def test_without_a_private_directory_nothing_is_kept(package, run, tmp_path, make):
    """The answer is right, one warning says why nothing is kept, and no file is left."""
    package()
    package("kept_too")
    cache, reason = make(tmp_path)
    before = set(tmp_path.rglob("*"))
    answers, notes = run(TWICE, cache=cache)
    assert [f"{ANSWER} {ANSWER} 0"] == answers
    (note,) = notes
    told = rf"compiled code is not kept between runs: {reason}; set {CACHE_VARIABLE} to a directory"
    assert re.search(told, note), note
    added = set(tmp_path.rglob("*")) - before
    assert all("__pycache__" in path.parts for path in added)


def test_a_link_in_the_place_of_the_directory_is_not_used(package, run, tmp_path):
    """Where the directory itself has become a link, its code is not read."""
    package()
    run()
    (directory,) = (tmp_path / "cache").iterdir()
    directory.rename(tmp_path / "moved")
    directory.symlink_to(tmp_path / "moved")
    answers, (note,) = run()
    assert [f"{ANSWER}"] == answers
    assert f"{directory} is not a directory" in note


@pytest.mark.parametrize("rights", [0o777, 0o775, 0o770, 0o707, 0o702])
@pytest.mark.parametrize("name", ["cache", "cache/kernels"])
def test_no_one_else_may_write(tmp_path, rights, name):
    """Neither the group nor others may write to the directory or to the one above it."""
    (tmp_path / "cache" / "kernels").mkdir(parents=True, mode=0o700)
    (tmp_path / "cache").chmod(0o700)
    (tmp_path / name).chmod(rights)
    told = compilation._make_private(tmp_path / "cache" / "kernels")
    assert f"{tmp_path / name} can be written by others" == told
    (tmp_path / name).chmod(0o755)
    assert "" == compilation._make_private(tmp_path / "cache" / "kernels")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX rights")
@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize("linked", [False, True])
def test_no_directory_above_is_open_to_all(tmp_path, levels, linked):
    """Where others can write, they could put their own directory in the place of ours."""
    above = tmp_path / "open"
    directory = above.joinpath(*"abc"[:levels]) / "cache" / "kernels"
    directory.mkdir(parents=True, mode=0o700)
    if linked:
        (tmp_path / "link").symlink_to(directory.parent.parent)
        directory = tmp_path / "link" / "cache" / "kernels"
    above.chmod(0o777)
    assert f"{above} can be written by others" == compilation._make_private(directory)
    above.chmod(0o1777)  # as /tmp: only owners rename
    assert "" == compilation._make_private(directory)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give away")
def test_no_owner_above_is_a_stranger(tmp_path):
    """Below a directory such as /tmp, what belongs to another user can be moved by that user."""
    place = tmp_path / "shared" / "theirs"
    (place / "cache" / "kernels").mkdir(parents=True, mode=0o700)
    place.parent.chmod(0o1777)
    assert "" == compilation._make_private(place / "cache" / "kernels")
    os.chown(place, 65534, 65534)
    told = compilation._make_private(place / "cache" / "kernels")
    assert f"{place} belongs to another user" == told


@pytest.mark.parametrize("name", ["cache", "cache/kernels"])
@pytest.mark.parametrize("target", ["elsewhere", "nowhere", None])
def test_only_a_true_directory_is_used(tmp_path, name, target):
    """A link, even one to a private directory, or a file is refused, never removed."""
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / name).parent.mkdir(mode=0o700, exist_ok=True)
    if target:
        (tmp_path / name).symlink_to(tmp_path / target)
    else:
        (tmp_path / name).write_text("")
    try:
        told = compilation._make_private(tmp_path / "cache" / "kernels")
    except OSError as error:  # the caller warns with it
        told = str(error)
    assert str(tmp_path / name) in told
    assert not (tmp_path / name).is_dir() or (tmp_path / name).is_symlink()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give away")
def test_a_directory_of_another_user_is_not_used(package, run, tmp_path):
    """Whoever owns the directory could put code there."""
    package()
    (tmp_path / "cache").mkdir(mode=0o700)
    os.chown(tmp_path / "cache", 65534, 65534)
    answers, (note,) = run()
    assert [f"{ANSWER}"] == answers
    assert f"{tmp_path}/cache belongs to another user" in note


def test_kernels_of_a_script_are_not_kept(run, tmp_path):
    """A script or a module without a package compiles each time, and says nothing."""
    (tmp_path / "packages" / "lone.py").write_text(
        "from holdem import kernel\n@kernel\ndef answer(place):\n    return place + 1\n"
    )
    script = (
        "from lone import answer\n"
        "from holdem import kernel\n"
        "here = kernel(lambda place: place + 2)\n"
        "print(answer(2), here(2))\n"
    )
    assert (["3 4"], []) == run(script)
    assert not (tmp_path / "cache").exists()


# --- damage ----------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_damaged_files_are_compiled_anew(package, run, tmp_path, suffix):
    """A file that cannot be read is a miss, and is mended: the next run finds the code again."""
    package()
    run()
    (file,) = (tmp_path / "cache").rglob(f"*{suffix}")
    whole = file.read_bytes()
    damages = [
        b"",
        bytes(len(whole)),
        b"no pickle at all",
        whole[: len(whole) // 2],
        whole[:-1],
    ]
    for damaged in damages:
        file.write_bytes(damaged)
        assert ([f"{ANSWER}"], []) == run()
        assert len(whole) == file.stat().st_size
    assert ([f"{ANSWER} 1"], []) == run()


def test_a_directory_that_vanishes_is_no_error(package, run, tmp_path):
    """Code is compiled and kept again, in private, where another process has cleaned up."""
    package()
    script = (
        "import pathlib\n"
        "from kept.kernels import answer\n"
        f"(directory,) = pathlib.Path({str(tmp_path / 'cache')!r}).iterdir()\n"
        "directory.rmdir()\n"
        "print(answer(2))\n"
    )
    assert ([f"{ANSWER}"], []) == run(script)
    (directory,) = (tmp_path / "cache").iterdir()
    assert 0o700 == mode(directory)
    assert ([f"{ANSWER} 1"], []) == run()


# --- manners ---------------------------------------------------------------------------


def test_other_packages_keep_their_own_setting(package, run, tmp_path):
    """The setting of numba is untouched: another package's cache stays in its own place."""
    package()
    (tmp_path / "packages" / "stranger.py").write_text(
        "from numba import njit\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    script = (
        "import os, numba\n"
        "before = numba.config.CACHE_DIR, os.environ.get('NUMBA_CACHE_DIR')\n"
        "from kept.kernels import answer\n"
        "import stranger\n"
        "print(answer(2), stranger.double(4), stranger.double.stats.cache_path)\n"
        "print(before == (numba.config.CACHE_DIR, os.environ.get('NUMBA_CACHE_DIR')), before)\n"
    )
    answers, notes = run(script)
    place = tmp_path / "packages" / "__pycache__"
    assert [f"{ANSWER} 8 {place}", "True ('', None)"] == answers
    assert not notes
    assert list(place.glob("stranger.double-*.nbi"))
    assert not list((tmp_path / "cache").rglob("*stranger*"))


def test_the_module_is_cheap_to_import():
    """Numba is loaded when the first kernel is defined, not before."""
    code = "import sys, holdem.compilation; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False" == done.stdout.strip()


def test_a_kernel_calls_inlined_functions_and_releases_the_lock():
    """`inlined` functions are callable from kernels; kernels run without the GIL."""

    @inlined
    def square(x):
        return x * x

    @kernel
    def sum_of_squares(count):
        total = 0
        for i in range(count):
            total += square(i)
        return total

    assert 0 + 1 + 4 + 9 == sum_of_squares(4)
    assert sum_of_squares.targetoptions["nogil"]


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {CACHE_VARIABLE: "/chosen", "XDG_CACHE_HOME": "/xdg"}, "/chosen"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/holdem"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache/holdem"),
        ("linux", {CACHE_VARIABLE: ""}, "/home/me/.cache/holdem"),
        ("darwin", {"XDG_CACHE_HOME": "/xdg"}, "/home/me/Library/Caches/holdem"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/holdem"),
        ("win32", {}, "/home/me/AppData/Local/holdem"),
    ],
)
def test_where_code_is_kept(monkeypatch, platform, variables, expected):
    """The variable chooses the place; else it is the platform's place for caches."""
    for name in (CACHE_VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(compilation.sys, "platform", platform)
    assert Path(expected) == cache_root()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["equity", "AsKs", "QQ", "--board", "Td9d2c"], ""),
        (["head-to-head", "AsKs", "QQ", "-n", "1000"], ""),
        (["evaluate", "AsKsQsJsTs"], "evaluator 'lookup' cannot be loaded: "),
        (["evaluate", "AsKsQsJsTs", "--evaluator", "bitwise"], "evaluator 'bitwise' cannot be lo"),
    ],
)
def test_without_numbas_compiler(arguments, told):
    """Where the user's environment switches it off, one line names the variable; exit code 2."""
    done = holdem_without_compiler(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"holdem: {told}")
    assert done.stderr.endswith(
        "NUMBA_DISABLE_JIT switches off numba's compiler, without which kernels do not run:"
        " unset it\n"
    )


def test_what_needs_no_compiler():
    """Two players before the flop are read from a table, with numba's compiler or without."""
    done = holdem_without_compiler("equity", "AcAs", "KdKh", "-f", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["players"][0]["wins"] == 1_388_072


def holdem_without_compiler(*arguments):
    """Run the command line with numba's compiler switched off."""
    return subprocess.run(
        [sys.executable, "-m", "holdem", *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
