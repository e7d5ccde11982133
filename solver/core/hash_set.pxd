"""Hash sets of 128-bit keys and of numbered records; see hash_set.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .bits cimport hash_words, prefetch_at, swap_bytes

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

cdef int table_reset(Table* table, uint64_t max_bytes) noexcept nogil
cdef int table_grow(Table* table) noexcept nogil
cdef void table_free(Table* table) noexcept nogil
cdef uint64_t table_bytes(const Table* table) noexcept nogil

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

cdef bint open_explored(Explored* explored, uint32_t length, uint64_t max_bytes) noexcept nogil
cdef bint open_keyed(Explored* explored, uint32_t length, uint32_t key_length,
                     uint64_t max_bytes) noexcept nogil
cdef void clear_explored(Explored* explored) noexcept nogil
cdef void free_explored(Explored* explored) noexcept nogil
cdef int find_or_add(Explored* explored, const uint8_t* record, uint32_t* number) noexcept nogil
cdef int add_record(Explored* explored, const uint8_t* record) noexcept nogil
cdef int add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed) noexcept nogil
cdef bint find_record(const Explored* explored, const uint8_t* record, uint32_t* slot) noexcept nogil
cdef bint make_room(Explored* explored) noexcept nogil
cdef uint64_t explored_bytes(const Explored* explored) noexcept nogil

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
