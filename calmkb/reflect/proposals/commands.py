"""How a project is tested, linted, formatted and built, and how not: from the runs of sessions."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from calmkb.model import UNKNOWN_SCOPE, Evidence, Proposal, SessionView
from calmkb.model.sessions.entries import is_written, threads
from calmkb.reflect.proposals.merging import evidence_digest, identified
from calmkb.reflect.statements.wording import confidence_of

# What a draft writes in its summary (`capture.draft.summary`): "Ran `make test` (3 times, passed…".
_RUN = re.compile(r"`([^`\n]{3,80})` \((?:\d+ times, )?(passed|failed)(?: at last)?\)")
_STEPS = re.compile(r"\s+&&\s+")
_SELECTED = re.compile(
    r"(?P<flag>\s(?:-run|-k|-t|--grep|--filter|--tests?|--testNamePattern)[ =])"
    r"(?P<name>\"[^\"]*\"|'[^']*'|\S+)"
)
_NOISY = re.compile(r"\s(?:-v|-vv|-q|--verbose|--silent|-count=1)(?=\s|\Z)")
_PURPOSES = (
    ("format", re.compile(r"\b(?:fmt|format|prettier|black|gofmt|gofumpt)\b")),
    ("types", re.compile(r"\b(?:mypy|pyright|typecheck|type-check|tsc)\b")),
    ("lint", re.compile(r"\b(?:lint|eslint|ruff|clippy|golangci-lint|flake8|vet)\b")),
    ("test", re.compile(r"\b(?:tests?|pytest|jest|vitest|rspec|playwright|tox|nox|e2e)\b")),
    ("build", re.compile(r"\b(?:build|compile|assemble)\b")),
    ("check", re.compile(r"\b(?:checks?|ci|verify|pre-?commit)\b")),
)
_SAID = {
    "test": "run the tests with {}",
    "one test": "a single test with {}",
    "lint": "lint with {}",
    "types": "check types with {}",
    "format": "format with {}",
    "build": "build with {}",
    "check": "run all checks with {}",
}
# What anyone would try first in a project of its language: to say it teaches nothing, and it hides
# that the project has a task of its own, such as `mise run test`.
_PLAIN = re.compile(
    r"(?:npm|yarn|pnpm|bun)(?: run)? (?:test|lint|build|format|typecheck)|gofmt .*"
    r"|npx (?:tsc|eslint|prettier)\b.*|make(?: (?:test|lint|build|check|fmt|format))?"
    r"|\./gradlew (?:test|build)|mvn (?:test|package)"
    r"|(?:(?:python3? -m )?pytest|cargo (?:test|build|fmt|clippy|check)|go (?:test|build|vet|fmt)"
    r"|ruff (?:check|format)|mypy)(?: (?:-run|-k) NAME| [^-\s]\S*)*"
)
# A place of one machine, a shell's own words, or a run that gives up a check.
_UNFIT = re.compile(r"[|;<>$*]|(?:^|\s)(?:~|/(?!dev/null)|[A-Za-z]:\\)|\bcd\s|--no-verify|--force")
_SESSIONS = 3
_QUOTES = 3
Documented = Callable[[str], Iterable[tuple[str, str]]]
"""The instruction files of a project by its name: where each is, and its text."""


def _no_files(project: str) -> Iterable[tuple[str, str]]:
    return ()


_SHARE = 0.25
"""A second test command is named where at least this share of the first one's sessions ran it."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One command that passed at the end of one session."""

    purpose: str
    command: str
    evidence: Evidence


def usual_commands(
    sessions: Sequence[SessionView], documented: Documented = _no_files
) -> list[Proposal]:
    """Return a proposal a project with the commands that passed in three sessions or more.

    Nothing where no session is left to reflect on; what anyone would try first is left out. Held
    where one of the `documented` files names them all. The quotes are those of the first sessions,
    so that one more changes no evidence.
    """
    projects: dict[str, list[SessionView]] = {}
    roots = threads(view.entry for view in sessions)
    witnesses = [view for view in sessions if roots[view.entry.id] == view.entry.id]
    for view in sorted(witnesses, key=lambda one: (one.entry.created_at, one.entry.id)):
        projects.setdefault(view.entry.project_name, []).append(view)
    found = []
    for project, views in projects.items():
        if any(view.reflected_at is None for view in views):
            passed = [run for view in views for run in _runs(view, "passed")]
            failed = [run for view in views for run in _runs(view, "failed")]
            found.append(_proposal(project, passed, documented))
            found += _never(project, passed, failed)
    return [proposal for proposal in found if proposal]


def _never(project: str, passed: Sequence[_Run], failed: Sequence[_Run]) -> Iterator[Proposal]:
    """Yield a proposal for each command that failed in three sessions and passed in none.

    Only where the same task passes by another program, as `pnpm test` does for `npm test`: a test
    that fails may do so because the code is wrong.
    """
    worked = {run.command for run in passed}
    for command in sorted({run.command for run in failed} - worked):
        runs = [run for run in failed if run.command == command]
        sessions = len({run.evidence.source for run in runs})
        instead = min((one for one in worked if _is_same_task(one, command)), default="")
        if instead and sessions >= _SESSIONS:
            quotes = dict.fromkeys(_first(command, runs) + _first(instead, passed))
            text = f"Use `{instead}`, not `{command}`; the latter never passes here."
            why = f"It failed in {sessions} sessions here."
            yield _made(text, tuple(quotes), project, sessions, why)


def _is_same_task(one: str, other: str) -> bool:
    first, second = one.split(), other.split()
    return first[0] != second[0] and first[-1] == second[-1] and len(first) > 1


def _runs(view: SessionView, outcome: str) -> Iterator[_Run]:
    """Yield what passed, or what failed, in the session of a draft, each command once."""
    if is_written(view.entry):
        return
    quotes: dict[str, str] = {}
    for match in _RUN.finditer(view.entry.summary):
        if match[2] == outcome:
            for step in _STEPS.split(match[1]):
                quotes.setdefault(step.strip(), match[0])
    for command, quote in quotes.items():
        plain = _NOISY.sub("", command)
        general = _SELECTED.sub(lambda match: f"{match['flag']}NAME", plain, count=1)
        purpose = "" if _UNFIT.search(general) else _purpose(plain, general)
        if purpose:
            day = view.entry.created_at.strftime("%Y-%m-%d")
            evidence = Evidence(
                quote=quote, source=view.entry.id, date=day, project=view.entry.project_name
            )
            yield _Run(purpose, general, evidence)


def _purpose(command: str, general: str) -> str:
    found = next((name for name, words in _PURPOSES if words.search(general)), "")
    return "one test" if found == "test" and general != command else found


def _proposal(project: str, runs: Sequence[_Run], documented: Documented) -> Proposal | None:
    usual = _usual(run for run in runs if not _PLAIN.fullmatch(run.command))
    commands = [command for named in usual.values() for command in named]
    if not commands:
        return None
    held = next((_where(at, text, commands[0]) for at, text in documented(project)
                 if all(one in text for one in commands)), "")  # fmt: skip
    sentences = [_SAID[purpose].format(" or ".join(map("`{}`".format, named)))
            for purpose, named in usual.items()]  # fmt: skip
    text = (
        f"{', '.join(sentences[:-1])} and {sentences[-1]}" if len(sentences) > 1 else sentences[0]
    )
    evidence = tuple(dict.fromkeys(one for command in commands for one in _first(command, runs)))
    sessions = len({run.evidence.source for run in runs if run.command in commands})
    why = f"They passed in {sessions} sessions here."
    return _made(f"{text[0].upper()}{text[1:]}.", evidence, project, sessions, why, held)


def _made(
    text: str, evidence: tuple[Evidence, ...], project: str, sessions: int, why: str, held: str = ""
) -> Proposal:
    return identified(
        Proposal(
            id="",
            text=text,
            category="workflow",
            importance=0.8,
            confidence=confidence_of(sessions),
            scope=project or UNKNOWN_SCOPE,
            origin="agent",
            evidence=evidence,
            evidence_hash=evidence_digest(evidence),
            held=held,
            source="mined",
            reasoning=why,
        )
    )


def _where(place: str, text: str, command: str) -> str:
    return f"already in {place}: line {text.count(chr(10), 0, text.index(command)) + 1}"


def _usual(runs: Iterable[_Run]) -> dict[str, list[str]]:
    """Return the commands to name for each purpose, in the order of the sentence."""
    counted: dict[str, dict[str, set[str]]] = {}
    for run in runs:
        counted.setdefault(run.purpose, {}).setdefault(run.command, set()).add(run.evidence.source)
    usual = {}
    for purpose in _SAID:
        often = {command: len(ids) for command, ids in counted.get(purpose, {}).items()
                 if len(ids) >= _SESSIONS}  # fmt: skip
        most = sorted(often, key=lambda command: (-often[command], command))
        if most:
            second = (
                purpose == "test" and len(most) > 1 and often[most[1]] >= _SHARE * often[most[0]]
            )
            usual[purpose] = most[: 2 if second else 1]
    return usual


def _first(command: str, runs: Iterable[_Run]) -> list[Evidence]:
    return [run.evidence for run in runs if run.command == command][:_QUOTES]
