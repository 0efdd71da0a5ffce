"""What of a prompt shows whether it corrects, reports a failure, or was not typed at all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calmkb.capture.mining import correction_patterns as patterns
from calmkb.capture.mining.linear import Features, add_hashed, letters, words
from calmkb.capture.mining.prompts import is_paste, looks_pasted, own_sentences, own_words

SEEN = 6_000
"""Characters of a prompt that are looked at: more is a paste."""
_READ = 2_000  # characters whose words and letters are weighed
_SENTENCES = 12
_OF_SENTENCES = {
    "wonders": patterns.WONDERS,
    "convention": patterns.CONVENTION,
    "requests": patterns.ASKS,
    "strong": patterns.STRONG,
    "trouble": patterns.TROUBLE,
    "hedge": patterns.HEDGE,
    "weak": patterns.WEAK,
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a person typed; what the agent said and did before it tells nothing more.

    `rejection` where it is the reason given with a tool call's refusal, `first` where no prompt
    came before it.
    """

    text: str
    rejection: bool = False
    first: bool = False


def _searched(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_IN_TEXT = {
    "asks": re.compile(r"\?"),
    "refuses": _searched(
        r"\A\s*(?:no|nope|nah|not|don'?t|stop|wait|hmm|hm|actually|but|why|hold on|hang on"
        r"|that'?s not|i meant|instead)\b"
    ),
    "agrees": _searched(
        r"\A\s*(?:yes|yep|ok|okay|sure|great|perfect|nice|cool|go|lgtm|sounds good|do it"
        r"|continue)\b"
    ),
    "contrasts": _searched(
        r"\b(?:instead|rather|not|should|wrong|incorrect|revert|undo|remove|roll back|again|still"
        r"|only|never|always|prefer|why|but|actually|just|too|unnecessary|already|meant|expected"
        r")\b|n't\b"
    ),
    "objects": _searched(
        r"\b(?:should(?: be| not|n't)|why (?:did|are|do|is)|don'?t|do not|no need"
        r"|we (?:don't|shouldn't|should)|i (?:don't|didn't|meant|want)|is wrong"
        r"|not (?:correct|right|what)|revert|undo|roll ?back|put .* back)\b"
    ),
}


def features(prompt: Prompt) -> Features:
    """Return what is weighed in a prompt: its forms of words by name, all words by their hash."""
    found: Features = dict.fromkeys(_flags(prompt), 1.0)
    found |= dict.fromkeys(_pasted(prompt.text[:SEEN]), 2.0)
    text = prompt.text[:_READ]
    add_hashed(found, "w", words(text))
    add_hashed(found, "c", letters(text, 2, 4))
    return found


def _flags(prompt: Prompt) -> Iterator[str]:
    text = own_words(prompt.text[:SEEN]) or prompt.text[:SEEN]
    sentences = own_sentences(prompt.text[:SEEN])[:_SENTENCES]
    yield from (name for name, pattern in _IN_TEXT.items() if pattern.search(text))
    for name, pattern in _OF_SENTENCES.items():
        if any(map(pattern.search, sentences)):
            yield name
            if pattern.search(sentences[0]):
                yield f"{name} first"
    if prompt.rejection:
        yield "rejection"
    if prompt.first:
        yield "first"


def _pasted(text: str) -> Iterator[str]:
    if is_paste(text):
        yield "paste"
    if looks_pasted(own_words(text)):
        yield "looks pasted"
