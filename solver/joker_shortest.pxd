"""The search for short lines of joker and klondike-one-pass; see joker_shortest.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from .joker_plain cimport RECORD, Game, Step
from .kernel cimport Kernel

cdef enum:
    LONGEST = 1024          # moves of a line

cdef struct Node:
    uint8_t record[RECORD]
    uint32_t parent
    uint16_t made           # the fewest moves known that lead here
    uint8_t needed          # at least so many more
    uint8_t expanded        # with that number of moves
    Step step               # from the parent, whose columns are in the order of its record

cdef struct Entry:          # of the queue
    uint32_t node
    uint32_t next
    uint16_t made           # out of date if it is not the node's

cdef struct Shortest:
    Node* nodes
    uint32_t* slots         # index of a node + 1, or 0; at most half are taken
    Entry* entries
    uint32_t heads[LONGEST]     # of the lists of entries by priority
    uint32_t free_entry
    int lowest                  # no list before it has entries
    uint32_t count, room, entry_count, entry_room
    uint64_t max_bytes
    int goal                # the score to reach
    bint jokers             # are in the game
    int fewest              # moves of the best line known
    int lower_bound         # no line has less
    uint32_t last           # the node at its end, NO_NODE if it was not found here

cdef enum:
    NO_NODE = 0xFFFFFFFF

cdef void begin_shortest(Shortest* search) noexcept nogil
cdef void free_shortest(Shortest* search) noexcept nogil
cdef uint64_t shortest_bytes(const Shortest* search) noexcept nogil
cdef bint find_shortest(
    Shortest* search, Kernel kernel, const Game* start, int goal, int fewest, int weight, uint64_t most
) noexcept nogil
cdef int needed_from(const Game* game, int goal, bint has_jokers) noexcept nogil
cdef bint has_jokers_in(const Game* game) noexcept nogil
cdef int write_line(const Shortest* search, const Game* start, Step* steps) noexcept nogil
