"""The command solve: verdicts, lines, scores, shortest lines, base ranks, in text and JSON."""

import itertools
import json
import re
import time

import pytest
from tests.cli.answers import ENGINE, KEYS
from tests.compiled import needs_kernels
from tests.deals import deals_file
from tests.solver.analysis.test_passes import FOUR

from winnable.rules import find_variant
from winnable.solver import solve
from winnable.solver.verify import format_line


def test_a_solved_deal_is_printed_in_full_and_with_all_keys_in_order(run):
    out = run.out("solve", "chessboard", "--seed", 8)
    assert "\n\n# game: chessboard\n# seed: 8\n3S 8H TH 5C 5H 6H\n" in out  # nobody typed it
    assert out.startswith("Verdict: winnable\n")
    assert "\nSolution: " in out
    assert " 1. " in out
    assert f"{ENGINE} engine" in out
    answer = run.json("solve", "chessboard", "--seed", 8)
    assert list(answer) == KEYS
    assert answer["length"] == len(answer["moves"])
    known = ("game", "seed", "verdict", "shortest", "score", "tier", "exact", "reason", "engine")
    wanted = ["chessboard", 8, "winnable", False, None, None, None, None, ENGINE]
    assert [answer[key] for key in known] == wanted


def test_the_legend_names_jokers_only_where_there_are_some():
    legends = {name: find_variant(name).legend for name in ("joker", "klondike-one-pass")}
    assert "XB 3=7: XB declared" in legends["joker"]
    assert "X" not in legends["klondike-one-pass"]
    assert all("(7S): turned up" in legend for legend in legends.values())


@pytest.mark.skipif(ENGINE == "reference", reason="it counts other states")
def test_one_state_is_one_state(run):
    out = run.out("solve", "fortress", "--seed", 1)
    assert "Search: 1 state expanded, 0 generated, 1 unit of work, " in out


def test_a_limit_gives_undecided_and_its_name(run):
    args = ("solve", "simon-jester", "--seed", 1, "--engine", "reference")
    answer = run.json(*args, "--work", 2500)
    assert (answer["verdict"], answer["reason"], answer["moves"]) == ("undecided", "work", None)
    status, out, _ = run(*args, "--max-seconds", 0)
    assert status == 3
    share = r"\d+\.\d of \d+\.\d s were processor time"
    assert "Verdict: undecided (time limit reached)\n" in out
    assert re.search(
        rf"\nTime: {share}; --max-seconds counts time by the clock, --work does not",
        " ".join(out.split("\n  ")),
    )


def test_the_processor_time_of_an_answer_leaves_out_what_others_used(run, monkeypatch):
    """A busy machine, on which a second by the clock passes for each millisecond of the processor."""
    spent = time.thread_time
    monkeypatch.setattr(time, "perf_counter", lambda: 1000 * spent())
    answer = run.json("solve", "fortress", "--seed", 2)
    assert answer["cpu_seconds"] < answer["seconds"] / 100


@pytest.mark.quick(1)
@pytest.mark.skipif(ENGINE == "reference", reason="it has no such searches")
@pytest.mark.parametrize(
    "line",
    ["chessboard --seed 8 --shortest", "simple-simon --seed 8 --shorten 1M", "klondike --seed 29 --score"],
)
def test_every_part_of_a_search_counts_as_processor_time(run, monkeypatch, line):
    """A processor on which a second passes whenever its time is read: at the start and the end of a part."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: float(next(ticks)))
    game, *_ = line.split()
    verdict = run.json("solve", game, "--seed", 8, *["--shorten", 0][: 2 * ("simple" in game)])["cpu_seconds"]
    assert run.json("solve", *line.split())["cpu_seconds"] > verdict > 0


def test_joker_prints_score_and_tier(run):
    status, out, _ = run("solve", "joker", "--seed", 7, "--engine", "reference", "--work", 30_000)
    assert status == 3
    assert re.search(r"^Verdict: .*; best score \d+ to \d+", out)


@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_lines_of_joker_tell_exchanges_flips_and_ranks(run, tmp_path, exchange):
    asked = ("joker", "--seed", 3, "--exchange", exchange)
    page = run("solve", *asked)[1]
    for effect in (r" \([2-9TJQKA][CDHS]\)", r" for X[BR]\)", r" \(=[2-9TJQKA]"):
        assert re.search(r"[0-9]\. [^.]*" + effect, page)
    path = tmp_path / "page.txt"
    path.write_text(page)
    assert run("verify", *asked, path)[0] == 0
    assert run("verify", path)[0] == 0
    assert run("review", path, "--work", 10)[0] in (0, 3)


def test_many_deals_give_a_line_each_in_order(run, tmp_path):
    path = deals_file(tmp_path, "chessboard", range(1, 9))
    out = run.out("solve", "chessboard", path, "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["seed"] for answer in answers] == list(range(1, 9))
    assert [answer["deal"] for answer in answers] == list(range(1, 9))
    assert [list(answer) for answer in answers] == [[*KEYS[:2], "deal", *KEYS[2:]]] * 8
    status, out, _ = run("solve", "chessboard", "-", "--quiet", stdin=path.read_bytes())
    assert out.split() == [answer["verdict"] for answer in answers]
    status, out, _ = run("solve", "chessboard", path)
    found = f"winnable, {answers[0]['length']} moves"
    assert out.splitlines()[0] == f"deal 1, seed 1: {found}"
    status, out, _ = run("solve", "chessboard", path, "--quiet", "--work", 0)
    assert (status, set(out.split())) == (3, {"undecided"})


def test_choices_of_rules_are_part_of_deals_and_results(run, tmp_path):
    dealt = ("deal", "joker", "--seed", 3, "--removal", "exposed")
    path = run.write(tmp_path / "deal", *dealt)
    assert "# seed: 3\nRemoval: exposed\n" in path.read_text()
    for source, exchange, removal in (
        ([path], None, "exposed"),
        (["--seed", 3], None, None),
        (["--seed", 3, "--exchange", "exposed"], "exposed", None),
    ):
        answer = run.json("solve", "joker", *source, "--engine", "reference", "--work", 15_000)
        assert (answer.get("exchange"), answer.get("removal")) == (exchange, removal)
    conflict = run.fails("solve", "joker", path, "--removal", "undeclared")
    assert ":3: removal 'exposed': undeclared was asked for" in conflict


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine shortens lines")
def test_lines_are_made_shorter_after_the_verdict(run, tmp_path):
    args = ("solve", "simple-simon", "--seed", 3, "--shorten")
    plain = run.json(*args, 0)
    variant = find_variant("simple-simon")
    found = solve(variant, variant.deal(3), shorten=0)
    assert plain["moves"] == format_line(variant, variant.deal(3), found.moves)
    narrow = ("--max-memory", 8)  # so little memory that it ends after one beam, whatever the time
    short = run.json(*args, 10**6, *narrow)
    assert (plain["verdict"], short["verdict"]) == ("winnable", "winnable")
    assert short["length"] < plain["length"]
    path = run.write(tmp_path / "page", "solve", "simple-simon", "--seed", 3, "--shorten", "200k")
    assert run("verify", "simple-simon", path, "--seed", 3)[0] == 0


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine proves full deals")
def test_shortest_lines_are_asked_for(run, tmp_path):
    args = ("solve", "chessboard", "--seed", 8, "--shortest")
    answer = run.json(*args)
    assert list(answer) == KEYS
    assert (answer["length"], answer["shortest"], answer["lower_bound"]) == (69, True, 69)
    out = run.out(*args)
    assert out.index("Verdict: winnable") < out.index("\nSolution: 69 moves (shortest possible)\n")
    path = tmp_path / "solution"
    path.write_text(out)
    assert run("verify", "chessboard", path, "--seed", 8) == (0, "correct: won in 69 moves\n", "")
    out = run.out(*args, "--work", 400)
    assert re.search(r"\nSolution: (\d+) moves \(the shortest has 6\d to \1\)\n", out)
    answer = run.json(*args, "--work", 400)
    assert (answer["verdict"], answer["shortest"], answer["reason"]) == ("winnable", False, "work")
    assert 60 < answer["lower_bound"] <= 69 < answer["length"]
    deals = run("deal", "fortress", "--seed", 7, "--count", 2, "--format", "jsonl")[1].encode()
    out = run("solve", "fortress", "-", "--shortest", stdin=deals)[1]
    assert out.splitlines() == [
        "deal 1, seed 7: unwinnable",
        "deal 2, seed 8: winnable, 77 moves (shortest possible)",
    ]


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine proves full deals")
def test_each_base_rank_is_answered(run):
    args = ("solve", "chessboard", "--seed", 4, "--bases")
    out = run.out(*args)
    assert "\nBase ranks:\n  A  unwinnable\n" in out
    assert "\n  4  winnable, 80 moves (shortest possible)\n" in out
    assert "\nSolution: 80 moves (shortest possible)\n" in out
    answer = run.json(*args)
    assert list(answer) == [*KEYS, "bases"]
    assert [row["base"] for row in answer["bases"]] == list("A23456789TJQK")
    won = {row["base"]: row["length"] for row in answer["bases"] if row["verdict"] == "winnable"}
    assert won == {"4": 80, "5": 90, "8": 89}
    assert list(answer["bases"][0]) == [
        *("base", "verdict", "length", "shortest", "lower_bound", "score", "score_bound", "exact", "reason")
    ]
    deals = run("deal", "chessboard", "--seed", 4, "--count", 2, "--format", "jsonl")[1].encode()
    lines = run("solve", "chessboard", "-", "--bases", stdin=deals)[1].splitlines()
    assert lines[0].endswith("; base ranks 4 80, 5 90, 8 89")
    assert lines[1] == "deal 2, seed 5: unwinnable; no base rank"
    status, out, _ = run(*args, "--work", 20)
    assert status == 3
    assert "undecided (work limit reached)" in out
    status, out, _ = run("solve", "chessboard", "--seed", 3, "--bases", "--work", 10)
    assert status == 0  # one base rank wins, though a limit leaves the deal undecided without them
    assert out.startswith("Verdict: winnable\nBase ranks:\n  A  unwinnable\n")
    assert "\nSolution: 116 moves (the shortest has 70 to 116)\n" in out
    status, out, _ = run("solve", "chessboard", "--seed", 7, "--bases", "--work", 10)
    assert (status, out.partition("\n")[0]) == (0, "Verdict: unwinnable")  # since every base rank loses
    out = run("solve", "chessboard", "--seed", 7, "--bases", "--work", 10, "--score")[1]
    assert out.startswith("Verdict: unwinnable; best score 3 to 51\nBase ranks:\n")
    assert "\n  2  unwinnable; best score 0 to 51\n" in out
    assert "\nBest line: 3 moves\n" in out
    out = run("solve", "chessboard", "--seed", 8, "--bases", "--work", 20)[1]
    assert "\nSolution: 84 moves\n" in out  # one base rank is undecided, and has no bound


def test_base_ranks_of_a_position_where_one_is_chosen_are_refused(run):
    text = run("deal", "chessboard", "--seed", 1, "--ranks", 3, "--suits", "C", "--sizes", "2,1")[1]
    cards = [line for line in text.splitlines() if not line.startswith(("#", "Ranks", "Suits"))]
    column = next(line for line in cards if len(line) == 2)
    position = (
        text.replace("# seed: 1\n", "").replace(f"\n{column}\n", "\n:\n")
        + f"Foundations: C-{column[0]}:{column[0]}\n"
    )
    refused = run.fails("solve", "chessboard", "-", "--bases", stdin=position.encode())
    assert "expected a position without a base rank" in refused


@pytest.mark.skipif(ENGINE == "reference", reason="no compiled engine")
def test_scores_of_lost_deals_are_asked_for(run):
    out = run.out("solve", "klondike", "--seed", "29", "--score", "--shortest")
    assert out.startswith("Verdict: unwinnable; best score 2 of 52\n")
    assert "\nBest line: 2 moves (shortest possible)\n" in out
    answer = run.json("solve", "klondike", "--seed", "29", "--score")
    assert list(answer) == KEYS
    found = [answer[key] for key in ("verdict", "length", "score", "tier", "score_bound", "exact", "reason")]
    assert found == ["unwinnable", 2, 2, None, 2, True, None]
    answer = run.json("solve", "klondike", "--seed", "1", "--score")
    assert (answer["verdict"], answer["score"], answer["exact"]) == ("winnable", 52, True)


@needs_kernels
def test_quietly_the_number_of_moves_is_printed(run):
    quiet = ("--shortest", "--quiet")
    assert run.out("solve", "chessboard", "--seed", 8, *quiet) == "69\n"
    assert run.out("solve", "fortress", "--seed", 1, *quiet) == "unwinnable\n"
    assert run.out("solve", "klondike-one-pass", "--seed", 6, *quiet) == "unwinnable\n"
    assert run("solve", "joker", "--seed", 5, *quiet, "--work", 10)[:2] == (3, "undecided\n")
    assert run.out("solve", "joker", "--seed", 8, *quiet, "--work", "10k") == "77 to 98\n"


@needs_kernels
@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("args", "reason", "blocks"),
    [
        (["fortress", "--seed", 1], "These cards block each other: each waits for cards that lie under", 10),
        (["klondike", "--seed", 12, "--passes", 3], "states) proves that no line of play wins.", 0),
        (["chessboard", "--seed", 8], "The solution was replayed by the rules of the game, move by move.", 0),
        (["chessboard", "--seed", 8, "--shortest"], "No solution is shorter: that is proved.", 0),
        (["simon-jester", "--seed", 3, "--work", 1], "A higher --work may decide the deal.", 0),
        (["joker", "--seed", 1, "--work", 5], "(work limit reached) after 10 states, with neither", 0),
        (["joker", "--seed", 29], "no line of play scores more than 8. With --certificate FILE", 0),
    ],
)  # fmt: skip
def test_the_grounds_of_a_verdict_are_told(run, args, reason, blocks):
    status, out, err = run("solve", *args, "--why")
    assert (status, err) == (3 if "--work" in args else 0, "")
    assert reason in next(line for line in out.splitlines() if line.startswith("Why: "))
    why = run.json("solve", *args, "--why")["why"]
    assert reason in why["text"]
    assert len(why["blocks"]) == blocks
    if blocks:
        assert "\n  KH in column 1 waits for QH in column 3\n" in out
        assert why["blocks"][0] == {
            "card": "KH", "column": 1, "waits": [{"card": "QH", "column": 3}],
            "text": "KH in column 1 waits for QH in column 3",
        }  # fmt: skip
    if args[0] == "joker" and "--work" not in args:
        assert out.startswith("Verdict: unwinnable; best score 8 of 52 (a win needs 15)\n")
    assert ("--certificate FILE" in out) == ("completed search (" in out)


@needs_kernels
def test_each_of_many_deals_has_its_grounds_below_it(run):
    deals = run.out("deal", "fortress", "--seed", 1, "--count", 2)
    lines = run("solve", "-", "--why", stdin=deals.encode())[1].splitlines()
    assert [line.split(":")[0] for line in lines if not line.startswith("  ")][::2] == [
        "deal 1, fortress, seed 1", "deal 2, fortress, seed 2",
    ]  # fmt: skip


@pytest.mark.skipif(ENGINE == "reference", reason="only the compiled engine proves full deals")
def test_the_fewest_passes_are_told_in_one_answer(run, tmp_path):
    path = tmp_path / "deal.txt"
    path.write_text(FOUR)
    out = run.out("solve", "klondike", path, "--fewest-passes")
    lines = ["Verdict: winnable", "Passes through the stock:", *(f"  {n}  unwinnable" for n in (1, 2, 3))]
    assert out.startswith("\n".join([*lines, "  4  winnable, "]))
    assert "\nFewest passes: 4\n" in out
    answer = run.json("solve", "klondike", path, "--fewest-passes")
    assert list(answer) == [*KEYS, "fewest_passes"]
    fewest = answer["fewest_passes"]
    assert (fewest["least"], fewest["most"]) == (4, 4)
    assert [each["passes"] for each in fewest["tried"]] == [1, 2, 3, 4]
    assert fewest["tried"][-1]["length"] == answer["length"]
    line = tmp_path / "line.json"
    line.write_text(json.dumps(answer))
    assert run("verify", "klondike", path, line, "--passes", 4)[0] == 0
    assert run("verify", "klondike", path, line, "--passes", 3)[0] != 0
    deals = run("deal", "klondike-draw-one", "--seed", 1, "--count", 2, "--format", "jsonl")[1].encode()
    lines = run("solve", "-", "--fewest-passes", "--workers", 2, stdin=deals)[1].splitlines()
    assert all(re.search(r"; fewest passes: \d$", line) for line in lines)
    assert run("solve", "klondike-vegas-one", "--seed", 10, "--fewest-passes")[1].splitlines()[1] == (
        "No number of passes wins"
    )
    status, out, _ = run("solve", "klondike", path, "--fewest-passes", "--work", 20)
    assert status == 3
    assert "The fewest passes are not known" in out
    assert "\nFewest passes: 3 or more" not in out
