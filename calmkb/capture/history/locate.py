"""Where Claude Code keeps the transcripts of a working directory and of its repository."""

from collections.abc import Mapping
from pathlib import Path

from calmkb.capture.formats.claude import claude_homes
from calmkb.capture.formats.table import first_folder
from calmkb.capture.history.mapped_name import mapped_name


def newest_transcript(
    working_directory: Path, *, home: Path, env: Mapping[str, str], top: Path | None = None
) -> Path | None:
    """Return the transcript that was written to last; None if there is none.

    It is one of the directory, or of another in the repository whose `top` is given.
    """
    try:
        here = working_directory.resolve()
        names = {mapped_name(str(here)), mapped_name(str((top or here).resolve()))}
        candidates = [
            (path.stat().st_mtime_ns, path.name, path)
            for place in claude_homes(home, env)
            for name in names
            for path in (place / "projects").glob(f"{name}{'*' if top else ''}/*.jsonl")
            if not path.name.startswith("agent-") and path.is_file()
        ]
        for _, _, path in sorted(candidates, reverse=True):
            # Two folders may have one name: its first lines say where a session began.
            began = first_folder(path) or (str(here) if path.parent.name in names else "")
            if began and Path(began).resolve().is_relative_to((top or here).resolve()):
                return path
    except (OSError, RuntimeError, ValueError):
        # RuntimeError: a loop of symbolic links; ValueError: a NUL in the path.
        return None
    return None
