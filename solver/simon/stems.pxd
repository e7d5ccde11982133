"""Reading and making the words of classes: stems, segments, and numbers of each rank."""

from ..core.bits cimport lowest_bit
from .classes cimport Counts, Segment, Stem


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


cdef inline Counts one_at(int rank) noexcept nogil:
    """One of a rank, none of all others."""
    return <Counts>1 << 4 * rank

cdef inline int count_at(Counts counts, int rank) noexcept nogil:
    """The number of one rank."""
    return counts >> 4 * rank & 15

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
