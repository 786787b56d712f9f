"""The benchmark sets of Raetsch and others in the collection that keeps all their divisions.

It is one MATLAB file. For each set it has the patterns ``x``, the labels ``t`` and, in ``train``
and ``test``, the rows of each division, counted from 1.
"""

import gzip
import hashlib
import io
import tarfile

from scipy.io import loadmat


def as_archive(entry, source, raw):
    """Return the divisions of one set as the archive of text files that is registered for it.

    Parameters
    ----------
    entry : Entry
        One whose format is ``realisations``.
    source : Source
        Its `member` names the set in the collection, its `sha256` is that of the collection.
    raw : bytes

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If these are other bytes than those of the collection: damage can crash the reader.
    """
    if hashlib.sha256(raw).hexdigest() != source.sha256:
        raise ValueError(f"its {len(raw)} bytes are not those of the registered collection")
    data = loadmat(io.BytesIO(raw), variable_names=[source.member])[source.member][0, 0]
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w") as archive,
    ):
        for number in entry.divisions:
            for part in ("train", "test"):
                rows = data[part][number - 1].astype(int) - 1
                for kind, values in (("data", data["x"]), ("labels", data["t"])):
                    lines = (" ".join(map(repr, row)) for row in values[rows].tolist())
                    content = "".join(f"{line}\n" for line in lines).encode()
                    name = entry.members.format(part=part, kind=kind, number=number)
                    info = tarfile.TarInfo(name)
                    info.size = len(content)
                    archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()
