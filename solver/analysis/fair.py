"""Review of a game by what its player saw: each move against the best one that could be known.

`review` compares moves by results for someone who sees all cards. A person who does not see them may play
well and yet lose a win that nobody could know of. Here each move is judged in the table that the player saw:
the chance after it against that after the best move. `move_chances` has estimates of both. Of 69 losses of 5
points or more that they showed in games of the search player, 8 on average, games after both moves found
some loss in 13, and on average none: estimates err most after moves that the player would not make. So where
another move seems to be better by that much, both are played to the end in the same arrangements of the
unknown cards, and what counts is the difference of the results, if it is more than twice its standard error.

The losses add up to one figure, the winning chance that was lost by play; the rest of the difference between
the chance at the beginning and the result is luck. Beside it stands what nobody could know: the move after
which the game was lost for someone who sees all cards.

The words are those of chess sites, by the loss of winning chance: inaccuracy from 5 points, mistake from 10,
blunder from 20.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from ...rules import Move, State, Variant, find_variant, of_state
from ...rules.tables import seen, turned_up
from ...rules.tiers import NO_TIER, TIERS
from .. import verify
from ..player.advice import moves_texts
from ..player.chances import Chance, tier_names
from ..player.player import Player, advice_of, find_player_kernel, tier_reached
from ..player.trials import PLAYERS, Trial, Trials
from ..progress import Watch
from ..result import Limits, Result, Verdict, check_limits
from ..solving import solve
from .move_chances import MoveChances, chances_after, error_of_mean, worth_of, worth_reached

BEST, GOOD = "best", "good"
WORDS = (("blunder", 0.2), ("mistake", 0.1), ("inaccuracy", 0.05))
"""Words for a move and the least loss of winning chance, from 0 to 1, that each stands for. A smaller loss
is `GOOD`, none `BEST`; `GOOD` is also a move that estimates call worse, but games do not."""

VISITS = 500  # samples for each position that a move is judged by
WORK = 2_000_000  # to decide a position with all cards seen

_CANDIDATES = 2  # moves of the player's search that the move made is compared with
_SCREENED = 5  # part of the samples for a first look at all legal moves
_GROUPS = 10  # of games after moves, with other random numbers each
_GAMES, _GAMES_OF_WEAK = 6, 4  # of a group
_SURE = 2.0  # standard errors within which a difference is no loss


@dataclass(frozen=True)
class FairStep:
    """A move of a game, judged by what the player saw before it.

    ``best`` and ``made`` are the winning chances after the best move and after the one made, from 0 to 1; in
    games with tiers the mean of the tiers' chances by `move_chances.TIER_WORTHS`. ``loss`` is their
    difference, if it is more than twice its standard error ``error``; else 0. A loss of an inaccuracy or more
    is proved or found in games; ``games`` is how many were played after each of the two moves. A smaller one
    is an estimate. ``word`` is the loss in a word; ``better`` is the best move, with ``??`` for a card that
    was not seen, None unless something was lost. ``tiers`` has the chances after the move made,
    ``best_tiers`` those after the best one: estimates, shares of ``games``, or if ``is_certain`` is true,
    what was proved. ``is_forced`` is true if no other move was legal: such a move has no chances and loses
    nothing.
    """

    move: str
    best: float
    made: float
    loss: float
    error: float
    word: str
    better: str | None
    tiers: dict[str, Chance]
    best_tiers: dict[str, Chance]
    is_certain: bool = False
    is_forced: bool = False
    games: int = 0


@dataclass(frozen=True)
class FairReview:
    """The ``steps`` of a game; fewer than its moves if it was ``interrupted``.

    ``score`` is the worth of what was reached, from 0 to 1: 1 for a win, in games with tiers by
    `move_chances.TIER_WORTHS`. ``gone`` has for each tier that was not reached the number of the move, from 1
    on, after which it was out of reach for someone who sees all cards; 0 if it was so from the beginning,
    None if that is undecided, or if it still is in reach.
    """

    steps: tuple[FairStep, ...]
    score: float
    gone: dict[str, int | None]
    interrupted: bool = False

    @property
    def lost(self) -> float:
        """The winning chance that was lost by play: the sum of all losses, 1 for a whole win."""
        return sum(step.loss for step in self.steps)

    @property
    def start(self) -> float | None:
        """The winning chance before the first move that was not forced; None if all were."""
        return next((step.best for step in self.steps if not step.is_forced), None)

    @property
    def luck(self) -> float | None:
        """The part of the result that play does not explain: of a game played to its end, what was reached,
        less the chance at the beginning, more what was lost by play. None if all moves were forced."""
        return None if self.start is None else self.score - self.start + self.lost

    def count(self, word: str) -> int:
        """The number of moves with this word, not counting forced ones."""
        return sum(step.word == word and not step.is_forced for step in self.steps)


@of_state
def fair_review(
    variant: Variant | str,
    state: State,
    moves: Iterable[Move | str],
    player: Player | None = None,
    limits: Limits | None = None,
    watch: Watch | None = None,
    sees: str = "table",
) -> FairReview:
    """Review ``moves`` from ``state`` of ``variant``, which may be left out, by what the player saw of each
    position: `tables.seen` of it with ``sees``.

    ``player`` judges moves with its budget for each position, by default `VISITS` samples. ``limits`` apply
    to each position that is solved with all cards seen, by default `WORK`. After Ctrl-C, and if ``watch`` was
    stopped, the review has the moves judged so far. Raises WrongMove if a move is illegal, ValueError for
    rules that there is no player for, and for another ``sees`` than table, stock and all.
    """
    variant = find_variant(variant)
    variant.check(state, cards=True)
    player = player or Player(visits=VISITS)
    limits = check_limits(limits or Limits(work=WORK), watch)
    find_player_kernel(variant, getattr(state, "choices", None))
    positions: list[Any] = [state]
    made: list[Any] = []
    for move, after in verify.follow(variant, state, moves):
        made.append(move)
        positions.append(after)
    steps: list[FairStep] = []
    turns: list[bool] = []
    gone: dict[str, int | None] = {}
    try:
        for number, (at, move) in enumerate(zip(positions, made, strict=False)):
            if watch is not None:
                watch.at("move", number + 1, len(made))
            table = seen(at, sees)
            steps.append(_step(variant, at, table, move, player, watch))
            turns.append(bool(turned_up(table, move)))
        gone = _gone(variant, positions, limits, watch)
        interrupted = False
    except KeyboardInterrupt:
        interrupted = True
    found = tuple(_with_hindsight(steps, turns))
    return FairReview(found, _score(variant, positions[-1]), gone, interrupted)


def word_of(loss: float, is_best: bool = False) -> str:
    """The word for a loss of winning chance from 0 to 1; ``is_best`` for the best move itself."""
    return next((word for word, least in WORDS if loss >= least), BEST if is_best or loss <= 0 else GOOD)


def _step(
    variant: Variant, state: Any, table: Any, move: Move, player: Player, watch: Watch | None
) -> FairStep:
    """The move of a position of which ``table`` was seen."""
    family = variant.family
    text = family.format_move(state, move)
    legal = family.legal_moves(state)
    if len(legal) == 1:
        return FairStep(text, 0.0, 0.0, 0.0, 0.0, BEST, None, {}, {}, is_forced=True)
    others = [each for each in legal if each != move]
    few = Player(visits=max(1, (player.visits or VISITS) // _SCREENED), seed=player.seed)
    mine, *rest = chances_after(table, [move, *others], few, watch)
    best = max([mine, *rest], key=_worth)
    if not best.is_certain:
        candidates, tiers = _candidates(table, player, watch)
        if candidates[:1] == [move] and tiers and not _is_suspect(mine, best):
            worth = worth_of(tiers)
            return FairStep(text, worth, worth, 0.0, 0.0, BEST, None, tiers, tiers)
        others = [each for each in dict.fromkeys([best.move, *candidates]) if each != move]
        mine, *rest = chances_after(table, [move, *others], player, watch)
        suspected = sorted((each for each in rest if _is_suspect(mine, each)), key=_worth, reverse=True)
        if suspected:
            step = _compared(text, mine, suspected[0])
            moves = [move, *(each.move for each in suspected[:_CANDIDATES])]
            step, better = _played(step, table, moves, player, watch)
            return replace(step, better=moves_texts(variant, table, [better])[0]) if step.loss else step
        best = max([mine, *(each for each in rest if each.move in candidates)], key=_worth)
    step = _compared(text, mine, best)
    return replace(step, better=moves_texts(variant, table, [best.move])[0]) if step.loss else step


def _worth(after: MoveChances) -> float:
    return after.worth


def _compared(text: str, mine: MoveChances, best: MoveChances) -> FairStep:
    """The step of the move ``text`` by what is estimated, or proved, after it and after the best move."""
    behind, error = mine.behind(best)
    loss = behind if behind > _SURE * error else 0.0
    word = word_of(loss, best is mine)
    return FairStep(
        text, best.worth, mine.worth, loss, error, word, None, mine.tiers, best.tiers, best.is_certain
    )


def _is_suspect(mine: MoveChances, other: MoveChances) -> bool:
    """Another move is estimated to be better by so much that games are played to see whether it is."""
    behind, error = mine.behind(other)
    return behind >= WORDS[-1][1] and behind > _SURE * error


def _played(
    step: FairStep, table: Any, moves: Sequence[Move], player: Player, watch: Watch | None
) -> tuple[FairStep, Move]:
    """The ``step`` of the first of ``moves`` by games after each of them, and the best of the others. Games
    of a weak player come first: what loses nothing there is not played by ``player``."""
    visits = player.visits or VISITS
    weak = min(visits, PLAYERS[table.variant].visits or visits)
    better, behind, *_ = _best_of(table, moves, weak, _GAMES_OF_WEAK, watch)
    if behind:
        better, behind, error, (best, mine) = _best_of(table, [moves[0], better], visits, _GAMES, watch)
    if not behind:
        return replace(step, loss=0.0, word=GOOD), better
    step = replace(step, best=worth_of(best.tiers), made=worth_of(mine.tiers), loss=behind, error=error)
    return replace(
        step, word=word_of(behind), tiers=mine.tiers, best_tiers=best.tiers, games=len(mine.reached)
    ), better


def _best_of(
    table: Any, moves: Sequence[Move], visits: int, games: int, watch: Watch | None
) -> tuple[Move, float, float, tuple[Trial, Trial]]:
    """The best of the ``moves`` but the first, which is compared with it; how much worth the first loses, 0
    within the error, the error, and the trials of the two.

    A search plays the first moves after each alike in all arrangements of the cards that are still unknown,
    so games with the same random numbers err together. Therefore there are several groups of games, each with
    other random numbers, and the error is that of the means of groups. The games end early where what is lost
    is probably less than an inaccuracy."""
    names = tier_names(table.variant)
    groups: list[list[Trial]] = []
    apart: list[list[float]] = [[] for _ in moves[1:]]
    behind, error, number = 0.0, 1.0, 1
    while len(groups) < _GROUPS:
        player = Player(visits=visits, seed=len(groups))
        trials = Trials(table, [[move] for move in moves], games, player, workers=1)
        mine, *others = trials.play(watch)
        groups.append([mine, *others])
        for found, other in zip(apart, others, strict=True):
            found.append(_mean_worth(other, names) - _mean_worth(mine, names))
        means = [(sum(found) / len(found), error_of_mean(found)) for found in apart]
        behind, error, number = max((*mean, number) for number, mean in enumerate(means, 1))
        if len(groups) >= _GROUPS // 3 and behind + error < WORDS[-1][1]:
            break
    best, made = (
        replace(groups[0][0], reached=tuple(chain.from_iterable(group[each].reached for group in groups)))
        for each in (number, 0)
    )
    return moves[number], behind if behind > _SURE * error else 0.0, error, (best, made)


def _mean_worth(trial: Trial, names: Sequence[str]) -> float:
    return sum(worth_reached(names, reached) for reached in trial.reached) / len(trial.reached)


def _with_hindsight(steps: Sequence[FairStep], turns: Sequence[bool]) -> list[FairStep]:
    """The ``steps`` with the chances after a move that lost something, and by ``turns`` turned up no unknown
    card, raised to the best chance before the next move, if that was found in the same way, or proved. So a
    good move that was missed and is still there is charged only when it is gone."""
    found = list(steps)
    later: FairStep | None = None  # the next move that was not forced, chosen in the same knowledge
    for number in reversed(range(len(steps))):
        step = steps[number]
        if turns[number]:
            later = None
        if step.is_forced:
            continue
        is_alike = later is not None and (later.is_certain or bool(step.games) == bool(later.games))
        if step.loss and later is not None and is_alike and later.best > step.made:
            made = min(later.best, step.best)
            left = step.best - made
            loss = left if left > _SURE * step.error else 0.0
            found[number] = replace(
                step,
                made=made,
                tiers=step.best_tiers if made == step.best else later.best_tiers,
                loss=loss,
                word=word_of(loss, made == step.best),
                better=step.better if loss else None,
            )
        later = step
    return found


def _candidates(table: Any, player: Player, watch: Watch | None) -> tuple[list[Move], dict[str, Chance]]:
    """The moves of ``table`` that the player advises first, and the chances of the first of them; none if it
    was not searched for."""
    kernel = find_player_kernel(table.variant, table.choices)(Limits(), player)
    kernel.begin_deal()
    if watch is not None:
        watch.begin(kernel)
    advice = advice_of(table, kernel)
    moves = list(dict.fromkeys(each.moves[0] for each in advice))
    return moves[:_CANDIDATES], advice[0].tiers if advice else {}


def _score(variant: Variant, state: Any) -> float:
    """The worth of what was reached in ``state``."""
    reached = (NO_TIER, *TIERS).index(tier_reached(variant, state))
    return worth_reached(tier_names(variant.name), reached)


def _gone(
    variant: Variant, positions: Sequence[Any], limits: Limits, watch: Watch | None
) -> dict[str, int | None]:
    """The number of the move after which each tier was out of reach, as in `FairReview`, by bisection: what
    is out of reach stays so."""
    names = tier_names(variant.name)
    tier = tier_reached(variant, positions[-1])
    reached = (NO_TIER, *TIERS).index(tier) if len(names) > 1 else int(tier != NO_TIER)
    known: dict[int, Result] = {}

    def is_in_reach(number: int, least: int) -> bool | None:
        if number not in known:
            if watch is not None:
                watch.at("position", number + 1, len(positions))
            known[number] = solve(variant, positions[number], limits, shorten=0, watch=watch)
            if known[number].reason == "interrupted":
                raise KeyboardInterrupt
        result = known[number]
        if variant.scoring is None:
            return None if result.verdict is Verdict.UNDECIDED else result.verdict is Verdict.WINNABLE
        places = positions[number].deck.places
        if (NO_TIER, *TIERS).index(result.tier) >= least:
            return True
        most = variant.scoring.tier_of(result.score_bound or 0, places)
        return None if (NO_TIER, *TIERS).index(most) >= least else False

    return {
        name: _first_out(positions, least, is_in_reach)
        for least, name in enumerate(names, 1)
        if least > reached
    }


def _first_out(
    positions: Sequence[Any], least: int, is_in_reach: Callable[[int, int], bool | None]
) -> int | None:
    """The first of ``positions`` from which a tier is out of reach; None if that is undecided or none is."""
    first, last = 0, len(positions) - 1
    if is_in_reach(last, least) is not False:
        return None
    while first < last:
        middle = (first + last) // 2
        found = is_in_reach(middle, least)
        if found is None:
            return None
        first, last = (middle + 1, last) if found else (first, middle)
    return first
