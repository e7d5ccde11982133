"""Lines of play in elementary moves: what macros stand for, and which moves a line does not need.

A macro is one of a class of states. In a state of the class a card like its target may have to serve instead,
and a lateral move to come first.

Both are found by playing by the plain rules, where cards have columns.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc

from .cards cimport XB, colour_of
from .packing cimport (
    DECLARE_LATE, EMPTY, FROM_WASTE, MOVE, NO_PLAY, RAISE, RAISE_JOKER, REMOVE, REMOVE_WASTE, declared_in,
    mover_in, play_in, target_in, turns_in,
)
from .plain cimport (
    ANY, FOUNDATION, IN_PLACE, OUT, STOCK, WASTE, PlainGame, PlainMove, head_of, load, move_of, play, rank_of,
    score, step_of,
)

cdef struct Line:
    PlainGame* game
    PlainMove* steps
    int count
    bint failed


cdef void add(Line* line, int source, int target, int count, int suit, int rank) noexcept nogil:
    """Play a move and write it down."""
    cdef PlainMove step
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


cdef int column_with(const PlainGame* game, int card) noexcept nogil:
    """The column where ``card`` lies face up, or IN_PLACE."""
    cdef int column, i
    for column in range(game.columns):
        for i in range(game.hidden[column], game.size[column]):
            if game.card[column][i] == card:
                return column
    return IN_PLACE


cdef int height_in(const PlainGame* game, int column, int card) noexcept nogil:
    """How many cards of a column, from its top down to ``card``."""
    cdef int i
    for i in range(game.size[column]):
        if game.card[column][i] == card:
            return game.size[column] - i
    return 0


cdef int column_under(const PlainGame* game, int card) noexcept nogil:
    """The column with ``card`` on top, or else with one of its colour and effective rank, or IN_PLACE."""
    cdef int column, top, found = IN_PLACE
    for column in range(game.columns):
        if game.size[column] == 0:
            continue
        top = game.card[column][game.size[column] - 1]
        if top == card:
            return column
        if colour_of(top) == colour_of(card) and rank_of(game, top) == rank_of(game, card):
            found = column
    return found


cdef int target_of(const PlainGame* game, int target, int source) noexcept nogil:
    """The column for the target of a macro whose card comes from ``source``, or IN_PLACE."""
    cdef int column
    if target != EMPTY:
        return column_under(game, target)
    for column in range(game.columns):
        if game.size[column] == 0 and column != source:
            return column
    return IN_PLACE


cdef int play_macro(PlainGame* game, uint32_t code, PlainMove* steps) noexcept nogil:
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
            column = column_with(game, XB + colour)
            add(&line, column, IN_PLACE, 1, ANY, declared_in(code, colour) - 1)
    if code & DECLARE_LATE:
        add(&line, STOCK, WASTE, 1, ANY, ANY)
    play_last(&line, play_in(code), mover_in(code), target_in(code))
    return -1 if line.failed else line.count


cdef void play_last(Line* line, int what, int card, int target) noexcept nogil:
    """What a macro does after turns and declarations."""
    cdef PlainGame* game = line.game
    cdef int column = column_with(game, card)
    if what == NO_PLAY:
        return
    if what == FROM_WASTE:
        add(line, WASTE, target_of(game, target, WASTE), 1, ANY, ANY)
    elif what == REMOVE_WASTE:
        add(line, WASTE, OUT, 1, ANY, ANY)
    elif what == RAISE and column == IN_PLACE:
        add(line, WASTE, FOUNDATION, 1, ANY, ANY)
    elif column == IN_PLACE:
        line.failed = True
    elif what == MOVE:
        add(line, column, target_of(game, target, column), height_in(game, column, card), ANY, ANY)
    else:
        bare(line, column, card)
        if what == REMOVE:
            add(line, column, OUT, 1, ANY, ANY)
        else:
            add(line, column, FOUNDATION, 1, target if what == RAISE_JOKER else ANY, ANY)


cdef void bare(Line* line, int column, int card) noexcept nogil:
    """Make a lateral move if ``card`` of ``column`` is not on top."""
    cdef int height = height_in(line.game, column, card)
    if height > 1:
        add(line, column, column_under(line.game, card), height - 1, ANY, ANY)


# --- Cleaning -----------------------------------------------------------------------------------------------


cdef struct Named:      # a move by its cards: so it has a meaning where the columns differ
    uint8_t card
    uint8_t onto        # a card, or EMPTY
    PlainMove step


cdef Named named(const PlainGame* game, PlainMove step) noexcept nogil:
    """A legal move by its cards."""
    cdef Named name
    name.step = step
    name.card = game.stock[game.turned] if step.source == STOCK else head_of(game, step)
    name.onto = EMPTY
    if step.target >= 0 and game.size[step.target] > 0:
        name.onto = game.card[step.target][game.size[step.target] - 1]
    return name


cdef bint play_named(PlainGame* game, Named name, PlainMove* step) noexcept nogil:
    """Make the same move wherever its cards are now, and write it down; false if there is none such."""
    cdef int column, i, source = -1
    step[0] = name.step
    if step.source == STOCK:
        return game.turned < game.stock_size and game.stock[game.turned] == name.card and play(game, step[0])
    if game.waste_size > 0 and game.waste[game.waste_size - 1] == name.card:
        step.source = WASTE
        step.count = 1
    else:
        for column in range(game.columns):
            for i in range(game.hidden[column], game.size[column]):
                if game.card[column][i] == name.card:
                    source = column
                    step.count = game.size[column] - i
        if source < 0:
            return False
        step.source = source
    if step.target >= 0:
        step.target = IN_PLACE
        for column in range(game.columns):
            if column == step.source:
                continue
            if game.size[column] == 0:
                if name.onto == EMPTY:
                    step.target = column
            elif game.card[column][game.size[column] - 1] == name.onto:
                step.target = column
        if step.target == IN_PLACE:
            return False
    return play(game, step[0])


cdef struct Trial:
    Named name
    PlainMove step           # as it was tried last
    PlainGame before         # the position before the move


cdef int shorten(const PlainGame* start, PlainMove* steps, int count) noexcept nogil:
    """Leave out of a legal line, from its end to its start, every move without which the moves after it, by
    their cards, still lead to as high a score; again until none is left. Writes the moves that remain and
    returns their number; the line is left as it is if memory does not allow more."""
    cdef PlainGame game = start[0]
    cdef int i, j, best, before = count + 1
    cdef Trial* trials = <Trial*>malloc((count + 1) * sizeof(Trial))
    if trials == NULL:
        return count
    for i in range(count):
        trials[i].name = named(&game, steps[i])
        play(&game, steps[i])
    best = score(&game)
    while count < before:
        before = count
        game = start[0]
        for i in range(count):
            trials[i].before = game
            play_named(&game, trials[i].name, &steps[i])
        for i in range(count - 1, -1, -1):
            if is_idle(trials, i, count, best):
                for j in range(i, count - 1):
                    trials[j].name = trials[j + 1].name
                count -= 1
    game = start[0]
    for i in range(count):
        play_named(&game, trials[i].name, &steps[i])
    free(trials)
    return count


cdef bint is_idle(Trial* trials, int left_out, int count, int best) noexcept nogil:
    """Whether the moves after one lead to a score of ``best`` without it."""
    cdef PlainGame game = trials[left_out].before
    cdef int i
    for i in range(left_out + 1, count):
        if not play_named(&game, trials[i].name, &trials[i].step):
            return False
    return score(&game) >= best


def clean(state, moves):
    """The legal line ``moves`` from ``state`` without the moves that the others do not need for the score."""
    cdef PlainGame game
    cdef int count = len(moves), i
    load(&game, state)
    cdef PlainMove* steps = <PlainMove*>malloc((count + 1) * sizeof(PlainMove))
    if steps == NULL:
        raise MemoryError
    try:
        for i in range(count):
            steps[i] = step_of(moves[i])
        with nogil:
            count = shorten(&game, steps, count)
        return [move_of(steps[i]) for i in range(count)]
    finally:
        free(steps)
