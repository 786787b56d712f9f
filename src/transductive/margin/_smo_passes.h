/* The passes of the SMO solver: everything that takes time in proportion to the points.
 *
 * Gradients are double whatever the rows are.  Compiled for several widths of vectors by the
 * compiler's own function versions where it has them; without contraction to fused operations,
 * which the build switches off, every width gives the same bits.
 */
#ifndef TRANSDUCTIVE_SMO_PASSES_H
#define TRANSDUCTIVE_SMO_PASSES_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "../_compiler.h"

#define EVERY_WIDTH WIDTHS("avx2", "O3")
/* no-trapping-math makes vectors of comparisons; no value depends on it */
#define COMPARING WIDTHS("avx2", "O3", "no-trapping-math")

#define LANES 16
#define BLOCK 128
/* Rows come from far away, and a processor that fetches ahead by itself stops at each page. */
#define AHEAD(row) PREFETCH((row) + 512)
#define FLAT 1e-12 /* least curvature along a pair, as in LIBSVM */

struct extremes {
    double least, most;
    ptrdiff_t block;
};

struct gain_float {
    float most;
    ptrdiff_t first;
};

struct gain_double {
    double most;
    ptrdiff_t first;
};

/* |x|, or 0 if the variable is at the bound that x pushes it to */
static inline double
movable(double x, float up, float low)
{
    double falling = x - low, rising = -x - up;
    double slope = falling > rising ? falling : rising;
    return slope > 0 ? slope : 0;
}

static inline ptrdiff_t
last_of_block(ptrdiff_t start, ptrdiff_t n, ptrdiff_t doubled)
{
    ptrdiff_t end = start < n ? n : n + doubled;
    return (start + BLOCK < end ? start + BLOCK : end) - 1;
}

/* The first index of the least g that `step` has found. */
static ptrdiff_t
lowest(const double *g, const float *up, ptrdiff_t n, ptrdiff_t doubled,
       const struct extremes *extreme)
{
    ptrdiff_t i = extreme->block, last = last_of_block(i, n, doubled);
    while (i < last && g[i] + up[i] != extreme->least)
        i++;
    return i;
}

#define ROW float
#define EPSILON FLT_EPSILON
#define NAMED(name) name##_float
#include "_smo_rows.h"
#undef ROW
#undef EPSILON
#undef NAMED

#define ROW double
#define EPSILON DBL_EPSILON
#define NAMED(name) name##_double
#include "_smo_rows.h"
#undef ROW
#undef EPSILON
#undef NAMED

#endif
