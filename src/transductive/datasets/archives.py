"""Archives, read in memory.

Nothing is unpacked to disk, so a member named ``../../x`` can do no harm.
"""

import gzip
import io
import tarfile
import zipfile
import zlib
from pathlib import PurePosixPath

LIMIT = 1 << 30  # bytes that one member may unpack to


def zip_member(raw, member):
    """Return the bytes of one member of a zip archive, found by its path or unique last name.

    Raises
    ------
    ValueError
        If it is no sound zip archive or does not hold the member exactly once.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            files = [info for info in archive.infolist() if not info.is_dir()]
            matches = [info for info in files if info.filename == member] or [
                info
                for info in files
                if PurePosixPath(info.filename).name == PurePosixPath(member).name
            ]
            if len(matches) != 1:
                raise ValueError(f"the archive holds {member!r} {len(matches)} times")
            if matches[0].file_size > LIMIT:
                raise ValueError(f"{member!r} unpacks to more than a gigabyte")
            return archive.read(matches[0])
    except ValueError:
        raise
    except Exception as error:  # zipfile has no common base class for what damage can cause
        raise ValueError(f"not a sound zip archive ({error})") from error


def tar_members(raw, names):
    """Return some members of a tar archive, compressed or not, found by their last names.

    Other members are passed over, so that a set repacked by itself and the archive of a whole
    repository that contains it read alike.

    Parameters
    ----------
    raw : bytes
    names : iterable of str
        File names without folders.

    Returns
    -------
    dict of str to bytes

    Raises
    ------
    ValueError
        If it is no sound tar archive, lacks a member, holds two different ones of a name, or
        names one by a path that leads out of the archive.
    """
    names, found = set(names), {}
    try:
        with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
            for info in archive:
                path = PurePosixPath(info.name)
                if path.name not in names or not info.isfile():  # no links, no folders
                    continue
                if path.is_absolute() or ".." in path.parts:
                    raise ValueError(f"the path of its member {info.name!r} leads out of it")
                if info.size > LIMIT:
                    raise ValueError(f"{info.name!r} unpacks to more than a gigabyte")
                content = archive.extractfile(info).read()
                if found.setdefault(path.name, content) != content:
                    raise ValueError(f"the archive holds two different {path.name!r}")
    except ValueError:
        raise
    except Exception as error:  # those of tarfile, zlib, lzma and gzip share no base class
        raise ValueError(f"not a sound tar archive ({error})") from error
    if missing := sorted(names - set(found)):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ValueError(f"the archive lacks {missing[0]!r}{more}")
    return found


def tar_folders(raw, names):
    """Yield path and bytes of every file in folders of these names in a tar archive.

    Raises
    ------
    ValueError
        If it is no sound tar archive.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
            for info in archive:
                path = PurePosixPath(info.name)
                if path.parent.name in names and info.isfile():
                    if info.size > LIMIT:
                        raise ValueError(f"{info.name!r} unpacks to more than a gigabyte")
                    yield path, archive.extractfile(info).read()
    except ValueError:
        raise
    except Exception as error:  # as above
        raise ValueError(f"not a sound tar archive ({error})") from error


def gunzip(raw):
    """Return what a gzip file unpacks to; other bytes are returned as they are.

    Some download programs unpack on the way and keep the name.
    """
    if raw[:2] != b"\x1f\x8b":
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            content = file.read(LIMIT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"not a sound gzip file ({error})") from error
    if len(content) > LIMIT:
        raise ValueError("it unpacks to more than a gigabyte")
    return content
