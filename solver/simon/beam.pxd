"""Beam search for short lines; see beam.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from .classes cimport Layout
from .position cimport Line

# --- Beam search --------------------------------------------------------------------------------------------

cdef struct BeamSchedule:       # the beam searches for one line
    uint64_t beams              # number of beams run so far
    uint64_t most               # limit on their number; 0 for no limit but work
    double cost                 # work of the last beam divided by its width

cdef bint shorten(Kernel* kernel, const Layout* layout, Line* line, uint64_t max_bytes,
                  BeamSchedule* schedule) noexcept nogil
