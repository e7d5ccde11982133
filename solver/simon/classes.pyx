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

from libc.stdint cimport uint64_t, uint8_t
from libc.string cimport memcpy, memset

from ..core.invariant cimport invariant
from .common cimport MAX_CARDS, mix_low


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


# --- Normal form, keys and packed form ----------------------------------------------------------------------

# Classes of positions that reach each other by lateral moves: their parts, normal form, key, packed form.
#
# A *lateral* move takes a run off a card one rank higher and puts it on another such card. It can be taken
# back, and it changes nothing but which of the equal blanks is covered; so the search goes over classes.
#
# Terms. A *break* is a pair of neighbours in a column whose ranks do not descend by one. Moves never make a
# break: below and including the upper card of its last break, the *anchor*, a column is as in the layout (a
# column without breaks has its deepest card as anchor). A *link* of rank r is a card of rank r - 1 on a card
# of rank r, above the anchor. ``open[r]`` is the number of exposed cards of rank r. A link of rank r is
# *mutable* if open[r] > 0: then the piece above it has somewhere else to lie.
#
# Every column is cut at its mutable links. From its top downwards the pieces of one suit are peeled off,
# until a piece is of mixed suits or holds the anchor. The peeled ones are *segments*, what is left is the
# *stem*. The class is the multiset of stems and segments; ``open[r]`` follows from it, as the tops of rank r
# less the segment heads of rank r - 1.
#
# Theorem 1. If complete runs did not leave, all arrangements of a class, that is, all ways of laying each
# segment on a stem or segment whose top is one rank higher, could be turned into one another by lateral
# moves.
#
# Proof. Any piece can be exposed: the topmost piece Z above it has a head of rank z with open[z + 1] > 0, as
# its link is mutable; the open card lies in another column, since all cards of Z's own column up to Z are
# covered; move Z there; repeat. None of this changes ``open``. To reach a given arrangement, go through the
# segments from high heads to low. To lay Y, of head h, on p: unload p, which moves pieces of heads up to h,
# each to another open card; unload Y, which moves pieces of heads below h, never onto p, whose rank is h + 1;
# move Y. Later steps move only lower heads, or such of head h as lie on cards not yet settled. QED.
#
# The key of a class is a pair of 64-bit sums of scattered numbers of its stems and segments, whatever their
# order; the upper one loses its top bit in the table. With n classes in one search the chance that two of
# them share a key is about n^2 / 2^128.

cdef void read_layout(Layout* layout, state) except *:
    """Take over the columns of ``state``, of `rules.simon`."""
    for i, column in enumerate(state.columns):
        layout.size[i] = len(column)
        for j, card in enumerate(column):
            layout.card[i][j] = card
    set_layout(layout, len(state.columns), state.deck.ranks)


cdef void set_layout(Layout* layout, int columns, int ranks) noexcept nogil:
    """Finish a layout whose cards and sizes are written."""
    cdef int column, other, n, first, suits
    cdef const uint8_t* card
    layout.columns = columns
    layout.ranks = ranks
    layout.cards = 0
    for column in range(columns):
        layout.cards += layout.size[column]
        layout.alike[column][0] = 0
        layout.stem_of[column][0] = 0
        card = layout.card[column]
        first = suits = 0
        for n in range(1, layout.size[column] + 1):
            layout.alike[column][n] = column
            for other in range(column):
                if (layout.size[other] >= n and layout.card[other][n - 1] == card[n - 1]
                        and (n == 1 or layout.alike[other][n - 1] == layout.alike[column][n - 1])):
                    layout.alike[column][n] = layout.alike[other][n]
                    break
            if n > 1 and (card[n - 2] >> 2) != (card[n - 1] >> 2) + 1:
                first = n - 1
                suits = 0
            suits = suits << 2 | (card[n - 1] & 3)
            layout.stem_of[column][n] = make_stem(
                layout.alike[column][first], first, card[first] >> 2, n - first, suits
            )


cdef void class_of(
    Class* state, const Layout* layout, const uint8_t (*card)[MAX_CARDS], const uint8_t* size
) noexcept nogil:
    """The class of a position that moves from ``layout`` lead to, complete runs having left."""
    cdef int column, first, i, suits
    clear_counts(state)
    state.stems = state.segments = 0
    state.fault = False
    for column in range(layout.columns):
        if size[column] == 0:
            continue
        first = size[column] - 1
        while first > 0 and (card[column][first - 1] >> 2) == (card[column][first] >> 2) + 1:
            first -= 1
        suits = 0
        for i in range(first, size[column]):
            suits = suits << 2 | (card[column][i] & 3)
        add_stem(state, make_stem(
            layout.alike[column][first], first, card[column][first] >> 2, size[column] - first, suits
        ))
    normalise(state, layout, NULL, 0)


cdef void check_class(const Class* state) noexcept nogil:
    """The invariants of a class: all that is kept up by moves is what it is when counted afresh."""
    cdef Class counted
    cdef int i
    clear_counts(&counted)
    for i in range(state.stems):
        count_stem(&counted, state.stem[i])
    for i in range(state.segments):
        count_segment(&counted, state.segment[i])
    invariant(counted.low == state.low and counted.high == state.high and counted.open == state.open)
    for i in range(4):
        invariant(counted.ends[i] == state.ends[i] and counted.heads[i] == state.heads[i])


cdef void normalise(
    Class* state, const Layout* layout, const Class* origin, Counts joined
) noexcept nogil:
    """Let complete stems leave, cut segments at mutable links, peel the stems.

    Cutting and peeling do not change ``open``, so one pass is enough. It serves classes and the states of the
    relaxation alike. ``origin`` is a normal class from which a move led here, or NULL. Unless a rank has been
    opened there is nothing to cut, nor to peel from stems that it has under the same number. A rank at whose
    links segments were ``joined`` on the way can be open again, if a stem became complete by it and leaves.
    """
    cdef int i = 0, length
    cdef Counts mutable_links, opened
    cdef Stem stem
    while i < state.stems:
        stem = state.stem[i]
        length = stem_length(stem)
        if length == layout.ranks and changes_of_suit(stem_suits(stem), length) == 0:
            truncate_stem(state, layout, i)
        else:
            i += 1
    mutable_links = opened = occurring(state.open) & ~<Counts>1
    if mutable_links == 0:
        return
    if origin != NULL:
        opened &= ~occurring(origin.open) | joined
    if opened:
        cut_segments(state, opened)
    for i in range(state.stems):
        if opened or i >= origin.stems or state.stem[i] != origin.stem[i]:
            peel(state, i, mutable_links)


cdef inline void cut_segments(Class* state, Counts links) noexcept nogil:
    """Cut the segments at all links of some ranks."""
    cdef int i = 0, rank
    cdef Counts inside
    cdef Segment segment
    while i < state.segments:
        segment = state.segment[i]
        inside = links & ranks_between(head_of(segment), end_of(segment))
        if inside:
            rank = lowest_rank(inside)
            remove_segment(state, i)
            add_segment(state, make_segment(head_of(segment), rank, suit_of(segment)))
            add_segment(state, make_segment(rank - 1, end_of(segment), suit_of(segment)))
        else:
            i += 1


cdef inline void peel(Class* state, int i, Counts mutable_links) noexcept nogil:
    """Make segments of the pieces of one suit on top of stem ``i``, above its anchor's piece."""
    cdef Stem stem = state.stem[i]
    cdef int end = stem_end(stem), rank, suits
    cdef Counts inside
    while True:
        inside = mutable_links & ranks_between(stem_anchor(stem), end)
        if inside == 0:
            return
        rank = lowest_rank(inside)
        suits = stem_suits(stem)
        if one_suit_top(suits, stem_length(stem)) < rank - end:
            return
        stem = without_top(stem, rank - end)
        replace_stem(state, i, stem)
        add_segment(state, make_segment(rank - 1, end, suits & 3))
        end = rank


cdef void clear_counts(Class* state) noexcept nogil:
    """Set the key and all counts to those of no cards."""
    state.low = state.high = state.open = 0
    memset(state.ends, 0, sizeof(state.ends))
    memset(state.heads, 0, sizeof(state.heads))


cdef int pack(const Class* state, uint8_t* record) noexcept nogil:
    """Write a class as its key, two counts, six bytes a stem and two a segment; the number of bytes."""
    cdef int i, at = 18
    memcpy(record, &state.low, 8)
    memcpy(record + 8, &state.high, 8)
    record[16] = state.stems
    record[17] = state.segments
    for i in range(state.stems):
        memcpy(record + at, &state.stem[i], 6)
        at += 6
    memcpy(record + at, state.segment, 2 * state.segments)
    return at + 2 * state.segments


cdef void unpack(Class* state, const uint8_t* record) noexcept nogil:
    """Read back what `pack` wrote."""
    cdef int i, at = 18
    cdef Counts end, parent
    cdef Segment segment
    clear_counts(state)
    memcpy(&state.low, record, 8)
    memcpy(&state.high, record + 8, 8)
    state.stems = record[16]
    state.segments = record[17]
    state.fault = False
    for i in range(state.stems):
        state.stem[i] = 0
        memcpy(&state.stem[i], record + at, 6)
        at += 6
        end = one_at(stem_end(state.stem[i]))
        state.open += end
        state.ends[state.stem[i] & 3] += end
    memcpy(state.segment, record + at, 2 * state.segments)
    for i in range(state.segments):
        segment = state.segment[i]
        end = one_at(end_of(segment))
        parent = one_at(head_of(segment) + 1)
        state.open += end - parent
        state.ends[suit_of(segment)] += end
        state.heads[suit_of(segment)] += parent


# --- Moves between classes ----------------------------------------------------------------------------------

cdef inline bint finish(Generator* generator, Class* child, Counts joined) noexcept nogil:
    """Hand over a successor; false if no more are wanted. ``joined`` is for `normalise`."""
    normalise(child, generator.layout, generator.parent, joined)
    generator.produced += 1
    if child.fault:
        generator.fault = generator.stopped = True
    elif not generator.consumer(generator.context, child, &generator.plan):
        generator.stopped = True
    return not generator.stopped


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


# --- Links that become immovable ----------------------------------------------------------------------------

# A rank freezes: all the ways in which segments can lie on its cards, of which none is exposed any more.
#
# Why they are all, and no more, `class_moves` says. The recursions go down at most as far as there are cards.

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
