"""Covers of positions among the successors of a state; see covers.pyx."""

from libc.stdint cimport uint64_t

from .class_moves cimport Generator, Plan
from .classes cimport Class, Layout
from .relaxation_carriers cimport Carried, Carriers
from .relaxation_loose cimport Loose, Stems
from .replay cimport Game

cdef struct Cover:      # covering states looked for among successors
    Generator generator
    const Layout* layout
    const Game* game
    int runs
    int count
    uint64_t chance
    Class chosen

cdef struct LooseCover:     # the same of the relaxation with loose cards
    Loose* loose
    const Layout* layout
    const Game* game
    int runs
    int count
    uint64_t chance
    Stems chosen
    int* stem_size              # of each column
    const Carried* carried      # where carriers count

cdef struct CarriedCover:   # the same of the relaxation with carriers
    LooseCover loosely
    Carriers* carriers
    Carried chosen

cdef bint keep_cover(void* context, Class* child, const Plan* plan) noexcept nogil
cdef bint keep_loose_cover(void* context, const Stems* child) noexcept nogil
cdef bint keep_carried_cover(void* context, const Carried* child) noexcept nogil
