"""The games: what a deal, a position and a move are. No search, no packing; read `chessboard` first.

Boring on purpose: no undo, no caching, no pruning. `variants` is the table of games; where a game and a
state are given, `Variant.check` tells whether they belong together, and a kernel asks `check_family`.
``Variant.deal(seed, ranks=5)`` deals a short deck, the main instrument of proof. `board` has positions in
neutral terms, between games and formats; `formats` is the front door for bytes from outside. `tiers` names
the scores of Joker, and ``solver/joker/tiers.pxd`` again, compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Board, BoardError, Position
from .cards import Deck
from .variants import (
    CHOICES,
    VARIANTS,
    Move,
    State,
    Variant,
    View,
    check_family,
    find_variant,
)

if TYPE_CHECKING:
    from .family import Family, Scoring
    from .joker_board import Choices
else:
    _HOMES = {"Choices": "joker_board", "Family": "family", "Scoring": "family"}

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        return value


__all__ = [
    "CHOICES",
    "VARIANTS",
    "Board",
    "BoardError",
    "Choices",
    "Deck",
    "Family",
    "Move",
    "Position",
    "Scoring",
    "State",
    "Variant",
    "View",
    "check_family",
    "find_variant",
]
