"""The program as a process: interrupts, pipes, terminals, and imports limited to what is needed."""

import json
import os
import re
import signal

import pytest
from tests.children import HANG, Terminal, start, start_code, start_until
from tests.compiled import needs_kernels
from tests.deals import deals_file

from winnable.solver.core.processors import count_processors

pytestmark = needs_kernels

# None of these searches would end by itself. The tests of the searches check, by counting states, that an
# interrupt ends them at once.


@pytest.mark.quick("2-2000-options1")
@pytest.mark.parametrize(("seed", "count", "options"), [(8, 20_000, []), (2, 2000, ["--shortest"])])
def test_ctrl_c_among_many_deals_keeps_the_finished_ones(tmp_path, seed, count, options):
    path = deals_file(tmp_path, "chessboard", [seed] * count)
    process = start("solve", "chessboard", path, *options, "--json")
    first = process.first_line()
    out, err = process.interrupt()
    assert (process.returncode, err) == (3, "winnable: interrupted\n")
    answers = [json.loads(text) for text in (first + out).splitlines()]
    assert 1 <= len(answers) < count
    told = {(answer["verdict"], answer["shortest"]) for answer in answers[:-1]}
    assert told <= {("winnable", bool(options))}


def test_ctrl_c_ends_the_shortening_of_hints_and_keeps_the_moves():
    begun = "spends winnable.solver.analysis.moves optimize 0.1"
    process = start_until(begun, "hint", "simple-simon", "--seed", 1, "--shorten", 10**9, "--json")
    out, err = process.interrupt()
    assert (process.returncode, err) == (0, "winnable: interrupted\n")
    answer = json.loads(out)
    assert "winnable" in {option["verdict"] for option in answer["options"]}
    assert answer["reason"] == "interrupted"


def test_ctrl_c_before_the_first_deal_of_a_batch_is_done():
    begun = "counts winnable.solver.player.player find_player_kernel iterations 1000"
    options = ("--player", "search", "--visits", 10**9)
    process = start_until(begun, "rate", "joker", "--deals", "1-8", *options)
    out, err = process.interrupt()
    assert process.returncode == 3
    assert out.startswith("# joker")
    assert err.startswith("winnable: interrupted after 0 of 8 deals")


MANY = 10**7
BATCH = f"""
import sys, threading
from winnable.rules import find_variant
from winnable.solver import Limits
from winnable.solver.engine import find_kernel

def tell_of_finished_deals():
    finished = states = 0
    while finished < 20:
        before, states = states, kernel.expanded
        finished += states < before
    print(flush=True)

kernel = find_kernel(find_variant(sys.argv[1]))(Limits())
threading.Thread(target=tell_of_finished_deals).start()
print(len(kernel.solve_seeds(sys.argv[1], 1, {MANY})))
"""


@pytest.mark.full
@pytest.mark.parametrize("variant", ["chessboard", "fortress"])
def test_ctrl_c_ends_a_compiled_batch_at_once(variant):
    process = start_code(BATCH, variant)
    process.first_line()
    out, err = process.interrupt()
    assert (process.returncode, err) == (0, "")
    assert 0 < int(out) < MANY


THINK = ("hint", "joker", "--seed", 4, "--think", "--samples")


def test_an_interrupt_of_longer_thought_keeps_what_is_finished():
    games = 4 * count_processors() + 1  # with four moves to try, one shuffle finishes before that
    process = start_until(f"calls winnable.solver.player.trials play_game {games}", *THINK, 100_000, "--json")
    out, err = process.interrupt()
    finished = json.loads(out)["options"][0]["trial"]["samples"]
    assert (process.returncode, err) == (3, f"winnable: interrupted after {finished:,} of 100,000 shuffles\n")
    assert 0 < finished < 100_000


def test_an_interrupt_of_a_long_search_keeps_its_samples():
    begun = "counts winnable.solver.player.player find_player_kernel iterations 2000"
    process = start_until(begun, "hint", "joker", "--seed", 4, "--visits", 10**9, "--json")
    out, err = process.interrupt()
    samples = sum(option["visits"] for option in json.loads(out)["options"])
    assert samples > 1000
    assert (process.returncode, err) == (3, f"winnable: interrupted after {samples:,} samples\n")


def test_an_interrupt_of_a_game_keeps_its_decisions():
    begun = "calls winnable.solver.player.player Decision 3"
    process = start_until(begun, "simulate", "joker", "--seed", 4, "--visits", 30_000, "--json")
    out, err = process.interrupt()
    answer = json.loads(out)
    assert (process.returncode, err) == (3, "winnable: interrupted\n")
    assert [move for decision in answer["decisions"] for move in decision["moves"]] == answer["moves"]
    assert len(answer["decisions"]) >= 2
    assert len(answer["moves"]) < 100


@pytest.mark.full
def test_a_bar_of_longer_thought_is_shown_on_a_terminal_only():
    terminal = Terminal()
    out, _ = start(*THINK, 1, stderr=terminal.descriptor).finish()
    assert "shuffles" in terminal.shown()
    assert start(*THINK, 1).finish() == (out, "")


def test_a_reader_that_leaves_is_no_error():
    process = start("deal", "fortress", "--seed", 1, "--count", 100000)
    process.first_line()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=HANG) == -signal.SIGPIPE


def test_improvements_are_shown_on_a_terminal_only():
    args = ("solve", "chessboard", "--seed", 8, "--shortest")
    terminal = Terminal()
    out, _ = start(*args, stderr=terminal.descriptor).finish()
    shown = terminal.shown()
    assert re.match(r"\d+ moves \(the shortest has \d+ to \d+\)\n", shown)
    assert shown.endswith("69 moves (shortest possible)\n")
    assert "needed" not in out
    assert start(*args).finish()[1] == ""


@pytest.mark.full
def test_the_shell_can_complete_games_options_and_files():
    def completions(line, shell="bash"):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
        process = start(env={**os.environ, **words, "_WINNABLE_COMPLETE": f"{shell}_complete"})
        return process.finish()[0].split()

    assert completions("winnable revi") == ["plain,review"]
    assert "plain,simple-simon" in completions("winnable solve simp")
    assert "plain,--pysol" in completions("winnable solve chessboard --p")
    assert [word.split(",")[0] for word in completions("winnable solve chessboard dea")] == ["file"]
    process = start(env={**os.environ, "_WINNABLE_COMPLETE": "bash_source"})
    assert "complete -o nosort -F" in process.finish()[0]
