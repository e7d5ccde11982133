"""The board in a real browser: whole games by clicks, drags and keys, mistakes, links, phones."""

import os
import re
import subprocess
import sys

import pytest
from tests.browsing import set_screen, start_browser

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.board.places import source_of, target_of
from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, solve
from winnable.solver.engine import find_kernel
from winnable.solver.verify import format_line

pytestmark = pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")
SEEDS = dict.fromkeys(VARIANTS, 1) | {"chessboard": 8, "fortress": 8}
SHORT = {"chessboard": 8, "simple-simon": 1}  # games for drags and keys
MISTAKE = "7H 6-f"  # as the first move of chessboard, seed 8

# Where a card of a place lies on the screen, the one that many cards from the top, or the empty place.
PLACE = """
const at = (place, count) => {
  const cards = [...document.querySelectorAll(`.card[data-spot^="${place}/"]`)];
  cards.sort((a, b) => a.dataset.spot.split('/')[1] - b.dataset.spot.split('/')[1]);
  const element = cards.at(-count) || document.querySelector(`.slot[data-place="${place}"]`);
  const box = element.getBoundingClientRect();
  return [Math.round(box.left + box.width / 2), Math.round(box.top + Math.min(8, box.height / 2))];
};
"""


class Page:
    """The page of a board in a browser."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address

    def open(self, fragment, width=1280, height=900):
        """Open a link, and wait for its position."""
        set_screen(self.browser, width, height)
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}#{fragment}")
        self.wait("return !!document.body.dataset.node")

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, script, *arguments, seconds=20):
        """Wait until a script's answer is true, and return it."""
        from selenium.webdriver.support.ui import WebDriverWait

        waiting = WebDriverWait(self.browser, seconds, poll_frequency=0.02)
        return waiting.until(lambda _: self.run(script, *arguments))

    def node(self):
        return self.run("return document.body.dataset.node")

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def click(self, name):
        self.browser.find_element("id", name).click()

    def spots(self, source, count, target):
        """Where the first of the cards lies, and where they go."""
        return self.run(
            PLACE + "return [at(...arguments[0]), at(...arguments[1])]", [source, count], [target, 1]
        )

    def click_move(self, source, count, target):
        """Click cards and then where they go; the stock alone is turned by one click."""
        first, last = self.spots(source, count, target)
        self._mouse(first, release=True)
        if self.run("return !!document.querySelector('.chosen')"):
            self._mouse(last, release=True)

    def drag_move(self, source, count, target):
        first, last = self.spots(source, count, target)
        self._mouse(first, (first[0] + 12, first[1] + 9), ((first[0] + last[0]) // 2, last[1]), last)

    def _mouse(self, *path, release=False):
        from selenium.webdriver import ActionChains

        actions = ActionChains(self.browser, duration=0)
        pointer = actions.w3c_actions.pointer_action
        for number, (x, y) in enumerate(path):
            pointer.move_to_location(x, y)
            if number == 0:
                pointer.pointer_down()
        pointer.pointer_up()
        actions.perform()

    def made(self):
        """The moves that were made, as the address has them."""
        fragment = self.run("return location.hash")
        moves = re.search(r"moves=([^&]*)", fragment)
        at = re.search(r"at=(\d+)", fragment)
        texts = moves[1].replace("+", " ").replace("%3F", "?").split(",") if moves else []
        return texts[: int(at[1])] if at else texts


def steps_of(name, seed):
    """The moves of the solver's line: as text, and the places and the number of cards of each."""
    variant = find_variant(name)
    state = variant.deal(seed)
    moves = solve(variant, state, Limits(seconds=60)).moves
    steps = []
    for text, move in zip(format_line(variant, state, moves), moves, strict=True):
        steps.append((text, source_of(move), getattr(move, "count", 1), target_of(state, move)))
        state = variant.family.apply(state, move)
    return steps


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A running board: its process and the address that it printed."""
    home = str(tmp_path_factory.mktemp("home"))
    environment = os.environ | {"HOME": home, "XDG_DATA_HOME": home}
    command = [sys.executable, "-m", "winnable", "board", "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=environment, **pipes)
    yield process, process.stdout.readline().strip()
    process.terminate()
    process.communicate()


@pytest.fixture(scope="module")
def browser():
    driver = start_browser()
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def board(browser, server):
    """The page, known to the server."""
    address = server[1]
    browser.get(address)
    return Page(browser, address[: address.index("/open")] + "/")


@pytest.fixture
def page(board):
    yield board
    assert board.browser.get_log("browser") == []


def play(page, steps, make):
    """Make all moves, each when the one before is shown."""
    for number, (text, *places) in enumerate(steps):
        node = page.node()
        make(page, *places)
        if page.run("return document.getElementById('picker').open"):
            pick(page, steps, number)
        page.wait("return document.body.dataset.node !== arguments[0]", node)
        assert page.made()[-1] == text


def pick(page, steps, number):
    """Take the choice of a joker that makes the move of the line."""
    rows = "[...document.querySelectorAll('#picker .rows button')]"
    page.run(f"{rows}.find(row => row.dataset.text === arguments[0]).click()", steps[number][0])


@pytest.mark.parametrize("name", VARIANTS)
def test_a_whole_game_by_clicks(page, name):
    steps = steps_of(name, SEEDS[name])
    page.open(f"game={name}&seed={SEEDS[name]}")
    play(page, steps, Page.click_move)
    assert page.made() == [text for text, *_ in steps]
    if not find_variant(name).scoring:
        assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
        assert "Won" in page.text("banner")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_drags(page, name):
    steps = steps_of(name, SHORT[name])
    page.open(f"game={name}&seed={SHORT[name]}")
    play(page, steps, Page.drag_move)
    assert "Won" in page.text("banner")
