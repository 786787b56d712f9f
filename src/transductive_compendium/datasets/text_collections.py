"""Loaders of text collections: Reuters-21578, newsgroups, a sample of RCV1."""

from .dataset_types import TextDataset, TextVectors
from .download import read_or_fetch
from .formats import arff, newsgroups, sgml
from .registry import pick, registry


def load_reuters(folder=None, download=True):
    """Load Reuters-21578 in the ModApte split: 9603 news stories for training, 3299 for testing.

    A document is the title and the body of a story, in the order of the files. Other stories of
    the collection, and categories other than topics, are left out.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.

    Returns
    -------
    TextDataset

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError
        The message says what to run or download.

    References
    ----------
    Lewis, Reuters-21578 text categorization test collection, README, 1997, section VIII.
    """
    entry = registry()["reuters21578"]
    (parsed,) = read_or_fetch(entry, sgml.check, folder, download)
    return TextDataset(entry.name, *parsed, entry.description)


def load_winmac(folder=None, negative="comp.os.ms-windows.misc", download=True):
    """Load articles of two of the 20 newsgroups: Mac hardware against Windows, 961 and 985.

    The documents are those of the version of 18828 articles, with their header lines From and
    Subject, group by group in the order of their numbers. The topic of each is its group, so that
    ``data.labels("comp.sys.mac.hardware")`` is +1 for Mac. There is no published division.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.
    negative : {"comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"}
        The group to distinguish from Mac hardware; the second has 982 articles.

    Returns
    -------
    TextDataset

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        The message says what to run or download.

    References
    ----------
    Lang, NewsWeeder: Learning to filter netnews, ICML 1995.
    """
    entry = registry()["winmac"]
    mac, *others = entry.classes
    pick(negative, dict.fromkeys(others), "newsgroup to compare with")
    (groups,) = read_or_fetch(entry, newsgroups.check, folder, download)
    documents, topics = [], []
    for group in (mac, negative):
        # latin-1 reads every byte; a few articles have some above 127
        documents += [text.decode("latin-1") for text in groups[group].values()]
        topics += [(group,)] * len(groups[group])
    return TextDataset(entry.name, tuple(documents), tuple(topics), None, entry.description)


def load_rcv1(folder=None, download=True):
    """Load 6000 stories of RCV1 by 500 words, with their topics.

    ``data.labels("CCAT")`` is +1 for the 2632 stories with this topic or one below it.

    Parameters
    ----------
    folder, download
        As for `load_thyroid`.

    Returns
    -------
    TextVectors

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError
        The message says what to run or download.

    References
    ----------
    Lewis, Yang, Rose and Li, RCV1: A new benchmark collection for text categorization research,
    JMLR 5 (2004).
    """
    entry = registry()["rcv1_k500"]
    ((topics, words, X),) = read_or_fetch(entry, arff.check, folder, download)
    return TextVectors(entry.name, X, topics, words, entry.description)
