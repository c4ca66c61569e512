"""The version of the engine, which packaging reads from this file, and its distribution's name."""

VERSION = "0.1.0"
#: The name of the installed distribution. On the public index, ``holdem`` is another project.
DISTRIBUTION = "holdem-engine"
