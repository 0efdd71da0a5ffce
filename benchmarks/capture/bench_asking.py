"""The end of a turn, replayed: which sessions are asked to write themselves down."""

import io
import json
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from timeline.score import share

from calmkb.capture.draft.person import person_turns
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.tool_calls.attempts import attempts
from calmkb.errors import TranscriptError
from calmkb.kb.base.environment import Environment
from calmkb.kb.project.init import init
from calmkb.wings.wrapup.verbs import answer


def main() -> None:
    """Print by team how many sessions with work are asked, and how many without.

    Each folder of DATA is a team's transcripts. A session has work where a file was edited, a
    commit made or a person corrected the agent. The agent is taken to refuse every time.
    """
    folders = [Path(one) for one in sys.argv[1:] if Path(one).is_dir()]
    if not folders:
        print("Give folders of transcripts, one a team.")
        return
    print("| team | with work, asked | without, asked | questions a session asked |")
    print("|---|---|---|---|")
    for folder in folders:
        found = [row for path in sorted(folder.rglob("*.jsonl")) if (row := _replayed(path))]
        asked = [number for _, number in found if number]
        shares = [
            share(sum(number > 0 for works, number in found if works is want),
                  sum(works is want for works, _ in found))
            for want in (True, False)
        ]  # fmt: skip
        each = sum(asked) / max(1, len(asked))
        print(f"| {folder.name} | {shares[0]} | {shares[1]} | {each:.1f}, at most {max(asked)} |")


def _replayed(path: Path) -> tuple[bool, int] | None:
    """Return whether a session has work, and how often it is asked; None for a program's."""
    try:
        transcript = read_transcript(path)
    except TranscriptError:
        return None
    if transcript.automated or transcript.agent != "claude-code":  # others have no such hook
        return None
    turns = person_turns(transcript.turns)
    done = [one for one in attempts(transcript) if not one.is_sidechain]
    committed = any(one.is_shell and "git commit" in one.task for one in done)
    corrected = any(one.lessons for one in turns if one.agent_spoke)
    works = committed or corrected or any(one.is_edit for one in done)
    return works, _questions(path, [one.turn.line for one in turns if not one.is_machine])


def _questions(path: Path, prompts: list[int]) -> int:
    """Return how often the hook asks, at the end of each turn as the log stood then."""
    lines = path.read_bytes().splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / ".calm/asked").mkdir(parents=True)
        log, asked = home / path.name, 0
        init(home / "shop", Environment(home, home))
        for end in [*(number - 1 for number in prompts[1:]), len(lines)]:
            log.write_bytes(b"".join(lines[:end]))
            if (at := _last_time(lines[:end])) is None:
                continue
            environment = Environment(home, home / "shop", now=lambda at=at: at)  # type: ignore[misc]
            said = {"session_id": path.stem, "transcript_path": str(log)}
            asked += bool(answer(environment, io.BytesIO(json.dumps(said).encode())).context)
        return asked


def _last_time(lines: list[bytes]) -> datetime | None:
    for line in reversed(lines):
        try:
            return datetime.fromisoformat(json.loads(line)["timestamp"])
        except (ValueError, KeyError, TypeError):
            continue
    return None


if __name__ == "__main__":
    main()
