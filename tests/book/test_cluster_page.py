"""The recipe for Slurm works as it stands; Slurm itself is not needed to write its job."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "book/how_to_cluster.md"


def test_the_page_s_cluster_asks_slurm_for_what_the_page_says(capsys):
    pytest.importorskip("dask_jobqueue")
    recipe, use = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(recipe, names)
    names["cluster"].close()
    job = capsys.readouterr().out
    for line in (
        "#SBATCH -p normal",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH --mem=8G",
        "#SBATCH -t 04:00:00",
        "export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1",
        "export TRANSDUCTIVE_STORE=/shared/$USER/units",
    ):
        assert line in job.splitlines()
    worker = job.strip().splitlines()[-1]
    assert "dask_worker tcp://" in worker
    assert re.search(r"--nthreads 1\b.*--nworkers 4\b", worker)
    assert job.index("export OPENBLAS") < job.index("dask_worker")
    compile(use, str(PAGE), "exec")
