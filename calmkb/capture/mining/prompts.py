"""A person's own sentences in a prompt: without code, quotations, logs and other pastes."""

import re
from functools import lru_cache

from calmkb.capture.formats.cleaning import clean, sentences
from calmkb.language.detect import ENGLISH, language

_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_LOG_LINE = re.compile(
    r"^\s*(?:[>\u276f$%|│┃╭╰✓✔✗✘✖\u00d7●⎿⏺+]|\d+[:|]\s|at \S+ \(|\S+:\d+:\d+"
    r"|\[?\d{4}-\d\d-\d\d[T ]"
    r"|\d\d:\d\d:\d\d|(?:npm|pnpm|yarn) (?:warn|err)|(?:remote|hint|fatal|error|warning): "
    r"|(?:Traceback|Caused by|FAILED|FAIL|PASS|ok  )\b|(?:---|===) |\w+Error: |(?:E|W)  +\S"
    r"|(?:create|delete) mode \d|Run \w+ run |From https?://)",
    re.IGNORECASE,
)
_SHELL_PROMPT = re.compile(r"^\s*[\u276f$]\s")
_PROSE = re.compile(r"[^\W\d_]{2,}")
_FIRST_PERSON = re.compile(
    r"\b(?:I|I'\w+|we|we'\w+|my|our|me|us|let's|lets|you|you'\w+|please|pls|ok|okay|hmm|btw)\b",
    re.IGNORECASE,
)
_NO_LETTER = re.compile(r"[\d_]|[^\w\s]")
_MANY_SIGNS = 0.4
_SHORT_LINE = 30
_LONG_PASTE_LINES = 12
_REVIEW_LENGTH = 160
_TOO_LONG = 1_000  # nobody talks in such sentences; it is a paste without line ends


@lru_cache(maxsize=16)  # several questions are asked of one prompt
def own_words(prompt: str) -> str:
    """Return what the person wrote: code blocks, quotations, logs and long pastes taken out."""
    text = _FENCE.sub("\n", clean(prompt))
    lines = text.split("\n")
    kept = [line for line in lines if not is_log_line(line)]
    if len(kept) > _LONG_PASTE_LINES and len(lines) - len(kept) > len(kept) // 3:
        # Mostly a log: what a person adds is before it or after it.
        kept = [*kept[:3], *kept[-2:]]
    return "\n".join(kept).strip()


def own_sentences(prompt: str) -> list[str]:
    """Return the person's sentences, list markers taken off; none where all of it is pasted."""
    words = own_words(prompt)
    if looks_pasted(words):
        return []
    found = (
        re.sub(r"^(?:#+\s+|[-*•]\s+|\d{1,2}[.)]\s+)", "", one).strip() for one in sentences(words)
    )
    return [" ".join(one.split()) for one in found if _PROSE.search(one) and len(one) < _TOO_LONG]


def is_paste(prompt: str) -> bool:
    """Tell a prompt that is all log or tool output, at most with a line that looks like prose."""
    words = own_words(prompt)
    logged = any(is_log_line(line) for line in prompt.split("\n") if line.strip())
    if not words or language(words) != ENGLISH:
        return not words
    return logged and not _FIRST_PERSON.search(_without_code(words))


def looks_pasted(text: str) -> bool:
    """Tell an English review or issue from elsewhere: long, formal, no I, we or you in it."""
    if len(text) < _REVIEW_LENGTH or _FIRST_PERSON.search(_without_code(text)):
        return False
    formal = [one for one in sentences(text) if one[:1].isupper() and one[-1:] in ".:`)"]
    return len(formal) >= 2 and language(text) == ENGLISH


def _without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`|\"[^\"\n]*\"", "", text)


def is_log_line(line: str) -> bool:
    """Tell a line of output, of a log or of a session at a shell from prose."""
    if _SHELL_PROMPT.match(line) or _LOG_LINE.match(line):
        return True
    return len(line) > _SHORT_LINE and len(_NO_LETTER.findall(line)) > _MANY_SIGNS * len(line)
