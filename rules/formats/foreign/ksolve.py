"""Deals and lines of play of KSolve: ``Ran: 1``, the number of a deal; boards with a talon, whose stock and
waste are ``Talon: waste ==> stock <==``; and ``Nalot:`` or ``Nolat:`` for a talon beside columns that are
written from the top card down. Its lines are those of Klondike-Solver, but DR counts cards."""

import re

from ...cards import parse_card
from ..partial_board import Draft
from . import CARDS, klondike_solver
from .lines import Step
from .shuffles import WORD, by_suits, mersenne, number_in


class Line(klondike_solver.Line):
    """A game that is played along a line of KSolve."""

    counts_cards = True


def write_line(steps: list[Step]) -> str:
    """The moves ``steps`` in the notation of KSolve."""
    return klondike_solver.write_line(steps, counts_cards=True)


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number or a talon to ``draft``. Raises ValueError."""
    if field == "ran":
        draft.add_cards(line, field, _cards_of(number_in(field, text, 0, WORD - 1)))
        return
    if field != "talon":
        draft.way = draft.way._replace(top="first")
    match = re.fullmatch("(.*)==>(.*)<==", text)
    if match is None:
        draft.add_pile(line, "talon", _talon(text))
        return
    draft.add_pile(line, "stock", _talon(match[2]))
    draft.add_pile(line, "waste", _talon(match[1])[::-1])


def _cards_of(number: int) -> list[int]:
    """The deal ``number`` in the order of dealing: each place is swapped with a random later one or
    itself."""
    cards = by_suits("CDSH")
    words = mersenne(number)
    for i in range(CARDS - 2):
        left = CARDS - i
        product = next(words) * left
        while product % WORD < WORD % left:
            product = next(words) * left
        j = i + (product >> 32)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _talon(text: str) -> list[int]:
    try:
        return [parse_card(token) for token in text.split()]
    except ValueError as error:
        raise ValueError(f"talon: {error}") from None
