"""Tables with unknown cards, compared with brute force by the rules alone."""

import random
import re
import threading
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from winnable.rules import find_variant, has_unknown
from winnable.rules.cards import UNKNOWN
from winnable.rules.formats.partial import read_table
from winnable.rules.formats.text import format_table
from winnable.rules.hidden_cards import STOCK, face_up
from winnable.rules.tables import hidden, put
from winnable.rules.tiers import NO_TIER
from winnable.solver import Limits, unknown_cards
from winnable.solver.analysis.hint import hint
from winnable.solver.player.player import advise
from winnable.solver.progress import Watch
from winnable.solver.unknown_cards import (
    WrongPlan,
    check_plan,
    hint_table,
    rank_moves,
    solve_table,
)

VECTORS = (Path(__file__).parent / "partly_known.txt").read_text(encoding="utf-8").split("# share ")[1:]
GAMES = (
    ("klondike", {}),
    ("klondike", {"draw": "2"}),
    ("klondike", {"worrying_back": "no"}),
    ("klondike-draw-one", {}),
    ("klondike-vegas", {}),
    ("klondike-vegas-one", {}),
    ("klondike-one-pass", {}),
    ("joker", {"exchange": "turned"}),
    ("joker", {"exchange": "exposed"}),
)
DECKS = ((3, "CDHS"), (5, "CD"), (4, "CD"), (5, "CH"), (3, "CDS"), (3, "CH"), (4, "CS"), (4, "CDH"))
SURE = """# game: klondike-draw-one
<??> <??> 2C
KC
KS
Foundations: C-0 D-K H-K S-J
Stock: QS QC JC TC 9C 8C 7C 6C 5C 4C
"""


class TooLarge(Exception):  # noqa: N818 - no error
    """Raised if brute force has too much to search."""


class Brute:
    """Brute force over sets of possible states; such a set shrinks as cards are turned up."""

    def __init__(self, variant, most=4000):
        self.variant, self.family, self.left = variant, variant.family, most
        self.values, self.decided = {}, {}

    def is_won(self, state):
        scoring = self.variant.scoring
        if scoring is None:
            return self.family.is_won(state)
        return scoring.tier_of(self.variant.score(state), state.deck.places) != NO_TIER

    def tick(self):
        self.left -= 1
        if self.left < 0:
            raise TooLarge

    def wins(self, state):
        canonical = self.family.canonical
        seen, stack = {canonical(state)}, [state]
        while stack:
            at = stack.pop()
            if self.decided.get(canonical(at)) is False:
                continue
            self.tick()
            if self.is_won(at):
                return True
            for move in self.family.legal_moves(at):
                after = self.family.apply(at, move)
                if (key := canonical(after)) not in seen:
                    seen.add(key)
                    stack.append(after)
        self.decided.update(dict.fromkeys(seen, False))
        return False

    def share(self, states):
        return Fraction(sum(map(self.wins, states)), len(states))

    def value(self, states):
        if states not in self.values:
            self.values[states] = self._value(states)
        return self.values[states]

    def _value(self, states):
        if len(states) == 1:
            return Fraction(self.wins(next(iter(states))))
        best, seen, stack = Fraction(0), {states}, [states]
        while stack and best < 1:
            held = stack.pop()
            self.tick()
            first = next(iter(held))
            if self.is_won(first):
                return Fraction(1)
            for move in self.family.legal_moves(first):
                parts = {}
                for state in held:
                    after = self.family.apply(state, move)
                    up = tuple(face_up(after, number) for number in range(len(after.columns)))
                    seen_now = (up, after.waste, after.foundations, getattr(after, "jokers", None))
                    parts.setdefault(seen_now, set()).add(after)
                groups = [frozenset(part) for part in parts.values()]
                if len(groups) > 1:
                    best = max(best, sum(len(g) * self.value(g) for g in groups) / len(held))
                elif groups[0] not in seen:
                    seen.add(groups[0])
                    stack.append(groups[0])
        return best


def random_table(seed):
    """A short deck with unknown cards and the set of its possible states, or None."""
    chance = random.Random(seed)
    name, choices = chance.choice(GAMES)
    variant = find_variant(name)
    ranks, suits = chance.choice(DECKS)
    count = len(variant.deck(ranks, suits).cards())
    sizes = [chance.randint(1, 4) for _ in range(chance.choice([2, 3, 3, 4]))]
    if sum(sizes) > count:
        return None
    state = variant.deal(chance.randrange(1 << 40), ranks, suits, sizes, choices or None)
    for _ in range(chance.choice([0, 0, 2, 5, 9])):
        if moves := variant.family.legal_moves(state):
            state = variant.family.apply(state, chance.choice(moves))
    places = [(i, j) for i in range(len(state.columns)) for j in range(state.hidden[i])]
    if chance.random() < 0.5 or len(places) < 2:
        places += [(STOCK, depth) for depth in range(len(state.stock))]
    number = chance.choice([2, 2, 3, 3, 4])
    if len(places) < number:
        return None
    chosen = chance.sample(places, number)
    cards = [(state.stock if pile < 0 else state.columns[pile])[depth] for pile, depth in chosen]
    possible = frozenset(put(state, chosen, order) for order in permutations(cards))
    return variant, put(state, chosen, [UNKNOWN] * number), possible


class Lines(unknown_cards._Search):
    """A search by lines alone, which records if they do not close the bounds."""

    is_open = False

    def _closed(self, table, low, high):
        self.is_open = True
        return low, high


def is_hard(table):
    """Test if lines of single arrangements do not determine the best chance."""
    search = Lines(table, unknown_cards.WORK)
    search.value(table)
    return search.is_open


def compared(seeds, only_hard=False, most=None):
    """Compare the answers; return the number of tables compared, and of those whose chance is below the
    share. With ``only_hard`` tables that lines alone solve are left out; ends after ``most`` tables."""
    count = hard = 0
    for seed in seeds:
        if count == most:
            break
        if (made := random_table(seed)) is None:
            continue
        variant, table, possible = made
        if only_hard and not is_hard(table):
            continue
        result = solve_table(table)
        brute = Brute(variant)
        try:
            share, value = brute.share(possible), brute.value(possible)
        except (TooLarge, RecursionError):
            continue
        text = f"seed {seed}"
        assert Fraction(result.won, result.tried) == share, text
        assert result.chance == (value, value), text
        assert result.certain == {1: "won", 0: "lost"}.get(value), text
        search = unknown_cards._Search(table, 0)
        assert search.is_lost() == (share == 0), text
        if result.plan is not None:
            check_plan(table, result.plan.to_dict())
        count += 1
        hard += value < share
    return count, hard


def table_in(text):
    return read_table(None, text, "x").state


@pytest.mark.parametrize("vector", VECTORS)
def test_tables_have_their_share_best_chance_and_certainty(vector):
    head, _, text = vector.partition("\n")
    share, chance, won, lost = re.match(
        r"(\S+), best chance (\S+), won for certain (\S+), lost for certain (\S+)", head
    ).groups()
    result = solve_table(table_in(text))
    assert Fraction(result.won, result.tried) == Fraction(share)
    assert result.chance == (Fraction(chance), Fraction(chance))
    assert result.certain == ("won" if won == "yes" else "lost" if lost == "yes" else None)
    assert (result.plan is not None) == (won == "yes")


def test_answers_are_those_of_brute_force():
    count, _ = compared(range(20))
    assert count >= 5


@pytest.mark.full
def test_answers_are_those_of_brute_force_in_more_tables():
    count, hard = compared(range(1000, 1300))
    assert count >= 100
    assert hard


@pytest.mark.slow
def test_answers_are_those_of_brute_force_in_many_tables():
    count, hard = compared(range(100_000, 120_000))
    assert count >= 10_000
    assert hard >= 40


@pytest.mark.full
def test_answers_are_those_of_brute_force_where_lines_do_not_tell_them():
    assert compared(range(200_000, 201_500), only_hard=True)[0] >= 5


@pytest.mark.slow
def test_answers_are_those_of_brute_force_in_many_tables_where_lines_do_not_tell_them():
    count, hard = compared(range(200_000, 400_000), only_hard=True, most=500)
    assert count == 500
    assert hard > 100


def test_a_table_keeps_every_written_card_in_text():
    text = """# game: klondike
Ranks: 3
Suits: CDHS
Draw: 2
<3H> <3C> <??> 2C AH
3D
<??> 2S
<??> AS
Foundations: C-0 D-0 H-0 S-0
Stock: AC
Waste: 2H
"""
    table = read_table(None, text, "x").state
    assert has_unknown(table)
    assert "<3H> <3C> <??> 2C AH" in format_table(table)
    assert "Stock: AC\n" in format_table(table)
    assert read_table(None, format_table(table), "x").state == table


def test_unknown_cards_may_lie_in_the_waste():
    text = (
        SURE.replace("<??> <??> 2C", "2C <??>")
        .replace("2C <??>", "2C")
        .replace("Stock: QS QC JC", "Stock: QS QC")
    )
    table = table_in(text + "Waste: ?? ?? JC\n")
    assert table.waste[:2] == (UNKNOWN, UNKNOWN)
    result = solve_table(table)
    assert result.certain == "won"
    assert check_plan(table, result.plan.to_dict()) == 2


def test_a_single_unknown_card_is_filled_in():
    state = read_table(None, SURE.replace("<??> <??> 2C", "<AC> <??> 2C"), "x").state
    assert not has_unknown(state)
    assert state.columns[0] == (0, 8, 4)


def test_a_plan_is_replayed_in_every_arrangement():
    table = table_in(SURE)
    plan = solve_table(table).plan.to_dict()
    assert check_plan(table, plan) == 2
    plan["then"].pop()
    with pytest.raises(WrongPlan, match="no branch for 3C turned up"):
        check_plan(table, plan)


@pytest.mark.parametrize("then", ["x", [5], {"turned": ["AC"]}, 1])
def test_a_plan_without_a_list_of_branches_is_refused(then):
    table = table_in(SURE)
    plan = solve_table(table).plan.to_dict() | {"then": then}
    with pytest.raises(WrongPlan, match="then: expected a list of objects with turned, moves and then"):
        check_plan(table, plan)


def test_moves_of_a_sure_win_are_certain():
    assert {each.chance for each in rank_moves(table_in(SURE))} == {(1, 1)}


@pytest.mark.parametrize("draws", range(4))
def test_the_first_move_of_a_hint_begins_the_plan_or_the_way_to_the_best_chance(draws):
    table = table_in(SURE)
    for _ in range(draws):
        table = table.apply(table.legal_moves()[-1])
    hint = hint_table(table)
    assert hint.options[0].move == hint.answer.plan.moves[0]
    assert [option.chance for option in hint.options] == [(1, 1)] * len(hint.options)
    guess = hint_table(table_in(VECTORS[0].partition("\n")[2]))
    assert guess.options[0].chance == guess.answer.chance == (Fraction(2, 3), Fraction(2, 3))


def test_moves_to_one_position_are_marked():
    options = hint_table(table_in(SURE)).options
    kings = [option for option in options if option.move.startswith("KC 2-")]
    assert [option.is_alike for option in kings] == [False, True, True, True]


def test_samples_give_an_interval():
    state = find_variant("klondike").deal(1)
    result = solve_table(hidden(state), samples=20)
    assert (result.sampled, result.tried, result.unknown) == (True, 20, 45)
    assert result.share[0] < result.won / 20 < result.share[1] or result.won in (0, 20)
    assert result.share[0] < result.share[1]


def test_the_player_refuses_a_short_deck():
    table = read_table(None, VECTORS[0].partition("\n")[2], "x").state
    with pytest.raises(ValueError, match="full deck"):
        advise(table)


def hard_table():
    """A deal of Vegas with six unknown cards, whose 720 arrangements take many seconds."""
    state = find_variant("klondike-vegas").deal(6)
    places = [(column, 0) for column in range(1, 7)]
    return put(state, places, [UNKNOWN] * len(places))


LOST = """# game: klondike
3H
<8C> JD
<3C> <??> 8S
<4C> <TS> <??> 5D
<KD> <??> <TC> <??> KS
<??> <2S> <4S> <QD> <??> 9S
<2H> <??> <6S> <??> <6C> <QC> 2C
Foundations: C-0 D-0 H-0 S-0
Stock: QS 9D 5H 4H JH 3S 5C AS 6D 8D 4D 3D 9H 5S 2D 7C KH KC 8H 7D AC JS QH JC
"""
"""A table with eight unknown cards, lost for certain by a search of positions that calls no kernel."""


class Recorder(Watch):
    """Notes all parts of the progress, and the stages with the states that were counted."""

    def __init__(self):
        super().__init__()
        self.parts, self.stages = [], []

    def at(self, name, number, count):
        super().at(name, number, count)
        self.parts.append(self.part)

    def begin(self, search):
        super().begin(search)
        self.stages.append((search.progress().stage, self.progress().states))


def test_the_progress_tells_of_each_arrangement_and_of_each_position():
    watch = Recorder()
    assert solve_table(table_in(LOST), watch=watch).certain == "lost"
    assert watch.parts == [f"arrangement {number} of 300" for number in range(1, 301)]
    states = [states for stage, states in watch.stages if stage == "search of positions"]
    assert len(states) > 20
    assert states == sorted(set(states))
    watch = Recorder()
    moves = hint_table(hard_table(), Limits(seconds=0.05), watch).options
    assert watch.parts[-len(moves) :] == [
        f"move {number} of {len(moves)}" for number in range(1, len(moves) + 1)
    ]


class StopsAtPositions(Watch):
    """Stops a search when it looks at its third position without a kernel."""

    def __init__(self):
        super().__init__()
        self.seen = 0

    def begin(self, search):
        super().begin(search)
        self.seen += search.progress().stage == "search of positions"
        if self.seen == 3:
            self.stop()


def test_a_search_of_positions_is_stopped_at_once():
    for ask in (solve_table, hint_table):
        watch = StopsAtPositions()
        with pytest.raises(KeyboardInterrupt):
            ask(table_in(LOST), watch=watch)
        assert watch.seen == 3


def test_a_replay_of_a_plan_is_stopped_at_once():
    watch = Watch()
    watch.stop()
    table = table_in(SURE)
    plan = solve_table(table).plan
    with pytest.raises(KeyboardInterrupt):
        check_plan(table, plan.to_dict(), watch=watch)


@pytest.mark.parametrize("ask", [solve_table, hint_table])
def test_seconds_hold_for_answers_and_moves_together(ask):
    found = ask(hard_table(), limits=Limits(seconds=0.05))
    answer = getattr(found, "answer", found)
    assert (answer.certain, answer.reason) == (None, "seconds")
    assert answer.undecided > 0
    assert answer.sentences()[-1] == "the search was ended by the limit of seconds, time by the clock"
    for option in getattr(found, "options", ()):
        assert option.undecided > 0
        assert option.chance == (0, 1)


def test_hints_keep_limits_and_are_stopped():
    table = hard_table()
    assert hint("klondike-vegas", table, limits=Limits(seconds=0.05)).answer.reason == "seconds"
    watch = Watch()
    watch.stop()
    with pytest.raises(KeyboardInterrupt):
        hint("klondike-vegas", table, watch=watch)


def test_a_watch_stops_it():
    watch = Watch()
    threading.Timer(0.1, watch.stop).start()
    with pytest.raises(KeyboardInterrupt):
        solve_table(hard_table(), watch=watch)
