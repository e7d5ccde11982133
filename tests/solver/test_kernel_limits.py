"""Ends of the search of every kernel, the same each time: by limits, other threads, signals."""

import random
import signal
import threading
from dataclasses import replace

import pytest
from tests.children import wait_until
from tests.compiled import needs_kernels
from tests.solver.kernels import (
    HARD,
    KLONDIKES,
    MODERATE,
    POLL,
    SMALL,
    answer,
    check_open,
    every_variant,
    hard,
    make,
    moderate,
)

from winnable.rules import find_variant
from winnable.solver import Limits, Verdict
from winnable.solver.engine import decide

pytestmark = needs_kernels


# --- Limits -------------------------------------------------------------------------------------------------


@every_variant
def test_the_limit_on_nodes_is_exact(name):
    state, whole = moderate(name)
    for nodes in (0, 1, 50, whole.expanded - 1):
        result = answer(name, state, Limits(nodes=nodes))
        assert (result.reason, result.expanded) == ("nodes", nodes)
        assert result.verdict is Verdict.UNDECIDED or (result.tier not in (None, "none") and not result.exact)
    for nodes in (whole.expanded, whole.expanded + 1):
        assert answer(name, state, Limits(nodes=nodes)) == whole
    check_open(name, answer(name, hard(name), Limits(nodes=5000)), "nodes")


@every_variant
def test_no_time_ends_a_search_before_its_first_state(name):
    result = answer(name, hard(name), Limits(seconds=0))
    check_open(name, result, "seconds")
    assert (result.expanded, result.generated) == (0, 0)


@every_variant
def test_the_clock_is_looked_at_while_a_search_runs(name):
    result = answer(name, hard(name), Limits(seconds=1e-4))
    check_open(name, result, "seconds")
    assert result.expanded > 0
    assert (result.expanded + 1) % POLL == 0


@every_variant
def test_the_limit_on_memory_ends_a_search(name):
    states = []
    for megabytes in (0, SMALL[name] / 100, SMALL[name]):
        result = answer(name, hard(name), Limits(megabytes=megabytes))
        check_open(name, result, "memory")
        states.append(result.expanded)
    assert states[0] == 0 < 500 < states[-1]
    assert states == sorted(states)


# --- The same again -----------------------------------------------------------------------------------------


@pytest.mark.quick(2)
@every_variant
def test_the_same_deal_gets_the_same_answer(name):
    """Whatever the kernel did before, and however that ended."""
    variant = find_variant(name)
    limits = Limits(nodes=6000)
    used = make(name, limits)
    answers = []
    for seed in (*range(1, 7), MODERATE[name]):
        fresh = answer(name, variant.deal(seed), limits)
        assert decide(variant, variant.deal(seed), used) == fresh
        assert decide(variant, hard(name), used).reason == "nodes"
        assert decide(variant, variant.deal(seed), used) == fresh
        answers.append(fresh)
    assert len({(result.expanded, result.moves) for result in answers}) > 3


@pytest.mark.quick("fortress", "joker")
@every_variant
def test_where_the_memory_limit_bites_does_not_depend_on_earlier_deals(name):
    variant = find_variant(name)
    for megabytes in (SMALL[name] / 4, SMALL[name], *([0.3, 0.5] if name in KLONDIKES else [])):
        limits = Limits(megabytes=megabytes, nodes=50_000)
        used, bitten = make(name, limits), 0
        for seed in (HARD[name], *range(1, 16), HARD[name]):
            fresh = answer(name, variant.deal(seed), limits)
            again = decide(variant, variant.deal(seed), used)
            assert (again.reason, again.expanded) == (fresh.reason, fresh.expanded), seed
            bitten += fresh.reason == "memory"
        assert bitten >= 2


@pytest.mark.quick(2)
@every_variant
def test_the_order_of_columns_does_not_change_a_verdict(name):
    variant, verdicts = find_variant(name), set()
    seeds = range(1, 31) if variant.copies == 1 and not variant.scoring else range(8, 13)
    seeds = range(2, 5) if name in KLONDIKES else seeds
    for seed in seeds:
        state = variant.deal(seed)
        order = random.Random(seed).sample(range(len(state.columns)), len(state.columns))
        fields = [field for field in ("columns", "hidden") if hasattr(state, field)]
        turned = replace(state, **{field: tuple(getattr(state, field)[i] for i in order) for field in fields})
        limits = Limits(nodes=400_000)
        one, other = answer(name, state, limits), answer(name, turned, limits)
        assert (one.reason, other.reason) == (None, None)
        assert (one.verdict, one.score) == (other.verdict, other.score)
        verdicts.add(one.verdict)
    assert verdicts <= {Verdict.WINNABLE, Verdict.UNWINNABLE}
    assert len(verdicts) == 2 or variant.family.__name__.endswith(("simon", "joker", "klondike"))


# --- What ends a search from outside ------------------------------------------------------------------------


@every_variant
def test_a_kernel_that_was_stopped_says_so(name):
    kernel = make(name)
    kernel.stop()
    for _ in range(2):
        result = decide(find_variant(name), hard(name), kernel)
        check_open(name, result, "interrupted")
        assert result.expanded < POLL
    assert kernel.was_stopped
    assert len(kernel.solve_seeds(name, 1, 5)) < 5


def ended_from_outside(name, end, caught=KeyboardInterrupt):
    """Run a search of a hard deal that ``end``, called with the kernel on another thread, ends once some
    states are expanded. Returns its result, or the exception raised, and the number of states just after. If
    the search finishes first, it is repeated."""
    for _ in range(1000):
        kernel, seen, is_over = make(name), [], threading.Event()

        def watch(kernel=kernel, seen=seen, is_over=is_over):
            wait_until(lambda: kernel.expanded >= 500 or is_over.is_set())
            if not is_over.is_set():
                end(kernel)
                seen.append(kernel.expanded)

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            outcome = decide(find_variant(name), hard(name), kernel)
            is_over.set()
            thread.join()
        except caught as error:
            outcome = error
            thread.join()
        if kernel.was_stopped and getattr(outcome, "reason", "interrupted") == "interrupted":
            return outcome, *seen
    raise AssertionError("no search was met while it ran")


@every_variant
def test_another_thread_stops_a_search_at_the_next_look(name):
    result, seen = ended_from_outside(name, lambda kernel: kernel.stop())
    check_open(name, result, "interrupted")
    assert result.expanded <= seen + POLL


@every_variant
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_search_at_the_next_look(name):
    result, seen = ended_from_outside(name, lambda kernel: signal.raise_signal(signal.SIGINT))
    check_open(name, result, "interrupted")
    assert result.expanded <= seen + POLL


class RungError(Exception):
    """Raised by the handler of a signal."""


@pytest.fixture
def alarm():
    """A handler of SIGALRM that raises, in place of that of the tests' time limit."""

    def ring(number, frame):
        raise RungError

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.signal(signal.SIGALRM, before)


@every_variant
@pytest.mark.usefixtures("alarm")
def test_what_the_handler_of_a_signal_raises_ends_a_search_and_is_raised(name):
    """The exception is not lost, and the search does not count as complete."""
    raised, _ = ended_from_outside(name, lambda kernel: signal.raise_signal(signal.SIGALRM), RungError)
    assert isinstance(raised, RungError)
