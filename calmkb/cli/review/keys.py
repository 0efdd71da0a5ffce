"""A line that a reviewer enters: a key or its word, the numbers it is about, and a text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calmkb.cli.base.layout import hanging
from calmkb.cli.review.items import Verb
from calmkb.errors import CalmError

LETTERS: dict[Verb, str] = {
    "accept": "a", "reject": "r", "edit": "e", "merge": "m", "replace": "x", "skip": "s",
    "dismiss": "d", "undo": "u", "list": "l", "held": "h", "view": "v",
    "help": "?", "done": "", "quit": "q",
}  # fmt: skip
_ALWAYS: dict[Verb, str] = {
    "undo": "take the last decision back",
    "list": "list them all, a line each; a number goes to one",
    "view": "show all of its evidence",
    "help": "show this",
    "done": "finish",
    "quit": "leave, and go on another time",
}
_ALONE = ("undo", "list", "held", "help", "done", "quit")
_MANY = re.compile(r"\d{1,4}(?:\s*-\s*\d{1,4})?(?:[\s,]+\d{1,4}(?:\s*-\s*\d{1,4})?)*(?![\w-])")


@dataclass(frozen=True, slots=True)
class Command:
    """A verb, `go` to an item, `all` or `none` of the open ones, or `nothing`."""

    verb: Verb | str
    numbers: tuple[int, ...] = ()
    text: str = ""


def with_common(verbs: Mapping[Verb, str]) -> dict[Verb, str]:
    """Return the verbs of a kind in the order of the keys, with those that every review has."""
    named = {**_ALWAYS, **verbs}
    return {verb: named[verb] for verb in LETTERS if verb in named}


def parse(line: str, count: int, verbs: Mapping[Verb, str]) -> Command:
    """Return the command in `line`; CalmError says what is wrong with it."""
    text = line.strip()
    if not text:
        return Command("nothing")
    if found := _MANY.fullmatch(text):
        numbers = _numbers(found[0], count)
        if len(numbers) > 1:
            raise CalmError(f"{text!r}: what with these? For instance: a {text}")
        return Command("go", numbers)
    word, rest = _word(text)
    if word in ("all", "none"):
        return Command(word)
    verb = next((one for one in verbs if word in (one, LETTERS[one]) and word), None)
    verb = "help" if word == "h" and verb is None else verb
    if verb is None:
        raise CalmError(f"{text!r} is not one of the choices; ? lists them")
    if verb in _ALONE:
        return Command(verb)
    numbers_given = _MANY.match(rest)
    numbers = _numbers(numbers_given[0], count) if numbers_given else ()
    given = rest[numbers_given.end() :] if numbers_given else rest
    return Command(verb, numbers, given.strip(" :-"))


def help_text(verbs: Mapping[Verb, str]) -> str:
    """Return a line for each key."""
    rows = [(f"{LETTERS[verb]:2}{verb}", text) for verb, text in verbs.items()]
    width = max(len(key) for key, _ in rows)
    lines = [hanging(f"  {key:{width}}  {text}", column=width + 4) for key, text in rows]
    lines.append("Numbers may follow a key, as in: a 1-3,5; without any it is this one.")
    return "\n".join(lines)


def key_line(verbs: Mapping[Verb, str], columns: int) -> str:
    """Return the keys in a line, as many as fit: `[a]ccept … [?] [q]uit, Enter: next`."""
    *words, helps, quits = [_bracketed(verb) for verb in verbs if verb not in ("view", "done")]
    ends = [helps, f"{quits}, Enter: next"]
    line = " ".join([*words, *ends])
    while len(line) > columns and len(words) > 1:
        del words[-1]
        line = " ".join([*words, "…", *ends])
    return line


def _bracketed(verb: Verb) -> str:
    letter = LETTERS[verb]
    if verb == "help":
        return "[?]"
    return f"[{letter}]{verb[1:]}" if verb.startswith(letter) else f"[{letter}] {verb}"


def _word(text: str) -> tuple[str, str]:
    """Return the first word and the rest; a number may follow its key directly (`a1`)."""
    glued = re.match(r"([a-z])(\d.*)", text, re.IGNORECASE | re.DOTALL)
    word, _, rest = text.partition(" ")
    word, rest = (glued[1], glued[2]) if glued else (word, rest)
    return word.lower(), rest.strip()


def _numbers(text: str, count: int) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[\s,]+", re.sub(r"\s*-\s*", "-", text)):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= count:
            raise CalmError(f"{part} is out of range; choose from 1 to {count}")
        numbers += range(low, high + 1)
    return tuple(dict.fromkeys(numbers))
