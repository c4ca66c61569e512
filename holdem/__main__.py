"""``python -m holdem``: the command line."""

from holdem.cli import main

if __name__ == "__main__":
    main()
