"""Sizes, search outcomes and hash functions of the Simon family."""

# --- Sizes --------------------------------------------------------------------------------------------------

cdef enum:
    MAX_COLUMNS = 14
    ONE_DECK = 52           # cards
    MAX_CARDS = 104         # cards of a position; also bounds the segments, each of which has a card or more
    MAX_RANKS = 13
    SUITS = 4
    KINDS = SUITS * MAX_RANKS       # card numbers are below this
    NO_CARD = 255           # in place of a card
    MAX_PACKED = 18 + 6 * MAX_COLUMNS + 2 * MAX_CARDS       # bytes of a class packed by `classes.pack`

# --- Outcomes -----------------------------------------------------------------------------------------------

cdef enum Outcome:
    LOST = 0        # the search was exhausted without a win
    WON = 1
    OPEN = 2        # undecided: the search reached its node limit or a limit of the kernel
    OUT_OF_MEMORY = 3

# --- Hashing ------------------------------------------------------------------------------------------------

cdef inline uint64_t mix_low(uint64_t word) noexcept nogil:
    """A 64-bit hash of ``word``: the output function of the generator SplitMix64 of rules.deals."""
    word += <uint64_t>0x9E3779B97F4A7C15
    word = (word ^ (word >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <uint64_t>0x94D049BB133111EB
    return word ^ (word >> 31)

cdef inline uint64_t mix_high(uint64_t word) noexcept nogil:
    """A 64-bit hash of ``word``, independent of `mix_low`."""
    word = (word ^ <uint64_t>0xD1B54A32D192ED03) * <uint64_t>0xAEF17502108EF2D9
    word = (word ^ (word >> 29)) * <uint64_t>0xD6E8FEB86659FD93
    word = (word ^ (word >> 32)) * <uint64_t>0x8CB92BA72F3D8DD7
    return word ^ (word >> 32)

cdef inline uint64_t without_top_bit(uint64_t high) noexcept nogil:
    """The upper half of a key without its top bit, since a `Table` holds keys of 127 bits."""
    return high & <uint64_t>0x7FFFFFFFFFFFFFFF

# --- Lists --------------------------------------------------------------------------------------------------

ctypedef fused Sortable:
    uint16_t
    uint64_t

cdef inline void insert(Sortable* items, int count, Sortable item) noexcept nogil:
    """Insert ``item`` into an array of ``count`` items in ascending order."""
    while count > 0 and items[count - 1] > item:
        items[count] = items[count - 1]
        count -= 1
    items[count] = item

cdef inline bint is_first(const Sortable* items, int i) noexcept nogil:
    """Test if no item before item ``i`` is equal to it."""
    cdef int other
    for other in range(i):
        if items[other] == items[i]:
            return False
    return True
