"""The relaxation R2, with loose cards and their carriers: for one deck, where R0 of `loose` has a win.

R0 takes each loose card for one that moves away as soon as its own top is free. But a card that cannot come
off stays where it is, and what it lies on cannot come off either. R2 keeps where such cards may lie.

A *state* is the stems of `loose`, and for each loose card d the set A(d) of cards that may be its
*carrier*, all one rank higher. The *tops* of a rank are its loose cards and the last cards of stems: each
loose card lies on a top, and no two on one. A *matching* of rank r gives each loose card d of rank r - 1 a
top of rank r out of A(d), no two the same.

*Invariant.* That of R0, and the carrier of each loose card d, the card that it lies on, is in A(d).

*Coming off*, by rank from the ace upwards. A top c of rank r comes off if r = 0, or if there is a matching
in which c carries nothing, or a card d that comes off, and open[r] > 0 or d is of the suit of c. A loose
card that does not come off is *stuck*. It is *fixed* if it is stuck, or lies on a card of a rank that is
not open. If a rank has no matching, no position is covered and the state is dropped.

*Normal form.* Peeling, as in R0. Where a card is cut off its carrier is known: what it lay on. Then, by
rank again, A(d) of each loose card d that is not fixed becomes all tops of the next rank, and of each that
is fixed what matchings leave of it.

*The moves* are those of R0, X, G, Y, F and C, where coming off is as above. What a move tells of the
position before it narrows A, and where that leaves a rank without a matching, there is no such move:

    X, G, Y, F  the unit goes down from its last card that is known, of rank t. While that card is of a rank
            that is not open, the next card of its suit lies on it: A of that one is this carrier alone, and
            no other card lies on it. The last one, of an open rank, carries no stuck card.
    C       the same all the way to the ace, whatever is open.

A of a card that is loose before and after the move stays as it is: an uncovered card carries nothing. A
tail that X or G makes loose lies each on the next card of its suit, its head on a top that was one before.

*Completeness.* Let a state in normal form cover a real position. (1) It covers what lateral moves make of
it. Call a card *free* if it carries nothing or a free card d, and open[r] > 0 or d is of its suit. By
induction free cards come off, as the true carriers are a matching. All cards of a unit that moves are free:
its top carries nothing, and each other one the next of its suit. A lateral move gives a unit's head another
carrier, which is a top; the head is of a rank below an open one and free, so it is not fixed, and its A is
all tops. Other cards keep their carriers, and stems and ``open`` are the same. (2) The other moves. Which
stems a move leads to is proved in `loose`; it remains to see that true carriers are left in A. The unit
ends in an exposed card, of an open rank, so it holds at least what is told above: the cards down to the
first open rank. There each card but the last carries the next. The last one carries nothing or the next
card of the unit, which is free, hence not stuck. So the true carriers are not narrowed away. After the move
the cards of the unit that were loose before lie on the same cards, or are part of a stem; those of a tail
and those peeled lie where they are said to lie; no loose card lies on what was uncovered, by the move, by a
run that left or by peeling, but the card peeled off it; all others did not move. A complete run is of one
suit on top of its column: each of its cards carries the next and no other. (3) Normal form. A only grows
for cards that are not fixed, and what matchings leave of A holds the true carriers, as these are a
matching. QED.

So a real win gives a win of R2. A state with the same stems as another, whose A hold those of the other,
covers all that the other covers; hence one state for each set of stems is enough, see `carrier_search`.

That A of a card that is not fixed becomes all tops is needed: in `AD 2C | 2D AC` the ace on top can go to
the 2 of its suit. So is it that a card may be fixed and move with what it lies on.

Only positions in which no card is there twice have states here: a card is its rank and suit.
"""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport lowest_bit
from .classes cimport (
    SUITS, Class, Counts, Layout, count_at, end_of, head_of, lowest_rank, occurring, one_at, ranks_between,
    suit_of,
)
from .loose cimport Loose, Part, number_of_run, set_start, without_cards

cdef enum:
    EACH_SUIT = 0x1111          # times a set of suits: that set for cards of each suit

# Four bits for each suit of a set of suits.
cdef uint16_t[16] WHOLE = [
    0x0000, 0x000F, 0x00F0, 0x00FF, 0x0F00, 0x0F0F, 0x0FF0, 0x0FFF,
    0xF000, 0xF00F, 0xF0F0, 0xF0FF, 0xFF00, 0xFF0F, 0xFFF0, 0xFFFF,
]


cdef inline uint64_t bit_of(int rank, int suit) noexcept nogil:
    """The bit of a card."""
    return <uint64_t>1 << (4 * rank + suit)

cdef inline int suits_at(uint64_t cards, int rank) noexcept nogil:
    """The suits of the cards of a rank."""
    return cards >> 4 * rank & 15

cdef inline bint is_in(uint64_t cards, int rank, int suit) noexcept nogil:
    """Whether a card is a member."""
    return cards >> (4 * rank + suit) & 1

cdef inline void lay(Carried* state, int rank, int suit, int carriers) noexcept nogil:
    """Let a card lie on one of the next rank, of these suits."""
    state.on[rank] = state.on[rank] & ~(15 << 4 * suit) | carriers << 4 * suit


# --- The start ----------------------------------------------------------------------------------------------


cdef bint set_carriers(
    Carriers* carriers, Loose* loose, const Layout* layout, const Class* state
) noexcept nogil:
    """Make a class that moves from ``layout`` lead to the ``start``, of which nothing is known but that
    segments hang together; false if it covers nothing. No card may be there twice."""
    cdef Carried* start = &carriers.start
    cdef View view
    cdef int i, rank
    set_start(loose, layout, state)
    carriers.loose = loose
    count_parts(carriers, layout.cards)
    start.count = loose.start.count
    for i in range(start.count):
        start.number[i] = loose.start.number[i]
    memset(start.on, 0xFF, sizeof(start.on))
    for i in range(state.segments):
        for rank in range(end_of(state.segment[i]), head_of(state.segment[i])):
            lay(start, rank, suit_of(state.segment[i]), 1 << suit_of(state.segment[i]))
    return normalise(carriers, start, &view)


cdef void count_parts(Carriers* carriers, int most) noexcept nogil:
    """Work out the cards of all parts, of up to ``most`` in columns."""
    cdef const Loose* loose = carriers.loose
    cdef const Part* part
    cdef int number, suit, head, end
    cdef uint64_t run
    for number in range(1, most + 1):
        part = &loose.part[number]
        carriers.cards[number] = bit_of(part.end, part.suit)
        if part.length > 1 or part.beneath:
            carriers.cards[number] |= carriers.cards[number - 1]
    for suit in range(SUITS):
        for head in range(loose.ranks):
            run = 0
            for end in range(head, -1, -1):
                run |= bit_of(end, suit)
                carriers.cards[number_of_run(head, end, suit)] = run


# --- Normal form --------------------------------------------------------------------------------------------


cdef bint normalise(const Carriers* carriers, Carried* state, View* view) noexcept nogil:
    """Let complete stems leave, peel the others, and see what follows; false if nothing is covered."""
    cdef const Loose* loose = carriers.loose
    cdef const Part* part
    cdef Counts open = loose.open
    cdef int i = 0, j
    cdef uint16_t number
    while i < state.count:
        part = &loose.part[state.number[i]]
        if part.length == loose.ranks and part.top == loose.ranks:
            uncover(loose, state, i)
        else:
            i += 1
    for i in range(state.count):
        open += loose.part[state.number[i]].open
    open = occurring(open)
    for i in range(state.count):
        number = peeled(loose, state, state.number[i], open)
        j = i
        while j > 0 and state.number[j - 1] > number:
            state.number[j] = state.number[j - 1]
            j -= 1
        state.number[j] = number
    return see(carriers, state, view)


cdef inline void uncover(const Loose* loose, Carried* state, int i) noexcept nogil:
    """Take the tail of stem ``i`` away; where nothing is beneath, the last one takes its number."""
    cdef int beneath = loose.part[state.number[i]].beneath
    if beneath == 0:
        state.count -= 1
        state.number[i] = state.number[state.count]
    else:
        state.number[i] = beneath


cdef inline int peeled(const Loose* loose, Carried* state, int number, Counts links) noexcept nogil:
    """A stem without what is peeled off at ``links`` of some ranks, which lies where it lay."""
    cdef const Part* part = &loose.part[number]
    cdef Counts inside = links & ranks_between(part.anchor, part.end)
    cdef int cards, rank, end, suit
    while inside:
        end = part.end
        suit = part.suit
        cards = lowest_rank(inside) - end
        if part.top < cards:
            break
        number = without_cards(number, cards)
        part = &loose.part[number]
        for rank in range(end, end + cards - 1):
            lay(state, rank, suit, 1 << suit)
        lay(state, end + cards - 1, suit, 1 << part.suit)
        inside = links & ranks_between(part.anchor, part.end)
    return number


cdef bint see(const Carriers* carriers, Carried* state, View* view) noexcept nogil:
    """Work out what comes off, and let A be what it is in normal form; false if nothing is covered."""
    cdef const Loose* loose = carriers.loose
    cdef uint64_t held = 0, ends = 0
    cdef int i, rank, below, tops, off, fixed
    cdef Matching matching
    view.open = loose.open
    for i in range(state.count):
        held |= carriers.cards[state.number[i]]
        ends |= bit_of(loose.part[state.number[i]].end, loose.part[state.number[i]].suit)
        view.open += loose.part[state.number[i]].open
    view.loose = suits_at(held, loose.ranks - 1) * (one_at(loose.ranks) // 15) & ~held
    view.tops = view.loose | ends
    view.stuck = 0
    view.off = off = suits_at(view.tops, 0)
    for rank in range(1, loose.ranks):
        below = suits_at(view.loose, rank - 1)
        tops = suits_at(view.tops, rank)
        fixed = below & ~off if count_at(view.open, rank) else below
        view.stuck |= <uint64_t>(below & ~off) << 4 * (rank - 1)
        state.on[rank - 1] = state.on[rank - 1] & WHOLE[fixed] | WHOLE[below & ~fixed]
        state.on[rank - 1] &= tops * EACH_SUIT
        if fixed:
            matching.below_off = off
            if not match(&matching, state.on[rank - 1], fixed, tops):
                return False
            state.on[rank - 1] = state.on[rank - 1] & ~WHOLE[fixed] | matching.on
            off = matching.off
        else:
            off = tops
        view.off |= <uint64_t>off << 4 * rank
    return True


# --- Matchings ----------------------------------------------------------------------------------------------


cdef struct Matching:       # the matchings of a rank, of its fixed cards alone: others find room beside them
    int on                  # at first where the cards may lie; at last what matchings leave of it
    int wanted
    int below_off           # the suits of which a card one rank lower comes off
    int off                 # the suits of tops that come off in a matching
    bint found


cdef inline bint match(Matching* matching, int on, int fixed, int tops) noexcept nogil:
    """Find all matchings of cards of the suits ``fixed`` with ``tops``; whether there are any."""
    matching.wanted = on
    matching.on = matching.off = 0
    matching.found = False
    place(matching, fixed, tops, 0, 0)
    return matching.found


cdef void place(Matching* matching, int cards, int free, int off, int on) noexcept nogil:
    """Try all ways to place ``cards`` on the ``free`` tops, the rest lying as ``on`` says, by which the tops
    of suits ``off`` come off."""
    cdef int suit, carriers, carrier
    if cards == 0:
        matching.found = True
        matching.on |= on
        matching.off |= off | free
        return
    suit = lowest_bit(cards)
    carriers = matching.wanted >> 4 * suit & free
    while carriers:
        carrier = carriers & -carriers
        carriers &= carriers - 1
        place(
            matching, cards & (cards - 1), free & ~carrier,
            off | carrier if matching.below_off >> suit & 1 and carrier == 1 << suit else off,
            on | carrier << 4 * suit,
        )


cdef bint has_matching(const Carried* state, const View* view, int rank) noexcept nogil:
    """Whether the loose cards below a rank can lie on its tops."""
    cdef Matching matching
    matching.below_off = 0
    return match(
        &matching, state.on[rank - 1], suits_at(view.loose, rank - 1), suits_at(view.tops, rank)
    )


# --- The moves ----------------------------------------------------------------------------------------------


cdef struct Expansion:      # a state that is expanded
    Carriers* carriers
    const Carried* parent
    View view
    CarriedConsumer consumer
    void* context


cdef inline void open_expansion(
    Expansion* expansion, Carriers* carriers, const Carried* parent, CarriedConsumer consumer, void* context
) noexcept nogil:
    cdef Carried copy = parent[0]
    expansion.carriers = carriers
    expansion.parent = parent
    expansion.consumer = consumer
    expansion.context = context
    see(carriers, &copy, &expansion.view)


cdef bint generate_carried(
    Carriers* carriers, const Carried* parent, CarriedConsumer consumer, void* context
) noexcept nogil:
    """Hand all successors of ``parent``, with duplicates, to ``consumer``; false if it had enough."""
    cdef Expansion expansion
    cdef int i
    open_expansion(&expansion, carriers, parent, consumer, context)
    if parent.count < carriers.loose.columns:
        if not loose_to_empty(&expansion):
            return False
        for i in range(parent.count):
            if not stem_to_empty(&expansion, i):
                return False
    for i in range(parent.count):
        if not tail_away(&expansion, i):
            return False
    return True


cdef bint generate_carried_leaving(
    Carriers* carriers, const Carried* parent, CarriedConsumer consumer, void* context
) noexcept nogil:
    """Hand over only the successors by which a run leaves."""
    cdef Expansion expansion
    cdef int i
    open_expansion(&expansion, carriers, parent, consumer, context)
    for i in range(parent.count):
        if (carriers.loose.part[parent.number[i]].anchor == carriers.loose.ranks - 1
                and not tail_away(&expansion, i)):
            return False
    return True


cdef inline bint hand_over(Expansion* expansion, Carried* child) noexcept nogil:
    """Hand over a successor, if it covers anything; false if no more are wanted."""
    cdef View view
    if not normalise(expansion.carriers, child, &view):
        return True
    expansion.carriers.produced += 1
    return expansion.consumer(expansion.context, child)


cdef inline bint join(Carried* state, const View* view, int rank, int suit) noexcept nogil:
    """Let a loose card lie on the next of its suit; false if it cannot."""
    state.on[rank] &= ~(EACH_SUIT << suit) | 1 << 5 * suit
    lay(state, rank, suit, state.on[rank] >> 4 * suit & 1 << suit)
    return has_matching(state, view, rank + 1)


cdef int uncoil(Carried* state, const View* view, int rank, int suit) noexcept nogil:
    """Narrow what a unit tells that goes down from a card which comes off; the rank of the last card of it
    that is told, -1 if there is no such unit."""
    while rank > 0 and count_at(view.open, rank) == 0:
        rank -= 1
        if not join(state, view, rank, suit):
            return -1
    if rank > 0 and suits_at(view.stuck, rank - 1):
        state.on[rank - 1] &= ~(WHOLE[suits_at(view.stuck, rank - 1)] & EACH_SUIT << suit)
        if not has_matching(state, view, rank):
            return -1
    return rank


cdef bint loose_to_empty(Expansion* expansion) noexcept nogil:
    """F of loose cards; false if no more are wanted."""
    cdef Carried child
    cdef uint64_t cards = expansion.view.loose & expansion.view.off
    cdef int card, end
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        child = expansion.parent[0]
        end = uncoil(&child, &expansion.view, card >> 2, card & 3)
        if end < 0:
            continue
        child.number[child.count] = number_of_run(card >> 2, end, card & 3)
        child.count += 1
        if not hand_over(expansion, &child):
            return False
    return True


cdef bint stem_to_empty(Expansion* expansion, int i) noexcept nogil:
    """F and Y of stem ``i``; false if no more are wanted."""
    cdef int number = expansion.parent.number[i], cards, end
    cdef const Part* part = &expansion.carriers.loose.part[number]
    cdef Carried narrowed = expansion.parent[0], child
    if not is_in(expansion.view.off, part.end, part.suit):
        return True
    end = uncoil(&narrowed, &expansion.view, part.end, part.suit)
    if end < 0:
        return True
    for cards in range(1, part.top + 1):
        if cards == part.length and part.beneath == 0:
            break
        child = narrowed
        child.number[i] = part.beneath if cards == part.length else without_cards(number, cards)
        child.number[child.count] = number_of_run(part.end + cards - 1, end, part.suit)
        child.count += 1
        if not hand_over(expansion, &child):
            return False
    return True


cdef bint tail_away(Expansion* expansion, int i) noexcept nogil:
    """X, G and C of stem ``i``; false if no more are wanted."""
    cdef const Part* part = &expansion.carriers.loose.part[expansion.parent.number[i]]
    cdef const View* view = &expansion.view
    cdef Carried child
    cdef int rank
    if part.top < part.length:
        return True
    child = expansion.parent[0]
    if part.anchor == expansion.carriers.loose.ranks - 1:
        for rank in range(part.end - 1, -1, -1):
            if not is_in(view.loose, rank, part.suit) or not join(&child, view, rank, part.suit):
                return True
    else:
        if (not count_at(view.open, part.anchor + 1) or not is_in(view.off, part.end, part.suit)
                or uncoil(&child, view, part.end, part.suit) < 0):
            return True
        for rank in range(part.end, part.anchor):
            lay(&child, rank, part.suit, 1 << part.suit)
        lay(&child, part.anchor, part.suit, suits_at(view.tops, part.anchor + 1))
    uncover(expansion.carriers.loose, &child, i)
    return hand_over(expansion, &child)
