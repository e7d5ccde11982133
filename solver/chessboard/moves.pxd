"""The moves that the search tries, as `column_move` packs them, and rule A; see moves.pyx.

A move takes the top cards of a column one by one, which turns them over, or one card UP.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from ..core.column_move cimport count_of, source_of, target_of
from .position cimport MAX_COLUMNS, UP, Cell, Position, step, unstep

cdef enum:
    MAX_MOVES = 6 * MAX_COLUMNS     # of one position; see generate

cdef int generate(const Position* p, uint16_t* moves) noexcept nogil


cdef inline void undo_to(Position* p, uint32_t steps) noexcept nogil:
    """Take back all but the first ``steps`` steps of the line."""
    while p.step_count > steps:
        unstep(p)


cdef inline bint foresee(const Position* p, uint16_t move, uint64_t* low, uint64_t* high) noexcept nogil:
    """The key after a move; false if a card goes up in it or because of it."""
    cdef int card = p.top[source_of(move)]
    cdef int target = target_of(move)
    cdef int _, code, beneath
    cdef const Cell* cell
    if target == UP:
        return False
    beneath = p.top[target]
    low[0] = p.low
    high[0] = p.high
    for _ in range(count_of(move)):
        cell = &p.cells[card]
        code = 0 if beneath == p.started_on[card] else p.tables.link[card][beneath]
        low[0] ^= p.tables.bits_low[card][cell.code] ^ p.tables.bits_low[card][code]
        high[0] ^= p.tables.bits_high[card][cell.code] ^ p.tables.bits_high[card][code]
        beneath = card
        card = cell.beneath
    return p.forced & (p.tables.bit[card] | p.tables.bit[beneath]) == 0


cdef inline void play_up_forced(Position* p) noexcept nogil:
    """Rule A: a card that can go up and is not of base rank (in fortress: any card) goes up at once.

    Sound, and it keeps the fewest moves. Let c be such a card, S the state and S' the state after c went up.
    Follow a win from S in S', keeping this: S' is S without a set R of cards that are up in S' only, R being
    consecutive cards of one suit from c on, none of base rank. A move of a card of R is left out. A card put
    on a card outside R can be put there in S' too. If x is put on a card y of R, x is a neighbour of y; the
    lower neighbour of y is up already in S' (it is in R, or it was on the foundation before c), so x is the
    higher one and next on its foundation, or, y being the last rank, x is the base card, which is up: play x
    up and add it to R. A column that is empty in S is empty in S'. So S' wins in at least one move less.

    The stronger form that tempts, forcing cards of base rank too, is wrong in chessboard: the last rank of
    the suit may need the base card as a parking place. It loses 4H 5D AD 3C AC | 5H AH 4D 4C 2H |
    2D 3D 3H 5C 2C (ranks A to 5), which can be won in 29 moves. In fortress no card lies below the ace, so
    there the rule may hold for all.

    Leaving out the splits of runs is wrong too, in both games: seeds/counterexamples.jsonl has a deal of each
    that is lost without them. They stay, tried late.
    """
    while p.tops & p.forced:
        step(p, p.column_of[lowest_bit(p.tops & p.forced)], UP)
