"""Views of players: checked, and their cards as they become plain numbers.

A card that is not seen is `UNSEEN`. A table may tell some of the cards that lie face down or in the stock,
and may leave some under the top of the waste untold.
"""

from itertools import chain
from typing import Any

from ...rules.cards import UNKNOWN, with_article
from ...rules.choices import Implemented, not_implemented
from ...rules.joker_view import View
from ...rules.klondike import View as KlondikeView
from ...rules.tables import fields_seen, missing_cards, unknown_places

Cards = tuple[int, ...]

UNSEEN = 63
"""In the place of a card that nobody has seen, as in core/player.pxd."""

_COLUMNS = 7
_CARDS = 52  # of Klondike
_WITH_JOKERS = 54
_NATURALS = frozenset(range(_CARDS))
_ALL = frozenset(range(_WITH_JOKERS))
_HEIGHTS = frozenset(range(14))  # of foundations
_DEALT = 28  # cards of the columns
_MOST_HIDDEN = 21  # of them
_MOST_BESIDE = 24  # cards of the stock in a deal of Klondike
_MOST_REDEALS = 256
_LONGEST = 16  # face-up cards of a column, which alternate from a king down to an ace
_DEEPEST = 8  # face-down cards of a column


def seen_in_joker(view: Any, implemented: Implemented) -> tuple[list[Cards], Cards, Cards]:
    """Return the cards of each column, of the stock and of the waste of a view of joker or klondike-one-pass.

    Raises TypeError for anything else, and ValueError for rule options that are not ``implemented`` and for a
    view whose numbers of cards cannot occur in play.
    """
    _check_joker(view, implemented)
    return _with_cards_up(view)


def seen_in_klondike(view: Any, implemented: Implemented) -> tuple[list[Cards], Cards, Cards]:
    """Return the cards of each column, of the stock and of the waste of a view of Klondike with redeals.

    Raises ValueError for a view that no state of a game that is ``implemented`` has.
    """
    _check_klondike(view, implemented)
    return _with_cards_up(view)


def _with_cards_up(view: Any) -> tuple[list[Cards], Cards, Cards]:
    """Return the cards of each column, of the stock and of the waste of ``view``."""
    below, stock, waste = _covered(view)
    return [(*down, *up) for down, up in zip(below, view.columns, strict=True)], stock, waste


def _check_joker(view: Any, implemented: Implemented) -> None:
    """Raise TypeError for anything but a view of joker or klondike-one-pass, ValueError for rule options that
    the player does not know, and for a view that a position cannot hold."""
    is_klondike = isinstance(view, KlondikeView)
    if not (is_klondike or isinstance(view, View)) or view.variant not in implemented:
        kind = view.variant if is_klondike else type(view).__name__
        raise TypeError(f"expected a view of joker or klondike-one-pass, got {with_article(kind)}")
    if rules := not_implemented(implemented, view.variant, view.choices):
        raise ValueError(f"there is no player for {rules}")
    jokers = view.jokers if view.variant == "joker" else ()
    if len(view.columns) != _COLUMNS or len(view.hidden) != _COLUMNS:
        raise ValueError(f"expected {_COLUMNS} columns, got {len(view.columns)}")
    for column, up in enumerate(view.columns):
        if len(up) > _LONGEST or not 0 <= view.hidden[column] < _DEEPEST:
            limits = f"fewer than {_DEEPEST} face-down cards and at most {_LONGEST} on them"
            counts = f"{view.hidden[column]} and {len(up)}"
            raise ValueError(f"column {column + 1}: expected {limits}, got {counts}")
    if sum(view.hidden) > _MOST_HIDDEN:
        raise ValueError(f"expected at most {_MOST_HIDDEN} face-down cards, got {sum(view.hidden)}")
    stock = (_WITH_JOKERS if view.variant == "joker" else _CARDS) - _DEALT
    if not 0 <= view.stock <= stock or len(view.waste) > stock - view.stock:
        counts = f"{view.stock} and {len(view.waste)}"
        raise ValueError(f"expected at most {stock} cards of stock and waste, got {counts}")
    known = _ALL if view.variant == "joker" else _NATURALS
    if view.table is not None:
        known |= {UNKNOWN}
    if not known.issuperset(chain(*view.columns, view.waste)):
        raise ValueError("expected cards of the deck, got another")
    if len(view.foundations) != 4 or not _HEIGHTS.issuperset(view.foundations):
        raise ValueError(f"foundations: expected four heights up to 13, got {view.foundations}")
    for joker in jokers:
        if not 0 <= (joker.rank or 0) < 13 or not 0 <= (joker.place or 0) < _CARDS:
            raise ValueError(f"expected a possible joker, got {joker}")


def _check_klondike(view: Any, implemented: Implemented) -> None:
    """Raise ValueError unless the player knows the game and the rule options of a view, and its fields have
    values that a state can hold."""
    if rules := not_implemented(implemented, view.variant, view.choices):
        raise ValueError(f"there is no player for {rules}")
    if len(view.columns) != _COLUMNS or len(view.hidden) != _COLUMNS:
        raise ValueError(f"expected {_COLUMNS} columns, got {len(view.columns)}")
    if not all(0 <= hidden < _COLUMNS for hidden in view.hidden) or sum(view.hidden) > _MOST_HIDDEN:
        raise ValueError(f"expected 0 to 6 face-down cards in each column, got {view.hidden}")
    if len(view.foundations) != 4 or not _HEIGHTS.issuperset(view.foundations):
        raise ValueError(f"foundations: expected four heights up to 13, got {view.foundations}")
    if type(view.redeals) is not int or not 0 <= view.redeals < _MOST_REDEALS:
        raise ValueError(f"redeals: expected a number below {_MOST_REDEALS}, got {view.redeals}")
    beside = view.stock + len(view.waste)
    if view.stock < 0 or beside > _MOST_BESIDE:
        raise ValueError(f"expected at most {_MOST_BESIDE} cards in stock and waste, got {beside}")
    if len(view.known_stock) not in (0, view.stock):
        known = len(view.known_stock)
        raise ValueError(f"expected all or none of {view.stock} cards of the stock to be known, got {known}")
    cards = [*view.waste, *view.known_stock]
    if view.table is not None:
        cards = [card for card in cards if card != UNKNOWN]
    cards += chain(*view.columns)
    if len(cards) > _CARDS or not _NATURALS.issuperset(cards):
        raise ValueError(f"expected at most {_CARDS} cards of the deck, got others or more")
    unseen_stock = 0 if view.known_stock else view.stock
    if view.table is None and len(view.unseen()) != sum(view.hidden) + unseen_stock:
        raise ValueError("expected each card once, got one twice or missing")


def _covered(view: Any) -> tuple[list[Cards], Cards, Cards]:
    """Return the face-down cards of each column of ``view``, its stock and its waste, with `UNSEEN` for each
    unknown card. Raises ValueError if ``view.table``, with the cards known besides, contradicts the view."""
    table = view.table
    if table is None:
        stock = getattr(view, "known_stock", ()) or (UNSEEN,) * view.stock
        return [(UNSEEN,) * hidden for hidden in view.hidden], stock, view.waste
    below = [cards[:hidden] for cards, hidden in zip(table.columns, view.hidden, strict=True)]
    fields = (view.variant, view.columns, view.hidden, view.stock, view.waste, view.foundations)
    if fields_seen(table) != fields or tuple(map(len, below)) != view.hidden:
        raise ValueError("expected the table of the view, got another")
    found = [card for cards in (*below, table.stock) for card in cards if card != UNKNOWN]
    if not _ALL.issuperset(found):
        raise ValueError("expected cards of the deck, got another")
    if len(missing_cards(table)) != len(unknown_places(table)):
        raise ValueError("expected each card once, got one twice or missing")
    columns = [tuple([UNSEEN if card == UNKNOWN else card for card in cards]) for cards in below]
    stock, waste = [
        tuple([UNSEEN if card == UNKNOWN else card for card in cards]) for cards in (table.stock, table.waste)
    ]
    return columns, stock, waste
