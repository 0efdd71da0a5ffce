"""What runs on a git host: this project's workflows, and those that `calmkb init` makes."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.kb.project.install_source import UNKNOWN
from calmkb.system.install_source import Source, source_in
from calmkb.templating import render_template
from tests.conftest import git
from tests.warm import programs_in

COMMIT = "0123456789abcdef" * 2 + "01234567"
PINNED = f'pip install "calmkb @ git+https://git.example.org/team/calmkb.git@{COMMIT}"'
WORKFLOWS = Path(__file__).parents[2] / ".github/workflows"
SCAFFOLDED = {
    f"{name} in {folder or 'the top'}, {how}": render_template(
        f"scaffold/{name}.yml.j2", folder=folder, journal="journal", install=install
    )
    for name in ("journal", "site", "week")
    for folder in ("", "team/kb/")
    for how, install in (("pinned", PINNED), ("unknown", UNKNOWN))
}
TEXTS = {path.name: path.read_text("utf-8") for path in sorted(WORKFLOWS.glob("*.yml"))}
TEXTS |= SCAFFOLDED
PUBLISHING = [name for name in TEXTS if name.startswith("site")]


def jobs(text: str) -> dict[str, Any]:
    return yaml.safe_load(text)["jobs"]


def steps(text: str) -> list[dict[str, Any]]:
    return [step for job in jobs(text).values() for step in job["steps"]]


def triggers(text: str) -> set[str]:
    return set(yaml.safe_load(text)[True])  # YAML 1.1 reads `on` as a truth value


def test_there_are_workflows_to_look_at():
    assert {"ci.yml", "journal.yml", "release.yml", "site.yml"} <= set(TEXTS)
    assert len(SCAFFOLDED) == 12


@pytest.mark.parametrize("name", TEXTS)
def test_every_action_is_pinned_to_a_commit_and_says_its_version(name):
    used = re.findall(r"uses: (.*)", TEXTS[name])
    assert used
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_one_action_has_one_version_everywhere():
    pins = {line for text in TEXTS.values() for line in re.findall(r"uses: (.*)", text)}
    assert len(pins) == len({pin.partition("@")[0] for pin in pins})


@pytest.mark.parametrize("name", TEXTS)
def test_a_workflow_may_read_and_no_more_and_ends_by_itself(name):
    assert yaml.safe_load(TEXTS[name])["permissions"] == {"contents": "read"}
    assert all(0 < job["timeout-minutes"] <= 60 for job in jobs(TEXTS[name]).values())


@pytest.mark.parametrize("name", TEXTS)
def test_a_pull_request_from_a_fork_gets_no_secret_and_steers_no_shell(name):
    assert triggers(TEXTS[name]) <= {"push", "pull_request", "schedule", "workflow_dispatch"}
    assert "secrets." not in TEXTS[name]
    for step in steps(TEXTS[name]):
        assert "${{" not in step.get("run", "")
        if "actions/checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_the_jobs_of_a_week_may_write_what_they_open_and_nothing_else():
    (text,) = {text for name, text in TEXTS.items() if name == "week in the top, pinned"}
    assert triggers(text) == {"schedule", "workflow_dispatch"}, "no pull request starts it"
    assert jobs(text)["week"]["permissions"] == {"contents": "read", "issues": "write"}
    written = {"contents": "write", "pull-requests": "write"}
    assert jobs(text)["proposals"]["permissions"] == written


@pytest.mark.skipif(sys.platform == "win32", reason="the workflow's shell is a POSIX one")
@pytest.mark.parametrize("days", [7, 30])
def test_a_week_with_records_opens_one_issue_and_one_without_opens_none(
    tmp_path, cli, monkeypatch, days
):
    monkeypatch.chdir(tmp_path)
    assert cli("init", "--weekly", "kb").code == 0
    ended = datetime.now(UTC).replace(microsecond=0) - timedelta(days=days)
    said = WrapUp(summary="Worked.", next_steps=("Ask @bob for the key.",), ended_at=ended)
    wrap_up(*prepare(open_kb(process_environment(), option="kb"), said))
    text = (tmp_path / "kb/.github/workflows/calmkb-week.yml").read_text()
    (step,) = [step for step in steps(text) if step.get("name") == "Open the issue"]
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tools}/asked"\n')
    (tools / "gh").chmod(0o755)
    path = os.pathsep.join((str(tools), str(programs_in(tmp_path / "bin")), os.environ["PATH"]))
    done = subprocess.run(["sh", "-e", "-c", step["run"]], cwd=tmp_path / "kb",
                          env={**os.environ, "PATH": path, "RUNNER_TEMP": str(tmp_path)},
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tools / "asked").exists() is (days == 7)
    if days == 7:
        assert "(week 20" in (tools / "asked").read_text().partition("--title\n")[2].split("\n")[0]
        assert "`@bob`" in (tmp_path / "week.md").read_text()


GH = """#!/bin/sh
case "$1 $2" in
  "pr list") cat {tools}/open ;;
  "pr create") printf "%s\\n" "$@" > {tools}/asked; echo https://git.example.org/pull/7 ;;
esac
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the workflow's shell is a POSIX one")
@pytest.mark.parametrize(("said", "opened", "asks"), [
    ("Use pnpm for every script.", "fix-the-till\n", True),
    ("Use pnpm for every script.", "calmkb/reflect-20261019-1a2b3c4d\n", False),
    ("", "", False),
])  # fmt: skip
def test_a_week_opens_a_pull_request_where_something_waits_and_none_is_open(
    tmp_path, cli, monkeypatch, said, opened, asks
):
    monkeypatch.chdir(tmp_path)
    assert cli("init", "--weekly", "kb").code == 0
    given = WrapUp(summary="Worked.", learnings=(said,) if said else ())
    wrap_up(*prepare(open_kb(process_environment(), option="kb"), given))
    git(tmp_path, "init", "-q", "--bare", "there.git")
    kb = tmp_path / "kb"
    git(kb, "remote", "add", "origin", str(tmp_path / "there.git"))
    git(kb, "push", "-q", "-u", "origin", "HEAD")
    text = (kb / ".github/workflows/calmkb-week.yml").read_text()
    (step,) = [step for step in steps(text) if step.get("name") == "Open the pull request"]
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "open").write_text(opened)
    (tools / "gh").write_text(GH.format(tools=tools))
    (tools / "gh").chmod(0o755)
    path = os.pathsep.join((str(tools), str(programs_in(tmp_path / "bin")), os.environ["PATH"]))
    env = {**os.environ, **step["env"], "PATH": path}
    done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=kb, env=env,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tools / "asked").exists() is asks
    pushed = git(kb, "ls-remote", "--heads", "origin", "calmkb/reflect-*")
    assert bool(pushed) is asks


@pytest.mark.parametrize("name", SCAFFOLDED)
def test_what_init_makes_installs_one_commit_of_calmkb_or_fails_and_says_why(name):
    found = [step["run"] for step in steps(TEXTS[name]) if step.get("name") == "Install calmkb"]
    assert found
    for command in found:
        if "pinned" in name:
            assert command.strip() == PINNED
        else:
            done = subprocess.run(["sh", "-e", "-c", command], capture_output=True, text=True,
                                  check=False)  # fmt: skip
            assert (done.returncode, done.stdout) == (1, "")
            assert "Put calmkb's repository and a full commit of it here" in done.stderr
    known = {PINNED, *UNKNOWN.splitlines()}
    lines = [line for step in steps(TEXTS[name]) for line in step.get("run", "").splitlines()]
    assert [line for line in lines if "pip install" in line and line.strip() not in known] == []


@pytest.mark.parametrize("name", SCAFFOLDED)
def test_what_init_makes_runs_only_where_records_or_the_site_changed(name):
    folder = "team/kb/" if "team" in name else ""
    if name.startswith("week"):
        return
    known = {f"{folder}journal/**", f"{folder}calmkb.toml"}
    if name.startswith("site"):
        known |= {f"{folder}docs/**", f"{folder}mkdocs.yml"}
    on = yaml.safe_load(TEXTS[name])[True]
    for event in ("push", "pull_request"):
        assert set(on[event]["paths"]) == known


def test_what_pip_noted_names_the_source(tmp_path):
    pinned = {"vcs": "git", "commit_id": COMMIT}
    good = {"url": "https://git.example.org/calmkb.git", "vcs_info": pinned}
    assert source_in(json.dumps(good)).repository == (
        f"git+https://git.example.org/calmkb.git@{COMMIT}"
    )
    for wrong in (
        "", "[]", "{", json.dumps({"url": "file:///srv/calmkb", "dir_info": {"editable": True}}),
        json.dumps(good | {"url": "file:///srv/calmkb"}),
        json.dumps(good | {"url": "https://me:secret@git.example.org/calmkb.git"}),
        json.dumps(good | {"url": 'https://git.example.org/x"; curl evil'}),
        json.dumps(good | {"vcs_info": {"commit_id": "main"}}),
    ):  # fmt: skip
        assert source_in(wrong).repository == ""


def test_a_checkout_and_a_wheel_are_named_by_their_path():
    wheel = {"url": "file:///srv/my%20wheels/calmkb.whl", "archive_info": {}}
    assert source_in(json.dumps(wheel)) == Source(path="/srv/my wheels/calmkb.whl")
    checkout = {"url": "file:///srv/calmkb", "dir_info": {"editable": True}}
    assert source_in(json.dumps(checkout)) == Source(path="/srv/calmkb", editable=True)


def test_nothing_that_is_written_or_documented_installs_a_name_that_anybody_could_register():
    top = WORKFLOWS.parents[1]
    folders = ("calmkb", "docs", "plugin", "templates", "changes", ".github")
    files = [path for name in folders for path in (top / name).rglob("*") if path.is_file()]
    bare = re.compile(
        r"(?:pip|pipx|uv tool|uv pip) install (?:-\S+ )*"
        r"['\"]?calmkb(?:\[\w+\])?(?![\w\[])['\"]?(?! @)"
        r"|uvx (?:\[?[\w-]+\]? )*calmkb|uvx calmkb"
    )
    # What came from an index has that name there: its extras do too.
    known = {"calmkb/system/install_source.py"}
    found = {
        path.relative_to(top).as_posix()
        for path in [*files, top / "README.md", top / "CONTRIBUTING.md"]
        if path.suffix in {".py", ".md", ".j2", ".yml", ".json", ".toml"}
        and bare.search(path.read_text("utf-8").replace("uvx --from . calmkb", ""))
    }
    assert found <= known


def test_only_the_job_that_publishes_may_sign_and_it_runs_no_code_of_the_repository():
    found = jobs(TEXTS["release.yml"])
    assert "permissions" not in found["build"]
    assert found["publish"]["permissions"] == {"id-token": "write", "attestations": "write"}
    assert found["publish"]["if"] == "github.event_name == 'push'"
    assert found["publish"]["needs"] == "build"
    assert found["publish"]["environment"] == {"name": "pypi"}
    assert not any("run" in step or "checkout" in step["uses"]
                   for step in found["publish"]["steps"])  # fmt: skip
    on = yaml.safe_load(TEXTS["release.yml"])[True]
    assert on["push"] == {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}


@pytest.mark.parametrize("name", PUBLISHING)
def test_only_the_job_that_deploys_may_write_and_it_runs_nothing_else(name):
    found = jobs(TEXTS[name])
    writing = {
        job: told["permissions"]
        for job, told in found.items()
        if "write" in told.get("permissions", {}).values()
    }
    assert writing == {"deploy": {"pages": "write", "id-token": "write"}}
    (step,) = found["deploy"]["steps"]
    assert "actions/deploy-pages@" in step["uses"]
    assert found["deploy"]["if"] == "github.ref == 'refs/heads/main'"
    assert found["deploy"]["needs"] == "build"


@pytest.mark.parametrize("name", PUBLISHING)
def test_a_pull_request_is_built_for_download_and_never_deployed(name):
    found = jobs(TEXTS[name])
    assert found["build"]["if"] == "github.event_name != 'pull_request'"
    assert found["preview"]["if"] == "github.event_name == 'pull_request'"
    assert "permissions" not in found["preview"]
    (build,) = [s["run"] for s in found["build"]["steps"] if "site build" in s.get("run", "")]
    (preview,) = [s["run"] for s in found["preview"]["steps"] if "site build" in s.get("run", "")]
    assert preview == build.replace("--strict", "--strict --offline")
    assert "actions/upload-artifact@" in found["preview"]["steps"][-1]["uses"]


@pytest.mark.skipif(sys.platform == "win32", reason="the workflow's shell is a POSIX one")
def test_the_steps_build_the_site_from_what_a_runner_checks_out(tmp_path, cli, monkeypatch):
    """A runner has one commit, and of a pull request no branch."""
    monkeypatch.chdir(tmp_path)
    assert cli("init", "--pages", "kb").code == 0
    assert cli("--kb", "kb", "wrapup", "--summary", "The lamp was fixed.").code == 0
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "kb").as_uri(), "checkout")
    checkout = tmp_path / "checkout"
    git(checkout, "checkout", "-q", "--detach")
    (step,) = [
        step
        for step in jobs((checkout / ".github/workflows/calmkb-site.yml").read_text())["build"][
            "steps"
        ]
        if "site build" in step.get("run", "")
    ]
    assert step["env"] == {"SITE_URL": "${{ steps.pages.outputs.base_url }}"}
    path = os.pathsep.join((str(programs_in(tmp_path / "bin")), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "RUNNER_TEMP": str(tmp_path / "temp"),
                   "SITE_URL": "https://team.example.org/kb"}  # fmt: skip
    done = subprocess.run(["sh", "-c", step["run"]], cwd=checkout, env=environment,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    home = (tmp_path / "temp/site/index.html").read_text("utf-8")
    assert '<link rel="canonical" href="https://team.example.org/kb/"' in home
    assert "The lamp was fixed." in (tmp_path / "temp/site/sessions/index.html").read_text("utf-8")
