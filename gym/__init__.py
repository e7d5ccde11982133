"""Environments of Gymnasium, to train players: every game is registered, as ``winnable/fortress-v0``.

>>> import gymnasium, winnable.gym
>>> env = gymnasium.make("winnable/fortress-v0")
>>> observation, info = env.reset(seed=8)
>>> env.action_space, int(info["action_mask"].sum())
(Discrete(100), 9)
"""

import gymnasium

from ..rules import VARIANTS
from .environment import SolitaireEnv

__all__ = ["SolitaireEnv"]

for _name in VARIANTS:
    gymnasium.register(f"winnable/{_name}-v0", f"{__name__}:SolitaireEnv", kwargs={"game": _name})
