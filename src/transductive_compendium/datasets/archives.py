"""Read archives in memory.

Nothing is unpacked to disk, so a member named ``../../x`` does no harm.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from pathlib import PurePosixPath

#: Most bytes that a file, or its requested members, may unpack to.
UNPACKED_BYTES_MAX = 1 << 30
UNPACKS_TOO_LARGE = "it unpacks to more than a gigabyte"
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}


def zip_member(raw, member):
    """Return the bytes of one member of a zip archive, found by its path or unique last name.

    Raises
    ------
    ValueError
        If it is not a sound zip archive or does not contain the member exactly once.
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
            if matches[0].file_size > UNPACKED_BYTES_MAX:
                raise ValueError(UNPACKS_TOO_LARGE)
            with archive.open(matches[0]) as file:  # its read() would unpack more than announced
                return file.read(matches[0].file_size)
    except ValueError:
        raise
    except Exception as error:  # zipfile has no common base class for what damage can cause
        raise ValueError(f"not a sound zip archive ({error})") from error


def _unpacked(raw):
    """Return what a compressed file unpacks to; other bytes are returned as they are."""
    opener = next((o for magic, o in _OPENERS.items() if raw.startswith(magic)), None)
    if opener is None:
        return raw
    with opener(io.BytesIO(raw)) as file:
        content = file.read(UNPACKED_BYTES_MAX + 1)
    if len(content) > UNPACKED_BYTES_MAX:
        raise ValueError(UNPACKS_TOO_LARGE)
    return content


def _tar_files(raw, wanted):
    """Yield path and content of the plain files in a tar archive whose path is wanted."""
    total = 0
    try:
        # unpacked first: a header, too, can announce more than there is memory
        with tarfile.open(fileobj=io.BytesIO(_unpacked(raw)), mode="r:") as archive:
            for info in archive:
                path = PurePosixPath(info.name)
                if not wanted(path) or not info.isfile():  # no links, no folders
                    continue
                total += info.size  # a sparse file is larger than its part of the archive
                if total > UNPACKED_BYTES_MAX:
                    raise ValueError(UNPACKS_TOO_LARGE)
                yield path, archive.extractfile(info).read()
    except ValueError:
        raise
    except Exception as error:  # those of tarfile, zlib, lzma and gzip share no base class
        raise ValueError(f"not a sound tar archive ({error})") from error


def tar_members(raw, names):
    """Return some members of a tar archive, compressed or not, found by their last names.

    Other members are ignored, so that a set repacked by itself gives the same result as the archive
    of a whole repository that contains it.

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
        If it is not a sound tar archive, lacks a member, contains two different ones of a name, or
        a member's path leads out of the archive.
    """
    names, found = set(names), {}
    for path, content in _tar_files(raw, lambda path: path.name in names):
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"the path of its member {str(path)!r} leads out of it")
        if found.setdefault(path.name, content) != content:
            raise ValueError(f"the archive holds two different {path.name!r}")
    if missing := sorted(names - set(found)):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ValueError(f"the archive lacks {missing[0]!r}{more}")
    return found


def tar_folders(raw, names):
    """Return an iterator over path and bytes of the files in an archive's folders of these names.

    Raises
    ------
    ValueError
        If it is not a sound tar archive.
    """
    return _tar_files(raw, lambda path: path.parent.name in names)


def gunzip(raw):
    """Return what a gzip file unpacks to; other bytes are returned as they are.

    Some download programs unpack a file but keep its name.

    Raises
    ------
    ValueError
        If it begins like a gzip file but is damaged.
    """
    if raw[:2] != b"\x1f\x8b":
        return raw
    try:
        return _unpacked(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"not a sound gzip file ({error})") from error
