"""Packed positions of Chessboard and Fortress; see position.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from ..core.column_move cimport count_of, pack_move, source_of, target_of
from ..core.dealer cimport Dealt
from ..core.invariant cimport invariant

cdef enum:
    NONE = 64           # no such card; never on top of a column
    TABLE = 65          # what lies beneath the deepest card of a column
    UP = 15             # the target of a move to the foundation
    NO_BASE = 255
    MAX_COLUMNS = 10
    MAX_STEPS = 13 + 52             # cards moved by a run and by the moves up that it forces

cdef enum:              # how a card lies on the one beneath it
    ELSEWHERE, ON_HIGHER, ON_LOWER, ON_TABLE

cdef enum:
    MAX_MOVES = 8 * MAX_COLUMNS     # of one position; see generate
    NO_MOVE = 0                     # a column onto itself

cdef enum Foreseen:     # of the key after a move
    UNFORESEEN = 0
    QUIET = 1           # nothing goes up
    WITH_UPS = 2

cdef struct KeyBits:    # a part of a key
    uint64_t low, high

cdef struct Tables:       # what depends on the variant and the number of ranks only
    bint wrap
    int ranks
    uint8_t higher[NONE + 1]        # neighbours of each card, or NONE
    uint8_t lower[NONE + 1]
    uint8_t link[NONE][TABLE + 1]   # how a card lies on another, or would
    uint64_t bit[TABLE + 1]         # 1 << card; 0 for NONE and TABLE
    uint64_t firsts                 # the aces
    KeyBits key_bits[NONE][4]       # of each card for each code

cdef struct Cell:       # a card in the tableau
    uint8_t beneath     # card or TABLE
    uint8_t link        # how it lies there
    uint8_t code        # its two key bits
    uint8_t run         # cards in the run of which it is the top
    uint8_t root        # the deepest card of that run
    uint8_t unused[3]   # eight bytes are copied at once

cdef struct MadeMove:   # one card moved, with all that undoing it needs
    uint64_t low, high
    Cell cell
    uint8_t card, source, target
    uint8_t base        # base rank before

cdef struct Position:
    uint64_t low, high  # the key
    uint64_t tops       # the cards on top of columns
    uint64_t forced     # the cards that are safe to move up as soon as they are tops
    uint64_t linked     # the cards that lie on others of their runs; of cards in columns alone
    uint64_t grounded   # the cards with nothing but their runs beneath them; likewise
    uint32_t empty      # the columns without cards
    Cell cells[NONE]
    uint8_t column_of[NONE]         # where a card lies
    uint8_t top[MAX_COLUMNS]        # card or TABLE
    uint8_t height[4]
    uint8_t base
    int columns
    int left            # cards not up
    uint8_t started_on[NONE]
    MadeMove* steps     # the line from the start
    uint32_t step_count
    uint64_t step_room
    Tables tables

cdef void set_game(Position* p, bint wrap, int ranks) noexcept nogil
cdef void clear(Position* p, int columns) noexcept nogil
cdef void load_dealt(Position* p, const Dealt* dealt) noexcept nogil
cdef void load_state(Position* p, state) except *
cdef bint is_legal(const Position* p, int source, int target) noexcept nogil
cdef void check(const Position* p) noexcept nogil
cdef bint make_step_room(Position* p, uint32_t room) noexcept nogil
cdef int generate(const Position* p, uint16_t* moves) noexcept nogil
cdef bint is_blocked(const Position* p, uint16_t move) noexcept nogil

cdef inline void note_run(Position* p, int card) noexcept nogil:
    """Find out anew if a card is `linked` and `grounded`."""
    cdef uint64_t bit = p.tables.bit[card]
    cdef const Cell* cell = &p.cells[card]
    # Branches would often be mispredicted here.
    p.linked = p.linked & ~bit | <uint64_t>(cell.run > 1) << card
    p.grounded = p.grounded & ~bit | <uint64_t>(p.cells[cell.root].beneath == TABLE) << card

cdef inline void put(Position* p, int column, int card) noexcept nogil:
    """Lay a card that lies nowhere on a column."""
    cdef int beneath = p.top[column], link = p.tables.link[card][beneath]
    cdef Cell* cell = &p.cells[card]
    cell.beneath = beneath
    cell.link = link
    cell.code = 0 if beneath == p.started_on[card] else link
    cell.run = 1
    cell.root = card
    if link == ON_HIGHER or link == ON_LOWER:
        # The run goes on in one direction: in the other one the card would lie on itself.
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
    """Choose the base rank, where it is chosen at all; nothing may be up yet."""
    if p.tables.wrap:
        p.base = rank
        p.high += <uint64_t>(rank + 1) << 56

cdef inline int next_rank(const Position* p, int suit) noexcept nogil:
    """The rank of the next card of ``suit`` to go up."""
    cdef int rank = p.base + p.height[suit]
    return rank if rank < p.tables.ranks else rank - p.tables.ranks

cdef inline uint64_t next_forced(const Position* p, int suit) noexcept nogil:
    """The card of ``suit`` that is safe to move up as soon as it is a top (Theorem C2); 0 for none."""
    if p.height[suit] == p.tables.ranks or (p.tables.wrap and p.height[suit] == 0):
        return 0
    return p.tables.bit[16 * suit + next_rank(p, suit)]

cdef inline void step(Position* p, int source, int target) noexcept nogil:
    """Move the top card of ``source`` to another column or UP; ``steps`` must have memory for it."""
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
    """Take the last step back."""
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
    """Take back all but the first ``steps`` steps of the line."""
    while p.step_count > steps:
        unstep(p)

cdef inline bint may_return(const Position* p, uint16_t move) noexcept nogil:
    """Test if a move that forces nothing up can be taken back: it splits a run or empties a column."""
    cdef const Cell* cell = &p.cells[p.top[source_of(move)]]
    return count_of(move) < cell.run or p.cells[cell.root].beneath == TABLE

cdef inline Foreseen foresee(const Position* p, uint16_t move, uint64_t* low, uint64_t* high) noexcept nogil:
    """The key after a move and what it forces up, where that can be told without making it."""
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

cdef inline Foreseen foresee_ups(const Position* p, int card, uint64_t tops, uint64_t moved, uint64_t* low,
                                 uint64_t* high) noexcept nogil:
    """Add to a key that ``card`` goes up, and the safe foundation moves then, out of ``tops``. The card in
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
    """Make all safe foundation moves: a card that can go up and is not of base rank (in Fortress: any card)
    goes up at once.

    Sound, and it keeps the fewest moves (Theorem C2).

    Leaving out the splits of runs is wrong too, in both games: seeds/counterexamples.jsonl has a deal of each
    that is lost without them. They stay, tried late.
    """
    while p.tops & p.forced:
        step(p, p.column_of[lowest_bit(p.tops & p.forced)], UP)
