"""Short lines of joker by beam search: they are legal, no longer than the first line, and limits hold."""

import pytest

from winnable.rules import find_variant
from winnable.rules.joker_board import Choices
from winnable.solver import Limits, solve, verify
from winnable.solver.engine import find_kernel

pytest.importorskip("winnable.solver.core.border", reason="no compiled engine")

GAME = find_variant("joker")


def improved(state, moves, **limits):
    """The reported lengths and bounds, the last line, and the kernel."""
    told, last = [], moves
    kernel = find_kernel(GAME)(Limits(**limits))

    def tell(line, lower_bound):
        nonlocal last
        told.append((len(line), lower_bound))
        last = line

    kernel.prove_optimal(state, moves, tell)
    return told, last, kernel


@pytest.mark.full
def test_beams_make_lines_shorter_step_by_step():
    first = later = 0
    for seed in (1, 3, 5, 9):
        state = GAME.deal(seed, choices=Choices(exchange="exposed"))
        moves = solve(GAME, state).moves
        told, line, kernel = improved(state, moves, nodes=120_000)
        assert kernel.limit_met == "nodes"
        lengths, bounds = zip(*told, strict=True)
        assert list(lengths) == sorted(lengths, reverse=True)
        assert list(bounds) == sorted(bounds)
        assert max(bounds) <= min(lengths)
        assert GAME.score(verify.replay(GAME, state, line)) == 52
        first += len(moves)
        later += len(line)
    assert first - later > 4 * 8


@pytest.mark.quick("exposed-exposed")
@pytest.mark.parametrize("exchange", ["exposed", "turned"])
@pytest.mark.parametrize("removal", ["undeclared", "exposed"])
def test_lines_keep_the_rules_agreed_on(exchange, removal):
    state = GAME.deal(12, choices=Choices(exchange, removal))
    result = solve(GAME, state)
    _, line, _ = improved(state, result.moves, nodes=30_000)
    assert GAME.score(verify.replay(GAME, state, line)) >= 52 or result.tier != "triple"
    assert len(line) <= len(result.moves)


@pytest.mark.quick(2)
@pytest.mark.parametrize("work", [10_000, 100_000, 400_000])
def test_beams_that_have_to_end_leave_lines_that_win(work):
    for seed in (6, 7):
        state = GAME.deal(seed)
        moves = solve(GAME, state).moves
        told, line, kernel = improved(state, moves, work=work)
        assert kernel.limit_met == "work"
        assert len(line) <= len(moves)
        assert all(bound <= length for length, bound in told)
        assert GAME.score(verify.replay(GAME, state, line)) == 52


def test_without_memory_the_line_stays():
    state = GAME.deal(5)
    moves = solve(GAME, state).moves
    _, line, kernel = improved(state, moves, megabytes=2, nodes=50_000)
    assert kernel.limit_met in ("memory", "nodes")
    assert len(line) <= len(moves)


@pytest.mark.parametrize("seed", [2, 10, 21, 29])
def test_endings_without_jokers_are_proved(seed):
    state = GAME.deal(seed, choices=Choices(exchange="exposed"))
    moves = list(solve(GAME, state).moves)
    while not all(joker.is_out for joker in state.jokers):
        state = GAME.family.apply(state, moves.pop(0))
    assert GAME.score(state) < 52
    told, line, _ = improved(state, moves, nodes=200_000)
    assert told[-1][0] == told[-1][1] == len(line)
    assert GAME.score(verify.replay(GAME, state, line)) == 52
