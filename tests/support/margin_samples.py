"""What tests of the transductive SVM share."""

from transductive import TransductiveSVC


def svc(C=1.0, C_star=1.0, *, manifold=0.0, n_positive="sample", **parameters):
    """The problem of the slides, with the kernel as it is."""
    return TransductiveSVC(C, C_star, manifold=manifold, n_positive=n_positive, **parameters)
