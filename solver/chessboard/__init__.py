"""Chessboard and Fortress: depth-first search for verdicts, A* for shortest lines, breadth-first search for
the most cards up, replay, certificates."""

from ..core.contract import Kind

# See `core.contract.Searches`.
IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {"chessboard": {}, "fortress": {}}
REPLAYS = dict(IMPLEMENTS)
CERTIFIES = dict(IMPLEMENTS)
OPTIMIZES, SCORES_LOST = False, True
KINDS = (Kind(0, ("order of columns", "must go up"), ("order of columns",)),)
KINDS_OF_MOVES = (
    Kind(
        0,
        ("order of columns", "chosen base", "bound", "must go up"),
        ("order of columns", "chosen base", "bound"),
    ),
)
IS_DEALT_IN_FULL = False
