"""Validation of a table as it is typed: errors, missing cards and duplicates."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..game.session import Opening, Session
from ..rules import CHOICES, Variant, has_unknown
from ..rules.board import Board, RowsError, SizesError, suit_tops
from ..rules.cards import JOKERS, RANKS, UNKNOWN, format_card, make_card, parse_card
from ..rules.formats.cleaning import cleaned, letters
from ..rules.formats.partial_board import ALIASES, Draft
from ..rules.formats.text import FormatError, is_gap
from ..rules.formats.text_reader import is_json
from ..rules.tables import unknown_places
from .new_game import read_typed

_NAME = "table"
_FIELDS = ("foundations", "stock", "waste", "talon", "removed", "redeals", "ranks", "suits", *CHOICES)


@dataclass
class _Table:
    """A table being parsed; an unreadable part is recorded as a problem and parsing continues."""

    draft: Draft
    problems: list[dict[str, Any]] = field(default_factory=list)

    def take(self, line: int, content: str) -> None:
        """Parse one line of the board."""
        word, colon, rest = content.partition(":")
        key = "_".join(word.lower().split())
        key = ALIASES.get(key, key)
        if not colon or not key:
            self._take_column(line, rest if colon else content)
            return
        try:
            if key not in (*_FIELDS, "position"):
                raise ValueError(f"{word.strip()!r:.30}: no such field")
            self.draft.add_field(line, key, rest.strip())
        except ValueError as error:
            self.problems.append(_problem("field", line, error))

    def _take_column(self, line: int, text: str) -> None:
        """Parse a column, skipping unreadable cards and empty places."""
        good = []
        number = len(self.draft.columns) + 1
        for token in [token for token in text.split() if not is_gap(token)]:
            try:
                Draft(line, self.draft.variant).add_column(line, token)
                good.append(token)
            except ValueError as error:
                problem = str(error).replace("column 1", f"column {number}", 1)
                self.problems.append(_problem("card", line, problem))
        self.draft.add_column(line, " ".join(good))


def _problem(code: str, line: int, text: object) -> dict[str, Any]:
    """A problem of a table as JSON: its kind ``code``, its line, and a sentence for the person."""
    return {"code": code, "line": line, "text": str(text)}


def check(variant: Variant, text: str) -> dict[str, Any]:
    """Validate a table of ``variant`` that is being typed; PROTOCOL.md has the keys of the result."""
    told: dict[str, Any] = {"ok": False, "mode": None, "game": variant.name, "problems": [], "missing": []}
    told |= {"doubled": [], "unknown": 0, "picture": None, "note": None}
    try:
        deal, note = read_typed(variant, text.encode("utf-8", "replace"), _NAME)
        mode = "table" if has_unknown(deal.state) else "analysis"
        game = Session.begin(Opening(deal, mode))
    except FormatError as error:
        _, line, problem = str(error).split(":", 2)
        if not is_json(text):
            told |= _counted(variant, text)
        if not (told["problems"] or told["doubled"] or told["missing"]):
            told["problems"] = [_problem(_code_of(error.problem), int(line), problem.strip())]
        return told
    except ValueError as error:
        return told | {"problems": [_problem("board", 1, error)]}
    unknown = len(unknown_places(deal.state)) if variant.hiding else 0
    return told | {
        "ok": True,
        "mode": mode,
        "unknown": unknown,
        "picture": game.picture(game.here),
        "note": note,
    }


def _code_of(problem: object) -> str:
    if isinstance(problem, RowsError):
        return "rows"
    return "position" if isinstance(problem, SizesError) else "board"


def _counted(variant: Variant, text: str) -> dict[str, Any]:
    """The problems by line, and the cards that are missing or duplicated."""
    table = _Table(Draft(1, variant))
    for line, content, *_ in cleaned(letters(text).split("\n"), by_rows=False):
        if content and not content.startswith("#"):
            table.take(line, content)
    draft = table.draft
    try:
        deck = variant.deck(draft.ranks, draft.suits)
        held = Counter(_held(draft, deck))
    except ValueError as error:
        problem = _problem("board", draft.foundations_line or 1, error)
        return {"problems": [*table.problems, problem]}
    unknown = held.pop(UNKNOWN, 0)
    whole = Counter(deck.cards())
    doubled = [format_card(card) for card in sorted((held - whole).elements())]
    missing = whole - held
    _leave(variant, missing, deck)
    is_enough = unknown == missing.total()
    return {
        "problems": table.problems,
        "doubled": doubled,
        "missing": [] if is_enough else [format_card(card) for card in sorted(missing.elements())],
        "unknown": unknown,
    }


def _held(draft: Draft, deck: Any) -> list[int]:
    """All cards in the text, including all those below the tops of the foundations."""
    cards = [slot.card for _, slots in draft.columns for slot in slots]
    cards += [card for _, pile in draft.piles.values() for card in pile]
    board = Board(deck, (), foundations=draft.foundations)
    up: list[int] = []
    for suit, text in suit_tops(board).items():
        base, _, top = text.rpartition(":")
        if top != "0":
            first, last = RANKS.index(base or "A"), RANKS.index("T" if top == "10" else top.upper())
            up += [make_card((first + i) % deck.ranks, suit) for i in range((last - first) % deck.ranks + 1)]
    for joker in JOKERS:
        place = (draft.foundations or {}).get(format_card(joker))
        if place is not None:
            up.append(joker)
            if place.upper() != "A" and (card := parse_card(place)) in up:
                up.remove(card)
    return cards + up


def _leave(variant: Variant, missing: Counter[int], deck: Any) -> None:
    """Drop complete suits from ``missing`` where cards that have left play are not written."""
    for suit in range(4):
        run = [make_card(rank, suit) for rank in range(deck.ranks)]
        if variant.family.foundation_top(variant.name, run) is not None:
            return
        gone = min(missing[card] for card in run)
        missing.subtract(dict.fromkeys(run, gone))
    for card in [card for card, count in missing.items() if count <= 0]:
        del missing[card]
