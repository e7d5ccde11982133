"""Disjunctive action landmarks (Helmert and Domshlak 2009) of a delete relaxation of Klondike with redeals.

A move is *extra* if it is neither a draw nor a move to the foundations. In the *relaxed game* from a
position, cards that are not free make no extra move and are drawn at most once; what was once possible stays
possible. A *landmark* is a set of cards such that the relaxed game is lost even if all other cards are free:
every line moves one of them by an extra move, or draws one again. Disjoint landmarks need different moves
(K12 of docs/theory/klondike.md), and a position inherits those of its parent that the step did not meet.

Landmarks of the first kind are met by moves alone; their relaxed game lets cards of the stock go up in any
order that the draws allow. Landmarks of the second kind are also met by draws; one draw meets at most as many
as it draws cards. With one card drawn at a time there are none of the first kind.

Why they pay: of the first 60 winnable deals of klondike, which draws three, 46 lines are proved shortest with
three million units of work a deal, and the lower bounds add up to 5,897. With the bound of K7 alone 41 are
proved and the bounds add up to 5,838; with 4.1 million units, which take nine tenths of the time, it is 42
and 5,861. The 46 are those of

    winnable rate klondike --deals 0-70 --shortest --work 3M

They also pay in klondike-draw-one, with one million units for each of the first 50 winnable deals: 19 proofs,
16 without. Where the stock is gone through once they do not, and are left out: of the first 40 winnable deals
of klondike-vegas-one 19 lines are proved with a million units of work, 13 with landmarks, in 1.8 times the
time; of 30 of klondike-vegas in one pass 28, and 26 with landmarks, in 2.2 times the time.
"""

cdef enum:
    MOST_LANDMARKS = 52

cdef struct Landmarks:      # pairwise disjoint landmarks
    int count
    int moves               # number of the first ones, which are met by moves alone; the others also by draws
    uint32_t games          # relaxed games run to find them
    uint64_t cards[MOST_LANDMARKS]

cdef enum:
    MOST_RECENT = 24

cdef struct Recent:         # the landmarks found last, tried first: those met by moves alone, and the others
    uint64_t cards[2][MOST_RECENT]

cdef enum:
    CHUNK_BITS = 18         # bits of the index of a word in its chunk
    CHUNK_BYTES = 1 << 21   # a page, see core/memory.pxd

cdef struct Pool:           # landmarks of positions, in chunks that never move
    uint64_t** chunks
    uint64_t first_chunk    # earlier chunks are freed
    uint64_t chunk_count, chunk_room
    uint64_t count          # words used
    uint64_t max_bytes

cdef enum Completion:
    HOPELESS = 0            # the position cannot reach the goal
    ENOUGH = 1              # the bound is as large as requested
    COMPLETE = 2            # no further landmark is disjoint from those found


cdef inline int landmarks_bound(const ExactLayout* start, int redeals, const Landmarks* found) noexcept nogil:
    """Return the lower bound that the landmarks ``found`` give for the moves that are neither a first draw
    nor the last move of a card, after ``redeals``."""
    cdef int drawn = start.draw
    if start.passes > 0 and redeals + 1 >= start.passes:
        drawn = 1           # no card is drawn again
    return found.moves + (found.count - found.moves + drawn - 1) // drawn


cdef extern from *:
    """
    #define WINNABLE_CLUBS 0x1111111111111ULL
    """
    const uint64_t CLUBS "WINNABLE_CLUBS"       # all clubs: the bits 4 * rank

cdef struct Ground:         # what is common to all relaxed games of a position
    const ExactLayout* start
    const Position* t
    uint64_t up             # cards on the foundations
    uint64_t stock          # cards of the waste and the stock
    uint64_t back           # cards that may come back from the foundations
    uint64_t stock_to[MOST_STOCK + 1]   # the first 0, 1, ... cards of waste and stock
    uint8_t place[CARDS]           # by card: its place in waste and stock
    uint32_t opened         # places that this pass and the next turn up
    uint32_t* games         # number of games run
    bint keeps_order        # second kind: cards that are not free are drawn in order, and only once

cdef struct Relaxed:        # a relaxed game; "once" means at some time so far
    uint64_t up             # cards that were once on the foundations
    uint64_t face           # cards that were once face up in columns
    uint64_t gone           # cards that left their places in columns
    uint64_t open           # cards that were once bare in columns
    uint64_t bases          # last dealt card left of each column
    uint64_t turned         # cards of the stock that were turned, or may be played
    uint32_t pile           # places of turned cards that have not left
    uint32_t played         # places of cards that have left the waste or stock
    uint32_t opened         # places whose cards may be played, if the order is not kept
    int places              # places turned
    bint emptied            # a column was once empty
    uint8_t left[COLUMNS]


cdef inline uint64_t fitting_on(const Ground* ground, const Relaxed* game) noexcept nogil:
    """Return the cards that fit on a card that was once bare, or in a column that was once empty."""
    cdef uint64_t reds = (game.open >> 1 | game.open >> 2) & CLUBS
    cdef uint64_t blacks = (game.open | game.open >> 3) & CLUBS
    return (blacks >> 4) * 6 | (reds >> 4) * 9 | (ground.start.kings if game.emptied else 0)


cdef inline void leave(const Ground* ground, Relaxed* game, uint64_t cards) noexcept nogil:
    """Let ``cards`` leave their places in columns, which turns up and uncovers other cards."""
    cdef const ExactLayout* start = ground.start
    cdef uint64_t rest = cards & game.bases
    cdef int card, column
    game.gone |= cards
    game.bases ^= rest
    while rest:
        card = take_bit(&rest)
        column = start.column_of[card]
        game.left[column] -= 1
        if game.left[column]:
            card = start.dealt[column][game.left[column] - 1]
            game.face |= bit(card)
            game.open |= bit(card)
            game.bases |= bit(card)
        else:
            game.emptied = True
    rest = cards & ground.t.placed
    while rest:
        game.open |= bit(ground.t.under[take_bit(&rest)])


cdef inline uint64_t play_out(const Ground* ground, Relaxed* game, uint64_t freed) noexcept nogil:
    """Make all moves of the relaxed game that need no further draw. Returns the cards that could then land in
    columns. ``freed`` are the free cards."""
    cdef const ExactLayout* start = ground.start
    cdef const Position* t = ground.t
    cdef uint64_t top, cards, fits, all_free = freed if ground.keeps_order else ~<uint64_t>0
    while True:
        top = bit(t.slots[highest_bit(game.pile)]) if game.pile else 0
        cards = (game.up << 4 | 15) & start.deck & ~game.up & (game.open | game.turned & all_free | top)
        if cards:
            game.up |= cards
            if cards & start.kings & game.face:
                game.emptied = True
            fits = cards & game.face & ~game.gone
            if fits:
                leave(ground, game, fits)
        else:
            fits = fitting_on(ground, game)
            cards = freed & game.face & ~(game.gone | game.up) & fits
            if cards:
                leave(ground, game, cards)
                continue
            cards = freed & fits & ~game.open & (game.turned | ground.back)
            if cards == 0:
                return fits
            game.open |= cards
        cards &= ground.stock
        while cards:
            game.played |= <uint32_t>1 << ground.place[take_bit(&cards)]
        game.pile &= ~game.played


cdef inline void begin_game(const Ground* ground, Relaxed* game) noexcept nogil:
    """Set the relaxed game to the position of ``ground``."""
    cdef const Position* t = ground.t
    cdef uint64_t rest = ground.opened
    game.up = ground.up
    game.face = t.face
    game.gone = 0
    game.open = t.bare
    game.bases = t.bases
    game.emptied = t.empty > 0
    memcpy(game.left, t.left, COLUMNS)
    game.played = 0
    if ground.keeps_order:
        game.places = t.waste
        game.turned = ground.stock_to[t.waste]
        game.pile = (<uint32_t>1 << t.waste) - 1
        return
    game.places = t.slot_count
    game.turned = game.pile = 0
    game.opened = ground.opened
    while rest:
        game.turned |= bit(t.slots[take_bit(&rest)])


cdef inline bint turn(const Ground* ground, Relaxed* game, uint64_t wanted) noexcept nogil:
    """Draw until one of the cards ``wanted`` is drawn or the stock is used up; if it is already, open the
    places that cards played from it open. Returns False if nothing changed."""
    cdef const Position* t = ground.t
    cdef const ExactLayout* start = ground.start
    cdef int was = game.places, i, slot, gone
    cdef uint64_t closed
    if game.places < t.slot_count:
        while True:
            i = game.places
            game.places = min(i + start.draw, t.slot_count)
            if game.places == t.slot_count or (ground.stock_to[game.places] & ~ground.stock_to[i]) & wanted:
                break
        game.turned = ground.stock_to[game.places]
        game.pile |= (<uint32_t>1 << game.places) - (<uint32_t>1 << was)
        return True
    if ground.keeps_order or game.played == 0:
        return False
    # Places may open only after a card that was played, or just before it (K2), and of these those that the
    # number of slots gone below allows (K3).
    closed = ~(game.opened | game.played) & (~((game.played & -game.played) - 1) | game.played >> 1)
    closed &= (<uint32_t>1 << t.slot_count) - 1
    was = 0
    while closed:
        i = take_bit(&closed)
        slot = start.slot_of[t.slots[i]]
        gone = slot - i + count_bits(game.played & ((<uint32_t>1 << i) - 1))
        if (
            (slot + 1 + start.lead) % start.draw <= gone + start.lead or i + 1 == t.slot_count
            or game.played >> (i + 1) & 1 or start.slot_of[t.slots[i + 1]] > slot + 1
        ):
            game.opened |= <uint32_t>1 << i
            game.turned |= bit(t.slots[i])
            was = 1
    return was


cdef inline bint relaxed_wins(const Ground* ground, const Relaxed* base, uint64_t freed,
                              uint64_t* touched) noexcept nogil:
    """Test whether the relaxed game, played on from ``base``, reaches the goal if the cards ``freed`` are
    free. If not, ``touched`` is set to a landmark: the cards that are not free and could have made a further
    move at some time. The game is lost even if all cards but these are free."""
    cdef const ExactLayout* start = ground.start
    cdef Relaxed game = base[0]
    cdef uint64_t fits, due, could = 0
    ground.games[0] += 1
    while True:
        fits = play_out(ground, &game, freed)
        if count_bits(game.up) >= start.goal:
            return True
        due = (game.up << 4 | 15) & ~game.up
        could |= (
            (game.face & ~(game.up | game.gone) & fits)
            | (ground.stock & ~(game.up | game.open) & (due & game.turned | fits))
            | ((ground.stock & game.up | ground.back) & ~game.open & fits)
        )
        if not turn(ground, &game, due | freed & fits):
            break
    touched[0] = could & ~freed
    return False


cdef inline uint64_t first_of(uint64_t cards, int count) noexcept nogil:
    """Return the ``count`` lowest cards of ``cards``."""
    cdef uint64_t rest = cards
    while count > 0:
        rest &= rest - 1
        count -= 1
    return cards ^ rest


cdef inline uint64_t landmark_among(const Ground* ground, uint64_t cards) noexcept nogil:
    """Return a landmark within the landmark ``cards`` that is minimal by inclusion. It is empty if the
    relaxed game is lost even with all cards free."""
    cdef uint64_t landmark = 0, spared = 0, rest = cards, new, half, touched
    cdef Relaxed base
    begin_game(ground, &base)
    play_out(ground, &base, ~cards)
    # Invariants: each card of `landmark` is needed. The game is lost if no card of `landmark` and `rest` is
    # free. It is won if all cards of `rest` but those of `spared` are free and `spared` is not empty.
    while rest:
        new = rest & ~spared
        half = spared | first_of(new, count_bits(new) // 2)
        if (spared and new & (new - 1) == 0) or relaxed_wins(ground, &base, ~(landmark | half), &touched):
            if new & (new - 1) == 0:
                landmark |= new
                rest = spared
                spared = 0
            else:
                spared = half
        else:
            rest = touched & ~landmark
            spared &= rest
    return landmark


cdef inline void put_first(uint64_t* recent, int last, uint64_t landmark) noexcept nogil:
    """Insert ``landmark`` at the front of ``recent``, overwriting the entry at index ``last``."""
    while last > 0:
        recent[last] = recent[last - 1]
        last -= 1
    recent[0] = landmark


cdef inline uint64_t recent_among(const Ground* ground, uint64_t* recent, uint64_t cards) noexcept nogil:
    """Return one of the ``recent`` landmarks of other positions that lies within ``cards`` and is a landmark
    of this position too, and move it to the front. Returns no cards if there is none."""
    cdef uint64_t landmark, touched
    cdef Relaxed base
    cdef int i
    begin_game(ground, &base)
    for i in range(MOST_RECENT):
        landmark = recent[i]
        if landmark and landmark & ~cards == 0 and not relaxed_wins(ground, &base, ~landmark, &touched):
            put_first(recent, i, landmark)
            return landmark
    return 0


cdef inline void open_ground(Ground* ground, const ExactLayout* start, const Position* t) noexcept nogil:
    """Prepare the relaxed games of a position."""
    cdef int i, later
    ground.start = start
    ground.t = t
    ground.up = ground.stock = ground.stock_to[0] = 0
    for i in range(4):
        ground.up |= start.raised[i][t.height[i]]
    for i in range(t.slot_count):
        ground.stock |= bit(t.slots[i])
        ground.place[t.slots[i]] = i
        ground.stock_to[i + 1] = ground.stock
    ground.back = ground.up & start.deck if start.backward else 0
    ground.opened = 0
    if start.draw == 1 or t.slot_count == 0:
        return
    if t.waste > 0:
        ground.opened = <uint32_t>1 << (t.waste - 1)
    for later in range(2):
        i = 0 if later else t.waste
        while i < t.slot_count:
            i = min(i + start.draw, t.slot_count)
            ground.opened |= <uint32_t>1 << (i - 1)


cdef inline Completion find_landmarks(const ExactLayout* start, const Position* t, Landmarks* found,
                                      int enough, Recent* recent) noexcept nogil:
    """Add disjoint landmarks to ``found`` until no other is left (COMPLETE), their bound reaches ``enough``
    (ENOUGH), or the position is found to be lost (HOPELESS). ``recent`` has landmarks to try first, and is
    updated."""
    cdef Ground ground
    cdef Relaxed base
    cdef uint64_t used = 0, touched, landmark
    cdef int i
    open_ground(&ground, start, t)
    ground.games = &found.games
    for i in range(found.count):
        used |= found.cards[i]
    ground.keeps_order = start.draw == 1
    while True:
        if landmarks_bound(start, t.redeals, found) >= enough:
            return ENOUGH
        begin_game(&ground, &base)
        if relaxed_wins(&ground, &base, used, &touched):
            if ground.keeps_order:
                return COMPLETE
            ground.keeps_order = True
            continue
        landmark = recent_among(&ground, recent.cards[ground.keeps_order], touched)
        if landmark == 0:
            landmark = landmark_among(&ground, touched)
            if landmark == 0:
                return HOPELESS
            put_first(recent.cards[ground.keeps_order], MOST_RECENT - 1, landmark)
        used |= landmark
        add_landmark(found, landmark, not ground.keeps_order)


cdef inline void add_landmark(Landmarks* found, uint64_t cards, bint by_moves) noexcept nogil:
    found.cards[found.count] = cards
    if by_moves:
        found.cards[found.count] = found.cards[found.moves]
        found.cards[found.moves] = cards
        found.moves += 1
    found.count += 1


cdef inline uint64_t inherit_landmarks(const Position* t, Landmarks* found, const Landmarks* earlier,
                                       uint32_t code) noexcept nogil:
    """Add to ``found`` the landmarks ``earlier`` of the parent that the step ``code`` does not meet and that
    are disjoint from those found. Returns their cards. ``t`` is the position before or after the step."""
    cdef int i, j, card = code & CODE_MASK
    cdef uint64_t met = bit(card) if code >> TARGET_AT & CODE_MASK != UP else 0, added = 0
    for i in range(found.count):
        met |= found.cards[i]
    for i in range(earlier.count):
        if i == earlier.moves and code & REDEALT:
            met |= bit(card)
            for j in range(t.slot_count):
                met |= bit(t.slots[j])
        if not earlier.cards[i] & met:
            add_landmark(found, earlier.cards[i], i < earlier.moves)
            added |= earlier.cards[i]
    return added


# --- A pool of landmarks --------------------------------------------------------------------------------

cdef inline void open_pool(Pool* pool, uint64_t max_bytes) noexcept nogil:
    """Empty the pool. Index 0 stays unused: it stands for no landmarks."""
    free_pool(pool)
    pool.count = 1
    pool.max_bytes = max_bytes


cdef inline void free_pool(Pool* pool) noexcept nogil:
    while pool.first_chunk < pool.chunk_count:
        pool.chunk_count -= 1
        free_pages(pool.chunks[pool.chunk_count], CHUNK_BYTES)
    free(pool.chunks)
    pool.chunks = NULL
    pool.chunk_count = pool.chunk_room = pool.first_chunk = 0


cdef inline uint64_t pool_bytes(const Pool* pool) noexcept nogil:
    return (pool.chunk_count - pool.first_chunk) * CHUNK_BYTES + pool.chunk_room * sizeof(uint64_t*)


cdef inline bint forget_oldest(Pool* pool) noexcept nogil:
    """Free the oldest chunk; loading its landmarks yields none from now on. Returns False, changing nothing,
    if it is the only one."""
    if pool.first_chunk + 1 >= pool.chunk_count:
        return False
    free_pages(pool.chunks[pool.first_chunk], CHUNK_BYTES)
    pool.first_chunk += 1
    return True


cdef inline bint grow_pool(Pool* pool) noexcept nogil:
    """Allocate a chunk. Returns False if memory runs out."""
    cdef void* chunk
    if pool.chunk_count == pool.chunk_room and not more_room(
            &pool.chunks, &pool.chunk_room, 64, sizeof(uint64_t*), <uint64_t>1 << 40):
        return False
    if pool_bytes(pool) + CHUNK_BYTES > pool.max_bytes:
        return False
    chunk = new_pages(CHUNK_BYTES)
    if chunk == NULL:
        return False
    pool.chunks[pool.chunk_count] = <uint64_t*>chunk
    pool.chunk_count += 1
    return True


cdef inline uint32_t keep_landmarks(Pool* pool, const Landmarks* found, uint64_t without) noexcept nogil:
    """Store the landmarks of ``found`` that contain no card of ``without``. Returns their index in the pool,
    0 if memory runs out."""
    cdef uint64_t place = pool.count, left = (1 << CHUNK_BITS) - (place & (1 << CHUNK_BITS) - 1)
    cdef uint64_t* words
    cdef int i, count = 0, moves = 0
    if found.count + 1 > <int>left:
        place += left
    if place + found.count + 1 >= <uint64_t>1 << 32:
        return 0
    if place >> CHUNK_BITS >= pool.chunk_count and not grow_pool(pool):
        return 0
    words = pool.chunks[place >> CHUNK_BITS] + (place & (1 << CHUNK_BITS) - 1)
    for i in range(found.count):
        if not found.cards[i] & without:
            count += 1
            moves += i < found.moves
            words[count] = found.cards[i]
    words[0] = count | moves << 8
    pool.count = place + count + 1
    return place


cdef inline void load_landmarks(const Pool* pool, uint32_t place, Landmarks* found) noexcept nogil:
    """Load the landmarks at the index ``place`` of the pool to ``found``, none if their chunk was freed."""
    cdef const uint64_t* words
    found.count = found.moves = found.games = 0
    if place > 0 and place >> CHUNK_BITS >= pool.first_chunk:
        words = pool.chunks[place >> CHUNK_BITS] + (place & (1 << CHUNK_BITS) - 1)
        found.count = words[0] & 255
        found.moves = words[0] >> 8
        memcpy(found.cards, words + 1, found.count * sizeof(uint64_t))
