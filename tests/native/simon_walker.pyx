"""Test hook: positions of `position` and keys of their classes, move by move from Python."""

from winnable.solver.core.border cimport read_simon

include "../../solver/simon/parts.pxi"

from winnable.rules import check_implemented, simon as rules
from winnable.solver.simon import IMPLEMENTS


cdef class PositionWalker:
    """A position that changes by moves, which can be taken back."""

    cdef Layout layout
    cdef Position position
    cdef list steps
    cdef object start

    def __init__(self, state):
        cdef Desk desk
        check_implemented(state, IMPLEMENTS)
        self.start = state
        self.steps = []
        read_simon(&desk, state)
        load_desk(&self.layout, &desk)
        set_position(&self.position, &self.layout)

    def legal_moves(self):
        """Every legal move, as moves of `rules.simon`."""
        return [
            rules.Move(source, target, count)
            for source in range(self.position.columns)
            for target in range(self.position.columns)
            for count in range(1, self.position.ranks + 1)
            if is_legal(&self.position, source, target, count)
        ]

    def do_move(self, move):
        """Make a legal move. Returns whether its key could be predicted; a wrong prediction fails."""
        cdef uint64_t low, high
        foreseen = foresee(&self.position, move.source, move.target, move.count, &low, &high)
        self.steps.append(do_move(&self.position, move.source, move.target, move.count))
        if foreseen:
            assert (low, high) == (self.position.low, self.position.high)
        return foreseen

    def undo_move(self):
        """Take back the last move."""
        undo_move(&self.position, self.steps.pop())

    def state(self):
        """The present state, of `rules.simon`."""
        columns = tuple([
            tuple([self.position.card[i][j] for j in range(self.position.size[i])])
            for i in range(self.position.columns)
        ])
        return rules.State(self.start.variant, self.start.deck, columns)

    def key(self):
        """The key of the present position."""
        return <object>self.position.high << 64 | self.position.low

    def class_key(self):
        """The key of the class of the present position."""
        cdef Class state
        class_of(&state, &self.layout, self.position.card, self.position.size)
        return <object>state.high << 64 | state.low
