"""Read tables: partly known positions of games with hidden cards.

As text and as JSON, they are described in docs/formats.md. Every card that is written is known, also face
down, in the stock and in the waste. A single unknown card is filled in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from ..board import Board, BoardError
from ..cards import UNKNOWN, format_card
from ..hidden_cards import cards_up
from ..tables import check_possible, settled
from ..variants import Variant
from .partial_board import Draft
from .text import USUAL, Deal, FormatError, Way
from .text_reader import drafts_of


def read_table(
    variant: Variant | None,
    text: str,
    name: str,
    choices: Mapping[str, str] | None = None,
    way: Way = USUAL,
) -> Deal:
    """The only position in ``text``; if several of its cards are unknown, its state is a table.
    ``variant``, ``choices`` and ``way`` are as in `formats.read_deals`. Raises FormatError for text that
    cannot be read, for any other number of positions, and for a partly known one of a game that is not
    played so."""
    found = list(islice(drafts_of(variant, text, name, choices or {}, way), 2))
    if len(found) > 1:
        raise FormatError(name, found[1].line, "more than one deal; expected one")
    return deal_of(found[0], name)


def deal_of(draft: Draft, name: str) -> Deal:
    """The deal on ``draft``; with several unknown cards, in a game with hidden cards, its state is a table. A
    single one is filled in. Raises FormatError."""
    if draft.unknown() and draft.variant.hiding is not None:
        return draft.deal_of(settled(_table(draft, name)))
    return draft.deal(name)


def _table(draft: Draft, name: str) -> Any:
    """The table on ``draft``; its unknown cards may be any of the cards left over. Raises FormatError, with
    advice if it may have been typed by rows."""
    try:
        return _table_of(draft, name)
    except FormatError:
        if draft.gap is None:
            raise
        raise FormatError(name, draft.line_of(draft.gap.place), draft.gap) from None


def _table_of(draft: Draft, name: str) -> Any:
    _check_covered(draft, name)
    left, unknown = _left_over(draft, name), draft.unknown()
    if len(left) != len(unknown):
        places = f"{len(unknown)} place{' is' if len(unknown) == 1 else 's are'}"
        cards = f"{len(left)} card{' is' if len(left) == 1 else 's are'}"
        problem = f"{cards} not written, but {places} left for them{_miscounted(draft)}"
        raise FormatError(name, draft.line, problem)
    state: Any = _filled(draft, iter(left)).state(name)
    try:
        check_possible(state)
    except ValueError as error:
        raise FormatError(name, draft.line, error) from None
    columns = [tuple(slot.card for slot in slots) for _, slots in draft.columns]
    columns += [()] * (len(state.columns) - len(columns))
    piles = {pile: tuple(draft.piles.get(pile, (0, []))[1]) for pile in ("stock", "waste")}
    return replace(state, columns=tuple(columns), **piles)


def _miscounted(draft: Draft) -> str:
    """The end of a message that names the first column of an unplayed table with too few or too many cards;
    empty if there is none, and in a position in play, whose columns have any size."""
    tops = (draft.foundations or {}).values()
    if draft.made or draft.piles.get("waste", (0, []))[1] or any(top != "0" for top in tops):
        return ""
    for number, ((_, slots), size) in enumerate(zip(draft.columns, draft.variant.sizes, strict=False), 1):
        if len(slots) != size:
            lack = "; are face-down cards <??> missing?" if len(slots) < size else ""
            cards = f"{len(slots)} card{'' if len(slots) == 1 else 's'}"
            return f": column {number} has {cards}, a deal has {size} there{lack}"
    return ""


def _check_covered(draft: Draft, name: str) -> None:
    """Raise FormatError for an unknown card that lies on a face-up one, or on top of its column or the
    waste."""
    line, waste = draft.piles.get("waste", (0, []))
    if waste and waste[-1] == UNKNOWN:
        raise FormatError(name, line, "waste: card '??' is the top and must be known")
    for number, (line, slots) in enumerate(draft.columns, 1):
        unknown = [place for place, slot in enumerate(slots) if slot.card == UNKNOWN]
        hidden = next((place for place, slot in enumerate(slots) if not slot.face_down), len(slots))
        if unknown and unknown[-1] > hidden:
            raise FormatError(name, line, f"column {number}: card '<??>' is face down above a face-up card")
        if unknown and unknown[-1] == len(slots) - 1:
            raise FormatError(name, line, f"column {number}: card '<??>' is the top and must lie face up")


def _filled(draft: Draft, cards: Iterator[int]) -> Draft:
    """``draft`` with ``cards`` in the place of its unknown ones."""
    columns = [
        (line, [slot._replace(card=next(cards)) if slot.card == UNKNOWN else slot for slot in slots])
        for line, slots in draft.columns
    ]
    piles = {
        pile: (line, [next(cards) if card == UNKNOWN else card for card in held])
        for pile, (line, held) in draft.piles.items()
    }
    return replace(draft, columns=columns, piles=piles)


def _left_over(draft: Draft, name: str) -> list[int]:
    """The cards of the deck that ``draft`` does not hold, ascending."""
    try:
        deck = draft.variant.deck(draft.ranks, draft.suits)
        columns = tuple(tuple(slots) for _, slots in draft.columns)
        piles: dict[str, Any] = {pile: tuple(cards) for pile, (_, cards) in draft.piles.items()}
        board = Board(deck, columns, foundations=draft.foundations, **piles)
        held = [("foundations", card) for card in cards_up(board)] + board.located_cards()
    except BoardError as error:
        raise FormatError(name, draft.line_of(error.place), error) from None
    except ValueError as error:
        raise FormatError(name, draft.line, error) from None
    places: dict[int, str] = {}
    for place, card in held:
        if card in places:
            problem = f"{place}: duplicate card {format_card(card)} (also in {places[card]})"
            raise FormatError(name, draft.line_of(place), problem)
        if card != UNKNOWN:
            places[card] = place
    return [card for card in sorted(deck.cards()) if card not in places]
