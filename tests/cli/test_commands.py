"""Help, one line for bad input and exit status of all commands; the output of describe and bench."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.answers import ENGINE, fails

from winnable.cli import main
from winnable.rules import VARIANTS


@pytest.mark.parametrize("args", [[], *([name] for name in main.COMMANDS)])
def test_every_command_has_help_with_an_example(run, args):
    status, out, _ = run(*args, "--help")
    assert status == 0
    assert "Example" in out
    assert "winnable" in out


def test_the_manual_page_names_all_commands_and_games():
    text = (Path(__file__).parents[2] / "docs" / "winnable.1").read_text()
    commands = dict(
        re.findall(
            r"\.TP\n\.B ([a-z-]+)\n(.+)\n", text.partition(".SH COMMANDS")[2].partition(".SH OPTIONS")[0]
        )
    )
    assert commands == main.COMMANDS
    assert set(VARIANTS) <= set(re.split(r"[\s,;]+", text))


@pytest.mark.parametrize(
    ("args", "there", "absent"),
    [
        (["solve"], ["--bases", "--draw", "--exchange", "--shorten", "solve GAME --help"], []),
        (["solve", "fortress"], ["--seed", "--shortest"], ["--draw", "--exchange", "--shorten", "GAME"]),
        (["solve", "chessboard"], ["--bases"], ["Rules:"]),
        (["rate", "klondike"], ["--draw", "--player"], ["--exchange"]),
        (["rate", "simple-simon"], ["Limits:", "Output:"], ["Player:", "Rules:"]),
    ],
)  # fmt: skip
def test_help_with_a_game_has_only_what_applies_to_it(run, args, there, absent):
    status, out, _ = run(*args, "--help")
    assert status == 0
    assert all(word in out for word in there)
    assert not any(word in out for word in absent)


def test_without_a_command_those_that_matter_are_told(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    named = [line.split()[1] for line in out.splitlines() if line.startswith("  winnable ")]
    assert named == ["solve", "hint", "replay", "board", "rate"]
    assert "winnable --help" in out


def test_version_is_told(run):
    assert run("--version")[:2] == (0, "winnable, version 2.0.0\n")


def test_describe_lists_all_games_and_prints_rules(run):
    status, out, _ = run("describe")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(VARIANTS)
    for name in VARIANTS:
        status, out, _ = run("describe", name)
        assert status == 0
        assert all(f"\n{heading}\n" in out for heading in ("Deck", "Layout", "Columns", "Moves", "End"))
        assert json.loads(run("describe", name, "--json")[1])["game"] == name
    assert "0x9E3779B97F4A7C15" in run("describe", "--dealer")[1]
    assert len(json.loads(run("describe", "--json")[1])["games"]) == len(VARIANTS)


def test_a_complaint_is_printable_and_ends(run):
    status, _, err = run("solve", "joker", "--engine", "\x1b[2J" + "x" * 5000)
    assert status == 2
    assert err.isprintable() or err[:-1].isprintable()
    assert len(err) < 400


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine to measure")
def test_bench_checks_its_signature(run, tmp_path, monkeypatch):
    monkeypatch.setattr("winnable.solver.batch.bench._ENOUGH_SECONDS", 0)  # one round tells the states
    monkeypatch.setattr("winnable.solver.batch.bench.VARIANTS", {"fortress": VARIANTS["fortress"]})
    path = tmp_path / "signature"
    status, out, _ = run("bench", "--write", "--file", path)
    assert status == 0
    assert "fortress" in out
    assert run("bench", "--check", "--file", path)[0] == 0
    path.write_text(path.read_text().replace("fortress ", "fortress 1"))
    status, _, err = run("bench", "--check", "--file", path)
    assert status == 2
    assert "the signature differs" in err
    rows = json.loads(run("bench", "--json")[1])["rows"]
    assert [row["deals"] for row in rows] == [300, 300, 3, 3]


@pytest.mark.skipif(ENGINE == "compiled", reason="the compiled engine is there")
def test_bench_without_a_compiled_engine_says_so(run):
    assert "no compiled engine" in fails(run, "bench")
