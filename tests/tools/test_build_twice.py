"""The comparison of two builds sees what differs."""

from build_twice import differences


def test_missing_and_changed_files_are_named(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, date in ((first, "today"), (second, "Monday")):
        (folder / "book").mkdir(parents=True)
        (folder / "same.html").write_text("the same")
        (folder / "book" / "page.html").write_text(f"made on {date}")
    (first / "extra.png").write_bytes(b"\0")
    changed, missing = differences(first, second)
    assert changed.startswith("book/page.html: byte 8: b'made on today'")
    assert missing == "extra.png: only in one of the builds"
    (first / "print-123.html").write_text("for as long as the book is printed")
    assert differences(first, second) == [changed, missing]
    assert differences(first, first) == []
