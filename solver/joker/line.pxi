"""Lines of Joker: macros as elementary moves, and lines made shorter by leaving moves out.

`play_macro` translates macros to elementary moves. A macro belongs to a class of states. In a single state of
the class its target may be covered, so that a card of the same colour and rank serves instead, or a lateral
move may have to come first. `shorten` drops moves that a line does not need.
"""

cdef enum:
    LONGEST_PLAY = 4        # most moves of a macro besides turns: two declarations, a lateral move, a play


# --- Macros as moves ----------------------------------------------------------------------------------------

cdef struct Line:
    Position* game
    PlainMove* steps
    int count
    bint failed


cdef inline void add(Line* line, PlainMove step) noexcept nogil:
    """Play ``step`` and append it to ``line``, or set ``line.failed`` if it is illegal."""
    if not line.failed:
        line.failed = step.source == IN_PLACE or not play(line.game, step)
        line.steps[line.count] = step
        line.count += 1


cdef inline int depth_of(const Position* game, int column, int card) noexcept nogil:
    """Return the number of cards from the top of a column down to ``card``, 0 if it is not there."""
    cdef int i
    for i in range(game.size[column]):
        if game.card[column][i] == card:
            return game.size[column] - i
    return 0


cdef inline int column_topped(const Position* game, int card) noexcept nogil:
    """Return the column whose top is ``card``, else one whose top has its colour and effective rank, else
    IN_PLACE."""
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


cdef inline int target_of(const Position* game, int target, int source) noexcept nogil:
    """Return the column for the ``target`` (a card or EMPTY) of a macro whose card comes from the column
    ``source``, IN_PLACE if there is none."""
    cdef int column
    if target != EMPTY:
        return column_topped(game, target)
    for column in range(game.columns):
        if game.size[column] == 0 and column != source:
            return column
    return IN_PLACE


cdef inline int play_macro(Position* game, uint32_t code, PlainMove* steps) noexcept nogil:
    """Play a macro as elementary moves, written to ``steps``. Returns their number, -1 if one is illegal."""
    cdef Line line
    cdef int turns = turns_in(code), colour, column
    line.game = game
    line.steps = steps
    line.count = 0
    line.failed = False
    if code & DECLARE_LATE:
        turns -= 1
    while turns > 0:
        add(&line, PlainMove(STOCK, WASTE, 1, ANY, ANY))
        turns -= 1
    for colour in range(2):
        if declared_in(code, colour):
            column = column_with(game, XB + colour)
            add(&line, PlainMove(column, IN_PLACE, 1, ANY, declared_in(code, colour) - 1))
    if code & DECLARE_LATE:
        add(&line, PlainMove(STOCK, WASTE, 1, ANY, ANY))
    play_last(&line, play_in(code), mover_in(code), target_in(code))
    return -1 if line.failed else line.count


cdef inline void play_last(Line* line, int what, int card, int target) noexcept nogil:
    """Append the play ``what`` of a macro, which follows its turns and declarations."""
    cdef Position* game = line.game
    cdef int column = column_with(game, card)
    if what == NO_PLAY:
        return
    if what == FROM_WASTE:
        add(line, PlainMove(WASTE, target_of(game, target, WASTE), 1, ANY, ANY))
    elif what == REMOVE_WASTE:
        add(line, PlainMove(WASTE, OUT, 1, ANY, ANY))
    elif what == RAISE and column == IN_PLACE:
        add(line, PlainMove(WASTE, FOUNDATION, 1, ANY, ANY))
    elif column == IN_PLACE:
        line.failed = True
    elif what == MOVE:
        add(line, PlainMove(column, target_of(game, target, column), depth_of(game, column, card), ANY, ANY))
    else:
        bare(line, column, card)
        if what == REMOVE:
            add(line, PlainMove(column, OUT, 1, ANY, ANY))
        else:
            add(line, PlainMove(column, FOUNDATION, 1, target if what == RAISE_JOKER else ANY, ANY))


cdef inline void bare(Line* line, int column, int card) noexcept nogil:
    """Append a lateral move that uncovers ``card`` of ``column``, unless it is on top already."""
    cdef int height = depth_of(line.game, column, card)
    if height > 1:
        add(line, PlainMove(column, column_topped(line.game, card), height - 1, ANY, ANY))


# --- Cleaning -----------------------------------------------------------------------------------------------


cdef struct Named:      # a move named by its cards, which is defined in states with other columns too
    uint8_t card
    uint8_t onto        # the card that it is put on, or EMPTY
    PlainMove step


cdef inline Named named(const Position* game, PlainMove step) noexcept nogil:
    """Return the legal move ``step`` named by its cards."""
    cdef Named name
    name.step = step
    name.card = game.stock[game.turned] if step.source == STOCK else head_of(game, step)
    name.onto = EMPTY
    if step.target >= 0 and game.size[step.target] > 0:
        name.onto = game.card[step.target][game.size[step.target] - 1]
    return name


cdef inline bint play_named(Position* game, Named name, PlainMove* step) noexcept nogil:
    """Make the move of the same cards in ``game``, where they may lie elsewhere, and write it to ``step``.
    Returns False, changing nothing in ``game``, if it is illegal there."""
    cdef int column
    step[0] = name.step
    if step.source == STOCK:
        return game.turned < game.stock_size and game.stock[game.turned] == name.card and play(game, step[0])
    if game.waste_size > 0 and game.waste[game.waste_size - 1] == name.card:
        step.source = WASTE
        step.count = 1
    else:
        step.source = column_with(game, name.card)
        if step.source == IN_PLACE:
            return False
        step.count = depth_of(game, step.source, name.card)
    if step.target >= 0:
        step.target = IN_PLACE
        for column in range(game.columns):
            if column == step.source:
                continue
            if name.onto == (EMPTY if game.size[column] == 0 else top_of(game, column)):
                step.target = column
        if step.target == IN_PLACE:
            return False
    return play(game, step[0])


cdef struct Trial:
    Named name
    PlainMove step           # the move as it was last played
    Position before         # the position before the move
    int score                # the score of ``before``


cdef inline int shorten(const Position* start, PlainMove* steps, int count) noexcept nogil:
    """Drop from a legal line, going from its end to its start, every move without which the later moves,
    named by their cards, still reach the same score; repeat until nothing changes. ``steps`` becomes the
    shorter line. Returns its length. The line stays as it is if allocation fails."""
    cdef Position game = start[0]
    cdef int i, j, best, up, first = 0, before = count + 1
    cdef Trial* trials = <Trial*>malloc((count + 1) * sizeof(Trial))
    if trials == NULL:
        return count
    for i in range(count):
        trials[i].name = named(&game, steps[i])
        play(&game, steps[i])
    best = score_of(&game)
    trials[0].before = start[0]
    while count < before:
        before = count
        game = trials[first].before
        for i in range(first, count):
            trials[i].before = game
            trials[i].score = score_of(&game)
            play_named(&game, trials[i].name, &steps[i])
        up = 0
        for i in range(count - 1, -1, -1):
            # Each later move to the foundations adds at most one to the score (J1).
            if trials[i].score + up >= best and is_idle(trials, i, count, best):
                for j in range(i, count - 1):
                    trials[j].name = trials[j + 1].name
                count -= 1
                first = i
            elif trials[i].name.step.target == FOUNDATION:
                up += 1
    free(trials)
    return count


cdef inline bint is_idle(Trial* trials, int left_out, int count, int best) noexcept nogil:
    """Test whether the line of ``count`` moves still reaches a score of ``best`` without the move number
    ``left_out``."""
    cdef Position game = trials[left_out].before
    cdef int i
    for i in range(left_out + 1, count):
        if not play_named(&game, trials[i].name, &trials[i].step):
            return False
    return score_of(&game) >= best
