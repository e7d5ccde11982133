"""Trials of the best moves of a position: each is played to the end on the same shuffles of the unseen cards.

A sample of a search is continued by the rule player; a trial is continued by a player that searches again at
each decision. Its result is, up to chance, what that player reaches after the move, and needs no calibration.
All moves share the shuffles (common random numbers), so that the difference of two moves has less variance.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Any

from ...rules import Move, State, find_variant
from ...rules.cards import check_whole
from ...rules.tables import filled
from ...rules.tiers import NO_TIER, TIERS
from ..core.intervals import wilson
from ..core.processors import count_processors, gathered
from ..progress import Watch
from ..result import Limits
from .chances import Chance, tier_names
from .player import VARIANTS, Player, find_player_kernel, play_game, table_after

MOVES = 4  # number of moves worth a trial
SAMPLES = 100  # default number of shuffles: some 5 seconds of processor time at the opening

PLAYERS = {name: Player(visits=100 if name == "joker" else 50) for name in VARIANTS}
"""The players that finish the games of trials, by the name of the game."""


@dataclass(frozen=True)
class Trial:
    """Results of ``moves``: ``reached`` has the tier of each game, from 0 for none to 3 for a triple, in the
    order of the shuffles played; ``names`` are the names of the tiers."""

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
        """Return the mean number of tiers lost against ``best`` on the same shuffles, and its standard error;
        None with fewer than two games."""
        lost = [first - mine for first, mine in zip(best.reached, self.reached, strict=True)]
        if len(lost) < 2:
            return None
        mean = sum(lost) / len(lost)
        variance = sum((loss - mean) ** 2 for loss in lost) / (len(lost) - 1)
        return mean, sqrt(variance / len(lost))


class Trials:
    """Trials of ``moves``, lists of moves that can be made in ``table``, on ``samples`` shuffles of its
    unknown cards.

    ``player`` plays on after the moves, by default the one in PLAYERS; its seed also determines the shuffles.
    The results do not depend on the number of ``workers``, which are threads, by default one a processor.
    `run` plays the games, `stop` ends them. Raises ValueError for an invalid number of samples, and if no
    engine is compiled.
    """

    def __init__(
        self,
        table: State,
        moves: Sequence[Sequence[Move]],
        samples: int = SAMPLES,
        player: Player | None = None,
        workers: int | None = None,
    ) -> None:
        self.table = table
        self.moves = [tuple(each) for each in moves]
        self.samples = check_whole("samples", samples, range(1, 10**9 + 1), "from 1 to 10^9")
        self.is_stopped = False
        self.played: dict[int, list[int]] = {}
        self.player = player or PLAYERS[table.variant]
        count = min(workers or count_processors(), self.samples)
        kernel = find_player_kernel(table.variant, table.choices)
        self.kernels = [kernel(Limits(), self.player) for _ in range(count)]
        self.dealer = kernel(Limits(), self.player)
        self.dealer.begin_deal()
        self.shuffles = enumerate(self.dealer.sample(table) for _ in range(self.samples))
        self.lock = threading.Lock()

    def stop(self) -> None:
        """Stop soon; `run` and `results` keep the finished shuffles. Safe in a signal handler."""
        self.is_stopped = True
        for kernel in self.kernels:
            kernel.stop()

    def play(self, watch: Watch | None = None) -> list[Trial]:
        """Play the games in this thread, and return the trials in the order of the moves. Raises
        KeyboardInterrupt if ``watch`` was stopped, or at Ctrl-C."""
        kernel = self.kernels[0]
        if watch is not None:
            watch.begin(kernel)
        for number, order in self.shuffles:
            self.played[number] = [self._tier(kernel, order, moves) for moves in self.moves]
        return self._in_order()

    def run(self) -> Iterator[int]:
        """Play the games, and yield the number of finished shuffles each time it grows."""
        for number, reached in gathered([self._work(kernel) for kernel in self.kernels], self.stop):
            self.played[number] = reached
            yield len(self.played)

    def _work(self, kernel: Any) -> Iterator[tuple[int, list[int]]]:
        """Play shuffles with ``kernel`` as long as there are any; yield the number of each and the tiers
        reached after each of the moves."""
        with suppress(KeyboardInterrupt):
            while (shuffle := self._next_shuffle()) is not None:
                number, order = shuffle
                yield number, [self._tier(kernel, order, moves) for moves in self.moves]

    def _next_shuffle(self) -> tuple[int, list[int]] | None:
        """Return the number and the cards of the next shuffle; None when all have been taken."""
        with self.lock:
            return next(self.shuffles, None)

    def _tier(self, kernel: Any, order: list[int], moves: tuple[Move, ...]) -> int:
        """Play a game after ``moves`` with the unseen cards in ``order``, and return its tier as a number
        from 0 for none. Raises KeyboardInterrupt if the trials were stopped."""
        if self.is_stopped:
            raise KeyboardInterrupt
        state = filled(self.table, order)
        table = table_after(self.table, state, moves)
        for move in moves:
            state = find_variant(state.variant).family.apply(state, move)
        return (NO_TIER, *TIERS).index(play_game(state, kernel, table=table).tier)

    def results(self) -> list[Trial]:
        """The results of the finished shuffles for each list of moves, the one with the highest sum of tiers
        first."""
        return sorted(self._in_order(), key=lambda trial: -sum(trial.reached))

    def _in_order(self) -> list[Trial]:
        rows = [self.played[number] for number in sorted(self.played)]
        names = tier_names(self.table.variant)
        return [Trial(moves, tuple(row[i] for row in rows), names) for i, moves in enumerate(self.moves)]
