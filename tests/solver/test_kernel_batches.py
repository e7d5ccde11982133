"""Batches of every kernel: they have the results of single searches."""

import threading

import pytest
from tests.compiled import needs_kernels
from tests.solver.kernels import WINNABLE, answer, every_variant, make

from winnable.rules import Choices, find_variant
from winnable.solver import Limits, find_shortest
from winnable.solver.core.record import VERDICTS
from winnable.solver.result import REASONS

pytestmark = needs_kernels


def row_of(result):
    """The record of a deal with this result in a batch."""

    def known(value):
        return -1 if value is None else value

    return (
        VERDICTS.index(result.verdict.value), REASONS.index(result.reason),
        -1 if result.moves is None else len(result.moves), known(result.lower_bound), int(result.shortest),
        known(result.score), known(result.score_bound), int(bool(result.exact)), result.expanded,
        result.generated,
    )  # fmt: skip


FIELDS = ["verdict", "reason", "moves", "lower_bound", "shortest", "score", "score_bound", "exact"]
FIELDS += ["expanded", "generated"]


@pytest.mark.quick(8)
@every_variant
@pytest.mark.parametrize("first", [1, 2**64 - 12], ids=["first", "last"])
@pytest.mark.parametrize(
    "limits", [Limits(nodes=300), Limits(nodes=20_000), Limits(megabytes=0.6), Limits(seconds=0)], ids=str
)
def test_a_batch_says_what_single_searches_say(name, first, limits):
    variant = find_variant(name)
    batch = make(name, limits).solve_seeds(name, first, 12).array
    assert batch["seed"].tolist() == list(range(first, first + 12))
    for record in batch:
        single = answer(name, variant.deal(int(record["seed"])), limits)
        assert tuple(record[FIELDS]) == row_of(single), record["seed"]


@pytest.mark.quick(1)
@every_variant
def test_a_batch_of_shortest_lines_says_what_single_searches_say(name):
    """Or better results, since the search for the verdict uses none of the states."""
    variant = find_variant(name)
    limits = Limits(work=300_000) if variant.copies > 1 else Limits(nodes=10_000)
    batch = make(name, limits).solve_seeds(name, WINNABLE[name], 3, shortest=True).array
    assert (batch["lower_bound"] > 0).any()
    for record in batch:
        single = find_shortest(variant, variant.deal(int(record["seed"])), limits)
        row = dict(zip(FIELDS, row_of(single), strict=True))
        assert (record["verdict"], record["score"]) == (row["verdict"], row["score"])
        assert record["moves"] <= row["moves"]
        assert record["lower_bound"] >= row["lower_bound"]
        assert record["shortest"] == (record["moves"] == record["lower_bound"] > 0)


@pytest.mark.quick(1)
@every_variant
def test_a_batch_is_cut_where_it_was_stopped(name):
    kernel, is_over = make(name), threading.Event()

    def watch():
        finished = states = 0
        while finished < 3 and not is_over.is_set():
            before, states = states, kernel.expanded
            finished += states < before
        kernel.stop()

    thread = threading.Thread(target=watch)
    thread.start()
    batch = kernel.solve_seeds(name, 8, 10**7).array
    is_over.set()
    thread.join()
    assert 0 < len(batch) < 10**7
    assert batch["seed"].tolist() == list(range(8, 8 + len(batch)))
    assert REASONS.index("interrupted") not in batch["reason"]
    again = make(name).solve_seeds(name, 8, min(len(batch), 10)).array
    for field in FIELDS:
        assert (batch[field][: len(again)] == again[field]).all()


@every_variant
def test_a_batch_of_no_deals_is_empty(name):
    assert len(make(name).solve_seeds(name, 1, 0)) == 0


def test_batches_follow_the_choices():
    kept = 0
    for exchange in ("exposed", "turned"):
        for removal in ("undeclared", "exposed"):
            choices, limits = Choices(exchange, removal), Limits(nodes=2000)
            for record in make("joker", limits).solve_seeds("joker", 1, 5, choices).array:
                deal = find_variant("joker").deal(int(record["seed"]), choices=choices)
                assert tuple(record[FIELDS]) == row_of(answer("joker", deal, limits))
                kept += 1
    assert kept == 20
