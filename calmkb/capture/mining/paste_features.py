"""How a text looks that nobody typed: formal paragraphs, log lines, marks of a terminal."""

import re
from collections.abc import Iterator
from math import log1p

from calmkb.capture.mining.prompts import is_log_line

_SPEAKS = re.compile(
    r"\b(?:I|I'\w+|we|we'\w+|my|our|me|us|let's|lets|you|you'\w+|your|please|pls|ok|okay|hmm|btw)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"")
# A person introduces a paste: "I got this feedback: The condition …".
_PARAGRAPH = re.compile(r"\n\s*\n|(?<=[a-z]):\s+(?=[A-Z])")
_FORMAL_LENGTH = 100
_SHARES = (
    ("signs", re.compile(r"[^\w\s]+"), 4),
    ("digits", re.compile(r"\d+"), 8),
    ("capitals", re.compile(r"[A-Z]+"), 5),
)
_MARKS = {
    "wide gap": re.compile(r"\S {5,}\S| {10,}$", re.MULTILINE),
    "severity": re.compile(
        r"\b(?:low|medium|high|critical) (?:severity|priority)|\((?:LOW|MEDIUM|HIGH)\)"
        r"|\b(?:Critical|High|Medium|Low|Minor|Nit):"
    ),
    "feedback": re.compile(
        r"\b(?:feedback|review(?:er)? (?:comments?|says?|said)|comments?)\b[^\n]{0,60}:\s",
        re.IGNORECASE,
    ),
    "consider": re.compile(r"\bConsider(?: \w+ing)\b|\bThis (?:could|can|may|means|is|would)\b"),
    "time of day": re.compile(r"\d\d:\d\d:\d\d"),
    "json": re.compile(r"\{\"\w+\":"),
    "place in a file": re.compile(r"[\w/.]+\.\w{1,5}:\d+(?::\d+)?"),
    "terminal line": re.compile(r"^\s*(?:[\u276f$%>\u23fa\u23bf]|\w+@\w+)\s", re.MULTILINE),
    "step": re.compile(r"^(?:=== |--- )", re.MULTILINE),
    "dash": re.compile("\u2014"),
    "sign": re.compile("[\u2192\u2705\u274c\u26a0]"),
    "bold": re.compile(r"\*\*"),
    "introduced": re.compile(r"\A[^\n]{3,90}:\s"),
    "long quotation": re.compile(r"[\"\u201c][A-Z][^\"\u201d]{60,}[\"\u201d]"),
}


def paste_features(text: str) -> Iterator[tuple[str, float]]:
    """Yield how much of `text` looks pasted, each feature with a value of 0 to 1."""
    size = max(1, len(text))
    lines = [line for line in text.split("\n") if line.strip()]
    logged = [line for line in lines if is_log_line(line)]
    formal = [one for one in _PARAGRAPH.split(text) if _is_formal(one.strip())]
    yield "share of formal text", sum(map(len, formal)) / size
    yield "share of log lines", sum(map(len, logged)) / size
    yield "log lines", min(1.0, len(logged) / 10)
    yield "lines", min(1.0, len(lines) / 30)
    yield "longest line", min(1.0, max(map(len, lines), default=0) / 400)
    yield "size", min(1.0, log1p(len(text)) / 8)
    for name, pattern, weight in _SHARES:
        yield name, min(1.0, weight * (size - len(pattern.sub("", text))) / size)
    yield "begins small", float(text.lstrip()[:1].islower())
    yield "formal", float(bool(formal))
    yield "formal twice", float(len(formal) > 1)
    for name, pattern in _MARKS.items():
        yield name, float(pattern.search(text) is not None)


def _is_formal(paragraph: str) -> bool:
    """Tell a paragraph in which nobody speaks to anybody, as reviews and reports have them."""
    if len(paragraph) < _FORMAL_LENGTH or not paragraph[0].isupper():
        return False
    return paragraph[-1] in ".:`)!" and not _SPEAKS.search(_QUOTED.sub("", paragraph))
