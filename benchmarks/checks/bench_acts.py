"""Calls replayed: which approved rules are said at which calls, and what that costs."""

import json
import random
import re
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from timeline.score import share

from calmkb import recall
from calmkb.wings.proof.anchors.references import is_distinct, references
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.verbs.enforce.calls import call_of

CHARACTERS = 4
"""Of a token, about."""
BEFORE = 10
"""Calls before a breach within which its rule should have been said."""
Rule = Mapping[str, Any]
Made = tuple[int, str, dict[str, Any]]


def main() -> None:
    """Print by team what sessions hear; with --sheet N also N cases to judge, drawn by chance.

    Each TEAM=FOLDER names a folder with `rules.jsonl` (`date`, `rule`: a team's rules with
    the day from which they held) and one with its transcripts. A breach is a call that breaks a
    check which the words of a rule say.
    """
    number = int(sys.argv[sys.argv.index("--sheet") + 1]) if "--sheet" in sys.argv else 0
    teams = [one.split("=", 1) for one in sys.argv[1:] if "=" in one]
    sheet: list[str] = []
    print("| team | sessions | hear a rule | tokens a session | breaches, said just before |")
    print("|---|---|---|---|---|")
    for labels, sessions in teams:
        rules = [json.loads(row) for row in Path(labels, "rules.jsonl").read_text().splitlines()]
        tokens, heard, met, told = [], 0, 0, 0
        for path in sorted(Path(sessions).rglob("*.jsonl")):
            made = list(_calls(path))
            rows = [_row(n, one) for n, one in enumerate(rules) if one["date"] < _day(path)]
            said = list(_said(made, rows))
            heard += bool(said)
            tokens.append(sum(len(row["text"]) for _, row in said) // CHARACTERS)
            sheet += [f"{path.name}:{made[at][0]}\n  {json.dumps(made[at][2].get('input'))[:300]}\n"
                      f"  {row['text']}" for at, row in said]  # fmt: skip
            for at, row in _breaches(made, rows):
                met += 1
                told += any(one["id"] == row["id"] and at - BEFORE <= when < at
                            for when, one in said)  # fmt: skip
        cost = f"{statistics.median(tokens):.0f}, {max(tokens)}"
        print(f"| {Path(labels).name} | {len(tokens)} | {share(heard, len(tokens))} "
              f"| {cost} | {share(told, met)} |")  # fmt: skip
    drawn = random.Random(7).sample(sheet, min(number, len(sheet)))
    print("\n".join(["", *drawn]))


def _row(number: int, rule: Rule) -> Rule:
    text = rule["rule"]
    checks = compile_checks(text)
    named = [one.value for one in references(text) if one.kind in ("path", "link")]
    # As an anchor has it: a file of the repository by its whole path, no folder, no branch.
    files = [one for one in named if "/" in one and Path(one).suffix]
    files += [one.what for one in checks if one.kind == "edit"]
    commands = [one.shown for one in references(text) if one.kind == "command"]
    commands += [one.what.partition(" -")[0] for one in checks if one.kind == "run"]
    code = [one.value for one in references(text) if one.kind == "name"]
    names = [one if is_distinct(one) else f"{one}(" for one in code]
    names += [one.what for one in checks if one.kind == "write"]
    return {
        "id": str(number), "text": text, "checks": checks,
        "files": files, "commands": commands, "names": names,
    }  # fmt: skip


def _day(path: Path) -> str:
    found = re.search(r'"timestamp": ?"(\d{4}-\d\d-\d\d)', path.read_text("utf-8", "replace"))
    return found[1] if found else ""


def _calls(path: Path) -> Iterator[Made]:
    for number, text in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        try:
            row = json.loads(text)
        except ValueError:
            continue
        message = row.get("message") if isinstance(row, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                yield number, str(row.get("cwd") or "/"), block


def _said(made: Sequence[Made], rows: list[Rule]) -> Iterator[tuple[int, Rule]]:
    """Yield the number of a call and the rule that is said at it, as the hook does."""
    last: dict[str, int] = {}
    top = made[0][1] if made else ""
    for number, (_, cwd, block) in enumerate(made):
        payload = {"cwd": cwd, "tool_input": block.get("input")}
        for _, row in recall.fitting_act(payload, {"folder": top, "memories": rows}):
            if number - last.get(row["id"], -recall.AGAIN) >= recall.AGAIN:
                last[row["id"]] = number
                yield number, row
                break


def _breaches(made: Sequence[Made], rows: list[Rule]) -> Iterator[tuple[int, Rule]]:
    top = made[0][1] if made else ""
    for number, (_, _, block) in enumerate(made):
        given = block.get("input")
        call = call_of(str(block.get("name")), given if isinstance(given, dict) else {}, [top])
        for row in rows:
            if any(not one.first and one.is_broken_by(call) for one in row["checks"]):
                yield number, row


if __name__ == "__main__":
    main()
