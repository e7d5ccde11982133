"""Ctrl-C at any moment from the first to the last: no traceback, and a status that tells what there is."""

import json
import os
import random
import signal
import time
from itertools import islice

import pytest
from tests.children import start_code

from winnable.cli import deal, describe, interrupts, main
from winnable.cli.options import on_signals
from winnable.rules import find_variant
from winnable.solver import find_kernel

STARTS = {
    "module": "import runpy; runpy.run_module('winnable', run_name='__main__', alter_sys=True)",
    "script": "from winnable.__main__ import main; sys.exit(main())",
}
KILLED = -signal.SIGINT  # before the program had any say; 130 to a shell
COMMANDS = [
    ("solve", "chessboard", "--seed", "8"),
    ("deal", "fortress", "--seed", "1", "--count", "3"),
    ("hint", "simple-simon", "--seed", "1", "--max-seconds", "0.2"),
    ("rate", "fortress", "--deals", "1-50", "--json"),
    ("describe", "--json"),
    ("solve", "chessboard", "--seed", "x"),
]
compiled = pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")


def child(start, prologue, *args, **options):
    """The program, begun by ``start`` after ``prologue``, with SIGINT as it is before Python starts."""
    code = f"import signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL)\n{prologue}\n{STARTS[start]}"
    return start_code(code, *args, **options)


def outcome(process):
    """Its status, stdout and stderr."""
    out, err = process.finish()
    return process.returncode, out, err


def check(status, out, err):
    assert "Traceback" not in err, err
    assert "Exception ignored" not in err, err
    assert status in (0, 2, main.UNDECIDED, interrupts.INTERRUPTED, KILLED), err
    if status == main.UNDECIDED:
        assert out
    if status == interrupts.INTERRUPTED:
        assert err in ("", "winnable: interrupted\n")


AT_CALL = """
import os
calls = 0
def note(frame, event, arg):
    global calls
    if event == "call":
        calls += 1
        if calls == {call}:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)
sys.setprofile(note)
"""
COUNT = AT_CALL.format(call=-1) + "\nimport atexit; atexit.register(lambda: print(calls, file=sys.stderr))"


def interrupt_at_calls(count):
    """Interrupt ``count`` runs of the program, each as Python calls one of its functions."""
    seed = random.randrange(10**6)
    print("seed", seed)
    chance = random.Random(seed)
    seen = set()
    for number in range(count):
        start, args = chance.choice(list(STARTS)), COMMANDS[number % len(COMMANDS)]
        _, _, err = outcome(child(start, COUNT, *args))
        call = int(chance.uniform(1, 1.02 * int(err.split()[-1])))
        status, out, err = outcome(child(start, AT_CALL.format(call=call), *args))
        print(start, *args, "at call", call, "gives", status)
        check(status, out, err)
        seen.add(status)
    return seen


@compiled
def test_an_interrupt_at_any_call_is_quiet():
    assert interrupts.INTERRUPTED in interrupt_at_calls(18)


@compiled
@pytest.mark.slow
def test_an_interrupt_at_very_many_calls_is_quiet():
    assert interrupt_at_calls(1500) >= {0, main.UNDECIDED, interrupts.INTERRUPTED}


AT_IMPORT = """
imports = 0
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        global imports
        imports += 1
        if imports == {number}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder)
"""


@compiled
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("args", [COMMANDS[0], COMMANDS[3]], ids=["solve", "rate"])
def test_an_interrupt_in_the_middle_of_an_import_is_quiet(start, args):
    statuses = []
    for number in (1, 2, 3, 5, 8, 14, 23, 40, 70, 120, 10**6):
        status, out, err = outcome(child(start, AT_IMPORT.format(number=number), *args))
        check(status, out, err)
        assert status in (0, interrupts.INTERRUPTED, KILLED)
        assert status == 0 or (out, err) == ("", "")
        statuses.append(status)
    assert interrupts.INTERRUPTED in statuses
    assert statuses[-1] == 0


def test_delays_from_none_to_a_third_of_a_second():
    """As a person interrupts: at some time after the start of Python, whatever runs then."""
    told = "import os; os.write(int(sys.argv.pop()), b'.')"
    statuses = []
    for step in range(24):
        read, write = os.pipe()
        args = COMMANDS[step % len(COMMANDS)]
        process = child(["module", "script"][step % 2], told, *args, str(write), pass_fds=[write])
        os.close(write)
        os.read(read, 1)
        os.close(read)
        time.sleep(0.3 * step / 23)
        process.send_signal(signal.SIGINT)
        statuses.append(outcome(process))
        check(*statuses[-1])
    assert {status for status, _, _ in statuses} & {interrupts.INTERRUPTED, KILLED}


@pytest.mark.parametrize("start", STARTS)
def test_an_interrupt_that_is_ignored_at_the_start_stays_ignored(start):
    ignored = AT_CALL.replace("sys.setprofile(None)", "calls = 0").format(call=300)
    prologue = f"signal.signal(signal.SIGINT, signal.SIG_IGN)\n{ignored}"
    status, out, err = outcome(child(start, prologue, "solve", "chessboard", "--seed", "8", "--quiet"))
    assert (status, out, err) == (0, "winnable\n", "")


@compiled
def test_a_batch_keeps_ignoring_what_is_ignored():
    prologue = (
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from winnable.solver import rate\n"
        "add = rate.RateRun._add\n"
        "def interrupted(self, records): signal.raise_signal(signal.SIGINT); add(self, records)\n"
        "rate.RateRun._add = interrupted"
    )
    status, out, err = outcome(child("module", prologue, "rate", "fortress", "--deals", "1-500", "--json"))
    assert (status, err, json.loads(out)["deals"]) == (0, "", 500)


def test_handlers_of_a_command_leave_ignored_signals_alone():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with on_signals(lambda: pytest.fail("it was told")):
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_without_any_answer_the_status_is_that_of_an_interrupt(run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(describe, "_rules", interrupted)
    assert run("describe", "joker") == (interrupts.INTERRUPTED, "", "winnable: interrupted\n")


def test_with_part_of_an_answer_the_status_is_undecided(run, monkeypatch):
    texts = deal.write_deals

    def interrupted(*args, **options):
        yield from islice(texts(*args, **options), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(deal, "write_deals", interrupted)
    status, out, err = run("deal", "fortress", "--seed", 1, "--count", 3)
    assert (status, err) == (main.UNDECIDED, "winnable: interrupted\n")
    assert out.startswith("# ")


def test_an_interrupt_after_the_answer_changes_nothing():
    late = "import atexit; atexit.register(lambda: signal.raise_signal(signal.SIGINT))"
    for args, expected in ((("describe",), 0), (("describe", "poker"), 2)):
        status, _, err = outcome(child("script", late, *args))
        assert status == expected
        assert "Traceback" not in err


def test_an_interrupt_that_nobody_could_raise_is_not_lost():
    code = (
        "class Late:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
        "from winnable.cli import describe\n"
        "rules = describe._rules\n"
        "def late(variant): Late(); return rules(variant)\n"
        "describe._rules = late"
    )
    assert outcome(child("script", code, "describe", "joker")) == (interrupts.INTERRUPTED, "", "")


def test_the_first_modules_load_no_others():
    code = "import sys; before = set(sys.modules); import winnable.cli.interrupts, winnable.__main__;"
    code += "print(*sorted(set(sys.modules) - before))"
    names = {"winnable", "winnable.__main__", "winnable.cli", "winnable.cli.interrupts"}
    assert set(start_code(code).finish()[0].split()) == names
