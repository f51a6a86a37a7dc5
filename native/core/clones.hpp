// Marks a loop that is compiled for several machines; the one that fits is taken when the program starts. The bits are
// the same.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define HORNBEAM_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define HORNBEAM_CLONES
#endif
