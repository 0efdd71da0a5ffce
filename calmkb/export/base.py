"""What an exporter is: its file, who reads it, and a function from a selection to outputs."""

from collections.abc import Callable
from dataclasses import dataclass, field

from calmkb.export.choice import Selection
from calmkb.export.safe_text import Dialect


@dataclass(frozen=True, slots=True)
class Reader:
    """An agent, by the instruction files that it reads by itself: people write in them too.

    `files` lie in the project's folder or above it, `home` in the user's home; `rules` is a glob
    below the project. With `imports` the agent follows `@path` in them.
    """

    files: tuple[str, ...] = ()
    home: str = ""
    rules: str = ""
    imports: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """One file that a target writes, its path from the target's folder.

    `body` is the text of the managed block, and none takes the block out. An `owned` file is ours
    from its first line: it begins with `front` (front matter, or nothing) and goes when nothing is
    left in it. With `whole`, `body` is all of it, without a block: a format that has no comments.
    A file that is made begins with `opening`, and goes when nothing else is left in it. `merge`
    puts `body` into a file of another's in a way of its own: from its text and ours to the new one.
    """

    path: str
    body: str
    front: str = ""
    owned: bool = False
    whole: bool = False
    opening: str = ""
    merge: Callable[[str, str], str] | None = None


@dataclass(frozen=True, slots=True)
class Exporter:
    """A kind of file that agents read: `EXPORTER` of a module in `targets`.

    `file` is its usual path below the project, `owned` a glob of the files that are ours alone.
    `render` returns the outputs; what a target cannot say is not in them. An output `for_programs`
    also names who approved a memory and what was left out. The files of a `personal` one lie in
    the user's home, where `{project}` is how the client names the folder. Lists show exporters by
    `order`.
    """

    name: str
    file: str
    render: Callable[[Selection], tuple[Output, ...]]
    reader: Reader = field(default_factory=Reader)
    dialect: Dialect = field(default_factory=Dialect)
    owned: str = ""
    for_programs: bool = False
    personal: bool = False
    order: int = 100
