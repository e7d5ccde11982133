"""Moves of the Joker player, and their scores; see joker_moves.pyx."""

from libc.stdint cimport int8_t

from ..core.desk cimport PlainMove
from ..joker.position cimport Position

cdef enum:
    MOST_CHOICES = 96
    TOO_MANY = -1       # choices for the buffer
    MOST_STEPS = 3      # elementary moves of one choice

cdef enum Kind:
    TOP_UP = 0              # the top of source to a foundation
    ONTO = 1            # count cards of source onto target
    DECLARED_ONTO = 2   # the same, after the joker there is declared as rank
    RUN_THEN_UP = 3     # the same, declared if rank is not ANY, and then the new top of source goes up
    DECLARE = 4         # the joker in source as rank
    JOKER_OUT = 5          # the joker on top of source
    TURN = 6            # the next card of the stock

cdef struct Choice:
    int8_t kind, source, target, count, rank, suit
    float score

cdef enum:              # the terms of a score, in the order of EXPOSED
    UP_BASE, UP_RANK, UP_TURNS, UP_HIDDEN, UP_ENABLES, UP_TAKES_WASTE, UP_EMPTIES_WANTED, UP_EMPTIES
    WASTE_UP_BASE, WASTE_UP_RANK, WASTE_UP_ENABLES
    JOKER_UP_BASE, JOKER_UP_TURNS, JOKER_UP_RANK, JOKER_UP_OPEN, JOKER_UP_UNDECLARED
    RUN_TURNS, RUN_TURNS_RANK, RUN_TURNS_HIDDEN, RUN_TURNS_HIDDEN_THERE, RUN_TURNS_TO_EMPTY
    JOKER_MOVES, JOKER_MOVES_TURNS, JOKER_MOVES_HIDDEN, JOKER_MOVES_ELSE, JOKER_MOVES_TO_EMPTY
    RUN_ON_JOKER, RUN_ON_JOKER_TURNS, RUN_ON_JOKER_HIDDEN
    RUN_EMPTIES, RUN_EMPTIES_WANTED
    PART, PART_RANK, PART_DECLARES, PART_JOKER, PART_TURNS
    WASTE_ONTO, WASTE_RANK, WASTE_TURNED, WASTE_ENABLES, WASTE_NONE_HIDDEN
    WASTE_TO_EMPTY, WASTE_TO_EMPTY_WANTED
    WASTE_JOKER, WASTE_JOKER_TURNED, WASTE_JOKER_RANK, WASTE_JOKER_ENABLES, WASTE_JOKER_ACE
    WASTE_JOKER_TO_EMPTY
    WASTE_ON_JOKER, WASTE_ON_JOKER_RANK, WASTE_ON_JOKER_ENABLES
    EXCHANGES, ANTICIPATES
    STALE, BARS, BLOCKS, JOKER_UP_COVERING, DECLARED_UP_COVERING
    REMOVES_TURNS, REMOVES_ELSE, REMOVES_WASTE
    TURNS
    TERMS

cdef int choices_of(const Position* p, const float* weights, Choice* choices) noexcept nogil
cdef void perform(Position* p, const Choice* choice) noexcept nogil
cdef int steps_of(const Choice* choice, PlainMove* steps) noexcept nogil
cdef void read_weights(float* weights, bint turned_only) except *
