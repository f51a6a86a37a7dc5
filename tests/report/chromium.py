"""A headless Chromium that tests control over its own pipe: no driver, no port, no package.

Commands and results are JSON with a zero byte after each. The browser has a new profile and starts no service that
connects to the network.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

PROGRAM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--window-size=1400,1000"),
)


class Browser:
    """One page of a browser that runs as long as the object is open."""

    def __init__(self, profile: Path) -> None:
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        # The browser reads commands from file 3 and answers on file 4.
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        command = ["sh", "-c", shell, str(PROGRAM), *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        if max(to_read, to_write) > 9:  # sh knows file numbers of one digit
            command = ["bash", *command[1:]]
        self._process = subprocess.Popen(
            command, pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self._waiting = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", {"url": "about:blank"}, "")["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, "")["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Audits"):
            self.call(f"{domain}.enable")
        self.call("Page.bringToFront")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method: str, **options: Any) -> dict[str, Any]:
        """One command of the DevTools protocol."""
        return self._call(method, options, self._session)

    def open(self, path: Path) -> None:
        """Open a file and wait until it is drawn."""
        started = time.perf_counter()
        self.call("Page.navigate", url=path.as_uri())
        drawn = "document.querySelector('[role=tree]') && document.querySelector('main[aria-busy=false]')"
        while self.run(f"document.readyState + ({drawn} ? '!' : '')") != "complete!":
            if time.perf_counter() - started > 60:
                raise TimeoutError("the page did not draw itself")
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def seen(self, method: str) -> list[dict[str, Any]]:
        """What the browser predicted of one kind."""
        return [event["params"] for event in self.events if event["method"] == method]

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(10)
        os.close(self._to)
        os.close(self._from)

    def _call(self, method: str, options: dict[str, Any], session: str) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": options}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._waiting:
            if not select.select([self._from], [], [], 30)[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self._from, 1 << 20)
            if not got:
                raise ConnectionError("the browser has ended")
            self._waiting += got
        message, _, self._waiting = self._waiting.partition(b"\0")
        return json.loads(message)
