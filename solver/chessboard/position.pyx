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

# optimised: searches spend their time here

from libc.string cimport memset

from ..core.bits cimport take_bit
from ..core.memory cimport resize


cdef void set_game(Position* p, bint corner, bint free_base, int ranks) noexcept nogil:
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


cdef int neighbour(const Tables* tables, int card, int rank) noexcept nogil:
    """The card of ``rank`` in the suit of ``card``, or NONE. ``rank`` may be one beyond either end, which is
    the other end if columns go on there."""
    if tables.corner and tables.ranks > 1:
        rank = (rank + tables.ranks) % tables.ranks
    return (card & 0x30) | rank if 0 <= rank < tables.ranks else NONE


cdef void clear(Position* p, int columns) noexcept nogil:
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


cdef void lay(Position* p, int column, int card) noexcept nogil:
    """Deal ``card`` onto ``column``, and record what it starts on."""
    p.started_on[card] = p.top[column]
    put(p, column, card)
    p.left += 1


cdef inline int packed_card(int number) noexcept nogil:
    """The number 16 * suit + rank of a card with a number of `rules.cards`."""
    return (number & 3) << 4 | number >> 2


cdef void load_dealt(Position* p, const Dealt* dealt) noexcept nogil:
    """Set ``p`` to a deal, whose cards have the numbers of `rules.cards`."""
    cdef int row, column, card
    clear(p, dealt.columns)
    for column in range(dealt.columns):
        for row in range(dealt.size[column]):
            card = dealt.card[column][row]
            lay(p, column, packed_card(card))


cdef void load_desk(Position* p, const Desk* desk, bint is_chessboard) noexcept nogil:
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


cdef bint is_legal(const Position* p, int source, int target) noexcept nogil:
    """Test if the top card of ``source`` may move to ``target``, a column or UP."""
    cdef int card = p.top[source]
    if card == TABLE or source == target:
        return False
    if target == UP:
        return p.forced & p.tables.bit[card] != 0 or p.base == NO_BASE or (card & 15) == p.base
    return p.tables.link[card][p.top[target]] != ELSEWHERE


cdef void check(const Position* p) noexcept nogil:
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


cdef bint make_step_room(Position* p, uint32_t room) noexcept nogil:
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


cdef int generate(const Position* p, uint16_t* moves) noexcept nogil:
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


cdef bint is_blocked(const Position* p, uint16_t move) noexcept nogil:
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
