"""The search for a line of fewest moves: A* over exact keys.

States wait by the moves made and those still needed at least. A state is expanded again when fewer moves are
found to lead to it; a child needs at least what its parent needs, less the moves between them. With a weight
above 1 the queue prefers states that need little: quick lines, but nothing is proved.

Positions with every place that matters for the number of moves, in 128 bits.

The classes of `state` leave aside lateral moves and draws, which cost moves. Here a key tells, up to the
order of the columns, all of a position:

    low   bits 0 .. 15     4 bits a suit of `rules`: its height, all ranks where the deck has not got it
          bits 16 ..       a bit for each slot that still holds a card
          then             of each column the number of dealt cards left, the base among them
    high  bits 0 .. 5      the cards in the waste
          bits 6 .. 8      the redeals, where passes are limited
          bits 9 ..        a bit for each type of card that can carry others: two a rank from the 2 on

Cards of one rank and colour are of one *type*; there are two, X1 and X2, and two cards y1 and y2 fit on them.
Which of these are face up and no bases the rest of the key tells; each lies on X1 or X2, and not both on one.
So one bit tells the arrangement: whether y1, or, where that lies on neither, y2 lies on X2. A king that is no
base stands in a column by itself, whichever that is.

A lower bound of the moves that a position needs. A draw is a move, redeals and turning up are none.

Kinds of moves are counted, and no move is of two kinds.

- *The last move of each card.* A card that is not up has to go up once more, and a card goes up by itself.
- *The first draw of each card of the stock.* It must be turned once more, and a draw turns k at most.
- *The first move of a card that waits in its column.* It lies above a lower card of its suit, which must go
  up before. That cannot until it has left the column, and it cannot leave for the foundations: so this is not
  its last move. A face-down card moves by itself then, as the deepest of its run: what lies beneath is face
  down. Of the face-up cards of a column one move may take several that wait, so they count as one. The lower
  card is a face-down one in any case, since ranks fall along what is face up.
- *What cards of the waste that wait need.* Such a card was turned after a lower one of its suit, which still
  lies beneath it. It leaves the waste for a column, which is not its last move; or the waste is turned over
  before. If u of the b that wait are turned over, so are they and the lowest card that one of them waits for:
  u + 1 cards at least are drawn again, by ceil((u + 1) / k) draws after the redeal. None of these is a first
  one, as the stock is empty when the waste is turned over. So b - u + ceil((u + 1) / k) moves are needed, or
  b if u = 0, the fewest of all being min(b, ceil((b + 1) / k)); without another pass b.

A fifth kind takes longer to count. Let all cards of the stock and the waste be free to go up in their turn,
and so each card that waits in its column, with its run, as soon as nothing but its run lies on it; all
others go up from the top of their run alone. If that ends before all cards are up, some card moves that
waits for none of its suit below it, and not for the last time: a run, or part of one, leaves its column for
the first time. Let all runs be free then, which allows more, and go on. So many moves are needed as that
happens. What is up or free here is so at each stage before the next such move of a line; moves of the third
kind are others.

Cards that come back from the foundations need a further last move, and are counted once; what is counted of
the others holds whether they were up in between or not.

What can follow a position in a line of few moves: moves, and some that are made together.

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

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..core.bits cimport count_bits, lowest_bit
from ..core.invariant cimport invariant
from ..core.kernel cimport MEMORY, may_expand, may_pass
from ..core.nodes cimport (
    IMPROVED, NO_NODE, PROVED, STOPPED, Node, add_node, dequeue, enqueue, find_slot, first_queued, free_nodes,
    note_way, reset_nodes,
)
from .line cimport FOUNDATION, NO_SUIT, WASTE, column_with, draw_to, make

cdef enum:
    UP = 60                 # targets of a move beside the cards
    EMPTY = 61
    HOST_UP = 1 << 16       # the card beneath the one that moves goes up after it

cdef enum:
    WEIGHED = 1 << 17       # beside the code of its move: all of the bound is in what a node needs
    MOST_NEEDED = 256

cdef struct Rest:           # what is not up
    int height[4]
    uint64_t free           # cards that go up in their turn
    uint64_t run[2 * MOST_COLUMNS]  # those on top of each column that cards were dealt to, then of kings
    int left[2 * MOST_COLUMNS]      # dealt cards
    int columns


# --- Keys -----------------------------------------------------------------------------------------------


cdef inline uint64_t bit(int number) noexcept nogil:
    """The set of one number."""
    return <uint64_t>1 << number


cdef inline int rank_of(int card) noexcept nogil:
    """The rank of a card, 0 of an ace."""
    return card >> 2


cdef inline int suit_of(int card) noexcept nogil:
    """The suit of a card, in the order of CDHS."""
    return card & 3


cdef inline bint is_red(int card) noexcept nogil:
    """Whether a card is of diamonds or hearts."""
    return (0x6 >> (card & 3)) & 1


cdef inline int like(int card) noexcept nogil:
    """The other card of its rank and colour."""
    return card ^ 3


cdef inline int type_at(int host) noexcept nogil:
    """Where the second word of a key tells what lies on cards of the type of ``host``, which is no ace."""
    return TYPES_AT + 2 * (host >> 2) - 2 + is_red(host)


cdef inline int first_user(int host) noexcept nogil:
    """The first of the two cards that fit on ``host``, which is no ace."""
    return (host & ~3) - 4 | (0 if is_red(host) else 1)


cdef inline int first_host(int card) noexcept nogil:
    """The first of the two cards that carry ``card``, which is no king."""
    return (card & ~3) + 4 | (0 if is_red(card) else 1)


cdef inline bint is_second(int card) noexcept nogil:
    """Whether a card is the second of its type: of suits C and S, or D and H."""
    return card >> 1 & 1


cdef inline uint64_t with_place(uint64_t high, int host) noexcept nogil:
    """The second word of a key where the card that tells lies on ``host``."""
    return high & ~bit(type_at(host)) | (bit(type_at(host)) if is_second(host) else 0)


cdef inline int field_of(const Start* start, int column, int left) noexcept nogil:
    """The field of a column of which so many dealt cards are left: a king that lies on no card counts as none
    of them."""
    if left == 1 and start.kings >> start.dealt[column][0] & 1:
        return 0
    return left


cdef inline uint64_t run_from(const Table* t, int card) noexcept nogil:
    """A face-up card with what lies on it."""
    cdef uint64_t cards = 0
    while card != NONE:
        cards |= bit(card)
        card = t.on[card]
    return cards


cdef inline uint64_t with_left(const Start* start, uint64_t low, int column, int left) noexcept nogil:
    """The first word of a key with so many dealt cards left in a column."""
    cdef uint64_t field = <uint64_t>start.mask[column] << start.shift[column]
    return low & ~field | <uint64_t>field_of(start, column, left) << start.shift[column]


cdef void open_start(Start* start, const Desk* desk, uint64_t* low, uint64_t* high) noexcept nogil:
    """Begin at a state that `line.open_classes` takes; its key."""
    cdef int suit, rank, column, i, shift = SLOTS_AT + desk.slot_count
    cdef bint second
    memset(start, 0, sizeof(Start))
    start.ranks = desk.ranks
    start.columns = desk.columns
    start.slots = desk.slot_count
    start.draw = desk.draw
    start.passes = desk.passes
    start.backward = desk.backward
    low[0] = (bit(desk.slot_count) - 1) << SLOTS_AT
    high[0] = desk.waste
    if desk.passes > 0:
        high[0] |= <uint64_t>desk.redeals << REDEALS_AT
    start.kings = <uint64_t>15 << 4 * (desk.ranks - 1)
    for suit in range(4):
        for rank in range(desk.ranks):
            start.raised[suit][rank + 1] = start.raised[suit][rank] | bit(4 * rank + suit)
        i = desk.height[suit]
        if desk.suits >> suit & 1:
            start.deck |= start.raised[suit][desk.ranks]
        else:
            i = desk.ranks
        low[0] |= <uint64_t>i << 4 * suit
    for i in range(desk.slot_count):
        start.slot_card[i] = desk.slots[i]
        start.slot_of[desk.slots[i]] = i
    for column in range(desk.columns):
        shift = open_column(start, desk, column, shift, low)
    for second in (True, False):    # of two like cards the first one has the last word
        for column in range(desk.columns):
            for i in range(desk.hidden[column] + 1, desk.size[column]):
                if is_second(desk.card[column][i]) == second:
                    high[0] = with_place(high[0], desk.card[column][i - 1])


cdef int open_column(
    Start* start, const Desk* desk, int column, int shift, uint64_t* low
) noexcept nogil:
    """Take over the dealt cards of a column; the bit of the key after its field."""
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
        start.buried[column][i + 1] = below
        start.over[column][i + 1] = over
        start.waiting[column][i + 1] = waiting
        waiting += over >> card & 1
        below |= bit(card)
        if rank_of(card) < lowest[suit_of(card)]:
            lowest[suit_of(card)] = rank_of(card)
            over |= start.raised[suit_of(card)][start.ranks] & ~start.raised[suit_of(card)][rank_of(card) + 1]
    low[0] |= <uint64_t>field_of(start, column, count) << start.shift[column]
    return shift


cdef void read_table(const Start* start, Table* t, uint64_t low, uint64_t high) noexcept nogil:
    """Take a key apart."""
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
        t.slot[t.count] = start.slot_card[lowest_bit(slots)]
        gone |= bit(t.slot[t.count])
        t.count += 1
        slots &= slots - 1
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
    place_all(t)
    for column in range(start.columns):
        card = start.dealt[column][t.left[column] - 1] if t.left[column] > 0 else NONE
        while card != NONE:
            t.column[card] = column
            t.runs[column] |= bit(card)
            card = t.on[card]


cdef inline void place_all(Table* t) noexcept nogil:
    """Lay the placed cards on their hosts."""
    cdef uint64_t rest = t.placed
    cdef int card, host
    cdef bint other_tells, on_second
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        host = first_host(card)
        other_tells = is_second(card) and t.placed >> like(card) & 1
        on_second = t.high >> type_at(host) & 1
        if on_second != other_tells:
            host = like(host)
        t.under[card] = host
        t.on[host] = card
        t.bare &= ~bit(host)


# --- Lower bound ----------------------------------------------------------------------------------------


cdef inline int column_needs(const Start* start, int column, int left, uint64_t run) noexcept nogil:
    """What a column adds of which so many dealt cards are left, the face-up cards being ``run``."""
    return start.waiting[column][left] + ((run & start.over[column][left]) != 0)


cdef int cards_left(const Start* start, const Table* t) noexcept nogil:
    """The cards that are not up."""
    return 4 * start.ranks - t.height[0] - t.height[1] - t.height[2] - t.height[3]


cdef int stock_needs(const Start* start, const Table* t, int count, int waste, int redeals) noexcept nogil:
    """What the stock and the waste add, ``waste`` of ``count`` cards being in the waste: the first slots of
    ``t``."""
    cdef int lowest[4]
    cdef int i, card, waiting = 0
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


cdef int columns_need(const Start* start, const Table* t) noexcept nogil:
    """What the columns add."""
    cdef int column, total = 0
    for column in range(start.columns):
        total += column_needs(start, column, t.left[column], t.runs[column])
    return total


cdef int others_need(const Start* start, const Table* t) noexcept nogil:
    """What the columns add beside; see the fifth kind."""
    cdef Rest rest
    cdef uint64_t kings = t.face & start.kings & ~t.bases
    cdef int rounds = 0, i
    memcpy(rest.height, t.height, sizeof(rest.height))
    rest.free = 0
    for i in range(t.count):
        rest.free |= bit(t.slot[i])
    for i in range(start.columns):
        rest.run[i] = t.runs[i]
        rest.left[i] = t.left[i]
    rest.columns = start.columns
    while kings:
        rest.run[rest.columns] = run_from(t, lowest_bit(kings))
        rest.left[rest.columns] = 0
        rest.columns += 1
        kings &= kings - 1
    while not all_go_up(start, &rest):
        rounds += 1
        for i in range(rest.columns):
            release(start, &rest, i)
    return rounds


cdef inline void release(const Start* start, Rest* rest, int column) noexcept nogil:
    """A run leaves its column, and the next card is turned up."""
    rest.free |= rest.run[column]
    rest.run[column] = 0
    turn_up(start, rest, column)


cdef inline void turn_up(const Start* start, Rest* rest, int column) noexcept nogil:
    """The next card of a column without a run is turned up."""
    if rest.left[column] > 0:
        rest.left[column] -= 1
        if rest.left[column] > 0:
            rest.run[column] = bit(start.dealt[column][rest.left[column] - 1])


cdef inline bint raise_free(const Start* start, Rest* rest) noexcept nogil:
    """Put up what is free; whether there was any."""
    cdef bint moved = False
    cdef int suit
    for suit in range(4):
        while rest.height[suit] < start.ranks and rest.free >> (4 * rest.height[suit] + suit) & 1:
            rest.height[suit] += 1
            moved = True
    return moved


cdef bint all_go_up(const Start* start, Rest* rest) noexcept nogil:
    """Put up what goes up, and let free what waits; whether all columns are empty then."""
    cdef bint moved = True, is_empty = False
    cdef int column, top
    while moved:
        moved = raise_free(start, rest)
        is_empty = True
        for column in range(rest.columns):
            while rest.run[column]:
                top = lowest_bit(rest.run[column])
                if rank_of(top) == rest.height[suit_of(top)]:
                    rest.height[suit_of(top)] += 1
                    rest.run[column] &= rest.run[column] - 1
                    if not rest.run[column]:
                        turn_up(start, rest, column)
                elif rest.left[column] > 0 and rest.run[column] & start.over[column][rest.left[column]]:
                    release(start, rest, column)
                else:
                    is_empty = False
                    break
                moved = True
    return is_empty


# --- Steps ----------------------------------------------------------------------------------------------


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


# --- A* -------------------------------------------------------------------------------------------------


cdef void free_shortest(Shortest* search) noexcept nogil:
    """Give the memory back."""
    free_nodes(&search.nodes)


cdef bint open_shortest(
    Shortest* search, const Desk* desk, uint32_t fewest, uint32_t weight, uint64_t most, uint64_t max_bytes
) noexcept nogil:
    """Begin at a state, to look for a line of fewer than ``fewest`` moves with ``most`` states; false if
    memory does not allow it. ``lower_bound`` holds nevertheless."""
    cdef Step step
    search.fewest = search.lower_bound = fewest
    search.won = NO_NODE
    search.most = most
    open_start(&search.start, desk, &search.low, &search.high)
    read(search, search.low, search.high)
    step = Step(search.low, search.high, 0, search.left, search.stock, search.columns, 0)
    search.lower_bound = min(fewest, <uint32_t>needs(&step))
    if not reset_nodes(&search.nodes, fewest + weight * MOST_NEEDED, weight, max_bytes):
        return False
    return offer(search, NO_NODE, &step)


cdef inline int needs(const Step* step) noexcept nogil:
    """The bound of a child."""
    return step.left + step.stock + step.columns


cdef inline void read(Shortest* search, uint64_t low, uint64_t high) noexcept nogil:
    """Take a key apart."""
    cdef Table* t = &search.table
    read_table(&search.start, t, low, high)
    search.left = cards_left(&search.start, t)
    search.stock = stock_needs(&search.start, t, t.count, t.waste, t.redeals)
    search.columns = columns_need(&search.start, t)


cdef Progress run_shortest(Shortest* search, Kernel kernel) noexcept nogil:
    """Go on until there is something to tell; see Progress. With a weight the end of ``most`` states is one
    like that of the queue, and nothing is proved."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t number, passed = 0, known = search.fewest
    while True:
        number = first_queued(nodes)
        if search.fewest < known:
            return IMPROVED
        if nodes.weight > 1:
            if number == NO_NODE or search.most == 0:
                return PROVED
            search.most -= 1
        elif number == NO_NODE or nodes.queue.first >= search.fewest:
            search.lower_bound = search.fewest
            return PROVED
        elif nodes.queue.first > search.lower_bound:
            search.lower_bound = nodes.queue.first
            return IMPROVED
        dequeue(nodes, number)
        read(search, nodes.nodes[number].low, nodes.nodes[number].high)
        if not weigh(search, number):
            if not may_pass(kernel, &passed):
                return STOPPED
            continue
        if not may_expand(kernel):
            enqueue(nodes, number)
            return STOPPED
        if not expand(search, kernel, number):
            kernel.reason = MEMORY
            return STOPPED


cdef inline bint weigh(Shortest* search, uint32_t number) noexcept nogil:
    """Whether a node, whose key is taken apart, may be expanded now. Once all of its bound is worked out,
    which takes longer, it may have to wait for others."""
    cdef Node* node = &search.nodes.nodes[number]
    cdef int needed
    if node.move & WEIGHED or search.nodes.weight > 1:
        return True
    node.move |= WEIGHED
    needed = search.left + search.stock + search.columns + others_need(&search.start, &search.table)
    if needed <= node.needed:
        return True
    node.needed = needed
    if node.moves + needed < search.fewest:
        enqueue(&search.nodes, number)
    return False


cdef bint offer(Shortest* search, uint32_t parent, const Step* step) noexcept nogil:
    """Take in a child, if it is new or fewer moves lead to it now, and a line through it could be shorter
    than the best one. False if memory runs out."""
    cdef Nodes* nodes = &search.nodes
    cdef uint32_t* slot
    cdef uint32_t number, move = step.code, moves = step.moves, needed = needs(step)
    cdef Node* node
    if parent != NO_NODE:
        needed = max(needed, <int>nodes.nodes[parent].needed + nodes.nodes[parent].moves - step.moves)
    if moves + needed >= search.fewest:
        return True
    slot = find_slot(nodes, step.low, step.high)
    if slot[0] != 0:
        number = slot[0] - 1
        node = &nodes.nodes[number]
        if moves >= node.moves:
            return True
        needed = max(needed, node.needed)
        move |= node.move & WEIGHED
        if node.queued:
            dequeue(nodes, number)
    else:
        number = add_node(nodes, slot, step.low, step.high)
        if number == NO_NODE:
            return False
        node = &nodes.nodes[number]
    note_way(node, parent, moves, move)
    node.needed = needed
    if step.left == 0:
        search.fewest = moves
        search.won = number
    else:
        enqueue(nodes, number)
    return True


cdef bint expand(Shortest* search, Kernel kernel, uint32_t number) noexcept nogil:
    """Offer the children of a node, whose key is taken apart; false if memory runs out."""
    cdef int i
    cdef Step here = Step(
        search.table.low, search.table.high, search.nodes.nodes[number].moves, search.left, search.stock,
        search.columns, 0
    )
    find_steps(&search.steps, &search.start, &search.table, &here)
    kernel.generated += search.steps.count
    for i in range(search.steps.count):
        if not offer(search, number, &search.steps.step[i]):
            return False
    return True


# --- Lines ----------------------------------------------------------------------------------------------


cdef void write_shortest(Shortest* search, Line* line, const Desk* desk) noexcept nogil:
    """Write the line found, which begins at ``desk``; if a shorter way to one of its states is known now, it
    has fewer moves than `fewest`, which becomes their number."""
    cdef Node* nodes = search.nodes.nodes
    cdef Desk now = desk[0]
    cdef uint32_t number = search.won, after = NO_NODE, parent
    line.count = 0
    line.failed = False
    while number != NO_NODE:        # turn the links round, and back when they are followed
        parent = nodes[number].parent
        nodes[number].parent = after
        after = number
        number = parent
    number = NO_NODE
    while after != NO_NODE:
        parent = nodes[after].parent
        nodes[after].parent = number
        if number != NO_NODE:
            make_step(line, &now, nodes[after].move)
        number = after
        after = parent
    search.fewest = line.count


cdef int bound_of(const Desk* desk) noexcept nogil:
    """The bound of a state, for tests."""
    cdef Shortest search
    open_start(&search.start, desk, &search.low, &search.high)
    read(&search, search.low, search.high)
    return search.left + search.stock + search.columns + others_need(&search.start, &search.table)
