"""The engine's version; the distribution has it from here."""

VERSION = "0.1.0"
