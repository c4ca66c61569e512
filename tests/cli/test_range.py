"""`holdem range`: text and JSON."""

import json
import re

import pytest
from click.testing import CliRunner

from holdem import Range, hits
from holdem.cli.range import range_command as command
from holdem.errors import DialectWarning, HoldemError, RangeError
from holdem.report.formats import render
from holdem.report.model import Style
from holdem.report.range_report import grid_text, range_report


def _run(*arguments):
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert 0 == result.exit_code
    return result


def test_the_table_says_size_text_and_weights():
    """The text has lines for combos, share of all hands, weights and canonical text."""
    lines = _run("KK, AA:0.5 AhKd").stdout.splitlines()
    assert "combos   13 of 1,326" == lines[0]
    assert "weight   10.0000 combos" == lines[1]
    assert f"share    {1000 / 1326:.4f} % of all hands" == lines[2]
    assert "weights  0.5 to 1, 2 different" == lines[3]
    assert "text     AA:0.5,KK,AhKd" == lines[4]


def test_the_range_of_another_deck():
    """`--rules short-deck` uses the deck, the order and the grid of that rule set."""
    lines = _run("top 15%", "--rules", "short-deck").stdout.splitlines()
    held = Range("top 15%", rules="short-deck")
    assert f"combos   {len(held)} of 630" == lines[0]
    assert f"share    {100 * len(held) / 630:.4f} % of all hands" == lines[1]
    assert f"text     {held}" == lines[3]
    assert "   A   K   Q   J   T   9   8   7   6" == lines[5]
    assert "6  .   .   .   .   .   .   .   .   ." == lines[14]
    assert lines[15:17] == ["", "strongest first, by equity against a random hand:"]
    shown = {name for line in lines[17:] for name in line.rstrip(",").split(", ")}
    assert {name for name, part in held.frequencies().items() if part} == shown
    record = json.loads(_run("random", "--rules", "short-deck", "-f", "json").stdout)
    assert (630, 1.0) == (record["count"], record["share"])


def test_a_hand_that_another_deck_does_not_have():
    """A hand that is not in the deck of the rule set is an error."""
    with pytest.raises(RangeError, match="'22'"):
        _run("22+", "--rules", "short-deck")


def test_words_are_one_text():
    """Several arguments are one text."""
    assert _run("22+", "A5s-A2s").stdout == _run("22+ A5s-A2s").stdout


def test_the_grid_reads_without_colours():
    """Classes held in full are named, those held in part show their share, others are dots."""
    grid = grid_text(Range("AA,AKs:0.5,AhKd,22:0.999,K2s:0.001").grid, Style()).splitlines()
    assert "   A   K   Q   J   T   9   8   7   6   5   4   3   2" == grid[0]
    assert "A  AA  50% .   .   .   .   .   .   .   .   .   .   ." == grid[1]
    assert "K  8%  .   .   .   .   .   .   .   .   .   .   .   <1%" == grid[2]
    assert "2  .   .   .   .   .   .   .   .   .   .   .   .   >99" == grid[13]


def test_colours_do_not_change_the_text():
    """Colours add only ANSI codes; there are five shades."""
    held = Range("AA,KK:0.9,QQ:0.7,JJ:0.4,TT:0.1,22")
    coloured = render(range_report(held), "table", Style(colour=True))
    codes = set()
    plain = ""
    for number, part in enumerate(coloured.split("\x1b[")):
        code, _, rest = part.partition("m")
        plain += part if number == 0 else rest
        codes |= {code} if number else set()
    bare = [line.rstrip() for line in plain.splitlines()]
    expected = render(range_report(held), "table")
    assert expected.splitlines() == bare
    assert 5 == len(codes - {"0"})
    assert "\x1b" not in expected


def test_a_pipe_gets_no_colours():
    """Output to a pipe has no colours."""
    assert "\x1b" not in _run("AA").stdout


def test_percentages_show_the_list_they_go_down():
    """The classes of a range are listed in the order of starting hands."""
    lines = _run("top 5%").stdout.splitlines()
    place = lines.index("strongest first, by equity against a random hand:")
    assert ["AA", "KK", "QQ", "JJ", "TT", "99", "88", "AKs"] == "".join(lines[place + 1 :]).split(
        ", "
    )[:8]
    assert "combos   72 of 1,326" == lines[0]
    everything = _run("random").stdout.splitlines()
    listed = " ".join(everything[everything.index(lines[place]) + 1 :])
    assert 169 == len(listed.split(", "))
    assert max(len(line) for line in everything) <= 80


def test_the_record_is_the_promised_one():
    """The JSON has schema, count, share, text, and the combos with weights, in order of index."""
    result = _run("AsAh, AKs:0.3", "-f", "json")
    record = json.loads(result.stdout)
    assert "holdem/range/1" == record["schema"]
    assert 5 == record["count"]
    assert (1 + 4 * 0.3) / 1326 == record["share"]
    assert "AKs:0.3,AsAh" == record["text"]
    suited = [{"combo": f"A{suit}K{suit}", "weight": 0.3} for suit in "cdhs"]
    assert [*suited, {"combo": "AsAh", "weight": 1.0}] == record["combos"]
    assert Range("AsAh,AKs:0.3") == Range.from_combos(
        {c["combo"]: c["weight"] for c in record["combos"]}
    )
    assert 1 == result.stdout.count("\n")
    assert "" == result.stderr


def test_errors_are_the_range_errors():
    """Bad text raises a `RangeError`."""
    with pytest.raises(RangeError, match="pair"):
        _run("AAs")


def test_notes_do_not_reach_standard_output():
    """A warning about the dialect does not appear on standard output."""
    with pytest.warns(DialectWarning):
        result = _run("T9s+", "-f", "json")
    assert 4 == json.loads(result.stdout)["count"]


def test_a_text_is_asked_for():
    """A missing TEXT is a usage error."""
    result = CliRunner().invoke(command, [])
    assert 2 == result.exit_code
    assert "TEXT" in result.stderr


def test_where_a_hand_stands():
    """A single hand or class has its rank, its percentile and its equity; other ranges do not."""
    for text in ("AKs", "AhKh", "AsKs,AhKh:0.5"):
        lines = _run(text).stdout.splitlines()
        assert (
            "rank     AKs is 8 of 169 starting hands, percentile 96.53, in the top 3.47 %" in lines
        )
        assert "equity   67.0446 % against a random hand" in lines
    record = json.loads(_run("AhKh", "-f", "json").stdout)["standing"]
    assert (record["hand"], record["rank"], record["classes"], record["combos"]) == (
        *("AKs", 8, 169),
        4,
    )
    assert "rank " not in _run("AK").stdout
    assert json.loads(_run("AK", "-f", "json").stdout)["standing"] is None
    lines = _run("AKs", "--rules", "short-deck").stdout.splitlines()
    assert "rank     AKs is 6 of 81 starting hands, percentile 94.60, in the top 5.40 %" in lines


def test_what_a_board_leaves():
    """With known cards, live combos are counted by class, and their weight is a share."""
    text, board, dead = "22+,AK,A5s:0.3", "Ks7d2c", "As"
    held, left = Range(text), Range(text).without("Ks7d2cAs")
    out = _run(text, "-b", board, "-d", dead).stdout
    assert max(map(len, out.splitlines())) <= 80
    whole, known, grid = out.split("\n\n")
    assert whole == _run(text).stdout.split("\n\n")[0]
    lines = known.splitlines()
    assert lines[0] == "board Ks 7d 2c, dead As"
    assert lines[1] == f"left     {len(left)} of {len(held)} combos"
    assert lines[2] == f"weight   {left.total:.4f} of {held.total:.4f} combos"
    assert lines[3] == f"share    {100 * left.total / held.total:.4f} % of the range"
    rows = [line.split()[1:] for line in grid.splitlines()[2:]]
    counts = [[0] * 13 for _ in rows]
    for combo in left:
        high, low = sorted(12 - card // 4 for card in map(int, combo))
        suited = int(combo[0]) % 4 == int(combo[1]) % 4
        row, column = (high, low) if suited else (low, high)
        counts[row][column] += 1
    assert counts == left.counts.tolist()
    for row, shown in enumerate(rows):
        for column, cell in enumerate(shown):
            expected = str(counts[row][column]) if held.counts[row, column] else "."
            assert cell == expected
    record = json.loads(_run(text, "-b", board, "-d", dead, "-f", "json").stdout)
    plain = json.loads(_run(text, "-f", "json").stdout)
    assert plain == {name: record[name] for name in plain}
    assert (record["board"], record["dead"]) == (["Ks", "7d", "2c"], ["As"])
    assert record["left"]["share"] == left.total / held.total
    assert record["left"]["classes"]["KK"] == 3
    assert sum(record["left"]["classes"].values()) == record["left"]["count"] == len(left)
    assert Range.from_combos({c["combo"]: c["weight"] for c in record["left"]["combos"]}) == left


def test_what_a_board_leaves_of_nothing():
    """A blocked range has nothing left."""
    assert "left     0 of 1 combos\nshare    0.0000 %" in _run("AsKs", "-b", "As7d2c").stdout


def test_keep_and_remove(monkeypatch):
    """A comma unites lines, repeated options intersect, and what is removed comes last."""
    monkeypatch.setattr("tqdm.tqdm", None)  # no progress bar is shown
    text, board = "22+,A2s+,KTs+:0.25,QJs,AKo", "Ks7s2c"
    h = hits(text, board=board, fine=True)
    left = h.keep("top pair", "flush draw") & h.keep("backdoor flush draw", "flush draw (nut)")
    left -= h.keep("top pair (top kicker)", "gutshot")
    assert 0 < len(left) < len(h.keep("top pair", "flush draw"))
    options = [
        *("-b", board, "--keep", "top pair, flush draw", "--remove", "top pair (top kicker)"),
        *("--keep", "Backdoor flush draw,flush draw (nut)", "--remove", "gutshot"),
    ]
    record = json.loads(_run(text, *options, "-f", "json").stdout)
    assert Range(record["left"]["text"]) == left
    assert (record["left"]["count"], record["left"]["weight"]) == (len(left), left.total)
    assert record["keep"] == [options[3], options[7]]
    assert record["remove"] == [options[5], options[9]]
    lines = _run(text, *options).stdout.splitlines()
    assert f"left     {len(left)} of {len(Range(text))} combos" in lines
    assert any(line.startswith("board Ks 7s 2c, keep top pair, flush draw, keep") for line in lines)


@pytest.mark.parametrize("rules", ["short-deck", "deuces-wild"])
def test_lines_of_other_rules(rules):
    """`--keep` and `--remove` rank hands by the rule set of `--rules`."""
    options = ("-b", "9s8s7d", "--keep", "straight", "--rules", rules, "-f", "json")
    left = json.loads(_run("random", *options).stdout)["left"]
    kept = hits("random", board="9s8s7d", evaluator=rules).keep("straight")
    assert Range(left["text"]) == kept
    assert kept >= Range("As6s,Ad6c" if rules == "short-deck" else "2s2c,Ts2c")
    assert kept > Range("JTs", rules=rules)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--keep", "set"), "give the board"),
        (("--remove", "set", "-d", "As"), "give the board"),
        (("-b", "Ks7d2c", "--keep", "set, top par"), r"'top par' .*\(did you mean top pair\?\)"),
        (("-b", "KsKd7c", "--keep", "AA"), "no made hand or draw 'AA' .* are: straight flush"),
        (("--remove", "AA"), "give the board, or take hands out in the range itself, as in rando"),
        (
            ("-b", "KsKd7c", "--remove", "QQ+"),
            "'QQ\\+' on this board; to .*, write random!QQ\\+; t",
        ),
        (("-b", "Ks7d2c", "--keep", "toppair"), r"overpair, top pair, top pair \(top.* overcards$"),
        (("-b", "Ks7d2c", "--keep", "set or better"), r"\(did you mean set\+\?\)"),
        (("-b", "Ks7d2c", "--keep", "set and gutshot"), "--keep twice on the command line"),
    ],
)
def test_bad_lines(options, message):
    """Lines need a board, and must be those of `hits` on it."""
    result = CliRunner().invoke(command, ["TT+,AK", *options])
    assert result.exit_code
    assert re.search(message, result.output + str(result.exception))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-b", "Td9d2c2h3s4s"), "a board has up to 5 cards, not 6: Td 9d 2c 2h 3s 4s"),
        (("-b", "As7d2x"), "board: '2x' at position 5 of 'As7d2x' is not a card"),
        (("-b", "As7d2c", "-d", "7d"), "7d appears twice: in the board and in the dead cards"),
        (("-d", "2c", "--rules", "short-deck"), "dead cards: 2c is not in the deck"),
    ],
)
def test_bad_known_cards(options, message):
    """Known cards are validated as by `equity`."""
    with pytest.raises(HoldemError, match=message):
        _run("AKs", *options)
