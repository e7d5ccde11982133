"""The functions `solve` and `find_shortest`, limits, and the verifier."""

import pytest

from winnable.rules import find_variant
from winnable.solver import Limits, Verdict, solve, verify
from winnable.solver.core.contract import SearchResult
from winnable.solver.engine import find_kernel


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": -1}, {"nodes": 1.5}, {"nodes": True}, {"nodes": 10**400}, {"seconds": float("nan")},
        {"seconds": "1"}, {"megabytes": float("inf")}, {"work": -1}, {"work": 1e6},
    ],
)  # fmt: skip
def test_limits_are_numbers_from_zero_up(wrong):
    with pytest.raises(ValueError, match="a number from 0 to"):
        Limits(**wrong)


def test_the_greatest_limits_are_none():
    state = find_variant("fortress").deal(3)
    for engine in ("auto", "reference"):
        assert solve("fortress", state, Limits(10**15, 1e15, 10**15), engine=engine).reason is None


def test_engines_agree_and_say_which_they_are():
    variant = find_variant("fortress")
    for seed in range(12):
        state = variant.deal(seed)
        slow = solve(variant, state, Limits(nodes=3000), engine="reference")
        fast = solve("fortress", state)
        assert slow.engine == "reference"
        assert fast.engine == ("compiled" if find_kernel(variant) else "reference")
        assert slow.verdict in (fast.verdict, Verdict.UNDECIDED)


def test_an_engine_that_is_not_there_is_an_error(monkeypatch):
    variant = find_variant("chessboard")
    with pytest.raises(ValueError, match="no such game"):
        solve("chess", variant.deal(1))
    with pytest.raises(ValueError, match="engine 'fast'"):
        solve(variant, variant.deal(1), engine="fast")
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant: None)
    with pytest.raises(ValueError, match="expected one for chessboard"):
        solve(variant, variant.deal(1), engine="compiled")


def test_the_reference_engine_answers_where_none_is_compiled(monkeypatch):
    variant = find_variant("chessboard")
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant: None)
    result = solve(variant, variant.deal(8))
    assert (result.verdict, result.engine) == (Verdict.WINNABLE, "reference")


def test_a_line_that_fails_its_replay_is_never_returned(monkeypatch):
    class Liar:
        PROVES_OPTIMAL = OPTIMIZES = False
        expanded = generated = work = 1

        def __init__(self, limits):
            pass

        def solve(self, state):
            return SearchResult(True, [variant.family.Move(0, -1)])

    variant = find_variant("fortress")
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant: Liar)
    with pytest.raises(RuntimeError, match="the line found"):
        solve(variant, variant.deal(8))


def test_replay_names_the_first_wrong_move():
    variant = find_variant("chessboard")
    state = variant.deal(8)
    line = verify.format_line(variant, state, solve(variant, state).moves)
    assert variant.family.is_won(verify.replay(variant, state, line))
    with pytest.raises(verify.WrongMove) as caught:
        verify.replay(variant, state, [*line[:4], line[0], *line[4:]])
    assert caught.value.number == 5
    assert caught.value.text == line[0]
    assert line[0] in str(caught.value)
