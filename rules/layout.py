"""Layout of a position as plain data, for programs that draw it: the place of every card."""

from typing import TYPE_CHECKING, Any

from .board import has_unknown
from .formats.text import format_slot
from .variants import State, Variant

if TYPE_CHECKING:
    from . import answers


def picture(variant: Variant, state: State, as_seen: bool = False) -> "answers.Picture":
    """Return ``state`` as plain data.

    ``columns`` is a list of strings such as ``<7H> XB=6 5D``, deepest card first, ``<7H>`` face down.
    ``piles`` lists the other places, each with its ``kind`` (stock, waste, foundation, runs or joker), a
    ``name``, its ``cards`` as a string with the topmost last, and a ``note``. ``jokers`` names in words the
    places of the jokers and the cards they stand for; with ``as_seen`` not where they lie face down.
    ``score`` is None for games without scores. An unknown card of a table is ``<??>``. Raises ValueError for
    a state of another game.
    """
    variant.check(state, tables=True)
    family = variant.family
    piles: Any = family.piles(state)
    return {
        "columns": [" ".join(map(format_slot, column)) for column in family.marked_board(state).columns],
        "piles": piles,
        "jokers": family.notes(state, as_seen or has_unknown(state)),
        "score": variant.scoring.score(state) if variant.scoring else None,
    }
