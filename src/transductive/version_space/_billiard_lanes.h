/* The passes of the kernel billiard for one width of vectors.
 *
 * Included once for each width, with these defined: LANES, numbers in a vector;
 * TARGET, the attribute that lets the compiler use such vectors; NAMED(name), the
 * name of this width's version.  The vectors are those of GCC and Clang: compilers
 * do not find by themselves how to carry an index along with a maximum.  One lane is
 * plain C, the loops over what vectors leave.  Every width gives the same bits.
 */

#if LANES > 1
/* Loads and stores need no alignment, and may go to plain arrays of double. */
typedef double NAMED(vec) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef int64_t NAMED(mask) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
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

/* Numbers that a row is asked for in advance; past its end this does nothing. */
#define AHEAD 256

/* Inlined into the versions with and without sides. */
TARGET static inline ALWAYS_INLINE ptrdiff_t
NAMED(kick_and_find)(double *restrict p, double *restrict q, const double *restrict row,
                     const double *restrict side, ptrdiff_t n, double a, double b,
                     double cosine, double sine, double *ratio, double *least)
{
    ptrdiff_t i = 0;
#if LANES == 1
    double top[1] = {-INFINITY}, low[1] = {INFINITY};
    ptrdiff_t where[1] = {0};
#else
    const VEC zero = {0};
    VEC top = zero - INFINITY, low = zero + INFINITY;
    MASK where = {0}, index;
    for (int k = 0; k < LANES; k++)
        index[k] = k;
    for (; i + LANES <= n; i += LANES) {
        /* rows come in no order, and each is too short for the processor to foresee its pages */
        PREFETCH(row + i + AHEAD);
        VEC x = LOAD(row + i);
        if (side)
            x *= LOAD(side + i);
        VEC pk = LOAD(p + i) + a * x;
        VEC qk = LOAD(q + i) + b * x;
        VEC s = pk * cosine + qk * sine;
        VEC t = qk * cosine - pk * sine;
        VEC r = -t / NAMED(choose)(s > SMALLEST, s, zero + SMALLEST);
        MASK more = r > top;
        STORE(p + i, pk);
        STORE(q + i, qk);
        where = (more & index) | (~more & where);
        top = NAMED(choose)(more, r, top);
        low = NAMED(choose)(s < low, s, low);
        index += LANES;
    }
#endif
    for (; i < n; i++) {
        double x = side ? row[i] * side[i] : row[i];
        double pk = p[i] + a * x;
        double qk = q[i] + b * x;
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

TARGET static ptrdiff_t
NAMED(reflect_and_find)(double *restrict p, double *restrict q, const double *restrict row,
                        ptrdiff_t n, double a, double b, double cosine, double sine,
                        double *ratio, double *least)
{
    return NAMED(kick_and_find)(p, q, row, NULL, n, a, b, cosine, sine, ratio, least);
}

TARGET static ptrdiff_t
NAMED(refract_and_find)(double *restrict p, double *restrict q, const double *restrict row,
                        const double *restrict side, ptrdiff_t n, double a, double b,
                        double cosine, double sine, double *ratio, double *least)
{
    return NAMED(kick_and_find)(p, q, row, side, n, a, b, cosine, sine, ratio, least);
}

/* Blocks, so that the search for points that changed sides stays short. */
#define BLOCK 64

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

#undef VEC
#undef MASK
#undef LOAD
#undef STORE
#undef BLOCK
#undef AHEAD
#undef LANES
#undef TARGET
#undef NAMED
