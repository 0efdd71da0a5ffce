"""What a person types, as a harmless FTS5 expression: every word is data, none an operator."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calmkb.store.index.project_names import ProjectFilter

_PARTS = re.compile(r'"([^"]*)"|(\S+)')
_WORDS_LIMIT = 32
_PREFIX_LENGTH = 3
# Left out unless nothing else is asked: each is in most records, so it costs time to rank by
# and tells nothing (on LoCoMo leaving them out gives 0.05 of R@10). "not" and "never" stay.
_STOP_WORDS = frozenset(
    "a an the is are was were be been am do does did done has have had having of in on at to for "
    "from with by as and or but if then than that this these those it its he she his her him they "
    "them their we our us you your i me my what when where who whom which why how would could "
    "should will can may might about into there here".split()
)


@dataclass(frozen=True)
class Query:
    """The words asked for, each as a term of an FTS5 expression, and the last as a beginning.

    `quoted` says of each word whether it is a phrase that was put in quotes.
    """

    words: tuple[str, ...]
    terms: tuple[str, ...]
    beginning: str = ""
    quoted: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What is asked: words, and filters that are off when empty; `since` in microseconds."""

    query: str
    kind: str = ""
    project: "ProjectFilter | None" = None
    since: int | None = None
    limit: int = 10

    def marked(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the filters that are words of the full text too, by their column: any of each."""
        project = self.project
        names = project.names if project and not project.repositories else ()
        return [("kind", (self.kind,) if self.kind else ()), ("project", names)]


def read_query(text: str) -> Query:
    """Return the query in `text`: words, "phrases", and beginnings that end in `*`.

    The last word may be a beginning too, for who is still typing it.
    """
    # SQLite takes neither NUL nor half surrogate pairs.
    sound = text.replace("\0", " ").encode(errors="replace").decode()
    found = [((m[1] or m[2] or "").replace('"', ""), bool(m[1])) for m in _PARTS.finditer(sound)]
    parts = [one for one in found if any(c.isalnum() for c in one[0])][:_WORDS_LIMIT]
    telling = [one for one in parts if one[0].casefold().strip("?!.,;:'") not in _STOP_WORDS]
    chosen = [part for part, _ in telling or parts]
    words = tuple(part.rstrip("*") for part in chosen)
    typing = chosen and text[-1:].isalnum() and len(words[-1]) >= _PREFIX_LENGTH
    # FTS5's strings; the tokenizer makes a phrase of `pre-commit`.
    terms = tuple(dict.fromkeys(f'"{one.rstrip("*")}"{"*" * one.endswith("*")}' for one in chosen))
    quoted = tuple(is_quoted for _, is_quoted in telling or parts)
    return Query(words, terms, f'"{words[-1]}"*' if typing else "", quoted)
