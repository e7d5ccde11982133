"""Hash sets of 128-bit keys and of numbered records, with open addressing and linear probing.

A `Table` is a set of exact 128-bit keys, at most 60 % full, used as a transposition table. It starts small,
so that clearing it for the next deal is cheap, and doubles when full. It records the slots of its first 256
keys; if there are no others, only these slots are cleared.

`Explored` is a set of fixed-size records, numbered in order of insertion: visited states and the nodes of A*.
The first bytes of a record are its key. Keys are compared in full, so a hash collision never merges two.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from .bits cimport hash_words, prefetch_at, swap_bytes
from .memory cimport PAGE, block_bytes, free_block, new_block, resize_block

# --- Keys ---------------------------------------------------------------------------------------------------

cdef enum:
    KNOWN = 0
    ADDED = 1
    NO_MEMORY = -1
    NOTED = 256             # keys whose slots a Table records, so that clearing few keys is fast

# An entry has 16 bytes: |63 used|62 .. high key .. 0| and |63 .. low key .. 0|. In a free slot all are zero.
cdef struct Entry:
    uint64_t low, high

cdef struct Table:
    Entry* entries
    uint64_t mask           # slots in use - 1
    uint64_t count          # keys in the table
    uint64_t room           # keys that can be added before the table must grow
    uint64_t allocated      # slots allocated, a power of two
    uint64_t max_bytes      # limit on the size of `entries`; while growing, of the old and new array together
    uint16_t filled[NOTED]  # slots of the first keys


cdef inline uint64_t tagged(uint64_t high) noexcept nogil:
    """The upper half of a key as stored in an entry, with the bit "used"."""
    return high | <uint64_t>0x8000000000000000

cdef inline uint64_t table_find(const Table* table, uint64_t low, uint64_t tag) noexcept nogil:
    """The slot of the key ``low``, ``tag``, where ``tag`` is its `tagged` upper half; the free slot to insert
    it into if the table does not contain it."""
    cdef uint64_t slot = hash_words(low, tag) & table.mask
    cdef const Entry* entries = table.entries
    while entries[slot].high != 0 and ((entries[slot].high ^ tag) | (entries[slot].low ^ low)) != 0:
        slot = (slot + 1) & table.mask
    return slot

cdef inline int table_insert(Table* table, uint64_t low, uint64_t high) noexcept nogil:
    """Add a key below 2^127. Returns ADDED, or KNOWN if the table contains the key already, or NO_MEMORY,
    adding nothing, if the table cannot grow."""
    cdef uint64_t tag = tagged(high), slot = table_find(table, low, tag)
    if table.entries[slot].high != 0:
        return KNOWN
    if table.room == 0:
        if not table_grow(table):
            return NO_MEMORY
        slot = table_find(table, low, tag)
    table.entries[slot].low = low
    table.entries[slot].high = tag
    if table.count < NOTED:
        table.filled[table.count] = <uint16_t>slot
    table.count += 1
    table.room -= 1
    return ADDED

# --- Records ------------------------------------------------------------------------------------------------

cdef struct Explored:
    uint8_t* records        # `length` bytes each, in order of insertion
    uint32_t* slots         # number of a record + 1, or 0; half full, at the memory limit up to 7/8
    uint64_t slot_mask      # slots - 1
    uint32_t length         # a multiple of 8
    uint32_t key_length     # length of the key, the first bytes of a record; a multiple of 8
    uint32_t count
    uint32_t room           # records allocated
    uint64_t max_bytes


cdef inline uint8_t* record_at(const Explored* explored, uint32_t number) noexcept nogil:
    """The address of record ``number``, valid until the next record is added."""
    return explored.records + <uint64_t>number * explored.length

cdef inline uint64_t hash_key(const uint8_t* key, uint32_t length) noexcept nogil:
    """Hash of a key of ``length`` bytes; the bytes are swapped for the reason that `hash_words` gives."""
    cdef uint64_t hashed = <uint64_t>0xCBF29CE484222325, word
    cdef uint32_t i
    for i in range(0, length, 8):
        memcpy(&word, key + i, 8)
        hashed = (hashed ^ word) * <uint64_t>0x9E3779B97F4A7C15
    return swap_bytes(hashed)

cdef inline uint64_t hash_of(const Explored* explored, const uint8_t* record) noexcept nogil:
    """Hash of a record's key."""
    return hash_key(record, explored.key_length)

cdef inline bint is_equal(const uint8_t* record, const uint8_t* other, uint32_t length) noexcept nogil:
    """Test if two keys are equal."""
    cdef uint64_t word, other_word
    cdef uint32_t i
    for i in range(0, length, 8):
        memcpy(&word, record + i, 8)
        memcpy(&other_word, other + i, 8)
        if word != other_word:
            return False
    return True

cdef inline bint find_hashed(const Explored* explored, const uint8_t* record, uint64_t hashed,
                             uint32_t* slot) noexcept nogil:
    """`find_record` for a record whose hash is ``hashed``."""
    cdef uint32_t mask = <uint32_t>explored.slot_mask, at = hashed & mask
    while explored.slots[at] != 0:
        if is_equal(record_at(explored, explored.slots[at] - 1), record, explored.key_length):
            slot[0] = at
            return True
        at = (at + 1) & mask
    slot[0] = at
    return False

cdef inline void fetch_slot(const Explored* explored, uint64_t hashed) noexcept nogil:
    """Prefetch the slot in which the search for a record with hash ``hashed`` begins."""
    prefetch_at(&explored.slots[hashed & explored.slot_mask])

cdef inline void fetch_record(const Explored* explored, uint64_t hashed) noexcept nogil:
    """Prefetch the record in the slot that `fetch_slot` prefetched for ``hashed``."""
    cdef uint32_t number = explored.slots[hashed & explored.slot_mask]
    if number:
        prefetch_at(record_at(explored, number - 1))


# --- Keys ---------------------------------------------------------------------------------------------------

cdef enum:
    FIRST_SLOTS = 8192
    LEAST_SLOTS = 2048      # used instead of FIRST_SLOTS if the memory limit is too low for these
    KEPT_SLOTS = 65536      # a larger table is freed before the next deal


cdef inline uint64_t room_of(uint64_t slots) noexcept nogil:
    """The number of keys at which a table of ``slots`` slots grows."""
    return slots * 3 // 5


cdef inline int table_reset(Table* table, uint64_t max_bytes) noexcept nogil:
    """Make the table empty and small, allocating it on first use. Returns 0 if ``max_bytes`` is too low or
    allocation fails."""
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


cdef inline int table_grow(Table* table) noexcept nogil:
    """Double the slots in use. Returns 0, changing nothing, if the old and the new array together exceed
    ``max_bytes``, or if allocation fails."""
    cdef uint64_t held = table.mask + 1
    if 3 * held * sizeof(Entry) > table.max_bytes:      # also if the new slots are allocated already
        return 0
    if 2 * held <= table.allocated:
        spread_out(table)
        return 1
    return move_out(table)


cdef inline void spread_out(Table* table) noexcept nogil:
    """Double the slots in use, where twice as many are allocated already.

    Each key is removed and inserted again, in the order of the slots from a free one on. The keys before it
    in its run of taken slots have then moved already, and the keys that it probes past never move again.
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


cdef inline int move_out(Table* table) noexcept nogil:
    """Double the slots in a new array. Returns 0, changing nothing, if allocation fails."""
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


cdef inline void table_free(Table* table) noexcept nogil:
    free(table.entries)
    table.entries = NULL
    table.allocated = 0


cdef inline uint64_t table_bytes(const Table* table) noexcept nogil:
    return table.allocated * sizeof(Entry) if table.entries != NULL else 0


# --- Records ------------------------------------------------------------------------------------------------

cdef enum:
    FIRST_ROOM = 256
    PREFETCH_DISTANCE = 16      # records between the one whose slot is prefetched and the one inserted

cdef extern from *:
    """
    static const uint64_t MOST_SLOTS = (uint64_t)1 << 32;
    """
    const uint64_t MOST_SLOTS   # numbers of records and slots have 32 bits


cdef inline bint open_explored(Explored* explored, uint32_t length, uint64_t max_bytes) noexcept nogil:
    """Make an empty set of records of ``length`` bytes, in which all bytes are the key. Returns False if
    ``max_bytes`` is too low or allocation fails."""
    return open_keyed(explored, length, length, max_bytes)


cdef inline bint open_keyed(Explored* explored, uint32_t length, uint32_t key_length,
                            uint64_t max_bytes) noexcept nogil:
    """Make an empty set of records of ``length`` bytes whose first ``key_length`` bytes are the key. Returns
    False if ``max_bytes`` is too low or allocation fails."""
    memset(explored, 0, sizeof(Explored))
    explored.length = length
    explored.key_length = key_length
    explored.max_bytes = max_bytes
    if bytes_of(explored, FIRST_ROOM, 2 * FIRST_ROOM) > max_bytes:
        return False
    explored.slot_mask = 2 * FIRST_ROOM - 1
    explored.slots = <uint32_t*>new_block(2 * FIRST_ROOM * sizeof(uint32_t))
    return explored.slots != NULL and resize_records(explored, FIRST_ROOM)


cdef inline uint64_t bytes_of(const Explored* explored, uint64_t room, uint64_t slots) noexcept nogil:
    """The memory of ``room`` records and ``slots`` slots in bytes.

    Blocks in pages include half a page for the block that they replaced, which `free` may have kept.
    """
    cdef uint64_t records = room * explored.length, table = slots * sizeof(uint32_t)
    cdef uint64_t kept = (PAGE // 2 if records >= PAGE else 0) + (PAGE // 2 if table >= PAGE else 0)
    return block_bytes(records) + block_bytes(table) + kept


cdef inline bint resize_records(Explored* explored, uint64_t room) noexcept nogil:
    """Change the capacity to ``room`` records, not fewer. Returns False, keeping all, if allocation fails."""
    cdef void* records = resize_block(
        explored.records, <uint64_t>explored.room * explored.length, room * explored.length)
    if records == NULL:
        return False
    explored.records = <uint8_t*>records
    explored.room = <uint32_t>room
    return True


cdef inline void free_explored(Explored* explored) noexcept nogil:
    free_block(explored.records, <uint64_t>explored.room * explored.length)
    free_block(explored.slots, (explored.slot_mask + 1) * sizeof(uint32_t))
    explored.records = NULL
    explored.slots = NULL
    explored.count = explored.room = 0
    explored.slot_mask = 0


cdef inline void clear_explored(Explored* explored) noexcept nogil:
    """Remove all records, without freeing memory."""
    memset(explored.slots, 0, (explored.slot_mask + 1) * sizeof(uint32_t))
    explored.count = 0


cdef inline uint64_t explored_bytes(const Explored* explored) noexcept nogil:
    return bytes_of(explored, explored.room, explored.slot_mask + 1) if explored.room else 0


cdef inline bint find_record(const Explored* explored, const uint8_t* record, uint32_t* slot) noexcept nogil:
    """Find the slot of the record with the key of ``record``. Returns True if there is one; otherwise False,
    with ``slot`` the free one to insert it into."""
    return find_hashed(explored, record, hash_of(explored, record), slot)


cdef inline bint make_room(Explored* explored) noexcept nogil:
    """Grow the capacity to twice as many records, or if memory does not suffice by a quarter or a sixteenth.

    Returns False, keeping all records, if not even that is possible.
    """
    cdef uint64_t slots = explored.slot_mask + 1, room, more
    cdef int part = 1
    while part <= 16:
        room = <uint64_t>explored.room + explored.room // part
        more = slots
        if (2 * room > slots and slots < MOST_SLOTS
                and bytes_of(explored, room, 2 * slots) <= explored.max_bytes):
            more = 2 * slots
        if bytes_of(explored, room, more) <= explored.max_bytes and 8 * room <= 7 * more:
            break
        part *= 4
    if part > 16:
        return False
    if more > slots and not rehash(explored, more) and 8 * room > 7 * slots:
        return False
    return resize_records(explored, room)


cdef inline bint rehash(Explored* explored, uint64_t slots) noexcept nogil:
    """Insert all records into a hash table of ``slots`` slots instead of the present one. If a key is there
    twice, its last record gets the slot. Returns False, changing nothing, if allocation fails. The old slots
    are freed before the new ones are written, so that both are never resident together."""
    cdef uint32_t* grown = <uint32_t*>new_block(slots * sizeof(uint32_t))
    cdef const uint8_t* record
    cdef uint32_t number, slot
    if grown == NULL:
        return False
    free_block(explored.slots, (explored.slot_mask + 1) * sizeof(uint32_t))
    explored.slots = grown
    explored.slot_mask = slots - 1
    for number in range(explored.count):
        if number + PREFETCH_DISTANCE < explored.count:
            fetch_slot(explored, hash_of(explored, record_at(explored, number + PREFETCH_DISTANCE)))
        record = record_at(explored, number)
        find_hashed(explored, record, hash_of(explored, record), &slot)
        explored.slots[slot] = number + 1
    return True


cdef inline int find_or_add(Explored* explored, const uint8_t* record, uint32_t* number) noexcept nogil:
    """Add a record unless the set contains one with its key, and set ``number`` to that of the record held.

    Returns 1 if the record was added, 0 if its key was there, -1, adding nothing, if memory runs out.
    """
    return find_or_add_hashed(explored, record, hash_of(explored, record), number)


cdef inline int add_record(Explored* explored, const uint8_t* record) noexcept nogil:
    """Like `find_or_add`, without reporting the number."""
    cdef uint32_t number
    return find_or_add_hashed(explored, record, hash_of(explored, record), &number)


cdef inline int add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed) noexcept nogil:
    """Like `add_record`, for a record whose hash is ``hashed``."""
    cdef uint32_t number
    return find_or_add_hashed(explored, record, hashed, &number)


cdef inline int find_or_add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed,
                                   uint32_t* number) noexcept nogil:
    """Like `find_or_add`, for a record whose hash is ``hashed``."""
    cdef uint32_t slot
    if find_hashed(explored, record, hashed, &slot):
        number[0] = explored.slots[slot] - 1
        return 0
    if explored.count == explored.room:
        if not make_room(explored):
            return -1
        find_hashed(explored, record, hashed, &slot)
    memcpy(explored.records + <uint64_t>explored.count * explored.length, record, explored.length)
    number[0] = explored.count
    explored.count += 1
    explored.slots[slot] = explored.count
    return 1
