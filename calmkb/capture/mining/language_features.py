"""What a prompt in another language than English says by its cue words, its form and its letters.

`cues/LANG.toml` names the words of each language for the same cues (a refusal, "instead", "always",
a question, a report), so that one set of weights serves them all.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from calmkb.capture.mining.linear import Features, add_hashed, letters

CUES = Path(__file__).with_name("cues")
_WITHOUT_SPACES = frozenset({"zh", "ja", "ko"})
_WIDE = 2.2
"""Characters of Latin script that say as much as one Chinese, Japanese or Korean character."""
_SHORT, _FULL = 40, 80
_FIRM = ("wrong", "dont", "instead", "said", "you", "contrast")
_RULE = ("always", "never", "future", "custom", "must")
_SOFT = ("asks", "agrees", "drop", "wonders")
_LASTS, _OPENS = ("never", "future", "custom"), 4
_NO_ORDER = {*_SOFT, "reports", "not_yet"}


def language_features(text: str, language: str) -> Features:
    """Return the features of a prompt by name, each 0 to 1; cues, and letters of its language."""
    cues = {name for name, pattern in _patterns(language).items() if pattern.search(text)}
    firm, rule = _count(cues, ("no", *_FIRM)), _count(cues, _RULE)
    soft = bool(_count(cues, _SOFT))
    size = len(text) * (_WIDE if language in _WITHOUT_SPACES else 1)
    found: Features = dict.fromkeys(cues, 1.0)
    found |= {
        "question": float(text.rstrip()[-1:] in "?\uff1f"),
        "firm": float(firm > 0),
        "firm and plain": float(firm > 0 and not soft),
        "firm and soft": float(firm > 0 and soft),
        "times firm": firm / 4,
        "rule": float(rule > 0),
        "rule and plain": float(rule > 0 and not soft),
        "rule and soft": float(rule > 0 and soft),
        "times rule": rule / 3,
        "soft": float(soft),
        "short": float(size < _SHORT),
        "size": min(1.0, size / _FULL),
        "only reports": float("reports" in cues and not {"dont", "no"} & cues),
        "plain task": float("task" in cues and firm == 0),
        "plain agreement": float("agrees" in cues and firm + rule == 0),
        "no, it is fine": float({"no", "agrees"} <= cues),
        "not yet": float({"dont", "not_yet"} <= cues),
        "must always": float({"must", "always"} <= cues),
        "never do": float({"dont", "never"} <= cues),
    }
    if not found["plain agreement"]:  # its letters are those of a sentence that teaches
        add_hashed(found, language, letters(text, 2, 5))
    return {name: value for name, value in found.items() if value}


def lays_down(text: str, language: str) -> bool:
    """Return whether a plain statement opens with "never", say, or ends in "use this, not that"."""
    found = {name: at for name, cue in _patterns(language).items() if (at := cue.search(text))}
    denied = found.get("contrast")
    opens = any(found[name].start() < _OPENS for name in _LASTS if name in found)
    return not found.keys() & _NO_ORDER and (
        opens or (denied is not None and len(text[denied.end() :].split()) == 1)
    )


def is_known(language: str) -> bool:
    """Return whether there are cue words of `language`: English is judged by its own table."""
    return (CUES / f"{language}.toml").is_file()


def _count(cues: set[str], names: tuple[str, ...]) -> int:
    return sum(name in cues for name in names)


@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    tables = tomllib.loads((CUES / f"{language}.toml").read_text(encoding="utf-8"))
    whole = language not in _WITHOUT_SPACES
    return {
        name: re.compile(
            rf"(?:(?<!\w)|(?=\W))(?:{words})(?!\w)" if whole and words[:2] != r"\A" else words,
            re.IGNORECASE,
        )
        for name, words in tables.items()
    }
