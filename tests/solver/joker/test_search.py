"""Nodes, hash table and queues of the search with jokers: the search is the same however they are stored."""

import pytest
from tests.native import load

from winnable.rules import find_variant
from winnable.rules.joker import Choices
from winnable.solver import Limits

JokerSearches = load("joker_searches").JokerSearches

JOKER = find_variant("joker")


def exposed_deal(seed):
    """A deal under the reading with which these searches were measured."""
    return JOKER.deal(seed, choices=Choices(exchange="exposed"))


def make(limits=None, **changed):
    """The searches with changed parameters."""
    searches = JokerSearches(limits or Limits())
    for name, value in changed.items():
        setattr(searches, name, value)
    return searches


def results(searches, first, count):
    """The results of some seeds, each with the numbers of states expanded and generated."""
    for seed in range(first, first + count):
        yield searches.solve(JOKER.deal(seed)), searches.expanded, searches.generated


def test_a_sweep_of_the_queues_keeps_their_order():
    usual, swept = make(Limits(nodes=30_000)), make(Limits(nodes=30_000), blocks=8)
    assert [*results(usual, 1, 60)] == [*results(swept, 1, 60)]
    sweeps = 0
    for seed in (128, 495, 6338):
        deal = JOKER.deal(seed)
        assert swept.solve(deal) == usual.solve(deal)
        assert (swept.stored, swept.generated) == (usual.stored, usual.generated)
        sweeps += swept.sweeps
    assert sweeps > 20


def test_a_large_search_is_the_same_with_and_without_sweeps():
    """Hopeless states are not stored, and some are not tested again."""
    for seed in (128, 495):
        deal, limits = JOKER.deal(seed), Limits(nodes=20_000)
        usual, swept = make(limits, large=100), make(limits, large=100, blocks=8)
        assert swept.solve(deal) == usual.solve(deal) == make(limits).solve(deal)
        assert swept.stored == usual.stored
        assert swept.sweeps > 0


@pytest.mark.full
def test_macros_that_are_not_kept_are_found_again():
    kept, found = make(Limits(nodes=5000)), make(Limits(nodes=5000), early=0)
    assert [*results(kept, 1, 100)] == [*results(found, 1, 100)]


def test_a_set_that_may_not_grow_is_filled_further():
    """With a little less memory than a larger table takes, the answer is the same, from fewer bytes."""
    deal = exposed_deal(700)
    usual = make()
    answer = usual.solve(deal)
    assert answer.exact
    assert 4 / 5 * 32768 < usual.stored < 15 / 16 * 32768
    for limit in range(usual.peak_bytes - 200_000, usual.peak_bytes + 400_000, 20_000):
        crowded = make(Limits(megabytes=limit / 1e6))
        found = crowded.solve(deal)
        assert crowded.peak_bytes <= limit
        if found.exact:
            break
    assert found == answer
    assert (crowded.stored, crowded.expanded) == (usual.stored, usual.expanded)
    assert crowded.peak_bytes < usual.peak_bytes - 100_000


@pytest.mark.full
def test_a_million_states_take_forty_megabytes():
    kernel = make(Limits(megabytes=40))
    kernel.solve(exposed_deal(6338))
    assert kernel.limit_met == "memory"
    assert kernel.peak_bytes <= 40e6
    assert kernel.stored > 1_000_000


@pytest.mark.slow
def test_a_hard_deal_is_decided_within_two_gigabytes():
    """This takes a minute."""
    kernel = make(Limits(megabytes=2000))
    answer = kernel.solve(exposed_deal(6338))
    assert (answer.score, answer.exact, kernel.stored, kernel.expanded) == (52, True, 53_068_413, 51_681_860)
    assert kernel.peak_bytes <= 1.95e9
