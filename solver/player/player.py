"""Players of Joker and Klondike without sight of the hidden cards: decisions, games and expectations.

A player is given a table of `rules.tables`, which lacks the cards that a person does not see. There are two
kinds: the rule player takes the best move by fixed scores, in microseconds; the search player runs a tree
search over samples of the unseen cards, evaluated by a value network, or by play-outs of the rule player
where the game has no network. Each plays a seed the same way, unless seconds end a search.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from threading import Thread
from typing import Any

from ...rules import VARIANTS as ALL
from ...rules import Move, State, Variant, find_variant, has_unknown
from ...rules.board import Position, described
from ...rules.cards import check_whole, shown
from ...rules.choices import Implemented, not_implemented
from ...rules.deals import check_seed
from ...rules.tables import check_hides, filled, hidden, missing_cards, seen, showing
from ...rules.tiers import NO_TIER, TIERS
from .. import diagnostics
from ..progress import Watch
from ..result import Limits, check_number
from .chances import Chance, chances_of_tiers

KINDS = ("rule", "search")
VISITS = 2500

PLAYS_JOKER: dict[str, dict[str, tuple[str, ...]]] = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike-one-pass": {"draw": ("1",), "passes": ("1",), "worrying_back": ("no",), "spaces": ("kings",)},
}
_VALUES = {
    "draw": ("1", "2", "3", "4", "5", "6", "7"),
    "passes": ("unlimited", "1", "2", "3", "4", "5"),
    "worrying_back": ("yes", "no"),
    "spaces": ("kings",),
}
PLAYS_KLONDIKE = dict.fromkeys(
    ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one"), _VALUES
)
"""The games and values of rule options that each kernel plays by: see `rules.choices.Implemented`."""

_CLIPPED = ("probability", "low", "high")

VARIANTS = tuple(name for name in ALL if name in PLAYS_JOKER | PLAYS_KLONDIKE)
"""The games that there is a player for, in the order of the table of games."""


@dataclass(frozen=True)
class Player:
    """Kind of player: ``rule``, or ``search`` with a budget for each decision.

    The budget is ``visits``, the number of samples including those that earlier decisions left, or
    ``seconds`` of processor time, so that a busy machine plays no worse, or both; None means no limit, and
    one limit is required. ``seed``, 0 to 2^64 - 1, seeds the random numbers, which start anew with each game.
    The rule player has neither a budget nor random numbers. Raises ValueError for invalid values.
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

    ``visits`` is the number of samples that began with these moves; ``reached`` has the number of them that
    reached each tier of `chances.tier_names`, or that a network expects to. ``tiers`` has the chance of each
    tier or a better one; it is empty without visits. ``reason`` says in words why the search player makes
    these moves without evaluating them, else it is None.
    """

    moves: tuple[Move, ...]
    visits: int = 0
    reached: tuple[int, ...] = ()
    tiers: dict[str, Chance] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class Decision:
    """A decision of the player in ``state``: the ``moves`` chosen, and the evaluated ``advice``, the best
    first; the advice is empty if the player did not search."""

    state: State
    moves: tuple[Move, ...]
    advice: tuple[Advice, ...] = ()


class Outcome(StrEnum):
    """Outcome of a game of a player. Won: at least the lowest tier was reached. Unfinished: a limit ended the
    game before that. An outcome says nothing about what can be reached in the deal."""

    LOST = "lost"
    WON = "won"
    UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Game:
    """A game that a player played: what was reached, and nothing about what can be reached.

    ``moves`` are the moves made, ``score`` is the number of foundation places filled at the end, and ``tier``
    the tier reached, in a game without tiers the win or none. ``decisions`` counts the decisions, ``samples``
    the samples drawn for them. ``reason`` is the limit that ended the game: nodes, seconds or memory; None if
    it was played to its end.
    """

    verdict: Outcome
    moves: tuple[Move, ...]
    score: int
    tier: str
    decisions: int
    samples: int
    reason: str | None = None


class ThoughtInterrupted(KeyboardInterrupt):
    """Raised if Ctrl-C ends a search; ``advice`` is the result up to then."""

    def __init__(self, advice: list[Advice]) -> None:
        super().__init__()
        self.advice = advice


def find_player_kernel(game: str | Variant = "joker", choices: Any = None) -> Any:
    """The compiled kernel of the player of a game under the rule options ``choices``, an object with their
    values as attributes, or None for the usual ones. Raises ValueError if there is none."""
    variant = find_variant(game)
    if rules := not_implemented(PLAYS_JOKER | PLAYS_KLONDIKE, variant.name, choices):
        raise ValueError(f"there is no player for {rules}")
    border = diagnostics.load("core.border", "PlayerKernel")
    if border is None:
        raise ValueError(diagnostics.refusal("a player"))
    return _kernel_of(border, variant.packed)


def _check_played(table: Any, implemented: Implemented) -> None:
    """Raise TypeError unless ``table`` is a state, with unknown cards or not, of a game that is
    ``implemented``, and ValueError for rule options that are not, and for a short deck."""
    if not isinstance(table, Position) or table.variant not in implemented:
        raise TypeError(f"expected a state of {' or '.join(implemented)}, got {described(table)}")
    find_variant(table.variant).check(table, tables=True)
    if rules := not_implemented(implemented, table.variant, table.choices):
        raise ValueError(f"there is no player for {rules}")
    _check_full(table)


@cache
def _kernel_of(border: Any, family: str) -> Any:
    """The subclass for the games of ``family`` of ``border``, a `core.border.PlayerKernel`."""
    from . import weights  # imported late, since it loads the rules of joker

    is_joker = family == "joker"
    return type(
        f"{family.title()}PlayerKernel",
        (border,),
        {
            "FAMILY": family,
            "IMPLEMENTED": PLAYS_JOKER if is_joker else PLAYS_KLONDIKE,
            "CHECK": staticmethod(_check_played),
            "NETWORK": staticmethod(weights.network_of) if is_joker else None,
            "WEIGHTS": staticmethod(weights.weights_of) if is_joker else None,
        },
    )


def advise(
    position: Position,
    player: Player | None = None,
    watch: Watch | None = None,
    workers: int = 1,
    sees: str = "table",
) -> list[Advice]:
    """The moves of ``position``, the best first. Of a state without unknown cards only the cards that a
    player sees are used: ``sees`` is a value of `tables.seen`.

    The search player, the default, gives each move its chances; the rule player gives none. The list is empty
    if no move is left. ``watch`` reports progress to another thread. Each of ``workers`` threads searches
    with the whole budget of ``player``, and their results are added. Raises ValueError for a position that
    play cannot reach, and if no engine is compiled; ThoughtInterrupted if Ctrl-C ends the
    search.
    """
    if not has_unknown(position):
        check_hides(position)
    table: Any = position if has_unknown(position) else seen(position, sees)
    _check_full(table)
    player = player or Player()
    kernel = find_player_kernel(table.variant, table.choices)(Limits(), player)
    if player.kind == "rule":
        choices = sorted(kernel.choices(table), key=lambda choice: -choice[1])
        return [Advice(_with_cards(table, moves)) for moves, _ in choices]
    team = _Team(kernel, player, workers, watch)
    team.choose(table)
    if kernel.ended_by == "interrupted":
        raise ThoughtInterrupted(team.ranked(table))
    return team.ranked(table)


def advice_of(table: Any, kernel: Any) -> list[Advice]:
    """The moves of ``table``, ranked as by `advise`, by a ``kernel`` of `find_player_kernel` that has begun a
    game. Raises KeyboardInterrupt if its search was stopped."""
    kernel.choose(table, True)
    _check_was_not_interrupted(kernel)
    return _ranked(table, kernel)


def at_most(advice: Advice, share: float) -> Advice:
    """Return ``advice`` with its chances limited to ``share``, the share of arrangements that can be won with
    all cards seen, which no player can exceed."""
    tiers = {
        tier: replace(chance, **{name: min(getattr(chance, name), share) for name in _CLIPPED})
        for tier, chance in advice.tiers.items()
    }
    return replace(advice, tiers=tiers)


def _check_full(table: Any) -> None:
    """Raise ValueError for a table of a short deck."""
    if not table.deck.is_full:
        raise ValueError("expected the full deck for a player")


class _Team:
    """Kernels that search the same position, each in a thread: ``kernel``, which ``watch`` observes, in the
    calling thread, the others with other seeds."""

    def __init__(self, kernel: Any, player: Player, workers: int, watch: Watch | None) -> None:
        self.kernel = kernel
        seeds = ((player.seed + number) % (1 << 64) for number in range(1, workers))
        self.others = [type(kernel)(Limits(), replace(player, seed=seed)) for seed in seeds]
        if watch is not None:
            watch.begin(kernel)
        for each in (kernel, *self.others):
            each.begin_deal()

    def choose(self, table: State) -> None:
        """Search ``table``, or continue the search, until all kernels have finished."""
        threads = []
        try:
            for other in self.others:
                thread = Thread(target=other.choose, args=(table, True))
                thread.start()
                threads.append(thread)
            self.kernel.choose(table, True)
        finally:
            if self.kernel.was_stopped or len(threads) < len(self.others):  # a thread could not be started
                for other in self.others:
                    other.stop()
            for thread in threads:
                thread.join()

    def ranked(self, table: State) -> list[Advice]:
        """Rank the moves by all kernels together, the best first."""
        return _ranked(table, self.kernel, self.others)


def think(
    table: State, player: Player, watch: Watch | None = None, workers: int = 1
) -> Iterator[list[Advice]]:
    """Yield the moves of ``table``, ranked as by `advise`, again and again with a growing number of samples:
    each time after another budget of ``player``. All cards that the table shows are known to the player.

    Ends when more samples would change nothing, or when ``watch`` or Ctrl-C stops it. Raises ValueError for
    the rule player, which does not search, and if no engine is compiled.
    """
    if player.kind == "rule":
        raise ValueError("expected a search player, got the rule player")
    _check_full(table)
    kernel = find_player_kernel(table.variant, table.choices)(Limits(), player)
    return _thoughts(table, _Team(kernel, player, workers, watch))


def _thoughts(table: State, team: _Team) -> Iterator[list[Advice]]:
    """Yield the advice of ``team`` after each budget, as long as that draws more samples."""
    samples = -1
    while samples < team.kernel.iterations and team.kernel.ended_by is None:
        samples = team.kernel.iterations
        team.choose(table)
        yield team.ranked(table)


def _ranked(table: State, kernel: Any, others: Sequence[Any] = ()) -> list[Advice]:
    """Rank the moves of ``table`` by the last search of ``kernel`` and ``others``, the best first."""
    ranked = []
    for moves, visits, reached in kernel.ranked(others):
        named = _with_cards(table, moves)
        if visits:
            ranked.append(Advice(named, visits, reached, chances_of_tiers(table, reached, visits)))
        else:
            ranked.append(Advice(named, reason=kernel.forced))
    return ranked


def _with_cards(table: State, moves: list[Move]) -> tuple[Move, ...]:
    """Return ``moves`` with the cards that they move, except for cards that were unknown before."""
    unseen = missing_cards(table)
    named, _ = _played(filled(table), moves)
    return tuple(move if name.card in unseen else name for move, name in zip(moves, named, strict=True))


def decisions(state: Position, player: Player | None = None, sees: str = "table") -> Iterator[Decision]:
    """Play from ``state`` to the end of the game, and yield each decision.

    The moves are made by `rules`; of each state the player is given only what it ``sees``, a value of
    `tables.seen`. Raises ValueError as `advise` does.
    """
    check_hides(state)
    find_variant(state.variant).check(state)
    start: Any = state
    kernel = find_player_kernel(state.variant, start.choices)(Limits(), player or Player())
    kernel.begin_deal()
    return _decisions(start, kernel, sees)


def _decisions(state: State, kernel: Any, sees: str) -> Iterator[Decision]:
    """Yield the decisions of a game that ``kernel`` has begun. Raises KeyboardInterrupt if Ctrl-C ended
    it."""
    while moves := tuple(kernel.choose(table := seen(state, sees))):
        named, after = _played(state, moves)
        yield Decision(state, named, tuple(_ranked(table, kernel)))
        state = after
    _check_was_not_interrupted(kernel)


def _played(state: State, moves: Iterable[Move]) -> tuple[tuple[Move, ...], State]:
    """Return ``moves`` with the cards that they move, and the state after them."""
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


def play_game(state: State, kernel: Any, watch: Watch | None = None, table: Any = None) -> Game:
    """Play a whole game from ``state`` by ``kernel``, which sees the cards that a player sees or, with
    ``table``, those that the table shows. Raises KeyboardInterrupt if Ctrl-C ended the game."""
    if watch is not None:
        watch.begin(kernel)
    kernel.begin_deal()
    moves: list[Move] = []
    made = 0
    while chosen := kernel.choose(hidden(state) if table is None else table):
        if table is not None:
            table = table_after(table, state, chosen)
        named, state = _played(state, chosen)
        moves += named
        made += 1
    _check_was_not_interrupted(kernel)
    variant, reason = find_variant(state.variant), kernel.ended_by
    score, tier = places_filled(variant, state), tier_reached(variant, state)
    verdict = Outcome.WON if tier != NO_TIER else Outcome.UNFINISHED if reason else Outcome.LOST
    return Game(verdict, tuple(moves), score, tier, made, kernel.iterations, reason)


def table_after(table: Any, state: State, moves: Iterable[Move]) -> Any:
    """Return ``table`` after legal ``moves``; cards that are turned up are those
    of ``state``, the same position with all cards known."""
    family = find_variant(state.variant).family
    for move in moves:
        table = family.apply(showing(table, state, move), move)
        state = family.apply(state, move)
    return table


def places_filled(variant: Variant, state: State) -> int:
    """Return the number of foundation places that are filled in ``state``."""
    if variant.scoring:
        return variant.scoring.score(state)
    return sum(map(len, variant.family.foundations_of(state)))


def tier_reached(variant: Variant, state: State) -> str:
    """Return the tier that ``state`` has reached; in a game without scores the win, or none."""
    score = variant.score(state)
    if variant.scoring:
        return variant.scoring.tier_of(score, state.deck.places)
    return TIERS[0] if score else NO_TIER
