"""Actions of a game, numbered from 0: the moves that some position of it may have, without their cards."""

from functools import cache
from typing import Any

from ..rules import Variant
from ..rules.cards import RANKS, SUITS


def action_of(move: Any) -> str:
    """The action that a move is: its text without the card, and with the number of cards if there are
    several, such as ``10-3 x4``, ``w-f``, ``3=7``."""
    text, count = str(move).rpartition(" ")[2], getattr(move, "count", 1)
    return text if count == 1 else f"{text} x{count}"


@cache
def actions_of(variant: Variant) -> dict[str, int]:
    """The actions of a game under all its rule options, with their numbers: between columns, up, of the
    stock, back from foundations, of jokers."""
    columns = range(1, len(variant.sizes) + 1)
    ranks = len(RANKS)
    most = ranks if variant.hiding else ranks - 1 if variant.leaves_in_runs else 1
    moves = [f"{source}-{target}" for source in columns for target in columns if source != target]
    found = [move if count == 1 else f"{move} x{count}" for move in moves for count in range(1, most + 1)]
    if not variant.leaves_in_runs:
        found += [f"{source}-f" for source in columns]
    if variant.hiding:
        found += ["s-w", "w-f", *(f"w-{target}" for target in columns)]
    if "worrying_back" in variant.choices:
        found += [f"f{suit}-{target}" for suit in SUITS for target in columns]
    if variant.jokers:
        found += [f"{source}-f{suit}" for source in columns for suit in SUITS]
        found += [f"{column}={rank}" for column in columns for rank in RANKS]
        found += [f"{source}-x" for source in ("w", *columns)]
    return {action: number for number, action in enumerate(found)}
