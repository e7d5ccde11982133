"""The commands verify, hint and review on lines of play."""

import json
import re

import pytest
from tests.cli.answers import ENGINE
from tests.compiled import needs_kernels

from winnable.rules.tiers import score_text
from winnable.solver.analysis import fair


def test_verify_says_where_and_why_a_line_fails(run, tmp_path):
    path = tmp_path / "solution"
    moves = run.json("solve", "chessboard", "--seed", 8)["moves"]
    asked = ("verify", "chessboard", path, "--seed", 8)
    path.write_text("\n".join([*moves[:9], "KS 1-2", *moves[9:]]))
    status, out, err = run(*asked)
    assert (status, err) == (1, "")
    assert out.startswith("illegal move 10 (KS 1-2): the top of column 1 is ")
    path.write_text(json.dumps(moves[:-1]))
    told = f"not a win: 1 card is left in the columns after {len(moves) - 1} moves"
    told += "; --score counts the cards that are up\n"
    assert run(*asked) == (1, told, "")
    answer = run.json(*asked)
    assert (answer["correct"], answer["failed_move"]) == (False, None)
    assert "f:" not in run.fails("verify", "chessboard", "-", "--seed", 8, stdin=b"hello")
    out = run("verify", "chessboard", "-", "--seed", 8, stdin=b'{"moves": ["\\u001b[2K \\ud800"]}')[1]
    assert out.startswith(r"illegal move 1 (\x1b[2K \ud800): ")


def test_verify_tells_the_score_of_a_scored_game(run, tmp_path):
    path = tmp_path / "solution"
    answer = run.json("solve", "joker", "--seed", 7, "--engine", "reference", "--work", 30_000)
    path.write_text(json.dumps(answer))
    out = run.out("verify", "joker", path, "--seed", 7)
    correct = f"correct: {answer['length']} moves, score {score_text(answer['score'], 52)}\n"
    assert out == correct
    assert run.out("verify", path) == correct


def test_verify_counts_the_cards_of_a_lost_deal(run):
    answer = run("solve", "klondike", "--seed", 29, "--score")[1]
    status, out, _ = run("verify", "-", stdin=answer)
    assert (status, out.partition(":")[0]) == (1, "not a win")
    assert run("verify", "-", "--score", stdin=answer)[:2] == (0, "correct: 2 moves, score 2 of 52\n")
    found = run.json("verify", "-", "--score", stdin=answer)
    assert (found["correct"], found["score"], found["tier"]) == (True, 2, None)
    lost = run("solve", "fortress", "--seed", 1, "--json")[1]
    assert "an answer without a line of play: 'unwinnable'" in run.fails("verify", "-", stdin=lost)


def test_a_line_of_another_seed_or_reading_is_no_wrong_line(run, tmp_path):
    path = tmp_path / "solution"
    for form in ((), ("--json",)):
        args = ("solve", "joker", "--seed", 7, "--exchange", "exposed", "--engine", "reference", *form)
        path.write_text(run(*args, "--work", 30_000)[1])
        for command in ("verify", "review", "replay"):
            told = run.fails(command, "joker", path, "--seed", 8, "--exchange", "exposed")
            assert "seed 7: the deal has 8" in told
            assert "exchange exposed: the deal has turned" in run.fails(command, "joker", path, "--seed", 7)
    assert "exchange turned: the deal has exposed" in run.fails("verify", path, "--exchange", "turned")
    assert "but fortress was named" in run.fails("verify", "fortress", path)


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_review_marks_the_move_that_threw_the_win_away(run, tmp_path):
    path = tmp_path / "moves"
    hint = run.json("hint", "chessboard", "--seed", 8)
    bad = next(option["move"] for option in hint["options"] if not option["keeps"])
    path.write_text(f"# what I played\n{bad}\n")
    out = run.out("review", "chessboard", "--seed", 8, path)
    first, marked, last = out.splitlines()
    assert (first, last) == ("Before move 1: winnable", "After 1 move: unwinnable")
    assert re.fullmatch(rf"Move 1, {bad}: makes the deal unwinnable; .* still wins", marked)
    answer = run.json("review", "chessboard", "--seed", 8, path)
    assert (answer["verdict"], answer["mistakes"]) == ("winnable", [1])
    assert [step["verdict"] for step in answer["steps"]] == ["unwinnable"]
    path.write_text(json.dumps(hint["moves"]))
    out = run("review", "chessboard", "--seed", 8, path)[1]
    count = len(hint["moves"])
    assert out == f"Before move 1: winnable\nAfter {count} moves: already won\n"
    problems = {"KS 1-1": ": illegal move 1 (KS 1-1)", "[]": ":1: no move to review"}
    for text, problem in problems.items():
        path.write_text(text)
        assert f"{path}{problem}" in run.fails("review", "chessboard", path, "--seed", 8)


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_review_tells_scores_and_open_positions(run, tmp_path):
    path = tmp_path / "moves"
    deck = run("deal", "joker", "--seed", 5)[1]
    stock = next(line for line in deck.splitlines() if line.startswith("Stock: ")).split()[1:]
    path.write_text("".join(f"{card} s-w\n" for card in stock))
    out = run.out("review", "joker", "--seed", 5, path)
    assert out.startswith("Before move 1: winnable; best score 52 of 52 (triple)\n")
    assert "gives up the triple, the best score falls from 52 to " in out
    assert run("review", "joker", "--seed", 5, path, "--work", 0)[0] == 3


@pytest.fixture
def player_game(run, tmp_path):
    """A file with a game of Joker that the rule player played."""
    path = tmp_path / "game"
    path.write_text(run("simulate", "joker", "--seed", 5, "--player", "rule")[1])
    return path


@pytest.mark.full
@needs_kernels
def test_a_fair_review_judges_moves_by_what_was_seen(run, player_game):
    out = run.out("review", player_game, "--fair", "--visits", 20)
    answer = run.json("review", player_game, "--sees", "table", "--visits", 20)
    assert (answer["sees"], answer["reason"]) == ("table", None)
    steps = answer["steps"]
    marked = [f"Move {number}, {steps[number - 1]['move']}:" for number in answer["mistakes"]]
    assert [line.partition(":")[0] + ":" for line in out.splitlines() if line.startswith("Move ")] == marked
    assert answer["lost"] == pytest.approx(sum(step["loss"] for step in steps), abs=0.01)
    assert sum(answer["words"].values()) + answer["forced"] == len(steps)
    for step in steps:
        assert (step["better"] is None) == (step["loss"] == 0)
        assert step["loss"] in (0, pytest.approx((step["best"] or 0) - (step["made"] or 0), abs=0.001))
    assert f"Lost by play: {round(100 * answer['lost'])} point" in out
    assert "from a chance of " in out
    stock = run.json("review", player_game, "--sees", "stock", "--visits", 20)
    assert stock["sees"] == "stock"
    assert stock["start"] != answer["start"]


@needs_kernels
def test_a_fair_review_needs_hidden_cards_and_a_player(run, tmp_path):
    path = tmp_path / "moves"
    path.write_text("7H 6-f\n")
    asked = ("review", "chessboard", "--seed", 8, path, "--fair")
    assert "--fair: expected a game with a player (joker, " in run.fails(*asked)
    assert f"{path}: illegal move 1 (7H 6-f)" in run.fails("review", "joker", "--seed", 8, path, "--fair")
    path.write_text(run("deal", "klondike", "--seed", 1, "--ranks", 5)[1])
    asked = ("review", path, "-", "--fair")
    assert "expected the full deck" in run.fails(*asked, stdin=b"AC 2-f")


@needs_kernels
def test_ctrl_c_in_a_fair_review_prints_the_moves_before_it(run, player_game, monkeypatch):
    judged = fair.chances_after
    calls = []

    def chances_after(*args):
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return judged(*args)

    monkeypatch.setattr(fair, "chances_after", chances_after)
    status, out, err = run("review", player_game, "--fair", "--visits", 5)
    assert (status, err.startswith("winnable: interrupted after ")) == (3, True)
    assert out.startswith("Move")
    assert "Luck" not in out
