"""Why a group of statements is held back: it would teach a next session nothing."""

from calmkb.reflect.opposites.ephemeral import why_ephemeral
from calmkb.reflect.proposals.groups import Group
from calmkb.reflect.statements.alone import why_not_alone
from calmkb.reflect.statements.mined import is_task, why_held
from calmkb.reflect.statements.wording import is_chore


def why_group_held(one: Group) -> str:
    """Return the reason, or nothing where the group is worth a proposal."""
    said = one.best.text
    mined = why_held(said, one.best.lead, one.sessions) if one.mined else ""
    return why_ephemeral(said) or _why_not_taught(one) or mined


def _why_not_taught(one: Group) -> str:
    """Return why what nobody called a learning teaches nothing.

    A session that wrote its learnings has said what is one. Of 24 proposals that were the friction
    of one such session a reader kept none as it stands and 3 after an edit, of 8 made of next
    steps none at all.
    """
    if one.best.learning:
        return why_not_alone(one.best.text)
    taught = all(member.with_lessons for member in one.members)
    if not any(member.friction for member in one.members):
        plan = is_chore(one.best.text) or is_task(one.best.text) or taught
        return "a chore, no lesson" if plan else ""
    return "met once, and its session wrote other learnings" if taught and one.sessions == 1 else ""
