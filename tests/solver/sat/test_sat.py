"""The satisfiability solver against all assignments of a few variables."""

import ctypes
import itertools
import random
import threading

import pytest
from tests.deals import sizes

from winnable.rules import find_variant
from winnable.solver import Limits

sat = pytest.importorskip("winnable.solver.sat.cdcl")
simon = pytest.importorskip("winnable.solver.simon.kernel")


def holds(literal, values):
    return values[abs(literal) - 1] == (literal > 0)


def is_satisfied(clauses, values):
    return all(any(holds(literal, values) for literal in clause) for clause in clauses)


def random_clause(choice, variables, size):
    return [choice.choice([1, -1]) * v for v in choice.sample(range(1, variables + 1), size)]


def random_clauses(choice, variables, count):
    return [random_clause(choice, variables, choice.choice([1, 2, 3, 3, 3])) for _ in range(count)]


def test_answers_agree_with_all_assignments():
    choice = random.Random(3)
    kernel = simon.SimonKernel(Limits())
    refuted = 0
    for _ in range(600):
        variables = choice.randint(3, 9)
        clauses = random_clauses(choice, variables, choice.randint(1, 5 * variables))
        assumptions = random_clause(choice, variables, 3)
        wanted = [*clauses, *([literal] for literal in assumptions)]
        values, core = sat.find_values(kernel, variables, clauses, assumptions)
        every = [list(v) for v in itertools.product([False, True], repeat=variables)]
        if core is None:
            assert is_satisfied(wanted, values)
            continue
        refuted += 1
        assert set(core) <= set(assumptions)
        needed = [*clauses, *([literal] for literal in core)]
        assert not any(is_satisfied(needed, values) for values in every)
    assert 120 < refuted < 560


def pigeons_in(holes, pigeons):
    """The clauses that each pigeon is in a hole, and no two in one."""
    clauses = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(pigeons)]
    for hole in range(holes):
        for one, other in itertools.combinations(range(pigeons), 2):
            clauses.append([-(one * holes + hole + 1), -(other * holes + hole + 1)])
    return clauses


@pytest.mark.parametrize(("pigeons", "holes"), [(7, 6), (6, 6)])
def test_pigeons(pigeons, holes):
    """Many conflicts, restarts and clauses forgotten."""
    kernel, clauses = simon.SimonKernel(Limits()), pigeons_in(holes, pigeons)
    values, core = sat.find_values(kernel, pigeons * holes, clauses, [])
    assert (core == []) == (pigeons > holes)
    assert core is not None or is_satisfied(clauses, values)


# --- Memory -------------------------------------------------------------------------------------------------


MALLOC_FIELDS = ["arena", "free_chunks", "fast_chunks", "mapped_chunks", "mapped", "unused", "fast"]
MALLOC_FIELDS += ["used", "free", "top"]


class MallocInfo(ctypes.Structure):
    """The bytes in use, by mallinfo2 of the GNU C library."""

    _fields_ = [(name, ctypes.c_size_t) for name in MALLOC_FIELDS]


def allocated():
    """The bytes that are allocated in this process."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("the C library does not tell what is allocated")
    library.mallinfo2.restype = MallocInfo
    info = library.mallinfo2()
    if not info.used:
        pytest.skip("memory is allocated by another library")
    return info.used + info.mapped


def large_problem():
    """Satisfiable clauses of many variables: watches and variables take more than the clauses."""
    choice = random.Random(6)
    return 30_000, [random_clause(choice, 30_000, 3) for _ in range(60_000)]


@pytest.mark.full
def test_what_is_counted_is_what_is_allocated():
    kernel, told = simon.SimonKernel(Limits()), []
    variables, clauses = large_problem()
    before = allocated()
    values, _ = sat.find_values(
        kernel, variables, clauses, [], look=lambda counted: told.append((counted, allocated() - before))
    )
    assert is_satisfied(clauses, values)
    ((counted, measured),) = told
    assert counted > 80 * variables + 12 * len(clauses)
    assert 0.9 * counted - 100_000 < measured < counted + 100_000


@pytest.mark.full
def test_nothing_grows_beyond_the_limit():
    kernel, refused = simon.SimonKernel(Limits()), 0
    variables, clauses = large_problem()
    before = allocated()
    for max_bytes in (0, 1000, 10**5, 10**6, 3 * 10**6, 6 * 10**6, 10**7, 3 * 10**7):
        told = []

        def look(counted, told=told):
            told.append((counted, allocated() - before))

        try:
            values, core = sat.find_values(kernel, variables, clauses, [], max_bytes, look)
            assert core is None
            assert is_satisfied(clauses, values)
        except MemoryError:
            refused += 1
        ((counted, measured),) = told
        assert counted <= max_bytes
        assert measured < max_bytes + 100_000
    assert 4 <= refused <= 7
    del values
    assert allocated() - before < 100_000, "all is given back"


def test_an_answer_within_little_memory_is_right():
    """Learnt clauses, watches and cores end the search at any limit, but never with a wrong answer."""
    kernel, answers = simon.SimonKernel(Limits()), {"refuted": 0, "none": 0}
    for max_bytes in range(290_000, 500_000, 1997):
        try:
            assert sat.find_values(kernel, 42, pigeons_in(6, 7), [], max_bytes) == (None, [])
            answers["refuted"] += 1
        except MemoryError:
            answers["none"] += 1
    assert min(answers.values()) > 5


def watched(search):
    """The most bytes that are allocated at a time while ``search`` runs, beside those before it."""
    before, held, is_over = allocated(), [], threading.Event()

    def look():
        while not is_over.wait(0.001):
            held.append(allocated() - before)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        search()
    finally:
        is_over.set()
        thread.join()
    return max(held, default=0)


@pytest.mark.quick("simple-simon-6")
@pytest.mark.parametrize("megabytes", [6, 24])
@pytest.mark.parametrize("game", ["simon-jester", "simple-simon"])
def test_the_search_for_shorter_lines_keeps_to_its_memory(game, megabytes):
    """The bound, which stands on the solver, and the searches beside it."""
    state = find_variant(game).deal(1)
    moves = simon.SimonKernel(Limits()).solve(state).moves
    kernel = simon.SimonKernel(Limits(nodes=100_000, seconds=2, megabytes=megabytes))
    most = watched(lambda: kernel.prove_optimal(state, moves, lambda *_: None))
    assert 100_000 < most < 1e6 * megabytes + 300_000


@pytest.mark.parametrize(
    ("clauses", "assumptions", "problem"),
    [([[1, 4]], [], "variables up to 3"), ([], [-5], "variables up to 3"), ([], [2, 2], "twice")],
)
def test_literals_that_cannot_be_are_refused(clauses, assumptions, problem):
    with pytest.raises(ValueError, match=problem):
        sat.find_values(simon.SimonKernel(Limits()), 3, clauses, assumptions)


# --- What is before what ------------------------------------------------------------------------------------


def has_cycle(edges, values):
    """True if some of the events form a cycle."""
    left = {(one, other) for one, other, guards in edges if all(holds(guard, values) for guard in guards)}
    while True:
        waiting = {other for _, other in left}
        free = {edge for edge in left if edge[0] not in waiting}
        if not free:
            return bool(left)
        left -= free


def random_edges(choice, variables, events):
    """Edges, a few of them without guards, and these from smaller events to greater ones."""
    edges = []
    for _ in range(choice.randint(3, 5 * events)):
        one, other = choice.sample(range(events), 2)
        guards = random_clause(choice, variables, choice.choice([0, 1, 1, 2, 2, 3, 5]))
        edges.append((min(one, other), max(one, other), guards) if not guards else (one, other, guards))
    return edges


def compare_orders(choice, count):
    """Compare answers with all assignments; how many could not be had."""
    kernel = simon.SimonKernel(Limits())
    refuted = 0
    for _ in range(count):
        variables = choice.randint(5, 9)
        clauses = random_clauses(choice, variables, choice.randint(1, 3 * variables))
        edges = random_edges(choice, variables, choice.randint(2, 9))
        assumptions = random_clause(choice, variables, choice.randint(0, 3))
        values, core = sat.find_values(kernel, variables, clauses, assumptions, edges=edges)
        if core is None:
            assert is_satisfied([*clauses, *([literal] for literal in assumptions)], values)
            assert not has_cycle(edges, values)
            continue
        refuted += 1
        assert set(core) <= set(assumptions)
        needed = [*clauses, *([literal] for literal in core)]
        for every in itertools.product([False, True], repeat=variables):
            assert not is_satisfied(needed, every) or has_cycle(edges, every)
    return refuted


@sizes(full=600, slow=200_000)
def test_no_cycle_is_in_what_is_found(deals):
    assert 0.2 * deals < compare_orders(random.Random(17), deals) < 0.93 * deals


def test_an_event_is_not_before_itself():
    kernel = simon.SimonKernel(Limits())
    assert sat.find_values(kernel, 2, [], [1], edges=[(0, 0, [1])]) == (None, [1])


def test_what_would_close_a_cycle_is_made_false():
    """Without a clause that says so, and with a core of those that it takes."""
    kernel = simon.SimonKernel(Limits())
    edges = [(0, 1, [1]), (1, 2, []), (2, 3, [2]), (3, 0, [3, 4])]
    values, _ = sat.find_values(kernel, 5, [[3]], [1, 2, 5], edges=edges)
    assert values == [True, True, True, False, True]
    _, core = sat.find_values(kernel, 5, [[3], [4]], [5, 1, 2], edges=edges)
    assert set(core) == {1, 2}
