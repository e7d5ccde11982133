"""Complete depth-first search of positions; see depth_first.pyx."""

from libc.stdint cimport uint64_t

from ..core.kernel cimport Kernel
from .classes cimport Layout
from .common cimport Outcome
from .position cimport Line

cdef Outcome search_positions(Kernel* kernel, const Layout* layout, uint64_t nodes, uint64_t max_bytes,
                              Line* line) noexcept nogil
