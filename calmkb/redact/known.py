"""A secret that was found once goes from all of a record, and so do the pieces of a cut one."""

import re
from collections.abc import Iterable, Mapping, Sequence

from calmkb.redact.rules.providers import SHAPE_RULES
from calmkb.redact.rules.rule import MARK, Hits, allow_nothing, apply_rules
from calmkb.redact.rules.values import is_distinct, looks_random

_LONG = 16
_EDGES = " \t\"'`.,;:()[]{}<>\\"
_BEGUN = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|A[KS]IA|sk-|xox[abeoprs]-|xapp-|"
    r"[sr]k_(?:live|test)_|whsec_|AIza|GOCSPX-|ya29\.|pypi-|npm_|SG\.|hf_|dckr_[po]at_|ntn_|lin_api_|"
    r"hv[sbr]\.|gsk_|xai-|tskey-|glsa_|eyJ)[\w.-]{4,}"
)
_RUN = re.compile(r"(?<![\w-])(?![0-9a-f-]{7,64}(?![\w-]))[\w-]{4,}")  # no commit's id, no UUID
_NEAR, _PIECES = 200, 4
"""Characters between two pieces of a secret, and how many pieces are put together."""


def parted(texts: Sequence[str]) -> dict[str, str]:
    """Return the pieces of providers' tokens that are cut in the texts, each with its rule."""
    found: dict[str, str] = {}
    for number, text in enumerate(texts):
        for begun in _BEGUN.finditer(text):
            after = (text[begun.end() :], *texts[number + 1 : number + _PIECES])
            found |= _pieces(begun[0].rstrip(".-"), "\n".join(one[:_NEAR] for one in after))
    return found


def _pieces(first: str, after: str) -> dict[str, str]:
    pieces, found, end = [first], dict[str, str](), 0
    if not looks_random(first) or _rule_of(first):
        return found
    for run in _RUN.finditer(after):
        # A whole token goes on where nothing but blanks and signs are between.
        if len(pieces) == _PIECES or (found and re.search(r"\w", after[end : run.start()])):
            break
        if looks_random(run[0]):
            pieces, end = [*pieces, run[0]], run.end()
            if rule := _rule_of("".join(pieces)):
                found = dict.fromkeys(pieces, rule)
    return found


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
                known.setdefault(part, rule_id)
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
