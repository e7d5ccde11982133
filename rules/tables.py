"""Tables: states that have `cards.UNKNOWN` in the places of unknown cards, such as those that a player sees.

Hiding cards makes a table of a state (`hidden`), filling its unknown places makes a state of a table
(`filled`). The unknown cards are those that are left over, in any order. `board.has_unknown` tells tables
from other states. The rules never look at a card that is face down or in the stock. So a table is played by
the rules like any state, once a card is put into each unknown place that a move turns up: see `turned_up`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .board import Position, described
from .cards import JOKERS, UNKNOWN, shown
from .hidden_cards import IN_PLACE, STOCK, WASTE, cards_below, face_up, uncovered_place
from .variants import Variant, find_variant

Place = tuple[int, int]
"""A column, or `hidden_cards.STOCK` or `hidden_cards.WASTE`, and the depth there."""

SEES = ("table", "stock", "all")
"""The parts of a position that a player may see: the cards that lie face up, those and the order of the
stock, or all cards. `seen` applies one."""


def hidden(state: Any) -> Any:
    """Return the table of a player who began with the deal and has come to ``state``: the cards that lie face
    down are unknown, and those of the stock unless `HiddenPosition.is_stock_known`. Raises ValueError for a
    game without hidden cards, a short deck, a table, and a position that play cannot reach."""
    check_hides(state)
    find_variant(state.variant).check(state)
    if not state.deck.is_full:
        raise ValueError(f"expected the full deck, got {state.deck.ranks} ranks of {state.deck.suits}")
    check_possible(state)
    below = zip(state.columns, state.hidden, strict=True)
    columns = tuple((UNKNOWN,) * count + cards[count:] for cards, count in below)
    stock = state.stock if state.is_stock_known else (UNKNOWN,) * len(state.stock)
    return replace(state, columns=columns, stock=stock)


def seen(state: Any, sees: str) -> Any:
    """Return what a player sees of ``state``: for ``table`` the table that `hidden` returns, for ``stock``
    that table with the cards of the stock, for ``all``, and in a game without hidden cards, the state itself.
    Raises ValueError for another ``sees``, and as `hidden` does."""
    if sees not in SEES:
        raise ValueError(f"sees {shown(sees)}: expected {', '.join(SEES)}")
    if sees == "all" or (isinstance(state, Position) and find_variant(state.variant).hiding is None):
        return state
    table = hidden(state)
    return replace(table, stock=state.stock) if sees == "stock" else table


def check_hides(state: object) -> None:
    """Raise ValueError unless ``state`` is a state of a game with hidden cards."""
    name = getattr(state, "variant", None)
    if not isinstance(name, str) or find_variant(name).hiding is None:
        subject = name if isinstance(name, str) else described(state)
        raise ValueError(f"{subject}: expected a state of a game with hidden cards")


def check_possible(state: Any) -> None:
    """Raise ValueError if play cannot reach ``state``, a table or not, judged by its numbers of cards."""
    hiding = find_variant(state.variant).hiding
    problem = hiding and hiding.impossibility(state)
    if problem:
        raise ValueError(problem)


def check_table(variant: Variant, table: Any) -> None:
    """Raise ValueError unless ``table`` is a table of ``variant`` whose unknown places fit the missing cards
    and are covered, except in the stock."""
    variant.check(table, tables=True)
    check_hides(table)
    if len(unknown_places(table)) != len(missing_cards(table)):
        raise ValueError("expected each card once, got one twice or missing")
    tops = [face_up(table, column) for column in range(len(table.columns))] + [table.waste[-1:]]
    if any(UNKNOWN in cards for cards in tops):
        raise ValueError("expected known cards face up, got an unknown one")
    variant.check(filled(table), cards=True)


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


def filled(table: Any, cards: Sequence[int] | None = None) -> Any:
    """Return the state of ``table`` with ``cards``, by default the missing ones in ascending order, in its
    unknown places, in the order of `unknown_places`."""
    return put(table, unknown_places(table), missing_cards(table) if cards is None else cards)


def settled(table: Any) -> Any:
    """Return ``table``; if only one card is unknown, the state with that card in its place."""
    return filled(table) if len(unknown_places(table)) == 1 else table


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


def draws_unknown(table: Any, move: Any) -> bool:
    """Return whether a legal ``move`` turns unknown cards of the stock."""
    return move.source == STOCK and bool(turned_up(table, move))


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
