"""Failures of the system: closed streams, a full output, no memory."""

import os
import resource
import subprocess
import sys

import pytest
from tests.children import start, start_code

from winnable.cli.main import COMMANDS

READING = {
    "solve": ("solve", "chessboard", "-"), "deal": ("deal", "-"),
    "difficulty": ("difficulty", "chessboard", "-"), "verify": ("verify", "chessboard", "--seed", 8, "-"),
    "check": ("check", "-"), "hint": ("hint", "chessboard", "-"),
    "review": ("review", "chessboard", "--seed", 8, "-"), "replay": ("replay", "chessboard", "-"),
    "board": ("board", "chessboard", "-"), "play": ("play", "chessboard", "--seed", 8, "--no-history"),
    "engine": ("engine",), "mcp": ("mcp",), "fc-solve": ("fc-solve", "-g", "fortress"),
    "rate": ("rate", "chessboard", "--deals", "-"),
}  # fmt: skip
"""Commands that read standard input."""

ANSWERING = {
    "solve": ("solve", "chessboard", "--seed", 8), "deal": ("deal", "joker", "--seed", 1),
    "difficulty": ("difficulty", "chessboard", "--seed", 8),
    "verify": ("verify", "chessboard", "--seed", 8, "line.txt"), "check": ("check", "proof.gz"),
    "hint": ("hint", "chessboard", "--seed", 8, "--max-seconds", 1, "--prove", 0),
    "review": ("review", "chessboard", "--seed", 8, "line.txt"),
    "replay": ("replay", "chessboard", "--seed", 8), "describe": ("describe",),
    "board": ("board", "--no-browser", "--no-history"),
    "simulate": ("simulate", "joker", "--seed", 1, "--player", "rule"),
    "rate": ("rate", "fortress", "--deals", "1-5"), "report": ("report", "some.sqlite"),
    "bench": ("bench", "--check", "--file", "no-such-file"), "help": ("--help",), "version": ("--version",),
    "nothing": (),
}  # fmt: skip
"""Commands that answer, but for bench, which takes its time."""

SERVES = "board"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shells and limits of Linux")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the commands name."""
    path = tmp_path_factory.mktemp("surroundings")
    for args, name in (
        (("solve", "chessboard", "--seed", 8, "--shorten", 0), "line.txt"),
        (("solve", "fortress", "--seed", 1, "--certificate", "proof.gz"), None),
        (("rate", "fortress", "--deals", "1-5", "--output", "some.sqlite"), None),
    ):
        out, err = start(*args, cwd=path).finish()
        assert err == ""
        if name:
            (path / name).write_text(out)
    return path


def in_shell(folder, redirection, *args):
    """The exit status, stdout and stderr of the program with streams redirected by ``redirection``."""
    script = f'"$0" -m winnable "$@" {redirection}'
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    as_shell = "import os, sys; os.execvp('sh', ['sh', '-c', *sys.argv[1:]])"
    shell = start_code(as_shell, script, sys.executable, *args, cwd=folder, env=environment)
    out, err = shell.finish()
    return shell.returncode, out, err


def test_every_command_is_tried():
    assert {*ANSWERING, *READING} >= set(COMMANDS)


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", READING)
def test_closed_standard_input_is_told_in_one_line(folder, name):
    status, _, err = in_shell(folder, "<&-", *READING[name])
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("winnable: ")
    assert ": closed\n" in err


@pytest.mark.quick("describe", "help")
@pytest.mark.parametrize("name", sorted(set(ANSWERING) - {SERVES, "bench"}))
def test_closed_standard_input_is_no_matter_where_it_is_not_read(folder, name):
    status, out, err = in_shell(folder, "<&-", *ANSWERING[name])
    assert (status, err) == (0, "")
    assert out


@pytest.mark.quick(">&--help", ">/dev/full-nothing")
@pytest.mark.parametrize("name", sorted(set(ANSWERING) - {"bench"}))
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_an_output_that_takes_nothing_is_told_in_one_line(folder, name, redirection):
    status, out, err = in_shell(folder, redirection, *ANSWERING[name])
    why = {">&-": "Bad file descriptor", ">/dev/full": "No space left on device"}[redirection]
    assert (status, out, err) == (2, "", f"winnable: output: {why}\n")


@pytest.mark.quick("help-2>&-", "nothing-<&- 2>&-")
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&- 2>&-"])
@pytest.mark.parametrize("name", sorted(set(ANSWERING) - {SERVES}))
def test_standard_error_changes_no_status(folder, name, redirection):
    status, out, _ = in_shell(folder, redirection, *ANSWERING[name])
    assert (status, bool(out)) == ((2, False) if name == "bench" else (0, True))


@pytest.mark.quick(1)
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    "args", [("solve", "chessboard", "--seed", "nope"), ("dance",), ("solve", "chess", "no-such-file")]
)
def test_bad_input_has_its_status_though_nobody_is_told(folder, args, redirection):
    assert in_shell(folder, redirection, *args) == (2, "", "")


def test_nothing_at_all_is_open(folder):
    assert in_shell(folder, "<&- >&- 2>&-", "solve", "chessboard", "--seed", 8) == (2, "", "")
    paged = ("replay", "chessboard", "--seed", 8, "--output", "page.html")
    assert in_shell(folder, "<&- >&- 2>&-", *paged)[0] == 0
    assert (folder / "page.html").read_text().startswith("<!doctype html>")


def limited(kilobytes):
    """Limit the memory of a program before it starts."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (kilobytes << 10,) * 2)


# In the kilobytes of ulimit. With 40,000 a thread may run out of memory before Python notes that it began:
# `threading.Thread.start` waits for it for good (Python 3.11, in one of 700 runs of rate on a busy machine).
MEMORY = [30_000, 100_000, 140_000, 160_000]


@pytest.mark.quick(2)
@pytest.mark.parametrize("kilobytes", MEMORY)
@pytest.mark.parametrize("name", ["solve", "hint", "rate", "simulate", "report", "describe", "deal"])
def test_too_little_memory_gives_the_answer_or_one_line(folder, name, kilobytes):
    args = ANSWERING[name]
    program = start(*args, cwd=folder, stdin=subprocess.DEVNULL, preexec_fn=limited(kilobytes))
    out, err = program.finish()
    if program.returncode == 0:
        assert out
        return
    assert program.returncode in (2, 3)
    lines = err.splitlines()
    assert all(line.startswith("winnable: ") for line in lines), err
    assert 1 <= len(lines) <= 2
    assert "Traceback" not in err


def test_a_file_is_read_in_little_memory(folder):
    """Memory for the longest possible file is not allocated for a short one."""
    (folder / "deal.txt").write_text(start("deal", "chessboard", "--seed", 8).finish()[0])
    program = start("solve", "deal.txt", "--quiet", cwd=folder, preexec_fn=limited(150_000))
    assert program.finish() == ("winnable\n", "")


HOMELESS = """
import os, pwd, runpy
def unknown(*_):
    raise KeyError("no such user")
pwd.getpwuid = pwd.getpwnam = unknown
runpy.run_module("winnable", run_name="__main__", alter_sys=True)
"""
HOMES = [None, "", "~nobody", "here", "/dev/null"]  # no name, no path, no absolute path, no folder


def homeless(folder, home, *args):
    """The program with HOME set to ``home``, for a user whom the system does not know."""
    named = {} if home is None else {"HOME": home}
    environment = {name: value for name, value in os.environ.items() if not name.endswith("HOME")}
    return start_code(HOMELESS, *args, cwd=folder, env=environment | named, stdin=subprocess.PIPE)


@pytest.mark.quick("describe")
@pytest.mark.parametrize("name", sorted({*ANSWERING, "engine"} - {SERVES, "bench"}))
def test_commands_that_keep_nothing_need_no_home_folder(folder, name):
    program = homeless(folder, "~nobody", *ANSWERING.get(name, (name,)))
    out, err = program.finish()
    assert (program.returncode, err, bool(out)) == (0, "", name != "engine")


@pytest.mark.quick(1)
@pytest.mark.parametrize("home", HOMES)
def test_a_game_without_a_home_folder_is_played_and_not_kept(folder, home):
    program = homeless(folder, home, "play", "fortress", "--seed", 8)
    out, err = program.finish("AH 9-f\n")
    assert program.returncode == 0
    assert out.endswith("not won after 1 move\n")
    assert_it_is_told(err, home)


@pytest.mark.quick(1)
@pytest.mark.parametrize("home", HOMES)
def test_a_board_without_a_home_folder_tells_that_in_one_line(folder, home):
    pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")
    program = homeless(folder, home, "board", "--no-browser")
    out, err = program.finish()
    assert (program.returncode, out) == (2, "")
    assert_it_is_told(err, home)
    program = homeless(folder, home, *ANSWERING[SERVES])
    assert program.first_line().startswith("http://127.0.0.1:")
    _, err = program.interrupt()
    assert (program.returncode, err.count("\n")) == (0, 1)
    assert "games with hidden cards end with the board" in err


def assert_it_is_told(err, home):
    """Check that ``err`` is one line that says what is wrong with ``home``."""
    assert (err[:10], err.count("\n")) == ("winnable: ", 1)
    assert "see --no-history" in err
    assert "HOME: expected" in err or (home == "/dev/null" and "cannot store" in err)
