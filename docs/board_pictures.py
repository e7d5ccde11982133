"""Make the pictures of the page on the board: ``python -m docs.board_pictures``. Needs Chromium."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image
from tests.board.page import Page
from tests.browsing import press, set_screen, start_browser

FOLDER = Path(__file__).parent / "pictures"
THINK = 4.0  # seconds until a picture is taken


def click(page: Any, *selectors: str) -> None:
    """Click one after the other."""
    for selector in selectors:
        page.run("document.querySelector(arguments[0]).click()", selector)
        time.sleep(0.5)


def take(page: Any, name: str, wait: float = THINK) -> None:
    """Take a picture after a while, with as few colours as it needs."""
    time.sleep(wait)
    path = FOLDER / f"{name}.png"
    page.browser.save_screenshot(str(path))
    Image.open(path).convert("RGB").quantize(192, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "winnable", "board", "--no-browser"]
        environment = os.environ | {"HOME": home, "XDG_DATA_HOME": home}
        served = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert served.stdout is not None
        address = served.stdout.readline().strip()
        browser = start_browser()
        try:
            browser.get(address)
            take_all(Page(browser, address[: address.index("/open")] + "/"))
        finally:
            browser.quit()
            served.terminate()
            served.wait()


def take_all(page: Any) -> None:
    """Take all pictures of ``page``."""
    page.open("game=chessboard&seed=8", 1180, 760)
    click(page, "#hints")
    take(page, "board-hints")
    page.open("game=chessboard&seed=8&moves=7H+6-f", 1180, 760)
    time.sleep(THINK)
    click(page, "#why", "#reason [data-card='4']")
    take(page, "board-why", 1.0)
    page.open("game=chessboard&seed=8&moves=7H+6-f,9S+4-2", 1180, 760)
    click(page, "#undo", "#mistakes")
    take(page, "board-mistake")
    page.open("game=joker&seed=4&mode=player&exchange=turned", 1180, 760)
    set_screen(page.browser, 1180, 760, "dark")
    click(page, "#hints")
    take(page, "board-player")
    page.open("game=simon-jester&seed=1", 390, 760)
    take(page, "board-phone")
    page.open("game=joker&seed=4&exchange=turned", 1180, 760)
    page.run("location.hash = '#edit=joker'")
    time.sleep(1)
    press(page.browser, *"6h?8s??jc???xb??")
    take(page, "board-editor", 1.0)


if __name__ == "__main__":
    main()
