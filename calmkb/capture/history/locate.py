"""Where Claude Code keeps the transcripts of a working directory."""

from collections.abc import Mapping
from pathlib import Path

from calmkb.capture.formats.claude_code import claude_home
from calmkb.capture.history.mapped_name import mapped_name


def newest_transcript(
    working_directory: Path, *, home: Path, env: Mapping[str, str]
) -> Path | None:
    """Return the transcript of a directory that was written to last; None if there is none."""
    try:
        folder = claude_home(home, env) / "projects" / mapped_name(str(working_directory.resolve()))
        candidates = [
            (path.stat().st_mtime_ns, path.name, path)
            for path in folder.glob("*.jsonl")
            if not path.name.startswith("agent-") and path.is_file()
        ]
    except (OSError, RuntimeError, ValueError):
        # RuntimeError: a loop of symbolic links; ValueError: a NUL in the path.
        return None
    return max(candidates)[2] if candidates else None
