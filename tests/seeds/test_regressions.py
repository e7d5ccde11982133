"""Known deals, and those of seeds/regressions.jsonl: on each of these a search fails if one of its conditions
is removed.

``note`` names the source and the condition.
"""

import pytest
from tests.compiled import needs_kernels
from tests.deals import SEEDS, known_deals
from tests.native import load
from tests.seeds.test_seeds import confirm_by_brute_force
from tests.solver.kernels import make

from winnable.rules import find_variant
from winnable.solver import Limits, solve, verify
from winnable.solver.engine import find_kernel

pytestmark = needs_kernels
DEALS = list(known_deals("regressions.jsonl"))
GAMES = sorted({row["game"] for row, *_ in DEALS})


def deals_of(*variants):
    """The entries of some games, each with the game and the state."""
    return ((row, game, state) for row, game, state in DEALS if row["game"] in variants)


def test_every_note_names_a_source():
    sources = {row["note"].partition(":")[0] for row, *_ in DEALS}
    assert [source for source in sources if not (SEEDS.parent / source).is_file()] == []


@pytest.mark.parametrize("variant", [name for name in GAMES if find_variant(name).scoring])
def test_greatest_scores(variant):
    kernel, bounding = (find_kernel(find_variant(variant))(Limits(nodes=nodes)) for nodes in (30000, 0))
    for row, game, state in deals_of(variant):
        answer = kernel.solve(state)
        assert answer[2:6] == (row["score"], row["score"], True, None), row
        assert game.score(verify.replay(game, state, answer.moves)) == row["score"], row
        assert bounding.solve(state).score_bound >= row["score"], row


@pytest.mark.parametrize("variant", [name for name in GAMES if name in ("chessboard", "fortress")])
def test_verdicts_bounds_and_shortest_lines_of_chessboard(variant):
    kernel = make(variant)
    lower_bound = load("chessboard_walker").lower_bound
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


@pytest.mark.parametrize("variant", [name for name in GAMES if "simon" in name])
def test_verdicts_bounds_and_shortest_lines_of_simon(variant):
    kind = load("simon_searches").SimonSearches
    kernel, searches, limited = make(variant), kind(Limits()), kind(Limits(nodes=20000))
    for row, game, state in deals_of(variant):
        won, line, *_ = kernel.solve(state)
        is_winnable = row["verdict"] == "winnable"
        assert won == is_winnable, row
        for method in ("classes", "loose cards"):
            lost = limited.solve(state, method).won is False
            assert not (is_winnable and lost), row
            is_proof = method == "loose cards" and "relaxation_loose" in row["note"].partition(":")[0]
            assert lost or is_winnable or not is_proof, row
        assert limited.solve(state, "positions").won in (is_winnable, None), row
        if won:
            assert game.family.is_won(verify.replay(game, state, line)), row
            heads, bound = searches.lower_bounds(state)
            assert heads <= bound <= row["shortest"], row
            assert bound >= row.get("lower_bound", 0), row
        if won and game.copies == 1:
            told = []
            kernel.prove_optimal(state, line, lambda *pair, told=told: told.append(pair))
            line, proved = told[-1]
            assert len(line) == proved == row["shortest"], row


def test_verdicts_of_klondike_with_redeals():
    searches, explore = load("klondike_searches").KlondikeSearches(Limits()), load("klondike_brute").explore
    kernel = make("klondike")
    for row, game, state in deals_of("klondike"):
        for method in ("all", "relaxation first", "relaxed"):
            won, line, *_ = searches.solve(state, method)
            assert won == (row["verdict"] == "winnable"), (row, method)
            if line is not None:
                assert game.family.is_won(verify.replay(game, state, line)), row
        assert kernel.solve(state).won == won, row
        assert state.deck.is_full or explore(state, 30_000) in (won, None), row
        assert state.deck.is_full or searches.solve(state, "plain").won == won, row


@pytest.mark.parametrize("name", ["chessboard", "simon", "joker"])
def test_known_deals_keep_their_answers(name):
    for row, variant, state in known_deals(f"{name}.jsonl"):
        result = solve(variant, state, shorten=0)
        assert result.engine == "compiled"
        if variant.scoring:
            assert (result.score, result.tier, result.exact) == (row["score"], row["tier"], True), row
        else:
            assert result.verdict == row["verdict"], row
            least = row.get("shortest", row.get("lower_bound", 0))
            assert result.moves is None or len(result.moves) >= least, row


def test_brute_force_confirms_the_answers():
    for deal in deals_of(*(name for name in GAMES if name != "klondike")):
        confirm_by_brute_force(*deal)
