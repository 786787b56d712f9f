/* Vector passes of the kernel billiard.
 *
 * A state on a great circle is kept in the co-rotating frame: with Theta the
 * arc flown so far, margin s and speed t of a point are
 *     s = p cos(Theta) + q sin(Theta),   t = q cos(Theta) - p sin(Theta),
 * so that flying changes nothing in memory and a reflection adds one Gram row
 * to p and q.
 *
 * Each pass is compiled for several widths of vectors, and the widest that the
 * processor has is taken.
 */
#ifndef TRANSDUCTIVE_BILLIARD_PASSES_H
#define TRANSDUCTIVE_BILLIARD_PASSES_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "../_compiler.h"

#define TARGET
#ifdef TRANSDUCTIVE_PLAIN_C
#define LANES 1
#define NAMED(name) name##_1
#else
#define LANES 2
#define NAMED(name) name##_2
#endif
#include "_billiard_lanes.h"

#define TARGET
#define SINGLE
#ifdef TRANSDUCTIVE_PLAIN_C
#define LANES 1
#define NAMED(name) name##_single_1
#else
#define LANES 4
#define NAMED(name) name##_single_2
#endif
#include "_billiard_lanes.h"
#undef SINGLE

#if defined(TRANSDUCTIVE_PLAIN_C)
#define WIDEST(call) call(1)
#elif defined(__x86_64__)
#define LANES 4
#define TARGET __attribute__((target("avx2")))
#define NAMED(name) name##_4
#include "_billiard_lanes.h"

#define LANES 8
#define TARGET __attribute__((target("avx2")))
#define SINGLE
#define NAMED(name) name##_single_4
#include "_billiard_lanes.h"
#undef SINGLE

#define LANES 8
#define TARGET __attribute__((target("avx512f")))
#define NAMED(name) name##_8
#include "_billiard_lanes.h"

#define LANES 16
#define TARGET __attribute__((target("avx512f")))
#define SINGLE
#define NAMED(name) name##_single_8
#include "_billiard_lanes.h"
#undef SINGLE

#define WIDEST(call)                          \
    (__builtin_cpu_supports("avx512f") ? call(8) \
     : __builtin_cpu_supports("avx2")  ? call(4) : call(2))
#else
#define WIDEST(call) call(2)
#endif

/* Add a reflection (a, b) times the Gram row of the wall, then find the next
 * wall: the one with the largest -t/s, which is the cotangent of its arc, and
 * the first of several.  Returns its index; *ratio gets the cotangent, *least
 * the smallest margin if one is negative. */
static ptrdiff_t
reflect_and_find(double *p, double *q, const double *row, ptrdiff_t n, double a, double b,
                 double cosine, double sine, double *ratio, double *least)
{
#define CALL(lanes) reflect_and_find_##lanes(p, q, row, n, a, b, cosine, sine, ratio, least)
    return WIDEST(CALL);
#undef CALL
}

/* The same in single precision: the cotangent is the largest up to rounding, and *least misses
 * negative margins that grow. */
static ptrdiff_t
reflect_and_find_single(float *p, float *q, const float *row, ptrdiff_t n, double a, double b,
                        double cosine, double sine, double *ratio, double *least)
{
#define CALL(lanes) reflect_and_find_single_##lanes(p, q, row, n, a, b, cosine, sine, ratio, least)
    return WIDEST(CALL);
#undef CALL
}

/* The same where walls may be crossed: p and q are those of the points' nearer sides, side[i]
 * times the point's own, so that all margins are positive; the row is the points' own. */
static ptrdiff_t
refract_and_find(double *p, double *q, const double *row, const double *side, ptrdiff_t n,
                 double a, double b, double cosine, double sine, double *ratio, double *least)
{
#define CALL(lanes) \
    refract_and_find_##lanes(p, q, row, side, n, a, b, cosine, sine, ratio, least)
    return WIDEST(CALL);
#undef CALL
}

/* One flight segment of length arc past n working points, then the reflection.
 * positive[i] gains the part of the arc on the positive side of point i.  Margins
 * at the start of the arc are in before, those at its end are written to after.  A
 * margin below its rounding error at the end of the arc has no sign of its own:
 * the point stays on the side where it was, so that a wall never crosses itself. */
static void
pass_points(double *p, double *q, const double *before, double *after, double *positive,
            const double *rounding, const double *row, ptrdiff_t n, double arc, double cos0,
            double sin0, double cos1, double sin1, double a, double b)
{
#define CALL(lanes)                                                                             \
    pass_points_##lanes(p, q, before, after, positive, rounding, row, n, arc, cos0, sin0, cos1, \
                        sin1, a, b)
    WIDEST(CALL);
#undef CALL
}

#endif
