"""Machine code is cached only in directories that no other user can write to."""

import os
import re

import pytest

from cached_package import ANSWER
from holdem.jit import cache_directory
from holdem.jit.cache_directory import CACHE_VARIABLE

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
    "make",
    [
        a_directory_open_to_all,
        *(
            pytest.param(make, marks=pytest.mark.slow)
            for make in (a_relative_path, a_file_in_the_way, a_path_below_a_file)
        ),
    ],
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


def test_a_directory_that_is_read_only(tmp_path, monkeypatch):
    """A directory of the user on a read-only disk is not used, not even by root."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    place = tmp_path / "cache" / "kernels"
    assert cache_directory.make_private(place) == f"{place} cannot be written"


@pytest.mark.parametrize("rights", [0o777, 0o775, 0o770, 0o707, 0o702])
@pytest.mark.parametrize("name", ["cache", "cache/kernels"])
def test_no_one_else_may_write(tmp_path, rights, name):
    """Neither the group nor others may write to the directory or to the one above it."""
    (tmp_path / "cache" / "kernels").mkdir(parents=True, mode=0o700)
    (tmp_path / "cache").chmod(0o700)
    (tmp_path / name).chmod(rights)
    told = cache_directory.make_private(tmp_path / "cache" / "kernels")
    assert f"{tmp_path / name} can be written by others" == told
    (tmp_path / name).chmod(0o755)
    assert "" == cache_directory.make_private(tmp_path / "cache" / "kernels")


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
        told = cache_directory.make_private(tmp_path / "cache" / "kernels")
    except OSError as error:  # the caller warns with it
        told = str(error)
    assert str(tmp_path / name) in told
    assert not (tmp_path / name).is_dir() or (tmp_path / name).is_symlink()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give away")
def test_a_directory_of_another_user_is_not_used(tmp_path):
    """Whoever owns the directory could put code there."""
    (tmp_path / "cache").mkdir(mode=0o700)
    os.chown(tmp_path / "cache", 65534, 65534)
    told = cache_directory.make_private(tmp_path / "cache" / "kernels")
    assert f"{tmp_path}/cache belongs to another user" in told


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
