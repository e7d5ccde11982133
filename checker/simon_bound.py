"""The bound of games of the Simon family with one deck: a lower bound on the moves from a position.

A *head* is a card that is no king and does not lie on the next higher card of its suit. A move belongs to the
card that heads the run moved. Each head moves at least once by itself, to lie on that card in the end. A head
is *wasteful* if it moves more than once, and a king if it moves at all. A card *waits* for those that must
have left their places before it leaves its own, if it is not wasteful: a head for what lies above it, and
above the next higher card of its suit; a king for what lies above it, and for all heads of its suit, since it
leaves with its run. (Only heads, and kings on other cards, count as what lies above: the others go with
them.)

So of cards that wait for each other in a cycle one is wasteful, and a head that waits for itself is. Cycles
without a common card add up. Theorem S8 of docs/theory/simon.md has the proof, by S5 to S7.
"""

from ..rules.cards import make_card, rank_of, suit_of
from ..rules.simon import State


def bound(state: State) -> int:
    """A lower bound on the moves that win ``state``, in which no card occurs twice."""
    heads, waits = _waiting(state)
    alone = {card for card in heads if card in waits[card]}
    free = set(waits) - alone
    cycles = 0
    while cycle := shortest_cycle(waits, free):
        cycles += 1
        free -= set(cycle)
    return len(heads) + len(alone) + cycles


def _waiting(state: State) -> tuple[set[int], dict[int, set[int]]]:
    """The heads, and what each of them, and each king on another card, waits for."""
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
    """Some of ``cards``, each of which waits for the one before it, and the first for the last; none if there
    is no cycle. Of the shortest it is the first one, each beginning with its first card, and cards being in
    order by rank, then by suit. None may wait for itself."""
    for first in sorted(cards):
        for other in sorted(waits[first] & cards):
            if first in waits[other]:
                return [first, other]
    best: list[int] = []
    # Those that in the end wait for none of them are left out: the others hold every cycle.
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
    """The number of steps from ``first`` to each other card, a step being to a card that one waits for."""
    steps: dict[int, int] = {}
    reached, count = {first}, 0
    while reached:
        count += 1
        reached = set().union(*(waits[card] for card in reached)) & cards - set(steps) - {first}
        steps.update(dict.fromkeys(reached, count))
    return steps
