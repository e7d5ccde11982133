"""Difficulty of a deal, measured by its ease: a number that is greater for easier deals.

In games with all cards face up, ease is the mean number of moves of a random playout before the deal becomes
unwinnable, over `WALKS` playouts of at most `STEPS` moves. A playout takes a legal move at random, one that
undoes the last move only if there is no other. The first losing move is found by bisection, since a lost
position stays lost. A position that a search cannot decide within `LIMITS` counts as winnable.

In Joker Solitaire and the Klondike games, which have hidden cards, ease is the mean number of cards that a
player with `VISITS` simulations puts on the foundations, over `GAMES` games with different random seeds.

The terciles of winnable deals are called hard, medium and easy. docs/difficulty.md has the figures.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from ...rules import State, Variant, find_variant, of_state
from ...rules.board import Board, BoardError, Slot
from ...rules.deals import SplitMix64
from ...rules.formats.text import Deal
from ...rules.tables import check_possible
from ..engine import find_kernel, lack_of_kernel
from ..player.player import VARIANTS, Player, find_player_kernel, play_game
from ..progress import Watch
from ..result import Limits, Result, Verdict
from ..solving import solve

if TYPE_CHECKING:
    from ...rules import answers

WALKS = 8
STEPS = 60
LIMITS = Limits(nodes=5_000, megabytes=200)
GAMES = 8
VISITS = 100

LEVELS = ("easy", "medium", "hard")
PLAYED = VARIANTS
"""The variants whose ease is measured by games of the player."""


@dataclass(frozen=True, repr=False)
class Difficulty:
    """The search result of a deal and, if it is winnable, its ease and level.

    Ease and level are None if the deal is unwinnable or undecided, or if Ctrl-C came before they were
    measured; the reason of ``result`` is then ``interrupted``. Deals of the game are hard with an ease below
    ``hard_below`` and easy from ``easy_from`` on.
    """

    result: Result
    hard_below: float
    easy_from: float
    ease: float | None = None
    level: str | None = None

    def __str__(self) -> str:
        if self.ease is None:
            return f"not rated: {self.result}"
        levels = f"hard below {self.hard_below}, easy from {self.easy_from}"
        return f"{self.level}, ease {self.ease:g} ({levels})"

    def __repr__(self) -> str:
        return f"<{self}>"

    def to_dict(self) -> "answers.Level":
        """The difficulty as a public JSON object."""
        return {
            "verdict": self.result.verdict.value,
            "difficulty": self.level,
            "ease": self.ease,
            "hard_below": self.hard_below,
            "easy_from": self.easy_from,
            "reason": self.result.reason,
        }


@of_state
def difficulty(
    variant: Variant | str, state: State, limits: Limits | None = None, watch: Watch | None = None
) -> Difficulty:
    """The difficulty of the deal ``state`` of ``variant``, which may be left out. ``limits`` apply to the
    search that decides it; ``watch`` reports progress to another thread.

    Raises ValueError if ``variant`` has no compiled engine, and for a state that is not a deal, see
    `check_is_deal`.
    """
    variant = find_variant(variant)
    judge = judge_of(variant, watch)
    check_is_deal(variant, state)
    found = Difficulty(solve(variant, state, limits, shorten=0, watch=watch), *_levels(variant))
    if found.result.verdict is not Verdict.WINNABLE or found.result.reason == "interrupted":
        return found
    try:
        ease = judge.ease(state)
    except KeyboardInterrupt:
        return replace(found, result=replace(found.result, reason="interrupted"))
    return replace(found, ease=ease, level=level_of(variant, ease))


def check_is_deal(variant: Variant, state: Any) -> None:
    """Raise ValueError unless ``state`` is a deal of the full deck, before any move, with the default rule
    options: levels are defined for such deals only."""
    variant.check(state)
    if not state.deck.is_full:
        raise ValueError("difficulty: expected a full deck, got a short one")
    if not is_deal(variant, state):
        raise ValueError("difficulty: expected a deal, got a position in mid-game")
    if variant.name in PLAYED:
        check_possible(state)
    for name, value in variant.choices_of(state).items():
        raise ValueError(f"{name} {value}: difficulty is defined for the default rules only")


def is_deal(variant: Variant, state: Any) -> bool:
    """Test if ``state`` is a deal before any move, with its columns in any order."""
    board = variant.family.to_board(state)
    columns = tuple(tuple(Slot(slot.card) for slot in column) for column in board.columns)
    if sorted(map(len, columns)) != sorted(variant.layout(state.deck)):
        return False
    try:
        dealt = variant.from_board(Board(state.deck, columns, board.stock), variant.choices_of(state))
    except BoardError:  # cards lie elsewhere
        return False
    return bool(dealt == state)


def of_level(
    variant: Variant,
    deals: Iterable[Deal],
    level: str,
    others: Counter[str] | None = None,
    watch: Watch | None = None,
) -> Iterator[Deal]:
    """Yield those of ``deals``, which must be winnable, that have ``level``, each as soon as it is measured.

    ``others`` counts the levels of the other deals; ``watch`` reports progress to another thread. Raises
    ValueError if ``variant`` has no compiled engine, and for a state that is not a deal, see `check_is_deal`.
    """
    judge = judge_of(variant, watch)
    for deal in deals:
        check_is_deal(variant, deal.state)
        found = level_of(variant, judge.ease(deal.state))
        if found == level:
            yield deal
        elif others is not None:
            others[found] += 1


def level_of(variant: Variant, ease: float) -> str:
    """The level of a deal of ``variant`` with this ``ease``: hard, medium or easy."""
    hard, easy = _levels(variant)
    return "hard" if ease < hard else "easy" if ease >= easy else "medium"


def _levels(variant: Variant) -> tuple[float, float]:
    """The ease below which deals of ``variant`` are hard, and that from which they are easy. Raises
    ValueError if its deals have no levels."""
    if variant.levels is None:
        raise ValueError(f"there are no levels of difficulty for {variant.name}")
    return variant.levels


def judge_of(variant: Variant, watch: Watch | None = None) -> "Judge":
    """The judge for deals of ``variant``. Raises ValueError if it has no levels or no compiled engine."""
    _levels(variant)
    return PlayedJudge(variant, watch) if variant.name in PLAYED else CarelessJudge(variant, watch)


class Judge(Protocol):
    """Interface of an object that measures the ease of deals of one variant."""

    def ease(self, state: Any) -> float:
        """The ease of ``state``, a deterministic number that is greater for easier deals."""


class PlayedJudge:
    """Measures ease by games of a player who does not see the hidden cards. Raises ValueError if the engine
    is not compiled."""

    def __init__(self, variant: Variant, watch: Watch | None = None) -> None:
        kernel = find_player_kernel(variant)
        self.watch = watch
        self.kernels = [kernel(Limits(), Player(visits=VISITS, seed=seed)) for seed in range(GAMES)]

    def ease(self, state: Any) -> float:
        """The mean number of cards on the foundations over the games. Raises ValueError for a state that
        `tables.hidden` refuses."""
        return sum(play_game(state, kernel, self.watch).score for kernel in self.kernels) / GAMES


class CarelessJudge:
    """Measures ease by random playouts. Raises ValueError if the engine is not compiled."""

    def __init__(self, variant: Variant, watch: Watch | None = None) -> None:
        kernel = find_kernel(variant)
        if kernel is None:
            raise ValueError(lack_of_kernel("the difficulty", variant))
        self.variant = variant
        self.kernel = kernel(LIMITS)
        self.watch = watch

    def ease(self, state: Any) -> float:
        """The mean number of moves of a random playout from ``state``, which must be winnable, before it is
        lost: 0 to `STEPS`. Raises KeyboardInterrupt by Ctrl-C, ValueError for a state of another game."""
        self.variant.check(state)
        chance = SplitMix64(0)
        if self.watch is not None:
            self.watch.begin(self.kernel)
        return sum(self._survived(self._walk(state, chance)) for _ in range(WALKS)) / WALKS

    def _is_kept(self, state: Any) -> bool:
        """Test if ``state`` is winnable or undecided."""
        answer = self.kernel.solve(state)
        if self.kernel.was_stopped:
            raise KeyboardInterrupt
        return answer.won is not False

    def _walk(self, state: Any, chance: SplitMix64) -> list[Any]:
        """The states of a random playout from ``state`` on: `STEPS` moves, or fewer if no legal move is
        left."""
        family = self.variant.family
        states = [state]
        before = None
        while len(states) <= STEPS and (moves := family.legal_moves(states[-1])):
            here = states[-1]
            after = None
            while moves and (after is None or family.canonical(after) == before):
                after = family.apply(here, moves.pop(chance.below(len(moves))))
            before = family.canonical(here)
            states.append(after)
        return states

    def _survived(self, states: list[Any]) -> int:
        """The number of moves of a playout before the first losing move; `STEPS` if its last state is not
        lost."""
        if self._is_kept(states[-1]):
            return STEPS
        good, bad = 0, len(states) - 1
        while bad - good > 1:
            middle = (good + bad) // 2
            if self._is_kept(states[middle]):
                good = middle
            else:
                bad = middle
        return good
