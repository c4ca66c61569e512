"""Entry point of ``holdem`` and of ``python -m holdem``, which run the command line."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit. After Ctrl-C, even during imports, the exit status is 130."""
    try:
        from holdem.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
