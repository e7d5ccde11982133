"""Packed positions of Chessboard and Fortress; see position.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from ..core.column_move cimport count_of, pack_move, source_of, target_of
from ..core.dealer cimport Dealt
from ..core.desk cimport Desk
from ..core.invariant cimport invariant

cdef enum:
    NONE = 64           # in place of a card that does not exist; never on top of a column
    TABLE = 65          # in place of a card beneath the deepest card of a column
    UP = 15             # the target of a move to the foundation
    NO_BASE = 255
    MAX_COLUMNS = 10
    MAX_STEPS = 13 + 52             # most steps of a move: of a run and the foundation moves that follow

cdef enum:              # relation of a card to the one beneath it
    ELSEWHERE, ON_HIGHER, ON_LOWER, ON_TABLE

cdef enum:
    MAX_MOVES = 8 * MAX_COLUMNS     # most moves of a position; see generate
    NO_MOVE = 0                     # differs from all moves: of no cards from column 0 to itself

cdef enum Foreseen:     # results of `foresee`
    UNFORESEEN = 0      # the key is not known in advance
    QUIET = 1           # the key is known; no safe foundation move follows
    WITH_UPS = 2        # the key is known; safe foundation moves follow, or the move is one

cdef struct KeyBits:    # bits of a key
    uint64_t low, high

cdef struct Tables:     # tables for a variant and a number of ranks
    bint corner         # ace and last rank are neighbours: Chessboard
    bint free_base      # the first card up chooses the base rank: Chessboard; otherwise it is the ace
    int ranks
    uint8_t higher[NONE + 1]        # neighbours of each card, or NONE
    uint8_t lower[NONE + 1]
    uint8_t link[NONE][TABLE + 1]   # relation of each card to each card beneath it
    uint64_t bit[TABLE + 1]         # 1 << card; 0 for NONE and TABLE
    uint64_t firsts                 # the set of aces
    KeyBits key_bits[NONE][4]       # the key bits of each card with each code

cdef struct Cell:       # a card in the tableau
    uint8_t beneath     # card or TABLE
    uint8_t link        # relation to it
    uint8_t code        # its two key bits
    uint8_t run         # number of cards of the run that has this card as top
    uint8_t root        # the deepest card of that run
    uint8_t unused[3]   # padding to eight bytes, which are copied at once

cdef struct MadeMove:   # a step, a move of one card, with the data needed to undo it
    uint64_t low, high  # key before
    Cell cell           # cell of the card before
    uint8_t card, source, target
    uint8_t base        # base rank before

cdef struct Position:
    uint64_t low, high  # the key
    uint64_t tops       # set of the cards on top of columns
    uint64_t forced     # set of the cards that are safe to move up as soon as they are tops
    uint64_t linked     # set of the cards that lie on a card of their run; valid for cards in columns
    uint64_t grounded   # set of the cards whose run is all that lies beneath them; likewise
    uint32_t empty      # set of the empty columns
    Cell cells[NONE]
    uint8_t column_of[NONE]         # the column of each card
    uint8_t top[MAX_COLUMNS]        # card or TABLE
    uint8_t height[4]               # number of cards on each foundation
    uint8_t base                    # base rank, or NO_BASE
    int columns
    int left            # number of cards that are not up
    uint8_t started_on[NONE]        # card or TABLE beneath each card in the start position
    MadeMove* steps     # the steps from the start
    uint32_t step_count
    uint64_t step_room
    Tables tables

cdef void set_game(Position* p, bint corner, bint free_base, int ranks) noexcept nogil
cdef void clear(Position* p, int columns) noexcept nogil
cdef void load_dealt(Position* p, const Dealt* dealt) noexcept nogil
cdef void load_desk(Position* p, const Desk* desk, bint is_chessboard) noexcept nogil
cdef bint is_legal(const Position* p, int source, int target) noexcept nogil
cdef void check(const Position* p) noexcept nogil
cdef bint make_step_room(Position* p, uint32_t room) noexcept nogil
cdef int generate(const Position* p, uint16_t* moves) noexcept nogil
cdef bint is_blocked(const Position* p, uint16_t move) noexcept nogil

cdef inline void note_run(Position* p, int card) noexcept nogil:
    """Update the sets `linked` and `grounded` for ``card``."""
    cdef uint64_t bit = p.tables.bit[card]
    cdef const Cell* cell = &p.cells[card]
    # Branches would often be mispredicted here.
    p.linked = p.linked & ~bit | <uint64_t>(cell.run > 1) << card
    p.grounded = p.grounded & ~bit | <uint64_t>(p.cells[cell.root].beneath == TABLE) << card

cdef inline void put(Position* p, int column, int card) noexcept nogil:
    """Put ``card``, which must not be in a column, on top of ``column``."""
    cdef int beneath = p.top[column], link = p.tables.link[card][beneath]
    cdef Cell* cell = &p.cells[card]
    cell.beneath = beneath
    cell.link = link
    cell.code = 0 if beneath == p.started_on[card] else link
    cell.run = 1
    cell.root = card
    if link == ON_HIGHER or link == ON_LOWER:
        # It continues the run in its direction: a card of the other direction would be the card itself.
        cell.run += p.cells[beneath].run
        cell.root = p.cells[beneath].root
    note_run(p, card)
    p.low ^= p.tables.key_bits[card][cell.code].low
    p.high ^= p.tables.key_bits[card][cell.code].high
    p.column_of[card] = column
    p.top[column] = card
    p.tops = (p.tops & ~p.tables.bit[beneath]) | p.tables.bit[card]
    p.empty &= ~((<uint32_t>1) << column)

cdef inline void set_base(Position* p, int rank) noexcept nogil:
    """Choose the base rank where it is free; it is the ace otherwise. No card may be up."""
    if p.tables.free_base:
        p.base = rank
        p.high += <uint64_t>(rank + 1) << 56

cdef inline int next_rank(const Position* p, int suit) noexcept nogil:
    """The rank of the card of ``suit`` that can go up next."""
    cdef int rank = p.base + p.height[suit]
    return rank if rank < p.tables.ranks else rank - p.tables.ranks

cdef inline bint is_base_safe(const Position* p) noexcept nogil:
    """Test if cards of the base rank are safe to move up as others are: no card of their suit one rank lower
    may have to lie on them (Theorem C2)."""
    return p.base == 0 and not p.tables.corner

cdef inline uint64_t next_forced(const Position* p, int suit) noexcept nogil:
    """The card of ``suit`` that is safe to move up as soon as it is a top (Theorem C2), as a set; 0 if there
    is no such card."""
    if p.height[suit] == p.tables.ranks or (p.height[suit] == 0 and not is_base_safe(p)):
        return 0
    return p.tables.bit[16 * suit + next_rank(p, suit)]

cdef inline void step(Position* p, int source, int target) noexcept nogil:
    """Move the top card of ``source`` to another column or UP. ``p.steps`` must have capacity for it."""
    cdef int card = p.top[source], suit
    cdef Cell* cell = &p.cells[card]
    cdef MadeMove* made = &p.steps[p.step_count]
    invariant(p.step_count < p.step_room and card != TABLE)
    p.step_count += 1
    made.low = p.low
    made.high = p.high
    made.cell = cell[0]
    made.card = card
    made.source = source
    made.target = target
    made.base = p.base
    p.low ^= p.tables.key_bits[card][cell.code].low
    p.high ^= p.tables.key_bits[card][cell.code].high
    p.top[source] = cell.beneath
    p.tops |= p.tables.bit[cell.beneath]
    p.empty |= (<uint32_t>(cell.beneath == TABLE)) << source
    if target != UP:
        put(p, target, card)
        return
    suit = card >> 4
    p.tops &= ~p.tables.bit[card]
    if p.base == NO_BASE:
        set_base(p, card & 15)
    p.forced &= ~p.tables.bit[card]
    p.height[suit] += 1
    p.high += (<uint64_t>1) << (40 + 4 * suit)
    p.left -= 1
    p.forced |= next_forced(p, suit)

cdef inline void unstep(Position* p) noexcept nogil:
    """Undo the last step."""
    cdef MadeMove* made
    cdef int card, suit, beneath
    invariant(p.step_count > 0)
    p.step_count -= 1
    made = &p.steps[p.step_count]
    card = made.card
    if made.target == UP:
        suit = card >> 4
        p.forced &= ~next_forced(p, suit)
        p.height[suit] -= 1
        p.left += 1
        p.base = made.base
        p.forced |= next_forced(p, suit)
    else:
        beneath = p.cells[card].beneath
        p.top[made.target] = beneath
        p.tops |= p.tables.bit[beneath]
        p.empty |= (<uint32_t>(beneath == TABLE)) << made.target
    p.cells[card] = made.cell
    note_run(p, card)
    p.column_of[card] = made.source
    p.top[made.source] = card
    p.tops = (p.tops & ~p.tables.bit[made.cell.beneath]) | p.tables.bit[card]
    p.empty &= ~((<uint32_t>1) << made.source)
    p.low = made.low
    p.high = made.high

# --- Moves of the search -----------------------------------------------------------------------------------

cdef inline void undo_to(Position* p, uint32_t steps) noexcept nogil:
    """Undo all but the first ``steps`` steps."""
    while p.step_count > steps:
        unstep(p)

cdef inline bint may_return(const Position* p, uint16_t move) noexcept nogil:
    """Test if a move that no safe foundation move follows is reversible: if it splits a run or empties a
    column."""
    cdef const Cell* cell = &p.cells[p.top[source_of(move)]]
    return count_of(move) < cell.run or p.cells[cell.root].beneath == TABLE

cdef inline Foreseen foresee(const Position* p, uint16_t move, uint64_t* low, uint64_t* high) noexcept nogil:
    """Set ``low`` and ``high`` to the key after a move and the safe foundation moves that follow it, if it
    can be computed without making them; otherwise return UNFORESEEN."""
    cdef int card = p.top[source_of(move)], target = target_of(move), _, code, beneath
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
        # Replace the old code by the new one.
        low[0] ^= p.tables.key_bits[card][code ^ cell.code].low
        high[0] ^= p.tables.key_bits[card][code ^ cell.code].high
        beneath = card
        card = cell.beneath
    if p.forced & (p.tables.bit[card] | p.tables.bit[beneath]) == 0:
        return QUIET
    if p.forced & p.tables.bit[beneath] != 0:
        return UNFORESEEN
    return foresee_ups(p, card, tops | p.tables.bit[card], p.tables.bit[beneath], low, high)

cdef inline Foreseen foresee_ups(const Position* p, int card, uint64_t tops, uint64_t moved, uint64_t* low,
                                 uint64_t* high) noexcept nogil:
    """Update a key by moving ``card`` up, and by the safe foundation moves that follow.

    ``tops`` is the set of tops. ``moved`` is the set of another top, the card just moved, or 0: the result is
    UNFORESEEN if that card would go up, since `cells` does not contain what it lies on.
    """
    cdef uint64_t forced = p.forced, ups
    cdef int rank
    cdef const Cell* cell
    while True:
        cell = &p.cells[card]
        tops = (tops & ~p.tables.bit[card]) | p.tables.bit[cell.beneath]
        low[0] ^= p.tables.key_bits[card][cell.code].low
        high[0] ^= p.tables.key_bits[card][cell.code].high
        high[0] += (<uint64_t>1) << (40 + 4 * (card >> 4))
        # After the last card of a suit this is its first, which is up and thus not a top.
        rank = (card & 15) + 1
        forced |= p.tables.bit[(card & 0x30) | (rank if rank < p.tables.ranks else 0)]
        ups = (tops | moved) & forced
        if ups == 0:
            return WITH_UPS
        if ups & moved != 0:
            return UNFORESEEN
        card = lowest_bit(ups)

cdef inline void play_up_forced(Position* p) noexcept nogil:
    """Make all safe foundation moves: every card that can go up and is not of the base rank (in Fortress:
    every card that can go up) does so at once.

    Sound, and shortest lines stay shortest (Theorem C2). For cards of the base rank in Chessboard, it would
    be wrong.
    """
    while p.tops & p.forced:
        step(p, p.column_of[lowest_bit(p.tops & p.forced)], UP)
