"""Errors of input in Python, from the engine, on the board and on the command line, which alone names its
commands and options."""

import ast
import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Program
from tests.deals import by_rows
from tests.positions import TABLE
from tests.protocol.test_engine import Talk

from winnable import VARIANTS, deal, find_variant, read_deal, solve
from winnable.board import editor, new_game
from winnable.cli.main import COMMANDS
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.text import FormatError

ROOT = Path(__file__).parents[2]
WORDS = re.compile(
    rf"(?<![\w-])--[a-z]|\bwinnable ({'|'.join(COMMANDS)})\b|\b(the|a) command\b|command line", re.IGNORECASE
)
"""Words of the command line."""

FORTRESS, JOKER = find_variant("fortress").deal(1), find_variant("joker").deal(1)
HEADER, _, FIRST, SECOND, *REST = str(find_variant("simple-simon").deal(1)).splitlines()
JOINED = "\n".join([HEADER, f"{FIRST} {SECOND}", ":", *REST])
EXPOSED = str(find_variant("joker").deal(1, choices={"exchange": "exposed"}))
ROWS = "; read rows with --by rows"
SURE = "; solve, hint, rate, play and board take unknown cards, written <??>"
WITH_KEY = json.dumps(deal_object(find_variant("fortress"), FORTRESS) | {"x": 1})
ERRORS = {
    "the rows of a deal": (by_rows(FORTRESS), "these are the rows of a fresh deal", ROWS),
    "columns of other sizes": (JOINED, "perhaps the table was typed by rows", ROWS),
    "gaps": (by_rows(FORTRESS, gap="--"), "'--' is an empty place of a row", ROWS),
    "gaps of joker": (by_rows(JOKER, gap="."), "'.' is an empty place of a row, or an unknown card", SURE),
    "no game": ("6H\nhello\n", "which game? Name it in the file", "; in a command: GAME before FILE"),
    "unknown game": (str(FORTRESS).replace("fortress", "xyzzy"), "expected chessboard", "-vegas-one"),
    "unknown key": (WITH_KEY, "another key of a deal in JSON", ""),
    "short number": ("# game: klondike\nMicrosoft: 11982\n", "shorter ones: PySolFC's ms11982", ""),
}
"""For each error the text of a deal, a part of the message, and what the command line adds."""


def each(test):
    """Parametrize ``test`` by the errors."""
    return pytest.mark.parametrize(("text", "problem", "hint"), ERRORS.values(), ids=ERRORS)(test)


@each
def test_python_names_no_option(text, problem, hint):
    with pytest.raises(FormatError, match=re.escape(problem)) as error:
        read_deal(text)
    assert not WORDS.search(str(error.value))


@each
def test_the_engine_names_no_option(text, problem, hint):
    with Talk() as talk:
        message = talk.ask("go", deal=text)["message"]
    assert problem in message
    assert not WORDS.search(message)


@each
def test_the_board_names_no_option(text, problem, hint):
    told = [each["text"] for name in VARIANTS for each in editor.check(find_variant(name), text)["problems"]]
    try:
        new_game.read_typed(None, text.encode(), "table")  # reads rows where they are sure
    except FormatError as error:
        told.append(str(error))
    assert told
    assert not any(map(WORDS.search, told))


@each
def test_the_command_line_says_what_mends_it(text, problem, hint, tmp_path):
    run, path = Program(), tmp_path / "deal.txt"
    path.write_text(text)
    message = run.fails("solve", path)
    assert problem in message
    assert message.endswith(f"{hint}\n")


def test_unknown_cards_are_taken_by_some_commands(tmp_path):
    run, path = Program(), tmp_path / "table.txt"
    path.write_text(TABLE)
    assert run.fails("difficulty", "joker", path).endswith(f"expected all cards known{SURE}\n")


def test_rules_that_contradict_those_asked_for():
    with pytest.raises(ValueError, match="exchange 'exposed': turned was asked for") as error:
        read_deal(EXPOSED, choices={"exchange": "turned"})
    assert not WORDS.search(str(error.value))


def test_an_unknown_game():
    for ask in (find_variant, lambda name: deal(name, 1), lambda name: solve(name, FORTRESS)):
        with pytest.raises(ValueError, match="no such game; expected chessboard, fortress, ") as error:
            ask("xyzzy")
        assert not WORDS.search(str(error.value))
    assert Program().fails("deal", "xyzzy", "--seed", 1).endswith(", klondike-vegas-one\n")


def literals(path):
    """The strings in a module, with their lines and without docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    found = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in found:
            yield node.lineno, node.value


@pytest.mark.parametrize("package", ["rules", "protocol", "game", "board", "gym", "solver"])
def test_no_string_in_the_code_names_an_option(package):
    for path in sorted((ROOT / package).rglob("*.py")):
        for line, text in literals(path):
            assert not WORDS.search(text), f"{path}:{line}"


def test_no_page_names_a_command():
    for path in sorted((ROOT / "board" / "static").glob("*.html")):
        assert not WORDS.search(re.sub("<[^>]*>", "", path.read_text("utf-8"))), path
