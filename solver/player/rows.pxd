"""Sums of rows of weights, a few numbers at once; GCC and Clang are told to hold them in registers."""

from libc.stdint cimport int16_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__GNUC__)
    typedef float winnable_four __attribute__((vector_size(16), aligned(4), may_alias));
    #define WINNABLE_FOUR(at) (*(const winnable_four *)(at))
    #define WINNABLE_STORE(at, four) (*(winnable_four *)(at) = (four))
    #define WINNABLE_ADD(to, four) ((to) += (four))
    #define WINNABLE_ADD_SCALED(to, four, scale) ((to) += (four) * (scale))
    #else
    typedef struct { float at[4]; } winnable_four;
    #define WINNABLE_FOUR(from) (*(const winnable_four *)(from))
    #define WINNABLE_STORE(to, four) (*(winnable_four *)(to) = (four))
    #define WINNABLE_ADD(to, four) WINNABLE_ADD_SCALED(to, four, 1.0f)
    #define WINNABLE_ADD_SCALED(to, four, scale) do { \\
        winnable_four added = (four); int k; \\
        for (k = 0; k < 4; k++) (to).at[k] += added.at[k] * (scale); \\
    } while (0)
    #endif

    static inline void winnable_add_rows(
        float *units, const float *table, int width, const int16_t *rows, int count
    ) {
        winnable_four a = WINNABLE_FOUR(units), b = WINNABLE_FOUR(units + 4);
        for (int i = 0; i < count; i++) {
            const float *row = table + (ptrdiff_t)width * rows[i];
            WINNABLE_ADD(a, WINNABLE_FOUR(row));
            WINNABLE_ADD(b, WINNABLE_FOUR(row + 4));
        }
        WINNABLE_STORE(units, a);
        WINNABLE_STORE(units + 4, b);
    }

    static inline void winnable_add_short_rows(
        float *units, const float *table, int width, const int16_t *rows, int count
    ) {
        winnable_four a = WINNABLE_FOUR(units);
        for (int i = 0; i < count; i++) {
            WINNABLE_ADD(a, WINNABLE_FOUR(table + (ptrdiff_t)width * rows[i]));
        }
        WINNABLE_STORE(units, a);
    }

    static inline void winnable_add_scaled(
        float *units, const float *table, int width, const float *scales, int count
    ) {
        winnable_four a = WINNABLE_FOUR(units), b = WINNABLE_FOUR(units + 4);
        for (int i = 0; i < count; i++) {
            const float *row = table + (ptrdiff_t)width * i;
            WINNABLE_ADD_SCALED(a, WINNABLE_FOUR(row), scales[i]);
            WINNABLE_ADD_SCALED(b, WINNABLE_FOUR(row + 4), scales[i]);
        }
        WINNABLE_STORE(units, a);
        WINNABLE_STORE(units + 4, b);
    }
    """
    # Of a table of rows of ``width`` numbers, add the first 8 of those ``rows`` to ``units``.
    void add_rows "winnable_add_rows"(
        float* units, const float* table, int width, const int16_t* rows, int count) noexcept nogil
    # The first 4 of them.
    void add_short_rows "winnable_add_short_rows"(
        float* units, const float* table, int width, const int16_t* rows, int count) noexcept nogil
    # As `add_rows`, of the first ``count`` rows, each multiplied by its scale.
    void add_scaled "winnable_add_scaled"(
        float* units, const float* table, int width, const float* scales, int count) noexcept nogil
