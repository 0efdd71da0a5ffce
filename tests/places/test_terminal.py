"""`calmkb init` and `init --undo` at a terminal: four questions, a plan, a yes."""

import os

import pexpect
import pytest

from calmkb.system.journal_place import JOURNAL_BRANCH, WORK_TREE
from tests.places.test_init import tree
from tests.warm import at_terminal


@pytest.fixture
def terminal(person, home):
    """Return somebody with a clone, and a function that starts calmkb at their terminal."""
    ada = person("ada")
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}

    def start(*args):
        return at_terminal(*args, folder=ada.clone, env=env, dimensions=(60, 200))

    return ada, start


def test_four_questions_with_defaults_a_plan_and_a_yes(terminal, home):
    ada, start = terminal
    (home / ".codex").mkdir()
    (ada.clone / "AGENTS.md").write_text("# Ours\n")
    before = tree(ada.clone)
    child = start("init")
    child.expect_exact("Where (branch, here, beside) [branch]: ")
    child.sendline("")
    child.expect_exact("Agents [codex]: ")
    child.sendline("codex, claude-code")
    child.expect_exact("Name of the site [storefront]: ")
    child.sendline("The  storefront team")
    child.expect_exact("Share [no]: ")
    child.sendline("origin")
    child.expect_exact(f"make  the branch {JOURNAL_BRANCH} with calmkb.toml")
    child.expect_exact("push  it to origin")
    child.expect_exact("Write this? [Y/n]: ")
    assert not (ada.clone / ".git" / WORK_TREE).exists()
    child.sendline("")
    child.expect_exact("Shared with origin.")
    child.expect(pexpect.EOF)
    assert 'targets = ["agents-md"]' in ada.git("show", f"{JOURNAL_BRANCH}:calmkb.toml")
    assert 'site_name: "The storefront team"' in ada.git("show", f"{JOURNAL_BRANCH}:mkdocs.yml")
    assert JOURNAL_BRANCH in ada.git("ls-remote", "origin")
    assert tree(ada.clone) == before


def test_a_no_writes_nothing(terminal):
    ada, start = terminal
    child = start("init", "--place", "here", "--agent", "codex", "--share", "no")
    child.expect_exact("Name of the site [storefront]: ")
    child.sendline("")
    child.expect_exact(f"make  {ada.clone / 'calmkb.toml'}")
    child.expect_exact("Write this? [Y/n]: ")
    child.sendline("n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus != 0
    assert ada.git("status", "--porcelain") == ""


def test_flags_answer_the_questions(terminal):
    ada, start = terminal
    child = start("init", "--place", "beside", "--agent", "claude-code", "--share", "no", "--yes")
    child.expect_exact("Next: calmkb wrapup")
    child.expect(pexpect.EOF)
    assert ada.clone.with_name("storefront-journal").is_dir()


def test_it_is_taken_out_after_a_yes(terminal):
    ada, start = terminal
    ada.calm("init")
    ada.calm("memory", "add", "Run the tests with Docker up.", "--category", "workflow")
    ada.calm("export")
    child = start("init", "--undo")
    child.expect_exact("Take this out? [y/N]: ")
    child.sendline("")
    child.expect(pexpect.EOF)
    assert (ada.clone / "CLAUDE.md").exists()
    child = start("init", "--undo")
    child.expect_exact("Take this out? [y/N]: ")
    child.sendline("y")
    child.expect_exact("Done.")
    child.expect(pexpect.EOF)
    assert not (ada.clone / "CLAUDE.md").exists()
