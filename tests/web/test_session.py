"""The Python of the site in node: it has all modules of Python's library that a game needs."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.children import HANG
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS, find_variant

pytestmark = [needs_kernels, pytest.mark.full]
EXPECTED = {  # errors that the requests are to have
    "line": "no line is known while cards are hidden",
    "why": "this position is not known to be lost",
    "finish": "no hidden cards to reveal",
    "dance": "method 'dance': expected ",
}


@pytest.fixture(scope="module")
def session(site):
    """The lines that `session.mjs` prints."""
    node = shutil.which("node") or pytest.skip("needs node")
    script = Path(__file__).with_name("session.mjs")
    done = subprocess.run(
        [node, script, site / "engine"], capture_output=True, text=True, timeout=HANG, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_no_request_lacks_a_module(session):
    failed = [answer for answer in session["answers"] if "error" in answer]
    other = [
        answer
        for answer in failed
        if not answer["error"]["message"].startswith(EXPECTED.get(answer.get("method"), "?"))
    ]
    assert [answer["error"]["message"].split(": ")[0] for answer in other] == ["PySolFC deals", "deal:14"]
    assert not [message for message in session["told"] if message["method"] == "error"]
    assert session["history"]["games"]


def test_the_engine_answers(session):
    answers = [answer for answer in session["answers"] if "method" not in answer and "result" in answer]
    assert len(answers) == 5


def test_searches_name_the_networks_that_they_need(session, site):
    assert set(session["networks"]) == {"value-joker.npz", "value-klondike-one-pass.npz"}
    assert [name for name in session["networks"] if not (site / "engine" / name).exists()] == []


def test_the_rules_are_told(session):
    """They are docstrings, which bytecode may lack."""
    (games,) = [answer["result"] for answer in session["answers"] if answer.get("method") == "games"]
    told = {game["game"]: game["rules"] for game in games["games"]}
    assert told == {name: find_variant(name).description for name in VARIANTS}


def test_the_library_has_no_more_than_what_is_listed(session, site):
    root = Path(__file__).parents[2]
    assert set(session["used"]) <= set((root / "web" / "stdlib.txt").read_text("utf-8").split())
