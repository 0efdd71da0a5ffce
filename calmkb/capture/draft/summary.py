"""A session in two to four sentences: what was asked, what was changed, run and said last."""

import re
from collections import Counter
from collections.abc import Sequence

from calmkb.capture.formats.cleaning import clip, one_line, sentences
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.mining.corrections import classify
from calmkb.capture.mining.prompts import is_paste, looks_pasted, own_words
from calmkb.capture.tool_calls.attempts import EDITS, Attempt, shown

_FIRST_LIMIT = 180
_MORE_LIMIT = 110
_LAST_LIMIT = 180
_NAMED_FILES = 4
_NAMED_RUNS = 3
_WORK = re.compile(
    r"\b(?:test|tests|pytest|jest|vitest|playwright|cypress|lint|ruff|eslint|mypy|tsc|typecheck"
    r"|build|check|fmt|format|migrate|migration|deploy|tox|nox|e2e|bench|alembic|prisma|make|spec"
    r"|rspec)\b"
)
_TALK = re.compile(
    r"^(?:yes|yep|yeah|ok|okay|sure|no|nope|continue|go on|go ahead|do it|commit|push|thanks"
    r"|thank you|perfect|great|nice|try again|commit (?:this|it)|retry|please continue)\b"
    r"[\s\w,]{0,20}[.!]*$"
    r"|^(?:thanks|thank you)\b.{0,40}$",
    re.IGNORECASE,
)
_OWN_COMMAND = re.compile(r"/(?:calmkb:)?(?:wrapup|reflect(?:ion|-toggle)?)\b")
_OPENER = re.compile(
    r"^(?:(?:ok|okay|hi|hello|hey|so|now|also|looks good|please|pls|great|perfect|yes|thanks)\b"
    r"[\s,.!:;-]*)+",
    re.IGNORECASE,
)
_INTENT = re.compile(r"(?:I'll|I will|Let me|Let's|Now|I'm going to|I need to|First)\b")
_MARKUP = re.compile(r"\*\*|^#{1,6}\s*|^[-*•]\s+|^>\s*", re.MULTILINE)


def summarise(transcript: Transcript, done: Sequence[Attempt]) -> str:
    """Return the summary; what was asked stands first, in the person's own words."""
    parts = [
        _asked(transcript.turns),
        _changed(transcript),
        _ran(done),
        _said_last(transcript.turns),
    ]
    return " ".join(part for part in parts if part)


def requests(turns: Sequence[Turn]) -> list[str]:
    """Return what the person asked for, each prompt once, small talk left out."""
    found: dict[str, None] = {}
    for turn in turns:
        text = turn.text
        # Nine turns in ten are the agent's or a tool's: to classify them takes most of a draft.
        if turn.role != "person" and turn.kind != "command":
            continue
        if turn.kind == "command" and (" " not in text or _OWN_COMMAND.match(text)):
            continue
        # A correction belongs to the friction points; here it would read as a request.
        if found and (turn.kind == "rejection" or classify(text) or is_paste(text)):
            continue
        if short := _request(text):
            found.setdefault(short)
    return list(found)


def _request(prompt: str) -> str:
    own = own_words(prompt)
    if _TALK.match(own):
        return ""
    parts = sentences(own)
    if not parts:
        return ""
    text = one_line(_MARKUP.sub("", parts[0]))
    if len(text) < 40 and len(parts) > 1 and not looks_pasted(own):
        text = f"{text} {one_line(_MARKUP.sub('', parts[1]))}"
    # A greeting asks for nothing; what is quoted is not altered.
    return text if len(_OPENER.sub("", text).split()) > 1 else ""


def _asked(turns: Sequence[Turn]) -> str:
    asked = requests(turns)
    if not asked:
        prompt = next(turn.text for turn in turns if turn.role == "person")
        return f"Asked: {_quoted(one_line(prompt), _FIRST_LIMIT)}."
    # After the first, the longer ones say more; shown in the order in which they were asked.
    rest = sorted(asked[1:], key=lambda text: -min(len(text), _MORE_LIMIT))[:2]
    quoted = [_quoted(asked[0], _FIRST_LIMIT)]
    quoted += [_quoted(text, _MORE_LIMIT) for text in asked[1:] if text in rest]
    left = len(asked) - len(quoted)
    more = f" (and {left} more)" if left else ""
    return f"Asked: {'; then '.join(quoted)}{more}."


def _quoted(text: str, limit: int) -> str:
    return '"' + clip(text.replace('"', "'"), limit).rstrip(".") + '"'


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
    changed = changed_files(transcript)
    if not changed:
        return ""
    names = [_relative(name, transcript.working_directory) for name in changed]
    return f"Changed {_listed(names, _NAMED_FILES, 'file')}."


def _relative(name: str, folder: str) -> str:
    name, folder = name.replace("\\", "/"), folder.replace("\\", "/").rstrip("/")
    if folder and name.startswith(f"{folder}/"):
        return name.removeprefix(f"{folder}/")
    return name.rsplit("/", 1)[-1] if name.startswith("/") or ":" in name else name


def _listed(names: Sequence[str], limit: int, noun: str) -> str:
    more = len(names) - limit
    head = ", ".join(names[:limit])
    if more > 0:
        return f"{len(names)} {noun}s ({head} and {more} more)"
    return f"{head}"


def _ran(done: Sequence[Attempt]) -> str:
    runs: dict[str, list[bool]] = {}
    for attempt in done:
        if attempt.is_shell and attempt.kind == "result" and _is_work(attempt):
            runs.setdefault(attempt.command, []).append(not attempt.failed)
    if not runs:
        return ""
    most = sorted(runs.items(), key=lambda item: -len(item[1]))[:_NAMED_RUNS]
    return f"Ran {', '.join(f'{shown(command)} ({_outcome(oks)})' for command, oks in most)}."


def _is_work(attempt: Attempt) -> bool:
    command = attempt.command
    return len(command) <= 80 and not attempt.only_looks and _WORK.search(command) is not None


def _outcome(oks: list[bool]) -> str:
    end = "passed" if oks[-1] else "failed"
    return end if len(oks) == 1 else f"{len(oks)} times, {end} at last"


def _said_last(turns: Sequence[Turn]) -> str:
    for turn in reversed(turns):
        if turn.role == "agent" and not turn.kind and not turn.is_sidechain:
            first = next(iter(sentences(_MARKUP.sub("", turn.text))), "")
            first = one_line(first)
            # What the agent was about to do is no outcome.
            if len(first) < 12 or first.endswith((":", "?")) or _INTENT.match(first):
                return ""
            return f"Ended with: {_quoted(first, _LAST_LIMIT)}."
    return ""
