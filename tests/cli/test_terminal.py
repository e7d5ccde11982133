"""Output on terminals of any width, and in colour on request."""

import os
import re
import subprocess

import pytest
from tests import children
from tests.compiled import needs_kernels

from winnable.cli import main, terminal
from winnable.cli.terminal import fit, refilled, table
from winnable.rules import VARIANTS

pytestmark = needs_kernels
PLAIN = {"NO_COLOR": "1", "FORCE_COLOR": "", "CLICOLOR_FORCE": "", "COLUMNS": ""}
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def start(*args, **options):
    return children.start(*args, stdin=subprocess.DEVNULL, encoding="utf-8", **options)


def on_a_terminal(columns, *args, **environment):
    """The output of the program on a terminal of this width, stderr included, and its exit status."""
    screen = children.Terminal(columns)
    told = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", **PLAIN, **environment}
    process = start(*args, stdout=screen.descriptor, stderr=screen.descriptor, env=told)
    process.finish()
    return screen.shown(), process.returncode


def is_board(line):
    """Test if ``line`` belongs to a board, whose lines stay whole so that they can be read again."""
    return re.fullmatch(r"(Stock: |Waste: |Foundations: )?(<?\S{2,5}>? ?)+", line) and "--" not in line


ANSWERS = [
    ("describe",), ("solve", "chessboard", "--seed", 8),
    ("solve", "chessboard", "--seed", 8, "--bases", "--work", 50), ("hint", "chessboard", "--seed", 8),
    ("solve", "slowly", "--seed", 8), ("solve", "joker", "--seed", 1),
    ("hint", "joker", "--seed", 4, "--visits", 50), ("hint", "joker", "--seed", 4, "--player", "rule"),
    ("hint", "joker", "--seed", 4, "--count", 2, "--max-seconds", 1),
    ("difficulty", "chessboard", "--seed", 3), ("simulate", "joker", "--seed", 4, "--visits", 2),
]  # fmt: skip
PAGES = [("--help",), *((name, "--help") for name in main.COMMANDS)]


@pytest.mark.quick(3)
@pytest.mark.parametrize("args", [*PAGES, *ANSWERS])
def test_nothing_is_wider_than_the_terminal(args):
    shown, status = on_a_terminal(60, *args)
    assert status in (0, 2, main.UNDECIDED)
    lines = re.split("[\n\r]", shown)  # progress is written over itself
    assert [line for line in lines if len(line) > 60 and not is_board(line)] == []
    shown, status = on_a_terminal(20, *args)  # this must not fail
    assert "Traceback" not in shown
    assert status in (0, 2, main.UNDECIDED)


@pytest.mark.full
@pytest.mark.parametrize("args", [[name] for name in VARIANTS] + [["--dealer"], []])
def test_rules_are_the_same_words_at_any_width(run, args):
    plain = run("describe", *args)[1]
    for columns in (20, 40, 60, 109):
        assert on_a_terminal(columns, "describe", *args)[0].split() == plain.split()
    assert on_a_terminal(110, "describe", *args)[0] == plain


def test_rules_keep_their_paragraphs_and_the_table_of_moves(run):
    shown, _ = on_a_terminal(60, "describe", "joker")
    assert "\n    4D s-w    turn the next card of the stock, the 4 of\n              diamonds, onto" in shown
    assert "\n    Each of these is one move and none is compulsory. Cards\n    turned up" in shown
    assert "\nMoves\n" in shown
    shown, _ = on_a_terminal(60, "describe", "simple-simon")
    assert "\n    No jokers; all cards lie face up.\n    One deck of 52 cards.\n" in shown


@pytest.mark.full
def test_a_line_of_play_is_read_again_from_any_terminal(run, tmp_path):
    path = tmp_path / "solution.txt"
    game = ("simulate", "joker", "--seed", 4, "--visits", 2)
    score, moves = re.match(
        r"Result: (\d+) of 52 .* after (\d+ moves)", run(*game)[1].splitlines()[-1]
    ).groups()
    for columns, *args in (
        (60, "solve", "chessboard", "--seed", 8), (60, "solve", "joker", "--seed", 1),
        (33, "solve", "simple-simon", "--seed", 1), (24, "solve", "joker", "--seed", 1),
        *((columns, *game) for columns in (24, 60, 100)),
    ):  # fmt: skip
        path.write_text(on_a_terminal(columns, *args)[0])
        out = run.out("verify", *args[1:4], path)
        assert out.startswith(f"correct: {moves}, score {score} " if args[0] == "simulate" else "correct: ")


def test_in_a_pipe_the_width_is_the_usual_one():
    plain = start("solve", "chessboard", "--seed", 8, env={**os.environ, **PLAIN, "COLUMNS": "40"})
    out = plain.finish()[0]
    assert re.search(r"^  # 7S .{60,}$", out, re.MULTILINE)
    assert max(map(len, out.split("\n"))) > 80


@pytest.mark.full
def test_summaries_fit(run, tmp_path):
    path = tmp_path / "some.sqlite"
    assert run("rate", "joker", "--deals", "1-60", "--work", 300, "--output", path)[0] == 0
    wide, _ = on_a_terminal(200, "report", path)
    for columns in (60, 40):
        shown, status = on_a_terminal(columns, "report", path)
        assert status == 0
        assert max(map(len, shown.split("\n"))) <= columns
        told, known = ([word for word in text.split() if "#" not in word] for text in (shown, wide))
        assert told == known
    assert on_a_terminal(20, "report", path)[1] == 0


def test_what_is_long_goes_on_below_its_column(monkeypatch):
    monkeypatch.setattr(terminal, "columns", lambda stream=None: 30)
    assert fit("Title  one two three four five six") == "Title  one two three four five\n       six"
    assert fit("  a prose line that is too long to fit") == "  a prose line that is too\n    long to fit"
    assert fit("short\n\nlines") == "short\n\nlines"
    assert fit("x" * 40) == "x" * 40
    assert fit("a title of twenty ones  one two three") == "a title of twenty ones  one\n  two three"


def test_a_wide_table_becomes_several(monkeypatch):
    heads, rows = ["game", "won", "lost"], [["chess", "1", "22"], ["joker", "333", ""]]
    whole = ["game   won  lost", "chess    1    22", "joker  333"]
    for columns, lines in (
        (None, whole),
        (16, whole),
        (15, ["game   won", "chess    1", "joker  333", "", "game   lost", "chess    22", "joker"]),
        (1, ["game   won", "chess    1", "joker  333", "", "game   lost", "chess    22", "joker"]),
    ):
        monkeypatch.setattr(terminal, "columns", lambda stream=None, columns=columns: columns)
        assert table(heads, rows) == lines
    assert table(["moves"], [["7S 1-2"]], margin="  ") == ["  moves", "  7S 1-2"]


def test_prose_is_filled_and_lists_are_not(monkeypatch):
    monkeypatch.setattr(terminal, "columns", lambda stream=None: 24)
    text = "Head\n    One sentence that goes on\n    below. Done:\n    a  first\n    b  second one of these"
    filled = "Head\n    One sentence that\n    goes on below. Done:\n    a  first\n    b  second one of\n"
    assert refilled(text) == f"{filled}       these"


def test_the_width_is_that_of_the_stream_or_of_columns(monkeypatch):
    class Screen:
        def isatty(self):
            return True

        def fileno(self):
            raise OSError

    monkeypatch.delenv("COLUMNS", raising=False)
    assert terminal.columns(Screen()) == terminal.USUAL
    usual = dict.fromkeys(("0", "-5", "wide", "9" * 9), 80)
    for told, width in {"70": 70, "3": terminal.LEAST, **usual}.items():
        monkeypatch.setenv("COLUMNS", told)
        assert terminal.columns(Screen()) == width


RED = "\x1b[31m\x1b[1m"


def piped(*args, **environment):
    told = {**os.environ, "LANG": "C.UTF-8", **PLAIN, "NO_COLOR": "", **environment}
    return start(*args, env=told).finish()


@pytest.mark.full
def test_colours_are_had_for_the_asking(run):
    deal = ("deal", "joker", "--seed", 1)
    plain = run(*deal)[1]
    assert piped(*deal)[0] == plain
    shown = piped("--color", "always", *deal)[0]
    assert plain.isascii()
    assert all(sign in shown for sign in (RED, "\x1b[34m\x1b[1m", "\u2665"))
    assert piped(*deal, "--color", "always")[0] == piped(*deal, "--color=always", NO_COLOR="1")[0] == shown
    assert piped(*deal, FORCE_COLOR="1")[0] == piped(*deal, CLICOLOR_FORCE="1")[0] == shown
    for environment in ({"FORCE_COLOR": "0"}, {"CLICOLOR_FORCE": "0"}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
        assert piped(*deal, **environment)[0] == plain
    assert piped(*deal, "--color", "never", FORCE_COLOR="1")[0] == plain
    assert piped("--color", "always", *deal, "--color", "never")[0] == plain
    assert on_a_terminal(100, *deal, NO_COLOR="")[0] == shown
    assert on_a_terminal(100, *deal)[0] == on_a_terminal(100, *deal, NO_COLOR="", TERM="dumb")[0] == plain
    ascii_only = on_a_terminal(100, *deal, NO_COLOR="", PYTHONIOENCODING="ascii")[0]
    assert RED in ascii_only
    assert ascii_only.isascii()
    assert "\x1b" not in on_a_terminal(100, *deal, "--json", NO_COLOR="")[0]
    assert on_a_terminal(100, *deal, "--color", "never", NO_COLOR="")[0] == plain
    assert on_a_terminal(100, "--color", "always", *deal, TERM="dumb")[0] == shown
    assert ESCAPE.sub("", shown) != plain
    assert "--color" in run("deal", "--help")[1]


def test_data_have_no_colours(run):
    for args in (("deal", "joker", "--seed", 1, "--json"), ("solve", "chessboard", "--seed", 7, "--json")):
        assert "\x1b" not in piped("--color", "always", *args)[0]
    assert "\x1b" not in run("--color", "always", "replay", "chessboard", "--seed", 7)[1]


def test_coloured_text_is_read_again(run, tmp_path):
    path = run.write(tmp_path / "deal.txt", "--color", "always", "deal", "joker", "--seed", 1)
    assert "\x1b" in path.read_text()  # the choice of one run does not affect the next
    assert "\x1b" not in run("deal", "joker", "--seed", 1)[1]
    again, plain = run("deal", "joker", path)[1], run("deal", "joker", "--seed", 1)[1]
    assert again.splitlines()[1:] == plain.splitlines()[1:]


def test_complaints_are_in_colour_too():
    assert piped("solve", "chess")[1].startswith("winnable: 'chess'")
    shown = piped("--color", "always", "solve", "chess")[1]
    assert shown.startswith("\x1b[31m\x1b[1mwinnable:\x1b[0m 'chess'")
    assert on_a_terminal(60, "solve", "chess", NO_COLOR="")[0].startswith("\x1b[31m\x1b[1mwinnable:\x1b[0m ")
