"""Set of fixed-size records, numbered in order of insertion: the visited states of brute force.

Records are compared whole; open addressing, linear probing, at most half full.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef enum:
    FIRST_ROOM = 256
    AHEAD = 8           # of records in order, the next slots are fetched


cdef bint open_explored(Explored* explored, uint32_t length, uint64_t max_bytes) noexcept nogil:
    """Make an empty set of records of ``length`` bytes; false if memory does not allow it."""
    memset(explored, 0, sizeof(Explored))
    explored.length = length
    explored.max_bytes = max_bytes
    explored.room = FIRST_ROOM
    if explored_bytes(explored) > max_bytes:
        return False
    explored.records = <uint8_t*>malloc(FIRST_ROOM * length)
    explored.slots = <uint32_t*>calloc(2 * FIRST_ROOM, sizeof(uint32_t))
    return explored.records != NULL and explored.slots != NULL


cdef void free_explored(Explored* explored) noexcept nogil:
    """Give the memory back."""
    free(explored.records)
    free(explored.slots)
    explored.records = NULL
    explored.slots = NULL
    explored.count = explored.room = 0


cdef uint64_t explored_bytes(const Explored* explored) noexcept nogil:
    """The bytes allocated."""
    return explored.room * (<uint64_t>explored.length + 2 * sizeof(uint32_t))


cdef inline bint is_equal(const uint8_t* record, const uint8_t* other, uint32_t length) noexcept nogil:
    """Test if two records are equal."""
    cdef uint64_t word, other_word
    cdef uint32_t i
    for i in range(0, length, 8):
        memcpy(&word, record + i, 8)
        memcpy(&other_word, other + i, 8)
        if word != other_word:
            return False
    return True


cdef inline bint find_hashed(
    const Explored* explored, const uint8_t* record, uint64_t hashed, uint32_t* slot
) noexcept nogil:
    """`find_record`, its hash being known."""
    cdef uint32_t mask = 2 * explored.room - 1, at = hashed & mask
    while explored.slots[at] != 0:
        if is_equal(record_at(explored, explored.slots[at] - 1), record, explored.length):
            slot[0] = at
            return True
        at = (at + 1) & mask
    slot[0] = at
    return False


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
    """Note all records, no two of which are the same, in slots that are free."""
    cdef uint32_t mask = 2 * explored.room - 1, number, slot
    for number in range(explored.count):
        if number + AHEAD < explored.count:
            fetch_slot(explored, hash_of(explored, record_at(explored, number + AHEAD)))
        slot = hash_of(explored, record_at(explored, number)) & mask
        while explored.slots[slot] != 0:
            slot = (slot + 1) & mask
        explored.slots[slot] = number + 1


cdef int add_record(Explored* explored, const uint8_t* record) noexcept nogil:
    """Take in a record: 1 if it is new, with the last number; 0 if it was known; -1, with nothing changed, if
    memory runs out."""
    return add_hashed(explored, record, hash_of(explored, record))


cdef int add_hashed(Explored* explored, const uint8_t* record, uint64_t hashed) noexcept nogil:
    """`add_record`, its hash being known."""
    cdef uint32_t slot
    if find_hashed(explored, record, hashed, &slot):
        return 0
    if explored.count == explored.room:
        if not grow(explored):
            return -1
        find_hashed(explored, record, hashed, &slot)
    memcpy(explored.records + <uint64_t>explored.count * explored.length, record, explored.length)
    explored.count += 1
    explored.slots[slot] = explored.count
    return 1
