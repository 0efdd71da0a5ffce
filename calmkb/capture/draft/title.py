"""What a drafted session is called: its commit, its plan, or its first real request."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from calmkb.capture.formats.cleaning import clip, sentences
from calmkb.language.detect import SMALL_WORDS, language

TITLE_LIMIT = 90
_ROUTINE = re.compile(
    r"merged?\b|revert\b|(?:wip|init|initial|(?:initial|first|empty) commit|fixup!.*|squash!.*|tmp"
    r"|temp|tests?|updates?|fix(?:es)?|changes|checkpoint)\.?$"
    r"|.{0,30}\b(?:wrap up|address|apply|respond)\b.{0,40}"
    r"\b(?:review|feedback|comments?|nits?|session)\b",
    re.IGNORECASE,
)
_TIDYING = re.compile(r"style\b|.*\b(?:gofmt|rustfmt|nolint|lint(?:er|ing)?|typos?)\b", re.I)
# A command, a line of code, what is shown, who the agent is, and what it can do.
_NO_WISH = re.compile(
    r"[/<{]|https?:\S+\Z|.*\{$|return\b|(?:attached|here|these)(?: is| are|'s)\b"
    r"|(?:you are|you're|act as|your (?:task|job|role) is|do you have access)\b",
    re.I,
)
_COMMAND = re.compile(r"^(?:/[\w:-]+ )+(?!https?:)(?=(?:\S+ ){4}\S|.*[^\x00-\x7f])")
_SHORT_COMMAND = re.compile(r"/(?:[\w-]+:)*(?P<does>[\w-]+) (?P<what>\S.*)")
_LEAD = re.compile(
    r"(?:ok(?:ay)?|so|(?:hi|hey|hello)(?: there| claude| codex| gemini)?|good \w+ing|also|now|then"
    r"|next|alright|yes|yep|well|and|but|right|please|pls|actually|instead(?! of)|ultrathink"
    r"|[a-z]\)|\d{1,2}[-.)]|h+m+|u+m+|u?gah?)[\s,!:]+"
    r"|(?:\w+ )?(?:scope|tasks?|goal|context|background|objective|feedback|item|note|q|question): "
    r"|(?:(?P<asks>(?:can|could|would|will) (?:you|we|u))|let'?s)(?: please| also| just)* "
    r"|(?:i|we)(?:'d| would) like (?:you |us )?to |(?:i|we) would suggest (?:that )?(?:we )?"
    r"|(?:i|we) (?:(?:do )?(?:want|need)(?: you)? to|should(?: somehow)?) "
    r"|i(?:'m| am) working on (?=.{,20}[A-Z]-\d)|(?:time|need) to |help me (?:to )?"
    r"|(?:i (?:think|believe|guess|reckon|noticed|have the impression)|do you (?:know|remember)),?"
    r" (?:if |that,? )?|go ahead and |@(?=\w)|<[\w-]+>\s*|[\w.-]+#\d+ (?=\S+ \S+ \S)",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?<![\w./@-])(?:(?:~?/|@)(?:[\w.-]+/){2,}|(?:[\w.-]+/){2,}(?=[\w-]*\.\w)"
    r"|[A-Za-z]:\\(?:[\w.-]+\\)*)([\w.-]+)"
)
_LISTS = re.compile(r":\n+(?!(?:let|can|could|i|we)\b|return\b)", re.I)
_CLAUSE = re.compile(  # what a sentence can end before
    r"[,;] (?!but\b)|(?<! is): (?=[a-z])| [-\u2013\u2014] | \(| (?:so|because|since)\b"
    r"|,? (?:can|could) (?:you|we)\b| and (?:add|also|check|clean\w*|create|did?|do|explain|find"
    r"|fix|give|I|it|let|make|move|now|propose|remove|replace|review|run|see|show|start|tell|then"
    r"|try|update|use|we|write)\b"
)
_EXPLAINS = re.compile(r".{20}\w: [a-z]|\b(?:are|is|that|was)\Z")
_GOES_ON = re.compile(
    r"(?i)(?:after|as|at|based|before|for|from|given|if|in|instead|on|the following|to|when|while"
    r"|with|can it|\w+ing)\b|.*, .|(?:\S+ ){,3}\S+\Z"
)
"""A beginning that says little alone: its verb or its list is still to come."""
_END = re.compile(r"(?:[ .:;,]| please| [:;]-?[()D])+\Z")
_MARKS = re.compile(r"\[Image #?\d+\]\s*|</[\w-]+>")  # an image, and the end of a wrapping
_ASIDE = re.compile(r"(?<=[\w`]) \([^()]*\)")
_REASON = re.compile(r"(.{20,88}): (?=[A-Z`\"]).*")
_ADDRESS = re.compile(
    r"(?P<shown>\[https?:[^\s\]]*\]\()?https?://\S+/(?P<name>[\w.-]+)/(?:-/)?"
    r"(?:pull|issues|discussions|merge_requests)/(?P<number>\d+)[^\s,.;)]*(?(shown)\))"
)
_TICKET = r"\g<name>#\g<number>"
_LINK = re.compile(r"(?:\[https?:[^\s\]]*\]\()?https?://\S*/([A-Za-z][\w.-]*(?:/\d+)?)[^\s,;)]*\)?")
_PLACE = re.compile(r"(?m)^.{0,40}\b(?:is|are)(?: in| at)? (?:~|[A-Za-z]:)?[/\\]\S+$")
"""Says where a thing is, and asks for nothing."""
# What leads up to a request: what a person does, saw or was told.
_TELLS = re.compile(
    r"(?i)(?:i(?:'m| am) (?:\w+ly )?\w+ing|(?:i|we) (?:did|just|got|tried|used|messed)"
    r"|(?:i want to |let'?s )?(?:talk|chat) about"
    r"|this|th[eo]se|that|there|it'?s?|while|when|right now|currently)\b"
)
_WORK = frozenset(
    "add address another approach before branch change changes check code comments commit "
    "conflict conflicts deep dive documentation doing effort error errors explain failing "
    "failures feedback fix get getting got happened happens help issue issues know last latest "
    "lint local look main merge merged message method methods open opened origin parent please pr "
    "problem propose reason rebase resolved review run some stash test tests there thoughts "
    "understand update work working works".split()
)
"""Words of any request, which alone do not say what it is about."""
_EMPTY = frozenset("again bit discuss give good look morning start take talk tell this".split())
_POINTS = re.compile(
    r"(?i)\b(?:this|these|those|that(?: \S+){,2}\Z|the (?:\w+ )?(?:pr|issue|commits?|comments?)"
    r"|(?!utf|sha)[a-z]{2,}-\d+(?!\d|: ))\b"
)
"""Speaks of what only they know who were there."""
_POINTS_BACK = re.compile(r"(?:\S+ ){1,2}(?:it|them)\b")
_THEIRS = re.compile(r"(?i)\b(?:this|the|local|current) branch\b")
_PROSE = re.compile(r"[\w`\"'“](?:\S* ){2}")
_NAMING = 3  # words
_PLAN = ".claude/plans/"  # whose names are drawn by lot
_LEAST = 40  # characters of a clause that may be a title by itself
READ = 1_000
"""Characters of a request or a subject in which its name is looked for."""


def title(
    subjects: Sequence[str], asked: Sequence[str], files: Sequence[str] = (), branch: str = ""
) -> str:
    """Return the title of a session with commits of these subjects, where this was asked.

    What it is about may be in none of them: its branch, or the first of the `files` that it
    changed, is named then.
    """
    made = [one[:READ] for one in subjects]
    told = [one for one in made if not _ROUTINE.match(one)]
    told.sort(key=lambda one: bool(_TIDYING.match(one)) or len(one.split()) < _NAMING)
    names = (_END.sub("", one) for one in (*told, *_wishes(asked), *made))
    name = next(names, "")
    file = next((PurePath(one).name for one in files if _PLAN not in one), "")
    linked = _ADDRESS.search(asked[0][:READ]) if asked else None
    ticket = linked.expand(_TICKET) if linked else ""
    led = bool(linked and not linked.start())  # the address leads, the request follows
    about = (ticket if ticket not in name else "") or _work_of(branch)
    about = about or ("" if len(name + file) > TITLE_LIMIT - 3 else file)
    about = about or (branch.rsplit("/", 1)[-1] if "/" in branch else "")  # one word of somebody's
    room = max(TITLE_LIMIT - len(about) - 3, _LEAST)
    if about and about not in name and not told and (led or _is_vague(name, room)):
        name = f"{_whole(name, room)} ({about})" if name else f"Work on {about}"
    return _whole(" ".join(name.split()), TITLE_LIMIT)


def _whole(name: str, limit: int) -> str:
    """Return at most so much of a name, up to the end of a clause where one is near."""
    if len(name) <= limit:
        return name
    ends = (one.start() for one in _CLAUSE.finditer(name, _LEAST - 10, limit + 1))
    whole = [name[:end] for end in ends if _is_whole(name[:end])]
    return whole[-1] if whole else clip(name, limit)


def _is_whole(head: str) -> bool:
    is_open = head.count("`") % 2 or head.count('"') % 2 or head.count("(") > head.count(")")
    return not (is_open or _GOES_ON.match(head) or _TELLS.match(head) or _EXPLAINS.search(head))


def _wishes(asked: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that name a thing, first things first; commands and roles are none."""
    for request in asked:
        words = _COMMAND.sub("", request[:READ])
        command = _called(words)
        if _names_a_thing(command.replace("-", " "), _WORK):
            yield command
        parts = sentences(_LISTS.sub(": ", _PATH.sub(r"\1", _PLACE.sub("", _linked(words)))))
        led_up = parts and (words != request[:READ] or _TELLS.match(parts[0]))
        says = [one for one in parts if one[0] != "(" and _names_a_thing(_bare(one), _WORK)]
        asks = [one for one in says[1:] if _LEAD.match(one) and not _POINTS_BACK.match(_bare(one))]
        for text in (*asks, *says, *parts) if led_up else (*says, *parts):
            wish = _bare(text)
            if not _NO_WISH.match(wish) and _names_a_thing(wish):
                yield wish
    yield from filter(None, map(_called, asked))


def _called(request: str) -> str:
    """Return what a client's command is given, after its name; nothing of another request."""
    found = _SHORT_COMMAND.match(request[:READ])
    return f"{found['does'].capitalize()} {_linked(found['what'])}" if found else ""


def _linked(text: str) -> str:
    """Return a text with the short name of each address in it."""
    return _LINK.sub(r"\1", _ADDRESS.sub(_TICKET, _MARKS.sub("", text)))


def _bare(text: str) -> str:
    """Return "Fix the login" for "ok, can you fix the login?", and of a plan its title alone."""
    before = ""
    while before != text:
        before = text
        if (lead := _LEAD.match(text)) and len(text) > lead.end():
            text = text[lead.end() :].removesuffix("?" if lead["asks"] else "")
        head, _, rest = text.partition(": ")
        text = rest if _PROSE.match(rest) and _announces(head) else text
    if len(text) > TITLE_LIMIT:
        text = _REASON.sub(r"\1", _ASIDE.sub("", text))
    word = text.split(" ", 1)[0].rstrip(",:;").replace("'", "")
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text


def _is_vague(name: str, room: int) -> bool:
    points = len(name) <= room and _POINTS.search(name)
    return not _names_a_thing(name, _WORK, 3) or bool(points or _THEIRS.search(name))


def _work_of(branch: str) -> str:
    """Return "fix-login" for "ada/20260210-fix-login"; nothing of a name that says no work."""
    name = re.sub(r"^\d{6,8}-|-(?=\w*\d)\w{5,}$", "", branch[:READ].rsplit("/", 1)[-1])
    words = re.findall(r"\b(?!(?:feature|branch)\b)[^\W\d_]{3,}", name)
    return name if len(words) > 1 else ""


def _announces(text: str) -> bool:
    """Tell what only says that something follows; a heading and a ticket's number do not."""
    says = len(text.split()) >= _NAMING and not text.istitle()
    return bool(_TELLS.match(text)) or (says and not _names_a_thing(text, _WORK))


def _names_a_thing(text: str, beside: frozenset[str] = frozenset(), least: int = 2) -> bool:
    small = SMALL_WORDS.get(language(text), frozenset()) | _EMPTY | beside
    words = {one.casefold() for one in re.findall(r"(?<![^\W\d_])(?!\w+n't)[^\W\d_]{2,}", text)}
    return len(words - small) >= least or not text.isascii()
