"""Make pages from verdicts and records; and the functions that notebooks call."""
