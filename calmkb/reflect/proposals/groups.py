"""Groups of statements that say one thing, the one that says it best, and why one is held back."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from calmkb.reflect.memo import Store, memoized
from calmkb.reflect.opposites.compare import contradicts
from calmkb.reflect.opposites.ephemeral import why_ephemeral
from calmkb.reflect.proposals.lessons import join_rules, named_by
from calmkb.reflect.similarity.clusters import closeness, cluster
from calmkb.reflect.similarity.methods import TFIDF, Method
from calmkb.reflect.statements.alone import why_not_alone
from calmkb.reflect.statements.mined import is_task, why_held
from calmkb.reflect.statements.statements import Statement
from calmkb.reflect.statements.wording import choose_statement, is_chore


@dataclass(frozen=True, slots=True)
class Group:
    """Statements that say one thing, and the one that says it best."""

    best: Statement
    members: tuple[Statement, ...]

    @property
    def mined(self) -> bool:
        """Whether nobody wrote any of it: it was all taken from transcripts."""
        return all(member.mined for member in self.members)

    @property
    def sessions(self) -> int:
        """How many sessions said it; a note tells of one that is here already or gone."""
        return len({member.entry_id for member in self.members if not member.note}) or 1


def group(
    statements: Sequence[Statement], method: Method = TFIDF, *, kept: Store | None = None
) -> list[Group]:
    """Return the groups with a fresh statement: those that are one lesson.

    They are those of a clustering of all statements, of which only what the fresh ones need is
    done. With `kept`, nothing is compared where the statements are as they were.
    """
    fresh = [row for row, statement in enumerate(statements) if statement.fresh]
    if not fresh:
        return []

    def compared() -> list[list[int]]:
        found, vectors = lessons(statements, method, wanted=fresh)
        return best_first(statements, join_rules(statements, found), vectors)

    rows = memoized(kept, "proposed", [method.key, *statements], compared)
    groups = (group_of(statements, each) for each in rows)
    return [one for one in groups if any(member.fresh for member in one.members)]


def group_of(statements: Sequence[Statement], rows: Sequence[int]) -> Group:
    """Return the group of these row numbers, of which the first speaks for all."""
    return Group(statements[rows[0]], tuple(statements[row] for row in sorted(rows)))


def lessons(
    statements: Sequence[Statement], method: Method, *, wanted: Sequence[int] | None = None
) -> tuple[list[list[int]], Any]:
    """Return the statements that are one lesson, as groups of row numbers, and their vectors.

    What nobody wrote down is worded by us and alike for that, and two projects' commands differ
    though their lessons read alike: there only what says the same comes together.
    """
    texts = [one.text for one in statements]
    kinds = [
        one.project if one.friction and not one.mined else f"\0{row}"
        for row, one in enumerate(statements)
    ]
    vectors = method.vectors(texts)
    same = method.duplicate
    found = cluster(vectors, method.theme, keys=texts, kinds=kinds, across=same, wanted=wanted)
    return found, vectors


def best_first(
    statements: Sequence[Statement],
    found: list[list[int]],
    vectors: Any,
    *,
    kept: Store | None = None,
) -> list[list[int]]:
    """Return groups of row numbers, each with the statement first that says best what it says.

    Members that say the opposite of it are groups of their own. With `kept`, a group whose members
    are as they were is not read again.
    """
    chosen = [_last_said(statements, every) for every in found]
    near = iter(closeness(vectors, [rows for rows in chosen if len(rows) > 1]))
    groups: list[list[int]] = []
    for rows in chosen:
        if len(rows) == 1:
            groups.append(rows)
            continue
        members = [statements[row] for row in rows]
        # In hundredths: a text more anywhere moves every cosine a little.
        levels = [round(level, 2) for level in next(near)]
        said = [(m.text, m.date, m.mined, m.learning, m.friction) for m in members]
        best, opposite = memoized(kept, "group", [levels, *said], partial(_best, members, levels))
        others = (row for at, row in enumerate(rows) if at != best and at not in opposite)
        groups += [[rows[best], *others], *([rows[at]] for at in opposite)]
    return groups


def _last_said(statements: Sequence[Statement], rows: list[int]) -> list[int]:
    """Return those of the last to say it, of a session that was resumed: it says most."""
    last = {statements[row].witness: statements[row].entry_id for row in sorted(rows)}
    return [row for row in rows if statements[row].entry_id == last[statements[row].witness]]


def _best(members: list[Statement], near: list[float]) -> tuple[int, list[int]]:
    """Return the places of the member that speaks for all, and of those that say the opposite."""
    # Rules speak for all, else learnings, else what was written, else everything.
    weights = [_weight(one) for one in members]
    spoken = [row for row, weight in enumerate(weights) if weight == max(weights)]
    best = choose_statement([members[i] for i in spoken], [near[i] for i in spoken])
    texts = {member.text for member in members} - {best.text}
    opposite = {text for text in texts if contradicts(best.text, text)}
    place = next(i for i in spoken if members[i] is best)
    return place, [row for row, member in enumerate(members) if member.text in opposite]


def _weight(one: Statement) -> int:
    if one.mined:
        return 0
    return 3 if named_by(one.text) else 2 if one.learning else 1


def why_group_held(one: Group) -> str:
    """Return the reason, or nothing where the group is worth a proposal."""
    text = one.best.text
    mined = why_held(text, one.best.kind, one.sessions) if one.mined else ""
    return why_ephemeral(text) or _why_not_taught(one) or mined


def _why_not_taught(one: Group) -> str:
    """Return why what nobody called a learning teaches nothing.

    A session that wrote its learnings has said what is one. Of 24 proposals that were the friction
    of one such session a reader kept none unchanged and 3 after an edit, of 8 made of next
    steps none at all.
    """
    if one.best.learning:
        return why_not_alone(one.best.text)
    taught = all(member.with_lessons for member in one.members)
    if not any(member.friction for member in one.members):
        plan = is_chore(one.best.text) or is_task(one.best.text) or taught
        return "a chore, no lesson" if plan else ""
    return "met once, and its session wrote other learnings" if taught and one.sessions == 1 else ""
