"""Work left to be continued, and taken up."""

import io
import json
import sys

from tests.conftest import git


def leave(cli, summary, *more):
    said = cli("wrapup", "continue", "--summary", summary, "--next", "Run it.", "--json", *more)
    return json.loads(said.out)["id"]


def test_what_was_left_waits_until_it_is_taken_up(project, cli):
    cli("wrapup", "--summary", "Done and dusted.", "--next", "Nothing.")
    identity = leave(cli, "Half way.")
    said = cli("session", "pending")
    assert said.out.startswith(f"{identity[:8]}  20")
    assert "shop: Half way.\n          - Run it.\n" in said.out
    assert "dusted" not in said.out
    taken = cli("session", "resume", identity[:6])
    assert taken.code == 0, taken.err
    assert "# Continue: shop\n\nHalf way.\n\n## Next steps\n\n- Run it.\n" in taken.out
    assert cli("session", "pending").out == "Nothing waits to be continued.\n"
    assert git(project, "log", "-1", "--format=%s") == f"resume(shop): {identity[:8]}\n"
    assert cli("check").code == 0


def test_the_entry_itself_is_not_rewritten(project, cli):
    identity = leave(cli, "Half way.")
    before = git(project, "rev-parse", "HEAD")
    cli("session", "resume", identity)
    changed = git(project, "diff", "--name-status", before.strip(), "HEAD")
    assert changed.startswith("A\tjournal/resumed/")
    assert len(changed.strip().split("\n")) == 1


def test_nothing_is_taken_up_twice_or_by_mistake(project, cli):
    identity = leave(cli, "Half way.")
    cli("session", "resume", identity)
    again = cli("session", "resume", identity)
    assert (again.code, "resumed already" in again.err) == (1, True)
    other = json.loads(cli("wrapup", "--summary", "x", "--json").out)["id"]
    assert "was not left to be continued" in cli("session", "resume", other).err
    assert "not found" in cli("session", "resume", "ffffffff").err


def test_pending_is_narrowed_by_project(project, cli):
    leave(cli, "Half way.")
    leave(cli, "Bank work.", "--project", "bank")
    listed = json.loads(cli("session", "pending", "--project", "Bank", "--json").out)
    assert [entry["summary"] for entry in listed["entries"]] == ["Bank work."]


def test_the_status_line_says_what_is_to_be_continued_here(project, cli, monkeypatch):
    said = json.dumps({"workspace": {"project_dir": str(project)}}).encode()

    def line():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said)))
        return cli("statusline").out

    assert line() == ""
    identity = leave(cli, "Half way through the coupon field.")
    assert line() == "continue: Half way through the coupon field.\n"
    cli("session", "resume", identity)
    assert line() == ""
