"""The most cards up in a lost deal of Chessboard or Fortress: a complete breadth-first search.

It visits every position that can be reached, by single moves in the order of their number, so that the first
position with the most cards up was reached by the fewest moves. Nothing is pruned, not even safe foundation
moves; only the order of columns is ignored, as in the key. Lost deals are small: of deals 1 to 3,000 the
median has 300 positions in Chessboard and 25 in Fortress, the greatest 16,522 and 16,095 (`winnable rate
fortress 1-3000 --score`: 28 microseconds a lost deal, 116 in Chessboard). A winnable one has millions, so
that a verdict comes first. Soundness: keys are exact, and the search ends when it has expanded all positions,
or at one with all cards up. Memory: 24 bytes a position, and 8 for its slots.
"""

cdef struct Reached:        # a position
    uint64_t low, high      # the key
    uint32_t parent         # number of the position before it
    uint32_t move           # from there, as of a node of A*

cdef struct Layout:         # where the cards of a position lie
    uint64_t tops           # top cards of columns
    uint64_t bottoms        # deepest cards of columns
    uint8_t beneath[NONE]   # card or TABLE directly beneath each card

cdef struct MostUp:
    Explored reached        # positions, in the order of their number of moves
    uint64_t dealt          # the cards in columns at the start
    uint32_t expanded       # number of the next position to expand
    uint32_t layer_end      # number of the first position one move further than that one
    uint32_t moves          # to the positions of this layer
    uint32_t best           # number of the first position with the most cards up
    uint32_t fewest         # moves to it
    int up, most            # cards up in it; in the deck


cdef inline int cards_up(uint64_t high) noexcept nogil:
    """The number of cards up, by the upper half of a key."""
    cdef uint64_t heights = high >> 40
    return (heights & 15) + (heights >> 4 & 15) + (heights >> 8 & 15) + (heights >> 12 & 15)


cdef inline void free_most_up(MostUp* search) noexcept nogil:
    free_explored(&search.reached)


cdef inline bint open_most_up(MostUp* search, const Position* p, uint64_t max_bytes) noexcept nogil:
    """Start at ``p``, which must be at its start and stay there during the search. Returns False if memory
    does not suffice."""
    cdef Reached start = Reached(p.low, p.high, 0, 0)
    cdef int column, card
    free_most_up(search)
    search.dealt = 0
    for column in range(p.columns):
        card = p.top[column]
        while card != TABLE:
            search.dealt |= p.tables.bit[card]
            card = p.cells[card].beneath
    search.expanded = search.moves = search.best = search.fewest = 0
    search.layer_end = 1
    search.up = cards_up(p.high)
    search.most = search.up + count_bits(search.dealt)
    if not open_keyed(&search.reached, sizeof(Reached), 2 * sizeof(uint64_t), max_bytes):
        return False
    return add_record(&search.reached, <uint8_t*>&start) > 0


cdef inline bint run_most_up(MostUp* search, Kernel* kernel, const Position* p, int enough) noexcept nogil:
    """Search until ``enough`` cards are up in a position, or all positions are expanded. Returns False,
    setting the reason, at a limit."""
    cdef const Reached* reached
    cdef Layout layout
    while search.up < enough and search.expanded < search.reached.count:
        if search.expanded == search.layer_end:
            search.layer_end = search.reached.count
            search.moves += 1
        if not may_expand(kernel):
            return False
        reached = <const Reached*>record_at(&search.reached, search.expanded)
        lay_out(&layout, p, search.dealt, reached.low, reached.high)
        if not expand_reached(search, kernel, p, &layout, reached.low, reached.high):
            kernel.reason = MEMORY
            return False
        search.expanded += 1
    return True


cdef inline void lay_out(Layout* layout, const Position* p, uint64_t left, uint64_t low,
                         uint64_t high) noexcept nogil:
    """Set ``layout`` to the position with the key ``low``, ``high``; ``left`` are the cards in the columns of
    the start ``p``."""
    cdef uint64_t covered = 0, cards
    cdef uint64_t codes[4]
    cdef int suit, rank, card, code, beneath
    for suit in range(4):
        rank = <int>(high >> 56) - 1
        for _ in range(high >> (40 + 4 * suit) & 15):
            left &= ~p.tables.bit[16 * suit + rank]
            rank = rank + 1 if rank + 1 < p.tables.ranks else 0
    codes[0] = low
    codes[1] = low >> 26
    codes[2] = low >> 52 | high << 12
    codes[3] = high >> 14
    layout.bottoms = 0
    cards = left
    while cards:
        card = take_bit(&cards)
        code = codes[card >> 4] >> 2 * (card & 15) & 3
        beneath = p.started_on[card]
        if code == ON_TABLE:
            beneath = TABLE
        elif code != 0:
            beneath = p.tables.higher[card] if code == ON_HIGHER else p.tables.lower[card]
        layout.beneath[card] = beneath
        covered |= p.tables.bit[beneath]
        if beneath == TABLE:
            layout.bottoms |= p.tables.bit[card]
    layout.tops = left & ~covered


cdef inline bint expand_reached(MostUp* search, Kernel* kernel, const Position* p, const Layout* layout,
                                uint64_t low, uint64_t high) noexcept nogil:
    """Add the positions one move after that of ``layout`` and the key ``low``, ``high``. Returns False if
    memory runs out."""
    cdef const Tables* tables = &p.tables
    cdef uint64_t tops = layout.tops
    cdef int base = <int>(high >> 56) - 1, card, rank, i
    cdef int targets[4]
    cdef uint64_t up
    while tops:
        card = take_bit(&tops)
        rank = base + <int>(high >> (40 + 4 * (card >> 4)) & 15)
        targets[0] = UP if base < 0 or rank % tables.ranks == (card & 15) else NONE
        targets[1] = tables.higher[card] if layout.tops & tables.bit[tables.higher[card]] else NONE
        targets[2] = tables.lower[card] if layout.tops & tables.bit[tables.lower[card]] else NONE
        targets[3] = TABLE
        if layout.beneath[card] == TABLE or count_bits(layout.bottoms) == p.columns:
            targets[3] = NONE
        for i in range(4):
            if targets[i] == NONE:
                continue
            up = 0
            if targets[i] == UP:
                up = (<uint64_t>1 << (40 + 4 * (card >> 4)))
                up += <uint64_t>((card & 15) + 1) << 56 if base < 0 else 0
            kernel.generated += 1
            if not add_reached(search, p, card, targets[i], low, high + up):
                return False
    return True


cdef inline bint add_reached(MostUp* search, const Position* p, int card, int target, uint64_t low,
                             uint64_t high) noexcept nogil:
    """Add the position after ``card`` went to ``target``, a card, TABLE or UP. ``low`` and ``high`` are the
    key before it, but for the foundations. Returns False if memory runs out."""
    cdef Reached child
    cdef int code = 0, added
    if target != UP and target != p.started_on[card]:
        code = p.tables.link[card][target]
    child.low = low & ~p.tables.key_bits[card][3].low | p.tables.key_bits[card][code].low
    child.high = high & ~p.tables.key_bits[card][3].high | p.tables.key_bits[card][code].high
    child.parent = search.expanded
    child.move = card | target << 8
    added = add_record(&search.reached, <uint8_t*>&child)
    if added > 0 and cards_up(child.high) > search.up:
        search.up = cards_up(child.high)
        search.best = search.reached.count - 1
        search.fewest = search.moves + 1
    return added >= 0


cdef inline void play_most_up(const MostUp* search, Position* p) noexcept nogil:
    """Play the line to the best position from the start ``p``, whose steps must have capacity for it."""
    cdef const Reached* reached
    cdef uint32_t number = search.best, i
    cdef int card, target
    for i in range(search.fewest):      # the last step first, as card and target
        reached = <const Reached*>record_at(&search.reached, number)
        p.steps[search.fewest - 1 - i].low = reached.move
        number = reached.parent
    for i in range(search.fewest):
        card = p.steps[i].low & 0xFF
        target = p.steps[i].low >> 8
        if target == TABLE:
            target = lowest_bit(p.empty)
        elif target != UP:
            target = p.column_of[target]
        step(p, p.column_of[card], target)
