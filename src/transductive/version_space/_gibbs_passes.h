/* Vector pass of the kernel Gibbs sampler: where the training points hit a great circle.
 *
 * Compiled for several widths of vectors by the compiler's own function versions where
 * it has them; every width gives the same bits.
 */
#ifndef TRANSDUCTIVE_GIBBS_PASSES_H
#define TRANSDUCTIVE_GIBBS_PASSES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../_compiler.h"

/* no-trapping-math lets the comparisons become blends; no value depends on it */
#define EVERY_WIDTH WIDTHS("avx2", "O3", "no-trapping-math")

#define QUARTER_PI 0.78539816339744830962
#define HALF_PI 1.57079632679489661923
#define PI 3.14159265358979323846
#define TAN_EIGHTH_PI 0.41421356237309504880

/* The angle in [0, pi] at which s cos + t sin changes sign, as an integer that sorts
 * like it: an angle plus 4 has a fixed exponent, so its bits are a fixed-point number, of
 * resolution 2^-49 = 1.8e-15 without the last bit.  That bit says which way: 1 if the point is right before its
 * angle (s > 0) and wrong after it.
 *
 * s: label-signed margins; t = scale y raw + shift s: label-signed speeds.
 */
EVERY_WIDTH static void
hit_angles(const double *restrict s, const double *restrict raw, const double *restrict y,
           ptrdiff_t n, double scale, double shift, uint64_t *restrict keys)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        double size = fabs(s[i]);
        double t = scale * (y[i] * raw[i]) + shift * s[i];
        double x = s[i] > 0.0 ? -t : t; /* the root is the angle of (x, size) */
        double across = fabs(x) + 1e-300; /* not 0/0 for a point that is orthogonal to both */
        double less = size < across ? size : across;
        double more = size < across ? across : size;
        /* arctan(less / more), for tangents above tan(pi/8) from the other side of pi/4 */
        double above = less > TAN_EIGHTH_PI * more ? 1.0 : 0.0;
        double z = (less - above * more) / (more + above * less);
        double u = z * z;
        /* minimax on [0, tan(pi/8)^2], relative error 1.3e-18 */
        double p = -0.017803896394812563;
        p = p * u + 0.037963903161110833;
        p = p * u + -0.050350497953124393;
        p = p * u + 0.05846866752275139;
        p = p * u + -0.066629502460367913;
        p = p * u + 0.076920451945614815;
        p = p * u + -0.090908968014728134;
        p = p * u + 0.111111107446571;
        p = p * u + -0.14285714279244968;
        p = p * u + 0.19999999999940837;
        p = p * u + -0.33333333333333121;
        p = p * u + 1.0;
        double angle = p * z + above * QUARTER_PI;
        angle = size > across ? HALF_PI - angle : angle;
        angle = x < 0.0 ? PI - angle : angle;
        double place = angle + 4.0;
        uint64_t bits;
        memcpy(&bits, &place, sizeof bits);
        keys[i] = (bits & ~(uint64_t)1) | (uint64_t)(s[i] > 0.0 ? 1 : 0);
    }
}

/* Box and Muller: n pairs of uniforms in [0, 1) become 2 n independent standard normals,
 * to about 1e-13, a vector at a time. */
EVERY_WIDTH static void
box_muller(double *restrict first, double *restrict second, ptrdiff_t n)
{
    const double round = 6755399441055744.0; /* adding it leaves an integer in the last bits */
    for (ptrdiff_t i = 0; i < n; i++) {
        /* radius sqrt(-2 ln u); u = 2^e f with f in [sqrt(1/2), sqrt(2)) */
        double u = 1.0 - first[i], f, e;
        uint64_t bits, exponent;
        memcpy(&bits, &u, sizeof bits);
        exponent = (bits + 0x00095f619980c433) >> 52;
        bits -= (exponent - 1023) << 52;
        memcpy(&f, &bits, sizeof f);
        exponent |= 0x4330000000000000; /* as a double, 2^52 + exponent */
        memcpy(&e, &exponent, sizeof e);
        e -= 4503599627370496.0 + 1023.0;
        double s = (f - 1.0) / (f + 1.0), z = s * s;
        double p = 1.0 / 19.0;
        p = p * z + 1.0 / 17.0;
        p = p * z + 1.0 / 15.0;
        p = p * z + 1.0 / 13.0;
        p = p * z + 1.0 / 11.0;
        p = p * z + 1.0 / 9.0;
        p = p * z + 1.0 / 7.0;
        p = p * z + 1.0 / 5.0;
        p = p * z + 1.0 / 3.0;
        p = p * z + 1.0;
        double minus_log = -(e * 0.69314718055994530942 + 2.0 * s * p);
        double radius = sqrt(2.0 * (minus_log > 0.0 ? minus_log : 0.0));
        /* angle 2 pi v, by quarter turns and what is left, in [-pi / 4, pi / 4] */
        double turns = 4.0 * second[i] + round;
        uint64_t quarter;
        memcpy(&quarter, &turns, sizeof quarter);
        double a = (second[i] - 0.25 * (turns - round)) * (2.0 * PI), w = a * a;
        double sine = 1.0 / 6227020800.0;
        sine = sine * w - 1.0 / 39916800.0;
        sine = sine * w + 1.0 / 362880.0;
        sine = sine * w - 1.0 / 5040.0;
        sine = sine * w + 1.0 / 120.0;
        sine = sine * w - 1.0 / 6.0;
        sine = a * (sine * w + 1.0);
        double cosine = -1.0 / 87178291200.0;
        cosine = cosine * w + 1.0 / 479001600.0;
        cosine = cosine * w - 1.0 / 3628800.0;
        cosine = cosine * w + 1.0 / 40320.0;
        cosine = cosine * w - 1.0 / 720.0;
        cosine = cosine * w + 1.0 / 24.0;
        cosine = cosine * w - 0.5;
        cosine = cosine * w + 1.0;
        double across = quarter & 1 ? sine : cosine, up = quarter & 1 ? cosine : sine;
        first[i] = radius * ((quarter + 1) & 2 ? -across : across);
        second[i] = radius * (quarter & 2 ? -up : up);
    }
}

static double
key_angle(uint64_t key)
{
    double place;
    key &= ~(uint64_t)1;
    memcpy(&place, &key, sizeof place);
    return place - 4.0;
}

#endif
