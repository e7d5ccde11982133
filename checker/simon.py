"""Certificates of Simon Jester and Simple Simon: which of their kinds one is.

That a deal is unwinnable is shown by positions of a relaxed game (`simon_relaxed`), where that is won by
classes of positions of the game itself (`simon_classes`), and where these are won by its positions
(`simon_moves`); the moves that a game needs by clauses (`simon_clauses`) or, where no card is twice, by
positions too.
"""

from __future__ import annotations

from typing import Any

from ..rules.cards import Deck
from . import simon_classes, simon_clauses, simon_moves, simon_relaxed
from .reading import Header, Refused

LEMMAS = (
    "order of columns",
    "loose cards",
    "arrangements",
    "bound",
    *simon_clauses.CONDITIONS.values(),
)
KINDS = {"loose cards": simon_relaxed, "arrangements": simon_classes}
"""What lists something else than positions of the game, by its lemma."""
CLAIMS = ("unwinnable", "fewest moves", "at least")


def game_of(header: Header, deck: Deck) -> Any:
    """The check of the deal of ``header``. Raises Refused for a claim or lemmas that do not belong to it."""
    if header.claim not in CLAIMS:
        raise Refused(f"claim {header.claim!r}: none of {header.game}")
    if (header.value is None) != (header.claim == "unwinnable"):
        raise Refused(f"claim {header.claim!r}: its value")
    if header.claim != "unwinnable":
        return (simon_clauses if "wasted moves" in header.lemmas else simon_moves).Game(header, deck)
    kinds = [module for lemma, module in KINDS.items() if lemma in header.lemmas]
    if len(kinds) > 1:
        raise Refused("line 1: the lemmas 'loose cards' and 'arrangements' do not go together")
    return (kinds[0] if kinds else simon_moves).Game(header, deck)
