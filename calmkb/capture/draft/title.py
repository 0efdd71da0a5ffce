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
    r"/|.*\{$|(?:you are|you're|act as|your (?:task|job|role) is|do you have access)\b", re.I
)
_COMMAND = re.compile(r"^(?:/[\w:-]+ )+(?!https?:)(?=(?:\S+ ){5})")
_LEAD = re.compile(
    r"(?:ok(?:ay)?|so|hi|hey|hello|also|now|then|next|alright|yes|yep|well|and|but|right|please|pls"
    r"|actually|[a-z]\)|task:|q:|question:|h+m+|u+m+|u?gah?)[\s,!:]+"
    r"|(?:(?P<asks>(?:can|could|would|will) (?:you|we))|let'?s)(?: please| also| just)* "
    r"|(?:i|we)(?:'d| would) like (?:you )?to |(?:i|we) (?:(?:want|need)(?: you)? to|should) "
    r"|(?:time|need) to |help me (?:to )?|go ahead and |i think ",
    re.IGNORECASE,
)
_REASON = re.compile(r"(.{20,}?): (?=[A-Z`]).*")
_ADDRESS = re.compile(
    r"https?://\S+/([\w.-]+)/(?:-/)?(?:pull|issues|merge_requests)/(\d+)[^\s,.;)]*"
)
_LINK = re.compile(r"https?://\S*/([A-Za-z][\w.-]*(?:/\d+)?)[^\s,;)]*")
# What leads up to a request: what a person does, saw or was told.
_TELLS = re.compile(
    r"(?i)(?:i(?:'m| am) (?:\w+ly )?\w+ing|i (?:did|just|got)|(?:i want to |let'?s )?"
    r"(?:talk|chat) about|this|that|there|it|while|when|right now|currently)\b"
)
_WORK = frozenset(
    "add address another before branch change changes check code comments commit deep dive doing "
    "effort error explain failing feedback fix get getting got happened happens help issue issues "
    "know last lint look message open opened pr problem propose reason review run some test tests "
    "there thoughts understand update".split()
)
"""Words of any request, which alone do not say what it is about."""
_EMPTY = frozenset("again bit discuss give look start take talk tell thing this".split())
_PROSE = re.compile(r"[\w`\"'“](?:\S* ){2}")
_NAMING = 3  # words
_READ = 1_000
"""Characters of a request or a subject in which its name is looked for."""


def title(subjects: Sequence[str], asked: Sequence[str], files: Sequence[str] = ()) -> str:
    """Return the title of a session with commits of these subjects, where this was asked.

    What it is about may be in none of them: the first of the `files` that it changed is named then.
    """
    made = [one[:_READ] for one in subjects]
    told = [one for one in made if not _ROUTINE.match(one)]
    told.sort(key=lambda one: bool(_TIDYING.match(one)) or len(one.split()) < _NAMING)
    names = (one.rstrip(" .:;,") for one in (*told, *_wishes(asked), *made))
    name, file = next(names, ""), PurePath(files[0]).name if files else ""
    if file and not told and not _names_a_thing(name, _WORK):
        name = f"{clip(name, TITLE_LIMIT - len(file) - 3)} ({file})" if name else f"Work on {file}"
    return clip(" ".join(name.split()), TITLE_LIMIT)


def _wishes(asked: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that name a thing, first things first; commands and roles are none."""
    for request in asked:
        words = _COMMAND.sub("", request[:_READ])
        parts = sentences(_LINK.sub(r"\1", _ADDRESS.sub(r"\1#\2", words)))
        led_up = parts and (words != request[:_READ] or _TELLS.match(parts[0]))
        says = [one for one in parts if one[0] != "(" and _names_a_thing(_bare(one), _WORK)]
        asks = [one for one in says if one != parts[0] and _LEAD.match(one)]
        for text in (*asks, *says, *parts) if led_up else (*says, *parts):
            wish = _bare(text)
            if not _NO_WISH.match(wish) and _names_a_thing(wish):
                yield wish


def _bare(text: str) -> str:
    """Return "Fix the login" for "ok, can you fix the login?", and of a plan its title alone."""
    while (lead := _LEAD.match(text)) and len(text) > lead.end():
        text = text[lead.end() :].removesuffix("?" if lead["asks"] else "")
    while _PROSE.match(rest := text.partition(": ")[2]) and _announces(text.partition(": ")[0]):
        text = rest
    text = text if len(text) <= TITLE_LIMIT else _REASON.sub(r"\1", text)
    word = text.split(" ", 1)[0].rstrip(",:;")
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text


def _announces(text: str) -> bool:
    """Tell what only says that something follows; a heading and a ticket's number do not."""
    says = len(text.split()) >= _NAMING and not text.istitle()
    return bool(_TELLS.match(text)) or (says and not _names_a_thing(text, _WORK))


def _names_a_thing(text: str, beside: frozenset[str] = frozenset()) -> bool:
    small = SMALL_WORDS.get(language(text), frozenset()) | _EMPTY | beside
    words = {one.casefold() for one in re.findall(r"[^\W\d_]{2,}", text)}
    return len(words - small) > 1 or not text.isascii()
