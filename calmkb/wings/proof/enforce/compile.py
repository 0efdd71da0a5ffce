"""Checks made of a memory's words: only where the words say plainly what must not be done.

Commands and names must be in code spans, but for commands known by their first word. A person
sees each check, tried on the project's history, before it is switched on; so this may leave a rule
without a check, and should not guess.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from calmkb.model.checks import LINE_LIMIT
from calmkb.wings.proof.enforce.checks import STOPPING, Check, Kind
from calmkb.wings.proof.enforce.phrases import NOT, phrases

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
    "add|build|commit|ci|create|install|i|merge|pr|pull|push|rebase|reset|run|stash|test|tool"
)
_BARE_COMMAND = re.compile(
    rf"(?<![\w./-])(?:{_PLAIN})(?: (?:{_SUB_COMMAND})){{0,2}}(?: --?[\w-]+)*(?![\w/-])"
    r"|[A-Za-z_]\w*\.[A-Za-z_]\w*\(\)"
)
_FORBIDDEN = re.compile(
    rf"(?i){NOT}\s+(?:ever |directly |just )?(?P<verb>run(?:s|ning)?|use|using|call(?:ing)?|execute"
    r"|invoke|write|introduce|import(?:ing)?(?: from)?|depend on)?"
    r"\s*(?:the |a |an |any |plain |bare |raw )?(?:(?:[\w.-]+ )?[\w.-]+'s )?"
    r"|\b(?:rejects?|forbids?|bans?|disallows?)\s+"
    r"|(?:^\W*|(?<=: )|(?<=[a-z] )(?=(?-i:N)))"
    r"no (?=`[^`]+`(?:$|[.,;:/]| [—(-]| (?:or|and|calls?|casts?|imports?)\b))"
    r"|^\W*instead of (?=`[^`]+`,? (?:use|call|prefer|run)\b)"
)
_INSTEAD = re.compile(
    r"(?i),? (?:not(?: with| by)?|never|no longer|instead of|rather than|in place of)\s+"
    r"(?:use |using |run |running |calling |plain |bare |the )?"
)
_MEANT = re.compile(
    r"(?i)\s+(?:commands? |files? )?"
    r"(?:that|in|for|when|before|after|between|inside|within|during|with(?:out)?|as|while|to|a)\b"
    r"(?! (?:(?:this|our|the) (?:repo|project|code)|it|they|git|staging|committing)\b)"
    r"|\s+(?:imports?|branch)\b"
)
_USE = re.compile(r"(?i)\b(?:use|run|prefer|call|resolve|through|try|shorten|with|always)\b")
_SPAN = re.compile(r"`(?P<code>[^`]+)`")
_TOUCH = re.compile(
    rf"(?i)(?:{NOT}|rather than|instead of)\s+(?:ever |manually |directly |hand-)*"
    r"(?P<act>edit|touch|change|modify|update|write to|commit|add|check in|stage)(?:ing)?"
    r"(?:,(?: or)? [a-z]+(?: from)?)*\s+(?:\w+ or |local |the |a |any "  # "edit, or test"
    r"|(?:generated )?(?:files?|anything) (?:in|below|under|matching) )*"
)
_PR = r"(?P<pr>(?:open\w*|creat\w+|submit\w*) (?:a |the |your )?(?:PR|pull request))"
_DONE = r"(?:done|complete|finished)\b"
_ALL = r"(?= *(?:$|[.,;:)])| (?:the|a|your|any|each|every) (?:task|turn|work|job)\b)"
_STOP = (
    rf"(?P<stop>(?:stop(?:ping)?|finish(?:ing)?|finali[sz]ing(?: changes)?"
    rf"|complet(?:e|ing|ion)){_ALL}"
    rf"|end(?:ing)? (?:your|its|the) turn|hand(?:ing)?[- ]?(?:over|back|off){_ALL}"
    rf"|(?:are|is|being) {_DONE}"
    rf"|(?:declar|report|call|claim|consider|say|mark)(?:e|ing)? (?:\w+ ){{0,4}}?{_DONE})"
)
_MOMENT = (
    r"(?:(?:you |every |each |any |a |the )*"
    rf"(?:{_STOP}|(?P<commit>commit)\w*|(?P<push>(?:force-)?push)\w*|{_PR})"
    r"|(?:you |running |run )*`(?P<named>[^`]+)`)"
)
_ORDER = re.compile(
    rf"(?i)\bbefore {_MOMENT}(?:, `[^`]+`)*(?:,? or [\w -]*`[^`]+`)?"
    r"|\bafter (?:(?:making|each|every|any|all|your|code|the) )*"
    r"(?:change|edit|modification)s?(?: are made)? *(?=$|[.,;:)])"
)
_EXCEPT = re.compile(
    r"(?i)\b(?:un(?:asked|less|til)|except|only (?:if|when|for)|outside|(?<!` )without)\b"
    r"|\bif\b.{0,40}\?"
)
_PATH = re.compile(r"(?!@)[\w.*?/@+-]*(?:/|\*|\.[A-Za-z]\w{0,9})[\w.*?/@+-]*")
_CALL = re.compile(
    r"[A-Za-z_][\w.:]*\.(?!(?:[jt]sx?|md|py|rs)$)[A-Za-z_]\w*(?:\(\))?|\.?[A-Za-z_]\w*\(\)"
    r"|[A-Za-z_][\w.]*\[[^\]\s]+\]|\w+(?:::\w*)+|[a-z]\w+!|[!@][a-z][\w/-]{3,}"
    r"|[a-z]+(?:_[a-z]+)+|as (?:any|unknown)|(?://|\#) ?\S.*"
)
_GENERATED = re.compile(
    r"(?i)(?:`(?P<path>[^`\s]+)`[^\n]{0,60}\bgenerated|\bgenerated[^`\n]{0,40}`(?P<later>[^`\s]+)`)"
    rf"[^\n]{{0,120}}?{NOT} (?:be )?(?:manually |hand-)?(?:edit|chang|modif|touch|updat)"
)
_PLACE = re.compile(
    r"(?i)(?:^\W*|(?<=` ))(?:in|inside|under|(?P<outside>outside|except in)) "
    r"(?:the )?`(?P<path>[^`]+)`"
    rf"|`(?P<subject>[^`]+)`(?= {NOT})"
)
_EDITED = re.compile(
    r"(?i)\b(?:after|when|whenever|if) (?:you (?:have )?)?"
    r"(?:(?:edit|chang|modif|updat|touch|add)\w*(?:,| or| and)? )+"
    r"(?:any |the |files? (?:in|under) )*"
    r"(?P<what>`[^`]+`(?:(?:, |,? or |/)`[^`]+`)*|(?:[\w-]+ ){1,2}(?:code|files?|tests?))"
)
_ENDINGS = {"go": "*.go", "php": "*.php", "python": "*.py", "rust": "*.rs", "typescript": "*.ts"}
# To the next of a list, but not to what is wanted instead: "and `b` instead of `c`".
_AND = re.compile(r"^\s*/\s*|^(?:,?\s+(?:or|and)|,)\s+(?!`[^`]+` (?:instead|rather|not)\b)")
_MARKUP = re.compile(r"(`[^`]*`)|\*\*|\[(?=`)|(?<=`)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[.;!])(?<!\.\.)\s+(?=\S)|\n+")
_OTHERWISE = re.compile(r"\((?:or|e\.g\.)[^)]*\)")


def compile_checks(text: str, paths: Sequence[str] = ()) -> tuple[Check, ...]:
    """Return the checks that the words of a memory say, in their order, each once.

    `paths` are the globs of the files that the memory is about: code is looked for in these.
    """
    text = _MARKUP.sub(r"\1", text.strip())
    found = [Check("edit", _glob(one["path"] or one["later"])) for one in _GENERATED.finditer(text)]
    for sentence in _SENTENCE.split(text):
        if len(sentence) <= LINE_LIMIT:  # no plain rule is longer, and patterns take its square
            found += _of(sentence, tuple(paths))
    return tuple(dict.fromkeys(found))


def _of(sentence: str, paths: tuple[str, ...]) -> Iterator[Check]:
    place = _PLACE.search(sentence)
    named = (place["path"] or place["subject"]) if place else ""
    written: list[Check] = []
    if place and _PATH.fullmatch(named):
        rest = sentence.replace(place[0], "").strip(" ,.:")
        there = () if _EXCEPT.search(rest) else _refused(rest, (_glob(named),))
        outside = "outside" if place["outside"] else ""
        written = [replace(one, place=outside) for one in there if one.kind == "write"]
    known = [one.what for one in written]
    yield from (*written, *(one for one in _plain(sentence, paths) if one.what not in known))


def _plain(sentence: str, paths: tuple[str, ...]) -> Iterator[Check]:
    if _EXCEPT.search(sentence):  # whether the exception holds cannot be seen in a call
        return
    yield from phrases(sentence, paths)
    yield from _touched(sentence)
    yield from _ordered(sentence)
    yield from _refused(sentence, paths)


def _refused(sentence: str, paths: tuple[str, ...]) -> Iterator[Check]:
    """Yield what is not to be run or written, and what something else is to be used for."""
    for place in _FORBIDDEN.finditer(sentence):
        rest, verb = sentence[place.end() :], place["verb"] or ""
        imports = paths and verb.lower().startswith(("import", "depend"))
        for check in _forbidden(rest, paths, other=_SPAN if imports else _CALL):
            if check.kind == "run" or verb or not place[0].lower().startswith("avoid"):
                yield check
    for place in _INSTEAD.finditer(sentence):
        before = _SPAN.sub("", sentence[: place.start()])
        if _USE.search(before) or _USE.match(place.group().split()[-1]):
            yield from _forbidden(sentence[place.end() :], paths)


def _glob(path: str) -> str:
    """Return a path as a glob: that of a folder as what is in it."""
    return path if re.search(r"\*|\w\.\w+$", path) else f"{path.rstrip('/')}/**"


def _forbidden(
    rest: str, paths: tuple[str, ...], *, other: re.Pattern[str] = _CALL
) -> Sequence[Check]:
    """Return the checks of what `rest` begins with; few where words say for what it is meant."""
    found = []
    while place := _SPAN.match(rest) or _BARE_COMMAND.match(rest):
        word = place.groupdict().get("code") or place.group().strip("`")
        if other.fullmatch(word) or other.fullmatch(place[0]):
            text = word.removesuffix("()") + ("(" if word.endswith("()") else "")
            found.append(Check("write", text, globs=paths))
        elif _BARE_COMMAND.fullmatch(word) or _is_command(word):
            found.append(Check("run", re.sub(r" +<.*", "", word)))  # `npm run <script>`
        rest = _AND.sub("", rest[place.end() :])
    return [one for one in found if paths and one.kind == "write"] if _MEANT.match(rest) else found


def _is_command(word: str) -> bool:
    first = word.split()[0] if word.split() else ""
    path = r"(?!(?:await|catch|const|let|new|var)$)[a-z][\w.-]*|\.?/?(?:[\w.-]+/)+[\w.-]+"
    other = " " in word and not re.search(r"[{}=]", word) and re.fullmatch(path, first)
    return bool((re.fullmatch(_PROGRAMS, first) or other) and not _CALL.fullmatch(word))


def _touched(sentence: str) -> Iterator[Check]:
    for place in _TOUCH.finditer(sentence):
        commits = place["act"].lower() in ("commit", "add", "check in", "stage")
        kind: Kind = "commit" if commits else "edit"
        rest = sentence[place.end() :]
        named: list[str] = []
        while found := _SPAN.match(rest):
            named += [found["code"]] if _PATH.fullmatch(found["code"]) else []
            rest = _AND.sub("", rest[found.end() :])
        yield from () if _MEANT.match(rest) else (Check(kind, path) for path in named)


def _ordered(sentence: str) -> Iterator[Check]:
    place, edited = _ORDER.search(sentence), _EDITED.search(sentence)
    globs = tuple(_edited_globs(edited["what"])) if edited else ()
    if not (place or globs) or re.search(NOT, sentence, re.IGNORECASE):
        return
    others, later = _OTHERWISE.sub("", sentence), _later(place) if place else STOPPING
    for one in filter(None, (place, edited if globs else None)):
        others = others.replace(one[0], " ")
    steps = [one["code"] for one in _SPAN.finditer(others) if _is_command(one["code"])]
    steps = [part.strip() for step in steps for part in step.split("&&")]
    if steps and re.search(r"(?i)\b(?:run|always|call|use|execute|with|format|lint)\b", others):
        yield Check("before", later, " && ".join(dict.fromkeys(steps)), globs)


def _edited_globs(what: str) -> Iterator[str]:
    """Yield the globs of what is edited: `PATH` and `PATH`, or "Go files", "end-to-end tests"."""
    for one in _SPAN.finditer(what):
        if _PATH.fullmatch(one["code"]):
            yield _glob(re.sub(r"^\.(?=[jt]sx?$|\w\w$)", "*.", one["code"]))  # `.ts` files
    *words, _ = what.casefold().split()
    if len(words) == 1 and words[0] in _ENDINGS:
        yield _ENDINGS[words[0]]
    elif words and "`" not in what:
        yield from (f"**/*{'*'.join(words)}*{end}" for end in ("", "/**"))


def _later(place: "re.Match[str]") -> str:
    moments = {"commit": "git commit", "push": "git push", "pr": "gh pr create"}
    return place["named"] or next((moments[one] for one in moments if place[one]), STOPPING)
