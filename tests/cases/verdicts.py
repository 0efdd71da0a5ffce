"""From the input of a case to what is compared, a function for each kind."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from calmkb.capture.draft.title import title
from calmkb.capture.mining.lessons import lessons
from calmkb.capture.mining.prompt_features import Prompt
from calmkb.capture.tool_calls.error_line import find_error_line, is_noise, normalised
from calmkb.redact import Redactor
from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.opposites.ephemeral import stable, why_ephemeral
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.signals.classify import agent_category, project_category
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.statements.instruction import as_instruction, as_wish, guardrail
from calmkb.reflect.statements.wording import category_of, category_of_learning, turns_lost
from calmkb.reflect.themes.themes import headed, shared
from calmkb.wings.proof.anchors.references import references
from calmkb.wings.proof.enforce.checks import Call, parse_check
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.enforce.prefilter import patterns
from calmkb.wings.proof.verbs.enforce.trial import lines_of
from calmkb.wings.proof.verbs.verify.audit import audit
from tests.conftest import git

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
    (found,) = judge([text], [KnownText("m", known)], TFIDF, duplicate=TFIDF.duplicate)
    return found.kind


def lasting_words(text: str) -> str:
    """Return what lasts of a statement."""
    found = stable(text)
    assert stable(found) == found
    return found


def plain(text: str) -> str:
    """Return what a prompt teaches, later in a session and beside the task of a first prompt."""
    opening = f"Add an export of orders as CSV. {text[:1].upper()}{text[1:]}"
    later = lessons(Prompt(text))
    first = lessons(Prompt(opening, first=True)) if text[-1] != "?" else later
    said = later[0].label if later else "nothing"
    return said if bool(first) == bool(later) else f"{said}, but not at first"


def phrases(text: str) -> str:
    """Return the sentences that teach nothing, later or beside the task of a first prompt."""
    return "\n".join(one for one in text.splitlines() if plain(one).startswith("nothing") or
                     plain(one).endswith("at first")) or "none"  # fmt: skip


def session_title(text: str) -> str:
    """Return what a session is called: its commits, what was asked, files and its branch."""
    subjects, asked, *more = (part.strip() for part in text.split("|"))
    branch = "".join(more[1:])
    files = [one for one in "".join(more[:1]).split("; ") if one]
    return title(subjects.split("; ") if subjects else [], asked.split("; "), files, branch)


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


def verify(text: str) -> str:
    """Return what is told of instructions: above `---` the files that were, and that are now.

    `had PATH TEXT` is a file when the instructions were written, `now PATH TEXT` one of today,
    which the commit `by SUBJECT` made; without any of today they are the same.
    """
    head, _, instructions = text.partition("\n---\n")
    rows = [row.split(" ", 2) for row in head.split("\n") if row]
    had = {path: "\n".join(rest) for when, path, *rest in rows if when == "had"}
    now = {path: "\n".join(rest) for when, path, *rest in rows if when == "now"}
    subject = "".join(" ".join(rest) for when, *rest in rows if when == "by")
    with TemporaryDirectory() as made:
        folder = Path(made)
        git(folder, "init", "-q", "-b", "main")
        _commit(folder, had | {"AGENTS.md": instructions})
        if now:
            git(folder, "rm", "-q", "--", *had)
            _commit(folder, now, subject or "x")
        told = audit(folder).findings
    return ", ".join(f"{one.line} {one.rule}" for one in told)


def rules_of_a_file(text: str) -> str:
    """Return the lines of an instruction file that say a check, and the checks."""
    with TemporaryDirectory() as made:
        (file := Path(made, "CLAUDE.md")).write_text(text)
        return "\n".join(f"{one.line} {'; '.join(map(str, one.checks))}" for one in lines_of(file))


def _commit(folder: Path, files: dict[str, str], subject: str = "x") -> None:
    for path, words in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(words.replace("\\n", "\n").replace("\\t", "\t") + "\n")
    git(folder, "add", "-Af")
    git(folder, "commit", "-qm", subject)


VERDICTS: dict[str, Callable[[str], str]] = {
    "category": category_of,
    "enforce": enforce,
    "error_line": find_error_line,
    "gates": lambda text: "held" if why_ephemeral(text) else "kept",
    "guardrail": guardrail,
    "heading": heading,
    "learning_category": category_of_learning,
    "improvement": project_category,
    "lasting_words": lasting_words,
    "noise": lambda text: "noise" if is_noise(text) else "failure",
    "one_fault": one_fault,
    "opposites": opposites,
    "phrases": phrases,
    "plain": plain,
    "redaction": redaction,
    "references": lambda text: ", ".join(one.shown for one in references(f"Use `{text}` here.\n")),
    "rule_of_a_line": lambda text: "; ".join(map(str, compile_checks(text))) or "none",
    "rule_of_a_prompt": as_instruction,
    "rules_of_a_file": rules_of_a_file,
    "session_title": session_title,
    "trouble_title": lambda text: headed(shared(text.split(" | "))),
    "turns_lost": lambda text: str(turns_lost(text)),
    "verify": verify,
    "wish": as_wish,
}
