"""The command play in a terminal."""

import os
import re

import pytest
from tests.children import Terminal, start
from tests.compiled import needs_kernels

from winnable.game.history import History
from winnable.rules import find_variant
from winnable.rules.cards import format_card
from winnable.rules.tables import hidden, missing_cards
from winnable.solver import solve

pytestmark = needs_kernels


def played(run, *args, lines):
    """All output, on stdout and stderr, of a game with these ``lines`` of input."""
    status, *printed = run("play", *args, stdin="\n".join([*map(str, lines), ""]).encode())
    assert status == 0
    return printed


def test_a_whole_game_is_played_and_saved(run, tmp_path):
    path = tmp_path / "moves.txt"
    variant = find_variant("fortress")
    moves = list(solve(variant, variant.deal(8)).moves)
    lines = ["verdict", *moves, "mistakes", f"save {path}", "moves"]
    out, err = played(run, "fortress", "--seed", 8, lines=lines)
    assert "\nwinnable in at most " in out
    assert "\nno mistakes\n" in out
    assert out.endswith(f"won after {len(moves)} moves\n")
    assert err == f"winnable: moves written to {path}\n"
    assert run("verify", "fortress", "--seed", 8, path)[0] == 0
    assert run("review", "fortress", "--seed", 8, path)[0] == 0
    assert "already won" in run("hint", "fortress", "--seed", 8, "--moves", path)[1]


def test_moves_are_taken_back_and_mistakes_are_told(run):
    lines = ["5D 7-5", "undo", "redo", "undo", "7H 6-1", "mistakes", "hint", "quit", "AH 9-f"]
    out, err = played(run, "fortress", "--seed", 8, lines=lines)
    assert err == ""
    assert "move 1, 7H 6-1: makes the deal unwinnable; AH 9-f still wins" in out
    assert "Verdict: unwinnable" in out
    assert out.endswith("not won after 1 move\n")


def test_a_mistake_is_told_as_it_is_made_and_not_before(run):
    lines = ["5D 7-5", "undo", "7H 6-1", "9S 4-2", "undo", "undo", "judge off", "redo", "judge", "judge on"]
    out, err = played(run, "fortress", "--seed", 8, lines=lines)
    assert err == "winnable: expected judge on or judge off, got judge\n"
    said = [line for line in out.splitlines() if "mistake" in line or line[:2] in ("1.", "2.")]
    assert said[1:3] == [
        "1. 7H 6-1: 7H from column 6 to column 1",
        "a mistake: it makes the deal unwinnable; AH 9-f still wins",
    ]
    assert out.count("a mistake") == 1
    hidden = played(run, "joker", "--seed", 4, "--hidden", lines=["s-w", "judge on", "s-w"])
    assert "mistake" not in hidden[0]
    assert hidden[1] == ""


SURE = """# game: klondike-draw-one
<??> <??> 2C
KC
KS
Foundations: C-0 D-K H-K S-J
Stock: QS QC JC TC 9C 8C 7C 6C 5C 4C
"""


def test_a_game_with_unknown_cards_is_judged_where_that_is_wanted(run, tmp_path):
    path = tmp_path / "table.txt"
    path.write_text(SURE)
    certain = "all 52 cards: won for certain, whatever the unknown cards are"
    out, err = played(run, path, lines=["QS s-w", "hint", "verdict", "QS w-f"])
    assert (err, certain in out) == ("", False)
    assert "won for certain: a plan wins whatever the 2 unknown cards are" in out
    assert "best chance after it" in out
    out, err = played(run, path, lines=["judge on", "QS s-w", "QS w-f"])
    assert (err, out.count(certain)) == ("", 1), "it is told once"


def test_a_hopeless_game_with_hidden_cards_gets_no_hint(run):
    turns, told = ["t"] * 24, "all 52 cards: hopeless, lost whatever the unknown cards are\n"
    out, err = played(run, "klondike-vegas-one", "--seed", 11, "--hidden", lines=[*turns, "hint"])
    assert err == ""
    assert out.count(told) == 1
    assert "samples" not in out


def test_the_last_unknown_card_is_told_in_the_singular(run, tmp_path):
    path = tmp_path / "table.txt"
    path.write_text(SURE)
    plan = run.json("solve", path)["plan"]["moves"]
    asked, told = played(run, path, lines=[*plan, f"{plan[-1]} (AC)", "verdict"])
    assert told == f"winnable: which card is turned up? Write it after the move, as in {plan[-1]} (AC)\n"
    assert "won for certain: a plan wins whatever the 1 unknown card is (1 arrangement)\n" in asked


def test_letters_stand_for_commands(run):
    words = ["t", "undo", "t", "t", "?", "q"]
    letters = ["turn", "u", "draw", "d", "help", "quit"]
    out = [played(run, "klondike", "--seed", 3, "--hidden", lines=lines)[0] for lines in (words, letters)]
    assert out[0] == out[1]
    assert "2. KS s-w: AH 6S KS turned from the stock" in out[0]
    assert "'t': fortress has no stock and no waste" in played(run, "fortress", "--seed", 8, lines=["t"])[1]


def test_help_fits_the_terminal(run, monkeypatch):
    monkeypatch.setattr("winnable.cli.terminal.columns", lambda: 60)
    out = played(run, "fortress", "--seed", 8, lines=["help"])[0]
    assert f"the moves, for hint --moves and review;\n{'':21}save position FILE" in out
    assert all(len(line) <= 60 for line in out.splitlines())


@pytest.mark.full
@pytest.mark.parametrize(("hidden", "row"), [((), "4D <QS> <7S> <9C>"), (("--hidden",), "4D <??> <??> <??>")])
def test_the_table_is_drawn_anew_on_a_terminal(hidden, row):
    terminal = Terminal()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    terminals = {"stdin": terminal.descriptor, "stdout": terminal.descriptor}
    process = start("play", "klondike", "--seed", 3, "--no-history", *hidden, env=environment, **terminals)
    terminal.type("t\nt\njs 5\t\nq\n")
    process.finish()
    tables = terminal.shown().split("\x1b[2J")[1:]
    assert len(tables) == 4
    assert tables[0].startswith("\x1b[1;1HKlondike, draw 3, seed 3\n\n")
    assert "stock 18   waste 6: AH 6S KS   C --   D --   H --   S --\n\n   1    2    3" in tables[2]
    assert row in tables[0]
    assert "QH" in tables[3].partition("\n   1")[2]
    assert "3. JS 5-4: JS from column 5 to column 4; 6H is turned up in column 5" in tables[3]
    assert tables[3].endswith("not won after 3 moves\n")


def test_the_game_is_in_the_history_of_the_board(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "winnable" / "history.sqlite"
    played(run, "fortress", "--seed", 8, lines=["verdict", "quit"])
    played(run, "fortress", "--seed", 8, "--no-history", lines=["AH 9-f"])
    assert not path.exists()
    played(run, "fortress", "--seed", 8, lines=["7H 6-1"])
    played(run, "joker", "--seed", 4, "--hidden", lines=["s-w"])
    last, first = sorted(History(path).games(), key=lambda game: game["game"], reverse=True)
    kept = [first[name] for name in ("name", "outcome", "mistakes", "winnable")]
    assert kept == ["seed 8", "left", 1, True]
    assert (last["mode"], last["moves"]) == ("player", 1)
    path.write_bytes(b"my diary" * 999)
    out, err = played(run, "fortress", "--seed", 8, lines=["AH 9-f"])
    assert err.count("\n") == 1
    assert "left as it is" in err or "not a database" in err
    assert out.endswith("not won after 1 move\n")
    assert path.read_bytes() == b"my diary" * 999


def test_what_a_hint_has_found_is_not_forgotten(run):
    lines = ["verdict", "hint", "TS 2-4", "undo", "verdict", "7H 6-f", "verdict"]
    out, err = played(run, "chessboard", "--seed", 8, lines=lines)
    assert err == ""
    first, *said = [line for line in out.splitlines() if line.startswith(("winnable", "lost"))]
    assert first.startswith("winnable in at most ")
    assert said == ["winnable in 69 moves (shortest)", "lost, proved"]


def test_what_cannot_be_done_is_said_in_one_line_and_the_game_goes_on(run, tmp_path):
    lines = ["nonsense", "9S 1-9", "7H 6-2", "undo", "redo", "reveal", "save", "save x y z", "save rules x"]
    lines += [f"save {tmp_path}/no/such/folder/x", "", "# a comment", "help", "show", "AH 9-f"]
    out, err = played(run, "fortress", "--seed", 8, lines=lines)
    assert err.count("\n") == 10
    assert all(line.startswith("winnable: ") for line in err.splitlines())
    assert out.endswith("not won after 1 move\n")


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["joker", "klondike-one-pass"])
def test_hidden_cards_are_not_printed_before_they_are_turned(run, name):
    state = find_variant(name).deal(4)
    unseen = {format_card(card) for card in missing_cards(hidden(state))} - {format_card(state.stock[0])}
    lines = ["show", "verdict", "mistakes", "s-w", "hint", "undo", "redo", "moves"]
    out, err = played(run, name, "--seed", 4, "--hidden", lines=lines)
    assert not [card for card in unseen - {"XB", "XR", "7S", "4D"} if card in out.replace("legend", "")]
    assert err.count("not available with hidden cards") == 1
    assert "can be won if all cards are seen" in out
    assert f"{format_card(state.stock[0])} turned from the stock" in out
    assert "can be reached" in played(run, name, "--seed", 4, "--hidden", lines=["s-w", "reveal"])[0]


def test_a_table_with_unknown_cards_asks_for_them(run, tmp_path):
    path = run.write(
        tmp_path / "table.txt", "simulate", "joker", "--seed", 4, "--player", "rule", "--before", 1
    )
    out, err = played(run, path, lines=["s-w", "s-w (9C)", "hint"])
    assert "which card is turned up? Write it after the move, as in s-w (AC)\n" in err
    assert "9C turned from the stock" in out


def test_a_game_without_a_deal_is_a_random_one(run):
    status, out, told = run("play", "fortress", "--no-history", stdin=b"quit\n")
    assert status == 0
    seed = re.fullmatch("winnable: a random deal: seed ([0-9]+)\n", told)[1]
    assert run("deal", "fortress", "--seed", seed)[1] in out
