"""The tables of seeds/first: their columns are consistent, and a random part agrees with the searches.

WINNABLE_TEST_SEED=N selects another part; `pytest -m slow` checks all deals.
"""

import csv
import os
import random
from pathlib import Path

import pytest
from tests.compiled import SEARCHED, needs_kernels

from winnable.rules import find_variant
from winnable.solver import Limits, Verdict, find_shortest, solve

FIRST = Path(__file__).parents[2] / "seeds" / "first"
PART = os.environ.get("WINNABLE_TEST_SEED") or "1"
DEALS = {"chessboard": 40, "fortress": 60}
CHOICES = {"joker-exposed": {"exchange": "exposed"}}
"""The rules of tables that have others than the usual ones."""
TABLES = (*SEARCHED, *CHOICES)


def game_of(name):
    """The game of a table."""
    return find_variant("joker" if name in CHOICES else name)


def deal_of(name, row):
    """The deal of a row."""
    return game_of(name).deal(row["seed"], choices=CHOICES.get(name))


# All other tables have shortest lines.
SHORTENED = [name for name in TABLES if name != "joker" and "passes" not in game_of(name).choices]
CHEAP = 20_000  # states of a search that is repeated


def table(name):
    """The rows of a table, numbers as numbers, empty fields as None."""
    with (FIRST / f"{name}.csv").open() as file:
        return [
            {key: int(value) if value.isdigit() else value or None for key, value in row.items()}
            for row in csv.DictReader(file)
        ]


def part(name, count):
    """A random part of the deals whose verdict is cheap."""
    cheap = [row for row in table(name) if row["expanded"] <= CHEAP]
    return random.Random(f"{PART} {name}").sample(cheap, count)


def check_verdict(name, row, limits):
    """Solve a deal again and compare; return whether it was decided."""
    variant = game_of(name)
    result = solve(variant, deal_of(name, row), limits, shorten=0)
    where = f"{name}, seed {row['seed']}, WINNABLE_TEST_SEED={PART}"
    is_decided = Verdict.UNDECIDED.value not in (result.verdict.value, row["verdict"])
    if is_decided:
        assert result.verdict.value == row["verdict"], where
    if variant.scoring:
        assert result.score <= row["score_bound"], where
        assert row["score"] <= result.score_bound, where
        if result.exact and row["score"] == row["score_bound"]:
            assert (result.score, result.tier) == (row["score"], row["tier"]), where
    is_same_tier = result.tier == row["tier"]
    if row["lower_bound"] is not None and result.moves is not None and is_same_tier:
        assert len(result.moves) >= row["lower_bound"], where
    return result.reason is None and is_decided


def check_length(name, row, limits):
    """Search for a shortest line again. Returns whether it is proved as in the table; None if there is
    nothing to compare."""
    result = find_shortest(game_of(name), deal_of(name, row), limits)
    where = f"{name}, seed {row['seed']}, WINNABLE_TEST_SEED={PART}"
    if result.moves is None or result.tier != row["tier"] or row["lower_bound"] is None:
        return None
    assert len(result.moves) >= row["lower_bound"], where
    if result.lower_bound is not None:
        assert result.lower_bound <= row["best"], where
    is_proved = result.shortest and row["best"] == row["lower_bound"]
    if is_proved:
        assert len(result.moves) == row["best"], where
    return is_proved


@pytest.mark.parametrize("name", TABLES)
def test_a_table_agrees_with_itself(name):
    variant = game_of(name)
    rows = table(name)
    assert [row["seed"] for row in rows] == list(range(1, 1001))
    if name in SHORTENED:
        assert sum(row["best"] is not None for row in rows) > 100
        assert sum(row["lower_bound"] is not None for row in rows) > 50
    for row in rows:
        assert row["expanded"] > 0 or row["verdict"] == "unwinnable"  # lost by delete relaxation
        if row["best"] is not None:
            assert row["verdict"] == "winnable"
            assert row["best"] <= row["moves"]
            assert row["lower_bound"] is None or 0 < row["lower_bound"] <= row["best"]
        if variant.scoring:
            assert row["score"] <= row["score_bound"] <= 52
            assert row["tier"] == variant.scoring.tier_of(row["score"], 52)
            could = variant.scoring.tier_of(row["score_bound"], 52) != "none"
            verdicts = {True: "winnable", False: "undecided" if could else "unwinnable"}
            assert row["verdict"] == verdicts[row["tier"] != "none"]
        else:
            assert (row["moves"] is not None) == (row["verdict"] == "winnable")
            assert (row["score"], row["score_bound"], row["tier"]) == (None, None, None)


@pytest.mark.quick(6)
@needs_kernels
@pytest.mark.parametrize("name", TABLES)
def test_verdicts_and_scores_of_a_random_part_are_found_again(name):
    rows = part(name, DEALS.get(name, 8))
    decided = sum(check_verdict(name, row, Limits(nodes=10 * CHEAP)) for row in rows)
    assert decided > 0.9 * len(rows)


@pytest.mark.quick("fortress")
@needs_kernels
@pytest.mark.parametrize("name", SHORTENED)
def test_lengths_and_bounds_of_a_random_part_are_found_again(name):
    """Lengths and bounds of a few deals are consistent with new searches; with one deck and no scores they
    are proved again."""
    rows = [row for row in part(name, DEALS.get(name, 100)) if row["best"] and row["lower_bound"]]
    seconds = 0.5 if game_of(name).copies > 1 else None  # limits on nodes do not end that search
    limits = Limits(nodes=CHEAP * (5 if name in DEALS else 1), seconds=seconds)
    found = [check_length(name, row, limits) for row in rows[: None if name in DEALS else 4]]
    where = f"WINNABLE_TEST_SEED={PART}"
    if name in DEALS:
        assert found.count(True) > 0.8 * len(rows) > 2, where
    assert any(each is not None for each in found), where


@needs_kernels
@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_all_first_deals(name):
    variant = game_of(name)
    seconds = None if name in DEALS else 0.5 if variant.copies > 1 or variant.scoring else 3
    decided = compared = 0
    for row in table(name):
        decided += check_verdict(name, row, Limits(nodes=10**7, megabytes=1000))
        if row["best"] is not None:
            compared += check_length(name, row, Limits(seconds=seconds, megabytes=1000)) is not None
    assert decided > 950
    assert compared > 50 or name not in SHORTENED
