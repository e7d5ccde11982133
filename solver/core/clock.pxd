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
    # Seconds of the monotonic clock.
    double monotonic "winnable_monotonic"() noexcept nogil
    # Processor time of the calling thread in microseconds.
    uint64_t thread_microseconds "winnable_thread_microseconds"() noexcept nogil

cdef enum:
    SHORT = 500     # microseconds: a shorter lap is hardly ever interrupted by another thread

cdef struct Laps:
    uint64_t began      # start of the present lap, in microseconds of the monotonic clock
    uint64_t asked      # processor time in microseconds when the system reported it last
    uint64_t since      # sum of the laps since that report, in microseconds

cdef inline uint64_t end_lap(Laps* laps) noexcept nogil:
    """End a lap, begin the next one, and return the processor time of the lap in microseconds.

    Laps below SHORT are timed by the monotonic clock, since reading the processor time from the system takes
    half a microsecond.
    """
    cdef uint64_t now = <uint64_t>(monotonic() * 1e6), lap = now - laps.began
    laps.began = now
    if lap >= SHORT:
        now = thread_microseconds()
        lap = now - laps.asked
        lap = lap - laps.since if lap > laps.since else 0
        laps.asked = now
        laps.since = 0
        return lap
    laps.since += lap
    return lap
