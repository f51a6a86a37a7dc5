// The only header with code that one compiler, processor or system has: vector types, integers of 128 bits,
// prefetching, functions compiled for several instruction sets, large pages, processors of this process, detection of a
// fork. Each has a fallback in standard C++ that computes the same bits; HORNBEAM_PORTABLE forces all fallbacks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "core/portable_lanes.hpp"
#include "core/portable_wide.hpp"

#if !defined(HORNBEAM_PORTABLE) && (defined(__GNUC__) || defined(__clang__))
#define HORNBEAM_EXTENSIONS 1
#else
#define HORNBEAM_EXTENSIONS 0
#endif
// Windows has no fork and no library for the division of __int128.
#if !defined(HORNBEAM_PORTABLE) && !defined(_WIN32)
#define HORNBEAM_POSIX 1
#include <unistd.h>
#else
#define HORNBEAM_POSIX 0
#endif
#if HORNBEAM_POSIX && defined(__linux__)
#define HORNBEAM_LINUX 1
#include <sched.h>
#include <sys/mman.h>
#else
#define HORNBEAM_LINUX 0
#endif

// HORNBEAM_CLONES: compiles a function for several instruction sets; the program selects one of them when it starts.
#if HORNBEAM_EXTENSIONS && defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && HORNBEAM_LINUX
#define HORNBEAM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define HORNBEAM_CLONES
#endif

// HORNBEAM_INLINE: a lambda that is always inlined; the code is correct, only slower, where it is not.
#if HORNBEAM_EXTENSIONS
#define HORNBEAM_INLINE __attribute__((always_inline))
#else
#define HORNBEAM_INLINE
#endif

// HORNBEAM_SELECT(mask, yes, no): per lane. A macro, because vectors that a function returns depend on the target.
#if HORNBEAM_EXTENSIONS
#define HORNBEAM_SELECT(mask, yes, no) ((mask) ? (yes) : (no))
#else
#define HORNBEAM_SELECT(mask, yes, no) ::hornbeam::portable::select((mask), (yes), (no))
#endif

#if HORNBEAM_EXTENSIONS && defined(__has_builtin)
#if __has_builtin(__builtin_shuffle)
#define HORNBEAM_SHUFFLE 1
#endif
#endif
#ifndef HORNBEAM_SHUFFLE
#define HORNBEAM_SHUFFLE 0
#endif

namespace hornbeam {

// LanesOf<T, N>: N numbers in one register. `{}` is all zeros, `[i]` one lane; see portable_lanes.hpp.
#if HORNBEAM_EXTENSIONS
template <class T, int N>
struct VectorType {
    typedef T type __attribute__((vector_size(sizeof(T) * N)));
};
template <class T, int N>
using LanesOf = typename VectorType<T, N>::type;
#else
template <class T, int N>
using LanesOf = portable::Lanes<T, N>;
#endif

// Loads and stores need no alignment beyond that of one number.
template <class Lanes, class From>
[[gnu::always_inline]] inline void load_lanes(Lanes& lanes, const From* from) {
    std::memcpy(&lanes, from, sizeof lanes);
}
template <class Lanes, class To>
[[gnu::always_inline]] inline void store_lanes(To* to, const Lanes& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}

// to[i] = from[i], with a conversion of the type.
template <class From, class To>
[[gnu::always_inline]] inline void convert_lanes(const From& from, To& to) {
#if HORNBEAM_EXTENSIONS
    to = __builtin_convertvector(from, To);
#else
    for (std::size_t i = 0; i < sizeof to / sizeof to[0]; ++i) to[i] = from[i];
#endif
}

// to[i] = from[indices[i] modulo the number of lanes], a power of two.
inline constexpr bool CAN_SHUFFLE = HORNBEAM_SHUFFLE;  // in one instruction
template <class Lanes, class Indices>
[[gnu::always_inline]] inline void shuffle_lanes(const Lanes& from, const Indices& indices, Lanes& to) {
#if HORNBEAM_SHUFFLE
    to = __builtin_shuffle(from, indices);
#else
    constexpr std::size_t N = sizeof(Lanes) / sizeof(from[0]);
    for (std::size_t i = 0; i < N; ++i) to[i] = from[indices[i] & (N - 1)];
#endif
}

// Wide: a signed integer of 128 bits.
#if HORNBEAM_EXTENSIONS && HORNBEAM_POSIX && defined(__SIZEOF_INT128__)
__extension__ using Wide = __int128;
[[gnu::always_inline]] inline portable::Product full_product(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Bits = unsigned __int128;
    const Bits product = static_cast<Bits>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}
#else
using Wide = portable::Wide;
using portable::full_product;
#endif

// Prefetches the cache line of an address that will be read soon.
[[gnu::always_inline]] inline void prefetch([[maybe_unused]] const void* address) {
#if HORNBEAM_EXTENSIONS
    __builtin_prefetch(address);
#endif
}

// One step of a loop that waits for another thread.
inline void pause_thread() {
#if HORNBEAM_EXTENSIONS && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();  // <immintrin.h> would take half a second to compile in every translation unit
#else
    std::this_thread::yield();
#endif
}

// The number of processors this process may use.
inline int available_processors() {
#if HORNBEAM_LINUX
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// A number that differs in a forked child; always 0 on systems without fork.
inline long process_number() {
#if HORNBEAM_POSIX
    return static_cast<long>(getpid());
#else
    return 0;
#endif
}

// Memory aligned to a cache line, in large pages if there is enough of it and the system grants them; null if there is
// none. Freed by free_large.
inline void* allocate_large(std::size_t bytes) {
    constexpr std::size_t LINE = 64;
#if HORNBEAM_POSIX
    constexpr std::size_t PAGE = std::size_t{1} << 21;
    if (bytes < PAGE) return std::aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    void* found = std::aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
#if HORNBEAM_LINUX && defined(MADV_HUGEPAGE)
    if (found) madvise(found, bytes, MADV_HUGEPAGE);
#endif
    return found;
#else
    return ::operator new(bytes, std::align_val_t{LINE}, std::nothrow);
#endif
}
inline void free_large(void* memory) {
#if HORNBEAM_POSIX
    std::free(memory);
#else
    ::operator delete(memory, std::align_val_t{64});
#endif
}

}  // namespace hornbeam
