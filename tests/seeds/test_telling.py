"""The deals of seeds/telling.jsonl, on each of which the search goes wrong if one condition of it is taken
away: see tests/mutations. ``note`` names the condition."""

import importlib
import json
from pathlib import Path

import pytest
from tests.mutations.table import read_table
from tests.native import load

from winnable.rules import find_variant
from winnable.rules.formats.json_deals import read_json
from winnable.solver import Limits, verify
from winnable.solver.engine import find_kernel

NAME = "telling.jsonl"
ROWS = [json.loads(line) for line in (Path(__file__).parents[2] / "seeds" / NAME).read_text().splitlines()]
GAMES = sorted({row["variant"] for row in ROWS})

PROOFS = {"loose cards": "simon_loose"}
"""Searches whose rows are there because they prove them."""

needs_kernels = pytest.mark.skipif(
    find_kernel(find_variant("chessboard")) is None, reason="the compiled engine is not installed"
)


def module(name):
    return importlib.import_module(f"winnable.solver.{name}")


def deals_of(*variants):
    """The rows of some games, with the game and the state."""
    for row in ROWS:
        if row["variant"] in variants:
            variant = find_variant(row["variant"])
            yield row, variant, next(read_json(variant, json.dumps(row), NAME)).state


def test_every_note_names_a_row_of_the_table():
    names = {str(mutant) for mutant in read_table()}
    assert {row["note"] for row in ROWS} <= names


@needs_kernels
@pytest.mark.parametrize("variant", [name for name in GAMES if find_variant(name).scoring])
def test_greatest_scores(variant):
    kernel, bounding = (find_kernel(find_variant(variant))(Limits(nodes=nodes)) for nodes in (30000, 0))
    for row, game, state in deals_of(variant):
        answer = kernel.solve(state)
        assert answer[2:] == (row["score"], row["score"], True, None), row
        assert game.score(verify.replay(game, state, answer.moves)) == row["score"], row
        assert bounding.solve(state).score_bound >= row["score"], row


@needs_kernels
@pytest.mark.parametrize("variant", [name for name in GAMES if name in ("chessboard", "fortress")])
def test_verdicts_bounds_and_shortest_lines_of_chessboard(variant):
    kernel, lower_bound = (
        module("chessboard.kernel").ChessboardKernel(Limits()),
        module("chessboard.shortest").lower_bound,
    )
    for row, game, state in deals_of(variant):
        won, line, *_ = kernel.solve(state)
        assert won == (row["verdict"] == "winnable"), row
        if won:
            assert game.family.is_won(verify.replay(game, state, line)), row
            assert row.get("lower_bound", 0) <= lower_bound(state) <= row["shortest"], row
            told = []
            kernel.prove_optimal(state, line, lambda *pair, told=told: told.append(pair))
            line, proved = told[-1]
            assert len(line) == proved == row["shortest"], row


@needs_kernels
@pytest.mark.parametrize("variant", [name for name in GAMES if "simon" in name])
def test_verdicts_bounds_and_shortest_lines_of_simon(variant):
    kernel, limited = (module("simon.kernel").SimonKernel(Limits(nodes=nodes)) for nodes in (None, 20000))
    relaxed = load("simon_relaxation").RelaxationSearch(Limits(nodes=20000))
    for row, game, state in deals_of(variant):
        won, line, *_ = kernel.solve(state)
        is_winnable = row["verdict"] == "winnable"
        assert won == is_winnable, row
        assert not (is_winnable and relaxed.wins(state) is False), row
        for method in ("classes", "loose cards"):
            lost = limited.solve(state, method).won is False
            assert not (is_winnable and lost), row
            assert lost or is_winnable or row["note"].partition(":")[0] != PROOFS.get(method), row
        assert limited.solve(state, "positions").won in (is_winnable, None), row
        if won:
            assert game.family.is_won(verify.replay(game, state, line)), row
            heads, cycles, bound = kernel.lower_bounds(state)
            assert heads <= min(cycles, bound) <= max(cycles, bound) <= row["shortest"], row
            assert bound >= row.get("lower_bound", 0), row
        if won and game.copies == 1:
            line, proved, _ = kernel.find_shortest(state, line, 5.0)
            assert len(line) == proved == row["shortest"], row


@needs_kernels
def test_verdicts_of_klondike_with_redeals():
    kernel, replay = module("klondike.kernel").KlondikeKernel(Limits()), module("klondike.replay")
    for row, game, state in deals_of("klondike"):
        for method in ("all", "relaxation first", "relaxed"):
            won, line, *_ = kernel.solve(state, method)
            assert won == (row["verdict"] == "winnable"), (row, method)
            if line is not None:
                assert game.family.is_won(verify.replay(game, state, line)), row
        assert state.deck.is_full or replay.explore(state, 30_000) in (won, None), row
        assert state.deck.is_full or kernel.solve(state, "plain").won == won, row


@needs_kernels
def test_brute_force_confirms_the_answers():
    oracles = {"chessboard": "chessboard.replay", "simon": "simon.replay"}
    for row, game, state in deals_of(*(name for name in GAMES if name != "klondike")):
        family = game.family.__name__.rpartition(".")[2]
        brute = load("joker_brute") if family == "joker" else module(oracles[family])
        found, _ = brute.explore(state, 10**6)
        if game.scoring:
            assert found == row["score"], row
        else:
            assert found == (row["shortest"] if row["verdict"] == "winnable" else -1), row
