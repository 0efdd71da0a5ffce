"""`uninit`: calmkb taken out of a repository, to the byte; the records stay.

Each part says what it would do before anything is done, so that a person sees it all first.
"""

from dataclasses import dataclass

from calmkb.errors import CalmError
from calmkb.kb.base.agent_folder import agent_folder
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.uninit.base import Step
from calmkb.kb.uninit.digests import digest_steps
from calmkb.kb.uninit.files import file_steps
from calmkb.kb.uninit.journal import journal_steps, where_records_are
from calmkb.kb.uninit.settings import settings_steps
from calmkb.store.git.repository import find_repository


@dataclass(frozen=True, slots=True)
class Removal:
    """What is taken out, in order, and where the records are afterwards."""

    steps: tuple[Step, ...]
    records: tuple[str, ...]


def plan_removal(kb: KnowledgeBase) -> Removal:
    """Return what would be taken out of the repository that one works in; nothing is changed.

    Raises CalmError where no journal belongs to it.
    """
    folder = agent_folder(kb)
    code = find_repository(folder)
    if kb.root == kb.environment.home / ".calm" / "kb" or code is None:
        raise CalmError(
            f"no journal belongs to {kb.environment.cwd}; go into the repository that has one"
        )
    kb.catch_up()
    here = kb.root.is_relative_to(code.top)
    in_work_tree = here and ".git" not in kb.root.relative_to(code.top).parts
    steps = [
        *digest_steps(kb),
        *settings_steps(kb.environment),
        *(file_steps(kb) if in_work_tree else ()),
        *journal_steps(code, kb.environment.home),
    ]
    return Removal(tuple(steps), tuple(where_records_are(kb, code)))


def remove(removal: Removal) -> None:
    """Take all of it out; a removal that is interrupted can be begun again."""
    for step in removal.steps:
        if step.act:
            step.act()
