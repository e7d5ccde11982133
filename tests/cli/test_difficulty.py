"""The command difficulty, and the deals that pass the filters of deal."""

import json
from unittest.mock import Mock

import pytest
from tests.compiled import needs_kernels
from tests.deals import deals_file

from winnable import SCHEMA
from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import write_deals
from winnable.rules.formats.text import Deal, format_board
from winnable.solver import Verdict, solve
from winnable.solver.analysis import choice, difficulty
from winnable.solver.analysis.difficulty import judge_of, level_of

pytestmark = needs_kernels
LEVELLED = [name for name, variant in VARIANTS.items() if variant.levels]
CHESSBOARD = {1: "medium", 2: "easy", 3: "hard", 5: None}


def winnable_deal(variant):
    """The first seed from 1 on whose deal can be won, and the line."""
    results = ((seed, solve(variant, variant.deal(seed), shorten=0)) for seed in range(1, 50))
    return next((seed, found.moves) for seed, found in results if found.verdict is Verdict.WINNABLE)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", LEVELLED)
def test_the_level_of_a_deal_is_told_and_what_it_means(run, name):
    variant = find_variant(name)
    seed, _ = winnable_deal(variant)
    ease = judge_of(variant).ease(variant.deal(seed))
    level = level_of(variant, ease)
    hard, easy = variant.levels
    answer = run.json("difficulty", name, "--seed", seed)
    assert answer == {
        "schema": SCHEMA, "game": name, "seed": seed, "verdict": "winnable",
        "difficulty": level, "ease": ease, "hard_below": hard, "easy_from": easy, "reason": None,
    }  # fmt: skip
    out = run.out("difficulty", name, "--seed", seed)
    first, second, third = out.splitlines()
    assert first == f"Difficulty: {level}"
    assert f"{ease:g} " in second
    assert third == f"Levels: hard below {hard:g}, easy from {easy:g}, thirds of the deals that can be won"
    out = run("deal", name, "--seed", seed, "--difficulty", level, "--json")[1]
    assert json.loads(out)["seed"] == seed


def test_many_deals_give_a_line_each(run, tmp_path):
    path = deals_file(tmp_path, "chessboard", range(1, 6))
    out = run.out("difficulty", "chessboard", path)
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"deal {seed}, seed {seed}" for seed in range(1, 6)]
    for seed, level in CHESSBOARD.items():
        told = lines[seed - 1].split(": ")[1]
        assert told == "unwinnable, not measured" if level is None else told.startswith(f"{level}, ease ")
    answers = [json.loads(line) for line in run("difficulty", "chessboard", path, "--json")[1].splitlines()]
    assert {answer["seed"]: answer["difficulty"] for answer in answers}.items() >= CHESSBOARD.items()
    status, out, err = run("difficulty", "chessboard", path, "--work", 0)
    assert (status, err) == (3, "")
    told = "undecided (work limit reached), not measured"
    assert out.splitlines() == [f"deal {seed}, seed {seed}: {told}" for seed in range(1, 6)]


def test_what_cannot_be_won_or_is_not_decided_has_no_level(run):
    assert run("difficulty", "fortress", "--seed", 1) == (
        0,
        "Difficulty: not rated, the deal is unwinnable\n",
        "",
    )
    answer = run.json("difficulty", "fortress", "--seed", 1)
    assert (answer["verdict"], answer["difficulty"], answer["ease"]) == ("unwinnable", None, None)
    told = "Difficulty: not known, the deal is undecided (work limit reached)\n"
    assert run("difficulty", "chessboard", "--seed", 8, "--work", 0) == (3, told, "")
    answer = run.json("difficulty", "chessboard", "--seed", 8, "--work", 0)
    assert (answer["verdict"], answer["difficulty"], answer["reason"]) == ("undecided", None, "work")


@pytest.mark.quick(1)
@pytest.mark.parametrize("command", [("difficulty",), ("deal", "--difficulty", "easy")])
def test_what_is_no_deal_of_the_full_deck_is_refused(run, tmp_path, command):
    path = tmp_path / "position"
    for name in LEVELLED:
        variant = find_variant(name)
        path.write_text(format_board(variant, variant.deal(3, 5), None, None))
        assert "expected a full deck" in run.fails(command[0], name, path, *command[1:])
        seed, line = winnable_deal(variant)
        state = variant.deal(seed)
        for move in line[:3]:
            state = variant.family.apply(state, move)
        path.write_text(format_board(variant, state, None, None))
        assert "position in mid-game" in run.fails(command[0], name, path, *command[1:])


@pytest.mark.parametrize("name", VARIANTS)
def test_a_deal_is_a_deal_and_a_position_after_a_move_is_none(name):
    variant = find_variant(name)
    positions = 0
    for seed in range(6):
        state = variant.deal(seed)
        assert difficulty.is_deal(variant, state)
        for move in variant.family.legal_moves(state):
            after = variant.family.apply(state, move)
            same = sorted(map(len, after.columns)) == sorted(map(len, state.columns))
            if variant.scoring or not same:
                assert not difficulty.is_deal(variant, after)
                positions += 1
    assert positions > 10


def test_the_rules_and_the_engine_it_needs(run, monkeypatch):
    monkeypatch.setattr(difficulty, "find_kernel", lambda variant, choices=None: None)
    err = run.fails("difficulty", "chessboard", "--seed", 8)
    assert "no compiled engine for chessboard" in err


def test_ctrl_c_while_it_is_measured_leaves_it_open(run, tmp_path, monkeypatch):
    path = deals_file(tmp_path, "chessboard", range(1, 4))
    stopped = Mock(ease=Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setattr(difficulty, "judge_of", lambda variant, watch: stopped)
    status, out, err = run("difficulty", "chessboard", path, "--json")
    assert (status, err, out.count("\n")) == (3, "winnable: interrupted\n", 1)
    answer = json.loads(out)
    assert (answer["verdict"], answer["difficulty"], answer["reason"]) == ("winnable", None, "interrupted")
    told = "Difficulty: not known, interrupted\n", "winnable: interrupted\n"
    assert run("difficulty", "chessboard", "--seed", 8) == (3, *told)


def test_a_judge_that_is_stopped_does_not_judge():
    variant = find_variant("chessboard")
    judge = judge_of(variant)
    judge.kernel.stop()
    with pytest.raises(KeyboardInterrupt):
        judge.ease(variant.deal(8))


def test_a_filter_that_passes_nothing_says_so(run, tmp_path):
    one = run.write(tmp_path / "deal", "deal", "chessboard", "--seed", 8)
    four = ("deal", "fortress", "--seed", 1, "--count", 4, "--format", "jsonl")
    four = run.write(tmp_path / "deals", *four)
    for args, told in (
        ((one, "--difficulty", "hard"), "the deal does not match: 1 easy"),
        ((four, "--winnable"), "none of 4 deals matches: 4 unwinnable"),
        ((four, "--winnable", "--work", 0), "none of 4 deals matches: 4 undecided"),
    ):
        assert run("deal", *args) == (0, "", f"winnable: {told}\n")
    assert run("deal", one, "--difficulty", "hard", "--json")[1] == "[]\n"


def test_a_filter_of_tiers_that_passes_nothing_says_so(run, tmp_path):
    variant, path = find_variant("klondike-one-pass"), tmp_path / "deals"
    found = {seed: solve(variant, variant.deal(seed, 7)) for seed in range(40)}
    worse = [seed for seed, result in found.items() if result.tier in ("win", "double")]
    lost = [seed for seed, result in found.items() if result.verdict is Verdict.UNWINNABLE]
    assert worse
    assert lost
    deals = [Deal(variant.deal(seed, 7), seed) for seed in worse + lost]
    path.write_text("".join(write_deals(variant, deals, "jsonl", alone=False)))
    status, out, err = run("deal", "klondike-one-pass", path, "--tier", "triple")
    assert (status, out) == (0, "")
    for tier in {found[seed].tier for seed in worse}:
        assert f"{sum(found[s].tier == tier for s in worse)} only {tier}" in err
    assert f"{len(lost)} unwinnable" in err


def test_what_is_undecided_is_told_beside_the_deals_that_pass(run, tmp_path):
    path = deals_file(tmp_path, "chessboard", range(1, 21))
    variant = find_variant("chessboard")
    work = sorted(solve(variant, variant.deal(seed)).work for seed in range(1, 21))
    args = ("deal", "chessboard", path, "--winnable", "--format", "jsonl")
    status, out, err = run(*args, "--work", work[12])
    assert (status, out != "") == (0, True)
    undecided = int(err.split()[1])
    assert err.endswith(" undecided within the limits and skipped\n")
    assert 1 <= undecided <= 8
    assert run(*args)[2] == ""


def test_ctrl_c_keeps_the_deals_that_passed(run, monkeypatch):
    calls = []

    def interrupted(variant, state, *args, **options):
        calls.append(state)
        if len(calls) > 4:
            raise KeyboardInterrupt
        return solve(variant, state, *args, **options)

    monkeypatch.setattr(choice, "solve", interrupted)
    for style in ("jsonl", "json"):
        calls.clear()
        args = ("deal", "chessboard", "--seed", 1, "--winnable", "--count", 9, "--format", style)
        status, out, err = run(*args)
        assert (status, err) == (3, "winnable: interrupted\n")
        deals = [json.loads(line) for line in out.splitlines()] if style == "jsonl" else json.loads(out)
        assert [deal["seed"] for deal in deals] == [1, 2, 3, 4]
    calls[:] = [None] * 3
    assert json.loads(run(*args)[1])["seed"] == 1
    calls[:] = [None] * 4
    assert run(*args)[0] == 3
