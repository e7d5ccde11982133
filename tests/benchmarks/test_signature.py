"""The searches expand as many states as `benchmarks/signature.txt` says, so that a slower search is
noticed."""

from pathlib import Path

import pytest
from tests.compiled import SEARCHED, needs_kernels

from winnable.solver.batch import bench as benchmark

SEARCHES = "shortest shorten certificate score moves player reference"
SIGNATURE = Path(__file__).parents[2] / "benchmarks" / "signature.txt"


HEAD, *ROWS = SIGNATURE.read_text(encoding="utf-8").splitlines()
QUICK = (
    "chessboard", "chessboard-moves", "fortress", "fortress-shortest", "fortress-moves", "joker", "klondike",
    "klondike-draw-one", "klondike-vegas-one-shortest", "simon-jester", "simple-simon", "simple-simon-moves",
    "simple-simon-shorten",
)  # fmt: skip
SOON = ("certificate", "score", "player", "reference")


def marked(row):
    """A row of the signature as a test case; `bench --check` checks all rows, including the expensive
    ones."""
    name = row.split()[0]
    is_quick = name in QUICK or name.endswith(SOON)
    return pytest.param(row, id=name, marks=() if is_quick else pytest.mark.slow)


@needs_kernels
@pytest.mark.parametrize("row", [marked(row) for row in ROWS])
def test_searches_do_what_the_signature_says(monkeypatch, row):
    monkeypatch.setattr(benchmark, "_ENOUGH_SECONDS", 0)
    assert benchmark.signature(list(benchmark.run(row.split()[0]))).splitlines() == [HEAD, row]


def test_every_search_has_a_row():
    counts = {
        search: sum(row.split()[0].endswith(f"-{search}") for row in ROWS) for search in SEARCHES.split()
    }
    assert counts == {
        "shortest": len(SEARCHED), "shorten": 3, "certificate": 11, "score": 6, "moves": 3,
        "player": 6, "reference": 4,
    }  # fmt: skip
    assert len(ROWS) == len(SEARCHED) + sum(counts.values())
