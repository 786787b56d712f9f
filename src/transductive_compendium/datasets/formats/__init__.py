"""Formats of registered files: one module each, whose ``check`` reads and verifies a file.

``check(entry, file, raw)`` takes an `Entry`, one of its `File` and bytes. It returns the file's
contents if they are the registered ones; otherwise it raises a ValueError that says why.

``table``
    A text file with one row per line.
``mat``
    Arrays ``X`` and ``Y`` in a MATLAB file; it must be the registered one, byte for byte.
``hdf5``
    Arrays ``data`` and ``target`` in the groups ``train`` and ``test``, read as one table;
    likewise.
``realisations``
    A tar archive of text files: training and test part, patterns and labels, of each of several
    published splits. Each split is a table whose first rows are the training part.
``realisations_xlsx``
    Four spreadsheets: the patterns and labels of the training parts of all splits, one block of
    rows below the other, then those of the test parts.
``idx``
    A gzipped array of bytes after a header with its shape; image and label files alternate.
``npz``
    Images, their classes, numbers and parts, in NumPy's arrays.
``sgml``
    A tar archive of news stories, marked up as in Reuters-21578; one hash for each of its files.
``newsgroups``
    A tar archive with a folder for each newsgroup and a file for each article; one hash per group.
``arff``
    A sparse table of topics and words in Weka's text format.
"""
