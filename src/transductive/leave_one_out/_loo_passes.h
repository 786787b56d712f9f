/* Leave-one-out residuals of a block of points by forward substitution.
 *
 * Compiled for several widths of vectors by the compiler's own function versions where it has them.
 */
#ifndef TRANSDUCTIVE_LOO_PASSES_H
#define TRANSDUCTIVE_LOO_PASSES_H

#include <stddef.h>

#include "../_compiler.h"

#define EVERY_WIDTH WIDTHS("fma", "O3")

#define POINTS 32 /* in a block, which nearest but one cache holds while all ridges pass */

/* s = R^-T q for every point's row q of the basis, and its products with itself and with R^-T Q'y;
 * R is upper triangular with two diagonals above its own, in `steps` as 1 / R_kk, R_k-1,k / R_kk,
 * R_k-2,k / R_kk, followed by (R^-T Q'y)_k.
 *
 * q: the block, (n, POINTS), n even.
 */
EVERY_WIDTH static void
substitute(const double *restrict q, const double *restrict steps, ptrdiff_t n,
           double *restrict residuals)
{
    double before[POINTS] = {0}, last[POINTS] = {0}, square[POINTS] = {0}, product[POINTS] = {0};
    /* [listing: one ridge] two steps at a time: half of the loads and stores */
    for (ptrdiff_t k = 0; k < n; k += 2, q += 2 * POINTS, steps += 8) {
        for (int i = 0; i < POINTS; i++) {
            double s = steps[0] * q[i] - steps[2] * before[i] - steps[1] * last[i];
            double t = steps[4] * q[POINTS + i] - steps[6] * last[i] - steps[5] * s;
            before[i] = s;
            last[i] = t;
            square[i] += s * s;
            square[i] += t * t;
            product[i] += steps[3] * s;
            product[i] += steps[7] * t;
        }
    }
    /* [end of listing] */
    for (int i = 0; i < POINTS; i++)
        residuals[i] = product[i] / square[i];
}

#endif
