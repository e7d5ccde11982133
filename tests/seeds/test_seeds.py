"""The data of seeds/: every line is a deal of its variant, the README names every file, and the answers of
counterexamples and of the hardest deals are right."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from tests.compiled import SEARCHED, needs_kernels
from tests.deals import known_deals
from tests.native import load

from winnable.rules import Choices
from winnable.solver import Limits, solve

pytestmark = needs_kernels
SEEDS = Path(__file__).parents[2] / "seeds"
FILES = sorted(path.name for path in SEEDS.glob("*.jsonl"))


@pytest.mark.parametrize("name", FILES)
def test_every_line_is_a_deal_with_an_answer(name):
    rows = list(known_deals(name))
    assert rows
    for row, _, state in rows:
        assert "verdict" in row or "score" in row
        assert state is not None


def test_the_readme_names_every_file():
    text = (SEEDS / "README.md").read_text()
    assert FILES
    assert all(f"`{name}`" in text for name in FILES)


def test_counterexamples_have_their_answers():
    deals = list(known_deals("counterexamples.jsonl"))
    for row, variant, state in deals:
        result = solve(variant, state, shorten=0)
        answer = {"verdict": result.verdict.value, "score": result.score, "tier": result.tier}
        assert all(answer[key] == row[key] for key in answer if key in row), row
        assert result.reason is None
        confirm_by_brute_force(row, variant, state)
    assert len(deals) > 10


def confirm_by_brute_force(row, variant, state):
    """Check by brute force the answer in the entry of a deal."""
    brute = load(f"{variant.packed}_brute")
    found, _ = brute.explore(state, 10**7)
    if variant.scoring:
        assert found == row["score"], row
    else:
        assert found == (row["shortest"] if row["verdict"] == "winnable" else -1), row


def test_hardest_deals_are_those_of_their_seeds():
    names = []
    for row, variant, state in known_deals("hardest.jsonl"):
        choices = variant.choices_of(state)
        assert state == variant.deal(row["seed"], choices=choices)
        names.append((variant.name, *choices.values()))
    assert {names.count(name) for name in [("joker", "exposed"), *((name,) for name in SEARCHED)]} == {20}


@pytest.mark.slow
def test_hardest_deals_keep_their_verdicts():
    verdicts = scores = 0
    for row, variant, state in known_deals("hardest.jsonl"):
        result = solve(variant, state, Limits(nodes=10**7, megabytes=1000), shorten=0)
        if "undecided" not in (row["verdict"], result.verdict.value):
            assert result.verdict.value == row["verdict"]
            verdicts += 1
        if result.exact and "score" in row:
            assert result.score == row["score"]
            scores += 1
    assert verdicts > 100
    assert scores > 20


@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.full)])
def test_brute_force_confirms_where_the_readings_of_joker_differ(count):
    scores = defaultdict(dict)
    for row, _, state in known_deals("joker.jsonl", game="joker"):
        scores[replace(state, choices=Choices())][row["exchange"]] = row["score"], state
    pairs = [pair for pair in scores.values() if len(pair) > 1]
    for pair in pairs[:count]:
        for score, state in pair.values():
            assert load("joker_brute").explore(state)[0] == score, state
        assert pair["turned"][0] != pair["exposed"][0]
    assert len(pairs) == 12
