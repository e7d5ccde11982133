"""What can follow a position in a line of few moves: moves, and some that are made together.

A draw is a move. Nothing but a play of the top of the waste depends on draws, and they on nothing else, so
they are put off until that play, and are one step with it: each card that this pass or the next turns up is
played after as few draws as bring it up. Later passes bring up the same cards as the next one.

Some steps are made at once, and some left out. Let card c of rank r (the ace is 1) be next, with nothing on
it in its column, or, if k = 1, on top of the waste. Let each foundation of the other colour be at least r -
2 high, and that of the other suit of its colour r - 3. Then some shortest line begins with c going up. Call
*low* the cards of its suit to rank r, of the other suit of its colour to r - 2, of the other colour to r -
1. Only low cards land on low cards, and all but c and three are up; these are next. Put c up, and go on as a
shortest line does, but where it moves a low card with what lies on it, put up those of these cards that are
not up yet, and leave out all else that it does with low cards that are up. What lies in columns then lies as
it does there, but for low cards that are up: no host is harder to reach, nor an empty column, and what is
next there is next here, as no low card comes back. Every low card that is not up goes up once, which it does
in that line as well; c did already; all other moves are moves of that line. So there are not more. With k =
1 whatever follows c in the stock comes up after as many draws without it, or one less.

If nothing comes back from the foundations, it is enough that those of the other colour are r - 1 high: then
nothing lands on c. A card that would go up at once does not come back: that leads to where it came from.

A placed card y moves from its host X to the like host X' only if X goes up at once, which is one step. Let a
line begin with such a move of y, and X not go up next. Leave the move out, and go on as the line does. As
long as nothing is on X' here, nor on X there, all else lies alike. If y goes up, or the line moves it back,
a move was saved. If X goes up, move y to X' before: that is the move left out. If the line lays the card y'
like y on X, lay it on X'. The runs on X and X' lie the other way round then. Nothing lands on these hosts,
and none of them goes up, before one of the two runs has left; what is on the runs moves as it does there.
When one leaves by itself, one host is bare here and the other one there. If the line uses the bare one as a
host, use that which is bare here; if it sends it up, move the other run before; if it moves the other run,
leave that out. So there are as many moves at most, and of those that the line begins with one less is of
this kind.

A king that lies on no card does not move. Of the empty columns one is as good as another.
"""

# optimised: searches spend their time here

from libc.stdint cimport uint32_t, uint64_t

from ..core.bits cimport lowest_bit
from ..core.invariant cimport invariant
from .line cimport FOUNDATION, NO_SUIT, WASTE, column_with, draw_to, make
from .needed cimport column_needs, stock_needs
from .table cimport (
    NONE, REDEALS_AT, SLOTS_AT, bit, first_user, is_red, is_second, like, rank_of, run_from, suit_of, type_at,
    with_left, with_place,
)

cdef enum:
    UP = 60                 # targets of a move beside the cards
    EMPTY = 61
    HOST_UP = 1 << 16       # the card beneath the one that moves goes up after it


cdef inline int next_of(const Steps* steps, int suit) noexcept nogil:
    """The next card of a suit, or NONE."""
    cdef int height = steps.table.height[suit]
    return 4 * height + suit if height < steps.start.ranks else NONE


cdef bint is_safe(const Steps* steps, int card) noexcept nogil:
    """Whether a card that is next goes up in some shortest line, as soon as nothing lies on it."""
    cdef const int* height = steps.table.height
    cdef int other = 0 if is_red(card) else 1, rank = rank_of(card)
    cdef int lowest = min(height[other], height[other ^ 3])
    if lowest >= rank - 1 and height[suit_of(card) ^ 3] >= rank - 2:
        return True
    return lowest >= rank and not steps.start.backward


cdef void find_steps(Steps* steps, const Start* start, const Table* table, const Step* here) noexcept nogil:
    """All steps from ``here``, whose key is taken apart in ``table``."""
    cdef int suit, card
    steps.start = start
    steps.table = table
    steps.count = 0
    if make_at_once(steps, here):
        return
    for suit in range(4):
        card = next_of(steps, suit)
        if card != NONE and table.bare >> card & 1:
            raise_card(steps, here[0], card)
    move_columns(steps, here)
    play_stock(steps, here[0])
    if start.backward:
        bring_back(steps, here)


cdef inline bint make_at_once(Steps* steps, const Step* here) noexcept nogil:
    """Add a move that some shortest line begins with; false if there is none that is known."""
    cdef const Table* t = steps.table
    cdef int suit, card, top = t.slot[t.waste - 1] if t.waste > 0 and steps.start.draw == 1 else NONE
    for suit in range(4):
        card = next_of(steps, suit)
        if card == NONE or not is_safe(steps, card):
            continue
        if t.bare >> card & 1:
            raise_card(steps, here[0], card)
            return True
        if card == top:
            play(steps, here[0], t.waste, 0, True)
            return True
    return False


cdef inline void add(Steps* steps, const Step* step, uint32_t code) noexcept nogil:
    """Note a step."""
    invariant(steps.count < MOST_STEPS)
    steps.step[steps.count] = step[0]
    steps.step[steps.count].code = code
    steps.count += 1


cdef inline void take_away(const Steps* steps, Step* step, int card) noexcept nogil:
    """A face-up card leaves where it lies, with what lies on it."""
    cdef const Table* t = steps.table
    cdef const Start* start = steps.start
    cdef int column = t.column[card], left
    cdef uint64_t run
    if column == NONE:
        return
    left = t.left[column]
    step.columns -= column_needs(start, column, left, t.runs[column])
    if t.bases >> card & 1:
        run = bit(start.dealt[column][left - 2]) if left > 1 else 0
        step.low = with_left(start, step.low, column, left - 1)
        step.columns += column_needs(start, column, left - 1, run)
    else:
        step.columns += column_needs(start, column, left, t.runs[column] & ~run_from(t, card))


cdef inline void put_on(const Steps* steps, Step* step, int card, uint64_t run, int host) noexcept nogil:
    """A card with its run, which it begins, lands on a host."""
    cdef const Table* t = steps.table
    cdef int column = t.column[host]
    cdef bint tells = not (is_second(card) and t.placed >> like(card) & 1)
    if tells:
        step.high = with_place(step.high, host)
    if column == NONE:
        return
    step.columns -= column_needs(steps.start, column, t.left[column], t.runs[column])
    step.columns += column_needs(steps.start, column, t.left[column], t.runs[column] | run)


cdef inline uint32_t code_of(int card, int target) noexcept nogil:
    """What a node holds of the move that leads to it: the card, and where it goes."""
    return card | target << 8


cdef inline void put_up(const Steps* steps, Step* step, int card) noexcept nogil:
    """A card of a column goes up; what lies on it has moved."""
    cdef const Table* t = steps.table
    step.moves += 1
    step.left -= 1
    step.low += bit(4 * suit_of(card))
    if t.placed >> card & 1:
        step.high &= ~bit(type_at(t.under[card]))
        if t.placed >> like(card) & 1:
            step.high = with_place(step.high, t.under[like(card)])
    take_away(steps, step, card)


cdef inline void raise_card(Steps* steps, Step step, int card) noexcept nogil:
    """Add that a card of a column goes up."""
    put_up(steps, &step, card)
    add(steps, &step, code_of(card, UP))


cdef void free_host(Steps* steps, Step step, int card, int host) noexcept nogil:
    """Add that a placed card moves to a like host, and the one where it lies goes up."""
    cdef int freed = steps.table.under[card]
    if next_of(steps, suit_of(freed)) != freed:
        return
    step.moves += 1
    put_up(steps, &step, freed)
    put_on(steps, &step, card, run_from(steps.table, card), host)
    add(steps, &step, code_of(card, host) | HOST_UP)


cdef void move_columns(Steps* steps, const Step* here) noexcept nogil:
    """Add what moves from column to column."""
    cdef const Table* t = steps.table
    cdef uint64_t rest = t.bare & ~<uint64_t>15, kings
    cdef int host, card, _which
    cdef Step child
    while rest:
        host = lowest_bit(rest)
        rest &= rest - 1
        card = first_user(host)
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
        card = lowest_bit(kings)
        kings &= kings - 1
        child = here[0]
        child.moves += 1
        take_away(steps, &child, card)
        add(steps, &child, code_of(card, EMPTY))


cdef void play_stock(Steps* steps, Step step) noexcept nogil:
    """Add what plays cards of the waste and the stock."""
    cdef const Table* t = steps.table
    cdef int draw = steps.start.draw, place = t.waste, draws = 0
    cdef uint32_t seen = 0
    if t.count == 0:
        return
    while True:
        if place > 0:
            seen |= <uint32_t>1 << place
            play(steps, step, place, draws, False)
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
            play(steps, step, place, draws, False)


cdef void play(Steps* steps, Step step, int place, int draws, bint up_only) noexcept nogil:
    """Add what plays the card at a place of the waste and the stock, from 1, after so many draws."""
    cdef const Table* t = steps.table
    cdef const Start* start = steps.start
    cdef int card = t.slot[place - 1], redeals = step.high >> REDEALS_AT & 7
    cdef Step child
    step.moves += draws + 1
    step.low &= ~bit(SLOTS_AT + start.slot_of[card])
    step.high = step.high & ~<uint64_t>63 | <uint64_t>(place - 1)
    step.stock = stock_needs(start, t, t.count - 1, place - 1, redeals)
    if rank_of(card) == t.height[suit_of(card)]:
        child = step
        child.low += bit(4 * suit_of(card))
        child.left -= 1
        add(steps, &child, code_of(card, UP))
    if not up_only:
        land(steps, step, card)


cdef void bring_back(Steps* steps, const Step* here) noexcept nogil:
    """Add what comes back from the foundations."""
    cdef const Table* t = steps.table
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
        land(steps, child, card)


cdef void land(Steps* steps, Step step, int card) noexcept nogil:
    """Add what lays a card that is in no column on each host, or in an empty column."""
    cdef const Table* t = steps.table
    cdef Step child
    cdef int host, _which
    if rank_of(card) == steps.start.ranks - 1:
        if t.empty > 0:
            add(steps, &step, code_of(card, EMPTY))
        return
    host = (card & ~3) + 4 | (0 if is_red(card) else 1)
    for _which in range(2):
        if t.bare >> host & 1:
            child = step
            put_on(steps, &child, card, bit(card), host)
            add(steps, &child, code_of(card, host))
        host = like(host)


cdef void make_step(Line* line, Desk* desk, uint32_t code) noexcept nogil:
    """Make the moves of a step."""
    cdef int card = code & 255, target = code >> 8 & 255
    cdef int row = 0, source = column_with(desk, card, &row), count = 1, suit = NO_SUIT, column
    if source >= 0:
        count = desk.size[source] - row
    elif rank_of(card) < desk.height[suit_of(card)]:
        source, suit = FOUNDATION, suit_of(card)
    else:
        draw_to(line, desk, card)
        source = WASTE
    if target == UP:
        column = FOUNDATION
    elif target == EMPTY:
        column = 0
        while column < desk.columns and desk.size[column] > 0:
            column += 1
    else:
        column = column_with(desk, target, &row)
    if column == -1 or column == desk.columns:
        line.failed = True
        return
    make(line, desk, source, column, count, suit)
    if code & HOST_UP:
        make(line, desk, source, FOUNDATION, 1, NO_SUIT)
