"""Help, one line for bad input and exit status of all commands; the output of describe and bench."""

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.answers import ENGINE

from winnable.cli import main
from winnable.cli.commands import describe
from winnable.rules import VARIANTS


@pytest.mark.parametrize("args", [[], *([name] for name in main.COMMANDS)])
def test_every_command_has_help_with_an_example(run, args):
    out = run.out(*args, "--help")
    assert "Example" in out
    if {*args} & {"solve", "hint", "deal", "replay", "play", "simulate", "verify", "review", "rate"}:
        assert f"winnable {args[0]} [OPTIONS] [GAME]" in out
        assert "may be left out" in " ".join(out.split())


def test_the_manual_page_names_all_commands():
    text = (Path(__file__).parents[2] / "docs" / "winnable.1").read_text()
    commands = text.partition(".SH COMMANDS")[2].partition(".SH OPTIONS")[0]
    told = dict(re.findall(r"\.TP\n\.B ([a-z-]+)\n(.+)\n", commands))
    assert "bench" not in told
    assert told | {"bench": main.COMMANDS["bench"]} == main.COMMANDS


def test_the_manual_page_has_options_that_exist():
    text = (Path(__file__).parents[2] / "docs" / "winnable.1").read_text().replace("\\-", "-")
    named = set(re.findall(r"--[a-z-]+", text.partition(".SH OPTIONS")[2]))
    commands = [main.cli.get_command(main.Context(main.cli), name) for name in main.COMMANDS]
    assert named <= {option for command in commands for each in command.params for option in each.opts}


@pytest.mark.parametrize(
    ("args", "there", "absent"),
    [
        (["report"], ["--json", "--csv", "--jsonl"], []),
        (["solve"], ["--bases", "--shorten", "solve GAME --help has"], ["--draw", "--exchange", "Rules:"]),
        (["rate"], ["--output FILE", "GAME --help"], ["--passes"]),
        (["play"], ["--hidden"], ["--player", "--visits"]),
        (["simulate"], ["--player"], ["--hidden"]),
        ([], ["simulate", "play", "rate"], ["bench"]),
        (["solve", "fortress"], ["--seed", "--shortest"], ["--draw", "--exchange", "--shorten N", "E --h"]),
        (["solve", "chessboard"], ["--bases", "--pysol NUM", "--score"], ["Rules:", "--format ["]),
        (["solve", "klondike"], ["--score", "--pysol NUM"], ["--exchange"]),
        (["solve", "joker"], ["--removal"], ["--pysol NUM", "--score"]),
        (["solve", "simple-simon"], ["--shorten N"], ["--score", "--fewest-passes  "]),
        (["deal", "klondike"], ["--difficulty"], ["--tier ["]),
        (["deal", "joker"], ["--tier ["], []),
        (["hint", "joker"], ["--player"], ["--prove N"]),
        (["hint", "klondike"], ["--prove N"], []),
        (["rate", "klondike"], ["--draw", "--player"], ["--exchange"]),
        (["rate", "simple-simon"], ["Limits:", "Output:"], ["Player:", "Rules:"]),
    ],
)  # fmt: skip
def test_help_with_a_game_has_only_what_applies_to_it(run, args, there, absent):
    out = run.out(*args, "--help")
    assert all(word in out for word in there)
    assert not any(word in out for word in absent)


def test_without_a_command_those_that_matter_are_told(run):
    out = run.out()
    named = [line.split()[1] for line in out.splitlines() if line.startswith("  winnable ")]
    assert named == ["solve", "hint", "replay", "board", "rate"]
    assert "winnable --help" in out
    assert run("--version")[:2] == (0, "winnable, version 4.0.0\n")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("solve fortress 8 --quiet", "solve fortress --seed 8 --quiet"),
        ("solve 8 --quiet fortress", "solve fortress --seed 8 --quiet"),
        ("solve klondike draw one 8", "solve klondike-draw-one --seed 8"),
        ("solve Simple Simon 8 --quiet", "solve simple-simon --seed 8 --quiet"),
        ("deal 'Simon Jester' 8", "deal simon-jester --seed 8"),
        ("deal simon_jester 8 --count 2", "deal simon-jester --seed 8 --count 2"),
        ("hint chessboard 8", "hint chessboard --seed 8"),
        ("difficulty chessboard 3", "difficulty chessboard --seed 3"),
        ("verify 8 fortress line.txt", "verify fortress --seed 8 line.txt"),
        ("review fortress line.txt 8", "review fortress --seed 8 line.txt"),
        ("replay fortress 8 line.txt", "replay fortress --seed 8 line.txt"),
    ],
)
def test_a_number_that_is_no_file_is_a_seed(run, tmp_path, monkeypatch, line, plain):
    monkeypatch.chdir(tmp_path)
    Path("line.txt").write_text("AH 9-f\n")
    status, out, err = run(*shlex.split(line))
    number = next(word for word in line.split() if word.isdigit())
    assert err == f"winnable: {number}: read as --seed {number}\n"
    assert re.sub("[0-9.]+ s", "", out) == re.sub("[0-9.]+ s", "", run(*shlex.split(plain))[1])
    assert (status, "") == run(*shlex.split(plain))[::2]


def test_words_that_are_files_are_no_games_and_no_seeds(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("8", "fortress", "simon"):
        run.write(Path(name), "deal", "chessboard", "--seed", 3)
    deal = run.out("deal", "chessboard", "--seed", 3)
    for words in (["8"], ["./fortress"], ["simon"], ["chessboard", "8"], ["8", "chessboard"]):
        assert run.out("deal", *words) == deal
    assert "expected one FILE or seed, got 8, fortress" in run.fails("solve", "8", "fortress")
    assert "expected one FILE or seed, got simon, jester" in run.fails("solve", "simon", "jester")


def test_help_comes_before_a_command_or_after_it(run):
    assert run.out("help") == run.out("--help")
    assert run.out("help", "rate", "Simple", "Simon") == run.out("rate", "simple-simon", "--help")


def test_describe_lists_all_games_and_prints_rules(run):
    out = run.out("describe")
    assert [line.split()[0] for line in out.splitlines()] == list(VARIANTS)
    for name in VARIANTS:
        out = run.out("describe", name)
        assert all(f"\n{heading}\n" in out for heading in ("Deck", "Layout", "Columns", "Moves", "End"))
        assert run.json("describe", *name.split("-"))["game"] == name
    assert "0x9E3779B97F4A7C15" in run("describe", "--dealer")[1]
    assert len(run.json("describe")["games"]) == len(VARIANTS)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(), "OSError"), (TimeoutError(), "TimeoutError"), (OSError("no answer"), "no answer"),
        (OSError(28, "No space left on device"), "output: No space left on device"),
        (OSError(2, "No such file", "x.txt"), "x.txt: No such file"),
        (OSError(None, None, "x"), "x: OSError"),
    ],
)  # fmt: skip
def test_an_error_of_the_system_is_told_by_what_it_has(run, monkeypatch, error, told):
    """Some have neither a number nor a name nor a text."""

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(describe, "say", fail)
    assert run.fails("describe", "fortress").startswith(f"winnable: {told}")
    assert "None" not in run.fails("describe", "fortress")


def test_a_complaint_is_printable_and_ends(run):
    err = run.fails("solve", "joker", "--engine", "\x1b[2J" + "x" * 5000)
    assert err[:-1].isprintable()
    assert len(err) < 400


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine to measure")
def test_bench_checks_its_signature(run, tmp_path, monkeypatch):
    monkeypatch.setattr("winnable.solver.batch.bench._ENOUGH_SECONDS", 1e-3)  # some clocks tick slowly
    monkeypatch.setattr("winnable.solver.batch.bench.VARIANTS", {"fortress": VARIANTS["fortress"]})
    path = tmp_path / "signature"
    out = run.out("bench", "--write", "--file", path)
    assert "fortress" in out
    assert run("bench", "--check", "--file", path)[0] == 0
    path.write_text(path.read_text().replace("fortress ", "fortress 1").replace("\n", "\x1b\n"))
    status, _, err = run("bench", "--check", "--file", path)
    assert status == 2
    assert "the signature differs" in err
    assert "\x1b" not in err
    rows = run.json("bench")["rows"]
    assert [row["deals"] for row in rows] == [300, 300, 3, 3, 3]
