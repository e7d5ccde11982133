"""Timings of the parts: ``pytest benchmarks``. They print; nothing here asserts a time."""

import pytest
from tests.native import load

from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, reference
from winnable.solver.engine import find_kernel
from winnable.solver.result import Goal

KERNELS = [name for name, variant in VARIANTS.items() if find_kernel(variant)]
SHORTEST = [name for name in ("chessboard", "fortress") if name in KERNELS]


def test_table_adds_new_keys(benchmark):
    table = load("key_set")

    def fill():
        keys = table.KeySet()
        return keys.add_many(0, 100_000)

    assert benchmark(fill) == 100_000


def test_table_finds_known_keys(benchmark):
    table = load("key_set")
    keys = table.KeySet()
    keys.add_many(0, 100_000)
    assert benchmark(keys.add_many, 0, 100_000) == 0


@pytest.mark.parametrize("name", VARIANTS)
def test_rules_deal(benchmark, name):
    assert benchmark(VARIANTS[name].deal, 7)


def test_compiled_dealer(benchmark):
    dealer = pytest.importorskip("winnable.solver.core.border")
    cards = find_variant("chessboard").deck().cards()
    assert len(benchmark(dealer.shuffled, cards, 7)) == 52


@pytest.mark.parametrize("name", VARIANTS)
def test_rules_generate_moves(benchmark, name):
    variant = VARIANTS[name]
    state = variant.deal(7)
    assert benchmark(variant.family.legal_moves, state)


@pytest.mark.parametrize("name", ["chessboard", "fortress"])
def test_packed_rules_walk(benchmark, name):
    walker = load("chessboard_walker").Walker(find_variant(name).deal(8))
    assert benchmark(walker.perft, 4) > 100


@pytest.mark.parametrize("name", KERNELS)
def test_kernel_decides_a_hundred_deals(benchmark, name):
    kernel = find_kernel(find_variant(name))(Limits(nodes=100_000))
    assert len(benchmark(kernel.solve_seeds, name, 1, 100)) == 100


@pytest.mark.parametrize("name", SHORTEST)
def test_kernel_finds_the_shortest_lines_of_ten_deals(benchmark, name):
    kernel = find_kernel(find_variant(name))(Limits())
    records = benchmark(kernel.solve_seeds, name, 1, 10, shortest=True)
    assert all(record.shortest == record.verdict for record in records)


@pytest.mark.parametrize("name", VARIANTS)
def test_reference_expands_a_hundred_states(benchmark, name):
    variant = VARIANTS[name]
    state = variant.deal(8)
    result = benchmark(reference.solve, variant, state, Limits(nodes=100), Goal.WIN)
    assert result.expanded <= 100
