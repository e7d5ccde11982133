"""Classes of positions connected by lateral moves: their parts, canonical form, key and packed form.

A class is an equivalence class under reversible moves of one kind. Searching classes instead of positions
factors out the arrangements: all ways in which the movable runs of a class can lie.

A *lateral* move takes a run off a card one rank higher and puts it on another such card. It is reversible,
and changes only which of the cards of one rank is covered.

A *break* is a pair of neighbours in a column whose ranks do not descend by one. Moves never make a break: up
to and including the upper card of its last break, the *anchor*, a column is as in the layout (a column
without breaks has its deepest card as anchor). A *link* of rank r is a card of rank r - 1 on a card of rank
r, above the anchor. ``open[r]`` is the number of exposed cards of rank r. A link of rank r is *mutable* if
open[r] > 0: then the piece above it can lie elsewhere.

Every column is cut at its mutable links into pieces. From its top down, pieces of one suit are peeled off
until a piece is of mixed suits or contains the anchor. The pieces peeled off are *segments* (movable runs),
the rest of the column is its *stem* (fixed prefix). The class is the multiset of stems and segments. It
determines ``open[r]``: the number of tops of rank r minus the number of segment heads of rank r - 1. Lateral
moves connect all arrangements of a class (Theorem S15).

The key of a class is a pair of 64-bit sums of hashes of its stems and segments, so their order does not
matter; the upper sum loses its top bit in the hash table. With n classes in one search the probability that
two of them share a key is about n^2 / 2^128.
"""

# optimised: searches spend their time here

from libc.string cimport memcpy, memset

from ..core.bits cimport take_bit
from ..core.invariant cimport invariant


cdef void load_desk(Layout* layout, const Desk* desk) noexcept nogil:
    """Set ``layout`` to the position ``desk``."""
    memcpy(layout.size, desk.size, desk.columns)
    memcpy(layout.card, desk.card, sizeof(layout.card))
    set_layout(layout, desk.columns, desk.ranks)


cdef void set_layout(Layout* layout, int columns, int ranks) noexcept nogil:
    """Compute the other fields of a layout whose ``card`` and ``size`` are set."""
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
            layout.stem_of[column][n] = make_stem(layout.alike[column][first], first, card[first] >> 2,
                                                  n - first, suits)


cdef void class_of(Class* state, const Layout* layout, const uint8_t (*card)[MAX_CARDS],
                   const uint8_t* size) noexcept nogil:
    """Set ``state`` to the class of a position that can be reached from ``layout``, without complete runs on
    top. ``card`` and ``size`` are its columns."""
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
    """Assert the invariants of a class: key and counts equal those computed from its stems and segments."""
    cdef Class counted
    cdef int i
    clear_counts(&counted)
    for i in range(state.stems):
        count_stem(&counted, state.stem[i], 1)
    for i in range(state.segments):
        count_segment(&counted, state.segment[i], 1)
    invariant(counted.low == state.low and counted.high == state.high and counted.open == state.open)
    for i in range(4):
        invariant(counted.ends[i] == state.ends[i] and counted.heads[i] == state.heads[i])


cdef void normalise(Class* state, const Layout* layout, const Class* origin, Counts joined) noexcept nogil:
    """Bring a class into canonical form: remove complete stems, cut segments at mutable links, peel stems.

    Cutting and peeling do not change ``open``, so one pass suffices. ``origin`` is the class in canonical
    form from which a move led here, or NULL. It saves work: if no rank is newly open, segments need no
    cutting, nor stems that ``origin`` has under the same number peeling. ``joined`` has 1 at each rank at
    whose links the move joined segments; such a rank counts as newly open if it is open, because a stem that
    became complete has left.
    """
    cdef int i
    cdef uint64_t changed = (1 << state.stems) - 1, unseen
    cdef Counts mutable_links, opened
    if origin != NULL:
        for i in range(min(state.stems, origin.stems)):
            changed ^= (state.stem[i] == origin.stem[i]) << i
    unseen = changed
    while unseen:
        i = lowest_bit(unseen)
        if (stem_length(state.stem[i]) == layout.ranks
                and changes_of_suit(stem_suits(state.stem[i]), layout.ranks) == 0):     # a whole suit
            truncate_stem(state, layout, i)
            changed &= (1 << state.stems) - 1
            unseen &= changed
        else:
            unseen &= unseen - 1
    mutable_links = opened = occurring(state.open) & ~<Counts>1
    if mutable_links == 0:
        return
    if origin != NULL:
        opened &= ~occurring(origin.open) | joined
    if opened:
        cut_segments(state, opened)
        changed = (1 << state.stems) - 1
    while changed:
        peel(state, take_bit(&changed), mutable_links)


cdef inline void cut_segments(Class* state, Counts links) noexcept nogil:
    """Cut the segments at all links of the ranks whose bits are set in ``links``."""
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
    """Turn the one-suit pieces on top of stem ``i`` into segments, down to the piece of its anchor or one of
    mixed suits. ``mutable_links`` has 1 at each rank whose links are mutable."""
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
    """Set the key and all counts to 0."""
    state.low = state.high = state.open = 0
    memset(state.ends, 0, sizeof(state.ends))
    memset(state.heads, 0, sizeof(state.heads))


cdef int pack(const Class* state, uint8_t* record) noexcept nogil:
    """Write a class to ``record`` as its key, two counts, six bytes a stem and two a segment; return the
    number of bytes. May write two bytes more."""
    cdef int i, at = 18
    memcpy(record, &state.low, 8)
    memcpy(record + 8, &state.high, 8)
    record[16] = state.stems
    record[17] = state.segments
    for i in range(state.stems):
        memcpy(record + at, &state.stem[i], 8)      # the next item overwrites the last two bytes, zeros
        at += 6
    memcpy(record + at, state.segment, 2 * state.segments)
    return at + 2 * state.segments


cdef void unpack(Class* state, const uint8_t* record) noexcept nogil:
    """Set ``state`` from a record written by `pack`."""
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
        memcpy(&state.stem[i], record + at, 8)
        state.stem[i] &= ((<Stem>1 << 48) - 1)
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
