"""joblib's Dask backend, corrected where a run would wait for ever or not use the cluster."""

from concurrent.futures import Future
from contextlib import nullcontext

import joblib
from joblib.parallel import get_active_backend


def backend():
    """Context for ``joblib.Parallel``: without effect, or a Dask backend that reports losses.

    Returns
    -------
    context manager
    """
    active, _ = get_active_backend()
    if not _is_dask(active):
        return nullcontext()
    return joblib.parallel_config(backend=_told(type(active))(client=active.client))


def _is_dask(active: object) -> bool:
    return type(active).__name__ == "DaskDistributedBackend"  # whose import needs Dask


def _told(dask_backend: type) -> type:
    class Told(dask_backend):
        def submit(self, func, callback=None):
            """Submit a batch; call back also if Dask gives it up because its workers died."""
            job = super().submit(func, callback)
            job.add_done_callback(lambda job: callback(job) if job.exception() else None)
            return job

        def retrieve_result_callback(self, out):
            """Return a batch's results, or raise its error."""
            return (
                out.result() if isinstance(out, Future) else super().retrieve_result_callback(out)
            )

        def effective_n_jobs(self, n_jobs):
            """At least two: joblib would run the work of a single worker in the calling process."""
            return max(2, super().effective_n_jobs(n_jobs))

    return Told
