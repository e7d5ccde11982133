"""Short lines by beam search; see beam.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from .classes cimport Layout
from .position cimport Line

# --- Beam search --------------------------------------------------------------------------------------------

cdef struct Tries:              # the beams made for a line
    uint64_t beams
    uint64_t most               # 0: as many as the work allows
    double cost                 # work of the last one for each position of its width

cdef bint shorten(Kernel kernel, const Layout* layout, Line* line, uint64_t max_bytes,
                  Tries* tries) noexcept nogil
