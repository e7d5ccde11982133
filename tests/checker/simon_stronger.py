"""Tempting stronger forms of the lemmas of clauses that are wrong, by the labels of docs/theory/simon.md.

Each is a mutant of the test of a condition; `is_wrong` tells whether it accepts a clause that a line makes
false.
"""

from winnable.checker.simon_order import Order, _in_turn, first, last
from winnable.checker.simon_places import ALWAYS, Places, opposite, opposites, wasteful
from winnable.checker.simon_room import Room
from winnable.checker.simon_singles import restless, singles, stays, visit
from winnable.rules.cards import format_card, rank_of, suit_of


class KingsNeedMovedCards(Room):
    """A king leaves only if a copy of each lower card has left its place, attached or not."""

    def _is_complete(self, king, gone):
        return all(
            any(place in gone for place in places)
            for card, places in self.places.copies.items()
            if suit_of(card) == suit_of(self.places.card[king]) and rank_of(card) < self.places.deck.ranks - 1
        )


class OpenOnlyInPlace(Room):
    """A card that has left its place is no target."""

    def _is_open(self, place, gone):
        return place not in gone and super()._is_open(place, gone)


class NoColumnIsEmptied(Room):
    """Only columns that are empty in the deal are targets."""

    def _is_empty(self, column, gone):
        return not column


class AttachedCardsStay(Room):
    """An attached card does not leave its place."""

    def _gone(self, known):
        return super()._gone(known | {opposite(wasteful(place)) for place in self.places.attached})


class Edges(Order):
    """An order with other edges of single cards."""

    def _of_cards(self):
        yield from super()._of_cards()
        yield from self.more()

    def more(self):
        return ()


class AboveMovesNoMore(Edges):
    """Cards above X make their last move before the first one of X."""

    def more(self):
        return [
            (last(above), first(place), self._moves(place))
            for place in range(len(self.places.card))
            for above in self.places.above[place][:1]
        ]


class ArrivalsAreFirst(Edges):
    """Cards above the card on which X ends leave their place before the first move of X."""

    def more(self):
        return [
            (before, first(event[1]), guards)
            for place in self.places.heads
            for before, event, guards in self._arrivals(place, ALWAYS)
        ]


class AnyCopy(Edges):
    """Cards above either copy of the next higher card leave their place before X comes."""

    def more(self):
        return [
            (before, event, guards - self.places.lies_on(place, end))
            for place in self.places.heads
            for end in self.places.ends(place)
            for before, event, guards in self._arrivals(place, ALWAYS)
        ]


class AttachedEndsBefore(Edges):
    """The card attached to Y makes its last move before the last of X, which ends on Y."""

    def more(self):
        return [
            (last(before[1]), event, guards)
            for place in range(len(self.places.card))
            if place not in self.places.kings
            for before, event, guards in self._arrivals(place, self._moves(place))
            if before[1] in self.places.attached
        ]


class KingsMoveLast(Edges):
    """A king leaves its place only after the last moves of the cards that leave with it."""

    def more(self):
        return [(before, first(event[1]), guards) for before, event, guards in self.edges_of_kings()]

    def edges_of_kings(self):
        for edge in Order._of_cards(self):
            if edge[0][0] == "last" and edge[1][1] in self.places.kings:
                yield edge


class AnyKing(KingsMoveLast):
    """A card makes its last move before either king of its suit leaves."""

    def more(self):
        return [(before, event, self._moves(before[1])) for before, event, guards in self.edges_of_kings()]


class AboveVisitedIsLast(Order):
    """Cards above T make their last move before X visits T."""

    def _of_stop(self, place, target, guards):
        yield from super()._of_stop(place, target, guards)
        for above in self.places.above[target][:1]:
            yield last(above), first(place), guards


class AttachedToVisitedIsLast(Order):
    """The card attached to T makes its last move before X visits T."""

    def _of_stop(self, place, target, guards):
        yield from super()._of_stop(place, target, guards)
        attached = self.places.attached_to(target)
        if attached is not None:
            yield last(attached), first(place), guards


class EndsStartLater(Order):
    """A card that ends on T makes its first move after the visit of X to T."""

    def _of_stop(self, place, target, guards):
        yield from super()._of_stop(place, target, guards)
        for child in range(len(self.places.card)):
            if child not in {place, *self.places.kings} and target in self.places.ends(child):
                there = self.places.lies_on(child, target) | self._moves(child)
                yield last(place), first(child), guards | there


class VisitsOfOwnSuit(Order):
    """A card does not move while one of its own suit visits it."""

    def _of_stop(self, place, target, guards):
        yield from super()._of_stop(place, target, guards)
        yield from self._pauses(place, target, guards)


class HeadsPauseAnyway(Order):
    """The head of T does not move while X visits T, even if T does not stay."""

    def _pauses(self, place, target, guards):
        for before, event, more in super()._pauses(place, target, guards):
            yield before, event, more - {stays(target)}


class CopiesTakeTurns(Order):
    """Cards that visit copies of one card do it one after the other."""

    def _of_visits(self, known):
        yield from super()._of_visits(known)
        card = self.places.card
        visits = [name for name, is_so in known if is_so and self._is_visit(name) and name[2] == "card"]
        for one in visits:
            for other in visits:
                if other[1] < one[1] and card[one[3]] == card[other[3]]:
                    yield from _in_turn(one[1], other[1], frozenset({(one, True), (other, True)}))


class ColumnsAfterLast(Order):
    """The deepest card of a column makes its last move before X visits that column."""

    def _of_visits(self, known):
        for before, event, guards in super()._of_visits(known):
            yield before, event, guards
            if len(guards) == 1 and next(iter(guards))[0][2:3] == ("column",):
                yield last(before[1]), event, guards


def come_back(places):
    """An attached card that moves comes back."""
    return [{opposite(wasteful(x)), (("back", x), True)} for x in places.attached]


def stay_alone(places):
    """An attached card stays unless it is `wasteful`."""
    return [{stays(x), wasteful(x)} for x in places.attached]


def leave_as_they_end(places):
    """A card leaves with the first king if and only if its first copy ends on a first copy."""
    for card, copies in places.copies.items():
        if len(copies) == 2 and rank_of(card) < places.deck.ranks - 2:
            ends, leaves = (((word, format_card(card)), True) for word in ("ends", "leaves"))
            yield from ({ends, opposite(leaves)}, {opposite(ends), leaves})


def heads_on_cards_beneath(places):
    """Heads with the cards beneath them in their columns on which they may end."""
    return ((head, end) for head in places.heads for end in places.ends(head) if head in places.above[end])


def own_cover_is_restless(places):
    """A head that ends on a card beneath it is `restless`."""
    pairs = heads_on_cards_beneath(places)
    return (opposites(places.lies_on(head, end)) | {restless(head)} for head, end in pairs)


def own_cover_of_any_copy(places):
    """A head that ends on a card beneath it in its column is `wasteful`, whichever copy that is."""
    return ({wasteful(head)} for head, _ in heads_on_cards_beneath(places))


def visits_without(places, word):
    """The clauses that say that a card makes a visit, without their truths of a word."""
    for clause in singles(places):
        if any(name[0] == "visit" and is_so for name, is_so in clause):
            yield {truth for truth in clause if truth[0][0] != word}


def never_restless(places):
    """A card that is `wasteful` makes a visit, `restless` or not."""
    return visits_without(places, "restless")


def attached_visit_always(places):
    """An attached card that is `wasteful` and not `restless` makes a visit, wherever it ends."""
    return visits_without(places, "ends")


def no_visits(places, condition):
    """No card visits another where ``condition`` holds for their places."""
    every = range(len(places.card))
    return ({opposite(visit(x, "card", y))} for x in every for y in every if condition(x, y))


def no_own_column(places):
    """An attached card visits neither its own column nor a card beneath it."""
    column = places.column_of
    yield from ({opposite(visit(x, "column", column[x]))} for x in places.attached)
    yield from no_visits(places, lambda x, y: x in places.attached and column[x] == column[y] and y < x)


def no_own_suit(places):
    """No card visits one of its own suit."""
    kings, card = places.kings, places.card
    return no_visits(places, lambda x, y: x not in kings and card[y] == places.next_higher(x))


def no_covered_goal(places):
    """No card visits one to which a card is attached."""
    return no_visits(places, lambda _, y: places.attached_to(y) is not None)


def end_where_they_stayed(places):
    """An attached card that ends where it lies is not `wasteful`."""
    return [opposites(places.lies_on(x, x - 1)) | {opposite(wasteful(x))} for x in places.attached]


STRONGER = [
    # room
    (KingsNeedMovedCards, 1, "3D 3C 2C|AD 2D AC", "AC 2-1, 2D 2-1, AD 2-1"),
    (OpenOnlyInPlace, 1, "AH 2H|3H", "2H 1-2, AH 1-2"),
    (NoColumnIsEmptied, 1, "2C|AC 3C", "2C 1-2, 3C 2-1, AC 2-1"),
    (AttachedCardsStay, 2, "2D AD|3D AD 3D 2D", "AD 1-2, AD 2-1, 2D 1-2"),
    # order of moves
    (AboveMovesNoMore, 1, "AC 3C 2C|", "3C 1-2, AC 1-2"),
    (ArrivalsAreFirst, 1, "|3H AH 2H", "2H 2-1, AH 2-1, 2H 1-2"),
    (AnyCopy, 2, "2C AC AC|2C", "AC 1-2"),
    (AttachedEndsBefore, 2, "3D 3D 2D|2D AD AD|", "2D 1-3, AD 2-3, 2D 2-1, 2D 3-1"),
    (KingsMoveLast, 1, "AC 3C 2C|", "3C 1-2, AC 1-2"),
    (AnyKing, 2, "AC AC|2C 2C", "AC 1-2, AC 1-2"),
    (AboveVisitedIsLast, 1, "2C 2D|AC AD|", "2D 1-3, AD 2-1, AD 1-3, AC 2-1"),
    (AttachedToVisitedIsLast, 1, "3D|3C 2C|AC AD 2D",
     "2C 2-1, 2D 3-2, AD 3-2, AC 3-1, 2C 1-3, 2D 2-1, 3C 2-1, 2C 3-2, 3C 1-3, 3C 3-1, 2C 2-1"),
    (EndsStartLater, 1, "2D|2C|AD AC", "AC 3-1, AD 3-2, AC 1-3, AD 2-1, AC 3-2"),
    (VisitsOfOwnSuit, 2, "AD|AD 3D|3D 2D 2D", "AD 1-3, 2D 3-1, 2D 3-2, AD 1-2, 2D 1-3, AD 2-3"),
    (HeadsPauseAnyway, 1, "AH 3H|2H 3C 2C||AC",
     "3H 1-3, 2C 2-3, AH 1-3, AC 4-1, AC 1-4, 3C 2-1, AH 3-2, 2C 3-1, 2H 2-3, AC 4-1"),
    (CopiesTakeTurns, 2, "2D 2H|2D|AH AD AD|AH 2H",
     "AD 3-1, AD 3-4, AD 1-2, AH 3-1, AD 4-1, 2H 4-1, AH 4-1"),
    (ColumnsAfterLast, 1, "3C||2C AC", "3C 1-2, 2C 3-1, 2C 1-2"),
    # wasted moves
    (leave_as_they_end, 2, "AD 3D|3D 2D 2D AD", "2D 2-1, AD 1-2"),
    (end_where_they_stayed, 1, "3H 2H||AH", "2H 1-2, 2H 2-1, AH 3-1"),
    (come_back, 2, "2D AD|3D AD 3D 2D", "AD 1-2, AD 2-1, 2D 1-2"),
    (stay_alone, 1, "||3C 2C AC 4C", "4C 3-2, 2C 3-1, 3C 3-2, 2C 1-2"),
    (own_cover_is_restless, 1, "|3H AH 2H", "2H 2-1, AH 2-1, 2H 1-2"),
    (own_cover_of_any_copy, 2, "2C AC AC|2C", "AC 1-2"),
    (no_own_suit, 2, "3C 2C|2C|3C AC AC", "AC 3-2, AC 2-1, AC 3-2, 2C 2-3"),
    (no_covered_goal, 1, "3D|3C 2C|AC AD 2D",
     "2C 2-1, 2D 3-2, AD 3-2, AC 3-1, 2C 1-3, 2D 2-1, 3C 2-1, 2C 3-2, 3C 1-3, 3C 3-1, 2C 2-1"),
    (never_restless, 1, "3H 2H||AH", "AH 3-2, AH 2-3, AH 3-1"),
    (attached_visit_always, 2, "2D AD|3D AD 3D 2D", "AD 1-2, AD 2-1, 2D 1-2"),
    (no_own_column, 1, "3H 2H||AH", "3H 1-2, 2H 2-1, AH 3-1, 2H 1-2"),
]  # fmt: skip
"""Each with the decks of its game, columns, and a line that it would contradict."""


def is_wrong(form, places: Places, truths):
    """True if a form accepts a clause that is false where just ``truths`` are true."""
    if isinstance(form, type):
        return form(places).holds(opposites(truths))
    return any(opposites(frozenset(clause)) <= truths for clause in form(places))
