"""``holdem warm-up``: compile all kernels."""

from __future__ import annotations

import time

import click

from holdem.cli.output import print_text, shows_progress


@click.command("warm-up")
def command() -> None:
    """Compile all kernels, and keep the code for later runs.

    Compiles the engine and all installed evaluators, which takes about a minute, or a second if
    the code is kept already. No later run then compiles. Use it when an image is built, or before
    tests in CI. HOLDEM_CACHE_DIR names another directory for the code.

    \b
    holdem warm-up
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.compilation import warm_up
    from holdem.jit.cache_directory import cache_root

    started = time.monotonic()
    warm_up(progress=shows_progress())
    seconds = time.monotonic() - started
    print_text(f"compiled in {seconds:.1f} s; the code is kept in {cache_root()}")
