"""Chances after each of the moves of a table: what a player who does not see the hidden cards can expect.

A search of the player (`player.advise`) spends its samples on good moves, and it has no chance for a move
that it would never make, nor where it moves without a search. Here each move gets an estimate of its own. The
unknown cards are arranged in `ARRANGEMENTS` random orders, the same for all moves, so that differences of
moves have less variance (common random numbers). In each the move is made, and moves that the player makes
without a search, such as turning the stock over; then a search of the player states the chance. Where a move
turns up one unknown card, each card comes up as often as any other, as far as the number of orders allows.

Where few cards are unknown the chances are certain: those of `unknown_cards.rank_moves`, or with no unknown
card the verdict of the solver.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from ...rules import Move, State, find_variant
from ...rules.tables import filled, missing_cards, turned_up, unknown_places
from ...rules.tiers import NO_TIER, TIERS
from ..player.chances import Chance, tier_names
from ..player.player import Player, advice_of, find_player_kernel, table_after, tier_reached
from ..player.weights import has_network, network_of
from ..progress import Watch
from ..result import Limits, Verdict
from ..solving import solve
from ..unknown_cards import rank_moves

ARRANGEMENTS = 24
TIER_WORTHS = (4, 3, 12)
"""Points for reaching 15 cards, 25 cards and all cards, each beyond those for the tier below: 19 for all
together. They are in the proportion that the search of the player uses."""

# The most unknown cards of a table whose chances are proved: that takes some 0.1 s, with 5 cards a second.
_CERTAIN_CARDS = 3
_CERTAIN_WORK = 300_000  # for all moves of such a table
_DECIDING_WORK = 400_000  # for the verdict after a move where all cards are known
# The standard errors of an estimate, measured, in those of a share of the best move's samples.
_NOISE_OF_NETWORK, _NOISE_OF_PLAY_OUTS = 0.2, 1.25
_SEARCHES = 4  # of a position, with other random numbers, where play-outs evaluate it
_FEW = 3  # moves that are compared as one part of a longer work
_NORMAL = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class MoveChances:
    """The chance of each tier, or a better one, after ``move``.

    ``worths`` has the value of the position after it, from 0 to 1, in each arrangement of the unknown cards:
    the chance of a win, in games with tiers the mean of the tiers' chances by `TIER_WORTHS`. ``noise`` is the
    standard error of their mean by the samples of the searches, and ``is_sampled`` is true unless the
    arrangements are all that differ. ``is_certain`` is true if all of it was proved.
    """

    move: Move
    tiers: dict[str, Chance]
    worths: tuple[float, ...]
    noise: float = 0.0
    is_sampled: bool = False
    is_certain: bool = False

    @property
    def worth(self) -> float:
        """The mean value of the position after the move, from 0 to 1."""
        return sum(self.worths) / len(self.worths)

    def behind(self, best: "MoveChances") -> tuple[float, float]:
        """The worth of ``best`` less that of this move, and the standard error of the difference."""
        noise = sqrt(self.noise**2 + best.noise**2)
        if len(self.worths) != len(best.worths) or not (self.is_sampled or best.is_sampled):
            return best.worth - self.worth, noise
        apart = [one - other for one, other in zip(best.worths, self.worths, strict=True)]
        return best.worth - self.worth, max(noise, error_of_mean(apart))


def chances_after(
    table: State, moves: Sequence[Move], player: Player | None = None, watch: Watch | None = None
) -> Iterator[MoveChances]:
    """Yield the chances after each of ``moves``, legal in ``table``, in their order. ``player`` searches with
    its whole budget in each arrangement.

    ``watch`` reports progress to another thread, or stops it. Raises KeyboardInterrupt if it was stopped or
    at Ctrl-C, and ValueError as `player.advise` does.
    """
    if (proved := _certain_chances(table, moves, watch)) is not None:
        yield from proved
        return
    judge = _Judge(table, player or Player(), watch)
    found: dict[Any, MoveChances] = {}
    for number, move in enumerate(moves, 1):
        if watch is not None and len(moves) > _FEW:
            watch.at("move", number, len(moves))
        places = turned_up(table, move)
        family = find_variant(table.variant).family
        after = None if places else family.canonical(family.apply(table, move))
        if after is None or after not in found:
            found[after] = judge.after(move, places)
        like = found[after]
        yield replace(like, move=move)


def worth_of(tiers: dict[str, Chance]) -> float:
    """The value of chances of tiers, from 0 to 1; see `MoveChances`."""
    if len(tiers) == 1:
        return next(iter(tiers.values())).probability
    points = sum(w * tier.probability for w, tier in zip(TIER_WORTHS, tiers.values(), strict=True))
    return points / sum(TIER_WORTHS)


def worth_reached(names: Sequence[str], reached: int) -> float:
    """The value of a game that came to tier number ``reached`` of the tiers ``names``, 0 for none."""
    return float(reached > 0) if len(names) == 1 else sum(TIER_WORTHS[:reached]) / sum(TIER_WORTHS)


class _Judge:
    """The searches of one table, which share their tree."""

    def __init__(self, table: State, player: Player, watch: Watch | None) -> None:
        self.table = table
        of_game = find_player_kernel(table.variant, table.choices)
        is_network = has_network(network_of(table.variant, table.choices))
        self.noise = _NOISE_OF_NETWORK if is_network else _NOISE_OF_PLAY_OUTS
        seeds = [(player.seed + number) % (1 << 64) for number in range(1 if is_network else _SEARCHES)]
        self.kernel, *self.others = (of_game(Limits(), replace(player, seed=seed)) for seed in seeds)
        self.watch = watch
        for each in (self.kernel, *self.others):
            each.begin_deal()
        if watch is not None:
            watch.begin(self.kernel)
        chance = Random(player.seed)
        cards = missing_cards(table)
        self.first = chance.sample(cards, len(cards))  # the card that a move turns up, by arrangement
        self.orders = [chance.sample(cards, len(cards)) for _ in range(ARRANGEMENTS)]
        self.known: dict[Any, tuple[dict[str, Chance], float]] = {}

    def after(self, move: Move, places: Sequence[tuple[int, int]]) -> MoveChances:
        """The chances after ``move``, which turns up the cards in ``places``."""
        is_single = len(places) == 1
        count = min(len(self.first), ARRANGEMENTS) if is_single else ARRANGEMENTS
        ends = [self._end(move, self._state(number, places)) for number in range(count)]
        is_alike = all(end == ends[0] for end in ends)
        if is_alike:
            ends = ends[:1]
        judged = self._judged_again(ends[0]) if is_alike else [self._judged(end) for end in ends]
        noise = sqrt(sum(error**2 for _, error in judged)) / len(judged)
        is_sampled = not is_alike and not (is_single and count == len(self.first))
        tiers = {}
        for tier in tier_names(self.table.variant):
            parts = [found[tier].probability for found, _ in judged]
            mean = sum(parts) / len(parts)
            error = max(noise, error_of_mean(parts) if is_sampled else 0.0)
            low, high = max(0.0, mean - _NORMAL * error), min(1.0, mean + _NORMAL * error)
            tiers[tier] = Chance(mean, error, low, high)
        worths = [worth_of(found) for found, _ in judged]
        if is_alike:
            worths = [sum(worths) / len(worths)] * ARRANGEMENTS
        return MoveChances(move, tiers, tuple(worths), noise, is_sampled)

    def _state(self, number: int, places: Sequence[tuple[int, int]]) -> Any:
        """Arrangement ``number`` of the unknown cards; a single card of ``places`` differs in each."""
        order = list(self.orders[number])
        if len(places) == 1:
            at = unknown_places(self.table).index(places[0])
            other = order.index(self.first[number])
            order[at], order[other] = order[other], order[at]
        return filled(self.table, order)

    def _end(self, move: Move, state: Any) -> Any:
        """The table after ``move`` and the moves that the player makes after it without a search, with the
        cards of ``state``; a tuple of it and the tier reached where no move is left, or a win is sure."""
        table: Any = self.table
        family = find_variant(table.variant).family
        moves: Sequence[Move] = (move,)
        while True:
            table = table_after(table, state, moves)
            for each in moves:
                state = family.apply(state, each)
            if family.is_won(state):
                return TIERS[-1]
            if table in self.known:
                return table
            advice = advice_of(table, self.kernel)
            if not advice:
                return tier_reached(find_variant(table.variant), state)
            if advice[0].tiers:
                best = advice[0]
                share = worth_of(best.tiers)
                self.known[table] = best.tiers, self.noise * sqrt(share * (1 - share) / best.visits)
                return table
            moves = advice[0].moves

    def _judged_again(self, end: Any) -> list[tuple[dict[str, Chance], float]]:
        """The chances at an end that is the same in all arrangements, by each of the searches."""
        judged = [self._judged(end)]
        if isinstance(end, str):
            return judged
        for other in self.others:
            if self.watch is not None:
                self.watch.begin(other)
            best = advice_of(end, other)[0]
            judged.append((best.tiers, judged[0][1]))
        return judged

    def _judged(self, end: Any) -> tuple[dict[str, Chance], float]:
        """The chances at the end of `_end`, and the standard error of their worth by the samples."""
        if not isinstance(end, str):
            return self.known[end]
        names = tier_names(self.table.variant)
        if end == TIERS[-1] or len(names) == 1:
            reached = len(names) if end != NO_TIER else 0
        else:
            reached = (NO_TIER, *names).index(end)
        return {tier: _sure(number <= reached) for number, tier in enumerate(names, 1)}, 0.0


def _certain_chances(table: State, moves: Sequence[Move], watch: Watch | None) -> list[MoveChances] | None:
    """The chances after ``moves`` where they can be proved: with no unknown card, or in games without tiers
    with few; None if they cannot, or not within the work for them."""
    variant = find_variant(table.variant)
    names = tier_names(variant.name)
    missing = missing_cards(table)
    if len(missing) <= 1:
        state = filled(table)
        found = []
        for move in moves:
            limits = Limits(work=_DECIDING_WORK)
            result = solve(variant, variant.family.apply(state, move), limits, shorten=0, watch=watch)
            if result.reason == "interrupted":
                raise KeyboardInterrupt
            if result.verdict is Verdict.UNDECIDED or (variant.scoring and not result.exact):
                return None
            reached = (
                (NO_TIER, *TIERS).index(result.tier)
                if variant.scoring
                else int(result.verdict is Verdict.WINNABLE)
            )
            tiers = {tier: _sure(number <= reached) for number, tier in enumerate(names, 1)}
            found.append(MoveChances(move, tiers, (worth_of(tiers),), is_certain=True))
        return found
    if variant.scoring or len(missing) > _CERTAIN_CARDS:
        return None
    ranked = {each.move: each for each in rank_moves(table, _CERTAIN_WORK, samples=0, watch=watch)}
    found = []
    for move in moves:
        low, high = ranked[variant.family.format_move(table, move)].chance
        if high - low > Fraction(1, 100):
            return None
        tiers = {names[0]: Chance(float(low), 0.0, float(low), float(high))}
        found.append(MoveChances(move, tiers, (float(low),), is_certain=True))
    return found


def _sure(is_reached: bool) -> Chance:
    """The chance of what is certain."""
    return Chance(*(float(is_reached), 0.0, float(is_reached), float(is_reached)))


def error_of_mean(values: Sequence[float]) -> float:
    """The standard error of the mean of ``values``; 0 of a single one."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = sum(values) / count
    return sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
