"""The types of the public names, for a type checker: checked by test_types.py, never run."""

from pathlib import Path
from typing import assert_type

import winnable
from winnable import Goal, Limits, Move, Result, State, Verdict, deal, find_variant, read_deal, solve
from winnable.rules import VARIANTS, Variant, chessboard, joker, simon
from winnable.solver.analysis.hint import hint
from winnable.solver.verify import follow, format_line

board = deal("fortress", 8)
assert_type(board, chessboard.State)
assert_type(board.foundations, tuple[int, ...])
assert_type(chessboard.legal_moves(board), list[chessboard.Move])
assert_type(chessboard.apply(board, chessboard.legal_moves(board)[0]), chessboard.State)
assert_type(deal("simple-simon", 8, ranks=5), simon.State)
assert_type(read_deal(str(board), by="columns").state, State)
assert_type(simon.legal_moves(deal("simon-jester", 8))[0].count, int)
assert_type(deal("joker", 8, choices={"exchange": "turned"}), joker.State)
assert_type(joker.apply(deal("joker", 8), joker.TURN).waste, tuple[int, ...])

for variant in VARIANTS.values():
    assert_type(variant, Variant)
    state = variant.deal(8)
    assert_type(state, State)
    assert_type(state.variant, str)
    moves = variant.family.legal_moves(state)
    assert_type(moves, list[Move])
    assert_type(moves[0].source, int)
    assert_type(variant.family.apply(state, moves[0]), State)
    assert_type(variant.family.parse_move(state, "7S 2-5"), Move)
    assert_type(variant.score(state), int)
    if isinstance(state, joker.State):
        assert_type(state.waste, tuple[int, ...])

result = solve("fortress", board, Limits(seconds=1), "shortest")
assert_type(result, Result)
assert_type(result.verdict, Verdict)
assert_type(result.moves, tuple[Move, ...] | None)
assert_type(result.verdict == "winnable", bool)
assert_type(solve(find_variant("fortress"), board, goal=Goal.SHORTEST).score, int | None)
assert_type(winnable.replay("fortress", board, result.moves or ()), State)
assert_type(winnable.find_shortest("fortress", board).lower_bound, int | None)
assert_type(format_line("fortress", board, result.moves or ()), list[str])
for move, after in follow("fortress", board, ["7S 10-f"]):
    assert_type(move, Move)
    assert_type(after, State)

read = read_deal(Path("deal.txt"), "fortress")
assert_type(read.state, State)
assert_type(read.seed, int | None)
assert_type(hint(find_variant("fortress"), read.state, 1_000_000, 0).answer, Result)

assert_type(deal("fortress", 8).legal_moves(), list[chessboard.Move])
assert_type(deal("fortress", 8).apply("AH f"), chessboard.State)
assert_type(deal("joker", 8).legal_moves()[0].rank, int | None)
assert_type(deal("joker", 8).apply(joker.TURN), joker.State)
assert_type(read.state.is_won, bool)
assert_type(read.state.seed, int | None)
assert_type(read.state.apply("AH f"), State)
assert_type(read.state.describe("AH f")["turns_up"], str | None)
assert_type(read.state.describe("AH f")["from"], str)
assert_type(solve(board), Result)
assert_type(solve(read.state, Limits(seconds=1), score=True).verdict, Verdict)
assert_type(hint(board).options[0].after, Result)
assert_type(winnable.hint(read.state).options[0].keeps, bool | None)
assert_type(winnable.review(board, ["AH f"])[0].loss, str | None)
assert_type(winnable.review("fortress", board, ["AH f"], Limits(seconds=1))[0].move, str)
assert_type(winnable.fair_review(board, ["AH f"]), winnable.FairReview)
assert_type(winnable.fair_review("joker", board, ["AH f"]).steps[0].better, str | None)
assert_type(winnable.replay(board, ["AH f"]), State)
assert_type(winnable.difficulty(board).ease, float | None)
assert_type(winnable.find_shortest(board, limits=Limits(seconds=1)).shortest, bool)

# Errors are found: if an expected error is missing, its comment is an error.
chessboard.legal_moves(deal("joker", 8))  # type: ignore[arg-type]
simon.apply(deal("simple-simon", 8), chessboard.Move(0, 1))  # type: ignore[arg-type]
solve("fortress", None)  # type: ignore[call-overload]
solve("fortress", "deal.txt")  # type: ignore[call-overload]
winnable.review(board)  # type: ignore[call-overload]
winnable.replay(board, [3])  # type: ignore[list-item]
winnable.solv  # type: ignore[attr-defined]  # noqa: B018
