"""A secret that was found once goes from all of a record, and so do the pieces of a cut one."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise
from urllib.parse import quote

from calmkb.redact.rules.layout import hide_table_secrets
from calmkb.redact.rules.providers import SHAPE_RULES
from calmkb.redact.rules.rule import MARK, Hits, allow_nothing, apply_rules
from calmkb.redact.rules.values import is_distinct, is_mixed, looks_random

_LONG = 16
_EDGES = " \t\"'`.,;:()[]{}<>\\"
_BEGUN = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|A[KS]IA|sk-|xox[abeoprs]-|xapp-|"
    r"[sr]k_(?:live|test)_|whsec_|AIza|GOCSPX-|ya29\.|pypi-|npm_|SG\.|hf_|dckr_[po]at_|ntn_|lin_api_|"
    r"hv[sbr]\.|gsk_|xai-|tskey-|glsa_|eyJ)[\w.-]{4,}"
)
_RUN = re.compile(r"(?<![\w-])(?![0-9a-f-]{7,64}(?![\w-]))[\w-]{4,}")  # no commit's id, no UUID
_NEAR, _FAR = 200, 4_000
"""Characters in which any random word may be a piece, and in which a long one may."""
_FIRSTS, _TEXTS, _WORDS, _LONG_PIECE, _PIECES = 100, 12, 8, 8, 4
"""Beginnings looked at, texts and words after each, signs of a long word, pieces of a token."""


def parted(texts: Iterable[str]) -> dict[str, str]:
    """Return pieces of cut tokens, and values that the text before names, each with its rule."""
    read = [text for text in texts if text.strip()]
    named = Hits()
    for before, after in pairwise(read):
        asked = before.rstrip()[-_NEAR:].rpartition("\n")[2].replace("?", ":")
        text = f"{asked}\n{after.lstrip()[:_NEAR]}"
        hide_table_secrets(text, is_allowed=allow_nothing, hits=named)
    found = dict(named.values_found)
    begun = ((n, one) for n, text in enumerate(read) for one in _BEGUN.finditer(text))
    cut = ((n, one) for n, one in begun if looks_random(one[0]) and not _rule_of(one[0]))
    for number, one in islice(cut, _FIRSTS):
        rest = read[number][one.end() : one.end() + _FAR]
        words = list(islice(_words([rest, *read[number + 1 : number + _TEXTS]]), _WORDS))
        for size in range(1, _PIECES):
            for chosen in combinations(words, size):
                pieces = (one[0].rstrip(".-"), *chosen)
                if rule := _rule_of("".join(pieces)):
                    found |= dict.fromkeys(pieces, rule)
    return found


def _words(texts: Sequence[str]) -> Iterator[str]:
    """Yield the random words in texts that may be pieces, others than those between them or not."""
    for number, text in enumerate(texts):
        for run in _RUN.finditer(text, 0, _FAR):
            is_near = number < _PIECES and run.end() <= _NEAR and looks_random(run[0])
            if is_near or (len(run[0]) >= _LONG_PIECE and is_mixed(run[0])):
                yield run[0]


def _rule_of(text: str) -> str:
    """Return the rule by which all of a text is a provider's token, "" for none."""
    hits = Hits()
    apply_rules(SHAPE_RULES, text, is_allowed=allow_nothing, hits=hits)
    return hits.values_found.get(text, "")


def distinct_values(found: Mapping[str, str]) -> dict[str, str]:
    """Return the values that mean nothing but the secret, longest first, each with its rule.

    `test` or `admin` may be a password; taken out everywhere, it would garble the prose.
    """
    known: dict[str, str] = {}
    for value, rule_id in found.items():
        for part in _parts(value):
            if is_distinct(part):
                in_base64 = b64encode(part.encode(errors="replace")).decode().rstrip("=")
                for form in (part, quote(part, safe=""), in_base64):
                    known.setdefault(form, rule_id)
    return dict(sorted(known.items(), key=lambda item: (-len(item[0]), item[0])))


def hide_known(text: str, known: Mapping[str, str], hits: Hits) -> str:
    """Return `text` without the values in `known`; short ones go only as words of their own."""
    for value, rule_id in known.items():
        if value in text:
            pattern = re.escape(value)
            if len(value) < _LONG:
                pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
            text, count = re.subn(pattern, f"{MARK}:{rule_id}]", text)
            hits.update({rule_id: count} if count else {})
    return text


def _parts(value: str) -> Iterable[str]:
    """Yield a value, the lines of a key, and the password of `user:password`."""
    lines = [line.strip(_EDGES) for line in value.split("\n")]
    yield from lines
    if len(lines) == 1 and ":" in value:
        yield value.rpartition(":")[2].strip(_EDGES)
