"""A real browser for pages on disk, told what to do through two pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
from contextlib import contextmanager

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
_KEYS = {"Enter": 13, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40, "Tab": 9}
_PATIENCE = 60


class BrowserError(Exception):
    """The browser does not start, or has ended."""


class Tab:
    """A tab: it opens pages, types, and says what a script sees."""

    def __init__(self, commands, answers):
        self._commands, self._answers = commands, answers
        self._number, self._session, self._read_so_far = 0, None, b""
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        attached = self.tell("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self.tell("Page.enable")

    def tell(self, method, **parameters):
        """Do something and wait until it is done; what else happens meanwhile is not looked at."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def _read(self):
        """The next message; a browser that says nothing for long is stuck."""
        while b"\0" not in self._read_so_far:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE)
            more = os.read(self._answers, 1 << 16) if ready else b""
            if not more:
                raise BrowserError("the browser does not answer")
            self._read_so_far += more
        text, _, self._read_so_far = self._read_so_far.partition(b"\0")
        return json.loads(text)

    def open(self, url, *, width=1200, height=900, dark=False):
        """A page in a window of a size, in a light or dark scheme."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.tell("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", features=[scheme])
        self.tell("Page.navigate", url="about:blank")
        self.tell("Page.navigate", url=url)
        while self.run("document.readyState") != "complete":
            pass

    def run(self, expression):
        """The value of an expression in the page, awaited."""
        answer = self.tell(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def settle(self):
        """Wait until what was asked for is drawn."""
        self.run("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def press(self, *keys):
        """Keys by their names; characters are typed."""
        for key in keys:
            event = {"key": key, "windowsVirtualKeyCode": _KEYS.get(key, 0)}
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            typed = {"text": text} if text else {}
            self.tell("Input.dispatchKeyEvent", type="keyDown", **event, **typed)
            self.tell("Input.dispatchKeyEvent", type="keyUp", **event)
        self.settle()

    def shot(self, path):
        """What is seen, as a PNG."""
        path.write_bytes(base64.b64decode(self.tell("Page.captureScreenshot")["data"]))


@contextmanager
def browser(folder):
    """A tab of a browser that keeps its files in a folder."""
    from_us, to_us = os.pipe(), os.pipe()
    command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--user-data-dir={folder}", "--remote-debugging-pipe"]
    redirect = f'exec "$@" 3<&{from_us[0]} 4>&{to_us[1]}'
    process = subprocess.Popen(
        ["bash", "-c", redirect, "bash", *command],
        pass_fds=(from_us[0], to_us[1]),
        stderr=subprocess.DEVNULL,
    )
    os.close(from_us[0])
    os.close(to_us[1])
    try:
        yield Tab(from_us[1], to_us[0])
    finally:
        os.close(from_us[1])
        os.close(to_us[0])
        process.terminate()
        process.wait(30)
