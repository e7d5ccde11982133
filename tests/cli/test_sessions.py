"""The sessions in the README and in docs/ are real: each command is run and must answer what is printed."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from winnable.cli import main
from winnable.rules import find_variant
from winnable.solver import find_kernel

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SESSION = re.compile(r"^\$ winnable (.*)\n((?:(?!\$ |```).*\n)+)", re.MULTILINE)
TIMES = re.compile(r"^(CPU time|Speed|Search:).*$", re.MULTILINE)


def sessions():
    for page in PAGES:
        for command, answer in SESSION.findall((ROOT / page).read_text()):
            yield pytest.param(command, answer, id=f"{page}: {command}")


def without_times(text):
    return TIMES.sub(r"\1", text)


@pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")
@pytest.mark.parametrize(("command", "answer"), list(sessions()))
def test_a_session_is_real(command, answer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with CliRunner().isolation() as streams:
        status = main.run(command.split())
        out = streams[0].getvalue().decode()
    assert status in (0, main.UNDECIDED)
    assert without_times(out) == without_times(answer)


def test_there_are_sessions():
    assert len(list(sessions())) >= 3
