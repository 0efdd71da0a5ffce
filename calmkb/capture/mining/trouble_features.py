"""The words in which people report that something fails."""

import re
from collections.abc import Iterator, Sequence

_SEEN = r"(?:get|got|getting|see|saw|seeing|hit|hitting|have|had|lost|found|ran into|run into)"
_WORKS = (
    r"(?:work\w*|show\w*|appear\w*|fir(?:e|es|ed|ing)|run(?:s|ning)?|happen\w*|see(?:ing)?|find"
    r"|load\w*|build|compile|pass\w*|match\w*|set|there|enable|updat\w*|produc\w*|creat\w*"
    r"|respond\w*)"
)
_WORDS = {
    "fails": r"\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|throws?|threw|hangs?|hung|stuck"
    r"|broken?|breaks?|breaking|died|dies|lost|lose|corrupt\w*|panic\w*|leak\w*)\b",
    "does not work": r"(?:\b(?:not|never|cannot)|n't)\b(?: \w+){0,3} " + _WORKS + r"\b",
    "symptom": r"\bconfli\w+|\b(?:taking|takes|took) (?:so|too|very|forever|ages)\b|\bslow\b"
    r"|\btimed? ?out|\bdelay\b|\bflak\w+|\bbugs?\b|\bregress\w+|\bmissing\b|\bweird|\bstrange"
    r"|\bunexpected\w*|\bodd\b|\bwrong\b|\bincorrect\w*|\bout of (?:memory|space|date|sync)",
    "observed": rf"\b(?:I(?:'m| am)?|we(?:'re| are)?)(?: just| still| now| also| keep)? {_SEEN}\b"
    r"|\bI(?: just)? (?:noticed?|tried|tested)\b"
    r"|\bit (?:says|showed|shows|still|keeps?|throws|returns|fails)\b",
    "expected": r"\bexpect(?:ed|ing|ation)?\b.{0,80}\b(?:but|instead|however|didn't|wasn't)\b"
    r"|\bsupposed to\b|\bshould have\b|\bused to\b",
    "still": r"\b(?:still|again|now|anymore|suddenly)\b.{0,40}"
    r"\b(?:fail|error|broken|not|shows?|get)\b|n't\b.{0,60}\b(?:anymore|any more|again|now)\b",
    "named": r"\b(?:this|these|following|the|an|some)"
    r" (?:error|issue|warning|message|problem|failure|bug)s?\b",
    "asks why": r"\bwhy (?:is|are|does|do|did|was|were|can't)\b"
    r"|\bwhat(?:'s| is) (?:the reason|going on|happening|wrong)",
    "error line": r"^\s*(?:error|fatal|panic|FAIL|E\s{2}|Traceback|\w+Error)\b",
}
_PATTERNS = {
    name: re.compile(words, re.IGNORECASE | re.MULTILINE) for name, words in _WORDS.items()
}
_PLANS = re.compile(
    r"\b(?:if|when|in case|should|would|could|might|may|let's|add|write|implement|refactor|rename"
    r"|update|create)\b",
    re.IGNORECASE,
)
_BAD = ("fails", "symptom", "does not work", "error line")


def trouble_features(text: str, first_sentence: str) -> Iterator[tuple[str, float]]:
    """Yield the forms of a report of trouble in `text`; `first_sentence` weighs by itself."""
    found = [name for name, pattern in _PATTERNS.items() if pattern.search(text)]
    for name in found:
        yield f"trouble: {name}", 1.0
        if _PATTERNS[name].search(first_sentence):
            yield f"trouble at once: {name}", 1.0
    yield "trouble: plans", float(_PLANS.search(text) is not None)
    yield "trouble: forms", min(1.0, len(found) / 4)
    yield "trouble: observed and bad", float("observed" in found and _any_bad(found))
    yield "trouble: asked about", float("?" in text and len(found) > 1)


def _any_bad(found: Sequence[str]) -> bool:
    return any(name in found for name in _BAD)
