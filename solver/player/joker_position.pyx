"""Positions of the Joker player: the information set, and separately an order of the unseen cards.

A `SeenPosition` is an information set: what a person sees, with the numbers of the face-down cards and of
the stock, but not those cards. A move that turns cards up takes them from an `Order`: the true one where
the game is played, a sample (a determinization) where the player searches. A player is given positions and
never the true order.

The unseen cards are equally likely to lie in any order, because every card that was seen was turned up
without regard to its value. A sample is a shuffle of the unseen cards in ascending order, not in their true
one: otherwise it would be a function of the true order, and so would be the moves of a player.

All moves are assumed to be legal.
"""

# optimised: searches spend their time here

from libc.string cimport memcpy, memset

from ..core.invariant cimport invariant
from ..joker.cards cimport GONE, NO_RANK, UNDECLARED, bit
from ..joker.plain cimport ANY, WASTE, condition_of

from ...rules.cards import with_article
from ...rules.joker_view import View

cdef enum:
    DEALT = 28          # cards of the columns
    MOST_HIDDEN = 21    # of them

cdef uint64_t ALL_CARDS = ((<uint64_t>1) << MOST) - 1


# --- Moves ----------------------------------------------------------------------------------------------

cdef void exchange(SeenPosition* p, int natural, uint8_t* where) noexcept nogil:
    """Exchange ``natural``, which lies at ``where`` in a column or on the waste, and its joker."""
    cdef int colour = colour_of(natural), joker = XB + colour, column, i
    if p.condition[colour] == OPEN_ACE:
        p.height[natural & 3] += 1
    elif p.condition[colour] == DECLARED:
        for column in range(COLUMNS):
            for i in range(p.size[column]):
                if p.up[column][i] == joker:
                    p.up[column][i] = natural
        p.face |= bit(natural)
    where[0] = joker
    p.condition[colour] = UNDECLARED
    p.rank[colour] = NO_RANK


cdef inline void exchange_waste(SeenPosition* p) noexcept nogil:
    """Exchange the top of the waste with a joker that stands for it (rule C3)."""
    cdef int card
    if p.waste_size > 0:
        card = p.waste[p.waste_size - 1]
        if card < XB and stands_for(p, card):
            exchange(p, card, &p.waste[p.waste_size - 1])


cdef inline void exchange_exposed(SeenPosition* p) noexcept nogil:
    """Exchange the top of the waste after a move that is no turn, unless only turned cards are exchanged."""
    if not p.turned_only:
        exchange_waste(p)


cdef inline void turn_up(SeenPosition* p, int column, const Order* order) noexcept nogil:
    """Turn up a card of a column without face-up cards, and exchange it with a joker that stands for it
    (rules C1, C2)."""
    cdef int card
    if p.size[column] == 0 and p.down[column] > 0:
        p.down[column] -= 1
        card = order.down[column][p.down[column]]
        p.up[column][0] = card
        p.size[column] = 1
        if card < XB:
            if stands_for(p, card):
                exchange(p, card, &p.up[column][0])
            else:
                p.face |= bit(card)


cdef inline int take_top(SeenPosition* p, int source) noexcept nogil:
    """Take the top card of a column or of the waste; it is no longer face up in a column."""
    cdef int card
    if source == WASTE:
        p.waste_size -= 1
        return p.waste[p.waste_size]
    p.size[source] -= 1
    card = p.up[source][p.size[source]]
    if card < XB:
        p.face &= ~bit(card)
    return card


cdef void move_up(SeenPosition* p, int source, int suit, const Order* order) noexcept nogil:
    """Move the top of ``source`` to its foundation; a joker as the next of ``suit``, or as an open ace for
    ANY."""
    cdef bint settled
    cdef int colour, card = p.waste[p.waste_size - 1] if source == WASTE else p.up[source][p.size[source] - 1]
    if card < XB:
        suit = card & 3
        settled = p.height[suit] == 0 and settles(p, card)
        take_top(p, source)
        if settled:
            colour = colour_of(card)
            p.condition[colour] = PLACED
            p.place[colour] = suit
            p.height[suit] = 1
        p.height[suit] += 1
    else:
        colour = card - XB
        take_top(p, source)
        p.rank[colour] = NO_RANK
        if suit == ANY:
            p.condition[colour] = OPEN_ACE
        else:
            p.condition[colour] = PLACED
            p.place[colour] = 4 * p.height[suit] + suit
            p.height[suit] += 1
    if source != WASTE:
        turn_up(p, source, order)
    exchange_exposed(p)


cdef void move_onto(SeenPosition* p, int source, int target, int count, const Order* order) noexcept nogil:
    """Move the top ``count`` cards of ``source`` onto a column; an undeclared joker takes the rank that
    fits."""
    cdef int size = p.size[target], head, wanted = 12
    if size > 0:
        wanted = rank_of(p, p.up[target][size - 1]) - 1
    if source == WASTE:
        p.waste_size -= 1
        head = p.waste[p.waste_size]
        p.up[target][size] = head
        if head < XB:
            p.face |= bit(head)
    else:
        p.size[source] -= count
        head = p.up[source][p.size[source]]
        memcpy(&p.up[target][size], &p.up[source][p.size[source]], count)
    p.size[target] = size + count
    if head >= XB and p.condition[head - XB] == UNDECLARED:
        p.condition[head - XB] = DECLARED
        p.rank[head - XB] = wanted
    if source != WASTE:
        turn_up(p, source, order)
    exchange_exposed(p)


cdef void declare(SeenPosition* p, int column, int rank) noexcept nogil:
    """Declare the joker that lies alone in ``column`` as ``rank``."""
    cdef int colour = p.up[column][0] - XB
    p.condition[colour] = DECLARED
    p.rank[colour] = rank
    exchange_exposed(p)


cdef void put_out(SeenPosition* p, int source, const Order* order) noexcept nogil:
    """Put the joker on top of ``source`` out of play."""
    cdef int card
    if source == WASTE:
        p.waste_size -= 1
        card = p.waste[p.waste_size]
    else:
        p.size[source] -= 1
        card = p.up[source][p.size[source]]
    invariant(card >= XB)
    p.condition[card - XB] = GONE
    p.rank[card - XB] = NO_RANK
    if source != WASTE:
        turn_up(p, source, order)
    exchange_exposed(p)


cdef void turn(SeenPosition* p, const Order* order) noexcept nogil:
    """Turn the next card of the stock onto the waste."""
    p.stock -= 1
    p.turned += 1
    p.waste[p.waste_size] = order.stock[p.stock]
    p.waste_size += 1
    exchange_waste(p)


# --- What is to be known of a position ------------------------------------------------------------------

cdef int score_of(const SeenPosition* p) noexcept nogil:
    """Count the foundation places filled."""
    cdef int filled = p.height[0] + p.height[1] + p.height[2] + p.height[3]
    if p.condition[0] == OPEN_ACE and (p.height[0] == 0 or p.height[3] == 0):
        filled += 1
    if p.condition[1] == OPEN_ACE and (p.height[1] == 0 or p.height[2] == 0):
        filled += 1
    return filled


cdef inline uint64_t mixed(uint64_t sum, uint64_t value) noexcept nogil:
    """Mix one more value into a hash."""
    sum = (sum ^ value) * <uint64_t>0x9DDFEA08EB382D69
    return sum ^ (sum >> 32)


cdef uint64_t hash_of(const SeenPosition* p) noexcept nogil:
    """Hash all that a person sees to 64 bits, the place of each column included.

    Among the 10^5 positions that the search of a game meets, two share them with a chance of about 10^-9.
    """
    cdef uint64_t sum = p.face, word
    cdef int i, j
    for i in range(COLUMNS):
        word = p.size[i] + 16 * p.down[i]
        for j in range(p.size[i]):
            word = word << 6 | p.up[i][j]
            if j & 7 == 7:
                sum = mixed(sum, word)
                word = 0
        sum = mixed(sum, word)
    word = p.turned
    for i in range(p.waste_size):
        word = word << 6 | p.waste[i]
        if i & 7 == 7:
            sum = mixed(sum, word)
            word = 1
    sum = mixed(sum, word)
    word = 0
    for i in range(4):
        word = word << 4 | p.height[i]
    for i in range(2):
        word = word << 4 | p.condition[i]
        word = word << 4 | <uint64_t>(p.rank[i] + 1)
        word = word << 6 | (p.place[i] if p.condition[i] == PLACED else 0)
    word |= <uint64_t>(p.turned_only | p.any_removal << 1) << 44
    return mixed(mixed(sum, word), p.waste_size)


cdef int unseen_of(const SeenPosition* p, uint8_t* cards) noexcept nogil:
    """Write the unseen cards in ascending order; return their number."""
    cdef uint64_t seen = 0, unseen
    cdef int suit, colour, column, i, count = 0
    for suit in range(4):
        for i in range(p.height[suit]):
            seen |= bit(4 * i + suit)
    for colour in range(2):
        if p.condition[colour] != UNDECLARED:
            seen |= bit(XB + colour)
    for colour in range(2):
        if p.condition[colour] == PLACED:
            seen &= ~bit(p.place[colour])
    seen |= p.face
    for column in range(COLUMNS):
        if p.size[column] > 0:
            seen |= bit(p.up[column][0])  # it may be an undeclared joker
    for i in range(p.waste_size):
        seen |= bit(p.waste[i])
    unseen = ALL_CARDS & ~seen
    for i in range(MOST):
        if unseen >> i & 1:
            cards[count] = i
            count += 1
    return count


cdef void sample(const SeenPosition* p, const uint8_t* cards, int count, SplitMix* chance,
                 Order* order) noexcept nogil:
    """Sample an order of the unseen cards, as `unseen_of` writes them."""
    cdef uint8_t mixed_up[MOST]
    cdef int column, taken = 0
    memcpy(mixed_up, cards, count)
    shuffle(mixed_up, count, chance)
    for column in range(COLUMNS):
        memcpy(order.down[column], mixed_up + taken, p.down[column])
        taken += p.down[column]
    memcpy(order.stock, mixed_up + taken, p.stock)


# --- Loading --------------------------------------------------------------------------------------------

cdef void deal(SeenPosition* p, Order* order, const Dealt* dealt) noexcept nogil:
    """Load a deal: what is seen of it, and the order of the other cards. The choices of rules stay."""
    cdef int column, card, i
    cdef bint turned_only = p.turned_only, any_removal = p.any_removal
    memset(p, 0, sizeof(SeenPosition))
    p.turned_only = turned_only
    p.any_removal = any_removal
    for column in range(COLUMNS):
        card = dealt.card[column][column]
        p.up[column][0] = card
        p.size[column] = 1
        p.down[column] = column
        if card < XB:
            p.face |= bit(card)
        memcpy(order.down[column], dealt.card[column], column)
    p.stock = dealt.stock_size
    for i in range(p.stock):
        order.stock[p.stock - 1 - i] = dealt.stock[i]
    for i in range(2):
        p.rank[i] = NO_RANK
        p.condition[i] = UNDECLARED if p.stock == MOST - DEALT else GONE


def check_view(view):
    """Raise ValueError for a view that a position cannot hold."""
    if len(view.columns) != COLUMNS or len(view.hidden) != COLUMNS:
        raise ValueError(f"expected {COLUMNS} columns, got {len(view.columns)}")
    for column, cards in enumerate(view.columns):
        if len(cards) > LONGEST or not 0 <= view.hidden[column] < DEEPEST:
            limits = f"fewer than {DEEPEST} face-down cards and at most {LONGEST} on them"
            counts = f"{view.hidden[column]} and {len(cards)}"
            raise ValueError(f"column {column + 1}: expected {limits}, got {counts}")
    if sum(view.hidden) > MOST_HIDDEN:
        raise ValueError(f"expected at most {MOST_HIDDEN} face-down cards, got {sum(view.hidden)}")
    stock = (MOST if view.variant == "joker" else XB) - DEALT
    if not 0 <= view.stock <= stock or len(view.waste) > stock - view.stock:
        counts = f"{view.stock} and {len(view.waste)}"
        raise ValueError(f"expected at most {stock} cards of stock and waste, got {counts}")
    if not all([0 <= card < MOST for cards in (*view.columns, view.waste) for card in cards]):
        raise ValueError("expected cards of the deck, got another")
    if len(view.foundations) != 4 or not all([0 <= height <= 13 for height in view.foundations]):
        raise ValueError(f"foundations: expected four heights up to 13, got {view.foundations}")
    for joker in view.jokers:
        if not 0 <= (joker.rank or 0) < 13 or not 0 <= (joker.place or 0) < XB:
            raise ValueError(f"expected a possible joker, got {joker}")


cdef void load(SeenPosition* p, view) except *:
    """Load a `rules.joker_view.View`. Raises TypeError for anything else, ValueError for what no
    game leads to, as far as the numbers tell."""
    if not isinstance(view, View):
        raise TypeError(f"expected a view, got {with_article(type(view).__name__)}")
    check_view(view)
    memset(p, 0, sizeof(SeenPosition))
    for i, column in enumerate(view.columns):
        p.size[i] = len(column)
        p.down[i] = view.hidden[i]
        for j, card in enumerate(column):
            p.up[i][j] = card
            if card < XB:
                p.face |= bit(card)
    for i, height in enumerate(view.foundations):
        p.height[i] = height
    p.stock = view.stock
    p.turned = (26 if view.variant == "joker" else 24) - view.stock
    p.waste_size = len(view.waste)
    for i, card in enumerate(view.waste):
        p.waste[i] = card
    for i, joker in enumerate(view.jokers):
        p.condition[i] = condition_of(joker) if view.variant == "joker" else GONE
        p.rank[i] = joker.rank if p.condition[i] == DECLARED else NO_RANK
        if p.condition[i] == PLACED:
            p.place[i] = joker.place
    p.turned_only = view.variant == "joker" and view.choices.exchange == "turned"
    p.any_removal = view.choices.removal == "exposed"
