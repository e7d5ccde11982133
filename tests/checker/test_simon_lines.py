"""Clauses of certificates compared with winning lines: no line makes an accepted clause false."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from tests.checker.simon_clauses import GAMES, LEMMAS, by_clauses, proof_of, winnable_decks
from tests.checker.simon_stronger import STRONGER, is_wrong
from tests.deals import SEED, laid_out, sizes

from winnable.checker.simon_clauses import Wasted
from winnable.checker.simon_order import Order
from winnable.checker.simon_places import Places
from winnable.checker.simon_room import Room
from winnable.checker.simon_singles import singles
from winnable.rules import simon
from winnable.rules.cards import format_card, parse_card, rank_of, suit_of
from winnable.solver import Limits, find_shortest

kernel = pytest.importorskip("winnable.solver.simon.kernel", reason="no compiled engine")


class Told:
    """A line that wins, and the values of the variables of clauses for it."""

    def __init__(self, state, moves):
        self.places = Places(state)
        self.ranks = state.deck.ranks
        self.moved = {place: [] for place in range(len(self.places.card))}
        self.put, self.end, self.king, self.gone = {}, {}, {}, {}
        self.columns = [list(column) for column in self.places.columns]
        self.time = 0
        for move in moves:
            self.move(move)
        assert not any(self.columns)

    def move(self, move):
        self.time += 1
        run = self.columns[move.source][-move.count :]
        del self.columns[move.source][-move.count :]
        target = self.columns[move.target]
        where = ("card", target[-1]) if target else ("column", move.target)
        self.moved[run[0]].append((self.time, where))
        target += run
        for column in self.columns:
            while self.is_complete(column[-self.ranks :]):
                self.time += 1
                run = column[-self.ranks :]
                del column[-self.ranks :]
                for below, card in pairwise(run):
                    self.end[card], self.king[card] = below, run[0]
                self.gone[run[0]] = self.time

    def is_complete(self, run):
        cards = [self.places.card[place] for place in run]
        is_whole = [rank_of(card) for card in cards] == [*range(self.ranks)][::-1]
        return is_whole and len({suit_of(card) for card in cards}) == 1

    def first(self, place):
        return self.moved[place][0][0] if self.moved[place] else self.gone.get(place, 0)

    def last(self, place):
        if place in self.places.kings:
            return self.gone[place]
        return self.moved[place][-1][0] if self.moved[place] else 0

    def extra(self, place):
        """Moves beside those that there must be."""
        return len(self.moved[place]) - (place in self.places.heads)

    def is_first(self, place):
        return self.places.copies[self.places.card[place]][0] == place

    def holds(self, name):
        word, *rest = name
        if word in ("ends", "leaves"):
            place = self.places.copies[parse_card(rest[0])][0]
            return self.is_first((self.end if word == "ends" else self.king)[place])
        place, *rest = rest
        most = len(self.columns if "column" in rest else self.places.card)
        if place >= len(self.places.card) or any(isinstance(each, int) and each >= most for each in rest):
            return None  # it says nothing of this deal: what is let pass must hold without it
        wasteful = self.extra(place) > 0
        restless = self.extra(place) >= (3 if place in self.places.attached else 2)
        if word == "wasteful":
            return wasteful
        if word == "restless":
            return restless
        if word == "back":
            return wasteful and self.end[place] == place - 1
        if word == "stays":
            beneath = place - 1
            return not wasteful and (beneath not in self.places.attached or self.holds(("stays", beneath)))
        if word == "visit":
            is_away = len(self.moved[place]) > (place not in self.places.kings)
            return wasteful and not restless and is_away and self.moved[place][0][1] == tuple(rest)
        if word == "before":
            event = self.first if rest[0] == "first" else self.last
            return event(rest[1]) < self.first(place)
        assert word == "sooner"
        return self.last(place) < self.first(rest[0])

    def names(self):
        """Every unknown that a deal has, but sums."""
        places = range(len(self.places.card))
        attached, kings = self.places.attached, self.places.kings
        for card, copies in self.places.copies.items():
            if len(copies) == 2 and copies[0] not in kings:
                yield "ends", format_card(card)
                if rank_of(card) < self.ranks - 2:
                    yield "leaves", format_card(card)
        for place in places:
            yield from (("wasteful", place), ("restless", place))
            yield from (("back", place), ("stays", place)) if place in attached else ()
            yield from (("visit", place, "card", other) for other in places)
            yield from (("visit", place, "column", column) for column in range(len(self.places.columns)))
            for other in places:
                if other != place:
                    yield from (("before", place, word, other) for word in ("first", "last"))
                    yield "sooner", place, other

    def truths(self):
        """All that is so in this line, or not so."""
        return frozenset((name, self.holds(name)) for name in self.names())

    def costs(self):
        return [name for name in Wasted(self.places, ()).costs() if self.holds(name)]


def truth_of(told, proof):
    """The value of a name, or of a sum of costs, for a line."""

    def holds(name):
        if name[0] != "sum":
            return told.holds(name)
        _, core, first, count, least = name
        costs = proof.truths_in_order(proof.cores[core - 1])[first : first + count]
        return sum(holds(cost) for cost, _ in costs) >= least

    return holds


def lines_of(state, choice, count):
    """Lines that win: one by the search, a shorter one, and others with detours, moves at random from any of
    their positions on."""
    yield find_shortest(state.variant, state, Limits(work=20_000)).moves
    for number in range(1, count):
        moves = wandering_line(state, choice, 4 if number > 1 else 0)
        if moves is not None:
            yield moves


def wandering_line(state, choice, detours):
    """A line with so many detours at the most; None where one of them leads to a loss."""
    moves = []
    for detour in range(detours + 1):
        found = kernel.SimonKernel(Limits()).solve(state)
        if found.moves is None:
            return None
        is_last = detour == detours or not found.moves
        ahead = list(found.moves) if is_last else list(found.moves[: choice.randint(0, len(found.moves))])
        for move in ahead:
            state = simon.apply(state, move)
        moves += ahead
        for _ in range(0 if is_last else choice.randint(1, 6)):
            legal = simon.legal_moves(state)
            if legal and not simon.is_won(state):
                moves.append(choice.choice(legal))
                state = simon.apply(state, moves[-1])
        if simon.is_won(state):
            break
    return moves


def compare_with_lines(first, decks):
    """All clauses of certificates hold for all lines."""
    counts = Counter()
    for number, state, _ in winnable_decks(first, decks):
        choice = random.Random(number)
        proof = proof_of(by_clauses(state))
        lines = [Told(state, moves) for moves in lines_of(state, choice, 6)]
        truths = [truth_of(told, proof) for told in lines]
        for clause in (proof.truths_in_order(clause + 1) for clause in range(len(proof.clauses))):
            for holds in truths:
                assert any(holds(name) == is_so for name, is_so in clause), (number, clause)
                counts["clauses"] += 1
        for told, holds in zip(lines, truths, strict=True):
            cores = [proof.truths_in_order(core) for core in proof.cores]
            assert all(any(holds(name) for name, _ in core) for core in cores)
            assert len(told.costs()) >= len(cores), number
            counts["lines"] += 1
    return counts


def compare_all_that_is_let_pass(first, decks, lines=5):
    """No condition lets pass the clause that says the opposite of all that is so in a line, also not with
    literals that mean nothing, and nor does it any part of that. As with more that is known they let pass
    more, no clause is let pass that the line makes false."""
    counts = Counter()
    for number, deal, _ in winnable_decks(first, decks):
        choice = random.Random(number)
        for state in begun(deal, choice):
            places = Places(state)
            given = [*singles(places)]
            order, room = Order(places), Room(places)
            for moves in lines_of(state, choice, lines):
                told = Told(state, moves)
                truths = told.truths()
                clause = frozenset((name, not is_so) for name, is_so in truths)
                part = frozenset(truth for truth in clause if choice.random() < 0.35)
                for accepted in (clause, clause | meaningless(places, choice), part):
                    assert not order.holds(accepted), number
                    assert not room.holds(accepted), number
                assert all(clause & truths for clause in given), number
                assert len(moves) >= len(places.heads) + len(told.costs()), number
                counts.update(name[0] for name, is_so in truths if is_so)
                counts["lines"] += 1
                counts["one copy of two"] += state.deck.copies == 2 and 1 in map(len, places.copies.values())
    return counts


def begun(state, choice):
    """The position, and one of a line from it on where some runs have left, if there is one."""
    yield state
    cards = sum(map(len, state.columns))
    for move in kernel.SimonKernel(Limits()).solve(state).moves:
        state = simon.apply(state, move)
        if sum(map(len, state.columns)) < cards and any(state.columns) and choice.random() < 0.7:
            yield state
            return


def meaningless(places, choice):
    """Literals of names that mean nothing in a deal, in either sign: what is let pass must not need them."""
    cards, columns = len(places.card), len(places.columns)
    place, other = choice.randrange(cards), choice.randrange(cards)
    texts = {format_card(card) for card, copies in places.copies.items() if len(copies) == 1}
    names = [
        ("wasteful", cards + place), ("wasteful", place, other), ("wasteful", f"{place}"), ("wasteful",),
        ("",), ("restless", cards), ("visit", place, "card", cards), ("visit", cards, "card", other),
        ("visit", place, "column", columns), ("visit", place, "column"), ("visit", place, other, "card"),
        ("visit", place, "card", "0"), ("before", place, "middle", other), ("before", place, other),
        ("before", place, "first", cards), ("sooner", place, cards), ("sooner", place), ("sum", 1, 0, 1, 1),
        ("ends", place), ("ends", "XB"), ("leaves", "XB"), ("known", place), (),
        *((word, text) for word in ("ends", "leaves") for text in texts),
        *((word, head) for word in ("stays", "back") for head in places.heads | places.kings),
        *(("ends", format_card(places.card[king])) for king in places.kings),
        *(("leaves", format_card(card)) for card in places.card if rank_of(card) >= places.deck.ranks - 2),
    ]  # fmt: skip
    return frozenset((name, choice.random() < 0.5) for name in names)


@sizes(10, full=80, slow=5000)
def test_no_clause_is_let_pass_that_a_line_makes_false(deals):
    counts = compare_all_that_is_let_pass(SEED, deals)
    words = ("wasteful", "restless", "back", "stays", "visit", "before", "sooner", "ends", "leaves")
    words = (*words, "one copy of two")
    assert deals < 80 or min(counts[word] for word in words) > 2, counts


VISITING = [
    ("||2C 6C|5C|AC 4C 3C",
     "4C 5-1, 6C 3-2, AC 5-3, 3C 1-5, 4C 1-4, 3C 5-4, 5C 4-2, 2C 3-2", ("visit", 5, "column", 4)),
    ("4D 4C 3C|5C|5D|3D 2C AC 2D AD",
     "4C 1-3, 3C 3-1, 3C 1-3, 4C 3-2, 4D 1-3, 2D 4-2, 2C 4-1, 3D 4-3, 2D 2-3, 2C 1-2",
     ("visit", 2, "card", 0)),
    ("2C 2C|AC|3C|4C|4C 3C|AC",
     "AC 2-1, 2C 1-3, AC 3-1, 2C 3-5, AC 6-5, 3C 3-4, 2C 1-4", ("visit", 2, "card", 1)),
]  # fmt: skip
"""Columns, a line, and a visit in it: to the column that the card has left with others, to a card there, and
to a card of its own suit, which moves meanwhile."""


def told_by_hand(start, line):
    """A line that is written as moves with commas between them."""
    state, moves = start, []
    for text in line.split(", "):
        moves.append(simon.parse_move(state, text))
        state = simon.apply(state, moves[-1])
    return Told(start, moves)


@pytest.mark.parametrize(("columns", "line", "visit"), VISITING)
def test_lines_with_visits_are_possible(columns, line, visit):
    start = laid_out(columns, "simon-jester" if columns.count("AC") == 2 else "simple-simon")
    truths = told_by_hand(start, line).truths()
    assert (visit, True) in truths
    assert all(clause & truths for clause in singles(Places(start)))
    assert not Order(Places(start)).holds(frozenset((name, not is_so) for name, is_so in truths))


VISITS = {
    "2C": ["3D", "3H", 0, 1, 2], "AC": ["2D", "2H", 0, 2], "2D": ["3C", "3H", 0, 1],
    "AD": ["2C", "2H", 0, 1, 2], "3H": [0, 1], "AH": ["2C", 0, 1], "2H": ["3C", "3D", 0, 1],
}  # fmt: skip


def test_visits_by_hand():
    """Kings that are the deepest of their columns make none. 2C and AD are attached."""
    places = Places(laid_out("3C 2C|3D AC|2D AD 3H AH 2H"))
    visits = {}
    for name in sorted({name for clause in singles(places) for name, _ in clause if name[0] == "visit"}):
        goal = format_card(places.card[name[3]]) if name[2] == "card" else name[3]
        visits.setdefault(format_card(places.card[name[1]]), []).append(goal)
    assert visits == VISITS


def test_costs_by_hand():
    """2C and AD are attached."""
    costs = Wasted(Places(laid_out("3C 2C|3D AC|2D AD 3H AH 2H")), LEMMAS).costs()
    wanted = [(word, place) for word in ("wasteful", "restless") for place in range(9)]
    assert sorted(costs) == sorted([*wanted, ("back", 1), ("back", 5)])


def test_of_two_copies_the_one_that_a_card_lies_on_is_not_visited():
    given = singles(Places(laid_out("3C 2C|3C|2C AC AC", "simon-jester")))
    visits = {name for clause in given for name, _ in clause if name[:2] == ("visit", 1)}
    assert visits == {("visit", 1, "card", 2), *(("visit", 1, "column", column) for column in range(3))}


def test_attached_cards_have_events_only_if_they_are_wasteful():
    """AD cannot visit 2C before 5C has left its place. If AC moves, it ends on 2C after that visit, and 5C
    leaves its place still later, if it does so but to leave the game."""
    order = Order(Places(laid_out("AD 5C|3C 2C AC|5D 4D 3D 2D 4C")))
    clause = {(("visit", 0, "card", 3), False), (("wasteful", 1), True)}
    assert not order.holds(frozenset(clause))
    assert order.holds(frozenset({*clause, (("wasteful", 4), False)}))


@pytest.mark.parametrize(("form", "copies", "columns", "line"), STRONGER)
def test_stronger_forms_are_wrong(form, copies, columns, line):
    start = laid_out(columns, GAMES[copies])
    assert is_wrong(form, Places(start), told_by_hand(start, line).truths())


@sizes(20, full=40, slow=5000)
def test_clauses_hold_for_lines(deals):
    counts = compare_with_lines(SEED, deals)
    assert min(counts["clauses"], counts["lines"]) >= 0.04 * deals, counts
