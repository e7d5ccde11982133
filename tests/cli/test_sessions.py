"""The sessions in the README and in docs/ are real: each command is run and must answer what is printed."""

import os
import re
import sys
from pathlib import Path

import pytest
from tests.children import Child
from tests.compiled import needs_kernels

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "docs" / "tour.md"
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md") if path != TOUR)]
SESSION = re.compile(r"^\$ winnable (.*)\n((?:(?!\$ |```).*\n)+)", re.MULTILINE)
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
TIMES = re.compile(r"^(CPU time|Speed|Search:).*$", re.MULTILINE)


def sessions():
    for page in PAGES:
        for command, answer in SESSION.findall((ROOT / page).read_text()):
            yield pytest.param(command, answer, id=f"{page}: {command}")


def without_times(text):
    return TIMES.sub(r"\1", text)


def check(command, answer, folder):
    """Run a line of a shell in ``folder``, which must answer so."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    process = Child("bash", "-c", command, cwd=folder, env=environment)
    out, err = process.finish()
    assert (process.returncode, err) == (0, "")
    assert without_times(out) == without_times(answer)


@pytest.mark.quick(1)
@needs_kernels
@pytest.mark.parametrize(("command", "answer"), list(sessions()))
def test_a_session_is_real(command, answer, tmp_path):
    check(f"winnable {command}", answer, tmp_path)


@pytest.mark.full
@needs_kernels
def test_the_tour_is_one_session(tmp_path):
    steps = STEP.findall(TOUR.read_text())
    assert len(steps) > 8
    for command, answer in steps:
        check(command, answer, tmp_path)


def test_there_are_sessions():
    assert len(list(sessions())) >= 3
