"""Text that no record may hold, from an edit by hand or an old version."""

from collections.abc import Callable, Iterator
from functools import partial

from calmkb.documents import SIZE_LIMIT
from calmkb.documents.findings import Finding
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.redact import Redactor
from calmkb.redact.invisible import show_invisible
from calmkb.store.caches.clean_files import Look, keep_clean, unknown_files
from calmkb.system.files import read_bytes


def all_text_findings(kb: KnowledgeBase) -> list[Finding]:
    """Return the findings in the text of every file; one that was clean before is not read again.

    What was found clean is kept for the same rules, the same names of this machine and settings.
    """
    if not kb.journal.is_dir():
        return []
    redactor = kb.redactor()
    stamp = redactor.stamp()
    looks = kb.with_index(partial(unknown_files, stamp=stamp), look_at_all=True)
    found: list[Finding] = []
    clean: list[Look] = []
    for number, look in enumerate(looks, 1):
        kb.environment.report("Looking through records", number, len(looks))
        new = list(text_findings(kb, redactor, look[0]))
        found += new
        if not new:
            clean.append(look)
    if clean:
        kb.with_index(partial(keep_clean, stamp=stamp, looks=clean))
    return found


def text_findings(kb: KnowledgeBase, redactor: Redactor, path: str) -> Iterator[Finding]:
    """Yield the secrets, machine's names and hidden characters of the file at `path`, by line."""
    try:
        text = read_bytes(kb.journal / path, limit=SIZE_LIMIT).decode().replace("\r\n", "\n")
    except (CalmError, UnicodeDecodeError):
        return  # reported as unreadable
    tests: tuple[tuple[str, Callable[[str], str], str], ...] = (
        ("secret", redactor.without_secrets, "holds what looks like a secret or a private span; "
         "take it out, revoke it if it was real, or list it under [redact] allow"),
        ("machine-path", redactor.without_machine,
         "names a folder, login or host of one machine; write ~ or the repository's name"),
        ("hidden-character", show_invisible,
         "holds a character that is invisible; delete it (calmkb show makes it visible)"),
    )  # fmt: skip
    for rule, clean, message in tests:
        if (cleaned := clean(text)) != text:
            yield Finding(path, _first_change(text, cleaned), rule, message)


def _first_change(text: str, cleaned: str) -> int:
    pairs = zip(text.split("\n"), cleaned.split("\n"), strict=False)
    return next((n for n, (one, other) in enumerate(pairs, 1) if one != other), 1)
