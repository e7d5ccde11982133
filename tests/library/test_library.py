"""The library of winnable.h: the same answers from C, from WebAssembly and from Python, and refusals."""

import random
import subprocess
import sys

import pytest
from tests.children import HANG
from tests.compiled import SEARCHED, needs_kernels, searched_options
from tests.deals import SEED
from tests.library.building import HERE, ROOT, built, compiled_program
from tests.native import load

from winnable.rules import chessboard, find_variant
from winnable.solver import Limits
from winnable.solver.engine import find_kernel
from winnable.solver.result import REASONS

FIRST, COUNT, NODES, WORK = 4_000_000, 300, 3000, 10_000
VERDICTS = {False: 0, True: 1, None: 2}
PLACES = {chessboard.FOUNDATION: -3}
pytestmark = [needs_kernels, pytest.mark.full]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A program of this folder, linked with the library."""
    folder = tmp_path_factory.mktemp("library")

    def compiled(name):
        return compiled_program(name, folder)

    return compiled


def fields(move, family):
    """A move as winnable.h has it."""
    target = PLACES.get(move.target, move.target) if family == "chessboard" else move.target
    numbers = [move.source, target, getattr(move, "count", 1)]
    named = [getattr(move, name, None) for name in ("suit", "rank")]
    return ",".join(map(str, [*numbers, *(-1 if number is None else number for number in named)]))


def row(kernel, family, number, state):
    """A row of signature.c, by ``kernel``."""

    def line_of(moves):
        return [fields(move, family) for move in moves]

    found = kernel.solve(state)
    line = found.moves or ()
    numbers = [number, VERDICTS[found.won], REASONS.index(found.reason), kernel.expanded, kernel.generated]
    numbers += [kernel.work, *scores(found), int(found.moves is not None)]
    words = [*numbers, *line_of(line)]
    if line and found.reason is None:
        told = []
        kernel.prove_optimal(state, line, lambda *best: told.append(best))
        best, bound = told[-1] if told else (line, 0)
        words += ["|", REASONS.index(kernel.limit_met), kernel.expanded, bound, int(len(best) == bound), 1]
        words += line_of(best)
    if found.won is False and kernel.SCORES_LOST:
        found = kernel.solve_score(state)
        words += ["/", REASONS.index(found.reason), kernel.expanded, *scores(found), 1, *line_of(found.moves)]
    return " ".join(map(str, words))


def scores(found):
    """The score of a result, its bound, and whether it is exact."""
    score, bound = (-1 if score is None else score for score in (found.score, found.score_bound))
    return score, bound, int(bool(found.exact))


def kernel_of(name):
    """The kernel of a game with the limits of these tests."""
    return find_kernel(find_variant(name))(Limits(nodes=NODES, megabytes=None, work=WORK))


def by_c_and_webassembly(name, program, arguments=(), positions=""):
    """The lines that signature.c and signature.mjs print."""
    wasm = built("winnable.wasm", "node")
    for command in ([program("signature")], ["node", str(HERE / "signature.mjs"), str(wasm)]):
        command += [name, str(NODES), str(WORK), *arguments]
        done = subprocess.run(
            command, input=positions, capture_output=True, text=True, timeout=HANG, check=True
        )
        yield done.stdout.splitlines()


@pytest.mark.parametrize("name", SEARCHED)
def test_deals_have_the_same_answers_from_c_webassembly_and_python(name, program):
    variant, kernel = find_variant(name), kernel_of(name)
    seeds = range(FIRST, FIRST + COUNT)
    expected = [row(kernel, variant.packed, seed, variant.deal(seed)) for seed in seeds]
    for given in by_c_and_webassembly(name, program, (str(FIRST), str(COUNT))):
        assert given == expected


@pytest.mark.parametrize("name", SEARCHED)
def test_positions_in_play_have_the_same_answers_under_all_rule_options(name, program):
    variant, kernel, chance = find_variant(name), kernel_of(name), random.Random(SEED)
    options = searched_options(name)
    states = []
    for seed in range(100):
        rules = {option: chance.choice(values) for option, values in options.items()}
        state = variant.deal(FIRST + seed, choices=rules or None)
        for _ in range(chance.randrange(60)):
            moves = variant.family.legal_moves(state)
            state = variant.family.apply(state, chance.choice(moves)) if moves else state
        states.append(state)
    expected = [row(kernel, variant.packed, number, state) for number, state in enumerate(states)]
    tables = "".join(f"{load('tables').table_of(state, variant.packed).hex()}\n" for state in states)
    for given in by_c_and_webassembly(name, program, positions=tables):
        assert given == expected, f"WINNABLE_TEST_SEED={SEED}"


def test_damaged_positions_are_refused_or_searched(program):
    done = subprocess.run(
        [program("damaged"), "2000", "7"], capture_output=True, text=True, timeout=HANG, check=True
    )
    accepted = dict(line.split() for line in done.stdout.splitlines())
    assert list(accepted) == list(SEARCHED)
    assert all(0 < int(number) < 2000 for number in accepted.values())


@pytest.mark.parametrize("module", ["web.library", "web.build"])
def test_arguments_are_refused_in_a_line(module):
    command = [sys.executable, "-m", module, "rubbish"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "expected no arguments, got rubbish\n"


def test_the_library_has_all_games():
    from winnable.solver.core.border import games  # not where it is not compiled

    assert sorted(games()) == sorted(SEARCHED)
