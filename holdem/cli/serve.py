"""``holdem serve``: serve the page in the browser."""

from __future__ import annotations

import click

from holdem.cli.output import print_message


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen at; others than the default let other machines connect.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen at; a free one by default.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
def command(host: str, port: int, no_browser: bool) -> None:
    """Serve a page on which ranges are painted and equities shown, until Ctrl-C.

    Prints the address of the page and opens it in the browser. The address contains a token,
    without which no question is answered. Nothing is loaded from the network.

    \b
    holdem serve
    holdem serve --port 8000 --no-browser
    """  # noqa: D301 - click keeps the line breaks after \b
    import warnings

    from holdem.errors import HoldemWarning
    from holdem.page.server import PageServer

    warnings.simplefilter("ignore", HoldemWarning)  # about questions; answers are on the page
    with PageServer(host, port) as server:
        if not server.is_local:
            print_message(
                f"the page is not only on this machine: everyone who can reach {host} and has the"
                " address with its token can ask questions, and the connection is not encrypted"
            )
        click.echo(server.url)
        server.start(opens_browser=not no_browser)
        server.serve_forever()
