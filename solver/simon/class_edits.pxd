"""How the parts of a class change, and its key with them."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from .capacity cimport MAX_CARDS
from .classes cimport Class, Counts, Layout, Segment, Stem
from .mixing cimport mix_high, mix_low
from .stems cimport count_at, end_of, head_of, one_at, stem_below, stem_column, stem_end, suit_of


cdef inline bint is_open(const Class* state, int rank) noexcept nogil:
    """Whether there is an exposed card of ``rank``."""
    return count_at(state.open, rank) > 0

cdef inline uint64_t word_of(Segment segment) noexcept nogil:
    """A segment as a word that no stem is."""
    return <uint64_t>segment | <uint64_t>1 << 60


cdef inline bint is_first_stem(const Class* state, int i) noexcept nogil:
    """Whether stem ``i`` is the first of those equal to it."""
    cdef int other
    for other in range(i):
        if state.stem[other] == state.stem[i]:
            return False
    return True

cdef inline bint is_first_segment(const Class* state, int i) noexcept nogil:
    """Whether segment ``i`` is the first of those equal to it."""
    cdef int other
    for other in range(i):
        if state.segment[other] == state.segment[i]:
            return False
    return True

cdef inline void copy_class(Class* target, const Class* source) noexcept nogil:
    """Copy what is in use."""
    memcpy(target, source, sizeof(Class) - sizeof(source.segment))
    memcpy(target.segment, source.segment, source.segments * sizeof(Segment))

cdef inline void count_stem(Class* state, Stem stem) noexcept nogil:
    """Count a stem in, but do not store it."""
    state.low += mix_low(stem)
    state.high += mix_high(stem)
    state.open += one_at(stem_end(stem))
    state.ends[stem & 3] += one_at(stem_end(stem))

cdef inline void discount_stem(Class* state, Stem stem) noexcept nogil:
    """Undo `count_stem`."""
    state.low -= mix_low(stem)
    state.high -= mix_high(stem)
    state.open -= one_at(stem_end(stem))
    state.ends[stem & 3] -= one_at(stem_end(stem))

cdef inline void count_segment(Class* state, Segment segment) noexcept nogil:
    """Count a segment in, but do not store it."""
    cdef Counts end = one_at(end_of(segment)), parent = one_at(head_of(segment) + 1)
    state.low += mix_low(word_of(segment))
    state.high += mix_high(word_of(segment))
    state.open += end - parent
    state.ends[suit_of(segment)] += end
    state.heads[suit_of(segment)] += parent

cdef inline void discount_segment(Class* state, Segment segment) noexcept nogil:
    """Undo `count_segment`."""
    cdef Counts end = one_at(end_of(segment)), parent = one_at(head_of(segment) + 1)
    state.low -= mix_low(word_of(segment))
    state.high -= mix_high(word_of(segment))
    state.open -= end - parent
    state.ends[suit_of(segment)] -= end
    state.heads[suit_of(segment)] -= parent

cdef inline void add_stem(Class* state, Stem stem) noexcept nogil:
    """Store a stem and count it in; there must be room for it."""
    state.stem[state.stems] = stem
    state.stems += 1
    count_stem(state, stem)

cdef inline void remove_stem(Class* state, int i) noexcept nogil:
    """Take stem ``i`` out; the last one takes its number."""
    discount_stem(state, state.stem[i])
    state.stems -= 1
    state.stem[i] = state.stem[state.stems]

cdef inline void replace_stem(Class* state, int i, Stem stem) noexcept nogil:
    """Make another stem of stem ``i``."""
    discount_stem(state, state.stem[i])
    state.stem[i] = stem
    count_stem(state, stem)

cdef inline void add_segment(Class* state, Segment segment) noexcept nogil:
    """Store a segment and count it in; without room for it set ``fault``."""
    if state.segments == MAX_CARDS:
        state.fault = True
        return
    state.segment[state.segments] = segment
    state.segments += 1
    count_segment(state, segment)

cdef inline void remove_segment(Class* state, int i) noexcept nogil:
    """Take segment ``i`` out; the last one takes its number."""
    discount_segment(state, state.segment[i])
    state.segments -= 1
    state.segment[i] = state.segment[state.segments]

cdef inline void truncate_stem(Class* state, const Layout* layout, int i) noexcept nogil:
    """Take the tail of stem ``i`` away; without cards below it is gone, and the last takes its number."""
    cdef Stem stem = state.stem[i]
    if stem_below(stem) == 0:
        remove_stem(state, i)
    else:
        replace_stem(state, i, layout.stem_of[stem_column(stem)][stem_below(stem)])
