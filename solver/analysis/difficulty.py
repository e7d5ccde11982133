"""Difficulty of a deal, measured by a number: its ease.

Where all cards are open, ease measures how long random play keeps the win. A careless player makes legal
moves at random, and takes the last one back only where there is no other. Sooner or later one of them loses
the win. The ease of a deal is the mean number of careless moves before that, over `WALKS` walks of at most
`STEPS` moves. The searches of this package find the fatal move of a walk by bisection, since what is lost
stays lost; a position that they cannot decide within `LIMITS` is taken as not lost.

In Joker Solitaire and the Klondike games, which have hidden cards, ease is the mean number of foundation
places that the search player of `VISITS` visits fills over `GAMES` games, each with other chance.

Thirds of the winnable deals are called easy, medium and hard. docs/difficulty.md has the figures.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ...rules import Variant, find_variant
from ...rules.board import Board, BoardError, Slot
from ...rules.deals import SplitMix64
from ...rules.formats.text import Deal
from ...rules.views import check_hides
from .. import diagnostics
from ..engine import find_kernel, solve
from ..player.player import VARIANTS, Player, find_player_kernel, play_game
from ..progress import Watch
from ..result import Limits, Result, Verdict

WALKS = 8
STEPS = 60
LIMITS = Limits(nodes=5_000, megabytes=200)
GAMES = 8
VISITS = 100

LEVELS = ("easy", "medium", "hard")
PLAYED = VARIANTS
"""The variants that are measured by games of the player."""

THRESHOLDS = {
    "chessboard": (0.875, 2.25),
    "fortress": (2.0, 3.875),
    "simon-jester": (21.625, 35.625),
    "simon-jester-triangular": (28.5, 44.75),
    "simple-simon": (13.125, 26.5),
    "joker": (13.0, 37.375),
    "klondike-one-pass": (8.0, 13.625),
    "klondike": (17.125, 41.375),
    "klondike-draw-one": (35.0, 52.0),
    "klondike-vegas": (5.0, 11.5),
    "klondike-vegas-one": (9.0, 16.0),
}
"""For each variant the ease below which a deal is hard, and from which it is easy: the thirds of the
first 1,000 deals that can be won, as `benchmarks/calibrate_difficulty.py` prints them."""


@dataclass(frozen=True)
class Difficulty:
    """The answer for a deal and, if it can be won, its ease and level; they are None if it cannot, if that is
    undecided, or if Ctrl-C came before they were measured; then the reason of ``result`` is ``interrupted``.
    A deal of its game is hard with an ease below ``hard_below`` and easy from ``easy_from`` on."""

    result: Result
    ease: float | None = None
    level: str | None = None
    hard_below: float | None = None
    easy_from: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The public JSON of the difficulty."""
        return {
            "verdict": self.result.verdict.value,
            "difficulty": self.level,
            "ease": self.ease,
            "hard_below": self.hard_below,
            "easy_from": self.easy_from,
            "reason": self.result.reason,
        }


def difficulty(
    variant: Variant | str, state: Any, limits: Limits | None = None, watch: Watch | None = None
) -> Difficulty:
    """The difficulty of the deal ``state``; ``limits`` hold for deciding it, and ``watch`` reports
    progress to another thread.

    Raises ValueError if there is no compiled engine for ``variant``, and for what is no deal: see
    `check_is_deal`.
    """
    variant = find_variant(variant)
    judge = judge_of(variant, watch)
    check_is_deal(variant, state)
    found = Difficulty(
        solve(variant, state, limits, shorten=0, watch=watch), None, None, *THRESHOLDS[variant.name]
    )
    if found.result.verdict is not Verdict.WINNABLE or found.result.reason == "interrupted":
        return found
    try:
        ease = judge.ease(state)
    except KeyboardInterrupt:
        return replace(found, result=replace(found.result, reason="interrupted"))
    return replace(found, ease=ease, level=level_of(variant, ease))


def check_is_deal(variant: Variant, state: Any) -> None:
    """Raise ValueError unless the levels are those of deals like ``state``: of the full deck, not played in,
    and in games of hidden cards by the usual rules."""
    variant.check(state)
    if not state.deck.is_full:
        raise ValueError("difficulty: expected a full deck, got a short one")
    if not is_deal(variant, state):
        raise ValueError("difficulty: expected a deal, got a position in mid-game")
    if variant.name in PLAYED and variant.hiding is not None:
        variant.hiding.view_of(state)
    for name, value in variant.choices_of(state).items():
        raise ValueError(f"{name} {value}: difficulty is defined for the default rules only")


def is_deal(variant: Variant, state: Any) -> bool:
    """Test if ``state`` is laid out as a deal, its columns in any order."""
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
    """Those of ``deals``, which can be won, that are easy, medium or hard, each as soon as it is known;
    ``others`` counts the levels of the rest, and ``watch`` lets another thread see how far it is.

    Raises ValueError if there is no compiled engine for ``variant``, and for what is no deal: see
    `check_is_deal`.
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
    """The level of a deal of ``variant``, hard, medium or easy."""
    hard, easy = THRESHOLDS[variant.name]
    return "hard" if ease < hard else "easy" if ease >= easy else "medium"


def judge_of(variant: Variant, watch: Watch | None = None) -> "Judge":
    """The judge for deals of ``variant``. Raises ValueError if there is no compiled engine for it."""
    return PlayedJudge(variant, watch) if variant.name in PLAYED else CarelessJudge(variant, watch)


class Judge(Protocol):
    """Measures deals of one variant."""

    def ease(self, state: Any) -> float:
        """The ease of ``state``: more is easier. Deterministic."""


class PlayedJudge:
    """Measures deals by games of a player who does not see the hidden cards.

    Raises ValueError if no engine was compiled.
    """

    def __init__(self, variant: Variant, watch: Watch | None = None) -> None:
        kernel = find_player_kernel(variant)
        self.watch = watch
        self.kernels = [kernel(Limits(), Player(visits=VISITS, seed=seed)) for seed in range(GAMES)]

    def ease(self, state: Any) -> float:
        """The mean of the places that the games fill. Raises ValueError for what `view_of` refuses."""
        check_hides(state)
        return sum(play_game(state, kernel, self.watch).score for kernel in self.kernels) / GAMES


class CarelessJudge:
    """Measures deals by careless walks. Raises ValueError if there is no compiled engine for the game."""

    def __init__(self, variant: Variant, watch: Watch | None = None) -> None:
        kernel = find_kernel(variant)
        if kernel is None:
            raise ValueError(diagnostics.refusal("the difficulty", variant.name))
        self.variant = variant
        self.kernel = kernel(LIMITS)
        self.watch = watch

    def ease(self, state: Any) -> float:
        """The mean number of careless moves from ``state``, which can be won, before the win is lost, 0 to
        `STEPS`. Ctrl-C raises KeyboardInterrupt. Raises ValueError for a state of another game."""
        self.variant.check(state)
        chance = SplitMix64(0)
        if self.watch is not None:
            self.watch.begin(self.kernel)
        return sum(self._survived(self._walk(state, chance)) for _ in range(WALKS)) / WALKS

    def _is_kept(self, state: Any) -> bool:
        """Test if ``state`` can be won; an undecided one counts as winnable."""
        answer = self.kernel.solve(state)
        if self.kernel.was_stopped:
            raise KeyboardInterrupt
        return answer.won is not False

    def _walk(self, state: Any, chance: SplitMix64) -> list[Any]:
        """The states of a walk, from ``state`` on; shorter than `STEPS` moves if it ends without any."""
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
        """The number of moves of the walk that keep the win; `STEPS` if all do."""
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
