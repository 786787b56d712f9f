"""The reproduction of five papers: data sets, experiments, verdicts, and the book's pages."""
