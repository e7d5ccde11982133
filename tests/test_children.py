"""Programs that tests start end with their test, and a stuck test fails."""

import signal
import sys
from pathlib import Path

import pytest
from tests.children import Child, end_children, start_code, start_until

from winnable.rules import find_variant
from winnable.solver.engine import find_kernel

ROOT = Path(__file__).parents[1]


def test_children_take_ctrl_c_where_the_tests_ignore_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = start_code(
            "import signal; print(signal.getsignal(signal.SIGINT), flush=True); signal.pause()"
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert "default_int_handler" in child.first_line()
    assert "KeyboardInterrupt" in child.interrupt()[1]


def test_what_a_child_has_started_is_ended_too():
    child = Child("bash", "-c", "sleep 1000 & echo started; wait")
    assert child.first_line() == "started\n"
    stdout = child.stdout
    child.stdout = None
    end_children()
    assert stdout.read() == "", "nobody holds the other end any more"
    stdout.close()
    assert child.returncode == -signal.SIGKILL


def test_a_program_that_ends_before_its_event_is_told():
    with pytest.raises(AssertionError, match="it ended before calls"):
        start_until("calls winnable.rules.simon legal_moves 5", "describe", "fortress")


STUCK = {
    "in Python": "while True: pass",
    "in a program": "Child('sleep', 1000).wait()",
    "in a search": "for _ in range(10**9): solve('joker', find_variant('joker').deal(4272))",
    "where no signal comes": "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM}); time.sleep(1000)",
}


@pytest.mark.full
@pytest.mark.parametrize("place", STUCK)
def test_a_test_that_is_stuck_fails_and_its_children_end(place, tmp_path):
    if place == "in a search" and find_kernel(find_variant("joker")) is None:
        pytest.skip("no compiled engine")
    (tmp_path / "conftest.py").write_text("import tests.conftest\ntests.conftest.ALLOWANCE = 1\n")
    (tmp_path / "test_stuck.py").write_text(
        "import signal, time\n"
        "from tests.children import Child\n"
        "from winnable.rules import find_variant\n"
        "from winnable.solver import solve\n\n"
        "def test_stuck():\n"
        "    Child('sleep', 1000, stdout=None)\n"
        f"    {STUCK[place]}\n"
    )
    options = ("-q", "-s", "-p", "tests.conftest", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml")
    command = (sys.executable, "-m", "pytest", *options, "-o", "timeout=1", tmp_path / "test_stuck.py")
    process = Child(*command, cwd=ROOT)
    out, err = process.finish()  # the remaining child would delay that
    assert process.returncode == 1
    if place == "where no signal comes":
        assert "test_stuck is stuck, and no signal ends it" in err
        assert "time.sleep" in err or "test_stuck.py" in err
    else:
        assert "Timeout" in out
        assert "1 failed" in out
