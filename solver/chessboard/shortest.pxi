"""A* search for a shortest solution of Chessboard or Fortress, and its admissible heuristic.

A node is a state, identified by its exact key; a move takes one card. The heuristic is inconsistent, so a
state is reopened if it is reached by fewer moves, and a child inherits the value of its parent minus the
moves between them (pathmax, Mero 1984). If no base rank is chosen, there is a root for each (Theorem C3), all
in one queue: the base is part of the key, and only cards of that rank may go up first. After every move all
safe foundation moves are made at once. With a weight above 1 this is weighted A* (Pohl 1970), which finds
short solutions quickly but proves nothing.

Soundness: the heuristic never exceeds the length of a line (Theorems C4 and C5); safe foundation moves do not
change the length of a shortest one (Theorem C2); a card need not move twice in a row within the tableau
(Theorem C8). Memory: 48 bytes a node with its hash slots.
"""

cdef enum:
    HOPELESS = 255          # value of the heuristic for a tableau that cannot be won

cdef struct Sets:           # the sets of cards that a move changes
    uint64_t low, high      # the key
    uint64_t left           # cards that are not up
    uint64_t tops, bottoms  # top cards and deepest cards of columns
    uint64_t blockers       # cards above a card of their suit that goes up before them
    uint64_t over_next      # cards above the card of their suit that goes up directly before them
    uint64_t lifted         # the card moved within the tableau since `above` was computed; or empty
    uint64_t lifted_under   # the cards beneath that card now

cdef struct Tableau:
    const Tables* tables
    int columns
    uint64_t before[NONE]       # by card: the cards of its suit that go up before it
    uint64_t beside[NONE]       # its neighbours
    Sets sets
    uint8_t beneath[NONE]       # card or TABLE directly beneath it
    uint64_t under[NONE]        # all cards beneath it in its column
    uint64_t above[NONE]        # all cards above it in the node read by `read_key`

cdef struct Shortest:
    Nodes nodes
    Tableau tableau
    uint8_t started_on[13][NONE]    # by base rank and card, in cards numbered from the base rank
    uint32_t fewest         # length of the best line
    uint32_t lower_bound    # on the length of any line
    uint32_t won            # the last node of the best line, or NO_NODE if the search did not find it


cdef inline uint64_t cycle_of(const uint64_t* covers) noexcept nogil:
    """A deadlock, as a set of cards; ``covers`` has the cards that cover the next card of each suit.

    It is found by going from the first suit that waits to the suit of a card that covers its next card, and
    so on until a suit recurs.
    """
    cdef uint64_t cards = 0
    cdef int suit = 0, seen = 0, start
    while covers[suit] == 0:
        suit += 1
    while not seen >> suit & 1:
        seen |= 1 << suit
        suit = lowest_bit(covers[suit]) >> 4
    start = suit
    while True:
        cards |= covers[suit] & (0 - covers[suit])
        suit = lowest_bit(covers[suit]) >> 4
        if suit == start:
            return cards


cdef enum:
    SUIT = 0xFFFF           # the set of cards of the first suit


cdef inline void free_shortest(Shortest* search) noexcept nogil:
    free_nodes(&search.nodes)


cdef inline bint open_shortest(Shortest* search, const Position* p, uint32_t fewest, uint32_t weight,
                               uint64_t max_bytes) noexcept nogil:
    """Start a search for a line of fewer than ``fewest`` moves from ``p``, which must be at its start and
    stay there during the search.

    Returns False if memory does not suffice; ``search.lower_bound`` is valid nevertheless.
    """
    cdef int base
    cdef bint opened
    cdef uint32_t moves, needed
    search.fewest = fewest
    search.lower_bound = fewest
    search.won = NO_NODE
    set_tableau(&search.tableau, &p.tables, p.columns)
    opened = reset_nodes(&search.nodes, fewest + (weight - 1) * HOPELESS, weight, max_bytes)
    for base in range(p.tables.ranks):
        if p.base == NO_BASE or p.base == base:
            moves = read_root(search, p, base)
            needed = bound(&search.tableau)
            if needed != HOPELESS and moves + needed < search.lower_bound:
                search.lower_bound = moves + needed
            opened = opened and offer(search, NO_NODE, moves, NONE, NONE)
    return opened


cdef inline uint32_t read_root(Shortest* search, const Position* p, int base) noexcept nogil:
    """Set the tableau to ``p`` with the base rank ``base``, and make the safe foundation moves; return their
    number."""
    cdef uint8_t* started_on = search.started_on[base]
    cdef uint64_t high = <uint64_t>(base + 1) << 56
    cdef int suit, order, beneath, height
    for suit in range(4):
        height = p.height[suit] if holds_suit(p, suit) else p.tables.ranks
        high |= <uint64_t>height << (40 + 4 * suit)
        for order in range(height, p.tables.ranks):
            beneath = p.started_on[real_card(p, 16 * suit + order, base)]
            started_on[16 * suit + order] = beneath if beneath == TABLE else order_card(p, beneath, base)
    read_key(&search.tableau, started_on, 0, high)
    return put_up_forced(&search.tableau)


cdef inline bint holds_suit(const Position* p, int suit) noexcept nogil:
    """Test if a card of ``suit`` is in the columns. Callers treat a suit without cards there as complete."""
    cdef int column, card
    for column in range(p.columns):
        card = p.top[column]
        while card != TABLE:
            if card >> 4 == suit:
                return True
            card = p.cells[card].beneath
    return False


cdef inline int real_card(const Position* p, int card, int base) noexcept nogil:
    """The card of ``p`` whose number, with ranks counted from ``base``, is ``card``."""
    cdef int rank = (card & 15) + base
    return (card & 0x30) | (rank - p.tables.ranks if rank >= p.tables.ranks else rank)


cdef inline int order_card(const Position* p, int card, int base) noexcept nogil:
    """The number of a card of ``p`` with ranks counted from ``base``."""
    cdef int order = (card & 15) - base
    return (card & 0x30) | (order + p.tables.ranks if order < 0 else order)


# A move of a node: |15 target 8|7 card 0|; the target is a card, TABLE or UP. The safe foundation moves that
# follow belong to the move.

cdef inline int moved_card(const Node* node) noexcept nogil:
    """The card that moved to reach a node."""
    return node.move & 0xFF


cdef inline int moved_onto(const Node* node) noexcept nogil:
    """The target of the move to reach a node: a card, TABLE or UP; NONE for a root."""
    return node.move >> 8


# --- Search ----------------------------------------------------------------------------------------------

cdef inline Progress run_shortest(Shortest* search, Kernel* kernel) noexcept nogil:
    """Continue the search until it finds a shorter line, raises the lower bound, proves the line shortest, or
    reaches a limit: IMPROVED, PROVED or STOPPED."""
    cdef uint32_t number, known = search.fewest
    cdef Progress progress
    while search.fewest == known:
        progress = next_node(&search.nodes, search.fewest, &search.lower_bound, &number)
        if progress != SEARCHING:
            return progress
        if not may_expand(kernel):
            return STOPPED
        dequeue(&search.nodes, number)
        if not expand(search, kernel, number):
            kernel.reason = MEMORY
            return STOPPED
    return IMPROVED


cdef inline bint expand(Shortest* search, Kernel* kernel, uint32_t number) noexcept nogil:
    """Generate the children of node ``number``. Returns False if memory runs out."""
    cdef Tableau* t = &search.tableau
    cdef const Node* node = &search.nodes.nodes[number]
    cdef const uint8_t* started_on = search.started_on[(node.high >> 56) - 1]
    cdef const Tables* tables = t.tables
    cdef int card, resting = NONE
    cdef uint64_t tops
    cdef bint fits = True
    read_key(t, started_on, node.low, node.high)
    if moved_onto(node) != UP and node.parent != NO_NODE:
        if search.nodes.nodes[node.parent].moves + 1 == node.moves:
            resting = moved_card(node)
    tops = t.sets.tops
    while tops and fits:
        card = take_bit(&tops)
        if tables.firsts & tables.bit[card]:        # all others went up by safe foundation moves
            fits = move(search, kernel, number, card, UP)
        if card == resting:
            continue
        if t.sets.tops & tables.bit[tables.higher[card]]:
            fits = fits and move(search, kernel, number, card, tables.higher[card])
        if t.sets.tops & tables.bit[tables.lower[card]]:
            fits = fits and move(search, kernel, number, card, tables.lower[card])
        if t.beneath[card] != TABLE and count_bits(t.sets.bottoms) < t.columns:
            fits = fits and move(search, kernel, number, card, TABLE)
    return fits


cdef inline bint move(Shortest* search, Kernel* kernel, uint32_t parent, int card, int target) noexcept nogil:
    """Add the child in which ``card`` was moved to ``target``; the tableau is restored afterwards. Returns
    False if memory runs out."""
    cdef Tableau* t = &search.tableau
    cdef Sets before = t.sets
    cdef int beneath = t.beneath[card]
    cdef uint64_t under = t.under[card]
    cdef uint32_t moves = search.nodes.nodes[parent].moves
    cdef bint fits
    kernel.generated += 1
    lift(t, card)
    if target == UP:
        put_up(t, card)
    else:
        put_on(t, card, target, search.started_on[(before.high >> 56) - 1][card])
    moves += 1 + put_up_forced(t)
    fits = offer(search, parent, moves, card, target)
    t.sets = before
    t.beneath[card] = beneath
    t.under[card] = under
    return fits


cdef inline bint offer(Shortest* search, uint32_t parent, uint32_t moves, int card,
                       int target) noexcept nogil:
    """Add or reopen the node of the tableau, reached from ``parent`` by ``moves`` moves from the start.

    Does nothing if it was reached by as few moves before, or if lines through it are not shorter than the
    best one. Updates the best line if the tableau is won. Returns False if memory runs out.
    """
    cdef Nodes* nodes = &search.nodes
    cdef const Sets* sets = &search.tableau.sets
    cdef uint32_t* slot = find_slot(nodes, sets.low, sets.high)
    cdef uint32_t number, needed
    if slot[0] != 0:
        number = slot[0] - 1
        if not reopen(nodes, number, moves):
            return True
        needed = nodes.nodes[number].needed
    else:
        needed = bound(&search.tableau)
        if needed == HOPELESS or moves + needed >= search.fewest:
            return True
        number = add_node(nodes, slot, sets.low, sets.high)
        if number == NO_NODE:
            return False
    needed = pathmax(nodes, parent, moves, needed)
    link_node(nodes, number, parent, moves, card | target << 8, needed)
    if moves + needed >= search.fewest:
        return True
    if sets.left == 0:
        search.fewest = moves
        search.won = number
    else:
        enqueue(nodes, number)
    return True


# --- The tableau -----------------------------------------------------------------------------------------

cdef inline void read_key(Tableau* t, const uint8_t* started_on, uint64_t low, uint64_t high) noexcept nogil:
    """Set ``t`` to the tableau with the key ``low``, ``high``."""
    cdef const Tables* tables = t.tables
    cdef uint8_t on_top[TABLE + 1]
    cdef int suit, card, beneath, code
    cdef uint64_t covered = 0, cards
    cdef uint64_t codes[4]
    memset(on_top, NONE, sizeof(on_top))
    memset(&t.sets, 0, sizeof(Sets))
    t.sets.low = low
    t.sets.high = high
    codes[0] = low
    codes[1] = low >> 26
    codes[2] = low >> 52 | high << 12
    codes[3] = high >> 14
    for suit in range(4):
        for card in range(16 * suit + height_of(high, suit), 16 * suit + tables.ranks):
            code = codes[suit] >> 2 * (card & 15) & 3
            if code == 0:
                beneath = started_on[card]
            elif code == ON_TABLE:
                beneath = TABLE
            else:
                beneath = tables.higher[card] if code == ON_HIGHER else tables.lower[card]
            t.sets.left |= tables.bit[card]
            t.beneath[card] = beneath
            on_top[beneath] = card
            covered |= tables.bit[beneath]
            if beneath == TABLE:
                t.sets.bottoms |= tables.bit[card]
    t.sets.tops = t.sets.left & ~covered
    cards = t.sets.bottoms
    while cards:
        card = take_bit(&cards)
        read_column(t, on_top, card)


cdef inline void read_column(Tableau* t, const uint8_t* on_top, int card) noexcept nogil:
    """Compute the sets of the column whose deepest card is ``card``."""
    cdef uint64_t cards = 0
    cdef int top = card
    while card != NONE:
        place(t, card, t.beneath[card], cards)
        cards |= t.tables.bit[card]
        top = card
        card = on_top[card]
    cards = 0
    while top != TABLE:
        t.above[top] = cards
        cards |= t.tables.bit[top]
        top = t.beneath[top]


cdef inline void lift(Tableau* t, int card) noexcept nogil:
    """Remove ``card``, a top, from its column."""
    cdef const Tables* tables = t.tables
    cdef uint64_t others = ~tables.bit[card]
    t.sets.low &= ~tables.key_bits[card][3].low
    t.sets.high &= ~tables.key_bits[card][3].high
    t.sets.tops = (t.sets.tops & others) | tables.bit[t.beneath[card]]
    t.sets.bottoms &= others
    t.sets.blockers &= others
    t.sets.over_next &= others


cdef inline void put_up(Tableau* t, int card) noexcept nogil:
    """Put a lifted card on its foundation."""
    t.sets.left &= ~t.tables.bit[card]
    t.sets.high += <uint64_t>1 << (40 + 4 * (card >> 4))


cdef inline void put_on(Tableau* t, int card, int target, int started_on) noexcept nogil:
    """Put a lifted card on a neighbour or the TABLE."""
    cdef const Tables* tables = t.tables
    cdef int code = ON_TABLE if target == TABLE else ON_HIGHER if target == tables.higher[card] else ON_LOWER
    if target != started_on:
        t.sets.low |= tables.key_bits[card][code].low
        t.sets.high |= tables.key_bits[card][code].high
    t.sets.tops = (t.sets.tops & ~tables.bit[target]) | tables.bit[card]
    t.sets.lifted = tables.bit[card]
    if target == TABLE:
        t.sets.bottoms |= tables.bit[card]
        t.sets.lifted_under = 0
    else:
        t.sets.lifted_under = t.under[target] | tables.bit[target]
    place(t, card, target, t.sets.lifted_under)


cdef inline int put_up_forced(Tableau* t) noexcept nogil:
    """Make all safe foundation moves (Theorem C2); return their number."""
    cdef int suit, height, card, played = 0
    cdef bint moved = True
    while moved:
        moved = False
        for suit in range(4):
            height = height_of(t.sets.high, suit)
            if height == t.tables.ranks or (t.tables.corner and height == 0):
                continue
            card = 16 * suit + height
            if t.sets.tops & t.tables.bit[card]:
                lift(t, card)
                put_up(t, card)
                played += 1
                moved = True
    return played


# --- Lines -----------------------------------------------------------------------------------------------

cdef inline uint32_t next_number(const Shortest* search, uint32_t number) noexcept nogil:
    """The node after ``number`` on the line found; for NO_NODE its first node, a root.

    The line is followed by parents, not by counting moves: a search that ends early may have found a shorter
    path to a node after its children on the line were reached.
    """
    cdef const Node* nodes = search.nodes.nodes
    cdef uint32_t after = search.won
    while nodes[after].parent != number:
        after = nodes[after].parent
    return after


cdef inline void read_move(const Shortest* search, const Position* p, uint32_t number, int* source,
                           int* target) noexcept nogil:
    """Set ``source`` and ``target`` to the columns of the move that leads to node ``number`` of the line
    found. ``p`` must be at the previous node."""
    cdef const Node* node = &search.nodes.nodes[number]
    cdef int base = <int>(search.nodes.nodes[search.won].high >> 56) - 1
    source[0] = p.column_of[real_card(p, moved_card(node), base)]
    if moved_onto(node) == UP:
        target[0] = UP
    elif moved_onto(node) == TABLE:
        target[0] = lowest_bit(p.empty)
    else:
        target[0] = p.column_of[real_card(p, moved_onto(node), base)]


# --- The lower bound ---------------------------------------------------------------------------------------

# A lower bound on the moves that win a tableau whose base rank is chosen.
#
# Cards are numbered ``16 * suit + order``, where order is the place in the foundation, 0 for the base card.
# In Chessboard order 0 and the last order are neighbours; all else is as in Fortress.
#
# Every card left goes up, which is one move. The bound adds moves within the tableau that are necessary:
# first moves of blockers and of cards of deadlocks (Theorem C4) and, if no column is empty, first and second
# moves of cards that empty a first column (Theorem C5). No move is counted twice. The bound is inconsistent:
# it may fall by more than one in a move.

cdef inline int height_of(uint64_t high, int suit) noexcept nogil:
    """The number of cards of ``suit`` that are up, from the upper half of a key."""
    return high >> (40 + 4 * suit) & 15


cdef inline void place(Tableau* t, int card, int beneath, uint64_t under) noexcept nogil:
    """Set the card ``beneath`` and the set of all cards ``under`` the given card, and update blockers."""
    t.beneath[card] = beneath
    t.under[card] = under
    if under & t.before[card]:
        t.sets.blockers |= t.tables.bit[card]
    if under >> 1 & t.tables.bit[card]:
        t.sets.over_next |= t.tables.bit[card]


cdef inline void set_tableau(Tableau* t, const Tables* tables, int columns) noexcept nogil:
    cdef int suit, order, card
    t.tables = tables
    t.columns = columns
    memset(t.before, 0, sizeof(t.before))
    memset(t.beside, 0, sizeof(t.beside))
    for suit in range(4):
        for order in range(tables.ranks):
            card = 16 * suit + order
            t.before[card] = tables.bit[card] - tables.bit[16 * suit]
            t.beside[card] = tables.bit[tables.higher[card]] | tables.bit[tables.lower[card]]


cdef inline int bound(const Tableau* t) noexcept nogil:
    """A lower bound on the moves to win the tableau; HOPELESS if it is proved lost. No safe foundation move
    may be left, and at most one move within the tableau have been made since `read_key`."""
    cdef uint64_t tied = 0
    cdef int deadlocks = count_deadlocks(t, &tied)
    cdef int known = count_bits(t.sets.left) + count_bits(t.sets.blockers)
    if t.sets.left == 0 or count_bits(t.sets.bottoms) < t.columns:
        return known + deadlocks
    cdef int clearing = clear_first(t, deadlocks, tied)
    return HOPELESS if clearing == HOPELESS else known + clearing


# --- Deadlocks -------------------------------------------------------------------------------------------

cdef inline int count_deadlocks(const Tableau* t, uint64_t* tied) noexcept nogil:
    """The number of disjoint deadlocks found; adds their cards to the set ``tied``.

    Assumes that cards go up past blockers and tied cards, until the next card of each suit is covered by
    others. Deadlocks are found there, and their cards are then ignored as covers.
    """
    cdef uint64_t free = t.sets.left & ~t.sets.blockers, cycle
    cdef uint64_t covers[4]
    cdef int deadlocks = 0, found, suit
    cdef int next_card[4]
    for suit in range(4):
        next_card[suit] = 16 * suit + height_of(t.sets.high, suit)
    while play_up_in_mind(t, next_card, &free, covers):
        found = take_pairs(covers, &free, tied)
        if found == 0:
            cycle = cycle_of(covers)
            tied[0] |= cycle
            free &= ~cycle
        deadlocks += max(1, found)
    return deadlocks


cdef inline uint64_t above(const Tableau* t, int card) noexcept nogil:
    """The set of cards above ``card``; it may contain cards that are up. The lifted card is on top."""
    cdef uint64_t held = t.above[card] & ~t.sets.lifted
    return held | t.sets.lifted if t.sets.lifted_under & t.tables.bit[card] else held


cdef inline bint play_up_in_mind(const Tableau* t, int* next_card, uint64_t* free,
                                 uint64_t* covers) noexcept nogil:
    """Assume that every next card not covered by a free card goes up, as long as there is one.

    Advances ``next_card`` and removes the cards from ``free``. Sets ``covers`` to the free cards above the
    next card of each suit. Returns True if some suit is not complete.
    """
    cdef bint moved = True, waiting = False
    cdef int suit
    while moved:
        moved = waiting = False
        for suit in range(4):
            covers[suit] = 0
            while next_card[suit] < 16 * suit + t.tables.ranks:
                covers[suit] = above(t, next_card[suit]) & free[0]
                if covers[suit]:
                    waiting = True
                    break
                free[0] &= ~t.tables.bit[next_card[suit]]
                next_card[suit] += 1
                moved = True
    return waiting


cdef inline int take_pairs(const uint64_t* covers, uint64_t* free, uint64_t* tied) noexcept nogil:
    """Move the cards of deadlocks of two cards, of the first two suits that have any, from ``free`` to
    ``tied``; return the number of these deadlocks."""
    cdef int suit, other, found = 0
    cdef uint64_t ours, theirs, pair
    for suit in range(3):
        for other in range(suit + 1, 4):
            ours = covers[suit] & <uint64_t>SUIT << (16 * other)
            theirs = covers[other] & <uint64_t>SUIT << (16 * suit)
            while ours and theirs:
                pair = (ours & (0 - ours)) | (theirs & (0 - theirs))
                tied[0] |= pair
                free[0] &= ~pair
                ours &= ours - 1
                theirs &= theirs - 1
                found += 1
            if found:
                return found
    return 0


# --- The first empty column ------------------------------------------------------------------------------

cdef inline int clear_first(const Tableau* t, int deadlocks, uint64_t tied) noexcept nogil:
    """A lower bound on the moves within the tableau that are needed in addition to the first moves of
    blockers, if no column is empty; HOPELESS if no column can be emptied."""
    cdef uint64_t reached, going_up, column, movers, uneasy, tops = t.sets.tops
    cdef uint64_t free = t.sets.left & ~t.sets.blockers
    cdef int card, moves, least = HOPELESS
    reach_before_empty(t, &reached, &going_up)
    uneasy = ~(reached >> 1 & ~t.sets.over_next)
    while tops:
        card = take_bit(&tops)
        column = t.under[card] | t.tables.bit[card]
        if not column & t.sets.bottoms & reached:
            continue
        movers = column & free & ~going_up
        moves = (deadlocks + count_bits(movers & ~tied)
                 + count_bits((movers | column & t.sets.blockers) & uneasy))
        if moves < least:
            least = moves
    return least


cdef inline void reach_before_empty(const Tableau* t, uint64_t* reached, uint64_t* going_up) noexcept nogil:
    """Compute supersets of the cards ``reached`` (on top at some time) and ``going_up`` before a column is
    empty or when it becomes empty.

    In this relaxation a card once reached stays reached. A card leaves if it goes up or a neighbour is
    reached; a card beneath it is reached only after it has left. A deepest card may go up as the last of its
    column, but no further card of its suit can follow.
    """
    cdef uint64_t tops = t.sets.tops
    cdef uint64_t front = tops & ~t.sets.bottoms        # topmost cards that have not left
    cdef uint64_t up = 0, leaving, near
    cdef int suit, card
    cdef int next_card[4]
    cdef const Tables* tables = t.tables
    cdef bint moved = True
    for suit in range(4):
        next_card[suit] = 16 * suit + height_of(t.sets.high, suit)
    while moved:
        moved = False
        for suit in range(4):
            while (next_card[suit] < 16 * suit + tables.ranks
                    and tops & ~t.sets.bottoms & tables.bit[next_card[suit]]):
                up |= tables.bit[next_card[suit]]
                next_card[suit] += 1
        near = tops >> 1 | tops << 1
        if tables.corner:
            near |= tops >> (tables.ranks - 1) & tables.firsts | (tops & tables.firsts) << (tables.ranks - 1)
        leaving = front & (near | up)
        while leaving:
            card = take_bit(&leaving)
            if up & tables.bit[card] or t.beside[card] & tops:
                front &= ~tables.bit[card]
                tops |= tables.bit[t.beneath[card]]
                front |= tables.bit[t.beneath[card]] & ~t.sets.bottoms
                moved = True
    for suit in range(4):
        if next_card[suit] < 16 * suit + tables.ranks:
            up |= tables.bit[next_card[suit]] & tops
    reached[0] = tops
    going_up[0] = up
