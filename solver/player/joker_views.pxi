"""Information sets of the Joker player, and determinizations.

An information set is what a person sees: a `Position` with `UNSEEN` in the place of each card that is face
down in a column, or in the stock. A table may tell some of these cards, and may leave some under the top of
the waste untold. A move that turns a card up needs one there: the true one where the game is played or the
card is known, a sample where the player searches. A player is given information sets and never the true game.

The unseen cards are equally likely to lie in any order, because every card that was seen was turned up
without regard to its value. A sample is a shuffle of the unseen cards in ascending order, not in their true
one: otherwise it would be a function of the true order, and so would be the moves of a player.
"""

cdef enum:
    COLUMNS = 7
    DEALT = 28              # cards of the columns
    RANKS = 13
    SUITS = 15              # a bit each

cdef extern from *:
    """
    #define WINNABLE_ALL_CARDS ((1ULL << 54) - 1)
    """
    const uint64_t ALL_CARDS "WINNABLE_ALL_CARDS"


cdef inline void hide(const Position* truth, Position* seen) noexcept nogil:
    """Hide the cards that a person does not see."""
    cdef int column
    seen[0] = truth[0]
    for column in range(COLUMNS):
        memset(seen.card[column], UNSEEN, seen.hidden[column])
    memset(seen.stock + seen.turned, UNSEEN, stock_left(seen))


cdef inline uint64_t seen_hash(const Position* p) noexcept nogil:
    """Hash all that a person sees to 64 bits, the place of each column included.

    Among the 10^5 positions that the search of a game meets, two share them with a chance of about 10^-9.
    """
    cdef uint64_t sum = p.face, word
    cdef const uint8_t* up
    cdef int i, j
    for i in range(COLUMNS):
        word = face_up(p, i) + 16 * p.hidden[i]
        up = cards_up(p, i)
        for j in range(face_up(p, i)):
            word = word << 6 | up[j]
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
        word = word << 4 | (p.value[i] + 1 if p.condition[i] == DECLARED else 0)
        word = word << 6 | (p.value[i] if p.condition[i] == PLACED else 0)
    word |= <uint64_t>(p.turned_only | p.any_removal << 1) << 44
    return mixed(mixed(sum, word), p.waste_size)


cdef inline int unturned_of(const Position* p, uint8_t* cards) noexcept nogil:
    """Write the cards that have not been turned up in ascending order; return their number."""
    return write_cards(ALL_CARDS & ~turned_up(p), cards)


cdef inline int unseen_of(const Position* p, uint8_t* cards) noexcept nogil:
    """Write the unseen cards in ascending order, without those known from a table. Returns their number."""
    cdef uint64_t seen = turned_up(p)
    cdef int column, i
    for column in range(COLUMNS):
        for i in range(p.hidden[column]):
            seen |= bit(p.card[column][i])
    for i in range(p.turned, p.stock_size):
        seen |= bit(p.stock[i])
    return write_cards(ALL_CARDS & ~seen, cards)


cdef inline int write_cards(uint64_t found, uint8_t* cards) noexcept nogil:
    cdef int i, count = 0
    for i in range(MOST):
        if found >> i & 1:
            cards[count] = i
            count += 1
    return count


cdef inline uint64_t turned_up(const Position* p) noexcept nogil:
    """Return the cards that have been turned up: face up in columns, in the waste, on foundations, and jokers
    on foundations or out of play."""
    cdef uint64_t seen = 0
    cdef int suit, colour, column, i
    for suit in range(4):
        for i in range(p.height[suit]):
            seen |= bit(4 * i + suit)
    for colour in range(2):
        if p.condition[colour] != UNDECLARED:
            seen |= bit(XB + colour)
    for colour in range(2):
        if p.condition[colour] == PLACED:
            seen &= ~bit(p.value[colour])
    seen |= p.face
    for column in range(COLUMNS):
        if face_up(p, column) > 0:
            seen |= bit(base_of(p, column))  # it may be an undeclared joker
    for i in range(p.waste_size):
        seen |= bit(p.waste[i])
    return seen


cdef inline void sample(Position* p, const uint8_t* cards, int count, SplitMix* chance) noexcept nogil:
    """Put the unseen cards, as `unseen_of` writes them, in their places in a random order."""
    cdef uint8_t mixed_up[MOST]
    cdef int column, i, taken = 0
    memcpy(mixed_up, cards, count)
    shuffle_cards(mixed_up, count, chance)
    for column in range(COLUMNS):
        for i in range(p.hidden[column]):
            fill(&p.card[column][i], mixed_up, &taken)
    for i in range(p.stock_size - 1, p.turned - 1, -1):
        fill(&p.stock[i], mixed_up, &taken)
    for i in range(p.waste_size):
        fill(&p.waste[i], mixed_up, &taken)


cdef inline void fill(uint8_t* place, const uint8_t* cards, int* taken) noexcept nogil:
    """Put the next card into a place whose card is not seen."""
    if place[0] == UNSEEN:
        place[0] = cards[taken[0]]
        taken[0] += 1


# --- Loading --------------------------------------------------------------------------------------------

cdef inline void deal(Position* truth, const Desk* dealt) noexcept nogil:
    """Begin the deal ``dealt``. The rule options of ``truth`` are kept."""
    cdef bint turned_only = truth.turned_only, any_removal = truth.any_removal
    deal_game(truth, dealt, RANKS, SUITS)
    truth.turned_only = turned_only
    truth.any_removal = any_removal
    truth.condition[0] = truth.condition[1] = UNDECLARED if truth.stock_size == MOST - DEALT else GONE


cdef inline void load_seen(Position* p, const Desk* desk) noexcept nogil:
    """Load what a person sees of joker or klondike-one-pass. Cards of the stock that were turned are not
    seen."""
    cdef int i, colour
    memset(p, 0, sizeof(Position))
    p.columns = COLUMNS
    p.ranks = RANKS
    p.suits = SUITS
    memcpy(p.hidden, desk.hidden, COLUMNS)
    memcpy(p.size, desk.size, COLUMNS)
    for i in range(COLUMNS):
        memcpy(p.card[i], desk.card[i], desk.size[i])
    memcpy(p.height, desk.up, 4)
    p.stock_size = (MOST if desk.has_jokers else XB) - DEALT
    p.turned = p.stock_size - desk.stock_size
    memset(p.stock, UNSEEN, sizeof(p.stock))
    memcpy(p.stock + p.turned, desk.stock, desk.stock_size)
    p.waste_size = desk.waste_size
    memcpy(p.waste, desk.waste, desk.waste_size)
    p.turned_only = desk.turned_only
    p.any_removal = desk.any_removal
    for colour in range(2):
        p.condition[colour] = condition_of(&desk.joker[colour]) if desk.has_jokers else GONE
        if p.condition[colour] == DECLARED:
            p.value[colour] = desk.joker[colour].rank
        elif desk.has_jokers:
            p.value[colour] = max(0, desk.joker[colour].place)
    find_face(p)
