"""Checks made of a memory's words: only where the words say plainly what must not be done.

Commands and names must be in code spans, but for commands known by their first word. A person
sees each check, tried on the project's history, before it is switched on; so this may leave a rule
without a check, and should not guess.
"""

import re
from collections.abc import Iterator, Sequence

from calmkb.wings.proof.enforce.checks import STOPPING, Check, Kind

_CODE = r"`(?P<{}>[^`]+)`"
# Programs that are no English word, so that a sentence may use them without a code span.
_PLAIN = ("apt|bun|cargo|eslint|gh|git|gradle|kubectl|mvn|mypy|npm|npx|nox|pip|pip3|pipenv|pnpm"
          "|pytest|python|python3|ruff|sed|sudo|tox|uv|yarn")  # fmt: skip
_PROGRAMS = _PLAIN + (
    "|alembic|awk|aws|black|brew|bundle|cat|chmod|composer|conda|curl|deno|docker|dotnet|find|flake8"
    "|gcloud|gem|go|grep|hatch|helm|isort|java|jest|just|kill|killall|ls|make|mamba|mise|mysql|nix"
    "|node|pdm|php|pkill|poetry|pre-commit|prettier|psql|rake|rm|ruby|rye|scp|ssh|task|terraform|tsc"
    "|vitest|wget"
)
_SUB_COMMAND = (
    "add|build|commit|ci|install|i|merge|pull|push|rebase|reset|run|stash|test|tool|upgrade"
)
_BARE = rf"(?<![\w./-])(?P<{{}}>(?:{_PLAIN})(?: (?:{_SUB_COMMAND}))?(?: --?[\w-]+)*)(?![\w/-])"
_NOT = r"\b(?:never|do not|don't|must not|mustn't|please don't|avoid|no longer|stop)"
_FORBIDDEN = re.compile(
    rf"{_NOT}\s+(?:ever |directly |just )?(?:run(?:s|ning)?|use|using|call(?:ing)?|execute|invoke)?"
    r"\s*(?:the |a |an |any |plain |bare )?(?:(?:[\w.-]+ )?[\w.-]+'s )?"
    r"|\b(?:rejects?|forbids?|bans?|disallows?)\s+",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:,? not(?: with| by)?|,? never|,? no longer|,? instead of|,? rather than|,? in place of)\s+"
    r"(?:use |using |run |running |plain |bare |the )?",
    re.IGNORECASE,
)
_USE = re.compile(r"\b(?:use|run|prefer|call|resolve|try|shorten|with|always)\b", re.IGNORECASE)
_SPAN = re.compile(_CODE.format("code"))
_BARE_COMMAND = re.compile(_BARE.format("command"))
_TOUCH = re.compile(
    rf"{_NOT}\s+(?:ever )?(?:hand-)?"
    r"(?P<act>edit|touch|change|modify|write to|commit|add|check in|stage)"
    r"(?:ing)?\s+(?:files? (?:in|below|under) |anything (?:in|below|under) |the |a |any )*",
    re.IGNORECASE,
)
_PR = r"(?P<pr>(?:open\w*|creat\w+) (?:a |the )?(?:PR|pull request))"
_DONE = r"(?:done|complete|finished)\b"
_ALL = r"(?= *(?:$|[.,;:)])| (?:the|a|your|any|each|every) (?:task|turn|work|job)\b)"
_STOP = (
    rf"(?P<stop>(?:stop(?:ping)?|finish(?:ing)?|complet(?:e|ing|ion)){_ALL}"
    rf"|end(?:ing)? (?:your|its|the) turn|hand(?:ing)?[- ]?(?:over|back|off){_ALL}"
    rf"|(?:are|is|being) {_DONE}"
    rf"|(?:declar|report|call|claim|consider|say|mark)(?:e|ing)? (?:\w+ ){{0,4}}?{_DONE})"
)
_MOMENT = (
    r"(?:(?:you |every |each |any |a |the )*"
    rf"(?:{_STOP}|(?P<commit>commit)\w*|(?P<push>(?:force-)?push)\w*|{_PR})"
    r"|(?:you |running |run )*`(?P<named>[^`]+)`)"
)
_ORDER = re.compile(rf"\bbefore {_MOMENT}", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?:unless|except|only (?:if|when|for)|outside|without)\b|\bif\b.{0,40}\?", re.IGNORECASE
)
_SPECIAL = (
    (re.compile(rf"{_NOT}\s+(?:ever )?force[- ]push", re.IGNORECASE),
     Check("run", "git push --force|-f|--force-with-lease")),
    (re.compile(rf"{_NOT}\s+(?:ever )?amend", re.IGNORECASE), Check("run", "git commit --amend")),
    (re.compile(rf"{_NOT}\b[^.;]*--no-verify", re.IGNORECASE),
     Check("run", "git commit --no-verify")),
)  # fmt: skip
_PATH = re.compile(r"[\w.*?/@+-]*(?:/|\*|\.[A-Za-z]\w{0,9})[\w.*?/@+-]*")
_CALL = re.compile(
    r"[A-Za-z_][\w.:]*\.[A-Za-z_]\w*(?:\(\))?|[A-Za-z_]\w*\(\)|[A-Za-z_][\w.]*\[[^\]\s]+\]"
)
# A name that was replaced. Values and short words ("is `true`, not `false`") are no names.
_RENAMED = re.compile(
    r"`[^`]+`,? (?:and )?no longer `(?P<old>[^`]+)`"
    r"|\b(?:called|named) `[^`]+`,? not `(?P<other>[^`]+)`"
)
_NAME = re.compile(r"(?=.*[./_-])(?=.*[A-Za-z])[\w./@-]{6,}")
_PUT = re.compile(
    r"\b(?:put|keep|store|save|write|place)\b[^`]*?\b(?:not|never) (?:in|into|under|below) "
    r"(?:the )?`(?P<folder>[\w.@-]+(?:/[\w.@-]+)*/?)`",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.;!])\s+(?=\S)|\n+")
_OTHERWISE = re.compile(r"\((?:or|e\.g\.)[^)]*\)")


def compile_checks(text: str, paths: Sequence[str] = ()) -> tuple[Check, ...]:
    """Return the checks that the words of a memory say, in their order, each once.

    `paths` are the globs of the files that the memory is about: code is looked for in these.
    """
    found = [
        check for sentence in _SENTENCE.split(text.strip()) for check in _of(sentence, tuple(paths))
    ]
    return tuple(dict.fromkeys(found))


def _of(sentence: str, paths: tuple[str, ...]) -> Iterator[Check]:
    if _EXCEPT.search(sentence):  # whether the exception holds cannot be seen in a call
        return
    yield from (check for pattern, check in _SPECIAL if pattern.search(sentence))
    for place in _RENAMED.finditer(sentence):
        if _NAME.fullmatch(old := place["old"] or place["other"]):
            yield Check("write", old, globs=paths)
    yield from (
        Check("edit", f"{place['folder'].rstrip('/')}/**") for place in _PUT.finditer(sentence)
    )
    yield from _touched(sentence)
    yield from _ordered(sentence)
    for place in _FORBIDDEN.finditer(sentence):
        yield from _forbidden(sentence[place.end() :], paths)
    for place in _INSTEAD.finditer(sentence):
        if _USE.search(sentence[: place.start()]) or _USE.match(place.group().split()[-1]):
            yield from _forbidden(sentence[place.end() :], paths)


def _forbidden(rest: str, paths: tuple[str, ...]) -> Iterator[Check]:
    """Yield the check of what `rest` begins with, and after "or" or "and"."""
    while found := _SPAN.match(rest) or _BARE_COMMAND.match(rest):
        word = found.groupdict().get("code") or found.group().strip("`")
        if _BARE_COMMAND.fullmatch(word) or (_is_command(word) and not _CALL.fullmatch(word)):
            yield Check("run", word)
        elif _CALL.fullmatch(word):
            yield Check("write", word.removesuffix("()") + ("(" if word.endswith("()") else ""),
                        globs=paths)  # fmt: skip
        rest = re.sub(r"^\s*(?:,|or|and|/)\s+", "", rest[found.end() :])


def _is_command(word: str) -> bool:
    first = word.split()[0] if word.split() else ""
    return bool(re.fullmatch(_PROGRAMS, first)) or (
        " " in word and bool(re.fullmatch(r"[a-z][\w.-]*|\./\S+", first)) and "=" not in word
    )


def _touched(sentence: str) -> Iterator[Check]:
    for place in _TOUCH.finditer(sentence):
        kind: Kind = (
            "commit" if place["act"].lower() in ("commit", "add", "check in", "stage") else "edit"
        )
        rest = sentence[place.end() :]
        while found := _SPAN.match(rest):
            if _PATH.fullmatch(found["code"]):
                yield Check(kind, found["code"])
            rest = re.sub(r"^\s*(?:,|or|and)\s+", "", rest[found.end() :])


def _ordered(sentence: str) -> Iterator[Check]:
    place = _ORDER.search(sentence)
    if place is None or re.search(_NOT, sentence, re.IGNORECASE):
        return
    others = _OTHERWISE.sub("", sentence[: place.start()] + " " + sentence[place.end() :])
    steps = [one["code"] for one in _SPAN.finditer(others) if _is_command(one["code"])]
    steps = [part.strip() for step in steps for part in step.split("&&")]
    if not steps or not re.search(r"\b(?:run|always|call|use|execute)\b", others, re.IGNORECASE):
        return
    yield Check("before", _later(place), first=" && ".join(dict.fromkeys(steps)))


def _later(place: "re.Match[str]") -> str:
    if place["stop"]:
        return STOPPING
    if place["commit"]:
        return "git commit"
    if place["push"]:
        return "git push"
    return place["named"] or "gh pr create"
