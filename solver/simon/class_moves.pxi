"""Moves between classes, and the commitment of links.

The successors of a class cover every legal move of its positions (Theorem S16). So a class graph exhausted
without a win proves that the deal is unwinnable, if ``capped`` was never set.

A real move is lateral, and stays in the class, or it is one of these:

    X, Y    the anchor above a break, with all above it, moves onto a card (X) or to an empty column (Y);
    G       the deepest card of a column, with all above it, moves onto a card;
    F       a run that lies on a card one rank higher moves to an empty column;
    C       a run from king to ace leaves: the tail of a stem from the king down, and segments of its suit.

``open`` falls by X and G at the rank of the target, and by C at the ace, on which nothing lies; otherwise it
stays or rises. If it falls to 0 at rank p, the links of rank p are *committed*: each segment with head p - 1
stays on the card it lies on. There is a successor for each way in which they can lie, up to a branching limit
(``cap``). The depth of recursion is at most the number of segments, 104.
"""

cdef enum:
    STEM = MAX_CARDS                    # item numbers: segment i has number i, stem i has STEM + i
    UNIT_ITEM = MAX_CARDS + MAX_COLUMNS  # item number of the unit, the run being moved
    ITEMS = UNIT_ITEM + 1
    NO_ITEM = 255
    NO_CAP = 0x7FFFFFFF                 # no limit on the successors of one commitment

    MOST_HEADS = 60                     # most segment heads of a rank: 15 of each suit, the limit of Counts

cdef enum Kind:
    ONTO_CARD = 0       # X, G: the tail of a stem moves onto a card
    TO_EMPTY = 1        # F, Y: a run moves to an empty column
    COMPLETE = 2        # C: a run from king to ace leaves

cdef enum Selection:    # the class moves to generate
    UNCOVERING = 1      # moves by which a stem loses the whole one-suit piece on its top, and completions
    PARKING = 2         # the others: moves of segments and of parts of one-suit pieces to an empty column
    ALL = 3

cdef struct Plan:       # instructions to carry out a class move
    uint8_t kind
    uint8_t unit        # the item whose top part is the run being moved; for COMPLETE the stem
    uint8_t cards       # number of cards of that part
    uint8_t links       # lay child[i] on parent[i] first, for all i; the parent of UNIT_ITEM is its target
    uint8_t child[MAX_CARDS]
    uint8_t parent[MAX_CARDS]

ctypedef bint (*Consumer)(void* context, Class* child, const Plan* plan) noexcept nogil

cdef struct Generator:
    const Layout* layout
    const Class* parent
    Selection selection
    int cap             # branching limit: most successors of one commitment
    Consumer consumer   # is called with each successor; returns False to end the generation
    void* context       # its first argument
    bint with_links     # set by the caller: whether plans contain the links of commitments
    uint64_t produced   # successors generated, in all calls
    bint capped         # a commitment had more successors than `cap`
    bint stopped        # the consumer returned False
    bint fault          # a capacity was exceeded: successors may be wrong
    Plan plan
    # The present commitment:
    Class base                  # the class after the move, before links are committed
    int committed_rank          # rank of the cards that the segments lie on
    int uncovered               # the stem that the move shortened, or -1
    int gone                    # the stem that the move removed, or -1
    int emitted                 # successors so far
    int slots, heads
    uint8_t slot[MAX_CARDS]         # the items to cover
    uint8_t head[MOST_HEADS]        # the segments that can cover them
    uint64_t unused                 # set of heads, by index, that cover nothing yet
    uint64_t of_suit[SUITS]         # set of heads of each suit
    uint64_t alike[MOST_HEADS]      # set of equal heads with a lower index, for each head
    uint8_t above[ITEMS]            # the segment on each item, or NO_ITEM
    int fixed_count
    uint8_t fixed[MAX_CARDS]        # the segments that have become immovable
    uint8_t carrier[MAX_CARDS]      # the item that each of these lies on


cdef inline bint finish(Generator* generator, Class* child, Counts joined) noexcept nogil:
    """Bring a successor into canonical form and pass it to the consumer. Returns False to end the generation.
    ``joined`` is the argument of `normalise`."""
    normalise(child, generator.layout, generator.parent, joined)
    generator.produced += 1
    if child.fault:
        generator.fault = generator.stopped = True
    elif not generator.consumer(generator.context, child, &generator.plan):
        generator.stopped = True
    return not generator.stopped


cdef inline bint generate_successors(Generator* generator, const Layout* layout, const Class* parent,
                                     Selection selection, int cap, Consumer consumer,
                                     void* context) noexcept nogil:
    """Pass all successors of ``parent`` by the moves of ``selection``, with duplicates, to ``consumer``.

    Returns False if the consumer returned False. Sets ``generator.capped`` if a commitment had more than
    ``cap`` successors; the others are omitted.
    """
    cdef int i
    begin_generation(generator, layout, parent, consumer, context)
    generator.selection = selection
    generator.cap = cap
    if parent.stems < layout.columns:
        if selection & PARKING:
            segments_to_empty(generator)
        for i in range(parent.stems):
            if not generator.stopped:
                stem_to_empty(generator, i)
    if not selection & UNCOVERING:
        return not generator.stopped
    for i in range(parent.stems):
        if not generator.stopped:
            stem_onto_card(generator, i)
    for i in range(parent.stems):
        if not generator.stopped:
            complete_run(generator, i)
    return not generator.stopped


cdef inline bint generate_unit(Generator* generator, const Layout* layout, const Class* parent, int cap,
                               int kind, int unit, Consumer consumer, void* context) noexcept nogil:
    """Pass the successors of ``parent`` by the moves of one ``kind`` and ``unit``, those of a Plan, to
    ``consumer``. Returns False if the consumer returned False."""
    begin_generation(generator, layout, parent, consumer, context)
    generator.selection = ALL
    generator.cap = cap
    if kind == COMPLETE:
        complete_run(generator, unit - STEM)
    elif kind == ONTO_CARD:
        stem_onto_card(generator, unit - STEM)
    elif unit >= STEM:
        stem_to_empty(generator, unit - STEM)
    else:
        segment_to_empty(generator, unit)
    return not generator.stopped


cdef inline void begin_generation(Generator* generator, const Layout* layout, const Class* parent,
                                  Consumer consumer, void* context) noexcept nogil:
    generator.layout = layout
    generator.parent = parent
    generator.consumer = consumer
    generator.context = context
    generator.capped = generator.stopped = generator.fault = False


# --- The moves ----------------------------------------------------------------------------------------------

cdef inline void segments_to_empty(Generator* generator) noexcept nogil:
    """Generate F of segments: each upper part of each segment moves to an empty column."""
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


cdef inline void segment_to_empty(Generator* generator, int i) noexcept nogil:
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


cdef inline void stem_to_empty(Generator* generator, int i) noexcept nogil:
    """Generate F and Y of stem ``i``: each upper one-suit part of its tail moves to an empty column, unless
    it is the whole column."""
    cdef const Class* parent = generator.parent
    cdef Class base
    cdef Stem stem = parent.stem[i]
    cdef int length = stem_length(stem), top = one_suit_top(stem_suits(stem), length), cards
    if not can_come_off(parent, stem_end(stem), stem & 3) or not is_first(parent.stem, i):
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


cdef inline void stem_onto_card(Generator* generator, int i) noexcept nogil:
    """Generate X or G of stem ``i``: its whole tail moves onto a card."""
    cdef const Class* parent = generator.parent
    cdef Class base
    cdef Stem stem = parent.stem[i]
    cdef int length = stem_length(stem), anchor = stem_anchor(stem)
    if (anchor == generator.layout.ranks - 1 or not is_open(parent, anchor + 1)
            or one_suit_top(stem_suits(stem), length) < length
            or not can_come_off(parent, stem_end(stem), stem & 3)
            or not is_first(parent.stem, i)):
        return
    copy_class(&base, parent)
    truncate_stem(&base, generator.layout, i)
    generator.uncovered = i if stem_below(stem) else -1
    generator.gone = -1 if stem_below(stem) else i
    set_plan(generator, ONTO_CARD, STEM + i, length)
    join(generator, &base, anchor, stem_end(stem), stem & 3)


cdef inline void complete_run(Generator* generator, int i) noexcept nogil:
    """Generate C of stem ``i``: its tail from the king, with segments down to the ace, leaves."""
    cdef Stem stem = generator.parent.stem[i]
    cdef int length = stem_length(stem)
    if (stem_anchor(stem) != generator.layout.ranks - 1
            or count_at(generator.parent.ends[stem & 3], 0) == 0
            or changes_of_suit(stem_suits(stem), length) != 0
            or not is_first(generator.parent.stem, i)):
        return
    set_plan(generator, COMPLETE, STEM + i, length)
    continue_run(generator, i, stem_end(stem), stem & 3)


cdef inline bint continue_run(Generator* generator, int stem, int end, int suit) noexcept nogil:
    """Try all chains of segments of ``suit`` that continue the run on ``stem`` from below rank ``end`` to the
    ace. Returns False to end the generation."""
    cdef const Class* parent = generator.parent
    cdef Class base
    cdef Plan* plan = &generator.plan
    cdef int i, links = plan.links, left
    if end == 0:
        copy_class(&base, parent)
        remove_chain(&base, plan)
        truncate_stem(&base, generator.layout, stem)
        return finish(generator, &base, 0)
    left = count_at(parent.heads[suit], end)
    for i in range(parent.segments):
        if left == 0:
            break
        if not continues(parent.segment[i], end, suit):
            continue
        left -= 1
        if not is_first(parent.segment, i):
            continue
        plan.child[links] = i
        plan.parent[links] = plan.child[links - 1] if links else STEM + stem
        plan.links = links + 1
        if not continue_run(generator, stem, end_of(parent.segment[i]), suit):
            return False
        plan.links = links
    return True


cdef inline void remove_chain(Class* base, const Plan* plan) noexcept nogil:
    """Remove the segments that ``plan`` links, in descending order of their numbers."""
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


cdef inline bint can_come_off(const Class* parent, int end, int suit) noexcept nogil:
    """Test if a unit whose top has rank ``end`` and ``suit`` may be exposed: if a card of the rank is, or
    if a segment can lie on it that continues it and moves with it."""
    return end == 0 or is_open(parent, end) or count_at(parent.heads[suit], end) > 0


cdef inline bint join(Generator* generator, Class* base, int head, int end, int suit) noexcept nogil:
    """Lay down the unit from ``head`` to ``end``, which was removed from ``base``. If its top cannot be
    exposed, try each segment that continues it as a part of the unit.

    Returns False to end the generation. ``base`` may be overwritten.
    """
    cdef Class child
    cdef Segment segment
    cdef uint64_t seen = 0
    cdef int i, left
    if end == 0 or is_open(generator.parent, end):
        return lay_down(generator, base, head, end, suit)
    left = count_at(base.heads[suit], end)
    for i in range(base.segments):
        if left == 0:
            break
        segment = base.segment[i]
        if not continues(segment, end, suit):
            continue
        left -= 1
        if seen >> end_of(segment) & 1:
            continue
        seen |= <uint64_t>1 << end_of(segment)
        copy_class(&child, base)
        remove_segment(&child, i)
        if not join(generator, &child, head, end_of(segment), suit):
            return False
    return True


cdef inline bint lay_down(Generator* generator, Class* child, int head, int end, int suit) noexcept nogil:
    """Put the unit where ``generator.plan`` says, as a stem or segment of ``child``, and commit links if a
    rank is no longer open. Returns False to end the generation."""
    if generator.plan.kind == TO_EMPTY:
        add_stem(child, make_stem(0, 0, head, head - end + 1, same_suits(suit, head - end + 1)))
        return finish(generator, child, 0)
    add_segment(child, make_segment(head, end, suit))
    if is_open(child, head + 1):
        return finish(generator, child, 0)
    copy_class(&generator.base, child)
    return commit_links(generator, head + 1)


# --- Commitment of links ------------------------------------------------------------------------------------

# All ways in which segments can lie on the cards of a rank of which no card is exposed any more. On a card of
# its suit a segment becomes part of a longer segment. On another suit both become immovable, so the carrier
# of the lower one has to be chosen, too, and so on down to a stem.

cdef inline bint commit_links(Generator* generator, int rank) noexcept nogil:
    """Generate a successor for every way in which the segments with head ``rank`` - 1 can lie on the cards of
    ``rank``.

    Pairs of one suit are tried first, so that with a cap of 1 as many as possible are joined. The order is
    otherwise that of the class. Returns False to end the generation.
    """
    cdef const Class* base = &generator.base
    cdef int i = 0, suits = 0, heads = count_of_all(base.heads, rank)
    memset(generator.above, NO_ITEM, sizeof(generator.above))
    memset(generator.of_suit, 0, sizeof(generator.of_suit))
    generator.committed_rank = rank
    generator.slots = generator.heads = generator.fixed_count = generator.emitted = 0
    while generator.heads < heads:
        if head_of(base.segment[i]) == rank - 1:
            list_head(generator, i)
            suits |= 1 << suit_of(base.segment[i])
        i += 1
    generator.unused = ((<uint64_t>1 << generator.heads) - 1)
    find_slots(generator, rank, suits)
    return cover(generator, 0)


cdef inline void list_head(Generator* generator, int segment) noexcept nogil:
    """Add segment number ``segment`` to the heads."""
    cdef const Class* base = &generator.base
    cdef int i = generator.heads, other
    invariant(i < MOST_HEADS)
    generator.head[i] = segment
    generator.alike[i] = 0
    for other in range(i):
        if base.segment[generator.head[other]] == base.segment[segment]:
            generator.alike[i] |= <uint64_t>1 << other
    generator.of_suit[suit_of(base.segment[segment])] |= <uint64_t>1 << i
    generator.heads += 1


cdef inline void find_slots(Generator* generator, int rank, int suits) noexcept nogil:
    """List the items whose tops have ``rank`` as slots, those whose suit is in the set ``suits`` first."""
    cdef const Class* base = &generator.base
    cdef uint8_t other[MAX_CARDS]
    cdef int i, item, others = 0
    for i in range(base.stems + base.segments):
        item = STEM + i if i < base.stems else i - base.stems
        if rank_of_top(base, item) != rank:
            continue
        if suits >> suit_of_item(base, item) & 1:
            generator.slot[generator.slots] = item
            generator.slots += 1
        else:
            other[others] = item
            others += 1
    memcpy(generator.slot + generator.slots, other, others)
    generator.slots += others


cdef inline int rank_of_top(const Class* base, int item) noexcept nogil:
    return stem_end(base.stem[item - STEM]) if item >= STEM else end_of(base.segment[item])


cdef inline int suit_of_item(const Class* base, int item) noexcept nogil:
    return base.stem[item - STEM] & 3 if item >= STEM else suit_of(base.segment[item])


cdef inline bint cover(Generator* generator, int slot) noexcept nogil:
    """Try all assignments of unused heads to the slots from number ``slot`` on. Returns False to end the
    generation."""
    cdef uint64_t unused = generator.unused, same, rest
    cdef int i, item, other_suit
    if slot == generator.slots:
        return find_fixed(generator)
    item = generator.slot[slot]
    same = generator.of_suit[suit_of_item(&generator.base, item)]
    for other_suit in range(2):
        rest = unused & (~same if other_suit else same)
        while rest:
            i = take_bit(&rest)
            if generator.alike[i] & unused:
                continue
            generator.unused = unused & ~(<uint64_t>1 << i)
            generator.above[item] = generator.head[i]
            if not cover(generator, slot + 1):
                return False
            generator.above[item] = NO_ITEM
    generator.unused = unused
    return True


cdef inline bint find_fixed(Generator* generator) noexcept nogil:
    """List the segments that became immovable when the slots were covered, and try their carriers."""
    cdef const Class* base = &generator.base
    cdef int i, item
    generator.fixed_count = 0
    for i in range(generator.slots):
        item = generator.slot[i]
        if item < STEM and suit_of(base.segment[item]) != suit_of(base.segment[generator.above[item]]):
            generator.fixed[generator.fixed_count] = item
            generator.fixed_count += 1
    return place_fixed(generator, 0)


cdef inline bint place_fixed(Generator* generator, int i) noexcept nogil:
    """Try all carriers of the immovable segments from number ``i`` on: those of the same suit first, stems
    before segments. Returns False to end the generation."""
    cdef const Class* base = &generator.base
    cdef int joins, j, item, rank, suit, child, left, fixed_count = generator.fixed_count
    if i == fixed_count:
        return emit_committed(generator)
    child = generator.fixed[i]
    rank = head_of(base.segment[child]) + 1
    suit = suit_of(base.segment[child])
    for joins in range(1, -1, -1):
        left = count_at(base.ends[suit], rank)
        if not joins:
            left = count_of_all(base.ends, rank) - left
        for j in range(base.stems + base.segments):
            if left == 0:
                break
            item = base.stems - 1 - j
            item += STEM if item >= 0 else base.segments
            if rank_of_top(base, item) != rank or (suit_of_item(base, item) == suit) != joins:
                continue
            left -= 1
            if (generator.above[item] != NO_ITEM or item - STEM == generator.uncovered
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


cdef inline bint is_repeated(Generator* generator, int item) noexcept nogil:
    """Test if an equal item of higher number is not covered either: that one is tried instead."""
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


cdef inline bint emit_committed(Generator* generator) noexcept nogil:
    """Build the successor in which each item carries the segment in ``above``. Returns False to end the
    generation."""
    cdef const Class* base = &generator.base
    cdef Class child
    cdef uint8_t covered[MAX_CARDS]
    cdef int i
    if generator.emitted == generator.cap:
        generator.capped = True
        return False
    generator.emitted += 1
    memset(covered, 0, base.segments)
    for i in range(generator.slots):
        covered[generator.above[generator.slot[i]]] = True
    for i in range(generator.fixed_count):
        covered[generator.fixed[i]] = True
    memcpy(&child, base, sizeof(Class) - sizeof(base.segment))
    child.segments = 0
    for i in range(base.stems):
        if generator.above[STEM + i] != NO_ITEM:
            lengthen_stem(generator, &child, i)
    for i in range(base.segments):
        if not covered[i]:
            keep_segment(generator, &child, i)
    if generator.with_links:
        write_links(generator)
    return finish(generator, &child, one_at(generator.committed_rank))


cdef inline void lengthen_stem(const Generator* generator, Class* child, int i) noexcept nogil:
    """Append the segments above stem ``i`` to it."""
    cdef Stem stem = generator.base.stem[i]
    cdef Segment segment
    cdef int length = stem_length(stem), suits = stem_suits(stem), item = generator.above[STEM + i], cards
    while item != NO_ITEM:
        segment = generator.base.segment[item]
        count_segment(child, segment, -1)
        cards = head_of(segment) - end_of(segment) + 1
        suits = suits << 2 * cards | same_suits(suit_of(segment), cards)
        length += cards
        item = generator.above[item]
    replace_stem(child, i, make_stem(stem_column(stem), stem_below(stem), stem_anchor(stem), length, suits))


cdef inline void keep_segment(const Generator* generator, Class* child, int i) noexcept nogil:
    """Copy segment ``i``, which is not committed to a carrier, to ``child``, joined with the segments of its
    suit above it."""
    cdef Segment segment = generator.base.segment[i]
    cdef int item = generator.above[i]
    if item != NO_ITEM:
        count_segment(child, segment, -1)
        while item != NO_ITEM:
            count_segment(child, generator.base.segment[item], -1)
            segment = make_segment(head_of(segment), end_of(generator.base.segment[item]), suit_of(segment))
            item = generator.above[item]
        count_segment(child, segment, 1)
    child.segment[child.segments] = segment
    child.segments += 1


cdef inline void write_links(Generator* generator) noexcept nogil:
    """Write the links of the commitment to the plan, those of the highest heads first."""
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
    """Append the link between ``item`` and the segment above it to the plan."""
    cdef Plan* plan = &generator.plan
    cdef int child = generator.above[item]
    if item >= STEM and item - STEM == generator.gone:
        item = STEM + generator.base.stems      # the number of the last stem before it replaced stem `gone`
    plan.child[plan.links] = UNIT_ITEM if child == generator.base.segments - 1 else child
    plan.parent[plan.links] = item
    plan.links += 1
