"""Hash sets of 128-bit keys and of numbered records, with open addressing and linear probing.

A `Table` is a set of exact 128-bit keys, at most 60 % full, as a transposition table. It starts small, so
that clearing it for the next deal costs little, and doubles when full. Where few keys are held, it is known
in which slots, and only these are cleared.

`Explored` is a set of fixed-size records, numbered in order of insertion, at most half full: visited states.
The first bytes of a record are its key, compared whole.
"""

# optimised: searches spend their time here

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

# --- Keys ---------------------------------------------------------------------------------------------------

cdef enum:
    FIRST_SLOTS = 8192
    LEAST_SLOTS = 2048      # where there is no memory for more
    KEPT_SLOTS = 65536      # a larger table is given back before the next deal


cdef uint64_t room_of(uint64_t slots) noexcept nogil:
    """The number of keys that ``slots`` slots hold before the table grows."""
    return slots * 3 // 5


cdef int table_reset(Table* table, uint64_t max_bytes) noexcept nogil:
    """Make the table empty and small, allocating it on first use. Returns 0 if memory does not allow it."""
    cdef uint64_t slots = FIRST_SLOTS if max_bytes >= FIRST_SLOTS * sizeof(Entry) else LEAST_SLOTS, i
    table.max_bytes = max_bytes
    if max_bytes < slots * sizeof(Entry):
        return 0
    if not slots <= table.allocated <= KEPT_SLOTS:
        table_free(table)
    if table.entries == NULL:
        table.entries = <Entry*>calloc(slots, sizeof(Entry))
        if table.entries == NULL:
            return 0
        table.allocated = slots
    elif table.count > NOTED or table.mask + 1 < slots:     # beyond the slots last used may be older keys
        memset(table.entries, 0, slots * sizeof(Entry))
    else:
        for i in range(table.count):
            table.entries[table.filled[i]].high = 0
    table.mask = slots - 1
    table.count = 0
    table.room = room_of(slots)
    return 1


cdef int table_grow(Table* table) noexcept nogil:
    """Double the slots in use. Returns 0, with nothing changed, if memory does not allow it."""
    cdef uint64_t held = table.mask + 1
    if 3 * held * sizeof(Entry) > table.max_bytes:      # whether or not they are allocated already
        return 0
    if 2 * held <= table.allocated:
        spread_out(table)
        return 1
    return move_out(table)


cdef void spread_out(Table* table) noexcept nogil:
    """Double the slots in use where they are allocated already.

    Each key is taken out and put where it belongs now, beginning behind a free slot, so that those before it
    in its row of neighbours have gone before: what it passes by then moves no more.
    """
    cdef uint64_t held = table.mask + 1, free_slot = 0, slot, i
    cdef Entry entry
    while table.entries[free_slot].high != 0:
        free_slot += 1
    memset(table.entries + held, 0, held * sizeof(Entry))
    table.mask = 2 * held - 1
    for i in range(1, held):
        slot = (free_slot + i) & (held - 1)
        entry = table.entries[slot]
        if entry.high != 0:
            table.entries[slot].high = 0
            table.entries[table_find(table, entry.low, entry.high)] = entry
    table.room = room_of(2 * held) - table.count


cdef int move_out(Table* table) noexcept nogil:
    """Double the slots in a new place. Returns 0, with nothing changed, if there is no memory."""
    cdef uint64_t held = table.mask + 1
    cdef Table grown = table[0]
    cdef uint64_t i
    grown.entries = <Entry*>calloc(2 * held, sizeof(Entry))
    if grown.entries == NULL:
        return 0
    grown.mask = 2 * held - 1
    grown.allocated = 2 * held
    grown.room = room_of(2 * held) - table.count
    for i in range(held):
        if table.entries[i].high != 0:
            grown.entries[table_find(&grown, table.entries[i].low, table.entries[i].high)] = table.entries[i]
    free(table.entries)
    table[0] = grown
    return 1


cdef void table_free(Table* table) noexcept nogil:
    free(table.entries)
    table.entries = NULL
    table.allocated = 0


cdef uint64_t table_bytes(const Table* table) noexcept nogil:
    return table.allocated * sizeof(Entry) if table.entries != NULL else 0


# --- Records ------------------------------------------------------------------------------------------------

cdef enum:
    FIRST_ROOM = 256
    AHEAD = 8           # of records in order, the next slots are fetched


cdef bint open_explored(Explored* explored, uint32_t length, uint64_t max_bytes) noexcept nogil:
    """Make an empty set of records of ``length`` bytes; false if memory does not allow it."""
    return open_keyed(explored, length, length, max_bytes)


cdef bint open_keyed(Explored* explored, uint32_t length, uint32_t key_length,
                     uint64_t max_bytes) noexcept nogil:
    """Make an empty set of records whose first bytes are the key; false if memory does not allow it."""
    memset(explored, 0, sizeof(Explored))
    explored.length = length
    explored.key_length = key_length
    explored.max_bytes = max_bytes
    explored.room = FIRST_ROOM
    if explored_bytes(explored) > max_bytes:
        return False
    explored.records = <uint8_t*>malloc(FIRST_ROOM * length)
    explored.slots = <uint32_t*>calloc(2 * FIRST_ROOM, sizeof(uint32_t))
    return explored.records != NULL and explored.slots != NULL


cdef void free_explored(Explored* explored) noexcept nogil:
    free(explored.records)
    free(explored.slots)
    explored.records = NULL
    explored.slots = NULL
    explored.count = explored.room = 0


cdef void clear_explored(Explored* explored) noexcept nogil:
    """Forget all records and keep the memory."""
    memset(explored.slots, 0, 2 * <uint64_t>explored.room * sizeof(uint32_t))
    explored.count = 0


cdef uint64_t explored_bytes(const Explored* explored) noexcept nogil:
    return explored.room * (<uint64_t>explored.length + 2 * sizeof(uint32_t))


cdef bint find_record(const Explored* explored, const uint8_t* record, uint32_t* slot) noexcept nogil:
    """Find the slot of ``record``, or the free one where it belongs; true if it is there."""
    return find_hashed(explored, record, hash_of(explored, record), slot)


cdef bint grow(Explored* explored) noexcept nogil:
    """Make room for as many records again; false if memory does not allow it."""
    cdef uint64_t room = 2 * <uint64_t>explored.room
    cdef void* block
    if room * (explored.length + 2 * sizeof(uint32_t)) + explored_bytes(explored) > explored.max_bytes:
        return False
    if room > <uint64_t>1 << 31:
        return False
    block = realloc(explored.records, room * explored.length)
    if block == NULL:
        return False
    explored.records = <uint8_t*>block
    block = calloc(2 * room, sizeof(uint32_t))
    if block == NULL:
        return False
    free(explored.slots)
    explored.slots = <uint32_t*>block
    explored.room = <uint32_t>room
    fill_slots(explored)
    return True


cdef void fill_slots(Explored* explored) noexcept nogil:
    """Note all records, no two of which have the same key, in slots that are free."""
    cdef uint32_t mask = 2 * explored.room - 1, number, slot
    for number in range(explored.count):
        if number + AHEAD < explored.count:
            fetch_slot(explored, hash_of(explored, record_at(explored, number + AHEAD)))
        slot = hash_of(explored, record_at(explored, number)) & mask
        while explored.slots[slot] != 0:
            slot = (slot + 1) & mask
        explored.slots[slot] = number + 1


cdef int find_or_add(Explored* explored, const uint8_t* record, uint32_t* number) noexcept nogil:
    """Take in a record unless its key is known, and find the number of the one that is there: 1 if it is new,
    0 if the key was known; -1, with nothing changed, if memory runs out."""
    return find_or_add_hashed(explored, record, hash_of(explored, record), number)


cdef int add_record(Explored* explored, const uint8_t* record) noexcept nogil:
    """`find_or_add`, without the number."""
    cdef uint32_t number
    return find_or_add_hashed(explored, record, hash_of(explored, record), &number)


cdef int add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed) noexcept nogil:
    """`add_record`, its hash being known."""
    cdef uint32_t number
    return find_or_add_hashed(explored, record, hashed, &number)


cdef inline int find_or_add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed,
                                   uint32_t* number) noexcept nogil:
    """`find_or_add`, the hash being known."""
    cdef uint32_t slot
    if find_hashed(explored, record, hashed, &slot):
        number[0] = explored.slots[slot] - 1
        return 0
    if explored.count == explored.room:
        if not grow(explored):
            return -1
        find_hashed(explored, record, hashed, &slot)
    memcpy(explored.records + <uint64_t>explored.count * explored.length, record, explored.length)
    number[0] = explored.count
    explored.count += 1
    explored.slots[slot] = explored.count
    return 1
