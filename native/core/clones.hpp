// HORNBEAM_CLONES: compiles a function for several instruction sets; the program selects one of them when it starts.
// All of them compute the same bits.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define HORNBEAM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define HORNBEAM_CLONES
#endif
