"""``holdem -p FILE_OR_MODULE``: a script as a plugin, for every command."""

import json
import py_compile
import re
import subprocess
import sys
import urllib.request

import pytest

import holdem
from holdem.cli import run
from holdem.plugins import given_files
from plugin_distributions import use_new_registry, write_distribution

# `reference` under another name, as a plain function.
MINE = """
import holdem

reference = holdem.get_evaluator("reference")


@holdem.evaluator("{name}")
def rank(cards):
    return {factor} * reference.strength(cards)
"""
# The same through the hook.
HOOK = """
import holdem


def load():
    return holdem.get_evaluator("lookup").strengths


@holdem.hookimpl
def holdem_evaluators():
    return [holdem.EvaluatorSpec("hooked", "", "", {5, 6, 7}, load)]
"""
RIVER = ["equity", "AsKs", "QdQh", "-b", "Td9d2c3h", "-f", "json", "--evaluator"]


@pytest.fixture(autouse=True)
def workplace(tmp_path, monkeypatch):
    """An empty directory, and a process without plugins of earlier tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOLDEM_DISABLE_PLUGINS", raising=False)
    use_new_registry(monkeypatch)
    monkeypatch.setattr(given_files, "GIVEN", {})
    return tmp_path


def ask(capsys, *arguments):
    """Run a command; return exit code, standard output and standard error."""
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(capsys, *arguments):
    """Return the JSON of a command that must succeed."""
    code, out, message = ask(capsys, *arguments)
    assert (code, message) == (0, "")
    return json.loads(out)


def test_a_refused_evaluator(workplace, capsys):
    """The hint of the message is a command that knows the file."""
    (workplace / "mine.py").write_text(MINE.format(name="mine", factor=-1))
    code, _, told = ask(capsys, "-p", "mine.py", *RIVER, "mine")
    assert (code, told.partition("to see all: ")[2]) == (
        2,
        "holdem evaluators check mine, with the same -p\n",
    )


def wins(result):
    return [player["wins"] for player in result["players"]]


@pytest.mark.parametrize("registers", [False, True])
def test_decorated_function(workplace, capsys, registers):
    """Its version is the digest of the file, also if the file registers it itself."""
    code = MINE.format(name="mine", factor=2) + "\nholdem.register(rank)\n" * registers
    (workplace / "mine.py").write_text(code)
    expected = wins(answer(capsys, *RIVER, "lookup"))
    found = answer(capsys, "-p", "mine.py", *RIVER, "mine")
    assert wins(found) == expected
    assert re.fullmatch("sha256:[0-9a-f]{16}", found["evaluator"]["version"])
    (record,) = [each for each in holdem.evaluators() if each.name == "mine"]
    assert record.distribution == "mine.py"
    assert record.source.endswith(".rank")


def test_a_file_imports_its_neighbour(workplace, capsys, monkeypatch):
    """The folder of a file is searched first, as when Python runs the file."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = workplace / "folder"
    folder.mkdir()
    (folder / "neighbour_of_mine.py").write_text("FACTOR = 2\n")
    code = MINE.format(name="mine", factor="neighbour_of_mine.FACTOR")
    (folder / "mine.py").write_text("import neighbour_of_mine\n" + code)
    found = answer(capsys, "-p", "folder/mine.py", *RIVER, "mine")
    assert found["evaluator"]["name"] == "mine"
    assert sys.path[0] == str(folder)


def test_hook_of_a_file_and_a_module(workplace, capsys, monkeypatch):
    """Hook implementations of a file and of a module are registered; both may be given."""
    monkeypatch.syspath_prepend(str(workplace))
    (workplace / "hooked.py").write_text(HOOK)
    (workplace / "plugin_module.py").write_text(HOOK.replace('"hooked"', '"of-module"'))
    expected = wins(answer(capsys, *RIVER, "lookup"))
    given = ("-p", "hooked.py", "--plugin", "plugin_module")
    for name in ("hooked", "of-module"):
        assert wins(answer(capsys, *given, *RIVER, name)) == expected
    assert given_files.GIVEN["plugin_module"].digest != given_files.GIVEN["hooked.py"].digest


def test_digest_of_a_compiled_module(workplace, monkeypatch):
    """The version of a module without source is the digest of its compiled file."""
    monkeypatch.syspath_prepend(str(workplace))
    for number in (0, 1):
        source = workplace / "source.py"
        source.write_text(f"number = {number}", encoding="utf-8")
        py_compile.compile(str(source), cfile=str(workplace / f"compiled_{number}.pyc"))
    first, second = (given_files.find_plugin(f"compiled_{number}") for number in (0, 1))
    assert first.digest != second.digest


def test_without_installed_plugins(workplace, capsys):
    """`--no-plugins -p` leaves the built-in evaluators and those of the file."""
    (workplace / "mine.py").write_text(MINE.format(name="mine", factor=2))
    for options in (["--no-plugins", "-p", "mine.py"], ["-p", "mine.py", "--no-plugins"]):
        names = [record["name"] for record in answer(capsys, *options, "evaluators", "-f", "json")]
        assert names == ["lookup", "reference", "mine"]


REFUSED = {
    "a missing file": ("no.py", None, "plugin 'no.py': No such file or directory"),
    "a missing module": ("unheard_of", MINE, "no such file or module; did you mean unheard_of.py?"),
    "the line of an exception": ("x.py", "y = 1\n\n1 / 0", "division by zero (line 3)\n"),
    "an exit": ("x.py", "import sys\nsys.exit(3)", "plugin 'x.py': SystemExit: 3 (line 2)"),
    "nothing": (
        "x.py",
        "y = 1",
        "no function with @holdem.evaluator or @holdem.strategy, and has no hook",
    ),
    "a name of the engine": ("x.py", MINE, "'bitwise' is the name of an evaluator of holdem"),
    "a fault of a hook": (
        "x.py",
        HOOK.replace("return [", "return 5, ["),
        "'x.py': holdem_",
    ),
}


@pytest.mark.parametrize(("given", "code", "told"), REFUSED.values(), ids=REFUSED)
def test_refused(workplace, capsys, given, code, told):
    """The message says what is wrong, and where; no command runs."""
    if code is not None:
        file = given if given.endswith(".py") else f"{given}.py"
        (workplace / file).write_text(code.replace("{name}", "bitwise").replace("{factor}", "1"))
    exit_code, out, message = ask(capsys, "-p", given, *RIVER, "lookup")
    assert (exit_code, out) == (2, "")
    assert told in message
    assert message.count("\n") == 1


def test_name_of_an_installed_package(workplace, capsys, monkeypatch):
    """A file and a package that offer one name are refused; the message names both."""
    monkeypatch.syspath_prepend(str(workplace))
    write_distribution(workplace, "plugin_twin", HOOK.replace('"hooked"', '"mine"'))
    (workplace / "mine.py").write_text(MINE.format(name="mine", factor=1))
    code, _, message = ask(capsys, "-p", "mine.py", *RIVER, "mine")
    assert code == 2
    assert "'mine.py': 2 plugins offer 'mine': plugin-twin 1.0 and mine.py sha256:" in message


def test_a_folder(workplace, capsys):
    """The message names a file in it; a package on the path is a module."""
    (workplace / "folder").mkdir()
    (workplace / "folder" / "mine.py").write_text(MINE.format(name="mine", factor=1))
    for given in ("folder", "folder/"):
        code, _, message = ask(capsys, "-p", given, "range", "AA")
        assert (code, message) == (
            2,
            f"holdem: plugin {given!r}: it is a folder: give a file, such as folder/mine.py, or"
            " the name of a module\n",
        )


def test_two_files_of_one_name(workplace, capsys):
    """The second would replace the first; the same file may be given twice."""
    (workplace / "folder").mkdir()
    for file in ("mine.py", "folder/mine.py"):
        (workplace / file).write_text(MINE.format(name="mine", factor=1))
    code, _, message = ask(capsys, "-p", "mine.py", "-p", "folder/mine.py", "range", "AA")
    assert code == 2
    assert "'folder/mine.py': another plugin has the name 'mine.py', " in message
    assert ask(capsys, "-p", "mine.py", "-p", "mine.py", "range", "AA")[0] == 0


def test_after_the_command(capsys):
    """The option comes before the command, and the message says so."""
    _, _, message = ask(capsys, *RIVER, "lookup", "--plugin", "mine.py")
    assert "--plugin comes before the command, as in holdem -p mine.py equity" in message


STUDY = """
seed = 4
evaluator = "mine"
[[spot]]
players = ["AsKs", "QdQh"]
board = "Td9d2c3h"
"""


def test_run_and_resume(workplace, capsys):
    """A run goes on with the same file; after the file has changed it is refused."""
    (workplace / "study.toml").write_text(STUDY)
    (workplace / "mine.py").write_text(MINE.format(name="mine", factor=2))
    command = ("-p", "mine.py", "run", "study.toml", "--store", "s.store")
    for _ in range(2):
        code, out, _ = ask(capsys, *command)
        assert (code, out.split(":")[0]) == (0, "complete")
    before = given_files.GIVEN["mine.py"].origin.version
    (workplace / "mine.py").write_text(MINE.format(name="mine", factor=3))
    code, _, message = ask(capsys, *command)
    after = given_files.GIVEN["mine.py"].origin.version
    assert code == 2
    assert message.startswith(
        f"holdem: s.store was created with evaluator 'mine' of mine.py {before}, and this is"
        f" mine.py {after}: use the version that created it"
    )
    code, _, message = ask(capsys, "run", "study.toml", "--store", "s.store", "--no-plugins")
    assert code == 2


RANGES = """
import holdem


@holdem.hookimpl
def holdem_ranges():
    return {"mine": "AKs"}  # VERSION
"""


def test_a_store_has_the_digests_of_all_files(workplace, capsys):
    """A run with ranges or commands of a file is not continued after the file has changed.

    A file that the run has not had before is noted when it goes on.
    """
    study = STUDY.replace('evaluator = "mine"\n', "").replace("AsKs", "@mine")
    (workplace / "study.toml").write_text(study)
    (workplace / "ranges.py").write_text(RANGES)
    (workplace / "other.py").write_text(RANGES.replace("mine", "other"))
    command = ("run", "study.toml", "--store", "s.store")
    for given in ([], ["-p", "other.py"], []):
        code, _, message = ask(capsys, "-p", "ranges.py", *given, *command)
        assert (code, message) == (0, "")
    for changed in ("ranges.py", "other.py"):
        before = given_files.GIVEN[changed].origin.version
        text = (workplace / changed).read_text()
        (workplace / changed).write_text(text.replace("VERSION", "another"))  # the same range
        code, _, message = ask(capsys, "-p", "ranges.py", "-p", "other.py", *command)
        after = given_files.GIVEN[changed].origin.version
        assert (code, message) == (
            2,
            f"holdem: s.store was computed with the plugin {changed!r} {before}, and the file has"
            f" changed since: now it is {after}; give the file as it was, or use another store\n",
        )
        (workplace / changed).write_text(text)
        assert ask(capsys, "-p", "ranges.py", "-p", "other.py", *command)[0] == 0


def test_a_changed_file_is_proved_anew(workplace, capsys):
    """Within a process, and though the table before the flop needs no hand ranked."""
    ask_before_the_flop = ("-p", "mine.py", "equity", "AcAs", "KdKh", "--evaluator", "mine")
    right = MINE.format(name="mine", factor=2)
    one_kind = "(sorted(card // 4 for card in cards) == [0, 0, 0, 0, 5])"
    wrong = right.replace("strength(cards)", f"strength(cards) + 10**12 * {one_kind}")
    for code, expected in ((right, 0), (wrong, 2), (right, 0)):
        (workplace / "mine.py").write_text(code)
        found, _, message = ask(capsys, *ask_before_the_flop)
        assert expected == found, message
        assert ("Four of a Kind, Twos" in message) == bool(expected)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:(distributed|dask|tornado|asyncio|click).*")
def test_dask(workplace, capsys):
    """The source of a file is sent to the workers, again after it has changed."""
    distributed = pytest.importorskip("distributed")
    expected = wins(answer(capsys, *RIVER, "lookup"))
    (workplace / "study.toml").write_text(STUDY)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as made:
        for factor in (2, 3):
            (workplace / "mine.py").write_text(MINE.format(name="mine", factor=factor))
            address = made.scheduler_address
            command = ("run", "study.toml", "--store", f"{factor}.store", "--dask", address)
            code, out, message = ask(capsys, "-p", "mine.py", *command)
            assert (code, out.split(":")[0]) == (0, "complete"), message
            (spot,) = holdem.study_results(f"{factor}.store").spots
            assert spot.result.evaluator.name == "mine"
            assert [player.wins for player in spot.result.players] == expected


def test_serve(workplace):
    """The page answers with the evaluators of the file."""
    (workplace / "mine.py").write_text(MINE.format(name="mine", factor=2))
    command = ["-p", "mine.py", "serve", "--no-browser", "--port", "0", "--evaluator", "mine"]
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", *command], stdout=subprocess.PIPE, text=True
    )
    try:
        address = process.stdout.readline().strip()
        page, _, token = address.partition("?")
        question = {"players": ["AsKs", "QdQh"], "board": "Td9d2c3h"}
        request = urllib.request.Request(
            f"{page}api/equity?{token}",
            json.dumps(question).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            found = json.load(response)
    finally:
        process.kill()
        process.communicate()
    assert found["evaluator"]["version"].startswith("sha256:")
