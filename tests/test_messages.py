"""Every message, to the letter, as `data/messages.toml` has it."""

import pytest

from message_doors import DOORS, MESSAGES, PATH, ask, matches
from update_messages import format_table


def test_every_door_has_examples():
    assert DOORS.keys() == MESSAGES.keys()


@pytest.mark.parametrize(
    ("door", "text"), [(door, text) for door, texts in MESSAGES.items() for text in texts]
)
def test_message(door, text):
    """The message is that of the table, which `scripts/make/update_messages.py` renews."""
    found, expected = ask(door, text), MESSAGES[door][text]
    assert matches(expected, found), f"expected {expected}\nfound {found}"


def test_the_table_is_as_the_script_writes_it():
    """To renew the table changes nothing but messages."""
    assert format_table(MESSAGES) == PATH.read_text("utf-8")
