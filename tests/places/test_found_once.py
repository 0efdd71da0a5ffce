"""What a knowledge base knows of where one works: found once, and of another folder by `at`."""

from dataclasses import replace
from pathlib import Path

import pytest

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from tests.conftest import git
from tests.store.commits.test_beside_people import take_out
from tests.store.writing import write


@pytest.fixture
def repositories(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("shop", "till"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
    return tmp_path / "shop", tmp_path / "till"


def opened(folder: Path) -> KnowledgeBase:
    return open_kb(replace(process_environment(), cwd=folder))


def test_the_project_and_the_filter_are_those_of_the_folder_it_was_opened_in(repositories):
    shop, till = repositories
    kb = opened(shop)
    assert kb.at(shop) is kb
    assert (kb.project.name, kb.at(till).project.name) == ("shop", "till")
    assert kb.redactor.line(f"see {shop}/a.py") == "see shop/a.py"


def test_opened_in_another_folder_its_filter_still_knows_the_one_before(repositories):
    shop, till = repositories
    there = opened(shop).at(till)
    assert there.redactor.line(f"{shop}/a.py and {till}/b.py") == "shop/a.py and till/b.py"


def test_an_empty_or_relative_folder_is_not_looked_for_from_where_the_process_runs(
    repositories, monkeypatch
):
    shop, till = repositories
    (shop / "src").mkdir()
    monkeypatch.chdir(till)
    kb = opened(shop)
    assert kb.at(Path()) is kb
    assert kb.at(Path("src")).place == kb.place
    assert kb.at(Path("src")).redactor.line(f"{till}/b.py") != "till/b.py"


def test_a_folder_in_no_repository_has_a_project_and_no_place(tmp_path):
    (tmp_path / "loose").mkdir()
    kb = opened(tmp_path / "loose")
    assert (kb.project.name, kb.place) == ("loose", None)


def test_what_was_lost_is_put_back_and_told_of_at_each_question_of_a_command(repositories):
    shop, _ = repositories
    git(shop, "commit", "-q", "--allow-empty", "-m", "first")
    write(shop, "journal/sessions/a.md")
    take_out(shop, "journal/sessions/a.md")
    kb = KnowledgeBase(shop, opened(shop).config, process_environment())
    for _ in range(2):
        problems = kb.with_index(lambda index: index.problems())
        assert [one.path for one in problems if one.path == "HEAD"] == ["HEAD"]
