"""Admissible heuristic for positions of one deck: least hitting sets of disjunctive action landmarks.

A landmark, here called a *core*, is a set of cards one of which has an extra move in every winning line
(Bonet and Helmert 2010 strengthen landmark heuristics by hitting sets). The bound is the number of heads plus
the least weight of a set of cards that meets all cores. An extra-move card is called *wasteful* in
docs/theory/simon.md. An attached one must come back to its place, so it has weight 2; others have weight 1.

Cores come from a delete relaxation of the game: cards of a chosen set are free to move, and facts once
reached persist. If some heads can never move, the near cards that have a target and are not free are a core.
Its rules are defined with Theorem S21.

Soundness: Theorems S9 and S21; tests compare the bound with brute force. If a search for a hitting set is cut
off after MOST_TRIED steps, or a set of cores is full, the bound is not raised.
"""

# --- Hitting sets -------------------------------------------------------------------------------------------

cdef enum:
    MOST_CORES = 63         # cores of a CoreSet

cdef struct CoreSet:
    int count
    uint64_t core[MOST_CORES]   # sets of cards
    uint64_t hits[KINDS]        # by card: set of the cores, by index, that contain it


cdef inline uint64_t first_cores(int count) noexcept nogil:
    """The set of the first ``count`` cores of a CoreSet."""
    return (<uint64_t>1 << count) - 1

# --- Landmarks ----------------------------------------------------------------------------------------------

cdef struct Runs:               # a position for the relaxed game, as sets of cards
    uint64_t present, heads, attached, kings
    int columns
    bint has_empty              # a column is empty
    uint64_t deepest[MAX_COLUMNS][KINDS + 1]    # deepest card of each run, top run first; 0 after the last
    uint64_t top[MAX_COLUMNS][KINDS + 1]        # top card of each run, likewise
    uint8_t column_of[KINDS]    # column of a card that is the deepest of a run

cdef enum Judgement:
    HOPELESS = 0                # proved: no line wins
    EXCEEDS = 1                 # proved: every winning line has more extra moves
    FITS = 2                    # neither was proved


# --- Least hitting sets -------------------------------------------------------------------------------------

# Depth-first branch and bound for a hitting set of at most a given weight; a card has weight 1, an attached
# one 2. It branches on the cards of a smallest core; a card that was tried is excluded afterwards. The bound
# is the weight of disjoint cores.

cdef struct Meeting:            # a search for a hitting set
    const CoreSet* core_set
    uint64_t attached           # cards of weight 2
    uint64_t chosen             # the hitting set found
    int tried                   # steps so far


cdef enum:
    MOST_TRIED = 2000       # steps after which the search assumes that there is a set
    MANY = 4                # cores of this size or more count as equally large


cdef inline void clear_core_set(CoreSet* core_set) noexcept nogil:
    core_set.count = 0
    memset(core_set.hits, 0, sizeof(core_set.hits))


cdef inline bint add_core(CoreSet* core_set, uint64_t core) noexcept nogil:
    """Add ``core`` to the set. Returns False if the set is full."""
    cdef uint64_t bit = <uint64_t>1 << core_set.count
    if core_set.count == MOST_CORES:
        return False
    core_set.core[core_set.count] = core
    core_set.count += 1
    while core:
        core_set.hits[take_bit(&core)] |= bit
    return True


cdef inline void remove_last(CoreSet* core_set) noexcept nogil:
    cdef uint64_t core
    core_set.count -= 1
    core = core_set.core[core_set.count]
    while core:
        core_set.hits[take_bit(&core)] &= ~(<uint64_t>1 << core_set.count)


cdef inline bint meet(Meeting* meeting, uint64_t cores, uint64_t allowed, int most) noexcept nogil:
    """Test if a subset of ``allowed`` of weight at most ``most`` meets all ``cores``, a set of indices. Adds
    its cards to ``meeting.chosen``. After MOST_TRIED steps it returns True without a set."""
    cdef const CoreSet* core_set = meeting.core_set
    cdef uint64_t todo = cores, taken = 0, cards, choice = 0
    cdef int least = 0, size, smallest = MANY + 1, card, weight
    if cores == 0:
        return True
    while todo:
        cards = core_set.core[take_bit(&todo)] & allowed
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
        if weight <= most and meet(meeting, cores & ~core_set.hits[card], allowed, most - weight):
            meeting.chosen |= <uint64_t>1 << card
            return True
    return False


cdef inline int size_of(uint64_t cards) noexcept nogil:
    """The number of cards of a set that is not empty, but at most MANY."""
    cdef int size = 1
    cards &= cards - 1
    while cards and size < MANY:
        cards &= cards - 1
        size += 1
    return size


cdef inline int best_of(const Meeting* meeting, uint64_t cards, uint64_t cores) noexcept nogil:
    """The card of ``cards`` that is in the most ``cores`` relative to its weight."""
    cdef int card, best = lowest_bit(cards), hits, most = 0
    if cards & (cards - 1) == 0:
        return best
    while cards:
        card = take_bit(&cards)
        hits = count_bits(meeting.core_set.hits[card] & cores) << (1 - (meeting.attached >> card & 1))
        if hits > most:
            most = hits
            best = card
    return best


# --- Runs ---------------------------------------------------------------------------------------------------

cdef enum:
    LOST_BIT = 63       # a bit above those of cards, which marks a lost relaxed game

cdef extern from *:
    """
    static const uint64_t SUIT = 0x1111111111111;
    """
    const uint64_t SUIT     # the set of cards of the first suit


cdef inline void find_runs(Runs* runs, const Position* position) noexcept nogil:
    """Set ``runs`` from ``position``."""
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

cdef inline uint64_t play_relaxed(const Runs* runs, uint64_t free) noexcept nogil:
    """Play the relaxed game with the set of cards ``free``. Returns 0 if all heads leave their places;
    otherwise a core with the bit LOST_BIT added. If that core is empty, the position is lost."""
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
        leaving = near & ((free & targets) | (heads & (open >> 4)) | leaving_kings(runs, near, heads))
        if leaving == 0:
            return near & targets & ~free | <uint64_t>1 << LOST_BIT if heads else 0
        near ^= leaving
        heads &= ~leaving
        while leaving:
            column = runs.column_of[take_bit(&leaving)]
            at[column] += 1
            near |= runs.deepest[column][at[column]]
            open |= runs.top[column][at[column]]
            has_empty |= runs.deepest[column][at[column]] == 0


cdef inline uint64_t beneath(uint64_t open) noexcept nogil:
    """The set of all cards one rank below a card of ``open``."""
    cdef uint64_t ranks = open | open >> 1
    ranks |= ranks >> 2
    return ((ranks & SUIT) >> 4) * 15


cdef inline uint64_t leaving_kings(const Runs* runs, uint64_t near, uint64_t heads) noexcept nogil:
    """The set of kings in ``near`` whose suit has no card in ``heads``."""
    cdef uint64_t kings = near & runs.kings, done = 0
    while kings:
        if heads & (SUIT << (lowest_bit(kings) & 3)) == 0:
            done |= first_of(kings)
        kings &= kings - 1
    return done


cdef inline uint64_t first_of(uint64_t cards) noexcept nogil:
    return cards & (~cards + 1)


cdef inline uint64_t smaller_core(const Runs* runs, uint64_t core) noexcept nogil:
    """A minimal core that is a subset of ``core``; 0 if that shows that the position is lost."""
    cdef uint64_t todo = core, card, smaller
    while todo:
        card = first_of(todo)
        todo ^= card
        smaller = play_relaxed(runs, ~(core ^ card))
        if smaller:
            core = smaller ^ <uint64_t>1 << LOST_BIT
            todo &= core
    return core


# --- The bound ----------------------------------------------------------------------------------------------

cdef inline bint is_met(const CoreSet* core_set, const Runs* runs, uint64_t cores, uint64_t cards,
                        int most) noexcept nogil:
    """Test if the set ``cards`` has weight at most ``most`` and meets the ``cores`` of ``core_set``."""
    if count_bits(cards) + count_bits(cards & runs.attached) > most:
        return False
    while cards:
        cores &= ~core_set.hits[take_bit(&cards)]
    return cores == 0


cdef inline Judgement judge(CoreSet* core_set, const Runs* runs, uint64_t cores, uint64_t* extra_moves,
                            int most) noexcept nogil:
    """Test if cores prove that every winning line has extra moves of weight above ``most``.

    Starts with the ``cores`` of ``core_set`` that are valid for the position, and adds the new ones that it
    finds. ``extra_moves`` is the hitting set to try first; on return it is the last one tried.
    """
    cdef Meeting meeting
    cdef uint64_t core
    cdef bint fits = is_met(core_set, runs, cores, extra_moves[0], most)
    if most < 0:
        return EXCEEDS
    meeting.core_set = core_set
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
        core = smaller_core(runs, core ^ <uint64_t>1 << LOST_BIT)
        if core == 0:
            return HOPELESS
        cores |= <uint64_t>1 << core_set.count
        if not add_core(core_set, core):
            return FITS
