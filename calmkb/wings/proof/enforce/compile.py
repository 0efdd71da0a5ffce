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
    "|black|brew|composer|conda|curl|deno|docker|find|go|grep|helm|jest|just|make|node|php|poetry"
    "|prettier|psql|rm|ruby|ssh|terraform|tsc|vitest|wget"
)
_SUB_COMMAND = "add|build|commit|ci|create|install|i|merge|pr|pull|push|rebase|reset|run|test|tool"
_BARE_COMMAND = re.compile(
    rf"(?<![\w./-])(?:{_PLAIN})(?: (?:{_SUB_COMMAND})){{0,2}}(?: --?[\w-]+)*(?![\w/'\u2019-])"
    r"|[A-Za-z_]\w*\.[A-Za-z_]\w*\(\)"
)
_FORBIDDEN = re.compile(
    rf"(?i){NOT}\s+(?:ever |directly |just )?(?P<verb>(?P<run>run(?:s|ning)?|us(?:e|ing)"
    r"|call(?:ing)?|execute|invoke)|write|(?:re)?introduce|depend on"
    r"|import(?:ing)?(?: from)?|add|leave|create|put|set|suppress)?"
    r"\s*(?:(?:the|an?|any|new|plain|bare|raw|global|deprecated) )*(?:(?:[\w.-]+ )?[\w.-]+'s )?"
    r"|\b(?:rejects?|forbids?|bans?|disallows?)\s+|(?=`[^`]+`(?: [a-z]+)? (?:is|are) (?:strictly )?"
    r"(?:banned|forbidden|prohibited|not allowed)(?! (?:for|in|on|when|with)))"
    rf"|(?:^\W*|(?<=: )|(?<=[a-z] )(?=(?-i:N)))no (?:(?=(?:{_PLAIN})(?:[.;,]| —))|(?=`[^`]+`"
    r"(?:$|[.,;:/]| [—(-]| (?:or|and|calls?|casts?|casting|imports?|statements?|usage)\b)))"
    r"|^\W*instead of (?=`[^`]+`,? (?:use|call|prefer|run)\b)"
)
_INSTEAD = re.compile(
    r"(?i)(?:,? | ?[(—-] ?)(?:not(?: with| by)?|never|no longer|instead of|rather than"
    r"|in place of)\s+(?:(?:use|using|run|running|calling|plain|bare|raw|the|global) )*"
)
_MEANT = re.compile(
    r"(?i)(?: (?!and |or )[a-z]+)?\s+(?:that|in|for|when|before|after|between|inside|within|during"
    r"|with(?:out)?|as|while|to|a|on|at|from(?! `)|of|over|under|around)\b"
    r"(?! (?:(?:this|our|the|any|new) (?:repo|project|code)|it|they|git|staging|committing)\b)"
    r"|\s+(?:imports?|branch|casually|unnecessarily|front ?matter|(?:token )?regions?|sections?)\b"
    r"|(?:,? )?or$"
)
_USE = re.compile(  # "Logging: `a`, not `b`" too
    r"(?i)\b(?:use|run|prefer|call|resolve|through|try|shorten|with|always|imports?)\b"
    r"|^(?!for example)[\w /*]{2,25}: *$"
)
_SPAN = re.compile(r"`(?P<code>[^`]+)`")
_PATHS = r"(?P<paths>`(?!\.\w\w`)[^`\s]+`(?:(?:,|,? and|,? or| ?/) ?`[^`\s]+`){0,9}+)"
_ACT = (
    r"(?:ever |manually |directly |hand-)*(?P<act>edit|touch|change|modif[yi]|update|write to"
    r"|commit|check in|stage)(?:ing|e?d)?"
)
_TOUCH = re.compile(
    rf"(?i)(?:{NOT}|rather than|instead of)\s+{_ACT}(?:,(?: or)? [a-z]+(?: from)?)*\s+(?:\w+ or "
    r"|local |the |a |any |generated |(?:files?|anything) (?:in|below|under|matching) )*" + _PATHS
)
# The file comes first: "`a.ts` is generated from `b`. Never edit it."
_FILE_FIRST = re.compile(
    rf"(?i){_PATHS}(?! into)(?:(?P<made>[^\n.;`]{{0,60}}\bgenerated[^\n]{{0,120}}?)"
    r"|[^`\n;]{0,80}?[;:]? ?)"
    rf"(?<!\b(?:is|re) ){NOT} (?:be )?{_ACT}\b(?(made)|(?: (?:it|them|this|these)"
    r"(?: files?| directory| folder)?)?(?: manually| by hand| directly)?"
    r" *(?=$|[.;:)|]| —|,(?! (?:unless|except|but))))"
)
_END = r"(?= *(?:$|[.,;:()]| —))"
_ALL = rf"(?:{_END}| (?:the|a|your|any|each|every) (?:task|turn|work|job)\b)"
_MOMENT = (
    r"(?:(?:you |every |each |any |an? |the |all |your |final |making |creating )*(?:"
    rf"(?P<stop>(?:stop(?:ping)?|finish(?:ing)?|finali[sz]ing(?: changes)?|complet(?:e|ing|ion)"
    rf"|hand(?:ing)?[- ]?(?:over|back|off)){_ALL}|end(?:ing)? (?:your|its|the) turn"
    rf"|(?:(?:are|is|being)|(?:declar|report|call|claim|consider|say|mark)(?:e|ing)?"
    r" (?:\w+ ){0,4}?) ?(?:done|complete|completion|success|victory|finished)\b)"
    r"|(?P<pr>(?:(?:open|creat|submit)\w* (?:a |the |your |any )*)?(?:PR|pull request)s?\b"
    rf"|submitting(?: (?:a |the |your |any )*(?:changes?|code|work))?{_END})"
    r"|(?P<commit>commit)\w*|(?P<push>(?:force-)?push)\w*)"
    r"|(?:you |running |run )*`(?P<named>[^`]+)`)"
)
_ORDER = re.compile(
    rf"(?i)\b(?:before|prior to) {_MOMENT}(?:, `[^`]+`)*(?:,? or [\w -]*`[^`]+`)?"
    r"|\bafter (?:(?:making|each|every|any|all|your|code|the|meaningful) )*"
    r"(?:(?:change|edit|modification)s?(?: are made)?|(?:chang|edit|modify)ing (?:any |the )?code)"
    rf"(?:{_END}| (?=and |with `|run |using ))"
)
# What is to be done, where "migrations run in CI before `deploy`" only tells of it.
_DO = re.compile(
    r"(?i)(?:^\W*|[,:;(—|]\s*|\b(?:always|must|and|then|also|to|be|are|please|prefer) )(?:re-?)?"
    r"(?:run|running|call|use|execute|format|lint|build|compile|check|verify|generate|prove|ensure)\b"
    r"|\bpass(?:es)?\b|,\W*: *(?=`)"
)
_CONDITION = re.compile(r"(?i)(?<!`)\b(?:(?<!even )if|when|whenever|after) (?!complet|finish|done)")
_CONDITIONAL = re.compile(r"(?i)\W*(?:if|once|when|whenever)\b")  # what it forbids, in a case alone
_EXCEPT = re.compile(
    r"(?i)\b(?:un(?:asked|less|til)|(?<!`)except|only (?:if|when|for)|outside|(?<!` )without)\b"
    r"|\bif\b.{0,40}\?|\b(?:is|are) (?:present|configured)\b"
)
_PATH = re.compile(r"(?!@)[\w.*?/@+-]*(?:/|\*|\.[A-Za-z]\w{0,9})[\w.*?/@+-]*")
_CALL = re.compile(
    r"[A-Za-z_][\w.:]*\.(?!(?:[jt]sx?|md|py|rs)$)[A-Za-z_]\w*(?:\(\))?|\.?[A-Za-z_]\w*\(\)"
    r"|[A-Za-z_][\w.]*\[[^\]\s]+\]|\w+(?:::\w*)+|[a-z]\w+!|[!@][A-Za-z][\w/-]{3,}(?:\(\))?"
    r"|[a-z]+(?:_[a-z]+)+|as (?:any|unknown)|node:\w+|except:|(?://|\#) ?\S.*"
)
_PLACE = re.compile(
    r"(?i)(?:^\W*|(?<=` ))(?:in|inside|under|(?P<outside>outside|except in)) "
    r"(?:the )?`(?P<path>[^`]+)`"
    rf"|`(?P<subject>[^`]+)`(?= {NOT})"
)
_EDITED = re.compile(
    r"(?i)\b(?<!only )(?:after|when|whenever|if) (?:you (?:have )?)?(?:an?y? |each |every )?"
    r"(?:(?:edit|chang|modif|updat|touch|add)\w*(?:,| or| and)? )+"
    r"(?:any |the |to |in |under |files? (?:in|under) )*"
    r"(?P<what>`[^`]+`(?:(?:, |,? or |/)`[^`]+`)*|(?:[\w-]+ ){1,2}(?:code|files?|tests?))"
)
_ENDINGS = {"go": "*.go", "php": "*.php", "python": "*.py", "rust": "*.rs", "typescript": "*.ts"}
# To the next of a list, but not to what is wanted instead: "and `b` instead of `c`".
_AND = re.compile(r"^\s*/\s*|^(?:,?\s+(?:or|and)|,)\s+(?!`[^`]+` (?:instead|rather|not)\b)")
_MARKUP = re.compile(r"(`[^`]*`)|\((?:or|e.g)(?:`[^`]*`|[^()`])*+\)|\*\*|\[(?=`)|(?<=`)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[.;!])(?<!\.\.)\s+(?=\S)|\n+")


def compile_checks(text: str, paths: Sequence[str] = ()) -> tuple[Check, ...]:
    """Return the checks that the words of a memory say, in their order, each once.

    `paths` are the globs of the files that the memory is about: code is looked for in these.
    """
    text = _MARKUP.sub(r"\1", text.strip())
    found = list(_protected(_FILE_FIRST, text))
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
    yield from written
    if not _EXCEPT.search(sentence):  # whether the exception holds cannot be seen in a call
        found = [*_ordered(sentence)]
        if not _CONDITIONAL.match(sentence):
            found += (*phrases(sentence, paths), *_protected(_TOUCH, sentence))
            found += _refused(sentence, paths)
        yield from (one for one in found if one.what not in [other.what for other in written])


def _refused(sentence: str, paths: tuple[str, ...]) -> Iterator[Check]:
    """Yield what is not to be run or written, and what something else is to be used for."""
    for place in _FORBIDDEN.finditer(sentence):
        rest, verb = sentence[place.end() :], place["verb"] or ""
        imports = paths and verb.lower().startswith(("import", "depend"))
        for check in _forbidden(rest, paths, other=_SPAN if imports else _CALL):
            soft = place[0].lower().startswith("avoid") and not verb
            if (place["run"] or not verb) if check.kind == "run" else not soft:
                yield check
    for place in _INSTEAD.finditer(sentence):
        wanted, rest = sentence[: place.start()], sentence[place.end() :]
        before = _SPAN.sub("", wanted)
        if place[0].split()[-1] in ("of", "than") and not re.search(r"(?i)\bif\b", before):
            rest = rest.replace("` for ", "`, for ")  # what both are for
        if _USE.search(before) or _USE.match(place.group().split()[-1]):
            found = _forbidden(rest, paths)
            runs = not re.search(r"(?i)\bimport", before)  # "import from `a` instead of `b`"
            yield from (
                one for one in found if (runs if one.kind == "run" else one.what not in wanted)
            )


def _glob(path: str) -> str:
    """Return a path as a glob: that of a folder as what is in it, an ending as all such files."""
    path = re.sub(r"^\.(?=[jt]sx?$|jsonl?$|\w\w$)", "*.", path)
    return path if re.search(r"\*|\w\.\w+$|^\.env$", path) else f"{path.rstrip('/')}/**"


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
    code = "async|await|catch|const|export|from|import|let|new|var"
    path = rf"(?!(?:{code})$)[a-z][\w.-]*|[\w./-]+/[\w.-]+"
    other = " " in word and not re.search(r"[{}=?[\]]", word) and re.fullmatch(path, first)
    return bool((re.fullmatch(_PROGRAMS, first) or other) and not _CALL.fullmatch(word))


def _protected(pattern: re.Pattern[str], text: str) -> Iterator[Check]:
    """Yield the files that are not to be edited, or not to be committed."""
    for place in pattern.finditer(text):
        commits = re.match("(?i)commit|check|stage", place["act"])
        kind: Kind = "commit" if commits else "edit"
        if not _MEANT.match(text[place.end() :]):
            named = filter(_PATH.fullmatch, _SPAN.findall(place["paths"]))
            yield from (Check(kind, _glob(one)) for one in named)


def _ordered(sentence: str) -> Iterator[Check]:
    place, edited = _ORDER.search(sentence), _EDITED.search(sentence)
    globs = tuple(_edited_globs(edited["what"])) if edited else ()
    if not (place or globs) or re.search(NOT, sentence, re.IGNORECASE):
        return
    for one in filter(None, (place, edited if globs else None)):
        sentence = sentence.replace(one[0], ",")
    steps = (one for one in _SPAN.findall(sentence) if one != "make" and _is_command(one))
    each = (part.strip() for step in steps for part in step.split("&&"))
    parts = dict.fromkeys(re.sub(r" +[<[{].*", "", part) for part in each if part[:3] != "cd ")
    if parts and _DO.search(sentence) and not _CONDITION.search(sentence):
        yield Check("before", _later(place) if place else STOPPING, " && ".join(parts), globs)


def _edited_globs(what: str) -> Iterator[str]:
    """Yield the globs of what is edited: `PATH` and `PATH`, or "Go files", "end-to-end tests"."""
    yield from map(_glob, filter(_PATH.fullmatch, _SPAN.findall(what)))
    *words, _ = what.casefold().split()
    if len(words) == 1 and words[0] in _ENDINGS:
        yield _ENDINGS[words[0]]
    elif words and "`" not in what:
        yield from (f"**/*{'*'.join(words)}*{end}" for end in ("", "/**"))


def _later(place: "re.Match[str]") -> str:
    moments = {"commit": "git commit", "push": "git push", "pr": "gh pr create"}
    return place["named"] or next((moments[one] for one in moments if place[one]), STOPPING)
