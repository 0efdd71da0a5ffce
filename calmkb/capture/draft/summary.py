"""A session in at most five sentences: asked, found, changed, run, and how it ended."""

import re
from collections import Counter
from collections.abc import Sequence

from calmkb.capture.draft.commits import commits_in, requests_opened
from calmkb.capture.draft.ending import ending
from calmkb.capture.draft.findings import Marked, best_finding, tells_failure
from calmkb.capture.draft.goal import goal
from calmkb.capture.draft.person import PersonTurn
from calmkb.capture.draft.quotation import quoted
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.tool_calls.attempts import EDITS, Attempt, shown

_NAMED_FILES = 4
_NAMED_RUNS = 3
_NAMED_COMMITS = 3
_SUBJECT_LIMIT = 72
_WORK = re.compile(
    r"\b(?:test|tests|pytest|jest|vitest|playwright|cypress|lint|ruff|eslint|mypy|tsc|typecheck"
    r"|build|check|fmt|format|migrate|migration|deploy|tox|nox|e2e|bench|alembic|prisma|make|spec"
    r"|rspec)\b"
)
# Their arguments name tests and builds, but they run none.
_HANDLES = re.compile(r"(?:mkdir|rm|cp|mv|ln|touch|chmod|git|gh|curl)\b")


def summarise(
    transcript: Transcript,
    done: Sequence[Attempt],
    prompts: Sequence[PersonTurn],
    found: Sequence[Marked],
) -> str:
    """Return the summary; what was asked comes first, in the person's own words."""
    runs = _runs(done)
    end = ending(transcript.turns, prompts, _failing(runs))
    parts = [
        goal(transcript, prompts),
        best_finding(found, end),
        _changed(transcript),
        _ran(runs),
        end,
    ]
    return " ".join(part for part in parts if part)


def changed_files(transcript: Transcript) -> tuple[str, ...]:
    """Return the files that were changed, those changed most often first."""
    failed = {turn.tool_use_id for turn in transcript.turns if turn.failed}
    counted = Counter(
        name
        for turn in transcript.turns
        if turn.kind == "call" and turn.tool in EDITS and turn.tool_use_id not in failed
        for name in turn.files
    )
    return tuple(name for name, _ in counted.most_common())


def _changed(transcript: Transcript) -> str:
    changed, made = changed_files(transcript), commits_in(transcript)
    names = [_relative(name, transcript.working_directory) for name in changed]
    parts = [f"changed {_listed(names)}"] if names else []
    if made:
        # The last ones say where the work arrived.
        subjects = [f"{one.id[:9]} {quoted(one.subject, _SUBJECT_LIMIT)}" for one in made]
        more = len(made) - _NAMED_COMMITS
        before = f"{more} more and " if more > 0 else ""
        parts.append(f"committed {before}{', '.join(subjects[-_NAMED_COMMITS:])}")
    if opened := requests_opened(transcript):
        parts.append(f"opened {', '.join(f'PR #{number}' for number in opened)}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _relative(name: str, folder: str) -> str:
    name, folder = name.replace("\\", "/"), folder.replace("\\", "/").rstrip("/")
    if folder and name.startswith(f"{folder}/"):
        return name.removeprefix(f"{folder}/")
    return name.rsplit("/", 1)[-1] if name.startswith("/") or ":" in name else name


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED_FILES
    head = ", ".join(names[:_NAMED_FILES])
    return f"{len(names)} files ({head} and {more} more)" if more > 0 else head


def _runs(done: Sequence[Attempt]) -> dict[str, list[bool]]:
    """Return the checks that were run, each with whether it passed each time, last run last."""
    runs: dict[str, list[bool]] = {}
    for attempt in done:
        if attempt.is_shell and attempt.ran and _is_work(attempt):
            passed = not attempt.failed and not tells_failure(attempt.output)
            runs[attempt.command] = [*runs.pop(attempt.command, []), passed]
    return runs


def _ran(runs: dict[str, list[bool]]) -> str:
    if not runs:
        return ""
    most = sorted(runs.items(), key=lambda item: -len(item[1]))[:_NAMED_RUNS]
    return f"Ran {', '.join(f'{shown(command)} ({_outcome(oks)})' for command, oks in most)}."


def _failing(runs: dict[str, list[bool]]) -> str:
    """Return the check that was run last of all, if it failed."""
    last = next(reversed(runs), "")
    return shown(last) if last and not runs[last][-1] else ""


def _is_work(attempt: Attempt) -> bool:
    command = attempt.command
    about = not attempt.only_looks and _HANDLES.match(command) is None
    return about and len(command) <= 80 and _WORK.search(command) is not None


def _outcome(oks: list[bool]) -> str:
    end = "passed" if oks[-1] else "failed"
    return end if len(oks) == 1 else f"{len(oks)} times, {end} at last"
