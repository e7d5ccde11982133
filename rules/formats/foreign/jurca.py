"""Deals of jurca/klondike: a line of 51 different letters, a to z and A to Z, one for each card; the missing
letter is the last card."""

from string import ascii_letters

from ...cards import shown
from . import CARDS
from .shuffles import by_suits, from_columns


def read_line(text: str) -> list[int]:
    """The cards of a deal in the order of dealing: from the end of the list the columns are taken one by one,
    the deepest card first, then the stock. Raises ValueError."""
    missing = set(ascii_letters) - set(text)
    if len(text) != CARDS - 1 or len(missing) != 1:
        raise ValueError(f"{shown(text)}: expected {CARDS - 1} different letters, one for each card but one")
    cards = by_suits("SHDC")
    return from_columns([cards[ascii_letters.index(letter)] for letter in (text + missing.pop())[::-1]])
