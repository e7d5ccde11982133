"""Chessboard and Fortress: depth-first search for verdicts, A* for shortest lines, replay, certificates."""

from ..core.contract import Kind

IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {"chessboard": {}, "fortress": {}}
"""The games that the searches of this package decide: see `rules.choices.Implemented`."""
REPLAYS = dict(IMPLEMENTS)
"""The games, with values of rule options, whose rules the oracle, `replay`, implements."""
CERTIFIES = dict(IMPLEMENTS)
"""The games of which `certificate` lists positions."""
OPTIMIZES, SCORES_LOST = False, False
"""Whether these searches shorten lines for a given work, and whether they find the most cards of a lost
state: see `core.contract.GameKernel`."""
KINDS = (Kind(0, ("order of columns", "must go up"), ("order of columns",)),)
KINDS_OF_MOVES = (
    Kind(
        0,
        ("order of columns", "chosen base", "bound", "must go up"),
        ("order of columns", "chosen base", "bound"),
    ),
)
"""The kinds of certificates, and those where moves are counted; a later one proves what the one before does
not."""
IS_DEALT_IN_FULL = False
"""Whether what a certificate lists does not tell the cards of the deal."""
