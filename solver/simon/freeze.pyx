"""A rank freezes: all the ways in which segments can lie on its cards, of which none is exposed any more.

Why they are all, and no more, `class_moves` says. The recursions go down at most as far as there are cards.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .class_moves cimport NO_ITEM, STEM, UNIT, Generator, Plan, finish
from .capacity cimport MAX_CARDS
from .class_edits cimport count_segment, discount_segment, replace_stem
from .classes cimport Class, Segment, Stem
from .mixing cimport mix_low
from .stems cimport (
    end_of, head_of, make_segment, make_stem, one_at, same_suits, stem_anchor, stem_below,
    stem_column, stem_end, stem_length, stem_suits, suit_of,
)


cdef bint freeze(Generator* generator, int rank) noexcept nogil:
    """Try every way in which the segments of head ``rank`` - 1 can lie on the cards of ``rank``.

    Pairs of one suit come first, so that a cap of 1 joins what can be joined. The others come as they stand,
    or as the ``order`` says: with a cap that leads to other classes each time.
    """
    cdef const Class* base = &generator.base
    cdef int i, suits = 0
    memset(generator.above, NO_ITEM, sizeof(generator.above))
    generator.frozen = rank
    generator.slots = generator.heads = generator.fixed_count = generator.emitted = 0
    for i in range(base.segments):
        if head_of(base.segment[i]) == rank - 1:
            generator.head[generator.heads] = i
            generator.used[generator.heads] = False
            generator.heads += 1
            suits |= 1 << suit_of(base.segment[i])
    find_slots(generator, rank, suits)
    generator.turn = 0
    if generator.order:
        generator.turn = mix_low(generator.parent.low ^ generator.order ^ generator.plan.unit)
        shuffle(generator.head, generator.heads, generator.turn)
    return cover(generator, 0)


cdef inline void find_slots(Generator* generator, int rank, int suits) noexcept nogil:
    """List the items with tops of ``rank``, those of the ``suits`` first."""
    cdef const Class* base = &generator.base
    cdef uint8_t other[MAX_CARDS]
    cdef int i, others = 0
    cdef uint64_t turn = mix_low(generator.parent.low + generator.order)
    for i in range(base.stems):
        if stem_end(base.stem[i]) == rank:
            if suits >> (base.stem[i] & 3) & 1:
                generator.slot[generator.slots] = STEM + i
                generator.slots += 1
            else:
                other[others] = STEM + i
                others += 1
    for i in range(base.segments):
        if end_of(base.segment[i]) == rank:
            if suits >> suit_of(base.segment[i]) & 1:
                generator.slot[generator.slots] = i
                generator.slots += 1
            else:
                other[others] = i
                others += 1
    if generator.order:
        shuffle(generator.slot, generator.slots, turn)
        shuffle(other, others, turn)
    memcpy(generator.slot + generator.slots, other, others)
    generator.slots += others


cdef inline void shuffle(uint8_t* items, int count, uint64_t turn) noexcept nogil:
    cdef int i, other
    cdef uint8_t item
    for i in range(count - 1, 0, -1):
        turn = mix_low(turn + i)
        other = turn % <uint64_t>(i + 1)
        item = items[i]
        items[i] = items[other]
        items[other] = item


cdef inline int suit_of_item(const Class* base, int item) noexcept nogil:
    """The suit of an item's top card."""
    return base.stem[item - STEM] & 3 if item >= STEM else suit_of(base.segment[item])


cdef bint cover(Generator* generator, int slot) noexcept nogil:
    """Try all heads on all slots from number ``slot`` on; false if no more are wanted."""
    cdef const Class* base = &generator.base
    cdef uint64_t seen[16]
    cdef int i, other_suit, suit, item
    cdef Segment segment
    if slot == generator.slots:
        return find_fixed(generator)
    item = generator.slot[slot]
    suit = suit_of_item(base, item)
    memset(seen, 0, sizeof(seen))
    for other_suit in range(2):
        for i in range(generator.heads):
            segment = base.segment[generator.head[i]]
            if (generator.used[i] or (suit_of(segment) != suit) != other_suit
                    or seen[segment >> 6] >> (segment & 63) & 1):
                continue
            seen[segment >> 6] |= <uint64_t>1 << (segment & 63)
            generator.used[i] = True
            generator.above[item] = generator.head[i]
            if not cover(generator, slot + 1):
                return False
            generator.used[i] = False
            generator.above[item] = NO_ITEM
    return True


cdef bint find_fixed(Generator* generator) noexcept nogil:
    """All slots are covered: note the segments that have become immovable, and try their places."""
    cdef const Class* base = &generator.base
    cdef int i, item
    generator.fixed_count = 0
    for i in range(generator.slots):
        item = generator.slot[i]
        if item < STEM and suit_of(base.segment[item]) != suit_of(base.segment[generator.above[item]]):
            generator.fixed[generator.fixed_count] = item
            generator.fixed_count += 1
    return place_fixed(generator, 0)


cdef bint place_fixed(Generator* generator, int i) noexcept nogil:
    """Try all places of the immovable segments from number ``i`` on: one suit first, then stems before
    segments, or from where the order says on."""
    cdef const Class* base = &generator.base
    cdef int joins, k, j, item, rank, suit, child, fixed_count = generator.fixed_count
    cdef int places = base.stems + base.segments, first
    if i == fixed_count:
        return emit_frozen(generator)
    first = generator.turn % <uint64_t>places       # there is the segment that is to be placed, at least
    child = generator.fixed[i]
    rank = head_of(base.segment[child]) + 1
    suit = suit_of(base.segment[child])
    for joins in range(1, -1, -1):
        for k in range(places):
            j = (k + first) % places
            if j < base.stems:
                item = STEM + base.stems - 1 - j
                if stem_end(base.stem[item - STEM]) != rank or item - STEM == generator.uncovered:
                    continue
            else:
                item = base.segments - 1 - (j - base.stems)
                if end_of(base.segment[item]) != rank:
                    continue
            if (generator.above[item] != NO_ITEM or (suit_of_item(base, item) == suit) != joins
                    or is_repeated(generator, item)):
                continue
            generator.above[item] = child
            generator.carrier[i] = item
            if item < STEM:
                generator.fixed[fixed_count] = item
                generator.fixed_count = fixed_count + 1
            if not place_fixed(generator, i + 1):
                return False
            generator.fixed_count = fixed_count
            generator.above[item] = NO_ITEM
    return True


cdef bint is_repeated(Generator* generator, int item) noexcept nogil:
    """Whether an equal item of higher number is free too, which is tried instead."""
    cdef const Class* base = &generator.base
    cdef int other
    if item >= STEM:
        for other in range(item + 1, STEM + base.stems):
            if (base.stem[other - STEM] == base.stem[item - STEM] and generator.above[other] == NO_ITEM
                    and other - STEM != generator.uncovered):
                return True
        return False
    for other in range(item + 1, base.segments):
        if base.segment[other] == base.segment[item] and generator.above[other] == NO_ITEM:
            return True
    return False


cdef bint emit_frozen(Generator* generator) noexcept nogil:
    """Build the successor in which each item carries what lies above it; false if no more are wanted."""
    cdef const Class* base = &generator.base
    cdef Class child
    cdef uint8_t covered[MAX_CARDS]
    cdef int i
    if generator.emitted == generator.cap:
        generator.capped = True
        return False
    generator.emitted += 1
    memset(covered, 0, base.segments)
    for i in range(base.segments):
        if generator.above[i] != NO_ITEM:
            covered[generator.above[i]] = True
    memcpy(&child, base, sizeof(Class) - sizeof(base.segment))
    child.segments = 0
    for i in range(base.stems):
        if generator.above[STEM + i] != NO_ITEM:
            covered[generator.above[STEM + i]] = True
            lengthen_stem(generator, &child, i)
    for i in range(base.segments):
        if not covered[i]:
            keep_segment(generator, &child, i)
    if generator.with_links:
        write_links(generator)
    return finish(generator, &child, one_at(generator.frozen))


cdef inline void lengthen_stem(const Generator* generator, Class* child, int i) noexcept nogil:
    """Make what lies above stem ``i`` a part of it."""
    cdef Stem stem = generator.base.stem[i]
    cdef Segment segment
    cdef int length = stem_length(stem), suits = stem_suits(stem), item = generator.above[STEM + i], cards
    while item != NO_ITEM:
        segment = generator.base.segment[item]
        discount_segment(child, segment)
        cards = head_of(segment) - end_of(segment) + 1
        suits = suits << 2 * cards | same_suits(suit_of(segment), cards)
        length += cards
        item = generator.above[item]
    replace_stem(child, i, make_stem(stem_column(stem), stem_below(stem), stem_anchor(stem), length, suits))


cdef inline void keep_segment(const Generator* generator, Class* child, int i) noexcept nogil:
    """Hand on segment ``i``, which lies on nothing settled, one with what lies above it, of its suit."""
    cdef Segment segment = generator.base.segment[i]
    cdef int item = generator.above[i]
    if item != NO_ITEM:
        discount_segment(child, segment)
        while item != NO_ITEM:
            discount_segment(child, generator.base.segment[item])
            segment = make_segment(head_of(segment), end_of(generator.base.segment[item]), suit_of(segment))
            item = generator.above[item]
        count_segment(child, segment)
    child.segment[child.segments] = segment
    child.segments += 1


cdef void write_links(Generator* generator) noexcept nogil:
    """Note in the plan what has to lie on what, the highest heads first."""
    cdef const Class* base = &generator.base
    cdef int rank, i
    generator.plan.links = 0
    for rank in range(generator.layout.ranks - 1, -1, -1):
        for i in range(generator.fixed_count):
            if head_of(base.segment[generator.fixed[i]]) == rank:
                write_link(generator, generator.carrier[i])
    for i in range(generator.slots):
        write_link(generator, generator.slot[i])


cdef inline void write_link(Generator* generator, int item) noexcept nogil:
    """Note what ``item`` carries."""
    cdef Plan* plan = &generator.plan
    cdef int child = generator.above[item]
    if item >= STEM and item - STEM == generator.gone:
        item = STEM + generator.base.stems      # the last stem had taken the number of the one that went
    plan.child[plan.links] = UNIT if child == generator.base.segments - 1 else child
    plan.parent[plan.links] = item
    plan.links += 1
