"""Lower bound for positions of one deck: disjunctive action landmarks and their least hitting set.

A *landmark* (core) is a set of cards one of which has an extra move in every line that wins; heads and
extra-move cards are defined in docs/theory/simon.md (*wasteful*). With one deck a head ends on the only card
of its suit above it in rank. An attached card with an extra move comes back, and counts twice (Theorem S9).

Cores come from a relaxed game, in which some cards are free and what has come about once stays: if heads stay
for ever, the near cards that have a target and are not free are a core. Its rules, and what near is, are with
Theorem S21 of docs/theory/simon.md.
"""

# optimised: searches spend their time here

from libc.string cimport memset

from ..core.bits cimport count_bits, lowest_bit, take_bit

# --- Least hitting sets -------------------------------------------------------------------------------------

# A card counts once, an attached one twice. A depth-first search takes the cards of a core that has few left
# one after the other, and those it has tried no more. It turns back where disjoint cores count more than is
# left.

cdef struct Meeting:            # a search for a set
    const Pool* pool
    uint64_t attached           # cards that count twice
    uint64_t chosen             # the set found
    int tried                   # cards


cdef enum:
    MOST_TRIED = 2000       # cards; then there is taken to be a set
    MANY = 4                # cards of a core


cdef void begin_pool(Pool* pool) noexcept nogil:
    pool.count = 0
    memset(pool.hits, 0, sizeof(pool.hits))


cdef bint add_core(Pool* pool, uint64_t core) noexcept nogil:
    """Add a core; false if there is no room for it."""
    cdef uint64_t bit = <uint64_t>1 << pool.count
    if pool.count == MOST_CORES:
        return False
    pool.core[pool.count] = core
    pool.count += 1
    while core:
        pool.hits[take_bit(&core)] |= bit
    return True


cdef void remove_last(Pool* pool) noexcept nogil:
    cdef uint64_t core
    pool.count -= 1
    core = pool.core[pool.count]
    while core:
        pool.hits[take_bit(&core)] &= ~(<uint64_t>1 << pool.count)


cdef bint meet(Meeting* meeting, uint64_t cores, uint64_t allowed, int most) noexcept nogil:
    """Test whether ``allowed`` cards that count ``most`` at most, the ``chosen``, meet the ``cores``."""
    cdef const Pool* pool = meeting.pool
    cdef uint64_t todo = cores, taken = 0, cards, choice = 0
    cdef int least = 0, size, smallest = MANY + 1, card, weight
    if cores == 0:
        return True
    while todo:
        cards = pool.core[take_bit(&todo)] & allowed
        if cards == 0:
            return False
        if cards & taken == 0:
            taken |= cards
            least += 1 + (cards & ~meeting.attached == 0)
            if least > most:
                return False
        size = size_of(cards)
        if size < smallest:
            smallest = size
            choice = cards
    meeting.tried += 1
    if meeting.tried > MOST_TRIED:
        return True
    while choice:
        card = best_of(meeting, choice, cores)
        choice ^= <uint64_t>1 << card
        allowed ^= <uint64_t>1 << card
        weight = 1 + (meeting.attached >> card & 1)
        if weight <= most and meet(meeting, cores & ~pool.hits[card], allowed, most - weight):
            meeting.chosen |= <uint64_t>1 << card
            return True
    return False


cdef inline int size_of(uint64_t cards) noexcept nogil:
    """Number of cards, up to `MANY`; there is one at least."""
    cdef int size = 1
    cards &= cards - 1
    while cards and size < MANY:
        cards &= cards - 1
        size += 1
    return size


cdef inline int best_of(const Meeting* meeting, uint64_t cards, uint64_t cores) noexcept nogil:
    """The card that is in most ``cores`` for what it counts."""
    cdef int card, best = lowest_bit(cards), hits, most = 0
    if cards & (cards - 1) == 0:
        return best
    while cards:
        card = take_bit(&cards)
        hits = count_bits(meeting.pool.hits[card] & cores) << (1 - (meeting.attached >> card & 1))
        if hits > most:
            most = hits
            best = card
    return best


# --- Runs ---------------------------------------------------------------------------------------------------

cdef enum:
    LOST = 63       # the bit of a lost game; those of cards are below

cdef uint64_t SUIT = 0x1111111111111        # the cards of the first suit


cdef void find_runs(Runs* runs, const Position* position) noexcept nogil:
    """Take a position apart."""
    cdef const uint8_t* cards
    cdef int column, i, card, count
    cdef uint64_t top
    runs.present = runs.heads = runs.attached = runs.kings = 0
    runs.columns = position.columns
    runs.has_empty = False
    for column in range(position.columns):
        cards = position.card[column]
        count = 0
        top = 0
        for i in range(position.size[column] - 1, -1, -1):
            card = cards[i]
            if top == 0:
                top = <uint64_t>1 << card
            if i > 0 and cards[i - 1] == card + 4:
                runs.attached |= <uint64_t>1 << card
                continue
            if card >> 2 == position.ranks - 1:
                runs.kings |= <uint64_t>1 << card
            else:
                runs.heads |= <uint64_t>1 << card
            runs.column_of[card] = column
            runs.deepest[column][count] = <uint64_t>1 << card
            runs.top[column][count] = top
            count += 1
            top = 0
        runs.deepest[column][count] = runs.top[column][count] = 0
        runs.has_empty |= count == 0
    runs.present = runs.heads | runs.attached | runs.kings


# --- The relaxed game ---------------------------------------------------------------------------------------

cdef uint64_t play_relaxed(const Runs* runs, uint64_t free) noexcept nogil:
    """0 if no head stays for ever, some being free; else a core with the bit `LOST`, empty if all is lost."""
    cdef uint8_t at[MAX_COLUMNS]
    cdef uint64_t near = 0, open = 0, heads = runs.heads, targets, leaving
    cdef int column
    cdef bint has_empty = runs.has_empty
    for column in range(runs.columns):
        at[column] = 0
        near |= runs.deepest[column][0]
        open |= runs.top[column][0]
    while True:
        targets = ~<uint64_t>0 if has_empty else beneath(open)
        leaving = near & ((free & targets) | (heads & (open >> 4)) | complete(runs, near, heads))
        if leaving == 0:
            return near & targets & ~free | <uint64_t>1 << LOST if heads else 0
        near ^= leaving
        heads &= ~leaving
        while leaving:
            column = runs.column_of[take_bit(&leaving)]
            at[column] += 1
            near |= runs.deepest[column][at[column]]
            open |= runs.top[column][at[column]]
            has_empty |= runs.deepest[column][at[column]] == 0


cdef inline uint64_t beneath(uint64_t open) noexcept nogil:
    """All cards of the ranks below those of ``open`` ones."""
    cdef uint64_t ranks = open | open >> 1
    ranks |= ranks >> 2
    return ((ranks & SUIT) >> 4) * 15


cdef inline uint64_t complete(const Runs* runs, uint64_t near, uint64_t heads) noexcept nogil:
    """The near kings whose suits have no heads left in their places."""
    cdef uint64_t kings = near & runs.kings, done = 0
    while kings:
        if heads & (SUIT << (lowest_bit(kings) & 3)) == 0:
            done |= first_of(kings)
        kings &= kings - 1
    return done


cdef inline uint64_t first_of(uint64_t cards) noexcept nogil:
    return cards & (~cards + 1)


cdef uint64_t smaller_core(const Runs* runs, uint64_t core) noexcept nogil:
    """A core within one, of which no card can be spared; empty if no line wins."""
    cdef uint64_t todo = core, card, smaller
    while todo:
        card = first_of(todo)
        todo ^= card
        smaller = play_relaxed(runs, ~(core ^ card))
        if smaller:
            core = smaller ^ <uint64_t>1 << LOST
            todo &= core
    return core


# --- The bound ----------------------------------------------------------------------------------------------

cdef bint is_met(const Pool* pool, const Runs* runs, uint64_t cores, uint64_t cards, int most) noexcept nogil:
    """Test whether a set of cards counts ``most`` at most and meets the ``cores`` of a pool."""
    if count_bits(cards) + count_bits(cards & runs.attached) > most:
        return False
    while cards:
        cores &= ~pool.hits[take_bit(&cards)]
    return cores == 0


cdef Judgement judge(Pool* pool, const Runs* runs, uint64_t cores, uint64_t* extra_moves,
                     int most) noexcept nogil:
    """Test whether a line may win whose extra-move cards count ``most`` at most, for all that the ``cores``
    of the pool tell, and those that are found and added to it. ``extra_moves`` is a set to try first, and
    becomes the one that fits."""
    cdef Meeting meeting
    cdef uint64_t core
    cdef bint fits = is_met(pool, runs, cores, extra_moves[0], most)
    if most < 0:
        return EXCEEDS
    meeting.pool = pool
    meeting.attached = runs.attached
    while True:
        if not fits:
            meeting.chosen = 0
            meeting.tried = 0
            if not meet(&meeting, cores, runs.present, most):
                return EXCEEDS
            extra_moves[0] = meeting.chosen
        fits = False
        core = play_relaxed(runs, extra_moves[0])
        if core == 0:
            return FITS
        core = smaller_core(runs, core ^ <uint64_t>1 << LOST)
        if core == 0:
            return HOPELESS
        cores |= <uint64_t>1 << pool.count
        if not add_core(pool, core):
            return FITS


cdef int least_moves(const Position* position) noexcept nogil:
    """A lower bound on the moves of any winning line; the least known for a position lost by cores."""
    cdef Runs runs
    cdef Pool pool
    cdef uint64_t extra_moves = 0
    cdef int most = 0
    find_runs(&runs, position)
    begin_pool(&pool)
    while judge(&pool, &runs, first_cores(pool.count), &extra_moves, most) == EXCEEDS:
        most += 1
    return count_bits(runs.heads) + most
