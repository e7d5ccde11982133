"""The moves that the beam search makes of a plain state: those that may be legal, and those that are safe."""

# optimised: searches spend their time here

from libc.stdint cimport int8_t

from .cards cimport GONE, NO_RANK, XB, colour_of
from .plain cimport (
    ANY, FOUNDATION, IN_PLACE, OUT, STOCK, WASTE, PlainGame, PlainMove, head_of, rank_of,
)


cdef int likely_moves(const PlainGame* game, PlainMove* moves) noexcept nogil:
    """Write down all moves that may be legal, but those to a second empty column and of a whole column to an
    empty one: their number."""
    cdef int source, target, count, n = 0, cards, head
    cdef bint was_empty
    if game.turned < game.stock_size:
        moves[0] = PlainMove(STOCK, WASTE, 1, ANY, ANY)
        n = 1
    for source in range(WASTE, game.columns):
        cards = min(1, game.waste_size) if source == WASTE else (
            game.size[source] - game.hidden[source] if source >= 0 else 0
        )
        if cards == 0:
            continue
        n = moves_of_top(game, source, moves, n)
        for count in range(1, cards + 1):
            head = head_of(game, PlainMove(source, 0, count, ANY, ANY))
            was_empty = source >= 0 and count == game.size[source] and rank_of(game, head) != NO_RANK
            for target in range(game.columns):
                if game.size[target] == 0 and was_empty:
                    continue
                was_empty = was_empty or game.size[target] == 0
                if target != source and fits(game, head, target):
                    moves[n] = PlainMove(source, target, count, ANY, ANY)
                    n += 1
    return n


cdef inline bint fits(const PlainGame* game, int head, int target) noexcept nogil:
    """Whether a card may go on a column, if as a joker it may take the rank."""
    cdef int wanted = game.ranks - 1, top
    if game.size[target] > 0:
        top = game.card[target][game.size[target] - 1]
        if colour_of(top) == colour_of(head) or rank_of(game, top) == NO_RANK:
            return False
        wanted = rank_of(game, top) - 1
    return rank_of(game, head) in (wanted, NO_RANK)


cdef int moves_of_top(const PlainGame* game, int source, PlainMove* moves, int n) noexcept nogil:
    """Write down the moves of the top of a column or of the waste to no column behind ``n`` others."""
    cdef int8_t suit, rank
    cdef int top = game.waste[game.waste_size - 1] if source == WASTE else (
        game.card[source][game.size[source] - 1]
    )
    for suit in range(ANY, 4 if top >= XB else 0):
        moves[n] = PlainMove(source, FOUNDATION, 1, suit, ANY)
        n += 1
    if top >= XB:
        moves[n] = PlainMove(source, OUT, 1, ANY, ANY)
        n += 1
        for rank in range(game.ranks):
            moves[n] = PlainMove(source, IN_PLACE, 1, ANY, rank)
            n += 1
    return n


cdef bint is_needed(const PlainGame* game, int card) noexcept nogil:
    """Whether some card may have use of ``card`` as a place."""
    cdef int rank = card >> 2, colour = colour_of(card), lowest = game.ranks, twin = game.ranks, suit
    for suit in range(4):
        if game.suits >> suit & 1:
            if colour_of(suit) != colour:
                lowest = min(lowest, game.height[suit])
            elif suit != card & 3:
                twin = game.height[suit]
    if game.condition[1 - colour] == GONE and rank == 1:
        return False
    if game.condition[0] == GONE and game.condition[1] == GONE:
        return lowest < rank - 1 or (lowest < rank and twin < rank - 2)
    return lowest < rank


cdef bint find_safe(const PlainGame* game, PlainMove* safe) noexcept nogil:
    """A natural that goes up at once: nothing can need it, and what it turns up is no natural whose joker may
    still change places with it; false if there is none."""
    cdef int source, card, beneath, size
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
        if not is_needed(game, card):
            safe[0] = PlainMove(source, FOUNDATION, 1, ANY, ANY)
            return True
    return False
