"""Beam search of positions for short lines: breadth-first search that keeps the best positions of each depth.

Each layer keeps only the best position of each class, so the same width goes several times as far. The beam
is wider at small depths, where most unnecessary moves are made. It proves no lower bound.

If the work left suffices for a wide beam, several narrower ones find shorter lines. They differ by noise in
the scores of positions, which also makes a layer more diverse, and by noise in the table of scores. On Simon
Jester 1-40 the best of eight beams of width 1,000 has 111.0 moves on average, the best of eight with noise in
positions only 111.2, and a single one 112.5; on 1-24 one of width 2,000 has 112.1.

Memory: layers and candidates take about 1/4 of ``max_bytes`` at the greatest width, keys of visited positions
up to 1/2, made moves 1/5. The set of visited keys is cleared when it is full: positions may then be repeated.
"""

# --- Beam search --------------------------------------------------------------------------------------------

cdef struct BeamSchedule:       # the beam searches for one line
    uint64_t beams              # number of beams run so far
    uint64_t most               # limit on their number; 0 for no limit but work
    double cost                 # work of the last beam divided by its width


# --- Sets of keys -------------------------------------------------------------------------------------------

# Sets of hashed 64-bit keys, for searches that prove nothing: at the memory limit a set is cleared.

cdef struct KeySet:
    uint64_t* slot          # a key, or 0; at most half are taken
    uint64_t mask           # slots - 1
    uint64_t count, max_bytes

cdef inline uint64_t find_key(const KeySet* keys, uint64_t key) noexcept nogil:
    """The slot of ``key``, or the free slot to insert it into. The key 0 is replaced by 1."""
    cdef uint64_t slot
    key |= key == 0
    slot = key & keys.mask
    while keys.slot[slot] != 0 and keys.slot[slot] != key:
        slot = (slot + 1) & keys.mask
    return slot

cdef inline void prefetch_key(const KeySet* keys, uint64_t key) noexcept nogil:
    """Prefetch the slot in which the search for ``key`` begins."""
    prefetch_at(&keys.slot[key & keys.mask])


cdef inline bint open_keys(KeySet* keys, uint64_t slots, uint64_t max_bytes) noexcept nogil:
    """Make an empty set with ``slots`` slots, a power of two. Returns False if allocation fails.

    ``keys`` must be zeroed or a set, which is freed. The set grows as long as the old and the new slots
    together take at most ``max_bytes``.
    """
    free(keys.slot)
    keys.slot = <uint64_t*>calloc(slots, sizeof(uint64_t))
    keys.mask = slots - 1
    keys.count = 0
    keys.max_bytes = max_bytes
    return keys.slot != NULL


cdef inline void clear_keys(KeySet* keys) noexcept nogil:
    memset(keys.slot, 0, (keys.mask + 1) * sizeof(uint64_t))
    keys.count = 0


cdef inline void free_keys(KeySet* keys) noexcept nogil:
    free(keys.slot)
    keys.slot = NULL


cdef inline bint add_key(KeySet* keys, uint64_t key) noexcept nogil:
    """Add ``key``. Returns False if the set contains it already. May clear the set at the memory limit."""
    cdef uint64_t slot = find_key(keys, key)
    if keys.slot[slot] != 0:
        return False
    keys.slot[slot] = key | (key == 0)
    keys.count += 1
    if 2 * keys.count > keys.mask:
        grow(keys)
    return True


cdef inline void grow(KeySet* keys) noexcept nogil:
    """Double the slots, or clear the set if memory does not suffice."""
    cdef KeySet grown
    cdef uint64_t i, slots = keys.mask + 1
    grown.slot = NULL
    if 3 * slots * sizeof(uint64_t) > keys.max_bytes or not open_keys(&grown, 2 * slots, keys.max_bytes):
        clear_keys(keys)
        return
    for i in range(slots):
        if keys.slot[i] != 0:
            add_key(&grown, keys.slot[i])
    free(keys.slot)
    keys[0] = grown


# --- Candidates ---------------------------------------------------------------------------------------------

# The successors of a layer of the beam. When the list is full, only the best are kept.

cdef struct Candidate:
    uint64_t key
    int32_t score
    uint32_t parent             # index of the parent in the layer
    uint16_t move
    uint8_t heads               # number of heads, a lower bound on the moves to a win

cdef struct Candidates:
    Candidate* candidate
    uint32_t count, room
    uint32_t keep               # number of candidates kept when the list is full
    int32_t worst               # only candidates with a lower score are added

cdef inline uint64_t room_for(uint64_t width) noexcept nogil:
    """The capacity of the list of candidates for a layer of ``width`` positions."""
    return 10 * width + 5000


cdef inline void select_best(Candidates* candidates, uint32_t keep) noexcept nogil:
    """Keep the ``keep`` candidates of lowest score, in any order, by Hoare's selection (quickselect), and set
    ``worst`` to the highest score among them."""
    cdef int64_t low = 0, high = <int64_t>candidates.count - 1, i, j
    cdef int32_t pivot
    cdef Candidate held
    cdef Candidate* list = candidates.candidate
    if candidates.count <= keep:
        return
    while low < high:
        pivot = list[(low + high) // 2].score
        i = low
        j = high
        while i <= j:
            while list[i].score < pivot:
                i += 1
            while list[j].score > pivot:
                j -= 1
            if i <= j:
                held = list[i]
                list[i] = list[j]
                list[j] = held
                i += 1
                j -= 1
        if <int64_t>keep - 1 <= j:
            high = j
        elif <int64_t>keep - 1 >= i:
            low = i
        else:
            break
    candidates.worst = list[keep - 1].score
    candidates.count = keep


cdef inline int by_score(const void* one, const void* other) noexcept nogil:
    """Compare two candidates for `qsort`: by score, key, parent and move, a total order."""
    cdef const Candidate* a = <const Candidate*>one
    cdef const Candidate* b = <const Candidate*>other
    if a.score != b.score:
        return -1 if a.score < b.score else 1
    if a.key != b.key:
        return -1 if a.key < b.key else 1
    if a.parent != b.parent:
        return -1 if a.parent < b.parent else 1
    return (a.move > b.move) - (a.move < b.move)


# --- Beam search --------------------------------------------------------------------------------------------

cdef enum:
    MOST_WAITING = 64

cdef struct HistoryMove:        # an entry of the history: a move that led to a position of a layer
    uint32_t parent             # the entry of the move before it; 0 if there is none
    uint32_t move

cdef struct Beam:
    const Layout* layout
    Scores scores
    uint64_t seed               # seed of the noise; 0 for no noise
    int king                    # lowest card number of a king
    int wide_until              # depth below which the beam is twice as wide
    int usual_until             # depth from which it has 0.3 times its width
    uint64_t bound              # only lines shorter than this are searched for
    uint64_t weight             # work of an expanded position
    BeamPosition* layer
    BeamPosition* next_layer
    uint32_t held               # number of positions in the layer
    uint32_t room               # capacity of a layer
    Candidates candidates
    Candidate waiting[MOST_WAITING]     # become candidates unless their positions were visited
    int waiters
    HistoryMove* history        # entry 0 is unused
    uint32_t entries, history_room
    uint64_t max_bytes
    KeySet visited
    KeySet classes              # classes of the positions in the layer
    uint32_t won                # history entry of the parent of a won position
    uint32_t won_move           # the move from there
    bint is_won
    bint was_full               # a layer reached its width
    # The position being expanded:
    const BeamPosition* position
    uint32_t number             # its index in the layer
    uint64_t depth
    const uint8_t* column[MAX_COLUMNS]
    uint64_t prefix[MAX_COLUMNS][MAX_CARDS + 1]
    uint64_t mask[MAX_COLUMNS][MAX_CARDS + 1]       # set of the first n cards
    int run[MAX_COLUMNS]        # length of the run on top
    int breaks[MAX_COLUMNS]     # neighbours whose ranks do not descend by one
    int tops[MAX_RANKS]         # number of exposed cards of each rank
    uint64_t topped_by[MAX_RANKS + 1]   # by rank: set of columns with such an exposed card; last: none
    int empty                   # number of empty columns
    int empty_column            # the last of them


cdef enum:
    PILOT = 60          # width of the first beam
    NARROWEST = 8
    WIDEST = 20000
    USUAL_WIDTH = 600         # a narrower beam is run only if too little work is left for this width
    SHARES = 8          # a beam wider than USUAL_WIDTH may take 1/SHARES of the work left
    POSITION_NOISE = 60  # the random part of a position's score is below this, in tenths
    LOOK_AHEAD = 8      # candidates between the one whose slot is prefetched and the one entered


# --- Moves --------------------------------------------------------------------------------------------------

cdef inline void load(Beam* beam, uint32_t number, uint64_t depth) noexcept nogil:
    """Prepare position ``number`` of the layer, at ``depth``, for expansion."""
    cdef const BeamPosition* position = &beam.layer[number]
    cdef int column, i, size
    cdef const uint8_t* card = &position.card[0]
    beam.position = position
    beam.number = number
    beam.depth = depth
    memset(beam.tops, 0, sizeof(beam.tops))
    memset(beam.topped_by, 0, sizeof(beam.topped_by))
    beam.empty = 0
    for column in range(beam.layout.columns):
        size = position.size[column]
        beam.column[column] = card
        beam.prefix[column][0] = beam.mask[column][0] = 0
        beam.breaks[column] = 0
        beam.run[column] = 0
        for i in range(size):
            beam.prefix[column][i + 1] = hash_card(beam.prefix[column][i], card[i])
            beam.mask[column][i + 1] = beam.mask[column][i] | <uint64_t>1 << card[i]
            if i > 0 and card[i - 1] == card[i] + 4:
                beam.run[column] += 1
            else:
                beam.run[column] = 1
                beam.breaks[column] += i > 0 and (card[i - 1] >> 2) != (card[i] >> 2) + 1
        if size == 0:
            beam.empty += 1
            beam.empty_column = column
        else:
            beam.tops[card[size - 1] >> 2] += 1
            beam.topped_by[card[size - 1] >> 2] |= <uint64_t>1 << column
        card += size


cdef inline void consider_moves(Beam* beam) noexcept nogil:
    """Add the successors of the loaded position to the candidates."""
    cdef const BeamPosition* position = beam.position
    cdef int source, count, top
    cdef uint64_t targets
    for source in range(beam.layout.columns):
        if position.size[source] == 0:
            continue
        top = beam.column[source][position.size[source] - 1] >> 2
        for count in range(1, beam.run[source] + 1):
            targets = beam.topped_by[top + count]
            while targets:
                consider(beam, source, take_bit(&targets), count)
            if beam.empty > 0 and count < position.size[source]:
                consider(beam, source, beam.empty_column, count)


cdef inline void consider(Beam* beam, int source, int target, int count) noexcept nogil:
    """Compute the score after a move incrementally, and keep the successor if it may be among the best."""
    cdef int first = beam.position.size[source] - count, onto = beam.position.size[target]
    cdef const uint8_t* unit = beam.column[source] + first
    cdef int beneath = NO_CARD, top = NO_CARD, score = beam.position.score, heads = beam.position.heads
    cdef uint64_t key
    if first > 0:
        beneath = beam.column[source][first - 1]
    if onto > 0:
        top = beam.column[target][onto - 1]
    if ((unit[count - 1] < 4 and top == unit[0] + 4 and beam.run[target] + count >= beam.layout.ranks)
            or (0 <= beneath < 4 and has_complete_run(beam.column[source], first, beam.layout.ranks))):
        consider_removal(beam, source, target, count)
        return
    score += by_leaving(beam, source, first, beneath, &heads)
    score += by_arriving(beam, target, unit[0], top, &heads)
    if beam.depth + 1 + heads >= beam.bound:
        return
    score += by_exposing(beam, beneath, top)
    if score >= beam.candidates.worst:
        return
    key = key_after(beam, source, target, count)
    keep(beam, key, score, heads, source, target, count)


cdef inline int by_leaving(const Beam* beam, int source, int first, int beneath, int* heads) noexcept nogil:
    """The change of the score as the cards from index ``first`` on leave column ``source``; updates
    ``heads``. ``beneath`` is the card beneath them, or NO_CARD."""
    cdef const Scores* table = &beam.scores
    cdef int card = beam.column[source][first], breaks = beam.breaks[source], change
    if beneath == card + 4:
        return 0
    heads[0] -= card < beam.king
    if beneath == NO_CARD:
        return -table.on_floor[card]
    change = -table.on_card[beneath][card]
    if card < beam.king and beam.mask[source][first] >> (card + 4) & 1:
        change -= table.over_own[card]
    if (beneath >> 2) != (card >> 2) + 1:
        change -= table.by_breaks[breaks] - table.by_breaks[breaks - 1]
    return change


cdef inline int by_arriving(const Beam* beam, int target, int card, int top, int* heads) noexcept nogil:
    """The change of the score as a run with head ``card`` is put on column ``target``; updates ``heads``.
    ``top`` is the exposed card of the column, or NO_CARD."""
    cdef const Scores* table = &beam.scores
    cdef int change
    if top == card + 4:
        return 0
    heads[0] += card < beam.king
    if top == NO_CARD:
        return table.on_floor[card]
    change = table.on_card[top][card]
    if card < beam.king and beam.mask[target][beam.position.size[target]] >> (card + 4) & 1:
        change += table.over_own[card]
    return change


cdef inline int by_exposing(const Beam* beam, int beneath, int top) noexcept nogil:
    """The change of the score as the card ``beneath`` is exposed and ``top`` covered; for NO_CARD, a column
    is emptied or an empty one filled."""
    cdef const Scores* table = &beam.scores
    cdef const int* tops = beam.tops
    cdef int change = 0, empty, rank
    if (beneath == NO_CARD) != (top == NO_CARD):
        empty = beam.empty + (1 if beneath == NO_CARD else -1)
        change += table.none_empty * ((empty == 0) - (beam.empty == 0))
    if beneath >> 2 != top >> 2:
        if beneath != NO_CARD:
            rank = beneath >> 2
            change += table.by_tops[rank][at_most(tops[rank] + 1, 3)]
            change -= table.by_tops[rank][at_most(tops[rank], 3)]
        if top != NO_CARD:
            rank = top >> 2
            change += table.by_tops[rank][at_most(tops[rank] - 1, 3)]
            change -= table.by_tops[rank][at_most(tops[rank], 3)]
    return change


cdef inline uint64_t key_after(const Beam* beam, int source, int target, int count) noexcept nogil:
    """The key of the position to which a move leads by which no run leaves."""
    cdef int i, size = beam.position.size[source]
    cdef const uint8_t* unit = beam.column[source] + size - count
    cdef uint64_t prefix = beam.prefix[target][beam.position.size[target]]
    cdef uint64_t key = beam.position.key - scatter(prefix) - scatter(beam.prefix[source][size])
    key += scatter(beam.prefix[source][size - count])
    for i in range(count):
        prefix = hash_card(prefix, unit[i])
    return key + scatter(prefix)


cdef inline void keep(Beam* beam, uint64_t key, int score, int heads, int source, int target,
                      int count) noexcept nogil:
    """Append a successor to the waiting list. The slot of its key is prefetched; `let_in` looks the keys of a
    full waiting list up together, which hides the latency of memory."""
    cdef Candidate* candidate = &beam.waiting[beam.waiters]
    candidate.key = key
    candidate.score = score + noise_of(beam, key)
    candidate.parent = beam.number
    candidate.move = pack_move(source, target, count)
    candidate.heads = heads
    prefetch_key(&beam.visited, key)
    beam.waiters += 1
    if beam.waiters == MOST_WAITING:
        let_in(beam)


cdef inline void let_in(Beam* beam) noexcept nogil:
    """Move the waiting successors that were not visited, and are among the best, to the candidates."""
    cdef Candidates* candidates = &beam.candidates
    cdef const Candidate* candidate
    cdef int i
    for i in range(beam.waiters):
        candidate = &beam.waiting[i]
        if (candidate.score < candidates.worst
                and not beam.visited.slot[find_key(&beam.visited, candidate.key)]):
            candidates.candidate[candidates.count] = candidate[0]
            candidates.count += 1
            if candidates.count == candidates.room:
                select_best(candidates, candidates.keep)
    beam.waiters = 0


cdef inline int noise_of(const Beam* beam, uint64_t key) noexcept nogil:
    """The random part of the score of the position with key ``key``."""
    return <int>(mix_low(key ^ beam.seed) % POSITION_NOISE) if beam.seed != 0 else 0


cdef inline void consider_removal(Beam* beam, int source, int target, int count) noexcept nogil:
    """Like `consider`, for a move by which a run may leave: make the move and rate the position afresh. Sets
    ``is_won`` if it wins."""
    cdef BeamPosition child
    make_child(beam.position, beam.layout.columns, beam.layout.ranks, source, target, count, &child)
    if end_of_column(&child, beam.layout.columns - 1) == 0:
        beam.is_won = True
        beam.won = beam.position.entry
        beam.won_move = pack_move(source, target, count)
        return
    rate(&beam.scores, &child, beam.layout.columns, beam.king)
    if beam.depth + 1 + child.heads < beam.bound and child.score < beam.candidates.worst:
        keep(beam, child.key, child.score, child.heads, source, target, count)


# --- Layers -------------------------------------------------------------------------------------------------

cdef inline bint next_layer(Beam* beam, Kernel* kernel, uint64_t depth, uint32_t width) noexcept nogil:
    """Replace the layer by its best successors, at most ``width`` positions of different classes. Returns
    False if a position is won, the layer is empty, or a limit is reached."""
    cdef BeamPosition* before = beam.layer
    cdef Candidates* candidates = &beam.candidates
    cdef uint32_t i
    candidates.count = 0
    candidates.worst = 0x7FFFFFFF
    candidates.keep = 5 * width
    candidates.room = room_for(width)       # at most the capacity allocated by `set_room`
    beam.waiters = 0
    for i in range(beam.held):
        load(beam, i, depth)
        consider_moves(beam)
        add_work(kernel, beam.weight)
        if beam.is_won or (i & 255 == 255 and not poll(kernel)):
            return False
    let_in(beam)
    select_best(candidates, 4 * width)
    qsort(candidates.candidate, candidates.count, sizeof(Candidate), by_score)
    if not make_history_room(beam, width):
        return False
    clear_keys(&beam.classes)
    kernel.uncounted += beam.held
    kernel.bytes_beside = beam_bytes(beam)
    beam.layer = beam.next_layer
    beam.next_layer = before
    beam.held = 0
    for i in range(candidates.count):
        if beam.held == width:
            beam.was_full = True
            break
        if i + LOOK_AHEAD < candidates.count:
            prefetch_key(&beam.visited, candidates.candidate[i + LOOK_AHEAD].key)
        enter_layer(beam, &candidates.candidate[i], before)
    return beam.held > 0


cdef inline void enter_layer(Beam* beam, const Candidate* candidate,
                             const BeamPosition* before) noexcept nogil:
    """Add a candidate to the layer if it was not visited and is the first of its class. ``before`` is the
    previous layer."""
    cdef BeamPosition* child = &beam.layer[beam.held]
    cdef const BeamPosition* parent = &before[candidate.parent]
    cdef uint32_t move = candidate.move
    if not add_key(&beam.visited, candidate.key):
        return
    make_child(parent, beam.layout.columns, beam.layout.ranks, source_of(move), target_of(move),
               count_of(move), child)
    if not add_key(&beam.classes, class_key(child, beam.layout.columns)):
        return
    child.key = candidate.key
    child.score = candidate.score - noise_of(beam, candidate.key)
    child.heads = candidate.heads
    child.entry = beam.entries
    beam.history[beam.entries].parent = parent.entry
    beam.history[beam.entries].move = move
    beam.entries += 1
    beam.held += 1


cdef inline bint make_history_room(Beam* beam, uint32_t moves) noexcept nogil:
    """Reserve space for ``moves`` more entries of the history. Returns False if memory does not suffice."""
    cdef uint64_t room = 2 * (<uint64_t>beam.history_room + moves)
    if beam.entries + moves <= beam.history_room:
        return True
    if (beam.history_room + room) * sizeof(HistoryMove) > beam.max_bytes // 5:
        return False
    if not resize(&beam.history, room, sizeof(HistoryMove)):
        return False
    beam.history_room = room
    return True


cdef inline uint64_t beam_bytes(const Beam* beam) noexcept nogil:
    return (2 * <uint64_t>beam.room * sizeof(BeamPosition)
            + 2 * <uint64_t>beam.candidates.room * sizeof(Candidate)
            + beam.history_room * sizeof(HistoryMove)
            + (beam.visited.mask + beam.classes.mask + 2) * sizeof(uint64_t))


cdef inline double share_of(const Beam* beam, uint64_t depth) noexcept nogil:
    """The factor of the width of the beam at ``depth``."""
    return 2.0 if depth < <uint64_t>beam.wide_until else 1.0 if depth < <uint64_t>beam.usual_until else 0.3


cdef inline bint run_beam(Beam* beam, Kernel* kernel, const BeamPosition* root, double width, uint64_t until,
                          uint64_t length) noexcept nogil:
    """Run one beam of ``width`` from ``root``. It is made narrower if ``length`` layers would take more work
    than up to ``until``. Returns True if it reached a win."""
    cdef uint64_t depth = 0, later
    cdef double rest, left, wanted
    beam.layer[0] = root[0]
    beam.layer[0].entry = 0
    beam.held = 1
    beam.entries = 1
    beam.is_won = beam.was_full = False
    clear_keys(&beam.visited)
    add_key(&beam.visited, root.key)
    while True:
        rest = 0.0
        for later in range(depth, length if length > depth + 4 else depth + 4):
            rest += share_of(beam, later)
        left = <double>until - <double>work_done(kernel)
        wanted = min(width, left / (beam.weight * rest))
        if left <= 0.0 or kernel.reason or not poll(kernel):
            return False
        wanted *= share_of(beam, depth)
        if wanted < NARROWEST:
            wanted = NARROWEST
        if not next_layer(beam, kernel, depth, <uint32_t>wanted):
            return beam.is_won
        depth += 1


# --- Beams of different width -------------------------------------------------------------------------------

cdef inline void begin_beam(Beam* beam, const Layout* layout, uint64_t max_bytes) noexcept nogil:
    memset(beam, 0, sizeof(Beam))
    beam.layout = layout
    beam.max_bytes = max_bytes
    beam.king = 4 * layout.ranks - 4
    beam.weight = SIMON_BEAM_POSITION + SIMON_BEAM_CARD * layout.cards
    beam.wide_until = 45 * layout.cards // 104
    beam.usual_until = 90 * layout.cards // 104


cdef inline void free_beam(Beam* beam) noexcept nogil:
    free(beam.layer)
    free(beam.next_layer)
    free(beam.candidates.candidate)
    free(beam.history)
    free_keys(&beam.visited)
    free_keys(&beam.classes)


cdef inline bint set_room(Beam* beam, uint64_t width) noexcept nogil:
    """Allocate memory for beams of up to ``width``. Returns False if allocation fails."""
    cdef uint64_t slots = 1 << 12
    beam.room = 2 * width
    free(beam.layer)
    free(beam.next_layer)
    free(beam.candidates.candidate)
    beam.layer = <BeamPosition*>malloc(beam.room * sizeof(BeamPosition))
    beam.next_layer = <BeamPosition*>malloc(beam.room * sizeof(BeamPosition))
    beam.candidates.candidate = <Candidate*>malloc(room_for(beam.room) * sizeof(Candidate))
    while slots < 4 * beam.room:
        slots *= 2
    if beam.layer == NULL or beam.next_layer == NULL or beam.candidates.candidate == NULL:
        return False
    if not open_keys(&beam.classes, slots, beam.max_bytes):
        return False
    return beam.visited.slot != NULL or open_keys(&beam.visited, 1 << 16, beam.max_bytes // 2)


cdef inline void rate_root(const Beam* beam, const Layout* layout, BeamPosition* root) noexcept nogil:
    """Set ``root`` to the layout as a rated position."""
    cdef int column, at = 0
    for column in range(layout.columns):
        root.size[column] = layout.size[column]
        memcpy(root.card + at, layout.card[column], layout.size[column])
        at += layout.size[column]
    rate(&beam.scores, root, layout.columns, beam.king)


cdef inline void write_history(const Beam* beam, const Layout* layout, Line* line) noexcept nogil:
    """Replace ``line`` by the moves to the won position if it is longer."""
    cdef uint32_t entry = beam.won
    cdef uint64_t length = 1
    while entry != 0:
        entry = beam.history[entry].parent
        length += 1
    if length >= line.length:
        return
    line.length = length
    line.move[length - 1] = beam.won_move
    entry = beam.won
    while entry != 0:
        length -= 1
        line.move[length - 1] = beam.history[entry].move
        entry = beam.history[entry].parent
    if IS_CHECKED:
        invariant(wins(line, layout))


cdef inline double next_width(double cost, double rest) noexcept nogil:
    """The width of the next beam, if a beam takes work of ``cost`` times its width and ``rest`` is left.

    A beam of width USUAL_WIDTH or less may take 0.85 of ``rest``, a wider one about 1/SHARES of that.
    """
    cdef double width = 0.85 * rest / max(cost, <double>UNIT)
    if width > USUAL_WIDTH:
        width = max(<double>USUAL_WIDTH, width / SHARES)
    return <int>min(width, <double>WIDEST)


cdef inline bint shorten(Kernel* kernel, const Layout* layout, Line* line, uint64_t max_bytes,
                         BeamSchedule* schedule) noexcept nogil:
    """Shorten the winning line ``line`` by beams within the kernel's turn and ``max_bytes``. Returns True if
    it became shorter.

    Beams follow one another until the turn is over, or until one had the greatest width or never reached its
    width. ``schedule`` counts the beams of earlier calls for this line; its count is the seed of the noise.
    The first beam is narrow; its cost determines the width of later ones.
    """
    cdef Beam beam
    cdef BeamPosition root
    cdef uint64_t until = kernel.end_of_turn, work = work_left(kernel), tried
    cdef double width = PILOT, widest = min(WIDEST, max_bytes // 4096)
    cdef uint64_t layers, length = line.length
    if line.length < 2:
        return False
    leave_out_needless(line, layout)
    begin_beam(&beam, layout, max_bytes)
    begin_stage(kernel, BEAM, 0)
    if schedule.beams > 0:
        width = min(next_width(schedule.cost, work), widest)
    while (2 * NARROWEST <= width <= widest and work_done(kernel) < until - work // 7
            and set_room(&beam, <uint64_t>width)):
        tried = work_done(kernel)
        # No noise in the first beam, noise in positions in the second, in the table too in all others.
        beam.seed = schedule.beams
        make_scores(&beam.scores, beam.seed if beam.seed > 1 else 0)
        rate_root(&beam, layout, &root)
        beam.bound = line.length
        layers = 6 * layout.cards // 5 if width == PILOT else line.length
        if run_beam(&beam, kernel, &root, width, until, layers):
            write_history(&beam, layout, line)
        schedule.beams += 1
        schedule.cost = (work_done(kernel) - tried) / width
        if kernel.reason or schedule.beams == schedule.most or not beam.was_full or width >= widest:
            break
        width = min(next_width(schedule.cost, <double>until - <double>work_done(kernel)), widest)
    free_beam(&beam)
    kernel.bytes_beside = 0
    return line.length < length
