"""Simon Jester and Simple Simon: classes of positions, the portfolio of searches, shorter lines.

Start with `kernel`, the portfolio. `relaxation_loose` (R0) and `relaxation_carriers` (R2) prove deals lost;
`best_first` searches the `classes` of positions by the moves of `class_moves`; `depth_first` searches single
positions. `beam`, with the scores of `beam_score`, and `astar` shorten lines; `landmarks` bounds their
length; `plan` turns a path of class moves into moves of runs. `position` has packed positions, `replay` an
independent implementation of the rules, `certificate` writes certificates. The proofs are in
docs/theory/simon.md.
"""

from ..core.contract import Kind

# See `core.contract.Searches`.
IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "simon-jester": {},
    "simon-jester-triangular": {},
    "simple-simon": {},
}
REPLAYS = dict(IMPLEMENTS)
CERTIFIES = dict(IMPLEMENTS)
OPTIMIZES, SCORES_LOST = True, False
_ORDER = ("order of columns",)
KINDS = (
    Kind(0, (*_ORDER, "loose cards"), may_fail="the relaxation with loose cards can be won"),
    Kind(2, _ORDER, _ORDER, most=10_000),
    Kind(
        1,
        (*_ORDER, "arrangements"),
        (*_ORDER, "arrangements"),
        may_fail="the classes of positions can be won, or one has too many arrangements",
    ),
    Kind(2, _ORDER, _ORDER),
)
KINDS_OF_MOVES = (Kind(2, (*_ORDER, "bound"), (*_ORDER, "bound")),)
IS_DEALT_IN_FULL = True
