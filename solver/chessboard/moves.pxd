"""The moves that the search tries, as `column_move` packs them, and rule A; see moves.pyx.

A move takes the top cards of a column one by one, which turns them over, or one card UP.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from ..core.column_move cimport count_of, source_of, target_of
from .position cimport MAX_COLUMNS, NO_BASE, UP, Cell, Position, step, unstep

cdef enum:
    MAX_MOVES = 6 * MAX_COLUMNS     # of one position; see generate
    NO_MOVE = 0                     # a column onto itself

cdef enum Foreseen:     # of the key after a move
    UNFORESEEN = 0
    QUIET = 1           # nothing goes up
    WITH_UPS = 2

cdef int generate(const Position* p, uint16_t* moves) noexcept nogil


cdef inline void undo_to(Position* p, uint32_t steps) noexcept nogil:
    """Take back all but the first ``steps`` steps of the line."""
    while p.step_count > steps:
        unstep(p)


cdef inline Foreseen foresee(const Position* p, uint16_t move, uint64_t* low, uint64_t* high) noexcept nogil:
    """The key after a move and what it forces up, where that can be told without making it."""
    cdef int card = p.top[source_of(move)]
    cdef int target = target_of(move)
    cdef int _, code, beneath
    cdef uint64_t tops
    cdef const Cell* cell
    low[0] = p.low
    high[0] = p.high
    if target == UP:
        if p.base == NO_BASE:
            return UNFORESEEN
        return foresee_ups(p, card, p.tops, 0, low, high)
    beneath = p.top[target]
    tops = p.tops & ~(p.tables.bit[card] | p.tables.bit[beneath])
    for _ in range(count_of(move)):
        cell = &p.cells[card]
        code = 0 if beneath == p.started_on[card] else p.tables.link[card][beneath]
        # The old code out, the new one in.
        low[0] ^= p.tables.key_bits[card][code ^ cell.code].low
        high[0] ^= p.tables.key_bits[card][code ^ cell.code].high
        beneath = card
        card = cell.beneath
    if p.forced & (p.tables.bit[card] | p.tables.bit[beneath]) == 0:
        return QUIET
    if p.forced & p.tables.bit[beneath] != 0:
        return UNFORESEEN
    return foresee_ups(p, card, tops | p.tables.bit[card], p.tables.bit[beneath], low, high)


cdef inline Foreseen foresee_ups(
    const Position* p, int card, uint64_t tops, uint64_t moved, uint64_t* low, uint64_t* high
) noexcept nogil:
    """Add to a key that ``card`` goes up, and what rule A forces up then, out of ``tops``. The card in
    ``moved``, a top too, must stay: `cells` does not tell what it lies on."""
    cdef uint64_t forced = p.forced, ups
    cdef int rank
    cdef const Cell* cell
    while True:
        cell = &p.cells[card]
        tops = (tops & ~p.tables.bit[card]) | p.tables.bit[cell.beneath]
        low[0] ^= p.tables.key_bits[card][cell.code].low
        high[0] ^= p.tables.key_bits[card][cell.code].high
        high[0] += (<uint64_t>1) << (40 + 4 * (card >> 4))
        # After the last card of a suit this is its first, which is up and no top.
        rank = (card & 15) + 1
        forced |= p.tables.bit[(card & 0x30) | (rank if rank < p.tables.ranks else 0)]
        ups = (tops | moved) & forced
        if ups == 0:
            return WITH_UPS
        if ups & moved != 0:
            return UNFORESEEN
        card = lowest_bit(ups)


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
