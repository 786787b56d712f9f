/* exp in single precision, in lanes that compilers turn into vectors; see `_smo_passes.h`. */
#ifndef TRANSDUCTIVE_GAUSSIAN_H
#define TRANSDUCTIVE_GAUSSIAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../_compiler.h"

/* A number to which another is added to round it to an integer. */
#define ROUNDING 12582912.0f

/* x = exp(x), to a relative error of 2.5e-7, or 0 where that is less than the least normal number.
 * All x from -1e6 to 87.  Without branches, since no vectors have them. */
WIDTHS("avx2", "O3") static void
exponential_floats(float *x, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        float z = x[i], scale;
        float k = (z * 1.44269504f + ROUNDING) - ROUNDING;
        /* z less k log 2, whose first part has so few digits that its product is exact */
        float r = (z - k * 0.693359375f) + k * 2.12194440e-4f;
        float y = 1.0f / 720;
        y = y * r + 1.0f / 120;
        y = y * r + 1.0f / 24;
        y = y * r + 1.0f / 6;
        y = y * r + 0.5f;
        y = y * r * r + r + 1.0f;
        /* 2 to the power of k */
        int32_t power = (int32_t)k + 127;
        power = (power > 0 ? power : 0) << 23;
        memcpy(&scale, &power, sizeof scale);
        x[i] = y * scale;
    }
}

#endif
