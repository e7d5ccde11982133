"""The program as a process: interrupts, pipes, terminals and the import of what it needs only."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from winnable.rules import find_variant
from winnable.rules.json_deals import deal_object
from winnable.solver import find_kernel

PROGRAM = [sys.executable, "-m", "winnable"]


def start(*args, **options):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    return subprocess.Popen([*PROGRAM, *map(str, args)], **pipes)


def test_the_program_answers_as_a_module():
    done = subprocess.run(
        [*PROGRAM, "solve", "chessboard", "--seed", "8", "--quiet"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "winnable\n", "")


@pytest.mark.parametrize("variant", ["simon-jester", "joker"])
def test_ctrl_c_ends_a_search_at_once_as_undecided(variant):
    process = start("solve", variant, "--seed", 1, "--engine", "reference", "--json")
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 2
    answer = json.loads(out)
    assert (process.returncode, answer["verdict"], answer["reason"]) == (3, "undecided", "interrupted")
    assert err == "winnable: interrupted\n"


def test_ctrl_c_among_many_deals_keeps_the_finished_ones(tmp_path):
    path = tmp_path / "deals.jsonl"
    variant = find_variant("chessboard")
    line = json.dumps(deal_object(variant, variant.deal(8), 8)) + "\n"
    path.write_text(line * 20000)
    process = start("solve", "chessboard", path, "--json")
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 3
    assert err == "winnable: interrupted\n"
    answers = [json.loads(text) for text in (first + out).splitlines()]
    assert 1 <= len(answers) < 20000
    assert {answer["verdict"] for answer in answers[:-1]} <= {"winnable"}


@pytest.mark.skipif(find_kernel(find_variant("simple-simon")) is None, reason="no compiled engine")
def test_ctrl_c_ends_the_shortening_of_hints_and_keeps_the_moves():
    process = start("hint", "simple-simon", "--seed", 1, "--shorten", 1000, "--json")
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 2
    assert (process.returncode, err) == (0, "winnable: interrupted\n")
    options = json.loads(out)["options"]
    assert "winnable" in {option["verdict"] for option in options}
    assert "interrupted" in {option["reason"] for option in options}


@pytest.mark.skipif(find_kernel(find_variant("joker")) is None, reason="no compiled engine")
def test_ctrl_c_before_the_first_deal_of_a_batch_is_done():
    process = start("rate", "joker", "--deals", "1-8", "--player", "search", "--visits", 10**9)
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 3
    assert out.startswith("# joker")
    assert err.startswith("winnable: interrupted after 0 of 8 deals")


@pytest.mark.skipif(find_kernel(find_variant("chessboard")) is None, reason="no compiled engine")
def test_ctrl_c_among_shortest_lines_keeps_the_finished_ones(tmp_path):
    path = tmp_path / "deals.jsonl"
    variant = find_variant("chessboard")
    path.write_text((json.dumps(deal_object(variant, variant.deal(2), 2)) + "\n") * 2000)
    process = start("solve", "chessboard", path, "--shortest", "--json")
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (3, "winnable: interrupted\n")
    answers = [json.loads(text) for text in (first + out).splitlines()]
    assert 1 <= len(answers) < 2000
    assert all(answer["shortest"] for answer in answers[:-1])


@pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")
@pytest.mark.parametrize("variant", ["chessboard", "fortress"])
def test_ctrl_c_ends_a_compiled_batch_at_once(variant):
    code = (
        "import sys; from winnable.solver import Limits\n"
        "from winnable.solver.chessboard import ChessboardKernel\n"
        "kernel = ChessboardKernel(Limits()); print(flush=True)\n"
        "print(len(kernel.solve_seeds(sys.argv[1], 1, 10**7)))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, variant], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, _ = process.communicate(timeout=20)
    assert time.monotonic() - began < 2
    assert 0 < int(out) < 10**7


THINK = ("hint", "joker", "--seed", 4, "--think", "--samples")
has_player = pytest.mark.skipif(find_kernel(find_variant("joker")) is None, reason="no compiled engine")


@has_player
def test_an_interrupt_of_longer_thought_keeps_what_is_finished():
    process = start(*THINK, 100_000, "--json")
    time.sleep(3.0)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 2
    finished = json.loads(out)["options"][0]["trial"]["samples"]
    assert (process.returncode, err) == (
        3,
        f"winnable: interrupted after {finished:,} of 100,000 shuffles\n",
    )
    assert 0 < finished < 100_000


@has_player
def test_an_interrupt_of_a_long_search_keeps_its_samples():
    process = start("hint", "joker", "--seed", 4, "--visits", 10**8, "--json")
    time.sleep(3.0)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 2
    samples = sum(option["visits"] for option in json.loads(out)["options"])
    assert samples > 1000
    assert (process.returncode, err) == (3, f"winnable: interrupted after {samples:,} samples\n")


@has_player
def test_an_interrupt_of_a_game_keeps_its_decisions():
    process = start("play", "joker", "--seed", 4, "--visits", 30_000, "--json")
    time.sleep(3.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    answer = json.loads(out)
    assert (process.returncode, err) == (3, "winnable: interrupted\n")
    assert [move for decision in answer["decisions"] for move in decision["moves"]] == answer["solution"]
    assert len(answer["solution"]) < 100


@has_player
def test_a_bar_of_longer_thought_is_shown_on_a_terminal_only():
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    process = start(*THINK, 2, stderr=slave)
    out, _ = process.communicate(timeout=60)
    os.close(slave)
    shown = b""
    with suppress(OSError):  # a terminal that nobody writes to any more
        while b"shuffles" not in shown:
            shown += os.read(master, 10000)
    os.close(master)
    assert b"shuffles" in shown
    assert start(*THINK, 2).communicate(timeout=60) == (out, "")


def test_a_reader_that_leaves_is_no_error():
    process = start("deal", "fortress", "--seed", 1, "--count", 100000)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=20) == -signal.SIGPIPE


def test_a_full_disk_gives_one_line():
    with open("/dev/full", "w") as full:
        process = start("deal", "fortress", "--seed", 1, stdout=full)
        assert process.stderr.read() == "winnable: output: No space left on device\n"


def test_solving_loads_neither_numpy_nor_a_progress_bar():
    code = "import sys; from winnable.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
    solve = ["solve", "chessboard", "--seed", "8", "--quiet"]
    for args in (solve, ["hint", "chessboard", "--seed", "8", "--json"]):
        done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True)
        assert not {"numpy", "tqdm"} & set(done.stdout.split())


@pytest.mark.skipif(find_kernel(find_variant("chessboard")) is None, reason="no compiled engine")
def test_improvements_are_shown_on_a_terminal_only():
    pty = pytest.importorskip("pty")
    args = ("solve", "chessboard", "--seed", 8, "--shortest")
    master, slave = pty.openpty()
    process = start(*args, stderr=slave)
    out, _ = process.communicate(timeout=20)
    os.close(slave)
    shown = os.read(master, 10000).decode()
    os.close(master)
    assert re.match(r"\d+ moves found, at least \d+ needed\r\n", shown)
    assert shown.endswith("69 moves, none shorter\r\n")
    assert "needed" not in out
    assert start(*args).communicate(timeout=20)[1] == ""


def on_a_terminal(*args, **environment):
    """What the program prints on a terminal."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    process = start(
        *args, stdout=slave, env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", **environment}
    )
    os.close(slave)
    shown = b""
    with suppress(OSError):  # the end, on Linux
        while piece := os.read(master, 10000):
            shown += piece
    os.close(master)
    process.communicate(timeout=20)
    return shown.decode().replace("\r\n", "\n")


def test_cards_have_signs_and_colours_on_a_terminal_only():
    args = ("deal", "joker", "--seed", 1)
    plain = start(*args).communicate(timeout=20)[0]
    assert plain.isascii()
    assert "\x1b" not in plain
    shown = on_a_terminal(*args, NO_COLOR="")
    assert "\x1b[34m\x1b[1m" in shown
    assert "\u2665" in shown
    assert on_a_terminal(*args, NO_COLOR="1") == plain
    assert on_a_terminal(*args, NO_COLOR="", TERM="dumb") == plain
    ascii_only = on_a_terminal(*args, NO_COLOR="", PYTHONIOENCODING="ascii")
    assert "\x1b[31m" in ascii_only
    assert ascii_only.isascii()
    uncoloured = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    piped = start("deal", "joker", "-", stdin=subprocess.PIPE).communicate(uncoloured, timeout=20)[0]
    assert piped == plain.replace(" seed 1", "")
    assert "\x1b" not in on_a_terminal(*args, "--json", NO_COLOR="")


def test_the_shell_can_complete_games_options_and_files():
    def completions(line, shell="bash"):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
        process = start(env={**os.environ, **words, "_WINNABLE_COMPLETE": f"{shell}_complete"})
        return process.communicate(timeout=20)[0].split()

    assert completions("winnable revi") == ["plain,review"]
    assert "plain,simple-simon" in completions("winnable solve simp")
    assert "plain,--pysol" in completions("winnable solve chessboard --p")
    assert [word.split(",")[0] for word in completions("winnable solve chessboard dea")] == ["file"]
    process = start(env={**os.environ, "_WINNABLE_COMPLETE": "bash_source"})
    assert "complete -o nosort -F" in process.communicate(timeout=20)[0]
