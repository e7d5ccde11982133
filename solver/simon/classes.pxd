"""Classes of laterally connected positions of the Simon family; see classes.pyx."""

from libc.stdint cimport uint16_t, uint64_t, uint8_t
from libc.string cimport memcpy

from ..core.bits cimport lowest_bit
from ..core.desk cimport Desk
from .common cimport MAX_CARDS, MAX_COLUMNS, SUITS, mix_high, mix_low

# A stem, 45 bits: |44 column 41|40 cards below 34|33 rank of the anchor 30|29 length 26|25 suits 0|
# The tail of a stem descends rank by rank; its deepest card is the anchor. Length is the number of its cards;
# suits has two bits for each, those of the top card lowest. The cards below the tail are the first cards of
# the column in the layout; if there are none, column is 0. 0 is not a stem.
ctypedef uint64_t Stem

# A segment, 10 bits: |9 suit 8|7 rank of its top 4|3 rank of its head 0|
ctypedef uint16_t Segment

# A number for each rank, four bits each, that of the ace lowest.
ctypedef uint64_t Counts

cdef struct Layout:         # the position that a search starts from
    int columns, ranks, cards
    uint8_t size[MAX_COLUMNS]
    uint8_t card[MAX_COLUMNS][MAX_CARDS]            # numbers of rules.cards
    uint8_t alike[MAX_COLUMNS][MAX_CARDS + 1]        # the first column that starts with the same n cards
    Stem stem_of[MAX_COLUMNS][MAX_CARDS + 1]        # the first n cards as a stem

cdef struct Class:
    uint64_t low, high      # the key: two sums of hashes over all stems and segments
    Counts open             # number of exposed cards of each rank; at most the number of columns
    Counts ends[SUITS]      # number of tops of stems and segments of each rank
    Counts heads[SUITS]     # number of segments that lie on a card of each rank
    uint8_t stems, segments
    bint fault              # a capacity was exceeded, which cannot happen
    Stem stem[MAX_COLUMNS]
    Segment segment[MAX_CARDS]      # must be the last member: copy_class omits the unused part

cdef void load_desk(Layout* layout, const Desk* desk) noexcept nogil
cdef void set_layout(Layout* layout, int columns, int ranks) noexcept nogil
cdef void class_of(Class* state, const Layout* layout, const uint8_t (*card)[MAX_CARDS],
                   const uint8_t* size) noexcept nogil
cdef void normalise(Class* state, const Layout* layout, const Class* origin, Counts joined) noexcept nogil
cdef void check_class(const Class* state) noexcept nogil
cdef int pack(const Class* state, uint8_t* record) noexcept nogil
cdef void unpack(Class* state, const uint8_t* record) noexcept nogil

# --- Stems, segments and counts -----------------------------------------------------------------------------

cdef inline int stem_suits(Stem stem) noexcept nogil:
    """The suits of the tail of a stem, two bits each, those of the top card lowest."""
    return stem & 0x3FFFFFF

cdef inline int stem_length(Stem stem) noexcept nogil:
    """The number of cards of the tail of a stem."""
    return stem >> 26 & 15

cdef inline int stem_anchor(Stem stem) noexcept nogil:
    """The rank of the deepest card of the tail of a stem."""
    return stem >> 30 & 15

cdef inline int stem_below(Stem stem) noexcept nogil:
    """The number of cards below the tail of a stem, which lie as in the layout."""
    return stem >> 34 & 127

cdef inline int stem_column(Stem stem) noexcept nogil:
    """The column of the layout that the cards below the tail of a stem are in; 0 if there are none."""
    return stem >> 41 & 15

cdef inline int stem_end(Stem stem) noexcept nogil:
    """The rank of the top card of a stem."""
    return stem_anchor(stem) - stem_length(stem) + 1

cdef inline Stem make_stem(int column, int below, int anchor, int length, int suits) noexcept nogil:
    """Pack a stem: ``below`` cards of ``column``, and a tail of ``length`` cards from rank ``anchor`` down.
    ``column`` is ignored if ``below`` is 0."""
    return (<Stem>(column if below else 0) << 41 | <Stem>below << 34 | <Stem>anchor << 30
            | <Stem>length << 26 | <Stem>suits)

cdef inline Stem without_top(Stem stem, int cards) noexcept nogil:
    """``stem`` without the top ``cards`` of its tail, which must have more cards than that."""
    cdef int length = stem_length(stem) - cards
    return (stem & ~<Stem>0x3FFFFFFF) | <Stem>length << 26 | <Stem>(stem_suits(stem) >> 2 * cards)

cdef inline int same_suits(int suit, int cards) noexcept nogil:
    """The packed suits of ``cards`` cards of suit ``suit``."""
    return suit * 0x1555555 & ((1 << 2 * cards) - 1)

cdef inline int changes_of_suit(int suits, int length) noexcept nogil:
    """The changes of suit in ``length`` packed suits: bit 2i is set if cards i and i + 1 from the top
    differ."""
    cdef int apart = suits ^ suits >> 2
    return (apart | apart >> 1) & 0x1555555 & ((1 << 2 * (length - 1)) - 1)

cdef inline int one_suit_top(int suits, int length) noexcept nogil:
    """The number of consecutive cards from the top that have the top card's suit."""
    return lowest_bit(changes_of_suit(suits, length) | 1 << 2 * (length - 1)) // 2 + 1

cdef inline Segment make_segment(int head, int end, int suit) noexcept nogil:
    """Pack a segment of ``suit`` from rank ``head`` down to rank ``end``."""
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
    """Test if ``segment`` is of ``suit`` and its head one rank below ``end``."""
    return (segment & 0x30F) == (end - 1 | suit << 8)

cdef inline Counts one_at(int rank) noexcept nogil:
    """Counts of 1 at ``rank`` and 0 elsewhere."""
    return <Counts>1 << 4 * rank

cdef inline int count_at(Counts counts, int rank) noexcept nogil:
    """The number at ``rank``."""
    return counts >> 4 * rank & 15

cdef inline int count_of_all(const Counts* counts, int rank) noexcept nogil:
    """The sum of the numbers at ``rank`` over four suits."""
    return (count_at(counts[0], rank) + count_at(counts[1], rank) + count_at(counts[2], rank)
            + count_at(counts[3], rank))

cdef inline Counts occurring(Counts counts) noexcept nogil:
    """Counts of 1 at each rank whose number in ``counts`` is not 0."""
    counts |= counts >> 2
    counts |= counts >> 1
    return counts & <Counts>0x1111111111111111

cdef inline Counts ranks_between(int head, int end) noexcept nogil:
    """A mask of all bits of the ranks above ``end`` up to ``head``: the ranks of the links in a run."""
    return (<Counts>16 << 4 * head) - (<Counts>16 << 4 * end)

cdef inline int lowest_rank(Counts counts) noexcept nogil:
    """The lowest rank whose number is not 0; there must be one."""
    return lowest_bit(counts) // 4

cdef enum:
    FEW_SEGMENTS = 32       # segments that copy_class copies at once; most classes have at most this many

# --- Edits of classes ---------------------------------------------------------------------------------------

cdef inline bint is_open(const Class* state, int rank) noexcept nogil:
    """Test if a card of ``rank`` is exposed."""
    return count_at(state.open, rank) > 0

cdef inline uint64_t word_of(Segment segment) noexcept nogil:
    """A segment as a word that differs from all stems."""
    return <uint64_t>segment | <uint64_t>1 << 60

cdef inline void count_stem(Class* state, Stem stem, int sign) noexcept nogil:
    """Add a stem, whose storing is up to the caller, to the key and counts, or with ``sign`` -1 subtract
    it."""
    state.low += sign * mix_low(stem)
    state.high += sign * mix_high(stem)
    state.open += sign * one_at(stem_end(stem))
    state.ends[stem & 3] += sign * one_at(stem_end(stem))

cdef inline void count_segment(Class* state, Segment segment, int sign) noexcept nogil:
    """Add a segment, whose storing is up to the caller, to the key and counts, or with ``sign`` -1 subtract
    it."""
    cdef Counts end = sign * one_at(end_of(segment)), parent = sign * one_at(head_of(segment) + 1)
    state.low += sign * mix_low(word_of(segment))
    state.high += sign * mix_high(word_of(segment))
    state.open += end - parent
    state.ends[suit_of(segment)] += end
    state.heads[suit_of(segment)] += parent

cdef inline void add_stem(Class* state, Stem stem) noexcept nogil:
    """Add a stem; there must be fewer than MAX_COLUMNS."""
    state.stem[state.stems] = stem
    state.stems += 1
    count_stem(state, stem, 1)

cdef inline void remove_stem(Class* state, int i) noexcept nogil:
    """Remove stem ``i``; the last stem gets its number."""
    count_stem(state, state.stem[i], -1)
    state.stems -= 1
    state.stem[i] = state.stem[state.stems]

cdef inline void replace_stem(Class* state, int i, Stem stem) noexcept nogil:
    """Replace stem ``i`` by ``stem``."""
    count_stem(state, state.stem[i], -1)
    state.stem[i] = stem
    count_stem(state, stem, 1)

cdef inline void add_segment(Class* state, Segment segment) noexcept nogil:
    """Add a segment, or set ``fault`` if there are MAX_CARDS segments."""
    if state.segments == MAX_CARDS:
        state.fault = True
        return
    state.segment[state.segments] = segment
    state.segments += 1
    count_segment(state, segment, 1)

cdef inline void remove_segment(Class* state, int i) noexcept nogil:
    """Remove segment ``i``; the last segment gets its number."""
    count_segment(state, state.segment[i], -1)
    state.segments -= 1
    state.segment[i] = state.segment[state.segments]

cdef inline void truncate_stem(Class* state, const Layout* layout, int i) noexcept nogil:
    """Remove the tail of stem ``i``. If it has no cards below, the stem is removed and the last one gets its
    number."""
    cdef Stem stem = state.stem[i]
    if stem_below(stem) == 0:
        remove_stem(state, i)
    else:
        replace_stem(state, i, layout.stem_of[stem_column(stem)][stem_below(stem)])

cdef inline void copy_class(Class* target, const Class* source) noexcept nogil:
    """Copy the used part of ``source``, in pieces of fixed size, which compilers copy inline."""
    memcpy(target, source, sizeof(Class) - sizeof(source.stem) - sizeof(source.segment))
    memcpy(target.stem, source.stem, sizeof(source.stem))
    memcpy(target.segment, source.segment, FEW_SEGMENTS * sizeof(Segment))
    if source.segments > FEW_SEGMENTS:
        memcpy(target.segment + FEW_SEGMENTS, source.segment + FEW_SEGMENTS,
               (source.segments - FEW_SEGMENTS) * sizeof(Segment))
