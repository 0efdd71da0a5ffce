"""The commands that are killed: what to run, and how often its effect may be found afterwards."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.soak.places import Place

TRANSCRIPTS = Path(__file__).parents[1] / "data/transcripts"
SUMMARY = "The session that is killed."
RULE = "Never deploy on a Friday."


@dataclass(frozen=True)
class Killed:
    """A command: `prepare` returns its arguments, `count` tells how often its effect is there.

    Run again, it is `refused` or changes nothing; it is `finished`, and said twice by a person it
    is there twice; or each run is one `more`, and so may a killed one be.
    """

    prepare: Callable[[Place], list[str]]
    count: Callable[[Place], int]
    again: Literal["refused", "finished", "more"]
    own_work: bool = True

    def wanted(self, acknowledged: int, killed: int) -> set[int]:
        """Return how often the effect may be there."""
        if self.again == "refused":
            return {1}
        return {acknowledged} if self.again == "finished" else {acknowledged, acknowledged + killed}


def _memory(place: Place) -> str:
    code, said = place.calmkb("memory", "list", "--json")
    assert code == 0, said
    return next(row["id"] for row in json.loads(said)["memories"] if "pnpm" in json.dumps(row))


def _both(place: Place) -> list[str]:
    code, said = place.calmkb("memory", "list", "--json")
    assert code == 0, said
    return sorted((row["id"] for row in json.loads(said)["memories"]), key=_memory(place).__eq__)


def _session(place: Place) -> str:
    code, said = place.calmkb("session", "list", "--json")
    assert code == 0, said
    return next(row["id"] for row in json.loads(said)["entries"] if "0" in row["summary"])


def _forgotten(place: Place) -> int:
    """Return 1 where all sessions are gone, 0 where all are there."""
    left = len(place.records("sessions"))
    assert left in (0, 3), left
    return int(not left)


def _plan(place: Place) -> list[str]:
    code, said = place.calmkb("reflect", "--json")
    assert code == 0, said
    document = json.loads(said)
    assert document["proposals"], document
    for proposal in document["proposals"]:
        proposal["decision"] = "accept"
    (place.folder / "plan.json").write_text(json.dumps(document))
    return ["reflect", "--apply", str(place.folder / "plan.json")]


def _accepted(place: Place) -> int:
    """Return 1 for one reflection with its memories, once each; 0 for none of it."""
    memories = len(place.records("memories", holding="node 22"))
    reflections = len(place.records("reflections"))
    assert memories == reflections, (memories, reflections)
    return memories


def _diverged(place: Place) -> list[str]:
    place.git("init", "-q", "--bare", "-b", "main", str(place.folder / "team.git"), at=".")
    place.git("remote", "add", "origin", str(place.folder / "team.git"))
    place.git("push", "-qu", "origin", "main")
    place.git("clone", "-q", "team.git", "other", at=".")
    for at, words in (("repo", "Alone here."), ("other", "Alone there.")):
        code, said = place.calmkb("wrapup", "--summary", words, at=at)
        assert code == 0, said
    code, said = place.calmkb("sync", at="other")
    assert code == 0, said
    return ["sync"]


def _synced(place: Place) -> int:
    """Return 1 where both clones have all, once each; 0 where this one was not reached."""
    here, there = (len(place.records("sessions", holding=f"Alone {w}.")) for w in ("here", "there"))
    assert here == 1, here
    return there


def _signals(place: Place) -> int:
    code, said = place.calmkb("signal", "query")
    assert code == 0, said
    return said.count(RULE)


def _private(place: Place) -> int:
    found = list((place.folder / "home/.private-journal").rglob("*.md"))
    texts = [path.read_text() for path in found]
    assert all(text.startswith("---\n") and RULE in text for text in texts), texts
    return len(texts)


def _imported(place: Place) -> int:
    """Return 1 where each session of the transcripts is there once, 0 where some are not."""
    found = place.records("sessions", holding="session_id: ")
    ids = {place.git("show", path).split("session_id: ")[1].split("\n")[0] for path in found}
    assert len(ids) == len(found), found
    return int(len(ids) == len(list(TRANSCRIPTS.glob("*.jsonl"))))


def _exported(place: Place) -> int:
    text = (place.repo / "CLAUDE.md").read_text()
    assert text.startswith("CLAUDE.md\n"), text
    assert text.count("Use pnpm for every script.") <= 1, text
    return text.count("Use pnpm for every script.")


def _kept(place: Place) -> list[str]:
    folder = place.folder / "home/.claude/projects/-shop"
    folder.mkdir(parents=True)
    for path in TRANSCRIPTS.glob("*.jsonl"):
        (folder / path.name).write_bytes(path.read_bytes())
    code, said = place.calmkb("agents", "keep", "--on")
    assert code == 0, said
    return ["agents", "keep"]


def _all_kept(place: Place) -> int:
    """Return 1 where each transcript is in the archive and its index, 0 where some are not."""
    code, said = place.calmkb("agents", "keep", "--status")
    assert code == 0, said
    files = [path.stem for path in (place.folder / "home/.calm/archive").rglob("*.turns")]
    assert len({*files}) == len(files), files
    whole = len(list(TRANSCRIPTS.glob("*.jsonl")))
    return int(len(files) == whole and f"{whole} sessions kept" in said)


def _exports(place: Place) -> list[str]:
    for args in (["export"], ["agents", "hooks", "on", "--project"]):
        code, said = place.calmkb(*args)
        assert code == 0, said
    return ["init", "--undo", "--yes"]


def _undone(place: Place) -> int:
    """Return 1 where the digest and the hooks are gone, a person's words in place."""
    text = (place.repo / "CLAUDE.md").read_text()
    assert text.startswith("CLAUDE.md\n"), text
    hooks = place.repo / ".claude/settings.json"
    left = hooks.read_text() if hooks.exists() else ""
    return int("calmkb" not in text.partition("\n")[2] + left)


def _site(place: Place) -> list[str]:
    (place.repo / "mkdocs.yml").write_text("site_name: Shop\nplugins: [search, calmkb]\n")
    (place.repo / "docs").mkdir()
    (place.repo / "docs/index.md").write_text("# Shop\n")
    return ["site", "build"]


def _always(*args: str) -> Callable[[Place], list[str]]:
    return lambda _: list(args)


def _holding(kind: str, text: str) -> Callable[[Place], int]:
    return lambda place: len(place.records(kind, holding=text))


COMMANDS = {
    "wrapup": Killed(
        _always("wrapup", "--summary", SUMMARY, "--friction", "It hung."),
        _holding("sessions", SUMMARY),
        again="finished",
    ),
    "memory add": Killed(
        _always("memory", "add", RULE, "--category", "fact"),
        _holding("memories", RULE),
        again="refused",
    ),
    "memory edit": Killed(
        lambda place: ["memory", "edit", _memory(place), "--text", RULE],
        _holding("memories", RULE),
        again="refused",
    ),
    "memory retire": Killed(
        lambda place: ["memory", "retire", _memory(place), "--reason", "no"],
        lambda place: 1 - len(place.records("memories", holding="Use pnpm")),
        again="refused",
    ),
    "memory merge": Killed(
        lambda place: ["memory", "merge", *_both(place)],
        lambda place: 1 - len(place.records("memories", holding="Run the linter before a push.")),
        again="refused",
    ),
    "memory feedback": Killed(
        lambda place: ["memory", "feedback", _memory(place), "helpful"],
        lambda place: len(place.records("feedback")),
        again="more",
    ),
    "session rename": Killed(
        lambda place: ["session", "rename", _session(place), "The first"],
        _holding("sessions", "The first"),
        again="refused",
    ),
    "session forget": Killed(
        lambda place: ["session", "forget", _session(place), "--yes"],
        lambda place: 3 - len(place.records("sessions")),
        again="refused",
    ),
    "project rename": Killed(
        _always("project", "rename", "shop", "store"),
        _holding("projects", "store"),
        again="refused",
    ),
    "project forget": Killed(
        _always("project", "forget", "shop", "--yes"), _forgotten, again="refused"
    ),
    "reflect --apply": Killed(_plan, _accepted, again="refused"),
    "sync": Killed(_diverged, _synced, again="refused"),
    "signal append": Killed(
        _always("signal", "append", json.dumps({"type": "correction", "content": RULE})),
        _signals,
        again="more",
    ),
    "private write": Killed(
        _always("private", "write", "--reflections", RULE), _private, again="more"
    ),
    "import": Killed(
        _always("import", "claude", str(TRANSCRIPTS), "--all-projects"), _imported, again="refused"
    ),
    "export": Killed(_always("export"), _exported, again="refused", own_work=False),
    "agents keep": Killed(_kept, _all_kept, again="refused"),
    "init --undo": Killed(_exports, _undone, again="refused", own_work=False),
    "site build": Killed(
        _site, lambda place: int((place.repo / "site/index.html").is_file()), again="refused"
    ),
}
