"""What the beam for lines with jokers is guided by; see guide.pyx."""

from .onepass cimport OnePassLayout, OnePassPosition
from .plain cimport PlainGame

cdef void leave_out_jokers(const PlainGame* game, OnePassLayout* layout, OnePassPosition* p) noexcept nogil
