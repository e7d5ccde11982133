"""The searches expand as many states as `benchmarks/signature.txt` says: what makes one slower is noticed."""

from pathlib import Path

import pytest
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS
from winnable.solver import bench as benchmark

SIGNATURE = Path(__file__).parents[2] / "benchmarks" / "signature.txt"


@needs_kernels
@pytest.mark.quick("fortress", "simple-simon", "joker", "klondike-draw-one")
@pytest.mark.parametrize("name", VARIANTS)
def test_searches_expand_what_the_signature_says(monkeypatch, name):
    monkeypatch.setattr(benchmark, "_ENOUGH_SECONDS", 0)
    monkeypatch.setattr(benchmark, "VARIANTS", {name: VARIANTS[name]})
    head, *rows = SIGNATURE.read_text(encoding="utf-8").splitlines()
    mine = [row for row in rows if row.split()[0].removesuffix("-shortest") == name]
    assert benchmark.signature(list(benchmark.run())).splitlines() == [head, *mine]
    assert len(rows) == len(VARIANTS) + len(benchmark.SHORTEST)
