"""Packages that the engine does without: what is said when their import fails."""

import subprocess
import sys

import pytest

# A call that needs the package.
USES = {
    "pandas": "result.to_frame()",
    "polars": "result.to_frame('polars')",
    "pyarrow": "result.to_frame('pyarrow')",
    "matplotlib": "result.plot()",
    "distributed": "holdem.run_study(study, 'store', dask='tcp://127.0.0.1:1')",
}
PROGRAM = """
import sys, holdem
result = holdem.equity("AA", "KK")
study = {"seed": 1, "spot": [{"players": ["AA", "KK"], "board": "Td9d2c"}]}
for call in sys.argv[1:]:
    try:
        eval(call)
    except holdem.HoldemRuntimeError as error:
        print(error)
"""
BROKEN = {
    "AttributeError: module 'sys' has no attribute 'float_'": "import sys; sys.float_",
    "ModuleNotFoundError: No module named 'no_such_package'": "import no_such_package",
}


@pytest.mark.parametrize(("reason", "code"), BROKEN.items())
def test_broken_packages(tmp_path, reason, code):
    """However the import fails, one sentence says what needs the package, and what to do."""
    for package in USES:
        (tmp_path / f"{package}.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *USES.values()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    told = [f", which cannot be imported ({reason}): pip install -U {package}" for package in USES]
    lines = done.stdout.splitlines()
    assert [line[line.index(",") :] for line in lines] == told
