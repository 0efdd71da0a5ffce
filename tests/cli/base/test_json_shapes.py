"""What `--json` prints: an object with its version, as the published schemas say."""

import json
from pathlib import Path

import click
import pytest

from calmkb.cli.root import calmkb
from tests.cli.journal.test_session_commits import committed, wrapped
from tests.conftest import git
from tests.improvements.conftest import kept
from tests.learning.conftest import capture, store

__all__ = ["capture", "kept", "store"]

jsonschema = pytest.importorskip("jsonschema")

SCHEMAS = json.loads(
    (Path(__file__).parents[3] / "docs/reference/json-output.schema.json").read_text()
)
SAMPLE = next((Path(__file__).parents[2] / "data/transcripts").glob("*order-history*"))
STREAMS = {"run TYPE": "one event a line, as the server streams them"}


@pytest.fixture
def journal(project, cli, kept, capture, tmp_path):
    """Return the project with a record of each kind, and a session that made a commit."""
    wrapped(cli, tmp_path, "s1", committed(project, "Round up"))
    friction = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
    for _ in range(2):
        cli("wrapup", "--summary", "Fixed the till.", "--friction", friction, "--next", "Ship it.")
    cli("wrapup", "continue", "--summary", "Half done.", "--next", "Round pennies.")
    cli("memory", "add", "We use pnpm in this repo, not npm.", "--category", "workflow")
    cli("memory", "add", "Prices are in cents.", "--category", "fact", "--scope", "shop")
    memory = ids(cli)[0]
    cli("memory", "feedback", memory, "harmful")
    kept("The folders of the till have two names.")
    capture("We keep fixtures in tests/data", "convention")
    (project / "notes.txt").write_text("till\n")
    git(project, "add", "notes.txt")
    return project


def ids(cli) -> list[str]:
    return [row["id"] for row in json.loads(cli("memory", "list", "--json").out)["memories"]]


def session(cli) -> str:
    return json.loads(cli("session", "list", "--json").out)["entries"][0]["id"]


def rounded_up() -> str:
    return git(Path.cwd(), "log", "-1", "--format=%H", "--grep=^Round up$").strip()


def improvement(cli) -> str:
    return json.loads(cli("improvements", "list", "--json").out)["improvements"][0]["id"]


def with_remote():
    """Give the repository here a remote to sync with."""
    git(Path.cwd(), "init", "-q", "--bare", "-b", "main", "../team.git")
    git(Path.cwd(), "remote", "add", "origin", "../team.git")
    return ()


CALLS = {
    "backtest": lambda cli: ["backtest", "--price", "10", "--json"],
    "check": lambda cli: ["check", "--format", "json"],
    "site week": lambda cli: ["site", "week", "--json"],
    "agents": lambda cli: ["agents", "--json"],
    "agents doctor": lambda cli: ["agents", "doctor", "--json"],
    "enforce": lambda cli: ["enforce", "--format", "json"],
    "export --explain": lambda cli: ["export", "--explain", "--json"],
    "agents hooks status": lambda cli: ["agents", "hooks", "status", "--json"],
    "import": lambda cli: ["import", "claude", str(SAMPLE), "--all-projects", "--json"],
    "improvements list": lambda cli: ["improvements", "list", "--json"],
    "improvements apply": lambda cli: ["improvements", "apply", improvement(cli), "--json"],
    "improvements defer": lambda cli: ["improvements", "defer", improvement(cli), "--json"],
    "improvements reopen": lambda cli: ["improvements", "reopen", improvement(cli), "--json"],
    "agents enforce": lambda cli: [
        "agents",
        "enforce",
        ids(cli)[1],
        "--check",
        "never run npm",
        "--json",
    ],
    "memory find": lambda cli: ["memory", "find", "pnpm", "--json"],
    "memory list": lambda cli: ["memory", "list", "--json"],
    "memory report": lambda cli: ["memory", "report", "--json"],
    "next": lambda cli: ["next", "--json"],
    "project list": lambda cli: ["project", "list", "--json"],
    "redact": lambda cli: ["redact", "notes.txt", "--json"],
    "reflect": lambda cli: ["reflect", "--json"],
    "reflect --signals": lambda cli: ["reflect", "--signals", "--json"],
    "search": lambda cli: ["search", "pnpm", "--json"],
    "session list": lambda cli: ["session", "list", "--json"],
    "show": lambda cli: [
        "show",
        session(cli),
        ids(cli)[0],
        improvement(cli),
        rounded_up(),
        "--json",
    ],
    "stats": lambda cli: ["stats", "--json"],
    "sync": lambda cli: ["sync", "--dry-run", "--json", *with_remote()],
    "agents trust": lambda cli: ["agents", "trust", "--json"],
    "agents trust list": lambda cli: ["agents", "trust", "list", "--json"],
    "verify": lambda cli: ["verify", "--format", "json"],
    "why": lambda cli: ["why", "calmkb.toml", "--json"],
    "wrapup": lambda cli: ["wrapup", "--summary", "Again.", "--json"],
}


def test_each_command_prints_what_its_schema_says(journal, cli):
    """On one journal, which takes most of a second to make."""
    faults = {}
    for name, call in CALLS.items():
        said = cli(*call(cli))
        document = json.loads(said.out or "{}")
        schema = {**SCHEMAS["$defs"][name], "$defs": SCHEMAS["$defs"]}
        found = jsonschema.Draft202012Validator(schema).iter_errors(document)
        faults[name] = [one.message for one in found]
        if document.get("version") != 1:
            faults[name].append(said.err)
    assert {name: found for name, found in faults.items() if found} == {}


def commands(group: click.Group, path: tuple[str, ...] = ()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def test_each_command_that_prints_json_has_a_schema_and_a_call():
    named = {
        " ".join(path)
        for path, command in commands(calmkb)
        for option in command.params
        if "--json" in option.opts
    }
    parts = {"backtested", "evidence", "finding", "improvement", "memory", "occurrences"}
    parts |= {"proposal", "session"}
    described = {name.split(" --")[0] for name in SCHEMAS["$defs"] if name not in parts}
    assert named - described - set(STREAMS) == set()
    assert {name.split(" --")[0] for name in CALLS} == described
