"""The reference search: known deals of every variant, limits, and claims."""

import pytest
from tests.deals import known_deals

from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, Verdict, solve, verify


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["chessboard", "simon", "joker"])
def test_short_decks_have_their_known_answers(name):
    decided = 0
    for row, variant, state in known_deals(f"{name}.jsonl"):
        if "ranks" not in row:
            continue
        result = solve(variant, state, Limits(nodes=1000), engine="reference")
        if variant.scoring:
            assert result.score <= row["score"]
            if result.exact:
                assert (result.score, result.tier) == (row["score"], row["tier"])
        elif result.reason is None:
            assert result.verdict.value == row["verdict"], row
        decided += result.reason is None
    assert decided > 20


@pytest.mark.parametrize("name", VARIANTS)
def test_every_limit_ends_a_search_with_its_name(name):
    variant = VARIANTS[name]
    state = variant.deal(3)
    for limits, reason in (
        (Limits(nodes=3), "nodes"),
        (Limits(seconds=0), "seconds"),
        (Limits(megabytes=0.005), "memory"),
    ):
        result = solve(variant, state, limits, engine="reference")
        assert (result.verdict, result.reason) == (Verdict.UNDECIDED, reason)
        assert result.engine == "reference"
        assert not result.shortest
    assert solve(variant, state, Limits(nodes=3), engine="reference").expanded == 3


def test_a_scored_game_reports_the_best_line_when_a_limit_ends_it():
    variant = find_variant("joker")
    result = solve(variant, variant.deal(7), Limits(nodes=300), engine="reference")
    assert result.exact is False
    assert result.score == variant.score(verify.replay(variant, variant.deal(7), result.moves))
    assert result.tier == variant.scoring.tier_of(result.score, 52)


def test_interrupting_keeps_what_was_found(monkeypatch):
    variant = find_variant("joker")
    calls = 0

    def legal_moves(state):
        nonlocal calls
        calls += 1
        if calls == 50:
            raise KeyboardInterrupt
        return plain(state)

    plain = variant.family.legal_moves
    monkeypatch.setattr(variant.family, "legal_moves", legal_moves)
    result = solve(variant, variant.deal(7), engine="reference")
    assert (result.verdict, result.reason, result.expanded) == (Verdict.UNDECIDED, "interrupted", 50)
    assert result.score > 0
