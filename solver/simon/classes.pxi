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


cdef inline void load_desk(Layout* layout, const Desk* desk) noexcept nogil:
    """Set ``layout`` to the position ``desk``."""
    memcpy(layout.size, desk.size, desk.columns)
    memcpy(layout.card, desk.card, sizeof(layout.card))
    set_layout(layout, desk.columns, desk.ranks)


cdef inline void set_layout(Layout* layout, int columns, int ranks) noexcept nogil:
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


cdef inline void class_of(Class* state, const Layout* layout, const uint8_t (*card)[MAX_CARDS],
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


cdef inline void check_class(const Class* state) noexcept nogil:
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


cdef inline void normalise(Class* state, const Layout* layout, const Class* origin,
                           Counts joined) noexcept nogil:
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


cdef inline void clear_counts(Class* state) noexcept nogil:
    """Set the key and all counts to 0."""
    state.low = state.high = state.open = 0
    memset(state.ends, 0, sizeof(state.ends))
    memset(state.heads, 0, sizeof(state.heads))


cdef inline int pack(const Class* state, uint8_t* record) noexcept nogil:
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


cdef inline void unpack(Class* state, const uint8_t* record) noexcept nogil:
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
