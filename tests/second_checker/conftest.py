"""The second checker, compiled once for all of its tests."""

import shutil
import subprocess
from pathlib import Path

import pytest

from winnable import checker

SOURCE = Path(checker.__file__).with_name("second_checker.c")


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("second") / "second_checker"
    warnings = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    subprocess.run([compiler, "-O1", *warnings, "-o", path, SOURCE], check=True)
    return path
