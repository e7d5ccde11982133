"""The examples of docs/library.md: they are compiled and run as the page says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.children import HANG
from tests.compiled import needs_kernels
from tests.library.building import BUILT, built

from winnable import __version__, deal, solve
from winnable.rules.formats.text import Deal, format_deal

ROOT = Path(__file__).parents[2]
pytestmark = [needs_kernels, pytest.mark.full]


def example(language):
    """The example in ``language``."""
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    return re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)[1]


def test_the_example_in_c_wins_the_deal_that_it_prints(tmp_path):
    built("libwinnable.a", "cc")
    (tmp_path / "example.c").write_text(example("c"))
    assert len(example("c").splitlines()) <= 35
    (command,) = re.findall(r"^cc .*$", (ROOT / "docs" / "library.md").read_text("utf-8"), re.MULTILINE)
    command = command.replace("build/library", str(BUILT)).split()
    subprocess.run([*command, "-Wall", "-Wextra", "-Werror"], cwd=tmp_path, check=True)
    done = subprocess.run(
        [str(tmp_path / "example")], capture_output=True, text=True, timeout=HANG, check=True
    )
    *_, moves = done.stdout.partition("\n\n")
    seed = int(re.search("# seed: (.*)", done.stdout)[1])
    state = deal("klondike-draw-one", seed)
    assert done.stdout.startswith(str(state).split("\n")[0])
    for line in moves.splitlines()[:-1]:
        state = state.apply(line.partition(". ")[2])
    assert state.is_won
    assert moves.endswith("Won.\n")


def test_the_example_by_ctypes_has_the_verdict_of_each_move():
    built("libwinnable.so", "cc")
    done = subprocess.run(
        [sys.executable, "-c", example("python")],
        cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=True,
    )  # fmt: skip
    state = deal("fortress", 8)
    text, _, verdicts = done.stdout.partition("\n\n")
    *verdicts, refusal = verdicts.splitlines()
    assert text == format_deal(Deal(state, 8)).rstrip()
    words = {"winnable": "wins", "unwinnable": "loses"}
    after = {move: solve("fortress", state.apply(move)) for move in state.legal_moves()}
    expected = [f"{move} {words[found.verdict]}" for move, found in after.items()]
    assert sorted(verdicts) == sorted(expected)
    assert refusal.startswith("refused: ")


def test_the_header_has_the_version_of_the_package():
    header = (ROOT / "solver" / "winnable.h").read_text("utf-8")
    assert f'#define WINNABLE_VERSION "{__version__}"\n' in header
