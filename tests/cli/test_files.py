"""Output files of commands: checked before the work, complete or unchanged, and never an input."""

import errno
import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.children import HANG, Child, start, start_code
from tests.compiled import needs_kernels

from winnable.cli import files
from winnable.cli.commands import bench
from winnable.solver.batch.bench import Row

PROGRAM = [sys.executable, "-m", "winnable"]
not_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")


@pytest.fixture
def deal(run, tmp_path):
    """The file of a deal of chessboard."""
    return run.write(tmp_path / "deal.txt", "deal", "chessboard", "--seed", 8)


@pytest.fixture
def store(run, tmp_path):
    """A small store of results."""
    path = tmp_path / "some.sqlite"
    assert run("rate", "fortress", "--deals", "1-20", "--output", path)[0] == 0
    return path


# --- A reader who leaves -----------------------------------------------------------------------------------


@pytest.mark.quick("args0", "args2")
@pytest.mark.parametrize(
    "args",
    [
        ("solve", "chessboard", "--seed", 8),
        ("solve", "simple-simon", "--seed", 1, "--shorten", "200k"),
        ("solve", "chessboard", "--seed", 8, "--shortest"),
        ("solve", "chessboard", "--seed", 8, "--json"),
        pytest.param(("simulate", "joker", "--seed", 1, "--player", "rule"), marks=needs_kernels),
        pytest.param(("simulate", "joker", "--seed", 1, "--visits", 20), marks=needs_kernels),
    ],
)
def test_a_page_is_written_though_the_reader_leaves(run, tmp_path, args):
    path, whole = tmp_path / "page.html", tmp_path / "whole.html"
    process = start(*args, "--html", path)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(HANG) == -signal.SIGPIPE
    assert run(*args, "--html", whole)[0] == 0
    assert path.read_text().count("</html>") == 1
    if "--shorten" not in args:
        assert path.read_text() == whole.read_text()


def test_a_full_disk_loses_neither_page_nor_answer(run, tmp_path):
    path = tmp_path / "page.html"
    with open("/dev/full", "w") as full:
        _, err = start("solve", "chessboard", "--seed", 8, "--html", path, stdout=full).finish()
        for request in ('"method": "hello"', '"method": "go", "params": {"game": "fortress", "seed": 8}'):
            engine = start("engine", stdin=subprocess.PIPE, stdout=full)
            assert engine.finish(f'{{"id": 1, {request}}}\n')[1] == err
            assert engine.returncode == 2
    assert err == "winnable: output: No space left on device\n"
    assert "</html>" in path.read_text()
    status, out, err = run("solve", "chessboard", "--seed", 8, "--html", "/dev/full")
    assert (status, err) == (2, "winnable: /dev/full: No space left on device\n")
    assert "Verdict: winnable" in out
    assert "Search: " in out


@pytest.mark.full
def test_a_closed_output_is_told_of_where_it_is_needed(tmp_path):
    path = tmp_path / "page.html"
    closed = "winnable: output: Bad file descriptor\n"
    for args, status, told in (
        (["solve"], 2, closed),
        (["replay", "--output", path], 0, ""),
        (["solve", "--html", path], 2, closed),
    ):
        path.unlink(missing_ok=True)
        process = Child("bash", "-c", '"$@" >&-', "bash", *PROGRAM, *args, "chessboard", "--seed", 8)
        assert (process.finish()[1], process.returncode) == (told, status)
        assert path not in args or "</html>" in path.read_text()


# --- What is tried before the work --------------------------------------------------------------------------

WRITERS = [
    ("solve", "chessboard", "--seed", 8, "--html"), ("replay", "chessboard", "--seed", 8, "--output"),
    ("simulate", "joker", "--seed", 1, "--html"), ("report", "some.sqlite", "--plot"),
    ("rate", "fortress", "--deals", "1-3", "--output"), ("bench", "--write", "--file"),
]  # fmt: skip


@pytest.fixture
def idle(monkeypatch):
    """Commands that do no work."""

    def refuse(*_, **__):
        raise AssertionError("work began")

    works = ("solve.solve", "replay.solve", "simulate.decisions", "rate.RateRun", "bench.run", "report.Store")
    for work in works:
        monkeypatch.setattr(f"winnable.cli.commands.{work}", refuse)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer[0])
def test_paths_are_tried_before_the_work(run, tmp_path, monkeypatch, writer):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    (tmp_path / "loop").symlink_to("loop")
    for path, problem in {
        "": "expected a name", "nowhere/x.html": "no such folder: nowhere", "folder": "Is a directory",
        "new/": "Is a directory", "file/x.html": "Not a directory", "x" * 300: "File name too long",
        "loop": "Too many levels of symbolic links", "/proc/x.html": "/proc/x.html",
    }.items():  # fmt: skip
        error = run.fails(*writer, path)
        assert problem in error
        assert error.startswith(f"winnable: {writer[-1]} ")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder", "loop"]
    assert (tmp_path / "file").read_text() == "kept"


def test_a_dash_is_standard_output_to_replay(run):
    assert run("replay", "chessboard", "--seed", 8, "-o", "-") == run("replay", "chessboard", "--seed", 8)


@not_root
def test_what_may_not_be_written_is_refused(run, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(0o400)
    assert "Permission denied" in run.fails("replay", "chessboard", "--seed", 8, "-o", path)
    tmp_path.chmod(0o500)
    assert "Permission denied" in run.fails("replay", "chessboard", "--seed", 8, "-o", tmp_path / "new.html")
    path.chmod(0o600)
    assert run("replay", "chessboard", "--seed", 8, "-o", path)[0] == 0
    tmp_path.chmod(0o700)
    assert "</html>" in path.read_text()
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_folder_that_takes_no_other_file_has_its_file_written_in_place(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("old and long")
    before = path.stat().st_ino

    def refuse(*_):
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(os, "replace", refuse)
    files.write(str(path), "new")
    assert (path.read_text(), path.stat().st_ino, os.listdir(tmp_path)) == ("new", before, ["page.html"])
    with pytest.raises(OSError, match="resource busy"):
        files.write(str(tmp_path / "other.html"), "new")
    assert os.listdir(tmp_path) == ["page.html"]


# --- What is read too ---------------------------------------------------------------------------------------


def linked(path, how):
    """Another name of the file ``path``, by a kind of link."""
    other = path.with_name(f"{path.stem}-{how}.html")
    if how == "same":
        return path
    if how == "dots":
        return path.parent / "." / ".." / path.parent.name / path.name
    other.symlink_to(path.name) if how == "symbolic" else os.link(path, other)
    return other


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("how", ["same", "dots", "symbolic", "hard"])
def test_an_output_is_no_input(run, tmp_path, deal, how):
    solution = tmp_path / "solution.txt"
    solution.write_text("7S 10-f\n")
    output, other = linked(deal, how), linked(solution, how)
    kept = deal.read_bytes()
    for args in (
        ("solve", "chessboard", deal, "--html", output),
        ("replay", "chessboard", deal, "-o", output),
        ("replay", "chessboard", deal, solution, "--output", output),
        ("replay", "chessboard", deal, solution, "--output", other),
        ("replay", "chessboard", solution, "--seed", 8, "-o", other),
        ("replay", "chessboard", "--seed", 8, "--moves", solution, "-o", other),
        ("simulate", "joker", deal, "--html", output),
        ("rate", "chessboard", "--deals", deal, "--output", output),
    ):
        error = run.fails(*args)
        assert "got the input" in error
        assert error.startswith("winnable: --")
    assert (deal.read_bytes(), solution.read_text()) == (kept, "7S 10-f\n")


def test_standard_input_is_an_input(deal):
    kept = deal.read_bytes()
    with deal.open() as file:
        process = start("solve", "chessboard", "-", "--html", deal, stdin=file)
        told = f"winnable: --html {deal}: expected an output, got the input on standard input\n"
        assert (process.finish(), process.returncode) == (("", told), 2)
    assert deal.read_bytes() == kept


def test_stores_are_inputs_too(run, tmp_path, store):
    kept = store.read_bytes()
    (tmp_path / "some.sqlite-wal").write_text("")
    for picture in (store, linked(store, "hard"), tmp_path / "some.sqlite-wal"):
        assert "got the input" in run.fails("report", store, "--plot", picture)
    (tmp_path / "some.sqlite-wal").unlink()
    played = ("rate", "joker", "--deals", "1-2", "--player", "rule")
    assert "got the input" in run.fails(*played, "--output", store, "--paired", store)
    assert store.read_bytes() == kept


def test_a_store_may_have_any_name(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("rate", "fortress", "--deals", "1-20", "--output", ":memory:")[0] == 0
    assert os.listdir(tmp_path) == [":memory:"]
    assert run("report", ":memory:", "--seeds", "winnable")[0] == 0


# --- Whole or not at all ------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("broken", ["fsync", "replace", "fchmod", "open"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_what_breaks_off_leaves_all_as_it_was(tmp_path, monkeypatch, there, broken, error):
    path = tmp_path / "page.html"
    if there:
        path.write_text("old")
    elif broken == "fchmod":
        pytest.skip("a new file has the usual rights")
    kept = os.listdir(tmp_path)
    real = getattr(os, broken)

    def fail(*args, **options):
        if broken == "open":
            os.close(real(*args, **options))
        raise error

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(type(error)) as raised:
        files.write(str(path), "new")
    if isinstance(error, OSError):
        assert raised.value.filename == str(path)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == kept
    assert not there or path.read_text() == "old"


def test_a_request_to_end_waits_until_the_file_is_there(tmp_path):
    code = "import os, signal, sys; from winnable.cli import files; real = os.fsync\n"
    code += "os.fsync = lambda number: [signal.raise_signal(signal.SIGTERM), real(number)]\n"
    code += "files.write(sys.argv[1], 'new')"
    path = tmp_path / "page.html"
    path.write_text("old")
    process = start_code(code, path)
    process.finish()
    assert (process.returncode, path.read_text()) == (-signal.SIGTERM, "new")
    assert os.listdir(tmp_path) == ["page.html"]


def test_the_rights_are_those_of_a_plain_open(tmp_path):
    before = os.umask(0o027)
    try:
        new, old = tmp_path / "new.html", tmp_path / "old.html"
        old.write_text("old")
        old.chmod(0o604)
        for path in (new, old):
            files.write(str(path), "text")
        assert [stat.S_IMODE(path.stat().st_mode) for path in (new, old)] == [0o640, 0o604]
    finally:
        os.umask(before)


def test_links_are_followed(run, tmp_path):
    (tmp_path / "pages").mkdir()
    page, link, loose = tmp_path / "pages" / "page.html", tmp_path / "link.html", tmp_path / "loose.html"
    page.write_text("old")
    link.symlink_to("pages/page.html")
    loose.symlink_to("pages/new.html")
    for path in (link, loose):
        assert run("replay", "chessboard", "--seed", 8, "-o", path)[:2] == (0, "")
        assert path.is_symlink()
    assert page.read_text() == (tmp_path / "pages" / "new.html").read_text()
    assert "</html>" in page.read_text()
    assert sorted(os.listdir(tmp_path / "pages")) == ["new.html", "page.html"]


@pytest.mark.full
def test_what_is_no_file_is_written_to(run, tmp_path):
    page = run("replay", "chessboard", "--seed", 8)[1]
    command = ("replay", "chessboard", "--seed", 8, "-o")
    assert start(*command, "/dev/stdout").finish()[0] == page
    path = tmp_path / "out.html"
    both = ("solve", "chessboard", "--seed", 8, "--quiet", "--html", "/dev/stdout")
    for args, wanted in (((*command, "/dev/stdout"), page), (both, f"{page}winnable\n")):
        with path.open("w") as file:
            process = start(*args, stdout=file)
            process.finish()
        assert (process.returncode, path.read_text()) == (0, wanted)
    assert run(*command, "/dev/null") == (0, "", "")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        received = pool.submit(pipe.read_text)
        assert run(*command, pipe)[0] == 0
    assert received.result() == page
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# --- bench and report ---------------------------------------------------------------------------------------

ROWS = [Row("chessboard", 300, 222, 78, 0, 116_897, 200_000, 3, 0.25)]


def test_a_signature_is_written_before_the_table_and_over_nothing_else(run, tmp_path, monkeypatch):
    monkeypatch.setattr(bench, "run", lambda: ROWS)
    path, other = tmp_path / "signature.txt", tmp_path / "notes.txt"
    assert run("bench", "--write", "--file", path)[0] == 0
    assert run("bench", "--write", "--file", path)[0] == 0
    assert path.read_text().splitlines()[1:] == ["chessboard 116897 200000 0 0 0"]
    assert run("bench", "--check", "--file", path)[0] == 0
    other.write_text("my notes\n")
    assert "expected a signature file" in run.fails("bench", "--write", "--file", other)
    assert other.read_text() == "my notes\n"


@pytest.mark.full
def test_a_plot_is_drawn_before_the_talk(run, tmp_path, store):
    pytest.importorskip("matplotlib")
    path = tmp_path / "rate.png"
    process = start("report", store, "--csv", "--plot", path)
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(HANG)
    assert path.read_bytes().startswith(b"\x89PNG")
    for name, head in (("plain", b"\x89PNG"), ("rate.pdf", b"%PDF"), ("rate.SVG", b"<?xml")):
        assert run("report", store, "--plot", tmp_path / name)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(head)
    assert "format 'doc'" in run.fails("report", store, "--plot", tmp_path / "rate.doc")
    assert not (tmp_path / "rate.doc").exists()
