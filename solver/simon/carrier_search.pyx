"""A search through the relaxation of `carriers`: exhausted, it proves that no line wins.

Of all states with the same stems one is kept, the *join*: A of a card is all that is in its A in any of them.
It covers what each of them covers. Of two cards of one kind either may be taken for either. So a state that
adds nothing to the join is passed over, and a join that grew is expanded again; it can grow but as often as
there are places in A.

States have no keys here: stems are compared themselves, and hashes only find places.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from ..core.bits cimport count_bits
from ..core.kernel cimport Kernel, may_expand
from ..core.memory cimport resize
from ..core.nodes cimport NO_NODE
from .carriers cimport (
    LOOSE_RANKS, Carriage, Carried, View, carriers_of, generate_carried, see, set_carriers,
)
from .capacity cimport SUITS
from .classes cimport Class, Layout
from .mixing cimport mix_low
from .loose cimport Loose
from .outcome cimport FULL, LOST, OPEN, WON, Outcome

cdef enum:
    FIRST_ROOM = 1024
    MOST_KEPT = 16384           # nodes that keep their memory from search to search


cdef void free_carriers(CarrierSearch* search) noexcept nogil:
    """Give the memory back."""
    free(search.node)
    free(search.slot)
    search.node = NULL
    search.slot = NULL
    search.room = search.count = 0


cdef void forget(CarrierSearch* search) noexcept nogil:
    """Hold no nodes, and little memory."""
    if search.room > MOST_KEPT:
        free_carriers(search)
    elif search.room > 0:
        memset(search.slot, 0, 2 * search.room * sizeof(uint32_t))
    search.count = 0


cdef uint64_t bytes_of(uint64_t room) noexcept nogil:
    """What so many nodes take, with their slots."""
    return room * (sizeof(CarrierNode) + 2 * sizeof(uint32_t))


cdef uint64_t carriers_bytes(const CarrierSearch* search) noexcept nogil:
    """What is held."""
    return bytes_of(search.room)


# --- The joins ----------------------------------------------------------------------------------------------


cdef bint grow(CarrierSearch* search) noexcept nogil:
    """Have room for twice as many nodes; false if memory does not allow it."""
    cdef uint64_t room = 2 * search.room if search.room else FIRST_ROOM, i
    cdef uint32_t* slot
    if bytes_of(search.room + room) > search.max_bytes or not resize(&search.node, room, sizeof(CarrierNode)):
        return False
    slot = <uint32_t*>calloc(2 * room, sizeof(uint32_t))
    if slot == NULL:
        return False
    for i in range(search.count):
        slot[find_slot(search, slot, 2 * room - 1, &search.node[i])] = i + 1
    free(search.slot)
    search.slot = slot
    search.room = room
    return True


cdef inline uint64_t find_slot(
    const CarrierSearch* search, const uint32_t* slots, uint64_t mask, const CarrierNode* node
) noexcept nogil:
    """The slot of a node's stems, or the free one where they belong."""
    cdef uint64_t words[4]
    cdef uint64_t slot = 0
    cdef int i
    words[3] = 0
    memcpy(words, node.number, sizeof(node.number))
    for i in range(4):
        slot = mix_low(slot ^ words[i])
    slot &= mask
    while slots[slot] and memcmp(search.node[slots[slot] - 1].number, node.number, sizeof(node.number)) != 0:
        slot = (slot + 1) & mask
    return slot


cdef bint keep_join(void* context, const Carried* child) noexcept nogil:
    """Let a state wait, as part of the join of its stems, unless it adds nothing; false ends the search."""
    cdef CarrierSearch* search = <CarrierSearch*>context
    cdef CarrierNode node
    cdef CarrierNode* join
    cdef uint64_t slot
    if child.count == 0:
        search.won = True
        return False
    memset(&node, 0, sizeof(CarrierNode))
    node.count = child.count
    memcpy(node.number, child.number, child.count * sizeof(child.number[0]))
    memcpy(node.on, child.on, sizeof(node.on))
    if search.count == search.room and not grow(search):
        search.full = True
        return False
    slot = find_slot(search, search.slot, 2 * search.room - 1, &node)
    if search.slot[slot] == 0:
        search.node[search.count] = node
        search.count += 1
        search.slot[slot] = search.count
    elif not widen(search, &search.node[search.slot[slot] - 1], &node):
        return True
    join = &search.node[search.slot[slot] - 1]
    if not join.is_waiting:
        join.is_waiting = True
        join.waiting = search.waiting
        search.waiting = search.slot[slot] - 1
    return True


cdef bint widen(CarrierSearch* search, CarrierNode* join, const CarrierNode* node) noexcept nogil:
    """Add what a node's A hold to those of the join, in normal form; whether that is anything."""
    cdef Carried state
    cdef View view
    cdef Carriage on
    cdef bint adds = False
    cdef int rank
    for rank in range(LOOSE_RANKS):
        if join.on[rank] != node.on[rank]:
            on = joined(join.on[rank], node.on[rank])
            adds |= on != join.on[rank]
            join.on[rank] = on
    if adds:
        read_node(&state, join)
        see(&search.carriers, &state, &view)
        memcpy(join.on, state.on, sizeof(join.on))
    return adds


cdef inline Carriage joined(Carriage first, Carriage second) noexcept nogil:
    """What cards may lie on that lie as either says; two of one suit go with those they differ least from."""
    cdef Carriage both = 0
    cdef int suit, one, other, crossed
    for suit in range(SUITS):
        one = carriers_of(first, suit)
        other = carriers_of(second, suit)
        crossed = one | other >> 8 | (other & 0xFF) << 8
        if one >> 8 and count_bits(crossed) < count_bits(one | other):
            both |= <Carriage>crossed << 16 * suit
        else:
            both |= <Carriage>(one | other) << 16 * suit
    return both


cdef inline void read_node(Carried* state, const CarrierNode* node) noexcept nogil:
    state.count = node.count
    memcpy(state.number, node.number, sizeof(node.number))
    memcpy(state.on, node.on, sizeof(node.on))


# --- The search ---------------------------------------------------------------------------------------------


cdef Outcome relax_carriers(
    CarrierSearch* search, Loose* loose, Kernel kernel, const Layout* layout, const Class* state,
    uint64_t nodes, uint64_t max_bytes
) noexcept nogil:
    """Search from a class on that moves from ``layout`` lead to, which has room: LOST if there is no win;
    WON for a win of the relaxation; FULL if memory ended it. ``loose`` is set anew."""
    cdef CarrierNode* node
    cdef Carried parent
    cdef uint64_t last = kernel.expanded + nodes
    forget(search)
    search.max_bytes = max_bytes
    search.won = search.full = False
    search.waiting = NO_NODE
    if set_carriers(&search.carriers, loose, layout, state):
        keep_join(search, &search.carriers.start)
    while search.waiting != NO_NODE and not search.won and not search.full:
        if kernel.expanded >= last or not may_expand(kernel):
            return OPEN
        node = &search.node[search.waiting]
        search.waiting = node.waiting
        node.is_waiting = False
        read_node(&parent, node)
        search.carriers.produced = 0
        generate_carried(&search.carriers, &parent, keep_join, search)
        kernel.generated += search.carriers.produced
    if search.won:
        return WON
    return FULL if search.full else LOST
