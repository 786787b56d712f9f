"""One colour a method, and all can be seen."""

import re

from transductive_compendium.book.colours import COLOURS, METHODS

HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})\b")


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(part, 16) / 255 for part in HEX.fullmatch(colour).groups()]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_methods_differ_and_all_can_be_seen_on_white():
    assert METHODS["Bayes point"] == METHODS["Gibbs"]
    others = [colour for method, colour in METHODS.items() if method != "Gibbs"]
    assert len(set(others)) == len(others)
    for name, colour in COLOURS.items():
        assert 1.05 / (luminance(colour) + 0.05) >= 2.7, name
