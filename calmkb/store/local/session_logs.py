"""Raw session logs: JSON Lines in the state folder, private to the machine."""

from datetime import UTC, datetime
from pathlib import Path

from calmkb.store.local.state_files import all_logs
from calmkb.system.files import disk_told, write_atomically

_STAMP = "%Y%m%dT%H%M%S"


def save_log(state: Path, entry_id: str, at: datetime, content: bytes) -> Path:
    """Keep `content` as `sessions/<YYYYMMDDTHHMMSS>_<entry id>.jsonl`, readable by its owner."""
    path = _path(state, entry_id, at)
    write_atomically(path, content, mode=0o600)
    return path


def hand_on_log(state: Path, earlier: str, entry_id: str, at: datetime) -> Path | None:
    """Give a session's newer entry the log that its earlier one kept, unless it has its own.

    Return where the newer entry's log lies now, if there is one.
    """
    logs = all_logs(state)
    if earlier not in logs or entry_id in logs:
        delete_logs(state, (earlier,))
        return logs.get(entry_id)
    path = _path(state, entry_id, at)
    try:
        return logs[earlier].rename(path)
    except OSError:
        return None  # it stays where it was


def _path(state: Path, entry_id: str, at: datetime) -> Path:
    return state / "sessions" / f"{at.astimezone(UTC).strftime(_STAMP)}_{entry_id}.jsonl"


def delete_logs(state: Path, entry_ids: tuple[str, ...]) -> int:
    """Delete the logs of `entry_ids`; return how many there were."""
    logs = all_logs(state)
    doomed = [logs[entry_id] for entry_id in entry_ids if entry_id in logs]
    for path in doomed:
        with disk_told(f"delete {path}"):
            path.unlink(missing_ok=True)
    return len(doomed)
