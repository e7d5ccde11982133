"""Hints and reviews, compared with the answers for the positions themselves."""

import random

import pytest

from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, Verdict, find_kernel, solve
from winnable.solver.advice import hint, review
from winnable.solver.verify import WrongMove, format_line, replay

compiled = pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")
SHORT = {"joker": (4, "CDHS"), "klondike-one-pass": (5, "CDHS"), "simon-jester": (4, "CDHS")}
SHORT |= {"simon-jester-triangular": (4, "CDHS"), "simple-simon": (6, "CDHS")}
# Decks in which random play throws something away now and then.
TIGHT = {"chessboard": (13, "CDHS"), "fortress": (13, "CDHS"), "simple-simon": (6, "CDHS", (4,) * 6)}
TIGHT |= dict.fromkeys(["simon-jester", "simon-jester-triangular"], (3, "CDH", (5, 5, 4, 4)))
TIGHT |= {"joker": (6, "CH", (2, 3, 3)), "klondike-one-pass": (5, "CDHS")}
TIME_ENOUGH = 1e6  # seconds


def short_states(name, seeds=8):
    """Positions of short decks, some moves from the deal."""
    variant = find_variant(name)
    for seed in range(seeds):
        choice, state = random.Random(seed), variant.deal(seed, *SHORT.get(name, (13, "CDHS")))
        for _ in range(seed % 5):
            moves = variant.family.legal_moves(state)
            state = variant.family.apply(state, choice.choice(moves)) if moves else state
        yield state


@compiled
@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_gets_the_answer_that_it_has_by_itself(name):
    variant = find_variant(name)
    family, compared = variant.family, 0
    for state in short_states(name):
        advice = hint(variant, state, TIME_ENOUGH, 0.0)
        after = {family.canonical(family.apply(state, move)) for move in family.legal_moves(state)}
        told = [family.canonical(family.apply(state, option.move)) for option in advice.options]
        assert sorted(told) == sorted(after) if not variant.scoring else len(told) == len(after)
        plain = solve(variant, state, shorten=0)
        assert (advice.answer.verdict, advice.answer.score) == (plain.verdict, plain.score)
        for option in advice.options:
            at = family.apply(state, option.move)
            expected = solve(variant, at, shorten=0)
            assert (option.after.verdict, option.after.score) == (expected.verdict, expected.score)
            compared += 1
            if variant.scoring:
                assert option.keeps == (expected.tier == plain.tier)
            else:
                assert option.keeps == (expected.verdict is Verdict.WINNABLE)
        if advice.answer.moves:
            assert variant.score(replay(variant, state, advice.answer.moves)) == (advice.answer.score or 1)
    assert compared > 8


def test_a_won_position_and_one_without_moves():
    variant = find_variant("fortress")
    won = variant.deal(1, 1)
    for move in variant.family.legal_moves(won)[:1] * 4:
        moves = variant.family.legal_moves(won)
        won = variant.family.apply(won, moves[0]) if moves else won
        del move
    assert variant.family.is_won(won)
    advice = hint(variant, won, 1.0, 0.0)
    assert (advice.answer.verdict, advice.answer.moves, advice.options) == (Verdict.WINNABLE, (), ())


@compiled
@pytest.mark.parametrize("name", ["chessboard", "simple-simon"])
def test_the_best_move_comes_first(name):
    variant, compared = find_variant(name), 0
    for seed in range(1, 6):
        options = hint(variant, variant.deal(seed), TIME_ENOUGH, 0.1).options
        assert [option.keeps for option in options] == sorted(
            [option.keeps for option in options], reverse=True
        )
        lengths = [len(option.after.moves) for option in options if option.keeps]
        assert lengths == sorted(lengths)
        compared += len(lengths)
    assert compared > 10


def test_a_limit_leaves_moves_open():
    variant = find_variant("simon-jester")
    advice = hint(variant, variant.deal(1), TIME_ENOUGH, 0.0, Limits(nodes=0))
    assert advice.answer.verdict is Verdict.UNDECIDED
    assert {option.keeps for option in advice.options} == {None}


@compiled
@pytest.mark.parametrize("name", VARIANTS)
def test_a_review_marks_what_is_thrown_away(name):
    variant = find_variant(name)
    family, marked = variant.family, 0
    for seed in range(40):
        choice, state = random.Random(seed), variant.deal(seed, *TIGHT[name])
        start, line = state, []
        best = [solve(variant, state, shorten=0)]
        for _ in range(12):
            moves = family.legal_moves(state)
            if not moves:
                break
            line.append(family.format_move(state, move := choice.choice(moves)))
            state = family.apply(state, move)
            best.append(solve(variant, state, shorten=0))
        steps = review(variant, start, line)
        assert [step.move for step in steps] == line
        for step, before, after in zip(steps, best, best[1:], strict=False):
            assert (step.before.verdict, step.before.score) == (before.verdict, before.score)
            assert (step.after.verdict, step.after.score) == (after.verdict, after.score)
            falls = (after.score or 0) < (before.score or 0) or (
                before.verdict is Verdict.WINNABLE and after.verdict is Verdict.UNWINNABLE
            )
            assert (step.better is not None) == falls
            marked += falls
    assert marked > 2


@compiled
def test_the_solvers_own_line_throws_nothing_away():
    for name in ("chessboard", "simple-simon", "joker"):
        variant = find_variant(name)
        state = variant.deal(8)
        result = solve(variant, state, shorten=0)
        steps = review(variant, state, format_line(variant, state, result.moves))
        assert [step.better for step in steps] == [None] * len(result.moves)


def test_an_illegal_move_is_told():
    variant = find_variant("fortress")
    with pytest.raises(WrongMove, match=r"move 1 \(KS 1-1\)"):
        review(variant, variant.deal(1), ["KS 1-1"])
