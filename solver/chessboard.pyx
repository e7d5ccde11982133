# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The kernel of chessboard and fortress: packed state, exact key, complete depth-first search.

Cards are ``16 * suit + rank``. A card never lies on anything but what it started on, a neighbour in its suit,
or the table; so what lies directly beneath each card is the whole state, up to the order of the columns, and
two bits a card say it:

    key bits      content
    2n, 2n + 1    n = 13 * suit + rank: 0 the card is up, or lies on what it started on; 1 on the next higher
                  card of its suit; 2 on the next lower; 3 on the table. 0 wins where two would fit.
    104 .. 119    four bits a suit: cards on its foundation
    120 .. 123    base rank + 1; 0 while it is not chosen

Equal keys of one deal are interchangeable states, different keys are not: there are no collisions.
"""

cimport cython
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from .chessboard_oracle cimport Game, deal_game, is_won, play
from .dealer cimport shuffle
from .kernel cimport INTERRUPTED, MEMORY, Kernel, may_expand
from .table cimport ADDED, KNOWN, NO_MEMORY, Entry, Table, table_free, table_insert, table_reset

from ..rules import chessboard as rules
from ..rules import find_variant
from .kernel import REASONS

cdef enum:
    NONE = 64           # no such card; never on top of a column
    TABLE = 65          # what lies beneath the deepest card of a column
    UP = 15             # the target of a move to the foundation
    NO_BASE = 255
    MAX_COLUMNS = 10
    MAX_MOVES = 6 * MAX_COLUMNS     # of one position; see generate
    MAX_STEPS = 13 + 52             # cards moved by one move and the forced ones after it

cdef enum:              # how a card lies on the one beneath it
    ELSEWHERE = 0
    ON_HIGHER = 1
    ON_LOWER = 2
    ON_TABLE = 3

cdef enum Outcome:
    LOST = 0
    WON = 1
    OPEN = 2

cdef struct Cell:       # a card in the tableau
    uint8_t beneath     # card or TABLE
    uint8_t link        # how it lies there
    uint8_t code        # its two key bits
    uint8_t run         # cards in the run of which it is the top
    uint8_t root        # the deepest card of that run

cdef struct Step:       # one card moved, with all that undoing it needs
    uint64_t low
    uint64_t high
    Cell cell
    uint8_t card
    uint8_t source
    uint8_t target
    uint8_t base        # base rank before

cdef struct Frame:      # a state on the path
    uint32_t first      # its untried moves are moves[first:end], the best last
    uint32_t end
    uint32_t steps      # length of the line that leads to it


cdef extern from *:
    int __builtin_ctz(unsigned int) noexcept nogil


cdef inline uint16_t* to_one(uint16_t* end, uint32_t columns, int target, const uint8_t* cards) noexcept nogil:
    """Append the move of the top ``cards[column]`` of each of the ``columns``, a bit set, to ``target``."""
    cdef int column
    while columns:
        column = __builtin_ctz(columns)
        columns &= columns - 1
        end[0] = column | target << 4 | cards[column] << 8
        end += 1
    return end


cdef inline uint16_t* to_each(
    uint16_t* end, uint32_t columns, const int8_t* targets, const uint8_t* cards
) noexcept nogil:
    """The same, each to its own target."""
    cdef int column
    while columns:
        column = __builtin_ctz(columns)
        columns &= columns - 1
        end[0] = column | targets[column] << 4 | cards[column] << 8
        end += 1
    return end


def check_state(state):
    """Raise ValueError, naming what is wrong, for a state that no position of the game has."""
    if len(state.columns) > MAX_COLUMNS:
        raise ValueError(f"{len(state.columns)} columns: at most {MAX_COLUMNS} are possible")
    left = set(state.deck.cards())
    for card in [card for column in state.columns for card in column]:
        if card not in left:
            raise ValueError(f"card number {card} does not belong here, or is there twice")
        left.remove(card)
    if len(state.foundations) != 4 or not all(0 <= height <= state.deck.ranks for height in state.foundations):
        raise ValueError(f"foundations {state.foundations}: four heights up to {state.deck.ranks} are needed")
    if state.base is not None and not 0 <= state.base < state.deck.ranks:
        raise ValueError(f"base rank {state.base}: the deck has none such")


@cython.final
cdef class ChessboardKernel(Kernel):
    """Decides positions of chessboard and fortress, short decks included, within ``limits``.

    `load` a state, then walk (`legal_moves`, `do_move`, `undo_move`) or `solve`. One kernel serves one thread;
    it keeps its memory from deal to deal.
    """

    # The game: constant for a variant and a number of ranks.
    cdef object variant
    cdef object deck
    cdef bint wrap
    cdef int ranks
    cdef uint8_t higher[NONE + 1]
    cdef uint8_t lower[NONE + 1]
    cdef uint8_t link[NONE][TABLE + 1]
    cdef uint64_t bits_low[NONE][4]
    cdef uint64_t bits_high[NONE][4]

    # The state.
    cdef uint64_t low, high             # the key
    cdef Cell cells[NONE]
    cdef int8_t column_of[TABLE + 1]    # the column a card is on top of, else -1; [TABLE] is scratch
    cdef uint8_t top[MAX_COLUMNS]       # card or TABLE
    cdef uint8_t forced[5]              # the card of each suit that must go up once it is a top, or NONE;
                                        # [TABLE >> 4] is NONE
    cdef uint8_t height[4]
    cdef uint8_t base
    cdef int columns
    cdef int left                       # cards not up
    cdef uint8_t started_on[NONE]

    # The search.
    cdef Table table
    cdef Frame* frames
    cdef uint16_t* moves                # source | target << 4 | cards << 8
    cdef Step* steps
    cdef uint32_t depth, frame_room, move_room, step_room, step_count

    def __cinit__(self):
        self.frames = NULL
        self.moves = NULL
        self.steps = NULL
        self.table.entries = NULL

    def __init__(self, limits):
        self.set_limits(limits)
        self.make_room(0)

    def __dealloc__(self):
        free(self.frames)
        free(self.moves)
        free(self.steps)
        table_free(&self.table)

    # --- The game and the start ---------------------------------------------------------------------------

    cdef void set_game(self, variant, deck) except *:
        """Make the tables that depend on the variant and the number of ranks only."""
        cdef int suit, rank, card, n
        if self.variant == variant and self.deck == deck:
            return
        self.variant = variant
        self.deck = deck
        self.ranks = deck.ranks
        self.wrap = variant == "chessboard"
        memset(self.link, ELSEWHERE, sizeof(self.link))
        for suit in range(4):
            for rank in range(self.ranks):
                card = 16 * suit + rank
                self.higher[card] = self.neighbour(card, rank + 1)
                self.lower[card] = self.neighbour(card, rank - 1)
                if self.lower[card] == self.higher[card]:
                    self.lower[card] = NONE
                self.link[card][self.lower[card]] = ON_LOWER
                self.link[card][self.higher[card]] = ON_HIGHER
                self.link[card][NONE] = ELSEWHERE
                self.link[card][TABLE] = ON_TABLE
                n = 2 * (13 * suit + rank)
                for code in range(4):
                    bits = code << n
                    self.bits_low[card][code] = bits & 0xFFFFFFFFFFFFFFFF
                    self.bits_high[card][code] = bits >> 64

    cdef int neighbour(self, int card, int rank) noexcept:
        """The card of ``rank`` in the suit of ``card``, round the corner if the game allows it, or NONE."""
        if self.wrap and self.ranks > 1:
            rank = (rank + self.ranks) % self.ranks
        return (card & 0x30) | rank if 0 <= rank < self.ranks else NONE

    cdef void clear(self, int columns) noexcept nogil:
        """An empty tableau, nothing up."""
        cdef int i
        self.columns = columns
        self.low = self.high = 0
        self.left = 0
        self.step_count = 0
        self.base = NO_BASE if self.wrap else 0
        self.high = 0 if self.wrap else (<uint64_t>1) << 56
        memset(self.column_of, -1, sizeof(self.column_of))
        for i in range(columns):
            self.top[i] = TABLE
        for i in range(4):
            self.height[i] = 0
            self.forced[i] = NONE if self.wrap else 16 * i
        self.forced[TABLE >> 4] = NONE

    cdef void lay(self, int column, int card) noexcept nogil:
        """Deal a card: what it lies on now is what it started on."""
        self.started_on[card] = self.top[column]
        self.put(column, card)
        self.left += 1

    def load(self, state):
        """Begin at ``state``, of `rules.chessboard`, in which the cards need not be as dealt.

        Raises ValueError for a state that the packed form cannot hold.
        """
        check_state(state)
        self.set_game(state.variant, state.deck)
        self.clear(len(state.columns))
        for column, cards in enumerate(state.columns):
            for card in cards:
                self.lay(column, (card & 3) << 4 | card >> 2)
        if state.base is not None:
            self.set_base(state.base)
        for suit in range(4):
            self.height[suit] = state.foundations[suit]
            self.high += <uint64_t>self.height[suit] << (40 + 4 * suit)
            self.forced[suit] = self.next_forced(suit)

    cdef void load_dealt(self, const uint8_t* cards, int count, const uint8_t* sizes, int columns) noexcept nogil:
        """Begin at the deal of shuffled ``cards`` (numbers of `rules.cards`)."""
        cdef int row, column, dealt = 0
        self.clear(columns)
        for row in range(count):
            for column in range(columns):
                if row < sizes[column] and dealt < count:
                    self.lay(column, (cards[dealt] & 3) << 4 | cards[dealt] >> 2)
                    dealt += 1

    # --- Moving one card ----------------------------------------------------------------------------------

    cdef inline void put(self, int column, int card) noexcept nogil:
        """Lay a card that lies nowhere on a column."""
        cdef int beneath = self.top[column]
        cdef int link = self.link[card][beneath]
        cdef Cell* cell = &self.cells[card]
        cell.beneath = beneath
        cell.link = link
        cell.code = 0 if beneath == self.started_on[card] else link
        cell.run = 1
        cell.root = card
        if link == ON_HIGHER or link == ON_LOWER:
            if self.cells[beneath].link == link:
                cell.run += self.cells[beneath].run
                cell.root = self.cells[beneath].root
            else:
                cell.run = 2
                cell.root = beneath
        self.low ^= self.bits_low[card][cell.code]
        self.high ^= self.bits_high[card][cell.code]
        self.column_of[beneath] = -1
        self.column_of[card] = column
        self.top[column] = card

    cdef inline void set_base(self, int rank) noexcept nogil:
        if self.wrap:
            self.base = rank
            self.high += <uint64_t>(rank + 1) << 56

    cdef inline int next_forced(self, int suit) noexcept nogil:
        """The card of ``suit`` that rule A forces up as soon as it is a top, or NONE."""
        cdef int rank = self.base + self.height[suit]
        if self.height[suit] == self.ranks or (self.wrap and self.height[suit] == 0):
            return NONE
        return 16 * suit + (rank if rank < self.ranks else rank - self.ranks)

    cdef inline void step(self, int source, int target) noexcept nogil:
        """Move the top card of ``source`` to another column or UP."""
        cdef int card = self.top[source]
        cdef int suit
        cdef Cell* cell = &self.cells[card]
        cdef Step* step = &self.steps[self.step_count]
        self.step_count += 1
        step.low = self.low
        step.high = self.high
        step.cell = cell[0]
        step.card = card
        step.source = source
        step.target = target
        step.base = self.base
        self.low ^= self.bits_low[card][cell.code]
        self.high ^= self.bits_high[card][cell.code]
        self.top[source] = cell.beneath
        self.column_of[cell.beneath] = source
        if target != UP:
            self.put(target, card)
            return
        suit = card >> 4
        self.column_of[card] = -1
        if self.base == NO_BASE:
            self.set_base(card & 15)
        self.height[suit] += 1
        self.high += (<uint64_t>1) << (40 + 4 * suit)
        self.left -= 1
        self.forced[suit] = self.next_forced(suit)

    cdef inline void unstep(self) noexcept nogil:
        """Take the last step back."""
        cdef Step* step
        cdef int card, suit
        self.step_count -= 1
        step = &self.steps[self.step_count]
        card = step.card
        if step.target == UP:
            suit = card >> 4
            self.height[suit] -= 1
            self.left += 1
            self.base = step.base
            self.forced[suit] = self.next_forced(suit)
        else:
            self.top[step.target] = self.cells[card].beneath
            self.column_of[self.cells[card].beneath] = step.target
        self.cells[card] = step.cell
        self.column_of[step.cell.beneath] = -1
        self.column_of[card] = step.source
        self.top[step.source] = card
        self.low = step.low
        self.high = step.high

    # --- Depth-first search -------------------------------------------------------------------------------

    cdef Outcome search(self) noexcept nogil:
        """Decide the loaded state. WON leaves the line in ``steps``; LOST means that every reachable state,
        up to rule A and equal keys, was expanded; OPEN notes the reason."""
        cdef Frame* frame
        cdef uint16_t move
        cdef int added
        self.step_count = self.depth = 0
        if not table_reset(&self.table, self.table_share()):
            self.reason = MEMORY
            return OPEN
        self.play_up_forced()
        table_insert(&self.table, self.low, self.high)
        if self.left == 0:
            return WON
        if not may_expand(self) or not self.open_frame(0):
            return OPEN
        while self.depth > 0:
            frame = &self.frames[self.depth - 1]
            if frame.end == frame.first:
                self.depth -= 1
                if self.depth > 0:
                    self.undo_to(self.frames[self.depth - 1].steps)
                continue
            frame.end -= 1
            move = self.moves[frame.end]
            self.generated += 1
            added = self.make(move & 15, move >> 4 & 15, move >> 8)
            if self.left == 0:
                return WON
            if added == KNOWN:
                self.undo_to(frame.steps)
                continue
            if added == NO_MEMORY:
                self.reason = MEMORY
                return OPEN
            if not may_expand(self) or not self.open_frame(frame.end):
                return OPEN
        return LOST

    cdef inline int make(self, int source, int target, int cards) noexcept nogil:
        """Move the top ``cards`` one by one, with what that forces, and put the state in the table.

        Where nothing goes up the key is worked out first, and a KNOWN state is not even entered.
        """
        cdef uint64_t low, high
        cdef int i, added = ADDED
        cdef bint quiet = self.foresee(source, target, cards, &low, &high)
        if quiet:
            added = table_insert(&self.table, low, high)
            if added == KNOWN:
                return KNOWN
        for i in range(cards):
            self.step(source, target)
        if quiet:
            return added
        self.play_up_forced()
        return table_insert(&self.table, self.low, self.high)

    cdef inline bint foresee(
        self, int source, int target, int cards, uint64_t* low, uint64_t* high
    ) noexcept nogil:
        """The key after a move; false if a card goes up in it or because of it."""
        cdef int card = self.top[source]
        cdef int i, code, beneath
        cdef Cell* cell
        if target == UP:
            return False
        beneath = self.top[target]
        low[0] = self.low
        high[0] = self.high
        for i in range(cards):
            cell = &self.cells[card]
            code = 0 if beneath == self.started_on[card] else self.link[card][beneath]
            low[0] ^= self.bits_low[card][cell.code] ^ self.bits_low[card][code]
            high[0] ^= self.bits_high[card][cell.code] ^ self.bits_high[card][code]
            beneath = card
            card = cell.beneath
        return self.forced[card >> 4] != card and self.forced[beneath >> 4] != beneath

    cdef inline void undo_to(self, uint32_t steps) noexcept nogil:
        while self.step_count > steps:
            self.unstep()

    cdef bint open_frame(self, uint32_t first_move) noexcept nogil:
        """Put the present state on the path, its moves at ``first_move``; false if memory runs out."""
        cdef Frame* frame
        if (self.depth == self.frame_room or first_move + MAX_MOVES > self.move_room
                or self.step_count + MAX_STEPS > self.step_room):
            if not self.grow_stacks():
                self.reason = MEMORY
                return False
        frame = &self.frames[self.depth]
        self.depth += 1
        frame.first = first_move
        frame.end = first_move + self.generate(self.moves + first_move)
        frame.steps = self.step_count
        return True

    cdef int generate(self, uint16_t* moves) noexcept nogil:
        """Write the moves to try, the best last, and return their number.

        A run (a sequence in suit, in one direction, at the top of a column) moves card by card onto a
        neighbour of its top, which turns it over. The order, best first: a base card up; a run onto the
        higher neighbour, which builds what can go up again, then onto the lower, in both off another card
        before off the table; a run off another card to an empty column; the splits, which take the top card
        alone, and runs turned over on the table; last of all the choice of the base, so that what all bases
        share is searched before any. Splits last is worth more than a factor of 40, the base last a fifth.

        One empty column is target enough, and a single card that is a whole column stays out of it: the key
        does not see the difference.
        """
        cdef uint32_t starts = 0, whole = 0, runs = 0, on_higher = 0, on_lower = 0, occupied = 0, bit = 1
        cdef int8_t higher[MAX_COLUMNS]
        cdef int8_t lower[MAX_COLUMNS]
        cdef uint8_t all_of_run[MAX_COLUMNS]
        cdef uint8_t top_alone[MAX_COLUMNS]
        cdef uint16_t* end = moves
        cdef Cell* cell
        cdef int column, card, empty = 0
        for column in range(self.columns):
            card = self.top[column]
            top_alone[column] = 1
            if card != TABLE:
                cell = &self.cells[card]
                occupied |= bit
                all_of_run[column] = cell.run
                higher[column] = self.column_of[self.higher[card]]
                lower[column] = self.column_of[self.lower[card]]
                if cell.run > 1:
                    runs |= bit
                if self.cells[cell.root].beneath == TABLE:
                    whole |= bit
                if higher[column] >= 0:
                    on_higher |= bit
                if lower[column] >= 0:
                    on_lower |= bit
                if self.may_start_foundation(card):
                    starts |= bit
            bit <<= 1
        cdef uint32_t to_empty = 0
        if occupied != bit - 1:
            to_empty = occupied
            empty = __builtin_ctz(~occupied)
        if self.base == NO_BASE:
            end = to_one(end, starts, UP, top_alone)
        end = to_one(end, to_empty & runs, empty, top_alone)
        end = to_each(end, on_lower & runs, lower, top_alone)
        end = to_one(end, to_empty & whole & runs, empty, all_of_run)
        end = to_each(end, on_higher & runs, higher, top_alone)
        end = to_one(end, to_empty & ~whole, empty, all_of_run)
        end = to_each(end, on_lower & whole, lower, all_of_run)
        end = to_each(end, on_lower & ~whole, lower, all_of_run)
        end = to_each(end, on_higher & whole, higher, all_of_run)
        end = to_each(end, on_higher & ~whole, higher, all_of_run)
        if self.base != NO_BASE:
            end = to_one(end, starts, UP, top_alone)
        return <int>(end - moves)

    cdef inline bint may_start_foundation(self, int card) noexcept nogil:
        """Whether the top card ``card`` may go up without being forced to."""
        if self.base == NO_BASE:
            return True
        return self.wrap and (card & 15) == self.base

    # --- Memory -------------------------------------------------------------------------------------------

    cdef uint64_t stack_bytes(self) noexcept nogil:
        return (self.frame_room * sizeof(Frame) + self.move_room * sizeof(uint16_t)
                + self.step_room * sizeof(Step))

    cdef uint64_t table_share(self) noexcept nogil:
        """What the limit leaves for the table."""
        cdef uint64_t stacks = self.stack_bytes()
        return self.max_bytes - stacks if self.max_bytes > stacks else 0

    cdef bint grow_stacks(self) noexcept nogil:
        """Double the stacks; false if that would break the memory limit."""
        cdef uint64_t table = (self.table.mask + 1) * sizeof(Entry)
        if self.max_bytes < table + 3 * self.stack_bytes() or not self.make_room(2 * self.frame_room):
            return False
        self.table.max_bytes = self.table_share()
        return True

    cdef bint make_room(self, uint32_t frames) noexcept nogil:
        """Allocate stacks for ``frames`` states."""
        cdef void* block
        if frames < 64:
            frames = 64
        block = realloc(self.frames, frames * sizeof(Frame))
        if block == NULL:
            return False
        self.frames = <Frame*>block
        self.frame_room = frames
        block = realloc(self.moves, (8 * frames + MAX_MOVES) * sizeof(uint16_t))
        if block == NULL:
            return False
        self.moves = <uint16_t*>block
        self.move_room = 8 * frames + MAX_MOVES
        block = realloc(self.steps, (4 * frames + MAX_STEPS) * sizeof(Step))
        if block == NULL:
            return False
        self.steps = <Step*>block
        self.step_room = 4 * frames + MAX_STEPS
        return True

    # --- What Python sees ---------------------------------------------------------------------------------

    def solve(self, state):
        """Decide ``state``: whether it can be won (None: undecided), the winning moves, and the reason why
        the search ended early, if it did. ``expanded`` and ``generated`` count the nodes."""
        cdef Outcome outcome = OPEN
        self.load(state)
        with nogil:
            if self.begin():
                outcome = self.search()
        if outcome == WON:
            return True, self.line(), None
        return (False, None, None) if outcome == LOST else (None, None, REASONS[self.reason])

    def solve_seeds(self, str variant, uint64_t first, int count):
        """Deal, decide and replay the seeds from ``first`` on, without the interpreter.

        Returns arrays of one entry a seed: outcome (int8: 1 winnable, 0 unwinnable, 2 undecided), number of
        moves (int32, 0 where there is no line), expanded and generated (uint64). They are shorter than
        ``count`` if the search was interrupted. Raises RuntimeError if a line fails its replay.
        """
        import numpy as np

        game = find_variant(variant)
        self.set_game(variant, game.deck())
        cdef bytes deck = bytes(self.deck.cards())
        cdef bytes sizes = bytes(game.sizes)
        cdef const uint8_t* cards = deck
        cdef const uint8_t* column_sizes = sizes
        cdef int card_count = len(deck), columns = len(sizes), i, done = 0
        cdef uint64_t wrong = 0
        outcomes = np.zeros(count, np.int8)
        lengths = np.zeros(count, np.int32)
        expanded = np.zeros(count, np.uint64)
        generated = np.zeros(count, np.uint64)
        cdef int8_t[::1] outcome_view = outcomes
        cdef int[::1] length_view = lengths
        cdef uint64_t[::1] expanded_view = expanded
        cdef uint64_t[::1] generated_view = generated
        with nogil:
            for i in range(count):
                outcome_view[i] = self.solve_dealt(first + i, cards, card_count, column_sizes, columns)
                if self.reason == INTERRUPTED:
                    break
                done = i + 1
                expanded_view[i] = self.expanded
                generated_view[i] = self.generated
                if outcome_view[i] == WON:
                    length_view[i] = self.step_count
                    if not self.replays(first + i, cards, card_count, column_sizes, columns):
                        wrong += 1
        if wrong:
            raise RuntimeError(f"{wrong} lines of {variant} from seed {first} on fail their replay")
        return outcomes[:done], lengths[:done], expanded[:done], generated[:done]

    cdef Outcome solve_dealt(
        self, uint64_t seed, const uint8_t* deck, int count, const uint8_t* sizes, int columns
    ) noexcept nogil:
        cdef uint8_t cards[52]
        memcpy(cards, deck, count)
        shuffle(cards, count, seed)
        self.load_dealt(cards, count, sizes, columns)
        return self.search() if self.begin() else OPEN

    cdef bint replays(
        self, uint64_t seed, const uint8_t* deck, int count, const uint8_t* sizes, int columns
    ) noexcept nogil:
        """Whether the line found wins by the oracle's rules, on cards dealt afresh."""
        cdef uint8_t cards[52]
        cdef Game game
        cdef uint32_t i
        memcpy(cards, deck, count)
        shuffle(cards, count, seed)
        deal_game(&game, cards, count, sizes, columns, self.ranks, self.wrap)
        for i in range(self.step_count):
            if not play(&game, self.steps[i].source, -1 if self.steps[i].target == UP else self.steps[i].target):
                return False
        return is_won(&game)

    cdef list line(self):
        """The steps made since `load`, as moves of `rules.chessboard`."""
        return [
            rules.Move(self.steps[i].source, rules.FOUNDATION if self.steps[i].target == UP else self.steps[i].target)
            for i in range(self.step_count)
        ]

    cdef bint is_legal(self, int source, int target) noexcept nogil:
        cdef int card = self.top[source]
        if card == TABLE or source == target:
            return False
        if target == UP:
            return self.forced[card >> 4] == card or self.may_start_foundation(card)
        return self.top[target] == TABLE or self.link[card][self.top[target]] != ELSEWHERE

    def legal_moves(self):
        """Every legal single-card move, as moves of `rules.chessboard`."""
        moves = []
        for source in range(self.columns):
            for target in range(self.columns):
                if self.is_legal(source, target):
                    moves.append(rules.Move(source, target))
            if self.is_legal(source, UP):
                moves.append(rules.Move(source, rules.FOUNDATION))
        return moves

    def do_move(self, move):
        """Make a legal single-card move."""
        if self.step_count + MAX_STEPS > self.step_room and not self.make_room(2 * self.frame_room):
            raise MemoryError
        self.step(move.source, UP if move.target == rules.FOUNDATION else move.target)

    def undo_move(self):
        """Take back the last move. Raises IndexError at the start."""
        if self.step_count == 0:
            raise IndexError("no move to take back")
        self.unstep()

    def key(self):
        """The exact key of the present state, an integer below 2^124."""
        return <object>self.high << 64 | <object>self.low

    def state(self):
        """The present state, of `rules.chessboard`."""
        cdef int card
        columns = []
        for column in range(self.columns):
            cards = []
            card = self.top[column]
            while card != TABLE:
                cards.append((card & 15) << 2 | card >> 4)
                card = self.cells[card].beneath
            columns.append(tuple(reversed(cards)))
        base = None if self.base == NO_BASE else self.base
        return rules.State(self.variant, self.deck, tuple(columns), tuple(self.height[s] for s in range(4)), base)

    def perft(self, int depth):
        """The number of sequences of ``depth`` legal single-card moves from the present state."""
        cdef int source, target
        if depth == 0:
            return 1
        if self.step_count + MAX_STEPS > self.step_room and not self.make_room(2 * self.frame_room):
            raise MemoryError
        count = 0
        for source in range(self.columns):
            for target in range(UP + 1):
                if (target < self.columns or target == UP) and self.is_legal(source, target):
                    self.step(source, target)
                    count += self.perft(depth - 1)
                    self.unstep()
        return count

    # --- Dominances ---------------------------------------------------------------------------------------

    cdef inline void play_up_forced(self) noexcept nogil:
        """Rule A: a card that can go up and is not of base rank (in fortress: any card) goes up at once.

        Sound, and it keeps the fewest moves. Let c be such a card, S the state and S' the state after c went
        up. Follow a win from S in S', keeping this: S' is S without a set R of cards that are up in S' only,
        R being consecutive cards of one suit from c on, none of base rank. A move of a card of R is left out.
        A card put on a card outside R can be put there in S' too. If x is put on a card y of R, x is a
        neighbour of y; its lower neighbour is up already in S' (in R, or it was c's predecessor), so x is
        the higher one and next on its foundation, or for the last rank the base card, which is up: play x up
        and add it to R. A column that is empty in S is empty in S'. So S' wins in at least one move less.

        The stronger form that tempts, forcing cards of base rank too, is wrong in chessboard: the last rank
        of the suit may need the base card as a parking place. It fails on
        4H 5D AD 3C AC | 5H AH 4D 4C 2H | 2D 3D 3H 5C 2C (ranks A to 5; shortest win 29 moves). In fortress no
        card lies below the ace, so there the rule may hold for all.

        So is splitting runs needed: with whole-run moves only, both deals named so in seeds/hard.jsonl are
        lost. Splits stay, as the last moves to try.
        """
        cdef int suit, card
        cdef bint again = True
        while again:
            again = False
            for suit in range(4):
                card = self.forced[suit]
                while self.column_of[card] >= 0:
                    self.step(self.column_of[card], UP)
                    card = self.forced[suit]
                    again = True
