"""The command hint for positions that are fully known: order, proofs, losing and undecided moves."""

import re
from dataclasses import replace

import pytest
from tests.cli.answers import KEYS
from tests.compiled import needs_kernels

from winnable import hint
from winnable.cli.commands import hint as hint_command
from winnable.cli.moves import hint_text
from winnable.rules import find_variant
from winnable.rules.formats.text import Deal, format_board
from winnable.solver import Verdict, solve

pytestmark = needs_kernels
OPTION = [
    "move",
    "does",
    "effects",
    "card",
    "from",
    "to",
    "count",
    "declares",
    "turns_up",
    "exchanges",
    "keeps",
]
OPTION += ["verdict", "length", "shortest", "lower_bound", "score", "tier", "score_bound", "exact", "reason"]


def test_proved_numbers_and_found_ones_read_differently(run):
    lines = run("hint", "chessboard", "--seed", 8)[1].splitlines()
    assert lines[0] == "Verdict: winnable in 69 moves (shortest)"
    assert all(line.endswith(" in 68 moves (shortest)") for line in lines[1:4])
    lines = run("hint", "chessboard", "--seed", 8, "--prove", 0)[1].splitlines()
    assert re.fullmatch(r"Verdict: winnable in at most \d+ moves", lines[0])
    assert re.fullmatch(r"  .* winnable in at most \d+ moves", lines[1])
    lines = run("hint", "chessboard", "--seed", 8, "--prove", 1)[1].splitlines()
    assert re.fullmatch(r"Verdict: winnable in \d+ to \d+ moves", lines[0])


def test_json_has_what_the_text_has(run):
    answer = run.json("hint", "chessboard", "--seed", 8)
    assert list(answer) == [*KEYS, "options"]
    assert (answer["length"], answer["shortest"], answer["lower_bound"]) == (69, True, 69)
    assert len(answer["moves"]) == 69
    assert [list(option) for option in answer["options"]] == [OPTION] * 18
    for option in answer["options"]:
        is_proved = option["shortest"], option["lower_bound"]
        assert is_proved == ((True, option["length"]) if option["keeps"] else (False, None))
    left = [option["length"] for option in answer["options"] if option["keeps"]]
    assert left == sorted(left)
    answer = run.json("hint", "chessboard", "--seed", 8, "--prove", 0)
    assert (answer["shortest"], answer["lower_bound"]) == (False, None)


@pytest.mark.parametrize("work", ["20k", pytest.param("1M", marks=pytest.mark.full)])
def test_a_hint_has_the_line_of_solve(run, work):
    """Its line once had 191 moves, that of solve 110."""
    args = ("simon-jester", "--seed", 3, "--shorten", work)
    answer, solved = (run.json(command, *args) for command in ("hint", "solve"))
    assert answer["length"] <= solved["length"]
    assert f" {answer['length']} moves" in run("hint", *args)[1].splitlines()[0]


def test_moves_that_lose_are_named(run):
    variant = find_variant("fortress")
    lost = run.json("hint", "fortress", "--seed", 8)["options"]
    lost = [option["move"] for option in lost if option["keeps"] is False]
    lines = run("hint", "fortress", "--seed", 8, "--count", 1)[1].splitlines()
    assert lines[2] == "  and 5 other winning moves"
    assert lines[3] == f"  3 losing moves (proved): {', '.join(lost)}"
    lines = run("hint", "fortress", "--seed", 1)[1].splitlines()
    count = len(variant.family.legal_moves(variant.deal(1)))
    assert lines[0] == "Verdict: unwinnable; best score 0 of 52"
    assert lines[1].startswith(f"  {count} losing moves (proved): ")
    assert len(lines) == 3


def test_moves_of_a_lost_deal_are_ranked_by_the_most_cards_up(run):
    lines = run("hint", "fortress", "--seed", 2)[1].splitlines()
    assert lines[0] == "Verdict: unwinnable; best score 3 of 52 in 12 moves (shortest)"
    assert lines[1] == "  5H 6-3   best score 3 of 52 in 11 moves (shortest)"
    assert lines[4] == "  3 moves that leave less (proved): QH 9-1 (0), 6H 3-6 (0), 4H 10-6 (0)"
    assert {option["keeps"] for option in run.json("hint", "fortress", "--seed", 2)["options"]} == {False}


def test_a_move_whose_score_was_not_searched_for_is_not_said_to_leave_less():
    variant = find_variant("fortress")
    deal = Deal(variant.deal(2))
    advice = hint(deal.state)
    last = advice.options[-1]
    unknown = replace(last, after=replace(last.after, score=None, score_bound=None, exact=None))
    text = hint_text(variant, deal, replace(advice, options=(*advice.options[:-1], unknown)), 5)
    assert "  4H 10-6  unwinnable\n" in text
    assert "  2 moves that leave less (proved): QH 9-1 (0), 6H 3-6 (0)\n" in text


def test_no_move_of_a_lost_deal_with_a_score_is_called_winning(run):
    lines = run("hint", "klondike-one-pass", "--seed", 6, "--count", 1)[1].splitlines()
    assert lines[0] == "Verdict: unwinnable; best score 10 of 52 (a win needs 15)"
    assert lines[2] == "  and 3 other moves"


def test_all_moves_are_a_line_each(run):
    lines = run("hint", "chessboard", "--seed", 8, "--all")[1].splitlines()
    assert len(lines) == 1 + 18 + 1
    assert re.fullmatch(r"  7H 6-f +unwinnable", lines[18])
    assert run("hint", "fortress", "--seed", 1, "--shorten", 0, "--prove", 0)[0] == 0


@pytest.mark.full
def test_moves_that_lose_a_tier_are_named_with_what_is_left(run):
    answer = run.json("hint", "joker", "--seed", 8)
    lost = [option for option in answer["options"] if option["keeps"] is False]
    assert {option["exact"] for option in lost} == {True}
    names = ", ".join(f"{option['move']} ({option['score']})" for option in lost)
    out = run("hint", "joker", "--seed", 8)[1]
    assert f"\n  {len(lost)} moves give up the triple (proved): {names}\n" in out
    out = run("hint", "joker", "--seed", 8, "--all")[1]
    assert all(f"  {option['move']}  best score {option['score']} of 52" in out for option in lost)


def test_many_names_go_on_in_further_lines(run, tmp_path):
    variant, path = find_variant("chessboard"), tmp_path / "position"
    state = next(s for s in map(variant.deal, range(50)) if solve(s).verdict is Verdict.UNWINNABLE)
    path.write_text(format_board(variant, state, None, None))
    lines = run("hint", "chessboard", path)[1].splitlines()[1:-1]
    lines = lines[next(n for n, line in enumerate(lines) if "(proved): " in line) :]
    assert len(lines) > 1
    assert max(map(len, lines)) <= 100
    names = "".join(lines).split("(proved): ")[1]
    told = [re.sub(" +", " ", name).strip() for name in names.split(",")]
    answer = run.json("hint", "chessboard", path)
    less = [option for option in answer["options"] if option["score"] < answer["score"]]
    assert told == [f"{option['move']} ({option['score']})" for option in less]


@pytest.mark.full
def test_two_decks_are_proved_when_asked(run):
    answer = run.json("hint", "simon-jester", "--seed", 1)
    assert answer["lower_bound"] is None
    answer = run.json("hint", "simon-jester", "--seed", 1, "--prove", "500k")
    assert 0 < answer["lower_bound"] <= answer["length"]
    assert {option["lower_bound"] for option in answer["options"]} >= {answer["lower_bound"] - 1}


def test_ctrl_c_tells_what_is_decided_and_what_is_not(run, interrupt_search):
    interrupt_search(4)
    status, out, err = run("hint", "chessboard", "--seed", 8, "--all")
    lines = out.splitlines()
    assert (status, err) == (3, "winnable: interrupted\n")
    assert re.fullmatch(r"Verdict: winnable in at most \d+ moves", lines[0])
    assert sum(line.endswith("  undecided (interrupted)") for line in lines) == 15
    assert len(lines) == 20
    interrupt_search(4)
    assert "\n  and 13 other moves: 13 undecided (interrupted)\n" in run("hint", "chessboard", "--seed", 8)[1]
    interrupt_search(4)
    answer = run.json("hint", "chessboard", "--seed", 8)
    assert (answer["verdict"], answer["reason"]) == ("winnable", "interrupted")
    reasons = [(option["verdict"], option["keeps"], option["reason"]) for option in answer["options"]]
    assert reasons.count(("undecided", None, "interrupted")) == 15


def test_ctrl_c_before_anything_is_decided(run, interrupt_search):
    for args in (("chessboard", "--seed", 8), ("joker", "--seed", 1)):
        interrupt_search(1)
        status, out, err = run("hint", *args)
        assert (status, err) == (3, "winnable: interrupted\n")
        assert re.match(r"Verdict: undecided \(interrupted\)(; best score 0 to 52)?\n", out)
        assert out.count("undecided (interrupted)") == out.count("\n  ") + 1 > 1


def test_ctrl_c_among_the_proofs_leaves_moves_decided(run, interrupt_search):
    interrupt_search(20)
    status, out, err = run("hint", "chessboard", "--seed", 8)
    assert (status, err) == (0, "winnable: interrupted\n")
    assert out.startswith("Verdict: winnable in 69 moves (shortest)\n")
    assert "undecided" not in out
    interrupt_search(19)
    answer = run.json("hint", "chessboard", "--seed", 8)
    assert (answer["verdict"], answer["shortest"], answer["reason"]) == ("winnable", False, "interrupted")


def test_the_memory_is_limited(run, monkeypatch):
    monkeypatch.setattr(hint_command, "_MEGABYTES", 0.0)
    answer = run.json("hint", "simon-jester", "--seed", 1)
    assert "memory" in {option["reason"] for option in answer["options"]}
