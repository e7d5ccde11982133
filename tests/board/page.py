"""The page of a board in a browser, controlled by a test."""

import os
import re
import warnings

from tests.browsing import set_screen

# The position on the screen of a card of a place, counted from the top, or of the empty place.
PLACE = """
const at = (place, count) => {
  const cards = [...document.querySelectorAll(`.card[data-spot^="${place}/"]`)];
  cards.sort((a, b) => a.dataset.spot.split('/')[1] - b.dataset.spot.split('/')[1]);
  const element = cards.at(-count) || document.querySelector(`.slot[data-place="${place}"]`);
  const box = element.getBoundingClientRect();
  return [Math.round(box.left + box.width / 2), Math.round(box.top + Math.min(8, box.height / 2))];
};
"""

# The page writes the address of a move after a pause, or at once when it goes.
ADDRESS = "(dispatchEvent(new Event('pagehide')), location.hash)"

# Waits until a move is made, for which a joker may show its card. Returns the address and the next spots.
MADE = (
    PLACE
    + """
const [number, text, next, done] = arguments;
const look = () => {
  const joker = document.getElementById('joker-card');
  const rows = [...joker.querySelectorAll('[data-text]')];
  if (!joker.hidden) rows.find(row => row.dataset.text === text).click();
  if (+document.body.dataset.ply > number) done([ADDRESS, next && next.map(place => at(...place))]);
  else setTimeout(look, 2);
};
look();
""".replace("ADDRESS", ADDRESS)
)

# What the page shows, for the message of a test that waited in vain.
SHOWN = """
const text = name => document.getElementById(name)?.innerText.replace(/\\s+/g, ' ').slice(0, 300);
const pressed = document.getElementById('hints')?.ariaPressed, visible = document.visibilityState;
return JSON.stringify({ address: location.href.slice(0, 200), ...document.body.dataset, visible, pressed,
  panel: text('panel'), options: text('options'), heard: text('heard'), lost: text('lost') });
"""


class Page:
    """The page of a board in a browser."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address

    def open(self, fragment, width=1280, height=900, thinks=True):
        """Open a link, with positions judged or not, and wait for its position."""
        set_screen(self.browser, width, height)
        self.browser.get(self.address + "static/closed.html")
        self.run("localStorage.clear(); sessionStorage.clear()")
        self.run("localStorage.setItem('winnable-think', arguments[0])", "on" if thinks else "off")
        self.load(fragment)

    def take_new_tab(self):
        """Continue in a new tab, whose history is empty: the history of a tab stops growing at its limit."""
        old = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        new = self.browser.current_window_handle
        self.browser.switch_to.window(old)
        self.browser.close()
        self.browser.switch_to.window(new)

    def load(self, fragment):
        """Open a link while keeping all that the browser has stored.

        Chromium 156 sometimes ends with a failed check of its own (1 of 100 visits) when a page is left while
        its worker starts Python. The service worker of the static site may end with it, and files that it was
        asked for do not come then. As a person would, the test opens the site once more, and warns.
        """
        is_site = "WINNABLE_SITE" in os.environ
        for is_last in (False, True) if is_site else (True,):
            self.browser.get("about:blank")
            self.browser.get(f"{self.address}#{fragment}")
            try:
                self.wait("return !!document.body.dataset.node", seconds=60 if is_site else 20)
                return
            except AssertionError as error:
                if is_last:
                    raise
                warnings.warn(f"opened once more: {error}", stacklevel=2)
                self.browser.get("about:blank")
                self.browser.get_log("browser")  # discards what the files that did not come had said

    def await_program(self):
        """Wait for what the static site alone loads after its table: the program that answers the rest."""
        if os.environ.get("WINNABLE_SITE"):
            self.wait("return document.documentElement.dataset.loading === '100'", seconds=60)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, script, *arguments, seconds=20):
        """Wait until a script returns a true value, and return that. Says what the page shows if it does
        not."""
        from selenium.common.exceptions import TimeoutException
        from selenium.webdriver.support.ui import WebDriverWait

        waiting = WebDriverWait(self.browser, seconds, poll_frequency=0.02)
        try:
            return waiting.until(lambda _: self.run(script, *arguments))
        except TimeoutException:
            raise AssertionError(f"waited {seconds} s for {script}: {self.run(SHOWN)}") from None

    def node(self):
        return self.run("return document.body.dataset.node")

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def click(self, name):
        """Click an element, if necessary in the menu, which is opened first: a small screen shows it only
        there."""
        element = self.browser.find_element("id", name)
        if not element.is_displayed():
            self.browser.find_element("id", "menu-open").click()
        if not element.is_displayed():
            element = self.browser.find_element("css selector", f"#menu [data-act={name}]")
        element.click()

    def click_on(self, selector):
        """Click the first element that a selector names."""
        self.browser.find_element("css selector", selector).click()

    def spots(self, source, count, target):
        """The positions on the screen of the first of the cards and of their target."""
        script = "return [at(...arguments[0]), at(...arguments[1])]"
        return self.run(PLACE + script, [source, count], [target, 1])

    def click_move(self, source, count, target, spots=None):
        """Make a move by clicks on its cards and their target. One click turns the stock, or opens the card
        of a joker that is declared where it lies."""
        first, last = spots or self.spots(source, count, target)
        self._mouse(*([first], [last])[: 1 if source in ("p0", target) else 2])

    def drag_move(self, source, count, target, spots=None):
        """Drag cards to where they go."""
        first, last = spots or self.spots(source, count, target)
        self._mouse([first, (first[0] + 12, first[1] + 9), ((first[0] + last[0]) // 2, last[1]), last])

    def await_move(self, number, text, next_move=None):
        """Wait until move ``number``, counted from 0, is made; return where the cards of the next move lie
        and go."""
        places = next_move and [next_move[:2], (next_move[2], 1)]
        fragment, spots = self.browser.execute_async_script(MADE, number, text, places)
        assert moves_of(fragment)[number:] == [text]
        return spots

    def _mouse(self, *paths):
        """Move the mouse with its button pressed along each path."""
        from selenium.webdriver import ActionChains

        actions = ActionChains(self.browser, duration=0)
        pointer = actions.w3c_actions.pointer_action
        for first, *others in paths:
            pointer.move_to_location(*first)
            pointer.pointer_down()
            for place in others:
                pointer.move_to_location(*place)
            pointer.pointer_up()
        actions.perform()

    def made(self):
        """The moves made, as the address states them."""
        return moves_of(self.run(f"return {ADDRESS}"))


def moves_of(fragment):
    """The moves of a link, up to the position it shows."""
    moves = re.search(r"moves=([^&]*)", fragment)
    at = re.search(r"at=(\d+)", fragment)
    texts = moves[1].replace("+", " ").replace("%3F", "?").split(",") if moves else []
    return texts[: int(at[1])] if at else texts
