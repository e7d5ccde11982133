"""Relaxation R0: the stems alone, all other cards loose. A search that exhausts it proves a loss.

The classes keep the pieces into which segments were cut, so one position has many. R0 forgets them. A *state*
is the stems alone; each card in play that is in no stem is *loose*. A king is never loose, as nothing takes
one, so the runs that left are those whose kings are in no stem, and the stems tell the loose cards. From that
follows

    open[r] = loose cards of rank r + stems whose top has rank r - loose cards of rank r - 1,

and what is *peeled* off the stems, as in classes.

*Coming off.* A run whose last card that is known has rank t comes off if t is the ace, or open[t] > 0, or a
card of its suit and rank t - 1 is loose that comes off itself. The moves:

    X, G    the tail of a stem, if it is of one suit and comes off, goes onto a card: open[anchor + 1] > 0.
            Its cards are loose then.
    Y, F    the same tail, if it lies on a card, or an upper part of one suit of it, or a loose card, with
            what comes off with it, goes to an empty column. It is a stem there, once peeled: from its head
            down to the highest rank that is open.
    C       the tail of a stem from the king, if it is of one suit and each lower rank of that suit is
            loose, leaves. A stem that is such a run leaves at once.

A real win gives a win of R0 (Theorem S2). States met by a search without a win are *dead* for the whole
layout, whatever class the search began at (Theorem S18).
"""

# optimised: searches spend their time here

from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from ..core.bits cimport take_bit
from ..core.kernel cimport may_expand
from ..core.hash_set cimport (KNOWN, NO_MEMORY, Entry, table_bytes, table_find, table_free, table_insert,
                              table_reset, tagged)
from ..core.memory cimport more_room
from .classes cimport (count_at, end_of, head_of, lowest_rank, make_stem, occurring, one_at, one_suit_top,
                       ranks_between, same_suits, stem_anchor, stem_below, stem_column, stem_end, stem_length,
                       stem_suits, suit_of, without_top)
from .common cimport FULL, LOST, OPEN, WON, mix_high, mix_low, without_top_bit

# --- Open and closed lists of a search for a proof ----------------------------------------------------------

# States known, states not expanded yet, and dead states: those of searches that ended without a win. Keys do
# not say what was dealt or what left, so dead states hold for one layout.

cdef enum:
    FIRST_ROOM = 32768


cdef bint open_proof(Proof* proof, uint64_t max_bytes) noexcept nogil:
    """Begin a new layout, nothing being dead yet; false without memory. ``proof`` is zero or was opened."""
    proof.max_bytes = max_bytes
    proof.used = 0
    if not table_reset(&proof.known, max_bytes // 2) or not table_reset(&proof.dead, max_bytes // 4):
        return False
    return proof.room > 0 or grow_proof(proof)


cdef void free_proof(Proof* proof) noexcept nogil:
    table_free(&proof.known)
    table_free(&proof.dead)
    free(proof.waiting)
    proof.waiting = NULL
    proof.room = 0


cdef uint64_t proof_bytes(const Proof* proof) noexcept nogil:
    return table_bytes(&proof.known) + table_bytes(&proof.dead) + proof.room * sizeof(uint16_t)


cdef bint grow_proof(Proof* proof) noexcept nogil:
    """Make more room for states that wait; false if memory does not allow it."""
    return more_room(&proof.waiting, &proof.room, FIRST_ROOM, sizeof(uint16_t), proof.max_bytes // 4)


cdef inline bint is_dead(const Proof* proof, uint64_t low, uint64_t high) noexcept nogil:
    """Test whether the state of a key is proved to have no win."""
    return proof.dead.entries[table_find(&proof.dead, low, tagged(high))].high != 0


cdef void keep_dead(Proof* proof) noexcept nogil:
    """Add the known states to the dead ones, as far as memory allows."""
    cdef uint64_t i
    cdef Entry state
    for i in range(proof.known.mask + 1):
        state = proof.known.entries[i]
        if state.high != 0 and table_insert(&proof.dead, state.low, without_top_bit(state.high)) == NO_MEMORY:
            return


# --- The start ----------------------------------------------------------------------------------------------

cdef void set_start(Loose* loose, const Layout* layout, const Class* state) noexcept nogil:
    """Make a class that moves from ``layout`` lead to the ``start``. No card is there more than 15 times."""
    cdef Counts whole = one_at(layout.ranks) // 15
    cdef int suit, i, number = 1
    cdef Stems nothing
    if loose.ranks != layout.ranks:
        set_runs(loose, layout.ranks)
    loose.columns = layout.columns
    count_cards(loose, layout, state)
    loose.open = 0
    for suit in range(SUITS):
        loose.loose[suit] -= count_at(loose.loose[suit], layout.ranks - 1) * whole
        loose.open += loose.loose[suit]
    loose.open -= loose.open << 4
    loose.start.count = state.stems
    for i in range(state.stems):
        number = set_column(loose, layout, state.stem[i], number)
        loose.start.number[i] = number - 1
    nothing.count = 0
    nothing.low = nothing.high = 0
    nothing.open = loose.open
    normalise(loose, &loose.start, &nothing)


cdef void count_cards(Loose* loose, const Layout* layout, const Class* state) noexcept nogil:
    """Count the cards of a class, by suit and rank, into ``loose.loose``."""
    cdef int i, j, card, rank
    cdef Stem stem
    memset(loose.loose, 0, sizeof(loose.loose))
    for i in range(state.stems):
        stem = state.stem[i]
        for j in range(stem_below(stem)):
            card = layout.card[stem_column(stem)][j]
            loose.loose[card & 3] += one_at(card >> 2)
        for j in range(stem_length(stem)):
            loose.loose[stem_suits(stem) >> 2 * j & 3] += one_at(stem_end(stem) + j)
    for i in range(state.segments):
        for rank in range(end_of(state.segment[i]), head_of(state.segment[i]) + 1):
            loose.loose[suit_of(state.segment[i])] += one_at(rank)


cdef void set_runs(Loose* loose, int ranks) noexcept nogil:
    """Work out the parts that are runs in columns that were empty."""
    cdef Counts cards[SUITS]
    cdef int suit, head, end, length
    loose.ranks = ranks
    for suit in range(SUITS):
        for head in range(ranks):
            memset(cards, 0, sizeof(cards))
            for end in range(head, -1, -1):
                length = head - end + 1
                cards[suit] += one_at(end)
                set_part(loose, number_of_run(head, end, suit),
                         make_stem(0, 0, head, length, same_suits(suit, length)), cards, 0)


cdef int set_column(Loose* loose, const Layout* layout, Stem stem, int first) noexcept nogil:
    """Work out the lower parts of one stem, numbered from ``first`` on; the number after the last."""
    cdef Counts cards[SUITS]
    cdef int below = stem_below(stem), length = stem_length(stem), i, card, suit
    cdef Stem part
    memset(cards, 0, sizeof(cards))
    for i in range(below):
        card = layout.card[stem_column(stem)][i]
        cards[card & 3] += one_at(card >> 2)
        part = layout.stem_of[stem_column(stem)][i + 1]
        set_part(loose, first + i, part, cards, first + stem_below(part) - 1 if stem_below(part) else 0)
    for i in range(length):
        part = without_top(stem, length - 1 - i)
        suit = stem_suits(part) & 3
        cards[suit] += one_at(stem_end(part))
        set_part(loose, first + below + i, part, cards, first + below - 1 if below else 0)
    return first + below + length


cdef void set_part(Loose* loose, int number, Stem stem, const Counts* cards, int beneath) noexcept nogil:
    """Work out one part, of so many ``cards`` of each suit, which are not loose. For each of its kings a
    whole run has not left."""
    cdef Part* part = &loose.part[number]
    cdef Counts whole = one_at(loose.ranks) // 15, away = 0
    cdef int suit
    part.stem = stem
    part.low = mix_low(stem)
    part.high = mix_high(stem)
    for suit in range(SUITS):
        part.loose[suit] = count_at(cards[suit], loose.ranks - 1) * whole - cards[suit]
        away += part.loose[suit]
    part.anchor = stem_anchor(stem)
    part.length = stem_length(stem)
    part.end = stem_end(stem)
    part.suit = stem_suits(stem) & 3
    part.top = one_suit_top(stem_suits(stem), part.length)
    part.open = away - (away << 4) + one_at(part.end)
    part.beneath = beneath


# --- Normal form --------------------------------------------------------------------------------------------

cdef inline void normalise(const Loose* loose, Stems* state, const Stems* origin) noexcept nogil:
    """Let complete stems leave, peel the others, and work out ``open`` and the key.

    Where a rank has been opened since ``origin``, a normal state, all stems are peeled; else those that it
    does not have under the same number.
    """
    cdef const Part* part
    cdef int i = 0, number
    cdef uint64_t changed = 0
    cdef Counts links
    state.low = origin.low
    state.high = origin.high
    state.open = origin.open
    while i < state.count:
        if i < origin.count and state.number[i] == origin.number[i]:
            i += 1
            continue
        part = &loose.part[state.number[i]]
        if part.length == loose.ranks and part.top == loose.ranks:
            uncover(loose, state.number, &state.count, i)
            continue
        changed |= 1 << i
        state.low += part.low
        state.high += part.high
        state.open += part.open
        i += 1
    for i in range(origin.count):
        if i >= state.count or state.number[i] != origin.number[i]:
            part = &loose.part[origin.number[i]]
            state.low -= part.low
            state.high -= part.high
            state.open -= part.open
    links = occurring(state.open)
    if links & ~occurring(origin.open):
        changed = (1 << state.count) - 1
    while changed:
        i = take_bit(&changed)
        number = peeled(loose, state.number[i], links)
        if number != state.number[i]:
            state.low += loose.part[number].low - loose.part[state.number[i]].low
            state.high += loose.part[number].high - loose.part[state.number[i]].high
            state.number[i] = number


cdef inline int peeled(const Loose* loose, int number, Counts links) noexcept nogil:
    """A stem without what is peeled off at ``links`` of some ranks."""
    cdef const Part* part = &loose.part[number]
    cdef Counts inside = links & ranks_between(part.anchor, part.end)
    cdef int cards
    while inside:
        cards = lowest_rank(inside) - part.end
        if part.top < cards:
            break
        number = without_cards(number, cards)
        part = &loose.part[number]
        inside = links & ranks_between(part.anchor, part.end)
    return number


# --- The moves ----------------------------------------------------------------------------------------------

cdef struct View:               # a state that is expanded
    const Stems* parent
    Counts loose[SUITS]
    Counts comes_off[SUITS]     # one at each rank whose card comes off
    StemsConsumer consumer
    void* context


cdef bint generate_loose(Loose* loose, const Stems* parent, StemsConsumer consumer,
                         void* context) noexcept nogil:
    """Hand all successors of ``parent``, with duplicates, to ``consumer``; false if it had enough."""
    cdef View view
    cdef int i
    look_at(loose, &view, parent, consumer, context)
    if parent.count < loose.columns:
        if not loose_to_empty(loose, &view):
            return False
        for i in range(parent.count):
            if not stem_to_empty(loose, &view, i):
                return False
    for i in range(parent.count):
        if not tail_away(loose, &view, i):
            return False
    return True


cdef bint generate_leaving(Loose* loose, const Stems* parent, StemsConsumer consumer,
                           void* context) noexcept nogil:
    """Hand over only the successors by which a run leaves."""
    cdef View view
    cdef int i
    look_at(loose, &view, parent, consumer, context)
    for i in range(parent.count):
        if loose.part[parent.number[i]].anchor == loose.ranks - 1 and not tail_away(loose, &view, i):
            return False
    return True


cdef inline void look_at(const Loose* loose, View* view, const Stems* parent, StemsConsumer consumer,
                         void* context) noexcept nogil:
    """Work out what is loose and what comes off."""
    cdef int i, suit
    view.parent = parent
    view.consumer = consumer
    view.context = context
    for suit in range(SUITS):
        view.loose[suit] = loose.loose[suit]
        for i in range(parent.count):
            view.loose[suit] += loose.part[parent.number[i]].loose[suit]
        view.comes_off[suit] = coming_off(parent.open, view.loose[suit], loose.ranks)


cdef inline Counts coming_off(Counts open, Counts held, int ranks) noexcept nogil:
    """One at each rank of a suit whose card comes off, if so many of the suit are loose."""
    cdef Counts off = occurring(open) | 1
    cdef int rank
    held = occurring(held)
    for rank in range(1, ranks):
        off |= (off & held) << 4 & one_at(rank)
    return off


cdef inline bint hand_over(Loose* loose, const View* view, Stems* child) noexcept nogil:
    """Hand over a successor; false if no more are wanted."""
    normalise(loose, child, view.parent)
    loose.produced += 1
    return view.consumer(view.context, child)


cdef inline bint add_run(Loose* loose, const View* view, Stems* child, int head, int end,
                         int suit) noexcept nogil:
    """Put a run from ``head``, loose below ``end``, into an empty column; false if no more are wanted."""
    while end > 0 and count_at(view.parent.open, end) == 0:
        end -= 1
    child.number[child.count] = number_of_run(head, end, suit)
    child.count += 1
    return hand_over(loose, view, child)


cdef bint loose_to_empty(Loose* loose, const View* view) noexcept nogil:
    """F of loose cards; false if no more are wanted."""
    cdef Stems child
    cdef Counts heads
    cdef int suit, rank
    for suit in range(SUITS):
        heads = occurring(view.loose[suit]) & view.comes_off[suit]
        while heads:
            rank = lowest_rank(heads)
            heads &= heads - 1
            child = view.parent[0]
            if not add_run(loose, view, &child, rank, rank, suit):
                return False
    return True


cdef bint stem_to_empty(Loose* loose, const View* view, int i) noexcept nogil:
    """F and Y of stem ``i``; false if no more are wanted."""
    cdef int number = view.parent.number[i], cards
    cdef const Part* part = &loose.part[number]
    cdef Stems child
    if not count_at(view.comes_off[part.suit], part.end):
        return True
    for cards in range(1, part.top + 1):
        if cards == part.length and part.beneath == 0:
            break
        child = view.parent[0]
        child.number[i] = part.beneath if cards == part.length else without_cards(number, cards)
        if not add_run(loose, view, &child, part.end + cards - 1, part.end, part.suit):
            return False
    return True


cdef bint tail_away(Loose* loose, const View* view, int i) noexcept nogil:
    """X, G and C of stem ``i``; false if no more are wanted."""
    cdef const Part* part = &loose.part[view.parent.number[i]]
    cdef Counts rest
    cdef Stems child
    if part.top < part.length:
        return True
    if part.anchor == loose.ranks - 1:
        rest = one_at(part.end) // 15       # one at each lower rank
        if occurring(view.loose[part.suit]) & rest != rest:
            return True
    elif (not count_at(view.parent.open, part.anchor + 1)
            or not count_at(view.comes_off[part.suit], part.end)):
        return True
    child = view.parent[0]
    uncover(loose, child.number, &child.count, i)
    return hand_over(loose, view, &child)


# --- The search ---------------------------------------------------------------------------------------------

cdef bint keep_state(void* context, const Stems* child) noexcept nogil:
    """Keep a state for later, if it is new and not dead; false ends the search."""
    cdef Loose* loose = <Loose*>context
    cdef Proof* proof = &loose.proof
    cdef int added
    if child.count == 0:
        loose.won = True
        return False
    if proof.dead.count > 0 and is_dead(proof, child.low, child.high):
        return True
    added = table_insert(&proof.known, child.low, without_top_bit(child.high))
    if added == KNOWN:
        return True
    if added == NO_MEMORY or (proof.used + MAX_COLUMNS + 1 > proof.room and not grow_proof(proof)):
        proof.full = True
        return False
    memcpy(proof.waiting + proof.used, child.number, child.count * sizeof(uint16_t))
    proof.used += child.count + 1
    proof.waiting[proof.used - 1] = child.count
    return True


cdef void take_state(Loose* loose, Stems* state) noexcept nogil:
    """Take out the last state that waits; there must be one."""
    cdef Proof* proof = &loose.proof
    cdef int i
    state.count = proof.waiting[proof.used - 1]
    proof.used -= state.count + 1
    memcpy(state.number, proof.waiting + proof.used, state.count * sizeof(uint16_t))
    state.open = loose.open
    state.low = state.high = 0
    for i in range(state.count):
        state.open += loose.part[state.number[i]].open
        state.low += loose.part[state.number[i]].low
        state.high += loose.part[state.number[i]].high


cdef bint begin_loose(Loose* loose, const Layout* layout, const Class* state) noexcept nogil:
    """Begin a search from a class that moves from the layout lead to; false without memory."""
    cdef Proof* proof = &loose.proof
    set_start(loose, layout, state)
    loose.expanded = proof.used = 0
    loose.won = proof.full = False
    return table_reset(&proof.known, proof.max_bytes // 2) and keep_state(loose, &loose.start)


cdef Outcome run_loose(Loose* loose, Kernel kernel, uint64_t nodes) noexcept nogil:
    """Search until so many nodes are expanded: LOST without a win, WON in the relaxation, or FULL."""
    cdef Proof* proof = &loose.proof
    cdef Stems parent
    while proof.used > 0 and not loose.won and not proof.full:
        if loose.expanded >= nodes or not may_expand(kernel):
            return OPEN
        loose.expanded += 1
        take_state(loose, &parent)
        loose.produced = 0
        generate_loose(loose, &parent, keep_state, loose)
        kernel.generated += loose.produced
    if loose.won:
        return WON
    return FULL if proof.full else LOST


cdef bint is_lost(Loose* loose, Kernel kernel, const Layout* layout, const Class* state,
                  uint64_t nodes) noexcept nogil:
    """Test whether a search of so many nodes proves that no position of a class is won, or has proved it
    before. Of one that has, all states are dead."""
    cdef uint64_t low = 0, high = 0
    cdef int i
    for i in range(state.stems):
        low += mix_low(state.stem[i])
        high += mix_high(state.stem[i])
    if state.stems > 0 and is_dead(&loose.proof, low, high):
        return True
    if not begin_loose(loose, layout, state) or run_loose(loose, kernel, nodes) != LOST:
        return False
    keep_dead(&loose.proof)
    return True
