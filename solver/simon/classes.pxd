"""Classes of laterally connected positions of the Simon family; see classes.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from .capacity cimport MAX_CARDS, MAX_COLUMNS, SUITS

# A stem, 45 bits: |44 column 41|40 cards below 34|33 rank of the anchor 30|29 length 26|25 suits 0|
# The anchor is the lowest card of the tail, which descends rank by rank; length counts its cards, and their
# suits stand two bits each, the top card's lowest. Cards below are the first cards of the column in the
# layout; where there are none the column is 0. No stem is 0.
ctypedef uint64_t Stem

# A segment, 10 bits: |9 suit 8|7 rank of its top 4|3 rank of its head 0|
ctypedef uint16_t Segment

# A number for each rank, four bits each, the ace's lowest.
ctypedef uint64_t Counts

cdef struct Layout:         # the position that a search starts from
    int columns
    int ranks
    int cards
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_COLUMNS][MAX_CARDS]            # numbers of rules.cards
    uint8_t alike[MAX_COLUMNS][MAX_CARDS + 1]        # the first column that begins with the same n cards
    Stem stem_of[MAX_COLUMNS][MAX_CARDS + 1]        # the stem that the first n cards are

cdef struct Class:
    uint64_t low            # the key: two sums over all stems and segments
    uint64_t high
    Counts open             # exposed cards of each rank; there are no more than columns
    Counts ends[SUITS]      # tops of stems and segments, by their ranks
    Counts heads[SUITS]     # heads of segments, by the rank of the cards they lie on
    uint8_t stems
    uint8_t segments
    bint fault              # a capacity was exceeded; never set
    Stem stem[MAX_COLUMNS]
    Segment segment[MAX_CARDS]      # the last member: class_edits.copy_class copies no more than is used

cdef void read_layout(Layout* layout, state) except *
cdef void set_layout(Layout* layout, int columns, int ranks) noexcept nogil
cdef void class_of(
    Class* state, const Layout* layout, const uint8_t (*card)[MAX_CARDS], const uint8_t* size
) noexcept nogil
cdef void normalise(
    Class* state, const Layout* layout, const Class* origin, Counts joined
) noexcept nogil
cdef void check_class(const Class* state) noexcept nogil
cdef int pack(const Class* state, uint8_t* record) noexcept nogil
cdef void unpack(Class* state, const uint8_t* record) noexcept nogil
