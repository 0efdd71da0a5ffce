"""Records of every released format are read; a later format is named and left as it is."""

import json
from pathlib import Path

import pytest

from calmkb.documents import parse, render
from calmkb.errors import RecordError
from calmkb.store.index.records import pack
from tests.cli.conftest import cli, project  # noqa: F401 - fixtures

DATA = Path(__file__).parents[1] / "data/records"
"""`0.1` is as version 0.1 wrote it, before records named their format; `1` is today's."""
EXPECTED = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
FILES = [(form, path) for form in ("0.1", "1") for path in EXPECTED]


def text_of(form: str, path: str) -> str:
    return (DATA / form / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(("form", "path"), FILES)
def test_a_record_of_each_released_format_is_read_as_it_was_meant(form, path):
    read = json.loads(pack(parse(text_of(form, path), path), marked=False))
    # Fields that came later have their defaults.
    assert {name: read[name] for name in EXPECTED[path]} == EXPECTED[path]


@pytest.mark.parametrize(("form", "path"), FILES)
def test_writing_it_again_changes_nothing_but_the_format(form, path):
    again = render(parse(text_of(form, path), path))
    # The one heading that got another name; reflections are never written again by calmkb.
    old = text_of(form, path).replace("## Turned down", "## Rejected").splitlines()
    assert [line for line in again.splitlines() if line not in old] in ([], ["calmkb: 1"])
    assert [line for line in old if line not in again.splitlines()] == []


@pytest.mark.parametrize("path", EXPECTED)
def test_a_later_format_is_refused_with_its_number(path):
    with pytest.raises(RecordError, match=r"calmkb is 2: a later calmkb wrote it.*Upgrade calmkb"):
        parse(text_of("1", path).replace("calmkb: 1", "calmkb: 2"), path)


@pytest.mark.parametrize("value", ["one", "1.0", "-1", "'1 '", "99999999999999999999", "[1]"])
def test_a_format_that_is_no_number_is_a_named_fault(value):
    path = next(iter(EXPECTED))
    with pytest.raises(RecordError, match="calmkb"):
        parse(text_of("1", path).replace("calmkb: 1", f"calmkb: {value}"), path)


def test_beside_a_later_record_the_rest_is_read_and_the_digest_does_not_shrink(cli, project):  # noqa: F811
    for text in ("Use pnpm for every script.", "Deploy only from the main branch."):
        assert cli("memory", "add", text, "--category", "fact").code == 0
    assert cli("export").code == 0
    file = next((project / "journal/memories").rglob("*pnpm*.md"))
    later = file.read_text().replace("calmkb: 1", "calmkb: 2\nshape: round")
    file.write_text(later)
    listed = cli("memory", "list")
    assert "Deploy only" in listed.out
    assert "a later calmkb wrote it" in listed.err
    said = cli("export")
    assert (said.code, "Upgrade calmkb" in said.err) == (1, True)
    identity = file.read_text().split("id: ")[1].split("\n")[0]
    assert cli("memory", "edit", identity, "--text", "Use npm.").code == 1
    assert file.read_text() == later
