"""The fixture that fails a test for messages on the page's console."""

import os
import sys
from pathlib import Path

import pytest
from tests.browsing import complaints, start_browser  # noqa: F401 - a fixture of the last test
from tests.children import Child

FAILING = iter(
    [
        lambda browser: browser.get("chrome://crash"),
        lambda browser: browser.get("chrome://hang"),
        lambda browser: browser.execute_cdp_cmd("Browser.close", {}),
    ]
)
CASES = {
    "setTimeout(() => { throw new Error('oh'); })": False,
    "Promise.reject(new Error('oh'))": False,
    "console.error('oh')": False,
    "document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:1/oh.png' }))": False,
    "document.title = 'well'": True,
}
TESTS = """
import pytest
from tests.browsing import complaints, start_browser

@pytest.fixture(scope="module")
def browser():
    driver = start_browser()
    yield driver
    driver.quit()

@pytest.mark.parametrize("number", range(len({cases!r})))
def test_a_case(browser, number):
    browser.get("data:text/html,<p>a page</p>")
    browser.execute_script({cases!r}[number])
    browser.execute_async_script("setTimeout(arguments[0], 300)")

def test_what_is_expected(browser, complaints):
    complaints.expect("oh")
    browser.get("data:text/html,<p>a page</p>")
    browser.execute_script("console.error('oh')")

def test_what_was_expected_and_does_not_come(browser, complaints):
    complaints.expect("oh")
    browser.get("data:text/html,<p>a page</p>")
"""


@pytest.mark.full
def test_a_test_fails_for_what_its_page_complains_of_and_for_what_does_not_come(tmp_path):
    start_browser().quit()  # skips the test without a browser
    path = tmp_path / "test_cases.py"
    path.write_text(TESTS.format(cases=list(CASES)))
    root = Path(__file__).parents[1]
    options = ["-q", "-rA", "-p", "no:cacheprovider", "-c", root / "pyproject.toml", f"--rootdir={root}"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)])}
    child = Child(sys.executable, "-m", "pytest", *options, path, cwd=root, env=environment)
    said, _ = child.finish()
    lines = [line.split() for line in said.splitlines() if line.startswith(("PASSED", "FAILED", "ERROR"))]
    outcomes = {words[1].rpartition("::")[2]: words[0] for words in lines}
    for number, (script, is_well) in enumerate(CASES.items()):
        assert outcomes[f"test_a_case[{number}]"] == ("PASSED" if is_well else "ERROR"), script
    assert outcomes["test_what_is_expected"] == "PASSED"
    assert outcomes["test_what_was_expected_and_does_not_come"] == "ERROR"


@pytest.mark.full
def test_a_test_whose_browser_crashes_hangs_or_ends_runs_again_in_another_one(browser):
    pytest.importorskip("pytest_rerunfailures", reason="the extra 'browser' is not installed")
    browser.set_page_load_timeout(2)
    for fail in FAILING:
        fail(browser)
    browser.get("data:text/html,<p>a page</p>")
    assert "a page" in browser.page_source
