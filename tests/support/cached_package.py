"""A package with a kernel, for tests of the disk cache."""

import os

from holdem.jit.cache_directory import CACHE_VARIABLE

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
