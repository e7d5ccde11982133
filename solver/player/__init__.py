"""Players of games with hidden cards: PUCT tree search over information sets, and win chances.

Start with `player`, the Python interface. `search` is the tree search that both families share;
`joker_views` and `joker_moves` have what is seen and the moves worth considering in Joker, on the positions
of `joker.position`; `klondike_position` has both for Klondike, on the packed classes of `klondike.state`.
`joker_kernel` and `klondike_kernel` are their kernels. `value` is the value network of the Joker family,
`trials` compares moves on the same shuffles, `chances` calibrates the chances. docs/player.md has
the figures.
"""

from .chances import Chance
from .player import Advice, Decision, Game, Outcome, Player, advise, decisions, play_game

__all__ = ["Advice", "Chance", "Decision", "Game", "Outcome", "Player", "advise", "decisions", "play_game"]
