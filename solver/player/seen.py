"""Tables as a player sees them: checked, and their cards as they become plain numbers."""

from dataclasses import replace
from typing import Any

from ...rules import find_variant
from ...rules.board import Position, described
from ...rules.cards import UNKNOWN
from ...rules.choices import SIZES, Implemented, not_implemented
from ...rules.hidden_cards import face_up
from ...rules.tables import missing_cards

UNSEEN = 63
"""In the place of an unknown card, as in core/player.pxd."""

_COLUMNS = len(SIZES)
_DEALT = sum(SIZES)  # cards of the columns
_MOST_HIDDEN = _DEALT - _COLUMNS
_LONGEST = 16  # face-up cards of a column, which alternate from a king down to an ace
_MOST_REDEALS = 256
_HEIGHTS = frozenset(range(14))  # of foundations
_NATURALS = range(52)


def seen(table: Any, implemented: Implemented) -> Any:
    """Return ``table``, a table or a state whose cards are all known, with `UNSEEN` in its unknown places.

    Raises TypeError unless it is of a game that is ``implemented``, and ValueError for rule options that are
    not, a short deck, and fields that no position of a game has.
    """
    if not isinstance(table, Position) or table.variant not in implemented:
        raise TypeError(f"expected a state of {' or '.join(implemented)}, got {described(table)}")
    if not isinstance(table, find_variant(table.variant).family.State):
        raise TypeError(f"expected a state of {table.variant}, got one by other rules")
    if rules := not_implemented(implemented, table.variant, table.choices):
        raise ValueError(f"there is no player for {rules}")
    if not table.deck.is_full:
        raise ValueError("expected the full deck for a player")
    _check_counts(table)
    _check_cards(table)
    *columns, stock, waste = [
        tuple([UNSEEN if card == UNKNOWN else card for card in cards]) for cards in _piles(table)
    ]
    checked: Any = table
    return replace(checked, columns=tuple(columns), stock=stock, waste=waste)


def _piles(table: Any) -> list[tuple[int, ...]]:
    return [*table.columns, table.stock, table.waste]


def _check_counts(table: Any) -> None:
    """Raise ValueError unless the numbers of cards in each place are possible."""
    if len(table.columns) != _COLUMNS or len(table.hidden) != _COLUMNS:
        raise ValueError(f"expected {_COLUMNS} columns, got {len(table.columns)}")
    for number, (column, hidden) in enumerate(zip(table.columns, table.hidden, strict=True), 1):
        up = len(column) - hidden
        if not 0 <= hidden < _COLUMNS or not 0 <= up <= _LONGEST:
            limits = f"fewer than {_COLUMNS} face-down cards and at most {_LONGEST} on them"
            raise ValueError(f"column {number}: expected {limits}, got {hidden} and {up}")
    if sum(table.hidden) > _MOST_HIDDEN:
        raise ValueError(f"expected at most {_MOST_HIDDEN} face-down cards, got {sum(table.hidden)}")
    most, beside = len(table.deck.cards()) - _DEALT, len(table.stock) + len(table.waste)
    if beside > most:
        raise ValueError(f"expected at most {most} cards in stock and waste, got {beside}")
    if len(table.foundations) != 4 or not _HEIGHTS.issuperset(table.foundations):
        raise ValueError(f"foundations: expected four heights up to 13, got {table.foundations}")
    redeals = getattr(table, "redeals", 0)
    if type(redeals) is not int or not 0 <= redeals < _MOST_REDEALS:
        raise ValueError(f"redeals: expected a number below {_MOST_REDEALS}, got {redeals}")


def _check_cards(table: Any) -> None:
    """Raise ValueError unless each card of the deck is in one place or unknown, none of those face up is
    unknown, and the conditions of the jokers are possible."""
    jokers = table.jokers if table.deck.jokers else ()
    if len(jokers) != 2 * bool(table.deck.jokers):
        raise ValueError(f"expected two jokers, got {len(jokers)}")
    for joker in jokers:
        if not 0 <= (joker.rank or 0) < 13 or (joker.place or 0) not in _NATURALS:
            raise ValueError(f"expected a possible joker, got {joker}")
    piles, deck = _piles(table), table.deck.cards()
    if not {UNKNOWN, *deck}.issuperset(card for cards in piles for card in cards):
        raise ValueError("expected cards of the deck, got another")
    if len(missing_cards(table)) != sum(cards.count(UNKNOWN) for cards in piles):
        raise ValueError("expected each card once, got one twice or missing")
    tops = [face_up(table, column) for column in range(_COLUMNS)] + [table.waste[-1:]]
    if any(UNKNOWN in cards for cards in tops):
        raise ValueError("expected known cards face up, got an unknown one")
