"""The command deal: deals in all formats, by all dealers, and deals that pass a filter."""

import json
import re

import pytest
from tests.cli.answers import ENGINE, KEYS
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deals
from winnable.solver.analysis.difficulty import LEVELS


@pytest.mark.parametrize("style", ["text", "json", "jsonl"])
@pytest.mark.parametrize("name", VARIANTS)
def test_what_deal_prints_can_be_read_again(run, name, style):
    variant = VARIANTS[name]
    out = run.out("deal", name, "--seed", 5, "--count", 3, "--format", style)
    states = [deal.state for deal in read_deals(variant, out.encode(), "out")]
    assert states == [variant.deal(seed) for seed in (5, 6, 7)]


def test_short_decks_are_dealt(run):
    out = run.out("deal", "fortress", "--seed", 3, "--ranks", 5, "--suits", "CDH", "--sizes", "5,5,5")
    variant = find_variant("fortress")
    [deal] = read_deals(variant, out.encode(), "out")
    assert deal.state == variant.deal(3, 5, "CDH", (5, 5, 5))


def test_without_a_seed_a_deal_is_random_and_names_its_seed(run):
    out = run.out("deal", "fortress")
    seed = re.search("^# seed: ([0-9]+)$", out, re.MULTILINE)[1]
    assert run.out("deal", "fortress", "--seed", seed) == out
    assert run.out("deal", "fortress") != out
    seeds = [deal["seed"] for deal in run.json("deal", "joker", "--count", 3)]
    assert seeds == [*range(seeds[0], seeds[0] + 3)]
    status, board, told = run("deal", "simple-simon", "--format", "fc-solve")
    assert status == 0
    seed = re.fullmatch("winnable: a random deal: seed ([0-9]+)\n", told)[1]
    assert run.out("deal", "simple-simon", "--seed", seed, "--format", "fc-solve") == board


@needs_kernels
@pytest.mark.full
def test_a_random_deal_of_a_difficulty_names_its_seed(run):
    out = run.out("deal", "fortress", "--difficulty", "hard")
    seed = re.search("^# seed: ([0-9]+)$", out, re.MULTILINE)[1]
    assert run.out("deal", "fortress", "--seed", seed) == out
    assert run.json("difficulty", "fortress", "--seed", seed)["difficulty"] == "hard"


def test_limits_that_leave_every_deal_undecided_end_the_search_for_one_that_passes(run):
    status, out, err = run("deal", "fortress", "--seed", 1, "--winnable", "--work", 0)
    assert (status, out) == (0, "")
    assert err == "winnable: none of 1000 deals matches: 1000 undecided\n"


def test_deals_are_written_for_other_programs_and_converted(run, tmp_path):
    path = run.write(tmp_path / "board", "deal", "simple-simon", "--seed", 4, "--format", "fc-solve")
    formatted = run("deal", "simple-simon", path, "--format", "json")
    assert formatted == run("deal", "simple-simon", path, "--json")
    as_text = run("deal", "simple-simon", "--seed", 4)[1]
    assert run("deal", "simple-simon", path)[1] == as_text.replace("# seed: 4\n", "")
    solvitaire = run("deal", "simple-simon", path, "--format", "solvitaire")[1]
    assert run("solve", "simple-simon", "-", "--quiet", stdin=solvitaire.encode())[0] == 0


def test_pysol_numbers_are_taken_wherever_seeds_are(run, tmp_path):
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    number = ("--pysol", "00000000000000000042")
    text = run("deal", "fortress", *number)[1]
    assert text.startswith("# game: fortress\n# pysol: 42\n")
    answer = run.json("solve", "fortress", *number)
    assert (answer["seed"], answer["pysol"]) == (None, "42")
    assert list(answer) == [*KEYS[:3], "pysol", *KEYS[3:]]
    deals = run("deal", "fortress", "--pysol", 31999, "--count", 3, "--format", "jsonl")[1]
    assert [json.loads(line)["pysol"] for line in deals.splitlines()] == ["31999", "32000", "32001"]
    lines = run("solve", "fortress", "-", stdin=deals.encode())[1].splitlines()
    assert [line.split(":")[0] for line in lines] == [f"deal {i}, pysol {31998 + i}" for i in (1, 2, 3)]
    path = run.write(tmp_path / "line", "solve", "simple-simon", "--pysol", 1, "--shorten", 0, "--json")
    for beside in ([], ["simple-simon"], ["simple-simon", "--pysol", 1]):
        assert run("verify", *beside, path)[0] == 0
    agreed = ("klondike", "--pysol", 5, "--draw", 1)
    assert "# pysol: 5\nDraw: 1\n" in run("deal", *agreed)[1]
    other = run.write(tmp_path / "other", "solve", *agreed, "--json")
    assert run("verify", other)[0] == run("verify", *agreed, other)[0] == 0
    assert "<title>Simple Simon, pysol 1</title>" in run("replay", "simple-simon", path, "--pysol", 1)[1]


@pytest.mark.full
@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_ranges_of_pysol_numbers_make_lists(run, tmp_path):
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    assert run("deal", "fortress", "--pysol", "ms9-ms11")[1] == "ms9\nms10\nms11\n"
    texts = [run("deal", "fortress", "--pysol", number)[1] for number in (31999, 32000)]
    assert run("deal", "fortress", "--pysol", "31999-32000", "--format", "text")[1] == "\n".join(texts)
    store = tmp_path / "store"
    assert run("rate", "fortress", "--deals", "pysol:1-9", "--output", store)[0] == 0
    answer = run.json("rate", "fortress", "--deals", "pysol:1-20", "--output", store)
    won = run("report", store, "--seeds", "winnable")[1]
    assert (answer["deals"], answer["winnable"]) == (20, len(won.split()))
    assert run("deal", "fortress", "--pysol", "1-20", "--winnable")[1] == won
    levels = [run("deal", "fortress", "--pysol", "1-20", "--difficulty", level)[1] for level in LEVELS]
    assert sorted(map(int, "".join(levels).split())) == list(map(int, won.split()))
    lines = run("solve", "fortress", "--pysol", "1-20")[1].splitlines()
    assert [line.split(":")[0].split()[-1] for line in lines if ": winnable" in line] == won.split()
    row = json.loads(run("report", store, "--jsonl")[1].splitlines()[0])
    assert (row["pysol"], row["game"]) == ("1", "fortress")
    assert "made with dealer pysol" in run.fails("rate", "fortress", "--deals", "1-9", "--output", store)


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
def test_only_deals_that_can_be_won_are_dealt(run, tmp_path):
    dealt = ("deal", "fortress", "--seed", 1, "--count", 40, "--format", "jsonl")
    path = run.write(tmp_path / "deals.jsonl", *dealt)
    answers = [json.loads(line) for line in run("solve", "fortress", path, "--json")[1].splitlines()]
    winnable = [answer["seed"] for answer in answers if answer["verdict"] == "winnable"]
    assert 2 < len(winnable) < 40
    args = ("deal", "fortress", "--winnable", "--format", "jsonl")
    for source in (["--seed", 1, "--count", len(winnable)], [path]):
        chosen = [json.loads(line)["seed"] for line in run(*args, *source)[1].splitlines()]
        assert chosen == winnable
    first = run("deal", "fortress", "--seed", 1, "--winnable")
    assert first == run("deal", "fortress", "--seed", winnable[0])
    assert run(*args, path, "--work", 0)[:2] == (0, "")


@pytest.mark.skipif(ENGINE == "reference", reason="there is no compiled engine")
@pytest.mark.parametrize(("tier", "least"), [("win", 15), ("double", 25), ("triple", 52)])
def test_only_deals_that_reach_a_tier_are_dealt(run, tier, least):
    args = ("deal", "klondike-one-pass", "--seed", 1, "--count", 2, "--tier", tier, "--format", "jsonl")
    seeds = [json.loads(line)["seed"] for line in run(*args)[1].splitlines()]
    tried = range(1, seeds[-1] + 1)
    scores = [run.json("solve", "klondike-one-pass", "--seed", seed)["score"] for seed in tried]
    assert seeds == [seed for seed, score in zip(tried, scores, strict=True) if score >= least][:2]
