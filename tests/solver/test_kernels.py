"""What the kernel of every variant promises: its limits, how it is stopped, its batches, its proofs."""

import functools
import inspect
import random
import signal
import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.children import wait_until

from winnable.rules import VARIANTS, Choices, find_variant
from winnable.solver import Limits, Verdict, find_shortest, reference, verify
from winnable.solver.core.contract import Finding, GameKernel
from winnable.solver.core.record import VERDICTS
from winnable.solver.engine import decide, find_kernel, improve, improves, shortens
from winnable.solver.result import REASONS

pytestmark = pytest.mark.skipif(
    find_kernel(find_variant("fortress")) is None, reason="the compiled engine is not installed"
)
every_variant = pytest.mark.parametrize("name", VARIANTS)
every_improving = pytest.mark.parametrize("name", [name for name in VARIANTS if improves(find_variant(name))])

KLONDIKES = [name for name in VARIANTS if "passes" in VARIANTS[name].choices]
POLL = 4096  # states between two looks at the clock and the signals

# The first is of so many states that every limit here ends it; the others are decided after some hundreds
# to some thousands.
HARD = {
    "chessboard": 5146428,
    "fortress": 3478598,
    "simon-jester": 2815,
    "simon-jester-triangular": 886,
    "simple-simon": 18951,
    "joker": 4272,
    "klondike-one-pass": 849,
    "klondike": 12,
    "klondike-draw-one": 12,
    "klondike-vegas": 12,
    "klondike-vegas-one": 25,
}
MODERATE = {
    "chessboard": 14,
    "fortress": 2,
    "simon-jester": 24,
    "simon-jester-triangular": 1,
    "simple-simon": 10,
    "joker": 10,
    "klondike-one-pass": 8,
    "klondike": 8,
    "klondike-draw-one": 28,
    "klondike-vegas": 8,
    "klondike-vegas-one": 24,
}
# Deals that can be won, in more than 40 moves.
WINNABLE = dict.fromkeys(VARIANTS, 8) | {"joker": 5, "klondike-one-pass": 5, "klondike-vegas-one": 2}
# Megabytes with which a search goes on for some time and then has to end.
SMALL = dict.fromkeys(VARIANTS, 1.0) | {"fortress": 0.3, "chessboard": 0.3}
# Short decks: ranks, suits and column sizes, of which some deals can be won and others not.
SHORT = {
    "chessboard": [(4, "CD", (4, 4)), (4, "CD", (3, 3, 2)), (4, "CDH", (4, 4, 4)), (5, "CD", (4, 3, 3))],
    "fortress": [(4, "CD", (4, 4)), (4, "CD", (3, 3, 2)), (4, "CDH", (4, 4, 4)), (5, "CD", (4, 3, 3))],
    "simon-jester": [(2, "CDH", (4, 4, 4)), (3, "CD", (4, 4, 4)), (2, "CD", (3, 3, 2)), (3, "S", (2, 2, 2))],
    "simple-simon": [(4, "CD", (3, 3, 2)), (5, "CDH", (5, 5, 5)), (6, "CD", (4, 4, 4)), (3, "CDHS", (6, 6))],
    "joker": [(2, "CDHS", (1, 2)), (3, "CS", (3, 2)), (4, "H", (1, 2)), (3, "CH", (2, 1))],
    "klondike-one-pass": [(4, "CD", (1, 2)), (3, "CDHS", (2, 3, 2)), (5, "CD", (2, 3)), (6, "H", (1, 2))],
}
SHORT["simon-jester-triangular"] = SHORT["simon-jester"]
for _name in KLONDIKES:
    SHORT[_name] = [(3, "CDHS", (2, 3)), (4, "CD", (3, 3)), (5, "CH", (2, 3, 3)), (3, "CDH", (4, 3))]


def make(name, limits=None):
    return find_kernel(find_variant(name))(limits or Limits())


def answer(name, state, limits=None):
    """What a new kernel says of ``state``; its line was replayed through the rules."""
    return decide(find_variant(name), state, make(name, limits))


@functools.cache
def hard(name):
    return find_variant(name).deal(HARD[name])


@functools.cache
def moderate(name):
    """A deal and its answer."""
    state = find_variant(name).deal(MODERATE[name])
    return state, answer(name, state)


def check_open(name, result, reason):
    """``result`` is that of a search which was ended: nothing is claimed but what a line shows."""
    variant = find_variant(name)
    assert result.reason == reason
    if variant.scoring is None:
        assert (result.verdict, result.moves) == (Verdict.UNDECIDED, None)
        return
    assert not result.exact
    assert result.score < result.score_bound == 52
    assert result.tier == variant.scoring.tier_of(result.score, 52)
    assert result.verdict is (Verdict.UNDECIDED if result.tier == "none" else Verdict.WINNABLE)


# --- The contract -------------------------------------------------------------------------------------------


def parameters_of(method):
    """The names of a method's parameters, and those that must be given."""
    parameters = [one for one in inspect.signature(method).parameters.values() if one.name != "self"]
    return [one.name for one in parameters], [one.name for one in parameters if one.default is one.empty]


@every_variant
def test_a_kernel_has_what_the_contract_names(name):
    kind = find_kernel(find_variant(name))
    assert isinstance(make(name), GameKernel)
    assert type(kind.IMPROVES) is type(kind.SHORTENS) is bool
    methods = [name for name, value in vars(GameKernel).items() if callable(value) and name[0] != "_"]
    assert set(methods) >= {"solve", "improve", "shorten", "solve_seeds", "stop"}
    for method in methods:
        promised, needed = parameters_of(getattr(GameKernel, method))
        theirs, they_need = parameters_of(getattr(kind, method))
        assert theirs[: len(promised)] == promised, method
        assert they_need == needed, method
        assert getattr(kind, method).__doc__, method


@every_variant
def test_an_answer_says_all_that_is_known_and_no_more(name):
    variant, kinds = find_variant(name), set()
    for ranks, suits, sizes in SHORT[name]:
        for seed in range(20):
            state = variant.deal(seed, ranks, suits, sizes)
            for limits in (Limits(), Limits(nodes=1)):
                found = make(name, limits).solve(state)
                assert type(found) is Finding
                check_answer(variant, state, found)
                kinds.add((found.won, found.reason))
    assert kinds >= {(True, None), (False, None), (None, "nodes")}


def check_answer(variant, state, found):
    """``found`` has the fields that it should have, of the right types, and its line was replayed."""
    assert found.won in (True, False, None)
    assert (found.moves is not None) == (found.won is True or variant.scoring is not None)
    last = None if found.moves is None else verify.replay(variant, state, found.moves)
    if variant.scoring is None:
        assert (found.score, found.score_bound, found.exact) == (None, None, None)
        assert (found.won is None) == (found.reason is not None)
        assert last is None or variant.family.is_won(last)
        return
    assert found.score == variant.score(last) <= found.score_bound <= state.deck.places
    assert found.exact is (found.reason is None)
    assert not found.exact or found.score == found.score_bound
    reached, within = (
        variant.scoring.tier_of(n, state.deck.places) for n in (found.score, found.score_bound)
    )
    assert found.won is (True if reached != "none" else False if within == "none" else None)


@every_variant
def test_what_a_kernel_is_not_able_to_do_it_refuses(name):
    variant, kernel = find_variant(name), make(name)
    state, whole = moderate(name)
    assert improves(variant) == kernel.IMPROVES
    assert shortens(variant) == kernel.SHORTENS
    if not kernel.IMPROVES:
        with pytest.raises(NotImplementedError):
            kernel.improve(state, whole.moves, print)
        with pytest.raises(ValueError, match="no search for shortest lines"):
            kernel.solve_seeds(name, 1, 1, shortest=True)
    if not kernel.SHORTENS:
        with pytest.raises(NotImplementedError):
            kernel.shorten(state, whole.moves, 0.1)


# --- Limits -------------------------------------------------------------------------------------------------


@every_variant
def test_moderate_deals_are_decided(name):
    _, whole = moderate(name)
    assert 200 < whole.expanded < 20_000
    assert whole.reason is None
    assert whole.verdict is not Verdict.UNDECIDED
    assert whole.engine == "compiled"


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


@every_variant
def test_limits_hold_for_each_deal_anew(name):
    state, whole = moderate(name)
    kernel = make(name, Limits(nodes=whole.expanded))
    for _ in range(3):
        assert decide(find_variant(name), state, kernel) == whole
        assert decide(find_variant(name), hard(name), kernel).reason == "nodes"


@every_variant
def test_states_are_counted(name):
    _, whole = moderate(name)
    assert whole.generated >= whole.expanded > 0
    some = answer(name, hard(name), Limits(nodes=1000))
    more = answer(name, hard(name), Limits(nodes=2000))
    assert 0 < some.generated < more.generated


# --- The same again -----------------------------------------------------------------------------------------


@every_variant
def test_the_same_deal_gets_the_same_answer(name):
    """Whatever the kernel did before, and where it ended."""
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


@every_variant
def test_where_the_memory_limit_bites_does_not_depend_on_earlier_deals(name):
    variant = find_variant(name)
    for megabytes in (SMALL[name] / 4, SMALL[name]):
        limits = Limits(megabytes=megabytes, nodes=50_000)
        used, bitten = make(name, limits), 0
        for seed in (HARD[name], *range(1, 16), HARD[name]):
            fresh = answer(name, variant.deal(seed), limits)
            again = decide(variant, variant.deal(seed), used)
            assert (again.reason, again.expanded) == (fresh.reason, fresh.expanded), seed
            bitten += fresh.reason == "memory"
        assert bitten >= 2


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
        limits = Limits(nodes=50_000)
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
    """A search of a hard deal that ``end`` ends, called with the kernel on another thread once some states
    were expanded: its result, or what it raised, and how many states there were just after. If the search is
    over first, once more."""
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
    """A handler of SIGALRM that raises, in place of that of the time limit of tests."""

    def ring(number, frame):
        raise RungError

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.signal(signal.SIGALRM, before)


@every_variant
@pytest.mark.usefixtures("alarm")
def test_what_the_handler_of_a_signal_raises_ends_a_search_and_is_raised(name):
    """It is not lost, and the search is not taken for a complete one."""
    raised, _ = ended_from_outside(name, lambda kernel: signal.raise_signal(signal.SIGALRM), RungError)
    assert isinstance(raised, RungError)


# --- Lines and proofs ---------------------------------------------------------------------------------------


@every_variant
def test_lines_are_replayed_by_the_rules(name):
    variant, lines = find_variant(name), 0
    for seed in range(1, 17):
        state = variant.deal(seed)
        result = answer(name, state, Limits(nodes=20_000))
        if result.moves is None:
            continue
        end = verify.replay(variant, state, result.moves)
        assert variant.score(end) == (result.score if variant.scoring else 1)
        lines += 1
    assert lines >= (2 if name == "fortress" or "vegas" in name else 10)


def some_choices(variant, number):
    """A choice of the rules that players may agree on, another one for every number."""
    chosen = {}
    for name, values in variant.choices.items():
        number, which = divmod(number, min(len(values), 3))
        chosen[name] = values[which]
    return chosen


@every_variant
def test_short_decks_get_the_answer_of_the_reference_search(name):
    """It goes through all states that the rules allow, and so every proof is checked."""
    variant, kernel = find_variant(name), make(name)
    verdicts, compared = [], 0
    for seed in range(200):
        ranks, suits, sizes = SHORT[name][seed % len(SHORT[name])]
        state = variant.deal(seed, ranks, suits, sizes, some_choices(variant, seed))
        slow = reference.solve(variant, state, Limits(nodes=400))
        if slow.reason is not None:
            continue
        fast = decide(variant, state, kernel)
        assert (fast.verdict, fast.score, fast.score_bound, fast.tier, fast.exact, fast.reason) == (
            slow.verdict,
            slow.score,
            slow.score_bound,
            slow.tier,
            slow.exact,
            None,
        ), state
        compared += 1
        verdicts.append(fast.verdict)
    assert compared > 60
    for verdict in (Verdict.WINNABLE, Verdict.UNWINNABLE):
        assert verdicts.count(verdict) > 10, verdict


@every_variant
def test_positions_along_a_line_keep_what_it_reaches(name):
    variant = find_variant(name)
    state = variant.deal(WINNABLE[name])
    result = answer(name, state)
    assert result.verdict is Verdict.WINNABLE
    for number, move in enumerate(result.moves):
        if number % 10 == 0 or name in ("chessboard", "fortress"):
            here = answer(name, state)
            assert (here.verdict, here.score) == (result.verdict, result.score)
        state = variant.family.apply(state, move)
    assert len(result.moves) > 40
    last = answer(name, state)
    assert (last.moves, last.expanded, last.verdict, last.reason) == ((), 0, Verdict.WINNABLE, None)


@every_variant
def test_a_won_position_needs_no_move_and_no_limit(name):
    variant = find_variant(name)
    state = variant.deal(3, 1)
    result = answer(name, state)
    assert result.verdict is Verdict.WINNABLE
    won = verify.replay(variant, state, result.moves)
    assert variant.score(won) == variant.greatest_score(won.deck)
    result = answer(name, won, Limits(nodes=0))
    assert (result.verdict, result.moves, result.reason) == (Verdict.WINNABLE, (), None)
    if variant.scoring:
        assert (result.score, result.exact, result.tier) == (state.deck.places, True, "triple")


# --- Batches ------------------------------------------------------------------------------------------------


def row_of(result):
    """What the record of a batch says of a deal with this result."""

    def known(value):
        return -1 if value is None else value

    return (
        VERDICTS.index(result.verdict.value),
        REASONS.index(result.reason),
        -1 if result.moves is None else len(result.moves),
        known(result.lower_bound),
        int(result.shortest),
        known(result.score),
        known(result.score_bound),
        int(bool(result.exact)),
        result.expanded,
        result.generated,
    )


FIELDS = ["verdict", "reason", "moves", "lower_bound", "shortest", "score", "score_bound", "exact"]
FIELDS += ["expanded", "generated"]


@every_variant
@pytest.mark.parametrize("first", [1, 2**64 - 12], ids=["first", "last"])
@pytest.mark.parametrize(
    "limits", [Limits(nodes=300), Limits(nodes=20_000), Limits(megabytes=0.6), Limits(seconds=0)], ids=str
)
def test_a_batch_says_what_single_searches_say(name, first, limits):
    variant = find_variant(name)
    batch = make(name, limits).solve_seeds(name, first, 12)
    assert batch["seed"].tolist() == list(range(first, first + 12))
    for record in batch:
        single = answer(name, variant.deal(int(record["seed"])), limits)
        assert tuple(record[FIELDS]) == row_of(single), record["seed"]


@every_variant
def test_a_batch_is_cut_where_it_was_stopped(name):
    kernel, is_over = make(name), threading.Event()

    def watch():
        finished = states = 0
        while finished < 3 and not is_over.is_set():
            before, states = states, kernel.expanded
            finished += states < before
        kernel.stop()

    thread = threading.Thread(target=watch)
    thread.start()
    batch = kernel.solve_seeds(name, 8, 10**7)
    is_over.set()
    thread.join()
    assert 0 < len(batch) < 10**7
    assert batch["seed"].tolist() == list(range(8, 8 + len(batch)))
    assert REASONS.index("interrupted") not in batch["reason"]
    again = make(name).solve_seeds(name, 8, min(len(batch), 10))
    for field in FIELDS:
        assert (batch[field][: len(again)] == again[field]).all()


@every_variant
def test_a_batch_of_no_deals_is_empty(name):
    assert len(make(name).solve_seeds(name, 1, 0)) == 0


def test_batches_follow_the_choices():
    kept = 0
    for exchange in ("exposed", "turned"):
        for removal in ("undeclared", "exposed"):
            choices, limits = Choices(exchange, removal), Limits(nodes=2000)
            for record in make("joker", limits).solve_seeds("joker", 1, 5, choices):
                deal = find_variant("joker").deal(int(record["seed"]), choices=choices)
                assert tuple(record[FIELDS]) == row_of(answer("joker", deal, limits))
                kept += 1
    assert kept == 20


# --- Shorter lines ------------------------------------------------------------------------------------------


def limited(name, limits):
    """``limits``, with one on seconds where a search for shortest lines must have one."""
    return replace(limits, seconds=0.2) if find_variant(name).copies > 1 else limits


@every_improving
def test_improvements_are_told_as_they_come(name):
    """Lines get shorter, bounds rise, the two never cross, and every line reaches what it should."""
    variant = find_variant(name)
    state = variant.deal(WINNABLE[name])
    solved = answer(name, state)
    kernel, told = make(name, limited(name, Limits(nodes=30_000))), []
    kernel.improve(state, solved.moves, lambda moves, bound: told.append((tuple(moves), bound)))
    assert told
    for (one, low), (other, high) in pairwise(told):
        assert len(one) >= len(other)
        assert low <= high
    for moves, bound in told:
        assert 0 <= bound <= len(moves) <= len(solved.moves)
        end = verify.replay(variant, state, moves)
        if variant.scoring:
            assert variant.scoring.tier_of(variant.score(end), 52) == solved.tier
        else:
            assert variant.family.is_won(end)
    moves, bound = told[-1]
    assert kernel.limit_met is None or bound < len(moves)
    assert kernel.limit_met in ({"seconds"} if variant.copies > 1 else {None, "nodes"})
    assert kernel.limit_met is not None or bound == len(moves)


@every_improving
@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(nodes=0), "nodes"), (Limits(seconds=0), "seconds"), (Limits(megabytes=0), "memory")],
    ids=str,
)
def test_a_limit_leaves_the_line_that_there_was(name, limits, reason):
    variant = find_variant(name)
    state = variant.deal(WINNABLE[name])
    solved = answer(name, state)
    if variant.copies > 1 and reason == "nodes":
        limits, reason = Limits(seconds=0), "seconds"  # nodes do not count there
    result = improve(variant, state, solved, make(name, limits))
    assert (result.verdict, result.score, result.reason) == (solved.verdict, solved.score, reason)
    assert not result.shortest
    assert (result.lower_bound or 0) < len(result.moves) <= len(solved.moves)


@every_improving
def test_what_a_listener_raises_ends_the_search_for_shorter_lines(name):
    variant = find_variant(name)
    state = variant.deal(WINNABLE[name])
    solved = answer(name, state)

    def refuse(moves, bound):
        raise KeyError(bound)

    with pytest.raises(KeyError):
        make(name, limited(name, Limits(nodes=30_000))).improve(state, solved.moves, refuse)


@every_improving
def test_a_stopped_kernel_leaves_the_line_that_there_was(name):
    variant = find_variant(name)
    state = variant.deal(WINNABLE[name])
    solved = answer(name, state)
    kernel = make(name)
    kernel.stop()
    result = improve(variant, state, solved, kernel)
    assert result.reason == "interrupted" or result.shortest
    assert kernel.was_stopped
    assert (result.lower_bound or 0) <= len(result.moves) <= len(solved.moves)


@every_improving
def test_a_listener_may_stop_the_search_for_shorter_lines(name):
    variant = find_variant(name)
    state = variant.deal(WINNABLE[name])
    solved, kernel, told = answer(name, state), make(name), []

    def stop(result):
        told.append(result)
        kernel.stop()

    result = improve(variant, state, solved, kernel, stop)
    assert told
    assert (result.moves, result.lower_bound) == (told[-1].moves, told[-1].lower_bound)
    assert result.reason == (None if result.shortest else "interrupted")
    assert (result.lower_bound or 0) <= len(result.moves) <= len(solved.moves)


@every_improving
def test_short_decks_get_lines_as_short_as_the_reference_search_finds(name):
    variant, compared = find_variant(name), 0
    for seed in range(40 if variant.scoring else 150):
        ranks, suits, sizes = SHORT[name][seed % len(SHORT[name])]
        state = variant.deal(seed, ranks, suits, sizes)
        fast = find_shortest(variant, state, limited(name, Limits(nodes=20_000)))
        if variant.scoring:
            fewest = fewest_moves(variant, state, fast)
        else:
            slow = find_shortest(variant, state, Limits(nodes=400), engine="reference")
            if slow.reason is not None:
                continue
            assert slow.verdict is fast.verdict
            fewest = slow.moves and len(slow.moves)
        if not fewest:
            continue
        assert fast.lower_bound <= fewest <= len(fast.moves)
        assert fast.shortest == (fast.lower_bound == len(fast.moves))
        assert fast.shortest or variant.copies > 1
        compared += 1
    assert compared > 10


def fewest_moves(variant, state, found):
    """The fewest moves to the tier of ``found``, or without one to its score; None if they are too many."""
    family, layer, known = variant.family, [state], {variant.family.canonical(state)}

    def is_enough(here):
        score = variant.score(here)
        tier = variant.scoring.tier_of(score, here.deck.places)
        return tier == found.tier if found.tier != "none" else score >= found.score

    for made in range(200):
        if any(map(is_enough, layer)):
            return made
        following = {}
        for here in layer:
            for move in family.legal_moves(here):
                after = family.apply(here, move)
                following.setdefault(family.canonical(after), after)
        layer = [after for key, after in following.items() if key not in known]
        known |= set(following)
        if len(known) > 500 or not layer:
            return None
    return None


# --- What is refused ----------------------------------------------------------------------------------------


@every_variant
def test_states_of_other_variants_are_refused(name):
    variant, kernel, refused = find_variant(name), make(name), 0
    for other in VARIANTS.values():
        if other is variant:
            continue
        with pytest.raises(ValueError, match=r"."):
            decide(variant, other.deal(1), kernel)
        if other.family is not variant.family:
            with pytest.raises(ValueError, match=r"."):
                kernel.solve(other.deal(1))
            refused += 1
    assert refused >= 4
    state, whole = moderate(name)
    assert decide(variant, state, kernel) == whole


@every_variant
def test_batches_know_their_games(name):
    with pytest.raises(ValueError, match="no such game"):
        make(name).solve_seeds("poker", 1, 1)
