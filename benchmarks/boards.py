"""A running board and a browser before it, for the programs that measure and picture it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def served() -> Iterator[str]:
    """A board of its own, with no history but its own: the address that opens it."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"HOME": home, "XDG_DATA_HOME": home}
        command = [sys.executable, "-m", "winnable", "board", "--no-browser"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.wait()


@contextmanager
def browsing() -> Iterator[Any]:
    """A headless Chromium. It needs the extra 'browser' and the programs chromium and chromedriver."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options, Service(str(shutil.which("chromedriver"))))
    try:
        yield driver
    finally:
        driver.quit()


def set_screen(browser: Any, width: int, height: int, scheme: str = "light", motion: str = "reduce") -> None:
    """Give the browser a screen of so many pixels, light or dark; ``motion`` is reduce or no-preference."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": motion}
    media = [{"name": name, "value": value} for name, value in features.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})


def open_link(browser: Any, address: str, fragment: str) -> None:
    """Open a link of the board at ``address`` and wait until its position is there."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get("about:blank")
    browser.get(f"{address[: address.index('/open')]}/#{fragment}")
    waiting = WebDriverWait(browser, 60, poll_frequency=0.05)
    waiting.until(lambda _: browser.execute_script("return !!document.body.dataset.node"))
