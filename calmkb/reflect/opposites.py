"""Alike but opposite: what similarity cannot see and must never merge.

"Use pnpm, not npm" and "use npm, not pnpm" are one text to TF-IDF and nearly one to embeddings.
Four signs are read instead: who is preferred to whom, negation, opposite words, and a name, number
or order that alone has changed.
"""

import re

_WORD = re.compile(r"`[^`]+`|\d+(?:[.:]\d+)*|[\w@/+#*][\w.@/+#*'-]*[\w+#*]|\w")
_CURLY = "\u2019"  # the apostrophe that word processors put into "don't"
_NEGATORS = frozenset(
    """not no never don't dont doesn't didn't avoid avoids avoided stop stops stopped without cannot
    can't won't shouldn't mustn't isn't aren't wasn't needn't nor neither forbid forbidden ban skip
    refuse nobody nothing none hardly""".split()
)
_OPPOSITES = (
    "always never", "enable disable", "enabled disabled", "before after", "allow forbid",
    "allow deny", "on off", "true false", "add remove", "with without", "first last", "more less",
    "increase decrease", "public private", "tabs spaces", "sync async", "local global",
    "required optional", "must may", "merge rebase", "same different", "up down", "open close",
    "include exclude", "above below", "upper lower", "absolute relative", "start stop",
    "accept reject", "fast slow", "early late", "pass fail", "passes fails", "safe unsafe",
    "single double", "commit ignore", "keep delete", "client server", "old new", "min max",
)  # fmt: skip
_PAIRS = tuple(tuple(pair.split()) for pair in _OPPOSITES)
_FILLERS = frozenset(
    """a an the to of in on for is are be it we you i this that and or so please must should always
    use using run uses do does will can just only when with by at as""".split()
)
_VERB = r"(?:always\s+)?(?:use|uses|using|prefer|run|choose|pick|take|call)\s+(?:the\s+)?"
_NOT = r"(?:and |but )?(?:not|never|don't|avoid|no longer)\s+(?:us(?:e|ing)\s+|with\s+|the\s+)?"
_OVER = r"(?:instead of|rather than|in place of|over)\s+(?:the\s+)?"
_GAP = r"(?P<gap>[\w\s]{0,30}?)[,;:.(]?\s*"
_X, _Y = (rf"[`'\"]?(?P<{name}>[\w@/+#*.-]*[\w+#*])[`'\"]?" for name in "xy")
_PREFERENCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_VERB}{_X}{_GAP}(?:{_NOT}|{_OVER}){_Y}",
        rf"\b{_X}[,;(]?\s*(?:(?:and |but )?not\s+|{_OVER}){_Y}",
        rf"\binstead of\s+{_Y}[,;]?\s*(?:{_VERB})?{_X}",
        rf"\b(?:replace|swap)\s+{_Y}\s+(?:with|by|for)\s+{_X}",
        rf"\b(?:from|off)\s+{_Y}\s+to\s+{_X}",
        rf"\b(?:don't|never|avoid)\s+(?:us(?:e|ing)\s+)?{_Y}{_GAP}(?:but |{_VERB}){_X}",
    )
)
_ALIKE = 0.6
_NEARLY_SAME = 0.75


def opposed(one: str, other: str) -> bool:
    """Tell whether two texts that are alike say opposite or different things."""
    a, b = _Reading(one), _Reading(other)
    return _contradicts(a, b) or _changed(a.without(b.shunned), b.without(a.shunned))


def contradicts(one: str, other: str) -> bool:
    """Tell whether two texts that are alike say opposite things.

    Less than `opposed`: two reports that differ in a number or a name are of one theme still.
    """
    return _contradicts(_Reading(one), _Reading(other))


def _contradicts(one: "_Reading", other: "_Reading") -> bool:
    a, b = one.without(other.shunned), other.without(one.shunned)
    return _preferences_crossed(one, other) or _negated(a, b) or _opposite_words(a, b)


class _Reading:
    """A text's preferences (this, not that) and its words, each preference said as `use this`."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"\bdo not\b", "don't", text.replace(_CURLY, "'").lower())
        self.preferences: list[tuple[str, str]] = []
        for pattern in _PREFERENCES:
            text = pattern.sub(self._note, text)
        self.words = [word.strip("`") for word in _WORD.findall(text)]

    @property
    def shunned(self) -> set[str]:
        """What the text turns down in favour of something else."""
        return {y for _, y in self.preferences}

    def without(self, shunned: set[str]) -> list[str]:
        """Return the words less each bare `not that` about what the other text turns down too."""
        kept: list[str] = []
        for word in self.words:
            if word in shunned and _ends_in_negator(kept):
                while kept and kept[-1] in _NEGATORS | {"use", "using", "the"}:
                    kept.pop()
            else:
                kept.append(word)
        return kept

    def _note(self, found: re.Match[str]) -> str:
        preferred, shunned = found["x"], found["y"]
        if preferred == shunned or {preferred, shunned} & (_FILLERS | _NEGATORS):
            return found[0]
        self.preferences.append((preferred, shunned))
        return f"use {preferred}{found.groupdict().get('gap') or ''}"


def _ends_in_negator(words: list[str]) -> bool:
    return any(word in _NEGATORS for word in words[-2:]) and (
        words[-1] in _NEGATORS | {"use", "using", "the"}
    )


def _content(words: list[str]) -> list[str]:
    return [_stem(w) for w in words if w not in _NEGATORS and w not in _FILLERS]


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s)\Z", "", word) if len(word) > 4 and word.isalpha() else word


def _overlap(a: list[str], b: list[str]) -> float:
    one, other = set(a), set(b)
    return len(one & other) / max(1, min(len(one), len(other)))


def _preferences_crossed(one: _Reading, other: _Reading) -> bool:
    """Tell whether one text prefers what the other one turns down."""
    if any((y, x) in other.preferences for x, y in one.preferences):
        return True
    return bool(
        one.shunned & (_asked_for(other.words) - other.shunned)
        or other.shunned & (_asked_for(one.words) - one.shunned)
    )


def _asked_for(words: list[str]) -> set[str]:
    """Return the words that stand right after a plain `use`, `prefer` or `run`."""
    pairs = zip(["", *words], words, words[1:], strict=False)
    return {
        after for before, verb, after in pairs
        if verb in {"use", "prefer", "run", "choose"} and before not in _NEGATORS
    }  # fmt: skip


def _negated(a: list[str], b: list[str]) -> bool:
    if _overlap(_content(a), _content(b)) < _ALIKE:
        return False
    count_a, count_b = (sum(w in _NEGATORS for w in words) for words in (a, b))
    return count_a % 2 != count_b % 2


def _opposite_words(a: list[str], b: list[str]) -> bool:
    if _overlap(_content(a), _content(b)) < _ALIKE:
        return False
    one, other = set(a), set(b)
    only_one, only_other = one - other, other - one
    return any(
        (x in only_one and y in only_other) or (y in only_one and x in only_other)
        for x, y in _PAIRS
    )


def _changed(a: list[str], b: list[str]) -> bool:
    """Tell whether the texts are the same but for a number, one name, or two words swapped."""
    numbers_a, numbers_b = ({w for w in words if w[0].isdigit()} for words in (a, b))
    words_a, words_b = ([w for w in words if not w[0].isdigit()] for words in (a, b))
    same = _overlap(_content(words_a), _content(words_b)) >= _NEARLY_SAME
    if numbers_a and numbers_b and numbers_a != numbers_b:
        return same
    plain_a, plain_b = _content(a), _content(b)
    if len(plain_a) != len(plain_b) or len(plain_a) < 2:
        return False
    apart = [(x, y) for x, y in zip(plain_a, plain_b, strict=True) if x != y]
    if len(apart) == 2 and apart[0] == apart[1][::-1]:
        return True
    return len(apart) == 1 and _is_name(apart[0][0], a) and _is_name(apart[0][1], b)


def _is_name(stem: str, words: list[str]) -> bool:
    """Tell whether a word stands where names do: after a verb of choice, or with odd letters."""
    if not stem.isalpha():
        return True
    for before, word in zip(["", *words], words, strict=False):
        if _stem(word) == stem and before in {"use", "uses", "using", "prefer", "run", "choose",
                                              "with", "via", "install", "call"}:  # fmt: skip
            return True
    return False
