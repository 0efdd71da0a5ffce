"""A memory of this project that names what is not here is told, and not exported."""

import json

import pytest

from tests.cli.conftest import cli, project
from tests.conftest import git

__all__ = ["cli", "project"]


@pytest.fixture
def add(project, cli):
    """Return a function that approves a memory of this project and gives its id."""

    def added(text: str) -> str:
        done = cli("memory", "add", "--category", "fact", "--scope", "shop", text)
        assert done.code == 0, done.err
        rows = json.loads(cli("memory", "list", "--json").out)["memories"]
        return str(next(row["id"] for row in rows if row["text"] == text))

    for path, text in {
        "src/payments/client.ts": "export function refund() {}\n" * 9,
        "Makefile": "up:\n\tdocker compose up\n",
    }.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    git(project, "add", ".")
    git(project, "commit", "-qm", "Begin the shop", "--date=2020-01-01T00:00:00Z")
    return added


def found(cli):
    rows = json.loads(cli("check", "--format", "json").out)["findings"]
    return [row["message"] for row in rows if row["rule"] == "outdated-memory"]


def test_a_file_that_never_was_there_is_told(add, cli):
    identity = add("The refund client lives in src/payments/refunds.ts; call refund() there.")
    [message] = found(cli)
    assert "names `src/payments/refunds.ts`, which is not here" in message
    assert f"calmkb memory edit {identity[:8]}" in message


def test_a_file_of_a_folder_that_never_was_there_is_told_too(add, cli):
    add("The ledger lives in src/ledger/book.ts; call post() there.")
    add("The formula is in homebrew-tap/shop.rb of the tap.")
    [message] = found(cli)
    assert "names `src/ledger/book.ts`, which is not here" in message


def test_a_file_that_is_gone_keeps_a_memory_out_of_the_digest(add, project, cli):
    add("Refunds go through `src/payments/client.ts`.")
    add("Amounts are whole pennies.")
    assert found(cli) == []
    assert "client.ts" in cli("export", "--file", "-").out
    git(project, "rm", "-q", "src/payments/client.ts")
    git(project, "commit", "-qm", "Drop refunds")
    assert "is gone (" in found(cli)[0]
    assert "Drop refunds" in found(cli)[0]
    shown = cli("export", "--file", "-").out
    assert "client.ts" not in shown
    assert "whole pennies" in shown
    assert "`src/payments/client.ts` is gone" in cli("export", "--explain").out


def test_a_file_that_moved_is_named_and_the_memory_stays(add, project, cli):
    add("Refunds go through `src/payments/client.ts`.")
    git(project, "mv", "src/payments", "src/billing")
    git(project, "commit", "-qm", "Call it billing")
    assert "is now `src/billing/client.ts`" in found(cli)[0]
    assert "client.ts" in cli("export", "--file", "-").out


def test_a_memory_of_another_project_is_not_asked_about(add, project, cli):
    cli("memory", "add", "--category", "fact", "--scope", "other", "See src/payments/none.ts.")
    assert found(cli) == []


def test_what_is_not_here_is_told_when_it_is_added_and_by_the_check(add, project, cli):
    words = "The payment client lives in src/payments/none.ts; call refund() there."
    done = cli("memory", "add", "--category", "fact", words)
    assert ": names `src/payments/none.ts`, which is not here" in done.err
    assert "names `src/payments/none.ts`, which is not here" in found(cli)[0]


@pytest.mark.parametrize("glob", ["src/**/*.{js,ts}", "src/{payments,ledger}/client.ts"])
def test_one_of_several_endings_or_folders_is_enough(add, cli, glob):
    assert cli("memory", "add", "Refunds are in cents.", "--path", glob).code == 0
    assert found(cli) == []
    assert (
        cli("memory", "add", "Open the drawer by key.", "--path", glob.replace("t", "x")).code == 0
    )
    assert len(found(cli)) == 1
