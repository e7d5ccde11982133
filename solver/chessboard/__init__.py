"""Chessboard and Fortress: depth-first search for verdicts, A* for shortest lines, replay, certificates."""

IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {"chessboard": {}, "fortress": {}}
"""The games that the searches of this package decide: see `rules.choices.Implemented`."""
REPLAYS = dict(IMPLEMENTS)
"""The games, with values of rule options, whose rules the oracle, `replay`, implements."""
CERTIFIES = dict(IMPLEMENTS)
"""The games of which `certificate` lists positions."""
