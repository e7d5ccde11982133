"""The condition *single* of clauses: wasted moves of single cards; see `simon_clauses`.

Theorem S11 of docs/theory/simon.md has the proofs, by the rows named here.
"""

from collections.abc import Iterator
from itertools import combinations

from ..rules.cards import rank_of
from .clauses import Truth
from .simon_places import Guards, Places, opposite, opposites, wasteful

Clause = frozenset[Truth]


def singles(places: Places) -> Iterator[Clause]:
    """All clauses."""
    yield from _leavings(places)
    for place in range(len(places.card)):
        if place in places.attached:
            yield from _of_attached(places, place)
        if place in places.heads:
            yield from _own_cover(places, place)
        yield frozenset({opposite(restless(place)), wasteful(place)})  # S11f
        if place not in places.kings or not places.is_deepest(place):
            yield from _visits(places, place)


def restless(place: int) -> Truth:
    """That a card is restless."""
    return ("restless", place), True


def stays(place: int) -> Truth:
    """That an attached card is not wasteful, nor one that it is attached to."""
    return ("stays", place), True


def visit(place: int, *goal: str | int) -> Truth:
    """That a card lies on another, or in a column that was empty, between its first move and its last one."""
    return ("visit", place, *goal), True


def _leavings(places: Places) -> Iterator[Clause]:
    """A card leaves with the first king if it ends on one that does: on the first copy if this does, on the
    second if not: S11a."""
    for card, copies in places.copies.items():
        if len(copies) == 1 or rank_of(card) >= places.deck.ranks - 2:
            continue
        (leaves,) = places.leaves_with(copies[0], places.copies[card % 4 + 4 * (places.deck.ranks - 1)][0])
        (ends,) = places.lies_on(copies[0], places.ends(copies[0])[0])
        upper = places.ends(copies[0])[0]
        (higher,) = places.leaves_with(upper, places.copies[card % 4 + 4 * (places.deck.ranks - 1)][0])
        for one in (ends, opposite(ends)):
            for other in (higher, opposite(higher)):
                both = leaves if (one == ends) == (other == higher) else opposite(leaves)
                yield frozenset({opposite(one), opposite(other), both})


def _of_attached(places: Places, place: int) -> Iterator[Clause]:
    """An attached card not wasteful ends where it lies; one that is, and does, was away: S11b to S11d."""
    there = places.lies_on(place, place - 1)
    if there:
        yield there | {wasteful(place)}
    yield opposites(there) | {opposite(wasteful(place)), (("back", place), True)}
    below = {opposite(stays(place - 1))} if place - 1 in places.attached else set()
    yield frozenset({stays(place), wasteful(place)} | below)


def _own_cover(places: Places, head: int) -> Iterator[Clause]:
    """A head that ends on a card beneath it in its column is wasteful: S11e."""
    for end in places.ends(head):
        if head in places.above[end]:
            yield opposites(places.lies_on(head, end)) | {wasteful(head)}


def _visits(places: Places, place: int) -> Iterator[Clause]:
    """A card that is wasteful, not restless, visits one thing; an attached one, if it ends where it lies:
    S11g to S11k."""
    visits = []
    for target in range(len(places.card)):
        if not may_visit(places, place, target):
            continue
        visits.append(visit(place, "card", target))
        if place not in places.kings and target in places.ends(place):
            yield frozenset({opposite(visits[-1])}) | opposites(places.lies_on(place, target))
        attached = places.attached_to(target)
        if attached is not None:
            yield frozenset({opposite(visits[-1]), wasteful(attached)})
    for column in range(len(places.columns)):
        if may_visit_column(places, place, column):
            visits.append(visit(place, "column", column))
    for each in visits:
        yield frozenset({opposite(each), wasteful(place)})
        yield frozenset({opposite(each), opposite(restless(place))})
    for one, other in combinations(visits, 2):
        yield frozenset({opposite(one), opposite(other)})
    there: Guards = places.lies_on(place, place - 1) if place in places.attached else frozenset()
    yield frozenset({*visits, opposite(wasteful(place)), restless(place)}) | opposites(there)


def may_visit(places: Places, place: int, target: int) -> bool:
    """Test if a card may go to another of the next rank with its first move, and not end there: to
    none that lies beneath it, if it is not attached, nor to the one that it is attached to, nor to the only
    one on which it can end. An attached card may have left its column before, with the card that it is
    attached to."""
    if rank_of(places.card[target]) != rank_of(places.card[place]) + 1:
        return False
    lies_beneath = places.column_of[target] == places.column_of[place] and target < place
    if lies_beneath and (place not in places.attached or target == place - 1):
        return False
    return place in places.kings or places.ends(place) != [target]


def may_visit_column(places: Places, place: int, column: int) -> bool:
    """Test if a card may go to a column that is empty with its first move: to its own one only if it
    is attached, and so may have left that before."""
    return column != places.column_of[place] or place in places.attached
