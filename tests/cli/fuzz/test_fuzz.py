"""Thousands of damaged files and odd command lines: no traceback, no hang, no wrong game, no lost file.

Each input is determined by its number: ``pytest -k 'an_input and 17]' tests/cli/fuzz`` repeats one.
WINNABLE_SEED=N makes other inputs, WINNABLE_INPUTS=N sets their number in the slow test.
"""

import os
import random

import pytest
from tests.cli.fuzz.judge import judge, snapshot
from tests.cli.fuzz.lines import random_line
from tests.cli.fuzz.samples import make_samples
from tests.compiled import needs_kernels

from winnable.solver.batch import bench as benchmark

QUICK = 150
SEED = os.environ.get("WINNABLE_SEED", "1")
INPUTS = int(os.environ.get("WINNABLE_INPUTS", "1000"))
HANG = 60  # seconds; a command line takes about a fiftieth of one

pytestmark = [pytest.mark.timeout(HANG), needs_kernels]


@pytest.fixture(scope="module")
def samples(run, tmp_path_factory):
    return make_samples(run, tmp_path_factory.mktemp("samples"))


@pytest.fixture
def bench_is_quick(monkeypatch):
    """Let `bench` compare files only, without searches."""
    row = benchmark.Row("chessboard", 300, 200, 100, 0, 1, 1, 1, 0.1)
    monkeypatch.setattr("winnable.cli.commands.bench.run", lambda: iter([row]))


@pytest.mark.quick(88)
@pytest.mark.usefixtures("bench_is_quick")
@pytest.mark.parametrize(
    "number", [*range(QUICK), *(pytest.param(QUICK + n, marks=pytest.mark.slow) for n in range(INPUTS))]
)
def test_an_input(run, samples, tmp_path, monkeypatch, number):
    """Make input ``number``, run it in a folder of its own, and check the outcome."""
    line = random_line(random.Random(f"{SEED} {number}"), samples)
    print(f"WINNABLE_SEED={SEED}, input {number}, in {tmp_path}: {line.args!r:.2000}")
    for name, content in line.files.items():
        (tmp_path / name).write_bytes(content)
    if line.stdin:
        (tmp_path / "<stdin>").write_bytes(line.stdin)
    (tmp_path / "old.html").write_text("an old page\n")
    (tmp_path / "target.html").write_text("an old page behind a link\n")
    (tmp_path / "link.html").symlink_to("target.html")
    (tmp_path / "dangling.html").symlink_to("nothing.html")
    before = snapshot(tmp_path)
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*line.args, stdin=line.stdin)
    print(f"exit status {status}\n--- stdout\n{out:.3000}\n--- stderr\n{err:.3000}")
    judge(line, status, out, err, before, snapshot(tmp_path))
