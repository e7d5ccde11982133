"""Saved games of KPatience (KPat), and numbers of its deals, ``KPat: 1``: Klondike and Simple Simon.

A saved game is XML: ``kpat-game`` with a ``state`` for the deal and one after each move. A state has the
piles that cards came to: a ``move`` with the name of the ``pile``, a ``position`` from the bottom, and each
``card``. The game is at the state called ``current``. KPat does not let cards come back from the foundations
of Klondike when three cards are drawn.
"""

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from ...board import Slot, format_top
from ...cards import RANK_NAMES, SUITS, make_card, shown, suit_of
from ...variants import Variant, find_variant
from ..header import agreed_game
from ..partial_board import Draft
from ..text import FormatError, format_foundations
from . import CARDS
from .shuffles import LAST, WORD, by_ranks, number_in

_SUITS = ("clubs", "diamonds", "hearts", "spades")
_GAMES = {
    ("simplesimon", ""): "simple-simon",
    ("klondike", "1"): "klondike-draw-one",
    ("klondike", "3"): "klondike",
}
_OLD_GAMES = {("18", "1"): "klondike-draw-one"}  # by id and options
_PILES = {"simple-simon": "store", "klondike": "play", "klondike-draw-one": "play"}


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number to ``draft``. Raises ValueError."""
    cards = _cards_of(number_in(field, text, 1, LAST))
    if draft.variant.name == "simple-simon":
        order = [*(column for size in range(9, 2, -1) for column in range(size)), *range(10)]
        draft.add_columns(line, field, order, cards)
    else:
        draft.add_cards(line, field, cards)


def _cards_of(number: int) -> list[int]:
    """The deal ``number`` in the order of dealing: each place from the last down is swapped with a random
    lower one or itself, by the generator of Microsoft's C library; cards are dealt from the end of the
    deck."""
    cards = by_ranks("CDHS")
    for i in range(CARDS, 1, -1):
        number = (number * 214013 + 2531011) % WORD
        j = (number >> 16 & 0x7FFF) % i
        cards[i - 1], cards[j] = cards[j], cards[i - 1]
    return cards[::-1]


def read(variant: Variant | None, text: str, name: str, agreed: Mapping[str, str]) -> Iterator[Draft]:
    """The board of the game saved in ``text``. Raises FormatError."""
    try:
        yield _draft(variant, text, agreed)
    except ElementTree.ParseError as error:
        raise FormatError(name, error.position[0], f"invalid XML: {error}") from None
    except ValueError as error:
        raise FormatError(name, 1, error) from None


def _draft(asked: Variant | None, text: str, agreed: Mapping[str, str]) -> Draft:
    if "<!ENTITY" in text:
        raise ValueError("expected a saved game of KPat, got XML with entities")
    game = ElementTree.fromstring(text)
    if game.tag == "dealer" and (game.get("id", ""), game.get("options", "")) in _OLD_GAMES:
        return _old_draft(asked, game, agreed)
    kind = game.get("game-type", ""), game.get("game-type-options", "")
    if game.tag != "kpat-game" or kind not in _GAMES:
        what = f"{kind[0]} {kind[1]}".strip() if game.tag == "kpat-game" else game.tag
        raise ValueError(f"expected a saved game of Klondike or Simple Simon of KPat, got {shown(what)}")
    variant = agreed_game(asked, find_variant(_GAMES[kind]), "it")
    piles = _piles(game)
    draft = Draft(1, variant, agreed=agreed, is_typed=False)
    draft.in_play = draft.are_columns = not variant.has_stock  # piles have names: none is mistyped
    if variant.name == "klondike":
        draft.add_field(1, "worrying_back", "no")
    for number in range(len(variant.sizes)):
        draft.columns.append((1, piles.pop(f"{_PILES[variant.name]}{number}", [])))
    ups = [piles.pop(f"target{number}", []) for number in range(4)]
    _add_piles(draft, piles.pop("talon", []), piles.pop("pile", []), ups)
    if any(piles.values()):
        raise ValueError(f"pile {shown(next(iter(piles)))}: {variant.name} has none")
    return draft


def _old_draft(asked: Variant | None, game: ElementTree.Element, agreed: Mapping[str, str]) -> Draft:
    """The board of a file in the form that ``kpat --generate`` and KPat before KDE 4.3 write."""
    variant = agreed_game(asked, find_variant(_OLD_GAMES["18", "1"]), "it")
    draft = Draft(1, variant, agreed=agreed, is_typed=False)
    piles: dict[str, list[Slot]] = {}
    for pile in game.iter("pile"):
        slots = piles.setdefault(pile.get("index", ""), [])
        for card in pile.iter("card"):
            suit, value = card.get("suit", ""), card.get("value", "")
            if not re.fullmatch("[0-3]", suit) or not re.fullmatch("[1-9]|1[0-3]", value):
                raise ValueError(
                    f"card {shown(f'{suit} {value}')}: expected a suit 0 to 3 and a value 1 to 13"
                )
            slots.append(Slot(make_card(int(value) - 1, int(suit)), card.get("faceup") == "0"))
    draft.columns = [(1, piles.get(str(number), [])) for number in range(5, 12)]
    _add_piles(draft, piles.get("0", []), piles.get("13", []), [piles.get(i, []) for i in "1234"])
    return draft


def _add_piles(draft: Draft, talon: list[Slot], waste: list[Slot], ups: list[list[Slot]]) -> None:
    piles = {"stock": [slot.card for slot in talon[::-1]], "waste": [slot.card for slot in waste]}
    draft.piles = {pile: (1, cards) for pile, cards in piles.items() if cards}
    tops = {SUITS[suit_of(up[0].card)]: format_top(len(up)) for up in ups if up}
    if tops:
        draft.add_field(1, "foundations", format_foundations({suit: tops.get(suit, "0") for suit in SUITS}))


def _piles(game: ElementTree.Element) -> dict[str, list[Slot]]:
    """The piles at the current state, the deepest card first. Raises ValueError."""
    piles: dict[str, list[str]] = {}
    cards: dict[str, Slot] = {}
    for state in game:
        for move in state:
            pile, at = move.get("pile", ""), move.get("position", "")
            if not re.fullmatch("[0-9]{1,3}", at):
                raise ValueError(f"position {shown(at)}: expected a number")
            for place, card in enumerate(move, int(at)):
                number = card.get("id", "")
                for other in piles.values():
                    if number in other:
                        other.remove(number)
                turn = card.get("turn")
                is_down = turn == "face-down" if turn else number in cards and cards[number].face_down
                cards[number] = Slot(_card(card.get("rank", ""), card.get("suit", "")), face_down=is_down)
                piles.setdefault(pile, []).insert(place, number)
        if state.get("current") == "true":
            break
    return {pile: [cards[number] for number in held] for pile, held in piles.items()}


def _card(rank: str, suit: str) -> int:
    if rank not in RANK_NAMES or suit not in _SUITS:
        raise ValueError(f"card {shown(f'{rank} of {suit}')}: no such card")
    return make_card(RANK_NAMES.index(rank), _SUITS.index(suit))
