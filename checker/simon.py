"""Certificates of Simon Jester and Simple Simon: which of their four kinds one is.

That a deal is unwinnable is shown by positions of a relaxed game (`simon_relaxed`) or, where that is won, by
classes of positions of the game itself (`simon_classes`); the moves that a game needs by clauses
(`simon_clauses`) or, where no card is twice, by positions (`simon_moves`).
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
CLAIMS = ("unwinnable", "fewest moves", "at least")


def game_of(header: Header, deck: Deck) -> Any:
    """The check of the deal of ``header``. Raises Refused for a claim or lemmas that do not belong to it."""
    if header.claim not in CLAIMS:
        raise Refused(f"claim {header.claim!r}: none of {header.game}")
    if (header.value is None) != (header.claim == "unwinnable"):
        raise Refused(f"claim {header.claim!r}: its value")
    if header.claim != "unwinnable":
        return (simon_clauses if "wasted moves" in header.lemmas else simon_moves).Game(header, deck)
    if ("loose cards" in header.lemmas) == ("arrangements" in header.lemmas):
        raise Refused("line 1: one of the lemmas 'loose cards' and 'arrangements' has to be named")
    kind = simon_classes if "arrangements" in header.lemmas else simon_relaxed
    return kind.Game(header, deck)
