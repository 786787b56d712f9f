/* The passes of the SMO solver: everything that takes time in proportion to the points.
 *
 * Gradients are double whatever the rows are.  Compiled for several widths of vectors by the
 * compiler's own function versions where it has them; without contraction to fused operations,
 * which the build switches off, every width gives the same bits.
 */
#ifndef TRANSDUCTIVE_SMO_PASSES_H
#define TRANSDUCTIVE_SMO_PASSES_H

#include <math.h>
#include <stddef.h>

#include "../_compiler.h"

#define EVERY_WIDTH WIDTHS("avx2", "O3")

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
    ptrdiff_t block;
};

struct gain_double {
    double most;
    ptrdiff_t block;
};

static inline float
pair_gain_float(double difference, float low, float curvature, float curved, float product)
{
    float d = (float)difference - low, c = curvature + curved - 2 * product;
    d = d > 0 ? d : 0;
    c = c > (float)FLAT ? c : (float)FLAT;
    return d * d / c;
}

static inline double
pair_gain_double(double difference, float low, double curvature, double curved, double product)
{
    double d = difference - low, c = curvature + curved - 2 * product;
    d = d > 0 ? d : 0;
    c = c > FLAT ? c : FLAT;
    return d * d / c;
}

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
       const struct extremes *found)
{
    ptrdiff_t i = found->block, last = last_of_block(i, n, doubled);
    while (i < last && g[i] + up[i] != found->least)
        i++;
    return i;
}

#define ROW float
#define NAMED(name) name##_float
#include "_smo_rows.h"
#undef ROW
#undef NAMED

#define ROW double
#define NAMED(name) name##_double
#include "_smo_rows.h"
#undef ROW
#undef NAMED

#endif
