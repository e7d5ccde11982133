"""Independent compiled rules of joker and klondike-one-pass, by which lines are replayed.

Brute force in tests uses these rules too. They share no code and no representation with the searches or with
`position`, the moves that the searches use: every card lies in a pile, on the foundations too, and the cards
that a joker stands for are derived from where it lies.
"""

from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memset

from ..core.desk cimport Desk, JokerCondition, PlainMove
from ..core.piles cimport (
    FOUNDATION, NONE, STOCK, WASTE, Pile, deal_rows, load_columns, put, save_columns, save_stock,
)

cdef enum:
    OUT = -4            # places of a move other than those of `core.piles`, as in `rules.joker`
    IN_PLACE = -5
    JOKERS = 52         # XB; XR is 53
    MOST_CARDS = 54
    MOST_COLUMNS = 7
    MOST_MOVES = 800    # 54 face-up cards to 7 columns, 8 tops in 5 ways up, as 13 ranks or out, a turn

cdef struct Game:       # every card is in one pile, except jokers that are open aces or out of play
    int8_t columns, ranks
    bint has_suit[4]
    bint turned_only    # rule option: the top of the waste is exchanged only when it is turned
    bint any_removal    # rule option: declared jokers may be put out of play too
    Pile column[MOST_COLUMNS]
    uint8_t face_down[MOST_COLUMNS]     # number of face-down cards of each column
    Pile stock, waste
    Pile foundation[4]  # the ace first, jokers in the places that they fill
    int8_t declared[2]  # rank of each declared joker, otherwise NONE
    bint is_open_ace[2]
    bint is_out[2]


cdef inline int colour(int card) noexcept nogil:
    """Return 0 for clubs, spades and XB, 1 for diamonds, hearts and XR."""
    if card >= JOKERS:
        return card - JOKERS
    return card % 4 in (1, 2)


cdef inline int rank_of(const Game* game, int card) noexcept nogil:
    """Return the rank that ``card`` counts as, NONE for an undeclared joker."""
    return game.declared[card - JOKERS] if card >= JOKERS else card // 4


cdef inline int top_of(const Pile* pile) noexcept nogil:
    """Return the top card of a pile that is not empty."""
    return pile.card[pile.count - 1]


cdef inline int face_up(const Game* game, int column) noexcept nogil:
    """Return the number of face-up cards of a column."""
    return game.column[column].count - game.face_down[column]


# --- Jokers -------------------------------------------------------------------------------------------------

cdef inline bint is_up(const Game* game, int natural) noexcept nogil:
    """Test whether the foundation place of ``natural`` is filled, or it lies face up in a column."""
    cdef int column, i
    if game.foundation[natural % 4].count > natural // 4:
        return True
    for column in range(game.columns):
        for i in range(game.face_down[column], game.column[column].count):
            if game.column[column].card[i] == natural:
                return True
    return False


cdef inline bint is_left(const Game* game, int joker, int rank) noexcept nogil:
    """Test whether some natural of ``rank`` and of the colour of ``joker`` is not up."""
    cdef int suit
    if rank < 0 or rank >= game.ranks:
        return False
    for suit in range(4):
        if game.has_suit[suit] and colour(suit) == colour(joker) and not is_up(game, 4 * rank + suit):
            return True
    return False


cdef inline bint is_stood_for(const Game* game, int natural) noexcept nogil:
    """Test whether the joker of its colour stands for ``natural``."""
    cdef const Pile* foundation = &game.foundation[natural % 4]
    cdef int joker = JOKERS + colour(natural)
    if foundation.count > natural // 4:
        return foundation.card[natural // 4] == joker
    if game.is_open_ace[joker - JOKERS]:
        return natural // 4 == 0 and not is_up(game, natural)
    return game.declared[joker - JOKERS] == natural // 4 and not is_up(game, natural)


cdef inline bint takes_open_ace(const Game* game, int card) noexcept nogil:
    """Test whether ``card`` is a deuce that may go onto the open ace of its colour."""
    return (card < JOKERS and card // 4 == 1 and game.is_open_ace[colour(card)]
            and is_stood_for(game, card % 4))


cdef inline void change_places(Game* game, int natural) noexcept nogil:
    """Exchange ``natural`` with the joker that stands for it, which becomes undeclared."""
    cdef int joker = JOKERS + colour(natural), column
    cdef Pile* foundation = &game.foundation[natural % 4]
    for column in range(game.columns):
        swap(&game.column[column], natural, joker)
    swap(&game.waste, natural, joker)
    if game.is_open_ace[joker - JOKERS]:
        put(foundation, natural)
    elif foundation.count > natural // 4:
        foundation.card[natural // 4] = natural
    game.is_open_ace[joker - JOKERS] = False
    game.declared[joker - JOKERS] = NONE


cdef inline void swap(Pile* pile, int one, int other) noexcept nogil:
    """Replace the card ``one`` by ``other`` in a pile, and ``other`` by ``one``."""
    cdef int i
    for i in range(pile.count):
        if pile.card[i] == one:
            pile.card[i] = other
        elif pile.card[i] == other:
            pile.card[i] = one


# --- Legality -----------------------------------------------------------------------------------------------

cdef inline int taken(const Game* game, int source, int count) noexcept nogil:
    """Return the deepest of the top ``count`` face-up cards of ``source``, NONE if it has fewer."""
    if source == WASTE:
        return top_of(&game.waste) if count == 1 and game.waste.count > 0 else NONE
    if source < 0 or source >= game.columns or count < 1 or count > face_up(game, source):
        return NONE
    return game.column[source].card[game.column[source].count - count]


cdef inline bint is_legal(const Game* game, int source, int target, int count, int suit,
                          int rank) noexcept nogil:
    """Test whether a move is legal. Its fields are those of `rules.joker.Move`, NONE for None."""
    cdef int card
    if source == STOCK:
        return (target == WASTE and count == 1 and suit == NONE and rank == NONE
                and game.stock.count > 0)
    card = taken(game, source, count)
    if card == NONE:
        return False
    if rank != NONE and target != IN_PLACE:
        return False
    if suit != NONE and (target != FOUNDATION or card < JOKERS):
        return False
    if target >= 0:
        return goes_on(game, card, count, target)
    if count != 1:
        return False
    if target == FOUNDATION and card >= JOKERS:
        return joker_goes_up(game, card, source, suit)
    if target == FOUNDATION:
        return game.foundation[card % 4].count == card // 4 or takes_open_ace(game, card)
    if card < JOKERS:
        return False
    if target == OUT:
        return rank_of(game, card) == NONE or game.any_removal
    if target == IN_PLACE:
        return rank_of(game, card) == NONE and source != WASTE and is_left(game, card, rank)
    return False


cdef inline bint joker_goes_up(const Game* game, int joker, int source, int suit) noexcept nogil:
    """Test whether a joker may go up from ``source``: as the next card of ``suit``, or as an open ace if that
    is NONE. It never goes up from the waste."""
    cdef int next_rank, declared = rank_of(game, joker)
    if source == WASTE:
        return False
    if suit == NONE:
        return (declared == NONE or declared == 0) and is_left(game, joker, 0)
    if suit < 0 or suit > 3 or not game.has_suit[suit] or colour(suit) != colour(joker):
        return False
    next_rank = game.foundation[suit].count
    if next_rank == 0 or next_rank == game.ranks:
        return False
    return (declared == NONE or declared == next_rank) and not is_up(game, 4 * next_rank + suit)


cdef inline int rank_that_fits(const Game* game, int card, int target) noexcept nogil:
    """Return the rank that ``card`` needs to go on column ``target``, NONE if its colour does not fit."""
    cdef int top, rank
    if game.column[target].count == 0:
        return game.ranks - 1
    top = top_of(&game.column[target])
    rank = rank_of(game, top)
    if rank == NONE or rank == 0 or colour(top) == colour(card):
        return NONE
    return rank - 1


cdef inline bint goes_on(const Game* game, int card, int count, int target) noexcept nogil:
    """Test whether a run of ``count`` cards, ``card`` the deepest, may go on column ``target``. It never fits
    its own column, whose top does not have a higher rank."""
    cdef int needed
    if target >= game.columns:
        return False
    needed = rank_that_fits(game, card, target)
    if needed == NONE:
        return False
    if rank_of(game, card) == NONE:
        return count == 1 and is_left(game, card, needed)
    return rank_of(game, card) == needed


# --- Moves --------------------------------------------------------------------------------------------------

cdef inline bint play(Game* game, int source, int target, int count, int suit, int rank) noexcept nogil:
    """Make a move with its consequences; its fields are those of `rules.joker.Move`, NONE for None. Returns
    False, changing nothing, if it is illegal."""
    cdef int card, i
    cdef Pile* pile
    if not is_legal(game, source, target, count, suit, rank):
        return False
    if source == STOCK:
        game.stock.count -= 1
        put(&game.waste, game.stock.card[game.stock.count])
    else:
        card = taken(game, source, count)
        if target >= 0 and rank_of(game, card) == NONE:
            rank = rank_that_fits(game, card, target)
        if rank != NONE:
            game.declared[card - JOKERS] = rank
        if target != IN_PLACE:
            pile = &game.waste if source == WASTE else &game.column[source]
            pile.count -= count
            for i in range(count if target >= 0 else 0):
                put(&game.column[target], pile.card[pile.count + i])
        if target == OUT:
            game.declared[card - JOKERS] = NONE
            game.is_out[card - JOKERS] = True
        elif target == FOUNDATION:
            put_up(game, card, suit)
    turn_up(game)
    if game.waste.count > 0 and (source == STOCK or not game.turned_only):
        card = top_of(&game.waste)
        if card < JOKERS and is_stood_for(game, card):
            change_places(game, card)
    return True


cdef inline void put_up(Game* game, int card, int suit) noexcept nogil:
    """Put ``card``, already removed from its pile, on the foundations; a joker as the next card of ``suit``,
    or as an open ace if that is NONE."""
    cdef int joker = JOKERS + colour(card)
    if card < JOKERS:
        if takes_open_ace(game, card):
            game.is_open_ace[joker - JOKERS] = False
            put(&game.foundation[card % 4], joker)
        put(&game.foundation[card % 4], card)
        return
    game.declared[joker - JOKERS] = NONE
    if suit == NONE:
        game.is_open_ace[joker - JOKERS] = True
    else:
        put(&game.foundation[suit], joker)


cdef inline void turn_up(Game* game) noexcept nogil:
    """Turn up the top of each column that has only face-down cards, and exchange it if a joker stands for
    it."""
    cdef int column, card
    cdef bint changes
    for column in range(game.columns):
        if game.column[column].count > 0 and face_up(game, column) == 0:
            card = top_of(&game.column[column])
            changes = card < JOKERS and is_stood_for(game, card)    # tested before the card counts as up
            game.face_down[column] -= 1
            if changes:
                change_places(game, card)


cdef inline int score(const Game* game) noexcept nogil:
    """Return the number of foundation places filled, an open ace included."""
    cdef int suit, filled = 0
    cdef bint serves[2]
    serves[0] = serves[1] = False
    for suit in range(4):
        filled += game.foundation[suit].count
        if game.has_suit[suit] and game.foundation[suit].count == 0:
            serves[colour(suit)] = True
    return filled + (game.is_open_ace[0] and serves[0]) + (game.is_open_ace[1] and serves[1])


cdef inline int legal_moves_of(const Game* game, PlainMove* moves) noexcept nogil:
    """Write every legal move to ``moves``, which has space for MOST_MOVES. Returns their number."""
    cdef int source, count, target, suit, rank, n = 0
    for source in range(WASTE, game.columns):
        for count in range(1, 2 if source < 0 else face_up(game, source) + 1):
            for target in range(IN_PLACE, game.columns):
                for suit in range(NONE, 4 if target == FOUNDATION else 0):
                    for rank in range(NONE, game.ranks if target == IN_PLACE else 0):
                        if is_legal(game, source, target, count, suit, rank):
                            moves[n] = PlainMove(source, target, count, suit, rank)
                            n += 1
    return n


# --- Positions ----------------------------------------------------------------------------------------------

cdef inline void clear(Game* game, int columns, int ranks) noexcept nogil:
    """Set ``game`` to one without cards and with all rule options off."""
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    game.declared[0] = game.declared[1] = NONE


cdef inline void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns,
                           int ranks, int suits) noexcept nogil:
    """Lay out ``count`` shuffled ``cards`` row by row in ``columns`` of the given ``sizes``; the rest becomes
    the stock. ``suits`` has one bit for each suit of the deck."""
    cdef int column, suit, i, dealt
    clear(game, columns, ranks)
    for suit in range(4):
        game.has_suit[suit] = suits >> suit & 1
    dealt = deal_rows(game.column, columns, sizes, cards, count)
    for column in range(columns):
        game.face_down[column] = max(0, game.column[column].count - 1)
    for i in range(count - 1, dealt - 1, -1):
        put(&game.stock, cards[i])


cdef inline void load_desk(Game* game, const Desk* desk) noexcept nogil:
    """Set ``game`` to the position ``desk``."""
    cdef const JokerCondition* joker
    cdef int suit, rank, i
    clear(game, desk.columns, desk.ranks)
    game.turned_only = desk.turned_only
    game.any_removal = desk.any_removal
    load_columns(game.column, desk)
    for i in range(desk.columns):
        game.face_down[i] = desk.hidden[i]
    for i in range(desk.stock_size - 1, -1, -1):
        put(&game.stock, desk.stock[i])
    for i in range(desk.waste_size):
        put(&game.waste, desk.waste[i])
    for suit in range(4):
        game.has_suit[suit] = desk.suits >> suit & 1
        for rank in range(desk.up[suit]):
            put(&game.foundation[suit], 4 * rank + suit)
    for i in range(2 if desk.has_jokers else 0):
        joker = &desk.joker[i]
        if joker.place >= 0:
            game.foundation[joker.place % 4].card[joker.place // 4] = JOKERS + i
        if joker.rank >= 0:
            game.declared[i] = joker.rank
        game.is_open_ace[i] = joker.is_open_ace
        game.is_out[i] = joker.is_out


cdef inline void save_desk(const Game* game, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck and rules stay."""
    cdef int suit, rank, joker, i
    save_columns(game.column, game.columns, desk)
    save_stock(&game.stock, &game.waste, desk)
    for i in range(game.columns):
        desk.hidden[i] = game.face_down[i]
    for joker in range(2 if desk.has_jokers else 0):
        desk.joker[joker] = JokerCondition(
            game.declared[joker], NONE, game.is_open_ace[joker], game.is_out[joker])
    for suit in range(4):
        desk.up[suit] = game.foundation[suit].count
        for rank in range(game.foundation[suit].count):
            if game.foundation[suit].card[rank] >= JOKERS:
                desk.joker[game.foundation[suit].card[rank] - JOKERS].place = 4 * rank + suit
