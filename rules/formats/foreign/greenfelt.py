"""Numbers of deals of greenfelt.net, ``GreenFelt: 1``, which MinimalKlondike reads, too."""

from ..partial_board import Draft
from . import CARDS
from .shuffles import LAST, by_suits, number_in

_LEHMER = (1 << 31) - 1  # the generator multiplies modulo this
_SWEEPS = 7  # number of passes through the deck


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number to ``draft``. Raises ValueError."""
    draft.add_cards(line, field, cards_of(number_in(field, text, 1, LAST)))


def cards_of(number: int) -> list[int]:
    """The deal ``number`` in the order of dealing: `_SWEEPS` passes swap each place with a random one, and
    the deck is dealt from its end."""
    cards = by_suits("CDHS")
    for _ in range(_SWEEPS):
        for i in range(CARDS):
            number = number * 16807 % _LEHMER
            j = number % CARDS
            cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]
