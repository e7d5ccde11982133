"""Read and write partly known positions of games with hidden cards, as a player sees them.

As text and as JSON, they are described in docs/formats.md. Every card that is written is known, also face
down, in the stock and in the waste. A single unknown card is filled in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from ..board import Board, BoardError
from ..cards import UNKNOWN, format_card
from ..variants import Variant, View, find_variant
from ..views import board_of, cards_up, state_of, view_of, view_of_table
from .header import format_header
from .json_deals import board_object, deal_object
from .partial_board import BY_COLUMNS, Draft
from .text import Deal, FormatError, board_text, cards_of_pile
from .text_reader import drafts_of

if TYPE_CHECKING:
    from .. import answers


def read_table(
    variant: Variant | None,
    text: str,
    name: str,
    choices: Mapping[str, str] | None = None,
    by: str = BY_COLUMNS,
) -> Deal:
    """The only position in ``text``; if its cards are not all known, its state is the view of a player.
    ``variant``, ``choices`` and ``by`` are as in `formats.read_deals`. Raises FormatError for text that
    cannot be read, for any other number of positions, and for a partly known one of a game that is not
    played so."""
    draft = _only_draft(variant, text, name, choices or {}, by)
    return deal_of(draft, name)


def deal_of(draft: Draft, name: str) -> Deal:
    """The deal on ``draft``; where cards of a game with hidden cards are unknown its state is a view, and one
    unknown card is filled in. Raises FormatError."""
    if draft.unknown() and draft.variant.hiding is not None:
        view = _view(draft, name)
        seen: Any = view  # in place of a state, since it is not known
        if len(draft.unknown()) == 1:
            seen = state_of(view)
        return Deal(seen, draft.seed, draft.pysol, draft.made)
    return draft.deal(name)


def read_view(variant: Variant | None, text: str, name: str) -> View:
    """The view of the position in ``text``, partly or fully known. Raises FormatError as `read_table` does,
    and for what `views.view_of` refuses."""
    return _view(_only_draft(variant, text, name, {}), name)


def _only_draft(
    variant: Variant | None, text: str, name: str, agreed: Mapping[str, str], by: str = BY_COLUMNS
) -> Draft:
    found = list(islice(drafts_of(variant, text, name, agreed, by), 2))
    if len(found) > 1:
        raise FormatError(name, found[1].line, "more than one deal; expected one")
    return found[0]


def _view(draft: Draft, name: str) -> View:
    """The view of ``draft``; its unknown cards may be any of the cards left over. Raises FormatError, with
    advice if the table may have been typed by rows."""
    try:
        return _view_of(draft, name)
    except FormatError:
        if draft.gap is None:
            raise
        raise FormatError(name, draft.line_of(draft.gap.place), draft.gap) from None


def _view_of(draft: Draft, name: str) -> View:
    _check_covered(draft, name)
    left, unknown = _left_over(draft, name), draft.unknown()
    if len(left) != len(unknown):
        places = f"{len(unknown)} place{' is' if len(unknown) == 1 else 's are'}"
        cards = f"{len(left)} card{' is' if len(left) == 1 else 's are'}"
        problem = f"{cards} not written, but {places} left for them"
        raise FormatError(name, draft.line, problem)
    state: Any = _filled(draft, iter(left)).state(name)
    try:
        if not unknown:
            return view_of(state)
        columns = [tuple(slot.card for slot in slots) for _, slots in draft.columns]
        columns += [()] * (len(state.columns) - len(columns))
        piles = {pile: tuple(draft.piles.get(pile, (0, []))[1]) for pile in ("stock", "waste")}
        return view_of_table(replace(state, columns=tuple(columns), **piles))
    except ValueError as error:
        raise FormatError(name, draft.line, error) from None


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
        up = cards_up(draft.variant.name, board)
        held = [("foundations", card) for card in up] + board.located_cards()
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


def format_view(view: View) -> str:
    """The text of ``view``, which `read_view` reads, with a final newline."""
    board = board_of(view)
    return board_text(format_header(view.variant), _choices(view), board, str(_stock(board)))


def table_object(deal: Deal) -> "answers.Deal":
    """``deal`` as an object that `read_table` reads once it is dumped."""
    if isinstance(deal.state, View):
        return view_object(deal.state)
    return deal_object(deal.variant, deal.state, deal.seed, deal.pysol, deal.made)


def view_object(view: View) -> "answers.Deal":
    """``view`` as an object that `read_view` reads once it is dumped."""
    board = board_of(view)
    return cast("answers.Deal", {"game": view.variant, **board_object(_choices(view), board, _stock(board))})


def _choices(view: View) -> dict[str, str]:
    """The rule options of ``view`` that differ from the defaults or that files must state."""
    variant = find_variant(view.variant)
    return variant.stated_choices(variant.choices_of(state_of(view)))


def _stock(board: Board) -> int | str:
    """The cards of the stock, or their number where none is known."""
    if set(board.stock) <= {UNKNOWN}:
        return len(board.stock)
    return cards_of_pile(board.stock)
