"""A test of a page fails for what the page complains of, and for what was expected and does not come."""

import contextlib

import pytest
from tests.browsing import Complaints, start_browser

CASES = [
    ("setTimeout(() => { throw new Error('oh'); })", None, False),
    ("Promise.reject(new Error('oh'))", None, False), ("console.error('oh')", None, False),
    ("document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:1/oh.png' }))", None, False),
    ("document.title = 'well'", None, True), ("console.error('oh')", "oh", True),
    ("document.title = 'well'", "oh", False),
]  # fmt: skip
"""Scripts, what is expected, and whether a test with them passes."""


@pytest.mark.full
def test_a_page_may_complain_of_what_is_expected_alone():
    browser = start_browser()
    try:
        for script, expected, is_well in CASES:
            complaints = Complaints(browser)
            complaints.expected += [expected] if expected else []
            browser.get("data:text/html,<p>a page</p>")
            browser.execute_script(script)
            browser.execute_async_script("setTimeout(arguments[0], 300)")
            with contextlib.nullcontext() if is_well else pytest.raises(AssertionError):
                complaints.check()
    finally:
        browser.quit()
