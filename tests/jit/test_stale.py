"""Compiled code is never used when a file that it was made from has changed."""

import os
import shutil

from cached_package import ANSWER, PACKAGE
from holdem.jit.cache_directory import digest_of, source_files


def _digest(place):
    return digest_of(source_files({place}))


def test_a_change_in_any_file_of_the_package_is_noticed(package):
    """A table, a constant, a helper, a data file or the kernel's own file changes the digest."""
    place = package()
    digests = {_digest(place)}
    for file, text in PACKAGE.items():
        stamp = (place / file).stat()
        added = "x = 1\n" if file.endswith(".py") else "x"
        (place / file).write_text(text.replace("{name}", "kept") + added)
        os.utime(place / file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # the time tells nothing
        digests.add(_digest(place))
    assert len(digests) == 1 + len(PACKAGE)


def test_a_changed_table_of_the_engine_is_noticed(run, packages):
    """With another table in `lookup_tables.py` the kernels of `lookup.py` give other answers."""
    place = packages / "holdem" / "evaluation" / "builtin"
    script = (
        "import numpy as np\n"
        "from holdem.evaluation.builtin import lookup as kernels\n"
        "from holdem.jit.kernels import always_use_kernels\n"
        "always_use_kernels()\n"
        "hands = np.array([[51, 47, 43, 39, 35]], dtype=np.uint8)\n"
        "print(kernels.__file__)\n"
        "print(*kernels.rank_batch(hands), *kernels._rank_five.stats.cache_hits.values())\n"
    )
    kernels = str(place / "lookup.py")
    assert ([kernels, "7462"], []) == run(script)
    assert ([kernels, "7462 1"], []) == run(script)
    text = (place / "lookup_tables.py").read_text()
    assert 1 == text.count('_ARRAYS["flush"].astype')
    changed = text.replace('_ARRAYS["flush"].astype', '(_ARRAYS["flush"] + 5).astype')
    (place / "lookup_tables.py").write_text(changed)
    assert ([kernels, "7467"], []) == run(script)


def test_prose_elsewhere_keeps_the_code(package, packages, run):
    """Comments and docstrings of other files, the engine's too, compile nothing again; code and
    data do.
    """
    place = package()
    assert ([f"{ANSWER}"], []) == run()
    (place / "README.md").write_text("About.")
    (place / "draft.py").write_text("not Python")
    (place / "long.py").write_text("X = " + " + ".join(["1"] * 9_000))  # too deep for `ast`
    assert ([f"{ANSWER}"], []) == run()  # a file more, which might be a table
    for file, old, new in (
        (place / "steps.py", "):\n", '):\n    """Add."""\n\n    # Why.\n'),
        (packages / "holdem" / "cards.py", '"""', '# Why.\n"""Changed: '),
        (place / "constants.py", "\n", '\n"""Of an attribute."""\n'),
    ):
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
    assert ([f"{ANSWER} 1"], []) == run()
    for file, old, new in (
        ("steps.py", "+ 100", "+ 200"),
        ("constants.py", "10", "20"),
        ("tables.py", "[1, 2, 3]", "[1, 2, 4]"),
        ("extra.dat", "A", "B"),
    ):
        (place / file).write_text((place / file).read_text().replace(old, new))
        shutil.rmtree(place / "__pycache__", ignore_errors=True)
    answer = ANSWER + 100 + 50 + 1
    assert ([f"{answer}"], []) == run()
    with (packages / "holdem" / "cards.py").open("a") as file:
        file.write("CHANGED = 1\n")  # of the engine, whose functions the kernels may hold
    assert ([f"{answer}"], []) == run()


def test_what_tools_leave_changes_no_digest(package):
    """The files of Python, editors and web pages are no sources; every other file is."""
    place = package()
    before = _digest(place)
    tools = ("__pycache__/kernels.cpython-311.pyc", ".mypy_cache/x.json", ".kernels.py.swp")
    for name in (*tools, "page.html", "page.js"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("x")
    (place / ".#kernels.py").symlink_to("nowhere")
    assert before == _digest(place)
    (place / "table.npy").write_text("x")
    changed = _digest(place)
    assert before != changed
    (place / "table.npy").rename(place / "tables.npy")
    assert len({before, changed, _digest(place)}) == 3
