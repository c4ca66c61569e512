"""Questions to the page in a browser, and what it shows."""

import json

import holdem
from holdem.cli import run

# Sets the address and returns the answer once it is complete, as JSON and as it is shown.
_ASK = """async (hash) => {
  const { getAnswer, subscribe } = await import("/js/answer.js");
  if (location.hash !== hash) {
    const changed = new Promise((done) => addEventListener("popstate", done, { once: true }));
    location.hash = hash;
    await changed;
  }
  await new Promise((done) => {
    const check = (answer) => (answer.error || (answer.fresh && !answer.pending)) && done();
    subscribe(check);
    check(getAnswer());
  });
  const texts = (name) =>
    [...document.querySelectorAll(`.player .${name}`)].map((each) => each.innerText);
  const { equity, error } = getAnswer();
  return { equity, error: error?.message, equities: texts("equity"), details: texts("detail") };
}"""


def link(players, board="", dead="", pot="", bet=""):
    """Return the part of an address after the page's, for a question."""
    escaped = [f"p={player.replace('%', '%25').replace(' ', '%20')}" for player in players]
    rest = (("b", board), ("d", dead), ("pot", pot), ("bet", bet))
    known = [f"{name}={text}" for name, text in rest if text]
    return "#" + "&".join(escaped + known)


def ask(page, players, board="", dead=""):
    """Ask a question and return the page's answer, in JSON and in texts by name."""
    return page.evaluate(_ASK, link(players, board, dead))


def printed(capsys, *arguments):
    """Return the JSON that the command line prints, without the duration."""
    capsys.readouterr()
    assert run([*arguments, "-f", "json"]) == 0
    return without_duration(json.loads(capsys.readouterr().out))


def without_duration(record):
    """Return a record without its duration."""
    return {name: value for name, value in record.items() if name != "elapsed"}


def options(board="", dead=""):
    """Return the options of the command line for known cards."""
    given = (("--board", board), ("--dead", dead))
    return [word for name, cards in given if cards for word in (name, cards)]


def open_tab(page, name):
    """Show a tab of the answer and wait for its report."""
    page.click(f"#tab-{name}")
    ready(page, name)


def ready(page, name):
    """Wait until a tab shows the report of the current question."""
    page.wait_for_selector(f"#panel-{name}[aria-busy=false] .report:not(.old)")
    page.wait_for_function(  # the equities of hits come later
        """(name) => [...document.querySelectorAll(`#panel-${name} td`)].every(
             (cell) => cell.innerText.trim() !== "…")""",
        arg=name,
    )


def rows(page, name):
    """Return the cells of all rows of the tables in a tab."""
    return page.evaluate(
        """(name) => [...document.querySelectorAll(`#panel-${name} tbody tr`)].map(
             (row) => [...row.cells].map((cell) => cell.innerText.trim()))""",
        name,
    )


def percent(share, digits=1):
    """Return a share as the page shows it."""
    return "–" if share is None else f"{100 * share:.{digits}f}"


def live_combos(text, board="", dead=""):
    """Return the combos of a range without known cards, as text."""
    cards = holdem.parse_cards(board + dead) if board + dead else ()
    return {str(combo) for combo in holdem.Range(text).without(cards)}
