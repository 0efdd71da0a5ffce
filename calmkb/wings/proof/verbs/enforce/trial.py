"""Checks tried on the project's past sessions: how often they would have fired, and on what."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from calmkb.capture.formats.cleaning import clip, one_line, whole_texts
from calmkb.capture.formats.table import first_folder, read_transcript
from calmkb.capture.formats.turns import Transcript
from calmkb.capture.history.sources import all_session_files, is_sub_agents
from calmkb.capture.tool_calls.attempts import Attempt
from calmkb.errors import TranscriptError
from calmkb.export.block import without_block
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.kb.instructions.files import InstructionFile
from calmkb.reflect.signals.known import statements_in
from calmkb.store.git.repository import find_repository
from calmkb.system.files import read_bytes
from calmkb.system.paths import real_path
from calmkb.wings.proof.enforce.checks import Call, Check
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.enforce.phrases import in_context
from calmkb.wings.proof.verbs.enforce.calls import past_calls

_GLOBS = re.compile(r"---\n(?:(?!---).*\n){,40}?(?:applyTo|globs|paths): *([^\s].*)\n")
Outcome = Literal["refused", "failed", "asked for", "passed"]
_SHOWN = 160
_LIMIT = 512 * 1024


@dataclass(frozen=True, slots=True)
class Fired:
    """One past call that a check would have stopped, and what came of it then.

    `session` is the name of its file, `day` YYYY-MM-DD; "asked for" is one that the person's own
    words before it name: the check would have been wrong there.
    """

    session: str
    day: str
    line: int
    check: str
    what: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Trial:
    """How many sessions and calls were looked at, and which calls the checks would have stopped."""

    sessions: int
    calls: int
    fired: tuple[Fired, ...]

    def count(self, outcome: Outcome) -> int:
        """Return how many of the calls ended so."""
        return sum(one.outcome == outcome for one in self.fired)


class Line(NamedTuple):
    """A rule of an instruction file: its line, its words, and the checks that they say."""

    line: int
    text: str
    checks: tuple[Check, ...]


def lines_of(path: Path) -> list[Line]:
    """Return the rules of a file that say a check; StoreError where it cannot be read."""
    read = read_bytes(Path(real_path(path)), limit=_LIMIT).decode(errors="replace")
    text = in_context(without_block(read).replace("\r\n", "\n"))
    globs = _globs_of(path, text)
    file, found = InstructionFile(path.name, text, quotable=True), dict[Check, Line]()
    for words in sorted(statements_in(text), key=len):  # a sentence before its paragraph
        scoped = (_scoped(one, globs) for one in compile_checks(words))
        checks = tuple(one for one in scoped if one and one not in found)
        found |= dict.fromkeys(checks, Line(file.line_of(words), words, checks))
    return sorted(set(found.values()))


def _globs_of(path: Path, text: str) -> tuple[str, ...]:
    """Return the files that an instruction file is about: as it says, or those of its folder."""
    if named := _GLOBS.match(text):
        globs = re.findall(r"(?:\{[^{}]*\}|[^\s,'\"\[\]])+", named[1])
        return tuple(each for one in globs if one.strip("*/") for each in _alternatives(one))
    repository = find_repository(path.parent)
    below = Path(os.path.relpath(path.parent, repository.top)).as_posix() if repository else ""
    folder = re.split(r"(?:^|/)\.", below)[0]  # for `web/.cursor/rules` it is `web`
    return (f"{folder}/**",) if folder else ()


def _alternatives(glob: str) -> list[str]:
    """Return `*.{ts,tsx}` as `*.ts` and `*.tsx`; one that has more braces as it is."""
    before, _, rest = glob.partition("{")
    names, _, after = rest.partition("}")
    return [f"{before}{name.strip()}{after}" for name in names.split(",")]


def _scoped(check: Check, globs: tuple[str, ...]) -> Check | None:
    """Return a check for these files; None for a message, which shows no file that it is about."""
    if globs and check.kind in ("say", "begin"):
        return None
    has_files = check.kind in ("write", "name", "reason", "before")
    return check if check.globs or not has_files else replace(check, globs=globs)


def try_checks(kb: KnowledgeBase, checks: Sequence[Check]) -> Trial:
    """Return what the checks would have done in this repository's sessions on this machine."""
    projects = SessionProjects(kb)
    sessions = calls = 0
    fired: list[Fired] = []
    for transcript, path in _own_sessions(kb, projects):
        sessions += 1
        found = list(past_calls(transcript))
        calls += sum(not call.ends for _, call in found)
        fired += _fired(transcript, found, path, checks)
    return Trial(sessions, calls, tuple(fired))


def _own_sessions(
    kb: KnowledgeBase, projects: SessionProjects
) -> Iterator[tuple[Transcript, Path]]:
    environment = kb.environment
    files, _ = all_session_files(environment.home, environment.env)
    for number, path in enumerate(files, 1):
        environment.report("Trying the check on past sessions", number, len(files))
        folder = "" if is_sub_agents(path) else first_folder(path)
        if is_sub_agents(path) or (folder and not projects.is_own([folder])):
            continue
        try:
            with whole_texts():
                transcript = read_transcript(path)
        except TranscriptError:
            continue
        if folder or projects.is_own(transcript.folders, transcript.remote):
            yield transcript, path


def _fired(
    transcript: Transcript,
    calls: Sequence[tuple[Attempt, Call]],
    path: Path,
    checks: Sequence[Check],
) -> Iterator[Fired]:
    broken = ((*one, check) for one in calls for check in checks if check.is_broken_by(one[1]))
    for attempt, call, check in broken:
        yield Fired(
            session=path.stem,
            day=attempt.at.date().isoformat() if attempt.at else "",
            line=attempt.line,
            check=str(check),
            what=clip(one_line(call.command or call.path or "the turn ends"), _SHOWN),
            outcome=_outcome(transcript, attempt, check),
        )


def _outcome(transcript: Transcript, attempt: Attempt, check: Check) -> Outcome:
    if check.at_stop:  # how the last call of the turn ended says nothing of its end
        return "passed"
    if attempt.kind in ("rejection", "interruption"):
        return "refused"
    if not check.first and check.what.casefold() in _last_words(transcript, attempt.place):
        return "asked for"
    return "failed" if attempt.failed else "passed"


def _last_words(transcript: Transcript, place: int) -> str:
    """Return what the person said last before a turn."""
    before = reversed(transcript.turns[:place])
    prompts = (turn.text for turn in before if turn.role == "person" and not turn.kind)
    return next(prompts, "").casefold()
