"""Exact answers on small problems: volumes, arrangements, labellings, contradictions.

For tests, chapters and experiments; private, so that nothing here is promised to users.
"""
