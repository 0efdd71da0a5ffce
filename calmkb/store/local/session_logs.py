"""Raw session logs: JSON Lines in the state folder, private to the machine."""

from datetime import UTC, datetime
from pathlib import Path

from calmkb.errors import StoreError
from calmkb.system.files import write_atomically

_STAMP = "%Y%m%dT%H%M%S"


def save_log(state: Path, entry_id: str, at: datetime, content: bytes) -> Path:
    """Keep `content` as `sessions/<YYYYMMDDTHHMMSS>_<entry id>.jsonl`, readable by its owner."""
    path = state / "sessions" / f"{at.astimezone(UTC).strftime(_STAMP)}_{entry_id}.jsonl"
    write_atomically(path, content, mode=0o600)
    return path


def all_logs(state: Path) -> dict[str, Path]:
    """Return the logs that exist, by entry id."""
    folder = state / "sessions"
    paths = sorted(folder.glob("*_*.jsonl")) if folder.is_dir() else []
    return {path.stem.partition("_")[2]: path for path in paths}


def delete_logs(state: Path, entry_ids: tuple[str, ...]) -> int:
    """Delete the logs of `entry_ids`; return how many there were."""
    logs = all_logs(state)
    doomed = [logs[entry_id] for entry_id in entry_ids if entry_id in logs]
    for path in doomed:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot delete {path}: {error.strerror}") from error
    return len(doomed)
