"""Ctrl-C at any moment from start to end: no traceback, and a status that fits the answer."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest
from tests.children import HANG, start, start_code, start_until
from tests.compiled import needs_kernels
from tests.deals import SEED, sizes

from winnable.cli import interrupts, main
from winnable.cli.commands import deal, describe
from winnable.cli.options import on_signals
from winnable.game.history import History

pytestmark = needs_kernels
SCRIPT = Path(__file__).parents[2] / "cli" / "winnable"
STARTS = {
    "module": "import runpy; runpy.run_module('winnable', run_name='__main__', alter_sys=True)",
    "script": f"exec(compile(open({str(SCRIPT)!r}).read(), 'winnable', 'exec'), {{}})",
}
KILLED = -signal.SIGINT  # killed before the program's handler was set; 130 in a shell
COMMANDS = [
    ("solve", "chessboard", "--seed", "8"), ("deal", "fortress", "--seed", "1", "--count", "3"),
    ("hint", "simple-simon", "--seed", "1", "--max-seconds", "0.2"),
    ("rate", "fortress", "--deals", "1-50", "--json"), ("describe", "--json"),
    ("solve", "chessboard", "--seed", "x"),
]  # fmt: skip


def child(start, prologue, *args, **options):
    """The program, started by ``start`` after the code ``prologue``, with SIGINT as before Python starts."""
    code = f"import signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL)\n{prologue}\n{STARTS[start]}"
    return start_code(code, *args, **options)


def begun(start, *args):
    """The program, once Python has begun to run it."""
    read, write = os.pipe()
    told = "import os; os.write(int(sys.argv.pop()), b'.')"
    process = child(start, told, *args, str(write), pass_fds=[write])
    os.close(write)
    os.read(read, 1)
    os.close(read)
    return process


def outcome(process):
    """The status, stdout and stderr of a program."""
    out, err = process.finish()
    return process.returncode, out, err


def check(status, out, err):
    assert "Traceback" not in err, err
    assert "Exception ignored" not in err, err
    assert status in (0, 2, main.UNDECIDED, interrupts.INTERRUPTED, KILLED), err
    if status == main.UNDECIDED:  # also if `deal` has found none
        assert out or err == "winnable: interrupted\n"
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
    """Interrupt ``count`` runs of the program, each at a call of a Python function."""
    print("seed", SEED)
    chance, seen = random.Random(SEED), set()
    for number in range(count):
        start, args = chance.choice(list(STARTS)), COMMANDS[number % len(COMMANDS)]
        _, _, err = outcome(child(start, COUNT, *args))
        call = int(chance.uniform(1, 1.02 * int(err.split()[-1])))
        status, out, err = outcome(child(start, AT_CALL.format(call=call), *args))
        print(start, *args, "at call", call, "gives", status)
        check(status, out, err)
        seen.add(status)
    return seen


@pytest.mark.full
def test_an_interrupt_at_any_call_is_quiet():
    assert interrupts.INTERRUPTED in interrupt_at_calls(9)


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


@pytest.mark.full
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


AT_LOOKUP = """
import signal, sys
def at_call(frame, event, _):
    if event == "call" and frame.f_code.co_name == "_find_and_load":
        name = frame.f_locals["name"]
        if "core.border" in name and name in sys.modules:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)
sys.setprofile(at_call)
"""


def test_an_interrupt_while_a_loaded_module_is_found_is_reported():
    status, out, err = outcome(child("script", AT_LOOKUP, "solve", "chessboard", "--seed", 8))
    assert (status, err) == (main.UNDECIDED, "winnable: interrupted\n")
    assert out.startswith("Verdict: ")


def test_the_command_sees_to_interrupts_before_its_first_import():
    for number in (1, 2, 3):
        assert outcome(child("script", AT_IMPORT.format(number=number), "describe")) == (130, "", "")


AT_ANY_TIME = {
    "module": [sys.executable, "-m", "winnable"],
    "script": [str(Path(sys.executable).with_name("winnable"))],
}


def as_usual():
    """Handle SIGINT as usual, even if the tests ignore it; `Child` would first start another Python."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


INTERPRETER = r"Fatal Python error: init|Could not import runpy|<frozen (runpy|zipimport)>|_get_module_lock"
OURS = r'File ".*(src|site-packages).winnable.|File ".*bin.winnable"'  # a line of a traceback in our files
# A traceback that ends in the first lines of the script, before it sees to interrupts.
FIRST_LINES = r'File ".*bin.winnable", line (\d|10), in <module>\n(    .*\n)*KeyboardInterrupt'


@pytest.mark.parametrize("start", AT_ANY_TIME)
@sizes(full=50, slow=1000)
def test_an_interrupt_after_any_time_is_quiet(start, deals):
    """Except during the start of Python itself, until the program has seen to interrupts."""
    if not shutil.which(AT_ANY_TIME[start][0]):
        pytest.skip("the program is not installed beside Python")
    print("seed", SEED)
    chance, seen = random.Random(SEED), Counter()
    for _ in range(deals):
        command = [*AT_ANY_TIME[start], "solve", "chessboard", "--seed", "8"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, preexec_fn=as_usual, **pipes) as process:
            time.sleep(chance.uniform(0, 0.3))
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=HANG)
        status = process.returncode
        is_early = re.search(INTERPRETER, err) and not re.search(OURS, err)
        if is_early or re.search(FIRST_LINES, err):
            seen["Python"] += 1
            continue
        check(status, out, err)
        seen[status] += 1
    print(seen)
    assert seen["Python"] < deals / 5


@pytest.mark.parametrize("start", STARTS)
def test_an_interrupt_that_is_ignored_at_the_start_stays_ignored(start):
    ignored = AT_CALL.replace("sys.setprofile(None)", "calls = 0").format(call=300)
    prologue = f"signal.signal(signal.SIGINT, signal.SIG_IGN)\n{ignored}"
    status, out, err = outcome(child(start, prologue, "solve", "chessboard", "--seed", "8", "--quiet"))
    assert (status, out, err) == (0, "winnable\n", "")


def test_a_batch_keeps_ignoring_what_is_ignored():
    prologue = "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    prologue += "from winnable.solver.batch.rate import RateRun; add = RateRun._add\n"
    prologue += "RateRun._add = lambda run, records: [signal.raise_signal(signal.SIGINT), add(run, records)]"
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

    monkeypatch.setattr(describe, "refilled", interrupted)
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
    code = "class Late:\n    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
    code += "from winnable.cli.commands import describe\nrefilled = describe.refilled\n"
    code += "describe.refilled = lambda text: [Late(), refilled(text)][1]"
    assert outcome(child("script", code, "describe", "joker")) == (interrupts.INTERRUPTED, "", "")


def test_the_first_modules_load_no_others():
    code = "import sys; before = set(sys.modules); import winnable.cli.interrupts, winnable.__main__;"
    code += "print(*sorted(set(sys.modules) - before))"
    names = {"winnable", "winnable.__main__", "winnable.cli", "winnable.cli.interrupts"}
    assert set(start_code(code).finish()[0].split()) == names


# --- Many at once -------------------------------------------------------------------------------------------


def storm(process, number=signal.SIGINT):
    """Interrupt a process again and again until it ends; return status, stdout and stderr."""
    with ThreadPoolExecutor() as pool:
        texts = [pool.submit(pipe.read) for pipe in (process.stdout, process.stderr)]
        ends = time.monotonic() + HANG
        while process.poll() is None:
            assert time.monotonic() < ends, "it goes on"
            process.send_signal(number)
            time.sleep(0.0005)  # leaves the program some time to work
        return process.returncode, *(text.result() for text in texts)


@pytest.mark.parametrize("args", COMMANDS, ids=[f"{args[0]}-{args[-1]}" for args in COMMANDS])
def test_a_storm_from_the_first_moment_is_quiet(args):
    check(*storm(begun("script", *args)))


LONG_SEARCH = ("calls winnable.rules.joker legal_moves 1000", "solve", "joker", "--seed", 1, "--json")
LONG_SEARCH += ("--engine", "reference")


def test_a_storm_is_answered_as_one_interrupt():
    status, out, err = storm(start_until(*LONG_SEARCH))
    assert (status, err) == (main.UNDECIDED, "winnable: interrupted\n")
    assert json.loads(out)["reason"] == "interrupted"


@pytest.mark.full
def test_a_storm_ends_the_benchmark():
    begun = "calls winnable.solver.batch.bench _measured 2"
    status, out, err = storm(start_until(begun, "bench", "--json"))
    assert (status, err) == (main.UNDECIDED, "winnable: interrupted\n")
    assert json.loads(out)["rows"][0]["game"] == "chessboard"


@pytest.mark.quick("2-3")
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, main.UNDECIDED), (signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGHUP, 129)],
)
def test_a_storm_keeps_the_game_that_is_played(tmp_path, number, status):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("the tests were started where this signal is ignored, as by nohup")
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    process = start("play", "chessboard", "--seed", 8, stdin=subprocess.PIPE, env=environment)
    process.stdin.write("judge off\nauto\nhint\n7H 6-f\n")
    process.stdin.flush()
    while not process.first_line().startswith("1. "):
        pass
    ended, _, err = storm(process, number)
    assert ended == status
    assert "Traceback" not in err
    games = History(tmp_path / "winnable" / "history.sqlite").games()
    assert [game["moves"] for game in games] == [1]


def test_a_request_to_end_ends_a_search():
    process = start_until(*LONG_SEARCH)
    assert process.interrupt(signal.SIGTERM) == ("", "")
    assert process.returncode == 128 + signal.SIGTERM


def test_handlers_are_there_to_the_end():
    """At its end Python removes its handlers; an interrupt would then kill the process."""
    late = "import weakref\nclass Last: pass\nlast = Last()\nsys.last = last\n"
    late += "weakref.finalize(last, signal.raise_signal, signal.SIGINT)\n"
    late += "import atexit; atexit.register(lambda: signal.raise_signal(signal.SIGINT))"
    status, out, err = outcome(child("script", late, "describe"))
    assert (status, err) == (0, "")
    assert out
