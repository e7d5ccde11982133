"""Move generation of the Joker player, and the scores of the rule player.

A choice is one to three elementary moves that belong together. Left out are, besides what the search with
known cards leaves out, kings that only change from one empty column to another, parts of runs except to
move the card beneath them up, jokers onto undeclared jokers, and declarations for a card that is not seen
yet, unless only turned cards are exchanged and few cards are unseen.

A safe foundation move is the only choice: of an ace; of a deuce once the joker of the other colour is out
of play; of any card below which both cards of the other colour are up. Where only turned cards are exchanged
a card may be up while its joker, which would lie on the same cards, is not; and a card of the waste for which
its joker stands is not safe, since the joker is barred from its rank or place afterwards.

The scores are linear in the terms of EXPOSED_WEIGHTS or TURNED_WEIGHTS, by the choice of rules. Most
important is that a joker stays undeclared until it turns a card up, takes the top of the waste or changes
places, and goes up late; where only turned cards are exchanged, that it takes no rank whose cards were all
turned, and leaves the waste. The rest orders moves of naturals, of which many are as good as others.
"""

cdef enum:
    CHOICE_STEPS = 3        # elementary moves of one choice
    KING = 12
    FEW_UNSEEN = 8          # cards, from which on declarations for one of them are choices

cdef enum ChoiceKind:
    TOP_UP = 0          # the top of source to a foundation
    ONTO = 1            # count cards of source onto target
    DECLARED_ONTO = 2   # the same, after the joker there is declared as rank
    RUN_THEN_UP = 3     # the same, declared if rank is not ANY, and then the new top of source goes up
    DECLARE = 4         # the joker in source as rank
    JOKER_OUT = 5       # the joker on top of source
    TURN = 6            # the next card of the stock

cdef enum:              # the terms of a score, in the order of EXPOSED_WEIGHTS
    UP_BASE, UP_RANK, UP_TURNS, UP_HIDDEN, UP_ENABLES, UP_TAKES_WASTE, UP_EMPTIES_WANTED, UP_EMPTIES
    WASTE_UP_BASE, WASTE_UP_RANK, WASTE_UP_ENABLES
    JOKER_UP_BASE, JOKER_UP_TURNS, JOKER_UP_RANK, JOKER_UP_OPEN, JOKER_UP_UNDECLARED
    RUN_TURNS, RUN_TURNS_RANK, RUN_TURNS_HIDDEN, RUN_TURNS_HIDDEN_THERE, RUN_TURNS_TO_EMPTY
    JOKER_MOVES, JOKER_MOVES_TURNS, JOKER_MOVES_HIDDEN, JOKER_MOVES_ELSE, JOKER_MOVES_TO_EMPTY
    RUN_ON_JOKER, RUN_ON_JOKER_TURNS, RUN_ON_JOKER_HIDDEN
    RUN_EMPTIES, RUN_EMPTIES_WANTED
    PART, PART_RANK, PART_DECLARES, PART_JOKER, PART_TURNS
    WASTE_ONTO, WASTE_RANK, WASTE_TURNED, WASTE_ENABLES, WASTE_NONE_HIDDEN
    WASTE_TO_EMPTY, WASTE_TO_EMPTY_WANTED
    WASTE_JOKER, WASTE_JOKER_TURNED, WASTE_JOKER_RANK, WASTE_JOKER_ENABLES, WASTE_JOKER_ACE
    WASTE_JOKER_TO_EMPTY
    WASTE_ON_JOKER, WASTE_ON_JOKER_RANK, WASTE_ON_JOKER_ENABLES
    EXCHANGES, ANTICIPATES
    STALE, BARS, BLOCKS, JOKER_UP_COVERING, DECLARED_UP_COVERING
    REMOVES_TURNS, REMOVES_ELSE, REMOVES_WASTE
    TURNS
    TERMS

# Found for joker by the cross-entropy method on whole games of the rule player, each generation of 48 vectors
# on other deals from seed 1,000,001 on: EXPOSED_WEIGHTS in 77 generations of 1,500 deals, TURNED_WEIGHTS in
# 60 more of 1,500 and 32 of 2,000.
cdef extern from *:
    """
    #define WINNABLE_JOKERS (3ULL << 52)
    static const float WINNABLE_EXPOSED[] = {
        /* the top natural of a column up: by rank above the lowest foundation; it turns a card up, by
           those hidden there; a run over hidden cards could go on it; the top of the waste could; it
           empties a column, with kings waiting and without */
        173.918, -29.462, 530.817, -8.220, -25.438, 11.900, -12.012, -21.321,
        /* the top of the waste up */
        356.421, -17.802, -25.708,
        /* a joker up; it turns a card up; by rank; as an open ace; still undeclared */
        143.951, 105.123, -10.680, -1.261, -15.046,
        /* a whole run that turns a card up: by rank, by those hidden here and there; to an empty column */
        687.938, 37.031, 6.891, 3.428, 34.298,
        /* an undeclared joker to another column: it turns a card up, by those hidden; else; to an empty
           column */
        -71.359, 263.595, -10.150, 25.293, 22.033,
        /* a run onto a joker declared for it: it turns a card up, by those hidden */
        -285.333, 475.423, 17.811,
        /* a run that empties a column: with kings waiting and no other empty column */
        -30.243, 266.199,
        /* part of a run, and the card beneath up: by rank; with a declaration; a joker; it turns a card
           up */
        184.637, -4.236, 9.281, 7.649, -0.978,
        /* the top of the waste to a column: by rank, by cards turned; a run could go on it; nothing
           hidden there; a king to an empty column, with kings waiting */
        618.786, 5.844, -10.918, 49.058, 73.707, -10.608, 20.480,
        /* a joker of the waste to a column: by cards turned, by rank; a run could go on it; an ace; empty
           column */
        128.365, 3.247, 5.856, 198.524, 97.671, -4.433,
        /* the top of the waste onto a joker declared for it: by rank; a run could go on it */
        164.315, 23.888, -24.094,
        /* a joker declared as the top of the waste, to change places with it; as a card not turned yet */
        232.800, 0.0,
        /* where only turned cards are exchanged: a joker declared as cards that were all turned; the top
           of the waste played, after which its joker, declared, stands for no card; played where a joker
           fills its place; a joker up in the place of a card that covers others in the waste, undeclared
           and declared */
        0.0, 0.0, 0.0, 0.0, 0.0,
        /* a joker out of play: it turns a card up; else; from the waste */
        15.266, -27.741, 0.775,
        /* the next card of the stock */
        50.0,
    };
    /* In the same order. */
    static const float WINNABLE_TURNED[] = {
        251.0, -12.3, 244.1, -16.6, -14.3, 2.4, -7.6, -14.9,
        366.9, -14.7, -30.1,
        163.6, 107.7, -37.8, 0.2, -21.9,
        542.0, -10.7, 6.7, 18.0, 48.0,
        -65.6, 304.7, -3.2, 0.2, 8.7,
        -279.5, 427.4, 32.4,
        -10.1, 280.4,
        192.6, -7.7, 10.2, 8.0, -2.6,
        659.8, 29.0, -6.7, 38.1, 69.1, -2.1, 26.5,
        159.9, 1.2, 7.2, 234.9, 68.3, 5.7,
        144.6, 22.4, 11.3,
        0.0, -5.2,
        -133.6, -87.4, -59.2, -32.8, -17.1,
        144.3, -58.6, 154.8,
        51.4,
    };
    """
    const uint64_t JOKERS "WINNABLE_JOKERS"
    const float EXPOSED_WEIGHTS "WINNABLE_EXPOSED"[TERMS]
    const float TURNED_WEIGHTS "WINNABLE_TURNED"[TERMS]


cdef struct Survey:     # of what is seen
    uint8_t accepting[2][16]    # the columns, a bit each, onto which a card of a colour and rank goes
    int enabling[2]         # ranks, a bit each: onto such a card a run over face-down cards would go
    uint64_t tops           # cards on top of columns
    uint64_t ready          # naturals that go up
    int joker_column[2]     # where an undeclared joker lies, or -1
    int empty               # the first empty column, or -1
    int kings               # that wait for an empty column
    int lowest              # foundation
    int top                 # of the waste, or -1
    uint64_t waste          # where only turned cards are exchanged, else none
    uint64_t covering       # those of them that lie on others


cdef inline void survey(const Position* p, Survey* s) noexcept nogil:
    cdef int column, top, head, rank, suit
    memset(s, 0, sizeof(Survey))
    s.joker_column[0] = s.joker_column[1] = s.empty = -1
    for column in range(COLUMNS):
        if face_up(p, column) == 0:
            if s.empty < 0:
                s.empty = column
            continue
        top = top_of(p, column)
        rank = rank_of(p, top)
        s.tops |= bit(top)
        if rank == NO_RANK:
            s.joker_column[top - XB] = column
        if rank > 0:
            s.accepting[1 - colour_of(top)][rank - 1] |= 1 << column
        if p.hidden[column] > 0:
            head = base_of(p, column)
            rank = rank_of(p, head)
            if rank != NO_RANK:
                s.enabling[1 - colour_of(head)] |= 2 << rank
                s.kings += rank == KING
    s.top = p.waste[p.waste_size - 1] if p.waste_size > 0 else -1
    if p.turned_only:
        for column in range(p.waste_size):
            s.waste |= bit(p.waste[column])
        s.covering = s.waste & ~bit(p.waste[0]) if p.waste_size > 0 else 0
    if s.empty < 0 and s.top >= 0 and (s.top >= XB or s.top >> 2 == KING):
        s.kings += 1
    s.lowest = min(min(p.height[0], p.height[1]), min(p.height[2], p.height[3]))
    for suit in range(4):
        if p.height[suit] <= KING:
            s.ready |= bit(4 * p.height[suit] + suit)
        if p.condition[colour_of(suit)] == OPEN_ACE and settles(p, 4 + suit):
            s.ready |= bit(4 + suit)


cdef inline void add_move(Choice* choices, int* count, int kind, int source, int target, int cards, int rank,
                          int suit, float score) noexcept nogil:
    """Write a choice, unless the buffer is full; ``count`` is increased in any case."""
    cdef Choice* choice
    if count[0] < MOST_CHOICES:
        choice = &choices[count[0]]
        choice.kind = kind
        choice.source = source
        choice.target = target
        choice.count = cards
        choice.rank = rank
        choice.suit = suit
        choice.score = score
    count[0] += 1


cdef inline bint is_stale(const Position* p, const Survey* s, int colour, int rank) noexcept nogil:
    """Test whether a joker of ``colour`` declared as ``rank`` can no longer be exchanged: all cards that it
    may stand for were turned."""
    cdef int natural = 4 * rank + (1 if colour else 0)
    return p.turned_only and (is_up(p, natural) or s.waste >> natural & 1) and (
        is_up(p, natural ^ 3) or s.waste >> (natural ^ 3) & 1)


cdef inline bint is_never_missed(const Position* p, int natural) noexcept nogil:
    """Test whether no card of the other colour will need to lie on ``natural``, next on its foundation."""
    cdef int rank = natural >> 2, other = 1 - colour_of(natural)
    if p.height[natural & 3] != rank:
        return False
    if p.turned_only and (
            p.condition[other] == DECLARED and p.value[other] == rank - 1
            or p.condition[other] == PLACED and p.value[other] >> 2 == rank - 1):
        return False
    if rank == 0 or (rank == 1 and p.condition[other] == GONE):
        return True
    return p.height[1 if other else 0] >= rank and p.height[2 if other else 3] >= rank


cdef inline int choices_of(const Position* p, const float* w, Choice* choices) noexcept nogil:
    """Write the choices with their scores by the weights ``w``. Returns their number: 0 at the end of play,
    TOO_MANY_CHOICES for more than MOST_CHOICES, which no known game has."""
    cdef Survey s
    cdef int count = 0, suit, natural, column
    survey(p, &s)
    for suit in range(4):
        natural = 4 * p.height[suit] + suit
        if natural < XB and s.tops >> natural & 1 and is_never_missed(p, natural):
            for column in range(COLUMNS):
                if face_up(p, column) > 0 and top_of(p, column) == natural:
                    add_move(choices, &count, TOP_UP, column, 0, 1, ANY, ANY, 0)
                    return count
    if 0 <= s.top < XB and is_never_missed(p, s.top) and not stands_for(p, s.top):
        add_move(choices, &count, TOP_UP, WASTE, 0, 1, ANY, ANY, 0)
        return count
    add_ups(p, w, &s, choices, &count)
    add_runs(p, w, &s, choices, &count)
    add_parts(p, w, &s, choices, &count)
    add_jokers(p, w, &s, choices, &count)
    if 0 <= s.top < XB:
        add_waste(p, w, &s, choices, &count)
    elif s.top >= XB:
        add_waste_joker(p, w, &s, choices, &count)
    if stock_left(p) > 0:
        add_move(choices, &count, TURN, 0, 0, 1, ANY, ANY, w[TURNS])
    return count if count <= MOST_CHOICES else TOO_MANY_CHOICES


cdef inline void add_ups(const Position* p, const float* w, const Survey* s, Choice* choices,
                         int* count) noexcept nogil:
    """Add the moves of tops of columns to the foundations."""
    cdef int column, top, rank, colour
    cdef float score
    if not s.tops & (s.ready | JOKERS):
        return
    for column in range(COLUMNS):
        if face_up(p, column) == 0:
            continue
        top = top_of(p, column)
        if top >= XB:
            add_joker_up(p, w, s, column, choices, count)
            continue
        if not s.ready >> top & 1:
            continue
        rank, colour = top >> 2, colour_of(top)
        score = w[UP_BASE] + w[UP_RANK] * (rank - s.lowest)
        if face_up(p, column) == 1 and p.hidden[column] > 0:
            score += w[UP_TURNS] + w[UP_HIDDEN] * p.hidden[column]
        elif face_up(p, column) == 1:
            score += w[UP_EMPTIES_WANTED] if s.kings > 0 and s.empty < 0 else w[UP_EMPTIES]
        if s.enabling[colour] >> rank & 1:
            score += w[UP_ENABLES]
        if 0 <= s.top < XB and colour_of(s.top) != colour and (s.top >> 2) + 1 == rank:
            score += w[UP_TAKES_WASTE]
        add_move(choices, count, TOP_UP, column, 0, 1, ANY, ANY, score)


cdef inline void add_joker_up(const Position* p, const float* w, const Survey* s, int column,
                              Choice* choices, int* count) noexcept nogil:
    """Add the move of the joker on top of a column to a started foundation, or as an open ace."""
    cdef int colour = top_of(p, column) - XB, which, suit, rank, declared = rank_of(p, XB + colour)
    cdef float score = w[JOKER_UP_BASE]
    if face_up(p, column) == 1 and p.hidden[column] > 0:
        score += w[JOKER_UP_TURNS]
    if declared == NO_RANK:
        score += w[JOKER_UP_UNDECLARED]
    for which in range(2):
        suit = suits_of(colour, which)
        rank = p.height[suit]
        if 0 < rank <= KING and (declared == NO_RANK or declared == rank) and not is_up(p, 4 * rank + suit):
            add_move(choices, count, TOP_UP, column, 0, 1, ANY, suit,
                     score + w[JOKER_UP_RANK] * (rank - s.lowest)
                     + (w[JOKER_UP_COVERING if declared == NO_RANK else DECLARED_UP_COVERING]
                        if s.covering >> (4 * rank + suit) & 1 else 0))
    if declared <= 0 and may_take(p, colour, 0):
        add_move(choices, count, TOP_UP, column, 0, 1, ANY, ANY, score + w[JOKER_UP_OPEN])


cdef inline void add_runs(const Position* p, const float* w, const Survey* s, Choice* choices,
                          int* count) noexcept nogil:
    """Add the moves of whole runs to other columns and jokers declared for them, and of undeclared jokers."""
    cdef int column, target, head, rank, colour, size
    cdef uint64_t places
    cdef float score
    for column in range(COLUMNS):
        size = face_up(p, column)
        if size == 0:
            continue
        head = base_of(p, column)
        colour, rank = colour_of(head), rank_of(p, head)
        if rank == NO_RANK:
            add_joker_moves(p, w, s, column, choices, count)
            continue
        if p.hidden[column] > 0:
            score = w[RUN_TURNS] + w[RUN_TURNS_RANK] * rank + w[RUN_TURNS_HIDDEN] * p.hidden[column]
            if rank == KING and s.empty >= 0:
                add_move(choices, count, ONTO, column, s.empty, size, ANY, ANY, score + w[RUN_TURNS_TO_EMPTY])
        else:
            score = w[RUN_EMPTIES]
            if s.kings > 0 and s.empty < 0:
                score += w[RUN_EMPTIES_WANTED]
        places = s.accepting[colour][rank]
        while places:
            target = take_bit(&places)
            add_move(choices, count, ONTO, column, target, size, ANY, ANY,
                     score + (w[RUN_TURNS_HIDDEN_THERE] * p.hidden[target] if p.hidden[column] > 0 else 0))
        target = s.joker_column[1 - colour]
        if target >= 0 and rank < KING and may_take(p, 1 - colour, rank + 1):
            score = w[RUN_ON_JOKER]
            if p.hidden[column] > 0:
                score += w[RUN_ON_JOKER_TURNS] + w[RUN_ON_JOKER_HIDDEN] * p.hidden[column]
            if is_stale(p, s, 1 - colour, rank + 1):
                score += w[STALE]
            add_move(choices, count, DECLARED_ONTO, column, target, size, rank + 1, ANY, score)


cdef inline void add_joker_moves(const Position* p, const float* w, const Survey* s, int column,
                                 Choice* choices, int* count) noexcept nogil:
    """Add the moves of the undeclared joker of ``column`` to other columns."""
    cdef int colour = base_of(p, column) - XB, rank
    cdef uint64_t places
    cdef float score = w[JOKER_MOVES], stale
    if p.hidden[column] > 0:
        score += w[JOKER_MOVES_TURNS] + w[JOKER_MOVES_HIDDEN] * p.hidden[column]
        if s.empty >= 0 and may_take(p, colour, KING):
            add_move(choices, count, ONTO, column, s.empty, 1, ANY, ANY, score + w[JOKER_MOVES_TO_EMPTY])
    else:
        score += w[JOKER_MOVES_ELSE]
    for rank in range(KING):
        places = s.accepting[colour][rank]
        if places == 0 or not may_take(p, colour, rank):
            continue
        stale = w[STALE] if is_stale(p, s, colour, rank) else 0
        while places:
            add_move(choices, count, ONTO, column, take_bit(&places), 1, ANY, ANY, score + stale)


cdef inline void add_parts(const Position* p, const float* w, const Survey* s, Choice* choices,
                           int* count) noexcept nogil:
    """Add the moves of parts of runs that lie on a card which then goes up."""
    cdef int column, i, card, colour, suit
    cdef uint64_t wanted = s.ready & p.face
    for colour in range(2):
        if p.condition[colour] == DECLARED and foundation_of(p, colour) != ANY:
            wanted |= bit(XB + colour)
    wanted &= ~s.tops
    if not wanted:
        return
    for column in range(COLUMNS):
        for i in range(p.hidden[column], p.size[column] - 1):
            card = p.card[column][i]
            if wanted >> card & 1:
                suit = ANY if card < XB else foundation_of(p, card - XB)
                add_part(p, w, s, column, i, suit, rank_of(p, card), choices, count)


cdef inline int foundation_of(const Position* p, int colour) noexcept nogil:
    """Return the suit of a started foundation that the declared joker of ``colour`` can go up on, the first
    of two; ANY if there is none."""
    cdef int rank = p.value[colour], which, suit
    for which in range(2):
        suit = suits_of(colour, which)
        if rank > 0 and p.height[suit] == rank and not is_up(p, 4 * rank + suit):
            return suit
    return ANY


cdef inline void add_part(const Position* p, const float* w, const Survey* s, int column, int i, int suit,
                          int rank, Choice* choices, int* count) noexcept nogil:
    """Add the move of what lies on card ``i`` of ``column``, followed by that card going up."""
    cdef int head = p.card[column][i + 1], size = p.size[column] - i - 1, colour = colour_of(head), target
    cdef uint64_t places = s.accepting[colour][rank - 1] & ~(1 << column)
    cdef float score = w[PART] + w[PART_RANK] * (rank - s.lowest)
    if suit != ANY:
        score += w[PART_JOKER]
    if i == p.hidden[column] and i > 0:
        score += w[PART_TURNS]
    while places:
        add_move(choices, count, RUN_THEN_UP, column, take_bit(&places), size, ANY, suit, score)
    target = s.joker_column[1 - colour]
    if target >= 0 and may_take(p, 1 - colour, rank):
        if is_stale(p, s, 1 - colour, rank):
            score += w[STALE]
        add_move(choices, count, RUN_THEN_UP, column, target, size, rank, suit, score + w[PART_DECLARES])


cdef inline void add_jokers(const Position* p, const float* w, const Survey* s, Choice* choices,
                            int* count) noexcept nogil:
    """Add declarations of jokers of columns, to change places with the top of the waste or with a card that
    is turned later, and their moves out of play."""
    cdef int colour, column, top
    for colour in range(2):
        column = s.joker_column[colour]
        if column < 0:
            continue
        if p.turned_only:
            add_anticipations(p, w, colour, column, choices, count)
        elif 0 <= s.top < XB and colour_of(s.top) == colour and not is_up(p, s.top):
            add_move(choices, count, DECLARE, column, 0, 1, s.top >> 2, ANY, w[EXCHANGES])
        add_move(choices, count, JOKER_OUT, column, 0, 1, ANY, ANY,
                 w[REMOVES_TURNS] if p.hidden[column] > 0 else w[REMOVES_ELSE])
    if p.any_removal and s.tops & JOKERS:
        for column in range(COLUMNS):
            top = top_of(p, column) if face_up(p, column) > 0 else 0
            if top >= XB and p.condition[top - XB] == DECLARED:
                add_move(
                    choices, count, JOKER_OUT, column, 0, 1, ANY, ANY,
                    w[REMOVES_TURNS] if face_up(p, column) == 1 and p.hidden[column] > 0 else w[REMOVES_ELSE])


cdef inline void add_anticipations(const Position* p, const float* w, int colour, int column,
                                   Choice* choices, int* count) noexcept nogil:
    """Add declarations of the joker of ``column`` as one of the last cards that are not seen, which changes
    places with it when it is turned."""
    cdef uint8_t unturned[MOST]
    cdef int i, left = stock_left(p), last = NO_RANK
    for i in range(COLUMNS):
        left += p.hidden[i]
    if stock_left(p) == 0 or left > FEW_UNSEEN:
        return
    for i in range(unturned_of(p, unturned)):
        if unturned[i] < XB and colour_of(unturned[i]) == colour and unturned[i] >> 2 != last:
            if not is_up(p, unturned[i]):
                last = unturned[i] >> 2
                add_move(choices, count, DECLARE, column, 0, 1, last, ANY, w[ANTICIPATES])


cdef inline void add_waste(const Position* p, const float* w, const Survey* s, Choice* choices,
                           int* count) noexcept nogil:
    """Add the moves of the natural on top of the waste."""
    cdef int colour = colour_of(s.top), rank = s.top >> 2, target
    cdef uint64_t places
    cdef bint enables = s.enabling[colour] >> rank & 1
    cdef float score, spoils = 0
    if p.turned_only and stands_for(p, s.top):
        if p.condition[colour] == PLACED:
            spoils = w[BLOCKS]
        elif p.condition[colour] == DECLARED and is_up(p, s.top ^ 3):
            spoils = w[BARS]
    score = w[WASTE_ONTO] + w[WASTE_RANK] * rank + w[WASTE_TURNED] * p.turned + spoils
    if enables:
        score += w[WASTE_ENABLES]
    places = s.accepting[colour][rank]
    while places:
        target = take_bit(&places)
        add_move(choices, count, ONTO, WASTE, target, 1, ANY, ANY,
                 score + (w[WASTE_NONE_HIDDEN] if p.hidden[target] == 0 else 0))
    if rank == KING and s.empty >= 0:
        score = w[WASTE_ONTO] + w[WASTE_TO_EMPTY] + spoils
        if s.kings > 0:
            score += w[WASTE_TO_EMPTY_WANTED]
        if enables:
            score += w[WASTE_ENABLES]
        add_move(choices, count, ONTO, WASTE, s.empty, 1, ANY, ANY, score)
    target = s.joker_column[1 - colour]
    if target >= 0 and rank < KING and may_take(p, 1 - colour, rank + 1):
        score = w[WASTE_ON_JOKER] + w[WASTE_ON_JOKER_RANK] * rank + spoils
        if is_stale(p, s, 1 - colour, rank + 1):
            score += w[STALE]
        if enables:
            score += w[WASTE_ON_JOKER_ENABLES]
        add_move(choices, count, DECLARED_ONTO, WASTE, target, 1, rank + 1, ANY, score)
    if s.ready >> s.top & 1:
        score = w[WASTE_UP_BASE] + w[WASTE_UP_RANK] * (rank - s.lowest) + spoils
        if enables:
            score += w[WASTE_UP_ENABLES]
        add_move(choices, count, TOP_UP, WASTE, 0, 1, ANY, ANY, score)


cdef inline void add_waste_joker(const Position* p, const float* w, const Survey* s, Choice* choices,
                                 int* count) noexcept nogil:
    """Add the moves of the joker on top of the waste."""
    cdef int colour = s.top - XB, rank
    cdef uint64_t places
    cdef float score
    for rank in range(KING):
        places = s.accepting[colour][rank]
        if places == 0 or not may_take(p, colour, rank):
            continue
        score = w[WASTE_JOKER] + w[WASTE_JOKER_TURNED] * p.turned + w[WASTE_JOKER_RANK] * rank
        if is_stale(p, s, colour, rank):
            score += w[STALE]
        if s.enabling[colour] >> rank & 1:
            score += w[WASTE_JOKER_ENABLES]
        if rank == 0:
            score += w[WASTE_JOKER_ACE]
        while places:
            add_move(choices, count, ONTO, WASTE, take_bit(&places), 1, ANY, ANY, score)
    if s.empty >= 0 and may_take(p, colour, KING):
        score = w[WASTE_JOKER] + w[WASTE_JOKER_TO_EMPTY] + w[WASTE_JOKER_TURNED] * p.turned
        if s.enabling[colour] >> KING & 1:
            score += w[WASTE_JOKER_ENABLES]
        add_move(choices, count, ONTO, WASTE, s.empty, 1, ANY, ANY, score)
    if p.waste_size > 1:
        add_move(choices, count, JOKER_OUT, WASTE, 0, 1, ANY, ANY, w[REMOVES_WASTE])


# --- Choices as moves -----------------------------------------------------------------------------------

cdef inline void make_choice(Position* p, const Choice* choice) noexcept nogil:
    """Make the moves of a choice."""
    cdef PlainMove steps[CHOICE_STEPS]
    cdef int i
    for i in range(steps_of(choice, steps)):
        make(p, steps[i])


cdef inline int steps_of(const Choice* choice, PlainMove* steps) noexcept nogil:
    """Write the elementary moves of a choice. Returns their number, at most CHOICE_STEPS."""
    cdef int source = choice.source, count = 0
    if choice.kind == TURN:
        steps[0] = PlainMove(STOCK, WASTE, 1, ANY, ANY)
        return 1
    if choice.kind == TOP_UP:
        steps[0] = PlainMove(source, FOUNDATION, 1, choice.suit, ANY)
        return 1
    if choice.kind == JOKER_OUT:
        steps[0] = PlainMove(source, OUT, 1, ANY, ANY)
        return 1
    if choice.kind == DECLARE:
        steps[0] = PlainMove(source, IN_PLACE, 1, ANY, choice.rank)
        return 1
    if choice.rank != ANY:
        steps[count] = PlainMove(choice.target, IN_PLACE, 1, ANY, choice.rank)
        count += 1
    steps[count] = PlainMove(source, choice.target, choice.count, ANY, ANY)
    count += 1
    if choice.kind == RUN_THEN_UP:
        steps[count] = PlainMove(source, FOUNDATION, 1, choice.suit, ANY)
        count += 1
    return count


cdef inline const float* weights_of(bint turned_only) noexcept nogil:
    """Return the weights of the rule player."""
    return &TURNED_WEIGHTS[0] if turned_only else &EXPOSED_WEIGHTS[0]
