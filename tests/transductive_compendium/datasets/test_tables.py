import hashlib

import numpy as np
import pytest

from transductive_compendium.datasets.tables import content_sha256, parse

PLAIN = "1,2.0,-0.5\n2,3.25,0\n"


@pytest.mark.parametrize(
    "other",
    [
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace(",", " ").replace("2.0", "2"),
        PLAIN.replace(",", ", ").replace("2,", "2.000,"),
        "\ufeff" + PLAIN,
        "class,a,b\n" + PLAIN,
        "\n" + PLAIN.replace("\n", "\n\n"),
        PLAIN.rstrip(),
        PLAIN.replace(",0\n", ",-0.0\n"),
    ],
)
def test_other_spellings_of_a_table_have_the_same_content(other):
    assert other != PLAIN
    assert content_sha256(parse(other.encode())) == content_sha256(parse(PLAIN.encode()))


def test_the_hash_is_the_documented_one():
    values = np.array([[1, 2, -0.5], [2, 3.25, 0]], dtype="<f8")
    expected = hashlib.sha256(b"2 3\n" + values.tobytes()).hexdigest()
    assert content_sha256(parse(PLAIN.encode())) == expected
    assert content_sha256(values.T.copy()) != content_sha256(values.reshape(3, 2)) != expected


@pytest.mark.parametrize("position", [i for i, c in enumerate(PLAIN) if c.isdigit()])
def test_any_changed_digit_changes_the_hash(position):
    changed = PLAIN[:position] + str((int(PLAIN[position]) + 1) % 10) + PLAIN[position + 1 :]
    assert content_sha256(parse(changed.encode())) != content_sha256(parse(PLAIN.encode()))


@pytest.mark.parametrize(
    "raw, reason",
    [
        (b"", "no row"),
        (b"a,b\n", "no row"),
        (b"1,2\n3,4,5\n", "line 2: 3 columns, 2 before"),
        (b"1,2\n3,nan\n", "line 2: 'nan' is not a finite"),
        (b"1,2\n3,inf\n", "'inf' is not a finite"),
        (b"1,2\n3,\n", "'' is not a finite"),
        (b"1,2\nx,4\n", "line 2: 'x' is not a finite"),
        (b"\x89PNG\x00", "decode"),
    ],
)
def test_what_is_no_table_is_refused_with_the_line(raw, reason):
    with pytest.raises(ValueError, match=reason):
        parse(raw)
