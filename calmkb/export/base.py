"""What an exporter is: a file's place, its dialect, and a function from a selection to outputs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from calmkb.export.choice import Selection
from calmkb.export.safe_text import Dialect

Reader = Literal["claude", "agents", "cursor", "copilot", "gemini", "program", "person"]


@dataclass(frozen=True, slots=True)
class Output:
    """One file that a target writes, its path from the target's folder.

    `body` is the text of the managed block, and none takes the block out. An `owned` file is ours
    from its first line: it begins with `front` (front matter, or nothing) and goes when nothing is
    left in it. With `whole`, `body` is all of it, without a block: a format that has no comments.
    """

    path: str
    body: str
    front: str = ""
    owned: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Exporter:
    """A kind of file that agents read.

    `file` is its usual path below the project, `owned` a glob of the files that are ours alone.
    `render` returns the outputs; what a target cannot say is not in them.
    """

    file: str
    reader: Reader
    render: Callable[[Selection], tuple[Output, ...]]
    dialect: Dialect = field(default_factory=Dialect)
    owned: str = ""
