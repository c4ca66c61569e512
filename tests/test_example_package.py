"""Packages of evaluators: written by a command, installed, used, uninstalled."""

import json
import tomllib
from pathlib import Path

import pytest

import holdem
from holdem.cli import run
from plugin_distributions import registry_anew, use_new_registry, write_distribution
from virtual_environment import Environment

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "holdem-example"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Return an environment for the tests of this file."""
    return Environment(tmp_path_factory.mktemp("environment") / "venv")


def written(directory):
    """Return the contents of all files below a directory by path."""
    return {
        path.relative_to(directory).as_posix(): path.read_text(encoding="utf-8")
        for path in directory.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def wins(answer):
    """Return wins and ties of the players of a result."""
    return [(player["wins"], player["ties"]) for player in answer["players"]]


def require_working(environment, name, package):
    """Assert that an installed evaluator is listed, ranks correctly, and passes its own tests."""
    record = environment.evaluators()[name]
    assert (record["status"], record["reason"]) == ("active", "")
    assert (record["distribution"], record["version"]) == (f"holdem-{name}", "0.1.0")
    question = ["equity", "AsKs", "QQ+", "--board", "Td9d2c", "--evaluator"]
    found = environment.holdem(*question, name)
    assert found["evaluator"] == {"name": name, "version": "0.1.0"}
    assert wins(found) == wins(holdem.equity("AsKs", "QQ+", board="Td9d2c").to_dict())
    # The tests of the package, one of them of conformance, with the installed package.
    arguments = ["-p", "no:cacheprovider", "--rootdir", str(package), str(package / "tests")]
    done = environment("-m", "pytest", *arguments, cwd=package)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_example_is_what_the_command_writes(tmp_path, capsys):
    """The package in the documentation is the template."""
    assert run(["evaluators", "new", "example", "--compiled", "--directory", str(tmp_path)]) == 0
    assert written(EXAMPLE) == written(tmp_path / "holdem-example")
    out = capsys.readouterr().out
    for file in written(EXAMPLE):
        assert f"  {file}\n" in out
    assert f'pip install -e "{tmp_path / "holdem-example"}[test]"\n' in out  # with pytest
    assert "holdem evaluators check example\n" in out


def test_example_is_installed_and_uninstalled(environment, tmp_path):
    package = tmp_path / "holdem-example"
    for file, text in written(EXAMPLE).items():
        (package / file).parent.mkdir(parents=True, exist_ok=True)
        (package / file).write_text(text, encoding="utf-8")
    environment.install(package)
    require_working(environment, "example", package)
    done = environment("-c", "import holdem_example; print(holdem_example.__file__)")
    assert Path(done.stdout.strip()).is_relative_to(environment.home)
    environment.pip("uninstall", "-y", "holdem-example")
    done = environment("-m", "holdem", "evaluate", "AsKsQsJsTs", "--evaluator", "example")
    assert (done.returncode, "no evaluator 'example'" in done.stderr) == (2, True)


@pytest.mark.slow
def test_package_with_a_name_of_all_characters(environment, tmp_path):
    name = "0my.own_one-2"
    assert run(["evaluators", "new", name, "--directory", str(tmp_path / "new")]) == 0
    package = tmp_path / "new" / f"holdem-{name}"
    files = written(package)
    assert "{{" not in "".join(files.values())
    assert "example" not in "".join(files.values())
    assert {"holdem_0my_own_one_2/kernel.py", "tests/test_holdem_0my_own_one_2.py"} <= set(files)
    project = tomllib.loads(files["pyproject.toml"])
    assert project["project"]["entry-points"]["holdem"] == {name: "holdem_0my_own_one_2"}
    environment.install(package)
    assert environment.evaluators()[name]["status"] == "active"
    answer = environment.holdem("evaluate", "As Ks Qs Js Ts", "--evaluator", name)
    assert answer["rank_class"] == 1
    environment.pip("uninstall", "-y", f"holdem-{name}")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("lookup", "the name 'lookup' is taken by holdem-engine"),
        ("bitwise", "the name 'bitwise' is taken by holdem-engine"),
        ("My-Evaluator", "'My-Evaluator' is not a valid evaluator name"),
        ("../up", "'../up' is not a valid evaluator name"),
        ("a/b", "'a/b' is not a valid evaluator name"),
        ("a b", "'a b' is not a valid evaluator name"),
        ("a\nb", r"'a\nb' is not a valid evaluator name"),
        ("", "'' is not a valid evaluator name"),
        ("é", "'é' is not a valid evaluator name"),
        ("a" * 65, "is not a valid evaluator name"),
    ],
)
def test_invalid_names(name, told, tmp_path, capsys, monkeypatch):
    """A bad or taken name is one message, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert run(["evaluators", "new", name]) == 2
    captured = capsys.readouterr()
    assert (captured.out, told in captured.err) == ("", True)
    assert not list(tmp_path.iterdir())


def test_existing_directory(tmp_path, capsys, monkeypatch):
    """It is an error, and nothing is overwritten."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "holdem-mine").mkdir()
    (tmp_path / "holdem-mine" / "notes").write_text("mine")
    assert run(["evaluators", "new", "mine"]) == 2
    assert "cannot write holdem-mine: File exists" in capsys.readouterr().err
    assert written(tmp_path) == {"holdem-mine/notes": "mine"}
    assert run(["evaluators", "new", "mine", "--directory", "holdem-mine/notes"]) == 2
    assert "is a file" in capsys.readouterr().err


SCRIPT = '''"""A script."""

import math
import sys

import holdem
from holdem import get_evaluator

# Times the strength.
FACTOR = 2
UNUSED = get_evaluator("no-such-evaluator") if len(sys.argv) > 99 else None


def double(strength):
    return FACTOR * math.floor(strength)


@holdem.evaluator("doubled")
def doubled(cards):
    """Rank twice as high."""
    return double(get_evaluator("reference").strength(cards))


holdem.register(doubled)
print(holdem.equity("AsKs", "QdQh", board="Td9d2c3h", evaluator="doubled"))
'''


def test_package_of_a_script(tmp_path, monkeypatch, capsys):
    """It has the function and what it uses, and the rest of the script does not run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SCRIPT)
    assert run(["evaluators", "new", "doubled", "--from", "mine.py"]) == 0
    files = written(tmp_path / "holdem-doubled")
    code = files["holdem_doubled/__init__.py"]
    for part in ("import math\n", "# Times the strength.\nFACTOR = 2\n", "return [doubled]\n"):
        assert part in code
    for part in ("UNUSED", "import sys", "register", "print"):
        assert part not in code
    (tmp_path / "plugin_doubled.py").write_text(code)
    question = ["equity", "AsKs", "QdQh", "-b", "Td9d2c3h", "-f", "json", "--evaluator"]
    capsys.readouterr()
    with registry_anew(tmp_path):
        write_distribution(tmp_path, "plugin_doubled", code)
        assert run([*question, "doubled"]) == 0
        found = json.loads(capsys.readouterr().out)
    assert run([*question, "lookup"]) == 0
    assert wins(found) == wins(json.loads(capsys.readouterr().out))


def test_what_a_package_of_a_script_lacks(tmp_path, monkeypatch, capsys):
    """Functions that are left out, and modules that the package does not declare, are named."""
    monkeypatch.chdir(tmp_path)
    script = SCRIPT.replace("import math\n", "import math\nfrom neighbour import floor\n")
    script = script.replace("math.floor(strength)", "floor(strength) + 0 * len(math.__name__)")
    script = script.replace("rank twice as high.", "").replace(
        "    return double(", "    import eval7.cards\n\n    return double("
    )
    hooks = "".join(
        f"\n\n@holdem.hookimpl\ndef holdem_{hook}():\n    return {{}}\n"
        for hook in ("evaluators", "ranges")
    )
    (tmp_path / "mine.py").write_text(script + hooks)
    assert run(["evaluators", "new", "doubled", "--from", "mine.py"]) == 0
    printed = capsys.readouterr().out
    assert "\nleft out of mine.py: holdem_ranges\n" in printed
    assert "\nimported, but not part of the package: neighbour, eval7; " in printed
    (tmp_path / "mine.py").write_text(SCRIPT)
    assert run(["evaluators", "new", "doubled", "--from", "mine.py", "--directory", "b"]) == 0
    printed = capsys.readouterr().out
    assert "left out" not in printed
    assert "imported" not in printed


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["mine", "--from", "mine.py"], "no evaluator 'mine' in it; it has doubled"),
        (["mine", "--from", "empty.py"], "decorate a function with @holdem.evaluator(NAME)"),
        (["mine", "--from", "slip.py"], "--from 'slip.py': SyntaxError: invalid syntax"),
        (["mine", "--from", "no.py"], "--from 'no.py': No such file or directory"),
        (["mine", "--from", "mine.py", "--compiled"], "--from and --compiled cannot be combined"),
    ],
)
def test_scripts_that_are_refused(tmp_path, monkeypatch, capsys, options, told):
    monkeypatch.chdir(tmp_path)
    for name, text in {"mine": SCRIPT, "empty": "x = 1\n", "slip": "def f(:\n"}.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert run(["evaluators", "new", *options]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "holdem-mine").exists()


def test_template_of_a_function(tmp_path, monkeypatch, capsys):
    """Without options the package has the rule book in eleven lines."""
    monkeypatch.chdir(tmp_path)
    use_new_registry(monkeypatch)
    assert run(["evaluators", "new", "mine"]) == 0
    (tmp_path / "plugin_mine.py").write_text(
        written(tmp_path / "holdem-mine")["holdem_mine/__init__.py"]
    )
    capsys.readouterr()
    assert run(["-p", "plugin_mine.py", "evaluate", "5s4s3s2sAs", "--evaluator", "mine"]) == 0
    assert "Straight Flush, Five high" in capsys.readouterr().out
    assert "{{" not in "".join(written(tmp_path / "holdem-mine").values())
