"""Sets of small numbers as the bits of a word.

Compilers other than gcc and clang get the same from their own intrinsics.
"""

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int winnable_lowest_bit(unsigned long long word) {
        unsigned long index;
        _BitScanForward64(&index, word);
        return (int)index;
    }
    static inline int winnable_highest_bit(unsigned long long word) {
        unsigned long index;
        _BitScanReverse64(&index, word);
        return (int)index;
    }
    #define winnable_count_bits(word) ((int)__popcnt64(word))
    #define winnable_prefetch(address) _mm_prefetch((const char*)(address), _MM_HINT_T0)
    #else
    #define winnable_lowest_bit(word) __builtin_ctzll(word)
    #define winnable_highest_bit(word) (63 - __builtin_clzll(word))
    #define winnable_count_bits(word) __builtin_popcountll(word)
    #define winnable_prefetch(address) __builtin_prefetch(address)
    #endif
    """
    int lowest_bit "winnable_lowest_bit"(uint64_t word) noexcept nogil
    int highest_bit "winnable_highest_bit"(uint64_t word) noexcept nogil
    int count_bits "winnable_count_bits"(uint64_t word) noexcept nogil
    void prefetch_at "winnable_prefetch"(const void* address) noexcept nogil
