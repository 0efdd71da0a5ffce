"""A rule and the friction that names its remedy are one lesson.

"Use pnpm for every script." and "`npm test` hung: the project uses pnpm." share one word, too few
for a cosine.
"""

import re
from collections.abc import Sequence

from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.statements.statements import Statement

_RULE = re.compile(
    r"\A(?:always\s+|please\s+)*(?:use|prefer)\s+`?([\w@][\w@./+-]+)`?", re.IGNORECASE
)
_WORD = re.compile(r"[\w@][\w@./+-]+")
_NAMELESS = frozenset("the this that these those only one an our its their your it and".split())
_SAYS = (
    r"(?<!not )(?<!n't )(?<!never )"
    r"\b(?:us(?:e|es|ed|ing)|needs?|requires?|wants?|prefers?|switch(?:ed)? to) "
    r"(?:only )?`?{name}(?![\w/-])"
    r"|(?<![\w/-]){name}`? (?:project|repo|repository|workspace|monorepo)\b"
)


def named_by(text: str) -> str:
    """Return what a rule says to use, such as `pnpm`; nothing where the text is no such rule."""
    found = _RULE.match(text)
    name = found[1].rstrip(".") if found else ""
    return "" if name.casefold() in _NAMELESS else name


def join_rules(statements: Sequence[Statement], groups: list[list[int]]) -> list[list[int]]:
    """Return `groups` of row numbers, each rule joined by the friction that names its remedy.

    Only what somebody wrote counts, within one project, and each friction goes to one rule, the
    first: two rules about one tool stay two. A row of none of the groups comes in where it joins.
    """
    home = {row: number for number, group in enumerate(groups) for row in group}
    rules: dict[tuple[str, str], int] = {}
    for row, one in enumerate(statements):
        name = "" if one.mined or not one.friction else named_by(one.text).casefold()
        if name and row in home:
            rules.setdefault((one.project, name), row)
    names = {name for _, name in rules}
    made = [list(group) for group in groups]
    for row, one in enumerate(statements):
        if one.mined or one.learning or not one.friction or named_by(one.text):
            continue
        for name in sorted(names & _words(one.text)):
            rule = rules.get((one.project, name))
            if rule is not None and _needs(one.text, name, statements[rule].text):
                to, own = made[home[rule]], made[home[row]] if row in home else []
                if own is not to and not any(statements[other].learning for other in own):
                    own[:] = [other for other in own if other != row]
                    to.append(row)
                break
    return sorted(sorted(group) for group in made if group)


def _words(text: str) -> set[str]:
    return {word.rstrip(".") for word in _WORD.findall(text.casefold())}


def _needs(text: str, name: str, rule: str) -> bool:
    """Return whether a text says that what the rule names was needed."""
    said = re.search(_SAYS.format(name=re.escape(name)), text, re.IGNORECASE)
    return said is not None and not contradicts(rule, text)
