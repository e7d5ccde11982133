"""Bit operations on words, and a hash of two words.

Compilers other than gcc and clang use their own intrinsics.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    #include <stdlib.h>
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
    #define winnable_swap_bytes(word) _byteswap_uint64(word)
    #define winnable_prefetch(address) _mm_prefetch((const char*)(address), _MM_HINT_T0)
    #else
    #define winnable_lowest_bit(word) __builtin_ctzll(word)
    #define winnable_highest_bit(word) (63 - __builtin_clzll(word))
    #if defined(__x86_64__) && !defined(__POPCNT__)
    /* not all x86-64 processors have POPCNT; without it the builtin is a function call */
    static inline int winnable_count_bits(unsigned long long word) {
        word -= word >> 1 & 0x5555555555555555;
        word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
        return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56);
    }
    #else
    #define winnable_count_bits(word) __builtin_popcountll(word)
    #endif
    #define winnable_swap_bytes(word) __builtin_bswap64(word)
    #define winnable_prefetch(address) __builtin_prefetch(address)
    #endif
    """
    int lowest_bit "winnable_lowest_bit"(uint64_t word) noexcept nogil
    int highest_bit "winnable_highest_bit"(uint64_t word) noexcept nogil
    int count_bits "winnable_count_bits"(uint64_t word) noexcept nogil
    uint64_t swap_bytes "winnable_swap_bytes"(uint64_t word) noexcept nogil
    void prefetch_at "winnable_prefetch"(const void* address) noexcept nogil

cdef inline uint64_t hash_words(uint64_t low, uint64_t high) noexcept nogil:
    """Hash of the 128-bit key ``low``, ``high``; its low bits index a hash table.

    Bit i of a product depends only on bits 0 to i of the factors, so the bytes are swapped: the low bits of
    the hash then depend on nearly all bits of the key.
    """
    return swap_bytes(low * <uint64_t>0xD6E8FEB86659FD93 + high * <uint64_t>0x9E3779B97F4A7C15)

cdef inline int take_bit(uint64_t* bits) noexcept nogil:
    """Clear the lowest set bit of ``bits[0]``, which must not be 0, and return its index."""
    cdef int bit = lowest_bit(bits[0])
    bits[0] &= bits[0] - 1
    return bit
