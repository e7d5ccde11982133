"""Numbers of deals in the log of Microsoft's Solitaire Collection, ``Microsoft: 3752...``."""

from math import factorial

from ..partial_board import Draft
from . import CARDS
from .shuffles import by_suits, number_in, permuted

_LEAST = 10**10  # smaller numbers are those of Microsoft's older games, dealt in another way


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number to ``draft``: the permutation with this number, dealt from its end. Raises
    ValueError."""
    words = "52! - 1; shorter ones: PySolFC's ms11982"
    number = number_in(field, text, _LEAST, factorial(CARDS) - 1, words)
    draft.add_cards(line, field, permuted(by_suits("SHCD"), number, range(CARDS - 1, 0, -1))[::-1])
