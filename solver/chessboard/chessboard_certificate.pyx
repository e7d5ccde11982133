"""Certificates of Chessboard and Fortress: a set of positions closed under moves (an inductive invariant).

All legal moves of one card are made in every position, breadth first. There is one exception: if a safe
foundation move exists (Theorem C2), it is the only one made, unless ``plain`` is true. In a certificate of a
shortest solution, positions are omitted if `certificate_bound` shows that no line through them is shorter
than claimed (Theorem C4).
"""

# optimised: making a certificate must cost little compared with the search

from winnable.solver.core.certificate cimport (
    CARD_NAMES, CUT_SHORT, IS_CLOSED, REFUTED, Close, Closure, CountPositions, FreePositions, LoadPosition,
    PositionList, WritePosition, begin_layers, moves_to, note_layer, write_number, write_sorted, write_text,
)
from winnable.solver.core.hash_set cimport open_explored

include "parts.pxi"

cdef enum:
    ONE_SUIT = 0xFFFF           # the set of cards of the first suit

cdef struct Key:
    uint64_t low, high


cdef inline const char* name_of(int card) noexcept nogil:
    """The two letters of the card with the number 16 * suit + rank."""
    return CARD_NAMES[(card & 15) << 2 | card >> 4]


cdef struct ClosedSet:      # the positions that can be reached, or be on a line of fewer moves than claimed
    PositionList list
    Position position
    Explored keys           # of the positions, in order of discovery
    uint64_t present        # the set of cards of the deck
    bint plain              # do without Theorem C2


cdef public PositionList* chessboard_list(int kind) noexcept nogil:
    """An empty list of positions, the one kind; its function ``free`` frees it. NULL if allocation fails."""
    cdef ClosedSet* self = <ClosedSet*>calloc(1, sizeof(ClosedSet))
    if self == NULL:
        return NULL
    self.list.load = <LoadPosition>load_first
    self.list.close = <Close>find_positions
    self.list.count = <CountPositions>count_found
    self.list.write = <WritePosition>write_position
    self.list.free = <FreePositions>free_list
    self.list.kernel.note = <void (*)(Kernel*) noexcept nogil>note_found
    if not make_step_room(&self.position, MAX_STEPS):
        free_list(self)
        return NULL
    return &self.list


cdef inline void free_list(ClosedSet* self) noexcept nogil:
    free_explored(&self.keys)
    free(self.position.steps)
    free(self)


cdef inline uint64_t count_found(const ClosedSet* self) noexcept nogil:
    return self.keys.count


cdef inline void note_found(ClosedSet* self) noexcept nogil:
    self.list.kernel.bytes_held = explored_bytes(&self.keys)


cdef inline const char* load_first(ClosedSet* self, const Desk* desk, bint plain) noexcept nogil:
    cdef int suit
    load_desk(&self.position, desk, self.list.game == 0)
    self.plain = plain
    self.present = 0
    for suit in range(4):
        if desk.suits >> suit & 1:
            self.present |= ((<uint64_t>1 << desk.ranks) - 1) << 16 * suit
    return NULL


cdef inline Closure find_positions(ClosedSet* self) noexcept nogil:
    """Make all moves of all positions."""
    cdef Position* p = &self.position
    cdef uint64_t number = 0, targets
    cdef int source, target
    free_explored(&self.keys)
    if not open_explored(&self.keys, sizeof(Key), self.list.kernel.limits.bytes) or not list_position(self):
        self.list.kernel.reason = MEMORY
        return CUT_SHORT
    begin_layers(&self.list)
    if self.list.claimed and p.base == NO_BASE and not list_bases(self):
        return CUT_SHORT
    while number < self.keys.count:
        if not may_expand(&self.list.kernel):
            return CUT_SHORT
        note_layer(&self.list, number)
        read_position(self, number)
        number += 1
        # The line of such a position states its bases, or a bound that proves the claim, not its moves.
        if self.list.claimed and (
                p.base == NO_BASE or self.list.made == 1 and certificate_bound(p) >= self.list.claimed):
            continue
        if p.left == 0:
            return REFUTED
        if p.tops & p.forced and not self.plain:
            if not list_after(self, p.column_of[lowest_bit(p.tops & p.forced)], UP):
                return CUT_SHORT
            continue
        for source in range(p.columns):
            targets = targets_of(p, source)
            while targets:
                target = take_bit(&targets)
                if is_legal(p, source, target) and not list_after(self, source, target):
                    return CUT_SHORT
            if is_legal(p, source, UP) and not list_after(self, source, UP):
                return CUT_SHORT
    return IS_CLOSED


cdef inline bint list_after(ClosedSet* self, int source, int target) noexcept nogil:
    """Add the position after a legal move. Returns False if memory runs out."""
    cdef bint kept
    step(&self.position, source, target)
    self.list.kernel.generated += 1
    kept = (
        self.list.claimed and self.list.made + certificate_bound(&self.position) >= self.list.claimed
        or list_position(self)
    )
    unstep(&self.position)
    return kept


cdef inline bint list_position(ClosedSet* self) noexcept nogil:
    """Add the present position unless it is there already. Returns False, setting the reason, if memory
    runs out."""
    cdef Key key = Key(self.position.low, self.position.high)
    if add_record(&self.keys, <const uint8_t*>&key) < 0:
        self.list.kernel.reason = MEMORY
        return False
    return True


cdef inline bint list_bases(ClosedSet* self) noexcept nogil:
    """Add the present position with each possible base rank. Returns False if memory runs out."""
    cdef Position* p = &self.position
    cdef int base
    for base in range(p.tables.ranks):
        set_base(p, base)
        if certificate_bound(p) < self.list.claimed and not list_position(self):
            return False
        p.high -= <uint64_t>(base + 1) << 56
        p.base = NO_BASE
    return True


cdef inline void read_position(ClosedSet* self, uint64_t number) noexcept nogil:
    cdef Position* p = &self.position
    cdef const Key* key = <const Key*>record_at(&self.keys, <uint32_t>number)
    cdef uint64_t low = key.low, high = key.high, cards = self.present
    cdef uint8_t on_top[TABLE + 1]
    cdef uint8_t bottoms[MAX_COLUMNS]
    cdef int base = <int>(high >> 56) - 1, card, suit, bit, code, beneath, columns = 0, column
    memset(on_top, NONE, sizeof(on_top))
    clear(p, p.columns)
    if base >= 0:
        set_base(p, base)
    p.forced = 0
    for suit in range(4):
        p.height[suit] = high >> (40 + 4 * suit) & 15
        p.high += <uint64_t>p.height[suit] << (40 + 4 * suit)
        p.forced |= next_forced(p, suit)
        if base >= 0:
            cards &= ~up_cards(p, suit, base)
    while cards:
        card = take_bit(&cards)
        bit = 2 * (13 * (card >> 4) + (card & 15))
        code = (low >> bit if bit < 64 else high >> (bit - 64)) & 3
        if code == 0:
            beneath = p.started_on[card]
        elif code == ON_TABLE:
            beneath = TABLE
        else:
            beneath = p.tables.higher[card] if code == ON_HIGHER else p.tables.lower[card]
        if beneath == TABLE:
            bottoms[columns] = card
            columns += 1
        else:
            on_top[beneath] = card
    for column in range(columns):
        card = bottoms[column]
        while card != NONE:
            put(p, column, card)
            p.left += 1
            card = on_top[card]
    invariant(p.low == low and p.high == high)
    if IS_CHECKED:
        check(p)


# --- Text ---------------------------------------------------------------------------------------------------

cdef inline int write_position(ClosedSet* self, char* line, uint64_t number) noexcept nogil:
    cdef Position* p = &self.position
    cdef char texts[MAX_COLUMNS][128]
    cdef int columns = 0, i, card, length = 0
    cdef int sizes[MAX_COLUMNS]
    read_position(self, number)
    if self.list.claimed:
        length = write_number(line, self.list.claimed - moves_to(&self.list, number))
    length = write_reason(self, line, length)
    line[length] = c"-" if p.base == NO_BASE else name_of(p.base)[0]
    while columns < p.columns and p.top[columns] != TABLE:
        sizes[columns] = 2 * cards_of(p, columns)
        card = p.top[columns]
        for i in range(sizes[columns] - 2, -2, -2):
            texts[columns][i] = name_of(card)[0]
            texts[columns][i + 1] = name_of(card)[1]
            card = p.cells[card].beneath
        columns += 1
    length = write_sorted(line, length + 1, texts[0], sizeof(texts[0]), sizes, columns)
    line[length] = c"\n"
    return length + 1


cdef inline int write_reason(ClosedSet* self, char* line, int length) noexcept nogil:
    """Append the justification of the present position to ``line``; return the new length."""
    cdef const Position* p = &self.position
    cdef uint64_t forced = 0 if self.plain else p.tops & p.forced
    cdef int card
    if self.list.claimed and p.base == NO_BASE:
        return write_text(line, length, b"base: ")
    if self.list.claimed and self.list.made <= 1 and certificate_bound(p) >= self.list.claimed:
        return write_text(line, length, b"bound: ")
    if forced == 0:
        return write_text(line, length, b"moves: ")
    length = write_text(line, length, b"up ??: ")
    card = lowest_bit(forced)
    line[length - 4] = name_of(card)[0]
    line[length - 3] = name_of(card)[1]
    return length


cdef inline uint64_t targets_of(const Position* p, int source) noexcept nogil:
    """The set of columns that the top card of ``source`` may move to: those with a neighbour of it on top,
    and the first empty one. Empty if ``source`` is."""
    cdef int card = p.top[source], higher, lower
    cdef uint64_t targets = p.empty & -p.empty
    if card == TABLE:
        return 0
    higher = p.tables.higher[card]
    lower = p.tables.lower[card]
    if p.tops & p.tables.bit[higher]:
        targets |= <uint64_t>1 << p.column_of[higher]
    if p.tops & p.tables.bit[lower]:
        targets |= <uint64_t>1 << p.column_of[lower]
    return targets


cdef inline int cards_of(const Position* p, int column) noexcept nogil:
    cdef int card = p.top[column], count = 0
    while card != TABLE:
        count += 1
        card = p.cells[card].beneath
    return count


cdef inline uint64_t up_cards(const Position* p, int suit, int base) noexcept nogil:
    """The set of cards of ``suit`` that are up if the base rank is ``base``."""
    cdef int ranks = p.tables.ranks
    cdef uint64_t cards = (<uint64_t>1 << p.height[suit]) - 1
    cards = (cards << base | cards >> (ranks - base)) & ((<uint64_t>1 << ranks) - 1)
    return cards << 16 * suit


# --- The bound of certificates -----------------------------------------------------------------------------

# The lower bound of certificates of Chessboard and Fortress, defined and proved in Theorem C4. The
# checker computes it, too, so deadlocks must be found in the order defined there. It is the heuristic of
# shortest.pxi without the moves that empty a first column.


cdef inline int certificate_bound(const Position* p) noexcept nogil:
    """A lower bound on the length of winning lines from ``p``."""
    cdef uint64_t blockers = 0, left = 0, covers
    cdef uint64_t above[NONE]
    cdef int column, card
    if p.base == NO_BASE:
        return p.left
    for column in range(p.columns):
        covers = 0
        card = p.top[column]
        while card != TABLE:
            above[card] = covers
            blockers |= covers & later_than(p, card)
            covers |= p.tables.bit[card]
            card = p.cells[card].beneath
        left |= covers
    return p.left + count_bits(blockers) + deadlocks_in_order(p, above, left, left & ~blockers)


cdef inline uint64_t later_than(const Position* p, int card) noexcept nogil:
    """The set of cards that go up after ``card`` in its suit."""
    cdef int rank = card & 15
    cdef uint64_t below_base = (<uint64_t>1 << p.base) - 1
    cdef uint64_t higher = ((<uint64_t>1 << p.tables.ranks) - 1) & ~((<uint64_t>2 << rank) - 1)
    return (higher | below_base if rank >= p.base else higher & below_base) << (card & 0x30)


cdef inline int deadlocks_in_order(const Position* p, const uint64_t* above, uint64_t left,
                                   uint64_t free_cards) noexcept nogil:
    """The number of disjoint deadlocks found among ``free_cards``. ``above`` has the set of cards above each
    card, ``left`` is the set of cards that are not up."""
    cdef int places[4]
    cdef uint64_t cards
    cdef uint64_t covers[4]
    cdef int suit, count = 0
    for suit in range(4):
        places[suit] = p.height[suit]
    while play_up_in_order(p, above, left, places, &free_cards, covers):
        cards = pair_of(covers)
        free_cards &= ~(cards if cards != 0 else cycle_of(covers))
        count += 1
    return count


cdef inline bint play_up_in_order(const Position* p, const uint64_t* above, uint64_t left, int* places,
                                  uint64_t* free_cards, uint64_t* covers) noexcept nogil:
    """Assume that every next card not covered by a free card goes up, as long as there is one.

    Advances ``places`` and removes the cards from ``free_cards``. Sets ``covers`` to the free cards above the
    next card of each suit. Returns True if some suit is not complete.
    """
    cdef bint moved = True, waiting = False
    cdef int suit, card
    while moved:
        moved = waiting = False
        for suit in range(4):
            covers[suit] = 0
            while places[suit] < p.tables.ranks:
                card = 16 * suit + (places[suit] + p.base) % p.tables.ranks
                if not left & p.tables.bit[card]:       # the suit is missing in a short deck
                    break
                covers[suit] = above[card] & free_cards[0]
                if covers[suit]:
                    waiting = True
                    break
                free_cards[0] &= ~p.tables.bit[card]
                places[suit] += 1
                moved = True
    return waiting


cdef inline uint64_t pair_of(const uint64_t* covers) noexcept nogil:
    """A deadlock of two cards, of the first two suits that have one, as a set; 0 if there is none."""
    cdef int suit, other
    cdef uint64_t ours, theirs
    for suit in range(3):
        for other in range(suit + 1, 4):
            ours = covers[suit] & <uint64_t>ONE_SUIT << (16 * other)
            theirs = covers[other] & <uint64_t>ONE_SUIT << (16 * suit)
            if ours and theirs:
                return (ours & (0 - ours)) | (theirs & (0 - theirs))
    return 0
