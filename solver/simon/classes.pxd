"""Classes of laterally connected positions of the Simon family; see classes.pyx."""

from libc.stdint cimport uint16_t, uint64_t, uint8_t
from libc.string cimport memcpy

from ..core.bits cimport lowest_bit
from .common cimport MAX_CARDS, MAX_COLUMNS, SUITS, mix_high, mix_low

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
    int columns, ranks, cards
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_COLUMNS][MAX_CARDS]            # numbers of rules.cards
    uint8_t alike[MAX_COLUMNS][MAX_CARDS + 1]        # the first column that begins with the same n cards
    Stem stem_of[MAX_COLUMNS][MAX_CARDS + 1]        # the stem that the first n cards are

cdef struct Class:
    uint64_t low, high      # the key: two sums over all stems and segments
    Counts open             # exposed cards of each rank; there are no more than columns
    Counts ends[SUITS]      # tops of stems and segments, by their ranks
    Counts heads[SUITS]     # heads of segments, by the rank of the cards they lie on
    uint8_t stems, segments
    bint fault              # a capacity was exceeded; never set
    Stem stem[MAX_COLUMNS]
    Segment segment[MAX_CARDS]      # the last member: copy_class copies no more than is used

cdef void read_layout(Layout* layout, state) except *
cdef void set_layout(Layout* layout, int columns, int ranks) noexcept nogil
cdef void class_of(Class* state, const Layout* layout, const uint8_t (*card)[MAX_CARDS],
                   const uint8_t* size) noexcept nogil
cdef void normalise(Class* state, const Layout* layout, const Class* origin, Counts joined) noexcept nogil
cdef void check_class(const Class* state) noexcept nogil
cdef int pack(const Class* state, uint8_t* record) noexcept nogil
cdef void unpack(Class* state, const uint8_t* record) noexcept nogil

# --- Stems, segments and counts -----------------------------------------------------------------------------

cdef inline int stem_suits(Stem stem) noexcept nogil:
    """The suits of the tail, two bits each, those of the top card lowest."""
    return stem & 0x3FFFFFF

cdef inline int stem_length(Stem stem) noexcept nogil:
    """The number of cards of the tail."""
    return stem >> 26 & 15

cdef inline int stem_anchor(Stem stem) noexcept nogil:
    """The rank of the deepest card of the tail."""
    return stem >> 30 & 15

cdef inline int stem_below(Stem stem) noexcept nogil:
    """The number of cards below the tail, which lie as in the layout."""
    return stem >> 34 & 127

cdef inline int stem_column(Stem stem) noexcept nogil:
    """The column of the layout that these cards are the first of; 0 if there are none."""
    return stem >> 41 & 15

cdef inline int stem_end(Stem stem) noexcept nogil:
    """The rank of a stem's top card."""
    return stem_anchor(stem) - stem_length(stem) + 1

cdef inline Stem make_stem(int column, int below, int anchor, int length, int suits) noexcept nogil:
    """A stem of these parts; ``column`` does not count where no card is below."""
    return (<Stem>(column if below else 0) << 41 | <Stem>below << 34 | <Stem>anchor << 30
            | <Stem>length << 26 | <Stem>suits)

cdef inline Stem without_top(Stem stem, int cards) noexcept nogil:
    """A stem less the top ``cards`` of its tail, of which one at least must stay."""
    cdef int length = stem_length(stem) - cards
    return (stem & ~<Stem>0x3FFFFFFF) | <Stem>length << 26 | <Stem>(stem_suits(stem) >> 2 * cards)

cdef inline int same_suits(int suit, int cards) noexcept nogil:
    """The suits of so many cards of one suit."""
    return suit * 0x1555555 & ((1 << 2 * cards) - 1)

cdef inline int changes_of_suit(int suits, int length) noexcept nogil:
    """Bit 2i is set where the cards i and i + 1 from the top differ in suit."""
    cdef int apart = suits ^ suits >> 2
    return (apart | apart >> 1) & 0x1555555 & ((1 << 2 * (length - 1)) - 1)

cdef inline int one_suit_top(int suits, int length) noexcept nogil:
    """The number of cards, from the top down, that are of the top card's suit."""
    return lowest_bit(changes_of_suit(suits, length) | 1 << 2 * (length - 1)) // 2 + 1

cdef inline Segment make_segment(int head, int end, int suit) noexcept nogil:
    """A segment from the rank of its head down to that of its top, ``end``."""
    return head | end << 4 | suit << 8

cdef inline int head_of(Segment segment) noexcept nogil:
    """The rank of the deepest card of a segment."""
    return segment & 15

cdef inline int end_of(Segment segment) noexcept nogil:
    """The rank of the top card of a segment."""
    return segment >> 4 & 15

cdef inline int suit_of(Segment segment) noexcept nogil:
    """The suit of all cards of a segment."""
    return segment >> 8

cdef inline bint continues(Segment segment, int end, int suit) noexcept nogil:
    """Test whether a segment is of ``suit`` and its head one rank below ``end``."""
    return (segment & 0x30F) == (end - 1 | suit << 8)

cdef inline Counts one_at(int rank) noexcept nogil:
    """One of a rank, none of all others."""
    return <Counts>1 << 4 * rank

cdef inline int count_at(Counts counts, int rank) noexcept nogil:
    """The number of one rank."""
    return counts >> 4 * rank & 15

cdef inline int count_of_all(const Counts* counts, int rank) noexcept nogil:
    """The number of one rank in all suits."""
    return (count_at(counts[0], rank) + count_at(counts[1], rank) + count_at(counts[2], rank)
            + count_at(counts[3], rank))

cdef inline Counts occurring(Counts counts) noexcept nogil:
    """One at each rank whose number is not 0."""
    counts |= counts >> 2
    counts |= counts >> 1
    return counts & <Counts>0x1111111111111111

cdef inline Counts ranks_between(int head, int end) noexcept nogil:
    """All bits of the ranks above ``end`` up to ``head``: those of the links in a run."""
    return (<Counts>16 << 4 * head) - (<Counts>16 << 4 * end)

cdef inline int lowest_rank(Counts counts) noexcept nogil:
    """The lowest rank of which there is any; there must be one."""
    return lowest_bit(counts) // 4

cdef enum:
    FEW_SEGMENTS = 32       # of one class, as most have no more

# --- Edits of classes ---------------------------------------------------------------------------------------

cdef inline bint is_open(const Class* state, int rank) noexcept nogil:
    """Test whether there is an exposed card of ``rank``."""
    return count_at(state.open, rank) > 0

cdef inline uint64_t word_of(Segment segment) noexcept nogil:
    """A segment as a word that no stem is."""
    return <uint64_t>segment | <uint64_t>1 << 60

cdef inline void count_stem(Class* state, Stem stem, int sign) noexcept nogil:
    """Count a stem that is stored in, or with a ``sign`` of -1 out."""
    state.low += sign * mix_low(stem)
    state.high += sign * mix_high(stem)
    state.open += sign * one_at(stem_end(stem))
    state.ends[stem & 3] += sign * one_at(stem_end(stem))

cdef inline void count_segment(Class* state, Segment segment, int sign) noexcept nogil:
    """Count a segment that is stored in, or with a ``sign`` of -1 out."""
    cdef Counts end = sign * one_at(end_of(segment)), parent = sign * one_at(head_of(segment) + 1)
    state.low += sign * mix_low(word_of(segment))
    state.high += sign * mix_high(word_of(segment))
    state.open += end - parent
    state.ends[suit_of(segment)] += end
    state.heads[suit_of(segment)] += parent

cdef inline void add_stem(Class* state, Stem stem) noexcept nogil:
    """Store a stem and count it in; there must be room for it."""
    state.stem[state.stems] = stem
    state.stems += 1
    count_stem(state, stem, 1)

cdef inline void remove_stem(Class* state, int i) noexcept nogil:
    """Take stem ``i`` out; the last one takes its number."""
    count_stem(state, state.stem[i], -1)
    state.stems -= 1
    state.stem[i] = state.stem[state.stems]

cdef inline void replace_stem(Class* state, int i, Stem stem) noexcept nogil:
    """Make another stem of stem ``i``."""
    count_stem(state, state.stem[i], -1)
    state.stem[i] = stem
    count_stem(state, stem, 1)

cdef inline void add_segment(Class* state, Segment segment) noexcept nogil:
    """Store a segment and count it in; without room for it set ``fault``."""
    if state.segments == MAX_CARDS:
        state.fault = True
        return
    state.segment[state.segments] = segment
    state.segments += 1
    count_segment(state, segment, 1)

cdef inline void remove_segment(Class* state, int i) noexcept nogil:
    """Take segment ``i`` out; the last one takes its number."""
    count_segment(state, state.segment[i], -1)
    state.segments -= 1
    state.segment[i] = state.segment[state.segments]

cdef inline void truncate_stem(Class* state, const Layout* layout, int i) noexcept nogil:
    """Take the tail of stem ``i`` away; without cards below it is gone, and the last takes its number."""
    cdef Stem stem = state.stem[i]
    if stem_below(stem) == 0:
        remove_stem(state, i)
    else:
        replace_stem(state, i, layout.stem_of[stem_column(stem)][stem_below(stem)])

cdef inline void copy_class(Class* target, const Class* source) noexcept nogil:
    """Copy what is in use, in pieces of fixed sizes that compilers copy word by word."""
    memcpy(target, source, sizeof(Class) - sizeof(source.stem) - sizeof(source.segment))
    memcpy(target.stem, source.stem, sizeof(source.stem))
    memcpy(target.segment, source.segment, FEW_SEGMENTS * sizeof(Segment))
    if source.segments > FEW_SEGMENTS:
        memcpy(target.segment + FEW_SEGMENTS, source.segment + FEW_SEGMENTS,
               (source.segments - FEW_SEGMENTS) * sizeof(Segment))
