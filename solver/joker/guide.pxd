"""What the beam for lines with jokers is guided by; see guide.pyx."""

from .onepass cimport Layout, Position
from .plain cimport PlainGame

cdef void leave_out_jokers(const PlainGame* game, Layout* layout, Position* p) noexcept nogil
