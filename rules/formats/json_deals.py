"""JSON format of deals and positions, described in docs/formats.md: reader and writer.

The fields are those of the text format. Objects of other programs among them are read by `foreign`. Keys of
answers beside a deal are skipped, and so is ``schema``; any other key is an error.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from ..board import Board, has_unknown
from ..cards import shown
from ..choices import CHOICES
from ..variants import State, Variant, find_variant
from . import foreign
from .cleaning import clean_line, letters
from .foreign.pysol import parse_number
from .header import agreed_game, check_origin, check_schema, parse_made, seed_of, seed_value
from .partial_board import Draft
from .text import USUAL, Deal, FormatError, Way, cards_of_pile, format_foundations, format_slot, table_parts

if TYPE_CHECKING:
    from .. import answers

_COLUMNS = ("tableau", "piles")  # other names of the columns
_LONGEST = 100_000  # characters of a list in Python's notation
_WORDS = (str, int, type(None))
_SPACE = re.compile(r"\s*")
_PILES = ("stock", "waste", "removed")
_KEYS = {"schema", "game", "seed", "pysol", "moves_made", "columns", "foundations", "decks"}
_KEYS |= {"position", "ranks", "suits", "redeals", *_PILES, *CHOICES}
_ANSWERS = {
    "verdict",
    "moves",
    "shortest",
    "best",
    "lower_bound",
    "score",
    "tier",
    "exact",
    "note",
    "read_as",
}


def json_drafts(
    variant: Variant | None,
    text: str,
    name: str,
    agreed: Mapping[str, str],
    first: int = 1,
    way: Way = USUAL,
) -> Iterator[Draft]:
    """The boards in the JSON ``text``, under the rules ``agreed`` on; ``first`` is the number of its first
    line. Raises FormatError for JSON that is not a deal, and for a board of another game than ``variant``."""
    found = False
    for line, value in json_values(text, name, first):
        deals = value if isinstance(value, list) and not _are_columns(value) else [value]
        for number, deal in enumerate(deals, 1):
            where = f"deal {number}: " if len(deals) > 1 else ""
            try:
                draft = _draft(variant, deal, line, agreed, way)
                draft.settle()
            except ValueError as error:
                raise FormatError(name, line, f"{where}{error}" if where else error) from None
            yield draft
            found = True
    if not found:
        raise FormatError(name, 1, "no deal found")


def json_values(text: str, name: str, line: int = 1) -> Iterator[tuple[int, Any]]:
    """The JSON values that follow one another in ``text``, each with the number of the line it begins on; the
    first line of ``text`` has the number ``line``. Raises FormatError for invalid JSON, and for JSON that
    `DECODER` refuses."""
    at, first = 0, line
    while True:
        space = _SPACE.match(text, at)
        start = space.end() if space else at
        line += text.count("\n", at, start)
        if start == len(text):
            return
        try:
            value, at = DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if text[start : start + 1] == "[" and start == 0 and (literal := _literal(text)) is not None:
                yield line, literal
                return
            problem = f"{error.msg.removesuffix(' at')} at column {error.colno}"
            raise FormatError(name, first - 1 + error.lineno, f"invalid JSON: {problem}") from None
        except _RefusedError as error:
            raise FormatError(name, line, error) from None
        except (ValueError, RecursionError):
            raise FormatError(name, line, "invalid JSON: too large a number, or nested too deep") from None
        yield line, value
        line += text.count("\n", start, at)


def _literal(text: str) -> Any:
    """The list that ``text`` is in Python, such as ``[['9S', '7D'], ['7S']]``; None for anything else."""
    import ast

    with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        value = ast.literal_eval(text.strip()) if len(text) < _LONGEST else None
        return json.loads(json.dumps(value))
    return None


class _RefusedError(ValueError):
    """JSON that `DECODER` refuses; the message says why."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The JSON object with the items ``pairs``. Raises ValueError for a repeated key."""
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise _RefusedError(f"{shown(key)}: written twice")
        value[key] = item
    return value


def _whole_or_float(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 1 << 53 else number


def _no_number(name: str) -> float:
    raise _RefusedError(f"{name} is not a number")


DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_float=_whole_or_float, parse_constant=_no_number
)
"""Decoder of JSON from other programs. Raises ValueError for a repeated key, NaN and infinity. 10.0 and 1e1
are the whole number 10, as in JSON Schema, if it is below 2^53."""


def _draft(asked: Variant | None, deal: Any, line: int, agreed: Mapping[str, str], way: Way) -> Draft:
    """The board of one JSON value. Raises ValueError naming the invalid key."""
    if _are_columns(deal):
        deal = {"columns": deal}
    if isinstance(deal, dict) and "columns" not in deal:
        deal = {"columns" if key in _COLUMNS else key: value for key, value in deal.items()}
    if not isinstance(deal, dict):
        raise ValueError(f"expected a deal, an object with columns, got {shown(json.dumps(deal))}")
    if (program := foreign.sniff("key", *deal)) is not None:
        variant = agreed_game(asked, None, "in the format of winnable")
        program.read(variant, deal, draft := Draft(line, variant, agreed=agreed, way=way))
        return draft
    if "verdict" in deal and "columns" not in deal:
        raise ValueError("expected a deal with its columns, got an answer without them")
    unknown = [key for key in deal if key not in _KEYS | _ANSWERS]
    if unknown:
        raise ValueError(
            f"{shown(unknown[0])}: no such key; expected columns, stock, waste, foundations or another key "
            "of a deal in JSON"
        )
    check_schema(deal.get("schema"))
    game = deal.get("game")
    if not isinstance(game, str | None):
        raise ValueError(f"game {shown(json.dumps(game))}: expected a string")
    variant = agreed_game(asked, find_variant(game) if game is not None else None, '"game": "fortress"')
    draft = Draft(line, variant, agreed=agreed, way=way)
    if deal.get("position") is not None:
        draft.add_field(line, "position", _string(deal, "position"))
    if deal.get("decks", variant.copies) != variant.copies:
        raise ValueError(f"decks {shown(deal['decks'])}: {variant.name} has {variant.copies}")
    if deal.get("ranks") is not None:
        draft.add_field(line, "ranks", json.dumps(deal["ranks"]))
    if deal.get("redeals") is not None:
        draft.add_field(line, "redeals", json.dumps(deal["redeals"]))
    if deal.get("suits") is not None:
        draft.add_field(line, "suits", _string(deal, "suits"))
    for name in CHOICES:
        if name in deal:
            value = deal[name]
            draft.add_field(line, name, str(value) if type(value) is int else _string(deal, name))
    columns = deal.get("columns")
    if not isinstance(columns, list):
        raise ValueError("columns: expected a list with the cards of each column")
    for number, column in enumerate(columns, 1):
        draft.take_column(line, _cards(f"column {number}", column))
    for pile in _PILES:
        if pile in deal:
            draft.add_field(line, pile, _stock(deal) if pile == "stock" else _cards(pile, deal[pile]))
    tops = deal.get("foundations")
    if tops is not None:
        if not isinstance(tops, dict) or not all(isinstance(top, str) for top in tops.values()):
            raise ValueError('foundations: expected an object such as {"C": "3", "D": "0"}')
        for key, top in tops.items():
            if (key + top).split() != [key + top]:
                raise ValueError(f"foundations: {shown(key)}: {shown(top)} is not a foundation")
        draft.add_field(line, "foundations", format_foundations(tops))
    seed, pysol, made = deal.get("seed"), _string(deal, "pysol"), deal.get("moves_made")
    draft.seed = None if seed is None else seed_of(seed)
    draft.pysol = parse_number(pysol) if pysol else None
    check_origin(draft.seed, draft.pysol)
    draft.made = 0 if made is None else parse_made(json.dumps(made))
    return draft


def _are_columns(value: Any) -> bool:
    """Test if a JSON value is a list of columns, each a list of cards or a string of several cards."""
    return (
        isinstance(value, list)
        and all(isinstance(column, (list, str)) for column in value)
        and any(isinstance(column, list) or clean_line(letters(column)).count(" ") for column in value)
    )


def _string(deal: dict[str, Any], key: str) -> str:
    value = deal.get(key) or ""
    if not isinstance(value, str):
        raise ValueError(f"{key}: expected a string")
    return value


def _stock(deal: dict[str, Any]) -> str:
    value = deal["stock"]
    if isinstance(value, (int, float)) and not (type(value) is int and value >= 0):
        raise ValueError(f"stock {shown(json.dumps(value))}: expected a string or a number of cards")
    return str(value) if type(value) is int else _cards("stock", value)


def _cards(place: str, value: Any) -> str:
    """The cards of a pile as one string. They are a string such as ``3S 8H``, or a list of strings or of
    objects with rank, suit and whether they lie face up."""
    if isinstance(value, str | None):
        return clean_line(letters(value or ""))
    if not isinstance(value, list) or not all(isinstance(card, (str, dict)) for card in value):
        raise ValueError(f'{place}: expected "3S 8H" or ["3S", "8H"], got {shown(json.dumps(value))}')
    return " ".join(
        _of_object(card) if isinstance(card, dict) else clean_line(letters(card)) for card in value
    )


def _of_object(card: dict[str, Any]) -> str:
    """The card of an object such as ``{"rank": 7, "suit": "hearts", "face_up": false}``, as text."""
    fields = {key.lower().replace("_", ""): value for key, value in card.items()}
    rank, suit, is_up = fields.pop("rank", None), fields.pop("suit", None), fields.pop("faceup", True)
    if fields or type(is_up) is not bool or type(rank) not in _WORDS or type(suit) not in (str, type(None)):
        got = shown(json.dumps(card))
        raise ValueError(f'card {got}: expected {{"rank": "7", "suit": "hearts", "face_up": true}}')
    if rank is None and suit is None:
        return "<??>"
    name = clean_line(letters(f"{rank} {suit}"))
    return name if is_up else f"<{name}>"


def object_of(deal: Deal) -> "answers.Deal":
    """``deal``, or the table that it is, as an object that `partial.read_table` reads."""
    if has_unknown(deal.state):
        return table_object(deal.state)
    return deal_object(deal.variant, deal.state, deal.seed, deal.pysol, deal.made)


def table_object(table: State) -> "answers.Deal":
    """``table`` as an object that `partial.read_table` reads."""
    return cast("answers.Deal", {"game": table.variant, **board_object(*table_parts(table))})


def deal_object(
    variant: Variant,
    state: State,
    seed: int | None = None,
    pysol: str | None = None,
    made: int = 0,
    is_marked: bool = False,
) -> "answers.Deal":
    """``state`` as an object that `json_drafts` reads. With ``is_marked`` the face-down cards of an unplayed
    deal are marked, too. Raises ValueError for a state of another game."""
    variant.check(state)
    board = variant.family.marked_board(state) if is_marked else variant.family.to_board(state)
    deal: dict[str, Any] = {"game": variant.name}
    if seed is not None:
        deal["seed"] = seed_value(seed)
    if pysol is not None:
        deal["pysol"] = pysol
    if made and (seed is not None or pysol is not None):
        deal["moves_made"] = made
    elif mark := variant.mark(state):
        deal["position"] = mark
    choices = variant.choices_of(state)
    return cast("answers.Deal", deal | board_object(choices, board, cards_of_pile(board.stock)))


def board_object(choices: Mapping[str, str], board: Board, stock: str | int) -> dict[str, Any]:
    """The JSON fields of ``board`` and of its rule options ``choices``; ``stock`` is the text or the number
    of the stock's cards."""
    deck = {} if board.deck.is_full else {"ranks": board.deck.ranks, "suits": board.deck.suits}
    fields = {**deck, **choices, "columns": [" ".join(map(format_slot, column)) for column in board.columns]}
    piles = (stock, cards_of_pile(board.waste), cards_of_pile(board.removed))
    fields |= {pile: cards for pile, cards in zip(_PILES, piles, strict=True) if cards != ""}
    if board.foundations is not None:
        fields["foundations"] = dict(board.foundations)
    return fields | ({"redeals": board.redeals} if board.redeals else {})
