"""Tables with unknown cards: states that have `cards.UNKNOWN` in the places of some cards.

The rules never look at a card that is face down or in the stock. So a table is played by the rules like any
state, once a card is put into each unknown place that a move turns up (`turned_up`, `put`).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import factorial
from typing import Any

from .board import Board
from .cards import JOKERS, UNKNOWN
from .hidden_cards import IN_PLACE, STOCK, WASTE, Fields, cards_below, face_up, uncovered_place

Place = tuple[int, int]
"""A column, or `hidden_cards.STOCK` or `hidden_cards.WASTE`, and the depth there."""


def unknown_places(table: Any) -> list[Place]:
    """The places of the unknown cards: column by column, the deepest first, then the stock and the waste."""
    piles = [*enumerate(table.columns), (STOCK, table.stock), (WASTE, table.waste)]
    return [(pile, depth) for pile, cards in piles for depth, card in enumerate(cards) if card == UNKNOWN]


def missing_cards(table: Any) -> list[int]:
    """The cards that lie in the unknown places of ``table``, in ascending order."""
    seen = set().union(table.waste, table.stock, *table.columns)
    filled = set()
    if table.deck.jokers:
        for card, joker in zip(JOKERS, table.jokers, strict=True):
            if joker.is_open_ace or joker.is_out or joker.place is not None:
                seen.add(card)
            filled.add(joker.place)
    seen |= cards_below(table.foundations) - filled
    return [card for card in sorted(table.deck.cards()) if card not in seen]


def put(table: Any, places: Sequence[Place], cards: Sequence[int]) -> Any:
    """Return ``table`` with the ``cards`` in the ``places``, in the same order."""
    changed: dict[int, list[int]] = {}
    for (pile, depth), card in zip(places, cards, strict=True):
        if pile not in changed:
            named = {STOCK: table.stock, WASTE: table.waste}
            changed[pile] = list(named[pile] if pile < 0 else table.columns[pile])
        changed[pile][depth] = card
    fields: dict[str, Any] = {
        name: tuple(changed.pop(pile))
        for pile, name in ((STOCK, "stock"), (WASTE, "waste"))
        if pile in changed
    }
    if changed:
        columns = enumerate(table.columns)
        fields["columns"] = tuple(tuple(changed.get(number, cards)) for number, cards in columns)
    return replace(table, **fields) if fields else table


def filled(table: Any, cards: Sequence[int]) -> Any:
    """Return the state of ``table`` with ``cards`` in its unknown places, in the order of
    `unknown_places`."""
    return put(table, unknown_places(table), cards)


def settled(table: Any) -> Any:
    """Return ``table``; if only one card is unknown, the state with that card in its place."""
    places = unknown_places(table)
    return put(table, places, missing_cards(table)) if len(places) == 1 else table


def turned_up(table: Any, move: Any) -> list[Place]:
    """The unknown places of ``table`` whose cards a legal ``move`` turns up."""
    if move.source == STOCK:
        drawn = 1 if table.deck.jokers or not hasattr(table, "redeals") else table.choices.cards_drawn
        pile, cards = (STOCK, table.stock) if table.stock else (WASTE, table.waste)
        return [(pile, depth) for depth, card in enumerate(cards[:drawn]) if card == UNKNOWN]
    if move.target == IN_PLACE:
        return []
    if move.source == WASTE:
        below = len(table.waste) - 2
        return [(WASTE, below)] if below >= 0 and table.waste[below] == UNKNOWN else []
    if move.source >= 0:
        place = uncovered_place(table, move.source, move.count)
        if place is not None and table.columns[place[0]][place[1]] == UNKNOWN:
            return [place]
    return []


def showing(table: Any, state: Any, move: Any) -> Any:
    """Return ``table`` with the cards that a legal ``move`` turns up, as they lie in ``state``, the same
    position with all cards known."""
    places = turned_up(table, move)
    return put(table, places, [card_at(state, place) for place in places])


def card_at(state: Any, place: Place) -> int:
    """Return the card of ``state`` in ``place``."""
    pile, depth = place
    cards: tuple[int, ...] = {STOCK: state.stock, WASTE: state.waste}.get(pile) or state.columns[pile]
    return cards[depth]


def arrangements(table: Any) -> int:
    """The number of ways in which the unknown cards of ``table`` can be arranged."""
    return factorial(len(missing_cards(table)))


# --- Views ----------------------------------------------------------------------------------------------


def fields_seen(table: Any) -> Fields:
    """The values of the fields of `hidden_cards.HiddenView` for a player who sees ``table``."""
    columns = tuple(face_up(table, column) for column in range(len(table.columns)))
    return table.variant, columns, table.hidden, len(table.stock), table.waste, table.foundations


def filled_table(table: Any, cards: Sequence[int]) -> Any:
    """Return ``table`` with ``cards`` in its unknown places. Raises ValueError unless they are its missing
    cards in some order."""
    if sorted(cards) != missing_cards(table):
        raise ValueError("these are not the unseen cards of the position")
    return filled(table, cards)


def board_of_table(board: Board, table: Any) -> Board:
    """Return ``board``, which is that of ``table`` with some cards in its unknown places, with
    `cards.UNKNOWN` there instead."""
    columns = tuple(
        tuple(slot._replace(card=card) if card == UNKNOWN else slot for slot, card in zip(*pair, strict=True))
        for pair in zip(board.columns, table.columns, strict=True)
    )
    return board._replace(columns=columns, stock=table.stock, waste=table.waste)
