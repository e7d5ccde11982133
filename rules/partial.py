"""The text of partly known positions of Joker and Klondike in one pass: its reader and its writer.

    # joker
    TS                           one line a column, as in `text`; <??> is a face-down card not seen yet
    <??> <??> 4D
    ...
    Foundations: C-0 D-3         as in `text`, and so are Waste and Removed
    Stock: 24                    the number of its cards; or one ?? a card

A card that is written, face down or in the stock, is taken to be there when the position is checked, and is
forgotten then: a player has not seen it.
"""

from __future__ import annotations

import re

from . import Variant
from .board import Board, BoardError, Slot, format_top, parse_top, suit_tops
from .cards import JOKERS, SUITS, format_card, make_card, parse_card
from .joker_view import View, view_of
from .text import Draft, FormatError, drafts, format_foundations, format_slot, read_text

_BLANK = re.compile(r"<\?\?>|\?\?")
_STOCK = re.compile(r"^(\s*stock\s*:)([\s?<>0-9]*)$", re.IGNORECASE)


def read_view(variant: Variant, text: str, name: str) -> View:
    """What a person sees of the position in ``text``, partly or fully known.

    Raises FormatError naming ``name`` and the line for text that cannot be read, and for a position that
    cannot be: cards that are there twice or nowhere, and what `joker_view.view_of` refuses.
    """
    lines = [_with_blanks(name, number, line) for number, line in enumerate(text.split("\n"), 1)]
    bare = "\n".join(_BLANK.sub("", line) for line in lines)
    found = list(drafts(variant, bare, name, {}))
    blanks = sum(len(_BLANK.findall(line)) for line in lines)
    left = _left_over(variant, found[0], name)
    if len(left) != blanks:
        problem = f"{len(left)} cards are not written, but {blanks} places are left for them"
        raise FormatError(name, found[0].line, problem)
    supply = iter(left)
    filled = "\n".join(_BLANK.sub(lambda blank: _shown(blank[0], next(supply)), line) for line in lines)
    deals = list(read_text(variant, filled, name))
    if len(deals) != 1:
        raise FormatError(name, found[0].line, f"{len(deals)} positions, where one is needed")
    try:
        return view_of(deals[0].state)
    except ValueError as error:
        raise FormatError(name, found[0].line, error) from None


def _with_blanks(name: str, number: int, line: str) -> str:
    """``line`` with the size of a stock written as so many blanks."""
    if line.lstrip().startswith("#"):
        return ""
    match = _STOCK.match(line)
    if match is None or not match[2].strip().isdigit():
        return line
    size = int(match[2]) if len(match[2].strip()) < 4 else 999
    if size > 54:
        raise FormatError(name, number, f"stock: {match[2].strip()} cards, more than there are")
    return match[1] + " ??" * size


def _shown(blank: str, card: int) -> str:
    return f"<{format_card(card)}>" if blank.startswith("<") else format_card(card)


def _left_over(variant: Variant, draft: Draft, name: str) -> list[int]:
    """The cards of the deck that ``draft`` does not hold, ascending."""
    deck = variant.deck(draft.ranks, draft.suits)
    columns = tuple(tuple(slots) for _, slots in draft.columns)
    piles = {pile: tuple(cards) for pile, (_, cards) in draft.piles.items()}
    board = Board(deck, columns, foundations=draft.foundations, **piles)
    try:
        held = [("foundations", card) for card in _on_foundations(board)] + board.located_cards()
    except BoardError as error:
        raise FormatError(name, draft.line_of(error.place), error) from None
    places: dict[int, str] = {}
    for place, card in held:
        if card in places:
            problem = f"{place}: card {format_card(card)} once too often, it is in {places[card]} already"
            raise FormatError(name, draft.line_of(place), problem)
        places[card] = place
    return [card for card in sorted(deck.cards()) if card not in places]


def _on_foundations(board: Board) -> list[int]:
    tops = board.foundations or {}
    naturals = [
        make_card(rank, suit)
        for suit, top in suit_tops(board).items()
        for rank in range(parse_top(top, board.deck))
    ]
    for joker in JOKERS:
        place = tops.get(format_card(joker))
        if place is not None and place.upper() != "A":
            try:
                naturals = [card for card in naturals if card != parse_card(place)]
            except ValueError as error:
                raise BoardError("foundations", f"card {format_card(joker)} as {error}") from None
    return naturals + [joker for joker in JOKERS if format_card(joker) in tops]


def format_view(view: View) -> str:
    """The text of ``view``, which `read_view` reads, with a final newline."""
    ranks = dict(zip(JOKERS, (joker.rank for joker in view.jokers), strict=True))
    lines = [f"# {view.variant}"]
    for cards, hidden in zip(view.columns, view.hidden, strict=True):
        shown = [format_slot(Slot(card, rank=ranks.get(card))) for card in cards]
        lines.append(" ".join(["<??>"] * hidden + shown) or ":")
    tops = {suit: format_top(height) for suit, height in zip(SUITS, view.foundations, strict=True)}
    removed = []
    for card, joker in zip(JOKERS, view.jokers, strict=True):
        if joker.is_out:
            removed.append(card)
        elif joker.is_open_ace or joker.place is not None:
            tops[format_card(card)] = "A" if joker.place is None else format_card(joker.place)
    lines += [f"Foundations: {format_foundations(tops)}", f"Stock: {view.stock}"]
    for title, pile in (("Waste", view.waste), ("Removed", tuple(removed))):
        if pile:
            lines.append(f"{title}: {' '.join(map(format_card, pile))}")
    return "\n".join(lines) + "\n"
