"""News stories of Reuters-21578 [1]_, marked up in SGML, in a tar archive.

References
----------
.. [1] Lewis, "Reuters-21578 text categorization test collection", README, version 1.2, 1997.
"""

import hashlib
import html
import re

from .. import archives

_STORY = re.compile(r"<REUTERS\b([^>]*)>(.*?)</REUTERS>", re.DOTALL)
# By name: a few stories have an additional attribute between the others.
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT\b[^>]*>(.*?)</TEXT>", re.DOTALL)
_TITLE_OR_BODY = re.compile(r"<(TITLE|BODY)>(.*?)</\1>", re.DOTALL)


def check(entry, file, raw):
    """Return the result of `modapte`; raise a ValueError if a file is not the registered one."""
    names = [entry.members.format(number=number) for number in range(len(file.content_sha256))]
    members = archives.tar_members(raw, names)
    for name, digest in zip(names, file.content_sha256, strict=True):
        if hashlib.sha256(members[name]).hexdigest() != digest:
            raise ValueError(f"its member {name!r} is not the registered one")
    documents, topics, n_train = modapte(members[name] for name in names)
    if (len(documents), n_train) != (entry.rows, entry.training_rows):
        raise ValueError(
            f"{len(documents)} documents, {n_train} of them to train on, instead of {entry.rows} "
            f"and {entry.training_rows}"
        )
    return documents, topics, n_train


def modapte(raws):
    """Return the stories of the ModApte split, those of the training part first.

    The split consists of the stories with the attribute TOPICS="YES": for training those with
    LEWISSPLIT="TRAIN", for testing those with LEWISSPLIT="TEST" [1]_. The attribute TOPICS does not
    say whether a story has topics.

    Parameters
    ----------
    raws : iterable of bytes
        The files in turn.

    Returns
    -------
    documents : tuple of str
        Title and body of each story; of a story without this structure, its whole text.
    topics : tuple of tuple of str
        Topics of each.
    n_train : int
        Number of stories in the training part.
    """
    parts = {"TRAIN": [], "TEST": []}
    for raw in raws:
        for attributes, story in _STORY.findall(raw.decode("latin-1")):
            known = dict(_ATTRIBUTE.findall(attributes))
            if known["TOPICS"] == "YES" and known["LEWISSPLIT"] in parts:
                parts[known["LEWISSPLIT"]].append(_story(story))
    documents, topics = zip(*parts["TRAIN"], *parts["TEST"], strict=True)
    return documents, topics, len(parts["TRAIN"])


def _story(story):
    text = _TEXT.search(story)[1]
    pieces = [piece for _, piece in _TITLE_OR_BODY.findall(text)] or [text]
    # Control characters are written as entities that stand for nothing.
    document = html.unescape("\n".join(pieces)).strip()
    return document, tuple(map(html.unescape, _TOPIC.findall(_TOPICS.search(story)[1])))
