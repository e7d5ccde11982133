"""The page of a board in a browser, as a test moves it."""

import re

from tests.browsing import set_screen

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

# Waits until a move is made, for which a person may be asked; then the address, and where the next goes.
MADE = (
    PLACE
    + """
const [number, text, next, done] = arguments;
const look = () => {
  if (document.getElementById('picker').open) {
    const rows = [...document.querySelectorAll('#picker .rows button')];
    rows.find(row => row.dataset.text === text).click();
  }
  if (+document.body.dataset.ply > number) done([location.hash, next && next.map(place => at(...place))]);
  else setTimeout(look, 2);
};
look();
"""
)


class Page:
    """The page of a board in a browser."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address

    def open(self, fragment, width=1280, height=900, thinks=True):
        """Open a link, judging positions or not, and wait for its position."""
        set_screen(self.browser, width, height)
        self.browser.get(self.address + "static/closed.html")
        self.run("localStorage.clear(); sessionStorage.clear()")
        self.run("localStorage.setItem('winnable-think', arguments[0])", "on" if thinks else "off")
        self.load(fragment)

    def load(self, fragment):
        """Open a link, with all that the browser has kept."""
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
        """The places of the first of the cards and of their target."""
        script = "return [at(...arguments[0]), at(...arguments[1])]"
        return self.run(PLACE + script, [source, count], [target, 1])

    def click_move(self, source, count, target, spots=None):
        """Click cards and then where they go; the stock alone is turned by one click."""
        first, last = spots or self.spots(source, count, target)
        self._mouse(*([first], [last])[: 1 if source == "p0" else 2])

    def drag_move(self, source, count, target, spots=None):
        """Drag cards to where they go."""
        first, last = spots or self.spots(source, count, target)
        self._mouse([first, (first[0] + 12, first[1] + 9), ((first[0] + last[0]) // 2, last[1]), last])

    def await_move(self, number, text, next_move=None):
        """Wait until move ``number``, from 0, is made; where the cards of the next one lie and go."""
        places = next_move and [next_move[:2], (next_move[2], 1)]
        fragment, spots = self.browser.execute_async_script(MADE, number, text, places)
        assert moves_of(fragment)[number:] == [text]
        return spots

    def _mouse(self, *paths):
        """Draw the mouse, its button pressed, along each path."""
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
        """The moves that were made, as the address has them."""
        return moves_of(self.run("return location.hash"))


def moves_of(fragment):
    """The moves of a link, up to its place."""
    moves = re.search(r"moves=([^&]*)", fragment)
    at = re.search(r"at=(\d+)", fragment)
    texts = moves[1].replace("+", " ").replace("%3F", "?").split(",") if moves else []
    return texts[: int(at[1])] if at else texts
