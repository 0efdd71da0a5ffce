"""What of a prompt shows whether it corrects, reports a failure, or was not typed at all.

Plain Python: hooks judge prompts, and the numbers that weigh these features are a table.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log1p, sqrt

from calmkb.capture.mining import correction_patterns as patterns
from calmkb.capture.mining.paste_features import paste_features
from calmkb.capture.mining.prompts import is_paste, looks_pasted, own_sentences, own_words
from calmkb.capture.mining.trouble_features import trouble_features

_READ = 400
"""Characters of a prompt whose words count: what it is about is said at its beginning."""
_SENTENCES = 12
SEEN = 6_000
"""Characters of a prompt that are looked at: more is a paste."""
_WORD = re.compile(r"\w[\w']*|[?!]")
_SPACE = re.compile(r"\s+")
_GRAMS = range(2, 6)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a person typed; `before` is the end of the agent's last words, `tool` its last call.

    `rejection` where it is the reason given with a tool call's refusal, `first` where no prompt
    came before it.
    """

    text: str
    before: str = ""
    tool: str = ""
    rejection: bool = False
    first: bool = False


def _searched(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_IN_TEXT = {
    "asks": re.compile(r"\?"),
    "ends in a question": re.compile(r"\?\s*\Z"),
    "code": re.compile(r"```"),
    "error": re.compile(r"\berror|fail|exception|FAIL|Error"),
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
    "plan": re.compile(r"\A(?:Implement the following plan|\s*#|This session is being continued)"),
    "review": re.compile(
        r"\A(?:The (?:comment|test|function|code|condition|variable|method|error)|When|In|This)\b"
    ),
    "file and line": re.compile(r"[\w/]+\.\w{1,5}:\d+|\blines? \d+|\([^)]*line \d+"),
    "first person": _searched(r"\b(?:I|I'\w+|we|we'\w+|my|our|me|us|let's|lets|can you|please)\b"),
    "list": re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s", re.MULTILINE),
    "heading": re.compile(r"^#{1,4} ", re.MULTILINE),
    "terminal": re.compile(r"^\s*(?:[\u276f\u23bf\u23fa$>+]|\u2502|\d+\s*[+-] )", re.MULTILINE),
}
_IN_BEFORE = {
    "agent asks": re.compile(r"\?\s*\Z"),
    "agent offers": _searched(
        r"would you like|want me to|should i|shall i|do you want|which (?:one|option|approach)"
        r"|let me know|ready to"
    ),
    "agent gives options": _searched(r"\*\*?option|\b[abc]\)|\| \*\*"),
    "agent is done": _searched(
        r"\b(?:done|complete|all (?:tests )?pass|committed|pushed|ready|summary|changes made"
        r"|successfully|implemented)\b|✅"
    ),
    "agent announces": _searched(r"(?:let me|i'll|now i)[^.]{0,80}[:.]?\s*\Z"),
}
_OF_SENTENCES = {
    "wonders": patterns.WONDERS,
    "convention": patterns.CONVENTION,
    "requests": patterns.ASKS,
    "strong": patterns.STRONG,
    "trouble": patterns.TROUBLE,
    "hedge": patterns.HEDGE,
    "weak": patterns.WEAK,
    "fact": patterns.FACT,
}


def features(prompt: Prompt) -> Mapping[str, float]:
    """Return the features of a prompt by name; those that are 0 are left out."""
    prompt = replace(prompt, text=prompt.text[:SEEN])
    own = own_words(prompt.text)
    sentences = own_sentences(prompt.text)[:_SENTENCES]
    found = dict.fromkeys(_flags(prompt, own, sentences), 1.0)
    found |= paste_features(prompt.text)
    found |= trouble_features(prompt.text, sentences[0] if sentences else "")
    found["length"] = min(1.0, log1p(len(own)) / 8)
    found["share of own words"] = len(own) / max(1, len(prompt.text))
    words = [word.lower() for word in _WORD.findall(own[:_READ])]
    for place, word in enumerate(words[:3]):
        found[f"^{' '.join(words[:place])} {word}"] = 0.7
    _add(found, [*words, *map(" ".join, pairwise(words))], "w:")
    add_grams(found, own[:_READ].lower(), "c:")
    if prompt.tool:
        found[f"tool {prompt.tool}"] = 0.5
    return found


def _flags(prompt: Prompt, own: str, sentences: Sequence[str]) -> Iterator[str]:
    text = own or prompt.text
    yield from (name for name, pattern in _IN_TEXT.items() if pattern.search(text))
    yield from (
        name for name, pattern in _IN_BEFORE.items() if pattern.search(prompt.before[-600:])
    )
    for name, pattern in _OF_SENTENCES.items():
        if any(map(pattern.search, sentences)):
            yield name
            if pattern.search(sentences[0]):
                yield f"{name} first"
    conditions = {
        "rejection": prompt.rejection,
        "first": prompt.first,
        "nothing before": not prompt.before,
        "no sentence": not sentences,
        "paste": is_paste(prompt.text),
        "looks pasted": looks_pasted(own),
        "short": len(text) < 40,
        "medium": 40 <= len(text) < 300,
        "long": len(text) > 800,
        "many lines": text.count("\n") > 5,
    }
    yield from (name for name, holds in conditions.items() if holds)


def add_grams(found: dict[str, float], text: str, prefix: str) -> None:
    """Add the runs of two to five characters of a text, within its words."""
    words = [f" {word} " for word in _SPACE.split(text) if word]
    grams = [
        word[place : place + size]
        for word in words
        for size in _GRAMS
        for place in range(len(word) - size + 1)
    ]
    _add(found, grams, prefix)


def _add(found: dict[str, float], items: list[str], prefix: str) -> None:
    """Add each item once, weighed so that a long text counts no more than a short one."""
    distinct = set(items)
    for item in distinct:
        found[prefix + item] = 1 / sqrt(len(distinct))
