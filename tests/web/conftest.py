"""The static site in a browser."""

import os
from pathlib import Path

import pytest
from tests.browsing import complaints  # noqa: F401 - a fixture of all tests here

SITE = Path(__file__).parents[2] / "build" / "site"


@pytest.fixture(scope="session")
def site():
    """The folder of the static site. Skips where it is not built, unless WINNABLE_WEB_TESTS is 1."""
    if os.environ.get("WINNABLE_WEB_TESTS") != "1" and not (SITE / "index.html").exists():
        pytest.skip("the site is not built: python -m web.build")
    return SITE
