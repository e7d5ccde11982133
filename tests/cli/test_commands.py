"""Every command: answers on stdout, talk on stderr, exit status, one line for bad input."""

import json
import re

import pytest

from winnable.cli import main
from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deals
from winnable.solver import solve
from winnable.solver.engine import find_kernel
from winnable.solver.verify import format_line

KEYS = ["variant", "seed", "verdict", "moves", "shortest", "lower_bound", "solution", "score", "tier"]
KEYS += ["score_bound", "exact", "expanded", "generated", "seconds", "reason", "engine"]
ENGINE = "compiled" if find_kernel(find_variant("chessboard")) else "reference"


def fails(run, *args, stdin=None):
    status, out, err = run(*args, stdin=stdin)
    assert (status, out) == (2, "")
    assert err.startswith("winnable: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("args", [[], *([name] for name in main.COMMANDS)])
def test_every_command_has_help_with_an_example(run, args):
    status, out, _ = run(*args, "--help")
    assert status == 0
    assert "Example" in out
    assert "winnable" in out


def test_without_a_command_those_that_matter_are_told(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    named = [line.split()[1] for line in out.splitlines() if line.startswith("  winnable ")]
    assert named == ["solve", "hint", "replay", "board", "rate"]
    assert "winnable --help" in out


def test_version_is_told(run):
    assert run("--version")[:2] == (0, "winnable, version 0.1.0\n")


def test_a_solved_deal_is_printed_in_full(run):
    status, out, err = run("solve", "chessboard", "--seed", 8)
    assert (status, err) == (0, "")
    assert out.startswith("# game: chessboard\n# seed: 8\n3S 8H TH 5C 5H 6H\n")
    assert "\nVerdict: winnable\n" in out
    assert "\nSolution: " in out
    assert " 1. " in out
    assert f"{ENGINE} engine" in out


def test_json_has_the_public_keys_in_order(run):
    status, out, _ = run("solve", "chessboard", "--seed", 8, "--json")
    answer = json.loads(out)
    assert status == 0
    assert list(answer) == KEYS
    assert answer["moves"] == len(answer["solution"])
    known = ("variant", "seed", "verdict", "shortest", "score", "tier", "exact", "reason", "engine")
    assert [answer[key] for key in known] == [
        "chessboard", 8, "winnable", False, None, None, None, None, ENGINE
    ]  # fmt: skip


def test_quiet_prints_the_verdict_alone(run):
    assert run("solve", "chessboard", "--seed", 8, "--quiet") == (0, "winnable\n", "")
    assert run("solve", "chessboard", "--seed", 7, "--quiet") == (0, "unwinnable\n", "")
    assert run("solve", "joker", "--seed", 7, "--quiet", "--max-nodes", 1) == (3, "undecided\n", "")


def test_a_limit_gives_undecided_and_its_name(run):
    status, out, _ = run(
        "solve", "simon-jester", "--seed", 1, "--json", "--engine", "reference", "--max-nodes", 5
    )
    answer = json.loads(out)
    assert status == 3
    assert (answer["verdict"], answer["reason"], answer["moves"]) == ("undecided", "nodes", None)
    status, out, _ = run("solve", "simon-jester", "--seed", 1, "--engine", "reference", "--max-seconds", 0)
    assert status == 3
    assert "Verdict: undecided (seconds)" in out


def test_joker_prints_score_and_tier(run):
    status, out, _ = run("solve", "joker", "--seed", 7, "--engine", "reference", "--max-nodes", 60)
    assert status == 3
    assert "\nScore: at least " in out
    assert ", at most 52\n" in out


@pytest.mark.parametrize("style", ["text", "json", "jsonl"])
@pytest.mark.parametrize("name", VARIANTS)
def test_what_deal_prints_can_be_read_again(run, name, style):
    variant = VARIANTS[name]
    status, out, err = run("deal", name, "--seed", 5, "--count", 3, "--format", style)
    assert (status, err) == (0, "")
    states = [deal.state for deal in read_deals(variant, out.encode(), "out")]
    assert states == [variant.deal(seed) for seed in (5, 6, 7)]


def test_short_decks_are_dealt(run):
    status, out, _ = run("deal", "fortress", "--seed", 3, "--ranks", 5, "--suits", "CDH", "--sizes", "5,5,5")
    assert status == 0
    variant = find_variant("fortress")
    [deal] = read_deals(variant, out.encode(), "out")
    assert deal.state == variant.deal(3, 5, "CDH", (5, 5, 5))


def test_many_deals_give_a_line_each_in_order(run, tmp_path):
    path = tmp_path / "deals.jsonl"
    path.write_text(run("deal", "chessboard", "--seed", 1, "--count", 8, "--format", "jsonl")[1])
    status, out, _ = run("solve", "chessboard", path, "--json")
    assert status == 0
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["seed"] for answer in answers] == list(range(1, 9))
    assert [answer["deal"] for answer in answers] == list(range(1, 9))
    assert [list(answer) for answer in answers] == [[KEYS[0], "deal", *KEYS[1:]]] * 8
    status, out, _ = run("solve", "chessboard", "-", "--quiet", stdin=path.read_bytes())
    assert out.split() == [answer["verdict"] for answer in answers]
    status, out, _ = run("solve", "chessboard", path)
    assert out.splitlines()[0] == f"deal 1, seed 1: winnable, {answers[0]['moves']} moves"
    status, out, _ = run("solve", "chessboard", path, "--quiet", "--max-nodes", 0)
    assert (status, set(out.split())) == (3, {"undecided"})


def test_a_bad_line_among_many_loses_nothing_before_it(run, tmp_path):
    path = tmp_path / "deals.jsonl"
    lines = run("deal", "fortress", "--seed", 1, "--count", 4, "--format", "jsonl")[1].splitlines()
    path.write_text("\n".join([*lines[:3], lines[3].replace("AS", "AC")]) + "\n")
    status, out, err = run("solve", "fortress", path, "--json")
    assert status == 2
    assert len(out.splitlines()) == 3
    assert err.startswith(f"winnable: {path}:4: column ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["solve"], "Missing argument 'VARIANT'"),
        (["solve", "chess", "--seed", "1"], "variant 'chess': no such game; did you mean chessboard?"),
        (["solve", "chessboard"], "one of FILE, --seed and --pysol is needed"),
        (["solve", "chessboard", "file", "--seed", "1"], "one of FILE, --seed and --pysol is needed"),
        (["solve", "chessboard", "--seed", "-1"], "seed '-1': a whole number from 0 to 2^64 - 1"),
        (["solve", "chessboard", "--seed", str(2**64)], f"seed '{2**64}'"),
        (["solve", "chessboard", "--seed", "x"], "seed 'x'"),
        (["solve", "chessboard", "no-such-file"], "no-such-file: No such file or directory"),
        (["solve", "chessboard", "/"], "/: Is a directory"),
        (["solve", "chessboard", "--seed", "1", "--max-seconds", "nan"], "'nan' seconds"),
        (["solve", "chessboard", "--seed", "1", "--max-nodes", "-1"], "--max-nodes"),
        (["solve", "simon-jester", "--seed", "1", "--engine", "fast"], "--engine"),
        (["deal", "joker"], "one of FILE, --seed and --pysol is needed"),
        (["deal", "joker", "--seed", str(2**64 - 1), "--count", "2"], "count 2"),
        (["deal", "joker", "--seed", "1", "--ranks", "14"], "ranks '14'"),
        (["deal", "joker", "--seed", "1", "--suits", "SC"], "suits 'SC'"),
        (["deal", "chessboard", "--seed", "1", "--sizes", "5,5"], "only a short deck has a choice"),
        (["deal", "chessboard", "--seed", "1", "--ranks", "5", "--sizes", "5,x"], "sizes '5,x'"),
        (["deal", "chessboard", "--seed", "1", "--ranks", "5", "--sizes", "5,5"], "left over"),
        (["verify", "chessboard", "a", "b", "c"], "DEAL and SOLUTION are needed"),
        (["verify", "chessboard", "-", "-"], "only one of DEAL and SOLUTION"),
        (["describe", "poker"], "variant 'poker': no such game"),
        (["describe", "joker", "--dealer"], "leave VARIANT out"),
        (["bench", "--check", "--file", "no-such-file"], "no-such-file: No such file or directory"),
        (["dance"], "No such command 'dance'; see: winnable --help"),
    ],
)
def test_bad_usage_gives_one_line_and_status_two(run, args, part):
    assert part in fails(run, *args)


@pytest.mark.parametrize("content", [b"", b"6H 5C\n", b"\xff\xfe", b"{", b"[]", b'{"columns": 3}'])
def test_files_that_are_no_deal_give_one_line_and_status_two(run, tmp_path, content):
    path = tmp_path / "deal.txt"
    path.write_bytes(content)
    assert f"{path}:1: " in fails(run, "solve", "chessboard", path)


def test_verify_reads_what_solve_printed(run, tmp_path):
    deal, text, as_json = (tmp_path / name for name in ("deal.txt", "text", "json"))
    deal.write_text(run("deal", "fortress", "--seed", 1)[1])
    seed = next(s for s in range(50) if run("solve", "fortress", "--seed", s, "--quiet")[1] == "winnable\n")
    deal.write_text(run("deal", "fortress", "--seed", seed)[1])
    text.write_text(run("solve", "fortress", deal)[1])
    as_json.write_text(run("solve", "fortress", deal, "--json")[1])
    count = json.loads(as_json.read_text())["moves"]
    for solution in (text, as_json):
        assert run("verify", "fortress", deal, solution) == (0, f"correct: won in {count} moves\n", "")
        assert run("verify", "fortress", solution, "--seed", seed)[0] == 0
    assert run("verify", "fortress", text, text)[0] == 0
    assert run("verify", "fortress", deal, "-", stdin=text.read_bytes())[0] == 0


def test_verify_says_where_and_why_a_line_fails(run, tmp_path):
    path = tmp_path / "solution"
    moves = json.loads(run("solve", "chessboard", "--seed", 8, "--json")[1])["solution"]
    path.write_text("\n".join([*moves[:9], "KS 1-2", *moves[9:]]))
    status, out, err = run("verify", "chessboard", path, "--seed", 8)
    assert (status, err) == (2, "")
    assert out.startswith("wrong at move 10 (KS 1-2): the top of column 1 is ")
    path.write_text(json.dumps(moves[:-1]))
    status, out, _ = run("verify", "chessboard", path, "--seed", 8)
    assert (status, out) == (
        2,
        f"wrong after {len(moves) - 1} moves: not won: 1 card is left in the columns\n",
    )
    status, out, _ = run("verify", "chessboard", path, "--seed", 8, "--json")
    answer = json.loads(out)
    assert (answer["correct"], answer["failed_move"]) == (False, None)
    assert "f:" not in fails(run, "verify", "chessboard", "-", "--seed", 8, stdin=b"hello")


def test_choices_of_rules_are_part_of_deals_and_results(run, tmp_path):
    path = tmp_path / "deal"
    path.write_text(run("deal", "joker", "--seed", 3, "--exchange", "turned", "--removal", "exposed")[1])
    assert "\nExchange: turned\nRemoval: exposed\n" in path.read_text()
    args = ("--json", "--engine", "reference", "--max-nodes", 30)
    answer = json.loads(run("solve", "joker", path, *args)[1])
    assert (answer["exchange"], answer["removal"]) == ("turned", "exposed")
    assert "exchange" not in json.loads(run("solve", "joker", "--seed", 3, *args)[1])
    answer = json.loads(run("solve", "joker", "--seed", 3, "--exchange", "turned", *args)[1])
    assert (answer["exchange"], answer.get("removal")) == ("turned", None)
    conflict = fails(run, "solve", "joker", path, "--exchange", "exposed")
    assert ":3: exchange 'turned': exposed is asked for" in conflict
    assert "leaves no choice" in fails(run, "solve", "chessboard", "--seed", 1, "--exchange", "turned")
    assert "leaves no choice" in fails(run, "deal", "klondike-one-pass", "--seed", 1, "--removal", "exposed")


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine shortens lines")
def test_lines_are_made_shorter_after_the_verdict(run, tmp_path):
    args = ("solve", "simple-simon", "--seed", 3, "--json", "--shorten")
    plain = json.loads(run(*args, 0)[1])
    variant = find_variant("simple-simon")
    found = solve(variant, variant.deal(3), shorten=0)
    assert plain["solution"] == format_line(variant, variant.deal(3), found.moves)
    narrow = ("--max-memory", 8)  # it ends after one beam, whatever the time
    short = json.loads(run(*args, 10**6, *narrow)[1])
    assert (plain["verdict"], short["verdict"]) == ("winnable", "winnable")
    assert short["moves"] < plain["moves"]
    path = tmp_path / "page"
    path.write_text(run("solve", "simple-simon", "--seed", 3, "--shorten", 0.2)[1])
    assert run("verify", "simple-simon", path, "--seed", 3)[0] == 0
    assert "--shorten" in fails(run, "solve", "simple-simon", "--seed", 3, "--shorten", -1)


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine proves full deals")
def test_shortest_lines_are_asked_for(run, tmp_path):
    args = ("solve", "chessboard", "--seed", 8, "--shortest")
    answer = json.loads(run(*args, "--json")[1])
    assert list(answer) == KEYS
    assert (answer["moves"], answer["shortest"], answer["lower_bound"]) == (69, True, 69)
    status, out, err = run(*args)
    assert (status, err) == (0, "")
    assert out.index("Verdict: winnable") < out.index("\nLength: 69 moves, none shorter\nSolution: 69 moves")
    path = tmp_path / "solution"
    path.write_text(out)
    assert run("verify", "chessboard", path, "--seed", 8) == (0, "correct: won in 69 moves\n", "")
    status, out, _ = run(*args, "--max-nodes", 400)
    assert status == 0
    assert re.search(r"\nLength: \d+ moves found, at least 6\d needed\n", out)
    answer = json.loads(run(*args, "--max-nodes", 400, "--json")[1])
    assert (answer["verdict"], answer["shortest"], answer["reason"]) == ("winnable", False, "nodes")
    assert 60 < answer["lower_bound"] <= 69 < answer["moves"]
    deals = run("deal", "fortress", "--seed", 7, "--count", 2, "--format", "jsonl")[1].encode()
    out = run("solve", "fortress", "-", "--shortest", stdin=deals)[1]
    assert out.splitlines() == [
        "deal 1, seed 7: unwinnable",
        "deal 2, seed 8: winnable, 77 moves, none shorter",
    ]


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine proves full deals")
def test_each_base_rank_is_answered(run):
    args = ("solve", "chessboard", "--seed", 4, "--bases")
    status, out, _ = run(*args)
    assert status == 0
    assert "\nBase ranks:\n  A  unwinnable\n" in out
    assert "\n  4  winnable, 80 moves, none shorter\n" in out
    answer = json.loads(run(*args, "--json")[1])
    assert list(answer) == [*KEYS, "bases"]
    assert [row["base"] for row in answer["bases"]] == list("A23456789TJQK")
    won = {row["base"]: row["moves"] for row in answer["bases"] if row["verdict"] == "winnable"}
    assert won == {"4": 80, "5": 90, "8": 89}
    assert list(answer["bases"][0]) == ["base", "verdict", "moves", "shortest", "lower_bound", "reason"]
    deals = run("deal", "chessboard", "--seed", 4, "--count", 2, "--format", "jsonl")[1].encode()
    lines = run("solve", "chessboard", "-", "--bases", stdin=deals)[1].splitlines()
    assert lines[0].endswith("; base ranks 4 80, 5 90, 8 89")
    assert lines[1] == "deal 2, seed 5: unwinnable; no base rank"
    status, out, _ = run(*args, "--max-nodes", 100)
    assert status == 3
    assert "undecided (nodes)" in out


@pytest.mark.skipif(ENGINE == "reference", reason="the reference engine looks for any shortest line")
@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["simon-jester", "--shortest"], "a limit on seconds is needed"),
        (["fortress", "--bases"], "base ranks of fortress: only chessboard leaves a choice"),
        (["chessboard", "--quiet", "--shortest"], "--quiet prints the verdict alone"),
        (["chessboard", "--quiet", "--bases"], "--quiet prints the verdict alone"),
    ],
)
def test_shortest_lines_that_cannot_be_had_give_one_line(run, args, part):
    assert part in fails(run, "solve", *args, "--seed", 1)


def test_base_ranks_of_a_position_where_one_is_chosen_are_refused(run):
    text = run("deal", "chessboard", "--seed", 1, "--ranks", 3, "--suits", "C", "--sizes", "2,1")[1]
    cards = [line for line in text.splitlines() if not line.startswith(("#", "Ranks", "Suits"))]
    column = next(line for line in cards if len(line) == 2)
    position = text.replace(f"\n{column}\n", "\n:\n") + f"Foundations: C-{column[0]}:{column[0]}\n"
    assert "the choice was made" in fails(run, "solve", "chessboard", "-", "--bases", stdin=position.encode())


def test_verify_tells_the_score_of_a_scored_game(run, tmp_path):
    path = tmp_path / "solution"
    args = ("solve", "joker", "--seed", 7, "--json", "--engine", "reference", "--max-nodes", 60)
    answer = json.loads(run(*args)[1])
    path.write_text(json.dumps(answer))
    status, out, _ = run("verify", "joker", path, "--seed", 7)
    assert status == 0
    assert out == f"correct: {answer['moves']} moves, score {answer['score']} of 52 ({answer['tier']})\n"


def test_describe_lists_all_games_and_prints_rules(run):
    status, out, _ = run("describe")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(VARIANTS)
    for name in VARIANTS:
        status, out, _ = run("describe", name)
        assert status == 0
        assert all(f"\n{heading}\n" in out for heading in ("Deck", "Layout", "Columns", "Moves", "End"))
        assert json.loads(run("describe", name, "--json")[1])["variant"] == name
    assert "0x9E3779B97F4A7C15" in run("describe", "--dealer")[1]
    assert len(json.loads(run("describe", "--json")[1])) == len(VARIANTS)


def test_limits_that_leave_every_deal_undecided_end_the_search_for_one_that_passes(run):
    status, out, err = run("deal", "fortress", "--seed", 1, "--winnable", "--max-nodes", 0)
    assert (status, out) == (0, "")
    assert err == "winnable: none of 1000 deals passes: 1000 undecided\n"


def test_a_complaint_is_printable_and_ends(run):
    status, _, err = run("solve", "joker", "--engine", "\x1b[2J" + "x" * 5000)
    assert status == 2
    assert err.isprintable() or err[:-1].isprintable()
    assert len(err) < 400


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine to measure")
def test_bench_checks_its_signature(run, tmp_path, monkeypatch):
    monkeypatch.setattr("winnable.solver.bench._ENOUGH_SECONDS", 0)  # one round tells the states
    path = tmp_path / "signature"
    status, out, _ = run("bench", "--write", "--file", path)
    assert status == 0
    assert "chessboard" in out
    assert run("bench", "--check", "--file", path)[0] == 0
    path.write_text(path.read_text().replace("fortress ", "fortress 1"))
    status, _, err = run("bench", "--check", "--file", path)
    assert status == 2
    assert "the signature differs" in err
    rows = json.loads(run("bench", "--json")[1])
    assert {row["deals"] for row in rows} == {300}


@pytest.mark.skipif(ENGINE == "compiled", reason="the compiled engine is there")
def test_bench_without_a_compiled_engine_says_so(run):
    assert "no compiled engine" in fails(run, "bench")


def test_deals_are_written_for_other_programs_and_converted(run, tmp_path):
    path = tmp_path / "board"
    path.write_text(run("deal", "simple-simon", "--seed", 4, "--format", "fc-solve")[1])
    assert run("deal", "simple-simon", path, "--format", "json") == run(
        "deal", "simple-simon", path, "--json"
    )
    as_text = run("deal", "simple-simon", "--seed", 4)[1]
    assert run("deal", "simple-simon", path)[1] == as_text.replace("# seed: 4\n", "")
    solvitaire = run("deal", "simple-simon", path, "--format", "solvitaire")[1]
    assert run("solve", "simple-simon", "-", "--quiet", stdin=solvitaire.encode())[0] == 0
    assert "no jokers" in fails(run, "deal", "joker", "--seed", 1, "--format", "solvitaire")
    assert "--count goes with" in fails(run, "deal", "simple-simon", path, "--count", 2)
    assert "short deck" in fails(run, "deal", "simple-simon", path, "--ranks", 5)
    assert f"{tmp_path}/none: No such file" in fails(run, "deal", "simple-simon", tmp_path / "none")


def test_pysol_numbers_are_taken_wherever_seeds_are(run, tmp_path):
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    number = ("--pysol", "00000000000000000042")
    text = run("deal", "fortress", *number)[1]
    assert text.startswith("# game: fortress\n# pysol: 42\n")
    answer = json.loads(run("solve", "fortress", *number, "--json")[1])
    assert (answer["seed"], answer["pysol"]) == (None, "42")
    assert list(answer) == [*KEYS[:2], "pysol", *KEYS[2:]]
    deals = run("deal", "fortress", "--pysol", 31999, "--count", 3, "--format", "jsonl")[1]
    assert [json.loads(line)["pysol"] for line in deals.splitlines()] == ["31999", "32000", "32001"]
    lines = run("solve", "fortress", "-", stdin=deals.encode())[1].splitlines()
    assert [line.split(":")[0] for line in lines] == [f"deal {i}, pysol {31998 + i}" for i in (1, 2, 3)]
    path = tmp_path / "line"
    path.write_text(run("solve", "simple-simon", "--pysol", 1, "--json")[1])
    assert run("verify", "simple-simon", path, "--pysol", 1)[0] == 0
    assert "<title>Simple Simon, pysol 1</title>" in run("replay", "simple-simon", path, "--pysol", 1)[1]
    assert "joker has none" in fails(run, "solve", "joker", "--pysol", 1)
    assert "PySolFC deal 'x'" in fails(run, "solve", "fortress", "--pysol", "x")
    assert "is needed" in fails(run, "solve", "fortress", "--pysol", 1, "--seed", 1)


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_hint_tells_the_best_moves(run, tmp_path):
    path = tmp_path / "position"
    path.write_text(run("deal", "chessboard", "--seed", 8)[1])
    status, out, err = run("hint", "chessboard", path, "--count", 2)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Verdict: winnable in 69 moves, none shorter"
    assert re.fullmatch(r"  \w\w \d+-(\d+|f)  winnable in 68 moves, none shorter", lines[1])
    assert lines[3:5] == ["  and 15 moves more that keep the win", "  1 move loses the win, proved: 7H 6-f"]
    answer = json.loads(run("hint", "chessboard", "--seed", 8, "--json")[1])
    assert lines[1].split("  ")[1] == answer["options"][0]["move"]
    assert answer["options"][0]["keeps"] is True
    assert answer["options"][0]["moves_left"] == len(answer["solution"]) - 1
    assert {option["verdict"] for option in answer["options"]} == {"winnable", "unwinnable"}
    answer = json.loads(run("hint", "joker", "--seed", 1, "--json")[1])
    assert (answer["score"], answer["tier"], answer["exact"]) == (52, "triple", True)
    assert "Score: 52 of 52 (triple)" in run("hint", "joker", "--seed", 1)[1]
    status, out, _ = run("hint", "simon-jester", "--seed", 1, "--max-seconds", 0, "--json")
    answer = json.loads(out)
    assert status == (3 if answer["verdict"] == "undecided" else 0)
    assert answer["options"]
    assert "is needed" in fails(run, "hint", "chessboard")
    assert "No such file" in fails(run, "hint", "chessboard", tmp_path / "none")


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_review_marks_the_move_that_threw_the_win_away(run, tmp_path):
    path = tmp_path / "moves"
    hint = json.loads(run("hint", "chessboard", "--seed", 8, "--json")[1])
    bad = next(option["move"] for option in hint["options"] if not option["keeps"])
    path.write_text(f"# what I played\n{bad}\n")
    status, out, err = run("review", "chessboard", "--seed", 8, path)
    assert (status, err) == (0, "")
    first, marked, last = out.splitlines()
    assert (first, last) == ("At first: winnable", "After 1 move: unwinnable")
    assert re.fullmatch(rf"Move 1, {bad}: throws the win away; .* kept it", marked)
    answer = json.loads(run("review", "chessboard", "--seed", 8, path, "--json")[1])
    assert (answer["verdict"], answer["thrown"]) == ("winnable", [1])
    assert [step["verdict"] for step in answer["steps"]] == ["unwinnable"]
    path.write_text(json.dumps(hint["solution"]))
    out = run("review", "chessboard", "--seed", 8, path)[1]
    count = len(hint["solution"])
    assert out == f"At first: winnable\nAfter {count} moves: already won\n"
    path.write_text("KS 1-1\n")
    assert f"{path}:1: the line is wrong at move 1 (KS 1-1)" in fails(
        run, "review", "chessboard", path, "--seed", 8
    )
    path.write_text("[]")
    assert f"{path}:1: no move to review" in fails(run, "review", "chessboard", path, "--seed", 8)
    assert "DEAL and MOVES" in fails(run, "review", "chessboard", path)
    assert "only one of" in fails(run, "review", "chessboard", "-", "-")


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_review_tells_scores_and_open_positions(run, tmp_path):
    path = tmp_path / "moves"
    deck = run("deal", "joker", "--seed", 5)[1]
    stock = next(line for line in deck.splitlines() if line.startswith("Stock: ")).split()[1:]
    path.write_text("".join(f"{card} s-w\n" for card in stock))
    status, out, _ = run("review", "joker", "--seed", 5, path)
    assert status == 0
    assert out.startswith("At first: score 52 of 52 (triple)\n")
    assert "throws the triple away, the score that can be reached falls from 52 to " in out
    status, out, _ = run("review", "joker", "--seed", 5, path, "--max-nodes", 0)
    assert status == 3


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_only_deals_that_can_be_won_are_dealt(run, tmp_path):
    path = tmp_path / "deals.jsonl"
    path.write_text(run("deal", "fortress", "--seed", 1, "--count", 40, "--format", "jsonl")[1])
    answers = [json.loads(line) for line in run("solve", "fortress", path, "--json")[1].splitlines()]
    winnable = [answer["seed"] for answer in answers if answer["verdict"] == "winnable"]
    assert 2 < len(winnable) < 40
    args = ("deal", "fortress", "--winnable", "--format", "jsonl")
    for source in (["--seed", 1, "--count", len(winnable)], [path]):
        chosen = [json.loads(line)["seed"] for line in run(*args, *source)[1].splitlines()]
        assert chosen == winnable
    assert (
        run("deal", "fortress", "--seed", 1, "--winnable")[1]
        == run("deal", "fortress", "--seed", winnable[0])[1]
    )
    assert run(*args, path, "--max-nodes", 0)[:2] == (0, "")
    assert "tier 'win': fortress has none" in fails(run, "deal", "fortress", "--seed", 1, "--tier", "win")
    assert "--tier" in fails(run, "deal", "joker", "--seed", 1, "--tier", "gold")


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
@pytest.mark.parametrize(("tier", "least"), [("win", 15), ("double", 25), ("triple", 52)])
def test_only_deals_that_reach_a_tier_are_dealt(run, tier, least):
    args = ("deal", "klondike-one-pass", "--seed", 1, "--count", 2, "--tier", tier, "--format", "jsonl")
    deals = run(*args)[1]
    seeds = [json.loads(line)["seed"] for line in deals.splitlines()]
    scores = {}
    for seed in range(1, seeds[-1] + 1):
        answer = json.loads(run("solve", "klondike-one-pass", "--seed", seed, "--json")[1])
        scores[seed] = answer["score"]
    assert seeds == [seed for seed, score in scores.items() if score >= least][:2]
