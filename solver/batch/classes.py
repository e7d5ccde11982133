"""Classes of lost deals: for each the first of some reasons why it cannot be won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from ...rules import State, find_variant
from ...rules.deals import DEALER
from ..analysis.blocking import blocks, is_proved_for
from ..core.record import UNWINNABLE
from ..diagnostics import WrongAnswer
from ..engine import find_kernel, find_score, searches_scores
from ..progress import Watch
from ..result import Limits, Result, Verdict
from .chunk import Piece, PysolDeals
from .rate import ranges_of
from .statistics import estimate
from .store import Store, StoreError, kept
from .threads import StateRun

if TYPE_CHECKING:
    from ...rules import answers

CLASSES = ("no_move", "no_card_up", "blocked", "relaxation", "search")
"""The classes in the order in which they are tried:

- ``no_move``: there is no legal move;
- ``no_card_up``: no line of play puts a card, or one more, on a foundation;
- ``blocked``: cards block each other, see `analysis.blocking`;
- ``relaxation``: a relaxed game is lost, or its bound proves the loss without a search;
- ``search``: all else, which only a complete search proves."""

USUAL = 10_000
"""The usual number of deals of a `LostRun`."""
_FEW = 64  # nodes of the first search for a line that puts a card up, in which most deals have one
_GROWTH = 16  # factor of the nodes of the next one
_LOST = Result(Verdict.UNWINNABLE, engine="compiled")


class LostRun(StateRun[str | None]):
    """A run that finds the class of ``count`` lost deals of a store, spread evenly over them, or of all if
    they are fewer; None for a deal whose class a limit leaves open.

    ``pieces`` are the deals that may be taken. None stands for all of the store, which are dealt again; that
    raises StoreError if they came from a file or another dealer. ``limits`` hold for each search. Raises
    StoreError for games of a player.
    """

    def __init__(
        self,
        store: Store,
        limits: Limits,
        count: int = USUAL,
        pieces: Sequence[Piece] | None = None,
        workers: int | None = None,
    ) -> None:
        self.header, self.limits = store.header, limits
        self.variant = find_variant(self.header.variant)
        if self.header.player is not None:
            raise StoreError(f"{store.name}: expected verdicts, got games of a player")
        ranges = None if pieces is None else ranges_of(pieces)
        tail = f"AND verdict = '{store.verdicts[UNWINNABLE]}' ORDER BY seed"
        (self.lost,) = next(store.select("COUNT(*)", ranges, tail))
        wanted = min(count, self.lost)
        rows = store.select("seed, score, exact", ranges, tail)
        self.scores: dict[int, tuple[int | None, bool]] = {
            seed: (score, bool(exact))
            for at, (seed, score, exact) in enumerate(rows)
            if at * wanted % self.lost < wanted
        }
        if pieces is None:
            pieces = [self._dealt_again(store.name)]
        super().__init__(self._deals(pieces), wanted, self._class_of, workers)

    def _dealt_again(self, name: str) -> Piece:
        """The deals of the store called ``name``. Raises StoreError if they cannot be dealt."""
        if self.header.dealer == DEALER:
            return range(1 << 64)
        if self.header.dealer == "pysol":
            return PysolDeals(self.variant.name, [*self.scores])
        raise StoreError(f"{name}: its deals cannot be dealt again, they are those of {self.header.dealer}")

    def _deals(self, pieces: Sequence[Piece]) -> Iterator[tuple[int, Any]]:
        """Yield the deals among ``pieces`` that are to be classed, each with its number."""
        for piece in pieces:
            if isinstance(piece, range):
                for seed in filter(piece.__contains__, self.scores):
                    yield seed, self.variant.deal(seed, choices=self.header.choices)
            else:
                for part in kept(piece, self.scores.__contains__):
                    yield from cast("Sequence[tuple[int, Any]]", part)

    def _class_of(self, number: int, state: State, watch: Watch) -> str | None:
        """The class of the deal with this number, None if a limit leaves it open. Raises WrongAnswer for a
        deal that can be won."""
        if not self.variant.family.legal_moves(state):
            return "no_move"
        goes_up = self._may_go_up(state, self.scores[number], watch)
        if not goes_up:
            return "no_card_up" if goes_up is False else None
        if blocks(self.variant, state):
            return "blocked"
        kernel = find_kernel(self.variant, state.choices)
        if kernel is None:
            return "search"
        search: Any = kernel(self.limits)
        if self.variant.scoring is not None:
            search.wanted = min(self.variant.tiers()["win"], state.deck.places)
        watch.begin(search)
        won = search.solve(state).won
        if watch.was_stopped:
            raise KeyboardInterrupt
        if won:
            raise WrongAnswer(f"deal {number} of {self.variant.name} can be won, and is stored as lost")
        if won is None:
            return None
        is_relaxed = search.expanded == 0 or search.progress().stage == "relaxation"
        return "relaxation" if is_relaxed else "search"

    def _may_go_up(self, state: State, stored: tuple[int | None, bool], watch: Watch) -> bool | None:
        """False if no line from ``state`` puts a card up, None if a limit leaves that open; True without a
        search where there is none for the game. ``stored`` is the score of the store, if it has one, and
        whether it is proved."""
        (score, is_exact), limits = stored, self.limits
        up = self.variant.score(state) if self.variant.scoring else self.variant.cards_up(state)
        nodes = _FEW
        while score is None:
            if not searches_scores(self.variant, state.choices):
                return True
            few = nodes if limits.nodes is None else min(nodes, limits.nodes)
            found = find_score(self.variant, state, _LOST, replace(limits, nodes=few), watch)
            if watch.was_stopped:
                raise KeyboardInterrupt
            if found.exact or found.reason != "nodes" or few == limits.nodes or (found.score or 0) > up:
                score, is_exact = found.score or 0, bool(found.exact)
            nodes *= _GROWTH
        return True if score > up else False if is_exact else None

    def summary(self) -> answers.LostClasses:
        """The public JSON of the classes: for each that is asked about in the game, the number of deals with
        its rate and the mean of their scores, if the store has them. A deal whose class a limit leaves open
        counts for the upper ends of all."""
        counts = Counter(self.found.values())
        deals, undecided = len(self.found), counts[None]
        answer: dict[str, Any] = {"lost": self.lost, "deals": deals, "undecided": undecided}
        for name in CLASSES:
            if counts[name] or name in self._asked():
                found = estimate(counts[name], counts[name] + undecided, deals)
                answer[name] = {**found, "score": self._mean_score(name)}
        return cast("answers.LostClasses", answer)

    def _asked(self) -> list[str]:
        """The classes that deals of the game, under the rule options of the store, may have."""
        choices = self.variant.agreed(self.header.choices)
        has_kernel = find_kernel(self.variant, choices) is not None
        is_asked = {
            "no_card_up": self.variant.scoring is not None or searches_scores(self.variant, choices),
            "blocked": is_proved_for(self.variant, choices),
            "relaxation": has_kernel,
        }
        return [name for name in CLASSES if is_asked.get(name, True)]

    def _mean_score(self, name: str) -> float | None:
        """The mean of the stored scores of the deals of a class."""
        scores = [self.scores[number][0] for number, its in self.found.items() if its == name]
        known = [score for score in scores if score is not None]
        return round(sum(known) / len(known), 6) if known else None
