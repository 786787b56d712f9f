"""The SGML files of Reuters-21578 [1]_, read with the standard library.

References
----------
.. [1] Lewis, "Reuters-21578 text categorization test collection", README, version 1.2, 1997.
"""

import html
import re

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
