"""Assertions that the checked build looks at (see setup.py); elsewhere they cost nothing."""

cdef extern from *:
    """
    #include <assert.h>
    #ifdef NDEBUG
    #define WINNABLE_IS_CHECKED 0
    #else
    #define WINNABLE_IS_CHECKED 1
    #endif
    """
    const bint IS_CHECKED "WINNABLE_IS_CHECKED"     # for checks that are more than an expression
    void invariant "assert"(bint holds) noexcept nogil
