"""Codex and Gemini CLI as their hooks meet them: logs and payloads as 0.171.0 and 0.61.0 write."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

SESSION = "01a2236b-bcfb-7ec0-9f92-f4a8d9650e2d"


def lines_of(rows: list[dict]) -> str:
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in rows)


@dataclass
class Client:
    """A client with a home and a project; `at` is how long ago its session goes on."""

    home: Path
    project: Path
    count: int = field(default=0, kw_only=True)

    agent = event = folder = file = ""
    shell: ClassVar[tuple[str, ...]] = ()

    @property
    def settings(self) -> Path:
        return self.home / self.folder / self.file

    @property
    def log(self) -> Path:
        raise NotImplementedError

    def begin(self, *, typed: bool = True) -> None:
        raise NotImplementedError

    def call(self, kind: str, at: str) -> dict:
        raise NotImplementedError

    def works(self, *kinds: str, ago: float = 0) -> None:
        at = (datetime.now(UTC) - timedelta(minutes=ago)).strftime("%Y-%m-%dT%H:%M:%S.123Z")
        with self.log.open("a") as file:
            for kind in kinds:
                self.count += 1
                file.write(lines_of([self.call(kind, at)]))

    def payload(self, *, again: bool) -> dict[str, Any]:
        return {"session_id": SESSION, "transcript_path": str(self.log), "cwd": str(self.project),
                "hook_event_name": self.event, "stop_hook_active": again}  # fmt: skip

    def commands(self) -> Iterator[str]:
        hooks = json.loads(self.settings.read_text())["hooks"]
        yield from (one["command"] for group in hooks[self.event] for one in group["hooks"])

    def stop(self, *, again: bool = False, **env: str) -> list[dict]:
        """Run the hooks as the client does, and return their answers."""
        answers = []
        for command in self.commands():
            done = subprocess.run(
                [*self.shell, command], cwd=self.project, capture_output=True, check=True,
                input=json.dumps(self.payload(again=again), separators=(",", ":")).encode(),
                env={**os.environ, "CI": "", **env},
            )  # fmt: skip
            assert done.stderr == b""
            answers += [json.loads(done.stdout)] if done.stdout else []
        return answers

    def later(self, minutes: int) -> None:
        """Let time pass since the session was asked."""
        note = self.home / ".calm/asked" / self.log.name
        then = note.stat().st_mtime - minutes * 60
        os.utime(note, (then, then))


class Codex(Client):
    agent, event, folder, file = "codex", "Stop", ".codex", "hooks.json"
    shell = ("sh", "-lc")

    @property
    def log(self) -> Path:
        name = f"rollout-2026-11-28T18-29-53-{SESSION}.jsonl"
        return self.home / ".codex/sessions/2026/11/28" / name

    def begin(self, *, typed: bool = True) -> None:
        names = {True: ("codex-tui", "vscode"), False: ("codex_exec", "exec")}
        origin, source = names[typed]
        head = {"session_id": SESSION, "id": SESSION, "cwd": str(self.project),
                "originator": origin, "cli_version": "0.171.0", "source": source,
                "thread_source": "user"}  # fmt: skip
        asked = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Round the till with apply_patch"}],
        }
        self.log.parent.mkdir(parents=True, exist_ok=True)
        rows = [("session_meta", head), ("response_item", asked)]
        self.log.write_text(lines_of([{"type": kind, "payload": one} for kind, one in rows]))

    def call(self, kind: str, at: str) -> dict:
        patch = "*** Begin Patch\n*** Update File: till.py\n-a\n+b\n*** End Patch"
        made = {"type": "custom_tool_call", "call_id": f"c{self.count}", "name": "apply_patch",
                "input": patch}  # fmt: skip
        command = {"commit": "git add -A && git commit -qm 'Round the till'"}.get(kind, "git log")
        if kind != "edit":
            made = {"type": "function_call", "name": "exec_command", "call_id": f"c{self.count}",
                    "arguments": json.dumps({"cmd": command})}  # fmt: skip
        return {"timestamp": at, "type": "response_item", "payload": made}

    def payload(self, *, again: bool) -> dict[str, Any]:
        more = {"turn_id": "01a2236b-d0f6-7b71-8c49-af52b84e635f", "model": "gpt-6-sol",
                "permission_mode": "default", "last_assistant_message": "Rounded."}  # fmt: skip
        return super().payload(again=again) | more

    def runs_a_script(self, item: dict) -> None:
        """Have the agent run a script, whose calls only events tell."""
        self.count += 1
        at = datetime.now(UTC).isoformat()
        script = {"type": "custom_tool_call", "name": "exec", "call_id": f"c{self.count}",
                  "input": "const r = await tools.call(); text(r.output);"}  # fmt: skip
        event = {"type": "item_completed", "item": {"id": f"exec-{self.count}", **item}}
        rows = [("response_item", script), ("event_msg", event)]
        with self.log.open("a") as file:
            found = [{"timestamp": at, "type": kind, "payload": one} for kind, one in rows]
            file.write(lines_of(found))

    def writes_down(self, question: str) -> None:
        """Write the question down as the client does."""
        text = f'<hook_prompt hook_run_id="stop:0:/hooks.json">{question}</hook_prompt>'
        asked = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
        }
        with self.log.open("a") as file:
            file.write(lines_of([{"type": "response_item", "payload": asked}]))


class Gemini(Client):
    agent, event, folder, file = "gemini", "AfterAgent", ".gemini", "settings.json"
    shell = ("bash", "-c")

    @property
    def log(self) -> Path:
        name = "session-2026-11-28T18-26-01a2236b.jsonl"
        return self.home / ".gemini/tmp/shop/chats" / name

    def begin(self, *, typed: bool = True) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        head = {"sessionId": SESSION, "projectHash": "e39c", "kind": "main"}
        said = {"id": "u", "type": "user", "content": [{"text": "Round the till"}]}
        self.log.write_text(lines_of([head, said]))
        of = SESSION if typed else "another"
        rows = [{"sessionId": of, "messageId": 0, "type": "user", "message": "Round the till"}]
        (self.log.parent.parent / "logs.json").write_text(json.dumps(rows, indent=2))

    def call(self, kind: str, at: str) -> dict:
        made = {
            "id": f"c{self.count}",
            "name": "replace",
            "status": "success",
            "args": {"file_path": "till.py", "old_string": "a", "new_string": "b"},
        }
        if kind != "edit":
            command = {"commit": "git add -A && git commit -qm x"}.get(kind, "git log")
            made |= {"name": "run_shell_command", "args": {"command": command}}
        return {"id": f"m{self.count}", "timestamp": at, "type": "gemini", "content": "",
                "toolCalls": [made]}  # fmt: skip

    def payload(self, *, again: bool) -> dict[str, Any]:
        more = {"timestamp": "2026-11-28T18:27:03.489Z", "prompt": "Round the till",
                "prompt_response": "Rounded."}  # fmt: skip
        return super().payload(again=again) | more

    def writes_down(self, question: str) -> None:
        """Write the question down as the client does: as a person's, with their last words."""
        said = {"id": "q", "type": "user", "content": [{"text": question}],
                "displayContent": [{"text": "Round the till"}]}  # fmt: skip
        with self.log.open("a") as file:
            file.write(lines_of([said]))
