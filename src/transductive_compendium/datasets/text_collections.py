"""Loader of the registered text collections: Reuters-21578, newsgroups, a sample of RCV1."""

from .dataset_types import TextDataset, TextVectors
from .download import read_or_fetch
from .formats import arff, newsgroups, sgml
from .registry import pick, registry

_FORMATS = {"sgml": sgml, "newsgroups": newsgroups, "arff": arff}


def load_texts(name, folder=None, negative="comp.os.ms-windows.misc", download=True):
    """Load a registered text collection.

    Parameters
    ----------
    name : {"reuters21578", "winmac", "rcv1_k500"}
        Reuters-21578 in the ModApte split, 9603 stories for training and then 3299 for testing:
        title and body of each; or the articles of two newsgroups, group by group; or 6000 stories
        of RCV1 as vectors of 500 words, with their topics and those above them.
    folder, download
        As for `load`.
    negative : {"comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"}
        For winmac: the group to distinguish from Mac hardware.

    Returns
    -------
    TextDataset or TextVectors
        The topic of an article is its group.

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        The message says what to run or download.

    References
    ----------
    Lewis, Reuters-21578 text categorization test collection, README, 1997, section VIII.
    Lang, NewsWeeder: Learning to filter netnews, ICML 1995.
    Lewis, Yang, Rose and Li, RCV1: A new benchmark collection for text categorization research,
    JMLR 5 (2004).
    """
    entry = registry()[name]
    if entry.format == "newsgroups":
        mac, *others = entry.classes
        pick(negative, dict.fromkeys(others), "newsgroup to compare with")
    (found,) = read_or_fetch(entry, _FORMATS[entry.format].check, folder, download)
    if entry.format == "sgml":
        return TextDataset(name, *found, entry.description)
    if entry.format == "arff":
        topics, words, X = found
        return TextVectors(name, X, topics, words, entry.description)
    documents, topics = [], []
    for group in (mac, negative):
        # latin-1 reads every byte; a few articles have some above 127
        documents += [text.decode("latin-1") for text in found[group].values()]
        topics += [(group,)] * len(found[group])
    return TextDataset(name, tuple(documents), tuple(topics), None, entry.description)
