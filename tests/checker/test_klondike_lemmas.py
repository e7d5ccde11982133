"""The theorems of docs/theory/klondike.md that certificates rest on, on all classes of short decks, and their
tempting stronger forms."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial

import pytest
from tests.checker.test_klondike import GAMES, SHAPES, some_position
from tests.deals import SEED, columns_of, known_deals, states_of_play

from winnable.checker.klondike_classes import Deal, Position, Relaxed
from winnable.checker.klondike_dead_ends import is_dead_end
from winnable.rules import Deck, find_variant, klondike
from winnable.rules.cards import parse_card
from winnable.solver import Limits
from winnable.solver.engine import find_kernel

PARKED = [state for *_, state in known_deals("regressions.jsonl", game="klondike", ranks=6)]
"""Decks on which conditions of parking matter."""


class PlainDeal(Deal):
    """The checker's deal with every parking move as a move of its own."""

    def after_parking(self, position, view, relaxed):
        up, left, places, _ = position
        fits = view.fitting(self.kings)
        for card, place in self.place_of.items():
            if card & relaxed.opened & ~relaxed.opening & fits:
                yield "", Position(up, left, places & ~place, None)
        for card in self.names:
            if self.comes_back and card & self.foundations(up).tops & fits:
                yield "", Position(up & ~card, left, places, None)


class UnparkedDeal(Deal):
    """The checker's deal without moves that need parked cards."""

    def after_parking(self, position, view, relaxed):
        return iter(())


def check_least_sets(deal, plain, unparked, here, most=200):
    """K11: test that least sets by their definition are among those enumerated; return how many there are,
    with a card."""
    parked, waiting, found = {here}, [here], defaultdict(dict)
    while waiting and len(parked) < most:
        position = waiting.pop()
        view, relaxed = plain.view(position), plain.relaxed(position.places)
        new = {after for _, after in plain.after_parking(position, view, relaxed)} - parked
        parked |= new
        waiting += new
    if waiting:
        return 0
    for position in parked:
        cards = here.up & ~position.up | deal.cards_at(here.places & ~position.places)
        for card, after in unparked.followers(position):
            raised = after.up & ~position.up
            if not raised & cards:
                found[card, raised, after.places != position.places][cards] = after
    named = {after for _, after in deal.followers(here)}
    least = [
        (cards, after)
        for sets in found.values()
        for cards, after in sets.items()
        if not any(other & cards == other != cards for other in sets)
    ]
    assert {after for _, after in least} <= named, here
    return sum(cards > 0 for cards, _ in least)


def check_steps(state, deal):
    """K1, K2, K3: test that a move leads to the class that a move of the class leads to, or to the same
    class; that a draw opens nothing that the class does not, and the relaxed stock opens all that draws
    do."""
    here = deal.class_of(state)
    named = {after for _, after in deal.followers(here)} | {here}
    plays = dict(deal.plays(here.places, here.waste))
    assert not sum(plays) & ~deal.relaxed(here.places).opened
    assert deal.is_consistent(here)
    for move in klondike.legal_moves(state):
        after = deal.class_of(klondike.apply(state, move))
        if move != klondike.DRAW:
            assert after in named, (state, move)
            continue
        assert after[:3] == here[:3]
        for card, waste in deal.plays(after.places, after.waste):
            assert plays[card][0] <= waste[0]
            assert plays[card][1] == waste[1]


def test_each_move_has_its_counterpart_in_the_class():
    rng = random.Random(SEED)
    for number in range(40):
        state = some_position(rng, GAMES[number % 4])
        deal = Deal(state)
        for here in states_of_play(state, 14, number):
            check_steps(here, deal)


def fewest_moves(deal, root, limit):
    """All classes reachable from ``root``, with the fewest moves from each to a win; None for none. Raises
    OverflowError if there are too many."""
    before, moves, waiting = defaultdict(list), {root: None}, [root]
    while waiting:
        here = waiting.pop()
        for _, after in deal.followers(here):
            before[after].append(here)
            if after not in moves:
                moves[after] = None
                waiting.append(after)
        if len(moves) > limit:
            raise OverflowError
    level, number = {here for here in moves if here.up == deal.deck}, 0
    while level:
        moves |= dict.fromkeys(level, number)
        found = {each for here in level for each in before[here]}
        level, number = {here for here in found if moves[here] is None}, number + 1
    return moves


def check_theorems(state, limit, counts):
    """Test K4, K5 and K11 for all classes reachable from ``state``, exact and of the relaxed stock."""
    deal, plain, unparked = Deal(state), PlainDeal(state), UnparkedDeal(state)
    exact = fewest_moves(deal, deal.start, limit)
    relaxed = fewest_moves(plain, deal.start._replace(waste=None), limit)
    for here, moves in (exact | relaxed).items():
        if here.waste is not None:
            free = relaxed[here._replace(waste=None)]
            assert moves is None or free <= moves
        closed, to_win = deal.closed(here), exact if here.waste is not None else relaxed
        assert moves is None or to_win[closed] <= moves - (closed != here), (state, here)
        counts["safe move up"] += closed != here
        if is_dead_end(deal, here):
            assert moves is None, (state, here)
            counts["dead end"] += 1
        elif here.waste is None and moves:
            counts["won"] += 1
            followers = [relaxed[after] for _, after in deal.followers(here)]
            assert any(after is not None and after < moves for after in followers), (state, here)
            if counts["won"] % 8 == 0:
                counts["least sets"] += check_least_sets(deal, plain, unparked, here)


def compare_theorems(positions, first, limit):
    counts, number = Counter(), first
    while counts["won"] < positions or (len(counts) < 5 and number < first + 100):
        rng = random.Random(number)
        try:
            check_theorems(some_position(rng, GAMES[number % 4], SHAPES[:5] + SHAPES[8:11]), limit, counts)
            counts["decks"] += 1
        except OverflowError:
            pass
        number += 1
    return counts


@pytest.mark.parametrize(
    ("classes", "limit"),
    [(500, 400), pytest.param(6000, 3000, marks=pytest.mark.full),
     pytest.param(10**6, 20_000, marks=pytest.mark.slow)],
)  # fmt: skip
def test_the_theorems_hold_on_short_decks(classes, limit):
    counts = compare_theorems(classes, SEED, limit)
    assert len(counts) == 5, counts


@pytest.mark.parametrize(
    ("heights", "back", "safe"),
    [
        ("0000", "yes", "AC AD AH AS"), ("1000", "yes", "2C AD AH AS"), ("2000", "yes", "AD AH AS"),
        ("2110", "yes", "3C 2D 2H AS"), ("3220", "yes", "AS"), ("3221", "yes", "4C 3D 3H 2S"),
        ("3213", "yes", "3D 2H"), ("3213", "no", "3D 2H"), ("3300", "no", "AH AS"), ("3330", "no", "4C AS"),
        ("3330", "yes", "AS"),
    ],
)  # fmt: skip
def test_safe_cards(heights, back, safe):
    deal = Deal(find_variant("klondike").deal(1, 6, choices={"worrying_back": back}))
    up = sum(sum(suit[: int(height)]) for suit, height in zip(deal.suits, heights, strict=True))
    found = deal.foundations(up).safe
    assert sorted(deal.names[card] for card in deal.names if card & found) == sorted(safe.split())


@pytest.mark.parametrize(
    ("passes", "waste", "plays"),
    [
        ("3", (0, 0), {2: (0, 2), 3: (0, 3)}), ("3", (0, 1), {0: (0, 0), 3: (0, 3), 2: (1, 2)}),
        ("3", (2, 1), {0: (2, 0), 3: (2, 3)}), ("3", (1, 4), {3: (1, 3), 2: (2, 2)}),
        ("1", (0, 2), {1: (0, 1), 3: (0, 3)}), ("unlimited", (0, 1), {0: (0, 0), 3: (0, 0), 2: (0, 2)}),
    ],
)  # fmt: skip
def test_draws_bring_up_each_card_by_the_fewest_redeals(passes, waste, plays):
    state = deck("2C 3C | 2D 3D", "AC AD AH AS 2H 3H 2S 3S", "3")
    deal = Deal(replace(state, choices=klondike.Choices("3", passes, "yes", "kings")))
    assert dict(deal.plays(15, waste)) == {deal.stock[place]: after for place, after in plays.items()}


@pytest.mark.parametrize("state", PARKED)
def test_the_relaxed_stock_wins_what_can_be_won(state):
    deal = Deal(state)
    assert not proves_loss(deal, deal.start._replace(waste=None))


@pytest.mark.parametrize(
    ("columns", "stock", "least"),
    [
        ("AS | 4C AD | 3D AC 5S", "2D AH 5C 2H 5D 2S 4H 3C 3H 4S 3S 2C 4D 5H", 8),
        ("AC | 3S 5D | 4C AD 3D | 5H 5S AS 4H", "3H 4S AH 2C 2S 3C 4D 2H 5C 2D", 3),
    ],
)
def test_all_choices_of_parked_cards_are_made(columns, stock, least):
    state = deck(columns, stock, "1")
    deal, plain, unparked = Deal(state), PlainDeal(state), UnparkedDeal(state)
    assert check_least_sets(deal, plain, unparked, deal.start._replace(waste=None)) == least


def test_plays_open_all_places_above():
    deal = Deal(deck("3D | AD 2H", "AS AC 2C 3S AH 2D 2S 3C 3H", "3"))
    for waste in (None, (0, 0)):
        assert not is_dead_end(deal, deal.start._replace(waste=waste))


# --- Tempting stronger forms, each with the deck that refutes it --------------------------------------------


class SafeStock(Deal):
    """Wrong form: safe cards go up from the exact stock, too."""

    def closed(self, position):
        while True:
            position = super().closed(position)
            safe = self.foundations(position.up).safe
            plays = {} if position.waste is None else dict(self.plays(position.places, position.waste))
            card = next((card for card in plays if card & safe), None)
            if card is None:
                return position
            up, left, places, _ = position
            position = Position(up | card, left, places & ~self.place_of[card], plays[card])


class SafeByOthers(PlainDeal):
    """Wrong form: the heights of the other colour alone make a card safe."""

    def _safe(self, heights):
        self.comes_back = False
        try:
            return super()._safe(heights)
        finally:
            self.comes_back = True


class OpenByNumber(Deal):
    """Wrong form: in the relaxed stock, places are open that this pass would turn up."""

    def is_open(self, places, place):
        gone = (~places & (1 << place) - 1).bit_count()
        is_last = place == len(self.stock) - 1 or not places >> place + 1 & 1
        return (place + 1 - gone) % self.draw == 0 or is_last

    def _relaxed(self, places):
        found = sum(1 << place for place in range(len(self.stock)) if self.is_open(places, place))
        opened = self.cards_at(found & places)
        return Relaxed(opened, opened)


class OpenByDraws(OpenByNumber):
    """Wrong form: a play opens no place below it."""

    def is_open(self, places, place):
        gone = (~places & (1 << place) - 1).bit_count()
        return (place + 1) % self.draw <= gone or place == len(self.stock) - 1


class NothingForLikeCards(Deal):
    """Wrong form: nothing is parked so that a covered card can go up."""

    def after_parking(self, position, view, relaxed):
        return super().after_parking(position, view._replace(face_up=view.bases & 3 * view.bare), relaxed)


class OneParked(Deal):
    """Wrong form: only one card is parked."""

    def parked_sets(self, *told):
        return (cards for cards in super().parked_sets(*told) if cards.bit_count() < 2)


class NothingOpening(Deal):
    """Wrong form: all moves from the stock to columns are deferrable."""

    def _relaxed(self, places):
        return super()._relaxed(places)._replace(opening=0)


class NothingBack(Deal):
    """Wrong form: no card comes back from a foundation in the game of dead ends."""

    def is_dead_end(self, position):
        self.comes_back = False
        try:
            return is_dead_end(self, position)
        finally:
            self.comes_back = True


def proves_loss(deal, position):
    """Test if the moves of ``deal`` lead from a position to no win."""
    dead_end = getattr(deal, "is_dead_end", partial(is_dead_end, deal))
    seen, waiting = set(), [deal.closed(position)]
    while waiting:
        here = waiting.pop()
        if here.up == deal.deck:
            return False
        if here not in seen and not dead_end(here):
            seen.add(here)
            waiting += [deal.closed(after) for _, after in deal.followers(here)]
    return True


def deck(columns, stock, draw):
    columns = columns_of(columns)
    stock = tuple(map(parse_card, stock.split()))
    count = sum(map(len, columns)) + len(stock)
    return klondike.start("klondike", Deck(count // 4), columns, stock, klondike.Choices(draw=draw))


STRONGER = [
    (SafeStock, 0, "3C | 2D 4S | 2H 4C 3S", "AC 2S AD 4D 2C AS 3H AH 4H 3D", "3"),
    (OpenByNumber, 1, "3S | 4H 5S | 2S 2D 4C | 4S AS 3D 5D", "3H 3C AC 5H 2H AD AH 2C 4D 5C", "3"),
    (OpenByDraws, 1, "3H | 2D AC | AD 3D 2C", "2H AH AS 4S 3S 2S 4C 3C 4D 4H", "3"),
    (
        NothingForLikeCards, 1, "5S | AC 2H | 6S 3D AD | 4H 6C 4S AS | AH 6D 6H 5C 3C",
        "3S 3H 2D 2S 2C 4C 5H 5D 4D", "1",
    ),
    (
        OneParked, 1, "4C | AH 2H | AC AS 3C | 5D 2D AD 5H", "2S 4H 5S 5C 3S 4S 3H 2C 3D 4D", "1",
    ),
    (NothingOpening, 1, "AH | 4C 3C | AD 4D 2S | 2D 4S 3H AS", "2H 3S 2C AC 3D 4H", "3"),
    (NothingBack, 1, "2S | 2D 3C | AC 4H 4C | AS 4D 2C 3S", "AH 3H AD 2H 3D 4S", "1"),
    (
        SafeByOthers, 1, "AH | 3S 2S | 4H 6H 5C | 2H 4C 6C 6S | 4D 6D AD 2D 5S",
        "3C AS AC 3D 4S 2C 5D 3H 5H", "1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("form", "relaxed", "columns", "stock", "draw"), STRONGER)
def test_stronger_forms_would_prove_what_is_false(form, relaxed, columns, stock, draw):
    state = deck(columns, stock, draw)
    assert find_kernel(find_variant("klondike"))(Limits()).solve(state).won
    for deal, is_proved in ((Deal(state), False), (form(state), True)):
        start = deal.start._replace(waste=None) if relaxed else deal.start
        assert proves_loss(deal, start) == is_proved, form
