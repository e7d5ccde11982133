"""The bound of Chessboard and Fortress: a lower bound on the moves from a position.

Every card left goes up, which is one move. Beside that some must move within the tableau, each counted once:

- a *blocker*, a card above one of its suit that goes up before it;
- of each *deadlock*, one card at least. Let x1 ... xk be cards that are no blockers, and let x2 lie above a
  card of the suit of x1 that is x1 or goes up before it, x3 so for x2, and so on, and x1 for xk. If none of
  them moves within the tableau, each goes up before the one that it follows, all the way round: this cannot
  be. Deadlocks that have no card in common add up.

Without a base rank only the moves up are counted. Theorem C4 of docs/theory/chessboard.md has the proof.
"""

from itertools import combinations

from ..rules.cards import make_card, rank_of, suit_of
from ..rules.chessboard import State


def bound(state: State) -> int:
    """A lower bound on the moves that win ``state``."""
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
    """The place of a card in its foundation: 0 is that of the base card."""
    return (rank_of(card) - (state.base or 0)) % state.deck.ranks


def _deadlocks(state: State, above: dict[int, set[int]], free: set[int]) -> int:
    """The number of deadlocks among the ``free`` cards, none with a card of another. Cards go up in mind,
    until each suit waits for a card that free ones cover: a deadlock, whose cards are free no more."""
    places = list(state.foundations)
    count = 0
    while True:
        covers = _play_up_in_mind(state, above, places, free)
        if not covers:
            return count
        free -= _pair(covers) or _cycle(covers)
        count += 1


def _play_up_in_mind(
    state: State, above: dict[int, set[int]], places: list[int], free: set[int]
) -> dict[int, set[int]]:
    """Simulate moves up until each suit waits for a card below free ones; these, by suit."""
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
    """Cards in order: by suit, then by rank."""
    return suit_of(card), rank_of(card)


def _pair(covers: dict[int, set[int]]) -> set[int]:
    """A deadlock of two cards: of the first two suits, each with a card above the next of the other."""
    for suit, other in combinations(sorted(covers), 2):
        ours = {card for card in covers[suit] if suit_of(card) == other}
        theirs = {card for card in covers[other] if suit_of(card) == suit}
        if ours and theirs:
            return {min(ours, key=_order), min(theirs, key=_order)}
    return set()


def _cycle(covers: dict[int, set[int]]) -> set[int]:
    """A deadlock: from a waiting suit to that of the first card above its next one, round to the first."""
    path = [min(covers)]
    cards: list[int] = []
    while True:
        cards.append(min(covers[path[-1]], key=_order))
        following = suit_of(cards[-1])
        if following in path:
            return set(cards[path.index(following) :])
        path.append(following)
