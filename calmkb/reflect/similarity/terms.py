"""What a text is cut into, and how much each part says, in tenths.

Words are cut to their stems (Snowball's stemmer of the text's language); Chinese, Japanese and
Korean, which do not part words, to pairs of characters. Function words say little and are never
left out: without them "do not mock" would equal "mock". A name with odd letters (a path, a flag, an
identifier) is one term, so that two files of one folder are two things, and its parts count half.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain, pairwise

from calmkb.language.detect import ENGLISH, SMALL_WORDS, language
from calmkb.reflect.similarity.function_words import FUNCTION_WORDS

UNIT = 10
"""What a word counts that occurs once."""
_HALF, _LITTLE = 5, 2

_TOKEN = re.compile(r"[^\s`'\"(),;!?\[\]{}<>*|=]+(?:'[a-z]+)?")
_EAST = "\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7a3"
_PART = re.compile(rf"[{_EAST}]+|(?:(?![{_EAST}])[^\W\d_])+(?:'[a-z]+)?|\d+(?:\.\d+)*")
_IN_EAST = re.compile(rf"[{_EAST}]")
_KANA = re.compile(r"[\u3041-\u3096]{2}")
_STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "pt": "portuguese",
    "it": "italian", "ru": "russian",
}  # fmt: skip
_EDGES = ".:-_/#"
_SIZES = (3, 4, 5)
_NAMING = 2
_DOING = frozenset(
    """add added adds allow ask asks back broke broken call check comes cut did does done ends exist
    exists fail fails fix gave get gets give go goes got here keep kept know lack left let like look
    lost made make makes many may means much must need needs new old only own put ran reach read
    real run runs said say says see seen sent set show shown shows still stop take taken tell think
    took tried try turn two use uses want wants went work works write writes written wrong wrote yet
    always another before behaviour cannot cause clear different early every existing expected
    first full good hidden
    instead last late later least line long lot main most next none nothing one other person place
    point reason right same several short single so start that then there thing things time too
    under user valid very way whole without word words""".split()
)
_KEPT = 50_000  # words whose parts are kept in memory: few occur once
# "**Fix:**", "*05:06 AM:**", "Rule:": what begins many texts is not what they say.
_LABEL = re.compile(
    r"\A[^\w`]*(?:[^\W_](?:[\w -]{0,30}?\w)?|\d\d?:\d\d [ap]m)(?::\*\*|\*\*:)\s*"
    r"|\A[\W_]*(?:consistent fix|current|fix|lesson|note|pattern|result|rule|total):\s+",
    re.IGNORECASE,
)


def terms(text: str) -> Counter[str]:
    """Return the terms of a text, each with what it counts in tenths of a word."""
    bare = _LABEL.sub("", text)
    spoken = language(text)
    found: Counter[str] = Counter()
    for token in _TOKEN.findall((bare if " " in bare.strip() else text).casefold()):
        for term, worth in _parted(token, spoken):
            found[term] += worth
    return found


def stems(text: str) -> Counter[str]:
    """Return the stems of the words in a text, names cut to parts; all count the same."""
    return Counter({one: UNIT * times for one, times in Counter(_stems(text)).items()})


def topics(text: str) -> Counter[str]:
    """Return the stems of the words that say what a text is about."""
    spoken = language(text)
    words = (word for word in _words(text) if not _is_function_word(word, spoken))
    found = Counter(one for word in words for one in _pieces(word, spoken))
    return Counter({one: UNIT * times for one, times in found.items()})


def names(text: str) -> dict[str, str]:
    """Return what a text names, one word or two adjacent ones, as stems with their words.

    What was done to a thing ("removed", "wanted") names nothing.
    """
    spoken = language(text)
    words = [str(word) for word in _PART.findall(text)]
    kept = [word if _is_name(word, spoken) else "" for word in words]
    found = {stem(word.casefold(), spoken): word for word in kept if word}
    for one, other in pairwise(kept):
        if one and other:
            both = stem(one.casefold(), spoken), stem(other.casefold(), spoken)
            found[" ".join(both)] = f"{one} {other}"
    return found


def _is_name(word: str, spoken: str) -> bool:
    low = word.casefold()
    if len(low) < _NAMING or low[0].isdigit() or _is_function_word(low, spoken):
        return False
    return spoken != ENGLISH or not (low.endswith("ed") or low in _DOING)


def pairs(text: str) -> Counter[str]:
    """Return each two adjacent stems."""
    found = _stems(text)
    both = Counter(f"{one} {other}" for one, other in pairwise(found))
    return Counter({pair: UNIT * times for pair, times in both.items()})


def letters(text: str) -> Counter[str]:
    """Return the 3- to 5-grams of the words with a blank on both sides, a short word once."""
    grams = Counter(chain.from_iterable(map(_grams, text.casefold().split())))
    return Counter({gram: UNIT * times for gram, times in grams.items()})


def stem(word: str, spoken: str = ENGLISH) -> str:
    """Return a word without its ending: "tests" and "testing" are one."""
    if spoken == ENGLISH and not word.isascii():
        return word
    return _stemmed(word, spoken)


@lru_cache(maxsize=_KEPT)
def _parted(token: str, spoken: str) -> tuple[tuple[str, int], ...]:
    """Return the terms of one token with what each counts."""
    word = token.strip(_EDGES)
    parts = _PART.findall(word)
    if not word or parts == [word]:
        return _worth(word, UNIT, spoken)
    in_parts = (one for part in parts for one in _worth(part, _HALF, spoken))
    if _IN_EAST.search(word):  # a whole clause, which nobody says twice
        return tuple((one, min(UNIT, 2 * worth)) for one, worth in in_parts)
    return ((f"={word}", UNIT), *in_parts)


def _worth(word: str, worth: int, spoken: str) -> tuple[tuple[str, int], ...]:
    little = max(1, _LITTLE * worth // UNIT)
    if _is_function_word(word, spoken):
        return ((word, little),)
    return tuple((one, little if _KANA.fullmatch(one) else worth) for one in _pieces(word, spoken))


def _is_function_word(word: str, spoken: str) -> bool:
    if spoken == ENGLISH:
        return word in FUNCTION_WORDS
    return word in SMALL_WORDS.get(spoken, ())


def _pieces(word: str, spoken: str) -> list[str]:
    """Return the stem of a word, or the pairs of characters where no space parts words."""
    if not _IN_EAST.match(word):
        return [stem(word, spoken)] if word else []
    return [word[n : n + 2] for n in range(len(word) - 1)] or [word]


@lru_cache(maxsize=_KEPT)
def _grams(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    found = [
        padded[start : start + size]
        for size in _SIZES
        if size < len(padded)
        for start in range(len(padded) - size + 1)
    ]
    return tuple(found if len(padded) > _SIZES[-1] else [*found, padded])


def _words(text: str) -> list[str]:
    return [str(word) for word in _PART.findall(text.casefold())]


def _stems(text: str) -> list[str]:
    spoken = language(text)
    return [one for word in _words(text) for one in _pieces(word, spoken)]


@cache
def _stemmed(word: str, spoken: str) -> str:
    return _stemmer(spoken)(word)


@cache
def _stemmer(spoken: str) -> Callable[[str], str]:
    from snowballstemmer import stemmer

    found: Callable[[str], str] = stemmer(_STEMMERS.get(spoken, "english")).stemWord
    return found
