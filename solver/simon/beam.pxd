"""Short lines by beam search; see beam.pyx."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t

from ..core.bits cimport prefetch_at
from ..core.kernel cimport Kernel
from .beam_score cimport BeamPosition, Scores
from .classes cimport Layout
from .common cimport MAX_CARDS, MAX_COLUMNS, MAX_RANKS
from .position cimport Line

# --- Beam search --------------------------------------------------------------------------------------------

cdef struct Tries:              # the beams made for a line
    uint64_t beams
    uint64_t most               # 0: as many as there is time for
    double cost                 # seconds that the last one took for each position of its width

cdef bint shorten(
    Kernel kernel, const Layout* layout, Line* line, double seconds, uint64_t max_bytes, Tries* tries
) noexcept nogil
