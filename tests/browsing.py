"""A headless Chromium for the tests of pages, none of which may complain."""

import os
import re
import shutil

import pytest

# The number of cards and places that lie beyond the sides of the table, and how far the page is too wide.
OUTSIDE = """
const felt = document.getElementById('felt').getBoundingClientRect();
const out = [...document.querySelectorAll('.card, .slot')].filter(card => {
  const box = card.getBoundingClientRect();
  return box.left < felt.left || box.right > felt.right; });
return [out.length, Math.max(0, document.documentElement.scrollWidth - innerWidth)];
"""


def start_browser():
    """A browser that keeps its console. Skips if there is none, unless WINNABLE_BROWSER_TESTS is 1."""
    must = os.environ.get("WINNABLE_BROWSER_TESTS") == "1"
    if not must:
        pytest.importorskip("selenium", reason="the extra 'browser' is not installed")
    program, service = shutil.which("chromium"), shutil.which("chromedriver")
    if not (program and service) and not must:
        pytest.skip("there is no chromium with its chromedriver")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(service))
    driver.set_script_timeout(60)
    return driver


class Complaints:
    """The console of a browser during a test: exceptions, rejected promises, errors, warnings."""

    def __init__(self, browser):
        self.browser = browser
        self.expected = []

    def expect(self, pattern):
        """Take it that the page says this, at least once, as a regular expression that is searched for."""
        self.expected.append(pattern)

    def check(self):
        """Fail for what was not expected, and for what was and did not come."""
        self.browser.execute_async_script("setTimeout(arguments[0])")  # what is on its way is told before
        self.browser.get("about:blank")  # nothing is said into another test
        said = [entry["message"] for entry in self.browser.get_log("browser")]
        unexpected = [text for text in said if not any(re.search(part, text) for part in self.expected)]
        missing = [part for part in self.expected if not any(re.search(part, text) for text in said)]
        assert (unexpected, missing) == ([], []), "the page complains, or not as expected"


@pytest.fixture(autouse=True)
def complaints(request):
    """The console of the fixture ``browser``: each test that uses one fails for any message,
    whatever it asserts itself. To be imported by all modules and conftests with such tests."""
    if "browser" not in request.fixturenames:
        yield None
        return
    browser = request.getfixturevalue("browser")
    browser.get_log("browser")  # what is left of another test
    found = Complaints(browser)
    yield found
    found.check()


def set_screen(browser, width, height, scheme="light"):
    """Give the browser a screen of so many pixels, light or dark; cards jump, they do not glide."""
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
    """Put a finger down at the first place of ``path``, pairs of pixels, and draw it through the others."""
    for number, (x, y) in enumerate(path):
        kind = "touchMove" if number else "touchStart"
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
