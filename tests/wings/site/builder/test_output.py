"""The folder of a built site: what calmkb built is replaced, what it did not build is kept."""

import json
from pathlib import Path

import pytest

from calmkb.errors import CalmError
from calmkb.wings.site.builder.output import Output, output_at, scratch_beside

NOTHING: frozenset[str] = frozenset()


def publish(
    output: Output, files: dict[str, str], kept: frozenset[str] = NOTHING, **keys: str
) -> tuple[int, tuple[str, ...]]:
    """Publish `files` into the site; `keys` name files by their stem."""
    with scratch_beside(output.folder) as scratch:
        for path, text in files.items():
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            (scratch / path).write_text(text)
        found = output.publish(scratch, kept, {f"{name}.html": key for name, key in keys.items()})
    return found.changed, found.left


def site(tmp_path: Path, **options: bool) -> Output:
    return output_at(tmp_path / "site", tmp_path / "state", **options)


def tree(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({}, {"index.html": "1"}, 1),
        ({"index.html": "1"}, {"index.html": "1"}, 0),
        ({"index.html": "1"}, {"index.html": "2"}, 1),
        ({"index.html": "1", "a/b.html": "1"}, {"index.html": "1"}, 1),
        ({"index.html": "1"}, {"index.html": "1", "a/b.html": "1"}, 1),
        ({"a/b.html": "1"}, {"c/d.html": "1"}, 2),
    ],
)
def test_the_site_is_what_was_built_last(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], changed: int
) -> None:
    publish(site(tmp_path), before)

    assert publish(site(tmp_path), after) == (changed, ())
    assert tree(tmp_path / "site") == after
    assert [path.name for path in tmp_path.iterdir() if "building" in path.name] == []


def test_a_file_is_current_while_its_key_and_its_bytes_are_those_of_the_last_build(
    tmp_path: Path,
) -> None:
    publish(site(tmp_path), {"a.html": "1", "b.html": "1"}, a="k", b="")
    page = tmp_path / "site" / "a.html"

    assert site(tmp_path).is_current("a.html", "k")
    assert not site(tmp_path).is_current("a.html", "other")
    assert not site(tmp_path).is_current("b.html", ""), "it has no key"
    assert not site(tmp_path).is_current("missing.html", "k")
    assert not site(tmp_path, rebuild=True).is_current("a.html", "k")
    page.write_text("22")
    assert not site(tmp_path).is_current("a.html", "k")
    page.unlink()
    assert not site(tmp_path).is_current("a.html", "k")


def test_a_kept_file_that_somebody_changed_meanwhile_is_made_again_next_time(
    tmp_path: Path,
) -> None:
    publish(site(tmp_path), {"a.html": "1"}, a="k")
    (tmp_path / "site" / "a.html").write_text("changed after it was found current")
    publish(site(tmp_path), {"b.html": "1"}, frozenset({"a.html"}), a="k")

    assert not site(tmp_path).is_current("a.html", "k")


def test_a_list_of_files_written_by_an_earlier_version_still_says_what_is_ours(
    tmp_path: Path,
) -> None:
    publish(site(tmp_path), {"a.html": "1"}, a="k")
    record = site(tmp_path).record
    rows = json.loads(record.read_text())
    rows["files"] = {path: row[:2] for path, row in rows["files"].items()}
    record.write_text(json.dumps(rows))

    site(tmp_path).refuse_foreign()
    assert not site(tmp_path).is_current("a.html", "k")
    assert publish(site(tmp_path), {"b.html": "1"}) == (2, ())


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"files": 1}', '{"files": {"a": [1]}}', "[" * 10_000]
)
def test_a_broken_list_claims_nothing(tmp_path: Path, text: str) -> None:
    publish(site(tmp_path), {"index.html": "1"})
    site(tmp_path).record.write_text(text)

    assert site(tmp_path).files == {}
    with pytest.raises(CalmError, match="calmkb did not build"):
        site(tmp_path).refuse_foreign()


@pytest.mark.parametrize(
    ("foreign", "built"),
    [("guide", "guide/index.html"), ("a/b", "a"), ("index.html", "index.html")],
)
def test_a_file_of_somebody_else_in_the_way_is_refused(
    tmp_path: Path, foreign: str, built: str
) -> None:
    publish(site(tmp_path), {"old.html": "1"})
    path = tmp_path / "site" / foreign
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("theirs")

    with pytest.raises(CalmError, match="would be replaced"):
        publish(site(tmp_path), {built: "ours"})
    assert tree(tmp_path / "site") == {"old.html": "1", foreign: "theirs"}


def test_other_files_stay_and_hidden_ones_are_not_named(tmp_path: Path) -> None:
    publish(site(tmp_path), {"index.html": "1"})
    (tmp_path / "site" / "stray.txt").write_text("theirs")
    (tmp_path / "site" / ".nojekyll").write_text("")

    assert publish(site(tmp_path), {"index.html": "1"}) == (0, ("stray.txt",))
