"""Tables with unknown cards: lost or won for certain, the share of winnable arrangements, the best chance.

Every arrangement of the unknown cards counts as equally likely. There are four questions.

- Is the table lost for certain, so that no arrangement can be won? All arrangements are solved, or a search
  branches over each card that is turned up, as if the player could choose it.
- Which share of the arrangements can be won by someone who sees all cards? It is exact up to `MOST_EXACT`
  arrangements, else estimated from seeded samples.
- What is the best chance of a player who does not see the unknown cards? It is bounded from both sides. The
  share is an upper bound. A lower bound comes from lines of single arrangements, followed to the first card
  that is turned up and averaged over what that card may be. A search of all positions before the next card
  closes the gap that is left.
- Is the table won for certain, so that the best chance is 1? Then there is a `Plan`. It does not suffice that
  every arrangement can be won: the player may have to guess.

In Joker a win is the lowest tier, and no search looks for a greater score. All budgets are work, so that
answers are the same on every machine; a limit of seconds, if there is one, holds for the whole table. A plan
is replayed by the rules for every arrangement before it is returned.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations
from math import factorial
from random import Random
from typing import Any

from ..rules import Variant, find_variant
from ..rules.cards import UNKNOWN, colour_of, format_card, rank_of, suit_of
from ..rules.choices import not_implemented
from ..rules.hidden_cards import STOCK, WASTE
from ..rules.moves import read_move
from ..rules.tables import card_at, filled, missing_cards, put, settled, showing, turned_up, unknown_places
from ..rules.tiers import NO_TIER, TIERS
from .core.intervals import wilson
from .engine import decide, find_kernel, search
from .progress import Progress, Watch
from .result import Limits, Result, Verdict
from .table_result import MoveChance, Plan, TableHint, TableResult

MOST_EXACT, SAMPLES = 1000, 300
WORK = 4_000_000
"""The work that may be spent on the best chance, beside that on the share: some two seconds."""

_COMPLETION = 3_000_000  # work for one arrangement
_STATE, _CALL, _MOVE = 40, 300, 40  # work that a position, a call of a kernel and a replayed move count as
_GLANCES = 60  # arrangements that are tried before it is proved that none can be won
_LINES = 12  # lines tried before the search of all positions
_LOST_STATES = 20_000
_CHANCE_CARDS = 6  # most unknown cards for which the best chance is computed


def solve_table(
    table: Any,
    samples: int = SAMPLES,
    work: int = WORK,
    seed: int = 1,
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> TableResult:
    """The answers for ``table``, a state with unknown cards.

    ``work`` is the budget for the best chance. The seconds of ``limits`` hold for everything together, the
    other limits for each arrangement. If there are more than `MOST_EXACT` arrangements, ``samples`` of them,
    drawn with ``seed``, are solved. Raises KeyboardInterrupt at Ctrl-C, and if ``watch`` was stopped.
    """
    return _Search(table, work, limits, watch).answer(samples, seed)


def certainty(table: Any, limits: Limits | None = None, watch: Watch | None = None) -> str | None:
    """``won`` or ``lost`` if ``table`` is that for certain and the proof is found soon, else None.
    ``limits``, ``watch`` and the exceptions are those of `solve_table`."""
    return _Search(table, WORK, limits, watch).certainty()


def is_computed(table: Any) -> bool:
    """Test if best chances are computed for ``table``: if it has at most `MOST_EXACT` arrangements, or a
    short deck, for which there is no player."""
    return not table.deck.is_full or factorial(len(missing_cards(table))) <= MOST_EXACT


def hint_table(table: Any, limits: Limits | None = None, watch: Watch | None = None) -> TableHint:
    """The answers for ``table``, a state with unknown cards, and its moves in the order of `rank_moves`. Of
    moves with equal chances that one is first which begins the plan, or the way to the best chance proved:
    other moves may lead nowhere, and back to the same position. ``limits``, whose seconds hold for answers
    and moves together, ``watch`` and the exceptions are those of `solve_table`."""
    search = _Search(table, WORK, limits, watch)
    answer = search.answer(SAMPLES, 1)
    ranked = rank_moves(
        table, watch=watch, way=(search.first_move(), answer.chance[0]), limits=search.limits_left()
    )
    return TableHint(replace(answer, is_late=search.is_late), tuple(ranked))


def rank_moves(
    table: Any,
    work: int = WORK,
    samples: int = 100,
    seed: int = 1,
    watch: Watch | None = None,
    way: tuple[Any, Fraction] = (None, Fraction(0)),
    limits: Limits | None = None,
) -> list[MoveChance]:
    """The legal moves of ``table``, the best chance first. With at most `MOST_EXACT` arrangements the best
    chances are bounded; with more, the moves are compared by their shares on the same samples. With no
    ``samples`` the shares are left out. ``way`` is a
    move, or None, after which a best chance is proved: it precedes moves with equal chances. ``limits`` are
    those of `solve_table`; when the seconds are spent, the moves left have no bounds."""
    search = _Search(table, work, limits, watch)
    moves = sorted(search.family.legal_moves(table), key=lambda move: move != way[0])
    search.most_work = work // max(1, len(moves))
    ranked: list[MoveChance] = []
    positions: list[Any] = []
    state = filled(table, missing_cards(table))
    for number, move in enumerate(moves, 1):
        if watch is not None:
            watch.at("move", number, len(moves))
        least = way[1] if move == way[0] else Fraction(0)
        key = search.family.canonical(search.family.apply(state, move))
        ranked.append(search.chance_after(move, samples, seed, least, key in positions))
        positions.append(key)
    return sorted(ranked, key=lambda each: (-each.chance[0], -each.chance[1], -each.won))


class _Search:
    """The searches of one table; they share their results for positions. ``states`` counts the positions of
    those that call no kernel."""

    def __init__(
        self, table: Any, work: int, limits: Limits | None = None, watch: Watch | None = None
    ) -> None:
        self.variant: Variant = find_variant(table.variant)
        self.family: Any = self.variant.family
        self.least = self.variant.tiers().get(TIERS[0], 0)
        self.table, self.most_work = table, work
        self.limits = limits or Limits()
        if self.limits.work is None and self.limits.nodes is None:
            self.limits = replace(self.limits, work=_COMPLETION)
        seconds = self.limits.seconds
        self.end = None if seconds is None else time.monotonic() + seconds
        self.watch = watch
        self.work = self.states = 0
        self.full: dict[Any, bool | None] = {}
        self.lines: dict[Any, tuple[Any, ...]] = {}
        self.values: dict[Any, tuple[Fraction, Fraction]] = {}
        self.ways: dict[Any, tuple[list[Any], tuple[Any, Any, list[Any]] | None]] = {}

    @property
    def is_over(self) -> bool:
        """True if the budget of work or time is spent."""
        return self.work > self.most_work or self.is_late

    @property
    def is_late(self) -> bool:
        """True if the time is spent. Raises KeyboardInterrupt if the search was stopped."""
        if self.watch is not None and self.watch.was_stopped:
            raise KeyboardInterrupt
        return self.end is not None and time.monotonic() > self.end

    def limits_left(self) -> Limits:
        """The limits, with the seconds that are left."""
        return self.limits if self.end is None else replace(self.limits, seconds=self._seconds_left(self.end))

    @staticmethod
    def _seconds_left(end: float) -> float:
        return max(0.001, end - time.monotonic())

    def progress(self) -> Progress:
        """The positions of the searches that call no kernel."""
        return Progress("search of positions", self.states, 0.0)

    def stop(self) -> None:
        """Do nothing: the searches that call no kernel ask the watch."""

    def visit(self) -> None:
        """Count a position of a search that calls no kernel."""
        if self.watch is not None:
            self.watch.begin(self)
        self.states += 1

    def is_won(self, state: Any) -> bool:
        """Test if ``state`` is won; in Joker, if it has reached the lowest tier."""
        scoring = self.variant.scoring
        if scoring is None:
            return bool(self.family.is_won(state))
        return scoring.tier_of(scoring.score(state), state.deck.places) != NO_TIER

    # --- Answers --------------------------------------------------------------------------------------------

    def answer(self, samples: int, seed: int) -> TableResult:
        """All answers for the table."""
        missing = missing_cards(self.table)
        ways = factorial(len(missing))
        sampled = ways > MOST_EXACT
        won, open_ones, tried = self.share(self.table, samples, seed, "arrangement")
        if sampled:
            share = (wilson(won, tried)[0], wilson(won + open_ones, tried)[1])
        else:
            share = (won / tried, (won + open_ones) / tried)
        spent, self.work = self.work, 0  # the best chance has a budget of its own
        certain, plan = None, None
        chance = (Fraction(0), Fraction(1))
        if not won and (not sampled or self.is_lost()):
            certain = None if open_ones and not sampled else "lost"
        if certain == "lost":
            chance = (Fraction(0), Fraction(0))
        elif not sampled and len(missing) <= _CHANCE_CARDS:
            chance = self.value(self.table)
            if chance[0] == 1:
                plan = self.plan(self.table)
                check_plan(self.table, plan.to_dict(), watch=self.watch)
                certain = "won"
        elif sampled and won + open_ones < tried:  # one arrangement is lost
            chance = (Fraction(0), Fraction(ways - 1, ways))
        return TableResult(
            *(len(missing), ways, won, tried, open_ones, share, sampled, chance, certain, plan),
            work=spent + self.work,
            is_late=self.is_late,
        )

    def certainty(self) -> str | None:
        """``won`` or ``lost`` if the table is that for certain, else None. Usually the first few arrangements
        already show that it is neither."""
        missing = missing_cards(self.table)
        is_few = factorial(len(missing)) <= MOST_EXACT
        chance = Random(1)
        orders: Iterator[Sequence[int]] = (chance.sample(missing, len(missing)) for _ in range(_GLANCES))
        answers: set[bool | None] = set()
        for order in permutations(missing) if is_few else orders:
            answers.add(self.wins(filled(self.table, order)))
            if None in answers or (True in answers and (False in answers or not is_few)):
                return None
        if answers == {False}:
            return "lost" if is_few or self.is_lost() else None
        self.work = 0
        if len(missing) > _CHANCE_CARDS or self.value(self.table)[0] < 1:
            return None
        check_plan(self.table, self.plan(self.table).to_dict(), watch=self.watch)
        return "won"

    def share(self, table: Any, samples: int, seed: int, part: str = "") -> tuple[int, int, int]:
        """The numbers of arrangements of ``table`` that can be won, that are undecided, and that were tried.
        ``part`` is what the progress calls them, if it tells of them."""
        missing = missing_cards(table)
        ways = factorial(len(missing))
        if ways <= MOST_EXACT:
            orders: Iterator[Sequence[int]] = permutations(missing)
        else:
            chance, ways = Random(seed), samples
            orders = (chance.sample(missing, len(missing)) for _ in range(samples))
        return *self._count((filled(table, order) for order in orders), ways, part), ways

    def _count(self, states: Iterator[Any], ways: int, part: str = "") -> tuple[int, int]:
        """The numbers of the ``ways`` states that can be won, and that are undecided, as are those left when
        the seconds are spent."""
        won = lost = 0
        for number, state in enumerate(states, 1):
            if self.is_late:
                break
            if part and self.watch is not None:
                self.watch.at(part, number, ways)
            answer = self.wins(state)
            won += answer is True
            lost += answer is False
        if part and self.watch is not None:
            self.watch.part = ""
        return won, ways - won - lost

    def first_move(self) -> Any:
        """The first move of the way to the best chance that `answer` proved; None if there is none."""
        path, event = self.ways.get(self.table, ([], None))
        return path[0] if path else None if event is None else event[1]

    def chance_after(self, move: Any, samples: int, seed: int, least: Fraction, is_alike: bool) -> MoveChance:
        """The bounds of the best chance after ``move``, of which ``least`` is proved already, and the share
        of arrangements that can be won after it. ``is_alike`` says that another move leads to the same
        position."""
        places, missing = turned_up(self.table, move), missing_cards(self.table)
        chance, ways = (Fraction(0), Fraction(1)), factorial(len(missing))
        orders: Iterator[Sequence[int]] = permutations(missing)
        if ways > MOST_EXACT:
            generator, ways = Random(seed), samples
            orders = (generator.sample(missing, len(missing)) for _ in range(samples))
        after = (self.family.apply(filled(self.table, order), move) for order in orders)
        won, open_ones = self._count(after, ways) if samples else (0, 0)
        if factorial(len(missing)) <= MOST_EXACT:
            self.work = 0
            if places:
                chance = self.event_value(self.table, move, places, Fraction(-1))
            else:
                chance = self.value(settled(self.family.apply(self.table, move)))
        text = self.family.format_move(self.table, move)
        tried = ways if samples else 0
        return MoveChance(text, (max(least, chance[0]), chance[1]), won, open_ones, tried, is_alike)

    # --- Positions ------------------------------------------------------------------------------------------

    def key(self, state: Any) -> Any:
        """The key of a position. If the whole stock is known and may be gone through any number of times,
        positions of the stock from which the same cards can be reached have one key: see `steps`."""
        if not self._turns_freely(state):
            return self.family.canonical(state)
        cards, drawn, at = state.waste + state.stock, state.choices.cards_drawn, len(state.waste)
        is_usual = at % drawn == 0 or not state.stock
        if drawn == 1:
            cards, is_usual = tuple(sorted(cards)), True
        columns = tuple(sorted(zip(state.columns, state.hidden, strict=True)))
        return (columns, cards, -1 if is_usual else at, state.foundations)

    def _turns_freely(self, state: Any) -> bool:
        return (
            hasattr(state, "redeals")
            and not not_implemented(self.family.PROVED_FOR, state.variant, state.choices)
            and state.choices.most_passes is None
            and UNKNOWN not in state.stock
            and UNKNOWN not in state.waste
        )

    def steps(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the moves from ``state``, each with the state in which it is made. If positions that differ
        by draws have one key, the draws before a move are part of its step: the state is the one after
        them."""
        moves = self.family.legal_moves(state)
        if not self._turns_freely(state):
            yield from ((state, move) for move in moves)
            return
        yield from ((state, move) for move in moves if move.source != STOCK)
        cards, drawn, at = state.waste + state.stock, state.choices.cards_drawn, len(state.waste)
        end = len(cards)
        stops = [*range(at + drawn, end, drawn)] + [end] * (at < end)
        if state.stock or end > drawn:
            stops += [*range(drawn, end, drawn), end]
        for stop in dict.fromkeys(stops):
            if stop == at or not stop:
                continue
            if self._fits(state, cards[stop - 1]):
                turned = replace(state, waste=cards[:stop], stock=cards[stop:])
                for move in self.family.legal_moves(turned):
                    if move.source == WASTE:
                        yield turned, move

    @staticmethod
    def _fits(state: Any, card: int) -> bool:
        rank = rank_of(card)
        if state.foundations[suit_of(card)] == rank:
            return True
        return any(
            rank_of(column[-1]) == rank + 1 and colour_of(column[-1]) != colour_of(card)
            if column
            else rank == state.deck.ranks - 1
            for column in state.columns
        )

    def wins(self, state: Any) -> bool | None:
        """Test if a state without unknown cards can be won; None if that is undecided."""
        key = self.key(state)
        if key not in self.full and not self.is_late:
            self._solve(state, key)
        return self.full.get(key)

    def line(self, state: Any) -> tuple[Any, ...] | None:
        """A line that wins ``state``; None if none was found. Lines are stored by state, not by `key`: in a
        state with the columns in another order the moves would name other columns."""
        if self.wins(state) and state not in self.lines:
            self._solve(state, self.key(state))
        return self.lines.get(state)

    def _solve(self, state: Any, key: Any) -> None:
        if self.is_won(state):
            self.full[key], self.lines[state] = True, ()
            return
        limits = self.limits
        if self.end is not None:
            limits = replace(limits, seconds=self._seconds_left(self.end))
        result = self._result(state, limits)
        if result.reason == "interrupted":
            raise KeyboardInterrupt
        self.work += result.work + _CALL + _MOVE * len(result.moves or ())
        known = {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}
        self.full[key] = known.get(result.verdict)
        if result.verdict is Verdict.WINNABLE:
            self.lines[state] = tuple(result.moves or ())

    def _result(self, state: Any, limits: Limits) -> Result:
        """The result of a search for a win; in Joker the lowest tier suffices."""
        kernel = find_kernel(self.variant, state.choices)
        if kernel is None or self.variant.scoring is None:
            return search(self.variant, state, limits, watch=self.watch)
        searcher: Any = kernel(limits)
        searcher.wanted = min(self.least, state.deck.places)
        return decide(self.variant, state, searcher, self.watch)

    def outcomes(self, table: Any, move: Any, places: list[Any]) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Yield the cards that ``move`` may turn up in ``places``, each time with the table after the
        move."""
        for cards in permutations(missing_cards(table), len(places)):
            yield cards, settled(self.family.apply(put(table, places, cards), move))

    # --- Lost for certain -----------------------------------------------------------------------------------

    def is_lost(self) -> bool:
        """Test if it is proved that no arrangement can be won: a search that may choose each card that is
        turned up finds no win."""
        seen, stack = {self.key(self.table)}, [self.table]
        while stack:
            table = stack.pop()
            self.visit()
            if len(seen) > _LOST_STATES or self.is_late or self.is_won(table):
                return False
            if not unknown_places(table):
                if self.wins(table) is not False:
                    return False
                continue
            for at, move in self.steps(table):
                places = turned_up(at, move)
                for _, after in self.outcomes(at, move, places):
                    key = self.key(after)
                    if key not in seen:
                        seen.add(key)
                        stack.append(after)
        return True

    # --- The best chance ------------------------------------------------------------------------------------

    def value(self, table: Any) -> tuple[Fraction, Fraction]:
        """Bounds of the best chance in ``table`` of a player who does not see the unknown cards."""
        if self.is_won(table):
            return Fraction(1), Fraction(1)
        if not unknown_places(table):
            answer = self.wins(table)
            return Fraction(answer is True), Fraction(answer is not False)
        key = self.key(table)
        if key not in self.values:
            self.values[key] = self._value(table)
        return self.values[key]

    def event_value(
        self, table: Any, move: Any, places: list[Any], least: Fraction
    ) -> tuple[Fraction, Fraction]:
        """Bounds of the best chance after a ``move`` that turns up cards; if the upper one is at most
        ``least``, the lower one is 0 without a search."""
        tables = [after for _, after in self.outcomes(table, move, places)]
        high = sum((self._bound(after) for after in tables), Fraction(0)) / len(tables)
        if high <= least:
            return Fraction(0), high
        bounds = [self.value(after) for after in tables]
        return (
            sum((low for low, _ in bounds), Fraction(0)) / len(tables),
            sum((high for _, high in bounds), Fraction(0)) / len(tables),
        )

    def _bound(self, table: Any) -> Fraction:
        """An upper bound of the best chance: the share of arrangements that can be won or are undecided."""
        if self.is_over:
            return Fraction(1)
        won, open_ones, tried = self.share(table, 0, 0)
        return Fraction(won + open_ones, tried)

    def _value(self, table: Any) -> tuple[Fraction, Fraction]:
        high, low = self._bound(table), Fraction(0)
        if not high:
            return low, high
        tried: set[Any] = set()
        for order in permutations(missing_cards(table)):
            if self.is_over or len(tried) >= _LINES:
                break
            line = self.line(filled(table, order))
            if line is None:
                continue
            path, event = self._to_event(table, line)
            if event is None:  # the line wins without turning up a card
                self.ways[table] = path, None
                return Fraction(1), Fraction(1)
            first = next(self.outcomes(*event))[1]
            if (key := self.key(first)) in tried:
                continue
            tried.add(key)
            least, _ = self.event_value(*event, low)
            if least > low:
                low, self.ways[table] = least, (path, event)
            if low == high:
                return low, high
        return self._closed(table, low, high)

    def _to_event(
        self, table: Any, line: Sequence[Any]
    ) -> tuple[list[Any], tuple[Any, Any, list[Any]] | None]:
        """The moves of ``line`` before the first that turns up an unknown card, and that move with its table
        and places; the latter is None if the line wins before."""
        path: list[Any] = []
        for move in line:
            if self.is_won(table):
                break
            if places := turned_up(table, move):
                return path, (table, move, places)
            path.append(move)
            table = self.family.apply(table, move)
        return path, None

    def _closed(self, table: Any, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        """Improve the bounds ``low`` and ``high`` of the best chance by a search of all positions before the
        next card is turned up."""
        start, greatest = table, low
        seen = {self.key(table)}
        came: dict[Any, tuple[Any, Any, Any]] = {}
        stack = [table]
        while stack:
            at = stack.pop()
            self.visit()
            self.work += _STATE
            if self.is_over:
                return low, high
            if self.is_won(at):
                self.ways[start] = self._path(came, at), None
                return Fraction(1), Fraction(1)
            if self._bound(at) <= low:
                continue
            for turned, move in self.steps(at):
                places = turned_up(turned, move)
                if places:
                    least, most = self.event_value(turned, move, places, low)
                    greatest = max(greatest, most)
                    if least > low:
                        low = least
                        path = [*self._path(came, at), *self._draws(at, turned)]
                        self.ways[start] = path, (turned, move, places)
                    if low == high:
                        return low, high
                    continue
                after = self.family.apply(turned, move)
                if (key := self.key(after)) not in seen:
                    seen.add(key)
                    came[after] = at, turned, move
                    stack.append(after)
        return low, min(high, max(low, greatest))

    def _path(self, came: dict[Any, tuple[Any, Any, Any]], at: Any) -> list[Any]:
        """The moves that led to ``at``, by the predecessors in ``came``."""
        parts: list[list[Any]] = []
        while at in came:
            before, turned, move = came[at]
            parts.append([*self._draws(before, turned), move])
            at = before
        return [move for part in reversed(parts) for move in part]

    def _draws(self, state: Any, turned: Any) -> list[Any]:
        """The draws that lead from ``state`` to ``turned``."""
        moves = []
        while (state.waste, state.stock) != (turned.waste, turned.stock):
            draw = next(move for move in self.family.legal_moves(state) if move.source == STOCK)
            moves.append(draw)
            state = self.family.apply(state, draw)
        return moves

    # --- Plans ----------------------------------------------------------------------------------------------

    def plan(self, table: Any) -> Plan:
        """The plan of a table whose best chance is 1."""
        if self.is_won(table):
            return Plan(())
        if not unknown_places(table):
            line = self.line(table) or ()
            path, _ = self._to_event(table, line)
            return Plan(self._texts(table, path))
        if table not in self.ways:  # its value came from the same table with columns in another order
            self.most_work, self.end = self.work + 100 * WORK, None  # it was within the limits before
            self._value(table)
        path, event = self.ways[table]
        if event is None:
            return Plan(self._texts(table, path))
        branches = tuple((cards, self.plan(after)) for cards, after in self.outcomes(*event))
        return Plan(self._texts(table, [*path, event[1]]), branches)

    def _texts(self, table: Any, moves: Sequence[Any]) -> tuple[str, ...]:
        texts = []
        for number, move in enumerate(moves, 1):
            texts.append(self.family.format_move(table, move))
            if number < len(moves):
                table = self.family.apply(table, move)
        return tuple(texts)


class WrongPlan(ValueError):  # noqa: N818 - it is the plan that is wrong
    """A plan that does not win in an arrangement of the unknown cards."""


def check_plan(table: Any, plan: Mapping[str, Any], most: int = 5040, watch: Watch | None = None) -> int:
    """Replay ``plan``, as JSON, by the rules for each arrangement of ``table``; return their number. Raises
    WrongPlan for one that is not won, and where there are more than ``most``, and KeyboardInterrupt if
    ``watch`` was stopped."""
    missing = missing_cards(table)
    ways = factorial(len(missing))
    if ways > most:
        raise WrongPlan(f"{ways:,} arrangements: expected at most {most:,}")
    search = _Search(table, 0)
    for order in islice(permutations(missing), ways):
        if watch is not None and watch.was_stopped:
            raise KeyboardInterrupt
        _follow(search, filled(table, order), table, plan)
    return ways


def _follow(search: _Search, state: Any, table: Any, plan: Any) -> None:
    family = search.family
    while True:
        if not isinstance(plan, dict) or not isinstance(plan.get("moves"), list):
            raise WrongPlan("plan: expected an object with moves and then")
        places: list[Any] = []
        cards: list[str] = []
        for text in plan["moves"]:
            try:
                if str(text).startswith("?? "):
                    move = next((m for m in family.legal_moves(state) if m.source == STOCK), None)
                    if move is None:
                        raise ValueError("there is nothing to draw")
                else:
                    move = read_move(search.variant, state, str(text))
                places = turned_up(table, move)
                told = showing(table, state, move)
                table, state = family.apply(told, move), family.apply(state, move)
            except ValueError as error:
                raise WrongPlan(f"move {text}: {error}") from None
            cards = [format_card(card_at(told, place)) for place in places]
        branches = plan.get("then") or []
        if not isinstance(branches, list) or not all(isinstance(each, dict) for each in branches):
            raise WrongPlan("then: expected a list of objects with turned, moves and then")
        if not branches:
            if not search.is_won(state):
                raise WrongPlan("the plan ends before the win")
            return
        plan = next((each for each in branches if each.get("turned") == cards), None)
        if plan is None:
            raise WrongPlan(f"no branch for {' '.join(cards) or 'no card'} turned up")
