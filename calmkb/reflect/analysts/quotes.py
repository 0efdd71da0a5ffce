"""Whether the words that an analyst quotes are in the session that it names."""

import re
from collections.abc import Mapping

SHORTEST = 12
"""Characters of a quote: fewer are found anywhere and prove nothing."""
LONGEST = 400
_MARKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_ENDS = " \t\n\"'.…"
_SPACES = re.compile(r"\s+")


def session_of_quote(quote: str, named: str, sources: Mapping[str, str]) -> str:
    """Return the id of the session that holds `quote`, or nothing.

    `sources` are the texts that the analyst was shown, by the ids of the sessions. The one that is
    `named` is looked at first; where it does not hold the words, another one must do so alone.
    Capitals, line ends and the form of quotation marks do not count.
    """
    words = _plain(quote).strip(_ENDS)
    if not SHORTEST <= len(words) <= LONGEST:
        return ""
    if words in _plain(sources.get(named, "")):
        return named
    holding = [one for one, text in sources.items() if words in _plain(text)]
    return holding[0] if len(holding) == 1 else ""


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text.translate(_MARKS)).casefold()
