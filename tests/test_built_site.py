"""The built documentation, whose directory the environment variable ``SITE`` names.

`.ci/run` builds it and runs these tests.
"""

import html
import os
import re
import shutil
import subprocess
from inspect import cleandoc
from pathlib import Path

import click
import pytest

import holdem
from holdem.cli import cli
from virtual_environment import Environment

pytestmark = pytest.mark.skipif("SITE" not in os.environ, reason="needs the built site, as `SITE`")

ROOT = Path(__file__).parents[1]
PAGES = sorted(page.stem for page in (ROOT / "docs" / "reference" / "commands").glob("*.md"))
SPOTS = "hero,villain,flop\nAsKs,QQ+,Td9d2c\nAA,KK,\n"
STUDY = """
[[grid]]
hero = ["AA", "KK"]
villain = ["random"]
board = ["Td9d2c", "Ks7d2c"]
"""


def _examples_of_help(command, context):
    """Yield the examples of a command and its subcommands: the lines that click keeps."""
    for block in re.findall(r"^\x08\n(.*?)(?:\n\n|\Z)", cleandoc(command.help), re.M | re.S):
        yield from block.splitlines()
    if isinstance(command, click.Group):
        for name in sorted(command.list_commands(context)):
            subcommand = command.get_command(context, name)
            yield from _examples_of_help(subcommand, click.Context(subcommand, parent=context))


def _examples_of_page(name):
    """Return the lines with a prompt in the literal blocks of a page of commands."""
    page = Path(os.environ["SITE"], "reference", "commands", f"{name}.html")
    blocks = re.findall(r"<pre>(.*?)</pre>", page.read_text(encoding="utf-8"), re.S)
    text = html.unescape(re.sub("<[^>]*>", "", "\n".join(blocks)))
    return re.findall(r"^\$ (.*)$", text, re.M)


def test_examples_are_literal():
    """The pages show every example of the commands' help, character for character."""
    examples = [example for page in PAGES for example in _examples_of_page(page)]
    assert sorted(examples) == sorted(_examples_of_help(cli, click.Context(cli)))


@pytest.fixture
def shell(tmp_path):
    """Return a function that runs a line in a directory with the files that examples read."""
    environment = Environment(tmp_path / "venv")
    scripts = environment.python.parent
    for name in ("holdem", "pip"):
        script = scripts / name
        script.write_text(f'#!/bin/sh\nexec "{environment.python}" -m {name} "$@"\n')
        script.chmod(0o755)
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "BROWSER": "true"}  # a command that does nothing
    place = tmp_path / "examples"
    place.mkdir()
    (place / "study.toml").write_text(STUDY)
    (place / "spots.csv").write_text(SPOTS.replace("hero,villain,flop", "p1,p2,board"))
    for example in ("mine.py", "patient.py"):
        shutil.copy(ROOT / "docs" / "examples" / example, place)
    histories = ROOT / "tests" / "data" / "histories"
    (place / "logs").mkdir()
    shutil.copy(histories / "pluribus.phhs", place / "logs")
    shutil.copy(histories / "pokerstars.txt", place / "logs")
    shutil.copy(histories / "pokerstars.txt", place / "session.txt")
    (tmp_path / "spots.csv").write_text(SPOTS)
    csv = pytest.importorskip("pyarrow.csv")
    spots = csv.read_csv(tmp_path / "spots.csv")
    pytest.importorskip("pyarrow.parquet").write_table(spots, place / "spots.parquet")
    holdem.run_study(place / "study.toml", place / "study.store")

    def start(line):
        return subprocess.Popen(
            ["bash", "-c", f"exec {line}" if line.startswith("holdem serve") else line],
            cwd=place,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(shell, page):
    """Every example of a page runs, in the order of the page, and ends with 0."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, processes=False, protocol="tcp", dashboard_address=":0"
    ) as cluster:
        here = {
            "tcp://10.0.0.7:8786": cluster.scheduler_address,
            "--port 8000": "--port 0",
            "--seconds 1": "--seconds 0.05",  # for each of 32 measurements
            "--buckets 200": "--buckets 8",  # k-means of a million histograms
        }
        for example in _examples_of_page(page):
            line = example
            for theirs, ours in here.items():
                line = line.replace(theirs, ours)
            process = shell(line)
            if line.startswith("holdem serve"):  # until Ctrl-C
                first = process.stdout.readline()
                process.terminate()
                process.communicate(timeout=60)
                assert "http://127.0.0.1:" in first, example
            else:
                output, _ = process.communicate(timeout=900)
                assert process.returncode == 0, f"{example}\n{output}"
