"""Usage that is refused: one line on stderr with the problem, exit status 2, and nothing on stdout."""

import json
import os
import shlex
from pathlib import Path

import pytest
from tests.compiled import needs_kernels
from tests.deals import by_rows, rows_of
from tests.positions import TABLE

from winnable.cli import main
from winnable.rules import find_variant, formats
from winnable.rules.formats.json_deals import deal_object

_, USAGE, COMPILED = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").split("\n\n")


def each(table):
    """Parametrize a test by the command lines and messages of a table."""
    rows = [line.split(" => ") for line in table.strip().splitlines()]
    return pytest.mark.parametrize(("line", "problem"), rows, ids=[line for line, _ in rows])


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    """A folder with files that the command lines name."""
    folder = tmp_path_factory.mktemp("refusals")
    (folder / "deal.txt").write_text(run("deal", "chessboard", "--seed", 8)[1])
    wrong = run("deal", "fortress", "--seed", 1)[1].replace("seed: 1", "seed: 8")
    (folder / "wrong-seed.txt").write_text(wrong)
    (folder / "table.txt").write_text(TABLE)
    (folder / "counted.txt").write_text(TABLE.replace("Stock: 23", "Stock: 24"))
    (folder / "partial.txt").write_text(TABLE.replace("Exchange: exposed\n", ""))
    (folder / "played.txt").write_text("7H 6-f\n")
    (folder / "three.txt").write_text(run("deal", "fortress", "--seed", 101, "--count", 3)[1])
    (folder / "short.txt").write_text(run("deal", "joker", "--seed", 3, "--ranks", 5)[1])
    (folder / "rows.txt").write_text(by_rows(find_variant("fortress").deal(1)))
    (folder / "gaps.txt").write_text(by_rows(find_variant("fortress").deal(1), gap="--"))
    (folder / "klondike-rows.txt").write_text(by_rows(find_variant("klondike").deal(1)))
    deal = deal_object(find_variant("fortress"), find_variant("fortress").deal(1))
    (folder / "rows.json").write_text(json.dumps(deal | {"columns": rows_of(deal["columns"])}))
    header, _, first, second, *rest = str(find_variant("simple-simon").deal(1)).splitlines()
    (folder / "in-play.txt").write_text("\n".join([header, f"{first} {second}", ":", *rest]))
    (folder / "tab.json").write_text('{"a\tb": 1}')
    return folder


def check_refused(run, folder, monkeypatch, line, problem):
    monkeypatch.chdir(folder)
    before = sorted(os.listdir())
    assert problem in run.fails(*shlex.split(line))
    assert sorted(os.listdir()) == before


@each(USAGE)
def test_usage_is_refused_in_one_line(run, folder, monkeypatch, line, problem):
    check_refused(run, folder, monkeypatch, line, problem)


@needs_kernels
@each(COMPILED)
def test_usage_with_a_compiled_engine_is_refused_in_one_line(run, folder, monkeypatch, line, problem):
    store = folder / "some.sqlite"
    if "some.sqlite" in line and not store.exists():
        run("rate", "fortress", "--deals", "1-3", "--output", store)
    check_refused(run, folder, monkeypatch, line, problem)


def test_every_command_says_what_is_given_twice(run):
    for name in set(main.COMMANDS) - {"board", "engine", "fc-solve", "mcp", "play"}:
        assert "given twice" in run.fails(name, "x", "--json", "--json")
    assert "given twice" in run.fails("board", "x", "--port", 1, "--port", 2)


def test_odd_names_are_refused_in_one_line(run, tmp_path):
    assert "No such command 'slo ve\\n'" in run.fails("slo ve\n")
    where = ("--certificates", tmp_path / "a" / "\0")
    assert "expected a name" in run.fails("rate", "fortress", "--deals", "1-2", *where)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device")
@pytest.mark.parametrize("command", ["solve", "hint", "deal", "rate --deals", "solve --seed 1 --moves"])
def test_a_device_without_an_end_is_refused(run, command, monkeypatch):
    monkeypatch.setattr(formats, "MEGABYTES", 1)
    first, *options = command.split()
    error = run.fails(first, "fortress", *options, "/dev/zero")
    assert error.startswith("winnable: /dev/zero:1: more than 1 megabytes")
