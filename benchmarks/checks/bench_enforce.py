"""What enforcing costs, how many rules say a check, and how often the checks fire.

    benchmarks/run.py enforce [DATA SESSIONS]

DATA is a folder with `rules.jsonl` and `written_proposals_judged.jsonl` (rules that people wrote or
kept), SESSIONS one of Claude Code transcripts. Without them only the hook is timed.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from calmkb.capture.formats.cleaning import whole_texts
from calmkb.capture.formats.table import read_transcript
from calmkb.errors import TranscriptError
from calmkb.wings.proof.enforce.checks import Check, parse_check
from calmkb.wings.proof.enforce.compile import compile_checks
from calmkb.wings.proof.enforce.prefilter import patterns
from calmkb.wings.proof.hook_commands import check_command, stop_command
from calmkb.wings.proof.verbs.enforce.calls import past_calls

RUNS = 60
CHECKS = ("never run npm", "never run git push --force|-f", "never edit generated/**",
          "never write `os.Getwd(` in **/*.go", "run make lint before git commit")  # fmt: skip


def main() -> None:
    """Print the cost of the usual path, and what DATA and SESSIONS show."""
    _time_hooks()
    folders = [Path(word) for word in sys.argv[1:] if Path(word).is_dir()]
    if len(folders) > 1:
        _count(*folders[:2])


def _time_hooks() -> None:
    with tempfile.TemporaryDirectory() as state:
        words = "".join(f"{one}\n" for one in patterns(map(parse_check, CHECKS)))
        Path(state, "checks.words").write_text(words, encoding="utf-8")
        call = {"tool_name": "Bash", "tool_input": {"command": "ls -la src"}}
        _time("a call that no check is about", check_command("calmkb"), call, state)
        program = f"{shlex.quote(sys.executable)} -m calmkb"
        ends = (("a session without an edit", "Read", False), ("a turn with edits", "Edit", True),
                ("a turn without an edit, after some", "Edit", False))  # fmt: skip
        for number, (what, tool, counted) in enumerate(ends):
            log = Path(state, f"{number}.jsonl")
            lines = [_line("Read")] * 4_900 + [_line(tool)] * 100
            log.write_text("\n".join(lines) + "\n", encoding="utf-8")
            end = {"transcript_path": str(log), "cwd": state}
            command = stop_command(program)
            # The number of edits at the last turn's end is what tells the shell that none is new.
            if counted:
                command = f"({command}); rm -f {shlex.quote(state)}/turns/*"
            _time(f"the end of {what}", command, end, state)


def _line(tool: str) -> str:
    use = {"type": "tool_use", "name": tool}
    return json.dumps({"type": "assistant", "message": {"content": [use]}})


def _time(what: str, command: str, payload: Mapping[str, object], state: str) -> None:
    env = {**os.environ, "REFLECTIONS_DIR": state}
    given = json.dumps(payload).encode()
    pairs = [
        (_seconds([sys.executable, "-c", "pass"], b"", env),
         _seconds(["sh", "-c", command], given, env))
        for _ in range(RUNS)
    ]  # fmt: skip
    start, cost = median(one for one, _ in pairs), median(other for _, other in pairs)
    print(f"{what}: {1000 * cost:.1f} ms, a bare interpreter "
          f"{1000 * start:.1f} ms, ratio {cost / start:.2f}")  # fmt: skip


def _seconds(command: list[str], given: bytes, env: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, input=given, env=env, capture_output=True, check=True)
    return time.perf_counter() - begin


def _count(data: Path, sessions: Path) -> None:
    rules = [row["rule"] for row in _rows(data / "rules.jsonl")]
    judged = _rows(data / "written_proposals_judged.jsonl")
    kept = [row["better"] or row["text"] for row in judged if row["verdict"] in ("keep", "edit")]
    for name, texts in (("rules that people wrote", rules), ("proposals that were kept", kept)):
        found = [text for text in texts if compile_checks(text)]
        print(f"{name}: {len(found)} of {len(texts)} say a check")
    checks = tuple(dict.fromkeys(one for text in rules + kept for one in compile_checks(text)))
    _fire(checks, sessions)


def _fire(checks: tuple[Check, ...], sessions: Path) -> None:
    calls = files = 0
    fired: dict[Check, list[str]] = {check: [] for check in checks}
    for path in sorted(sessions.rglob("*.jsonl")):
        try:
            with whole_texts():
                made = list(past_calls(read_transcript(path)))
        except TranscriptError:
            continue
        files += 1
        calls += len(made)
        for attempt, call in made:
            for check in checks:
                if check.is_broken_by(call):
                    fired[check].append(f"{path.stem}:{attempt.line} {call.command or call.path}")
    print(f"{files} sessions, {calls} calls")
    for check, where in fired.items():
        print(f"{len(where):5} {check}")
        for line in where[:: max(1, len(where) // 8)]:
            print("        " + " ".join(line.split())[:150])


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
