"""The satisfiability solver against all assignments of a few variables."""

import itertools
import random

import pytest

from winnable.solver import Limits

sat = pytest.importorskip("winnable.solver.sat")
simon = pytest.importorskip("winnable.solver.simon")


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
    for _ in range(1500):
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
    assert 300 < refuted < 1400


@pytest.mark.parametrize(("pigeons", "holes"), [(7, 6), (6, 6)])
def test_pigeons(pigeons, holes):
    """Many conflicts, restarts and clauses forgotten."""
    kernel = simon.SimonKernel(Limits())
    clauses = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(pigeons)]
    for hole in range(holes):
        for one, other in itertools.combinations(range(pigeons), 2):
            clauses.append([-(one * holes + hole + 1), -(other * holes + hole + 1)])
    values, core = sat.find_values(kernel, pigeons * holes, clauses, [])
    assert (core == []) == (pigeons > holes)
    assert core is not None or is_satisfied(clauses, values)
