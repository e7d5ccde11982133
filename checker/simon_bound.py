"""Lower bound of the moves from a position of the Simon family, with one deck, to a win.

A *head* is a card that is not a king and does not lie on the next higher card of its suit. A move belongs to
the card that heads the run moved. Each head moves at least once by itself, to lie on that card in the end. An
*extra-move card* is a head that moves more than once, or a king that moves at all. A card that is not one
*waits* for the cards that must have left their places before it leaves its own: a head waits for the cards
above it, and those above the next higher card of its suit; a king waits for the cards above it, and for all
heads of its suit, since it leaves with its run. (Only heads and kings on other cards count as cards above;
the others move with them.)

So of cards that wait for each other in a cycle at least one is an extra-move card, and so is a head that
waits for itself.
Cycles without a common card add up. Theorem S8 of docs/theory/simon.md has the proof, by S5 to S7.
"""

from ..rules.cards import make_card, rank_of, suit_of
from ..rules.simon import State


def bound(state: State) -> int:
    """Return a lower bound of the moves that win ``state``, in which no card may occur twice."""
    heads, waits = _waiting(state)
    alone = {card for card in heads if card in waits[card]}
    free = set(waits) - alone
    cycles = 0
    while cycle := shortest_cycle(waits, free):
        cycles += 1
        free -= set(cycle)
    return len(heads) + len(alone) + cycles


def _waiting(state: State) -> tuple[set[int], dict[int, set[int]]]:
    """Return the heads, and the cards that each head, and each king on another card, waits for."""
    king, heads, kings = state.deck.ranks - 1, set(), set()
    above: dict[int, set[int]] = {}
    for column in state.columns:
        seen: set[int] = set()
        for depth in reversed(range(len(column))):
            card = column[depth]
            above[card] = set(seen)
            if rank_of(card) == king:
                if depth > 0:
                    kings.add(card)
                    seen.add(card)
            elif depth == 0 or column[depth - 1] != _next_higher(card):
                heads.add(card)
                seen.add(card)
    waits = {card: above[card] | above[_next_higher(card)] for card in heads}
    for card in kings:
        waits[card] = above[card] | {head for head in heads if suit_of(head) == suit_of(card)}
    return heads, waits


def _next_higher(card: int) -> int:
    return make_card(rank_of(card) + 1, suit_of(card))


def shortest_cycle(waits: dict[int, set[int]], cards: set[int]) -> list[int]:
    """Return a shortest cycle among ``cards``: each card waits for the one before it, and the first for the
    last. Of several it is the first one, if each begins with its first card and cards are ordered by rank,
    then by suit. Returns an empty list if there is no cycle. No card may wait for itself."""
    for first in sorted(cards):
        for other in sorted(waits[first] & cards):
            if first in waits[other]:
                return [first, other]
    best: list[int] = []
    # Remove cards that wait for no other one left, repeatedly: no cycle contains them.
    while (stuck := {card for card in cards if not waits[card].isdisjoint(cards)}) != cards:
        cards = stuck
    for first in sorted(cards):
        steps = _steps(waits, cards, first)
        last = [steps[card] for card in steps if first in waits[card]]
        if last and (not best or min(last) + 1 < len(best)):
            best = [first]
            for left in range(min(last), 0, -1):
                best.append(min(card for card in steps if steps[card] == left and best[-1] in waits[card]))
    return best


def _steps(waits: dict[int, set[int]], cards: set[int], first: int) -> dict[int, int]:
    """Return the number of steps from ``first`` to each card that can be reached. A step goes from a card to
    one that it waits for."""
    steps: dict[int, int] = {}
    reached, count = {first}, 0
    while reached:
        count += 1
        reached = set().union(*(waits[card] for card in reached)) & cards - set(steps) - {first}
        steps.update(dict.fromkeys(reached, count))
    return steps
