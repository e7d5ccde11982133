"""Trials of the best moves of a position: each is played to the end on the same shuffles of the unseen
cards.

Where the samples of a search continue by rule, a trial continues with a player that searches again at each
decision. Its result is, up to chance, what that player reaches after the move, and needs no calibration.
All moves share the shuffles (common random numbers), so that the difference of two moves has less variance.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ...rules import Move, View, find_variant
from ...rules.cards import check_whole
from ...rules.tiers import NO_TIER, TIERS
from ...rules.views import state_of
from ..core.intervals import wilson
from ..core.processors import count_processors, gathered
from ..result import Limits
from .chances import Chance, tier_names
from .player import VARIANTS, Player, find_player_kernel, play_game

MOVES = 4  # that are worth a trial
SAMPLES = 100  # shuffles, by default: some 5 seconds of processor time at the opening

PLAYERS = {name: Player(visits=100 if name == "joker" else 50) for name in VARIANTS}
"""The players that finish the games of trials, by the name of the game."""


@dataclass(frozen=True)
class Trial:
    """Results of ``moves``: the tier of the game in each shuffle that was played out, from 0 for none to 3
    for a triple, in the order of the shuffles; ``names`` are those of the tiers."""

    moves: tuple[Move, ...]
    reached: tuple[int, ...]
    names: tuple[str, ...] = TIERS

    @property
    def tiers(self) -> dict[str, Chance]:
        """The share of games that came to each tier or a better one; empty without games.

        The standard error is that of a share with half a game more on either side, so that it is never 0; the
        interval is that of Wilson.
        """
        count = len(self.reached)
        shares = {}
        for least, tier in enumerate(self.names, 1) if count else ():
            reached = sum(index >= least for index in self.reached)
            held = (reached + 0.5) / (count + 1)
            error = sqrt(held * (1 - held) / count)
            shares[tier] = Chance(reached / count, error, *wilson(reached, count))
        return shares

    def behind(self, best: "Trial") -> tuple[float, float] | None:
        """Return the mean number of tiers lost against ``best`` on the same shuffles, and the
        standard error of that; None with fewer than two games."""
        lost = [first - mine for first, mine in zip(best.reached, self.reached, strict=True)]
        if len(lost) < 2:
            return None
        mean = sum(lost) / len(lost)
        variance = sum((loss - mean) ** 2 for loss in lost) / (len(lost) - 1)
        return mean, sqrt(variance / len(lost))


class Trials:
    """The trials of ``moves``, lists of moves that can be made in ``view``, in so many ``samples``.

    ``player`` is who goes on, by default that of PLAYERS; its seed is that of the shuffles, too. What comes
    out does not depend on the number of ``workers``, which are threads, one a processor by default. `run`
    does it, `stop` ends it. Raises ValueError for wrong samples, and where no engine was compiled.
    """

    def __init__(
        self,
        view: View,
        moves: Sequence[Sequence[Move]],
        samples: int = SAMPLES,
        player: Player | None = None,
        workers: int | None = None,
    ) -> None:
        self.view = view
        self.moves = [tuple(each) for each in moves]
        self.samples = check_whole("samples", samples, range(1, 10**9 + 1), "from 1 to 10^9")
        self.is_stopped = False
        self.played: dict[int, list[int]] = {}
        self.player = player or PLAYERS[view.variant]
        count = min(workers or count_processors(), self.samples)
        kernel = find_player_kernel(view.variant)
        self.kernels = [kernel(Limits(), self.player) for _ in range(count)]
        self.dealer = kernel(Limits(), self.player)
        self.dealer.begin_deal()
        self.shuffles = enumerate(self.dealer.sample(view) for _ in range(self.samples))
        self.lock = threading.Lock()

    def stop(self) -> None:
        """End it soon: `run` and `results` keep the shuffles that are finished. Safe in a signal handler."""
        self.is_stopped = True
        for kernel in self.kernels:
            kernel.stop()

    def run(self) -> Iterator[int]:
        """Play, and yield the number of shuffles that are finished, each time it grows."""
        for number, reached in gathered([self._work(kernel) for kernel in self.kernels], self.stop):
            self.played[number] = reached
            yield len(self.played)

    def _work(self, kernel: Any) -> Iterator[tuple[int, list[int]]]:
        """Play shuffles with ``kernel`` as long as there are any."""
        with suppress(KeyboardInterrupt):
            while (shuffle := self._next_shuffle()) is not None:
                number, order = shuffle
                yield number, [self._tier(kernel, order, moves) for moves in self.moves]

    def _next_shuffle(self) -> tuple[int, list[int]] | None:
        """A shuffle with its number; None when all are handed out."""
        with self.lock:
            return next(self.shuffles, None)

    def _tier(self, kernel: Any, order: list[int], moves: tuple[Move, ...]) -> int:
        """Count the tiers of the game played after ``moves`` with the unseen cards in ``order``.
        Raises KeyboardInterrupt if the trials were ended."""
        if self.is_stopped:
            raise KeyboardInterrupt
        state = state_of(self.view, order)
        for move in moves:
            state = find_variant(state.variant).family.apply(state, move)
        return (NO_TIER, *TIERS).index(play_game(state, kernel).tier)

    def results(self) -> list[Trial]:
        """The trials, of what is finished: the one first whose games come to the most tiers."""
        rows = [self.played[number] for number in sorted(self.played)]
        names = tier_names(self.view.variant)
        trials = [Trial(moves, tuple(row[i] for row in rows), names) for i, moves in enumerate(self.moves)]
        return sorted(trials, key=lambda trial: -sum(trial.reached))
