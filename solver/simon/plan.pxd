"""Class solutions turned into moves; see plan.pyx."""

from libc.stdint cimport uint32_t, uint64_t, uint8_t

from .best_first cimport BestFirst, Header
from .class_moves cimport ITEMS, Generator, Plan
from .classes cimport Layout
from .common cimport MAX_COLUMNS, MAX_RANKS
from .position cimport Line, Position

cdef struct Execution:
    const Layout* layout
    Position position
    Line* line
    bint failed                     # a move could not be made, or memory ran out
    # The plan of one class move:
    Generator generator
    Plan plan
    uint64_t low, high              # the key it has to lead to
    bint found
    # Where its items are:
    uint8_t column_of[ITEMS]        # NO_ITEM while not known
    uint8_t first_of[ITEMS]         # a segment's head; of a stem 0
    uint8_t end_of[ITEMS]           # the number of cards up to the item's top
    int known                       # how many are known
    uint8_t known_item[ITEMS]
    # The columns as the class sees them, when the line had so many moves:
    uint64_t cut_at
    int stem_cards[MAX_COLUMNS]
    int pieces[MAX_COLUMNS]
    uint8_t piece[MAX_COLUMNS][MAX_RANKS + 1]       # first cards of the segments, the top one first
    int child_column                # what `go` keeps track of
    int child_first

cdef void follow(Execution* execution, const BestFirst* best, uint32_t won) noexcept nogil
