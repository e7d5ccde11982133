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

# See `core.contract.Searches`.
IMPLEMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike-one-pass": {"draw": ("1",), "passes": ("1",), "worrying_back": ("no",), "spaces": ("kings",)},
}
REPLAYS = dict(IMPLEMENTS)
CERTIFIES = dict(IMPLEMENTS)
OPTIMIZES, SCORES_LOST = False, False
KINDS = (Kind(0, ("order of columns", "like cards", "safe move up", "bound")),)
KINDS_OF_MOVES = ()
IS_DEALT_IN_FULL = False
