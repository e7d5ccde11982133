"""Execution of plans: paths of class moves turned into moves of runs; see plan.pyx."""

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
    # The plan of the present class move:
    Generator generator
    Plan plan
    uint64_t low, high              # key of the class that it must lead to
    bint found
    # The items of the class, in the columns of the position:
    uint8_t column_of[ITEMS]        # the column of an item, or NO_ITEM if it was not located yet
    uint8_t first_of[ITEMS]         # index of its first card in the column; 0 for a stem
    uint8_t end_of[ITEMS]           # index after its last card
    int known                       # number of items located
    uint8_t known_item[ITEMS]       # these items
    # The columns cut into stems and segments:
    uint64_t cut_at                 # length of the line when `cut_columns` set them
    int stem_cards[MAX_COLUMNS]     # number of cards of the stem
    int pieces[MAX_COLUMNS]         # number of segments
    uint8_t piece[MAX_COLUMNS][MAX_RANKS + 1]       # index of the first card of each segment, top one first
    int child_column                # column and index of a card that `go` keeps track of
    int child_first

cdef void follow(Execution* execution, const BestFirst* best, uint32_t won) noexcept nogil
