"""The engine's version, which the packaging metadata reads from here."""

VERSION = "0.1.0"
