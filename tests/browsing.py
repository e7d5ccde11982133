"""A headless Chromium for tests of pages; the console must stay empty."""

import os
import re
import shutil
from contextlib import suppress

import pytest

# The number of cards and places beyond the sides of the table, and by how much the page is too wide.
OUTSIDE = """
const felt = document.getElementById('felt').getBoundingClientRect();
const out = [...document.querySelectorAll('.card, .slot')].filter(card => {
  const box = card.getBoundingClientRect();
  return box.left < felt.left || box.right > felt.right; });
return [out.length, Math.max(0, document.documentElement.scrollWidth - innerWidth)];
"""

SECONDS = 60  # after which a script or a page that loads has failed

# What is said of a browser, or of the driver that controls it, when it crashes, hangs or ends.
FAILURES = ["tab crashed", "receiving message from renderer", "HTTPConnectionPool", "Connection aborted"]
FAILURES += ["disconnected: ", "invalid session id", "session not created", "no such window"]


def start_browser():
    """A browser that records its console. Skips the test without a browser, unless WINNABLE_BROWSER_TESTS is
    1."""
    must = os.environ.get("WINNABLE_BROWSER_TESTS") == "1"
    if not must:
        pytest.importorskip("selenium", reason="the extra 'browser' is not installed")
    program, service = shutil.which("chromium"), shutil.which("chromedriver")
    if not (program and service) and not must:
        pytest.skip("there is no chromium with its chromedriver")
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from urllib3.exceptions import HTTPError

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})

    class Browser(webdriver.Chrome):
        """A browser that knows whether it has failed."""

        errors = WebDriverException, HTTPError
        failure = None  # what was said of it

        def execute(self, *command):
            try:
                return super().execute(*command)
            except self.errors as error:
                if re.search("|".join(FAILURES), str(error)):
                    self.failure = str(error)
                raise

    driver = Browser(options, Service(service))
    driver.set_script_timeout(SECONDS)
    driver.set_page_load_timeout(SECONDS)
    return driver


def revive(browser):
    """Put another browser in the place of one that failed, as Chromium 156 does at times when a page of the
    static site is left while its worker starts Python."""
    if browser.failure:
        with suppress(*browser.errors):
            browser.quit()
        vars(browser).update(failure=None, **vars(start_browser()))


class Complaints:
    """The console of a browser during a test: exceptions, rejected promises, errors, warnings."""

    def __init__(self, browser):
        self.browser = browser
        self.expected = []

    def expect(self, pattern):
        """Expect at least one message that matches ``pattern``, a regular expression."""
        self.expected.append(pattern)

    def check(self):
        """Fail for unexpected messages, and for expected ones that are missing."""
        assert not self.browser.failure, self.browser.failure
        self.browser.execute_async_script("setTimeout(arguments[0])")  # lets pending messages arrive
        self.browser.get("about:blank")  # so that nothing is reported during the next test
        said = [entry["message"] for entry in self.browser.get_log("browser")]
        unexpected = [text for text in said if not any(re.search(part, text) for part in self.expected)]
        missing = [part for part in self.expected if not any(re.search(part, text) for text in said)]
        assert (unexpected, missing) == ([], []), f"the page complains, or not as expected: {unexpected}"


@pytest.fixture(autouse=True)
def complaints(request):
    """The console of the fixture ``browser``. A test with such a browser fails for any message, whatever it
    asserts itself. To be imported by all test modules and conftests with browsers."""
    if "browser" not in request.fixturenames:
        yield None
        return
    browser = request.getfixturevalue("browser")
    revive(browser)
    browser.get_log("browser")  # discards messages of an earlier test
    found = Complaints(browser)
    yield found
    found.check()


def set_screen(browser, width, height, scheme="light"):
    """Give the browser a light or dark screen of this size in pixels; animations are off."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in media.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def press(browser, *keys):
    """Press and release keys, one after the other."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser, duration=0).send_keys(*keys).perform()


def touch(browser, *path):
    """Put a finger down at the first point of ``path``, pairs of pixels, and move it to the others."""
    for number, (x, y) in enumerate(path):
        kind = "touchMove" if number else "touchStart"
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
