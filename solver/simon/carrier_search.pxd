"""The search through the relaxation with carriers; see carrier_search.pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ..core.kernel cimport Kernel
from .carriers cimport LOOSE_RANKS, Carriage, Carriers
from .capacity cimport MAX_COLUMNS
from .classes cimport Class, Layout
from .loose cimport Loose
from .outcome cimport Outcome

cdef struct CarrierNode:        # a state; 136 bytes
    Carriage on[LOOSE_RANKS]
    uint16_t number[MAX_COLUMNS]    # 0 where there is no stem
    uint8_t count
    uint8_t is_waiting
    uint32_t waiting            # the number of the node that waits behind it, or NO_NODE

cdef struct CarrierSearch:
    Carriers carriers
    CarrierNode* node
    uint32_t* slot              # a hash table: the number of a node + 1, or 0
    uint64_t count
    uint64_t room               # nodes allocated, a power of two; half the slots
    uint32_t waiting            # the number of the node to be expanded next, or NO_NODE
    uint64_t max_bytes
    bint won
    bint full                   # memory did not allow something

cdef void free_carriers(CarrierSearch* search) noexcept nogil
cdef uint64_t carriers_bytes(const CarrierSearch* search) noexcept nogil
cdef Outcome relax_carriers(
    CarrierSearch* search, Loose* loose, Kernel kernel, const Layout* layout, const Class* state,
    uint64_t nodes, uint64_t max_bytes
) noexcept nogil
