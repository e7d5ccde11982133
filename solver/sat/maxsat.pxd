"""Core-guided MaxSAT; see maxsat.pyx."""

from libc.stdint cimport uint16_t, uint64_t

from ..core.kernel cimport Kernel
from .cdcl cimport Answer
from .propagation cimport Literal, Literals, Sat

cdef enum:
    MOST_VARIABLES = 1 << 16

cdef struct Totalizer:      # the outputs of a counter: output i is true if more than i of its inputs are
    Literal* output
    int size
    int soft            # the one that is wanted false

cdef struct Costs:
    Sat sat
    int least                       # costs that cannot be avoided
    Literals soft                   # the other costs and outputs of totalizers, each negated
    Totalizer* totalizers
    int totalizer_count, totalizer_room
    uint16_t totalizer_of[MOST_VARIABLES]   # by variable: the totalizer it is an output of, plus one

cdef bint begin_costs(Costs* costs, uint64_t max_bytes) noexcept nogil
cdef void free_costs(Costs* costs) noexcept nogil
cdef Literal new_literal(Costs* costs) noexcept nogil
cdef void add_cost(Costs* costs, Literal literal) noexcept nogil
cdef Answer solve_costs(Costs* costs, Kernel kernel, uint64_t conflicts) noexcept nogil
cdef bint count_core(Costs* costs, Kernel kernel) noexcept nogil
