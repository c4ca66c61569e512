"""Named ranges of plugins: ``@name`` in texts, and files of ranges."""

import json
import types

import pytest

import holdem
from holdem.cli import run
from holdem.errors import RangeError
from holdem.odds.spot import make_spot
from holdem.plugins.range_files import register_file
from holdem.ranges.named_ranges import list_entries
from holdem.ranges.parser import MAX_LENGTH, read
from holdem_page.answers import answer
from plugin_distributions import registry_anew, use_new_registry, write_distribution

OPEN, BLOCKERS = "77+, ATs+, KQs, AQo+", "A5s-A2s"
# Ranges given as text, also by other names, and as `Range`.
RANGES = {
    "utg-open": OPEN,
    "blockers": BLOCKERS,
    "mixed": "@utg-open, @blockers:0.5,",
    "BTN/vs_3bet": holdem.Range("22+, A2s+:0.25"),
    "4": "AA",
}


@pytest.mark.parametrize("name", ["utg-open", "blockers"])
def test_a_name_without_its_sign(offer, name):
    """The message suggests the ``@``; a word that is no name gets no suggestion."""
    with pytest.raises(RangeError) as caught:
        holdem.Range(f"AA, {name}")
    assert caught.value.hint == f"@{name} is the named range"
    with pytest.raises(RangeError) as caught:
        holdem.Range(f"AA, {name}x")
    assert caught.value.hint is None


@pytest.fixture
def offer(monkeypatch):
    """Return a function that registers ranges as those of a plugin."""
    use_new_registry(monkeypatch)
    manager = holdem.plugin_manager()

    def register(ranges, name="pack"):
        module = types.ModuleType(name)
        module.holdem_ranges = holdem.hookimpl(lambda: ranges)
        manager.register(module)

    register(RANGES)
    return register


@pytest.mark.usefixtures("offer")
def test_the_length_of_the_expanded_text():
    """The expanded text may be as long as a text without names."""
    blanks = " " * (MAX_LENGTH - len("22,(AA)"))
    assert len(holdem.Range(f"22,{blanks}@4")) == 12
    with pytest.raises(RangeError, match=f"that it names, the text has {MAX_LENGTH + 1:,} char"):
        holdem.Range(f"22, {blanks}@4")


def _chain(levels, text):
    """Return ranges of which each names the one before it, as in `text`."""
    return {"a0": "AA", **{f"a{n}": text.replace("@", f"@a{n - 1}") for n in range(1, levels + 1)}}


@pytest.mark.parametrize(
    ("ranges", "name", "told"),
    [
        ({"long": "AA," + " " * MAX_LENGTH + "KK"}, "long", f"a range of {MAX_LENGTH + 5:,} char"),
        ({"long": "AA," + " " * MAX_LENGTH + "KK", "x": "QQ, @long"}, "x", "a range of 524,293"),
        (_chain(51, "@"), "a50", "names of ranges are nested too deeply"),
        (_chain(200, "@"), "a200", "names of ranges are nested too deeply"),
        (_chain(30, "(@), KK"), "a30", "nested too deeply"),
        (_chain(60, "@,@"), "a49", "with the ranges that it names, the text has"),
        (_chain(20, "@,@,@"), "a20", "with the ranges that it names, the text has"),
    ],
)
def test_limits_of_named_ranges(offer, ranges, name, told):
    """Names that lead to names are read in the time of their texts, or refused in a sentence."""
    offer(ranges, "deep")
    with pytest.raises(RangeError, match=told) as caught:
        holdem.Range(f"@{name}")
    assert len(str(caught.value)) < 1500
    entries = {entry.name: entry for entry in list_entries()}
    assert told in entries[name].reason


def test_names_in_names(offer):
    """Up to the limits, names are what they stand for, and the expanded text is valid."""
    offer({**_chain(49, "@"), "b": ",".join(["@a3", "(@4)"] * 5000)}, "deep")
    assert holdem.Range("@a49") == holdem.Range("AA")
    assert holdem.Range(read("@b").text) == holdem.Range("AA")


@pytest.mark.usefixtures("offer")
@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("@utg-open", OPEN),
        (" @pack/utg-open ", OPEN),
        ("QQ+, @blockers:0.5", f"QQ+, ({BLOCKERS}):0.5"),
        ("QQ+;@blockers@50%", f"QQ+;({BLOCKERS})@50%"),
        ("@utg-open ! @blockers, 22", f"({OPEN}) ! ({BLOCKERS}), 22"),
        ("top 20% & @utg-open", f"top 20% & ({OPEN})"),
        ("0.4(@blockers KK)", f"0.4(({BLOCKERS}) KK)"),
        ("[50]@blockers[/50]", f"[50]({BLOCKERS})[/50]"),
        ("@mixed:0.5", f"(({OPEN}), ({BLOCKERS}):0.5):0.5"),
        ("@BTN/vs_3bet, AKs@50", "(22+,A2s+:0.25), AKs@50"),
        ("@4 22+", "(AA) 22+"),
    ],
)
def test_where_an_item_begins(text, meaning):
    """A name means what its range means; the expanded text is the same range without names."""
    assert holdem.Range(text) == holdem.Range(meaning)
    assert read(text).text.split() == meaning.split()
    assert holdem.Range(read(text).text) == holdem.Range(text)


ERRORS = {
    "@utg-opn": ["no range has the name '@utg-opn'", "expected @utg-open, @pack/utg-open"],
    "AA, @50": [
        "no range has the name '@50'",
        "expected a name, as in @4; a weight stands after its hand, as in AKs@50\nhint: `holdem",
    ],
    "AA @blockers": [
        "'blockers' is not a number: @ after a hand is a weight in percent",
        "    ^^^^",
    ],
    "AA@blockers": ["expected a number, as in 0.5, or a comma before @blockers"],
    "@": ["no name of a range follows the '@'"],
    "@utg+": ["'+' cannot follow the name of a range", "expected letters, digits, - and _"],
    "@utg-open/": ["'@utg-open/' is not the name of a range"],
    "@loop": ["the range '@loop' of this script: the range '@pack/loop' is part of itself"],
    "QQ, @bad": ["the range '@bad' of this script: 'ZZ' is not a hand (in 'AA, ZZ')", "    ^^^^"],
    "@twin": ["2 ranges have the name '@twin'", "expected @other/twin and @pack2/twin"],
}


@pytest.mark.parametrize(("text", "told"), ERRORS.items())
def test_errors(offer, text, told):
    """The message underlines the name, says what was read, and what would work."""
    offer({"loop": "AA, @pack2/loop", "bad": "AA, ZZ", "twin": "22"}, "pack2")
    offer({"twin": "33"}, "other")
    told = [line.replace("@pack/loop", "@pack2/loop") for line in told]
    with pytest.raises(RangeError) as caught:
        holdem.Range(text)
    for part in told:
        assert part in str(caught.value)
    assert caught.value.position is not None
    assert len(holdem.Range("@pack2/twin, @other/twin")) == 12


@pytest.mark.usefixtures("offer")
def test_a_disabled_plugin(capsys):
    """The hint names it; a plugin may have had the range."""
    holdem.plugin_manager().set_blocked("pack")
    with pytest.raises(RangeError, match="no range has the name '@utg-open'") as caught:
        holdem.Range("@utg-open")
    assert "plugins are disabled: pack" in str(caught.value)
    assert run(["--no-plugins", "range", "@utg-open"]) == 2
    assert "hint: plugins are disabled by --no-plugins" in capsys.readouterr().err


@pytest.mark.usefixtures("offer")
def test_other_decks():
    """A text is read by the rule set in use; a range with cards outside the deck is refused."""
    with pytest.raises(RangeError, match="'A5s' is not in the deck of short-deck rules"):
        holdem.Range("@blockers", rules="short-deck")
    with pytest.raises(RangeError, match="'@BTN/vs_3bet' has hands that are not in the deck of"):
        holdem.Range("@BTN/vs_3bet", rules="short-deck")
    found = holdem.Range("@utg-open", rules="short-deck")
    assert found == holdem.Range(OPEN, rules="short-deck")


@pytest.mark.usefixtures("offer")
def test_results_have_the_range_itself(tmp_path):
    """Results, tables, studies and stores name the hands, so that they mean the same elsewhere."""
    spot = make_spot(("@utg-open", "QQ+, @blockers:0.5"), "Td9d2c")
    assert spot.texts == (OPEN, f"QQ+, ({BLOCKERS}):0.5")
    assert holdem.equity("@4", "KK", board="Td9d2c").players[0].range == "AA"
    table = holdem.equities(["@4", "@blockers"], "KK", board="Td9d2c")
    assert table[0].players[0] == "AA"
    assert holdem.Range(table[1].players[0]) == holdem.Range(BLOCKERS)
    study = {
        "seed": 4,
        "spot": [{"players": ["@4", "KK"], "board": "Td9d2c"}],
        "grid": [{"hero": "@utg-open", "villain": ["@4"], "board": ["Td9d2c"]}],
    }
    results = holdem.run_study(study, tmp_path / "store")
    assert "@" not in json.dumps(results.to_dict())
    assert b"@utg" not in (tmp_path / "store").read_bytes()


def test_listing(offer, capsys):
    """In Python, on the command line and on the page; a broken range is left out, with a reason."""
    offer({"utg-open": "22+", "bad": "ZZ"}, "pack2")
    names = ["pack2/utg-open", "pack/utg-open", "blockers", "mixed", "BTN/vs_3bet", "4"]
    assert list(holdem.named_ranges()) == names
    assert holdem.named_ranges()["blockers"] == holdem.Range(BLOCKERS)
    assert run(["range", "--list"]) == 0
    out = capsys.readouterr().out
    assert "@bad: the range '@pack2/bad' of this script: 'ZZ' is not a hand" in out
    assert run(["range", "--list", "-f", "json"]) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert list(listed) == [names[0], "bad", *names[1:]]
    assert (listed["blockers"]["plugin"], listed["blockers"]["combos"]) == ("pack", 16)
    presets = json.loads(answer("presets", {})[1])["presets"]
    assert {"folder": "pack", "name": "blockers", "text": BLOCKERS} in presets
    assert {"folder": "pack2", "name": "utg-open", "text": "22+"} in presets
    assert [each["text"] for each in presets if each["name"] == "mixed"] == [
        f"({OPEN}), ({BLOCKERS}):0.5"
    ]
    assert "bad" not in [each["name"] for each in presets]


# --- files --------------------------------------------------------------------------------

SAVED = '{"ranges": [{"name": "BTN/open raise", "text": "22+"}, {"name": "3: bet", "text": "QQ+"}]}'
LINES = "BTN/open raise: 22+\n\n3: bet: QQ+\n"


@pytest.mark.parametrize(
    "content", [SAVED, LINES, "\ufeff" + SAVED, '{"BTN/open raise": "22+", "3: bet": "QQ+"}']
)
def test_file(tmp_path, monkeypatch, capsys, content):
    """A file of the page, also with a BOM, lines, or a mapping; before the command and after it."""
    monkeypatch.chdir(tmp_path)
    use_new_registry(monkeypatch)
    (tmp_path / "my.ranges").write_text(content, encoding="utf-8")
    for arguments in (["--ranges", "my.ranges", "range"], ["range", "--ranges", "my.ranges"]):
        assert run([*arguments, "@BTN/open-raise, @3-bet", "-f", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["count"] == 78
    assert holdem.Range("@my-ranges/3-bet") == holdem.Range("QQ+")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "ranges 'my.txt': No such file or directory"),
        ("", "ranges 'my.txt': it has no ranges"),
        ("22+", "ranges 'my.txt', line 1: '22+' is not of the form 'name: range', as in"),
        ("a: 22+\nb c: AA\nb-c: KK", "ranges 'my.txt': the name 'b-c' stands there twice"),
        ("!!: 22+", "ranges 'my.txt': the name '!!' has no letter or digit"),
        ('{"ranges": 5}', "ranges 'my.txt': it is not a file of ranges"),
        ('{"ranges": [{"name": "x"}]}', "ranges 'my.txt': it is not a file of ranges"),
        ('{"ranges": ' + "[" * 100_000, "ranges 'my.txt': it is not a file of ranges"),
        ('{"a": 5}', "ranges 'my.txt': names and ranges must be text, not 'a': 5"),
        ("\ud800".encode("utf-16-le", "surrogatepass"), "ranges 'my.txt': it is not UTF-8 text"),
    ],
)
def test_files_that_are_refused(tmp_path, monkeypatch, content, told):
    monkeypatch.chdir(tmp_path)
    use_new_registry(monkeypatch)
    if content is not None:
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / "my.txt").write_bytes(data)
    with pytest.raises(RangeError) as caught:
        register_file("my.txt")
    assert str(caught.value).startswith(told)


# --- broken packages ----------------------------------------------------------------------

HOOK = "import holdem\n\n@holdem.hookimpl\ndef holdem_ranges():\n    "
BROKEN = {
    "forgets one of two marks": (
        "import holdem\ndef holdem_ranges(): return {}\n"
        "@holdem.hookimpl\ndef holdem_commands(): return []",
        "holdem_ranges is not marked @holdem.hookimpl, so it is no hook",
    ),
    "raises": (HOOK + "1 / 0", "ZeroDivisionError: division by zero (in holdem_ranges)"),
    "returns a list": (
        HOOK + "return ['AA']",
        "holdem_ranges returned ['AA'], not a mapping from names to ranges",
    ),
    "has a name with a blank": (
        HOOK + "return {'utg open': 'AA'}",
        "holdem_ranges: 'utg open' is not a valid name of a range: use letters, digits, -",
    ),
    "has a number for a range": (
        HOOK + "return {'x': 15}",
        "holdem_ranges: x is 15, not a Range or text",
    ),
    "has an empty range": (HOOK + "return {'x': ' '}", "holdem_ranges: x is an empty range"),
    "uses a name in its hook": (
        HOOK + "return {'x': holdem.Range('@y')}",
        "evaluators and named ranges cannot be listed or used while plugins are being loaded",
    ),
}


@pytest.mark.parametrize(("code", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken_package(tmp_path, capsys, code, reason):
    """What its users see: the reason in both lists, and in the message about its names."""
    write_distribution(tmp_path, "plugin_faulty", code, entry="faulty")
    good = HOOK + "return {'good': 'AA'}"
    write_distribution(tmp_path, "plugin_good", good, entry="good")
    with registry_anew(tmp_path):
        assert run(["range", "@x"]) == 2
        message = capsys.readouterr().err
        assert "no range has the name '@x'" in message
        assert "hint: 1 plugin is broken: faulty; `holdem evaluators` tells why" in message
        assert run(["range", "@good", "-f", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["count"] == 6
        assert run(["range", "--list"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert f"faulty (plugin-faulty 1.0): broken: {reason}" in shown
        assert run(["evaluators", "-f", "json"]) == 0
        records = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
        assert records["faulty"]["status"] == "broken"
        assert reason in records["faulty"]["reason"]
        assert records["lookup"]["status"] == "active"
