"""What a memory says that its reader sees in the very code that it names."""

import re
from collections.abc import Iterator, Sequence

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.language.detect import ENGLISH, language
from calmkb.reflect.similarity.terms import stems, topics
from calmkb.wings.proof.anchors.anchor import Anchor, part_of
from calmkb.wings.proof.anchors.git_files import Moment
from calmkb.wings.proof.anchors.references import references
from calmkb.wings.proof.anchors.tree import Tree
from calmkb.wings.proof.verbs.verify.anchors import place_of
from calmkb.wings.proof.verbs.verify.memories import project_repository

# Words that say when, whether or why: a target's lines cannot say that.
_SAYS_MORE = re.compile(
    r"\b(?:not|never|no|n't|only|always|must|should|first|before|after|unless|until|if|when|because"
    r"|instead|rather|without|otherwise|fails?|needs?|since|so|every|each)\b|n't\b|\d",
    re.IGNORECASE,
)
_GENERAL = frozenset(stems(
    "run use call execute command target task script file function class method define is in the a"
    " repository repo project code here there it its for with from and to of by via you can"
))  # fmt: skip


def plain_from_code(kb: KnowledgeBase, statements: Sequence[tuple[str, str]]) -> list[str]:
    """Return for each (scope, text) the target or definition that says all of it, else "".

    All content words of the text must be in the lines of what it names; a text that says when,
    how often, why or what not to do says more than code can.
    """
    place = project_repository(kb)
    if place is None:
        return ["" for _ in statements]
    tree = Moment(place.repository).tree
    return [_said_by(tree, text) if place.is_named_by(scope) else "" for scope, text in statements]


def _said_by(tree: Tree, text: str) -> str:
    if language(text) != ENGLISH or _SAYS_MORE.search(text):  # "never" is known in English alone
        return ""
    found = list(_parts(tree, text))
    code = stems(" ".join(words for _, words in found))
    missing = {one for one in topics(text) if one not in code and one not in _GENERAL}
    return found[0][0] if found and not missing else ""


def _parts(tree: Tree, text: str) -> Iterator[tuple[str, str]]:
    """Yield each target and definition that a text names, with the place and all its words."""
    for one in references(text, bare=True):
        value, path = place_of(tree, one)
        anchor = Anchor(value, path, "")
        if path and (anchor.tool or anchor.symbol):
            lines = part_of(anchor, tree.source.read([path]).get(path, "")) or ""
            shown = f"`{value}`" if value.startswith(path) else f"{path}: `{value}`"
            yield shown, f"{value} {path} {lines}"
