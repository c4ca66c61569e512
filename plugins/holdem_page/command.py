"""``holdem serve``: serve the page in the browser."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.output import print_message
from holdem_page import DEFAULT_PORT


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on. With the default, only this machine can connect.",
)
@click.option(
    "--port",
    type=options.Whole(0, 65535),
    metavar="N",
    help=f"Port to listen on, up to 65535; 0 for a free one.  [default: {DEFAULT_PORT}, or a free"
    " one if it is taken]",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@options.evaluator
def command(host: str, port: int | None, no_browser: bool, evaluator: str | None) -> None:
    """Open a page in the browser on which you paint ranges and see their equities.

    Prints the address of the page, and serves it until Ctrl-C. The address contains a token,
    without which no request is answered. Nothing is loaded from the network.

    \b
    holdem serve
    holdem serve --port 8000 --no-browser
    holdem serve --evaluator short-deck
    """  # noqa: D301 - click keeps the line breaks after \b
    import warnings

    from holdem.errors import HoldemWarning
    from holdem_page.server import PageServer

    warnings.simplefilter("ignore", HoldemWarning)  # about requests; answers are on the page
    ranked_by = None
    if evaluator is not None:
        from holdem.evaluation.registry import get_evaluator

        ranked_by = get_evaluator(evaluator)
    with PageServer(host, port, ranked_by) as server:
        if port is None and server.server_port != DEFAULT_PORT:
            print_message(f"port {DEFAULT_PORT} is in use; ranges saved there are not shown")
        if not server.is_local:
            print_message(
                "the page can be reached from other machines: anyone who has its address can send"
                " requests, and the connection is not encrypted"
            )
        click.echo(server.url)
        server.start(opens_browser=not no_browser)
        server.serve_forever()
