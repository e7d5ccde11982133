"""Types of the public names: mypy knows their values, and finds errors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import winnable

SAMPLE = Path(__file__).with_name("sample.py")
PACKAGE = Path(winnable.__file__).parent


@pytest.mark.full
def test_mypy_agrees_with_the_sample(pytestconfig, tmp_path):
    pytest.importorskip("mypy", reason="the extra 'lint' is not installed")
    cache = pytestconfig.cache.mkdir("mypy") if hasattr(pytestconfig, "cache") else tmp_path
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = true\nwarn_unused_ignores = true\n")
    # mypy finds an installed package by itself; a path to it would be wrong
    path = {} if "site-packages" in PACKAGE.parts else {"MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir", cache, SAMPLE],
        env={**os.environ, **path},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")
