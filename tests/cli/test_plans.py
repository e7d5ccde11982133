"""Sure wins of tables with unknown cards: hints, and plans given to ``winnable verify``."""

import json

import pytest

SURE = """# game: klondike-draw-one
<??> <??> 2C
KC
KS
Foundations: C-0 D-K H-K S-J
Stock: QS QC JC TC 9C 8C 7C 6C 5C 4C
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text(SURE)
    return path


def test_the_plan_of_a_sure_win_is_replayed_from_a_file_and_from_standard_input(run, table, tmp_path):
    answer = run("solve", table, "--json")[1]
    (tmp_path / "answer.json").write_text(answer)
    for given in ((tmp_path / "answer.json", None), ("-", answer)):
        assert run.out("verify", table, given[0], stdin=given[1]) == "correct: won in all 2 arrangements\n"
    assert run.out("verify", "-", tmp_path / "answer.json", stdin=SURE).startswith("correct: ")


@pytest.mark.parametrize("then", ["x", [5], {"turned": []}])
def test_a_plan_without_a_list_of_branches_is_wrong(run, table, then):
    answer = run.json("solve", table)
    answer["plan"]["then"] = then
    told = run("verify", table, "-", stdin=json.dumps(answer))
    assert told == (1, "wrong: then: expected a list of objects with turned, moves and then\n", "")


@pytest.mark.parametrize("line", ["QS s-w", "DR1", '{"moves": ["QS s-w"]}', '{"plan": null}', "{"])
def test_a_line_of_play_of_a_table_with_unknown_cards_is_refused(run, table, line):
    assert "expected the answer of solve --json for a sure win" in run.fails("verify", table, "-", stdin=line)


def test_a_hint_begins_with_the_plan_and_names_one_of_several_equal_moves(run, table):
    first = run.json("solve", table)["plan"]["moves"][0]
    assert run.json("hint", table)["options"][0]["move"] == first == "QS s-w"
    assert len(run.json("hint", table)["options"]) == 17
    assert run.out("hint", table).count(" won for certain ") == 4
    assert run.out("hint", table).count("KC 2-") == 1
    assert run.out("hint", table, "--all").count("KC 2-") == 4
