"""The sdist, the wheel built from it, and the editable install are complete."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from holdem.version import VERSION

ROOT = Path(__file__).parents[1]
EVALUATORS = {
    *("lookup", "reference", "bitwise", "cactus-kev", "dead-horse", "suit-mask", "short-deck"),
    "deuces-wild",
    *("eval7", "phevaluator", "pokerkit", "treys"),  # installed by the extra `test`
}
# On the public index, `holdem` is another project: nobody is told to install it, or extras of it.
FOREIGN = re.compile(r"""pip3? install\s[^\n`&;|]*?(?<![\w./-])holdem(?![\w./-])|\bholdem\[[\w{]""")
PLUGINS = sorted(path.parent.name for path in ROOT.glob("plugins/*/__init__.py"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the sdist, and the wheel from the sdist."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(out.glob("*.tar.gz"))) == 1
    (built,) = out.glob("*.whl")
    return built


# Prints what is found: proofs would take most of the time. That no file is missing is tested below.
LISTED = """
import json, holdem, holdem_bitwise
records = [(record.name, record.status, record.source) for record in holdem.evaluators()]
print(json.dumps([holdem.__file__, holdem_bitwise.__file__, records]))
"""


def _listed(environment):
    """Return the places of two packages, and name, status and source of all evaluators."""
    command = [sys.executable, "-c", LISTED]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_wheel_has_all_evaluators(wheel, tmp_path):
    """All evaluators are found in an installation of the wheel that was built from the sdist."""
    options = ["-q", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", tmp_path, wheel],
        check=True,
        capture_output=True,
    )
    *places, records = _listed({**os.environ, "PYTHONPATH": str(tmp_path)})
    assert {name for name, status, _ in records if status == "active"} >= EVALUATORS
    assert all(place.startswith(str(tmp_path)) for place in places)


def test_contents_of_the_wheel(wheel):
    """The wheel has every file of the package and the plugins, and no tests and scripts."""
    names = set(zipfile.ZipFile(wheel).namelist())
    trees = [(ROOT, "holdem"), *((ROOT / "plugins", plugin) for plugin in PLUGINS)]
    files = {
        path.relative_to(root).as_posix()
        for root, package in trees
        for path in (root / package).rglob("*")
        if path.is_file()
    }
    assert {name for name in files if "__pycache__" not in name} <= names
    assert {f"{plugin}/README.md" for plugin in PLUGINS} <= names
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"holdem", *PLUGINS}


def test_files_of_a_release_are_current():
    """The checklist names what a wheel installs at top level; a citation has the version."""
    checklist = (ROOT / "docs" / "how" / "releasing.md").read_text("utf-8")
    step = checklist.partition("At top level, it installs")[2].partition("nothing else")[0]
    assert {"holdem", *PLUGINS} == {*re.findall(r"`(\w+)`", step)}
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_installation_in_use_has_all_evaluators():
    """All evaluators are active in the installation that runs the tests."""
    *_, records = _listed(dict(os.environ))
    found = {name: (status, source) for name, status, source in records}
    for name in EVALUATORS:
        status, source = found[name]
        assert status == "active", name
        assert source


def test_distribution():
    """The installed distribution has the name and the version that the package states."""
    assert metadata.version("holdem-engine") == VERSION


@pytest.mark.parametrize(
    ("text", "is_foreign"),
    [
        ("pip install holdem", True),
        ("`python -m pip install -q 'holdem==0.1'`", True),
        ('pip install \\"holdem[plot]\\" pandas', True),
        ("pip install -e . pytest holdem", True),
        ('the extra `holdem[plot]`, or f"holdem[{extra}]"', True),
        ('pip install "holdem-engine[plot]"', False),
        ("pip install dist/holdem_engine-0.1.0.whl ./holdem ../holdem/", False),
        ('pip install -e "holdem-example[test]"', False),
        ("pip install -q . && .venv/bin/holdem equity AA KK", False),
        ("`pip install .`, then `holdem equity AA KK`", False),
        ("pip install .\nholdem equity AA KK", False),
        ('packages["holdem"], programs[holdem]', False),
    ],
)
def test_pattern_of_foreign_names(text, is_foreign):
    assert bool(FOREIGN.search(text)) == is_foreign


def test_nobody_installs_another_project():
    """No page, notebook, message, template or metadata names `holdem` as a distribution."""
    trees = [ROOT / name for name in ("docs", "holdem", "plugins", "scripts")]
    files = [path for tree in trees for path in tree.rglob("*") if path.is_file()]
    files += [path for path in ROOT.iterdir() if path.suffix in (".md", ".toml")]
    found = {}
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix != ".pyc" and (match := FOREIGN.search(text)):
            found[path.relative_to(ROOT).as_posix()] = match[0]
    assert {} == found


def test_platforms_are_those_that_were_checked():
    """The classifiers claim no system of which reliability says that nothing is known."""
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    systems = [name for name in project["classifiers"] if name.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]
    assert "checked on Linux" in (root / "docs" / "reliability.md").read_text("utf-8")
