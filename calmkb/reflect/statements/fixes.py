"""What fixed a thing, found beside what went wrong: in another report of it, or in its summary."""

import re
from collections.abc import Iterable

_REMEDY = re.compile(
    r"\b(?:fix(?:ed)?(?: (?:it|this|that))?(?: was)?(?: by|:| is to| with)|"
    r"(?:the )?(?:fix|solution|remedy|workaround|fix|answer)(?: is| was|:)|"
    r"solved (?:it )?by|resolved (?:it )?(?:by|with)|"
    r"(?:it )?(?:worked|passed|went away|helps|helped) (?:after|once|when|with)|"
    r"works? (?:after|once|when|with))\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\A(?:always |never )?(?:use|run|set|add|pin|start|install|call|pass|await|do not|don't)\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])|;\s+")
_WORD = re.compile(r"[A-Za-z_][\w.-]{3,}")
_NAME = re.compile(r"[\w-]*(?:[a-z][A-Z]|[_/@\d]|\w\.\w)[\w./@-]*|\b[A-Z]{2,}\b|(?<=`)[^`\s]+")
_COMMON = frozenset(
    """after again always before being cannot could does fail failed fails fixed from have instead
    into just made make more needs never only other over project run runs session should some
    still such than that their them then there they this time tests took twice until using very
    want were what when where which while will with work worked works would your""".split()
)
_SHARED = 2
_LONGEST = 160


def has_remedy(text: str) -> bool:
    """Return whether `text` says what to do, or what helped."""
    return bool(_REMEDY.search(text) or _ADVICE.match(text))


def remedy_among(problem: str, texts: Iterable[str]) -> str:
    """Return the shortest sentence of `texts` that says what helped and names `problem`.

    It shares three distinctive words with the problem, or two and a name: fewer common words join
    a remedy to another trouble. Nothing where the problem says it itself, or none does.
    """
    if has_remedy(problem):
        return ""
    about = _telling(problem)
    found = {
        sentence.strip().rstrip(".")
        for text in texts
        for sentence in _SENTENCE.split(text)
        if has_remedy(sentence) and _bears_on(sentence, problem, about)
    }
    fitting = [sentence for sentence in found if len(sentence) <= _LONGEST]
    return min(fitting, key=lambda sentence: (len(sentence), sentence), default="")


def _bears_on(sentence: str, problem: str, about: set[str]) -> bool:
    shared = len(_telling(sentence) & about)
    return shared > _SHARED or (shared == _SHARED and bool(_names(sentence) & _names(problem)))


def with_remedy(problem: str, remedy: str) -> str:
    """Return the problem with what helped behind it, as two sentences."""
    if not remedy:
        return problem
    end = "" if problem.endswith((".", "!", "?", "…")) else "."
    return f"{problem}{end} {remedy[:1].upper()}{remedy[1:]}."


def _names(text: str) -> set[str]:
    """Return the commands, files and identifiers that a text names."""
    return {name.strip(".,:;()").casefold() for name in _NAME.findall(text)}


def _telling(text: str) -> set[str]:
    words = (word.casefold().strip("._-") for word in _WORD.findall(text))
    return {re.sub(r"(?:ing|ed|es|s)\Z", "", w) for w in words if w not in _COMMON}
