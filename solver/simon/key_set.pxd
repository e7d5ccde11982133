"""Sets of keys that may forget; see key_set.pyx."""

from libc.stdint cimport uint64_t

from ..core.bits cimport prefetch_at

cdef struct KeySet:
    uint64_t* slot          # a key, or 0; at most half are taken
    uint64_t mask           # slots - 1
    uint64_t count
    uint64_t max_bytes

cdef bint open_keys(KeySet* keys, uint64_t slots, uint64_t max_bytes) noexcept nogil
cdef void clear_keys(KeySet* keys) noexcept nogil
cdef void free_keys(KeySet* keys) noexcept nogil
cdef bint add_key(KeySet* keys, uint64_t key) noexcept nogil


cdef inline uint64_t find_key(const KeySet* keys, uint64_t key) noexcept nogil:
    """The slot that holds ``key``, which is not 0, or the free one where it belongs."""
    cdef uint64_t slot = key & keys.mask
    while keys.slot[slot] != 0 and keys.slot[slot] != key:
        slot = (slot + 1) & keys.mask
    return slot


cdef inline bint has_key(const KeySet* keys, uint64_t key) noexcept nogil:
    """Whether ``key`` is a member; 0 is taken for 1."""
    return keys.slot[find_key(keys, key | (key == 0))] != 0


cdef inline void prefetch_key(const KeySet* keys, uint64_t key) noexcept nogil:
    """Have the slot at hand soon where ``key`` belongs."""
    prefetch_at(&keys.slot[key & keys.mask])
