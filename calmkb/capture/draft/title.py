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
# A command, a line of code, who the agent is, and what it can do.
_NO_WISH = re.compile(
    r"[/<]|https?:\S+\Z|.*\{$"
    r"|(?:you are|you're|act as|your (?:task|job|role) is|do you have access)\b",
    re.I,
)
_COMMAND = re.compile(r"^(?:/[\w:-]+ )+(?!https?:)(?=(?:\S+ ){4}\S|.*[^\x00-\x7f])")
_SHORT_COMMAND = re.compile(r"/(?:[\w-]+:)*(?P<does>[\w-]+) (?P<what>\S.*)")
_LEAD = re.compile(
    r"(?:ok(?:ay)?|so|hi|hey|hello|also|now|then|next|alright|yes|yep|well|and|but|right|please|pls"
    r"|actually|[a-z]\)|h+m+|u+m+|u?gah?)[\s,!:]+"
    r"|(?:\w+ )?(?:scope|tasks?|goal|context|background|objective|feedback|item|note|q|question): "
    r"|(?:(?P<asks>(?:can|could|would|will) (?:you|we))|let'?s)(?: please| also| just)* "
    r"|(?:i|we)(?:'d| would) like (?:you |us )?to |(?:i|we) would suggest (?:that )?(?:we )?"
    r"|(?:i|we) (?:(?:do )?(?:want|need)(?: you)? to|should(?: somehow)?) "
    r"|what i(?:'m| am) (?:trying to (?:achieve|do)|after)(?: here| there)? is,? "
    r"|i(?:'m| am) working on (?=.{,20}[A-Z]-\d)|(?:time|need) to |help me (?:to )?"
    r"|go ahead and |i think |@(?=\w)|<[\w-]+>\s*",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?<![\w./@-])(?:(?:~?/|@)(?:[\w.-]+/){2,}|(?:[\w.-]+/){2,}(?=[\w-]*\.\w))([\w.-]+)"
)
_LISTS = re.compile(r":\n(?!(?:let|can|could|i|we)\b)", re.I)
_ASIDE = re.compile(r"(?<=[\w`]) \([^()]*\)")
_REASON = re.compile(r"(.{20,}?): (?=[A-Z`]).*")
_ADDRESS = re.compile(
    r"https?://\S+/([\w.-]+)/(?:-/)?(?:pull|issues|merge_requests)/(\d+)[^\s,.;)]*"
)
_LINK = re.compile(r"(?:\[https?:[^\s\]]*\]\()?https?://\S*/([A-Za-z][\w.-]*(?:/\d+)?)[^\s,;)]*\)?")
# What leads up to a request: what a person does, saw or was told.
_TELLS = re.compile(
    r"(?i)(?:i(?:'m| am) (?:\w+ly )?\w+ing|(?:i|we) (?:did|just|got|tried|used|messed)"
    r"|(?:i want to |let'?s )?(?:talk|chat) about"
    r"|this|that|there|it|while|when|right now|currently)\b"
)
_TURNS_TO = re.compile(
    r"[,;]? (?:and )?(?:can|could) (?:you|we) (?:please )?"
    r"(?P<ask>(?!.{,40}\b(?:it|th[ai]t|this|th[eo]se|them)\b).{20,})"
    r"|\A.{20,}?(?:,? but(?: now)?| I (?:now )?get| [\"“](?=[^\W\d_]+ ))(?=.{30}) ?(?P<trouble>.+)"
)
_WORK = frozenset(
    "add address another before branch change changes check code comments commit deep dive doing "
    "effort error explain failing feedback fix get getting got happened happens help issue issues "
    "know last lint look message open opened pr problem propose reason review run some test tests "
    "there thoughts understand update".split()
)
"""Words of any request, which alone do not say what it is about."""
_EMPTY = frozenset("again bit discuss give look start take talk tell thing this".split())
_POINTS = re.compile(
    r"(?i)\b(?:this|these|those|that(?: \S+){,2}\Z|the (?:\w+ )?(?:pr|issue|commits?|comments?)"
    r"|[a-z]{2,}-\d+(?!\d|: ))\b"
)
"""Speaks of what only they know who were there."""
_POINTS_BACK = re.compile(r"(?:\S+ ){1,2}(?:it|them)\b")
_THEIRS = re.compile(r"(?i)\b(?:this|the|local|current) branch\b")
_FEW = 11  # words
_PROSE = re.compile(r"[\w`\"'“](?:\S* ){2}")
_NAMING = 3  # words
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
    names = (one.rstrip(" .:;,") for one in (*told, *_wishes(asked), *made))
    name, file = next(names, ""), PurePath(files[0]).name if files else ""
    linked = _ADDRESS.search(asked[0][:READ]) if asked else None
    about = linked.expand(r"\1#\2") if linked else _work_of(branch)
    about = about or ("" if len(name + file) > TITLE_LIMIT - 3 else file)
    if about and about not in name and not told and _is_vague(name):
        room = max(TITLE_LIMIT - len(about) - 3, _FEW)
        name = f"{clip(name, room)} ({about})" if name else f"Work on {about}"
    return clip(" ".join(name.split()), TITLE_LIMIT)


def _wishes(asked: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that name a thing, first things first; commands and roles are none."""
    for request in asked:
        words = _COMMAND.sub("", request[:READ])
        command = _called(words)
        if _names_a_thing(command.replace("-", " "), _WORK):
            yield command
        parts = sentences(_LISTS.sub(": ", _PATH.sub(r"\1", _linked(words))))
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
    return _LINK.sub(r"\1", _ADDRESS.sub(r"\1#\2", text))


def _bare(text: str) -> str:
    """Return "Fix the login" for "ok, can you fix the login?", and of a plan its title alone."""
    before = ""
    while before != text:
        before = text
        if (lead := _LEAD.match(text)) and len(text) > lead.end():
            text = text[lead.end() :].removesuffix("?" if lead["asks"] else "")
        head, _, rest = text.partition(": ")
        text = rest if _PROSE.match(rest) and _announces(head) else text
    if _TELLS.match(text) and (turn := _TURNS_TO.search(text)):
        text = (turn["ask"] or turn["trouble"]).rstrip('."”')
    if len(text) > TITLE_LIMIT:
        text = _REASON.sub(r"\1", _ASIDE.sub("", text))
    word = text.split(" ", 1)[0].rstrip(",:;").replace("'", "")
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text


def _is_vague(name: str) -> bool:
    points = len(name.split()) < _FEW and _POINTS.search(name)
    return not _names_a_thing(name, _WORK) or bool(points or _THEIRS.search(name))


def _work_of(branch: str) -> str:
    """Return "fix-login" for "ada/20260210-fix-login"; nothing of a name that says no work."""
    name = re.sub(r"^\d{6,8}-|-(?=\w*\d)\w{5,}$", "", branch[:READ].rsplit("/", 1)[-1])
    words = re.findall(r"\b(?!(?:feature|branch)\b)[^\W\d_]{3,}", name)
    return name if len(words) > 1 else ""


def _announces(text: str) -> bool:
    """Tell what only says that something follows; a heading and a ticket's number do not."""
    says = len(text.split()) >= _NAMING and not text.istitle()
    return bool(_TELLS.match(text)) or (says and not _names_a_thing(text, _WORK))


def _names_a_thing(text: str, beside: frozenset[str] = frozenset()) -> bool:
    small = SMALL_WORDS.get(language(text), frozenset()) | _EMPTY | beside
    words = {one.casefold() for one in re.findall(r"[^\W\d_]{2,}", text)}
    return len(words - small) > 1 or not text.isascii()
