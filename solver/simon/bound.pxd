"""Lower bounds on the number of moves; see bound.pyx."""

from libc.stdint cimport int16_t, uint16_t, uint64_t, uint8_t

from ..core.kernel cimport Kernel
from ..sat.propagation cimport Literal
from ..sat.maxsat cimport Costs
from ..sat.acyclicity cimport Acyclicity
from .classes cimport Layout
from .common cimport KINDS, MAX_CARDS, MAX_COLUMNS

# --- Sets of places -----------------------------------------------------------------------------------------

cdef struct Places:
    uint64_t low, high

# --- Unknowns and search ------------------------------------------------------------------------------------

cdef enum:
    ALWAYS = -1             # in place of a literal: no condition
    NEVER = -2              # its negation
    MOST_STOPOVERS = 8 + MAX_COLUMNS

cdef enum Raise:
    RAISED = 0          # the bound is higher; there may be more to find
    EXHAUSTED = 1       # it cannot be raised in this way
    CUT = 2             # by the kernel's limits, or by memory

cdef struct Stopover:       # of a variable, if it is one
    int16_t place           # + 1; 0: it is none
    int16_t number          # among the stopovers of the card
    bint is_met             # it was true already

cdef struct Bound:
    Costs costs
    int cards, ranks, columns
    uint8_t card[MAX_CARDS]             # by place: column by column from the deepest card
    int column_at[MAX_COLUMNS + 1]      # the first place of a column
    bint attached[MAX_CARDS]            # lies on the next higher card of its suit
    bint is_vertex[MAX_CARDS]           # a head, or a king with a card below
    Places above[MAX_CARDS]             # the vertices that lie above in the same column
    int lowest_above[MAX_CARDS]         # the lowest of these, or -1
    int copies[KINDS]                   # how many there are of a card
    int place[KINDS][2]                 # of the copies
    Literal extra_move[MAX_CARDS]       # true: the card moves more often than a head must
    Literal comes_back[MAX_CARDS]       # of attached cards, true: it went away and came back
    Literal second_extra[MAX_CARDS]     # true: it moves still more often
    Literal stays[MAX_CARDS]            # of attached cards, true: all below in the run, and they, stay
    bint has_stopovers                  # literals for these, and for second extra moves, exist
    int stopovers[MAX_CARDS]            # that a card may make
    Literal stopover[MAX_CARDS][MOST_STOPOVERS]
    uint8_t goal[MAX_CARDS][MOST_STOPOVERS]    # a place, or MAX_CARDS and a column
    uint16_t before[MAX_CARDS][2 * MAX_CARDS]    # variables; 0: not needed yet
    uint16_t sooner[MAX_CARDS][MAX_CARDS]
    Literal straight[KINDS]             # true: of the two copies the first ends on the first; -1: no choice
    Literal under_first[KINDS]          # true: the first copy leaves with the first king; -1: no choice
    Places turns[MAX_CARDS][MOST_STOPOVERS]    # the cards that have taken turns with a visit
    Stopover* stopover_of               # by variable
    int stopover_room
    Acyclicity precedence
    int heads
    int lower_bound                     # on the number of moves

cdef Bound* new_bound(const Layout* layout, uint64_t max_bytes, bint is_noted) noexcept nogil
cdef void free_bound(Bound* bound) noexcept nogil
cdef Raise raise_bound(Bound* bound, Kernel kernel) noexcept nogil
