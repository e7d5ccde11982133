"""The values of the variables of clauses for a winning line of the Simon family."""

from itertools import pairwise

from winnable.checker.simon_clauses import Wasted
from winnable.checker.simon_places import Places
from winnable.rules.cards import format_card, parse_card, rank_of, suit_of


class Told:
    """A line that wins."""

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
