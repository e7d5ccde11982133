"""Games that browsers play on the page, and scripts that read what lies on the page."""

from functools import cache

from tests.board.page import ADDRESS
from tests.compiled import SEARCHED

from winnable.game.places import drop_places, source_of
from winnable.rules import find_variant
from winnable.solver import Limits, find_shortest, solve
from winnable.solver.verify import format_line

# Deals with short lines.
SEEDS = dict(zip(SEARCHED, (8, 8, 17, 17, 32, 79, 82, 129, 28, 26, 57), strict=True))
REDEALS = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
# Moves of deal 55 of joker after which both jokers are on top, one in the waste, and a column is empty.
JOKERS = (
    "TD 1-6,JC 6-7,4D 2-6,3D s-w,5C 6-2,3D w-3,3S 6-2,3D 3-5,6C s-w,9H s-w,2H s-w,2H w-2,5H s-w,5H w-6,"
    "AS s-w,AS w-2,AS 2-f,3D 5-3,4C 3-6,4C 6-3,4C 3-6,XR s-w,9C s-w,4C 6-3,4C 3-6,9C w-7,3D 6-5,4S 5-3"
)
SHORT = {"chessboard": 8, "simple-simon": 32}  # games for drags and keys

# Reads the address and the cards that lie on the table.
CARDS = "[...document.querySelectorAll('.card')]"
PLACED = f"[{ADDRESS}, {CARDS}.map(card => card.dataset.spot + card.textContent).sort().join()]"
SHOWN = "return [...document.querySelectorAll('.card:not(.down)')].map(card => card.dataset.name)"
CHANGED = "return document.body.dataset.node !== arguments[0]"


@cache
def steps_of(name, seed):
    """The moves of the solver's line: the text of each, its places and its number of cards."""
    variant = find_variant(name)
    state = variant.deal(seed)
    find = find_shortest if name in ("chessboard", "fortress") else solve
    moves = find(variant, state, Limits(seconds=60)).moves
    steps = []
    for text, move in zip(format_line(variant, state, moves), moves, strict=True):
        steps.append((text, source_of(state, move), getattr(move, "count", 1), drop_places(state, move)[0]))
        state = variant.family.apply(state, move)
    return steps


@cache
def with_detour(name, seed):
    """A shortest line in which a card is moved to an empty column and back, and the number of that move."""
    variant = find_variant(name)
    state, family, made, number = variant.deal(seed), variant.family, [], 0
    for move in find_shortest(variant, state, Limits(seconds=60)).moves:
        for aside in [] if number else family.legal_moves(state):
            after, back = family.apply(state, aside), type(aside)(aside.target, aside.source)
            if not state.columns[aside.target] and back in family.legal_moves(after):
                made += [family.format_move(state, aside), family.format_move(after, back)]
                number = len(made) - 1
                break
        made.append(family.format_move(state, move))
        state = family.apply(state, move)
    return made, number


def play(page, steps, make):
    """Make all moves by ``make``, each once the move before is shown."""
    spots = None
    for number, (text, *places) in enumerate(steps):
        make(page, *places, spots)
        spots = page.await_move(number, text, steps[number + 1][1:] if number + 1 < len(steps) else None)
