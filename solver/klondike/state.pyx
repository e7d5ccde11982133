"""Classes of states in 64 bits, and their moves.

A state is kept up to the order of the columns and lateral moves: of a card, with what lies on it, from one
card that can carry it to the other. The key tells the foundations, the slots of the stock that still hold a
card, the waste, and how many of the dealt cards are left in each column. The last of these is face up, the
*base* of the column; a king that lies on no card is no base, as if it had come from elsewhere. All else
follows. A card is face up in a column if it is nowhere else. If it is no base it was *placed*: it lies on a
card of the next rank and the other colour, or, a king, at the bottom of a column.

Cards of one rank and colour are *alike*. So many of them are *bare*, with nothing on them, as there are such
cards face up less the placed cards of the type that lies on them. States that share a key allow the same
moves between keys. What lands needs a bare card of a type, and whichever it is, the key after it is the same.
A base leaves with all that lies on it. A card goes up if a card like it, or itself, is bare: if it is
covered, the run on it first goes to the like one, which is a lateral move and always legal.

The bit of a card is 4 * rank + suit, suits in the order C S D H, with the bit of the colour turned in odd
ranks. So what may lie on a card is four bits lower, or in the same place of that group of two.

Draws are no moves here. Of the cards x1 .. xn of the stock and the waste, in the order of the deal, let w be
in the waste. This pass turns up x of w (at once, if w > 0), w + k, w + 2k, ..., n, the next one k, 2k, ...,
n. A play of xp leaves n - 1 cards, p - 1 of them in the waste, whatever draws led to it. Without a limit on
passes both are open, and where k divides w or w = n the first are among the second: such a waste is *pure*
and kept as 0. With a limit the field holds the redeals, too.

The *relaxed stock* is an easier game without a waste. The card of slot i, from 1, of N may be played if
i mod k is not larger than the number of cards gone from slots below it, or if the next slot is empty, or if
i = N. Every play of a real game is one here. What is undealt keeps its order during a pass, so the top after
a draw was at a multiple of k, or last, when its pass began: i - q is a multiple of k where q cards were gone
from below then, and q only grows. What is last now is slot N, or the slot after it is empty, and so it is
with the top after a play. Where a waste lies at the start, let so many slots be gone before it that this
pass turns up multiples of k, too. With k = 1 the relaxed stock is the real one of unlimited passes.

Some moves are made at once, and some left out. Let d be the least number of moves to a win. A forced move
comes to a state of smaller d, so whatever is forced, and in whatever order, some line to a win remains.

Let card c of rank r (the ace is 1) be next, and each foundation of the other colour at least r - 2 high, that
of the other suit of its colour at least r - 3. Call *low* the cards of its suit to rank r, of the other suit
of its colour to r - 2, of the other colour to r - 1. Only low cards land on low cards. All of them are up but
c and at most three, which are next. Now let c go up. From a shortest line go on thus: where it moves a low
card, with low cards on it, put up those of these that are not up yet; leave out what it does with low cards
that are up; make all other moves as they come. Other cards then lie as they do in the line, or are bare in
more cases; no low card comes back, so what is next in the line is next here. Every low card goes up once, as
in the line at least, and c went up already: d has fallen. This holds

- for c in a column;
- for c in the stock, where cards are not harder to reach without it: with the relaxed stock; and in the real
  one if it is the last, the waste is pure and passes are unlimited. As long as the line does not play it,
  what it plays is at a multiple of k and not last, so it is open without c as well; when the line plays it,
  the whole stock is in the waste, as it may be without c, too;
- for c on top of the waste if k = 1, as what was before c and after it is reached as soon without it; or if
  the stock is empty, by the same reasons as of the last card, for then all lies in the waste after it.

If nothing comes back from the foundations, it is enough that those of the other colour are r - 1 high:
nothing can land on c any more. A card that would go up at once does not come back, since the next move would
undo it.

Tempting and wrong is the second test where cards come back (deal 39209 of the program Klondike-Solver, which
is in ``seeds/telling.jsonl``), and any safe card of the stock if k = 3.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from ..core.bits cimport highest_bit


# --- The layout -----------------------------------------------------------------------------------------


cdef void open_layout(Layout* layout, int ranks, int suits) noexcept nogil:
    """Forget all but the tables of the foundations, which depend on the deck alone."""
    cdef int colour, pair, which, suit, i, height
    cdef Heights* heights
    layout.columns = layout.slots = 0
    layout.is_plain = False
    if layout.ranks == ranks and layout.suits == suits:
        return
    memset(layout, 0, sizeof(Layout))
    layout.ranks = ranks
    layout.suits = suits
    layout.all = bit(4 * ranks) - 1
    layout.kings = <uint64_t>15 << 4 * (ranks - 1)
    for i in range(4 * ranks):
        if suits >> (card_at(i) & 3) & 1:
            layout.deck |= bit(i)
    for colour in range(2):
        for pair in range(256):
            heights = &layout.heights[colour][pair]
            heights.lowest = min(pair & 15, pair >> 4)
            heights.count = (pair & 15) + (pair >> 4)
            for which in range(2):
                suit = 2 * colour + which
                height = min(pair >> 4 * which & 15, ranks)
                for i in range(height):
                    heights.up |= place(i, suit)
                if height < ranks:
                    heights.next |= place(height, suit)
                if height > 0:
                    heights.top |= place(height - 1, suit) & layout.deck


cdef bint close_layout(Layout* layout, int waste) noexcept nogil:
    """Make the tables of the columns and the slots, which are all there; ``waste`` of the slots are the waste
    at the start. False if keys would have more than 64 bits."""
    cdef int column, i, group, used = SLOTS_AT + layout.slots + WASTE_BITS
    cdef uint64_t below
    layout.all_slots = bit(layout.slots) - 1
    layout.waste_at = SLOTS_AT + layout.slots
    layout.stride = layout.slots + 1
    layout.lead = 0 if waste == layout.slots else (layout.draw - waste % layout.draw) % layout.draw
    for column in range(layout.columns):
        layout.shift[column] = used
        layout.mask[column] = 0
        while layout.mask[column] < layout.dealt_count[column]:
            layout.mask[column] = 2 * layout.mask[column] + 1
            used += 1
        below = 0
        layout.buried[column][0] = layout.base[column][0] = 0
        for i in range(layout.dealt_count[column]):
            layout.buried[column][i + 1] = below
            layout.base[column][i + 1] = bit(layout.dealt[column][i])
            below |= bit(layout.dealt[column][i])
            layout.column_of[layout.dealt[column][i]] = column
            layout.row_of[layout.dealt[column][i]] = i
        layout.has_king_below[column] = (
            layout.dealt_count[column] > 0 and layout.kings >> layout.dealt[column][0] & 1)
    if used > 64 or layout.slots > MOST_SLOTS or layout.stride * max(1, layout.passes) > 1 << WASTE_BITS:
        return False
    for i in range(layout.slots):
        layout.slot_of[layout.slot_card[i]] = i
    for group in range(4):
        for i in range(1, 256):
            layout.slot_cards[group][i] = layout.slot_cards[group][i & (i - 1)]
            if 8 * group + lowest_bit(i) < layout.slots:
                layout.slot_cards[group][i] |= bit(layout.slot_card[8 * group + lowest_bit(i)])
    fill_phases(layout)
    return True


cdef void fill_phases(Layout* layout) noexcept nogil:
    """The tables of the draws."""
    cdef int residue, choice, number, i
    for residue in range(layout.draw):
        layout.within[residue] = 0
        for i in range(layout.slots):
            if (i + 1 + layout.lead) % layout.draw <= residue:
                layout.within[residue] |= bit(i)
        for choice in range(256):
            layout.phase[residue][choice] = 0
            number = 0
            for i in range(8):
                if choice >> i & 1:
                    number += 1
                    if number % layout.draw == residue:
                        layout.phase[residue][choice] |= 1 << i


# --- Positions ------------------------------------------------------------------------------------------


cdef void unpack(const Layout* layout, uint64_t key, Position* p) noexcept nogil:
    """What a key tells."""
    cdef const Heights* blacks = &layout.heights[0][key & 255]
    cdef const Heights* reds = &layout.heights[1][key >> 8 & 255]
    cdef uint64_t buried = 0, placed, pairs
    cdef int column, left
    p.key = key
    p.up = blacks.up | reds.up
    p.next = blacks.next | reds.next
    p.top = blacks.top | reds.top
    p.raised = blacks.count + reds.count
    p.slots = key >> SLOTS_AT & layout.all_slots
    p.count = count_bits(p.slots)
    p.stock = cards_in(layout, p.slots)
    p.bases = 0
    p.empty = layout.columns
    for column in range(layout.columns):
        left = key >> layout.shift[column] & layout.mask[column]
        buried |= layout.buried[column][left]
        p.bases |= layout.base[column][left]
    p.face_down = count_bits(buried)
    p.face = layout.all & ~(p.up | p.stock | buried)
    placed = p.face & ~p.bases
    p.empty -= count_bits(p.bases) + count_bits(placed & layout.kings)
    # In fields of two bits: face-up cards of each type less those placed upon them.
    pairs = (p.face & FIRST_OF_TWO) + (p.face >> 1 & FIRST_OF_TWO)
    placed = (placed & FIRST_OF_TWO) + (placed >> 1 & FIRST_OF_TWO)
    pairs -= placed << 4 & layout.all
    p.counts = pairs
    pairs = (pairs | pairs >> 1) & FIRST_OF_TWO
    p.bare = pairs | pairs << 1
    p.fits = p.bare >> 4 | (layout.kings if p.empty > 0 else 0)


cdef inline uint64_t in_phase(const Layout* layout, uint64_t slots, int number) noexcept nogil:
    """Of ``slots`` those whose number among them, from 1, is as ``number`` modulo the draw."""
    cdef uint64_t found = 0
    cdef int group, k = layout.draw, residue = number % k
    for group in range(4):
        found |= <uint64_t>layout.phase[residue][slots >> 8 * group & 255] << 8 * group
        residue = (residue - count_bits(slots >> 8 * group & 255) % k + k) % k
    return found


cdef inline void open_slots(
    const Layout* layout, const Position* p, uint64_t* now, uint64_t* later
) noexcept nogil:
    """The slots that this pass turns up, and those of the next one."""
    cdef int waste, _i, field = p.key >> layout.waste_at & 127
    cdef uint64_t last
    now[0] = later[0] = 0
    if p.slots == 0:
        return
    last = bit(highest_bit(p.slots))
    waste = waste_in(layout, field)
    now[0] = in_phase(layout, p.slots, waste)
    for _i in range((waste - 1) // layout.draw if waste > 0 else 0):
        now[0] &= now[0] - 1
    now[0] |= last
    if layout.passes == 0 or redeals_in(layout, field) + 1 < layout.passes:
        later[0] = in_phase(layout, p.slots, 0) | last


cdef inline int waste_in(const Layout* layout, int field) noexcept nogil:
    return field if layout.passes == 0 else field % layout.stride


cdef inline int redeals_in(const Layout* layout, int field) noexcept nogil:
    return field // layout.stride


cdef uint64_t open_cards(const Layout* layout, bint relaxed, const Position* p) noexcept nogil:
    """The slots from which cards may be played."""
    cdef uint64_t now, later
    if relaxed:
        return open_relaxed(layout, p)
    open_slots(layout, p, &now, &later)
    return now | later


# --- Moves ----------------------------------------------------------------------------------------------


cdef inline uint64_t played(
    const Layout* layout, bint relaxed, const Position* p, int slot, bint is_later
) noexcept nogil:
    """The key after the card of a slot was played, in this pass or a later one."""
    cdef uint64_t key = p.key ^ bit(SLOTS_AT + slot)
    cdef int waste, field
    if relaxed:
        return key
    field = key >> layout.waste_at & 127
    key &= ~(<uint64_t>127 << layout.waste_at)
    waste = count_bits(p.slots & (bit(slot) - 1))
    if p.count == 1:
        return key
    if layout.passes == 0:
        if waste == p.count - 1 or waste % layout.draw == 0:
            return key
        return key | <uint64_t>waste << layout.waste_at
    return key | <uint64_t>((redeals_in(layout, field) + is_later) * layout.stride + waste) << layout.waste_at


cdef inline uint64_t safe_slots(const Layout* layout, bint relaxed, const Position* p) noexcept nogil:
    """The slots from which a safe card goes up at once: see above."""
    cdef int field, waste, _i
    cdef uint64_t slots
    if p.slots == 0:
        return 0
    if relaxed:
        return open_relaxed(layout, p)
    field = p.key >> layout.waste_at & 127
    waste = waste_in(layout, field)
    if layout.passes == 0:
        if layout.draw == 1:
            return p.slots
        return bit(highest_bit(p.slots)) if waste == 0 else 0
    if waste == 0 or (layout.draw > 1 and waste < p.count):
        return 0
    slots = p.slots
    for _i in range(waste - 1):
        slots &= slots - 1
    return slots & -slots


cdef int close(
    const Layout* layout, bint relaxed, uint64_t* key, Position* p, uint8_t* raised
) noexcept nogil:
    """Make all moves that are forced: how many, their cards written to ``raised`` unless it is NULL. ``p`` is
    what ``key`` tells then."""
    cdef uint64_t safe, found
    cdef int card, count = 0
    while True:
        unpack(layout, key[0], p)
        safe = safe_cards(layout, key[0])
        if safe == 0:
            return count
        found = safe & p.face & p.bare
        if found:
            card = lowest_bit(found)
            if p.bases >> card & 1:
                key[0] = without(layout, key[0], card)
        else:
            found = safe & p.stock
            if found:
                found &= cards_in(layout, safe_slots(layout, relaxed, p))
            if not found:
                return count
            card = lowest_bit(found)
            key[0] = played(layout, relaxed, p, layout.slot_of[card], False)
        key[0] = raised_in(key[0], card)
        if raised != NULL:
            raised[count] = card
        count += 1


cdef bint is_won(const Layout* layout, bint relaxed, const Position* p) noexcept nogil:
    """Whether all cards can go up one after the other: none is face down, and no card of the stock needs
    another to be played before. The next card of least rank is then on top of a column or can be turned up.

    With the relaxed stock it may be said too soon, but not where the draw is of one card.
    """
    if p.face_down > 0:
        return False
    if p.count <= 1:
        return True
    if relaxed:
        return open_relaxed(layout, p) == p.slots
    return layout.draw == 1 and layout.passes == 0


cdef int children_of(
    const Layout* layout, bint relaxed, const Position* p, uint64_t* keys, uint32_t* codes
) noexcept nogil:
    """The keys after each move, and its code: how many."""
    cdef uint64_t found, now, later, cards, key
    cdef int card, count = 0
    found = p.bases & p.fits
    while found:
        card = take_bit(&found)
        keys[count] = without(layout, p.key, card)
        count = add(codes, count, LAND, card)
    found = p.next & p.face & p.bare
    while found:
        card = take_bit(&found)
        key = without(layout, p.key, card) if p.bases >> card & 1 else p.key
        keys[count] = raised_in(key, card)
        count = add(codes, count, RAISE, card)
    if p.slots:
        if relaxed:
            now = open_relaxed(layout, p)
            later = 0
        else:
            open_slots(layout, p, &now, &later)
        cards = cards_in(layout, now | later)
        found = cards & p.next
        while found:
            card = take_bit(&found)
            key = played(layout, relaxed, p, layout.slot_of[card], not now >> layout.slot_of[card] & 1)
            keys[count] = raised_in(key, card)
            count = add(codes, count, RAISE_SLOT, card)
        found = cards & p.fits
        while found:
            card = take_bit(&found)
            keys[count] = played(
                layout, relaxed, p, layout.slot_of[card], not now >> layout.slot_of[card] & 1)
            count = add(codes, count, LAND_SLOT, card)
    if layout.backward:
        found = p.top & p.fits
        while found:
            card = take_bit(&found)
            key = p.key - bit(4 * suit_at(card))
            if not safe_cards(layout, key) >> card & 1:
                keys[count] = key
                count = add(codes, count, BRING_BACK, card)
    return count


cdef inline int add(uint32_t* codes, int count, Kind kind, int card) noexcept nogil:
    codes[count] = kind << 8 | card
    return count + 1
