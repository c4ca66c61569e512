"""``holdem evaluators new``: a package to start a new evaluator from."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

# The file in the package, with {name} and {package} filled in, and the template it is made of.
_FILES = {
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
    help="Where to write it; the current directory if left out.",
)
def command(name: str, directory: Path) -> None:
    """Write a package with an evaluator called NAME, that works and is to be changed.

    It has a compiled kernel, the hook and the entry point by which it is found, a test and a
    README. Nothing that exists is written over.

    \b
    holdem evaluators new my-evaluator
    pip install -e "holdem-my-evaluator[test]"
    holdem evaluators check my-evaluator
    """  # noqa: D301 - \b is click's mark for lines that keep their breaks
    _require_free(name)
    place = directory / f"holdem-{name}"
    try:
        written = write_package(name, place)
    except OSError as error:
        told = error.strerror or str(error)
        raise click.UsageError(f"cannot write {place}: {told}") from None
    click.echo(f"{place} has the evaluator {name}:")
    for file in written:
        click.echo(f"  {file.relative_to(place)}")
    click.echo("\nTo install it, check it, measure it, and run its test:")
    click.echo(f'  pip install -e "{place}[test]"')
    click.echo(f"  holdem evaluators check {name}")
    click.echo(f"  holdem evaluators bench {name} lookup")
    click.echo(f"  python -m pytest {place}")


def _require_free(name: str) -> None:
    """Refuse a name that is none, or that is taken."""
    from holdem.errors import EvaluatorError
    from holdem.evaluation.contract import EvaluatorSpec
    from holdem.evaluation.registry import evaluators

    EvaluatorSpec(
        name=name, summary="", source="", hand_sizes={5}, load=lambda: lambda hands: hands
    )
    for record in evaluators():
        if record.name == name:
            owner = f"{record.distribution} {record.version}".strip()
            raise EvaluatorError(f"the name {name!r} is taken by {owner}")


def write_package(name: str, place: Path) -> list[Path]:
    """Write the package of an evaluator into a directory that does not exist yet.

    Args:
        name: the evaluator's, checked.
        place: the directory.

    Returns:
        The files, as they were written.

    Raises:
        OSError: the directory exists, or cannot be written.
    """
    package = "holdem_" + "".join(char if char.isalnum() else "_" for char in name)
    filled = {"name": name, "package": package, "distribution": f"holdem-{name}"}
    templates = resources.files("holdem.cli") / "template"
    place.mkdir(parents=True)
    written = []
    for file, template in _FILES.items():
        text = (templates / template).read_text(encoding="utf-8")
        for word, value in filled.items():
            text = text.replace("{{" + word + "}}", value)
        target = place / file.format(package=package)
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        written.append(target)
    return written
