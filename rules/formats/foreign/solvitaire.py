"""Deals of the solver Solvitaire, described in docs/formats.md: its JSON, and numbers, ``Solvitaire: 1``.

In JSON ranks are A 2 .. 10 J Q K or 1 .. 13. In games without face-down cards upper and lower case mean the
same. ``foundations`` are left out while no card is up; in games where runs leave, they hold the runs. A
position that could be taken for a wrongly typed deal has our key ``"position": "in play"``, which Solvitaire
itself does not accept.
"""

import json
from typing import Any

from ...board import Slot
from ...cards import RANKS, SUITS, UNKNOWN, format_card, make_card, parse_card, rank_of, shown, suit_of
from ...variants import State, Variant
from ..partial_board import Draft
from ..text import format_slot
from . import CARDS, PROGRAMS
from .shuffles import LAST, WORD, by_ranks, mersenne, number_in

KEY = PROGRAMS["solvitaire"].key
_KEYS = (KEY, "stock", "waste", "foundations", "foundation", "position", "ranks", "suits")
_HIDDEN = "##"  # a card that Solvitaire does not show
_SURELY_SHORT = 26  # a larger deck may be a full one with a rank or suit forgotten


def read(variant: Variant, deal: dict[str, Any], draft: Draft) -> Draft:
    """``draft`` with the board of one object. Raises ValueError naming a wrong key or card."""
    unknown = [key for key in deal if key not in _KEYS]
    if unknown:
        raise ValueError(f"{shown(unknown[0])}: no such key; expected {', '.join(_KEYS)}")
    if "foundation" in deal:  # as lonelybot writes it
        if "foundations" in deal:
            raise ValueError("foundation and foundations: expected one of them")
        deal = deal | {"foundations": deal["foundation"]}
    _take_deck(variant, deal, draft)
    draft.is_typed = False
    marked = variant.hiding is not None and any(
        str(card)[-1:].islower() for pile in _piles(deal, KEY) for card in pile
    )
    for number, pile in enumerate(_piles(deal, KEY), 1):
        place = f"column {number}"
        slots = [
            Slot(UNKNOWN, face_down=True)
            if card == _HIDDEN
            else Slot(_card(place, card), face_down=marked and card[-1:].islower())
            for card in pile
        ]
        draft.take_column(draft.line, " ".join(map(format_slot, slots)))
    for name in ("stock", "waste"):
        cards = [_card(name, card) for card in _pile(name, deal.get(name, []))]
        if cards:
            order = reversed(cards) if name == "stock" else cards
            draft.add_field(draft.line, name, " ".join(map(format_card, order)))
    if deal.get("position") is not None:
        draft.add_field(draft.line, "position", str(deal["position"]))
    tops = [_top(variant, draft, pile) for pile in _foundations(deal) if pile]
    if any(tops):
        draft.add_field(draft.line, "foundations", " ".join(filter(None, tops)))
    return draft


def _take_deck(variant: Variant, deal: dict[str, Any], draft: Draft) -> None:
    """Set the ranks and suits of a short deck, which Solvitaire's files do not state: those of the cards, if
    each card of them is there once and there are few enough. Our keys ``ranks`` and ``suits`` state them.
    Raises ValueError if these keys are needed."""
    for key in ("ranks", "suits"):
        if key in deal:
            draft.add_field(draft.line, key, str(deal[key]))
    if variant.jokers or {"ranks", "suits"} & deal.keys():
        return
    piles = [
        *_piles(deal, KEY),
        *_foundations(deal),
        *(_pile(k, deal.get(k, [])) for k in ("stock", "waste")),
    ]
    names = [card for pile in piles for card in pile]
    if not names or _HIDDEN in names:
        return
    try:
        cards = {_card("deck", name) for name in names}
    except ValueError:
        return  # the error is reported with its place
    suits = "".join(suit for i, suit in enumerate(SUITS) if any(suit_of(card) == i for card in cards))
    ranks = max(map(rank_of, cards)) + 1
    if len(cards) == len(names) == ranks * len(suits) < len(RANKS) * len(SUITS):
        if len(cards) > _SURELY_SHORT:
            short = f'"ranks": {ranks}' + (f', "suits": "{suits}"' if suits != SUITS else "")
            raise ValueError(
                f"{len(cards)} cards, A to {RANKS[ranks - 1]} of {' '.join(suits)}: add the cards that are "
                f"missing, or {short} for a deck without them"
            )
        draft.ranks, draft.suits = ranks, suits


def _piles(deal: dict[str, Any], key: str) -> list[list[Any]]:
    piles = deal.get(key, [])
    if not isinstance(piles, list):
        raise ValueError(f"{key}: expected a list of lists of cards")
    return [_pile(key, pile) for pile in piles]


def _pile(name: str, pile: Any) -> list[Any]:
    if pile == "":  # as Solvitaire's --deal-only writes an empty pile
        return []
    if not isinstance(pile, list):
        raise ValueError(f"{name}: expected a list of cards, got {shown(json.dumps(pile))}")
    return pile


def _foundations(deal: dict[str, Any]) -> list[list[Any]]:
    """The cards of each foundation. A single list of cards is divided by suit, at most 13 per foundation."""
    cards = deal.get("foundations", [])
    if isinstance(cards, list) and not any(cards):  # "foundations": ["", "", "", ""]
        return []
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        return _piles(deal, "foundations")
    suits: dict[str, list[str]] = {}
    for card in cards:
        suits.setdefault(card[-1:].upper(), []).append(card)
    most = len(RANKS)
    return [pile[at : at + most] for pile in suits.values() for at in range(0, len(pile), most)]


def _card(place: str, text: Any) -> int:
    """The card that Solvitaire writes as ``text``. Raises ValueError naming ``place``."""
    if not isinstance(text, str):
        raise ValueError(f"{place}: card {shown(json.dumps(text))}: expected a string")
    rank, suit = text[:-1], text[-1:]
    number = int(rank) if rank.isascii() and rank.isdigit() else 0
    try:
        return parse_card((RANKS[number - 1] if 1 <= number <= len(RANKS) else rank) + suit)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _top(variant: Variant, draft: Draft, pile: list[Any]) -> str:
    """The foundation ``pile`` as the text format writes it; empty in a game without foundations."""
    cards = [_card("foundations", card) for card in pile]
    first, ranks = rank_of(cards[0]), variant.deck(draft.ranks, draft.suits).ranks
    due = [make_card((first + i) % ranks, suit_of(cards[0])) for i in range(len(cards))]
    wrong = next((card for card, right in zip(cards, due, strict=True) if card != right), None)
    if wrong is not None or len(cards) > ranks:
        raise ValueError(f"foundations: card {format_card(wrong or cards[-1])} is not next on its foundation")
    top = variant.family.foundation_top(variant.name, cards)
    return "" if top is None else f"{SUITS[suit_of(cards[0])]}-{top}"


def write(variant: Variant, state: State) -> str:
    """``state`` as a line of JSON for Solvitaire and `read`, with a final newline. Raises ValueError for a
    state of another game, and for what the format cannot express: jokers, a short deck, and a position after
    a redeal in a game that limits them."""
    variant.check(state)
    if variant.jokers:
        raise ValueError(f"format solvitaire: expected a game without jokers, got {variant.name}")
    if not state.deck.is_full:
        raise ValueError("format solvitaire: expected the full deck, got a short one")
    board = variant.family.marked_board(state)
    if board.redeals:
        raise ValueError("format solvitaire: expected a position before the first redeal")
    deal: dict[str, Any] = {KEY: [[_written(slot) for slot in column] for column in board.columns]}
    if variant.has_stock:
        deal["stock"] = [_written(Slot(card)) for card in reversed(board.stock)]
        deal["waste"] = [_written(Slot(card)) for card in board.waste]
    up = variant.family.foundations_of(state)
    written = [_written(Slot(card)) for cards in up for card in cards]
    mark = variant.mark(state)
    deal |= ({"foundations": written} if written else {}) | ({"position": mark} if mark else {})
    return json.dumps(deal) + "\n"


def _written(slot: Slot) -> str:
    name = format_card(slot.card).replace("T", "10")
    return name[:-1] + name[-1].lower() if slot.face_down else name


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number to ``draft``. Solvitaire deals from the end of its deck: in Klondike first the
    stock, its last card turned first, then the rows from right to left. Raises ValueError."""
    dealt = _deck_of(number_in(field, text, 0, LAST))[::-1]
    if draft.variant.name == "simple-simon":
        order = [column for row in range(8) for column in range(9, row - 1, -1)]
        draft.add_columns(line, field, order, dealt)
        return
    stock, rows = dealt[23::-1], iter(dealt[24:])
    up = [card for size in range(7, 0, -1) for card in [next(rows) for _ in range(size)][::-1]]
    draft.add_cards(line, field, up + stock)


def _deck_of(number: int) -> list[int]:
    cards = by_ranks("CHSD")
    words = mersenne(number)
    for i in range(CARDS - 1, 0, -1):
        quotient, rest = divmod(WORD - 1, i + 1)
        size = quotient + (rest == i)
        while (j := next(words) // size) > i:
            pass
        cards[i], cards[j] = cards[j], cards[i]
    return cards
