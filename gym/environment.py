"""Environment of Gymnasium in which a game is played move by move."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray

from ..rules import Variant, find_variant
from ..rules.cards import shown
from ..rules.tables import seen
from ..solver import Limits, solve
from .actions import action_of, actions_of
from .observations import parts_of

Observation = dict[str, NDArray[np.int8]]


class SolitaireEnv(gymnasium.Env[Observation, np.int64]):
    """A game, played by its rules with the rule options ``choices``.

    The player sees the cards that lie face up (``sees`` is "table"), also those of the stock ("stock") or all
    cards ("all"): see `observations`. An action is the number of a move in ``actions``; an illegal one
    changes nothing. The reward is the share of all cards that a move brings up or lets leave in runs, in
    games with tiers that of all foundation places which it fills; it is negative for a card that comes back.
    In a game that ends with all cards up the rewards add up to 1. An episode is terminated by a win and
    without a legal move, and truncated after ``max_moves`` actions.

    ``info`` has the ``action_mask`` of the legal moves, the ``score`` (cards up, or places filled), the
    ``tier`` of games with tiers, and the ``seed`` of a deal. With ``verdict`` it also has what the solver,
    which knows all cards, proves within the ``limits``, by default 100,000 units of work a position: the
    ``verdict`` (winnable, unwinnable or undecided) and in games with tiers the ``best_score``. Raises
    ValueError for an unknown game, rule option or value.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Variant,
        choices: Mapping[str, str] | None = None,
        sees: str = "table",
        max_moves: int = 500,
        verdict: bool = False,
        limits: Limits | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode {shown(render_mode)}: expected ansi or None")
        self.variant, self.choices = find_variant(game), choices
        self.sees, self.max_moves, self.render_mode = sees, max_moves, render_mode
        self.limits = (limits or Limits(work=100_000)) if verdict else None
        self.actions = actions_of(self.variant)
        self.action_space = Discrete(len(self.actions))
        self._parts = parts_of(self.variant)
        space: Any = Dict({name: part.space for name, part in self._parts.items()})
        self.observation_space = space
        seen(self.variant.deal(0, choices=choices), sees)  # raises ValueError for wrong words

    def _place(self, state: Any) -> None:
        """Make ``state`` the current position."""
        variant, self.state = self.variant, state
        self.score = variant.scoring.score(state) if variant.scoring else variant.cards_up(state)
        self._legal = {self.action(move): move for move in variant.family.legal_moves(state)}

    def action(self, move: Any) -> int:
        """The number of the action that is a ``move``, such as one of a solution."""
        return self.actions[action_of(move)]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the deal of ``seed``, by default a random one, or the position ``options["state"]``. Returns
        the observation and the info. Raises ValueError for a wrong seed or state."""
        super().reset(seed=seed)
        state = (options or {}).get("state")
        if state is None:
            random = int(self.np_random.integers(2**53))  # a number that JSON keeps exact
            state = self.variant.deal(random if seed is None else seed, choices=self.choices)
        self.variant.check(state, cards=True)
        self._seed, self._made = state.seed, 0
        self._place(state)
        return self._told()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the move of an action. Returns the observation, the reward, whether the game is over, whether
        it is cut off, and the info."""
        before, move = self.score, self._legal.get(int(action))
        if move is not None:
            self._place(self.variant.family.apply(self.state, move))
        self._made += 1
        reward = (self.score - before) / (self.state.deck.places * self.state.deck.copies)
        is_over = not self._legal or self.variant.family.is_won(self.state)
        observation, info = self._told()
        return observation, reward, is_over, not is_over and self._made >= self.max_moves, info

    def _told(self) -> tuple[Observation, dict[str, Any]]:
        """The observation and the info of the current position."""
        table = seen(self.state, self.sees)
        mask = self.action_masks().astype(np.int8)
        info: dict[str, Any] = {"action_mask": mask, "score": self.score, "seed": self._seed}
        if self.variant.scoring:
            info["tier"] = self.variant.scoring.tier_of(self.score, self.state.deck.places)
        if self.limits is not None:
            result = solve(self.variant, self.state, self.limits, shorten=0)
            info["verdict"] = result.verdict.value
            info |= {"best_score": result.score} if self.variant.scoring else {}
        return {name: part.array(table) for name, part in self._parts.items()}, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves, true among all actions; sb3-contrib asks for them by this name."""
        mask = np.zeros(len(self.actions), np.bool_)
        mask[list(self._legal)] = True
        return mask

    def render(self) -> str | None:
        """The position as the player sees it, as text; None unless ``render_mode`` is ``ansi``."""
        return str(seen(self.state, self.sees)) if self.render_mode else None
