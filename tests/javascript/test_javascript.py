"""The unit tests in JavaScript, which node runs: one test here for each of their files."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.children import HANG

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.mjs"))
LEAST_NODE = 20


def has_node():
    """Test if node is there in a version that runs the tests."""
    if not shutil.which("node"):
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True, timeout=HANG)
    return int(re.match(r"v(\d+)", version.stdout)[1]) >= LEAST_NODE


@pytest.mark.skipif(not has_node(), reason=f"needs node {LEAST_NODE} or later")
@pytest.mark.skipif(not (HERE.parents[1] / "board").is_dir(), reason="needs a checkout")
@pytest.mark.parametrize("file", FILES, ids=[file.name.split(".")[0] for file in FILES])
def test_in_node(file):
    done = subprocess.run(["node", str(file)], capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"\bpass [1-9]", done.stdout)
