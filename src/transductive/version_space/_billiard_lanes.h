/* The passes of the kernel billiard for one width of vectors and one type of numbers.
 *
 * Included once for each width, with these defined: LANES, numbers in a vector; TARGET, the attribute
 * that lets the compiler use such vectors; NAMED(name), the name of this width's version; SINGLE for
 * single precision, in which only reflections are to be had.  The vectors are those of GCC and Clang:
 * compilers do not find by themselves how to carry an index along with a maximum.  One lane is plain
 * C, the loops over what vectors leave.  Every width gives the same bits.
 */

#ifdef SINGLE
#define REAL float
#define INTEGER int32_t
#define EPSILON FLT_EPSILON
#define SMALLEST 1e-30f
#else
#define REAL double
#define INTEGER int64_t
#define EPSILON DBL_EPSILON
#define SMALLEST 1e-300
#endif
/* A margin of zero (the wall just left) must give the ratio -inf or +inf by the sign of its speed,
 * never 0/0. */

#if LANES > 1
/* Loads and stores need no alignment, and may go to plain arrays. */
typedef REAL NAMED(vec)
    __attribute__((vector_size(sizeof(REAL) * LANES), aligned(sizeof(REAL)), may_alias));
typedef INTEGER NAMED(mask)
    __attribute__((vector_size(sizeof(REAL) * LANES), aligned(sizeof(REAL)), may_alias));
#define VEC NAMED(vec)
#define MASK NAMED(mask)
#define LOAD(array) (*(const VEC *)(array))
#define STORE(array, value) (*(VEC *)(array) = (value))

TARGET static inline ALWAYS_INLINE VEC
NAMED(choose)(MASK yes, VEC a, VEC b)
{
    return (VEC)((yes & (MASK)a) | (~yes & (MASK)b));
}
#endif

/* Numbers that a row is asked for in advance; past its end this does nothing.  Rows come in no order,
 * and each is too short for the processor to foresee its pages. */
#define AHEAD 256
#define BLOCK 64
/* Of fewer walls all cotangents are divided for. */
#define MANY 512

/* The largest cotangent of the walls from `start` to `stop`, after a kick if there is a row. */
TARGET static inline ALWAYS_INLINE void
NAMED(find)(REAL *restrict p, REAL *restrict q, const REAL *restrict row,
            const REAL *restrict side, ptrdiff_t start, ptrdiff_t stop, REAL a, REAL b,
            REAL cosine, REAL sine, REAL *most, ptrdiff_t *best, REAL *least)
{
    ptrdiff_t i = start;
#if LANES > 1
    const VEC zero = {0};
    VEC top = zero + *most, low = zero + *least;
    MASK where = {0}, index;
    for (int k = 0; k < LANES; k++)
        where[k] = (INTEGER)*best;
    for (int k = 0; k < LANES; k++)
        index[k] = (INTEGER)start + k;
    for (; i + LANES <= stop; i += LANES) {
        VEC pk = LOAD(p + i), qk = LOAD(q + i);
        if (row) {
            PREFETCH(row + i + AHEAD);
            VEC x = LOAD(row + i);
            if (side)
                x *= LOAD(side + i);
            pk += a * x;
            qk += b * x;
            STORE(p + i, pk);
            STORE(q + i, qk);
        }
        VEC s = pk * cosine + qk * sine;
        VEC t = qk * cosine - pk * sine;
        VEC r = -t / NAMED(choose)(s > SMALLEST, s, zero + SMALLEST);
        MASK more = r > top;
        where = (more & index) | (~more & where);
        top = NAMED(choose)(more, r, top);
        low = NAMED(choose)(s < low, s, low);
        index += LANES;
    }
    for (int k = 0; k < LANES; k++) {
        if (top[k] > *most || (top[k] == *most && where[k] < *best)) {
            *most = top[k];
            *best = where[k];
        }
        *least = low[k] < *least ? low[k] : *least;
    }
#endif
    for (; i < stop; i++) {
        if (row) {
            REAL x = side ? row[i] * side[i] : row[i];
            p[i] += a * x;
            q[i] += b * x;
        }
        REAL s = p[i] * cosine + q[i] * sine;
        REAL t = q[i] * cosine - p[i] * sine;
        REAL r = -t / (s > SMALLEST ? s : SMALLEST);
        *least = s < *least ? s : *least;
        if (r > *most) {
            *most = r;
            *best = i;
        }
    }
}

/* Kick the walls from `start` to `stop`, and tell whether a cotangent may be as large as the bar.
 *
 * In double precision none that is passes unnoticed, nor a negative margin.  In single precision a
 * comparison without the margins takes half the time, and errs by a rounding. */
TARGET static inline ALWAYS_INLINE int
NAMED(kick)(REAL *restrict p, REAL *restrict q, const REAL *restrict row,
            const REAL *restrict side, ptrdiff_t start, ptrdiff_t stop, REAL a, REAL b,
            REAL cosine, REAL sine, REAL bar)
{
    ptrdiff_t i = start;
    int above = 0;
#ifdef SINGLE
    const REAL left = sine - bar * cosine, right = cosine + bar * sine;
#define ABOVE(p, q) ((p) * left >= (q) * right)
#endif
#if LANES > 1
    MASK may = {0};
    for (; i + LANES <= stop; i += LANES) {
        PREFETCH(row + i + AHEAD);
        VEC x = LOAD(row + i);
        if (side)
            x *= LOAD(side + i);
        VEC pk = LOAD(p + i) + a * x;
        VEC qk = LOAD(q + i) + b * x;
        STORE(p + i, pk);
        STORE(q + i, qk);
#ifdef SINGLE
        may |= ABOVE(pk, qk);
#else
        VEC s = pk * cosine + qk * sine;
        may |= (MASK)s | (pk * sine - qk * cosine >= bar * s);
#endif
    }
    for (int k = 0; k < LANES; k++)
        above |= may[k] < 0;
#endif
    for (; i < stop; i++) {
        REAL x = side ? row[i] * side[i] : row[i];
        p[i] += a * x;
        q[i] += b * x;
#ifdef SINGLE
        above |= ABOVE(p[i], q[i]);
#else
        REAL s = p[i] * cosine + q[i] * sine;
        above |= s < 0 || p[i] * sine - q[i] * cosine >= bar * s;
#endif
    }
#undef ABOVE
    return above;
}

/* Inlined into the versions with and without sides. */
TARGET static inline ALWAYS_INLINE ptrdiff_t
NAMED(kick_and_find)(REAL *restrict p, REAL *restrict q, const REAL *restrict row,
                     const REAL *restrict side, ptrdiff_t n, REAL a, REAL b, REAL cosine,
                     REAL sine, double *ratio, double *least)
{
    REAL most = -INFINITY, smallest = INFINITY;
    ptrdiff_t best = 0, start = 0;
    if (n < MANY)
        NAMED(find)(p, q, row, side, 0, n, a, b, cosine, sine, &most, &best, &smallest);
    else
        for (; start < n; start += BLOCK) {
            ptrdiff_t stop = start + BLOCK < n ? start + BLOCK : n;
            /* so far below the largest cotangent that no rounding of a product matters */
            REAL bar = most - 4 * EPSILON * (most > 0 ? most : -most);
            /* both, since no number is above an infinite bar in single precision */
            if (NAMED(kick)(p, q, row, side, start, stop, a, b, cosine, sine, bar) | (start == 0))
                NAMED(find)(p, q, NULL, NULL, start, stop, a, b, cosine, sine, &most, &best,
                            &smallest);
        }
    *ratio = most;
    *least = smallest;
    return best;
}

TARGET static ptrdiff_t
NAMED(reflect_and_find)(REAL *restrict p, REAL *restrict q, const REAL *restrict row,
                        ptrdiff_t n, double a, double b, double cosine, double sine,
                        double *ratio, double *least)
{
    return NAMED(kick_and_find)(p, q, row, NULL, n, (REAL)a, (REAL)b, (REAL)cosine, (REAL)sine, ratio,
                                least);
}

#ifndef SINGLE
TARGET static ptrdiff_t
NAMED(refract_and_find)(double *restrict p, double *restrict q, const double *restrict row,
                        const double *restrict side, ptrdiff_t n, double a, double b,
                        double cosine, double sine, double *ratio, double *least)
{
    return NAMED(kick_and_find)(p, q, row, side, n, a, b, cosine, sine, ratio, least);
}

/* In blocks, too, so that the search for points that changed sides stays short. */
TARGET static void
NAMED(pass_points)(double *restrict p, double *restrict q, const double *restrict before,
                   double *restrict after, double *restrict positive,
                   const double *restrict rounding, const double *restrict row, ptrdiff_t n,
                   double arc, double cos0, double sin0, double cos1, double sin1, double a,
                   double b)
{
    for (ptrdiff_t start = 0; start < n; start += BLOCK) {
        ptrdiff_t stop = start + BLOCK < n ? start + BLOCK : n, i = start;
        double crossed = 0.0;
#if LANES > 1
        const VEC zero = {0}, one = zero + 1.0;
        VEC changed = zero;
        for (; i + LANES <= stop; i += LANES) {
            VEC s0 = LOAD(before + i), e = LOAD(rounding + i);
            VEC s1 = LOAD(p + i) * cos1 + LOAD(q + i) * sin1;
            /* each comparison is used where it is made: joined masks compile badly */
            VEC here = NAMED(choose)(s0 > zero, one, zero);
            VEC size = NAMED(choose)(s1 > zero, s1, -s1);
            s1 = NAMED(choose)(size < e, NAMED(choose)(s0 > zero, e, -e), s1);
            VEC there = NAMED(choose)(s1 > zero, one, zero);
            STORE(after + i, s1);
            STORE(positive + i, LOAD(positive + i) + arc * (here * there));
            changed += (here - there) * (here - there);
        }
        for (int k = 0; k < LANES; k++)
            crossed += changed[k];
#endif
        for (; i < stop; i++) {
            double s1 = p[i] * cos1 + q[i] * sin1;
            double here = before[i] > 0.0 ? 1.0 : 0.0, there;
            s1 = fabs(s1) < rounding[i] ? (2.0 * here - 1.0) * rounding[i] : s1;
            there = s1 > 0.0 ? 1.0 : 0.0;
            after[i] = s1;
            positive[i] += arc * (here * there);
            crossed += (here - there) * (here - there);
        }
        if (crossed > 0.0) {
            for (i = start; i < stop; i++) {
                if ((before[i] > 0.0) != (after[i] > 0.0)) {
                    /* the one root of s cos(phi) + t sin(phi) inside the arc */
                    double s0 = before[i], t0 = q[i] * cos0 - p[i] * sin0;
                    double root = s0 > 0.0 ? atan2(s0, -t0) : atan2(-s0, t0);
                    root = root < arc ? root : arc;
                    positive[i] += s0 > 0.0 ? root : arc - root;
                }
            }
        }
        i = start;
#if LANES > 1
        for (; i + LANES <= stop; i += LANES) {
            STORE(p + i, LOAD(p + i) + a * LOAD(row + i));
            STORE(q + i, LOAD(q + i) + b * LOAD(row + i));
        }
#endif
        for (; i < stop; i++) {
            p[i] += a * row[i];
            q[i] += b * row[i];
        }
    }
}

#endif

#undef REAL
#undef INTEGER
#undef EPSILON
#undef SMALLEST
#undef VEC
#undef MASK
#undef LOAD
#undef STORE
#undef BLOCK
#undef AHEAD
#undef MANY
#undef LANES
#undef TARGET
#undef NAMED
