"""Commands of plugins, through the hook `holdem_commands`."""

import json
import subprocess
import sys

import pytest

from holdem import plugin_manager
from holdem.cli import run
from plugin_distributions import registry_anew, write_distribution

MODULE = """
import click

import holdem


@click.command()
@click.argument("text")
@click.option("--boom", is_flag=True)
@click.option("--ranges", is_flag=True)
def count(text, boom, ranges):
    '''Count combos.'''
    if boom:
        raise ArithmeticError("boom")
    click.echo(f"{len(holdem.Range(text))} {ranges}")


number = 5
"""
HOOK = "import holdem\n\n@holdem.hookimpl\ndef holdem_commands():\n    return "
IMPORT = "import plugin_counting_commands as c; return"
LAZY = HOOK + "{'count': 'plugin_counting.commands:count'}"


def write_command(directory, hook=LAZY):
    """Write a package whose command is in a module of its own, `plugin_counting_commands`."""
    (directory / "plugin_counting_commands.py").write_text(MODULE)
    code = hook.replace("plugin_counting.commands", "plugin_counting_commands")
    write_distribution(directory, "plugin_counting", code, entry="counting")


def ask(capsys, *arguments):
    """Run a command; return exit code, standard output and standard error."""
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    "hook",
    [
        LAZY,
        HOOK.replace("return", "import plugin_counting_commands as c; return")
        + "{'count': c.count}",
    ],
    ids=["by name", "itself"],
)
def test_command(directory, capsys, hook):
    """It runs like the engine's own, with the options that all have, and is in the help."""
    write_command(directory, hook)
    assert ask(capsys, "count", "22+") == (0, "78 False\n", "")
    assert ask(capsys, "count", "22+", "--ranges")[1] == "78 True\n"  # its own option
    _, out, _ = ask(capsys, "--help")
    commands = out.partition("Commands:")[2].split("\n")
    assert [line.split()[0] for line in commands if line.startswith("  ")][-2:] == [
        "abstraction",
        "count",
    ]
    assert "Count combos." in out
    assert "did you mean count?" in ask(capsys, "coumt", "22+")[2]


def test_messages_of_a_command(directory, capsys):
    """Usage errors are as those of the engine's commands; a crash names the plugin."""
    write_command(directory)
    code, _, message = ask(capsys, "count")
    assert (code, message) == (
        2,
        "holdem count: Missing argument 'TEXT' (see holdem count --help)\n",
    )
    code, _, message = ask(capsys, "count", "ZZ")
    assert code == 2
    assert message.startswith("holdem: 'ZZ' is not a hand")
    code, _, message = ask(capsys, "count", "22+", "--boom")
    assert code == 1
    assert message == (
        "holdem: command 'count' of plugin-counting 1.0 failed: ArithmeticError: boom"
        " (--traceback shows all of it)\n"
    )


BROKEN = {
    "raises": (HOOK + "1 / 0", "ZeroDivisionError: division by zero (in holdem_commands)"),
    "returns a list": (HOOK + "['x']", "holdem_commands returned ['x'], not a mapping from names"),
    "takes a name of the engine": (
        HOOK + "{'equity': 'x:y'}",
        "holdem_commands: 'equity' is a command of holdem itself",
    ),
    "takes the name of an engine's plugin": (
        HOOK + "{'abstraction': 'holdem_abstraction.command:command'}",
        "holdem_commands: 'abstraction' is a command of holdem itself",
    ),
    "has a bad name": (
        HOOK + "{'My Command': 'x:y'}",
        "holdem_commands: 'My Command' is not a valid name of a command: use a-z, 0-9 and -",
    ),
    "returns a function": (
        HOOK + "{'mine': print}",
        "holdem_commands: mine is <built-in function print>, not a click command or text such as",
    ),
    "returns a path": (HOOK + "{'mine': 'x.py'}", "holdem_commands: mine is 'x.py', not a click"),
}


@pytest.mark.parametrize(("code", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken_package(directory, capsys, code, reason):
    """What its users see: that it is broken, and why; other commands work."""
    write_distribution(directory, "plugin_faulty", code, entry="faulty")
    write_command(directory)
    exit_code, _, message = ask(capsys, "mine")
    assert exit_code == 2
    assert "no command 'mine'" in message
    assert "; 1 plugin is broken: faulty; `holdem evaluators` tells why" in message
    assert ask(capsys, "count", "22+")[1] == "78 False\n"
    assert ask(capsys, "abstraction", "--help")[0] == 0
    exit_code, out, _ = ask(capsys, "evaluators", "-f", "json")
    records = {each["name"]: each for each in json.loads(out)}
    assert records["faulty"]["status"] == "broken"
    assert records["faulty"]["reason"].startswith(reason)
    assert ask(capsys, "--help")[0] == 0


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (
            "no_such_module:x",
            "ModuleNotFoundError: No module named 'no_such_module' (importing no_",
        ),
        ("plugin_counting_commands:nothing", "AttributeError: module 'plugin_counting_commands'"),
        ("plugin_counting_commands:number", "plugin_counting_commands:number is 5, not a click"),
    ],
)
def test_a_command_that_cannot_be_imported(directory, capsys, target, told):
    """The message names its plugin; the help shows it as broken."""
    write_command(directory, HOOK + f"{{'count': '{target}'}}")
    for arguments in (["count", "22+", "--unknown"], ["count"]):
        code, _, message = ask(capsys, *arguments)
        assert code == 2
        assert message.startswith(f"holdem: command 'count' of plugin-counting 1.0: {told}")
    assert "Broken: command 'count' of" in ask(capsys, "--help")[1]


def test_a_name_of_two_plugins(directory, capsys):
    """Neither has it; the message names both."""
    write_command(directory)
    write_distribution(directory, "plugin_second", HOOK + "{'count': 'x:y'}", entry="second")
    code, _, message = ask(capsys, "count", "22+")
    assert code == 2
    both = "plugin-counting 1.0 and plugin-second 1.0"
    assert f"command 'count': 2 plugins offer it, {both}: uninstall one of them" in message


def test_no_command_is_imported_for_others(tmp_path):
    """`holdem equity` imports no plugin, and nothing to sample; evaluators import no command."""
    write_command(tmp_path)
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "from holdem.cli import run\n"
        "from holdem.jit import kernels\n"
        "kernels._NUMPY_SECONDS = 1e9  # a busy machine loads no kernel, and with it numba\n"
        "run(sys.argv[1:])\n"
        "names = 'plugin_', 'holdem_', 'holdem.plugins.given', 'importlib.metadata'\n"
        "names += 'holdem.odds.sampling', 'random', 'secrets'  # nor what others need\n"
        "loaded = [name for name in sys.modules if name.startswith(names)]\n"
        "print(loaded, file=sys.stderr)\n"
    )
    evaluate = ["evaluate", "AsKsQsJsTs", "--evaluator", "bitwise"]
    loaded = {}
    for command in (["equity", "AA", "KK"], evaluate, ["count", "22+"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
        )
        loaded[command[0]] = done.stderr
    assert loaded["equity"].strip().endswith("[]")
    assert "plugin_counting" in loaded["evaluate"]
    assert "plugin_counting_commands" not in loaded["evaluate"]
    assert "plugin_counting_commands" in loaded["count"]


def test_bundled_commands_are_missed(directory, capsys):
    """Without its plugin, a command of a bundled plugin says which it is, and what left it out."""
    told = "serve comes from the plugin holdem_page, "
    assert f"{told}left out by --no-plugins" in ask(capsys, "--no-plugins", "serve")[2]
    assert "no command 'count'" in ask(capsys, "--no-plugins", "count")[2]
    with pytest.MonkeyPatch.context() as patch, registry_anew(directory):
        patch.setenv("HOLDEM_DISABLE_PLUGINS", "holdem_page")  # or page, its entry point
        assert f"{told}which is disabled: by HOLDEM_DISABLE_PLUGINS" in ask(capsys, "serve")[2]
        assert ask(capsys, "history", "--help")[0] == 0
        plugin_manager().set_blocked("histories")
        told = "holdem_histories, which is disabled: the plugin is blocked"
        assert told in ask(capsys, "history", "--help")[2]


@pytest.mark.filterwarnings("default")
def test_a_step_of_warming_up_fails(directory, capsys, monkeypatch):
    """The plugin is named, and the steps after it are taken."""
    (directory / "steps.py").write_text(
        "import holdem\n"
        "@holdem.hookimpl\n"
        "def holdem_warm_up(): return {'bad': lambda: 1 / 0, 'good': lambda: print('taken')}\n"
    )
    for name in ("_rank_hands", "_rank_one_hand", "_list_and_check_hands", "_equity", "_sample"):
        monkeypatch.setattr(f"holdem.compilation.{name}", lambda *_: None)
    for name in ("_trials", "_equity_preflop", "_many_spots", "_settle_pots", "hits"):
        monkeypatch.setattr(f"holdem.compilation.{name}", lambda *_: None)
    code, out, message = ask(capsys, "-p", "steps.py", "warm-up")
    assert code == 0
    assert "bad is not compiled: plugin steps.py: ZeroDivisionError: division by zero" in message
    assert "taken" in out
