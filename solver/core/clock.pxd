"""Clocks, by the functions of POSIX or of Windows."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_WIN32)
    #define WIN32_LEAN_AND_MEAN
    #define NOMINMAX
    #include <windows.h>
    #undef near
    #undef far
    static inline double winnable_monotonic(void) {
        LARGE_INTEGER ticks, ticks_a_second;
        QueryPerformanceFrequency(&ticks_a_second);
        QueryPerformanceCounter(&ticks);
        return (double)ticks.QuadPart / (double)ticks_a_second.QuadPart;
    }
    static inline unsigned long long winnable_thread_microseconds(void) {
        FILETIME begun, ended, in_kernel, in_program;
        ULARGE_INTEGER kernel, program;
        GetThreadTimes(GetCurrentThread(), &begun, &ended, &in_kernel, &in_program);
        kernel.LowPart = in_kernel.dwLowDateTime;
        kernel.HighPart = in_kernel.dwHighDateTime;
        program.LowPart = in_program.dwLowDateTime;
        program.HighPart = in_program.dwHighDateTime;
        return (kernel.QuadPart + program.QuadPart) / 10;
    }
    #else
    #include <time.h>
    static inline double winnable_monotonic(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    }
    static inline unsigned long long winnable_thread_microseconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000;
    }
    #endif
    """
    # Seconds of a clock that never goes back.
    double monotonic "winnable_monotonic"() noexcept nogil
    # Processor time of this thread.
    uint64_t thread_microseconds "winnable_thread_microseconds"() noexcept nogil
