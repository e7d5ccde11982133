"""The searches expand as many states as `benchmarks/signature.txt` says: what makes one slower is noticed."""

from pathlib import Path

import pytest
from tests.compiled import needs_kernels

from winnable.solver import bench as benchmark

SIGNATURE = Path(__file__).parents[2] / "benchmarks" / "signature.txt"


@pytest.mark.full
@needs_kernels
def test_searches_expand_what_the_signature_says(monkeypatch):
    monkeypatch.setattr(benchmark, "_ENOUGH_SECONDS", 0)
    assert benchmark.signature(list(benchmark.run())) == SIGNATURE.read_text(encoding="utf-8")
