"""Leave-one-out algebra of ridge regression by LAPACK and BLAS, without Python inside.

With ``K = U diag(lambda) U'``, whatever the penalty, ``C = U diag(alpha / (f + alpha)) U'`` for a
spectrum f (lambda squared in equation (9), lambda for the norm in feature space). A sum of positive
terms: nothing cancels however small alpha is. ``loo_reference`` says the same in NumPy.
"""

from libc.math cimport sqrt
from libc.string cimport memcpy

import numpy as np

from scipy.linalg.cython_blas cimport dgemm, dgemv, dsyr2k, dsyrk
from scipy.linalg.cython_lapack cimport dlatrd, dorgtr, dsyevd, dsytd2

cdef extern from "_loo_passes.h" nogil:
    enum: POINTS
    void substitute(const double *q, const double *steps, Py_ssize_t n, double *residuals) noexcept


cdef int _eigh(double[::1, :] a, double[::1] values, double[::1] work,
               int[::1] iwork) noexcept nogil:
    cdef char vectors = b'V'
    cdef char lower = b'L'
    cdef int n = a.shape[0], info = 0
    cdef int lwork = work.shape[0], liwork = iwork.shape[0]
    dsyevd(&vectors, &lower, &n, &a[0, 0], &n, &values[0], &work[0], &lwork, &iwork[0], &liwork,
           &info)
    return info


def eigh(double[::1, :] gram):
    """Eigenvalues, ascending; the columns of `gram` become the eigenvectors.

    Parameters
    ----------
    gram : ndarray of shape (n, n), float64, Fortran order
        Symmetric; its lower triangle is read, all of it is overwritten.

    Returns
    -------
    values : ndarray of shape (n,)

    Raises
    ------
    numpy.linalg.LinAlgError
        If the iteration does not converge.
    ValueError
        If there are more than 32000 points.
    """
    if gram.shape[0] > 32000:
        # LAPACK counts its workspace, 2 n^2 numbers, in 32 bits
        raise ValueError(f"{gram.shape[0]} points are too many for a dense matrix: use low rank")
    cdef int n = <int> gram.shape[0], info
    values = np.empty(n)
    cdef double[::1] values_view = values
    cdef double[::1] work = np.empty(1 + 6 * n + 2 * n * n)
    cdef int[::1] iwork = np.empty(3 + 5 * n, dtype=np.intc)
    with nogil:
        info = _eigh(gram, values_view, work, iwork)
    if info:
        raise np.linalg.LinAlgError(f"the eigenvalue iteration did not converge (dsyevd: {info})")
    return values


def loo_path(const double[::1, :] vectors, const double[::1] spectrum, const double[::1] y,
             const double[::1] alphas):
    """Numerators and denominators of equation (15) for all points and all alphas at once.

    Parameters
    ----------
    vectors : ndarray of shape (n, n), Fortran order
        U, its columns orthonormal.
    spectrum : ndarray of shape (n,)
        f, at least 0.
    y : ndarray of shape (n,)
    alphas : ndarray of shape (g,)
        Positive.

    Returns
    -------
    residuals, complements : ndarray of shape (n, g), Fortran order
        ``C y`` and ``diag(C) = 1 - h``.

    Notes
    -----
    Two products of n x n by n x g: 4 n^2 g operations after the n^3 of the factorisation.
    """
    cdef Py_ssize_t i, j, n = vectors.shape[0], g = alphas.shape[0]
    cdef int n_ = <int> n, g_ = <int> g, one = 1
    cdef double unit = 1.0, zero = 0.0, w
    cdef char no = b'N'
    cdef char yes = b'T'
    weights = np.empty((n, g), order="F")
    scaled = np.empty((n, g), order="F")
    residuals = np.empty((n, g), order="F")
    complements = np.empty((n, g), order="F")
    cdef double[::1, :] weights_view = weights, scaled_view = scaled
    cdef double[::1, :] residuals_view = residuals, complements_view = complements
    cdef double[::1, :] squares = np.empty((n, n), order="F")
    cdef double[::1] z = np.empty(n)
    with nogil:
        dgemv(&yes, &n_, &n_, &unit, <double*> &vectors[0, 0], &n_,
              <double*> &y[0], &one, &zero, &z[0], &one)
        for j in range(g):
            for i in range(n):
                w = alphas[j] / (spectrum[i] + alphas[j])
                weights_view[i, j] = w
                scaled_view[i, j] = w * z[i]
        dgemm(&no, &no, &n_, &g_, &n_, &unit, <double*> &vectors[0, 0], &n_,
              &scaled_view[0, 0], &n_, &zero, &residuals_view[0, 0], &n_)
        for j in range(n):
            for i in range(n):
                squares[i, j] = vectors[i, j] * vectors[i, j]
        dgemm(&no, &no, &n_, &g_, &n_, &unit, &squares[0, 0], &n_, &weights_view[0, 0], &n_,
              &zero, &complements_view[0, 0], &n_)
    return residuals, complements


def tridiagonal(double[::1, :] gram):
    """``K = Q T Q'`` with T tridiagonal; `gram` becomes Q.

    Parameters
    ----------
    gram : ndarray of shape (n, n), Fortran order
        Symmetric; its lower triangle is read, all of it is overwritten.

    Returns
    -------
    diagonal, beside : ndarrays of shape (n,) and (n - 1,)
        T.

    Notes
    -----
    ``8/3 n^3`` operations; dsyevd needs about twice as many for eigenvectors.
    """
    cdef int n = <int> gram.shape[0], lwork = 64 * n, info, k = 0, j, left, block = 16
    cdef double unit = 1.0, minus = -1.0
    cdef char lower = b'L'
    cdef char no = b'N'
    diagonal, beside = np.empty(n), np.empty(n)
    cdef double[::1] d = diagonal, e = beside, tau = np.empty(n), work = np.empty(lwork)
    with nogil:
        # dsytrd, in blocks of half its size: a tenth sooner
        while n - k > block:
            left = n - k
            dlatrd(&lower, &left, &block, &gram[k, k], &n, &e[k], &tau[k], &work[0], &n)
            left -= block
            dsyr2k(&lower, &no, &left, &block, &minus, &gram[k + block, k], &n, &work[block],
                   &n, &unit, &gram[k + block, k + block], &n)
            for j in range(k, k + block):
                d[j] = gram[j, j]
                gram[j + 1, j] = e[j]
            k += block
        left = n - k
        dsytd2(&lower, &left, &gram[k, k], &n, &d[k], &e[k], &tau[k], &info)
        dorgtr(&lower, &n, &gram[0, 0], &n, &tau[0], &work[0], &lwork, &info)
    return diagonal, beside[:n - 1]


cdef void _triangle(const double[::1] d, const double[::1] e, const double[::1] z, double alpha,
                    bint norm, double[:, ::1] steps) noexcept nogil:
    """What `substitute` needs of ``R^-T z`` and R: ``R'R = T^2 + alpha``, or ``T + alpha``."""
    cdef Py_ssize_t k, n = d.shape[0]
    cdef double r, beside, next_beside, first = 0.0, second = 0.0, next_second = 0.0
    cdef double complex shift = 1j * sqrt(alpha), x, y, below, old
    # row k of T + i sqrt(alpha), turned so that the rows above are those of R: x, y and nothing
    x = d[0] + shift
    y = e[0] if n > 1 else 0.0
    for k in range(n):
        beside = e[k] if k + 1 < n else 0.0
        if norm:
            r = 1.0 / sqrt(d[k] + alpha - first * first)
        else:
            r = 1.0 / sqrt(x.real * x.real + x.imag * x.imag + beside * beside)
        steps[k, 0] = r
        steps[k, 1] = first * r
        steps[k, 2] = second * r
        steps[k, 3] = r * z[k]
        if k > 0:
            steps[k, 3] -= steps[k, 1] * steps[k - 1, 3]
        if k > 1:
            steps[k, 3] -= steps[k, 2] * steps[k - 2, 3]
        if norm:
            first = beside * r
        elif k + 1 < n:
            # R is real: its imaginary parts cancel
            next_beside = e[k + 1] if k + 2 < n else 0.0
            below = d[k + 1] + shift
            first = (x.real * y.real + x.imag * y.imag + beside * d[k + 1]) * r
            second = next_second
            next_second = beside * next_beside * r
            old = x
            x = (old * below - beside * y) * r
            y = old * (next_beside * r)


def loo_tridiagonal(const double[::1, :] basis, const double[::1] diagonal,
                    const double[::1] beside, const double[::1] y, const double[::1] alphas,
                    bint norm):
    """The terms of equation (15) for all points and all alphas.

    ``C = alpha Q (R'R)^-1 Q'`` with ``R'R = T^2 + alpha``, or ``T + alpha``. With ``S = R^-T Q'``
    the term of point i is ``S_i'(S y) / S_i'S_i``.

    Parameters
    ----------
    basis, diagonal, beside
        Q and T, see `tridiagonal`.
    y : ndarray of shape (n,)
    alphas : ndarray of shape (g,)
        Positive.
    norm : bool
        Which R.

    Returns
    -------
    residuals : ndarray of shape (n, g), Fortran order

    Notes
    -----
    R comes from rotations of the rows of ``T + i sqrt(alpha)``, never from T squared: relative
    errors are those of ``|T| / sqrt(alpha)`` rounding errors. ``10 n^2`` operations for an alpha.
    """
    cdef Py_ssize_t b, i, j, k, here
    cdef Py_ssize_t n = basis.shape[0], g = alphas.shape[0], even = n + n % 2
    cdef int n_ = <int> n, one = 1
    cdef double unit = 1.0, zero = 0.0
    cdef char yes = b'T'
    out = np.empty((n, g), order="F")
    cdef double[::1, :] residuals = out
    cdef double[:, :, ::1] steps = np.empty((g, even, 4))
    cdef double[:, ::1] block = np.zeros((even, POINTS))
    # what pads n to an even number does nothing
    steps[:, n:] = 0.0
    cdef double[::1] z = np.empty(n), solution = np.empty(POINTS)
    with nogil:
        dgemv(&yes, &n_, &n_, &unit, <double*> &basis[0, 0], &n_, <double*> &y[0], &one, &zero,
              &z[0], &one)
        for j in range(g):
            _triangle(diagonal, beside, z, alphas[j], norm, steps[j])
        for b in range((n + POINTS - 1) // POINTS):
            i = b * POINTS
            here = min(<Py_ssize_t> POINTS, n - i)
            for k in range(n):
                memcpy(&block[k, 0], &basis[i, k], here * sizeof(double))
            for j in range(g):
                substitute(&block[0, 0], &steps[j, 0, 0], even, &solution[0])
                memcpy(&residuals[i, j], &solution[0], here * sizeof(double))
    return out


cdef _square(const double[::1, :] a, const double[::1] scale):
    """``B B'`` for the columns of `a`, each times its scale: n^3 operations, half of them saved."""
    cdef Py_ssize_t i, j, n = a.shape[0]
    cdef int n_ = <int> n
    cdef double unit = 1.0, zero = 0.0
    cdef char no = b'N'
    cdef char lower = b'L'
    half = np.empty((n, n), order="F")
    out = np.empty((n, n), order="F")
    cdef double[::1, :] half_view = half, out_view = out
    with nogil:
        for j in range(n):
            for i in range(n):
                half_view[i, j] = scale[j] * a[i, j]
        dsyrk(&lower, &no, &n_, &n_, &unit, &half_view[0, 0], &n_, &zero, &out_view[0, 0], &n_)
        for j in range(n):
            for i in range(j + 1, n):
                out_view[j, i] = out_view[i, j]
    return out


def complement(const double[::1, :] vectors, const double[::1] spectrum, double alpha):
    """C of equation (26), as one symmetric product of n^3 operations.

    Parameters
    ----------
    vectors, spectrum
        As for `loo_path`.
    alpha : float

    Returns
    -------
    C : ndarray of shape (n, n), Fortran order
    """
    return _square(vectors, np.sqrt(alpha / (np.asarray(spectrum) + alpha)))


def loo_matrix(const double[::1, :] C):
    """M of equation (27), ``C diag(C)^-2 C``, as one symmetric product of n^3 operations.

    Parameters
    ----------
    C : ndarray of shape (n, n), Fortran order
        Symmetric, its diagonal positive.

    Returns
    -------
    M : ndarray of shape (n, n), Fortran order
    """
    return _square(C, 1.0 / np.diag(C))
