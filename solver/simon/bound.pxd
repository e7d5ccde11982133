"""Lower bounds on the number of moves; see bound.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from ..sat.maxsat cimport Costs
from ..core.kernel cimport Kernel
from ..sat.instance cimport Literal
from .classes cimport MAX_CARDS, Layout

cdef enum Progress:
    RAISED = 0          # the bound is higher; there may be more to find
    FINISHED = 1        # it cannot be raised in this way
    CUT = 2             # by the kernel's limits, or by memory

cdef struct Cards:      # a set of places
    uint64_t low
    uint64_t high

cdef struct Bound:
    Costs costs
    int cards
    int ranks
    int columns
    uint8_t card[MAX_CARDS]             # by place: column by column from the deepest card
    int column_at[16]                   # the first place of a column
    bint attached[MAX_CARDS]            # lies on the next higher card of its suit
    bint is_vertex[MAX_CARDS]           # a head, or a king with a card below
    Cards above[MAX_CARDS]              # the vertices that lie above in the same column
    int copies[52]
    int place[52][2]                    # of the copies
    Literal wasteful[MAX_CARDS]         # true: the card moves more often than a head must
    Literal straight[52]                # true: of the two copies the first ends on the first; -1: no choice
    Literal under_first[52]             # true: the first copy leaves with the first king; -1: no choice
    int heads
    int lower_bound                     # on the number of moves

cdef Bound* new_bound(const Layout* layout, uint64_t max_bytes) noexcept nogil
cdef void free_bound(Bound* bound) noexcept nogil
cdef Progress raise_bound(Bound* bound, Kernel kernel) noexcept nogil
