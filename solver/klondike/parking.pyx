"""Moves of the relaxed game with the cards that they need parked.

To *park* a card is to land one of the stock or to bring one back from a foundation. It makes that card bare
and covers another, and it can wait until somebody needs it. So an *advance* is any other move together with
the cards without which it could not be made.

A landing from a slot is *telling* if a slot that may not be played yet is above it, or just below it. Only
such a landing can ever open a slot, as slots that are open stay so. It counts among the other moves; what is
left, and what comes back, are the *idle* moves.

Take a shortest line to a win. Let an idle move park card c in it, and any other move m come next.

- m can be made first, unless it needs a bare card of the type of c and there is no other: the idle move makes
  nothing else better. If m puts c up again both could be left out, or, where c is of the stock, be one move,
  and the line would not be shortest.
- The idle move can be made after m. Both covered what they covered in the line, and the counts of bare cards
  after both are the same. A foundation that c left is as it was, as no other card of its suit could go up.
- Neither becomes telling or idle by it, since the slots that may not be played are the same.

So there is a shortest line in which every idle move is as late as can be. Then what comes between two other
moves is a *run* of idle moves that the next move m needs: if there was one that neither m nor another of the
run needs, it could be made last of them, and then after m. Now m needs one card at most: where a base, or a
card from a telling slot, lands, one of the type it lands on, if none is bare; where a covered card goes up,
one like it. A parked card needs one of the type that it lands on, or for a king an empty column; and if it
comes back, the next card of its suit, if that is up, to come back before. All these have a higher rank. So a
run can be made from its highest rank down, and is found from its lowest card up: of each rank the cards that
come back because lower ones do, and as many others as the landings from below lack bare cards of their types.

Let d be the least number of moves to a win. An advance of such a line makes d smaller by all of its moves,
and what `state` forces between advances does not make it larger. So some line of advances comes to the win. A
shortest line never brings back what is safe then, since this could go up again and d would have risen.
Heights only fall in a run, so what is safe after it was safe when it came.

Tempting and wrong, each with its deal in ``seeds/telling.jsonl``: every parked card is used by the very next
one or by m; no card is parked for a like one that goes up; if three cards are drawn no landing is telling.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.bits cimport highest_bit, lowest_bit
from .state cimport (
    MOST_CHILDREN, SLOTS_AT, Layout, Position, bit, cards_in, children_of, open_relaxed, raised_in,
    safe_cards, suit_at, take_bit, without,
)

cdef struct Runs:           # that make a card of some type bare
    const Layout* layout
    uint64_t counts         # bare cards of each type, in fields of two bits
    uint64_t lent           # cards of the stock that may be parked
    uint64_t risen          # cards that may come back
    int empty
    int count               # MOST_RUNS: too many
    uint64_t keys[MOST_RUNS]


cdef int advances_of(const Layout* layout, const Position* p, uint64_t* keys) noexcept nogil:
    """The keys after each advance: how many. Where they are too many, those after each single move."""
    cdef uint32_t codes[MOST_CHILDREN]
    cdef uint64_t opened = open_relaxed(layout, p), telling, hosts, group
    cdef Runs runs
    cdef int i, place, count
    telling = cards_in(layout, opened & telling_slots(p.slots & ~opened))
    opened = cards_in(layout, opened)
    count = single_moves(layout, p, opened, telling, keys)
    hosts = (((p.bases | telling) & ~p.fits & ~layout.kings) << 4) | (p.next & p.face & ~p.bare)
    if hosts == 0:
        return count
    runs.layout = layout
    runs.counts = p.counts
    runs.lent = opened & ~telling
    runs.risen = p.up & layout.deck if layout.backward else 0
    runs.empty = p.empty
    while hosts:
        place = lowest_bit(hosts) & ~1
        group = <uint64_t>3 << place
        hosts &= ~group
        runs.count = 0
        climb(&runs, place >> 2, 1 << (place & 2), 0, p.key)
        if runs.count == MOST_RUNS or count + 6 * runs.count > MOST_ADVANCES:
            return children_of(layout, True, p, keys, codes)
        for i in range(runs.count):
            if not comes_in_vain(layout, p.key, runs.keys[i]):
                count = add_moves(layout, p, runs.keys[i], group, telling, keys, count)
    return count


cdef inline uint64_t telling_slots(uint64_t closed) noexcept nogil:
    """The slots of which the cards open others, of which some are ``closed``."""
    return (bit(highest_bit(closed)) - 1) | closed << 1 if closed else 0


cdef inline int single_moves(
    const Layout* layout, const Position* p, uint64_t opened, uint64_t telling, uint64_t* keys
) noexcept nogil:
    """The keys after each move that is not idle and needs nothing: how many."""
    cdef uint64_t found = p.bases & p.fits
    cdef int card, count = 0
    while found:
        keys[count] = without(layout, p.key, take_bit(&found))
        count += 1
    found = p.next & p.face & p.bare
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(left_by(layout, p, p.key, card), card)
        count += 1
    found = p.next & opened
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(p.key ^ bit(SLOTS_AT + layout.slot_of[card]), card)
        count += 1
    found = p.fits & telling
    while found:
        keys[count] = p.key ^ bit(SLOTS_AT + layout.slot_of[take_bit(&found)])
        count += 1
    return count


cdef inline uint64_t left_by(const Layout* layout, const Position* p, uint64_t key, int card) noexcept nogil:
    """A key after a card left its column."""
    return without(layout, key, card) if p.bases >> card & 1 else key


cdef inline int add_moves(
    const Layout* layout, const Position* p, uint64_t key, uint64_t group, uint64_t telling, uint64_t* keys,
    int count
) noexcept nogil:
    """Add the keys after ``key``, where a run made a card of ``group`` bare, and a move that needs it."""
    cdef uint64_t found = p.bases & group >> 4
    cdef int card
    while found:
        keys[count] = without(layout, key, take_bit(&found))
        count += 1
    found = p.next & p.face & group
    while found:
        card = take_bit(&found)
        keys[count] = raised_in(left_by(layout, p, key, card), card)
        count += 1
    found = telling & group >> 4
    while found:
        keys[count] = key ^ bit(SLOTS_AT + layout.slot_of[take_bit(&found)])
        count += 1
    return count


cdef inline bint comes_in_vain(const Layout* layout, uint64_t before, uint64_t key) noexcept nogil:
    """Whether a card that came back from a foundation would go up at once."""
    cdef int suit
    cdef uint64_t safe
    if (before ^ key) & 0xFFFF == 0:
        return False
    safe = safe_cards(layout, key)
    while safe:
        suit = suit_at(take_bit(&safe))
        if (before ^ key) >> 4 * suit & 15:
            return True
    return False


cdef void climb(Runs* runs, int rank, int wanted, int coming, uint64_t key) noexcept nogil:
    """Note all runs, until they are too many, that make ``wanted`` cards of ``rank`` bare, two bits for each
    of its types, and bring back ``coming``, a bit for each of its cards. ``key`` is after what is parked
    below."""
    cdef int first, second, half, missing, candidates
    cdef int choices[2][2]
    cdef int counts[2]
    if runs.count == MOST_RUNS:
        return
    if wanted == 0 and coming == 0:
        note(runs, key)
        return
    if rank == runs.layout.ranks:
        if (wanted & 3) + (wanted >> 2) <= runs.empty:
            note(runs, key)
        return
    candidates = (runs.lent | runs.risen) >> 4 * rank & 15 & ~coming
    for half in range(2):
        missing = wanted >> 2 * half & 3
        missing -= (runs.counts >> 4 * rank + 2 * half & 3) + pair_count(coming >> 2 * half)
        counts[half] = options(candidates & 3 << 2 * half, missing, choices[half])
    for first in range(counts[0]):
        for second in range(counts[1]):
            climb_on(runs, rank, coming | choices[0][first] | choices[1][second], key)


cdef inline int pair_count(int cards) noexcept nogil:
    """How many of two cards are in a set."""
    return (cards & 1) + (cards >> 1 & 1)


cdef inline int options(int candidates, int missing, int* choices) noexcept nogil:
    """The sets of ``missing`` of at most two candidates: how many."""
    cdef int lowest = candidates & -candidates
    if missing <= 0:
        choices[0] = 0
        return 1
    if missing == 1 and candidates:
        choices[0] = lowest
        choices[1] = candidates ^ lowest
        return 2 if choices[1] else 1
    choices[0] = candidates
    return missing == 2 and candidates != lowest       # as none is more than two


cdef void climb_on(Runs* runs, int rank, int parked, uint64_t key) noexcept nogil:
    """Go on above a rank of which these cards are parked."""
    cdef const Layout* layout = runs.layout
    cdef uint64_t cards = <uint64_t>parked << 4 * rank
    cdef int card, back = 0
    while cards:
        card = take_bit(&cards)
        if runs.risen >> card & 1:
            key -= bit(4 * suit_at(card))
            back |= 1 << (card & 3)
        else:
            key ^= bit(SLOTS_AT + layout.slot_of[card])
    # The next cards of their suits: the bit of the colour turns.
    back = ((back & 3) << 2 | back >> 2) & (runs.risen >> 4 * rank >> 4 & 15)
    climb(runs, rank + 1, pair_count(parked) | pair_count(parked >> 2) << 2, back, key)


cdef inline void note(Runs* runs, uint64_t key) noexcept nogil:
    runs.keys[runs.count] = key
    runs.count += 1
