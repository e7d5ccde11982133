"""The functions `solve` and `find_shortest`, limits, and the verifier."""

import pytest
from tests.compiled import needs_kernels

from winnable import deal, difficulty, hint, review, solve_many
from winnable.rules import find_variant
from winnable.solver import Limits, find_shortest, solve, verify
from winnable.solver.batch import solve_records


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": -1}, {"nodes": 1.5}, {"nodes": True}, {"nodes": 10**400}, {"seconds": float("nan")},
        {"seconds": "1"}, {"megabytes": float("inf")}, {"work": -1}, {"work": 1e6}, {"seconds": False},
    ],
)  # fmt: skip
def test_limits_are_numbers_from_zero_up(wrong):
    (name,) = wrong
    kind = "whole number" if name in ("nodes", "work") else "number"
    with pytest.raises(ValueError, match=rf"^{name} '.*': expected a {kind} from 0 to 10\^15$"):
        Limits(**wrong)


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    limits = Limits(numpy.int64(3), numpy.float32(0.5), numpy.uint8(7))
    assert limits == Limits(3, 0.5, 7)
    assert "np." not in repr(limits)
    assert str(deal("fortress", numpy.int64(8), ranks=numpy.int8(5))) == str(deal("fortress", 8, ranks=5))


@needs_kernels
@pytest.mark.parametrize("wrong", [5, 0, {}, ""])
@pytest.mark.parametrize(
    ("search", "more", "names"),
    [
        (solve, (), ("limits", "watch")), (find_shortest, (), ("limits", "watch")),
        (difficulty, (), ("limits", "watch")), (review, ([],), ("limits", "watch")),
        (hint, (), ("limits", "watch", "proofs")), (solve_many, (), ("limits",)),
        (solve_records, (), ("limits",)),
    ],
)  # fmt: skip
def test_an_argument_of_another_type_is_named(search, more, names, wrong):
    deals = range(1) if search in (solve_many, solve_records) else deal("fortress", 8)
    for name in names:
        with pytest.raises(
            ValueError, match=rf"^{name}[^\n]* expected .*(got an? {type(wrong).__name__}|None)$"
        ):
            search("fortress", deals, *more, **{name: wrong})


@pytest.mark.parametrize("wrong", [-5, 1.5, True])
@pytest.mark.parametrize("name", ["work", "shorten"])
def test_the_work_of_a_hint_is_a_whole_number(name, wrong):
    with pytest.raises(ValueError, match=f"^{name} '{wrong}': expected a whole number from 0 to"):
        hint("fortress", deal("fortress", 8), **{name: wrong})


def test_the_greatest_limits_are_none():
    state = find_variant("fortress").deal(3)
    for engine in ("auto", "reference"):
        assert solve("fortress", state, Limits(10**15, 1e15, 10**15), engine=engine).reason is None


def test_an_engine_that_is_not_there_is_an_error(monkeypatch):
    variant = find_variant("chessboard")
    with pytest.raises(ValueError, match="no such game"):
        solve("chess", variant.deal(1))
    with pytest.raises(ValueError, match="engine 'fast'"):
        solve(variant, variant.deal(1), engine="fast")
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant, choices=None: None)
    with pytest.raises(ValueError, match="expected one for chessboard"):
        solve(variant, variant.deal(1), engine="compiled")


@pytest.mark.filterwarnings("ignore::winnable.solver.diagnostics.EngineWarning")
def test_shortest_lines_are_found_without_a_kernel(monkeypatch):
    state = find_variant("klondike-one-pass").deal(1, ranks=3)
    expected = find_shortest("klondike-one-pass", state)
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant, choices=None: None)
    found = find_shortest("klondike-one-pass", state)
    assert (found.engine, found.shortest, len(found.moves)) == ("reference", True, len(expected.moves))


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
