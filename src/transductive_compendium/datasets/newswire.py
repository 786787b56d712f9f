"""Files of news: Reuters-21578 [1]_ in SGML, RCV1 as sparse ARFF, newsgroups in an archive.

References
----------
.. [1] Lewis, "Reuters-21578 text categorization test collection", README, version 1.2, 1997.
"""

import html
import re

import numpy as np
from scipy.sparse import csr_array

from . import archives

_STORY = re.compile(r"<REUTERS\b([^>]*)>(.*?)</REUTERS>", re.DOTALL)
# By name: a few stories have an attribute more than the others, in the midst of them.
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT\b[^>]*>(.*?)</TEXT>", re.DOTALL)
_TITLE_OR_BODY = re.compile(r"<(TITLE|BODY)>(.*?)</\1>", re.DOTALL)


def modapte(raws):
    """Return the stories of the ModApte split, those of the training part first.

    The split takes the stories with the attribute TOPICS="YES", to train on those with
    LEWISSPLIT="TRAIN", to test on those with LEWISSPLIT="TEST" [1]_. That attribute does not say
    whether a story has topics.

    Parameters
    ----------
    raws : iterable of bytes
        The files in turn.

    Returns
    -------
    documents : tuple of str
        Title and body of each story. A story without this structure gives all its text.
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


def articles(raw, groups):
    """Return the articles of some newsgroups from a tar archive with a folder for each.

    Returns
    -------
    dict of str to dict of int to bytes
        The articles of each group by number, both in order.

    Raises
    ------
    ValueError
        If it is no sound tar archive, or names a file in such a folder by no number.
    """
    found = {group: {} for group in groups}
    for path, content in archives.tar_folders(raw, found):
        if not path.name.isdecimal():
            raise ValueError(f"its member {str(path)!r} has no number for a name")
        found[path.parent.name][int(path.name)] = content
    return {group: dict(sorted(texts.items())) for group, texts in found.items()}


_COLUMN = re.compile(r"^@attribute\s+(\S+)\s+(\S+)", re.MULTILINE | re.IGNORECASE)
_ROW = re.compile(r"^\{(.*)\}", re.MULTILINE)


def topics_and_words(raw):
    """Return the topics, words and vectors of documents in a sparse ARFF file.

    Columns of the kind {0,1} are topics, the others words. The name of a topic is its path in the
    hierarchy, as in CCAT.C15.C151; a document with the topic gets all on the path, because the
    file gives the most specific ones only.

    Returns
    -------
    topics : tuple of tuple of str
        The topics of each document, in alphabetical order.
    words : tuple of str
        Names of the other columns.
    X : csr_array of float64, shape (n, words)
    """
    text = raw.decode("ascii")
    columns = _COLUMN.findall(text)
    paths = [name.split(".") for name, kind in columns if kind == "{0,1}"]
    words = tuple(name for name, _ in columns[len(paths) :])
    topics, values, places, ends = [], [], [], [0]
    for row in _ROW.findall(text):
        known = set()
        for pair in filter(None, row.split(",")):
            column, value = pair.split()
            if int(column) < len(paths):
                known.update(paths[int(column)])
            else:
                places.append(int(column) - len(paths))
                values.append(float(value))
        topics.append(tuple(sorted(known)))
        ends.append(len(places))
    # 32 bits, as scikit-learn wants its indices
    places, ends = np.array(places, dtype=np.int32), np.array(ends, dtype=np.int32)
    X = csr_array((np.array(values), places, ends), shape=(len(topics), len(words)))
    return tuple(topics), words, X
