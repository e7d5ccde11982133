"""The searches expand as many states as `benchmarks/signature.txt` says: what makes one slower is noticed."""

from itertools import islice
from pathlib import Path

import pytest
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS
from winnable.solver.batch import bench as benchmark

SEARCHES = "shortest shorten bound certificate score moves player reference"
SIGNATURE = Path(__file__).parents[2] / "benchmarks" / "signature.txt"


@pytest.mark.quick(2)
@needs_kernels
@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((name, 1) for name in ("fortress", "simple-simon", "joker", "klondike-draw-one")),
        *(pytest.param(name, 99, marks=pytest.mark.slow) for name in VARIANTS),  # as `bench --check` does
    ],
)
def test_searches_do_what_the_signature_says(monkeypatch, name, most):
    monkeypatch.setattr(benchmark, "_ENOUGH_SECONDS", 0)
    monkeypatch.setattr(benchmark, "VARIANTS", {name: VARIANTS[name]})
    head, *rows = SIGNATURE.read_text(encoding="utf-8").splitlines()
    names = {name, *(f"{name}-{search}" for search in SEARCHES.split())}
    mine = [row for row in rows if row.split()[0] in names][:most]
    assert benchmark.signature(list(islice(benchmark.run(), most))).splitlines() == [head, *mine]


def test_every_search_has_a_row():
    rows = [row.split()[0] for row in SIGNATURE.read_text(encoding="utf-8").splitlines()[1:]]
    counts = {search: sum(row.endswith(f"-{search}") for row in rows) for search in SEARCHES.split()}
    assert counts == {
        "shortest": len(VARIANTS), "shorten": 3, "bound": 3, "certificate": 11, "score": 4, "moves": 5,
        "player": 6, "reference": 4,
    }  # fmt: skip
    assert len(rows) == len(VARIANTS) + sum(counts.values())
