"""A running board, and a browser that shows it, for all tests of the page."""

import os
import subprocess
import sys

import pytest
from tests.board.page import Page
from tests.browsing import complaints  # noqa: F401 - a fixture of all tests here
from tests.web.serving import serving


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A running board: its process and the address that it printed. If WINNABLE_SITE names the folder of the
    static site, it serves that folder, and the board runs in workers of the page."""
    if site := os.environ.get("WINNABLE_SITE"):
        with serving(site) as (process, address):
            yield process, address
        return
    home = str(tmp_path_factory.mktemp("home"))
    environment = os.environ | {"HOME": home, "XDG_DATA_HOME": home}
    command = [sys.executable, "-m", "winnable", "board", "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=environment, **pipes)
    yield process, process.stdout.readline().strip()
    process.terminate()
    process.communicate()


@pytest.fixture
def local():
    """Skips a test that needs the local server, or its scripts as they are, on the static site."""
    if os.environ.get("WINNABLE_SITE"):
        pytest.skip("on the local server alone")


@pytest.fixture(scope="module")
def page(browser, server):
    """A page of the running board in a browser that has opened the board's address."""
    address = server[1]
    browser.get(address)
    return Page(browser, address.partition("open?")[0])
