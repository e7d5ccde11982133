"""Exact positions of Joker and of klondike-one-pass, card by card: moves, safe moves, and states as bytes.

Used where classes and macros are not: for lines of play, the searches for short lines, and the player. Moves
are elementary and include all consequences, such as exchanges. Lines are verified by independent rules: see
`replay`.
"""

cdef enum:                  # places of a move other than columns, as in `rules.joker`
    STOCK = -1
    WASTE = -2
    FOUNDATION = -3
    OUT = -4
    IN_PLACE = -5
    ANY = -1                # the move names no suit or no rank
    RECORD = 80         # bytes of a stored state: foundations, jokers, stock, waste, columns
    MOST_MOVES = 800    # 54 face-up cards to 7 columns, 8 tops in 5 ways up, as 13 ranks or out, a turn

cdef struct Position:      # the most used fields come first, in one cache line; the cards come last
    uint64_t face           # naturals face up in columns
    int ranks
    int suits               # one bit for each suit of the deck
    bint turned_only        # the top of the waste is exchanged only when it is turned
    bint any_removal        # declared jokers may be put out of play too
    int columns
    uint8_t size[7]         # cards of each column
    uint8_t hidden[7]       # face-down cards of each column
    uint8_t height[4]       # cards on each foundation
    uint8_t condition[2]    # the Condition of each joker
    uint8_t value[2]        # rank of a declared joker, natural whose place a placed joker fills
    uint8_t stock_size      # cards of ``stock``, turned or not
    uint8_t turned          # cards of ``stock`` turned
    uint8_t waste_size
    uint8_t waste[MOST]
    uint8_t stock[MOST]     # in the order in which they are turned
    uint8_t card[7][MOST]

cdef inline int rank_of(const Position* game, int card) noexcept nogil:
    """Return the effective rank of ``card``, NO_RANK for an undeclared joker."""
    if card < XB:
        return card >> 2
    if game.condition[card - XB] == DECLARED:
        return game.value[card - XB]
    return NO_RANK

cdef inline int top_of(const Position* game, int column) noexcept nogil:
    """Return the top card of a column that is not empty."""
    return game.card[column][game.size[column] - 1]

cdef inline int face_up(const Position* game, int column) noexcept nogil:
    """Return the number of face-up cards of a column."""
    return game.size[column] - game.hidden[column]

cdef inline const uint8_t* cards_up(const Position* game, int column) noexcept nogil:
    """Return a pointer to the face-up cards of a column, the deepest first."""
    return game.card[column] + game.hidden[column]

cdef inline int base_of(const Position* game, int column) noexcept nogil:
    """Return the deepest face-up card of a column that is not empty."""
    return game.card[column][game.hidden[column]]

cdef inline int stock_left(const Position* game) noexcept nogil:
    """Return the number of cards that are still in the stock."""
    return game.stock_size - game.turned

cdef inline bint is_up(const Position* game, int natural) noexcept nogil:
    """Test whether ``natural`` lies face up in a column, or its foundation place is filled."""
    return game.face >> natural & 1 or (natural >> 2) < game.height[natural & 3]

cdef inline bint may_take(const Position* game, int colour, int rank) noexcept nogil:
    """Test whether the joker of ``colour`` may be declared as ``rank``: some such natural is not up."""
    cdef int which, suit
    if rank < 0 or rank >= game.ranks:
        return False
    for which in range(2):
        suit = suits_of(colour, which)
        if game.suits >> suit & 1 and not is_up(game, 4 * rank + suit):
            return True
    return False

cdef inline bint stands_for(const Position* game, int natural) noexcept nogil:
    """Test whether the joker of its colour stands for ``natural``."""
    cdef int colour = colour_of(natural)
    if game.condition[colour] == DECLARED:
        return natural >> 2 == game.value[colour] and not is_up(game, natural)
    if game.condition[colour] == PLACED:
        return game.value[colour] == natural
    return game.condition[colour] == OPEN_ACE and natural < 4 and not is_up(game, natural)

cdef inline bint settles(const Position* game, int card) noexcept nogil:
    """Test whether ``card`` is a deuce that may go onto the open ace of its colour."""
    return (card < XB and card >> 2 == 1 and game.condition[colour_of(card)] == OPEN_ACE
            and stands_for(game, card & 3))


# --- Moves --------------------------------------------------------------------------------------------------

cdef inline bint goes_up(const Position* game, int card, PlainMove step) noexcept nogil:
    """Test whether ``card``, the card of ``step``, may go to the foundations as the step says."""
    cdef int rank
    if step.rank != ANY or step.count != 1:
        return False
    if card < XB:
        return step.suit == ANY and (game.height[card & 3] == card >> 2 or settles(game, card))
    if step.source == WASTE:
        return False
    if step.suit == ANY:
        return rank_of(game, card) <= 0 and may_take(game, card - XB, 0)
    if step.suit > 3 or not (game.suits >> step.suit & 1) or colour_of(step.suit) != card - XB:
        return False
    rank = game.height[step.suit]
    if rank == 0 or rank == game.ranks or (rank_of(game, card) != NO_RANK and rank_of(game, card) != rank):
        return False
    return not is_up(game, 4 * rank + step.suit)


cdef inline int rank_wanted(const Position* game, int target, int colour) noexcept nogil:
    """Return the rank that a card of ``colour`` needs to go on column ``target``, NO_RANK if it cannot."""
    cdef int top
    if game.size[target] == 0:
        return game.ranks - 1
    top = top_of(game, target)
    if colour_of(top) == colour or rank_of(game, top) == NO_RANK:
        return NO_RANK
    return rank_of(game, top) - 1


cdef inline bint accepts(const Position* game, int target, int head) noexcept nogil:
    """Test whether a run with ``head``, its deepest card, may go on column ``target``, an undeclared joker
    after it is declared."""
    cdef int wanted = rank_wanted(game, target, colour_of(head)), rank = rank_of(game, head)
    if wanted == NO_RANK:
        return False
    return may_take(game, head - XB, wanted) if rank == NO_RANK else rank == wanted


cdef inline bint goes_onto(const Position* game, int head, PlainMove step) noexcept nogil:
    """Test whether the cards that ``step`` moves, ``head`` the deepest, may go on its target column."""
    if step.target < 0 or step.target >= game.columns or step.target == step.source:
        return False
    if step.suit != ANY or step.rank != ANY or (step.count > 1 and rank_of(game, head) == NO_RANK):
        return False
    return accepts(game, step.target, head)


cdef inline int head_of(const Position* game, PlainMove step) noexcept nogil:
    """Return the deepest card that ``step`` moves, -1 if its source has fewer face-up cards."""
    if step.source == WASTE:
        return taken_by(game, step) if step.count == 1 and game.waste_size > 0 else -1
    if step.source < 0 or step.source >= game.columns or step.count < 1:
        return -1
    return taken_by(game, step) if step.count <= face_up(game, step.source) else -1


cdef inline int taken_by(const Position* game, PlainMove step) noexcept nogil:
    """Return the deepest card that ``step`` moves. The source must have enough cards."""
    if step.source == WASTE:
        return game.waste[game.waste_size - 1]
    return game.card[step.source][game.size[step.source] - step.count]


cdef inline void take(Position* game, PlainMove step) noexcept nogil:
    """Remove the cards that the legal move ``step`` moves from their source."""
    if step.source == WASTE:
        game.waste_size -= 1
    else:
        game.size[step.source] -= step.count


cdef inline void put_up(Position* game, int card, int suit) noexcept nogil:
    """Put ``card`` on the foundations; a joker as the next card of ``suit``, or as an open ace for ANY."""
    cdef int colour = colour_of(card)
    if card >= XB and suit == ANY:
        game.condition[colour] = OPEN_ACE
        game.value[colour] = 0
        return
    if card >= XB:
        game.condition[colour] = PLACED
        game.value[colour] = 4 * game.height[suit] + suit
    elif settles(game, card):
        suit = card & 3
        game.condition[colour] = PLACED
        game.value[colour] = suit
        game.height[suit] = 1
    else:
        suit = card & 3
    game.height[suit] += 1


cdef inline bint is_legal(const Position* game, PlainMove step) noexcept nogil:
    """Test whether ``step`` is legal."""
    cdef int head
    if step.source == STOCK:
        return (game.turned < game.stock_size and step.target == WASTE and step.count == 1
                and step.suit == ANY and step.rank == ANY)
    head = head_of(game, step)
    if head < 0:
        return False
    if step.target == FOUNDATION:
        return goes_up(game, head, step)
    if step.target == IN_PLACE:
        return (step.source != WASTE and step.count == 1 and step.suit == ANY and head >= XB
                and rank_of(game, head) == NO_RANK and may_take(game, head - XB, step.rank))
    if step.target == OUT:
        return (step.count == 1 and head >= XB and step.suit == ANY and step.rank == ANY
                and (rank_of(game, head) == NO_RANK or game.any_removal))
    return goes_onto(game, head, step)


cdef inline bint play(Position* game, PlainMove step) noexcept nogil:
    """Make a move with its consequences. Returns False, changing nothing, if it is illegal."""
    if not is_legal(game, step):
        return False
    make(game, step)
    return True


cdef inline void make(Position* game, PlainMove step) noexcept nogil:
    """Make the legal move ``step``, with the turning up and exchanges that follow."""
    if step.source == STOCK:
        game.waste[game.waste_size] = game.stock[game.turned]
        game.waste_size += 1
        game.turned += 1
        exchange_waste(game)
        return
    move_cards(game, step, taken_by(game, step))
    if step.source >= 0:
        turn_up(game, step.source)
    if not game.turned_only:
        exchange_waste(game)


cdef inline void move_cards(Position* game, PlainMove step, int head) noexcept nogil:
    """Make the legal move ``step``, which is not a turn and whose deepest card is ``head``, without the
    turning up and the exchanges that follow."""
    cdef int to = step.target
    if to == IN_PLACE:
        game.condition[head - XB] = DECLARED
        game.value[head - XB] = step.rank
        return
    if to >= 0:
        if rank_of(game, head) == NO_RANK:
            game.value[head - XB] = rank_wanted(game, to, colour_of(head))
            game.condition[head - XB] = DECLARED
        if step.source == WASTE:
            game.card[to][game.size[to]] = head
            show(game, head)
        else:
            memcpy(game.card[to] + game.size[to],
                   game.card[step.source] + game.size[step.source] - step.count, step.count)
        game.size[to] += step.count
    else:
        game.face &= ~bit(head)
    take(game, step)
    if to == FOUNDATION:
        put_up(game, head, step.suit)
    elif to == OUT:
        game.condition[head - XB] = GONE
        game.value[head - XB] = 0


cdef inline void show(Position* game, int card) noexcept nogil:
    """Add ``card`` to the naturals face up in columns, unless it is a joker."""
    if card < XB:
        game.face |= bit(card)


cdef inline void turn_up(Position* game, int column) noexcept nogil:
    """Turn up the top of a column that has only face-down cards, and exchange it if a joker stands for it
    (step F of docs/theory/joker.md)."""
    cdef int card
    if game.size[column] > 0 and game.hidden[column] == game.size[column]:
        game.hidden[column] -= 1
        card = top_of(game, column)
        if card < XB and stands_for(game, card):
            exchange(game, card, &game.card[column][game.size[column] - 1])
        else:
            show(game, card)


cdef inline void exchange_waste(Position* game) noexcept nogil:
    """Exchange the top of the waste if a joker stands for it (step W of docs/theory/joker.md)."""
    cdef int card
    if game.waste_size > 0:
        card = game.waste[game.waste_size - 1]
        if card < XB and stands_for(game, card):
            exchange(game, card, &game.waste[game.waste_size - 1])


cdef inline void exchange(Position* game, int natural, uint8_t* where) noexcept nogil:
    """Exchange ``natural``, which lies at ``where``, with the joker that stands for it, which becomes
    undeclared."""
    cdef int colour = colour_of(natural), column, i
    if game.condition[colour] == OPEN_ACE:
        game.height[natural & 3] += 1
    elif game.condition[colour] == DECLARED:
        show(game, natural)
        for column in range(game.columns):
            for i in range(game.hidden[column], game.size[column]):
                if game.card[column][i] == XB + colour:
                    game.card[column][i] = natural
    where[0] = XB + colour
    game.condition[colour] = UNDECLARED
    game.value[colour] = 0


cdef inline int score_of(const Position* game) noexcept nogil:
    """Return the number of foundation places filled, an open ace included."""
    cdef int suit, colour, filled = 0
    cdef bint empty
    for suit in range(4):
        filled += game.height[suit]
    for colour in range(2):
        if game.condition[colour] == OPEN_ACE:
            empty = False
            for suit in range(4):
                if game.suits >> suit & 1 and colour_of(suit) == colour and game.height[suit] == 0:
                    empty = True
            filled += empty
    return filled


# --- States -------------------------------------------------------------------------------------------------


cdef inline void deal_game(Position* game, const Desk* dealt, int ranks, int suits) noexcept nogil:
    """Set ``game`` to a deal, in which every column has a card, with all rule options off."""
    cdef int column
    memset(game, 0, sizeof(Position))
    game.columns = dealt.columns
    game.ranks = ranks
    game.suits = suits
    for column in range(dealt.columns):
        game.size[column] = dealt.size[column]
        game.hidden[column] = dealt.size[column] - 1
        memcpy(game.card[column], dealt.card[column], dealt.size[column])
    game.stock_size = dealt.stock_size
    memcpy(game.stock, dealt.stock, dealt.stock_size)
    find_face(game)


cdef inline void find_face(Position* game) noexcept nogil:
    """Set ``game.face`` from the columns."""
    cdef int column, i
    game.face = 0
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            show(game, game.card[column][i])


cdef inline void load_desk(Position* game, const Desk* desk) noexcept nogil:
    """Set ``game`` to the position ``desk``."""
    cdef int i
    memset(game, 0, sizeof(Position))
    game.ranks = desk.ranks
    game.suits = desk.suits
    game.turned_only = desk.turned_only
    game.any_removal = desk.any_removal
    game.columns = desk.columns
    for i in range(desk.columns):
        game.size[i] = desk.size[i]
        game.hidden[i] = desk.hidden[i]
        memcpy(game.card[i], desk.card[i], desk.size[i])
    game.stock_size = desk.stock_size
    game.waste_size = desk.waste_size
    memcpy(game.stock, desk.stock, desk.stock_size)
    memcpy(game.waste, desk.waste, desk.waste_size)
    for i in range(4):
        game.height[i] = desk.up[i]
    for i in range(2 if desk.has_jokers else 0):
        game.condition[i] = condition_of(&desk.joker[i])
        if game.condition[i] == DECLARED:
            game.value[i] = desk.joker[i].rank
        elif game.condition[i] == PLACED:
            game.value[i] = desk.joker[i].place
    find_face(game)


cdef inline int condition_of(const JokerCondition* its) noexcept nogil:
    """Return the Condition of a its."""
    if its.rank >= 0:
        return DECLARED
    if its.place >= 0:
        return PLACED
    if its.is_open_ace:
        return OPEN_ACE
    return GONE if its.is_out else UNDECLARED


cdef inline int moves_of(const Position* game, PlainMove* steps, bint is_distinct) noexcept nogil:
    """Write every legal move to ``steps``, which has space for MOST_MOVES. Returns their number.

    ``is_distinct`` leaves out moves to a second empty column, and those of a whole column to an empty one:
    they lead to the position after another move, or to ``game``, with the columns in another order.
    """
    cdef int source, target, count, n = 0, cards, head
    cdef bint has_empty
    if game.turned < game.stock_size:
        steps[0] = PlainMove(STOCK, WASTE, 1, ANY, ANY)
        n = 1
    for source in range(WASTE, game.columns):
        cards = face_up(game, source) if source >= 0 else (source == WASTE and game.waste_size > 0)
        if cards == 0:
            continue
        n = add_moves_of_top(game, source, steps, n)
        for count in range(1, cards + 1):
            head = taken_by(game, PlainMove(source, 0, count, ANY, ANY))
            if count > 1 and rank_of(game, head) == NO_RANK:
                continue        # an undeclared joker carries no cards
            has_empty = source >= 0 and count == game.size[source] and rank_of(game, head) != NO_RANK
            for target in range(game.columns):
                if game.size[target] == 0:
                    if is_distinct and has_empty:
                        continue
                    has_empty = True
                if target != source and accepts(game, target, head):
                    steps[n] = PlainMove(source, target, count, ANY, ANY)
                    n += 1
    return n


cdef inline int add_moves_of_top(const Position* game, int source, PlainMove* steps, int n) noexcept nogil:
    """Append to the ``n`` moves those of the top card of ``source`` to the foundations, out of play or in
    place. Returns the new number of moves."""
    cdef int top = taken_by(game, PlainMove(source, 0, 1, ANY, ANY))
    cdef int8_t suit, rank
    for suit in range(ANY, 4 if top >= XB else 0):
        steps[n] = PlainMove(source, FOUNDATION, 1, suit, ANY)
        n += goes_up(game, top, steps[n])
    if top < XB:
        return n
    if rank_of(game, top) == NO_RANK or game.any_removal:
        steps[n] = PlainMove(source, OUT, 1, ANY, ANY)
        n += 1
    if rank_of(game, top) == NO_RANK and source != WASTE:
        for rank in range(game.ranks):
            if may_take(game, top - XB, rank):
                steps[n] = PlainMove(source, IN_PLACE, 1, ANY, rank)
                n += 1
    return n


cdef inline bint find_safe(const Position* game, PlainMove* safe) noexcept nogil:
    """Write a safe move up to ``safe``: of a natural that no other card can need, and that uncovers no
    natural with which a joker in play could be exchanged (J6, J12). Returns False if there is none."""
    cdef int source, card, beneath, size
    cdef uint64_t heights = (
        game.height[0] | game.height[1] << 4 | game.height[2] << 8 | game.height[3] << 12)
    cdef bint has_jokers = game.condition[0] != GONE or game.condition[1] != GONE
    for source in range(WASTE, game.columns):
        size = game.waste_size if source == WASTE else game.size[source] if source >= 0 else 0
        if size == 0:
            continue
        card = game.waste[size - 1] if source == WASTE else game.card[source][size - 1]
        if card >= XB or game.height[card & 3] != card >> 2:
            continue
        beneath = XB
        if source == WASTE:
            if game.condition[colour_of(card)] != GONE:
                continue
            if size > 1:
                beneath = game.waste[size - 2]
        elif size > 1 and game.hidden[source] == size - 1:
            beneath = game.card[source][size - 2]
        if beneath < XB and game.condition[colour_of(beneath)] != GONE:
            continue
        if (card >> 2 == 1 and game.condition[1 - colour_of(card)] == GONE
                or not is_wanted(heights, game.suits, card, has_jokers)):
            safe[0] = PlainMove(source, FOUNDATION, 1, ANY, ANY)
            return True
    return False


cdef inline int column_with(const Position* game, int card) noexcept nogil:
    """Return the column where ``card`` lies face up, IN_PLACE if there is none."""
    cdef int column, i
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            if game.card[column][i] == card:
                return column
    return IN_PLACE


# --- States as bytes ----------------------------------------------------------------------------------------

cdef enum:
    HEAD = 9            # bytes of a record before the cards of the waste


cdef inline int first_card(const Position* game, int column) noexcept nogil:
    """Return the deepest card of a column, 255 (greater than all cards) for an empty one."""
    return game.card[column][0] if game.size[column] > 0 else 255


cdef inline void column_order(const Position* game, int* order) noexcept nogil:
    """Write the columns to ``order``, sorted by their deepest cards, empty ones last."""
    cdef int i, j
    for i in range(game.columns):
        j = i
        while j > 0 and first_card(game, order[j - 1]) > first_card(game, i):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


cdef inline void write_record(const Position* game, uint8_t* record) noexcept nogil:
    """Write a state to a ``record`` of RECORD bytes, columns in `column_order`, without the cards of the
    stock. Records of one game are equal exactly if the states differ only in the order of the columns."""
    cdef int order[7]
    cdef int i, column, length
    column_order(game, order)
    memset(record, 0, RECORD)
    memcpy(record, game.height, 4)
    memcpy(record + 4, game.value, 2)
    record[6] = game.condition[0] | game.condition[1] << 4
    record[7] = game.turned
    record[8] = game.waste_size
    memcpy(record + HEAD, game.waste, game.waste_size)
    length = HEAD + game.waste_size
    for i in range(game.columns):
        column = order[i]
        record[length] = game.size[column]
        record[length + 1] = game.hidden[column]
        length += 2
        memcpy(record + length, game.card[column], game.size[column])
        length += game.size[column]


cdef inline void read_record(Position* game, const uint8_t* record) noexcept nogil:
    """Set ``game`` to the state of a ``record`` that `write_record` made of the same game."""
    cdef int i, at
    memcpy(game.height, record, 4)
    memcpy(game.value, record + 4, 2)
    for i in range(2):
        game.condition[i] = record[6] >> (4 * i) & 15
    game.turned = record[7]
    game.waste_size = record[8]
    memcpy(game.waste, record + HEAD, game.waste_size)
    at = HEAD + game.waste_size
    for i in range(game.columns):
        game.size[i] = record[at]
        game.hidden[i] = record[at + 1]
        memcpy(game.card[i], record + at + 2, game.size[i])
        at += 2 + game.size[i]
    find_face(game)


# --- Python interface ---------------------------------------------------------------------------------------
