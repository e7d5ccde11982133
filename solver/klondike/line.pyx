"""Translation of moves between classes into moves of the game, with draws and lateral moves.

Each state of a class allows what the class allows (Theorem K1 of docs/theory/klondike.md). The lines are
replayed by independent rules; see `replay`.
"""

from libc.string cimport memset

from ..core.bits cimport hash_words
from ..core.memory cimport more_room
from .state cimport (BRING_BACK, LAND, LAND_SLOT, MOST_SLOTS, RAISE, RAISE_SLOT, SLOTS_AT, card_at,
                     close_layout, open_layout, place_of)

from ...rules import check_family
from ...rules import klondike as rules

cdef enum:
    MOST_STEPS = 100000     # of a line
    MOST_STRAIGHTENED = 1000


cdef void load_state(Desk* desk, Layout* layout, uint64_t* root, state) except *:
    """Fill a desk with ``state``; build its layout and key. Raises ValueError if it does not fit."""
    check_family(state, rules)
    load_desk(desk, state.deck, state, state.columns, state.stock)
    if not open_classes(layout, desk, root):
        raise ValueError(
            f"expected a key of at most 64 bits, got {desk.slot_count} cards beside such columns"
        )


cdef void load_desk(Desk* desk, deck, position, columns, stock) except *:
    """Fill a desk with ``columns``, a ``stock`` and all else that a state or a view has."""
    memset(desk, 0, sizeof(Desk))
    desk.columns = len(columns)
    desk.ranks = deck.ranks
    for suit in range(4):
        desk.suits |= ("CDHS"[suit] in deck.suits) << suit
        desk.height[suit] = position.foundations[suit]
    desk.draw = position.choices.cards_drawn
    desk.passes = position.choices.most_passes or 0
    desk.backward = position.choices.has_worrying_back
    desk.redeals = position.redeals
    for i, cards in enumerate(columns):
        desk.size[i] = len(cards)
        desk.hidden[i] = position.hidden[i]
        for j, card in enumerate(cards):
            desk.card[i][j] = card
    for i, card in enumerate(position.waste + stock):
        desk.slots[i] = card
    desk.waste = len(position.waste)
    desk.slot_count = desk.waste + len(stock)


cdef bint open_classes(Layout* layout, const Desk* desk, uint64_t* root) noexcept nogil:
    """Build the layout and key of a state; false if the key would be too long."""
    cdef int suit, column, i, count
    cdef uint64_t key = 0
    open_layout(layout, desk.ranks, desk.suits)
    layout.draw = desk.draw
    layout.passes = desk.passes
    layout.backward = desk.backward
    layout.columns = desk.columns
    layout.slots = desk.slot_count
    if layout.slots > MOST_SLOTS:
        return False
    for i in range(desk.slot_count):
        layout.slot_card[i] = place_of(desk.slots[i])
    for column in range(desk.columns):
        count = desk.hidden[column] + 1 if desk.size[column] > 0 else 0
        if count == 1 and desk.card[column][0] >> 2 == desk.ranks - 1:
            count = 0       # a king that lies on no card
        layout.dealt_count[column] = count
        for i in range(count):
            layout.dealt[column][i] = place_of(desk.card[column][i])
    if not close_layout(layout, desk.waste):
        return False
    for suit in range(4):
        i = desk.height[suit] if desk.suits >> suit & 1 else desk.ranks
        key |= <uint64_t>i << 4 * (0x78 >> 2 * suit & 3)
    key |= layout.all_slots << SLOTS_AT
    if desk.slot_count > 0:
        if desk.passes > 0:
            key |= <uint64_t>(desk.redeals * layout.stride + desk.waste) << layout.waste_at
        elif desk.waste < desk.slot_count and desk.waste % desk.draw > 0:
            key |= <uint64_t>desk.waste << layout.waste_at
    for column in range(desk.columns):
        key |= <uint64_t>layout.dealt_count[column] << layout.shift[column]
    root[0] = key
    return True


# --- Steps ----------------------------------------------------------------------------------------------

cdef void make(Line* line, Desk* desk, int source, int target, int count, int suit) noexcept nogil:
    """Make a move and append it to the line."""
    if line.count >= MOST_STEPS or line.count == <int>line.capacity and not more_room(
            &line.steps, &line.capacity, 256, sizeof(PlainMove), <uint64_t>1 << 40):
        line.failed = True
    if line.failed:
        return
    line.steps[line.count] = PlainMove(source, target, count, suit)
    line.count += 1
    move_cards(desk, &line.steps[line.count - 1])


cdef void move_cards(Desk* desk, const PlainMove* step) noexcept nogil:
    cdef int source = step.source, target = step.target, count = step.count, suit = step.suit, i
    cdef uint8_t moved[CARDS]
    if source == STOCK:
        draw(desk)
        return
    for i in range(count):
        moved[i] = lifted(desk, source, count - i, suit)
    if source == WASTE:
        remove_top(desk)
    elif source == FOUNDATION:
        desk.height[suit] -= 1
    else:
        desk.size[source] -= count
        if desk.size[source] > 0 and desk.hidden[source] == desk.size[source]:
            desk.hidden[source] -= 1
    if target == FOUNDATION:
        desk.height[moved[0] & 3] += 1
        return
    for i in range(count):
        desk.card[target][desk.size[target]] = moved[i]
        desk.size[target] += 1


cdef inline int lifted(const Desk* desk, int source, int depth, int suit) noexcept nogil:
    """Return the card at ``depth`` in a pile, 1 for its top."""
    if source == WASTE:
        return desk.slots[desk.waste - 1]
    if source == FOUNDATION:
        return 4 * (desk.height[suit] - 1) + suit
    return desk.card[source][desk.size[source] - depth]


cdef void draw(Desk* desk) noexcept nogil:
    """Draw from the stock, turning the waste over first if it is empty."""
    if desk.waste == desk.slot_count:
        desk.waste = 0
        desk.redeals += 1
    desk.waste = min(desk.waste + desk.draw, desk.slot_count)


cdef void remove_top(Desk* desk) noexcept nogil:
    cdef int i
    desk.waste -= 1
    desk.slot_count -= 1
    for i in range(desk.waste, desk.slot_count):
        desk.slots[i] = desk.slots[i + 1]


cdef int column_with(const Desk* desk, int card, int* row) noexcept nogil:
    """Return the column of a card, and its row from the bottom; -1 if it lies in none."""
    cdef int column, i
    for column in range(desk.columns):
        for i in range(desk.size[column]):
            if desk.card[column][i] == card:
                row[0] = i
                return column
    return -1


cdef inline bint is_red(int card) noexcept nogil:
    return (card & 3) in (1, 2)


cdef int host_of(Line* line, const Desk* desk, int card) noexcept nogil:
    """Find a column on which a card may land; the line fails if there is none."""
    cdef int column, top
    for column in range(desk.columns):
        if desk.size[column] == 0:
            if card >> 2 == desk.ranks - 1:
                return column
            continue
        top = desk.card[column][desk.size[column] - 1]
        if top >> 2 == (card >> 2) + 1 and is_red(top) != is_red(card):
            return column
    line.failed = True
    return 0


cdef void draw_to(Line* line, Desk* desk, int card) noexcept nogil:
    """Draw until a card is the top of the waste."""
    cdef int _i
    for _i in range(2 * CARDS + 4):
        if desk.waste > 0 and desk.slots[desk.waste - 1] == card:
            return
        make(line, desk, STOCK, WASTE, 1, NO_SUIT)
    line.failed = True


cdef void raise_card(Line* line, Desk* desk, int card) noexcept nogil:
    """Move a card to its foundation: of a column, the run on it first to the like card, or of the stock."""
    cdef int row = 0, column = column_with(desk, card, &row)
    if column < 0:
        draw_to(line, desk, card)
        make(line, desk, WASTE, FOUNDATION, 1, NO_SUIT)
        return
    if row + 1 < desk.size[column]:
        make(line, desk, column, host_of(line, desk, desk.card[column][row + 1]),
             desk.size[column] - row - 1, NO_SUIT)
    make(line, desk, column, FOUNDATION, 1, NO_SUIT)


cdef void follow(Line* line, Desk* desk, uint32_t code) noexcept nogil:
    """Make the moves of a code of `state`."""
    cdef int kind = code >> 8, card = card_at(code & 255), row = 0, column
    if kind == RAISE or kind == RAISE_SLOT:
        raise_card(line, desk, card)
    elif kind == LAND:
        column = column_with(desk, card, &row)
        if column < 0:
            line.failed = True
            return
        make(line, desk, column, host_of(line, desk, card), desk.size[column] - row, NO_SUIT)
    elif kind == LAND_SLOT:
        draw_to(line, desk, card)
        make(line, desk, WASTE, host_of(line, desk, card), 1, NO_SUIT)
    elif kind == BRING_BACK:
        make(line, desk, FOUNDATION, host_of(line, desk, card), 1, card & 3)


cdef void make_step(Line* line, Desk* desk, uint32_t code) noexcept nogil:
    """Make the moves of a step of `shortest`."""
    cdef int card = code & CODE_MASK, target = code >> TARGET_AT & CODE_MASK
    cdef int row = 0, source = column_with(desk, card, &row), count = 1, suit = NO_SUIT, column
    if source >= 0:
        count = desk.size[source] - row
    elif card >> 2 < desk.height[card & 3]:
        source, suit = FOUNDATION, card & 3
    else:
        draw_to(line, desk, card)
        source = WASTE
    if target == UP:
        column = FOUNDATION
    elif target == EMPTY:
        column = 0
        while column < desk.columns and desk.size[column] > 0:
            column += 1
    else:
        column = column_with(desk, target, &row)
    if column == -1 or column == desk.columns:
        line.failed = True
        return
    make(line, desk, source, column, count, suit)
    if code & HOST_UP:
        make(line, desk, source, FOUNDATION, 1, NO_SUIT)


cdef void raise_all(Line* line, Desk* desk, const uint8_t* places, int count) noexcept nogil:
    """Make the moves of the cards that `make_safe_moves` raised."""
    cdef int i
    for i in range(count):
        raise_card(line, desk, card_at(places[i]))


cdef void finish(Line* line, Desk* desk) noexcept nogil:
    """Move all remaining cards up, where nothing is in the way; the next cards in columns first."""
    cdef int suit, card, row = 0, column, found
    cdef bint is_over = False
    while not is_over and not line.failed:
        is_over = True
        found = -1
        for suit in range(4):
            card = 4 * desk.height[suit] + suit
            if not desk.suits >> suit & 1 or desk.height[suit] == desk.ranks:
                continue
            is_over = False
            column = column_with(desk, card, &row)
            if column < 0 and found < 0:
                found = card
            elif column >= 0 and row + 1 == desk.size[column]:
                found = card
                break
        if not is_over:
            if found < 0:
                line.failed = True
                return
            raise_card(line, desk, found)


# --- Straightening --------------------------------------------------------------------------------------

cdef uint64_t hash_of(const Desk* desk) noexcept nogil:
    """Hash all of a state that can change."""
    cdef uint64_t found = desk.waste | desk.slot_count << 8 | (desk.redeals << 16 if desk.passes > 0 else 0)
    cdef int i, j
    for i in range(4):
        found = hash_words(found, desk.height[i])
    for i in range(desk.columns):
        found = hash_words(found, desk.hidden[i])
        for j in range(desk.hidden[i], desk.size[i]):
            found = hash_words(found, desk.card[i][j] + 1)
    return found


cdef void straighten(Line* line, const Desk* start) noexcept nogil:
    """Shorten a line by what leads back to a state that it came from, and by stopovers of runs."""
    cdef uint64_t before[MOST_STRAIGHTENED + 1]
    cdef Desk desk = start[0]
    cdef int i, j, count = line.count
    if line.failed or count > MOST_STRAIGHTENED:
        return
    for i in range(count):
        before[i] = hash_of(&desk)
        move_cards(&desk, &line.steps[i])
    before[count] = hash_of(&desk)
    line.count = i = 0
    while i < count:
        j = count
        while before[j] != before[i]:
            j -= 1
        if j == i:
            line.steps[line.count] = line.steps[i]
            line.count += 1
            j += 1
        i = j
    while skip_stopovers(line, start):
        pass


cdef bint skip_stopovers(Line* line, const Desk* start) noexcept nogil:
    """Let runs, and cards from the foundations, that move on as they came, with nothing done where they came
    from and where they are meanwhile, move at once; return whether there were any."""
    cdef Desk desk = start[0]
    cdef PlainMove* step
    cdef PlainMove* later
    cdef int i, j, kept = 0
    for i in range(line.count):
        step = &line.steps[i]
        j = next_of_run(line, i)
        if j > 0:
            later = &line.steps[j]
            if later.target != step.source:
                later.source = step.source
                later.suit = step.suit
                step.count = 0
            elif step.source == FOUNDATION or desk.hidden[step.source] < desk.size[step.source] - step.count:
                step.count = later.count = 0
        if step.count > 0:
            move_cards(&desk, step)
    for i in range(line.count):
        if line.steps[i].count > 0:
            line.steps[kept] = line.steps[i]
            kept += 1
    i = line.count
    line.count = kept
    return kept < i


cdef int next_of_run(const Line* line, int number) noexcept nogil:
    """Find the move by which what a move moved moves on as it came, nothing done meanwhile; or 0."""
    cdef const PlainMove* step = &line.steps[number]
    cdef const PlainMove* later
    cdef int j
    if step.count == 0 or step.target < 0 or step.source == STOCK or step.source == WASTE:
        return 0
    for j in range(number + 1, line.count):
        later = &line.steps[j]
        if later.count == 0:
            continue
        if later.source == step.target:
            return j if later.count == step.count else 0
        if later.target == step.target:
            return 0
        if step.source == FOUNDATION:
            if later.source == FOUNDATION and later.suit == step.suit:
                return 0
        elif later.source == step.source or later.target == step.source:
            return 0
    return 0


cdef list moves_in(const Line* line):
    """Convert a line to moves of `rules.klondike`."""
    return [
        rules.Move(line.steps[i].source, line.steps[i].target, line.steps[i].count,
                   None if line.steps[i].suit == NO_SUIT else line.steps[i].suit)
        for i in range(line.count)
    ]
