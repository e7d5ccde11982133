"""Sums of rows of weights, many numbers at once, in registers as wide as the processor has them.

Every number is a sum of its own, in the order of the rows, whatever the width of the registers: the same
network says the same on all processors.
"""

from libc.stdint cimport int16_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__GNUC__)
    #define WINNABLE_INLINE static inline __attribute__((always_inline))
    typedef float winnable_eight __attribute__((vector_size(32), aligned(4), may_alias));
    #define WINNABLE_ADD(to, row) ((to) += *(const winnable_eight *)(row))
    #define WINNABLE_ADD_SCALED(to, row, scale) ((to) += *(const winnable_eight *)(row) * (scale))
    #else
    #define WINNABLE_INLINE static inline
    typedef struct { float at[8]; } winnable_eight;
    #define WINNABLE_ADD(to, row) WINNABLE_ADD_SCALED(to, row, 1.0f)
    #define WINNABLE_ADD_SCALED(to, row, scale) do { \\
        for (int k = 0; k < 8; k++) (to).at[k] += (row)[k] * (scale); \\
    } while (0)
    #endif
    /* Two forms of a function, of which the processor's is taken when the module is loaded. */
    #if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__)
    #define WINNABLE_BY_PROCESSOR __attribute__((target_clones("avx2", "default")))
    #else
    #define WINNABLE_BY_PROCESSOR
    #endif

    WINNABLE_INLINE void winnable_add_eights(
        float *units, const float *table, int width, const int16_t *rows, int count, const int eights
    ) {
        winnable_eight sums[4];
        for (int j = 0; j < eights; j++) sums[j] = ((const winnable_eight *)units)[j];
        for (int i = 0; i < count; i++) {
            const float *row = table + (ptrdiff_t)width * rows[i];
            for (int j = 0; j < eights; j++) WINNABLE_ADD(sums[j], row + 8 * j);
        }
        for (int j = 0; j < eights; j++) ((winnable_eight *)units)[j] = sums[j];
    }

    WINNABLE_BY_PROCESSOR
    static void winnable_add_rows(
        float *units, const float *table, int width, const int16_t *rows, int count
    ) {
        int j = 0;
        for (; j + 32 <= width; j += 32) winnable_add_eights(units + j, table + j, width, rows, count, 4);
        for (; j + 16 <= width; j += 16) winnable_add_eights(units + j, table + j, width, rows, count, 2);
        for (; j + 8 <= width; j += 8) winnable_add_eights(units + j, table + j, width, rows, count, 1);
    }

    WINNABLE_INLINE void winnable_add_scaled_eights(
        float *units, const float *table, int width, const float *scales, int count, const int eights
    ) {
        winnable_eight sums[4];
        for (int j = 0; j < eights; j++) sums[j] = ((const winnable_eight *)units)[j];
        for (int i = 0; i < count; i++) {
            const float *row = table + (ptrdiff_t)width * i;
            for (int j = 0; j < eights; j++) WINNABLE_ADD_SCALED(sums[j], row + 8 * j, scales[i]);
        }
        for (int j = 0; j < eights; j++) ((winnable_eight *)units)[j] = sums[j];
    }

    WINNABLE_BY_PROCESSOR
    static void winnable_add_scaled(
        float *units, const float *table, int width, const float *scales, int count
    ) {
        int j = 0;
        for (; j + 32 <= width; j += 32) {
            winnable_add_scaled_eights(units + j, table + j, width, scales, count, 4);
        }
        for (; j + 8 <= width; j += 8) {
            winnable_add_scaled_eights(units + j, table + j, width, scales, count, 1);
        }
    }
    """
    # Of a table of rows of ``width`` numbers, a multiple of 8, add those ``rows`` to ``units``.
    void add_rows "winnable_add_rows"(
        float* units, const float* table, int width, const int16_t* rows, int count) noexcept nogil
    # As `add_rows`, of the first ``count`` rows, each multiplied by its scale.
    void add_scaled "winnable_add_scaled"(
        float* units, const float* table, int width, const float* scales, int count) noexcept nogil
