"""Entry point of ``python -m holdem``, which runs the command line."""

from holdem.cli import main

if __name__ == "__main__":
    main()
