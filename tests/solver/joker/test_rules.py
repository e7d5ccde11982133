"""Both compiled implementations of the rules of joker and klondike-one-pass against the rules in Python.

Searches for lines use `position`; lines are replayed by `replay`.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import islice

import pytest
from tests.deals import reachable
from tests.native import load
from tests.positions import every_choice
from tests.rules.columns import score_of

from winnable.rules import find_variant, joker
from winnable.rules.joker import TURN, Move
from winnable.solver import Limits
from winnable.solver.engine import find_kernel

oracle, position = load("joker_brute"), load("joker_position")

both = pytest.mark.parametrize("compiled", [position, oracle], ids=["position", "oracle"])

SHAPES = [(2, "CDHS", (1, 2)), (3, "CH", (2, 1)), (3, "CDH", (2, 2, 1)), (3, "CS", (3,)), (4, "H", (1, 2))]


def check_state(compiled, state):
    """Check the moves of a state and their results, given by their moves and scores."""
    moves = state.legal_moves()
    assert len(compiled.legal_moves(state)) == len(moves)
    assert set(compiled.legal_moves(state)) == set(moves)
    for move in moves:
        assert compiled.replay(state, [move]) == score_of(state.apply(move))
    if compiled is position:
        distinct = position.legal_moves(state, is_distinct=True)
        assert set(distinct) <= set(moves)
        mine = without_order(state)
        reached = {without_order(state.apply(move)) for move in moves} - {mine}
        assert {without_order(state.apply(move)) for move in distinct} - {mine} == reached
    return len(moves)


def without_order(state):
    """``state`` with its columns in ascending order, each with its number of face-down cards."""
    columns, hidden = zip(*sorted(zip(state.columns, state.hidden, strict=True)), strict=True)
    return replace(state, columns=columns, hidden=hidden)


def count_lines(state, depth):
    """The perft count, the number of lines of this length, by the rules in Python."""
    if depth == 0:
        return 1
    return sum(count_lines(state.apply(move), depth - 1) for move in state.legal_moves())


@pytest.mark.quick(2)
@every_choice
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("limit", "step"), [(600, 7), pytest.param(20_000, 1, marks=pytest.mark.slow)])
def test_the_compiled_rules_play_as_the_readable_do(shape, choices, limit, step):
    compared = 0
    for seed in range(2):
        state = find_variant("joker").deal(seed, *shape, choices=choices)
        found = list(islice(reachable(state), limit))
        for here in found[:: step if len(found) == limit else 1]:
            compared += check_state(position, here) + check_state(oracle, here)
        score, count = oracle.explore(state)
        assert len(found) >= limit or (score, count) == (max(map(score_of, found)), len(found))
    assert compared > 20


@pytest.mark.quick("(4, 'CD', (3, 2))")
@pytest.mark.parametrize("shape", [(3, "CDH", (2, 2, 1)), (4, "CD", (3, 2))], ids=str)
def test_the_oracle_plays_klondike_in_every_reachable_state(shape):
    compared = 0
    for seed in range(4):
        found = list(islice(reachable(find_variant("klondike-one-pass").deal(seed, *shape)), 600))
        for here in found:
            check_state(oracle, here)
        compared += len(found)
    assert compared > 100


@pytest.mark.quick(2)
@every_choice
@pytest.mark.parametrize(("shape", "depth"), [((), 5), ((4, "CDHS", (1, 2, 3)), 4), ((2, "CDHS", (1, 2)), 6)])
def test_perft_counts_are_those_of_the_rules(shape, depth, choices):
    most = 0
    for seed in range(3):
        state = find_variant("joker").deal(seed, *shape, choices=choices)
        wanted = [count_lines(state, n) for n in range(depth + 1)]
        assert [oracle.count_lines(state, n) for n in range(depth + 1)] == wanted
        most = max(most, *wanted)
    assert most > 20


@pytest.mark.quick(2)
@every_choice
def test_perft_counts_of_later_positions_are_those_of_the_rules(choices):
    """Late in a game jokers are declared, placed and exchanged, which does not happen at the start."""
    rng = random.Random(8)
    for _ in range(12):
        state = random_line(find_variant("joker").deal(rng.getrandbits(60), choices=choices), rng, 90)[1]
        assert oracle.count_lines(state, 3) == count_lines(state, 3)


def random_line(state, rng, length):
    """Up to ``length`` random moves, with more moves up and fewer turns and removals, and the state they lead
    to."""
    line = []
    while len(line) < length and (moves := state.legal_moves()):
        up = [move for move in moves if move.target == joker.FOUNDATION]
        eager = [move for move in moves if move != TURN and move.target != joker.OUT]
        kinds = [up, eager, eager, moves]
        line.append(rng.choice(rng.choice([kind for kind in kinds if kind])))
        state = state.apply(line[-1])
    return line, state


def conditions(state):
    """The conditions of the jokers, to check that all of them occur."""
    for condition in state.jokers:
        names = ("rank", "place", "is_open_ace", "is_out")
        yield from (name for name in names if getattr(condition, name) not in (None, False))


@pytest.mark.quick("turned-exposed")
@every_choice
def test_random_games_of_full_decks_are_those_of_the_rules(choices):
    """Positions of random games have the same moves. WINNABLE_DECKS=N plays N games, WINNABLE_SEED=N other
    ones."""
    rng = random.Random(int(os.environ.get("WINNABLE_SEED", "4")))
    seen = set()
    for _ in range(int(os.environ.get("WINNABLE_DECKS", "6"))):
        start = state = find_variant("joker").deal(rng.getrandbits(60), choices=choices)
        line, _ = random_line(start, rng, 150)
        for number, move in enumerate(line):
            for compiled in (position, oracle):
                assert set(compiled.legal_moves(state)) == set(state.legal_moves()), state
                assert compiled.replay(start, line[:number]) == score_of(state)
            seen.update(conditions(state))
            state = state.apply(move)
        cleaned = position.clean(start, line)
        assert len(cleaned) <= len(line)
        assert oracle.replay(start, cleaned) == score_of(state)
    assert seen == {"rank", "place", "is_open_ace", "is_out"}


@both
def test_the_compiled_rules_refuse_an_illegal_line(compiled):
    state = find_variant("joker").deal(1)
    with pytest.raises(ValueError, match=r"move 2 .* is illegal"):
        compiled.replay(state, [TURN, Move(0, 0)])


@pytest.mark.parametrize(
    "changes",
    [
        {"stock": (99,)},
        {"stock": (-1,)},
        {"waste": find_variant("joker").deal(1).columns[0]},
        {"hidden": (0,)},
        {"hidden": (0,) * 7},
        {"jokers": ()},
        {"hidden": (1, 1, 2, 3, 4, 5, 6)},
        {"hidden": (0, 200, 2, 3, 4, 5, 6)},
        {"hidden": (-1, 1, 2, 3, 4, 5, 6)},
        {"foundations": (0, 14, 0, 0)},
        {"foundations": (0, 0, 0)},
        {"jokers": (joker.Joker(rank=13), joker.UNDECLARED)},
        {"jokers": (joker.Joker(place=4), joker.UNDECLARED)},
    ],
)
def test_states_that_the_kernel_cannot_hold_are_refused(changes):
    variant = find_variant("joker")
    state, kernel = replace(variant.deal(1), **changes), find_kernel(variant)(Limits())
    with pytest.raises(ValueError, match=r"expected .*, (got|as in play)"):
        kernel.solve(state)
    with pytest.raises(ValueError, match=r"expected .*, (got|as in play)"):
        kernel.prove_optimal(state, [], print)


@pytest.mark.parametrize("compiled", [position.legal_moves, oracle.legal_moves, oracle.explore])
def test_positions_that_are_too_large_are_refused(compiled):
    state = find_variant("joker").deal(1)
    with pytest.raises(ValueError, match="columns"):
        compiled(replace(state, columns=state.columns * 2, hidden=state.hidden * 2))
    with pytest.raises(ValueError, match="cards"):
        compiled(replace(state, waste=state.stock))
