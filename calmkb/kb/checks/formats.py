"""Findings as text, JSON and annotations of GitHub's workflows."""

import json
from collections import Counter
from collections.abc import Callable, Sequence

from calmkb.documents.findings import Finding
from calmkb.redact.invisible import show_invisible

_ROWS = 200
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def as_text(findings: Sequence[Finding]) -> str:
    """Return a line for each finding, whatever a file is called; its further lines are indented."""
    rows = (f"{f.path}:{f.line}: {f.severity}: {f.message} [{f.rule}]" for f in findings)
    return "\n".join(show_invisible(row).replace("\n", "\n  ") for row in rows)


def as_json(findings: Sequence[Finding]) -> str:
    """Return an object with the findings, as every `--json` prints one."""
    rows = [
        {"path": f.path, "line": f.line, "rule": f.rule, "severity": f.severity,
         "message": f.message}
        for f in findings
    ]  # fmt: skip
    document = {"version": 1, "findings": rows, "count": len(rows)}
    return json.dumps(document, ensure_ascii=False, indent=2)


def as_github(findings: Sequence[Finding]) -> str:
    """Return workflow commands, which show beside the lines of a pull request."""
    return "\n".join(
        f"::{_COMMANDS[f.severity]} file={_property(f.path)},line={f.line},"
        f"title={_property(f.rule)}::{_escaped(f.message)}"
        for f in findings
    )


def as_markdown(findings: Sequence[Finding]) -> str:
    """Return a table for a workflow's page; a message shows as it is and acts on nothing."""
    if not findings:
        return "### Journal: nothing to fix\n"
    counts = Counter(str(f.severity) for f in findings)
    summary = ", ".join(f"{counts[kind]} {kind}s" for kind in _COMMANDS if counts[kind])
    rows = [
        f"| {f.severity} | `{_cell(f.path)}:{f.line}` | {_cell(f.message)} |"
        for f in findings[:_ROWS]
    ]
    more = [f"\n…and {len(findings) - _ROWS} more"] if len(findings) > _ROWS else []
    head = [f"### Journal: {summary}", "", "| | Where | What |", "|---|---|---|"]
    return "\n".join([*head, *rows, *more]) + "\n"


def _cell(text: str) -> str:
    line = " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("`", "'")
    return line.replace("<", "&lt;").replace(">", "&gt;").replace("@", "@\u2060")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: dict[str, Callable[[Sequence[Finding]], str]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
}
