"""Packed positions of Chessboard and Fortress, with an exact key of 124 bits, and move generation.

Cards are numbered ``16 * suit + rank``. A card lies on the card or table that it started on, on a neighbour
in its suit, or on the table. What lies directly beneath each card determines the state up to the order of the
columns, so two bits a card suffice:

    key bits      content
    2n, 2n + 1    n = 13 * suit + rank: 0 the card is up, or lies where it started; 1 on the next higher card
                  of its suit; 2 on the next lower; 3 on the table. If 0 and another code fit, it is 0.
    104 .. 119    four bits a suit: number of cards on its foundation
    120 .. 123    base rank + 1; 0 while it is not chosen; in Fortress always 1

Two states of one deal have equal keys if and only if they are equal up to the order of columns.
"""

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


cdef inline void set_game(Position* p, bint corner, bint free_base, int ranks) noexcept nogil:
    """Set the tables of ``p`` for a game; see `Tables` for ``corner`` and ``free_base``."""
    cdef Tables* tables = &p.tables
    cdef int suit, rank, card, bit, code
    tables.corner = corner
    tables.free_base = free_base
    tables.ranks = ranks
    tables.firsts = 0
    memset(tables.bit, 0, sizeof(tables.bit))
    memset(tables.link, ELSEWHERE, sizeof(tables.link))
    for suit in range(4):
        for rank in range(ranks):
            card = 16 * suit + rank
            tables.bit[card] = (<uint64_t>1) << card
            if rank == 0:
                tables.firsts |= tables.bit[card]
            tables.higher[card] = neighbour(tables, card, rank + 1)
            tables.lower[card] = neighbour(tables, card, rank - 1)
            if tables.lower[card] == tables.higher[card]:
                tables.lower[card] = NONE
            tables.link[card][tables.lower[card]] = ON_LOWER
            tables.link[card][tables.higher[card]] = ON_HIGHER
            tables.link[card][NONE] = ELSEWHERE
            tables.link[card][TABLE] = ON_TABLE
            bit = 2 * (13 * suit + rank)
            for code in range(4):
                tables.key_bits[card][code].low = <uint64_t>code << bit if bit < 64 else 0
                tables.key_bits[card][code].high = <uint64_t>code << (bit - 64) if bit >= 64 else 0


cdef inline int neighbour(const Tables* tables, int card, int rank) noexcept nogil:
    """The card of ``rank`` in the suit of ``card``, or NONE. ``rank`` may be one beyond either end, which is
    the other end if columns go on there."""
    if tables.corner and tables.ranks > 1:
        rank = (rank + tables.ranks) % tables.ranks
    return (card & 0x30) | rank if 0 <= rank < tables.ranks else NONE


cdef inline void clear(Position* p, int columns) noexcept nogil:
    """Set ``p`` to empty columns and foundations."""
    p.columns = columns
    p.low = 0
    p.high = 0 if p.tables.free_base else (<uint64_t>1) << 56
    p.base = NO_BASE if p.tables.free_base else 0
    p.left = 0
    p.step_count = 0
    p.tops = p.forced = p.linked = p.grounded = 0
    p.empty = ((<uint32_t>1) << columns) - 1
    memset(p.top, TABLE, sizeof(p.top))
    memset(p.height, 0, sizeof(p.height))
    if is_base_safe(p):
        p.forced = p.tables.firsts


cdef inline void lay(Position* p, int column, int card) noexcept nogil:
    """Deal ``card`` onto ``column``, and record what it starts on."""
    p.started_on[card] = p.top[column]
    put(p, column, card)
    p.left += 1


cdef inline int packed_card(int number) noexcept nogil:
    """The number 16 * suit + rank of a card with a number of `rules.cards`."""
    return (number & 3) << 4 | number >> 2


cdef inline void load_desk(Position* p, const Desk* desk, bint is_chessboard) noexcept nogil:
    """Set ``p`` to ``desk``, a position of Chessboard or else of Fortress."""
    cdef int column, i, suit
    set_game(p, is_chessboard, is_chessboard, desk.ranks)
    clear(p, desk.columns)
    for column in range(desk.columns):
        for i in range(desk.size[column]):
            lay(p, column, packed_card(desk.card[column][i]))
    if desk.base >= 0:
        set_base(p, desk.base)
    p.forced = 0
    for suit in range(4):
        p.height[suit] = desk.up[suit]
        p.high += <uint64_t>p.height[suit] << (40 + 4 * suit)
        p.forced |= next_forced(p, suit)


cdef inline bint is_legal(const Position* p, int source, int target) noexcept nogil:
    """Test if the top card of ``source`` may move to ``target``, a column or UP."""
    cdef int card = p.top[source]
    if card == TABLE or source == target:
        return False
    if target == UP:
        return p.forced & p.tables.bit[card] != 0 or p.base == NO_BASE or (card & 15) == p.base
    return p.tables.link[card][p.top[target]] != ELSEWHERE


cdef inline void check(const Position* p) noexcept nogil:
    """Assert the invariants of a position: its incremental fields equal those computed from the columns."""
    cdef uint64_t low = 0, high = 0, tops = 0
    cdef uint32_t empty = 0
    cdef int column, card, suit, left = 0
    cdef const Cell* cell
    for column in range(p.columns):
        card = p.top[column]
        tops |= p.tables.bit[card]
        empty |= <uint32_t>(card == TABLE) << column
        while card != TABLE:
            cell = &p.cells[card]
            invariant(p.column_of[card] == column)
            invariant(cell.code == (0 if cell.beneath == p.started_on[card] else cell.link))
            invariant((p.linked & p.tables.bit[card] != 0) == (cell.run > 1))
            invariant((p.grounded & p.tables.bit[card] != 0) == (p.cells[cell.root].beneath == TABLE))
            low ^= p.tables.key_bits[card][cell.code].low
            high ^= p.tables.key_bits[card][cell.code].high
            left += 1
            card = cell.beneath
    for suit in range(4):
        high += <uint64_t>p.height[suit] << (40 + 4 * suit)
    if p.base != NO_BASE:
        high += <uint64_t>(p.base + 1) << 56
    invariant(low == p.low and high == p.high)
    invariant(tops == p.tops and empty == p.empty and left == p.left)


cdef inline bint make_step_room(Position* p, uint32_t room) noexcept nogil:
    """Reserve capacity for ``room`` steps. Returns False, changing nothing, if allocation fails."""
    if not resize(&p.steps, room, sizeof(MadeMove)):
        return False
    p.step_room = room
    return True


# --- Moves of the search -----------------------------------------------------------------------------------

cdef inline uint16_t* append(uint16_t* end, const Position* p, uint64_t cards, const uint8_t* neighbours,
                             int target, bint whole_runs) noexcept nogil:
    """Append a move for each card of ``cards``, a set of tops; return the new end.

    The card moves with its run if ``whole_runs``, otherwise alone, onto its neighbour in the table
    ``neighbours``, or to ``target`` if that is NULL.
    """
    cdef int card, count = 1
    while cards:
        card = take_bit(&cards)
        if whole_runs:
            count = p.cells[card].run
        if neighbours != NULL:
            target = p.column_of[neighbours[card]]
        end[0] = pack_move(p.column_of[card], target, count)
        end += 1
    return end


cdef inline bint ends_run(const Position* p, int card) noexcept nogil:
    """Test if ``card`` is at either end of the run on top of its column; False for NONE."""
    cdef int top
    if p.tops & p.tables.bit[card]:
        return True
    top = p.top[p.column_of[card]] if card != NONE else TABLE
    return top != TABLE and p.cells[top].root == card


cdef inline uint16_t* append_splits(uint16_t* end, const Position* p, uint64_t cards,
                                    const uint8_t* neighbours, int target) noexcept nogil:
    """Append the needed splits (Theorem C7) of the runs whose tops are ``cards``; return the new end.

    They move onto the neighbour of the top in the table ``neighbours``, or to ``target``, the only empty
    column, if that is NULL.
    """
    cdef const Tables* tables = &p.tables
    cdef int card, last, covered
    cdef uint32_t counts
    cdef bint falls
    cdef const Cell* cell
    while cards:
        card = take_bit(&cards)
        cell = &p.cells[card]
        falls = cell.link == ON_HIGHER
        last = cell.run - 1
        # Number of cards to move so that the next card of the foundation, if it is in the run, is exposed.
        covered = next_rank(p, card >> 4) - (card & 15)
        covered = covered if falls else -covered
        covered = covered if covered >= 0 else covered + tables.ranks
        counts = <uint32_t>1 << covered
        if ends_run(p, tables.higher[cell.root] if falls else tables.lower[cell.root]):
            counts |= <uint32_t>1 << last
        if neighbours == NULL:
            if ends_run(p, tables.lower[card] if falls else tables.higher[card]):
                counts |= 2
        else:
            target = p.column_of[neighbours[card]]
        counts &= (<uint32_t>2 << last) - 2
        while counts:
            end[0] = pack_move(p.column_of[card], target, lowest_bit(counts))
            end += 1
            counts &= counts - 1
    return end


cdef inline uint64_t releasing(const Position* p) noexcept nogil:
    """The set of tops of the runs that lie directly on a card that is safe to move up."""
    cdef uint64_t forced = p.forced, tops = 0
    cdef int card, top
    while forced:
        card = take_bit(&forced)
        top = p.top[p.column_of[card]]
        if top != TABLE and p.cells[p.cells[top].root].beneath == card:
            tops |= p.tables.bit[top]
    return tops


cdef inline int generate(const Position* p, uint16_t* moves) noexcept nogil:
    """Write the moves to try to ``moves``, an array of MAX_MOVES, the best one last; return their number.

    A run (a sequence in suit and one direction on top of a column) moves card by card onto a neighbour of its
    top, which reverses it. The order, best first:

    1. a base card up;
    2. a run off a card that is safe to move up;
    3. a run onto the higher neighbour, which builds a sequence that can go up, then onto the lower; in both,
       first runs off another card, then off the table;
    4. a run off another card to an empty column;
    5. splits, and runs reversed on the table;
    6. the choice of the base, so that states common to all bases are searched first.

    With at most one empty column, only needed splits are tried (Theorem C7), which saves a third of the
    states; trying splits late saves a factor of more than 40, the base last a fifth.

    A column has at most eight moves: the base; its run to two neighbours and an empty column; three needed
    splits to an empty column and one to a neighbour. Omitted are moves to all but one empty column, and of a
    column of one card to an empty one, which do not change the key (Theorem C1).
    """
    cdef const Tables* tables = &p.tables
    cdef uint64_t tops = p.tops
    cdef uint64_t on_higher = tops & tops >> 1          # four times 16 bits; the upper three are free
    cdef uint64_t on_lower = tops & tops << 1, starts = 0, to_empty = 0, freeing = releasing(p)
    cdef uint64_t runs = tops & p.linked, whole = tops & p.grounded
    cdef int last = tables.ranks - 1, empty = 0
    cdef uint16_t* end = moves
    cdef bint any_split = p.base == NO_BASE or p.empty & (p.empty - 1) != 0
    if p.base == NO_BASE:
        starts = tops
    elif not is_base_safe(p):
        starts = tops & tables.firsts << p.base
    if tables.corner:
        if last > 0:
            on_higher |= tops & (tops & tables.firsts) << last
        on_lower = on_lower | (tops & tops >> last & tables.firsts) if last > 1 else 0
    if p.empty:
        to_empty = tops
        empty = lowest_bit(p.empty)
    if p.base == NO_BASE:
        end = append(end, p, starts, NULL, UP, False)
    if to_empty:
        if any_split:
            end = append(end, p, to_empty & runs, NULL, empty, False)
        else:
            end = append_splits(end, p, to_empty & runs, NULL, empty)
        end = append(end, p, on_lower & runs, tables.lower, 0, False)
        end = append(end, p, to_empty & runs & whole, NULL, empty, True)
        end = append(end, p, on_higher & runs, tables.higher, 0, False)
        end = append(end, p, to_empty & ~whole & ~freeing, NULL, empty, True)
    elif any_split:
        end = append(end, p, on_lower & runs, tables.lower, 0, False)
        end = append(end, p, on_higher & runs, tables.higher, 0, False)
    else:
        end = append_splits(end, p, on_lower & runs, tables.lower, 0)
        end = append_splits(end, p, on_higher & runs, tables.higher, 0)
    end = append(end, p, on_lower & whole, tables.lower, 0, True)
    end = append(end, p, on_lower & ~whole & ~freeing, tables.lower, 0, True)
    end = append(end, p, on_higher & whole, tables.higher, 0, True)
    end = append(end, p, on_higher & ~whole & ~freeing, tables.higher, 0, True)
    if freeing:
        if to_empty:
            end = append(end, p, to_empty & freeing, NULL, empty, True)
        end = append(end, p, on_lower & freeing, tables.lower, 0, True)
        end = append(end, p, on_higher & freeing, tables.higher, 0, True)
    if p.base != NO_BASE:
        end = append(end, p, starts, NULL, UP, False)
    return <int>(end - moves)


cdef inline bint is_blocked(const Position* p, uint16_t move) noexcept nogil:
    """Test if a position is lost because no column can ever be emptied (Theorem C6).

    The position is that after ``move``, of a whole run off another card with no safe foundation move
    following; the present one if that is NO_MOVE. Returns False if a column is empty or no base rank is
    chosen. The sets may contain cards that are up or beyond the last rank, which is harmless, since no column
    has them.
    """
    cdef const Tables* tables = &p.tables
    cdef uint64_t reached = p.tops      # cards that may become tops while no column is empty
    cdef uint64_t staying               # reached cards that cannot move as far as is known
    cdef uint64_t corner = tables.firsts if tables.corner else 0, awaited, up, leaving, played
    cdef int card, last = tables.ranks - 1, root = NONE, onto = TABLE
    cdef uint32_t empty = p.empty
    if move != NO_MOVE:
        card = p.top[source_of(move)]
        root = p.cells[card].root
        onto = p.top[target_of(move)]
        reached &= ~(tables.bit[card] | tables.bit[onto])
        reached |= tables.bit[root] | tables.bit[p.cells[root].beneath]
        empty &= ~((<uint32_t>1) << target_of(move))
    if empty or p.base == NO_BASE:
        return False
    staying = reached
    awaited = p.forced                          # next cards of the foundations
    if not is_base_safe(p):
        awaited |= tables.firsts << p.base
    up = awaited                                # these and the cards before them
    while True:
        played = reached & awaited
        awaited = (awaited ^ played) | (played << 1 | played >> last & tables.firsts) & ~up
        up |= awaited
        leaving = staying & (
            up | reached >> 1 | reached << 1 | reached >> last & corner | (reached & corner) << last)
        if leaving == 0:
            if reached & awaited:
                continue
            return True
        if leaving & p.grounded:
            return False        # all of a run leaves, one card after the other
        staying ^= leaving
        while leaving:
            card = take_bit(&leaving)
            if card == root:
                # The run was turned over: all of it leaves, its former top last.
                if onto == TABLE:
                    return False
                card = p.top[source_of(move)]
                while card != root:
                    reached |= tables.bit[card]
                    card = p.cells[card].beneath
                card = onto
            else:
                card = p.cells[card].beneath
            # This is a card: none leaves here that lies on the table.
            staying |= <uint64_t>1 << card
            reached |= <uint64_t>1 << card
