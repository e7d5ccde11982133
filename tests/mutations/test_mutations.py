"""The table of spoilt lines fits the sources; slow: every one of them is noticed by a quick test."""

import subprocess
import sys

import pytest
from tests.mutations.table import ROOT, Module, Mutant, faults, read_modules, read_table

TABLE = read_table()


def test_every_fragment_stands_in_its_source_once():
    assert len(TABLE) > 500
    assert faults(TABLE) == []


def test_every_module_has_mutants_and_quick_tests():
    modules = read_modules()
    assert {mutant.module.name for mutant in TABLE} == set(modules)
    for module in modules.values():
        assert module.tests
        assert all((ROOT / test).exists() for test in module.tests)


def test_a_reason_is_a_sentence():
    assert all(len(m.equivalent.split()) > 5 for m in TABLE if m.equivalent is not None)


def test_faults_of_the_table_are_named():
    module = Module("reason", (ROOT / "tests/mutations/table.py").relative_to(ROOT), ())
    good = Mutant(module, "good", "def spoil(", "def spoilt(")
    assert faults([good]) == []
    assert faults([good, good]) == ["reason: good: this name stands there twice"]
    assert faults([Mutant(module, "same", "def spoil(", "def spoil(")]) == [
        "reason: same: its spoilt form is the true one"
    ]
    missing, often = Mutant(module, "gone", "no such" + " line", ""), Mutant(module, "often", "return", "")
    assert "stands 0 times in" in faults([missing])[0]
    assert "often: its fragment stands" in faults([often])[0]


@pytest.mark.slow
def test_every_mutant_is_noticed():
    told = subprocess.run([sys.executable, "-m", "tests.mutations"], cwd=ROOT, capture_output=True, text=True)
    print(told.stdout)
    assert told.returncode == 0, told.stdout + told.stderr
