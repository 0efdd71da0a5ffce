"""The README that a git host shows of a journal, for somebody without calmkb.

It is made of the committed records alone, so every clone makes the same.
"""

import os
from datetime import UTC
from urllib.parse import quote

from calmkb.errors import StoreError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.journal.listing import SessionFilter, list_sessions
from calmkb.kb.journal.sessions import read_memories
from calmkb.model import CATEGORIES, Entry, Memory
from calmkb.model.words import short_line
from calmkb.store.commits.commit import Change, commit
from calmkb.store.git.filters import unfiltered
from calmkb.store.git.trees import FILE_LIMIT, names_in
from calmkb.store.index.queries import record_ids
from calmkb.store.journal import is_record_place
from calmkb.system.files import read_bytes
from calmkb.system.journal_place import is_journal_branch
from calmkb.templating import render_template
from calmkb.wings.sharing.git.sync import README_SUBJECT
from calmkb.wings.sharing.requests.request import host_text

_NAME = "README.md"
_MARK = (
    "<!-- Made by `calmkb sync` from the records, which overwrites it. Delete this line to keep "
    "words of your own. -->"
)
_OWN = {".gitattributes", ".github", ".gitignore", "calmkb.toml", "docs", "mkdocs.yml", _NAME}
"""What lies beside the journal in a repository that holds nothing else."""
_SESSIONS, _MEMORIES, _LONGEST = 10, 5, 100


def readme_path(kb: KnowledgeBase) -> str:
    """Return where the README is, from the top of the repository: never beside somebody's code."""
    listed = kb.repository.git.ask("ls-tree", "-z", "--name-only", "HEAD") or ""
    alone = kb.prefix == kb.config.journal and {*names_in(listed)} <= {*_OWN, kb.prefix}
    return _NAME if is_journal_branch(kb.root) or alone else f"{kb.prefix}/{_NAME}"


def renew_readme(kb: KnowledgeBase, path: str) -> None:
    """Commit the README of the records where it has changed.

    Not over one that a person wrote, and not while records wait to be committed by a person.
    """
    place = kb.repository.top / path
    if _is_in_work(kb, path):
        return
    try:
        known = read_bytes(place, limit=FILE_LIMIT).decode() if os.path.lexists(place) else _MARK
    except (StoreError, UnicodeDecodeError):  # a link, a folder or a giant is a person's
        return
    made = render_template("scaffold/journal-readme.md.j2")
    text = _text(kb, path)
    if text != known and (known.startswith(_MARK) or known == made):
        change = Change({path: text.encode()}, README_SUBJECT, kb.environment.now())
        commit(kb.repository, change)


def _is_in_work(kb: KnowledgeBase, path: str) -> bool:
    """Return whether the README or a record is edited, or not yet in git."""
    listed = unfiltered(kb.repository).ls_files("-m", "-o", "-z", "--", f"{kb.prefix}/", path)
    return any(one == path or is_record_place(one.removeprefix(f"{kb.prefix}/"))
               for one in names_in(listed))  # fmt: skip


def _text(kb: KnowledgeBase, path: str) -> str:
    """Return the README; its links lead from the folder that it lies in."""
    folder = "" if path.startswith(f"{kb.prefix}/") else f"{kb.prefix}/"
    listed, memories = list_sessions(kb, SessionFilter(limit=_SESSIONS))[0], read_memories(kb)
    # Asked last: what a person's git moved or took away since the records were read is left out.
    places = {identity: folder + file for file, _, identity in kb.with_index(record_ids)}

    def line(record: Entry | Memory, title: str) -> str:
        day = record.created_at.astimezone(UTC).date()
        return f"- {day}: [{host_text(short_line(title, _LONGEST))}]({quote(places[record.id])})"

    memories = tuple(one for one in memories if one.id in places)
    groups = []
    for category in CATEGORIES:
        if lines := [line(one, one.text) for one in memories if one.category == category]:
            groups.append((category, lines[:_MEMORIES], len(lines) - _MEMORIES))
    sessions = [line(one, one.title or one.summary)
                for view in listed if (one := view.entry).id in places]  # fmt: skip
    return render_template("sharing/readme.md.j2", mark=_MARK, folder=folder, sessions=sessions,
                           groups=groups)  # fmt: skip
