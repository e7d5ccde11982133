"""Input of other programs, given to the commands and the engine."""

import json
from pathlib import Path

import pytest

from winnable.protocol.requests import position_of

OTHERS = Path(__file__).parents[1] / "rules" / "formats" / "others"
_LINE = "DR4 W5 DR6 WC W2 DR1 W2 72 F7 7S F7 75 F7 7C F7 76 F7 57-3 F5 W5 72-4 F7 53-2 F5"


def test_the_commands_and_the_engine_take_and_give_lines_of_klondike_solvers(tmp_path, run):
    deal, line = tmp_path / "deal", tmp_path / "line"
    deal.write_text("# game: klondike-draw-one\nGame: 5\n")
    line.write_text(_LINE)
    assert "Stock: " in run.out("deal", deal, "--moves", line)
    for notation in ("klondike-solver", "ksolve", "minimalklondike"):
        text = run.out("solve", deal, "--format", notation)
        assert run.out("verify", deal, "-", stdin=text).startswith("correct: won in ")
    refused = run.fails("solve", "fortress", "--seed", "1", "--format", "ksolve")
    assert "expected a game that deals as Klondike" in refused
    params = {"game": "klondike-draw-one", "deal": "Game: 5", "moves": _LINE.split()}
    assert len(position_of(params).state.waste) > 0


def _rows():
    page = (Path(__file__).parents[2] / "docs" / "other-programs.md").read_text()
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line[:1] == "|"
    ]
    return [(game, typed.strip("`"), answer.strip("`")) for _, _, game, typed, answer in cells[2:]]


@pytest.mark.parametrize(("game", "typed", "answer"), _rows())
def test_each_row_of_the_page_on_other_programs_is_so(run, tmp_path, game, typed, answer):
    board, _, line = typed.partition("; ")
    if (OTHERS / board).is_file():
        board = (OTHERS / board).read_text()
    if not line:
        assert run.out("deal", game, "-", stdin=board).splitlines()[1] == answer
        return
    (tmp_path / "deal").write_text(board)
    told = run("verify", game, tmp_path / "deal", "-", stdin=line)
    assert answer in told[1] + told[2]


def test_an_illegal_line_is_refused_at_its_move_everywhere(run, tmp_path):
    deal, line = tmp_path / "deal", tmp_path / "line"
    deal.write_text("# game: klondike-draw-one\nGame: 5\n")
    problem = "move 3 (72): 6D does not go on 9C"
    line.write_text("DR4 W5 72 F7")
    assert run("verify", deal, line) == (1, f"illegal {problem}\n", "")
    answer = run.json("verify", deal, line)
    assert (answer["correct"], answer["moves"]) == (False, ["DR4", "W5", "72", "F7"])
    assert (answer["failed_move"], answer["failed_text"]) == (3, "72")
    assert answer["reason"] == "6D does not go on 9C"
    for command in ("review", "replay"):
        assert problem in run.fails(command, deal, line)
    for command in ("solve", "hint", "deal", "play", "replay"):
        assert problem in run.fails(command, deal, "--moves", line)
    params = {"game": "klondike-draw-one", "deal": "Game: 5", "moves": ["DR4", "W5", "72", "F7"]}
    with pytest.raises(ValueError, match=r"move 3 \(72\): 6D does not go on 9C"):
        position_of(params)


def test_a_deck_of_solvitaire_without_kings_has_to_say_so(run):
    piles = [["KC", "AC"]] + [[f"{rank}{suit}" for rank in "23456789"] for suit in "CDHS"]
    piles += [[f"{rank}{suit}" for rank in ("A", "10", "J", "Q")] for suit in "DHS"] + [["10C", "JC", "QC"]]
    short = [[card for card in pile if card[0] != "K"] for pile in piles]
    text = json.dumps({"tableau piles": short})
    refused = run.fails("deal", "fortress", "-", stdin=text)
    assert '48 cards, A to Q of C D H S: add the cards that are missing, or "ranks": 12' in refused
    said = run.out("deal", "fortress", "-", stdin=json.dumps({"tableau piles": short, "ranks": 12}))
    assert "Ranks: 12" in said
