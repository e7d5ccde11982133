"""Hints and reviews, compared with results for the positions themselves."""

import random
import signal
import sys
import threading

import pytest
from tests.children import wait_until
from tests.compiled import SEARCHED, needs_kernels
from tests.deals import wander

from winnable.rules import find_variant
from winnable.solver import Goal, Limits, Result, Verdict, engine, find_shortest, solve
from winnable.solver.analysis import moves
from winnable.solver.analysis.hint import hint, usual_proofs
from winnable.solver.analysis.moves import worth
from winnable.solver.analysis.review import review
from winnable.solver.engine import find_kernel, searches_scores
from winnable.solver.verify import replay

SHORT = {"joker": (4, "CDHS"), "klondike-one-pass": (5, "CDHS"), "simon-jester": (4, "CDHS")}
KLONDIKES = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
SHORT |= dict.fromkeys(KLONDIKES, (5, "CDHS"))
SHORT |= {"simon-jester-triangular": (4, "CDHS"), "simple-simon": (6, "CDHS")}
# Decks in which random play loses something now and then.
TIGHT = {"chessboard": (13, "CDHS"), "fortress": (13, "CDHS"), "simple-simon": (6, "CDHS", (4,) * 6)}
TIGHT |= dict.fromkeys(["simon-jester", "simon-jester-triangular"], (3, "CDH", (5, 5, 4, 4)))
TIGHT |= {"joker": (6, "CH", (2, 3, 3)), "klondike-one-pass": (5, "CDHS")}
TIGHT |= dict.fromkeys(KLONDIKES, (6, "CDHS", (3, 4, 5)))
ENOUGH = 10**12


def short_states(name, seeds=8):
    """Positions of short decks, some moves after the deal."""
    for seed in range(seeds):
        yield wander(find_variant(name).deal(seed, *SHORT.get(name, (13, "CDHS"))), seed % 5, seed)


@pytest.mark.quick(1)
@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
def test_every_move_gets_the_answer_that_it_has_by_itself(name):
    variant = find_variant(name)
    family, compared = variant.family, 0
    for state in short_states(name):
        advice = hint(variant, state, ENOUGH, 0, proofs=None)
        after = {family.canonical(family.apply(state, move)) for move in family.legal_moves(state)}
        told = [family.canonical(family.apply(state, option.move)) for option in advice.options]
        assert sorted(told) == sorted(after) if not variant.scoring else len(told) == len(after)
        plain = solve(variant, state, shorten=0)
        is_scored = plain.verdict is Verdict.UNWINNABLE and searches_scores(variant)
        plain = solve(variant, state, shorten=0, score=is_scored)
        assert (advice.answer.verdict, advice.answer.score) == (plain.verdict, plain.score)
        for option in advice.options:
            at = family.apply(state, option.move)
            expected = solve(variant, at, shorten=0, score=is_scored)
            assert (option.after.verdict, option.after.score) == (expected.verdict, expected.score)
            compared += 1
            if variant.scoring:
                assert option.keeps == (expected.tier == plain.tier)
            else:
                assert option.keeps == (expected.verdict is Verdict.WINNABLE)
        if advice.answer.moves and (variant.scoring or not is_scored):
            assert variant.score(replay(variant, state, advice.answer.moves)) == (advice.answer.score or 1)
    assert compared > 8


@pytest.mark.quick("fortress", "klondike-one-pass")
@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
def test_the_best_line_is_no_longer_than_that_of_solve(name):
    variant, compared = find_variant(name), 0
    for seed in (8, 3, 2, 7):
        state = wander(variant.deal(seed), 3 * (seed % 2), seed)
        limits = Limits(work=500_000)
        plain = solve(variant, state, limits, shorten=20_000)
        advice = hint(variant, state, limits.work, 20_000, proofs=None)
        assert sorted(map(str, (option.move for option in advice.each_move()))) == sorted(
            map(str, variant.family.legal_moves(state))
        )
        if plain.moves and advice.answer.score == plain.score:
            assert advice.answer.verdict is plain.verdict
            assert len(advice.answer.moves) <= len(plain.moves)
            assert variant.score(replay(variant, state, advice.answer.moves)) == (plain.score or 1)
            compared += 1
    assert compared


@needs_kernels
def test_one_search_decides_all_moves_of_a_lost_position(monkeypatch):
    count = []
    monkeypatch.setattr(moves, "search", lambda begin: count.append(1) or begin())
    state = next(
        state
        for state in map(find_variant("simple-simon").deal, range(99))
        if not solve(state, shorten=0).moves
    )
    advice = hint(state, shorten=0)
    assert advice.answer.verdict is Verdict.UNWINNABLE
    assert {option.keeps for option in advice.options} == {False}
    assert len(count) == 1


def test_a_limit_leaves_moves_open():
    variant = find_variant("simon-jester")
    advice = hint(variant, variant.deal(1), ENOUGH, 0, Limits(nodes=0), None)
    assert advice.answer.verdict is Verdict.UNDECIDED
    assert {option.keeps for option in advice.options} == {None}


@pytest.mark.quick("fortress", "simon-jester")
@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
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


# --- Proofs -------------------------------------------------------------------------------------------------


@pytest.mark.quick("fortress-deck1")
@needs_kernels
@pytest.mark.parametrize(
    ("name", "deck"),
    [
        ("chessboard", (5, "CDH", (5, 5, 5))),
        ("fortress", (4, "CDH", (4, 4, 4))),
        ("simple-simon", (5, "CD", (4, 3, 2, 1))),
    ],
)
def test_proved_lengths_are_those_of_breadth_first_search(name, deck):
    variant, family = find_variant(name), find_variant(name).family
    compared = 0
    for seed in range(25):
        state = wander(variant.deal(seed, *deck), seed % 4, seed)
        advice = hint(variant, state, ENOUGH, 0, None, Limits())
        plain = solve(variant, state, goal=Goal.SHORTEST, engine="reference")
        assert advice.answer.verdict is plain.verdict
        if not plain.moves:
            continue
        assert advice.answer.shortest
        assert (len(advice.answer.moves), advice.answer.lower_bound) == (len(plain.moves), len(plain.moves))
        assert family.is_won(replay(variant, state, advice.answer.moves))
        for option in advice.options:
            after = family.apply(state, option.move)
            expected = solve(variant, after, goal=Goal.SHORTEST, engine="reference")
            assert option.after.verdict is expected.verdict
            if expected.moves is not None:
                assert option.after.shortest
                assert len(option.after.moves) == option.after.lower_bound == len(expected.moves)
                assert family.is_won(replay(variant, after, option.after.moves))
                compared += 1
    assert compared > 8


@pytest.mark.full
@needs_kernels
@pytest.mark.parametrize("nodes", [0, 10, 300, 3000])
def test_what_is_not_proved_is_bounded(nodes):
    variant = find_variant("chessboard")
    family, proved, all_moves = variant.family, 0, 0
    for seed in (1, 2, 3, 4, 6, 8):
        state = variant.deal(seed)
        advice = hint(variant, state, ENOUGH, 0, None, Limits(nodes=nodes))
        shortest = len(find_shortest(variant, state).moves)
        assert advice.answer.lower_bound <= shortest <= len(advice.answer.moves)
        assert advice.answer.shortest == (advice.answer.lower_bound == len(advice.answer.moves))
        assert (advice.answer.reason is None) == advice.answer.shortest
        lengths = []
        for option in advice.options:
            if option.keeps:
                after = family.apply(state, option.move)
                fewest, lengths = (
                    len(find_shortest(variant, after).moves),
                    [*lengths, len(option.after.moves)],
                )
                assert option.after.lower_bound <= fewest <= lengths[-1]
                assert option.after.shortest == (option.after.lower_bound == lengths[-1])
                proved, all_moves = proved + option.after.shortest, all_moves + 1
        assert lengths == sorted(lengths)
    assert proved < all_moves


@pytest.mark.quick(1)
@needs_kernels
@pytest.mark.parametrize(
    ("name", "seed"), [*(("chessboard", seed) for seed in (1, 2, 8, 11, 20)), ("klondike-vegas-one", 4)]
)
def test_the_first_move_begins_a_shortest_line(name, seed):
    variant = find_variant(name)
    state = variant.deal(seed)
    advice = hint(variant, state, ENOUGH, 0, None, usual_proofs(variant))
    shortest = len(find_shortest(variant, state).moves)
    assert (advice.answer.shortest, len(advice.answer.moves)) == (True, shortest)
    first = variant.family.apply(state, advice.options[0].move)
    assert len(find_shortest(variant, first).moves) == shortest - 1
    again = hint(variant, state, ENOUGH, 0, None, usual_proofs(variant))
    told, told_again = ([(o.move, o.after.moves, o.keeps) for o in a.options] for a in (advice, again))
    assert told == told_again


@needs_kernels
def test_equal_lengths_have_the_proved_one_first():
    known = [
        Result(Verdict.WINNABLE, (1, 2), lower_bound=1),
        Result(Verdict.WINNABLE, (1, 2), lower_bound=2, shortest=True),
        Result(Verdict.UNDECIDED),
        Result(Verdict.WINNABLE, (1,)),
        Result(Verdict.UNWINNABLE),
        Result(Verdict.WINNABLE, (1, 2)),
    ]
    assert [known.index(result) for result in sorted(known, key=worth)] == [3, 1, 5, 0, 2, 4]


@needs_kernels
def test_a_move_that_wins_at_once_needs_no_proof():
    variant = find_variant("fortress")
    state = variant.deal(3, 2)
    line = find_shortest(variant, state).moves
    last = replay(variant, state, line[:-1])
    for limits in (Limits(nodes=0), Limits(nodes=1000)):
        advice = hint(variant, last, ENOUGH, 0, None, limits)
        assert (advice.answer.shortest, len(advice.answer.moves)) == (True, 1)
        assert (advice.options[0].after.shortest, advice.options[0].after.moves) == (True, ())


@needs_kernels
def test_games_without_proofs_refuse_them():
    for name in ("joker", "klondike-one-pass"):
        variant = find_variant(name)
        assert usual_proofs(variant) is None
        with pytest.raises(ValueError, match=f"shortest lines of {name}"):
            hint(variant, variant.deal(1), 1_000_000, 0, None, Limits(nodes=10))
    assert usual_proofs(find_variant("simon-jester")) is None


def test_without_a_compiled_engine_moves_are_decided_and_not_proved(monkeypatch):
    for module in (engine, moves, sys.modules[hint.__module__]):
        monkeypatch.setattr(module, "find_kernel", lambda variant, choices=None: None)
    variant = find_variant("chessboard")
    assert usual_proofs(variant) is None
    state = variant.deal(3, 4, "CD")
    advice = hint(variant, state, ENOUGH, 100_000, None, usual_proofs(variant))
    assert {option.after.engine for option in advice.options} == {"reference"}
    assert advice.answer.verdict is solve(variant, state, engine="reference").verdict
    assert (advice.answer.shortest, advice.answer.lower_bound) == (False, None)


# --- Interrupts ---------------------------------------------------------------------------------------------


@pytest.mark.full
@needs_kernels
@pytest.mark.parametrize("name", ["chessboard", "simple-simon", "joker"])
def test_ctrl_c_leaves_what_is_known_whenever_it_comes(name, interrupt_search):
    variant = find_variant(name)
    state = variant.deal(8)
    count = len(hint(variant, state, ENOUGH, 0, proofs=None).options)
    proofs = Limits(nodes=10**5) if name == "chessboard" else usual_proofs(variant)
    for number in range(1, count + 4):
        begun = interrupt_search(number)
        advice = hint(variant, state, ENOUGH, 0, None, proofs)
        assert len(advice.options) == count
        assert advice.interrupted == (len(begun) >= number)
        reasons = [option.after.reason for option in advice.options]
        assert reasons.count("interrupted") == max(0, count + 1 - number)
        for option in advice.options:
            after = variant.family.apply(state, option.move)
            if option.after.reason == "interrupted":
                assert option.keeps is None or variant.scoring
                assert option.after.verdict is Verdict.UNDECIDED or variant.scoring
            else:
                assert option.after.verdict is solve(variant, after, shorten=0).verdict
            if option.after.moves:
                last = replay(variant, after, option.after.moves)
                assert variant.score(last) == (option.after.score or 1)
        if number == 1:
            assert (advice.answer.verdict, advice.answer.reason) == (Verdict.UNDECIDED, "interrupted")


@needs_kernels
@pytest.mark.usefixtures("ctrl_c")
def test_a_signal_ends_the_search_it_comes_in(monkeypatch):
    """The search would not end by itself; the signal comes once it has expanded some states."""
    variant = find_variant("chessboard")
    kind, kernels = find_kernel(variant), []

    def make(limits):
        kernels.append(kind(limits))
        return kernels[-1]

    def interrupt():
        wait_until(lambda: kernels and kernels[-1].expanded > 100_000)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(engine, "find_kernel", lambda variant, choices=None: make)
    thread = threading.Thread(target=interrupt)
    thread.start()
    advice = hint(variant, variant.deal(3, 5), ENOUGH, 0, proofs=None)
    thread.join()
    assert advice.interrupted
    assert "interrupted" in {option.after.reason for option in advice.options}


@needs_kernels
def test_ctrl_c_in_a_review_keeps_the_moves_before_it(interrupt_search):
    variant = find_variant("chessboard")
    state = variant.deal(8)
    bad = next(o for o in hint(variant, state, ENOUGH, 0, proofs=None).options if o.keeps is False)
    line = [variant.family.format_move(state, bad.move)]
    after = variant.family.apply(state, bad.move)
    line.append(variant.family.format_move(after, variant.family.legal_moves(after)[0]))
    for number, verdicts in ((1, ["undecided"] * 3), (2, ["winnable", "undecided", "undecided"])):
        interrupt_search(number)
        steps = review(variant, state, line)
        told = [steps[0].before, *(step.after for step in steps)]
        assert [answer.verdict.value for answer in told] == verdicts
        reasons = [answer.reason for answer in told if answer.verdict is Verdict.UNDECIDED]
        assert reasons == ["interrupted"] * (4 - number)
        assert [step.better for step in steps] == [None, None]
