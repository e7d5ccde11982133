"""Test hooks: positions of `position` by single moves, and the lower bound of `shortest`."""

from winnable.solver.core.border cimport read_chessboard

include "../../solver/chessboard/parts.pxi"

from winnable.rules import chessboard as rules
from winnable.rules import check_implemented
from winnable.solver.chessboard import IMPLEMENTS


cdef void load_state(Position* p, state) except *:
    """Set ``p`` to ``state``, of `rules.chessboard`. Raises ValueError if it is not one of the game."""
    cdef Desk desk
    check_implemented(state, IMPLEMENTS)
    read_chessboard(&desk, state)
    load_desk(p, &desk, state.variant == "chessboard")


cdef class Walker:
    """A position that changes by moves of one card, which can be undone."""

    cdef Position position
    cdef object start

    def __init__(self, state):
        self.start = state
        load_state(&self.position, state)

    def __dealloc__(self):
        free(self.position.steps)

    def legal_moves(self):
        """Every legal move, as moves of `rules.chessboard`."""
        cdef Position* p = &self.position
        return [
            rules.Move(source, rules.FOUNDATION if target == UP else target)
            for source in range(p.columns)
            for target in [*range(p.columns), UP]
            if is_legal(p, source, target)
        ]

    def do_move(self, move):
        """Make a legal move."""
        self.make_room()
        step(&self.position, move.source, UP if move.target == rules.FOUNDATION else move.target)

    def undo_move(self):
        """Undo the last move. Raises IndexError if there is none."""
        if self.position.step_count == 0:
            raise IndexError("no move to take back")
        unstep(&self.position)

    def key(self):
        """The exact key of the present state, an integer below 2^124."""
        return <object>self.position.high << 64 | <object>self.position.low

    def state(self):
        """The present state, of `rules.chessboard`."""
        cdef Position* p = &self.position
        cdef int column, card
        columns = []
        for column in range(p.columns):
            cards = []
            card = p.top[column]
            while card != TABLE:
                cards.append((card & 15) << 2 | card >> 4)
                card = p.cells[card].beneath
            columns.append(tuple(reversed(cards)))
        heights = tuple([p.height[suit] for suit in range(4)])
        base = None if p.base == NO_BASE else p.base
        return rules.State(self.start.variant, self.start.deck, tuple(columns), heights, base)

    def perft(self, int depth):
        """The number of sequences of ``depth`` legal moves from the present state."""
        cdef Position* p = &self.position
        cdef int source, target
        if depth == 0:
            return 1
        self.make_room()
        count = 0
        for source in range(p.columns):
            for target in [*range(p.columns), UP]:
                if is_legal(p, source, target):
                    step(p, source, target)
                    count += self.perft(depth - 1)
                    unstep(p)
        return count

    cdef void make_room(self) except *:
        """Reserve capacity for one more step. Raises MemoryError if allocation fails."""
        if self.position.step_count == self.position.step_room:
            if not make_step_room(&self.position, 2 * self.position.step_room + 64):
                raise MemoryError


def lower_bound(state):
    """The lower bound on the length of a solution of ``state``, of `rules.chessboard`, the least over all
    base ranks; None if the bound proves a loss."""
    cdef Shortest search
    cdef Position position
    cdef bint opened
    memset(&position, 0, sizeof(Position))
    load_state(&position, state)
    memset(&search, 0, sizeof(Shortest))
    try:
        opened = open_shortest(&search, &position, HOPELESS, 1, <uint64_t>1 << 32)
        if not opened:
            raise MemoryError
        return None if search.lower_bound == HOPELESS else search.lower_bound
    finally:
        free_shortest(&search)
