"""Fewest moves of Klondike with redeals: against brute force, and against lengths proved by others."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.deals import sizes
from tests.native import load
from tests.solver.kernels import make
from tests.solver.klondike.test_kernel import KIND, KLONDIKE, some_position

from winnable.rules import find_variant, klondike
from winnable.rules.formats import read_deal
from winnable.solver import Limits, find_shortest

pytestmark = pytest.mark.skipif(KIND is None, reason="no compiled engine")


def compare(seeds, most_states):
    """Compare bounds of all states, and lengths found by A* alone, with the fewest moves, and the result of
    all searches together with that of the start. Returns the numbers of states, winnable states and
    starts."""
    distances = load("klondike_brute").distances
    searches = load("klondike_searches").KlondikeSearches(Limits())
    kernel, states, won, starts = KIND(Limits()), 0, 0, 0
    told: list = []
    for seed in seeds:
        found = distances(some_position(seed), most_states)
        for state, moves in found or ():
            states += 1
            if moves is not None:
                won += 1
                assert 0 <= searches.lower_bound(state) <= moves, f"seed {seed}\n{state}"
                assert searches.fewest_by_star(state, 4) == moves, f"seed {seed}\n{state}"
        if found and found[0][1]:
            starts += 1
            told.clear()
            state, moves = found[0]
            kernel.prove_optimal(state, kernel.solve(state).moves, lambda *news: told.append(news))
            line, bound = told[-1]
            assert len(line) == bound == moves, f"seed {seed}\n{state}"
    return states, won, starts


@sizes(20, full=150, slow=12_000)
def test_short_decks_take_as_many_moves_as_brute_force_finds(deals):
    states, won, starts = compare(range(deals), 1200)
    assert states > 75 * deals
    assert won > 30 * deals
    assert starts >= 0.2 * deals


REGRESSIONS = {
    """KS QD JC TD 9S 8H 7S 6H 5S 4H
<7H> 5D 4S 3D
KC QH JS
KH QS JD TC 9D 8S 7D 6S 5H
:
:
<TH> <AD> <4D> <KD> 2D
Foundations: C-9 D-0 H-3 S-3
Stock: JH TS 6D 8D
Waste: 9H QC
""": 46,  # 47 if a card is safe as soon as all are up that could lie on it
    """Ranks: 6
Suits: CDH
Draw: 5
Worrying back: no
5C
3H 3D
6C 2D 4C
4D 4H AD AH
6H 2C 6D 5D AC
Stock: 2H 3C 5H
""": 23,  # 24 if no card moves to a host like its own, as for the next one
    """Ranks: 5
Suits: CDH
Draw: 1
Passes: 2
5C
2C
<AD> <5D> 3D
Foundations: C-0 D-0 H-3
Stock: 4H 4C 3C 2D AC 4D 5H
""": 28,
    """Ranks: 4
Suits: CDHS
Passes: 2
4C
:
:
<4H> 3D
Foundations: C-3 D-0 H-3 S-2
Stock: 4D 4S
Waste: AD 3S 2D
Redeals: 1
""": 13,  # a card comes back from a foundation, which is a move; without that the position is lost
    """Ranks: 5
Suits: DHS
Draw: 2
<4H> <5S> <AD> 2S
<5D> <5H> 3D
Foundations: D-0 H-A S-0
Stock: 3H AS 3S
Waste: 4S 2D 2H 4D
""": 18,  # 19 if a landmark forgets what could be done before a draw, but not in the end
    """Ranks: 5
Suits: CDH
Draw: 5
Passes: 3
Worrying back: no
<3D> <5D> 3C
<4H> 2C
:
Foundations: C-0 D-0 H-2
Stock: 4C AC 2D 4D
Waste: 5C AD 5H 3H
""": 19,  # 20 if the slots before those of the waste are not gone in landmarks of moves alone (K3)
}


@pytest.mark.parametrize(("text", "moves"), REGRESSIONS.items(), ids=REGRESSIONS.values())
def test_regressions_take_their_fewest_moves(text, moves):
    state = read_deal(KLONDIKE, text.encode(), "t").state
    result = find_shortest(KLONDIKE, state)
    assert (len(result.moves), result.shortest) == (moves, True)
    searches = load("klondike_searches").KlondikeSearches(Limits())
    assert searches.fewest_by_star(state, 4) == moves


@pytest.mark.full
def test_brute_force_counts_moves():
    distances = load("klondike_brute").distances
    state = read_deal(KLONDIKE, b"Ranks: 3\nSuits: C\n3C\nStock: 2C AC\nFoundations: C-0\n", "t").state
    found = dict(distances(state))
    assert found[state] == 4  # a draw of both, and three cards up
    assert distances(state, 2) is None
    stuck = read_deal(KLONDIKE, STUCK.encode(), "t").state
    assert dict(distances(stuck))[stuck] is None
    deal = KLONDIKE.deal(1)
    with pytest.raises(ValueError, match="expected a state of at most 96 bytes of record"):
        distances(replace(deal, stock=2 * deal.stock))


STUCK = "Ranks: 3\nSuits: CS\n<AC> 3C\n<AS> 3S\n2C\n2S\nFoundations: C-0\n"

PROVED = Path(__file__).with_name("proved.txt").read_text(encoding="utf-8").partition("\n\n")[2].splitlines()
QUICK = [0, 3, 4, 6]
HARD = [number for number in range(len(PROVED)) if number not in QUICK]
OF_HARD = [pytest.mark.slow, pytest.mark.timeout(0)]


def shortest(number, limits):
    moves, digits, *choices = PROVED[number].split()
    choices = {"draw": "1", "worrying_back": "no"} | dict(choice.split("=") for choice in choices)
    state = read_deal(KLONDIKE, digits.encode(), "t", choices).state
    return int(moves), find_shortest(KLONDIKE, state, limits)


@pytest.mark.quick("4")
@pytest.mark.parametrize("number", [*QUICK, *(pytest.param(number, marks=OF_HARD) for number in HARD)])
def test_deals_take_as_many_moves_as_others_proved(number):
    moves, result = shortest(number, Limits(megabytes=4000))
    assert (len(result.moves), result.lower_bound, result.shortest) == (moves, moves, True)


def test_a_search_that_ends_early_leaves_a_line_and_a_bound():
    moves, result = shortest(2, Limits(nodes=20_000))
    assert result.reason == "nodes"
    assert not result.shortest
    assert 70 < result.lower_bound < moves <= len(result.moves) < 130


# Fewest moves that were proved, of seeds 30 and 68 a bound, and the most that lines have after so much work.
LINES = [
    ("klondike", 2, 98, 100_000, 0.0), ("klondike", 13, 99, 100_000, 0.0),
    ("klondike", 68, 104, 1_000_000, 0.04), ("klondike-draw-one", 4, 106, 100_000, 0.0),
    ("klondike-draw-one", 13, 107, 300_000, 0.03), ("klondike-draw-one", 15, 129, 300_000, 0.0),
    ("klondike-draw-one", 30, 115, 100_000, 0.13), ("klondike-draw-one", 67, 116, 200_000, 0.0),
    ("klondike-draw-one", 76, 108, 1_800_000, 0.0),
]  # fmt: skip


@pytest.mark.quick(1)
@pytest.mark.parametrize(("name", "seed", "fewest", "work", "excess"), LINES)
def test_lines_are_short_after_little_work(name, seed, fewest, work, excess):
    variant = find_variant(name)
    result = find_shortest(variant, variant.deal(seed), Limits(work=work))
    assert fewest <= len(result.moves) <= (1 + excess) * fewest
    assert result.lower_bound <= fewest


@pytest.mark.full
def test_a_landmark_knows_what_could_be_done_before_a_draw():
    result = find_shortest(KLONDIKE, KLONDIKE.deal(94), Limits(work=2_000_000))
    assert (len(result.moves), result.shortest) == (103, True)  # 104 with only the bound of the end


def test_first_lines_never_come_back_to_a_state():
    for seed in range(40):
        state = find_variant("klondike-draw-one").deal(seed)
        moves = make("klondike-draw-one").solve(state).moves
        known = {state}
        for move in moves or ():
            state = klondike.apply(state, move)
            known.add(state)
        assert len(known) == len(moves or ()) + 1


@pytest.mark.full
def test_a_search_ends_for_memory_when_it_is_used():
    kernel, state, told = KIND(Limits(megabytes=24)), KLONDIKE.deal(13), []
    kernel.prove_optimal(state, kernel.solve(state).moves, lambda *news: told.append(news))
    assert kernel.limit_met == "memory"
    assert kernel.progress().megabytes > 18


@pytest.mark.full
def test_a_search_forgets_landmarks_before_it_ends_for_memory():
    variant = find_variant("klondike-draw-one")
    result = find_shortest(variant, variant.deal(3), Limits(megabytes=16))  # keeping everything takes 32 MB
    assert (len(result.moves), result.lower_bound, result.reason) == (109, 109, None)
