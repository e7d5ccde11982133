"""Best-first search for the greatest score without jokers, on states of 64 bits.

A state is an exact key of 64 bits: the whole state up to the order of the columns, to lateral moves and to
turns of the stock.

The classes are those of `state`, and without jokers less is needed to tell them apart. Call a card *dealt* to
a column if it lay there, face down or as the deepest face-up card, in the position loaded. A face-up card
that is not the deepest of its column lies on a face-up one, so what is deepest in a column is one of its
dealt cards, or, in a column that was empty once, a king. So these numbers are the class: the slots of the
waste and stock whose cards have left, the heights of the foundations, and of each column how many dealt cards
are still there. The cards that are in no slot, not up and not face down lie face up. Of these a dealt card is
a base if no other dealt card lies on it, which its column's number tells; a king that is no base is at the
bottom of a column; and all others are *placed*: they lie on face-up cards. This tells which cards are open.

A dealt king at the bottom of its column is no different from one that came there: its column's number is 0.

The turned slots are those up to the last one that was emptied, since the search turns only to use the last
card turned; at the start, those that were loaded.

    bits          content
    0 .. n - 1    which of the n slots are empty; slot i is the i-th card of the waste and stock loaded
    n .. n + 15   4 bits a suit: places filled
    n + 16 ..     the dealt cards of each column that are still there

Columns without a dealt card that can leave have no bits. Bit 63 is free. A position that needs more bits,
with far more stock than any deal has, is left to the search of the game with jokers.

Taking a key apart is looking up tables: one for each eight slots, one for each group of columns that have 6
bits at most.

The bound on the score is relaxed reachability (J10): nothing is ever taken away but time. `bound` has no
time: there each card of the stock is always bare. It bounds more states than this at the same score, one in
seven of those that the search expands.

The macro moves tried are those of `moves`, which has the reasons, for two jokers that are out of play: what
is turned is used at once, parts of runs move within a class only, a king moves from face-down cards only, and
safe moves to the foundations are made first. A move changes a few bits of the key. The bound also tells moves
that lose nothing, since what they take up will not be wanted (J11): these are made at once, too.

The search is that of `search`, with one bucket queue. A state that has safe or settled moves
is not expanded: they are made one after the other, and what they lead to takes its place.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport count_bits, highest_bit, lowest_bit, prefetch_at, take_bit
from ..core.kernel cimport MEMORY, Kernel, may_expand, may_pass
from ..core.nodes cimport CHUNK, NodeStore, has_room, make_room_for_node, reset_store
from .cards cimport colour_of, fitting_on, holding, is_wanted
from .packing cimport EMPTY, FROM_WASTE, MOVE, RAISE, code_of, turning
from .search cimport EMPTY_COLUMNS, FACE_DOWN, SCORE, TURNED, WASTE_SIZE
from .state cimport NONE, height_of, hidden_of, same_places, turned_of


# --- States -------------------------------------------------------------------------------------------------

for heights in range(256):
    for pair in range(2):
        FILLED[pair][heights] = 0
        for rank in range(13):
            FILLED[pair][heights] |= (rank < heights & 15) << 4 * rank + 2 * pair
            FILLED[pair][heights] |= (rank < heights >> 4) << 4 * rank + 2 * pair + 1


cdef bint open_one_pass(OnePassLayout* small, const ClassLayout* layout, const ClassKey* key,
                        uint64_t* packed) noexcept nogil:
    """Begin at a state without jokers, ``packed`` its key; false if it does not fit."""
    cdef int suit, column, hidden, deepest, shift = layout.slots + 16
    if layout.slots > MOST_SLOTS:
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
            continue        # it has no dealt card but a king at its bottom
        if bits_for(hidden + 1) > GROUP_BITS or shift + bits_for(hidden + 1) > 63:
            return False
        packed[0] |= <uint64_t>(hidden + 1) << shift
        open_column(small, layout, column, hidden + 1, shift)
        shift += bits_for(hidden + 1)
    return True


cdef inline int bits_for(int number) noexcept nogil:
    """The bits that numbers up to a positive one need."""
    cdef int bits = 0
    while number >> bits:
        bits += 1
    return bits


cdef void open_slots(OnePassLayout* small, const ClassLayout* layout) noexcept nogil:
    """List the cards of the slots."""
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


cdef void open_column(OnePassLayout* small, const ClassLayout* layout, int column, int dealt,
                      int shift) noexcept nogil:
    """Give a column of so many dealt cards the bits of the key from ``shift`` on."""
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
            small.leaves[card] = bit(shift + 1)     # what stays is a king at the bottom
        add_choice(small, group, shift - small.group_shift[group], number, below[number - 1], bit(card))
    small.group_mask[group] = (1 << shift + bits_for(dealt) - small.group_shift[group]) - 1


cdef void add_choice(OnePassLayout* small, int group, int before, int number, uint64_t hidden,
                     uint64_t base) noexcept nogil:
    """List what a group holds with so many dealt cards of its last column, for each choice of the columns
    ``before``, which have so many bits."""
    cdef int choice
    cdef Group* entry
    for choice in range(1 << before):
        entry = &small.groups[group][number << before | choice]
        entry[0] = small.groups[group][choice]
        entry.hidden |= hidden
        entry.bases |= base
        entry.held += 1


# --- The bound ----------------------------------------------------------------------------------------------

cdef int one_pass_bound(const OnePassLayout* layout, const OnePassPosition* p,
                        OnePassMarks* marks) noexcept nogil:
    """A score that cannot be surpassed, and the ``marks`` at the end."""
    cdef int turned = p.turned
    marks.bare = marks.holders = p.open
    marks.up = p.filled
    marks.waste = p.waste
    marks.last = p.bases
    marks.emptied = p.empty > 0
    while True:
        while widen(layout, p, marks):
            pass
        if not turn(layout, marks, &turned):
            return count_bits(marks.up)


cdef inline bint widen(const OnePassLayout* layout, const OnePassPosition* p,
                       OnePassMarks* marks) noexcept nogil:
    """Make marks that follow from those there are; whether there were any."""
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
        uncovered |= turn_up(layout, marks, marks.last & goes, &widened)
    if uncovered & ~marks.holders:
        marks.holders |= uncovered
        marks.bare |= uncovered
        widened = True
    marks.leaves = marks.up << 4 | 15 | goes
    return leave_waste(layout, marks) or widened


cdef inline uint64_t turn_up(const OnePassLayout* layout, OnePassMarks* marks, uint64_t going,
                             bint* widened) noexcept nogil:
    """The cards beneath dealt ones that go."""
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
    """Take away what can leave the waste from its top; whether anything did."""
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


cdef inline bint turn(const OnePassLayout* layout, OnePassMarks* marks, int* turned) noexcept nogil:
    """Turn cards up to one that leaves the waste; false if there is none."""
    while turned[0] < layout.slots:
        marks.waste |= bit(turned[0])
        turned[0] += 1
        if leave_waste(layout, marks):
            return True
    return False


# --- Moves that lose nothing --------------------------------------------------------------------------------

cdef inline uint64_t next_up(const OnePassLayout* layout, uint64_t filled) noexcept nogil:
    """The next card of each suit."""
    return (filled << 4 | 15) & ~filled & layout.present


cdef inline uint64_t twins(uint64_t cards) noexcept nogil:
    """The other cards of their ranks and colours."""
    return (((cards & CLUBS) << 3) | (cards >> 3 & CLUBS)
            | (cards & CLUBS << 1) << 1 | (cards >> 1 & CLUBS << 1))


cdef void settle(const OnePassLayout* layout, const OnePassPosition* p, const OnePassMarks* marks,
                 Settled* settled) noexcept nogil:
    """Find what may move at once in a state of which the bound left these marks (J11)."""
    cdef uint64_t ground = p.face & ~marks.up
    cdef uint64_t black = ground & ground >> 3 & CLUBS, red = ground >> 1 & ground >> 2 & CLUBS
    cdef uint64_t moving = (marks.bare | p.bases) & ~(p.filled | p.kings), busy = moving | p.placed
    settled.onto = (black >> 4) * 6 | (red >> 4) * 9 | fitting_on(ground) & ~twins(busy)
    settled.up = ~holding(busy) | safe_of(layout, p, next_up(layout, p.filled))
    settled.roomy = count_bits(moving & layout.kings) <= p.empty
    if settled.roomy and p.empty > 0:
        settled.onto |= layout.kings


# --- Macro moves --------------------------------------------------------------------------------------------

cdef enum:
    NO_SLOT = -1


cdef void set_gains(Gains* gains, const Estimates* estimates) noexcept nogil:
    """Take the weights of the first queue."""
    cdef const int* weights = estimates.weights[0]
    gains.up = weights[SCORE]
    gains.from_waste = -weights[WASTE_SIZE]
    gains.turned = weights[TURNED] + weights[WASTE_SIZE]
    gains.turned_up = -weights[FACE_DOWN]
    gains.emptied = weights[EMPTY_COLUMNS]


cdef bint find_safe(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                    Step* step) noexcept nogil:
    """A safe move up, if there is one."""
    cdef int slot = highest_bit(p.waste) if p.waste else NO_SLOT
    cdef uint64_t top = bit(layout.slot_card[slot]) if p.waste else 0
    cdef uint64_t safe = safe_of(layout, p, (p.open | top) & next_up(layout, p.filled))
    if safe:
        write_up(layout, p, gains, step, lowest_bit(safe), slot)
    return safe != 0


cdef bint find_settled(const OnePassLayout* layout, const OnePassPosition* p, const Settled* settled,
                       const Gains* gains, Step* step) noexcept nogil:
    """A move that is settled, if there is one."""
    cdef int slot = highest_bit(p.waste) if p.waste else NO_SLOT
    cdef uint64_t top = bit(layout.slot_card[slot]) if p.waste else 0
    cdef uint64_t up = (p.open | top) & next_up(layout, p.filled) & settled.up
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
    """Those of some cards that go up that are safe there."""
    cdef uint64_t safe = 0
    cdef int card
    while cards:
        card = take_bit(&cards)
        if not is_wanted(p.key >> layout.slots, layout.suits, card, False):
            safe |= bit(card)
    return safe


cdef int write_steps(const OnePassLayout* layout, const OnePassPosition* p, const Settled* settled,
                     const Gains* gains, Step* steps) noexcept nogil:
    """Write the macros to try, return their number."""
    cdef Step* end = steps
    cdef uint64_t next = next_up(layout, p.filled), fits = fitting_on(p.open), rest = next & p.open
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
    """So many cards are turned before a step."""
    step.code |= turning(turns)
    step.gain += turns * gains.turned


cdef inline void write_up(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                          Step* step, int card, int slot) noexcept nogil:
    """A card from a column or from ``slot``, which is on top of the waste, to its foundation."""
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
    """A base, with what lies on it, to where it fits."""
    step.key = p.key
    step.code = code_of(MOVE, card, target_of(layout, p, card))
    step.score = p.score
    step.gain = -gains.emptied if layout.kings & bit(card) else 0
    leave_base(layout, gains, step, card)


cdef inline void write_from_waste(const OnePassLayout* layout, const OnePassPosition* p, const Gains* gains,
                                  Step* step, int card, int slot) noexcept nogil:
    """The card in ``slot``, the top of the waste, to where it fits."""
    step.key = p.key | bit(slot)
    step.code = code_of(FROM_WASTE, card, target_of(layout, p, card))
    step.score = p.score
    step.gain = gains.from_waste - gains.emptied if layout.kings & bit(card) else gains.from_waste


cdef inline void leave_base(const OnePassLayout* layout, const Gains* gains, Step* step,
                            int card) noexcept nogil:
    """A base leaves its column."""
    step.key -= layout.leaves[card]
    step.gain += gains.emptied if layout.beneath[card] == NONE else gains.turned_up


cdef inline int target_of(const OnePassLayout* layout, const OnePassPosition* p, int card) noexcept nogil:
    """A card on which one that fits somewhere is put, or EMPTY."""
    if layout.kings & bit(card):
        return EMPTY
    return lowest_bit(p.open & same_places((card >> 2) + 1, 1 - colour_of(card)))


# --- Nodes --------------------------------------------------------------------------------------------------

cdef inline OnePassNode* node_at(const OnePassNodes* nodes, uint32_t index) noexcept nogil:
    """The node of a number; it stays where it is."""
    return &(<OnePassNode**>nodes.store.chunks)[index >> 12][index & CHUNK - 1]


cdef inline uint64_t tagged(uint64_t key) noexcept nogil:
    """A key as the set holds it, never 0."""
    return key | bit(63)


cdef inline uint64_t hash_of(uint64_t held) noexcept nogil:
    """44 mixed bits of a tagged key."""
    held *= <uint64_t>0x9E3779B97F4A7C15
    return (held ^ held >> 32) * <uint64_t>0xD6E8FEB86659FD93 >> 20


cdef inline void move_keys(NodeStore* store, const void* before, uint64_t count) noexcept nogil:
    """Fill the slots, which are empty, with the ``count`` slots of ``before``."""
    cdef const uint64_t* held = <const uint64_t*>before
    cdef uint64_t* slots = <uint64_t*>store.slots
    cdef uint64_t i, slot
    for i in range(count):
        if held[i]:
            slot = hash_of(held[i]) & store.mask
            while slots[slot]:
                slot = slot + 1 & store.mask
            slots[slot] = held[i]


cdef inline bint add_key(OnePassNodes* nodes, uint64_t key) noexcept nogil:
    """Put a key into the set, where there must be room; whether it was not there."""
    cdef uint64_t* slots = <uint64_t*>nodes.store.slots
    cdef uint64_t tag = tagged(key), slot = hash_of(tag) & nodes.store.mask
    while slots[slot]:
        if slots[slot] == tag:
            return False
        slot = slot + 1 & nodes.store.mask
    slots[slot] = tag
    return True


cdef inline uint32_t add_node(OnePassNodes* nodes, uint64_t key, uint32_t parent,
                              uint32_t code) noexcept nogil:
    """Store a state, as the last node, and return its number; there must be room."""
    cdef OnePassNode* node = node_at(nodes, nodes.store.count)
    node.key = key
    node.parent = parent
    node.code = code
    nodes.store.count += 1
    return nodes.store.count - 1


cdef inline void push(OnePassNodes* nodes, uint32_t index, int bucket) noexcept nogil:
    """Put a node on top of a bucket."""
    node_at(nodes, index).next = nodes.heads[bucket]
    nodes.heads[bucket] = index + 1
    if bucket > nodes.highest:
        nodes.highest = bucket


cdef inline uint32_t pop(OnePassNodes* nodes, int bucket) noexcept nogil:
    """Take the last node off a bucket that has one."""
    cdef uint32_t index = nodes.heads[bucket] - 1, next = node_at(nodes, index).next
    nodes.heads[bucket] = next
    if next:
        prefetch_at(node_at(nodes, next - 1))
    return index


# --- The search ---------------------------------------------------------------------------------------------

cdef enum:
    FIRST_BUCKET = BUCKETS // 2     # of the first state: no other is further from it in the estimate

cdef enum Closing:
    CLOSED = 0
    KNOWN = 1
    FULL = 2


cdef void search_one_pass(OnePassSearch* search, Kernel kernel, uint64_t max_bytes) noexcept nogil:
    """Look for the greatest score from ``root``; ``kernel`` counts states and notes the limit met."""
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
    if not reset_store(&nodes.store, sizeof(OnePassNode), MOST_NODES, sizeof(uint64_t), move_keys, max_bytes):
        kernel.reason = MEMORY
        return
    add_key(nodes, search.root)
    push(nodes, add_node(nodes, search.root, 0, 0), FIRST_BUCKET)
    while search.score < search.bound:
        while nodes.highest >= 0 and nodes.heads[nodes.highest] == 0:
            nodes.highest -= 1
        bucket = nodes.highest
        if bucket == NOTHING_LEFT:
            search.bound = search.score
            return
        node = pop(nodes, bucket)
        closing = close(search, &node, &bucket)
        if closing == FULL:
            kernel.reason = MEMORY
            return
        if closing == KNOWN:
            if not may_pass(kernel, &passed):
                return
            continue
        passed = 0
        if not may_expand(kernel) or not expand(search, kernel, node, bucket):
            return


cdef inline Closing close(OnePassSearch* search, uint32_t* node, int* bucket) noexcept nogil:
    """Unpack a node, after its safe and settled moves: it becomes the node after these, its bucket too. KNOWN
    if that is known already or bounded by the score, FULL if memory runs out."""
    cdef Step step
    cdef OnePassMarks marks
    cdef OnePassNodes* nodes = &search.nodes
    unpack_one_pass(&search.layout, node_at(nodes, node[0]).key, &search.position)
    while True:
        if not find_safe(&search.layout, &search.position, &search.gains, &step):
            if one_pass_bound(&search.layout, &search.position, &marks) <= search.score:
                return KNOWN
            settle(&search.layout, &search.position, &marks, &search.settled)
            if not find_settled(&search.layout, &search.position, &search.settled, &search.gains, &step):
                return CLOSED
        if not has_room(&nodes.store) and not make_room_for_node(&nodes.store):
            return FULL
        if not add_key(nodes, step.key):
            return KNOWN
        node[0] = add_node(nodes, step.key, node[0], step.code)
        bucket[0] += step.gain
        note_score(search, step.score, node[0])
        unpack_one_pass(&search.layout, step.key, &search.position)


cdef inline void note_score(OnePassSearch* search, int score, uint32_t node) noexcept nogil:
    """Keep the node of the greatest score."""
    if score > search.score:
        search.score = score
        search.best = node


cdef inline bint expand(OnePassSearch* search, Kernel kernel, uint32_t parent, int bucket) noexcept nogil:
    """Store the successors of ``position``; false if memory runs out."""
    cdef OnePassNodes* nodes = &search.nodes
    cdef int count = write_steps(
        &search.layout, &search.position, &search.settled, &search.gains, search.steps), i
    cdef uint32_t node
    cdef Step* step
    for i in range(count):      # ask for the memory that `add_key` will look at first
        prefetch_at(<uint64_t*>nodes.store.slots + (hash_of(tagged(search.steps[i].key)) & nodes.store.mask))
    for i in range(count):
        step = &search.steps[i]
        if not has_room(&nodes.store) and not make_room_for_node(&nodes.store):
            kernel.reason = MEMORY
            return False
        if add_key(nodes, step.key):
            node = add_node(nodes, step.key, parent, step.code)
            push(nodes, node, bucket + step.gain)
            note_score(search, step.score, node)
    kernel.generated += count
    return True


cdef int codes_to_best(const OnePassSearch* search, uint32_t* codes) noexcept nogil:
    """Write the macros that lead to the best node, return their number: a few for each card at most."""
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
