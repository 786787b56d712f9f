"""One view of transduction: the papers' methods side by side, on the same random splits."""
