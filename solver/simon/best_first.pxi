"""Best-first search with partial expansion over the classes of `classes`: the search that finds wins.

The value of a class is a weighted sum of its defects, an inadmissible heuristic, plus a price for each move
from the root. With partial expansion (Yoshizumi, Miura and Ishida 2000) a class is expanded first by the
moves that uncover cards, and much later by those that park cards in an empty column, which are mostly
useless.

Why it pays: see the stages in docs/theory/simon.md. A search of 500 classes (750 with two decks) decides 89 %
of the Simple Simon deals and 77 % of Simon Jester.

Soundness: an exhausted search without a win proves a loss (Theorem S16), provided that it skipped only
classes that a dead-end test proved lost (Theorem S18) and that no branching limit omitted a successor
(``incomplete`` is False). Memory: up to 1/4 of ``max_bytes`` for the hash table of keys, 1/2 for the nodes,
1/4 for the heap; a node takes 26 bytes, 6 for each stem and 2 for each segment.
"""

cdef enum:
    WEIGHED_BITS = 8        # log2 of the size of the cache of stem values

cdef struct Settings:
    uint64_t nodes          # node budget: classes to expand
    int cap                 # branching limit: most successors of one commitment
    uint64_t successors     # limit on the mean successors of a class; 0 for no limit
    int step                # price of a class move
    int dead_end_nodes      # nodes of the dead-end test of each class before it is expanded; 0 for no test
    double jitter           # each weight is multiplied by a random power of e between -jitter and jitter
    int noise               # if jitter is not 0: a random number below this is added to each value
    uint64_t seed

cdef struct Queued:         # an entry of the heap
    int32_t value
    uint32_t node

cdef struct Header:         # header of a node in the pool; its packed class follows
    uint32_t parent
    uint16_t moves
    uint8_t kind, unit      # those of the Plan of the class move from the parent

cdef struct BestFirst:
    const Layout* layout
    Settings settings
    Generator generator
    Table known             # keys of the classes generated
    uint8_t* pool           # nodes; a node's number is its offset in units of eight bytes
    uint64_t used, room     # bytes of the pool
    Queued* heap
    uint64_t waiting        # entries of the heap
    uint64_t heap_room, max_bytes
    int weights[8]
    int joinable            # weight of a segment that could lie on a free card of its suit
    int below[MAX_COLUMNS][MAX_CARDS + 1]           # weight of the first n cards of a column in a stem
    uint64_t held[MAX_COLUMNS][MAX_CARDS + 1]       # set of these cards
    Stem weighed[1 << WEIGHED_BITS]     # cache of stem values: the stem
    int weight[1 << WEIGHED_BITS]       # and its value
    uint64_t last           # the kernel's `expanded` at which the search ends
    uint64_t nodes_before   # the kernel's `expanded` when the search began
    uint64_t successors_before      # the kernel's `generated` then
    uint32_t parent         # the node being expanded
    uint16_t moves          # class moves from the root to its successors
    uint32_t won            # a won node, or NO_NODE
    bint met_win            # a won node was reached at some time
    bint incomplete         # a branching limit omitted successors
    bint full               # out of memory
    bint is_costly          # stopped for too many successors
    bint fault              # the generator exceeded a capacity; never reset


cdef inline Header* header_of(const BestFirst* best, uint32_t node) noexcept nogil:
    """The header of node ``node``."""
    return <Header*>(best.pool + 8 * <uint64_t>node)


cdef enum:
    FIRST_POOL = 262144
    FIRST_HEAP = 4096
    LATER = 2000            # added to a node's value when it is queued again for its PARKING moves
    FREE_SUCCESSORS = 65536     # successors allowed beyond the limit on their mean number
    AGAIN = 0x80000000      # marks a node queued for its PARKING moves; node numbers are below 2^31

cdef enum:                  # indices of weights
    RUN = 0             # a card that begins a run and is not a king
    KING = 1            # a king that is not the deepest card of its column
    MIXED = 2           # a card on a card of another suit, one rank higher
    BREAK = 3           # two neighbours whose ranks do not descend by one
    OWN = 4             # a run above the next higher card of its suit in one column
    COLUMN = 5          # a column that is not empty
    BREAKS = 6          # factor of the square root of the number of breaks of a column
    LONE = 7            # added to RUN for a segment that cannot lie on a free card of its suit
    ALL_WEIGHTS = 8

cdef extern from *:
    """
    static const uint64_t MOST_POOL = (uint64_t)3 << 33;
    static const int USUAL_WEIGHTS[2][8] = {
        {177, 45, 58, 180, 40, 43, 20, 30},
        {177, 45, 58, 230, 23, 41, 11, 13},
    };
    static const int JOINABLE[2] = {40, 22};
    """
    const uint64_t MOST_POOL    # bytes, old and new pool together: offsets have 34 bits
    # Weights with one deck and with two; the latter are fitted to 600 deals of each game, from 110,001 on.
    const int USUAL_WEIGHTS[2][ALL_WEIGHTS]
    const int JOINABLE[2]       # weights of a segment that can lie on a free card of its suit, likewise


cdef inline void free_best(BestFirst* best) noexcept nogil:
    table_free(&best.known)
    free(best.pool)
    free(best.heap)
    best.pool = NULL
    best.heap = NULL
    best.room = best.heap_room = 0


cdef inline uint64_t best_bytes(const BestFirst* best) noexcept nogil:
    return table_bytes(&best.known) + best.room + best.heap_room * sizeof(Queued)


cdef inline bint open_best(BestFirst* best, const Layout* layout, const Class* root, Settings settings,
                           uint64_t max_bytes) noexcept nogil:
    """Start a search at ``root``, a class of ``layout``. Returns False if memory does not suffice."""
    cdef Class start
    best.layout = layout
    best.settings = settings
    best.max_bytes = max_bytes
    best.used = best.waiting = 0
    best.met_win = best.incomplete = best.full = best.is_costly = False
    best.won = NO_NODE
    best.last = 0
    best.parent = NO_NODE
    best.moves = 0
    if best.room > 64 * FIRST_POOL or best.heap_room > 64 * FIRST_HEAP:
        free_best(best)
    set_weights(best)
    memset(best.weighed, 0, sizeof(best.weighed))
    if not table_reset(&best.known, max_bytes // 4):
        return False
    if best.room == 0 and not grow_pool(best) or best.heap_room == 0 and not grow_heap(best):
        return False
    copy_class(&start, root)
    keep_class(best, &start, NULL)
    return not best.full


cdef inline bint grow_pool(BestFirst* best) noexcept nogil:
    return more_room(&best.pool, &best.room, FIRST_POOL, 1, min(best.max_bytes // 2, MOST_POOL))


cdef inline bint grow_heap(BestFirst* best) noexcept nogil:
    return more_room(&best.heap, &best.heap_room, FIRST_HEAP, sizeof(Queued), best.max_bytes // 4)


# --- Values -------------------------------------------------------------------------------------------------

cdef inline void set_weights(BestFirst* best) noexcept nogil:
    """Set the weights, with the jitter of the settings, and the weights of the columns of the layout."""
    cdef const Layout* layout = best.layout
    cdef int i, column, n, card, breaks, total, rank
    cdef uint64_t held
    cdef double spread
    cdef bint two_decks = layout.cards > ONE_DECK
    best.joinable = JOINABLE[two_decks]
    for i in range(ALL_WEIGHTS):
        spread = (mix_low(best.settings.seed * ALL_WEIGHTS + i) >> 11) / 9007199254740992.0
        best.weights[i] = <int>(
            USUAL_WEIGHTS[two_decks][i] * exp(best.settings.jitter * (2 * spread - 1)) + 0.5)
    for column in range(layout.columns):
        total = breaks = 0
        held = 0
        for n in range(layout.size[column] + 1):
            best.held[column][n] = held
            best.below[column][n] = best.weights[COLUMN]
            if n > 0:
                best.below[column][n] += (
                    total + best.weights[BREAK] + <int>(best.weights[BREAKS] * sqrt(<double>(breaks + 1)))
                )
            if n == layout.size[column]:
                break
            card = layout.card[column][n]
            rank = card >> 2
            if n == 0 or layout.card[column][n - 1] != card + 4:
                if rank < layout.ranks - 1:
                    total += best.weights[RUN]
                elif n > 0:
                    total += best.weights[KING]
                if held >> (card + 4) & 1:
                    total += best.weights[OWN]
                if n > 0 and (layout.card[column][n - 1] >> 2) == rank + 1:
                    total += best.weights[MIXED]
                elif n > 0:
                    total += best.weights[BREAK]
                    breaks += 1
            held |= <uint64_t>1 << card


cdef inline int stem_value(const BestFirst* best, Stem stem) noexcept nogil:
    """The weighted sum of the defects of ``stem``."""
    cdef int below = stem_below(stem), column = stem_column(stem), length = stem_length(stem)
    cdef int suits = stem_suits(stem), rank = stem_anchor(stem), total = best.below[column][below], place
    cdef uint64_t changes, held = best.held[column][below]
    if rank < best.layout.ranks - 1:
        total += best.weights[RUN]
        if held >> (4 * rank + 4 + (suits >> 2 * (length - 1))) & 1:
            total += best.weights[OWN]
    elif below > 0:
        total += best.weights[KING]
    rank = stem_end(stem)
    changes = changes_of_suit(suits, length)
    while changes:
        place = take_bit(&changes)
        total += best.weights[RUN] + best.weights[MIXED]
        if held >> (4 * rank + 2 * place + 4 + (suits >> place & 3)) & 1:
            total += best.weights[OWN]
    return total


cdef inline int joinable(const Class* state) noexcept nogil:
    """The number of segments that can lie at once on tops of their suit one rank higher, one on each."""
    cdef Counts top_bits = <Counts>0x8888888888888888, even_ranks = <Counts>0x0F0F0F0F0F0F0F0F, enough, pairs
    cdef int suit, total = 0
    for suit in range(SUITS):
        # The smaller of the two numbers at each rank, correct for up to 7 equal cards.
        enough = ((state.ends[suit] | top_bits) - state.heads[suit]) & top_bits
        enough = (enough >> 3) * 15
        pairs = (state.heads[suit] & enough) | (state.ends[suit] & ~enough)
        pairs = (pairs & even_ranks) + (pairs >> 4 & even_ranks)
        total += (pairs * <uint64_t>0x0101010101010101) >> 56
    return total


cdef inline int value_of(BestFirst* best, const Class* state) noexcept nogil:
    """The weighted sum of the defects of a class. Values of stems are cached, since most stems recur."""
    cdef int lone = best.weights[RUN] + best.weights[LONE]
    cdef int i, place, total = lone * state.segments + (best.joinable - lone) * joinable(state)
    for i in range(state.stems):
        place = (state.stem[i] * <uint64_t>0x9E3779B97F4A7C15) >> (64 - WEIGHED_BITS)
        if best.weighed[place] != state.stem[i]:
            best.weighed[place] = state.stem[i]
            best.weight[place] = stem_value(best, state.stem[i])
        total += best.weight[place]
    return total


# --- Nodes and heap -----------------------------------------------------------------------------------------

cdef inline void read_node(const BestFirst* best, uint32_t node, Class* state) noexcept nogil:
    """Unpack the class of node ``node`` into ``state``."""
    unpack(state, <const uint8_t*>(header_of(best, node) + 1))


cdef inline bint keep_class(void* context, Class* child, const Plan* plan) noexcept nogil:
    """Store and queue a successor unless its class was generated before, or note it as won. A Consumer of
    `generate_successors`; ``plan`` is NULL for the root. Returns False if memory runs out."""
    cdef BestFirst* best = <BestFirst*>context
    cdef int added = table_insert(&best.known, child.low, without_top_bit(child.high))
    cdef uint32_t node
    cdef int32_t value
    if added == KNOWN:
        return True
    if (added == NO_MEMORY
            or best.used + sizeof(Header) + MAX_PACKED + 8 > best.room and not grow_pool(best)):
        best.full = True
        return False
    node = best.used >> 3
    header_of(best, node)[0] = Header(best.parent, best.moves, plan.kind if plan != NULL else 0,
                                      plan.unit if plan != NULL else 0)
    best.used += sizeof(Header) + pack(child, best.pool + best.used + sizeof(Header))
    best.used = (best.used + 7) & ~<uint64_t>7
    if child.stems == 0:
        if best.won == NO_NODE:
            best.won = node
        return True
    value = value_of(best, child) + best.settings.step * <int32_t>best.moves
    if best.settings.jitter > 0:
        value += mix_low(child.low ^ best.settings.seed) % <uint64_t>best.settings.noise
    wait(best, value, node)
    return not best.full


cdef inline void wait(BestFirst* best, int32_t value, uint32_t node) noexcept nogil:
    """Put a node into the heap, or set ``full`` if memory runs out."""
    cdef uint64_t i = best.waiting, above
    if best.waiting == best.heap_room and not grow_heap(best):
        best.full = True
        return
    best.waiting += 1
    while i > 0:
        above = (i - 1) >> 1
        if best.heap[above].value <= value:
            break
        best.heap[i] = best.heap[above]
        i = above
    best.heap[i].value = value
    best.heap[i].node = node


cdef inline Queued pop_least(BestFirst* best) noexcept nogil:
    cdef Queued least = best.heap[0], moved
    cdef uint64_t i = 0, child = 1
    best.waiting -= 1
    moved = best.heap[best.waiting]
    while child < best.waiting:
        if child + 1 < best.waiting and best.heap[child + 1].value < best.heap[child].value:
            child += 1
        if best.heap[child].value >= moved.value:
            break
        best.heap[i] = best.heap[child]
        i = child
        child = 2 * i + 1
    best.heap[i] = moved
    return least


cdef inline Outcome run_best(BestFirst* best, Kernel* kernel, Loose* loose) noexcept nogil:
    """Continue the search; the relaxation R0 in ``loose`` recognizes dead ends.

    Returns WON with the node in ``won``, after which it may be called again; LOST if the search was exhausted
    and proves a loss; OPEN at a limit, or if it was exhausted but proves nothing, since successors were
    omitted or a win was found that the caller could not play; OUT_OF_MEMORY.
    """
    cdef Class parent
    cdef Queued least
    cdef Selection selection
    cdef uint64_t most
    if best.last == 0:
        best.last = kernel.expanded + best.settings.nodes
        best.nodes_before = kernel.expanded
        best.successors_before = kernel.generated
    best.won = NO_NODE
    while best.waiting > 0:
        if kernel.expanded >= best.last:
            return OPEN
        most = best.settings.successors * (kernel.expanded - best.nodes_before) + FREE_SUCCESSORS
        if best.settings.successors > 0 and kernel.generated - best.successors_before > most:
            best.is_costly = True
            return OPEN
        least = pop_least(best)
        selection = PARKING if least.node & AGAIN else UNCOVERING
        best.parent = least.node & ~<uint32_t>AGAIN
        if best.waiting > 0:
            prefetch_at(header_of(best, best.heap[0].node & ~<uint32_t>AGAIN) + 1)
        read_node(best, best.parent, &parent)
        if best.settings.dead_end_nodes > 0 and selection == UNCOVERING:
            if is_lost(loose, kernel, best.layout, &parent, best.settings.dead_end_nodes):
                continue
            if kernel.reason:
                return OPEN
        if not may_expand(kernel):
            return OPEN
        if IS_CHECKED:
            check_class(&parent)
        best.moves = header_of(best, best.parent).moves + 1
        best.generator.produced = 0
        generate_successors(&best.generator, best.layout, &parent, selection, best.settings.cap, keep_class,
                            best)
        best.incomplete |= best.generator.capped
        kernel.generated += best.generator.produced
        add_work(kernel, SIMON_SUCCESSOR * best.generator.produced)
        if selection == UNCOVERING and parent.stems < best.layout.columns:
            wait(best, least.value + LATER, best.parent | AGAIN)
        if best.full:
            return OUT_OF_MEMORY
        if best.generator.fault:
            best.fault = True
            return OPEN
        if best.won != NO_NODE:
            best.met_win = True
            return WON
    return OPEN if best.incomplete or best.met_win else LOST
