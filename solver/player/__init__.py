"""Players of games with hidden cards: PUCT tree search over information sets, and win chances.

Start with `player`, the Python interface. Its searches are two units of C of the library, `joker_player.pyx`
and `klondike_player.pyx`, each with the parts of its family: `tree.pxi` is the tree search that both share;
`joker_views.pxi` and `joker_moves.pxi` have what is seen and the moves worth considering in Joker, on the
positions of `joker/position.pxi`; `klondike_position.pxi` has both for Klondike, on the packed classes of
`klondike/state.pxi`; `value.pxi` is the value network of the Joker family. `core/player.pxd` declares a
player in C, and `core/player.pxi` is its border to Python. `trials` compares moves on the same shuffles,
`chances` calibrates the chances. docs/player.md has the figures.
"""

from .chances import Chance
from .player import Advice, Decision, Game, Outcome, Player, advise, decisions, play_game

__all__ = ["Advice", "Chance", "Decision", "Game", "Outcome", "Player", "advise", "decisions", "play_game"]
