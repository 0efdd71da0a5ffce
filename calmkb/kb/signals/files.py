"""The files that learnings go into: which they are, read as text, written with a copy kept."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.kb.signals.places import agent_folder
from calmkb.reflect.signals.improvements import IMPROVEMENTS
from calmkb.reflect.signals.sections import TEMPLATE
from calmkb.system.files import read_bytes, write_atomically
from calmkb.system.safe_paths import follow_inside

Target = Literal["project", "global", "improvements"]
TARGETS: tuple[Target, ...] = ("project", "global", "improvements")
_LIMIT = 4 * 1024 * 1024


def global_file(environment: Environment) -> Path:
    """Return the memory file that the agent reads everywhere."""
    return agent_folder(environment) / "CLAUDE.md"


def project_file(folder: Path) -> Path:
    """Return a project's memory file: the one it has, `CLAUDE.md` at its top where it has none."""
    top, inner = folder / "CLAUDE.md", folder / ".claude" / "CLAUDE.md"
    return inner if inner.exists() and not top.exists() else top


def improvements_file(folder: Path) -> Path:
    """Return where a project keeps what could be better in it."""
    return folder / ".claude" / "improvements.md"


def files_read(folder: Path) -> tuple[Path, ...]:
    """Return all files in which a project may say what it knows."""
    names = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/improvements.md")
    return tuple(folder / name for name in names)


def real(path: Path, *, within: Path | None) -> Path:
    """Return the file behind a link, which stays a link; CalmError where it leaves `within`.

    A repository can be anybody's: a link in it must not lead a line into a file outside.
    """
    return follow_inside(path, within) if within else path.resolve()


def read_text(path: Path) -> str:
    """Return a file's text, "" where there is no file; CalmError where it is not UTF-8."""
    if not path.exists():
        return ""
    try:
        return read_bytes(path.resolve(), limit=_LIMIT).decode()
    except UnicodeDecodeError as error:
        raise CalmError(f"{path} is not UTF-8; save it as UTF-8, then reflect again") from error


def words_in(path: Path) -> str:
    """Return a file's text for comparison alone: bytes that are not UTF-8 are replaced."""
    return (
        read_bytes(path.resolve(), limit=_LIMIT).decode(errors="replace") if path.exists() else ""
    )


def text_or_template(path: Path, target: Target) -> str:
    """Return what a target's file holds, or would begin with."""
    if path.exists():
        return read_text(path)
    if target == "improvements":
        return IMPROVEMENTS
    # Claude Code reads AGENTS.md as long as there is no CLAUDE.md: one that is made imports it.
    beside = target == "project" and (path.parent / "AGENTS.md").is_file()
    return f"@AGENTS.md\n\n{TEMPLATE}" if beside else TEMPLATE


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes files whole; the first time it changes one, the file as it was is kept as `.bak`."""

    changed: list[Path] = field(default_factory=list)
    kept: list[Path] = field(default_factory=list)

    def put(self, path: Path, text: str) -> None:
        """Put `text` into the file at `path`, in one step."""
        if path not in self.changed and path.exists():
            # Its own mode, never wider: a private file's copy is private.
            mode = path.stat().st_mode & 0o777
            kept = path.with_name(path.name + ".bak")
            write_atomically(kept, path.read_bytes(), mode=mode)
            self.kept.append(kept)
        write_atomically(path, text.encode())
        if path not in self.changed:
            self.changed.append(path)
