"""A virtual environment for tests that install packages."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from plugin_distributions import OTHERS

LISTED = """
import json, holdem
names = "status", "reason", "distribution", "version"
records = {own.name: {name: getattr(own, name) for name in names} for own in holdem.evaluators()}
print(json.dumps(records))
"""


class Environment:
    """A virtual environment that can import the installed packages of the running interpreter."""

    def __init__(self, place):
        venv.create(place, with_pip=False, symlinks=os.name != "nt")
        scripts = "Scripts" if os.name == "nt" else "bin"
        self.python = place / scripts / Path(sys.executable).name
        paths = sysconfig.get_paths("venv", {"base": str(place), "platbase": str(place)})
        # This function also finds editable installations.
        seen = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        lines = [f"import site; site.addsitedir({path!r})" for path in sorted(seen)]
        (Path(paths["purelib"]) / "running.pth").write_text("\n".join(lines) + "\n")
        self.home = place

    def __call__(self, *arguments, cwd=None):
        """Run the environment's Python and return the finished process."""
        return subprocess.run(
            [self.python, *arguments],
            cwd=cwd or self.home,
            env={**os.environ, "HOLDEM_DISABLE_PLUGINS": OTHERS},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def pip(self, *arguments):
        """Run pip for the environment."""
        command = [sys.executable, "-m", "pip", "--python", self.python, "-q"]
        quiet = ["--disable-pip-version-check", *arguments]
        done = subprocess.run([*command, *quiet], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr

    def install(self, package):
        """Install a package from a directory; its dependencies must be installed already."""
        self.pip("install", "--no-build-isolation", "--no-index", package)

    def holdem(self, *arguments):
        """Run the command line and return its JSON."""
        done = self("-m", "holdem", *arguments, "-f", "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def evaluators(self):
        """Return what is known of all evaluators by name; the command proves them, too."""
        done = self("-c", LISTED)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
