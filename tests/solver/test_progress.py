"""Progress of running searches, and watches of it."""

import threading
import time
from itertools import pairwise

import pytest
from tests.compiled import SEARCHED, needs_kernels
from tests.solver.kernels import HARD

from winnable.rules import find_variant
from winnable.rules.formats.text import Deal
from winnable.rules.tables import hidden
from winnable.solver import Goal, Limits, Verdict, find_shortest, reference, solve
from winnable.solver.analysis.bases import solve_bases
from winnable.solver.analysis.choice import choose
from winnable.solver.analysis.difficulty import difficulty, judge_of, of_level
from winnable.solver.analysis.hint import hint
from winnable.solver.analysis.review import review
from winnable.solver.engine import Watch, find_kernel
from winnable.solver.player.player import Player, advise, find_player_kernel
from winnable.solver.progress import STAGES, Progress
from winnable.solver.verify import format_line

PATIENCE = 120.0  # seconds to wait for an expected event


class Running:
    """A search on another thread, repeated until the block ends."""

    def __init__(self, search):
        self._search = search
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._ended.is_set():
            self._search()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def seen_until(self, searching, is_enough):
        """Collect the progress of ``searching`` until ``is_enough`` holds for it, which must happen."""
        until = time.monotonic() + PATIENCE
        seen = [searching.progress()]
        while not is_enough(seen[-1]):
            assert time.monotonic() < until, seen[-1]
            assert self._thread.is_alive()
            time.sleep(0.001)
            seen.append(searching.progress())
        return seen


def check(seen, stages):
    """Check that the progress is that of a search: the number of states never falls."""
    assert {progress.stage for progress in seen} <= stages
    assert all(one.states <= next.states for one, next in pairwise(seen))


@pytest.mark.quick("chessboard", "fortress")
@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
def test_another_thread_sees_how_far_a_kernel_is(name):
    variant = find_variant(name)
    kernel = find_kernel(variant)(Limits(nodes=200_000, megabytes=500))
    state = variant.deal(HARD[name])
    assert kernel.progress() == Progress("search", 0, 0.0)
    with Running(lambda: kernel.solve(state)) as running:
        seen = running.seen_until(kernel, lambda progress: progress.states > 300_000)
    found = {"depth-first search"} if name in ("chessboard", "fortress") else {"best-first search"}
    if variant.copies > 1 or name == "simple-simon":
        found |= {"relaxation", "search of positions"}
        assert len({progress.stage for progress in seen} & found) > 1
    if "passes" in variant.choices:
        found |= {"relaxation"}
    check(seen, found | {"search"})
    assert max(progress.megabytes for progress in seen) > 0.1
    scores = [progress.score for progress in seen if progress.score is not None]
    assert bool(scores) == (variant.scoring is not None)
    assert all(0 <= score <= 52 for score in scores)
    assert {(progress.moves, progress.lower_bound) for progress in seen} == {(None, None)}


@pytest.mark.quick("chessboard-1-stages0", "fortress-30-stages1")
@needs_kernels
@pytest.mark.parametrize(
    ("name", "seed", "stages"),
    [
        ("chessboard", 1, {"A*"}),
        ("fortress", 30, {"A*"}),
        ("joker", 30, {"A*", "beam search"}),
        ("simple-simon", 6, {"lower bound", "beam search", "A*"}),
        ("simon-jester", 1, {"lower bound", "beam search"}),
    ],
)
def test_another_thread_sees_how_short_the_line_is(name, seed, stages):
    variant = find_variant(name)
    state = variant.deal(seed)
    solved = solve(variant, state, shorten=0)
    kernel = find_kernel(variant)(Limits(work=2_000_000, megabytes=500))
    with Running(lambda: kernel.prove_optimal(state, solved.moves, lambda *_: None)) as running:
        seen = running.seen_until(
            kernel, lambda progress: progress.stage in stages and progress.moves is not None
        )
        seen += running.seen_until(kernel, lambda progress: progress.states > 20_000)
    check(seen, stages | {"search"})
    told = [progress for progress in seen if progress.moves is not None]
    assert all(0 < progress.moves <= len(solved.moves) for progress in told)
    assert any(progress.lower_bound is not None for progress in told)
    assert all((progress.lower_bound or 0) <= progress.moves for progress in told)
    assert {progress.score for progress in seen} == {None}


@pytest.mark.full
@needs_kernels
def test_another_thread_sees_a_line_being_shortened():
    variant = find_variant("simon-jester")
    state = variant.deal(1)
    solved = solve(variant, state, shorten=0)
    kernel = find_kernel(variant)(Limits(megabytes=500, work=500_000))
    with Running(lambda: kernel.optimize(state, solved.moves)) as running:
        seen = running.seen_until(
            kernel, lambda progress: progress.moves is not None and progress.states > 10_000
        )
    check(seen, {"search", "beam search"})
    assert seen[-1].moves <= len(solved.moves)
    assert (seen[-1].lower_bound, seen[-1].score) == (None, None)


@needs_kernels
@pytest.mark.parametrize("game", ["joker", "klondike-one-pass"])
def test_another_thread_sees_a_player_think(game):
    state = find_variant(game).deal(4)
    kernel = find_player_kernel()(Limits(), Player(visits=2000))

    def think():
        kernel.begin_deal()
        kernel.choose(hidden(state), True)

    with Running(think) as running:
        seen = running.seen_until(kernel, lambda progress: progress.states > 3000)
    check(seen, {"search", "sampling"})
    assert seen[-1].megabytes > 0.1


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("name", "goal", "stage"),
    [
        ("chessboard", Goal.WIN, "depth-first search"),
        ("simple-simon", Goal.SHORTEST, "breadth-first search"),
        ("joker", Goal.WIN, "depth-first search"),
    ],
)
def test_another_thread_sees_how_far_the_reference_search_is(name, goal, stage):
    variant, watch = find_variant(name), Watch()
    state = variant.deal(4)
    assert watch.progress() is None
    with Running(lambda: reference.solve(variant, state, Limits(nodes=300), goal, watch=watch)) as running:
        running.seen_until(watch, lambda progress: progress is not None)
        seen = running.seen_until(watch, lambda progress: progress.states > 700)
    check(seen, {stage})
    assert max(progress.megabytes for progress in seen) > 0.1
    assert (seen[-1].score is None) == (variant.scoring is None)


def test_stages_have_names_of_their_own():
    assert len(set(STAGES)) == len(STAGES)


# --- Watches ------------------------------------------------------------------------------------------------


class Counting:
    """A kernel that has expanded ``states`` states."""

    def __init__(self, states=0):
        self.states = states

    def progress(self):
        return Progress("search", self.states, 1.0)


def test_a_watch_counts_the_states_of_all_searches_once():
    watch, one, other = Watch(), Counting(), Counting(1000)
    watch.begin(one)
    one.states = 5
    assert watch.progress().states == 5
    watch.begin(other)
    assert watch.progress().states == 5
    other.states = 1007
    assert watch.progress().states == 12
    watch.begin(other)
    watch.begin(one)
    assert watch.progress().states == 12
    one.states = 8
    assert watch.progress() == Progress("search", 15, 1.0)


@pytest.mark.quick("compiled-chessboard", "compiled-joker", "compiled-simple-simon")
@needs_kernels
@pytest.mark.parametrize("name", ["chessboard", "joker", "simple-simon"])
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_a_watch_counts_what_the_result_does(name, engine):
    variant, watch = find_variant(name), Watch()
    for seed in (2, 8):
        before = watch.progress().states if watch.progress() else 0
        result = solve(variant, variant.deal(seed), Limits(nodes=2000), engine=engine, shorten=0, watch=watch)
        assert watch.progress().states - before == result.expanded > 0
    assert watch.part == ""


@pytest.mark.quick(2)
@needs_kernels
@pytest.mark.parametrize(
    ("name", "seed", "stage"), [("chessboard", 8, "A*"), ("fortress", 8, "A*"), ("joker", 30, "beam search")]
)
def test_a_watch_counts_the_search_for_a_shortest_line(name, seed, stage):
    variant, watch = find_variant(name), Watch()
    result = find_shortest(variant, variant.deal(seed), Limits(nodes=50_000), watch=watch)
    assert (watch.progress().stage, watch.progress().states) == (stage, result.expanded)
    by_goal = Watch()
    solve(variant, variant.deal(seed), Limits(nodes=50_000), Goal.SHORTEST, watch=by_goal)
    assert by_goal.progress().states == result.expanded


@needs_kernels
def test_a_watch_is_told_of_the_search_for_shorter_lines():
    variant, watch = find_variant("simple-simon"), Watch()
    result = solve(variant, variant.deal(6), shorten=200_000, watch=watch)
    assert watch.progress().stage == "beam search"
    assert watch.progress().states > result.expanded
    assert watch.progress().moves is not None


@pytest.mark.quick("chessboard", "simple-simon")
@needs_kernels
@pytest.mark.parametrize("name", ["chessboard", "joker", "simple-simon"])
def test_a_watch_is_told_of_every_move_of_a_hint(name):
    variant, watch = find_variant(name), Watch()
    state = variant.deal(8)
    advice = hint(variant, state, 20_000_000, 0, proofs=None, watch=watch)
    count = len(advice.options)
    assert watch.part == f"move {count} of {count}"
    assert watch.progress().states == advice.answer.expanded
    hint(variant, state, 20_000_000, 200_000 if name == "simple-simon" else 0, proofs=None, watch=watch)
    assert watch.part == f"move {count} of {count}"
    assert watch.progress().states >= 2 * advice.answer.expanded


@needs_kernels
def test_a_watch_is_told_of_the_proofs_of_a_hint():
    variant, watch = find_variant("fortress"), Watch()
    hint(variant, variant.deal(8), 20_000_000, 0, proofs=Limits(nodes=20_000), watch=watch)
    assert watch.progress().stage == "A*"


@needs_kernels
def test_a_watch_is_told_of_every_position_of_a_review():
    variant, watch = find_variant("fortress"), Watch()
    state = variant.deal(8)
    line = format_line(variant, state, solve(variant, state).moves)
    steps = review(variant, state, line, watch=watch)
    assert watch.part == f"move {len(steps)} of {len(steps)}"
    assert watch.progress().states >= steps[0].before.expanded > 0


@needs_kernels
def test_a_watch_is_told_of_deals_that_are_chosen():
    variant, watch = find_variant("fortress"), Watch()
    deals = [Deal(variant.deal(seed), seed) for seed in range(3, 9)]
    chosen = list(choose(variant, deals, Limits(), watch=watch))
    assert chosen
    assert watch.part == "seed 8"
    expanded = sum(solve(variant, deal.state, shorten=0).expanded for deal in deals)
    assert watch.progress().states == expanded
    list(choose(variant, [Deal(variant.deal(8))], Limits(), watch=watch))
    assert watch.part == "deal 1"


@needs_kernels
@pytest.mark.parametrize("name", ["fortress", "klondike-one-pass"])
def test_a_watch_is_told_of_deals_that_are_judged(name):
    variant, watch = find_variant(name), Watch()
    judge = judge_of(variant, watch)
    judge.ease(variant.deal(3))
    once = watch.progress().states
    judge.ease(variant.deal(3))
    assert watch.progress().states == 2 * once > 0
    other = Watch()
    list(of_level(variant, [Deal(variant.deal(3), 3)], "easy", watch=other))
    assert other.progress().states == once
    measured = Watch()
    deals = map(variant.deal, range(8, 100))
    winnable = next(deal for deal in deals if solve(variant, deal).verdict is Verdict.WINNABLE)
    assert difficulty(variant, winnable, watch=measured).ease is not None
    assert measured.progress().states > solve(variant, winnable, shorten=0).expanded


@needs_kernels
def test_a_watch_is_told_of_base_ranks():
    watch = Watch()
    state = find_variant("chessboard").deal(2, ranks=6)
    answers = list(solve_bases(state, watch=watch))
    assert watch.progress().states == sum(result.expanded for _, result in answers)


@needs_kernels
def test_a_watch_is_told_of_a_players_samples():
    watch = Watch()
    advice = advise(find_variant("joker").deal(4), Player(visits=500), watch)
    assert watch.progress().stage == "sampling"
    assert watch.progress().states == sum(entry.visits for entry in advice)
