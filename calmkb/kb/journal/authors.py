"""Who committed each session: what two people met is more than what one met twice."""

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.store.git.authorship import committed_files, is_shallow, people_of
from calmkb.store.index.queries import record_ids


def session_authors(kb: KnowledgeBase) -> dict[str, str]:
    """Return the person of each committed session, by its id; nothing where git does not tell."""
    repository = kb.repository_if_any
    if repository is None or is_shallow(repository) or not kb.journal.is_dir():
        return {}
    folder = kb.prefix
    files = committed_files(repository, f"{folder}/sessions")
    people = people_of(repository, {one.author for one in files.values()})
    found = {}
    for path, kind, identity in kb.with_index(record_ids):
        committed = files.get(f"{folder}/{path}") if kind == "session" else None
        if committed and committed.author in people:
            found[identity] = people[committed.author]
    return found
