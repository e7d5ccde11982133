"""Test hook: a walk through the classes of states, move by move, without a search."""

from winnable.solver.core.border cimport move_of, read_joker

include "../../solver/joker/parts.pxi"

from dataclasses import replace

from winnable.rules import find_variant, joker as rules
from winnable.rules import check_implemented
from winnable.solver.joker import IMPLEMENTS


cdef void load(Layout* layout, ClassKey* key, state) except *:
    """Pack ``state``. Raises ValueError if it is too large or cannot occur in play."""
    cdef Desk desk
    check_implemented(state, IMPLEMENTS)
    read_joker(&desk, state)
    pack_desk(layout, key, &desk)


cdef class Walker:
    """Stands at a class of states, at first that of ``state``, of `rules.joker`. Raises ValueError for one
    that is too large or that no play leads to.
    """

    cdef Layout layout
    cdef ClassKey key
    cdef ClassPosition position
    cdef uint32_t* codes
    cdef object start

    def __cinit__(self):
        self.codes = <uint32_t*>malloc(MOST_CODES * sizeof(uint32_t))
        if self.codes == NULL:
            raise MemoryError

    def __init__(self, state):
        load(&self.layout, &self.key, state)
        self.start = state

    def __dealloc__(self):
        free(self.codes)

    def key_of(self):
        """The exact key of the present class, an integer below 2^192."""
        return sum([<object>self.key.w[i] << 64 * i for i in range(3)])

    def set_key(self, key):
        """Go to the class of a key of the same deal."""
        for i in range(3):
            self.key.w[i] = key >> 64 * i & 0xFFFFFFFFFFFFFFFF

    def state(self):
        """A state of the present class, of `rules.joker`, with its columns in some order."""
        return state_of(&self.layout, &self.key, self.start)

    def elementary_moves(self):
        """The codes of all legal elementary moves of the present class that lead to another."""
        unpack(&self.layout, &self.key, &self.position)
        return [self.codes[i] for i in range(elementary(&self.layout, &self.position, self.codes))]

    def macro_moves(self):
        """The codes of the macros that the search tries in the present class."""
        unpack(&self.layout, &self.key, &self.position)
        return [self.codes[i] for i in range(successors(&self.layout, &self.position, self.codes))]

    def play(self, code):
        """Go to the class after a macro. Returns its score and numbers of face-down cards, waste cards, empty
        columns and jokers out of play, as updated by the macro."""
        cdef Child child
        unpack(&self.layout, &self.key, &self.position)
        perform(&self.layout, &self.position, code, &child)
        self.key = child.key
        return child.score, child.face_down, child.waste_size, child.empty, child.out

    def counts(self):
        """The score and the numbers that `play` returns, computed from the present class alone."""
        unpack(&self.layout, &self.key, &self.position)
        p = self.position
        return p.score, p.face_down, p.waste_size, p.empty, p.out

    def moves_of(self, uint32_t code, state):
        """The elementary moves of a macro in ``state``. Raises ValueError if one is illegal."""
        cdef Desk desk
        cdef Position game
        cdef int count, i
        read_joker(&desk, state)
        load_desk(&game, &desk)
        cdef PlainMove* steps = <PlainMove*>malloc((turns_in(code) + LONGEST_PLAY) * sizeof(PlainMove))
        if steps == NULL:
            raise MemoryError
        try:
            count = play_macro(&game, code, steps)
            if count < 0:
                raise ValueError(f"macro {code:#x} is illegal")
            return [move_of(steps[i], find_variant(state.variant).family) for i in range(count)]
        finally:
            free(steps)


cdef class OnePassWalker:
    """Stands at a class of states of the search without jokers, at first that of ``state``, of `rules.joker`.
    Raises ValueError for one that its key does not hold.
    """

    cdef OnePassLayout layout
    cdef OnePassPosition position
    cdef Gains gains
    cdef uint64_t key
    cdef Step steps[MOST_STEPS]

    def __init__(self, state):
        cdef Layout layout
        cdef ClassKey key
        cdef Estimates estimates
        load(&layout, &key, state)
        if layout.jokers or not open_one_pass(&self.layout, &layout, &key, &self.key):
            raise ValueError("the state needs more than 63 bits")
        set_estimates(&estimates, state.variant == "joker", False)
        set_gains(&self.gains, &estimates)
        unpack_one_pass(&self.layout, self.key, &self.position)

    def key_of(self):
        """The exact key of the present class, an integer below 2^63."""
        return self.key

    def set_key(self, key):
        """Go to the class of a key of the same deal."""
        self.key = key
        unpack_one_pass(&self.layout, self.key, &self.position)

    def counts(self):
        """The score, the numbers of waste cards and empty columns, and the sets of face-up and of open cards
        as bits."""
        p = self.position
        return p.score, p.waste.bit_count(), p.empty, p.face, p.open

    def bound(self):
        """The upper bound of the score."""
        cdef OnePassMarks marks
        return one_pass_bound(&self.layout, &self.position, &marks)

    def safe_move(self):
        """The safe move that the search makes at once, in the form of `macro_moves`, or None."""
        if find_safe_step(&self.layout, &self.position, &self.gains, self.steps):
            return self.step(0)
        return None

    def settled_move(self):
        """The settled move that the search makes at once, in the form of `macro_moves`, or None."""
        cdef Settled settled = self.settled()
        if find_settled(&self.layout, &self.position, &settled, &self.gains, self.steps):
            return self.step(0)
        return None

    def macro_moves(self, bint all_of_them=True):
        """The macros that the search tries, each as code, key after it, score, and gain of the estimate. With
        ``all_of_them`` also the macros that settled moves make unnecessary."""
        cdef Settled settled = self.settled()
        if all_of_them:
            memset(&settled, 0, sizeof(Settled))
        count = write_steps(&self.layout, &self.position, &settled, &self.gains, self.steps)
        return [self.step(i) for i in range(count)]

    cdef Settled settled(self):
        cdef OnePassMarks marks
        cdef Settled settled
        one_pass_bound(&self.layout, &self.position, &marks)
        settle(&self.layout, &self.position, &marks, &settled)
        return settled

    cdef tuple step(self, int i):
        step = self.steps[i]
        return step.code, step.key, step.score, step.gain


def tiers_reached(int score, int places):
    """Number of tiers that a score reaches in a deck of ``places`` foundation places; see `tiers`."""
    return tiers_of(score, places)


def score_for(int count, int places):
    """The least score that reaches ``count`` tiers in a deck of ``places`` foundation places; see `tiers`."""
    return least_score(count, places)


cdef object state_of(const Layout* layout, const ClassKey* key, start):
    """Return a state of the class ``key``, with the game, the deck and the rules of ``start``, from which it
    is reached. Columns without face-down cards follow in the order of their deepest cards."""
    cdef ClassPosition p
    cdef uint8_t above[MOST]
    cdef int card, i
    unpack(layout, key, &p)
    arrange(&p, above)
    bases = [card for card in range(MOST) if p.bases >> card & 1]
    loose = [card for card in bases if column_under(layout, &p, card) == NO_HIDDEN]
    columns = []
    for i in range(layout.columns):
        buried = [layout.buried[i][j] for j in range(p.hidden[i])]
        on_hidden = [card for card in bases if column_under(layout, &p, card) == i]
        card = on_hidden[0] if on_hidden else loose.pop(0) if loose else NONE
        while card != NONE:
            buried.append(card)
            card = above[card]
        columns.append(tuple(buried))
    jokers = []
    for i in range(2):
        joker = rules.UNDECLARED
        if p.kind[i] == DECLARED:
            joker = rules.Joker(rank=p.rank[i])
        elif p.kind[i] == PLACED:
            joker = rules.Joker(place=p.argument[i])
        elif p.kind[i] == OPEN_ACE:
            joker = rules.OPEN_ACE
        elif p.kind[i] == GONE:
            joker = rules.OUT_OF_PLAY
        jokers.append(joker)
    return replace(
        start,
        columns=tuple(columns),
        hidden=tuple([p.hidden[i] for i in range(layout.columns)]),
        stock=tuple([layout.slot_card[i] for i in range(p.turned, layout.slots)]),
        waste=tuple([card_in(layout, key, i) for i in range(p.turned) if p.waste >> i & 1]),
        foundations=tuple([p.height[i] for i in range(4)]),
        **({"jokers": tuple(jokers)} if layout.jokers else {}),
    )
