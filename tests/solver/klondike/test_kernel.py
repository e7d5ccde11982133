"""The kernel of Klondike with redeals against brute force, an independent kernel and itself."""

import itertools
import random
from collections import Counter

import pytest
from tests.deals import random_klondike_position, sizes
from tests.native import load
from tests.positions import random_klondike_layout

from winnable.rules import find_variant, klondike
from winnable.solver import Limits
from winnable.solver.engine import find_kernel

KLONDIKE = find_variant("klondike")
KIND = find_kernel(KLONDIKE)
pytestmark = pytest.mark.skipif(KIND is None, reason="no compiled engine")

# Ranks, suits and column sizes of short decks.
SHAPES = [
    (3, "CDHS", (1, 2)), (4, "CDHS", (1, 2, 3)), (4, "CDHS", (2, 2)), (4, "CDHS", (1, 2, 3, 4)),
    (4, "CDHS", (3, 3, 3)), (5, "CDH", (1, 2, 3)), (5, "CDS", (1, 2, 3, 4)), (5, "DHS", (3, 4)),
    (5, "CDHS", (1, 2, 3, 4, 5)), (6, "CD", (1, 2, 3)), (6, "CS", (1, 2, 3)), (6, "CDH", (1, 2, 3, 4, 5)),
    (7, "CD", (2, 3, 4)), (8, "CD", (3, 3, 3)),
]  # fmt: skip


def some_position(seed):
    """A deal or position of a short deck under random rule options; one in four cannot occur in play."""
    choice = random.Random(seed)
    if seed % 4 == 3:
        return random_klondike_layout(choice)
    return random_klondike_position(choice, "klondike", SHAPES, (0, 0, 0, 5, 20))


@pytest.mark.timeout(0)
@sizes(250, full=500, slow=660_000)
def test_short_decks_get_the_verdicts_of_brute_force(deals):
    brute = load("klondike_brute")
    kernel, counts = KIND(Limits()), {True: 0, False: 0}
    searches = load("klondike_searches").KlondikeSearches(Limits())
    most_states, least = (1500, 0.5) if deals < 1000 else (6000, 0.757)
    for seed in range(deals):
        state = some_position(seed)
        truth = brute.explore(state, most_states)
        if truth is None:
            continue
        found = kernel.solve(state)
        assert found.won is truth, f"seed {seed}\n{state}"
        assert searches.solve(state, "plain").won is truth, f"seed {seed}, without safe moves\n{state}"
        if truth:
            assert brute.replay(state, found.moves)
            assert searches.solve(state, "relaxation first").won, (
                f"seed {seed}, the relaxed stock first\n{state}"
            )
            assert searches.solve(state, "relaxed").won, f"seed {seed}, the relaxed stock\n{state}"
            assert searches.solve(state, "dead ends").won, f"seed {seed}, delete relaxation\n{state}"
        counts[truth] += 1
    assert sum(counts.values()) > least * deals
    assert min(counts.values()) > deals // 10


# Larger decks, whose complete spaces of classes, without forced moves and pruning, give the verdict.
LARGER = [
    (5, "CDHS", (1, 2, 3)), (5, "CDHS", (1, 2, 3, 4)), (6, "CDHS", (1, 2, 3, 4, 5)),
    (6, "CDHS", (1, 2, 3, 4, 5, 6)), (6, "CDHS", (3, 3, 3, 3)), (7, "CDHS", (1, 2, 3, 4, 5)),
    (7, "CDHS", (1, 2, 3, 4, 5, 6)), (8, "CDH", (1, 2, 3, 4, 5)), (8, "CDS", (2, 3, 4, 4)),
]  # fmt: skip


@pytest.mark.timeout(0)
@sizes(full=15, slow=20_000)
def test_larger_decks_get_the_same_verdicts_by_all_methods(deals):
    module, counts = load("klondike_searches"), Counter()
    searches = module.KlondikeSearches(Limits(nodes=200_000))
    for shape in LARGER:
        for draw, passes, back in itertools.product("123", ("unlimited", "2", "1"), ("yes", "no")):
            choices = {"draw": draw, "passes": passes, "worrying_back": back}
            for seed in range(1, deals + 1):
                state = KLONDIKE.deal(seed, *shape, choices=choices)
                found = {method: searches.solve(state, method).won for method in module.METHODS}
                check_that_methods_agree(found)
                counts[found["plain"]] += 1
                counts["lost relaxed"] += found["plain relaxed"] is False
    assert min(counts[False], counts[True]) > 26 * deals
    assert counts["lost relaxed"] > 16 * deals
    assert counts[None] < 10 + deals // 7, "too large to be compared"


def check_that_methods_agree(won):
    """Check that the verdicts on one state, by method, do not contradict each other; None means undecided."""
    if won["plain"] is not None:
        assert won["all"] is won["relaxation first"] is won["plain"]
        assert won["plain relaxed"] in (None, won["relaxed"])
        assert not won["plain"] or (won["relaxed"] and won["dead ends"])


def test_both_rules_agree_on_moves():
    oracle = load("klondike_brute")
    draws = backs = 0
    for seed in range(60):
        state = some_position(seed) if seed % 2 else KLONDIKE.deal(seed)
        chance = random.Random(seed)
        for _ in range(20):
            moves = klondike.legal_moves(state)
            assert set(oracle.legal_moves(state)) == set(moves)
            for move in moves:
                assert oracle.replay(state, [move]) == klondike.is_won(klondike.apply(state, move))
            if not moves:
                break
            draws += klondike.DRAW in moves
            backs += any(move.source == klondike.FOUNDATION for move in moves)
            state = klondike.apply(state, chance.choice(moves))
    assert draws > 200
    assert backs > 20


def test_both_rules_count_the_same_lines():
    count_lines = load("klondike_brute").count_lines

    def lines(state, depth):
        moves = klondike.legal_moves(state)
        return sum(lines(klondike.apply(state, move), depth - 1) for move in moves) if depth else 1

    for seed in range(4):
        state = some_position(seed)
        assert count_lines(state, 4) == lines(state, 4)
    assert [count_lines(KLONDIKE.deal(1), depth) for depth in range(5)] == PERFT


PERFT = [1, 4, 13, 41, 127]


@pytest.mark.full
def test_one_pass_without_worrying_back_is_the_triple_of_one_pass_klondike():
    other = find_variant("klondike-one-pass")
    theirs = find_kernel(other)(Limits(nodes=200_000)).solve_seeds(other.name, 1, 60).array
    variant = find_variant("klondike-vegas-one")
    choices = variant.agreed({"worrying_back": "no"})
    ours = find_kernel(variant)(Limits()).solve_seeds(variant.name, 1, 60, choices).array
    compared = 0
    for one, row in zip(ours, theirs, strict=True):
        if row["exact"]:
            assert (one["verdict"] == 1) == (row["score"] == 52), one["seed"]
            compared += 1
    assert compared > 40


EASIER = [
    ({"draw": "3"}, {"draw": "1"}),
    ({"draw": "2"}, {"draw": "1"}),
    ({"worrying_back": "no"}, {}),
    ({"passes": "1"}, {"passes": "2"}),
    ({"passes": "3"}, {}),
]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("harder", "easier"), EASIER, ids=str)
def test_what_is_won_by_harder_rules_is_won_by_easier_ones(harder, easier):
    kernel = KIND(Limits(nodes=100_000))
    one = kernel.solve_seeds("klondike", 1, 20, KLONDIKE.agreed(harder)).array
    other = kernel.solve_seeds("klondike", 1, 20, KLONDIKE.agreed(easier) if easier else None).array
    decided = (one["verdict"] < 2) & (other["verdict"] < 2)
    assert decided.sum() > 8
    assert (one["verdict"][decided] <= other["verdict"][decided]).all()


@pytest.mark.parametrize("name", ["klondike", "klondike-vegas"])
def test_a_state_that_is_too_large_is_refused(name):
    variant = find_variant(name)
    state = variant.deal(1, 12, sizes=(1,))
    kernel = find_kernel(variant)(Limits())
    with pytest.raises(ValueError, match="no room for a key of this position"):
        kernel.solve(state)
    assert kernel.solve(variant.deal(1)).won
