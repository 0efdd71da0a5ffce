"""From the input of a case to what is compared, a function for each kind."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from calmkb.capture.tool_calls.error_line import find_error_line, is_noise, normalised
from calmkb.model.memories.enforcement import Call
from calmkb.redact import Redactor
from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.signals.classify import agent_category, project_category
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.statements.wording import category_of, turns_lost
from calmkb.wings.proof.anchors.references import references
from calmkb.wings.proof.enforce.checks import parse_check
from calmkb.wings.proof.enforce.prefilter import patterns

# In parts, so that no scanner takes this file for a leak.
VALUES = {"R": "q7Zk2vX9" + "Lm4Tn8Rw", "H": "1a2b3c4d" * 5, "P": "Winter" + "2026!", "_": ""}
REDACTOR = Redactor(home=Path("/home/ada"))


def redaction(text: str) -> str:
    """Return whether each secret of a text is hidden, in JSON too, or it comes back as it was."""
    filled = text.format(**VALUES) if "{" in text else text
    shown = REDACTOR.text(filled)
    assert REDACTOR.text(shown) == shown
    line = json.dumps({"message": filled}).encode()
    in_json = json.loads(REDACTOR.json_lines(line))["message"]
    left = [value for value in VALUES.values() if value and value in shown + in_json]
    if shown == filled:
        return "kept"
    return "hidden" if "[redacted:" in shown and not left else shown


def opposites(text: str) -> str:
    """Return whether two rules are in conflict, and neither is taken for a duplicate then."""
    one, other = text.split(" | ")
    found = {_compared(one, other), _compared(other, one)}
    both = {opposed(one, other), opposed(other, one)}
    if found == {"conflict"} and both == {True}:
        return "conflict"
    assert _compared(one, one) == "duplicate" or both == {True}
    return "no conflict" if "conflict" not in found and both == {False} else f"{found} {both}"


def _compared(text: str, known: str) -> str:
    vectors = TFIDF.vectors([text, known])
    (found,) = judge([text], [KnownText("m", known)], vectors, duplicate=TFIDF.duplicate)
    return found.kind


def lasting_words(text: str) -> str:
    """Return what lasts of a statement."""
    found = stable(text)
    assert stable(found) == found
    return found


def enforce(text: str) -> str:
    """Return whether a command breaks a check, and then gets past the patterns of the shell."""
    line, command = text.split(" | ", 1)
    check = parse_check(line)
    if not check.is_broken_by(Call(command=command)):
        return "passes"
    said = json.dumps({"cwd": "/home/me", "tool_input": {"command": command}}, ensure_ascii=False)
    seen = [subprocess.run(["grep", "-qE", one], input=said.encode(), check=False).returncode == 0
            for one in patterns([check])]  # fmt: skip
    return "breaks" if any(seen) else "breaks, unseen by the shell"


def heading(text: str) -> str:
    """Return the heading of CLAUDE.md that a learning goes under."""
    return str(agent_category(*text.rsplit(" | ", 1)))


def one_fault(text: str) -> str:
    """Return whether two error lines are one fault."""
    one, other = text.split(" | ")
    return "one" if normalised(one) == normalised(other) else "two"


VERDICTS: dict[str, Callable[[str], str]] = {
    "category": category_of,
    "enforce": enforce,
    "error_line": find_error_line,
    "gates": lambda text: "held" if why_ephemeral(text) else "kept",
    "heading": heading,
    "improvement": project_category,
    "lasting_words": lasting_words,
    "noise": lambda text: "noise" if is_noise(text) else "failure",
    "one_fault": one_fault,
    "opposites": opposites,
    "redaction": redaction,
    "references": lambda text: ", ".join(one.shown for one in references(f"Use `{text}` here.\n")),
    "turns_lost": lambda text: str(turns_lost(text)),
}
