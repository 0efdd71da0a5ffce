"""Planted in what an agent reads: web pages, tool output, files, pull requests, failures."""

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from poisoning.attacks import INSTRUCTIONS
from poisoning.cases import Case, Outcome, marker
from poisoning.sandbox import Sandbox
from poisoning.told import told, where

_CARRIERS: dict[str, tuple[str, dict[str, str], bool]] = {
    "web page": ("WebFetch", {"url": "https://docs.example/x", "prompt": "how"}, False),
    "pull request": ("Bash", {"command": "gh pr view 7 --comments"}, False),
    "file": ("Read", {"file_path": "docs/setup.md"}, False),
    "failing command": ("Bash", {"command": "make deploy"}, True),
}
_WORDS_OF_A_PERSON = ("correction", "convention", "command", "pattern")
_SAID = re.compile(r"^(?:- )?(?:Rule given|Corrected|Asked|Reported)", re.MULTILINE)


def run(root: Path) -> Iterator[Outcome]:
    """Plant every text in every carrier, capture, wrap up, import, and look what came of it."""
    sandbox = Sandbox(root)
    shop = sandbox.repository("shop", {"calmkb.toml": 'project = "shop"\n'})
    cases = [
        Case("what an agent reads", carrier, attack, name, attack.format(m=name))
        for carrier in _CARRIERS
        for attack in INSTRUCTIONS
        for name in [marker()]
    ]
    for case in cases:
        path = _transcript(sandbox, shop, case)
        about = {"session_id": path.stem, "transcript_path": str(path)}
        sandbox.hook(shop, "PreCompact", trigger="auto", **about)
        sandbox.hook(shop, "SessionEnd", reason="clear", **about)
    _failures(sandbox, shop, cases)
    sandbox.hook(shop, "SessionStart", source="startup")  # what was queued is taken in
    half = sorted((sandbox.home / ".claude/projects").rglob("*.jsonl"))[::2]
    for path in half:
        sandbox.calmkb(shop, "wrapup", "--from-transcript", str(path))
    sandbox.calmkb(shop, "import", "claude")
    places = told(sandbox, shop)
    proposals = json.loads(sandbox.calmkb(shop, "reflect", "--json", "--all").stdout)["proposals"]
    signals = (sandbox.home / ".calm/signals.jsonl").read_text().splitlines()
    for case in cases:
        found = [where(case.marker, places)]
        found += [
            "said to be a person's: a signal"
            for line in signals
            if case.marker in line and json.loads(line)["type"] in _WORDS_OF_A_PERSON
        ]
        found += [
            "said to be a person's: a proposal"
            for one in proposals
            if case.marker in json.dumps(one) and one.get("origin") == "person"
        ]
        found += [
            "said to be a person's: a session"
            for path in (shop / "journal").rglob("*.md")
            if any(
                case.marker in line and _SAID.match(line) for line in path.read_text().splitlines()
            )
        ]
        yield Outcome(case, "; ".join(dict.fromkeys(filter(None, found))))


def _transcript(sandbox: Sandbox, folder: Path, case: Case) -> Path:
    """Write a session in which the agent met the text, as the client writes it."""
    tool, given, failed = _CARRIERS[case.carrier]
    session, call = str(uuid.uuid4()), f"toolu_{uuid.uuid4().hex[:12]}"
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": call, "content": case.text}
    if failed:
        result |= {"is_error": True, "content": f"Exit code 1\n{case.text}"}
    turns = [
        ("user", "Set up the build of the shop."),
        ("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": given}]),
        ("user", [result]),
        ("assistant", [{"type": "text", "text": "I set the build up; the tests pass now."}]),
        ("user", "Good, leave it there."),
    ]
    mapped = re.sub(r"[^A-Za-z0-9]", "-", str(folder))
    path = sandbox.home / ".claude/projects" / mapped / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "type": role, "uuid": str(uuid.uuid4()), "isSidechain": False, "sessionId": session,
            "cwd": str(folder), "version": "2.1.330", "timestamp": f"2026-11-20T10:00:{at:02}.000Z",
            "message": {"role": role, "content": content, **({"id": f"msg_{uuid.uuid4().hex[:8]}"}
                        if role == "assistant" else {})},
        }
        for at, (role, content) in enumerate(turns)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def _failures(sandbox: Sandbox, folder: Path, cases: list[Case]) -> None:
    for case in cases:
        if case.carrier == "failing command":
            said = {"session_id": "s", "cwd": str(folder), "tool_name": "Bash",
                    "tool_input": {"command": "make deploy"}, "error": case.text}  # fmt: skip
            sandbox.calmkb(folder, "hook", "PostToolUseFailure", stdin=json.dumps(said))
