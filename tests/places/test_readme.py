"""The README that a journal shows on its git host to somebody without calmkb."""

import json
import re

import pytest
from markdown_it import MarkdownIt

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.wings.sharing.verbs.readme import renew_readme
from tests.conftest import git

README = "README.md"


@pytest.fixture
def pair(person):
    """Return two people whose clones share a journal on a branch of its own."""
    ada, bob = person("ada"), person("bob")
    ada.calm("init", "--place", "branch")
    ada.calm("wrapup", "--summary", "Began the till.")
    ada.calm("sync")
    bob.git("fetch", "-q")
    return ada, bob


def journal(who):
    return who.clone / ".git/calmkb/journal"


def readme(who, path=README):
    place = journal(who) / path
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def on_host(host, path=README, branch="calmkb-journal"):
    return git(host, "show", f"{branch}:{path}")


def test_a_journals_branch_shows_its_newest_memories_and_sessions_on_the_host(pair, host):
    ada, _ = pair
    ada.calm("memory", "add", "Round prices up.", "--category", "decision")
    for number in range(11):
        ada.calm("wrapup", "--summary", f"Wrote shelf {number}.")
    ada.calm("sync")
    shown = on_host(host)
    assert shown == readme(ada)
    assert "## Decisions" in shown and "Round prices up." in shown
    newest = json.loads(ada.calm("session", "list", "--json", "--limit", "10"))["entries"]
    assert re.findall(r"Wrote \w+ \d+\.|Began the till\.", shown) == [
        one["summary"] for one in newest
    ]
    links = re.findall(r"\]\(([^)]+)\)", shown)
    assert len(links) > 11
    assert [link for link in links if not (journal(ada) / link).exists()] == []


def test_it_goes_in_the_same_push_is_not_counted_and_is_made_once(pair, host):
    ada, bob = pair
    assert bob.calm("sync") == "origin: pulled 0, pushed 0\n"
    ada.calm("wrapup", "--summary", "Wrote the shelf.")
    assert ada.calm("sync") == "origin: pulled 0, pushed 1\n"
    assert "Wrote the shelf." in on_host(host)
    assert bob.calm("sync", "--dry-run") == "origin: would pull 1, push 0\n"
    assert bob.calm("sync") == "origin: pulled 1, pushed 0\n"
    before = git(host, "rev-parse", "calmkb-journal")
    for who in pair:
        assert who.calm("sync") == "origin: pulled 0, pushed 0\n"
    assert git(host, "rev-parse", "calmkb-journal") == before
    assert git(journal(ada), "status", "--porcelain") == ""


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("read", [1, 2])
def test_a_record_that_comes_or_goes_while_it_is_made_is_no_fault(pair, tmp_path, there, read):
    ada, _ = pair
    ada.calm("memory", "add", "Round prices up.", "--category", "decision")
    git(journal(ada), "rm", "-rq", "journal/memories")
    git(journal(ada), "commit", "-qm", "Retire all")
    if there:
        git(journal(ada), "revert", "--no-edit", "HEAD")

    class Beside(KnowledgeBase):
        """A knowledge base whose owner reverts a commit after one read of it."""

        def with_index(self, ask, **more):
            found = super().with_index(ask, **more)
            reads.append(ask)
            if len(reads) == read:
                git(self.root, "revert", "--no-edit", "HEAD")
            return found

    reads, place = [], Environment(home=tmp_path, cwd=ada.clone)
    kb = Beside(journal(ada), open_kb(place, option=str(journal(ada))).config, place)
    renew_readme(kb, README)
    assert "Began the till" in readme(ada)


def test_two_clones_that_wrote_apart_make_it_anew_and_never_conflict(pair, host):
    ada, bob = pair
    bob.calm("sync")
    ada.calm("wrapup", "--summary", "Wrote the shelf.")
    bob.calm("wrapup", "--summary", "Wrote the door.")
    address = ada.git("remote", "get-url", "origin").strip()
    bob.git("remote", "set-url", "--push", "origin", "/nowhere.git")
    assert bob.attempt("sync").code == 1  # his README is committed, and waits
    bob.git("remote", "set-url", "--push", "origin", address)
    ada.calm("sync")
    assert bob.calm("sync") == "origin: pulled 1, pushed 1\n"
    assert ada.calm("sync") == "origin: pulled 1, pushed 0\n"
    assert readme(ada) == readme(bob) == on_host(host)
    assert "Wrote the shelf." in readme(ada) and "Wrote the door." in readme(ada)
    assert [one.name for one in journal(ada).glob("README*")] == [README]


def test_a_merge_on_the_host_is_taken_into_it(pair, host, tmp_path):
    ada, bob = pair
    bob.calm("memory", "add", "Lock the door.", "--category", "workflow")
    bob.calm("sync")
    git(tmp_path, "clone", "-q", "-b", "calmkb-journal", str(host), "web")
    (path,) = (tmp_path / "web").rglob("*lock-the-door*.md")
    path.write_text(path.read_text().replace("Lock the door.", "Lock both doors."))
    git(tmp_path / "web", "commit", "-qam", "Merge pull request 7")
    git(tmp_path / "web", "push", "-q")
    assert ada.calm("sync") == "origin: pulled 2, pushed 0\n"
    assert "Lock both doors." in on_host(host)
    assert "Lock both doors." in readme(ada)


def test_a_readme_of_a_persons_is_left_alone(pair, host):
    ada, _ = pair
    (journal(ada) / README).write_text("Ask Ada.\n")
    ada.calm("wrapup", "--summary", "Wrote the shelf.")
    assert ada.calm("sync") == "origin: pulled 0, pushed 1\n"  # not committed yet, and kept
    assert readme(ada) == "Ask Ada.\n"
    git(journal(ada), "commit", "-qam", "Write our own")
    ada.calm("wrapup", "--summary", "Wrote the door.")
    assert ada.calm("sync") == "origin: pulled 0, pushed 2\n"
    assert on_host(host) == readme(ada) == "Ask Ada.\n"


def test_beside_code_it_is_the_readme_of_the_journals_folder(person, host):
    ada = person("ada")
    (ada.clone / README).write_text("# The shop\n")
    ada.calm("init", "--place", "here")
    ada.git("add", ".")
    ada.git("commit", "-qm", "begin")
    ada.git("push", "-q")
    ada.calm("wrapup", "--summary", "Wrote the shelf.")
    ada.calm("sync")
    assert (ada.clone / README).read_text() == "# The shop\n"
    shown = on_host(host, "journal/README.md", "main")
    assert "Wrote the shelf." in shown and "](sessions/" in shown
    assert ada.git("status", "--porcelain") == ""


HOSTILE = (
    "[click](https://evil.example) <b>x</b> ![p](http://evil.example/i.png) "
    "https://evil.example/a`b www.evil.example @ada #12 ada@evil.example &#64;ada `x`\n"
    "https://evil.example |x| $x$"
)


def test_hostile_titles_are_text_and_lead_nowhere(pair, host):
    ada, _ = pair
    ada.calm("wrapup", "--summary", HOSTILE)
    ada.calm("memory", "add", HOSTILE, "--category", "fact")
    ada.calm("sync")
    shown = on_host(host)
    html = MarkdownIt("commonmark", {"html": True}).render(shown)
    assert "<b>" not in html and "<img" not in html
    targets = re.findall(r'href="([^"]*)"', html)
    assert [one for one in targets if not one.startswith("journal")] == []
    # What a host makes a link or a mention of is in code, where it makes none.
    outside_code = re.sub(r"<code>.*?</code>|<a[^>]*>", "", html)
    assert re.findall(r"@ada|#12|https?:|www|evil", outside_code) == []


def test_no_command_takes_it_for_a_record(pair):
    ada, _ = pair
    ada.calm("memory", "add", "Round prices up.", "--category", "decision")
    ada.calm("sync")
    assert "memory" in readme(ada).lower()
    assert "README" not in ada.calm("check")
    assert ada.calm("search", "newest") == "Nothing found.\n"
    ada.calm("export", "--file", "CLAUDE.md")
    assert "README" not in (ada.clone / "CLAUDE.md").read_text()
    ada.calm("site", "build")
    pages = journal(ada) / "site"
    assert not any("Made by" in page.read_text() for page in pages.rglob("*.html"))


def test_a_journal_in_a_repository_of_its_own_has_it_at_the_root(person, tmp_path):
    ada = person("ada")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "notes.git")
    ada.calm("init", "--place", "beside", "--share", str(tmp_path / "notes.git"))
    ada.calm("wrapup", "--summary", "Wrote the shelf.")
    ada.calm("sync")
    shown = on_host(tmp_path / "notes.git", branch="main")
    assert "Wrote the shelf." in shown and "](journal/sessions/" in shown
