"""Lower bound of the moves from a position of Chessboard and Fortress to a win.

Every card in a column goes up, which is one move each. In addition some cards must move within the tableau,
and one such move is counted for each of these:

- a *blocker*: a card above one of its suit that goes up before it;
- a *deadlock*: cards x1 ... xk, not blockers, such that x2 lies above a card of the suit of x1 that is x1 or
  goes up before it, x3 likewise for x2, and so on, and x1 for xk. If none of them moved within the tableau,
  each would have to go up before the next, all the way round, which is impossible. Deadlocks without a
  common card add up.

Without a base rank only the moves up are counted. Theorem C4 of docs/theory/chessboard.md has the proof.
"""

from itertools import combinations

from ..rules.cards import make_card, rank_of, suit_of
from ..rules.chessboard import State


def bound(state: State) -> int:
    """Return a lower bound of the moves that win ``state``."""
    left = sum(map(len, state.columns))
    if state.base is None:
        return left
    above = {card: set(column[depth + 1 :]) for column in state.columns for depth, card in enumerate(column)}
    blockers = {
        other
        for card, covers in above.items()
        for other in covers
        if suit_of(other) == suit_of(card) and _place(state, other) > _place(state, card)
    }
    return left + len(blockers) + _deadlocks(state, above, set(above) - blockers)


def _place(state: State, card: int) -> int:
    """Return the place of a card on its foundation, 0 for the base card."""
    return (rank_of(card) - (state.base or 0)) % state.deck.ranks


def _deadlocks(state: State, above: dict[int, set[int]], free: set[int]) -> int:
    """Return a number of deadlocks without common cards among the ``free`` cards. ``above`` has the cards
    above each card.

    Moves up are simulated until each suit waits for a card that free cards cover. That gives a deadlock,
    whose cards are removed from ``free``, and so on.
    """
    places = list(state.foundations)
    count = 0
    while True:
        covers = _simulate_moves_up(state, above, places, free)
        if not covers:
            return count
        free -= _pair(covers) or _cycle(covers)
        count += 1


def _simulate_moves_up(
    state: State, above: dict[int, set[int]], places: list[int], free: set[int]
) -> dict[int, set[int]]:
    """Simulate moves up until each suit waits for a card below ``free`` ones. Returns these free cards for
    each suit that waits. Updates ``places``, the height of each foundation, and ``free``."""
    covers: dict[int, set[int]] = {}
    moved = True
    while moved:
        moved = False
        for suit in range(4):
            covers.pop(suit, None)
            while places[suit] < state.deck.ranks:
                card = make_card(((state.base or 0) + places[suit]) % state.deck.ranks, suit)
                if card not in above:
                    break
                if not above[card].isdisjoint(free):
                    covers[suit] = above[card] & free
                    break
                free.discard(card)
                places[suit] += 1
                moved = True
    return covers


def _order(card: int) -> tuple[int, int]:
    """Return the sort key of a card: suit, then rank."""
    return suit_of(card), rank_of(card)


def _pair(covers: dict[int, set[int]]) -> set[int]:
    """Return a deadlock of two cards of different suits, each above the next card of the other suit, for the
    first two suits that have one. Returns no cards if none do."""
    for suit, other in combinations(sorted(covers), 2):
        ours = {card for card in covers[suit] if suit_of(card) == other}
        theirs = {card for card in covers[other] if suit_of(card) == suit}
        if ours and theirs:
            return {min(ours, key=_order), min(theirs, key=_order)}
    return set()


def _cycle(covers: dict[int, set[int]]) -> set[int]:
    """Return a deadlock, found by going from each suit to the suit of the first free card above its next
    card, until a suit recurs."""
    path = [min(covers)]
    cards: list[int] = []
    while True:
        cards.append(min(covers[path[-1]], key=_order))
        following = suit_of(cards[-1])
        if following in path:
            return set(cards[path.index(following) :])
        path.append(following)
