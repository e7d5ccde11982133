"""The static site in Firefox, controlled over WebDriver BiDi, the protocol that it speaks itself."""

import itertools
import json
import re
import shutil
import subprocess
import time

import pytest
from tests.children import HANG
from tests.compiled import needs_kernels
from tests.web.serving import serving

pytestmark = [needs_kernels, pytest.mark.full]
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LONG = "#game=simon-jester&seed=3"  # shortening its line takes a minute
WINNABLE = "document.getElementById('badge')?.dataset.kind === 'winnable'"


class Firefox:
    """A page in Firefox. ``complaints`` are the errors and warnings of its console so far."""

    def __init__(self, socket):
        self._socket = socket
        self._numbers = itertools.count(1)
        self.complaints = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method, **params):
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=HANG))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self.complaints.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, address):
        """Load ``address``, also if only the part after # has changed."""
        self._ask("browsingContext.navigate", context=self._page, url="about:blank", wait="complete")
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def run(self, expression):
        """The value of an expression in the page, or of its promise."""
        found = self._ask(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(JSON.stringify)",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"].get("value", "null"))

    def wait(self, expression):
        """Wait until an expression is true in the page."""
        end = time.monotonic() + HANG
        while not self.run(expression):
            assert time.monotonic() < end, f"in vain: {expression}"
            time.sleep(0.05)


@pytest.fixture
def firefox(tmp_path):
    """A page of Firefox with an empty profile. Skips without Firefox."""
    if FIREFOX is None:
        pytest.skip("there is no Firefox")
    from websockets.sync.client import connect

    command = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0"]
    command += ["--profile", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = next(filter(None, (re.search(r"ws://\S+", line) for line in process.stderr)))[0]
            with connect(f"{address}/session", max_size=None) as socket:
                page = Firefox(socket)
                yield page
                assert page.complaints == []
        finally:
            process.kill()


def needs_stack_switching(firefox):
    """Skip the test in a Firefox without it. There a search that is stopped by ending its worker sometimes
    does not begin again."""
    if not firefox.run("'Suspending' in WebAssembly"):
        pytest.skip("this Firefox has no stack switching for WebAssembly (JSPI)")


@pytest.mark.parametrize("way", ["shared", "wait", "spare"])
def test_a_move_stops_the_search_before(site, firefox, way):
    if way != "shared":
        needs_stack_switching(firefox)
    with serving(site, *(["isolated"] if way == "shared" else [])) as (_, address):
        firefox.open(f"{address}?stop={way}{LONG}")
        firefox.wait(WINNABLE)
        assert firefox.run("crossOriginIsolated") == (way == "shared")
        firefox.run("document.querySelector('#hints[aria-pressed=\"false\"]').click()")
        firefox.wait("document.querySelectorAll('#options [data-text]').length > 0")
        firefox.run("document.querySelector('#options [data-text]').click()")
        firefox.wait("document.body.dataset.ply === '1'")
        firefox.wait(WINNABLE)


def test_a_game_is_kept_and_opens_without_a_network(site, firefox):
    needs_stack_switching(firefox)
    with serving(site) as (_, address):
        firefox.open(f"{address}#game=fortress&seed=8")
        firefox.wait(WINNABLE)
        assert firefox.run("navigator.serviceWorker.ready.then(ready => !!ready.active)")
        firefox.run("document.querySelector('#hints').click()")
        firefox.wait("document.querySelectorAll('#options [data-text]').length > 0")
        firefox.run("document.querySelector('#options [data-text]').click()")
        firefox.wait("document.body.dataset.ply === '1'")
        firefox.open(f"{address}history.html")
        firefox.wait("document.querySelectorAll('#games tbody tr').length === 1")
    firefox.open(address)  # its server has ended
    firefox.wait("!!document.querySelector('.resume')")
    firefox.run("document.querySelector('.resume').click()")
    firefox.wait("document.body.dataset.ply === '1'")
