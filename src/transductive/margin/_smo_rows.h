/* The passes of the SMO solver over rows of one type: ROW, with NAMED(name) its version's name.
 *
 * Included once for float and once for double.  Lanes are plain arrays of fixed length, which
 * compilers turn into vectors.  Each lane remembers the block of its extreme value; the first index
 * of the value is looked up afterwards, in that one block.
 */

/* g += a first + b second; then the least g of those that may rise and the largest of those that
 * may fall.  up and low are 0 for a variable that may, infinite for one that may not. */
EVERY_WIDTH static void
NAMED(step_block)(double *restrict g, const float *restrict up, const float *restrict low,
            const ROW *restrict first, const ROW *restrict second, double a, double b,
            ptrdiff_t offset, ptrdiff_t n, struct extremes *extreme)
{
    double least[LANES], most[LANES], where[LANES];
    ptrdiff_t i = 0;
    for (int k = 0; k < LANES; k++) {
        least[k] = INFINITY;
        most[k] = -INFINITY;
        where[k] = 0;
    }
    while (i + LANES <= n) {
        double block[LANES], start = (double)i;
        ptrdiff_t end = i + BLOCK < n ? i + BLOCK : n;
        for (int k = 0; k < LANES; k++)
            block[k] = INFINITY;
        for (; i + LANES <= end; i += LANES) {
            AHEAD(first + i);
            AHEAD(second + i);
            for (int k = 0; k < LANES; k++) {
                double x = g[i + k] + (a * first[i + k] + b * second[i + k]);
                double rising = x + up[i + k], falling = x - low[i + k];
                g[i + k] = x;
                block[k] = rising < block[k] ? rising : block[k];
                most[k] = falling > most[k] ? falling : most[k];
            }
        }
        for (int k = 0; k < LANES; k++) {
            where[k] = block[k] < least[k] ? start : where[k];
            least[k] = block[k] < least[k] ? block[k] : least[k];
        }
    }
    for (int k = 1; k < LANES; k++) {
        if (least[k] < least[0] || (least[k] == least[0] && where[k] < where[0])) {
            least[0] = least[k];
            where[0] = where[k];
        }
        most[0] = most[k] > most[0] ? most[k] : most[0];
    }
    for (ptrdiff_t start = i; i < n; i++) {
        double x = g[i] + (a * first[i] + b * second[i]);
        double rising = x + up[i], falling = x - low[i];
        g[i] = x;
        if (rising < least[0]) {
            least[0] = rising;
            where[0] = (double)start;
        }
        most[0] = falling > most[0] ? falling : most[0];
    }
    if (least[0] < extreme->least) {
        extreme->least = least[0];
        extreme->block = offset + (ptrdiff_t)where[0];
    }
    extreme->most = most[0] > extreme->most ? most[0] : extreme->most;
}

/* A pair's step down, 0 if the partner may not fall, and the curvature along the pair. */
static inline ALWAYS_INLINE ROW
NAMED(descent)(double difference, float low)
{
    ROW d = (ROW)difference - low;
    return d > 0 ? d : 0;
}

static inline ALWAYS_INLINE ROW
NAMED(bend)(ROW curvature, ROW curved, ROW product)
{
    ROW c = curvature + curved - 2 * product;
    return c > (ROW)FLAT ? c : (ROW)FLAT;
}

static inline ALWAYS_INLINE ROW
NAMED(pair_gain)(double difference, float low, ROW curvature, ROW curved, ROW product)
{
    ROW d = NAMED(descent)(difference, low);
    return d * d / NAMED(bend)(curvature, curved, product);
}

/* The partner of a variable with gradient `own` and curvature `curved`: the first with the largest
 * (g - own)^2 / (K_ii + K_jj - 2 K_ij) of those that may fall.  There is a division only in blocks
 * where one may be larger: the bar is so far below the largest that rounding does not matter. */
COMPARING static void
NAMED(partner_block)(const double *restrict g, const float *restrict low,
               const ROW *restrict curvature, const ROW *restrict row, double own, ROW curved,
               ptrdiff_t offset, ptrdiff_t n, struct NAMED(gain) *best)
{
    ROW most = best->most;
    for (ptrdiff_t start = 0; start < n; start += BLOCK) {
        ptrdiff_t stop = start + BLOCK < n ? start + BLOCK : n;
        ROW bar = most - 4 * EPSILON * most;
        int above = 0;
        for (ptrdiff_t i = start; i < stop; i += LANES)
            AHEAD(row + i);
        for (ptrdiff_t i = start; i < stop; i++) {
            ROW d = NAMED(descent)(g[i] - own, low[i]);
            above |= d * d > bar * NAMED(bend)(curvature[i], curved, row[i]);
        }
        for (ptrdiff_t i = start; above && i < stop; i++) {
            ROW gain = NAMED(pair_gain)(g[i] - own, low[i], curvature[i], curved, row[i]);
            if (gain > most) {
                most = gain;
                best->first = offset + i;
            }
        }
    }
    best->most = most;
}

/* g += a row; then the block with the largest g^2 / K_ii among those that may move against g, and
 * the largest |g| of these: the step without an equality constraint. */
EVERY_WIDTH static void
NAMED(step_alone_block)(double *restrict g, const float *restrict up, const float *restrict low,
                  const ROW *restrict curvature, const ROW *restrict row, double a,
                  ptrdiff_t offset, ptrdiff_t n, struct extremes *extreme)
{
    for (ptrdiff_t start = 0; start < n; start += BLOCK) {
        ptrdiff_t i = start, end = start + BLOCK < n ? start + BLOCK : n;
        double most[LANES] = {0}, steepest[LANES] = {0};
        for (; i + LANES <= end; i += LANES)
            for (int k = 0; k < LANES; k++) {
                double x = g[i + k] + a * row[i + k];
                double slope = movable(x, up[i + k], low[i + k]);
                double gain = slope * slope / curvature[i + k];
                g[i + k] = x;
                most[k] = gain > most[k] ? gain : most[k];
                steepest[k] = slope > steepest[k] ? slope : steepest[k];
            }
        for (; i < end; i++) {
            double x = g[i] + a * row[i];
            double slope = movable(x, up[i], low[i]);
            double gain = slope * slope / curvature[i];
            g[i] = x;
            most[0] = gain > most[0] ? gain : most[0];
            steepest[0] = slope > steepest[0] ? slope : steepest[0];
        }
        for (int k = 1; k < LANES; k++) {
            most[0] = most[k] > most[0] ? most[k] : most[0];
            steepest[0] = steepest[k] > steepest[0] ? steepest[k] : steepest[0];
        }
        if (most[0] > extreme->most) {
            extreme->most = most[0];
            extreme->block = offset + start;
        }
        extreme->least = steepest[0] > extreme->least ? steepest[0] : extreme->least;
    }
}

/* The passes over all variables: those of the n points, then the second ones of the last `doubled`
 * of these, which have the same rows. */

static void
NAMED(step)(double *g, const float *up, const float *low, const ROW *first, const ROW *second,
            double a, double b, ptrdiff_t n, ptrdiff_t doubled, struct extremes *extreme)
{
    *extreme = (struct extremes){INFINITY, -INFINITY, 0};
    NAMED(step_block)(g, up, low, first, second, a, b, 0, n, extreme);
    if (doubled)
        NAMED(step_block)(g + n, up + n, low + n, first + n - doubled, second + n - doubled, a, b,
                          n, doubled, extreme);
}

static void
NAMED(step_alone)(double *g, const float *up, const float *low, const ROW *curvature,
                  const ROW *row, double a, ptrdiff_t n, ptrdiff_t doubled,
                  struct extremes *extreme)
{
    *extreme = (struct extremes){0, 0, 0};
    NAMED(step_alone_block)(g, up, low, curvature, row, a, 0, n, extreme);
    if (doubled)
        NAMED(step_alone_block)(g + n, up + n, low + n, curvature + n, row + n - doubled, a, n,
                                doubled, extreme);
}

/* The first index of the largest gain, or -1 if no gain is positive. */
static ptrdiff_t
NAMED(partner)(const double *g, const float *low, const ROW *curvature, const ROW *row,
               ptrdiff_t first, ptrdiff_t n, ptrdiff_t doubled)
{
    struct NAMED(gain) best = {0, -1};
    double own = g[first];
    ROW curved = curvature[first];
    NAMED(partner_block)(g, low, curvature, row, own, curved, 0, n, &best);
    if (doubled)
        NAMED(partner_block)(g + n, low + n, curvature + n, row + n - doubled, own, curved, n,
                             doubled, &best);
    return best.first;
}

/* The first index of the largest g^2 / K_ii that `step_alone` has found. */
static ptrdiff_t
NAMED(steepest)(const double *g, const float *up, const float *low, const ROW *curvature,
                ptrdiff_t n, ptrdiff_t doubled, const struct extremes *extreme)
{
    ptrdiff_t i = extreme->block, last = last_of_block(i, n, doubled);
    for (; i < last; i++) {
        double slope = movable(g[i], up[i], low[i]);
        if (slope * slope / curvature[i] == extreme->most)
            break;
    }
    return i;
}
