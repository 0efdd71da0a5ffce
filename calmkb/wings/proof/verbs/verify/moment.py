"""A repository at one commit, or as it lies in the work tree."""

from dataclasses import dataclass
from functools import cache, cached_property

from calmkb.store.git.repository import Repository
from calmkb.wings.proof.anchors.git_files import CommitFiles, WorkTreeFiles
from calmkb.wings.proof.anchors.tree import Tree


@dataclass(frozen=True)
class Moment:
    """A repository at one commit, or as it lies in the work tree."""

    repository: Repository
    commit: str = ""

    @cached_property
    def tree(self) -> Tree:
        """The files of that moment."""
        if self.commit:
            return Tree(CommitFiles(self.repository, self.commit))
        work = WorkTreeFiles(self.repository)
        return Tree(work, cache(work.is_elsewhere))

    @property
    def head(self) -> str:
        """The commit whose history is asked."""
        return self.commit or "HEAD"
