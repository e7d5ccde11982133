"""The condition *order of moves* of clauses; see `simon_clauses`.

Theorem S13 of docs/theory/simon.md has the proof; each edge is named by its row there.

Events are the first and the last move of each card that moves; of a king that it leaves its place, and that
it leaves the game. Of a card that is not wasteful they are one. Of some it is known which is before which, if
so much is true. Let a clause be false: if events are before themselves then, the clause holds for every line.

- ``visit x card t``: from its first move to its last one x lies on t; ``visit x column n``: at the base of a
  column that was empty;
- ``before x first y``, ``before x last y``: that event of y is before the first move of x;
- ``sooner x y``, where both visit the same: the last move of x is before the first one of y;
- ``stays x``, x attached: neither x is wasteful nor a card that it is attached to.
"""

from collections.abc import Iterator

from ..rules.cards import make_card, rank_of, suit_of
from .clauses import Name, Truth
from .simon_places import Guards, Places, opposite, opposites, wasteful
from .simon_singles import may_visit, may_visit_column, stays

Event = tuple[str, int]
Edge = tuple[Event, Event, Guards]
"""The first event is before the second, if all guards are true."""


def first(place: int) -> Event:
    """The first move of a card, or that a king leaves its place."""
    return "first", place


def last(place: int) -> Event:
    """The last move of a card, or that a king leaves the game."""
    return "last", place


class Order:
    """The check of clauses of one deal."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.edges = list(self._of_cards())

    def holds(self, clause: frozenset[Truth]) -> bool:
        """Test if an event precedes itself if ``clause`` is false."""
        known = opposites(clause)
        one = {last(name[1]): first(name[1]) for name, is_so in known if self._is_thrifty(name, is_so)}
        after: dict[Event, set[Event]] = {}
        for before, event, guards in [*self.edges, *self._of_visits(known)]:
            if guards <= known:
                after.setdefault(one.get(before, before), set()).add(one.get(event, event))
        for place in range(len(self.places.card)):
            if last(place) not in one:
                after.setdefault(first(place), set()).add(last(place))
        return has_cycle(after)

    def _is_thrifty(self, name: Name, is_so: bool) -> bool:
        """Test if a card that is not attached is known not to be wasteful."""
        return (
            not is_so
            and len(name) == 2
            and name[0] == "wasteful"
            and isinstance(name[1], int)
            and name[1] < len(self.places.card)
            and name[1] not in self.places.attached
        )

    def _of_cards(self) -> Iterator[Edge]:
        """The precedences that hold for cards wherever they wait: S13a, S13d."""
        for place in range(len(self.places.card)):
            own = self._moves(place)
            for above in self.places.above[place][:1]:
                yield first(above), first(place), own
            if place not in self.places.kings:
                yield from self._arrivals(place, own)
                suited_king = make_card(self.places.deck.ranks - 1, suit_of(self.places.card[place]))
                for king in self.places.copies[suited_king]:
                    yield last(place), last(king), own | self.places.leaves_with(place, king)

    def _moves(self, place: int) -> Guards:
        """That a card moves: an attached one only if it is wasteful."""
        return frozenset({wasteful(place)}) if place in self.places.attached else frozenset()

    def _arrivals(self, place: int, own: Guards) -> Iterator[Edge]:
        """Cards above the one on which a card ends leave their places first: S13b, S13c."""
        for end in self.places.ends(place):
            if place in self.places.attached and end == place - 1:
                continue
            guards = own | self.places.lies_on(place, end)
            for above in self.places.above[end][:1]:
                yield first(above), last(place), guards
            attached = self.places.attached_to(end)
            if attached is not None:
                yield first(attached), last(place), guards | {wasteful(attached)}

    # --- Visits -------------------------------------------------------------------------------------------

    def _of_visits(self, known: Guards) -> Iterator[Edge]:
        """The precedences that hold for the visits that are known: S13l for columns."""
        visits = [truth for truth in known if truth[1] and self._is_visit(truth[0])]
        for truth in visits:
            name = truth[0]
            place, goal = name[1], name[3]
            guards = frozenset({truth})
            if name[2] == "card":
                yield from self._of_stop(place, goal, guards)
            else:
                for deepest in self.places.columns[goal][:1]:
                    yield first(deepest), first(place), guards
            for other in visits:
                if other[0][2:] == name[2:] and other[0][1] < place:
                    yield from _in_turn(place, other[0][1], guards | {other})

    def _is_visit(self, name: Name) -> bool:
        """Test if a name is that of a possible visit."""
        if (
            len(name) != 4
            or name[0] != "visit"
            or not isinstance(name[1], int)
            or not isinstance(name[3], int)
        ):
            return False
        place, goal, cards = name[1], name[3], len(self.places.card)
        if place >= cards:
            return False
        if name[2] == "card":
            return goal < cards and may_visit(self.places, place, goal)
        return (
            name[2] == "column"
            and goal < len(self.places.columns)
            and may_visit_column(self.places, place, goal)
        )

    def _of_stop(self, place: int, target: int, guards: Guards) -> Iterator[Edge]:
        """A card visits another: what lies above that has left before, what ends there comes later, and it
        does not move meanwhile if it is of another suit: S13f to S13h."""
        places = self.places
        for above in places.above[target][:1]:
            yield first(above), first(place), guards
        attached = places.attached_to(target)
        if attached is not None:
            yield first(attached), first(place), guards
        lower = make_card(rank_of(places.card[target]) - 1, suit_of(places.card[target]))
        for child in places.copies[lower]:
            if child != place:
                there = places.lies_on(child, target) | self._moves(child)
                yield last(place), last(child), guards | there
        if suit_of(places.card[place]) != suit_of(places.card[target]):
            yield from self._pauses(place, target, guards)

    def _pauses(self, place: int, target: int, guards: Guards) -> Iterator[Edge]:
        """Moves of a card, and of the run that it is in, are before or after the visit: S13i to S13k."""
        own = self._moves(target)
        yield from _aside(place, first(target), guards | own)
        yield from _aside(place, last(target), guards | {wasteful(target)})
        if own:
            head = target
            while head in self.places.attached:
                head -= 1
            yield from _aside(place, first(head), guards | {stays(target)})
            yield from _aside(place, last(head), guards | {stays(target), wasteful(head)})


def _aside(place: int, event: Event, guards: Guards) -> Iterator[Edge]:
    """An event is before the first move of a card, or after its last one."""
    is_before: Truth = (("before", place, *event), True)
    yield event, first(place), guards | {is_before}
    yield last(place), event, guards | {opposite(is_before)}


def _in_turn(place: int, other: int, guards: Guards) -> Iterator[Edge]:
    """Two cards visit the same, one after the other: S13m."""
    is_sooner: Truth = (("sooner", place, other), True)
    yield last(place), first(other), guards | {is_sooner}
    yield last(other), first(place), guards | {opposite(is_sooner)}


def has_cycle(after: dict[Event, set[Event]]) -> bool:
    """Test if the precedences have a cycle."""
    left = {event: set(later) for event, later in after.items()}
    while True:
        ended = [event for event, later in left.items() if not any(each in left for each in later)]
        if not ended:
            return bool(left)
        for event in ended:
            del left[event]
