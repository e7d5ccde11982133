"""The progress line of a long search on a terminal, and its removal."""

import json
import os
import re
import subprocess
import sys

import pytest
from tests.children import HANG, Child, Terminal, start, wait_until
from tests.compiled import needs_kernels
from tests.deals import deals_file

from winnable.cli.progress import line_text
from winnable.rules import find_variant
from winnable.solver.progress import Progress

fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
LONG = ("simple-simon", "--seed", 141684)  # not decided in hours
LINE = r"[\w*: -]+: [\d.,]+[kMGT]? (?:states|samples)[^\r\n]*"


class Watched(Terminal):
    """The program on a terminal of its own, with the output shown there.

    ``stdout`` is another place for the answers; ``program`` is run in place of the command line.
    """

    def __init__(self, *args, columns=100, stdout=None, program=("-m", "winnable")):
        super().__init__(columns)
        self.process = Child(
            *(sys.executable, *program, *args),
            stdin=self.descriptor,
            stdout=self.descriptor if stdout is None else stdout,
            stderr=self.descriptor,
            env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # makes Ctrl-C reach the program
        )

    def wait_for(self, pattern):
        """Wait until the terminal shows text that matches."""
        wait_until(lambda: re.search(pattern, b"".join(self.pieces).decode()))

    def end(self):
        """Wait for the end; return the exit status."""
        status = self.process.wait(HANG)
        self.text = self.shown()
        return status

    def lines(self):
        """The progress lines shown, in order."""
        return [line.rstrip() for line in re.findall(rf"(?<=\r){LINE}(?=\r)", self.text)]

    def screen(self):
        """The rows on the screen at the end."""
        rows, column = [""], 0
        for sign in self.text:
            if sign == "\n":
                rows.append("")
                column = 0
            elif sign == "\r":
                column = 0
            else:
                assert sign.isprintable()
                rows[-1] = rows[-1][:column].ljust(column) + sign + rows[-1][column + 1 :]
                column += 1
        return [row.rstrip() for row in rows]


def is_erased(terminal):
    """Test if a progress line was shown and erased, together with the ^C that the terminal shows."""
    screen = "\n".join(terminal.screen())
    assert terminal.lines()
    return "^C" not in screen and not any(line in screen for line in terminal.lines())


@pytest.mark.full
@needs_kernels
def test_answers_and_the_line_do_not_mix_on_one_terminal(tmp_path):
    args = ("solve", "simple-simon", deals_file(tmp_path, "simple-simon", [141684, 6, 141684, 1]))
    terminal = Watched(*args, "--max-seconds", 2.5, "--shorten", 0)
    assert terminal.end() == 3
    assert {line.split(":")[0] for line in terminal.lines()} <= {"deal 1", "deal 3"}
    assert is_erased(terminal)
    written = start(*args, "--max-seconds", 1, "--shorten", 0).finish()[0]
    shown = "\n".join(terminal.screen())
    assert re.sub(r"\d\.\d", "-", shown) == re.sub(r"\d\.\d", "-", written)  # but for the seconds


LONG_COMMANDS = {
    "solve": (3, r"[\w* -]+: ", ["solve", *LONG]),
    "solve --quiet": (3, r"[\w* -]+: ", ["solve", *LONG, "--quiet"]),
    "solve --shortest": (0, r"(beam search|lower bound): [^\r]* states, \d+ moves \(the shortest has \d+ to ",
     ["solve", "simon-jester", "--seed", 1, "--shortest", "--max-seconds", 600]),
    "hint": (3, r"move \d+ of \d+: [\w* -]+: ", ["hint", *LONG, "--max-seconds", 600]),
    "hint --player": (3, r"sampling: [^\r]* samples", ["hint", "joker", "--seed", 4, "--visits", 10**9]),
    "replay": (3, r"[\w* -]+: ", ["replay", *LONG, "--output", "{folder}/page.html"]),
    "review": (3, r"[\w* -]+: ", ["review", *LONG, "{folder}/moves.txt"]),
    "difficulty": (3, r"[\w* -]+: ", ["difficulty", *LONG]),
    "deal --winnable": (3, r"seed 141684: [\w* -]+: ", ["deal", *LONG, "--winnable"]),
    "deal --difficulty": (3, r"seed \d{2,}: depth-first search: ",
     ["deal", "fortress", "--seed", 1, "--count", 10**6, "--difficulty", "hard"]),
    "deal --tier": (3, r"seed \d{2,}: best-first search: [^\r]* best score \d+",
     ["deal", "joker", "--seed", 1, "--count", 10**6, "--tier", "triple"]),
    "solve by the reference search": (
        3, r"depth-first search: [\d,.]+k? states, best score \d+, [\d.,]+ states/s, \d+ MB",
        ["solve", "joker", "--seed", 1, "--engine", "reference"]),
    "solve many": (3, r"deal 3: best-first search: ", ["solve", "joker", "{folder}/deals.jsonl"]),
}  # fmt: skip


@pytest.mark.full
@needs_kernels
@pytest.mark.parametrize("name", LONG_COMMANDS)
def test_the_line_tells_the_part_and_the_best_so_far_and_ctrl_c_erases_it(name, tmp_path):
    variant = find_variant(LONG[0])
    state = variant.deal(LONG[2])
    first = variant.family.format_move(state, variant.family.legal_moves(state)[0])
    (tmp_path / "moves.txt").write_text(f"{first}\n")
    deals_file(tmp_path, "joker", [1, 2, 6338, 4])  # the third deal takes millions of states
    status, line, args = LONG_COMMANDS[name]
    args = [str(arg).format(folder=tmp_path) for arg in args]
    terminal = Watched(*args, columns=200, stdout=subprocess.DEVNULL, program=("-c", AT_ONCE))
    terminal.wait_for(rf"\r{line}[^\r\n]*\r(?!\n)")
    terminal.type("\x03")
    assert terminal.end() == status
    assert is_erased(terminal)
    if name not in ("replay", "review"):
        assert "winnable: interrupted" in "\n".join(terminal.screen())


AT_ONCE = """
from winnable.cli import progress
progress.DELAY = 0.0
from winnable.__main__ import main
main()
"""
"""The program with a line from the first moment on."""

SHORTER = {name: (name, *LONG, "--max-seconds", 1.5) for name in ("solve", "hint", "replay", "difficulty")}
SHORTER |= {
    "hint --think": ("hint", "joker", "--seed", 4, "--think", "--samples", 2),
    "deal": ("deal", *LONG[:-1], 18306, "--winnable", "--count", 2, "--max-seconds", 1.5),
}


@pytest.mark.quick("hint --think")
@needs_kernels
@pytest.mark.parametrize("name", SHORTER)
def test_with_json_there_is_no_line(name):
    terminal = Watched(*SHORTER[name], "--json", stdout=subprocess.PIPE)
    out, _ = terminal.process.finish()
    assert terminal.end() in (0, 3)
    assert json.loads(out)
    assert terminal.lines() == []
    assert "\r" not in terminal.text


SHRINKING = """
import time
from winnable.cli import progress
texts = iter(["A*: 9,999 states, 100 MB", "A*: 10.0k states, 1 MB"])
progress.line_text = lambda *_: next(texts, "A*: 1 states, 1 MB")
progress.DELAY = 0.0
with progress.ProgressLine(False) as line:
    line.watch.progress = lambda: progress.Progress("A*", 1, 1.0)
    time.sleep(2)
    with line.hidden():
        print("an answer")
"""


@pytest.mark.full
def test_of_a_longer_line_nothing_is_left_when_a_shorter_one_is_erased():
    terminal = Watched(program=("-c", SHRINKING))
    assert terminal.end() == 0
    assert len(terminal.lines()) >= 3
    assert terminal.screen() == ["an answer", ""]


@needs_kernels
def test_a_short_search_on_a_terminal_shows_nothing_and_loads_no_bar():
    code = "import sys; from winnable.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
    args = ("solve", "chessboard", "--seed", 8, "--quiet")
    terminal = Watched(*args, program=("-c", code))
    assert terminal.end() == 0
    verdict, modules = terminal.screen()[0], " ".join(terminal.screen()[1:]).split()
    assert verdict == "winnable"
    assert "winnable.cli.progress" in modules
    assert not {"numpy", "tqdm"} & set(modules)


def test_the_text_tells_what_is_known():
    progress = Progress("best-first search", 12_345_678, 512.4)
    text = "best-first search: 12.3M states, 2.50M states/s, 512 MB"
    assert line_text("", progress, 2_500_000.0, 100) == text
    assert line_text("move 3 of 14", progress, 2_500_000.0, 100) == f"move 3 of 14: {text}"
    best = Progress("A*", 9_999, 1234.0, moves=97, lower_bound=69)
    scored = "best-first search: 12.3M states, best score 31, 10 states/s, 512 MB"
    for known, speed, text in (
        (progress._replace(score=31), 9.6, scored),
        (best, 0.0, "A*: 9,999 states, 97 moves (the shortest has 69 to 97), 0 states/s, 1,234 MB"),
        (best._replace(lower_bound=None), 1.0, "A*: 9,999 states, 97 moves, 1 states/s, 1,234 MB"),
        (Progress("sampling", 10, 1.0), 5.0, "sampling: 10 samples, 5 samples/s, 1 MB"),
    ):
        assert line_text("", known, speed, 100) == text


def test_the_text_leaves_out_what_does_not_fit():
    progress = Progress("best-first search", 12_345_678, 512.4, score=31)
    texts = {line_text("seed 8", progress, 2_500_000.0, width) for width in range(100)}
    parts = ["seed 8: best-first search: 12.3M states", "best score 31", "2.50M states/s", "512 MB"]
    assert texts >= {", ".join(parts[:count]) for count in (1, 2, 3, 4)}
    for width in range(100):
        assert len(line_text("seed 8", progress, 2_500_000.0, width)) < max(1, width)


@pytest.mark.parametrize(
    ("states", "text"),
    [
        (0, "0"), (9_999, "9,999"), (10_000, "10.0k"), (99_949, "99.9k"), (99_951, "100k"),
        (999_499, "999k"), (999_500, "1.00M"), (1_234_567_890, "1.23G"), (9_994_999_999_999, "9.99T"),
        (10**15, "1000T"),
    ],
)  # fmt: skip
def test_numbers_are_short(states, text):
    assert line_text("", Progress("A*", states, 0.0), 0.0, 80) == f"A*: {text} states, 0 states/s, 0 MB"
