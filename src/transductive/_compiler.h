/* What the kernels take from GCC and Clang beyond C11.
 *
 * Any other compiler gets the plain path, which is slower: the same bits, if it rounds after each
 * operation.  TRANSDUCTIVE_PLAIN_C, the build's option plain_c, forces it.
 */
#ifndef TRANSDUCTIVE_COMPILER_H
#define TRANSDUCTIVE_COMPILER_H

#include <stdlib.h> /* says whether the C library is glibc */

#if !defined(__GNUC__) && !defined(TRANSDUCTIVE_PLAIN_C)
#define TRANSDUCTIVE_PLAIN_C
#endif

#ifdef TRANSDUCTIVE_PLAIN_C
#define PREFETCH(address) ((void)0)
#else
#define PREFETCH(address) __builtin_prefetch(address)
#endif

#ifdef TRANSDUCTIVE_PLAIN_C
#define ALWAYS_INLINE
#else
#define ALWAYS_INLINE __attribute__((always_inline))
#endif

/* A function in a version for each width of vectors, of which the processor's is taken: by glibc. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) \
    && !defined(__SANITIZE_ADDRESS__) && !defined(TRANSDUCTIVE_PLAIN_C)
#define WIDTHS(middle, ...) \
    __attribute__((target_clones("avx512f", middle, "default"), optimize(__VA_ARGS__)))
#else
#define WIDTHS(middle, ...)
#endif

#endif
