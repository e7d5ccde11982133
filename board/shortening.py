"""Incremental shortening of one line, or of several lines in turn."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..rules import Variant
from ..solver import Limits, Result, Verdict
from ..solver.engine import find_kernel, optimize, prove_optimal
from ..solver.progress import Watch


class Shortening:
    """The best line known from ``state``, and the searches that shorten it.

    ``result`` has a line. In a scored game whose full score is out of reach, the line to the score is not
    shortened unless the engine can do that; ``to_tier`` is a line that reaches only the tier. ``tell`` is
    called with each improvement and whether it is a line to the tier.
    """

    def __init__(
        self,
        variant: Variant,
        state: Any,
        result: Result,
        to_tier: Result | None,
        tell: Callable[[Result, bool], None],
    ) -> None:
        self.variant = variant
        self.state = state
        self.result = result
        self.is_whole = variant.scoring is None or result.score == state.deck.places
        self.to_tier = None if self.is_whole else to_tier or result
        self._tell = tell
        self._kernel = find_kernel(variant, state.choices)
        if result.verdict is not Verdict.WINNABLE or not result.moves:
            self._kernel = None

    @property
    def is_done(self) -> bool:
        """True if no improvement is possible."""
        return self._kernel is None or (self.to_tier or self.result).shortest

    def learn(self, result: Result | None) -> None:
        """Use the line of ``result``, found elsewhere, if it is shorter."""
        if result is not None and result.moves and len(result.moves) < len(self.result.moves or ()):
            self.result = result

    def shorten(self, work: int, limits: Limits, watch: Watch) -> None:
        """Shorten the line for ``work`` units, within the megabytes and seconds of ``limits``."""
        if self.is_done or self._kernel is None or not self._kernel.OPTIMIZES:
            return
        line = replace(self.result, seconds=0.0)
        found = optimize(self.variant, self.state, line, work, limits, watch)
        if len(found.moves or ()) < len(self.result.moves or ()) and not watch.was_stopped:
            self.result = found
            self._tell(found, False)

    def prove(self, limits: Limits, watch: Watch) -> None:
        """Search for a shortest line within ``limits``."""
        if self.is_done or self._kernel is None:
            return

        def note(better: Result) -> None:
            if self.is_whole:
                self.result = better
            else:
                self.to_tier = better
            self._tell(better, not self.is_whole)

        line = replace(self.to_tier or self.result, reason=None)
        prove_optimal(self.variant, self.state, line, self._kernel(limits), note, watch)
