"""The engine's version, which the packaging metadata reads from this file."""

VERSION = "0.1.0"
