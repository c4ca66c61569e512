"""The engine's version, which packaging metadata reads from this file, and distribution name."""

VERSION = "0.1.0"
#: The name of the installed distribution. On the public index, ``holdem`` is another project.
DISTRIBUTION = "holdem-engine"
