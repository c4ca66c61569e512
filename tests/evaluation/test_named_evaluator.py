"""The user's configuration file, and the default evaluator that it names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import holdem
from holdem.cli import run
from holdem.errors import ConfigurationError
from holdem.evaluation import configuration
from holdem.evaluation.configuration import Configuration, read_configuration
from holdem.rules import STANDARD
from plugin_distributions import use_new_registry


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Return a function that writes a configuration, and returns a registry that uses it."""

    def write(text):
        file = tmp_path / "config.toml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setenv("HOLDEM_CONFIG", str(file))
        return use_new_registry(monkeypatch)

    return write


# --- where it lies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, ".config/holdem/config.toml"),
        ("linux", {"XDG_CONFIG_HOME": "{home}/elsewhere"}, "elsewhere/holdem/config.toml"),
        ("linux", {"XDG_CONFIG_HOME": ""}, ".config/holdem/config.toml"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, ".config/holdem/config.toml"),
        ("darwin", {}, "Library/Application Support/holdem/config.toml"),
        ("win32", {}, "AppData/Roaming/holdem/config.toml"),
        ("win32", {"APPDATA": "{home}/Roaming"}, "Roaming/holdem/config.toml"),
        ("linux", {"HOLDEM_CONFIG": "{home}/mine.toml"}, "mine.toml"),
        ("linux", {"HOLDEM_CONFIG": "~/mine.toml"}, "mine.toml"),
        ("win32", {"HOLDEM_CONFIG": "~/mine.toml"}, "mine.toml"),
    ],
)
def test_location(tmp_path, monkeypatch, platform, variables, expected):
    """The platform's configuration directory, or the file that HOLDEM_CONFIG names."""
    for name in ("HOLDEM_CONFIG", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(configuration.sys, "platform", platform)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(home=tmp_path))
    if "HOLDEM_CONFIG" not in variables:
        assert Configuration() == read_configuration()  # there need not be one
    file = tmp_path / expected
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('evaluator = "bitwise"\n')
    assert Configuration(file, "bitwise") == read_configuration()


def test_working_directory_is_not_searched(tmp_path, monkeypatch):
    monkeypatch.delenv("HOLDEM_CONFIG")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.chdir(tmp_path)
    for place in (
        "config.toml",
        "holdem/config.toml",
        "relative/holdem/config.toml",
        "holdem.toml",
    ):
        file = tmp_path / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('evaluator = "bitwise"\n')
    (tmp_path / "pyproject.toml").write_text('[tool.holdem]\nevaluator = "bitwise"\n')
    assert Configuration() == read_configuration()


@pytest.mark.parametrize("text", ["config.toml", "./config.toml", "../config.toml"])
def test_relative_path_is_an_error(tmp_path, monkeypatch, text):
    """Even if the file exists."""
    (tmp_path / "config.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLDEM_CONFIG", text)
    with pytest.raises(ConfigurationError, match=r"HOLDEM_CONFIG is '.*config\.toml', a rela"):
        read_configuration()


def test_no_home_directory(tmp_path, monkeypatch):
    """A directory called ~ in the working directory is not searched."""
    monkeypatch.delenv("HOLDEM_CONFIG")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(configuration.os.path, "expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "~" / ".config" / "holdem" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('evaluator = "bitwise"\n')
    assert Configuration() == read_configuration()


# --- what is in it -----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "# nothing\n", "\n\n"])
def test_empty_file(configured, text):
    """The default is `lookup`."""
    fresh = configured(text)
    assert fresh.configuration.evaluator is None
    assert "lookup" == fresh.get(None).name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('evaluater = "lookup"', "has no setting 'evaluater' (did you mean evaluator?); there is"),
        (
            "[evaluator]\nname = 1",
            "evaluator must be a name, as in evaluator = \"lookup\", not {'name'",
        ),
        ("evaluator = 7", 'evaluator must be a name, as in evaluator = "lookup", not 7'),
        ("evaluator = ['a', 'b']", "not ['a', 'b']"),
        ('evaluator = "lookup"\n[run]\nworkers = 2', "has no setting 'run'; there is: evaluator"),
        ('"a\\u001b[31m" = 1', r"has no setting 'a\x1b[31m'; there is: evaluator"),
        ("evaluator = lookup", "is not TOML: Invalid value (at line 1, column 13)"),
        ('evaluator = "a"\nevaluator = "b"', "is not TOML: Cannot overwrite a value"),
        ("evaluator", "is not TOML: Expected '='"),
        (b'evaluator = "\xff"', "is not UTF-8 text (byte 14)"),
        ("x = " + 5000 * "[", "is not TOML"),
        (b"\x00", "is not TOML"),
    ],
)
def test_invalid_file(configured, tmp_path, text, told):
    """Each time the error is one printable line that names the file."""
    fresh = configured(text)
    for _ in range(2):
        with pytest.raises(ConfigurationError) as caught:
            fresh.get(None)
        assert str(caught.value).startswith(f"configuration {tmp_path / 'config.toml'} ")
        assert told in str(caught.value)
        assert str(caught.value).isprintable()
    assert "lookup" == fresh.get("lookup").name  # who names one needs no configuration


def test_unreadable_file(tmp_path, monkeypatch):
    """A missing file is an error only if HOLDEM_CONFIG names it."""
    missing = tmp_path / "no.toml"
    monkeypatch.setenv("HOLDEM_CONFIG", str(missing))
    with pytest.raises(ConfigurationError) as caught:
        read_configuration()
    assert f"configuration {missing} cannot be read: No such file or directory" == str(caught.value)
    monkeypatch.setenv("HOLDEM_CONFIG", str(tmp_path))
    with pytest.raises(ConfigurationError, match="cannot be read: Is a directory"):
        read_configuration()
    # The usual place: nothing there is no fault, a directory there is one.
    monkeypatch.delenv("HOLDEM_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(configuration.sys, "platform", "linux")
    assert Configuration() == read_configuration()
    (tmp_path / "holdem").write_text("a file where a directory is looked for")
    assert Configuration() == read_configuration()
    (tmp_path / "holdem").unlink()
    (tmp_path / "holdem" / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigurationError, match="cannot be read: Is a directory"):
        read_configuration()


# --- the default -------------------------------------------------------------------------------


def test_default_is_in_every_result(configured, capsys):
    configured('evaluator = "cactus-kev"\n')
    hands = list(holdem.simulate(players=2, hands=1, seed=7))
    labels = [
        holdem.get_evaluator().label.to_dict(),
        holdem.evaluate("As Ks Qs Js Ts").evaluator.label.to_dict(),
        holdem.evaluate("As Ks Qs Js Ts").to_dict()["evaluator"],
        holdem.equity("AsKs", "QQ", board="Td9d2c7h").to_dict()["evaluator"],
        holdem.equity("AsKs", "QQ", method="monte-carlo", deals=100, seed=1).to_dict()["evaluator"],
        holdem.head_to_head("AsKs", "QQ", deals=100, seed=1).to_dict()["evaluator"],
        holdem.aggregate(players=2, hands=100, seed=7).to_dict()["evaluator"],
        hands[0].to_dict()["evaluator"],
    ]
    for command in (
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h"),
        ("evaluate", "AsKsQsJsTs"),
        ("head-to-head", "AsKs", "QQ", "-n", "100"),
    ):
        assert run([*command, "-f", "json"]) == 0
        labels.append(json.loads(capsys.readouterr().out)["evaluator"])
    assert run(["deal", "-f", "jsonl"]) == 0
    labels.append(json.loads(capsys.readouterr().out)["evaluator"])
    assert [{"name": "cactus-kev", "version": holdem.__version__}] * len(labels) == labels


@pytest.mark.parametrize(
    "command",
    [
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h"),
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h", "-f", "csv"),
        ("equity", "AsKs", "QQ", "--board", "Td9d2c7h", "-f", "markdown"),
        ("evaluate", "AsKsQsJsTs"),
        ("head-to-head", "AsKs", "QQ", "-n", "100"),
        ("head-to-head", "AsKs", "QQ", "-n", "100", "-f", "markdown"),
        ("deal",),
        ("evaluators",),
    ],
)
def test_default_is_in_every_table(configured, capsys, command):
    configured('evaluator = "cactus-kev"\n')
    assert run([*command]) == 0
    assert "cactus-kev" in capsys.readouterr().out


def test_byte_order_mark_is_ignored(configured):
    assert "bitwise" == configured(b'\xef\xbb\xbfevaluator = "bitwise"\r\n').get(None).name


def test_call_overrides_default(configured):
    configured('evaluator = "cactus-kev"\n')
    assert "bitwise" == holdem.evaluate("As Ks Qs Js Ts", evaluator="bitwise").evaluator.name
    result = holdem.equity("AsKs", "QQ", board="Td9d2c7h", evaluator="lookup")
    assert "lookup" == result.evaluator.name


def test_fused_kernels_are_used_for_lookup_only(configured):
    """Another default counts the hands that it ranks."""
    asked = []
    inner = holdem.get_evaluator("lookup")

    def counting(hands):
        asked.append(len(hands))
        return inner.rank(hands)

    fresh = configured('evaluator = "counting"\n')
    fresh.register(holdem.evaluator("counting", batch=True, hand_sizes={5, 6, 7})(counting))
    assert not fresh.get(None).is_fused
    assert fresh.get("lookup").is_fused
    asked.clear()
    assert 1388072 == holdem.equity("AcAs", "KdKh").players[0].wins
    assert sum(asked) > 100_000
    asked.clear()
    holdem.equity("AsKs", "QQ", method="monte-carlo", deals=1000, seed=7)
    assert 2000 == sum(asked)
    asked.clear()
    holdem.equity("AcAs", "KdKh", evaluator="lookup")
    assert [] == asked


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kev", "no evaluator 'kev'; there are: lookup, reference"),
        ("cactus_kev", "no evaluator 'cactus_kev' (did you mean cactus-kev?); there are"),
        ("../kev", "no evaluator '../kev'; there are"),
        ("", "no evaluator ''; there are"),
        (
            "short-deck",
            "'short-deck' has short-deck rules, but the default must have standard rules",
        ),
        ("broken", "evaluator 'broken' cannot be loaded: RuntimeError: no tables"),
        ("upside-down", "evaluator 'upside-down' misorders"),
    ],
)
def test_unusable_default(configured, tmp_path, name, told):
    """Unknown, of another rule set, or broken: one line that names the file and the evaluator."""
    fresh = configured(f'evaluator = "{name}"\n')

    def load():
        raise RuntimeError("no tables")

    fresh.register(holdem.EvaluatorSpec("broken", "", "", {5}, load))
    reference = holdem.get_evaluator("reference")
    fresh.register(
        holdem.evaluator("upside-down", batch=True)(lambda hands: -reference.rank(hands))
    )
    for _ in range(2):
        with pytest.raises(ConfigurationError) as caught:
            holdem.equity("AsKs", "QQ")
        start = f"the default evaluator of {tmp_path / 'config.toml'}: {told}"
        assert str(caught.value).startswith(start)
        assert str(caught.value).isprintable()
    result = holdem.equity("AsKs", "QQ", board="Td9d2c7h", evaluator="lookup")
    assert result.exact


def test_disabled_default(configured, monkeypatch):
    configured('evaluator = "bitwise"\n')
    monkeypatch.setenv("HOLDEM_DISABLE_PLUGINS", "bitwise")
    with pytest.raises(ConfigurationError, match="'bitwise' is disabled: by HOLDEM_DISABLE_PLUG"):
        holdem.evaluate("As Ks Qs Js Ts")


def test_replaced_default(configured):
    """It is found by its name each time."""
    fresh = configured('evaluator = "mine"\n')
    lookup = holdem.get_evaluator("lookup")
    for factor in (1, 3):
        mine = holdem.evaluator("mine", batch=True, hand_sizes={5, 6, 7})(
            lambda hands, factor=factor: factor * lookup.rank(hands).astype("int64")
        )
        fresh.register(mine, replace=factor > 1)
        assert factor * 7462 == holdem.evaluate("As Ks Qs Js Ts").strength
    assert STANDARD is fresh.get(None).rules


# --- on the command line, and what it costs ------------------------------------------------------


def _python(code, file, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "HOLDEM_CONFIG": str(file)},
    )


def test_invalid_file_on_the_command_line(tmp_path):
    """Exit code 2 and one line; commands that need no default evaluator work."""
    file = tmp_path / "config.toml"
    file.write_text("evaluator = 7\n")
    code = "import sys; from holdem.cli import run; sys.exit(run(sys.argv[1:]))"
    done = _python(code, file, "evaluate", "AsKsQsJsTs")
    assert (2, "") == (done.returncode, done.stdout)
    told = f'configuration {file} evaluator must be a name, as in evaluator = "lookup", not 7'
    assert f"holdem: {told}\n" == done.stderr
    for command in (["range", "AA"], ["evaluate", "AsKsQsJsTs", "--evaluator", "lookup"]):
        done = _python(code, file, *command)
        assert (0, "") == (done.returncode, done.stderr)
    done = _python(code, file, "evaluators")
    assert 0 == done.returncode
    assert "bitwise" in done.stdout
    assert f"holdem: note: {told}\n" == done.stderr


def test_file_is_read_when_a_default_is_needed(tmp_path):
    """Neither importing nor listing evaluators reads the file or imports tomllib."""
    file = tmp_path / "config.toml"
    file.write_text("this is no TOML")
    code = (
        "import sys, holdem\n"
        "holdem.evaluators(); holdem.Range('AA')\n"
        "holdem.evaluate('AsKsQsJsTs', evaluator='lookup')\n"
        "print('tomllib' in sys.modules)\n"
        "try: holdem.evaluate('AsKsQsJsTs')\n"
        "except holdem.ConfigurationError as error: print(error)\n"
    )
    done = _python(code, file)
    assert done.stderr == ""
    before, told = done.stdout.splitlines()
    assert "False" == before
    assert told.startswith(f"configuration {file} is not TOML")


def test_no_parser_is_imported_without_a_file(tmp_path):
    code = (
        "import os, sys, holdem\n"
        "del os.environ['HOLDEM_CONFIG']\n"
        "holdem.evaluate('AsKsQsJsTs'); print('tomllib' in sys.modules)"
    )
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=True,
    )
    assert "False\n" == done.stdout


def test_tests_have_no_configuration():
    assert "no_configuration.toml" == Path(os.environ["HOLDEM_CONFIG"]).name
    assert read_configuration().evaluator is None
