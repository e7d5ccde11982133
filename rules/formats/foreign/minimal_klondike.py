"""Deals and lines of play of MinimalKlondike: ``MinimalKlondike:`` before 52 cards in a line, and moves such
as ``ID @@AB HJ``, a letter each for the places from and to, and ``@`` for a draw."""

from ...cards import RANKS, parse_card, rank_of
from ..partial_board import Draft
from . import CARDS, lines
from .shuffles import from_columns

_COLUMNS = "FGHIJKL"
_FOUNDATIONS = "BCDE"


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal in ``text`` to ``draft``: column by column, the deepest card of each first, then the
    stock, whose last card is turned first. Raises ValueError."""
    tokens = text.split()
    if len(tokens) != CARDS:
        raise ValueError(f"{field}: expected {CARDS} cards, got {len(tokens)}")
    try:
        cards = [parse_card(token) for token in tokens]
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None
    draft.add_cards(line, field, from_columns(cards[:28] + cards[:27:-1]))


class Line(lines.Line):
    """A game that is played along a line; ``foundations`` are the suits of the letters B to E."""

    foundations = "CDSH"

    def take(self, token: str) -> None:
        """Play one move. Raises ValueError with the rule that it breaks."""
        if token == "@":
            self.draw()
            return
        source, target = map(self._place, token)
        count = 1
        if source.isdigit() and target.isdigit():
            count = self._fitting(int(source) - 1, int(target) - 1)
        self.move(source, target, count)

    def _place(self, letter: str) -> str:
        if letter in _FOUNDATIONS:
            return self.foundations[_FOUNDATIONS.index(letter)]
        return "W" if letter == "A" else str(_COLUMNS.index(letter) + 1)

    def _fitting(self, source: int, target: int) -> int:
        """The number of cards that move from column ``source`` to column ``target``, which the notation
        leaves out; 1 if no card of the source fits by rank."""
        columns = self.state.columns
        face_up = columns[source][self.state.hidden[source] :]
        wanted = rank_of(columns[target][-1]) - 1 if columns[target] else len(RANKS) - 1
        return next((len(face_up) - i for i, card in enumerate(face_up) if rank_of(card) == wanted), 1)


def write_line(steps: list[lines.Step]) -> str:
    """The moves ``steps`` in this notation, with a final newline."""
    words = [f" {_letter(step.source)}{_letter(step.target)} " if step.source else "@" for step in steps]
    return " ".join("".join(words).split()) + "\n"


def _letter(place: str) -> str:
    if place.isdigit():
        return _COLUMNS[int(place) - 1]
    return "A" if place == "W" else _FOUNDATIONS[Line.foundations.index(place)]
