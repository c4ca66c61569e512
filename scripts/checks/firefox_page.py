"""Open the page in Firefox, paint, undo and ask questions, and compare every number.

    python scripts/checks/firefox_page.py [--browser firefox-esr] [--picture page.png]

It drives Firefox, such as Debian's ``firefox-esr``, by its own protocol (Marionette), and needs no
other package. The exit code is 1 if a number differs from the engine's.
"""

from __future__ import annotations

import argparse
import base64
import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import holdem

QUESTIONS = (
    (["22+,A2s+,KTs+:0.5", "top 20%"], "Td9d2c"),
    (["QQ+,AKs", "random"], ""),
    (["AhKh", "QQ", "JTs"], "Ks7d2c3h"),
    (["top 30%", "55+"], "QsJsTs4d2h"),
)
_SHOWN = """return {
  rest: !document.querySelector("#players.stale")
    && /^exact/.test(document.querySelector(".status")?.textContent),
  texts: [...document.querySelectorAll(".player .equity")].map((each) => each.textContent),
};"""


class Firefox:
    """A Firefox without windows, driven by Marionette."""

    def __init__(self, path: str, port: int, profile: str) -> None:
        preferences = f'user_pref("marionette.port", {port});\n'
        Path(profile, "user.js").write_text(preferences, encoding="utf-8")
        command = [path, "--headless", "--marionette", "--no-remote", "--profile", profile]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                self._socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                time.sleep(0.1)
        self._file = self._socket.makefile("rb")
        self._receive()
        self._sent = 0
        self("WebDriver:NewSession", {})

    def __call__(self, command: str, parameters: dict[str, Any]) -> Any:
        self._sent += 1
        message = json.dumps([0, self._sent, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(error["message"])
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._file.read(1)
        return json.loads(self._file.read(int(length[:-1])))

    def run(self, script: str, *arguments: Any) -> Any:
        return self("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})

    def drag(self, *names: str) -> None:
        """Paint with the mouse from cell to cell."""
        steps: list[dict[str, Any]] = []
        for name in names:
            x, y = self.run(
                """const cell = [...document.querySelectorAll(".cell")]
                     .find((each) => each.querySelector(".name").textContent === arguments[0]);
                   const { x, y, width, height } = cell.getBoundingClientRect();
                   return [Math.round(x + width / 2), Math.round(y + height / 2)];""",
                name,
            )
            steps.append({"type": "pointerMove", "x": x, "y": y, "duration": 100})
            if len(steps) == 1:
                steps.append({"type": "pointerDown", "button": 0})
        steps.append({"type": "pointerUp", "button": 0})
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self("WebDriver:PerformActions", {"actions": [mouse]})

    def close(self) -> None:
        self("Marionette:Quit", {"flags": ["eForceQuit"]})
        self.process.wait()


def differences(firefox: Firefox, players: list[str], board: str) -> list[str]:
    """Wait until the page is at rest, and return what differs from the engine."""
    shown: dict[str, Any] = {}
    for _ in range(1200):
        shown = firefox.run(_SHOWN)
        if shown["rest"]:
            break
        time.sleep(0.1)
    numbers = [text.partition("±")[0].rstrip("%") for text in shown["texts"]]
    found = holdem.equity(*players, board=board or None).players
    right = [f"{100 * player.equity:.2f}" for player in found]
    return [] if numbers == right else [f"{players} on {board}: {numbers}, not {right}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--browser", default="firefox-esr")
    parser.add_argument("--port", type=int, default=2829)
    parser.add_argument("--picture", type=Path, help="where to save a picture of the page")
    options = parser.parse_args()
    command = [sys.executable, "-m", "holdem", "serve", "--no-browser", "--port", "0"]
    wrong = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        firefox = Firefox(options.browser, options.port, profile)
        firefox("WebDriver:SetWindowRect", {"width": 1366, "height": 900})
        firefox("WebDriver:Navigate", {"url": f"{address}#p=QQ%2B&p=random&b=Td9d2c"})
        wrong += differences(firefox, ["QQ+", "random"], "Td9d2c")
        firefox.drag("JJ", "99")
        time.sleep(1)
        wrong += differences(firefox, ["99+", "random"], "Td9d2c")
        if not firefox.run("return location.hash").startswith("#p=99+&"):
            wrong.append(f"the address is {firefox.run('return location.hash')}")
        firefox.run("document.querySelector('#undo').click()")
        wrong += differences(firefox, ["QQ+", "random"], "Td9d2c")
        for players, board in QUESTIONS:
            parts = [f"p={text.replace('%', '%25').replace('+', '%2B')}" for text in players]
            firefox.run("location.hash = arguments[0]", "&".join([*parts, f"b={board}"]))
            wrong += differences(firefox, players, board)
        if options.picture:
            picture = firefox("WebDriver:TakeScreenshot", {"full": False})
            options.picture.write_bytes(base64.b64decode(picture))
        firefox.close()
        server.terminate()
    for difference in wrong:
        print(difference)
    print(f"{len(QUESTIONS) + 3} questions, {len(wrong)} wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
