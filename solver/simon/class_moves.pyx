"""Moves between the classes of `classes`, and the relaxation R1 that proves deals unwinnable.

Class moves. A real move is lateral, and stays in the class, or it is one of these:

    X, Y    the anchor above a break, with all above it, goes onto a card (X) or to an empty column (Y);
    G       a column's deepest card with all above it goes onto a card;
    F       a run that lies on a card one rank higher goes to an empty column.

A king to ace run that leaves is the move C: a stem's tail from the king and segments of its suit that
continue it down to the ace. ``open`` falls in X and G at the rank of the target, and in C for the ace, on
which nothing lies; everywhere else it stays or rises. When it falls to 0 at rank p, the links of rank p
*freeze*: each segment of head p - 1 stays on the card it lies on. A segment on one of its own suit makes a
longer segment; on another suit the two become immovable, so the lower one's own place is settled too, and so
on down to a stem. `freeze` tries every way this can be.

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

# optimised: searches spend their time here

from libc.stdint cimport uint64_t
from libc.string cimport memset

from .capacity cimport MAX_CARDS
from .class_edits cimport (
    add_segment, add_stem, copy_class, is_first_segment, is_first_stem, is_open, remove_segment,
    replace_stem, truncate_stem,
)
from .classes cimport Class, Layout, Segment, Stem
from .stems cimport (
    changes_of_suit, end_of, head_of, make_segment, make_stem, one_suit_top, same_suits,
    stem_anchor, stem_below, stem_end, stem_length, stem_suits, suit_of, without_top,
)
from .freeze cimport freeze


cdef bint generate_successors(
    Generator* generator, const Layout* layout, const Class* parent, bint relaxed, Selection selection,
    int cap, Consumer consumer, void* context
) noexcept nogil:
    """Hand all successors of ``parent`` by the moves of ``selection``, with duplicates, to ``consumer``;
    false if it had enough.

    ``capped`` is set if a freeze had more than ``cap`` successors, of which the rest is left out.
    """
    cdef int i
    begin(generator, layout, parent, consumer, context)
    generator.relaxed = relaxed
    generator.selection = selection
    generator.cap = cap
    if parent.stems < layout.columns:
        if selection & PARKING:
            segments_to_empty(generator)
        for i in range(parent.stems):
            if not generator.stopped and is_first_stem(parent, i):
                stem_to_empty(generator, i)
    if not selection & UNCOVERING:
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
    generator.selection = ALL
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
        if not generator.selection & (UNCOVERING if cards == top else PARKING):
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
