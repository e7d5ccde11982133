"""Sets of scattered keys of 64 bits, for searches that prove nothing: at the limit on memory they forget."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset


cdef bint open_keys(KeySet* keys, uint64_t slots, uint64_t max_bytes) noexcept nogil:
    """An empty set with room for half of ``slots``, a power of two; false if there is no memory.

    ``keys`` is zero, or a set whose memory is given back. It grows up to ``max_bytes``, copying included.
    """
    free(keys.slot)
    keys.slot = <uint64_t*>calloc(slots, sizeof(uint64_t))
    keys.mask = slots - 1
    keys.count = 0
    keys.max_bytes = max_bytes
    return keys.slot != NULL


cdef void clear_keys(KeySet* keys) noexcept nogil:
    """Make the set empty."""
    memset(keys.slot, 0, (keys.mask + 1) * sizeof(uint64_t))
    keys.count = 0


cdef void free_keys(KeySet* keys) noexcept nogil:
    """Give the memory back."""
    free(keys.slot)
    keys.slot = NULL


cdef bint add_key(KeySet* keys, uint64_t key) noexcept nogil:
    """Whether ``key`` is new; it is a member now, as far as memory allows."""
    cdef uint64_t slot
    key |= key == 0
    slot = find_key(keys, key)
    if keys.slot[slot] != 0:
        return False
    keys.slot[slot] = key
    keys.count += 1
    if 2 * keys.count > keys.mask:
        grow(keys)
    return True


cdef void grow(KeySet* keys) noexcept nogil:
    """Double the slots, or forget all keys where memory does not allow that."""
    cdef KeySet grown
    cdef uint64_t i, slots = keys.mask + 1
    grown.slot = NULL
    if 3 * slots * sizeof(uint64_t) > keys.max_bytes or not open_keys(&grown, 2 * slots, keys.max_bytes):
        clear_keys(keys)
        return
    for i in range(slots):
        if keys.slot[i] != 0:
            add_key(&grown, keys.slot[i])
    free(keys.slot)
    keys[0] = grown
