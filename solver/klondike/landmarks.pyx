"""Disjunctive action landmarks of a delete relaxation (Theorem K12 of docs/theory/klondike.md).

In a *relaxed game* from a position the cards that are not free make no extra move, which is one that is
neither a draw nor to the foundations, and are drawn once at most. Nothing that was possible ceases to be. A
*landmark* is a set of cards such that the game is lost if all others are free: every line moves or draws
one of them once more. Disjoint landmarks need different moves, and a position keeps those of the one before
it that the step did not meet.

Landmarks of the first kind are met by moves alone; their relaxed game lets cards of the stock go up in any
order that the draws allow. Those of the second kind are met by draws, too, of which one may meet as many as
it draws cards. If one card is drawn there are none of the first kind."""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from ..core.bits cimport count_bits, highest_bit, take_bit
from ..core.memory cimport more_room
from ..core.pages cimport free_pages, new_pages
from .exact cimport MOST_CARDS, MOST_COLUMNS, MOST_SLOTS
from .line cimport CODE_MASK, REDEALT, TARGET_AT, UP
from .state cimport bit

cdef extern from *:
    """
    #define WINNABLE_CLUBS 0x1111111111111ULL
    """
    const uint64_t CLUBS "WINNABLE_CLUBS"       # all of them; bits 4 * rank

cdef struct Ground:         # of a position, for its relaxed games
    const ExactLayout* start
    const ExactPosition* t
    uint64_t up
    uint64_t stock          # the cards of the waste and the stock
    uint64_t back           # the cards that may come back from foundations
    uint64_t stock_to[MOST_SLOTS + 1]   # the cards of the first places of waste and stock
    uint8_t place[MOST_CARDS]           # of these cards
    uint32_t opened         # the places that this pass and the next turn up
    uint32_t* games         # played
    bint keeps_order        # cards that are not free are drawn in their order, and not again

cdef struct Relaxed:
    uint64_t up
    uint64_t face           # face up in columns once
    uint64_t gone           # from their places in columns
    uint64_t open           # in columns once
    uint64_t bases
    uint64_t turned         # cards of the stock that were turned, or may be played
    uint32_t pile           # the places of those that did not leave
    uint32_t played         # of those that did
    uint32_t opened
    int places              # turned
    bint emptied            # a column was
    uint8_t left[MOST_COLUMNS]


cdef inline uint64_t fitting_on(const Ground* ground, const Relaxed* game) noexcept nogil:
    """Return the cards that could land."""
    cdef uint64_t reds = (game.open >> 1 | game.open >> 2) & CLUBS
    cdef uint64_t blacks = (game.open | game.open >> 3) & CLUBS
    return (blacks >> 4) * 6 | (reds >> 4) * 9 | (ground.start.kings if game.emptied else 0)


cdef inline void leave(const Ground* ground, Relaxed* game, uint64_t cards) noexcept nogil:
    """Cards leave their places in columns."""
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
    """Do all that can be done without a further turn; return the cards that could land then."""
    cdef const ExactLayout* start = ground.start
    cdef const ExactPosition* t = ground.t
    cdef uint64_t top, cards, fits, all_free = freed if ground.keeps_order else ~<uint64_t>0
    while True:
        top = bit(t.slot[highest_bit(game.pile)]) if game.pile else 0
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


cdef inline void begin(const Ground* ground, Relaxed* game) noexcept nogil:
    """Begin the relaxed game at its position."""
    cdef const ExactPosition* t = ground.t
    cdef uint64_t rest = ground.opened
    game.up = ground.up
    game.face = t.face
    game.gone = 0
    game.open = t.bare
    game.bases = t.bases
    game.emptied = t.empty > 0
    memcpy(game.left, t.left, MOST_COLUMNS)
    game.played = 0
    if ground.keeps_order:
        game.places = t.waste
        game.turned = ground.stock_to[t.waste]
        game.pile = (<uint32_t>1 << t.waste) - 1
        return
    game.places = t.count
    game.turned = game.pile = 0
    game.opened = ground.opened
    while rest:
        game.turned |= bit(t.slot[take_bit(&rest)])


cdef inline bint turn(const Ground* ground, Relaxed* game, uint64_t wanted) noexcept nogil:
    """Draw until one of the cards ``wanted`` is drawn, or open places; false if that is all."""
    cdef const ExactPosition* t = ground.t
    cdef const ExactLayout* start = ground.start
    cdef int was = game.places, i, slot, gone
    cdef uint64_t closed
    if game.places < t.count:
        while True:
            i = game.places
            game.places = min(i + start.draw, t.count)
            if game.places == t.count or (ground.stock_to[game.places] & ~ground.stock_to[i]) & wanted:
                break
        game.turned = ground.stock_to[game.places]
        game.pile |= (<uint32_t>1 << game.places) - (<uint32_t>1 << was)
        return True
    if ground.keeps_order or game.played == 0:
        return False
    # Theorem K2: those after a card that was played, or just before; K3: those that so many gone below allow.
    closed = ~(game.opened | game.played) & (~((game.played & -game.played) - 1) | game.played >> 1)
    closed &= (<uint32_t>1 << t.count) - 1
    was = 0
    while closed:
        i = take_bit(&closed)
        slot = start.slot_of[t.slot[i]]
        gone = slot - i + count_bits(game.played & ((<uint32_t>1 << i) - 1))
        if (
            (slot + 1 + start.lead) % start.draw <= gone + start.lead or i + 1 == t.count
            or game.played >> (i + 1) & 1 or start.slot_of[t.slot[i + 1]] > slot + 1
        ):
            game.opened |= <uint32_t>1 << i
            game.turned |= bit(t.slot[i])
            was = 1
    return was


cdef bint relaxed_wins(const Ground* ground, const Relaxed* base, uint64_t freed,
                       uint64_t* touched) noexcept nogil:
    """Test if the relaxed game is won where the cards ``freed`` are free. If not, ``touched`` are those of
    the others that would have done something before some draw or in the end: the game is lost, too, if all
    but these are free."""
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
    """Return so many of the lowest ``cards``."""
    cdef uint64_t rest = cards
    while count > 0:
        rest &= rest - 1
        count -= 1
    return cards ^ rest


cdef uint64_t landmark_among(const Ground* ground, uint64_t cards) noexcept nogil:
    """Return a minimal landmark within ``cards``, which are one; empty if the relaxed game is lost anyway."""
    cdef uint64_t landmark = 0, spared = 0, rest = cards, new, half, touched
    cdef Relaxed base
    begin(ground, &base)
    play_out(ground, &base, ~cards)
    # All of `landmark` is needed. If that and `rest` are not free, the game is lost; if of `rest` only
    # `spared` is not free, and is not empty, it is won.
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
    """Put a landmark before the others, in place of one of them."""
    while last > 0:
        recent[last] = recent[last - 1]
        last -= 1
    recent[0] = landmark


cdef uint64_t recent_among(const Ground* ground, uint64_t* recent, uint64_t cards) noexcept nogil:
    """Return a landmark within ``cards``, one of another position, that is one here; or no cards."""
    cdef uint64_t landmark, touched
    cdef Relaxed base
    cdef int i
    begin(ground, &base)
    for i in range(MOST_RECENT):
        landmark = recent[i]
        if landmark and landmark & ~cards == 0 and not relaxed_wins(ground, &base, ~landmark, &touched):
            put_first(recent, i, landmark)
            return landmark
    return 0


cdef void open_ground(Ground* ground, const ExactLayout* start, const ExactPosition* t) noexcept nogil:
    """Prepare the relaxed games of a position."""
    cdef int i, later
    ground.start = start
    ground.t = t
    ground.up = ground.stock = ground.stock_to[0] = 0
    for i in range(4):
        ground.up |= start.raised[i][t.height[i]]
    for i in range(t.count):
        ground.stock |= bit(t.slot[i])
        ground.place[t.slot[i]] = i
        ground.stock_to[i + 1] = ground.stock
    ground.back = ground.up & start.deck if start.backward else 0
    ground.opened = 0
    if start.draw == 1 or t.count == 0:
        return
    if t.waste > 0:
        ground.opened = <uint32_t>1 << (t.waste - 1)
    for later in range(2):
        i = 0 if later else t.waste
        while i < t.count:
            i = min(i + start.draw, t.count)
            ground.opened |= <uint32_t>1 << (i - 1)


cdef Completion find_landmarks(const ExactLayout* start, const ExactPosition* t, Landmarks* found,
                               int enough, Recent* recent) noexcept nogil:
    """Add landmarks to disjoint ones until there is none left, or their bound is ``enough``; those found last
    are tried first, unless ``recent`` is NULL."""
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
        begin(&ground, &base)
        if relaxed_wins(&ground, &base, used, &touched):
            if ground.keeps_order:
                return COMPLETE
            ground.keeps_order = True
            continue
        landmark = 0
        if recent != NULL:
            landmark = recent_among(&ground, recent.cards[ground.keeps_order], touched)
        if landmark == 0:
            landmark = landmark_among(&ground, touched)
            if landmark == 0:
                return LOST
            if recent != NULL:
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


cdef uint64_t inherit_landmarks(const ExactPosition* t, Landmarks* found, const Landmarks* earlier,
                                uint32_t code) noexcept nogil:
    """Add those landmarks of the position before a step, given by its code, that it does not meet, if they
    are disjoint from those found; return their cards. ``t`` is either position."""
    cdef int i, j, card = code & CODE_MASK
    cdef uint64_t met = bit(card) if code >> TARGET_AT & CODE_MASK != UP else 0, added = 0
    for i in range(found.count):
        met |= found.cards[i]
    for i in range(earlier.count):
        if i == earlier.moves and code & REDEALT:
            met |= bit(card)
            for j in range(t.count):
                met |= bit(t.slot[j])
        if not earlier.cards[i] & met:
            add_landmark(found, earlier.cards[i], i < earlier.moves)
            added |= earlier.cards[i]
    return added


# --- A pool of landmarks --------------------------------------------------------------------------------

cdef void open_pool(Pool* pool, uint64_t max_bytes) noexcept nogil:
    """Begin without landmarks; place 0 has none."""
    free_pool(pool)
    pool.count = 1
    pool.max_bytes = max_bytes


cdef void free_pool(Pool* pool) noexcept nogil:
    while pool.first_chunk < pool.chunk_count:
        pool.chunk_count -= 1
        free_pages(pool.chunks[pool.chunk_count], CHUNK_BYTES)
    free(pool.chunks)
    pool.chunks = NULL
    pool.chunk_count = pool.chunk_room = pool.first_chunk = 0


cdef uint64_t pool_bytes(const Pool* pool) noexcept nogil:
    return (pool.chunk_count - pool.first_chunk) * CHUNK_BYTES + pool.chunk_room * sizeof(uint64_t*)


cdef bint forget_oldest(Pool* pool) noexcept nogil:
    """Free the oldest chunk, at whose places nothing is kept any more; false if it is the last."""
    if pool.first_chunk + 1 >= pool.chunk_count:
        return False
    free_pages(pool.chunks[pool.first_chunk], CHUNK_BYTES)
    pool.first_chunk += 1
    return True


cdef bint add_chunk(Pool* pool) noexcept nogil:
    """Allocate a chunk; false if memory does not allow it."""
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


cdef uint32_t keep_landmarks(Pool* pool, const Landmarks* found, uint64_t without) noexcept nogil:
    """Store those landmarks that hold none of ``without``; return their place, or 0 if memory runs out."""
    cdef uint64_t place = pool.count, left = (1 << CHUNK_BITS) - (place & (1 << CHUNK_BITS) - 1)
    cdef uint64_t* words
    cdef int i, count = 0, moves = 0
    if found.count + 1 > <int>left:
        place += left
    if place + found.count + 1 >= <uint64_t>1 << 32:
        return 0
    if place >> CHUNK_BITS >= pool.chunk_count and not add_chunk(pool):
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


cdef void load_landmarks(const Pool* pool, uint32_t place, Landmarks* found) noexcept nogil:
    """Load the landmarks that are kept at a place, none if they are forgotten."""
    cdef const uint64_t* words
    found.count = found.moves = found.games = 0
    if place > 0 and place >> CHUNK_BITS >= pool.first_chunk:
        words = pool.chunks[place >> CHUNK_BITS] + (place & (1 << CHUNK_BITS) - 1)
        found.count = words[0] & 255
        found.moves = words[0] >> 8
        memcpy(found.cards, words + 1, found.count * sizeof(uint64_t))
