"""Sets of places, which are numbers below 128, as the bits of two words."""

from libc.stdint cimport uint64_t

from ..core.bits cimport lowest_bit

cdef struct Places:
    uint64_t low
    uint64_t high


cdef inline bint holds(Places places, int place) noexcept nogil:
    """Whether a place is a member."""
    return (places.low >> place if place < 64 else places.high >> (place - 64)) & 1

cdef inline void put_in(Places* places, int place) noexcept nogil:
    """Make a place a member."""
    if place < 64:
        places.low |= <uint64_t>1 << place
    else:
        places.high |= <uint64_t>1 << (place - 64)

cdef inline void take_out(Places* places, int place) noexcept nogil:
    """Make a place no member."""
    if place < 64:
        places.low &= ~(<uint64_t>1 << place)
    else:
        places.high &= ~(<uint64_t>1 << (place - 64))

cdef inline Places both(Places one, Places other) noexcept nogil:
    """The places of both sets."""
    one.low &= other.low
    one.high &= other.high
    return one

cdef inline Places either(Places one, Places other) noexcept nogil:
    """The places of one set or the other."""
    one.low |= other.low
    one.high |= other.high
    return one

cdef inline Places less(Places one, Places other) noexcept nogil:
    """The places of ``one`` that are not of ``other``."""
    one.low &= ~other.low
    one.high &= ~other.high
    return one

cdef inline bint is_none(Places places) noexcept nogil:
    """Whether the set is empty."""
    return places.low == 0 and places.high == 0

cdef inline int first_of(Places places) noexcept nogil:
    """The lowest member; there must be one."""
    return lowest_bit(places.low) if places.low else 64 + lowest_bit(places.high)
