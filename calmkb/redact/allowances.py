"""`redact.allow`: patterns of values that are known to be no secrets, and what each may spare.

They come with a repository, so they are hostile until proven: a pattern that matches random values
is refused, one that is slow is refused, and none allows a class of a provider's live tokens.
"""

import string
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from calmkb.errors import RedactionError
from calmkb.model.words import clip

if TYPE_CHECKING:
    import regex

SECONDS_A_VALUE, SECONDS_IN_ALL = 0.2, 2.0
LITERAL = 6
"""Characters of the second half of a token that a pattern must name to spare it."""
_PROBES_A_KIND, _TOO_MANY = 32, 6
"""Random values of a kind, and of how many matches a pattern is refused; one in 100 is spared."""
_LONGEST_PATTERN = 2_000
_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_ALNUM = _LOWER + _UPPER + _DIGITS
_HEX = _DIGITS + "abcdef"
_WORDS = (
    "amber birch cedar delta ember fjord grove heron inlet jetty kelp lotus maple nectar".split()
)
# Prefixes in two parts, so that no scanner finds a live-looking secret in this file.
_TOKENS: tuple[tuple[str, str, str, int], ...] = (
    ("GitHub token", "gh" + "p_", _ALNUM, 36),
    ("GitLab token", "gl" + "pat-", _ALNUM, 20),
    ("AWS key id", "AK" + "IA", _UPPER + "234567", 16),
    ("Anthropic key", "sk-" + "ant-api03-", _ALNUM, 95),
    ("OpenAI key", "sk-" + "proj-", _ALNUM, 48),
    ("Slack token", "xo" + "xb-", _DIGITS + _ALNUM, 40),
    ("Stripe key", "sk_" + "live_", _ALNUM, 24),
    ("Google key", "AI" + "za", _ALNUM + "_-", 35),
    ("npm token", "np" + "m_", _ALNUM, 36),
    ("PyPI token", "py" + "pi-AgEI", _ALNUM, 150),
    ("Hugging Face token", "h" + "f_", _ALNUM, 34),
    ("SendGrid key", "S" + "G.", _ALNUM, 66),
    ("hexadecimal key", "", _HEX, 32),
    ("hexadecimal key", "", _HEX, 64),
    ("base64 key", "", _ALNUM + "+/", 40),
    ("base64 key", "", _ALNUM + "+/", 88),
    ("password", "", _ALNUM + "!#%&*+-?_", 12),
    ("password", "", _ALNUM, 20),
    ("number", "", _DIGITS, 10),
)


def random_text(letters: str, count: int, chance: Callable[[int], bytes]) -> str:
    """Return `count` of `letters`; `chance` gives random bytes."""
    return "".join(letters[byte % len(letters)] for byte in chance(count))


class Allowances:
    """The patterns in force; called with a value, returns whether one of them allows it.

    Raises RedactionError, when made or when used, naming a pattern that may not be trusted.
    """

    def __init__(self, patterns: Sequence[str], *, chance: Callable[[int], bytes]) -> None:
        self.patterns = tuple(patterns)
        self._answers: dict[tuple[str, bool], bool] = {}
        self._seconds = dict.fromkeys(self.patterns, 0.0)
        self._compiled = {text: _compile(text) for text in self.patterns}
        self._probe(chance)

    def __call__(self, value: str, *, shaped: bool = False) -> bool:
        """Return whether `value` is allowed; of a provider's shape, if named nearly whole."""
        if not self.patterns:
            return False
        asked = (value.strip("\"'"), shaped)
        if asked not in self._answers:
            found = (text for text in self.patterns if self._matches(text, asked[0]))
            self._answers[asked] = any(not shaped or self._names(text, asked[0]) for text in found)
        return self._answers[asked]

    def _names(self, text: str, value: str) -> bool:
        """Return whether the pattern names the value: another one of its shape is not matched."""
        matches = partial(self._matches, text)
        places = (at for at in range(len(value) // 2, len(value)) if value[at].isalnum())
        named = (at for at in places if not any(map(matches, _changed(value, at))))
        return sum(1 for _ in islice(named, LITERAL)) == LITERAL

    def _matches(self, text: str, value: str) -> bool:
        begun = time.perf_counter()
        try:
            found = self._compiled[text].fullmatch(value, timeout=SECONDS_A_VALUE)
        except TimeoutError:
            found, self._seconds[text] = None, SECONDS_IN_ALL
        self._seconds[text] += time.perf_counter() - begun
        if self._seconds[text] >= SECONDS_IN_ALL:
            raise RedactionError(
                f"the pattern {clip(text, 80)!r} under [redact] allow takes too long to match, so "
                "nothing was written; write one without nested repeats"
            )
        return found is not None

    def _probe(self, chance: Callable[[int], bytes]) -> None:
        matched: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for kind, value in _probes(chance) if self.patterns else ():
            matched[kind].update(text for text in self.patterns if self._matches(text, value))
        for kind, texts in matched.items():
            if texts.total() >= _TOO_MANY:
                raise RedactionError(
                    f"the pattern {clip(max(texts, key=texts.__getitem__), 80)!r} under [redact] "
                    f"allow matches a random {kind}, so it would let secrets through and nothing "
                    "was written; name the harmless value itself"
                )


def _compile(text: str) -> "regex.Pattern[str]":
    import regex  # 20 ms, and only where a repository has allowances

    try:
        if len(text) > _LONGEST_PATTERN:
            raise regex.error(f"longer than {_LONGEST_PATTERN:,} characters")
        return regex.compile(text)
    except (regex.error, RecursionError, OverflowError) as error:
        raise RedactionError(
            f"the pattern {clip(text, 80)!r} under [redact] allow is not a regular expression: "
            f"{error}"
        ) from error


def _probes(chance: Callable[[int], bytes]) -> Iterator[tuple[str, str]]:
    for _ in range(_PROBES_A_KIND):
        for kind, prefix, letters, count in _TOKENS:
            yield kind, prefix + random_text(letters, count, chance)
        one, two, three = (_WORDS[byte % len(_WORDS)] for byte in chance(3))
        number = 10 + chance(1)[0]
        yield "word", one + two
        yield "passphrase", f"{one} {two} {three} {number}"
        yield "password", f"{one.title()}-{two}{number}!"


def _changed(value: str, at: int) -> Iterator[str]:
    """Yield `value` with another letter or digit of the same kind at one place."""
    for letters in (_LOWER, _UPPER, _DIGITS):
        if value[at] in letters:
            for step in (1, 4):
                other = letters[(letters.index(value[at]) + step) % len(letters)]
                yield value[:at] + other + value[at + 1 :]
