"""Simon Jester and Simple Simon: classes of positions, the portfolio of searches, shorter lines.

Start with `kernel`, the portfolio. `relaxation_loose` (R0) and `relaxation_carriers` (R2) prove deals lost;
`best_first` searches the `classes` of positions by the moves of `class_moves`; `depth_first` searches single
positions. `beam`, with the scores of `beam_score`, and `astar` shorten lines; `landmarks` bounds their
length; `plan` turns a path of class moves into moves of runs. `position` has packed positions, `replay` an
independent implementation of the rules, `certificate` writes certificates. The proofs are in
docs/theory/simon.md.
"""

IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "simon-jester": {},
    "simon-jester-triangular": {},
    "simple-simon": {},
}
"""The games that the searches of this package decide: see `rules.choices.Implemented`."""
REPLAYS = dict(IMPLEMENTS)
"""The games, with values of rule options, whose rules the oracle, `replay`, implements."""
CERTIFIES = dict(IMPLEMENTS)
"""The games of which `certificate` lists positions."""
