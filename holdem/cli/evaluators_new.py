"""``holdem evaluators new``: create a package that provides a new evaluator."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import click

# The files of the package, and their templates.
_TEMPLATES = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "{package}/__init__.py": "__init__.py.txt",
    "{package}/kernel.py": "kernel.py.txt",
    "tests/test_{package}.py": "test.py.txt",
}


@click.command("new")
@click.argument("name")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Parent directory of the package; the current directory by default.",
)
def command(name: str, directory: Path) -> None:
    """Create a package with an evaluator called NAME.

    The evaluator works and is meant to be changed. The package has a compiled kernel, the hook
    and the entry point by which it is found, a test and a README. Existing files are not
    overwritten.

    \b
    holdem evaluators new my-evaluator
    pip install -e "holdem-my-evaluator[test]"
    holdem evaluators check my-evaluator
    """  # noqa: D301 - click keeps the line breaks after \b
    _require_free(name)
    root = directory / f"holdem-{name}"
    try:
        files = write_package(name, root)
    except FileExistsError as error:
        raise click.UsageError(f"cannot write {root}: {error.strerror}") from None
    except OSError as error:  # the name of the directory, which errors of writing lack
        raise OSError(error.errno, error.strerror, str(root)) from error
    click.echo(f"{root} has the evaluator {name}:")
    for file in files:
        click.echo(f"  {file.relative_to(root)}")
    click.echo("\nTo install it, check it, measure it, and run its test:")
    click.echo(f'  pip install -e "{root}[test]"')
    click.echo(f"  holdem evaluators check {name}")
    click.echo(f"  holdem evaluators bench {name} lookup")
    click.echo(f"  python -m pytest {root}")


def _require_free(name: str) -> None:
    """Raise an `EvaluatorError` if an evaluator's name is invalid or in use."""
    from holdem.errors import EvaluatorError
    from holdem.evaluation.contract import EvaluatorSpec
    from holdem.evaluation.registry import evaluators

    # The specification validates the name.
    EvaluatorSpec(
        name=name, summary="", source="", hand_sizes={5}, load=lambda: lambda hands: hands
    )
    for record in evaluators():
        if record.name == name:
            owner = f"{record.distribution} {record.version}".strip()
            raise EvaluatorError(f"the name {name!r} is taken by {owner}")


def write_package(name: str, root: Path) -> list[Path]:
    """Write the files of a new evaluator package.

    Args:
        name: the evaluator's name, validated.
        root: the directory of the package, which must not exist.

    Returns:
        The files of the package.

    Raises:
        OSError: the directory exists, or cannot be written.
    """
    package = "holdem_" + "".join(char if char.isalnum() else "_" for char in name)
    values = {"name": name, "package": package, "distribution": f"holdem-{name}"}
    templates = resources.files("holdem.cli") / "template"
    root.mkdir(parents=True)
    files = []
    try:
        for file, template in _TEMPLATES.items():
            text = (templates / template).read_text(encoding="utf-8")
            for word, value in values.items():
                text = text.replace("{{" + word + "}}", value)
            path = root / file.format(package=package)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            files.append(path)
    except BaseException:  # a full disk, or Ctrl-C
        shutil.rmtree(root, ignore_errors=True)
        raise
    return files
