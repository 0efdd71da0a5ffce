"""What a project knows already: signals that repeat it teach nothing."""

from collections.abc import Sequence
from pathlib import Path

from calmkb.export.choice import in_scope
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.sessions import read_contents
from calmkb.kb.signals.files import files_read, global_file, words_in
from calmkb.kb.signals.places import shown
from calmkb.model import Signal
from calmkb.reflect.signals.known import learnt_in, statements_in
from calmkb.store.signals.learnings import learnings_file


class ProjectStatements:
    """The statements that hold in a project, from files, memories and signals decided on."""

    def __init__(self, kb: KnowledgeBase, decided: Sequence[Signal]) -> None:
        self._kb = kb
        self._decided = [one for one in decided if one.type != "summary"]
        contents = read_contents(kb, "memory", "improvement")
        self._memories, self._improvements = contents.memories, contents.improvements
        self._global = statements_in(words_in(global_file(kb.environment)))
        self._index = words_in(learnings_file(kb.environment.state))
        self._global_place = shown(global_file(kb.environment), kb.environment)

    def __call__(self, project: str) -> list[str]:
        """Return what is known in `project`, or outside any where it is empty."""
        project = project if Path(project).is_absolute() else ""  # a bare name is no folder
        inside = shown(Path(project), self._kb.environment) + "/" if project else ""

        def is_elsewhere(target: str) -> bool:
            """Whether this is a file of another project: nobody here reads that."""
            ours = target == self._global_place or (inside and target.startswith(inside))
            return target.startswith(("~", "/")) and not ours

        texts = [*self._global, *learnt_in(self._index, is_elsewhere)]
        texts += [s.content for s in self._decided if not is_elsewhere(s.promoted_to or "")]
        if project:
            for path in files_read(Path(project)):
                texts += statements_in(words_in(path))
        name = self._kb.at(Path(project)).project.name if project else ""
        texts += [one.details for one in self._improvements if one.project == name]
        return [*texts, *(memory.text for memory in in_scope(self._memories, name))]
