"""One folder ("room") for each paper.

A room contains ``paper.yml``, ``findings.yml``, ``claims.yml``, ``anchors.yml``,
``open_choices.yml``, ``own_data.yml`` (which experiments accept a reader's
table), and the units of the paper's experiments, one module for each figure, table or group of
them. The measures that judge an item are in the module of the same name with the ending
``_measures``, and drawings that several notebooks share in ``_drawing``. ``comparison`` is a room
like the papers', without claims.
"""
