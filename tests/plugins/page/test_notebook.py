"""`holdem_page.RangeEditor` without a notebook: its values, its messages, and what it sends."""

import subprocess
import sys

import pytest

import holdem
import holdem_page

pytest.importorskip("anywidget", reason="needs the extra `widget`")


def test_range_and_text():
    editor = holdem_page.RangeEditor("22+, AKs:0.5")
    assert editor.text == "22+, AKs:0.5"
    assert editor.range == holdem.Range("22+,AKs:0.5")
    assert repr(editor) == "<RangeEditor of 22+, AKs:0.5>"
    editor.text = "top 5%"
    assert editor.range == holdem.Range("top 5%")
    editor.range = holdem.Range("KK+")
    assert editor.text == "KK+"
    editor.widget.text = "76s"  # as painted
    assert editor.range == holdem.Range("76s")
    assert holdem_page.RangeEditor().range == holdem.Range()


def test_invalid_ranges_change_nothing():
    editor = holdem_page.RangeEditor("AA")
    with pytest.raises(holdem.RangeError, match="AKx"):
        editor.text = "AKx"
    with pytest.raises(holdem.HoldemTypeError):
        editor.range = 3
    with pytest.raises(holdem.RangeError):
        holdem_page.RangeEditor("AKx")
    assert editor.text == "AA"


def test_messages_are_answered(monkeypatch):
    editor, sent = holdem_page.RangeEditor(), []
    monkeypatch.setattr(editor.widget, "send", sent.append)
    editor.widget._handle_custom_msg({"id": "1", "text": "AKs:0.5,QQ+"}, [])
    editor.widget._handle_custom_msg({"id": "2", "text": "QQ+,AKx"}, [])
    answer = sent[0]["answer"]
    assert (sent[0]["id"], answer["text"], len(answer["combos"])) == ("1", "QQ+,AKs:0.5", 22)
    error = sent[1]["answer"]["error"]
    assert (sent[1]["id"], error["start"], error["end"]) == ("2", 4, 7)
    assert "AKx" in error["message"]


def test_the_widget_is_complete():
    """Every module that the editor imports is sent, and the styles are those of the widget only."""
    editor = holdem_page.RangeEditor()
    modules = editor.widget._modules
    assert {"range_editor.js", "range_grid.js", "cards.js"} <= set(modules)
    assert not {"requests.js", "state.js", "main.js"} & set(modules)  # no server, no address
    assert editor.widget._css.startswith(".holdem-range-editor {")
    assert ":root" not in editor.widget._css
    (data, _metadata) = editor._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data


def test_without_anywidget():
    program = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import holdem, holdem_page\n"
        "try: holdem_page.RangeEditor('AA')\n"
        "except holdem.HoldemRuntimeError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith("RangeEditor needs anywidget: pip install anywidget")
