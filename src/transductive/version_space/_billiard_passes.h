/* Vector passes of the kernel billiard.
 *
 * A state on a great circle is kept in the co-rotating frame: with Theta the
 * arc flown so far, margin s and speed t of a point are
 *     s = p cos(Theta) + q sin(Theta),   t = q cos(Theta) - p sin(Theta),
 * so that flying changes nothing in memory and a reflection adds one Gram row
 * to p and q.  Each pass reads every array once.
 *
 * target_clones lets the loader pick the widest vectors the processor has;
 * elsewhere the same C is compiled once, plainly.
 */
#ifndef TRANSDUCTIVE_BILLIARD_PASSES_H
#define TRANSDUCTIVE_BILLIARD_PASSES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* __GLIBC__: other C libraries (musl) have no indirect functions to choose with. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

#define LANES 8
/* A margin of zero (the wall just left) must give the ratio -inf or +inf by
 * the sign of its speed, never 0/0. */
#define SMALLEST 1e-300

/* Add a reflection (a, b) times the Gram row of the wall, then find the next
 * wall: the one with the largest -t/s, which is the cotangent of its arc.
 * Returns its index; *ratio gets the cotangent, *least the smallest margin. */
WIDE static ptrdiff_t
reflect_and_find(double *restrict p, double *restrict q, const double *restrict row,
                 ptrdiff_t n, double a, double b, double cosine, double sine,
                 double *ratio, double *least)
{
    double top[LANES], low[LANES];
    int64_t where[LANES];
    ptrdiff_t i = 0;
    for (int k = 0; k < LANES; k++) {
        top[k] = -INFINITY;
        low[k] = INFINITY;
        where[k] = 0;
    }
    for (; i + LANES <= n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            double pk = p[i + k] + a * row[i + k];
            double qk = q[i + k] + b * row[i + k];
            double s = pk * cosine + qk * sine;
            double t = qk * cosine - pk * sine;
            double floor_s = s > SMALLEST ? s : SMALLEST;
            double r = -t / floor_s;
            p[i + k] = pk;
            q[i + k] = qk;
            where[k] = r > top[k] ? (int64_t)(i + k) : where[k];
            top[k] = r > top[k] ? r : top[k];
            low[k] = s < low[k] ? s : low[k];
        }
    }
    for (; i < n; i++) {
        double pk = p[i] + a * row[i];
        double qk = q[i] + b * row[i];
        double s = pk * cosine + qk * sine;
        double t = qk * cosine - pk * sine;
        double r = -t / (s > SMALLEST ? s : SMALLEST);
        p[i] = pk;
        q[i] = qk;
        if (r > top[0]) {
            top[0] = r;
            where[0] = i;
        }
        if (s < low[0])
            low[0] = s;
    }
    ptrdiff_t best = where[0];
    double best_ratio = top[0], smallest = low[0];
    for (int k = 1; k < LANES; k++) {
        if (top[k] > best_ratio || (top[k] == best_ratio && where[k] < best)) {
            best_ratio = top[k];
            best = where[k];
        }
        if (low[k] < smallest)
            smallest = low[k];
    }
    *ratio = best_ratio;
    *least = smallest;
    return best;
}

/* One flight segment of length arc past n working points, then the reflection.
 * positive[i] gains the part of the arc on the positive side of point i.  A
 * margin below its rounding error at the end of the arc has no sign of its own:
 * the point stays on the side where it was, so that a wall never crosses itself. */
WIDE static void
pass_points(double *restrict p, double *restrict q, double *restrict s,
            double *restrict positive, const double *restrict rounding,
            const double *restrict row, ptrdiff_t n, double arc, double cos0, double sin0,
            double cos1, double sin1, double a, double b)
{
    double end[64];
    for (ptrdiff_t start = 0; start < n; start += 64) {
        ptrdiff_t size = n - start < 64 ? n - start : 64;
        double *restrict pb = p + start, *restrict qb = q + start;
        double *restrict sb = s + start, *restrict tb = positive + start;
        const double *restrict rb = row + start, *restrict eb = rounding + start;
        double crossed = 0.0;
        for (ptrdiff_t i = 0; i < size; i++) {
            double s1 = pb[i] * cos1 + qb[i] * sin1;
            double here = sb[i] > 0.0 ? 1.0 : 0.0, there;
            s1 = fabs(s1) < eb[i] ? (2.0 * here - 1.0) * eb[i] : s1;
            there = s1 > 0.0 ? 1.0 : 0.0;
            end[i] = s1;
            tb[i] += arc * (here * there);
            crossed += (here - there) * (here - there);
        }
        if (crossed > 0.0) {
            for (ptrdiff_t i = 0; i < size; i++) {
                if ((sb[i] > 0.0) != (end[i] > 0.0)) {
                    /* the one root of s cos(phi) + t sin(phi) inside the arc */
                    double t0 = qb[i] * cos0 - pb[i] * sin0;
                    double root = sb[i] > 0.0 ? atan2(sb[i], -t0) : atan2(-sb[i], t0);
                    root = root < arc ? root : arc;
                    tb[i] += sb[i] > 0.0 ? root : arc - root;
                }
            }
        }
        for (ptrdiff_t i = 0; i < size; i++) {
            pb[i] += a * rb[i];
            qb[i] += b * rb[i];
            sb[i] = end[i];
        }
    }
}

#endif
