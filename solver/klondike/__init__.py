"""Search and optimization of Klondike with redeals.

Start with `state`: packed keys of classes of states, their moves, and dead ends by delete relaxation.
`search` decides a deal, or finds the most cards up. `position` has single positions and their keys, `steps`
their moves with costs; `shortest` minimizes moves over them by beams and by A* with the `landmarks` of a
relaxed game. `line` translates moves between classes to moves of the game and straightens lines, `replay` has
independent rules to verify lines, and `kernel` ties all together. The proofs are in docs/theory/klondike.md.
"""

from ..core.contract import Kind

# See `core.contract.Searches`.
_VALUES = {
    "draw": ("1", "2", "3", "4", "5", "6", "7"),
    "passes": ("unlimited", "1", "2", "3", "4", "5"),
    "worrying_back": ("yes", "no"),
    "spaces": ("kings",),
}
IMPLEMENTS = dict.fromkeys(("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one"), _VALUES)
REPLAYS = dict(IMPLEMENTS)
CERTIFIES = dict(IMPLEMENTS)
OPTIMIZES, SCORES_LOST = False, True
KINDS = (Kind(0, ("classes", "draws", "relaxed stock", "safe move up", "dead end", "late parking")),)
KINDS_OF_MOVES = ()
IS_DEALT_IN_FULL = True
