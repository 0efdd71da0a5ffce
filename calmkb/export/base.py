"""What an exporter is: a default file and one function from memories to text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calmkb.model import Memory


@dataclass(frozen=True, slots=True)
class Exporter:
    """A kind of file that agents read.

    `file` is its usual path below the root; `render(memories, project)` returns the text of the
    managed block, or nothing where no memory is in scope.
    """

    file: str
    render: Callable[[Sequence[Memory], str], str]
