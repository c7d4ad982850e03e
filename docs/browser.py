"""The built site in headless Chromium: widths of pages, the search itself, screenshots.

`python -m docs.browser FOLDER PAGE...` writes a picture of each page at both widths, light and
dark. Chromium is driven through its debugging pipe, so that nothing but it has to be installed.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docs.search import Result

__all__ = ["WIDTHS", "Browser", "find", "overflowing", "searched", "started"]

WIDTHS = (390, 1440)
"""The widths of a phone and of a desktop, in pixels."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SECONDS = 120.0
# The elements that stick out on the right, unless they are in one that scrolls.
_WIDER = """(() => {
  const root = document.documentElement, limit = root.clientWidth + 1;
  if (root.scrollWidth <= limit) return [];
  const scrolls = (e) => e && (getComputedStyle(e).overflowX !== "visible"
    || scrolls(e.parentElement));
  const found = [...document.body.querySelectorAll("*")].filter((e) =>
    e.getBoundingClientRect().right > limit && !scrolls(e.parentElement));
  return [root.scrollWidth + " pixels",
    ...found.slice(0, 3).map((e) => e.tagName.toLowerCase() + ": "
      + (e.textContent || "").trim().slice(0, 60))];
})()"""


def find() -> str | None:
    """Return the path of Chromium, or None if there is none; `CHROMIUM` names another one."""
    names = (os.environ["CHROMIUM"],) if "CHROMIUM" in os.environ else _NAMES
    return next(filter(None, map(shutil.which, names)), None)


class Browser:
    """One tab of a Chromium that runs."""

    def __init__(self, commands: int, answers: int) -> None:
        """Open a tab; the arguments are the ends of both pipes."""
        self._commands, self._answers = commands, answers
        self._rest, self._number = b"", 0
        self._session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self.send("Page.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol, and wait for its answer."""
        self._number += 1
        call = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            call["sessionId"] = self._session
        os.write(self._commands, json.dumps(call).encode() + b"\0")
        answer = self._wait("id", self._number)
        if "error" in answer:
            raise RuntimeError(f"Chromium refused {method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, url: str) -> None:
        """Load a page."""
        self.send("Page.navigate", url=url)
        self._wait("method", "Page.loadEventFired")

    def resize(self, width: int) -> None:
        """Set the width of the window; a narrow one is that of a phone."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip

    def darken(self, dark: bool) -> None:
        """Choose the dark or the light colours."""
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[wish])

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript, or of its promise."""
        got = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in got:
            raise RuntimeError(f"{expression[:60]}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def picture(self, path: Path, whole: bool = False) -> None:
        """Write what the window shows as a PNG, or the whole page."""
        got = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(got["data"]))

    def _wait(self, key: str, value: Any) -> dict[str, Any]:
        end = time.monotonic() + _SECONDS
        while True:
            message, found, rest = self._rest.partition(b"\0")
            if found:
                self._rest = rest
                read: dict[str, Any] = json.loads(message)
                if read.get(key) == value:
                    return read
                continue
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                raise TimeoutError(f"Chromium didn't answer in {_SECONDS:.0f} s")
            more = os.read(self._answers, 1 << 16)
            if not more:
                raise RuntimeError("Chromium ended")
            self._rest += more


@contextmanager
def started(chromium: str) -> Iterator[Browser]:
    """Start Chromium without a window, and end it afterwards."""
    theirs, commands = os.pipe()
    answers, written = os.pipe()
    # Chromium reads from 3 and writes to 4; copies above leave these free.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs, written)]
    for end in (theirs, written):
        os.close(end)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [chromium, "--headless=new", "--remote-debugging-pipe", "--disable-gpu"]
        command += ["--no-first-run", "--hide-scrollbars", f"--user-data-dir={profile}"]
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        process = _spawned(command, *ends)
        try:
            yield Browser(commands, answers)
        finally:
            os.close(commands)
            os.close(answers)
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


def _spawned(command: list[str], reads: int, writes: int) -> int:
    """Start a process with two descriptors as 3 and 4, without a fork: threads may run."""
    actions = [
        *((os.POSIX_SPAWN_OPEN, place, os.devnull, os.O_WRONLY, 0) for place in (1, 2)),
        (os.POSIX_SPAWN_DUP2, reads, 3),
        (os.POSIX_SPAWN_DUP2, writes, 4),
    ]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    for end in (reads, writes):
        os.close(end)
    return process


def overflowing(browser: Browser, folder: Path) -> Iterator[str]:
    """Say which pages are wider than the window, and by what."""
    for path in sorted(folder.rglob("*.html")):
        browser.open(path.resolve().as_uri())
        for width in WIDTHS:
            browser.resize(width)
            wider = browser.evaluate(_WIDER)
            if wider:
                name = path.relative_to(folder).as_posix()
                yield f"{name} overflows {width} pixels: {'; '.join(wider)}"


def searched(browser: Browser, folder: Path, queries: list[str]) -> dict[str, list[Result]]:
    """Return what the site's own JavaScript finds, in the order in which it shows it."""
    browser.open(f"{(folder / 'search.html').resolve().as_uri()}?q={queries[0]}")
    browser.evaluate(
        "new Promise((done) => { const look = () => Search.hasIndex() ? done(1) "
        ": setTimeout(look, 20); look(); })"
    )
    found = {}
    for query in queries:
        asked = f"Search._performSearch(...Search._parseQuery({json.dumps(query)})).reverse()"
        lines = browser.evaluate(asked)
        found[query] = [
            Result(page, title, anchor, note, score)
            for page, title, anchor, note, score, *_ in lines
        ]
    return found


def main(arguments: list[str]) -> int:
    """Write pictures of pages into the folder `pictures`; return the exit code."""
    chromium = find()
    if chromium is None:
        print("error: no Chromium is installed", file=sys.stderr)
        return 1
    folder, *pages = arguments
    pictures = Path("pictures")
    pictures.mkdir(exist_ok=True)
    with started(chromium) as browser:
        for page in pages:
            for width in WIDTHS:
                for dark in (False, True):
                    browser.resize(width)
                    browser.darken(dark)
                    browser.open((Path(folder) / page).resolve().as_uri())
                    shade = "dark" if dark else "light"
                    name = page.replace("/", "-").removesuffix(".html")
                    browser.picture(pictures / f"{name}-{width}-{shade}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
