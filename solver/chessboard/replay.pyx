"""Test oracle of Chessboard and Fortress: a second compiled implementation of the rules, which replays lines.

It shares neither code nor representation with the searches: a column is an array of `rules.cards` numbers, a
move takes one card, and there is no pruning. It replays the lines of batches;
tests/native/chessboard_brute.pyx uses it to search all states.
"""

# optimised: every deal that is won passes here

from libc.string cimport memset

from ..core.desk cimport Desk, read_chessboard
from ..core.piles cimport are_empty, deal_rows, load_columns, put

from ...rules import check_implemented

IMPLEMENTS = {"chessboard": {}, "fortress": {}}
"""The games that these rules implement: see `rules.choices.Implemented`."""


cdef void deal_game(Game* game, const uint8_t* cards, int count, const uint8_t* sizes, int columns, int ranks,
                    bint corner, bint free_base) noexcept nogil:
    """Lay out ``count`` shuffled cards row by row into ``columns`` of ``sizes``. With ``corner`` ace and king
    are neighbours; with ``free_base`` no base rank is chosen at first, otherwise it is the ace."""
    memset(game, 0, sizeof(Game))
    game.columns = columns
    game.ranks = ranks
    game.corner = corner
    game.base = -1 if free_base else 0
    deal_rows(game.column, columns, sizes, cards, count)


cdef bint are_neighbours(const Game* game, int card, int other) noexcept nogil:
    """Test if two cards may lie on each other: if they are neighbours in one suit."""
    cdef int apart = (card >> 2) - (other >> 2)
    if (card & 3) != (other & 3) or apart == 0:
        return False
    if apart < 0:
        apart = -apart
    return apart == 1 or (game.corner and apart == game.ranks - 1)


cdef bint play(Game* game, int source, int target) noexcept nogil:
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


cdef bint is_won(const Game* game) noexcept nogil:
    return are_empty(game.column, game.columns)


cdef void load_desk(Game* game, const Desk* desk, bint is_chessboard) noexcept nogil:
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


cdef void load_state(Game* game, state) except *:
    """Set ``game`` to ``state``, of `rules.chessboard`. Raises ValueError for a state of another family."""
    cdef Desk desk
    check_implemented(state, IMPLEMENTS)
    read_chessboard(&desk, state)
    load_desk(game, &desk, state.variant == "chessboard")


def accepts(state, move):
    """Test if ``move``, of `rules.chessboard`, is legal in ``state``."""
    cdef Game game
    load_state(&game, state)
    return play(&game, move.source, move.target)


def replays(state, moves):
    """Test if ``moves``, of `rules.chessboard`, are all legal from ``state`` on and win."""
    cdef Game game
    load_state(&game, state)
    for move in moves:
        if not play(&game, move.source, move.target):
            return False
    return is_won(&game)
