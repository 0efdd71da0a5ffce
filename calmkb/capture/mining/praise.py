"""Praise: a short prompt that says the agent did well, and nothing else."""

import re

_STRONG = re.compile(
    r"\b(?:perfect(?:ly)?|exactly|that's it|nailed it|spot on|love (?:it|this)|brilliant"
    r"|excellent|awesome|amazing)\b",
    re.IGNORECASE,
)
_MODERATE = re.compile(
    r"\b(?:great|nice|looks? good|lgtm|that works|works (?:now|well|great)|good (?:approach|job"
    r"|work|catch|idea)|much better|well done|cool|neat)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:but|however|although|except|not|isn't|doesn't|don't|can you|could you|would be"
    r"|if|still|instead)\b|\?",
    re.IGNORECASE,
)
_SHORT = 14
_OPENING = 60


def praises(words: str) -> bool:
    """Return whether a person's own words praise: early, in few words, and without a `but`."""
    sentence = re.split(r"[.!\n]", words.strip(), maxsplit=1)[0]
    if _TURNS.search(sentence):
        return False
    opening = words[:_OPENING]
    if _STRONG.search(opening):
        return len(sentence.split()) <= _SHORT
    return bool(_MODERATE.search(opening)) and len(sentence.split()) <= _SHORT // 2
