"""Exact positions of Klondike with redeals: keys, steps, and the part of the bound that steps update.

The classes of `state` leave out lateral moves and draws, which cost moves. Here a key of 128 bits has, up
to the order of the columns, everything about a position:

    low   bits 0 .. 15     4 bits a suit of `rules`: its height, all ranks where the deck lacks the suit
          bits 16 ..       a bit for each slot that still holds a card
          then             the number of dealt cards left in each column, the base among them
    high  bits 0 .. 5      the cards in the waste
          bits 6 .. 8      the redeals, where passes are limited
          bits 9 ..        a bit for each type of card that can carry others: two a rank from the 2 on

Cards of one rank and colour are of one *type*; there are two, X1 and X2, and two cards y1 and y2 fit on
them. Which of these are face up and not bases follows from the rest of the key; each lies on X1 or X2, and
not both on one. So one bit gives the arrangement: whether y1, or, if that lies on neither, y2 lies on X2. A
king that is not a base stands in a column by itself, whichever that is.

The bound adds disjoint kinds of moves (Theorem K7 of docs/theory/klondike.md), which a step updates at little
cost: the last move of each card, the first draw of each card of the stock, and moves of cards that lie above
a lower one of their suit in a column or in the waste. In place of the latter `landmarks` may tell more. A
step of the search is a move, or several that some shortest line makes together: draws join the play that
needs them (K8), a safe foundation move is the only step (K9), and a run moves between like hosts only if the
freed one goes up (K10).
"""

# optimised: searches spend their time here

from libc.string cimport memset

from ..core.bits cimport take_bit
from ..core.invariant cimport invariant
from .line cimport CODE_MASK, EMPTY, HOST_UP, REDEALT, TARGET_AT, UP
from .state cimport bit


# --- Keys -----------------------------------------------------------------------------------------------

cdef inline int rank_of(int card) noexcept nogil:
    """Return the rank of a card, 0 of an ace."""
    return card >> 2


cdef inline int suit_of(int card) noexcept nogil:
    """Return the suit of a card, in the order C D H S."""
    return card & 3


cdef inline bint is_red(int card) noexcept nogil:
    """Test whether a card is red."""
    return (0x6 >> (card & 3)) & 1


cdef inline int like(int card) noexcept nogil:
    """Return the other card of a type."""
    return card ^ 3


cdef inline int type_at(int host) noexcept nogil:
    """Return the bit of the second word for what lies on the type of ``host``, which is not an ace."""
    return TYPES_AT + 2 * (host >> 2) - 2 + is_red(host)


cdef inline int first_host(int card) noexcept nogil:
    """Return the first of the two cards that carry ``card``, which is not a king."""
    return (card & ~3) + 4 | (0 if is_red(card) else 1)


cdef inline bint is_second(int card) noexcept nogil:
    """Test whether a card is the second of its type: of suits C and S, or D and H."""
    return card >> 1 & 1


cdef inline uint64_t with_place(uint64_t high, int host) noexcept nogil:
    """Return the second word of a key with the bit of a type set by its ``host``."""
    return high & ~bit(type_at(host)) | (bit(type_at(host)) if is_second(host) else 0)


cdef inline int field_of(const ExactLayout* start, int column, int left) noexcept nogil:
    """Return the field of a column with so many dealt cards left; a king on the bottom does not count."""
    if left == 1 and start.kings >> start.dealt[column][0] & 1:
        return 0
    return left


cdef uint64_t run_from(const ExactPosition* t, int card) noexcept nogil:
    """Return the run from a face-up card to the top."""
    cdef uint64_t cards = 0
    while card != NONE:
        cards |= bit(card)
        card = t.on[card]
    return cards


cdef void open_exact_layout(ExactLayout* start, const Desk* desk, int goal, uint64_t* low,
                            uint64_t* high) noexcept nogil:
    """Build the layout and key of a state that `line.open_classes` accepts; ``goal`` cards are to go up."""
    cdef int suit, rank, column, i, shift = SLOTS_AT + desk.slot_count
    memset(start, 0, sizeof(ExactLayout))
    start.ranks = desk.ranks
    start.goal = goal
    start.is_full = goal == 4 * desk.ranks
    start.columns = desk.columns
    start.slots = desk.slot_count
    start.draw = desk.draw
    start.lead = 0 if desk.waste == desk.slot_count else -desk.waste % desk.draw
    if start.lead < 0:
        start.lead += desk.draw
    start.passes = desk.passes
    start.backward = desk.backward
    start.kings = <uint64_t>15 << 4 * (desk.ranks - 1)
    for suit in range(4):
        for rank in range(desk.ranks):
            start.raised[suit][rank + 1] = start.raised[suit][rank] | bit(4 * rank + suit)
        if desk.suits >> suit & 1:
            start.deck |= start.raised[suit][desk.ranks]
    for i in range(desk.slot_count):
        start.slot_card[i] = desk.slots[i]
        start.slot_of[desk.slots[i]] = i
    for column in range(desk.columns):
        shift = open_column(start, desk, column, shift)
    pack_exact(start, desk, low, high)


cdef int open_column(ExactLayout* start, const Desk* desk, int column, int shift) noexcept nogil:
    """Load the dealt cards of a column; return the bit of the key after its field."""
    cdef uint8_t lowest[4]
    cdef uint64_t below = 0, over = 0
    cdef int i, card, count = desk.hidden[column] + 1 if desk.size[column] > 0 else 0, waiting = 0
    memset(lowest, NONE, sizeof(lowest))
    start.dealt_count[column] = count
    start.shift[column] = shift
    while start.mask[column] < count:
        start.mask[column] = 2 * start.mask[column] + 1
        shift += 1
    for i in range(count):
        card = desk.card[column][i]
        start.dealt[column][i] = card
        start.column_of[card] = column
        start.buried[column][i + 1] = below
        start.over[column][i + 1] = over if start.is_full else 0
        start.waiting[column][i + 1] = waiting
        waiting += over >> card & 1 if start.is_full else 0
        below |= bit(card)
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
            over |= start.raised[suit_of(card)][start.ranks] & ~start.raised[suit_of(card)][rank_of(card) + 1]
    return shift


cdef void pack_exact(const ExactLayout* start, const Desk* desk, uint64_t* low,
                     uint64_t* high) noexcept nogil:
    """Build the key of a position that the one of the layout leads to."""
    cdef int suit, column, i, hidden
    cdef bint second
    low[0] = 0
    high[0] = desk.waste
    if desk.passes > 0:
        high[0] |= <uint64_t>desk.redeals << REDEALS_AT
    for suit in range(4):
        i = desk.height[suit] if desk.suits >> suit & 1 else desk.ranks
        low[0] |= <uint64_t>i << 4 * suit
    for i in range(desk.slot_count):
        low[0] |= bit(SLOTS_AT + start.slot_of[desk.slots[i]])
    for column in range(desk.columns):
        hidden = desk.hidden[column]
        if desk.size[column] > 0 and desk.card[column][hidden] == start.dealt[column][hidden]:
            low[0] |= <uint64_t>field_of(start, column, hidden + 1) << start.shift[column]
    for second in (True, False):    # of two like cards the first one has the last word
        for column in range(desk.columns):
            for i in range(desk.hidden[column] + 1, desk.size[column]):
                if is_second(desk.card[column][i]) == second:
                    high[0] = with_place(high[0], desk.card[column][i - 1])


cdef void unpack_exact(const ExactLayout* start, ExactPosition* t, uint64_t low,
                       uint64_t high) noexcept nogil:
    """Unpack a key."""
    cdef uint64_t slots = low >> SLOTS_AT & (bit(start.slots) - 1), gone = 0, kings
    cdef int suit, column, card
    t.low = low
    t.high = high
    t.waste = high & 63
    t.redeals = high >> REDEALS_AT & 7
    for suit in range(4):
        t.height[suit] = low >> 4 * suit & 15
        gone |= start.raised[suit][t.height[suit]]
    t.count = 0
    while slots:
        t.slot[t.count] = start.slot_card[take_bit(&slots)]
        gone |= bit(t.slot[t.count])
        t.count += 1
    t.bases = 0
    t.empty = start.columns
    memset(t.on, NONE, sizeof(t.on))
    memset(t.column, NONE, sizeof(t.column))
    for column in range(start.columns):
        t.left[column] = low >> start.shift[column] & start.mask[column]
        t.runs[column] = 0
        if t.left[column] > 0:
            card = start.dealt[column][t.left[column] - 1]
            gone |= start.buried[column][t.left[column]]
            t.bases |= bit(card)
            t.empty -= 1
    t.face = start.deck & ~gone
    kings = t.face & start.kings & ~t.bases
    t.empty -= count_bits(kings)
    t.placed = t.face & ~t.bases & ~kings
    t.bare = t.face
    place_cards(t)
    for column in range(start.columns):
        card = start.dealt[column][t.left[column] - 1] if t.left[column] > 0 else NONE
        while card != NONE:
            t.column[card] = column
            t.runs[column] |= bit(card)
            card = t.on[card]


cdef inline void place_cards(ExactPosition* t) noexcept nogil:
    """Put the placed cards on their hosts."""
    cdef uint64_t rest = t.placed
    cdef int card, host
    cdef bint other_tells, on_second
    while rest:
        card = take_bit(&rest)
        host = first_host(card)
        other_tells = is_second(card) and t.placed >> like(card) & 1
        on_second = t.high >> type_at(host) & 1
        if on_second != other_tells:
            host = like(host)
        t.under[card] = host
        t.on[host] = card
        t.bare &= ~bit(host)


# --- Lower bound ----------------------------------------------------------------------------------------

cdef inline int column_bound(const ExactLayout* start, int column, int left, uint64_t run) noexcept nogil:
    """Bound the moves of waiting cards of a column, of so many dealt cards and the face-up cards ``run``."""
    return start.waiting[column][left] + ((run & start.over[column][left]) != 0)


cdef int cards_left(const ExactLayout* start, const ExactPosition* t) noexcept nogil:
    """Count the cards that are still to go up."""
    return start.goal - t.height[0] - t.height[1] - t.height[2] - t.height[3]


cdef int stock_bound(const ExactLayout* start, const ExactPosition* t, int count, int waste,
                     int redeals) noexcept nogil:
    """Bound the draws and the moves of waiting cards of the waste, the first ``waste`` of ``count`` slots."""
    cdef int i, card, waiting = 0
    cdef int lowest[4]
    if not start.is_full:
        return 0
    for i in range(4):
        lowest[i] = NONE
    for i in range(waste):
        card = t.slot[i]
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
        else:
            waiting += 1
    if start.passes == 0 or redeals + 1 < start.passes:
        waiting = min(waiting, (waiting + start.draw) // start.draw)
    return (count - waste + start.draw - 1) // start.draw + waiting


cdef int columns_bound(const ExactLayout* start, const ExactPosition* t) noexcept nogil:
    """Bound the moves of waiting cards in columns."""
    cdef int column, total = 0
    for column in range(start.columns):
        total += column_bound(start, column, t.left[column], t.runs[column])
    return total


# --- Steps ----------------------------------------------------------------------------------------------

cdef inline int next_of(const Steps* steps, int suit) noexcept nogil:
    """Return the next card of a suit, or NONE."""
    cdef int height = steps.table.height[suit]
    return 4 * height + suit if height < steps.start.ranks else NONE


cdef bint is_safe(const Steps* steps, int card) noexcept nogil:
    """Test whether a next card, once bare, goes up in some shortest line (Theorem K9)."""
    cdef const int* height = &steps.table.height[0]
    cdef int other = 0 if is_red(card) else 1, rank = rank_of(card)
    cdef int lowest = min(height[other], height[other ^ 3])
    if lowest >= rank - 1 and height[suit_of(card) ^ 3] >= rank - 2:
        return True
    return lowest >= rank and not steps.start.backward


cdef void find_steps(Steps* steps, const ExactLayout* start, const ExactPosition* table,
                     const Step* here) noexcept nogil:
    """Generate all steps from ``here``, whose key is unpacked in ``table``."""
    cdef int suit, card
    steps.start = start
    steps.table = table
    steps.count = 0
    steps.is_safe = add_safe_step(steps, here)
    if steps.is_safe:
        return
    for suit in range(4):
        card = next_of(steps, suit)
        if card != NONE and table.bare >> card & 1:
            raise_card(steps, here[0], card)
    move_columns(steps, here)
    play_stock(steps, here[0])
    if start.backward:
        bring_back(steps, here)


cdef inline bint add_safe_step(Steps* steps, const Step* here) noexcept nogil:
    """Add a safe foundation move; false if there is none."""
    cdef const ExactPosition* t = steps.table
    cdef int suit, card, top = t.slot[t.waste - 1] if t.waste > 0 and steps.start.draw == 1 else NONE
    for suit in range(4):
        card = next_of(steps, suit)
        if card == NONE or not is_safe(steps, card):
            continue
        if t.bare >> card & 1:
            raise_card(steps, here[0], card)
            return True
        if card == top:
            play(steps, here[0], t.waste, 0, 0, True)
            return True
    return False


cdef inline void add(Steps* steps, const Step* step, uint32_t code) noexcept nogil:
    """Append a step."""
    invariant(steps.count < MOST_STEPS)
    steps.step[steps.count] = step[0]
    steps.step[steps.count].code = code
    steps.count += 1


cdef inline void take_away(const Steps* steps, Step* step, int card) noexcept nogil:
    """Remove a face-up card and the run on it from its place."""
    cdef const ExactPosition* t = steps.table
    cdef const ExactLayout* start = steps.start
    cdef int column = t.column[card], left
    cdef uint64_t run
    if column == NONE:
        return
    left = t.left[column]
    step.columns -= column_bound(start, column, left, t.runs[column])
    if t.bases >> card & 1:
        run = bit(start.dealt[column][left - 2]) if left > 1 else 0
        step.low &= ~(<uint64_t>start.mask[column] << start.shift[column])
        step.low |= <uint64_t>field_of(start, column, left - 1) << start.shift[column]
        step.columns += column_bound(start, column, left - 1, run)
    else:
        step.columns += column_bound(start, column, left, t.runs[column] & ~run_from(t, card))


cdef inline void put_on(const Steps* steps, Step* step, int card, uint64_t run, int host) noexcept nogil:
    """Put a card, with the run that it begins, on a host."""
    cdef const ExactPosition* t = steps.table
    cdef int column = t.column[host]
    cdef bint tells = not (is_second(card) and t.placed >> like(card) & 1)
    if tells:
        step.high = with_place(step.high, host)
    if column == NONE:
        return
    step.columns -= column_bound(steps.start, column, t.left[column], t.runs[column])
    step.columns += column_bound(steps.start, column, t.left[column], t.runs[column] | run)


cdef inline uint32_t code_of(int card, int target) noexcept nogil:
    """Encode a move for its node: the card, and where it goes."""
    return card | target << TARGET_AT


cdef inline void put_up(const Steps* steps, Step* step, int card) noexcept nogil:
    """Move a bare card of a column up."""
    cdef const ExactPosition* t = steps.table
    step.moves += 1
    step.left -= 1
    step.low += bit(4 * suit_of(card))
    if t.placed >> card & 1:
        step.high &= ~bit(type_at(t.under[card]))
        if t.placed >> like(card) & 1:
            step.high = with_place(step.high, t.under[like(card)])
    take_away(steps, step, card)


cdef inline void raise_card(Steps* steps, Step step, int card) noexcept nogil:
    """Add the move of a card of a column to its foundation."""
    put_up(steps, &step, card)
    add(steps, &step, code_of(card, UP))


cdef void free_host(Steps* steps, Step step, int card, int host) noexcept nogil:
    """Add the move of a placed card to a like host, with the move up of the host it frees (Theorem K10)."""
    cdef int freed = steps.table.under[card]
    if next_of(steps, suit_of(freed)) != freed:
        return
    step.moves += 1
    put_up(steps, &step, freed)
    put_on(steps, &step, card, run_from(steps.table, card), host)
    add(steps, &step, code_of(card, host) | HOST_UP)


cdef void move_columns(Steps* steps, const Step* here) noexcept nogil:
    """Add the moves from column to column."""
    cdef const ExactPosition* t = steps.table
    cdef uint64_t rest = t.bare & ~<uint64_t>15, kings
    cdef int host, card, _which
    cdef Step child
    while rest:
        host = take_bit(&rest)
        card = (host & ~3) - 4 | (0 if is_red(host) else 1)     # the first of the two that fit
        for _which in range(2):
            if t.bases >> card & 1:
                child = here[0]
                child.moves += 1
                take_away(steps, &child, card)
                put_on(steps, &child, card, run_from(t, card), host)
                add(steps, &child, code_of(card, host))
            elif t.placed >> card & 1:
                free_host(steps, here[0], card, host)
            card = like(card)
    kings = t.bases & steps.start.kings if t.empty > 0 else 0
    while kings:
        card = take_bit(&kings)
        child = here[0]
        child.moves += 1
        take_away(steps, &child, card)
        add(steps, &child, code_of(card, EMPTY))


cdef void play_stock(Steps* steps, Step step) noexcept nogil:
    """Add the plays of cards of the waste and the stock, with their draws (Theorem K8)."""
    cdef const ExactPosition* t = steps.table
    cdef int draw = steps.start.draw, place = t.waste, draws = 0
    cdef uint32_t seen = 0
    if t.count == 0:
        return
    while True:
        if place > 0:
            seen |= <uint32_t>1 << place
            play(steps, step, place, draws, 0, False)
        if place == t.count:
            break
        place = min(place + draw, t.count)
        draws += 1
    if t.count <= draw or (steps.start.passes > 0 and t.redeals + 1 >= steps.start.passes):
        return
    if steps.start.passes > 0:
        step.high += bit(REDEALS_AT)
    place = 0
    while place < t.count:
        place = min(place + draw, t.count)
        draws += 1
        if not seen >> place & 1:
            play(steps, step, place, draws, REDEALT, False)


cdef void play(Steps* steps, Step step, int place, int draws, uint32_t also, bint up_only) noexcept nogil:
    """Add the plays of the card at a place of the waste and the stock, from 1, after so many draws."""
    cdef const ExactPosition* t = steps.table
    cdef const ExactLayout* start = steps.start
    cdef int card = t.slot[place - 1], redeals = step.high >> REDEALS_AT & 7
    cdef Step child
    step.moves += draws + 1
    step.low &= ~bit(SLOTS_AT + start.slot_of[card])
    step.high = step.high & ~<uint64_t>63 | <uint64_t>(place - 1)
    step.stock = stock_bound(start, t, t.count - 1, place - 1, redeals)
    if rank_of(card) == t.height[suit_of(card)]:
        child = step
        child.low += bit(4 * suit_of(card))
        child.left -= 1
        add(steps, &child, code_of(card, UP) | also)
    if not up_only:
        land(steps, step, card, also)


cdef void bring_back(Steps* steps, const Step* here) noexcept nogil:
    """Add the moves from the foundations back to columns."""
    cdef const ExactPosition* t = steps.table
    cdef int suit, card
    cdef Step child
    for suit in range(4):
        card = 4 * (t.height[suit] - 1) + suit
        if t.height[suit] == 0 or not steps.start.deck >> card & 1 or is_safe(steps, card):
            continue
        child = here[0]
        child.moves += 1
        child.left += 1
        child.low -= bit(4 * suit)
        land(steps, child, card, 0)


cdef void land(Steps* steps, Step step, int card, uint32_t also) noexcept nogil:
    """Add the moves of a card that is in no column to each host, or to an empty column."""
    cdef const ExactPosition* t = steps.table
    cdef Step child
    cdef int host, _which
    if rank_of(card) == steps.start.ranks - 1:
        if t.empty > 0:
            add(steps, &step, code_of(card, EMPTY) | also)
        return
    host = first_host(card)
    for _which in range(2):
        if t.bare >> host & 1:
            child = step
            put_on(steps, &child, card, bit(card), host)
            add(steps, &child, code_of(card, host) | also)
        host = like(host)


# --- Steps that wait -------------------------------------------------------------------------------------

cdef enum:
    SUIT_AT = 6             # in what a step freed, the suit of a foundation, plus 1
    MOVE_MASK = (1 << 12) - 1   # of a code, the card and the target


cdef inline uint32_t freed_by(const ExactLayout* start, const ExactPosition* t, uint32_t code) noexcept nogil:
    """Return what a postponable step from ``t`` frees, but a foundation: a card or an empty column, plus 1;
    0 of other steps (Theorem K14)."""
    cdef int card = code & CODE_MASK, column
    if code & HOST_UP:
        return 0
    if card >> 2 < t.height[card & 3]:
        return card + 1
    if not t.face >> card & 1:
        return 0
    if t.placed >> card & 1:
        return t.under[card] + 1
    column = start.column_of[card]
    if t.bases >> card & 1 and t.left[column] > 1:
        return start.dealt[column][t.left[column] - 2] + 1
    return EMPTY + 1


cdef inline bint needs(const ExactPosition* t, uint32_t code, uint32_t freed) noexcept nogil:
    """Test whether a step from ``t`` may need what an earlier one freed."""
    cdef uint32_t card = code & CODE_MASK, target = code >> TARGET_AT & CODE_MASK, what = freed & 63
    if freed == 0 or card + 1 == what or target + 1 == what:
        return True
    return freed >> SUIT_AT == 1 + (card & 3) and (
        target == UP or card >> 2 < t.height[card & 3])


cdef bint may_follow(const ExactLayout* start, const ExactPosition* t, uint32_t before,
                     uint32_t* code) noexcept nogil:
    """Test whether a step from ``t`` may follow the one before it (Theorem K14), and note with its code what
    it and those before free that no step needed yet."""
    cdef uint32_t last = before >> LAST_AT & 63, older = before >> OLDER_AT, freed, rest = 0
    cdef uint32_t card = before & CODE_MASK
    cdef bint needs_last, needs_older
    if last > 0 and (last == card + 1 or before >> TARGET_AT & CODE_MASK == UP):
        last |= (1 + (card & 3)) << SUIT_AT
    if code[0] & HOST_UP:
        return True
    freed = freed_by(start, t, code[0])
    needs_last = needs(t, code[0], last)
    needs_older = needs(t, code[0], older)
    if freed == 0:
        return needs_last and needs_older
    if not needs_last:
        if (code[0] & MOVE_MASK) < (before & MOVE_MASK):
            return False
        rest = last
    elif not needs_older:
        rest = older
    code[0] |= freed << LAST_AT | rest << OLDER_AT
    return True
