"""Players of Joker and Klondike without sight of the hidden cards: decisions, games and expectations.

A player is given a `View` of `rules`, which lacks the cards that a person does not see. There are two
kinds: the rule player takes the best move by fixed scores, in microseconds; the search player runs a tree
search over samples of the unseen cards, evaluated by a value network, or by play-outs of the rule player
where the game has no network. Each plays a seed the same way, unless seconds end a search.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Thread
from typing import Any

from ...rules import VARIANTS as ALL
from ...rules import Move, State, Variant, View, find_variant
from ...rules.board import Position
from ...rules.cards import check_whole, shown
from ...rules.deals import check_seed
from ...rules.tiers import NO_TIER, TIERS
from ...rules.views import check_hides, state_of, view_of
from .. import diagnostics
from ..progress import Watch
from ..result import Limits, check_number
from .chances import Chance, chances_of_tiers

KINDS = ("rule", "search")
VISITS = 2500
_KERNELS = {
    "joker": ("player.joker_kernel", "JokerPlayerKernel"),
    "klondike": ("player.klondike_kernel", "KlondikePlayerKernel"),
}
"""Module and name of the player's kernel, by families."""

VARIANTS = tuple(name for name, variant in ALL.items() if variant.rules in _KERNELS)


@dataclass(frozen=True)
class Player:
    """Kind of player: ``rule``, or ``search`` with a budget for each decision.

    ``visits`` are samples, counting those that earlier decisions left; ``seconds`` are processor time, so
    that a busy machine plays no worse; None for no limit, but one of them is required. ``seed``, 0 to 2^64 -
    1, seeds the player's random numbers, which start afresh with each game. The rule player has no budget and
    no chance. Raises ValueError for anything else.
    """

    kind: str = "search"
    visits: int | None = None
    seconds: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"player: expected rule or search, got {shown(self.kind)}")
        if self.kind == "rule" and (self.visits is not None or self.seconds is not None):
            given = "visits" if self.visits is not None else "seconds"
            raise ValueError(f"{given}: expected none for the rule player, got {getattr(self, given)}")
        if self.kind != "rule" and self.visits is None and self.seconds is None:
            object.__setattr__(self, "visits", VISITS)
        if self.visits is not None:
            among = range(1, 10**9 + 1)
            object.__setattr__(self, "visits", check_whole("visits", self.visits, among, "from 1 to 10^9"))
        if self.seconds is not None and not 0 < check_number("seconds", self.seconds) <= 10**9:
            raise ValueError(f"seconds: expected a number above 0, got {shown(self.seconds)}")
        object.__setattr__(self, "seed", check_seed(self.seed))

    @property
    def name(self) -> str:
        """Kind and budget in words: ``rule``, or ``search, 2500 visits``."""
        parts = [self.kind]
        parts += [] if self.visits is None else [f"{self.visits} visits"]
        parts += [] if self.seconds is None else [f"{self.seconds:g} seconds"]
        parts += [f"seed {self.seed}"] if self.seed else []
        return ", ".join(parts)


@dataclass(frozen=True)
class Advice:
    """Moves that belong together, and what to expect of them.

    ``visits`` are the samples that began with these moves, ``reached`` how many of them came to each tier at
    least, or are expected to by a network; see `chances.tier_names`. ``tiers`` has the
    chance of each tier or a better one; it is empty without visits. ``reason`` says in words why the search
    player weighed nothing and makes these moves at once; else it is None.
    """

    moves: tuple[Move, ...]
    visits: int = 0
    reached: tuple[int, ...] = ()
    tiers: dict[str, Chance] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class Decision:
    """Decision of the player in ``state``: ``moves``, and the ``advice`` it weighed, the best first; the
    latter is empty where it did not search."""

    state: State
    moves: tuple[Move, ...]
    advice: tuple[Advice, ...] = ()


class Outcome(StrEnum):
    """End of a game. Won: at least the lowest tier was reached. Unfinished: a limit broke it off before
    that. None of them tells what can be done with the deal."""

    LOST = "lost"
    WON = "won"
    UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Game:
    """A game that a player played: what it reached, and nothing about what can be reached.

    ``moves`` are those it made, ``score`` the places of the foundations that they filled, and ``tier`` what
    that comes to; of a game without tiers it is the win, or none. ``decisions``
    and ``samples`` count what it decided and the samples it drew for that. ``reason`` names the limit that
    broke the game off: nodes, seconds or memory; None if it was played to its end.
    """

    verdict: Outcome
    moves: tuple[Move, ...]
    score: int
    tier: str
    decisions: int
    samples: int
    reason: str | None = None


class ThoughtInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a search, which had found this ``advice`` by then."""

    def __init__(self, advice: list[Advice]) -> None:
        super().__init__()
        self.advice = advice


def find_player_kernel(game: str | Variant = "joker") -> Any:
    """The compiled kernel of the player of a game. Raises ValueError if there is none."""
    variant = find_variant(game)
    if variant.rules not in _KERNELS:
        raise ValueError(f"there is no player for {variant.name}")
    kernel = diagnostics.load(*_KERNELS[variant.rules])
    if kernel is None:
        raise ValueError(diagnostics.refusal("a player"))
    return kernel


def advise(
    position: Position | View, player: Player | None = None, watch: Watch | None = None, workers: int = 1
) -> list[Advice]:
    """The moves of ``position``, ranked, the one to choose first; of a state only the view is used.

    The search player, which it is by default, gives each move its chances; the rule player has none. Empty
    where nothing is left to do. ``watch`` lets another thread see how far it is. ``workers`` are threads that
    think side by side, each as long as ``player`` says; what they found is added. Raises ValueError for a
    position that no play leads to (see `view_of`), and where no engine was compiled; ThoughtInterrupted when
    Ctrl-C ends the search.
    """
    view = position if isinstance(position, View) else view_of(position)
    player = player or Player()
    kernel = find_player_kernel(view.variant)(Limits(), player)
    if player.kind == "rule":
        choices = sorted(kernel.choices(view), key=lambda choice: -choice[1])
        return [Advice(_with_cards(view, moves)) for moves, _ in choices]
    team = _Team(kernel, player, workers, watch)
    team.choose(view)
    if kernel.ended_by == "interrupted":
        raise ThoughtInterrupted(team.ranked(view))
    return team.ranked(view)


class _Team:
    """Kernels that think about the same position, each in a thread: ``kernel``, which the watch sees, in that
    of the caller, and others with other seeds."""

    def __init__(self, kernel: Any, player: Player, workers: int, watch: Watch | None) -> None:
        self.kernel = kernel
        seeds = ((player.seed + number) % (1 << 64) for number in range(1, workers))
        self.others = [type(kernel)(Limits(), replace(player, seed=seed)) for seed in seeds]
        if watch is not None:
            watch.begin(kernel)
        for each in (kernel, *self.others):
            each.begin_deal()

    def choose(self, view: View) -> None:
        """Search ``view``, or continue, until all kernels are done."""
        threads = []
        try:
            for other in self.others:
                thread = Thread(target=other.choose, args=(view, True))
                thread.start()
                threads.append(thread)
            self.kernel.choose(view, True)
        finally:
            if self.kernel.was_stopped or len(threads) < len(self.others):  # one could not be started
                for other in self.others:
                    other.stop()
            for thread in threads:
                thread.join()

    def ranked(self, view: View) -> list[Advice]:
        """Rank the moves by all kernels together, the best first."""
        return _ranked(view, self.kernel, self.others)


def think(view: View, player: Player, watch: Watch | None = None, workers: int = 1) -> Iterator[list[Advice]]:
    """The moves of ``view``, ranked as by `advise`, again and again as the search player
    comes to know them better: each time after another budget of ``player``.

    It ends when more samples would change nothing, and when ``watch`` or Ctrl-C stops it. Raises ValueError
    for the rule player, who does not think, and where no engine was compiled.
    """
    if player.kind == "rule":
        raise ValueError("expected a search player, got the rule player")
    kernel = find_player_kernel(view.variant)(Limits(), player)
    return _thoughts(view, _Team(kernel, player, workers, watch))


def _thoughts(view: View, team: _Team) -> Iterator[list[Advice]]:
    """The advice of ``team`` after each budget, as long as it draws more samples."""
    samples = -1
    while samples < team.kernel.iterations and team.kernel.ended_by is None:
        samples = team.kernel.iterations
        team.choose(view)
        yield team.ranked(view)


def _ranked(view: View, kernel: Any, others: Sequence[Any] = ()) -> list[Advice]:
    """Rank the moves of ``view`` by the last search of ``kernel`` and ``others``, the best first."""
    ranked = []
    for moves, visits, reached in kernel.ranked(others):
        named = _with_cards(view, moves)
        if visits:
            ranked.append(Advice(named, visits, reached, chances_of_tiers(view, reached, visits)))
        else:
            ranked.append(Advice(named, reason=kernel.forced))
    return ranked


def _with_cards(view: View, moves: list[Move]) -> tuple[Move, ...]:
    """``moves`` with the cards that they move, where those are seen."""
    unseen = view.unseen()
    named, _ = _played(state_of(view), moves)
    return tuple(move if name.card in unseen else name for move, name in zip(moves, named, strict=True))


def decisions(state: Position, player: Player | None = None) -> Iterator[Decision]:
    """Play on from ``state``, yielding each decision, to the end of the game.

    The moves are made by `rules`, and the player is shown nothing but the view of each state. Raises
    ValueError as `advise` does.
    """
    check_hides(state)
    find_variant(state.variant).check(state)
    kernel = find_player_kernel(state.variant)(Limits(), player or Player())
    kernel.begin_deal()
    start: Any = state
    return _decisions(start, kernel)


def _decisions(state: State, kernel: Any) -> Iterator[Decision]:
    """The decisions of a game that ``kernel`` has begun. Raises KeyboardInterrupt if Ctrl-C ended it."""
    while moves := tuple(kernel.choose(view := view_of(state))):
        named, after = _played(state, moves)
        yield Decision(state, named, tuple(_ranked(view, kernel)))
        state = after
    _check_was_not_interrupted(kernel)


def _played(state: State, moves: Iterable[Move]) -> tuple[tuple[Move, ...], State]:
    """``moves`` with their cards, and the state after them."""
    family = find_variant(state.variant).family
    named = []
    for move in moves:
        after = family.apply(state, move)
        named.append(family.with_card(state, move))
        state = after
    return tuple(named), state


def _check_was_not_interrupted(kernel: Any) -> None:
    """Raise KeyboardInterrupt if Ctrl-C ended the game of ``kernel``."""
    if kernel.ended_by == "interrupted":
        raise KeyboardInterrupt


def play_game(state: State, kernel: Any, watch: Watch | None = None) -> Game:
    """The whole game that ``kernel`` plays from ``state``. Raises KeyboardInterrupt if Ctrl-C ended it."""
    if watch is not None:
        watch.begin(kernel)
    kernel.begin_deal()
    moves: list[Move] = []
    made = 0
    while chosen := kernel.choose(view_of(state)):
        named, state = _played(state, chosen)
        moves += named
        made += 1
    _check_was_not_interrupted(kernel)
    variant, reason = find_variant(state.variant), kernel.ended_by
    score, tier = places_filled(variant, state), tier_reached(variant, state)
    verdict = Outcome.WON if tier != NO_TIER else Outcome.UNFINISHED if reason else Outcome.LOST
    return Game(verdict, tuple(moves), score, tier, made, kernel.iterations, reason)


def places_filled(variant: Variant, state: State) -> int:
    """Count the places of the foundations that are filled in ``state``."""
    if variant.scoring:
        return variant.score(state)
    return sum(map(len, variant.family.foundations_of(state)))


def tier_reached(variant: Variant, state: State) -> str:
    """The tier that ``state`` has come to; of a game without scores the win, or none."""
    score = variant.score(state)
    if variant.scoring:
        return variant.scoring.tier_of(score, state.deck.places)
    return TIERS[0] if score else NO_TIER
