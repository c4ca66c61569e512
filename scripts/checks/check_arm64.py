"""Repeat checks of hands and answers on an emulated aarch64 processor.

    sudo apt-get install qemu-user-static
    python scripts/checks/check_arm64.py FOLDER --only table hands      # minutes
    python scripts/checks/check_arm64.py FOLDER                         # longer: all checks

QEMU translates aarch64 instructions one process at a time, so the checks take neither a virtual
machine nor root. On a machine with Debian, in FOLDER, which is made, apt unpacks Python and the
libraries that it needs, and pip the wheels of the engine and of what it needs. If FOLDER exists,
what it contains is used again, with the compiled code. The exit status is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).parents[2]
CHECKS = {
    "table": ("scripts/checks/check_answers.py", "equity/table/*"),
    "hands": ("scripts/checks/rank_every_hand.py", "--sizes", "5"),
    "answers": ("scripts/checks/check_answers.py",),
    "properties": ("-m", "pytest", "-n", "0", "-q", "tests/properties"),
    "bits": ("scripts/checks/check_same_bits.py", "--places", "threads", "--workers", "1", "3"),
}


def make_python(folder: Path) -> Path:
    """Unpack Debian's Python for aarch64, and return a program that runs it."""
    root = folder / "root"
    runner = root / "usr" / "bin" / "emulated-python"
    if runner.exists():
        return runner
    for name in ("lists/partial", "archives/partial"):
        (folder / "apt" / name).mkdir(parents=True, exist_ok=True)
    (folder / "apt" / "status").touch()
    settings = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Install-Recommends": "false",
        "Dir::State": folder / "apt",
        "Dir::State::status": folder / "apt" / "status",
        "Dir::Cache": folder / "apt",
    }
    apt = ["apt-get", "-q", *(f"-o{name}={value}" for name, value in settings.items())]
    subprocess.run([*apt, "update"], check=True)
    packages = ["python3", "libstdc++6", "libgomp1"]
    subprocess.run([*apt, "install", "--download-only", "-y", *packages], check=True)
    for package in (folder / "apt" / "archives").glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
    python = (root / "usr" / "bin" / "python3").resolve()
    # Named like a program beside Python's: so Python finds its library, and starts itself by it.
    runner.write_text(f'#!/bin/sh\nexec qemu-aarch64-static -L {root} -0 "$0" {python} "$@"\n')
    runner.chmod(0o755)
    return runner


def make_site(folder: Path, version: str) -> Path:
    """Unpack the wheels of what the engine and the checks need, and that of the engine.

    The latter is for its entry points: its code is imported from the checkout.
    """
    site = folder / "site"
    if site.exists():
        return site
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", folder, PROJECT], check=True)
    (wheel,) = folder.glob("*.whl")
    platforms = ["manylinux2014_aarch64", *(f"manylinux_2_{n}_aarch64" for n in range(17, 37))]
    chosen = [f"--platform={name}" for name in platforms]
    chosen += ["--only-binary=:all:", f"--python-version={version}", "--no-compile"]
    packages = [str(wheel), "hypothesis", "pytest", "pytest-xdist", "scipy"]
    unfinished = folder / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    subprocess.run([*pip, "install", "-q", "--target", unfinished, *chosen, *packages], check=True)
    return unfinished.rename(site)


def main() -> int:
    """Make what is missing, run the checks, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=CHECKS, default=list(CHECKS))
    options = parser.parse_args()
    for program in ("qemu-aarch64-static", "apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            parser.error(f"{program} is not installed; this takes Debian and qemu-user-static")
    folder = options.folder.resolve()
    python = make_python(folder)
    code = "import platform; print(platform.machine(), *platform.python_version_tuple()[:2])"
    machine, *numbers = subprocess.check_output([python, "-c", code], text=True).split()
    assert machine == "aarch64", machine
    version = ".".join(numbers)
    paths = [PROJECT, PROJECT / "plugins", make_site(folder, version)]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "HOLDEM_CACHE_DIR": str(folder / "compiled"),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
    }
    failed = []
    for name in options.only:
        print(f"== {name}: python {' '.join(CHECKS[name])}", flush=True)
        begun = time.monotonic()
        if subprocess.run([python, *CHECKS[name]], cwd=PROJECT, env=environment).returncode:
            failed.append(name)
        print(f"== {name}: {time.monotonic() - begun:,.0f} s", flush=True)
    print(f"failed: {', '.join(failed) or 'none'}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
