"""From verdicts and records to pages, and what notebooks call."""
