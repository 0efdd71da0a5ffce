"""A text as what it asks for and what it rejects."""

import re
from functools import cached_property, lru_cache

from calmkb.reflect.opposites.antonyms import NEGATORS
from calmkb.reflect.opposites.operators import in_english_operators
from calmkb.reflect.similarity.terms import stem

_WORD = re.compile(r"`[^`]+`|\d+(?:[.:]\d+)*|[\w@/+#*][\w.@/+#*'-]*[\w+#*]|\w|[,;:.!?()\u2014]")
_MARKS = frozenset(",;:.!?()\u2014")
_CURLY = "\u2019"  # the apostrophe that word processors put into "don't"
_FILLERS = frozenset(
    """a an the to of in on for is are be it we you i this that and or so please must should always
    use using run uses do does will can just only when with by at as used need needs needed has have
    had would may might there any every all each been was were its our your their if but than into
    from per then also very here now longer anymore second seconds minute minutes hour hours day
    days week weeks ms s mb gb kb percent % times time lines line""".split()
)
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_CHOSEN = re.compile(
    r"\b(?:stay(?:s|ing)? (?:on|with)|st[iu]ck(?:s|ing)? (?:to|with)|go with|keep to)\b"
)
_COUNTED = frozenset({"unless", "instead"})  # they deny, and what is not said in a word
_CONDITIONS = frozenset("when if because since unless until while whenever".split())
_FAILURE = re.compile(
    r"\b(?:fail\w*|br(?:eak|oke)\w*|hang\w*|hung|errors?|crash\w*|wrong\w*|slow\w*|nothing|lost"
    r"|time[sd]? ?out|leak\w*|reject\w*|refus\w*|bugs?|flak\w*|block\w*|miss\w*|silent\w*|stale)\b"
)
_VERB = r"(?:always\s+)?(?:use|uses|using|prefer|run|choose|pick|take|call)\s+(?:the\s+)?"
_NOT = r"(?:and |but )?(?:not|never|don't|avoid|no longer)\s+(?:us(?:e|ing)\s+|with\s+|the\s+)?"
_OVER = r"(?:instead of|rather than|in place of|over)\s+(?:the\s+)?"
_PLACE = r"(?:in|into|to|from|on|at|by|with|via)\s+(?:the\s+)?"
_GAP = r"(?P<gap>[\w\s]{0,30}?)[,;:.(]?\s*"
_X, _Y = (rf"[`'\"]?(?P<{name}>[\w@/+#*.-]*[\w+#*])[`'\"]?" for name in "xy")
_PREFERENCES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_VERB}{_X}{_GAP}(?:{_NOT}|{_OVER}){_Y}",
        rf"\b{_X}[,;(]?\s*(?:(?:and |but )?not\s+|{_OVER}){_Y}",
        rf"\b{_PLACE}{_X}{_GAP}(?:and |but )?(?:not|never)\s+{_PLACE}{_Y}",
        rf"\binstead of\s+{_Y}[,;]?\s*(?:{_VERB})?{_X}",
        rf"\b(?:replace|swap)\s+{_Y}\s+(?:with|by|for)\s+{_X}",
        rf"\b(?:from|off)\s+{_Y}\s+to\s+{_X}",
        rf"\b(?:don't|never|avoid)\s+(?:us(?:e|ing)\s+)?{_Y}{_GAP}(?:but |{_VERB}){_X}",
    )
)
# Without one of these no pattern fits; to look for them costs a tenth of trying all.
_REJECTING = re.compile(
    r"not|never|don't|avoid|no longer|instead|rather|in place of|over|replace|swap|from|off"
)
_CHOICE = frozenset("use prefer run choose".split())


class ParsedText:
    """A text's preferences (this, not that) and its words, each preference said as `use this`.

    One text is held against many: what a comparison asks for is made once.
    """

    def __init__(self, text: str) -> None:
        # A call is named with or without its empty brackets.
        text = in_english_operators(text.replace(_CURLY, "'").replace("()", ""))
        text = re.sub(r"\bdo not\b", "don't", text.lower())
        text = _CHOSEN.sub("use", text)
        self.raw = [word.strip("`") for word in _WORD.findall(text) if word not in _MARKS]
        self.fails = bool(_FAILURE.search(text))
        self.preferences: list[tuple[str, str]] = []
        if _REJECTING.search(text):
            for pattern in _PREFERENCES:
                text = pattern.sub(self._note, text)
        text = re.sub(r"\b(?:instead of|rather than)\b", "not", text)
        self._tokens = [
            _NUMBERS.get(word.strip("`"), word.strip("`")) for word in _WORD.findall(text)
        ]
        self.words = [token for token in self._tokens if token not in _MARKS]
        self.stems = {stem(word) for word in self.words}
        self.content = content(self.words)

    @cached_property
    def rejected(self) -> set[str]:
        """What the text rejects in favour of something else."""
        return {y for _, y in self.preferences}

    @cached_property
    def asked_for(self) -> set[str]:
        """The words that come right after a plain `use`, `prefer` or `run`."""
        threes = zip(["", *self.words], self.words, self.words[1:], strict=False)
        return {
            after for before, verb, after in threes
            if verb in _CHOICE and before not in NEGATORS and not _is_filler(after)
        }  # fmt: skip

    @cached_property
    def denials(self) -> tuple[set[str], int]:
        """Return the stems that are denied and never said plainly, and how often the text denies.

        In a failure, what is not there in its condition ("fails when it is not set") is
        asked for and not denied.
        """
        denied: list[str] = []
        plain: list[str] = []
        times, conditional, open_ = 0, False, False
        for token in [*self._tokens, "."]:
            if token in _MARKS or token in _CONDITIONS:
                if open_ and plain:  # "npm is no longer used" denies what comes before it
                    denied.append(plain.pop())
                open_, conditional = False, token in _CONDITIONS
                times += token in _COUNTED
            elif token in NEGATORS and not (conditional and self.fails):
                open_ = True
                times += 1
            elif token in _COUNTED:
                times += 1
            elif not _is_filler(token):
                (denied if open_ else plain).append(stem(token))
                open_ = False
        return set(denied) - set(plain), times

    def _note(self, found: re.Match[str]) -> str:
        preferred, rejected = found["x"], found["y"]
        if preferred == rejected or {preferred, rejected} & (_FILLERS | NEGATORS):
            return found[0]
        self.preferences.append((preferred, rejected))
        return f"use {preferred}{found.groupdict().get('gap') or ''}"


def content(words: list[str]) -> list[str]:
    """Return the stems of the words that carry meaning, in order."""
    return [stem(word) for word in words if word not in NEGATORS and not _is_filler(word)]


@lru_cache(maxsize=50_000)
def _is_filler(word: str) -> bool:
    return word in _FILLERS or stem(word) in _FILLERS
