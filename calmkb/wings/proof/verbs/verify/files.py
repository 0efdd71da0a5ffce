"""Which files of a repository are audited: those named, or those that agents read."""

import fnmatch
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from calmkb.errors import NotFoundError
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.instructions.files import imports_in
from calmkb.wings.proof.verbs.verify.moment import Moment

_NESTED = frozenset({".clinerules", ".cursorrules", ".windsurfrules", "AGENT.md", "AGENTS.md",
                     "CLAUDE.md", "GEMINI.md", "copilot-instructions.md"})  # fmt: skip
_FILES = 200


def asked_files(now: Moment, folder: Path, names: Sequence[str]) -> list[str]:
    """Return the paths, from the top, of files that a person names from `folder`.

    NotFoundError where one is outside the repository or no file.
    """
    top = now.repository.top.resolve()
    found = []
    for name in names:
        path = name
        if not now.commit:
            whole = (folder / name).resolve()
            if not whole.is_relative_to(top):
                raise NotFoundError(f"{name} is not in the repository {top}")
            path = whole.relative_to(top).as_posix()
            if not whole.is_file():
                raise NotFoundError(f"{name} is not a file here; name one, or none for all")
        found.append(path)
    return found


def instruction_files(now: Moment) -> list[str]:
    """Return what agents read by themselves in the repository, in any folder, and its imports."""
    readers = dict.fromkeys(one.reader for one in EXPORTERS.values())
    named_files = {name for one in readers for name in one.files}
    globs = [one.rules for one in readers if one.rules]
    found = [
        path
        for path in sorted(now.tree.files)
        if path in named_files
        or path.rpartition("/")[2] in _NESTED
        or any(fnmatch.fnmatch(path, glob.replace("**/", "*")) for glob in globs)
    ][:_FILES]
    for path in list(found):
        text = now.tree.source.read([path]).get(path, "")
        base = PurePosixPath(path).parent
        imported = (base / name for name in imports_in(text) if not name.startswith(("~", "/")))
        found += [p.as_posix() for p in imported if p.as_posix() in now.tree.files]
    return list(dict.fromkeys(found))[:_FILES]
