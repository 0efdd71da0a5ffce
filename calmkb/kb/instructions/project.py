"""The instruction files of the project that one works in."""

import os
from collections.abc import Iterator
from pathlib import Path

from calmkb.errors import ExportError
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.agent_folder import agent_folder
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.instructions.files import InstructionFile, project_files
from calmkb.store.git.repository import find_repository


def instructions_of(kb: KnowledgeBase) -> Iterator[InstructionFile]:
    """Yield what the project says by hand, for whatever agent, and to newcomers."""
    try:
        folder = Path(os.path.realpath(agent_folder(kb)))
    except ExportError:  # a bare repository: there are no files
        return
    repository = find_repository(folder) if folder.is_dir() else None
    top = Path(os.path.realpath(repository.top)) if repository else folder
    readers = dict.fromkeys(one.reader for one in EXPORTERS.values())
    yield from project_files(readers, folder, top, kb.environment.home)
