"""Make the pictures of the page on the board: ``python -m docs.board_pictures``. Needs Chromium."""

import time
from pathlib import Path
from typing import Any

from benchmarks.boards import browsing, open_link, served, set_screen

FOLDER = Path(__file__).parent / "pictures"
THINK = 4.0  # seconds until a picture is taken


def click(browser: Any, *selectors: str) -> None:
    """Click one after the other."""
    for selector in selectors:
        browser.execute_script("document.querySelector(arguments[0]).click()", selector)
        time.sleep(0.5)


def take(browser: Any, name: str, wait: float = THINK) -> None:
    """Take a picture after a while."""
    time.sleep(wait)
    browser.save_screenshot(str(FOLDER / f"{name}.png"))


def main() -> None:
    """Take all pictures."""
    with served() as address, browsing() as browser:
        browser.get(address)
        set_screen(browser, 1180, 760)
        open_link(browser, address, "game=chessboard&seed=8")
        click(browser, "#hints")
        take(browser, "board-hints")
        click(browser, "#hints")
        open_link(browser, address, "game=chessboard&seed=8&moves=7H+6-f,9S+4-2")
        click(browser, "#undo", "#mistakes")
        take(browser, "board-mistake")
        set_screen(browser, 1180, 760, "dark")
        open_link(browser, address, "game=joker&seed=4&mode=player")
        click(browser, "#hints")
        take(browser, "board-player")
        set_screen(browser, 390, 760)
        open_link(browser, address, "game=simon-jester&seed=1")
        take(browser, "board-phone")
        set_screen(browser, 1180, 760)
        cards = [f".palette [data-card='{card}']" for card in ("7H", "2S", "KD", "TC")]
        click(browser, "#new", "[name=game][value=joker]", "[name=deal][value=table]")
        click(browser, "[data-line='1']", *cards[:2], "[data-line='2']", *cards[2:])
        browser.execute_script("document.querySelector('.editor').scrollIntoView()")
        take(browser, "board-editor", 1.0)


if __name__ == "__main__":
    main()
