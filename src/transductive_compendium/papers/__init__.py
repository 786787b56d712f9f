"""One room a paper, found by its folder.

A room holds ``paper.yml``, ``claims.yml``, the units of its experiments, one module for each
figure, table or group of them, and beside each the measures that judge it, in a module of the same
name with ``_measures`` behind it. Constants that both need are in ``_design``, what several
notebooks draw is in ``_drawing``. ``comparison`` is a room like the papers'.
"""
