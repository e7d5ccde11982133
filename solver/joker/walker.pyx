"""A door for tests: a walk through the classes of states, move by move, without a search."""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc

from . cimport tiers
from .line cimport LONGEST_PLAY, play_macro
from .macros cimport Child, perform
from .packing cimport turns_in
from .moves cimport MOST_CODES, elementary, successors
from .plain cimport PlainGame, PlainMove, move_of
from .plain cimport load as load_game
from .state cimport ClassPosition, Key, Layout, load, state_of, unpack


cdef class Walker:
    """Stands at a class of states, at first that of ``state``, of `rules.joker`. Raises ValueError for one
    that is too large or that no play leads to.
    """

    cdef Layout layout
    cdef Key key
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
        return sum(self.key.w[i] << 64 * i for i in range(3))

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
        """Go to the class after a macro; returns score, face-down cards, waste, empty columns, jokers out as
        the search counts them."""
        cdef Child child
        unpack(&self.layout, &self.key, &self.position)
        perform(&self.layout, &self.position, code, &child)
        self.key = child.key
        return child.score, child.face_down, child.waste_size, child.empty, child.out

    def counts(self):
        """The same of the present class, counted afresh."""
        unpack(&self.layout, &self.key, &self.position)
        p = self.position
        return p.score, p.face_down, p.waste_size, p.empty, p.out

    def moves_of(self, uint32_t code, state):
        """The elementary moves of a macro in ``state``, which is any of the present class. Raises ValueError
        if one is illegal."""
        cdef PlainGame game
        cdef int count, i
        load_game(&game, state)
        cdef PlainMove* steps = <PlainMove*>malloc((turns_in(code) + LONGEST_PLAY) * sizeof(PlainMove))
        if steps == NULL:
            raise MemoryError
        try:
            count = play_macro(&game, code, steps)
            if count < 0:
                raise ValueError(f"macro {code:#x} is illegal")
            return [move_of(steps[i]) for i in range(count)]
        finally:
            free(steps)


def tiers_of(int score, int places):
    """How many tiers a score reaches in a deck of ``places`` foundation places; see `tiers`."""
    return tiers.tiers_of(score, places)


def least_score(int count, int places):
    """The least score that reaches so many tiers in such a deck; see `tiers`."""
    return tiers.least_score(count, places)
