# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Lines of macros as elementary moves, found by playing them in the oracle: cards get their columns there."""

from libc.stdint cimport uint32_t

from .joker_oracle cimport ANY, IN_PLACE, OUT, STOCK, UP, WASTE, Game, Step, play
from .joker_play cimport (DECLARE_LATE, EMPTY, FROM_WASTE, MOVE, MOVE_RAISE, MOVE_RAISE_JOKER, MOVE_REMOVE,
                          NOTHING, RAISE, RAISE_JOKER, RAISE_OPEN, REMOVE, REMOVE_WASTE, declared_in, turns_in)

cdef struct Line:
    Game* game
    Step* steps
    int count
    bint failed


cdef void add(Line* line, int source, int target, int count, int suit, int rank) noexcept nogil:
    """Play a move and write it down."""
    cdef Step step
    if line.failed:
        return
    step.source = source
    step.target = target
    step.count = count
    step.suit = suit
    step.rank = rank
    if source == IN_PLACE or not play(line.game, step):
        line.failed = True
        return
    line.steps[line.count] = step
    line.count += 1


cdef int column_with(const Game* game, int card) noexcept nogil:
    """The column where ``card`` lies face up, or IN_PLACE."""
    cdef int column, i
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            if game.card[column][i] == card:
                return column
    return IN_PLACE


cdef int height_in(const Game* game, int column, int card) noexcept nogil:
    """How many cards of a column, from its top down to ``card``."""
    cdef int i
    for i in range(game.size[column]):
        if game.card[column][i] == card:
            return game.size[column] - i
    return 0


cdef int target_of(const Game* game, int target, int source) noexcept nogil:
    cdef int column
    if target != EMPTY:
        return column_with(game, target)
    for column in range(game.columns):
        if game.size[column] == 0 and column != source:
            return column
    return IN_PLACE


cdef int play_macro(Game* game, uint32_t code, Step* steps) noexcept nogil:
    """Play a macro as elementary moves and write these down: their number, or -1 if one is illegal."""
    cdef Line line
    cdef int turns = turns_in(code), colour, column
    line.game = game
    line.steps = steps
    line.count = 0
    line.failed = False
    if code & DECLARE_LATE:
        turns -= 1
    while turns > 0:
        add(&line, STOCK, WASTE, 1, ANY, ANY)
        turns -= 1
    for colour in range(2):
        if declared_in(code, colour):
            column = column_with(game, 52 + colour)
            add(&line, column, IN_PLACE, 1, ANY, declared_in(code, colour) - 1)
    if code & DECLARE_LATE:
        add(&line, STOCK, WASTE, 1, ANY, ANY)
    play_last(&line, code & 15, code >> 4 & 63, code >> 10 & 63)
    return -1 if line.failed else line.count


cdef void play_last(Line* line, int play, int card, int target) noexcept nogil:
    """What a macro does after turns and declarations."""
    cdef Game* game = line.game
    cdef int column = column_with(game, card), height, beneath
    if play == NOTHING:
        return
    if play == FROM_WASTE:
        add(line, WASTE, target_of(game, target, WASTE), 1, ANY, ANY)
    elif play == REMOVE_WASTE:
        add(line, WASTE, OUT, 1, ANY, ANY)
    elif play == RAISE and column == IN_PLACE:
        add(line, WASTE, UP, 1, ANY, ANY)
    elif column == IN_PLACE:
        line.failed = True
    elif play == MOVE:
        add(line, column, target_of(game, target, column), height_in(game, column, card), ANY, ANY)
    elif play == RAISE or play == RAISE_OPEN:
        add(line, column, UP, 1, ANY, ANY)
    elif play == RAISE_JOKER:
        add(line, column, UP, 1, target, ANY)
    elif play == REMOVE:
        add(line, column, OUT, 1, ANY, ANY)
    else:
        height = height_in(game, column, card)
        beneath = game.card[column][game.size[column] - height - 1]
        play_last(line, MOVE, card, target)
        if play == MOVE_RAISE:
            play_last(line, RAISE, beneath, 0)
        elif play == MOVE_REMOVE:
            play_last(line, REMOVE, beneath, 0)
        else:
            play_last(line, RAISE_JOKER, beneath, play - MOVE_RAISE_JOKER)
