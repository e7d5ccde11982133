"""The tables of equivalent mutants fit the sources, and the operators make the mutants they name."""

from itertools import islice
from pathlib import Path

from tests.mutations import operators
from tests.mutations.sample import interval, reaching_tests, sample
from tests.mutations.table import ROOT, Module, Mutant, faults, read_table

TABLE = read_table()
EXAMPLE = """
cdef int count(Game* game, int left=0) noexcept nogil:
    kept: list[int]
    cdef int n = 0, total = game.size - 1 if left else game.size
    while n < 2:
        n += 1
    if game.wrap and (<uint8_t*>&game.size)[n] >> 2 or not left:
        return ~n & 3
    elif n not in (1, 2):
        invariant(n == 3)
        break
    return f(key=[left or n for n in row if n], other=left)
"""
MUTANTS = """
drop: cdef int n = 0, total = 1 if left else game.size
drop: cdef int n = 0, total = game.size if left else game.size
drop: if game.wrap and 2 or not left:
drop: if game.wrap and (<uint8_t*>&game.size)[n] or not left:
drop: if (<uint8_t*>&game.size)[n] >> 2 or not left:
drop: if game.wrap or not left:
drop: if not left:
drop: if game.wrap and (<uint8_t*>&game.size)[n] >> 2:
drop: return 3
drop: return ~n
drop: return f(key=[n for n in row if n], other=left)
drop: return f(key=[left for n in row if n], other=left)
keep: cdef int n = 0, total = game.size - 1
keep: cdef int n = 0, total = game.size
false: while False:
false: if False:
false: elif False:
true: while True:
true: if True:
true: elif True:
skip: pass
skip: pass
skip: pass
returns: return False
returns: return True
returns: return False
returns: return True
flip: while n <= 2:
flip: while n >= 2:
swap: cdef int n = 0, total = game.size + 1 if left else game.size
swap: n -= 1
swap: if game.wrap and (<uint8_t*>&game.size)[n] << 2 or not left:
swap: if game.wrap or (<uint8_t*>&game.size)[n] >> 2 or not left:
swap: if game.wrap and (<uint8_t*>&game.size)[n] >> 2 and not left:
swap: return ~n | 3
swap: continue
swap: return f(key=[left and n for n in row if n], other=left)
bare: if game.wrap and (<uint8_t*>&game.size)[n] >> 2 or left:
bare: return n & 3
"""


def test_every_mutant_has_one_place_in_its_source():
    assert len(TABLE) > 60
    assert faults(TABLE) == []


def test_rows_name_tests_that_are_there_and_reasons_in_words():
    for module in {mutant.module for mutant in TABLE}:
        assert module.tests
        assert all((ROOT / test).exists() for test in module.tests)
    assert all(len(mutant.equivalent.split()) > 5 for mutant in TABLE)


def test_faults_of_a_table_are_named(tmp_path):
    source = tmp_path / "source.py"
    source.write_text("def f(x, y):\n    if x and y:\n        return x or y\n    return y\n")
    module = Module(source, ())

    def fault(*fields, **others):
        told = "".join(faults([Mutant(module, "m", *fields, **others)]))
        return told.replace(str(source), "source.py").removeprefix("source.py: m: expected ")

    assert fault("drop", "x", at="return x") == fault("returns", "None", at="return y") == ""
    assert fault("true", "if x") == fault("skip", "if x") == ""
    assert fault("drop", "x", at="if x") == "drop once for 'x' at 'if x', got it 2 times"
    assert fault("from", "x and", to="x and") == "a change, got the source"
    assert fault("drop", "x") == "drop once for 'x', got it 2 times"
    assert fault("drop", "x", at="return y") == "drop once for 'x' at 'return y', got it 0 times"
    assert fault("skip", "return") == "'return' once in source.py, got it 2 times"
    assert fault("from", "z", to="") == "'z' once in source.py, got it 0 times"
    assert fault("false", "return y") == "false once for 'return y', got it 0 times"


def test_operators():
    found = [
        f"{edit.operator}: {edit.apply(EXAMPLE)[statement.start :].splitlines()[0]}"
        for statement in operators.statements(EXAMPLE)
        for edit in operators.edits(EXAMPLE, statement)
    ]
    assert sorted(line for line in found if not line.startswith("step")) == sorted(MUTANTS.split("\n")[1:-1])
    assert sum(line.startswith("step") for line in found) == 15


def test_a_sample_is_repeated_by_its_seed():
    first = list(islice(sample(7, ROOT), 8))
    assert first == list(islice(sample(7, ROOT), 8)) != list(islice(sample(8, ROOT), 8))
    assert len(set(first)) == 8
    simon = list(islice(sample(7, ROOT, ["solver/simon/replay.pxd"]), 30))
    assert {mutant.path for mutant in simon} == {Path("solver/simon/replay.pxd")}
    assert not any("source == target" in str(mutant) and mutant.edit.operator == "drop" for mutant in simon)
    for mutant in [*first, *simon]:
        assert mutant.edit.apply(mutant.source) != mutant.source
        assert str(mutant).startswith(f"{mutant.path}:")


def test_reaching_tests_a_source_begin_with_the_nearest():
    near, others = reaching_tests(Path("solver/simon/beam.pxi"))
    assert near[-1] == "tests/solver/simon"
    assert others.index("tests/solver") < others.index("tests/cli")
    assert all((ROOT / test).exists() for test in (*near, *others))


def test_the_interval_of_a_share():
    low, high = interval(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)
