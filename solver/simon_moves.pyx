"""Moves between the classes of `simon_class`, and the relaxation R1 that proves deals unwinnable.

Class moves. A real move is lateral, and stays in the class, or it is one of these:

    X, Y    the anchor above a break, with all above it, goes onto a card (X) or to an empty column (Y);
    G       a column's deepest card with all above it goes onto a card;
    F       a run that lies on a card one rank higher goes to an empty column.

A king to ace run that leaves is the move C: a stem's tail from the king and segments of its suit that
continue it down to the ace. ``open`` falls in X and G at the rank of the target, and in C for the ace, on
which nothing lies; everywhere else it stays or rises. When it falls to 0 at rank p, the links of rank p
*freeze*: each segment of head p - 1 stays on the card it lies on. A segment on one of its own suit makes a
longer segment; on another suit the two become immovable, so the lower one's own place is settled too, and so
on down to a stem. `generate` tries every way this can be.

Completeness. Let a real move lead from position S to T, by which n runs leave. Then the class of T is the
class of S, or a generated successor of it, or comes from one of these by at most n moves C. Proof. The unit
moved is a run on top of its column, so it consists of a piece of the class (or its upper part, in F) and of
segments of its suit above it, which the class leaves free. If its head lay on a card one rank higher and goes
onto another such card, then ``open`` is positive at that rank and stays so: the move is lateral. Else it is
X, Y, G or F, as the place it came from and its target say. If a rank freezes, the arrangement that T has is
one of those tried, for the cards below were not moved; in it no immovable segment lies on the card that the
unit uncovered. Complete stems are complete runs on top of their columns and leave at once; other complete
runs are a stem's tail with segments on it, and leave by C. QED.

So every winning line maps into the class graph, and when that has been searched through without a win, the
deal is unwinnable. This needs no Theorem 1. The converse fails where a run that is completed must leave
though the plan wants it to stay: two decks, `AH | 2C 2H | AH AD AC 2H 2D` with ranks A and 2 is won by its
classes and not by the rules. So a winning path of classes is no verdict before it has been played.

Relaxation R1. Nothing freezes: links that were cut stay cut when ``open`` falls to 0. A unit whose top has
rank t > ace with open[t] = 0 lies covered by an unknown card, so it can move only together with a free
segment of its suit and head t - 1, which is then glued on; all are tried. Invariant: the stems are the lower
parts of the real columns, the segments divide the other cards into runs that lie together in the real
position, and ``open`` is the real one. Every real move keeps it under a lateral move (which needs open > 0,
so that its link is cut) or a generated one: a unit that moves is a chain of pieces, and where open is 0 each
next piece begins right below the last in rank and suit, and is in the list. So a real win gives a win of R1;
when R1 has been searched through without one, the deal is unwinnable.

No rule that forces a join of two runs is sound, not even where it could be taken back, so none is used.

A state holds at most as many segments as cards, 104. The recursions here go down at most that far.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from .simon_class cimport (
    MAX_CARDS, Class, Counts, Layout, Segment, Stem, add_segment, add_stem, changes_of_suit, copy_class,
    count_segment, discount_segment, end_of, head_of, is_first_segment, is_first_stem, is_open, make_segment,
    make_stem, normalise, one_at, one_suit_top, remove_segment, replace_stem, same_suits, stem_anchor,
    stem_below, stem_column, stem_end, stem_length, stem_suits, suit_of, truncate_stem, without_top,
)


cdef bint generate(
    Generator* generator, const Layout* layout, const Class* parent, bint relaxed, Choice choice, int cap,
    Consumer consumer, void* context
) noexcept nogil:
    """Hand all successors of ``parent`` by the moves of ``choice``, with duplicates, to ``consumer``; false
    if it had enough.

    ``capped`` is set if a freeze had more than ``cap`` successors, of which the rest is left out.
    """
    cdef int i
    begin(generator, layout, parent, consumer, context)
    generator.relaxed = relaxed
    generator.choice = choice
    generator.cap = cap
    if parent.stems < layout.columns:
        if choice & PARKING:
            segments_to_empty(generator)
        for i in range(parent.stems):
            if not generator.stopped and is_first_stem(parent, i):
                stem_to_empty(generator, i)
    if not choice & UNCOVERING:
        return not generator.stopped
    for i in range(parent.stems):
        if not generator.stopped and is_first_stem(parent, i):
            stem_onto_card(generator, i)
    return complete_runs(generator)


cdef bint generate_completions(
    Generator* generator, const Layout* layout, const Class* parent, Consumer consumer, void* context
) noexcept nogil:
    """Hand over only the successors by which a run leaves."""
    begin(generator, layout, parent, consumer, context)
    return complete_runs(generator)


cdef bint generate_unit(
    Generator* generator, const Layout* layout, const Class* parent, int cap, int kind, int unit,
    Consumer consumer, void* context
) noexcept nogil:
    """Hand over, of the class moves from ``parent``, those of one kind and unit."""
    begin(generator, layout, parent, consumer, context)
    generator.relaxed = False
    generator.choice = ALL
    generator.cap = cap
    if kind == COMPLETE:
        complete(generator, unit - STEM)
    elif kind == ONTO_CARD:
        stem_onto_card(generator, unit - STEM)
    elif unit >= STEM:
        stem_to_empty(generator, unit - STEM)
    else:
        segment_to_empty(generator, unit)
    return not generator.stopped


cdef void begin(
    Generator* generator, const Layout* layout, const Class* parent, Consumer consumer, void* context
) noexcept nogil:
    generator.layout = layout
    generator.parent = parent
    generator.consumer = consumer
    generator.context = context
    generator.capped = generator.stopped = generator.fault = False


cdef bint complete_runs(Generator* generator) noexcept nogil:
    cdef int i
    for i in range(generator.parent.stems):
        if not generator.stopped and is_first_stem(generator.parent, i):
            complete(generator, i)
    return not generator.stopped


cdef inline bint finish(Generator* generator, Class* child, Counts joined) noexcept nogil:
    """Hand over a successor; false if no more are wanted. ``joined`` is for `normalise`."""
    normalise(child, generator.layout, generator.parent, joined)
    generator.produced += 1
    if child.fault:
        generator.fault = generator.stopped = True
    elif not generator.consumer(generator.context, child, &generator.plan):
        generator.stopped = True
    return not generator.stopped


# --- The moves ----------------------------------------------------------------------------------------------


cdef void segments_to_empty(Generator* generator) noexcept nogil:
    """F: each upper part of each segment to an empty column."""
    cdef const Class* parent = generator.parent
    cdef Segment segment
    cdef uint64_t seen[16]
    cdef int i
    memset(seen, 0, sizeof(seen))
    for i in range(parent.segments):
        segment = parent.segment[i]
        if seen[segment >> 6] >> (segment & 63) & 1:
            continue
        seen[segment >> 6] |= <uint64_t>1 << (segment & 63)
        segment_to_empty(generator, i)
        if generator.stopped:
            return


cdef void segment_to_empty(Generator* generator, int i) noexcept nogil:
    cdef Class base
    cdef Segment segment = generator.parent.segment[i]
    cdef int head
    if not can_come_off(generator.parent, end_of(segment), suit_of(segment)):
        return
    for head in range(end_of(segment), head_of(segment) + 1):
        copy_class(&base, generator.parent)
        remove_segment(&base, i)
        if head < head_of(segment):
            add_segment(&base, make_segment(head_of(segment), head + 1, suit_of(segment)))
        set_plan(generator, TO_EMPTY, i, head - end_of(segment) + 1)
        join(generator, &base, head, end_of(segment), suit_of(segment))
        if generator.stopped:
            return


cdef void stem_to_empty(Generator* generator, int i) noexcept nogil:
    """F and Y: each upper part of one suit of a stem's tail to an empty column; with the anchor only if it
    lies on a card."""
    cdef const Class* parent = generator.parent
    cdef Class base
    cdef Stem stem = parent.stem[i]
    cdef int length = stem_length(stem)
    cdef int top = one_suit_top(stem_suits(stem), length)
    cdef int cards
    if not can_come_off(parent, stem_end(stem), stem & 3):
        return
    for cards in range(1, top + 1):
        if cards == length and stem_below(stem) == 0:
            return
        if not generator.choice & (UNCOVERING if cards == top else PARKING):
            continue
        copy_class(&base, parent)
        if cards == length:
            truncate_stem(&base, generator.layout, i)
        else:
            replace_stem(&base, i, without_top(stem, cards))
        set_plan(generator, TO_EMPTY, STEM + i, cards)
        join(generator, &base, stem_end(stem) + cards - 1, stem_end(stem), stem & 3)
        if generator.stopped:
            return


cdef void stem_onto_card(Generator* generator, int i) noexcept nogil:
    """X and G: the whole tail of a stem onto a card."""
    cdef const Class* parent = generator.parent
    cdef Class base
    cdef Stem stem = parent.stem[i]
    cdef int length = stem_length(stem)
    cdef int anchor = stem_anchor(stem)
    if (anchor == generator.layout.ranks - 1 or not is_open(parent, anchor + 1)
            or one_suit_top(stem_suits(stem), length) < length
            or not can_come_off(parent, stem_end(stem), stem & 3)):
        return
    copy_class(&base, parent)
    truncate_stem(&base, generator.layout, i)
    generator.uncovered = i if stem_below(stem) else -1
    generator.gone = -1 if stem_below(stem) else i
    set_plan(generator, ONTO_CARD, STEM + i, length)
    join(generator, &base, anchor, stem_end(stem), stem & 3)


cdef void complete(Generator* generator, int i) noexcept nogil:
    """C: a stem's tail from the king, with segments down to the ace, leaves."""
    cdef Stem stem = generator.parent.stem[i]
    cdef int length = stem_length(stem)
    if stem_anchor(stem) != generator.layout.ranks - 1 or changes_of_suit(stem_suits(stem), length) != 0:
        return
    set_plan(generator, COMPLETE, STEM + i, length)
    continue_run(generator, i, stem_end(stem), stem & 3)


cdef bint continue_run(Generator* generator, int stem, int end, int suit) noexcept nogil:
    """Try all chains of segments that continue a run from ``end`` down; false if no more are wanted."""
    cdef const Class* parent = generator.parent
    cdef Class base
    cdef Plan* plan = &generator.plan
    cdef int i, links = plan.links
    if end == 0:
        copy_class(&base, parent)
        remove_chain(&base, plan)
        truncate_stem(&base, generator.layout, stem)
        return finish(generator, &base, 0)
    for i in range(parent.segments):
        if (head_of(parent.segment[i]) != end - 1 or suit_of(parent.segment[i]) != suit
                or not is_first_segment(parent, i)):
            continue
        plan.child[links] = i
        plan.parent[links] = plan.child[links - 1] if links else STEM + stem
        plan.links = links + 1
        if not continue_run(generator, stem, end_of(parent.segment[i]), suit):
            return False
        plan.links = links
    return True


cdef void remove_chain(Class* base, const Plan* plan) noexcept nogil:
    """Take the segments of a plan out, the last in number first."""
    cdef int _, j, last = MAX_CARDS, next_last
    for _ in range(plan.links):
        next_last = -1
        for j in range(plan.links):
            if next_last < plan.child[j] < last:
                next_last = plan.child[j]
        remove_segment(base, next_last)
        last = next_last


cdef inline void set_plan(Generator* generator, int kind, int unit, int cards) noexcept nogil:
    generator.plan.kind = kind
    generator.plan.unit = unit
    generator.plan.cards = cards
    generator.plan.links = 0


cdef bint can_come_off(const Class* parent, int end, int suit) noexcept nogil:
    """Whether a unit with this top can be freed: by itself, or glued to the segment that continues it."""
    cdef int i
    if end == 0 or is_open(parent, end):
        return True
    for i in range(parent.segments):
        if head_of(parent.segment[i]) == end - 1 and suit_of(parent.segment[i]) == suit:
            return True
    return False


cdef bint join(Generator* generator, Class* base, int head, int end, int suit) noexcept nogil:
    """Lay down the unit from ``head`` to ``end`` that was taken out of ``base``, where its top is covered
    with each segment that can be glued to it; false if no more are wanted. ``base`` is used up."""
    cdef Class child
    cdef Segment segment
    cdef uint64_t seen = 0
    cdef int i
    if end == 0 or is_open(generator.parent, end):
        return lay_down(generator, base, head, end, suit)
    for i in range(base.segments):
        segment = base.segment[i]
        if head_of(segment) != end - 1 or suit_of(segment) != suit or seen >> end_of(segment) & 1:
            continue
        seen |= <uint64_t>1 << end_of(segment)
        copy_class(&child, base)
        remove_segment(&child, i)
        if not join(generator, &child, head, end_of(segment), suit):
            return False
    return True


cdef bint lay_down(Generator* generator, Class* child, int head, int end, int suit) noexcept nogil:
    """Put the unit where the plan says; false if no more are wanted."""
    if generator.plan.kind == TO_EMPTY:
        add_stem(child, make_stem(0, 0, head, head - end + 1, same_suits(suit, head - end + 1)))
        return finish(generator, child, 0)
    add_segment(child, make_segment(head, end, suit))
    if generator.relaxed or is_open(child, head + 1):
        return finish(generator, child, 0)
    copy_class(&generator.base, child)
    return freeze(generator, head + 1)


# --- Freezing -----------------------------------------------------------------------------------------------


cdef bint freeze(Generator* generator, int rank) noexcept nogil:
    """Try every way in which the segments of head ``rank`` - 1 can lie on the cards of ``rank``.

    Pairs of one suit come first, so that a cap of 1 joins what can be joined.
    """
    cdef const Class* base = &generator.base
    cdef int i, suits = 0
    memset(generator.above, NO_ITEM, sizeof(generator.above))
    generator.frozen = rank
    generator.slots = generator.heads = generator.stuck = generator.emitted = 0
    for i in range(base.segments):
        if head_of(base.segment[i]) == rank - 1:
            generator.head[generator.heads] = i
            generator.used[generator.heads] = False
            generator.heads += 1
            suits |= 1 << suit_of(base.segment[i])
    find_slots(generator, rank, suits)
    return cover(generator, 0)


cdef inline void find_slots(Generator* generator, int rank, int suits) noexcept nogil:
    """List the items with tops of ``rank``, those of the ``suits`` first."""
    cdef const Class* base = &generator.base
    cdef uint8_t other[MAX_CARDS]
    cdef int i, others = 0
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
    memcpy(generator.slot + generator.slots, other, others)
    generator.slots += others


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
        return find_roots(generator)
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


cdef bint find_roots(Generator* generator) noexcept nogil:
    """All slots are covered: settle the segments that have become immovable."""
    cdef const Class* base = &generator.base
    cdef int i, item
    generator.stuck = 0
    for i in range(generator.slots):
        item = generator.slot[i]
        if item < STEM and suit_of(base.segment[item]) != suit_of(base.segment[generator.above[item]]):
            generator.fixed[generator.stuck] = item
            generator.stuck += 1
    return settle(generator, 0)


cdef bint settle(Generator* generator, int i) noexcept nogil:
    """Try all places of the immovable segments from number ``i`` on: one suit, then stems, then segments."""
    cdef const Class* base = &generator.base
    cdef int joins, j, item, rank, suit, child, stuck = generator.stuck
    if i == stuck:
        return emit_frozen(generator)
    child = generator.fixed[i]
    rank = head_of(base.segment[child]) + 1
    suit = suit_of(base.segment[child])
    for joins in range(1, -1, -1):
        for j in range(base.stems + base.segments):
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
                generator.fixed[stuck] = item
                generator.stuck = stuck + 1
            if not settle(generator, i + 1):
                return False
            generator.stuck = stuck
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
    """Build the successor in which each item carries what lies above it."""
    cdef const Class* base = &generator.base
    cdef Class child
    cdef uint8_t covered[MAX_CARDS]
    cdef int i, item, length, suits, cards
    cdef Stem stem
    cdef Segment segment
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
        item = generator.above[STEM + i]
        if item == NO_ITEM:
            continue
        stem = base.stem[i]
        length = stem_length(stem)
        suits = stem_suits(stem)
        while item != NO_ITEM:
            covered[item] = True
            segment = base.segment[item]
            discount_segment(&child, segment)
            cards = head_of(segment) - end_of(segment) + 1
            suits = suits << 2 * cards | same_suits(suit_of(segment), cards)
            length += cards
            item = generator.above[item]
        replace_stem(
            &child, i, make_stem(stem_column(stem), stem_below(stem), stem_anchor(stem), length, suits)
        )
    for i in range(base.segments):
        if covered[i]:
            continue
        segment = base.segment[i]
        item = generator.above[i]
        if item != NO_ITEM:
            discount_segment(&child, segment)
            while item != NO_ITEM:
                discount_segment(&child, base.segment[item])
                segment = make_segment(head_of(segment), end_of(base.segment[item]), suit_of(segment))
                item = generator.above[item]
            count_segment(&child, segment)
        child.segment[child.segments] = segment
        child.segments += 1
    if generator.with_links:
        write_links(generator)
    return finish(generator, &child, one_at(generator.frozen))


cdef void write_links(Generator* generator) noexcept nogil:
    """Note in the plan what has to lie on what, the highest heads first."""
    cdef const Class* base = &generator.base
    cdef int rank, i
    generator.plan.links = 0
    for rank in range(generator.layout.ranks - 1, -1, -1):
        for i in range(generator.stuck):
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
