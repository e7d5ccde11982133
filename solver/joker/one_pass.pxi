"""Best-first search for the greatest score without jokers, on exact keys of 64 bits, with a delete
relaxation as the bound.

Technique: best-first search with one bucket queue over the classes of `state`: states up to the order of the
columns, to lateral moves and to turns of the stock. Its macro moves are those of `moves` with both jokers out
of play. A state with safe moves (J6) or settled moves (J11) is not expanded: these moves are made one after
the other, and the state that they lead to takes its place.

Why it pays: when it replaced `search` for games without jokers (22 Nov 2026), the CPU time of seeds 1 to 1000
fell to 0.39 of its former value, with the same scores.

The bound is relaxed reachability in time (J10): what was once possible stays possible, but cards of the stock
are turned in order, each only when nothing else can be done. The bound of `bound` is weaker, since there each
card of the stock is bare from the start.

Soundness: equal keys are equal classes (J2, J3), so each class is expanded at most once. States are skipped
only if their bound does not exceed the score found (J10), moves only by J6, J9 and J11. The score is the
greatest when the queue is empty or it equals the bound of the first state. A search for a score ``wanted``
also skips states whose bound is below it, as in `search`.

The key. Call a card *dealt* to a column if it lay there, face down or as the deepest face-up card, in the
position loaded. A face-up card that is not the deepest of its column lies on a face-up one, so the deepest
card of a column is one of its dealt cards or, in a column that was once empty, a king. Hence these numbers
determine the class: the slots of the waste and stock whose cards have left, the heights of the foundations,
and the number of dealt cards left in each column. All cards that are in no slot, not on a foundation and not
face down lie face up. Of these, a dealt card is a *base* if it is the last dealt card left in its column; a
king that is not a base lies at the bottom of a column; all others are *placed*: they lie on face-up cards.
This determines which cards are open. A dealt king at the bottom of its column is treated like one moved
there: the number of its column is 0.

    bits          content
    0 .. n - 1    which of the n slots are empty; slot i is the i-th card of the waste and stock loaded
    n .. n + 15   4 bits for each suit: places filled
    n + 16 ..     the number of dealt cards left in each column

The turned slots are not stored: they are those up to the last empty slot, but at least those turned in the
position loaded, since the search turns only to use the last card turned. Columns without a dealt card that
can leave have no bits. Bit 63 marks used slots of the hash table. A position that needs more bits has far
more stock than any deal; `search` takes it.

Cost: a macro changes a few bits of the key, and unpacking is a table lookup for every eight slots and for
every group of columns of at most 6 bits. A node takes 24 bytes and its slots 8 bytes each.
"""

cdef enum:
    MOST_GROUPS = 7         # groups of columns
    GROUP_BITS = 6          # most bits of a key that a group takes
    MOST_UNDEALT = 47
    EIGHTS = 6              # tables of eight slots that MOST_UNDEALT need

cdef struct Group:          # what some columns hold, for one choice of the numbers of their dealt cards
    uint64_t hidden         # face-down cards
    uint64_t bases          # dealt cards that are the deepest face-up ones
    int held                # columns with a dealt card left

cdef struct OnePassLayout:  # what is constant from the position loaded on
    int ranks
    int suits               # one bit for each suit of the deck
    int places, columns
    int slots               # cards of the waste, then of the stock
    int turned              # slots that were turned in the position loaded
    int group_count
    int group_shift[MOST_GROUPS]
    int group_mask[MOST_GROUPS]
    Group groups[MOST_GROUPS][1 << GROUP_BITS]
    uint64_t in_slots[EIGHTS][256]      # the cards in each subset of eight slots
    uint64_t present        # the cards of the deck
    uint64_t kings          # cards of the highest rank
    uint64_t leaves[MOST]   # by dealt card: subtracted from the key when it leaves its column as a base
    uint8_t beneath[MOST]   # by dealt card: the face-down card beneath it, or NONE
    uint8_t slot_card[MOST]

cdef struct OnePassPosition:   # an unpacked key
    uint64_t key
    uint64_t filled         # cards on the foundations
    uint64_t face           # cards face up in columns
    uint64_t bases          # face-up cards that were dealt to their column and are its deepest face-up card
    uint64_t placed         # face-up cards that lie on face-up cards
    uint64_t kings          # face-up kings at the bottom of a column that are no bases
    uint64_t open           # face-up cards on top of a column, or that a lateral move can bring there
    uint64_t waste          # slots of the waste that hold a card
    int turned              # slots turned
    int empty               # empty columns
    int score


cdef inline uint64_t cards_below(uint64_t height) noexcept nogil:
    """Return the clubs on a foundation of ``height``, at most 13."""
    return <uint64_t>0x1111111111111 & (bit(4 * height) - 1)

cdef inline void unpack_one_pass(const OnePassLayout* layout, uint64_t key,
                                 OnePassPosition* p) noexcept nogil:
    """Unpack ``key`` to ``p``."""
    cdef uint64_t removed = key & (bit(layout.slots) - 1), left = ~removed, gone, rest
    cdef int heights = key >> layout.slots & 0xFFFF, held = 0, sums, i
    cdef const Group* group
    p.key = key
    p.filled = (cards_below(heights & 15) | cards_below(heights >> 4 & 15) << 1
                | cards_below(heights >> 8 & 15) << 2 | cards_below(heights >> 12) << 3)
    sums = (heights & 0x0F0F) + (heights >> 4 & 0x0F0F)
    p.score = (sums & 255) + (sums >> 8)
    p.turned = max(layout.turned, highest_bit(removed) + 1) if removed else layout.turned
    p.waste = left & (bit(p.turned) - 1)
    gone = p.filled
    for i in range((layout.slots + 7) // 8):
        gone |= layout.in_slots[i][left >> 8 * i & 255]
    p.bases = 0
    for i in range(layout.group_count):
        group = &layout.groups[i][key >> layout.group_shift[i] & layout.group_mask[i]]
        gone |= group.hidden
        p.bases |= group.bases
        held += group.held
    p.face = layout.present & ~gone
    p.kings = p.face & layout.kings & ~p.bases
    p.placed = p.face & ~(p.bases | p.kings)
    rest = p.kings
    while rest:
        held += 1
        rest &= rest - 1
    p.empty = layout.columns - held
    p.open = open_of(p.face, p.placed << 4)

cdef inline uint64_t open_of(uint64_t face, uint64_t on) noexcept nogil:
    """Return the cards of ``face`` whose group (cards of one rank and colour) has more members than cards on
    them. ``on`` has the cards that lie on face-up cards, each shifted up by one rank."""
    cdef uint64_t black = CLUBS & more_of(face, face >> 3, on >> 1, on >> 2)
    cdef uint64_t red = CLUBS & more_of(face >> 1, face >> 2, on, on >> 3)
    return face & (black * 9 | red * 6)

cdef inline uint64_t more_of(uint64_t one, uint64_t other, uint64_t on_one, uint64_t on_other) noexcept nogil:
    """Return the bits that are set in more of ``one`` and ``other`` than of ``on_one`` and ``on_other``."""
    return one & other & ~(on_one & on_other) | (one | other) & ~(on_one | on_other)

cdef struct OnePassMarks:   # what the relaxed game of Theorem J10 reaches
    uint64_t bare, holders, up
    uint64_t waste      # slots whose cards have not left the waste
    uint64_t last       # of each column, the deepest face-up dealt card that has not left
    uint64_t leaves     # cards that leave the waste when they are on its top
    bint emptied        # some column may be empty


cdef struct Settled:        # moves that keep the greatest score of a state (J11)
    uint64_t onto           # cards that may be put on a card that they fit, or kings in an empty column
    uint64_t up             # cards that may go to their foundation
    bint roomy              # all kings that can still travel have an empty column


cdef enum:
    MOST_STEPS = 256        # 48 tops of the waste with 2 plays each, 4 cards up and 7 bases

cdef struct Gains:          # changes of the estimate
    int up                  # one more card on the foundations
    int from_waste          # one card less in the waste
    int turned              # one card turned
    int turned_up           # one face-down card less
    int emptied             # one more empty column

cdef struct Step:           # a macro and the state after it
    uint64_t key
    uint32_t code
    int score
    int gain                # change of the estimate


cdef enum:
    MOST_NUMBERS = 0xFFFFFFFE
    NOTHING_LEFT = -1       # in place of a bucket: all are empty

cdef struct OnePassNode:   # 24 bytes
    uint64_t key
    uint32_t parent         # node number; the first node is its own parent
    uint32_t code           # the macro from the parent to this node
    uint32_t next           # 1 + the node beneath in its bucket, or 0

cdef struct OnePassNodes:
    NodeStore store         # its slots hold tagged keys, so a lookup reads no nodes
    uint32_t heads[BUCKETS]
    int highest

cdef struct OnePassSearch:
    OnePassLayout layout
    OnePassPosition position   # the state being expanded
    Settled settled         # its settled moves
    OnePassNodes nodes
    Gains gains
    Step steps[MOST_STEPS]
    uint64_t root
    int wanted              # a score that suffices; 0: the greatest is searched for
    int score               # greatest score found
    int bound               # upper bound of the score of all lines
    uint32_t best           # first node with the score found


# --- States -------------------------------------------------------------------------------------------------

cdef inline bint open_one_pass(OnePassLayout* small, const Layout* layout, const ClassKey* key,
                               uint64_t* packed) noexcept nogil:
    """Set up ``small`` for a state without jokers, given as ``layout`` and ``key``, and write its 64-bit key
    to ``packed``. Returns False if the state needs more than 63 bits."""
    cdef int suit, column, hidden, deepest, shift = layout.slots + 16
    if layout.slots > MOST_UNDEALT:
        return False
    small.ranks = layout.ranks
    small.suits = layout.suits
    small.places = layout.places
    small.columns = layout.columns
    small.present = layout.deck
    small.kings = layout.deck & <uint64_t>15 << 4 * (layout.ranks - 1)
    small.turned = turned_of(key)
    small.group_count = 0
    memset(small.beneath, NONE, MOST)
    open_slots(small, layout)
    packed[0] = 0
    for suit in range(4):
        packed[0] |= <uint64_t>height_of(key, suit) << layout.slots + 4 * suit
    for column in range(layout.columns):
        hidden = hidden_of(layout, key, column)
        deepest = layout.buried[column][0]
        if hidden == 0 and (deepest == NONE or deepest >> 2 == layout.ranks - 1):
            continue        # the column is empty, or a king lies at its bottom
        if bits_for(hidden + 1) > GROUP_BITS or shift + bits_for(hidden + 1) > 63:
            return False
        packed[0] |= <uint64_t>(hidden + 1) << shift
        open_column(small, layout, column, hidden + 1, shift)
        shift += bits_for(hidden + 1)
    return True


cdef inline int bits_for(int number) noexcept nogil:
    """Return the bits needed for numbers from 0 to ``number``, which is positive."""
    cdef int bits = 0
    while number >> bits:
        bits += 1
    return bits


cdef inline void open_slots(OnePassLayout* small, const Layout* layout) noexcept nogil:
    """Fill the tables of the slots of the waste and stock."""
    cdef int i, choice, slot
    cdef uint64_t card
    small.slots = layout.slots
    for i in range(layout.slots):
        small.slot_card[i] = layout.slot_card[i]
    for i in range((layout.slots + 7) // 8):
        small.in_slots[i][0] = 0
        for choice in range(1, 256):
            slot = 8 * i + lowest_bit(choice)
            card = bit(layout.slot_card[slot]) if slot < layout.slots else 0
            small.in_slots[i][choice] = small.in_slots[i][choice & choice - 1] | card


cdef inline void open_column(OnePassLayout* small, const Layout* layout, int column, int dealt,
                             int shift) noexcept nogil:
    """Assign the bits of the key from ``shift`` on to a column of ``dealt`` dealt cards, and add the column
    to the last group, or to a new one if that is full."""
    cdef int group = small.group_count - 1, number, card
    cdef const uint64_t* below = layout.buried_below[column]
    if group < 0 or shift + bits_for(dealt) - small.group_shift[group] > GROUP_BITS:
        group += 1
        small.group_count += 1
        small.group_shift[group] = shift
        memset(small.groups[group], 0, sizeof(small.groups[group]))
    for number in range(1, dealt + 1):
        card = layout.buried[column][number - 1]
        small.leaves[card] = bit(shift)
        if number > 1:
            small.beneath[card] = layout.buried[column][number - 2]
        if number == 2 and small.beneath[card] >> 2 == layout.ranks - 1:
            small.leaves[card] = bit(shift + 1)     # only a king stays at the bottom, so the number becomes 0
        add_choice(small, group, shift - small.group_shift[group], number, below[number - 1], bit(card))
    small.group_mask[group] = (1 << shift + bits_for(dealt) - small.group_shift[group]) - 1


cdef inline void add_choice(OnePassLayout* small, int group, int before, int number, uint64_t hidden,
                            uint64_t base) noexcept nogil:
    """Fill the entries of a group in which its last column has ``number`` dealt cards left, for all numbers
    of the earlier columns of the group, which have ``before`` bits together. The last column then has the
    face-down cards ``hidden`` and the base ``base``."""
    cdef int choice
    cdef Group* entry
    for choice in range(1 << before):
        entry = &small.groups[group][number << before | choice]
        entry[0] = small.groups[group][choice]
        entry.hidden |= hidden
        entry.bases |= base
        entry.held += 1


# --- The bound ----------------------------------------------------------------------------------------------

cdef inline int one_pass_bound(const OnePassLayout* layout, const OnePassPosition* p,
                               OnePassMarks* marks) noexcept nogil:
    """Return an upper bound of the score from ``p`` (J10), and leave the marks of its relaxed game in
    ``marks``."""
    cdef int turned = p.turned
    marks.bare = marks.holders = p.open
    marks.up = p.filled
    marks.waste = p.waste
    marks.last = p.bases
    marks.emptied = p.empty > 0
    while True:
        while widen_in_time(layout, p, marks):
            pass
        if not turn_on(layout, marks, &turned):
            return count_bits(marks.up)


cdef inline bint widen_in_time(const OnePassLayout* layout, const OnePassPosition* p,
                               OnePassMarks* marks) noexcept nogil:
    """Set marks that follow from those set before, without a turn. Returns whether any were new."""
    cdef uint64_t fresh, fits, goes, uncovered
    cdef bint widened = False
    fresh = (marks.up << 4 | 15) & marks.bare & ~marks.up
    while fresh:
        marks.up |= fresh
        fresh = fresh << 4 & marks.bare & ~marks.up
    fits = fitting_on(marks.holders)
    if p.kings & marks.up:
        marks.emptied = True
    if marks.emptied:
        fits |= layout.kings
    goes = marks.up | fits
    uncovered = holding(p.placed & goes) & p.face | marks.bare & fits
    while marks.last & goes:
        uncovered |= uncover(layout, marks, marks.last & goes, &widened)
    if uncovered & ~marks.holders:
        marks.holders |= uncovered
        marks.bare |= uncovered
        widened = True
    marks.leaves = marks.up << 4 | 15 | goes
    return leave_waste(layout, marks) or widened


cdef inline uint64_t uncover(const OnePassLayout* layout, OnePassMarks* marks, uint64_t going,
                             bint* widened) noexcept nogil:
    """Let the dealt cards ``going`` leave their columns. Returns the face-down cards that they uncover; a
    column without one may be empty, and ``widened`` is set if that is new."""
    cdef uint64_t uncovered = 0
    cdef int card
    marks.last &= ~going
    while going:
        card = layout.beneath[take_bit(&going)]
        if card != NONE:
            uncovered |= bit(card)
        elif not marks.emptied:
            marks.emptied = True
            widened[0] = True
    marks.last |= uncovered
    return uncovered


cdef inline bint leave_waste(const OnePassLayout* layout, OnePassMarks* marks) noexcept nogil:
    """Remove the cards that can leave the top of the waste, one after the other. Returns whether any did."""
    cdef bint left = False
    cdef int slot
    while marks.waste:
        slot = highest_bit(marks.waste)
        if not marks.leaves & bit(layout.slot_card[slot]):
            break
        marks.waste ^= bit(slot)
        marks.bare |= bit(layout.slot_card[slot])
        left = True
    return left


cdef inline bint turn_on(const OnePassLayout* layout, OnePassMarks* marks, int* turned) noexcept nogil:
    """Turn cards up to the first that leaves the waste. Returns False if none of the stock does."""
    while turned[0] < layout.slots:
        marks.waste |= bit(turned[0])
        turned[0] += 1
        if leave_waste(layout, marks):
            return True
    return False


# --- Moves that lose nothing --------------------------------------------------------------------------------

cdef inline uint64_t next_cards(const OnePassLayout* layout, uint64_t filled) noexcept nogil:
    """Return the next card for each foundation; ``filled`` has the cards on them."""
    return (filled << 4 | 15) & ~filled & layout.present


cdef inline uint64_t twins(uint64_t cards) noexcept nogil:
    """Return, for each of ``cards``, the other card of its rank and colour."""
    return (((cards & CLUBS) << 3) | (cards >> 3 & CLUBS)
            | (cards & CLUBS << 1) << 1 | (cards >> 1 & CLUBS << 1))


cdef inline void settle(const OnePassLayout* layout, const OnePassPosition* p, const OnePassMarks* marks,
                        Settled* settled) noexcept nogil:
    """Find the settled moves (J11) of ``p``; ``marks`` are those that `one_pass_bound` left."""
    cdef uint64_t ground = p.face & ~marks.up
    cdef uint64_t black = ground & ground >> 3 & CLUBS, red = ground >> 1 & ground >> 2 & CLUBS
    cdef uint64_t moving = (marks.bare | p.bases) & ~(p.filled | p.kings), busy = moving | p.placed
    settled.onto = (black >> 4) * 6 | (red >> 4) * 9 | fitting_on(ground) & ~twins(busy)
    settled.up = ~holding(busy) | safe_of(layout, p, next_cards(layout, p.filled))
    settled.roomy = count_bits(moving & layout.kings) <= p.empty
    if settled.roomy and p.empty > 0:
        settled.onto |= layout.kings


# --- Macro moves --------------------------------------------------------------------------------------------

cdef enum:
    NO_SLOT = -1


cdef inline void set_gains(Gains* gains, const Estimates* estimates) noexcept nogil:
    """Derive the changes of the estimate from the weights of the first queue."""
    cdef const int* weights = estimates.weights[0]
    gains.up = weights[SCORE]
    gains.from_waste = -weights[WASTE_SIZE]
    gains.turned = weights[TURNED] + weights[WASTE_SIZE]
    gains.turned_up = -weights[FACE_DOWN]
    gains.emptied = weights[EMPTY_COLUMNS]


cdef inline bint find_safe_step(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                                Step* step) noexcept nogil:
    """Write a safe move to the foundations (J6) to ``step``. Returns False if there is none."""
    cdef int slot = highest_bit(p.waste) if p.waste else NO_SLOT
    cdef uint64_t top = bit(layout.slot_card[slot]) if p.waste else 0
    cdef uint64_t safe = safe_of(layout, p, (p.open | top) & next_cards(layout, p.filled))
    if safe:
        write_up(layout, p, gains, step, lowest_bit(safe), slot)
    return safe != 0


cdef inline bint find_settled(const OnePassLayout* layout, const OnePassPosition* p, const Settled* settled,
                              const Gains* gains, Step* step) noexcept nogil:
    """Write a settled move (J11) to ``step``. Returns False if there is none."""
    cdef int slot = highest_bit(p.waste) if p.waste else NO_SLOT
    cdef uint64_t top = bit(layout.slot_card[slot]) if p.waste else 0
    cdef uint64_t up = (p.open | top) & next_cards(layout, p.filled) & settled.up
    if up:
        write_up(layout, p, gains, step, lowest_bit(up), slot)
    elif p.bases & settled.onto:
        write_base(layout, p, gains, step, lowest_bit(p.bases & settled.onto))
    elif top & settled.onto:
        write_from_waste(layout, p, gains, step, lowest_bit(top), slot)
    else:
        return False
    return True


cdef inline uint64_t safe_of(const OnePassLayout* layout, const OnePassPosition* p,
                             uint64_t cards) noexcept nogil:
    """Return those of ``cards``, each next on its foundation, that are safe there (J6)."""
    cdef uint64_t safe = 0
    cdef int card
    while cards:
        card = take_bit(&cards)
        if not is_wanted(p.key >> layout.slots, layout.suits, card, False):
            safe |= bit(card)
    return safe


cdef inline int write_steps(const OnePassLayout* layout, const OnePassPosition* p, const Settled* settled,
                            const Gains* gains, Step* steps) noexcept nogil:
    """Write the macros to try in ``p`` to ``steps``, which has space for MOST_STEPS. Returns their number.
    After a turn whose card has a settled move no further cards are turned."""
    cdef Step* end = steps
    cdef uint64_t next = next_cards(layout, p.filled), fits = fitting_on(p.open), rest = next & p.open
    cdef int card, slot, turns = 0
    if p.empty > 0:
        fits |= layout.kings
    while rest:
        write_up(layout, p, gains, end, take_bit(&rest), NO_SLOT)
        end += 1
    rest = p.bases & fits
    while rest:
        card = take_bit(&rest)
        if not settled.roomy or layout.beneath[card] != NONE:
            write_base(layout, p, gains, end, card)
            end += 1
    slot = highest_bit(p.waste) if p.waste else NO_SLOT
    while True:
        card = NONE if slot == NO_SLOT else layout.slot_card[slot]
        if card != NONE and next & bit(card):
            write_up(layout, p, gains, end, card, slot)
            after_turns(gains, end, turns)
            end += 1
            if settled.up & bit(card):
                return <int>(end - steps)
        if card != NONE and fits & bit(card):
            write_from_waste(layout, p, gains, end, card, slot)
            after_turns(gains, end, turns)
            end += 1
            if settled.onto & bit(card):
                return <int>(end - steps)
        slot = p.turned + turns
        if slot == layout.slots:
            return <int>(end - steps)
        turns += 1


cdef inline void after_turns(const Gains* gains, Step* step, int turns) noexcept nogil:
    """Prefix ``step`` with ``turns`` turns of the stock."""
    step.code |= turning(turns)
    step.gain += turns * gains.turned


cdef inline void write_up(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                          Step* step, int card, int slot) noexcept nogil:
    """Write the move of ``card`` to its foundation, from a column or from ``slot``, the top of the waste."""
    step.key = p.key + bit(layout.slots + 4 * (card & 3))
    step.code = code_of(RAISE, card, 0)
    step.score = p.score + 1
    step.gain = gains.up
    if p.bases & bit(card):
        leave_base(layout, gains, step, card)
    elif p.kings & bit(card):
        step.gain += gains.emptied
    elif not p.face & bit(card):
        step.key |= bit(slot)
        step.gain += gains.from_waste


cdef inline void write_base(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                            Step* step, int card) noexcept nogil:
    """Write the move of the base ``card``, with all cards on it, to a place where it fits."""
    step.key = p.key
    step.code = code_of(MOVE, card, place_for(layout, p, card))
    step.score = p.score
    step.gain = -gains.emptied if layout.kings & bit(card) else 0
    leave_base(layout, gains, step, card)


cdef inline void write_from_waste(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                                  Step* step, int card, int slot) noexcept nogil:
    """Write the move of ``card``, in ``slot`` on top of the waste, to a place where it fits in a column."""
    step.key = p.key | bit(slot)
    step.code = code_of(FROM_WASTE, card, place_for(layout, p, card))
    step.score = p.score
    step.gain = gains.from_waste - gains.emptied if layout.kings & bit(card) else gains.from_waste


cdef inline void leave_base(const OnePassLayout* layout, const Gains* gains, Step* step,
                            int card) noexcept nogil:
    """Remove the base ``card`` from its column in the key of ``step``."""
    step.key -= layout.leaves[card]
    step.gain += gains.emptied if layout.beneath[card] == NONE else gains.turned_up


cdef inline int place_for(const OnePassLayout* layout, const OnePassPosition* p, int card) noexcept nogil:
    """Return a card on which ``card`` can be put, EMPTY for a king. There must be such a place."""
    if layout.kings & bit(card):
        return EMPTY
    return lowest_bit(p.open & same_places((card >> 2) + 1, 1 - colour_of(card)))


# --- Nodes --------------------------------------------------------------------------------------------------

cdef inline OnePassNode* node_at(const OnePassNodes* nodes, uint32_t index) noexcept nogil:
    """Return the node with the number ``index``. Nodes never move in memory."""
    return &(<OnePassNode**>nodes.store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint64_t marked(uint64_t key) noexcept nogil:
    """Return a key as the hash table holds it: with bit 63 set, so that it is never 0."""
    return key | bit(63)


cdef inline uint64_t hash_tag(uint64_t held) noexcept nogil:
    """Hash a tagged key to 44 bits."""
    held *= <uint64_t>0x9E3779B97F4A7C15
    return (held ^ held >> 32) * <uint64_t>0xD6E8FEB86659FD93 >> 20


cdef inline void move_keys(NodeStore* store, const void* before, uint64_t count) noexcept nogil:
    """Enter the keys of the ``count`` old slots ``before`` in the hash table, whose slots are empty."""
    cdef const uint64_t* held = <const uint64_t*>before
    cdef uint64_t* slots = <uint64_t*>store.slots
    cdef uint64_t i, slot
    for i in range(count):
        if held[i]:
            slot = hash_tag(held[i]) & store.mask
            while slots[slot]:
                slot = slot + 1 & store.mask
            slots[slot] = held[i]


cdef inline bint add_key(OnePassNodes* nodes, uint64_t key) noexcept nogil:
    """Add a key to the hash table, which must have a free slot. Returns False if it was there already."""
    cdef uint64_t* slots = <uint64_t*>nodes.store.slots
    cdef uint64_t tag = marked(key), slot = hash_tag(tag) & nodes.store.mask
    while slots[slot]:
        if slots[slot] == tag:
            return False
        slot = slot + 1 & nodes.store.mask
    slots[slot] = tag
    return True


cdef inline uint32_t add_state(OnePassNodes* nodes, uint64_t key, uint32_t parent,
                               uint32_t code) noexcept nogil:
    """Append a node for a state. Returns its number. The store must have capacity for it (`has_room`)."""
    cdef OnePassNode* node = node_at(nodes, nodes.store.count)
    node.key = key
    node.parent = parent
    node.code = code
    nodes.store.count += 1
    return nodes.store.count - 1


cdef inline void push_bucket(OnePassNodes* nodes, uint32_t index, int bucket) noexcept nogil:
    """Push the node ``index`` to ``bucket``."""
    node_at(nodes, index).next = nodes.heads[bucket]
    nodes.heads[bucket] = index + 1
    if bucket > nodes.highest:
        nodes.highest = bucket


cdef inline uint32_t pop_bucket(OnePassNodes* nodes, int bucket) noexcept nogil:
    """Pop the last node of ``bucket``, which must not be empty. Returns its number."""
    cdef uint32_t index = nodes.heads[bucket] - 1, next = node_at(nodes, index).next
    nodes.heads[bucket] = next
    if next:
        prefetch_at(node_at(nodes, next - 1))
    return index


# --- The search ---------------------------------------------------------------------------------------------

cdef enum:
    FIRST_BUCKET = BUCKETS // 2     # bucket of the first state; no estimate differs from its by more

cdef enum Closing:
    CLOSED = 0              # all safe and settled moves are made
    DROPPED = 1             # the state was reached before, or its bound does not exceed the score
    OUT_OF_MEMORY = 2


cdef inline void search_one_pass(OnePassSearch* search, Kernel* kernel, uint64_t max_bytes) noexcept nogil:
    """Search for the greatest score from ``search.root``, or for the score ``wanted``, setting ``score``,
    ``bound`` and ``best``. At a limit ``kernel.reason`` is set and the bound stays above the score."""
    cdef OnePassNodes* nodes = &search.nodes
    cdef OnePassMarks marks
    cdef int bucket, closing
    cdef uint32_t node, passed = 0
    search.best = 0
    unpack_one_pass(&search.layout, search.root, &search.position)
    search.score = search.position.score
    search.bound = one_pass_bound(&search.layout, &search.position, &marks)
    memset(nodes.heads, 0, sizeof(nodes.heads))
    nodes.highest = NOTHING_LEFT
    if not reset_store(&nodes.store, sizeof(OnePassNode), MOST_NUMBERS, sizeof(uint64_t), move_keys,
                       max_bytes):
        kernel.reason = MEMORY
        return
    add_key(nodes, search.root)
    push_bucket(nodes, add_state(nodes, search.root, 0, 0), FIRST_BUCKET)
    while score_to_beat(search) < search.bound and (search.wanted == 0 or search.score < search.wanted):
        while nodes.highest >= 0 and nodes.heads[nodes.highest] == 0:
            nodes.highest -= 1
        bucket = nodes.highest
        if bucket == NOTHING_LEFT:
            search.bound = score_to_beat(search)
            return
        node = pop_bucket(nodes, bucket)
        closing = close(search, &node, &bucket)
        if closing == OUT_OF_MEMORY:
            kernel.reason = MEMORY
            return
        if closing == DROPPED:
            if not may_pass(kernel, &passed):
                return
            continue
        passed = 0
        if not may_expand(kernel) or not expand_position(search, kernel, node, bucket):
            return


cdef inline int score_to_beat(const OnePassSearch* search) noexcept nogil:
    """Return the score that has to be surpassed."""
    return max(search.score, search.wanted - 1)


cdef inline Closing close(OnePassSearch* search, uint32_t* node, int* bucket) noexcept nogil:
    """Make all safe and settled moves from ``node`` and unpack the state after them to ``search.position``.
    ``node`` and ``bucket`` become those of that state. Returns DROPPED, with the work unfinished, if a state
    on the way is stored already or its bound does not exceed the score."""
    cdef Step step
    cdef OnePassMarks marks
    cdef OnePassNodes* nodes = &search.nodes
    unpack_one_pass(&search.layout, node_at(nodes, node[0]).key, &search.position)
    while True:
        if not find_safe_step(&search.layout, &search.position, &search.gains, &step):
            if one_pass_bound(&search.layout, &search.position, &marks) <= score_to_beat(search):
                return DROPPED
            settle(&search.layout, &search.position, &marks, &search.settled)
            if not find_settled(&search.layout, &search.position, &search.settled, &search.gains, &step):
                return CLOSED
        if not has_room(&nodes.store) and not make_room_for_node(&nodes.store):
            return OUT_OF_MEMORY
        if not add_key(nodes, step.key):
            return DROPPED
        node[0] = add_state(nodes, step.key, node[0], step.code)
        bucket[0] += step.gain
        note_score(search, step.score, node[0])
        unpack_one_pass(&search.layout, step.key, &search.position)


cdef inline void note_score(OnePassSearch* search, int score, uint32_t node) noexcept nogil:
    """Record ``node`` as the best if its score exceeds the greatest found."""
    if score > search.score:
        search.score = score
        search.best = node


cdef inline bint expand_position(OnePassSearch* search, Kernel* kernel, uint32_t parent,
                                 int bucket) noexcept nogil:
    """Store and queue the new successors of ``search.position``, whose node is ``parent``. Returns False,
    with ``kernel.reason`` set, if memory runs out."""
    cdef OnePassNodes* nodes = &search.nodes
    cdef int count = write_steps(
        &search.layout, &search.position, &search.settled, &search.gains, search.steps), i
    cdef uint32_t node
    cdef Step* step
    for i in range(count):      # prefetch the slots at which `add_key` starts
        prefetch_at(<uint64_t*>nodes.store.slots + (hash_tag(marked(search.steps[i].key)) & nodes.store.mask))
    for i in range(count):
        step = &search.steps[i]
        if not has_room(&nodes.store) and not make_room_for_node(&nodes.store):
            kernel.reason = MEMORY
            return False
        if add_key(nodes, step.key):
            node = add_state(nodes, step.key, parent, step.code)
            push_bucket(nodes, node, bucket + step.gain)
            note_score(search, step.score, node)
    kernel.generated += count
    return True


cdef inline int codes_to_best(const OnePassSearch* search, uint32_t* codes) noexcept nogil:
    """Write the macros from the root to the best node to ``codes``. Returns their number, at most a few for
    each card."""
    cdef uint32_t node = search.best
    cdef int count = 0, i
    while node:
        count += 1
        node = node_at(&search.nodes, node).parent
    node = search.best
    for i in range(count - 1, -1, -1):
        codes[i] = node_at(&search.nodes, node).code
        node = node_at(&search.nodes, node).parent
    return count
