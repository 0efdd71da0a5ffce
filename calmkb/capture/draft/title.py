"""What a drafted session is called: its commit, its plan, or its first real request."""

import re
from collections.abc import Iterator, Sequence

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
_ROLE = re.compile(r"(?:you are|you're|act as|your (?:task|job|role) is)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:ok(?:ay)?|so|hi|hey|hello|also|now|then|next|alright|yes|yep|well|and|but|right|please|pls"
    r"|actually|[a-z]\)|task:|q:|question:)[\s,!:]+"
    r"|(?:(?P<asks>(?:can|could|would|will) (?:you|we))|let'?s)(?: please| also| just)* "
    r"|(?:i|we)(?:'d| would) like (?:you )?to |(?:i|we) (?:want|need)(?: you)? to "
    r"|(?:time|need) to |help me (?:to )?|go ahead and |i think ",
    re.IGNORECASE,
)
_REASON = re.compile(r"(.{20,}?): (?=[A-Z`]).*")
_ADDRESS = re.compile(
    r"https?://\S+/([\w.-]+)/(?:-/)?(?:pull|issues|merge_requests)/(\d+)[^\s,.;)]*"
)
_EMPTY = frozenset("again bit discuss give look start take talk tell thing this".split())
_READ = 1_000
"""Characters of a request or a subject in which its name is looked for."""


def title(subjects: Sequence[str], asked: Sequence[str]) -> str:
    """Return the title of a session with commits of these subjects, where this was asked.

    "" where neither says what it was about.
    """
    made = [one[:_READ] for one in subjects]
    told = [one for one in made if not _ROUTINE.match(one)]
    name = next((one.rstrip(" .:;,") for one in (*told, *_wishes(asked), *made)), "")
    return clip(" ".join(name.split()), TITLE_LIMIT)


def _wishes(asked: Sequence[str]) -> Iterator[str]:
    """Yield the sentences that name a thing, first things first; commands and roles are none."""
    for request in asked:
        for text in sentences(request[:_READ]):
            wish = _bare(_ADDRESS.sub(r"\1#\2", text))
            if not text.startswith("/") and not _ROLE.match(wish) and _names_a_thing(wish):
                yield wish


def _bare(text: str) -> str:
    """Return "Fix the login" for "ok, can you fix the login?", and of a plan its title alone."""
    while (lead := _LEAD.match(text)) and len(text) > lead.end():
        text = text[lead.end() :].removesuffix("?" if lead["asks"] else "")
    text = text if len(text) <= TITLE_LIMIT else _REASON.sub(r"\1", text)
    word = text.split(" ", 1)[0].rstrip(",:;")
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text


def _names_a_thing(text: str) -> bool:
    small = SMALL_WORDS.get(language(text), frozenset()) | _EMPTY
    words = {one.casefold() for one in re.findall(r"[^\W\d_]{2,}", text)}
    return len(words - small) > 1 or not text.isascii()
