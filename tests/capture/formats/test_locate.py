import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.capture.history.locate import newest_transcript
from calmkb.capture.history.mapped_name import mapped_name
from calmkb.capture.history.sources import history_files


@pytest.mark.parametrize(
    ("directory", "name"),
    [
        ("/home/dev/my.proj_v1", "-home-dev-my-proj-v1"),
        ("/home/dev/über uns", "-home-dev--ber-uns"),
        ("C:\\code\\shop", "C--code-shop"),
        ("/a/\U0001f600", "-a---"),
    ],
)
def test_every_unit_that_is_no_letter_or_digit_becomes_a_dash(directory: str, name: str) -> None:
    assert mapped_name(directory) == name


def test_a_long_name_ends_in_the_hash_of_the_whole_path() -> None:
    # Java: "a".repeat(201).hashCode(), its absolute value in base 36.
    value = 0
    for _ in range(201):
        value = (31 * value + ord("a")) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >= 1 << 31 else value)
    head, _, tail = mapped_name("a" * 201).rpartition("-")
    assert head == "a" * 200
    assert int(tail, 36) == value


def test_200_characters_are_kept_whole() -> None:
    assert mapped_name("a" * 200) == "a" * 200


@given(st.text(max_size=400))
def test_a_mapped_name_is_plain_and_bounded(directory: str) -> None:
    name = mapped_name(directory)
    assert name.isascii()
    assert all(character.isalnum() or character == "-" for character in name)
    assert len(name) <= 200 + 1 + 6
    assert name == mapped_name(directory)


@given(st.text(alphabet="abc/._-", min_size=201, max_size=300), st.integers(0, 200))
def test_long_paths_with_the_same_beginning_get_different_names(path: str, place: int) -> None:
    other = f"{path}x"
    assert mapped_name(path) != mapped_name(other)


def make(home: Path, directory: Path, *names: str) -> Path:
    folder = home / "projects" / mapped_name(str(directory.resolve()))
    folder.mkdir(parents=True)
    for time, name in enumerate(names, 1):
        (folder / name).write_text("{}")
        os.utime(folder / name, (time, time))
    return folder


def test_the_newest_session_wins_and_sub_agents_are_passed_over(tmp_path: Path) -> None:
    folder = make(tmp_path / ".claude", tmp_path, "old.jsonl", "new.jsonl", "agent-1.jsonl")
    assert newest_transcript(tmp_path, home=tmp_path, env={}) == folder / "new.jsonl"


def test_the_clients_own_setting_moves_the_folder(tmp_path: Path) -> None:
    folder = make(tmp_path / "elsewhere", tmp_path, "a.jsonl")
    env = {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}
    assert newest_transcript(tmp_path, home=tmp_path, env=env) == folder / "a.jsonl"


def test_a_symbolic_link_is_resolved_first(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    folder = make(tmp_path / ".claude", real, "a.jsonl")
    assert newest_transcript(link, home=tmp_path, env={}) == folder / "a.jsonl"


def test_there_is_none_where_nothing_was_recorded(tmp_path: Path) -> None:
    assert newest_transcript(tmp_path, home=tmp_path, env={}) is None
    assert newest_transcript(Path("a\0b"), home=tmp_path, env={}) is None
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert newest_transcript(loop, home=tmp_path, env={}) is None


def test_a_session_that_began_elsewhere_in_the_repository_is_found(tmp_path: Path) -> None:
    top, home = tmp_path / "shop", tmp_path / "home"
    beside = tmp_path / "shop-web"
    for place in (top / "pkg/web", top / "docs", beside):
        place.mkdir(parents=True)
    folder = make(home / ".claude", top / "docs", "a.jsonl")
    said = {"type": "user", "message": {"role": "user", "content": "Fix the build."}}
    (folder / "a.jsonl").write_text(json.dumps(said | {"cwd": f"{top}/docs"}))
    other = make(home / ".claude", beside, "b.jsonl")
    (other / "b.jsonl").write_text(json.dumps(said | {"cwd": str(beside)}))
    os.utime(other / "b.jsonl", (99, 99))
    found = newest_transcript(top / "pkg/web", home=home, env={}, top=top)
    assert found == folder / "a.jsonl"
    assert newest_transcript(top / "pkg/web", home=home, env={}) is None
    (top / "web").mkdir()  # its name is that of the folder beside
    assert newest_transcript(top / "web", home=home, env={}, top=top) == folder / "a.jsonl"


@pytest.mark.parametrize("setting", ["{0}/a,{0}/b", "{0}/a, {0}/b", "{0}/b", "{0}/a, ~/b", None])
def test_every_folder_of_the_client_is_looked_into(tmp_path: Path, setting: str | None) -> None:
    env = {"CLAUDE_CONFIG_DIR": setting.format(tmp_path)} if setting else {}
    folder = make(tmp_path / "b" if setting else tmp_path / ".config/claude", tmp_path, "s.jsonl")
    (tmp_path / "a/projects").mkdir(parents=True)
    assert newest_transcript(tmp_path, home=tmp_path, env=env) == folder / "s.jsonl"
    assert history_files("claude", None, tmp_path, env) == [folder / "s.jsonl"]


def test_a_linked_folder_of_sessions_is_looked_into_once(tmp_path: Path) -> None:
    folder = make(tmp_path / ".claude", tmp_path, "s.jsonl")
    folder.rename(tmp_path / "kept")
    (tmp_path / ".claude/projects/one").symlink_to(tmp_path / "kept")
    (tmp_path / ".claude/projects/two").symlink_to(tmp_path / "kept")
    (tmp_path / "kept/loop").symlink_to(tmp_path / ".claude/projects")
    (found,) = history_files("claude", None, tmp_path, {})
    assert found.name == "s.jsonl"
