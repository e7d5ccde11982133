"""Independent rules of Klondike with redeals, by which lines are replayed.

Every card lies in a pile, on the foundations too. These rules share no code and no representation with the
searches.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..core.desk cimport Desk, PlainMove
from ..core.piles cimport (
    FOUNDATION, NONE, STOCK, WASTE, Pile, deal_rows, load_columns, put, save_columns, save_stock,
)

cdef enum:
    MOST_CARDS = 52
    MOST_COLUMNS = 7
    MOST_MOVES = 500        # 52 face-up cards and the waste to 7 columns, 8 up, 4 back to 7 columns, a draw

cdef struct Game:
    int columns, ranks, draw
    int passes              # 0: unlimited
    int redeals             # redeals made, if passes are limited
    bint backward           # cards may come back from the foundations
    bint has_suit[4]
    Pile column[MOST_COLUMNS]
    uint8_t face_down[MOST_COLUMNS]     # number of face-down cards of each column
    Pile stock, waste
    Pile foundation[4]


cdef inline bint differ(int card, int other) noexcept nogil:
    """Test whether two cards are of different colours."""
    return (card % 4 in (1, 2)) != (other % 4 in (1, 2))


cdef inline int top_of(const Pile* pile) noexcept nogil:
    """Return the top of a pile, NONE if it is empty."""
    if pile.count == 0:
        return NONE
    return pile.card[pile.count - 1]


cdef inline int taken(const Game* game, int source, int count, int suit) noexcept nogil:
    """Return the deepest of the top ``count`` cards of ``source`` (the foundation of ``suit`` if that is
    FOUNDATION), NONE if they may not be taken or fewer are face up."""
    if source == WASTE and count == 1 and suit == NONE:
        return top_of(&game.waste)
    if source == FOUNDATION and count == 1 and 0 <= suit < 4 and game.backward:
        return top_of(&game.foundation[suit])
    if source < 0 or source >= game.columns or suit != NONE:
        return NONE
    if count < 1 or count > game.column[source].count - game.face_down[source]:
        return NONE
    return game.column[source].card[game.column[source].count - count]


cdef inline bint may_draw(const Game* game) noexcept nogil:
    """Test whether a draw is legal: the stock has cards, or a redeal is left and the waste has more cards
    than one draw."""
    if game.stock.count > 0:
        return True
    if game.passes > 0 and game.redeals + 1 >= game.passes:
        return False
    return game.waste.count > game.draw


cdef inline bint is_legal(const Game* game, int source, int target, int count, int suit) noexcept nogil:
    """Test whether a move is legal. Its fields are those of `rules.klondike.Move`, NONE for None."""
    cdef int card, top
    if source == STOCK:
        return target == WASTE and count == 1 and suit == NONE and may_draw(game)
    card = taken(game, source, count, suit)
    if card == NONE:
        return False
    if target == FOUNDATION:
        return source != FOUNDATION and count == 1 and game.foundation[card % 4].count == card // 4
    if target < 0 or target >= game.columns or target == source:
        return False
    top = top_of(&game.column[target])
    if top == NONE:
        return card // 4 == game.ranks - 1
    return differ(card, top) and top // 4 == card // 4 + 1


cdef inline bint play(Game* game, int source, int target, int count, int suit) noexcept nogil:
    """Make a move; its fields are those of `rules.klondike.Move`, NONE for None. Returns False, changing
    nothing, if it is illegal."""
    cdef int card, i
    cdef Pile* pile
    if not is_legal(game, source, target, count, suit):
        return False
    if source == STOCK:
        draw(game)
        return True
    card = taken(game, source, count, suit)
    if source >= 0:
        pile = &game.column[source]
    else:
        pile = &game.waste if source == WASTE else &game.foundation[suit]
    pile.count -= count
    if target == FOUNDATION:
        put(&game.foundation[card % 4], card)
    else:
        for i in range(count):
            put(&game.column[target], pile.card[pile.count + i])
    if source >= 0 and game.face_down[source] == pile.count and pile.count > 0:
        game.face_down[source] -= 1
    return True


cdef inline void draw(Game* game) noexcept nogil:
    """Turn the waste over if the stock is empty; then draw cards one by one."""
    cdef int _i
    if game.stock.count == 0:
        while game.waste.count > 0:
            game.waste.count -= 1
            put(&game.stock, game.waste.card[game.waste.count])
        if game.passes > 0:
            game.redeals += 1
    for _i in range(game.draw):
        if game.stock.count > 0:
            game.stock.count -= 1
            put(&game.waste, game.stock.card[game.stock.count])


cdef inline bint is_won(const Game* game) noexcept nogil:
    cdef int suit
    for suit in range(4):
        if game.has_suit[suit] and game.foundation[suit].count < game.ranks:
            return False
    return True


cdef inline int cards_up(const Game* game) noexcept nogil:
    """Count the cards on the foundations, and those of suits that the deck lacks."""
    cdef int suit, count = 0
    for suit in range(4):
        count += game.foundation[suit].count if game.has_suit[suit] else game.ranks
    return count


cdef inline int legal_moves_of(const Game* game, PlainMove* moves) noexcept nogil:
    """Write every legal move to ``moves``, which has space for MOST_MOVES. Returns their number."""
    cdef int source, count, target, suit, most, n = 0
    for source in range(FOUNDATION, game.columns):
        most = game.column[source].count if source >= 0 else 1
        for count in range(1, most + 1):
            for target in range(FOUNDATION, game.columns):
                for suit in range(NONE, 4 if source == FOUNDATION else 0):
                    if is_legal(game, source, target, count, suit):
                        moves[n] = PlainMove(source, target, count, suit, NONE)
                        n += 1
    return n


# --- Positions ------------------------------------------------------------------------------------------

cdef inline void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes,
                           int columns) noexcept nogil:
    """Lay out ``count`` shuffled ``cards`` row by row in ``columns`` of the given ``sizes``; the rest becomes
    the stock. The deck and the rules of ``game`` stay."""
    cdef int column, suit, dealt
    game.columns = columns
    game.redeals = 0
    game.stock.count = game.waste.count = 0
    for suit in range(4):
        game.foundation[suit].count = 0
    for column in range(columns):
        game.column[column].count = 0
    dealt = deal_rows(game.column, columns, sizes, cards, count)
    for column in range(columns):
        game.face_down[column] = game.column[column].count - 1
    while count > dealt:
        count -= 1
        put(&game.stock, cards[count])


cdef inline void load_rules(Game* game, const Desk* desk) noexcept nogil:
    """Set the deck and the rules of ``game`` to those of ``desk``."""
    cdef int suit
    game.ranks = desk.ranks
    game.draw = desk.draw
    game.passes = desk.passes
    game.backward = desk.backward
    for suit in range(4):
        game.has_suit[suit] = desk.suits >> suit & 1


cdef inline void load_desk(Game* game, const Desk* desk) noexcept nogil:
    """Set ``game`` to the position ``desk``."""
    cdef int suit, rank, i
    memset(game, 0, sizeof(Game))
    load_rules(game, desk)
    game.columns = desk.columns
    game.redeals = desk.redeals
    load_columns(game.column, desk)
    for i in range(desk.columns):
        game.face_down[i] = desk.hidden[i]
    for i in range(desk.stock_size - 1, -1, -1):
        put(&game.stock, desk.stock[i])
    for i in range(desk.waste_size):
        put(&game.waste, desk.waste[i])
    for suit in range(4):
        for rank in range(desk.up[suit]):
            put(&game.foundation[suit], 4 * rank + suit)


cdef inline void save_desk(const Game* game, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck and rules stay."""
    cdef int suit, i
    save_columns(game.column, game.columns, desk)
    save_stock(&game.stock, &game.waste, desk)
    desk.redeals = game.redeals
    for i in range(game.columns):
        desk.hidden[i] = game.face_down[i]
    for suit in range(4):
        desk.up[suit] = game.foundation[suit].count
