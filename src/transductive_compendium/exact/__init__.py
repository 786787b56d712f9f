"""Exact answers on small problems, and each kernel in plain NumPy.

For tests, chapters and experiments. Imports NumPy and SciPy alone, so that the library's tests run
without the rest of the compendium.
"""
