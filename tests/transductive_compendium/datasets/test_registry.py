"""The registry is complete, and a wrong field of it is an error that names file, line and field."""

import re
import subprocess
import sys
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest

from transductive_compendium.checked_yaml import SchemaError
from transductive_compendium.datasets.registry import REGISTRY, read_registry, registry


def test_registry_facts_are_complete():
    ida = {f"ida_{name}" for name in ("breast_cancer", "titanic", "heart", "diabetis", "thyroid")}
    others = {"thyroid", "heart", "banana", "ringnorm", "mnist", "usps", "boston", "kin32fh"}
    assert set(registry()) == ida | others | {"reuters21578", "winmac", "rcv1_k500", "unipen"}
    for entry in registry().values():
        assert (entry.classes is None) == (entry.target is not None)
        if entry.classes is not None:
            assert entry.rows == sum(entry.classes.values())
        assert entry.class_column in ("first", "last")
        assert len(set(entry.features)) == len(entry.features)
        assert len({PurePosixPath(file.path).parent for file in entry.files}) == 1
        for file in entry.files:
            hashes = [file.content_sha256] if isinstance(file.content_sha256, str) else []
            hashes = hashes or file.content_sha256
            assert all(len(digest) == 64 for digest in [file.sha256, *hashes])
            assert len(set(hashes)) == len(hashes)
            assert file.sources or entry.format == "npz"  # made, not published
            urls = [source.url for source in file.sources]  # over plain http only as a last resort
            assert all(
                url.startswith("https://") or url.replace("http:", "https:", 1) in urls[:place]
                for place, url in enumerate(urls)
            )
    divided = {name: entry for name, entry in registry().items() if entry.divisions}
    assert set(divided) == ida | {"banana", "ringnorm"}
    for entry in divided.values():
        assert 0 < entry.training_rows < entry.rows
        if entry.format == "realisations_xlsx":
            assert len(entry.files) == 4 and set(entry.left_out) <= set(range(1, entry.blocks + 1))
            continue
        assert entry.divisions == tuple(range(1, 11)) and len(entry.files) == 1
        assert {"{part}", "{kind}", "{number}"} <= set(re.findall(r"{\w+}", entry.members))


def publisher(url):
    parts = urlsplit(url)
    if "github" in parts.netloc:  # one of them goes without the others
        return "/".join(parts.path.split("/")[1:3])
    return parts.netloc


def test_sets_have_two_independent_sources_but_for_these():
    few = {}
    for name, entry in registry().items():
        for file in entry.files:
            count = len({publisher(source.url) for source in file.sources})
            if count < 2:
                few[name] = count
    assert few == {"ida_diabetis": 1, "ida_thyroid": 1, "kin32fh": 1, "rcv1_k500": 1, "unipen": 0}
    for name in few:  # the registry says so, and what happens without it
        (note,) = (n for n in registry()[name].notes if re.match(r"No (second )?source ", n))
        assert "records and verdicts stay, live runs use the substitute" in note


def test_the_collection_is_read_only_with_its_hash():
    sources = [s for e in registry().values() for f in e.files for s in f.sources]
    collection = [s for s in sources if s.url.endswith("/benchmarks.mat")]
    assert len(collection) == 5 and len({s.sha256 for s in collection}) == 1
    assert all((s.sha256 is not None) == (s in collection) for s in sources)


#: What is changed in the entry of heart, the field that the error names, what it says of it.
HASH = "f5f3b4204c285bafadd85cb735f38b47689f2be7047feb172dcbeab648110bf9"
FAULTS = {
    "missing hash": (f"      sha256: {HASH}\n", "", "heart.files.0.sha256", "is missing"),
    "cut hash": (HASH, HASH[:-1], "heart.files.0.sha256", "should match pattern"),
    "unknown format": ("  rows: 270\n", "  rows: 270\n  format: csv\n", "heart.format", "'table'"),
    "wrong class code": ("{codes: [2],", "{codes: [3],", "heart", "some of the classes"),
    "unknown check": (
        "checked: content",
        "checked: seen",
        "heart.files.0.sources.2.checked",
        "'content'",
    ),
    "no word on handing on": ("  redistribution: allowed\n", "", "heart.redistribution", "missing"),
    "unknown substitute": ("substitute: breast_cancer", "substitute: iris", "heart", "one of"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_field_is_an_error_with_its_line(fault, tmp_path):
    old, new, field, reason = FAULTS[fault]
    text = REGISTRY.read_text(encoding="utf-8")
    start, end = text.index("\nheart:"), text.index("\nbanana:")
    changed = text[start:end].replace(old, new)
    assert changed != text[start:end]
    path = tmp_path / "registry.yml"
    path.write_text(text[:start] + changed + text[end:], encoding="utf-8")
    with pytest.raises(SchemaError) as caught:
        read_registry(path)
    message = str(caught.value)
    where = rf"^{re.escape(str(path))}, line (\d+), {re.escape(field)}: .*{reason}"
    line = re.search(where, message, re.MULTILINE)
    assert line and message.endswith("install it anew.")
    assert text[:start].count("\n") + 2 <= int(line[1]) <= text[:end].count("\n") + 2


def test_the_registry_needs_no_numerical_library():
    heavy = "numpy", "scipy", "sklearn", "pandas", "pooch"
    code = (
        "import sys; from transductive_compendium.datasets.registry import registry; "
        f"registry(); print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
