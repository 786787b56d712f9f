"""Articles of newsgroups: a tar archive with a folder for each group, a file for each article."""

import hashlib

from .. import archives


def check(entry, file, raw):
    """Return the result of `articles`; raise a ValueError if some are not the registered ones."""
    found = articles(raw, entry.classes)
    for (group, texts), digest in zip(found.items(), file.content_sha256, strict=True):
        if len(texts) != entry.classes[group]:
            raise ValueError(f"{group} has {len(texts)} articles, not {entry.classes[group]}")
        lines = (f"{n} {hashlib.sha256(text).hexdigest()}\n" for n, text in texts.items())
        if hashlib.sha256("".join(lines).encode()).hexdigest() != digest:
            raise ValueError(f"some articles of {group} are not the registered ones")
    return found


def articles(raw, groups):
    """Return the articles of some newsgroups from a tar archive with a folder for each.

    Returns
    -------
    dict of str to dict of int to bytes
        The articles of each group by number, both in order.

    Raises
    ------
    ValueError
        If it is not a sound tar archive, or a file in such a folder is not named by a number.
    """
    found = {group: {} for group in groups}
    for path, content in archives.tar_folders(raw, found):
        if not path.name.isdecimal():
            raise ValueError(f"the name of its member {str(path)!r} is not a number")
        found[path.parent.name][int(path.name)] = content
    return {group: dict(sorted(texts.items())) for group, texts in found.items()}
