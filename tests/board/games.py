"""The games that browsers play on the page, and what lies on it."""

from functools import cache

from winnable.board.places import source_of, target_of
from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, find_shortest, solve
from winnable.solver.verify import format_line

# Deals with short lines.
SEEDS = dict(zip(VARIANTS, (8, 8, 17, 17, 32, 79, 82, 129, 28, 26, 57), strict=True))
REDEALS = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
SHORT = {"chessboard": 8, "simple-simon": 32}  # games for drags and keys

# The address, and what lies where.
CARDS = "[...document.querySelectorAll('.card')]"
PLACED = f"[location.hash, {CARDS}.map(card => card.dataset.spot + card.textContent).sort().join()]"
SHOWN = "return [...document.querySelectorAll('.card:not(.down)')].map(card => card.dataset.name)"
CHANGED = "return document.body.dataset.node !== arguments[0]"


@cache
def steps_of(name, seed):
    """The moves of the solver's line: as text, and the places and the number of cards of each."""
    variant = find_variant(name)
    state = variant.deal(seed)
    find = find_shortest if name in ("chessboard", "fortress") else solve
    moves = find(variant, state, Limits(seconds=60)).moves
    steps = []
    for text, move in zip(format_line(variant, state, moves), moves, strict=True):
        steps.append((text, source_of(state, move), getattr(move, "count", 1), target_of(state, move)))
        state = variant.family.apply(state, move)
    return steps


def play(page, steps, make):
    """Make all moves, each when the one before is shown."""
    spots = None
    for number, (text, *places) in enumerate(steps):
        make(page, *places, spots)
        spots = page.await_move(number, text, steps[number + 1][1:] if number + 1 < len(steps) else None)
