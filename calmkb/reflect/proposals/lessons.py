"""A rule and the friction that names its remedy are one lesson.

"Use pnpm for every script." and "`npm test` hung: the project uses pnpm." share one word, too few
for a cosine.
"""

import re
from collections.abc import Mapping, Sequence

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
    rules = _rules(statements, home)
    made = [list(group) for group in groups]
    for row, one in enumerate(statements):
        if not one.friction or one.mined or one.learning or named_by(one.text):
            continue
        rule = _rule_needed(one, rules, statements)
        if rule is not None:
            own = made[home[row]] if row in home else []
            to = made[home[rule]]
            # Unless a learning of its own group says what to do.
            if own is not to and not any(statements[other].learning for other in own):
                own[:] = [other for other in own if other != row]
                to.append(row)
    return sorted(sorted(group) for group in made if group)


def _rules(statements: Sequence[Statement], home: Mapping[int, int]) -> dict[tuple[str, str], int]:
    """Return the first row that says what to use, by project and by what it names."""
    rules: dict[tuple[str, str], int] = {}
    for row in sorted(home):
        one = statements[row]
        name = "" if one.mined or not one.friction else named_by(one.text).casefold()
        if name:
            rules.setdefault((one.project, name), row)
    return rules


def _rule_needed(
    one: Statement, rules: Mapping[tuple[str, str], int], statements: Sequence[Statement]
) -> int | None:
    """Return the row of the rule that a friction says was needed."""
    words = {word.rstrip(".") for word in _WORD.findall(one.text.casefold())}
    found = (rules[one.project, name] for name in sorted(words) if (one.project, name) in rules)
    return next((row for row in found if _needs(one.text, statements[row].text)), None)


def _needs(text: str, rule: str) -> bool:
    """Return whether a text says that what the rule names was needed."""
    name = re.escape(named_by(rule).casefold())
    said = re.search(_SAYS.format(name=name), text, re.IGNORECASE)
    return said is not None and not contradicts(rule, text)
