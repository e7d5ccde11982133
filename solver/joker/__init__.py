"""Joker Solitaire, and one-pass Klondike as Joker without jokers: search for the greatest score, and for
shortest lines.

Start with `state`: packed keys of classes of states. `moves` has their macro moves, `bound` a delete
relaxation. `search` finds the greatest score; without jokers `one_pass` does, on smaller keys. `position`
has exact positions with their moves; `line` turns macros into such moves. `shortest` shortens lines over
exact positions and proves lines shortest, by `beam` and A*; without jokers it uses `one_pass_astar` over the
exact keys of `one_pass_landmarks`. `replay` has independent rules to verify lines, and `kernel` ties all
together. The proofs are in docs/theory/joker.md.
"""

from ..core.contract import Kind

IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike-one-pass": {"draw": ("1",), "passes": ("1",), "worrying_back": ("no",), "spaces": ("kings",)},
}
"""The games, with values of rule options, that the searches of this package decide: see
`rules.choices.Implemented`."""
REPLAYS = dict(IMPLEMENTS)
"""The games, with values of rule options, whose rules the oracle, `replay`, implements."""
CERTIFIES = dict(IMPLEMENTS)
"""The games, with values of rule options, of which `certificate` lists positions."""
OPTIMIZES, SCORES_LOST = False, False
"""Whether these searches shorten lines for a given work, and whether they find the most cards of a lost
state: see `core.contract.GameKernel`."""
KINDS = (Kind(0, ("order of columns", "like cards", "safe move up", "bound")),)
KINDS_OF_MOVES = ()
"""The kinds of certificates, and those where moves are counted; a later one proves what the one before does
not."""
IS_DEALT_IN_FULL = False
"""Whether what a certificate lists does not tell the cards of the deal."""
