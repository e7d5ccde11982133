"""Test oracle of Chessboard and Fortress: a second compiled implementation of the rules, which replays lines.

It shares neither code nor representation with the searches: a column is an array of `rules.cards` numbers, a
move takes one card, and there is no pruning. It replays the lines of batches;
tests/native/chessboard_brute.pyx uses it to search all states.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..core.desk cimport Desk, PlainMove
from ..core.piles cimport Pile, are_empty, deal_rows, load_columns, put, save_columns

cdef enum:
    FOUNDATION = -1     # the target of a move to the foundation

cdef struct Game:
    int columns, ranks
    bint corner         # ace and last rank are neighbours
    int base            # base rank, or -1 if it is not chosen
    uint8_t up[4]       # number of cards on each foundation
    Pile column[10]


cdef inline void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns,
                           int ranks, bint corner, bint free_base) noexcept nogil:
    """Lay out ``count`` shuffled cards row by row into ``columns`` of ``sizes``. With ``corner`` ace and king
    are neighbours; with ``free_base`` no base rank is chosen at first, otherwise it is the ace."""
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    game.corner = corner
    game.base = -1 if free_base else 0
    deal_rows(game.column, columns, sizes, cards, count)


cdef inline bint are_neighbours(const Game* game, int card, int other) noexcept nogil:
    """Test if two cards may lie on each other: if they are neighbours in one suit."""
    cdef int apart = (card >> 2) - (other >> 2)
    if (card & 3) != (other & 3) or apart == 0:
        return False
    if apart < 0:
        apart = -apart
    return apart == 1 or (game.corner and apart == game.ranks - 1)


cdef inline bint play(Game* game, int source, int target) noexcept nogil:
    """Move the top card of ``source`` to another column or the FOUNDATION. Returns False, changing nothing,
    if the move is illegal."""
    cdef int card, suit, onto
    if source < 0 or source >= game.columns or game.column[source].count == 0 or target >= game.columns:
        return False
    card = game.column[source].card[game.column[source].count - 1]
    suit = card & 3
    if target == FOUNDATION:
        if game.base < 0:
            game.base = card >> 2
        elif game.up[suit] == game.ranks or (card >> 2) != (game.base + game.up[suit]) % game.ranks:
            return False
        game.up[suit] += 1
        game.column[source].count -= 1
        return True
    if target < 0 or target == source:
        return False
    if game.column[target].count > 0:
        onto = game.column[target].card[game.column[target].count - 1]
        if not are_neighbours(game, card, onto):
            return False
    put(&game.column[target], card)
    game.column[source].count -= 1
    return True


cdef inline bint is_won(const Game* game) noexcept nogil:
    return are_empty(game.column, game.columns)


cdef inline int cards_up(const Game* game) noexcept nogil:
    return game.up[0] + game.up[1] + game.up[2] + game.up[3]


cdef inline void load_desk(Game* game, const Desk* desk, bint is_chessboard) noexcept nogil:
    """Set ``game`` to ``desk``, a position of Chessboard or else of Fortress."""
    cdef int suit
    memset(game, 0, sizeof(Game))
    game.columns = desk.columns
    game.ranks = desk.ranks
    game.corner = is_chessboard
    game.base = desk.base
    load_columns(game.column, desk)
    for suit in range(4):
        game.up[suit] = desk.up[suit]


cdef inline void save_desk(const Game* game, Desk* desk) noexcept nogil:
    """Write the position to ``desk``, whose deck stays."""
    cdef int suit
    save_columns(game.column, game.columns, desk)
    desk.base = game.base
    for suit in range(4):
        desk.up[suit] = game.up[suit]


cdef inline int legal_moves_of(const Game* game, PlainMove* moves) noexcept nogil:
    """Write every legal move to ``moves``; return their number. The target of a move to the foundation is
    FOUNDATION."""
    cdef Game after
    cdef int source, target, count = 0
    for source in range(game.columns):
        for target in range(FOUNDATION, game.columns):
            after = game[0]
            if play(&after, source, target):
                moves[count] = PlainMove(source, target, 1, -1, -1)
                count += 1
    return count
