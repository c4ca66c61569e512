"""Temporary: moved to scripts/check_answers.py."""

import runpy
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
if __name__ == "__main__":
    runpy.run_path(str(SCRIPTS / "check_answers.py"), run_name="__main__")
