"""Rules of the games: deals, positions and moves, without search; read `chessboard` first.

The readable rules have no undo, no caching and no pruning; the kernels in `solver` implement the same rules a
second time. `variants` is the table of games. `Variant.check` validates a state of a game, and kernels call
`check_implemented`. ``Variant.deal(seed, ranks=5)`` deals a short deck, on which kernels are compared with
these rules. `board` has positions in the form that all games and formats share; `formats` reads and writes
files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Board, BoardError, Position, Services, has_unknown
from .cards import Deck
from .choices import CHOICES
from .variants import (
    VARIANTS,
    Move,
    State,
    Variant,
    check_implemented,
    find_variant,
    of_state,
    variant_of,
)

if TYPE_CHECKING:
    from .answers import Told
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


# The modules that states need are imported when first used.


def _read_move(variant: Variant, state: State, text: str) -> Move:
    from .moves import read_move

    return read_move(variant, state, text)


def _move_keys(variant: Variant, state: State, move: Move) -> Told:
    from .move_text import move_keys

    return move_keys(variant, state, move)


def _format_state(state: State) -> str:
    from .formats.text import format_state

    return format_state(state)


def _draw(state: State) -> str:
    from .drawing import draw

    return draw(state)


Position.services = Services(find_variant, _read_move, _move_keys, _format_state, _draw)

__all__ = ["CHOICES", "VARIANTS", "Board", "BoardError", "Choices", "Deck", "Family", "Move", "Position"]
__all__ += ["Scoring", "State", "Variant", "check_implemented", "find_variant", "has_unknown", "of_state"]
__all__ += ["variant_of"]
