"""Programs that the settings name: the analysts' command and the agents'."""

import hashlib
import shlex
from collections.abc import Iterator
from pathlib import Path

from calmkb.config import AnalystSettings
from calmkb.kb.base.agent_folder import agent_folder
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.model.trust import TrustRequest


def analysts_request(kb: KnowledgeBase) -> tuple[TrustRequest, ...]:
    """Return the approval that the configured analysts need; none for calmkb's own command."""
    command = kb.config.analysts.command
    if command == AnalystSettings().command:
        return ()
    reason = "`calmkb reflect --analysts` runs this program with what your sessions said"
    return (_request(kb, "analysts.command", command, reason),)


def agent_request(kb: KnowledgeBase, name: str) -> tuple[TrustRequest, ...]:
    """Return the approval that the agent `name` needs; none where the settings do not name it."""
    settings = kb.config.agents.get(name)
    if settings is None:
        return ()
    reason = f"`calmkb run {name}` runs this program, and so does `calmkb run serve`"
    return (_request(kb, f"agents.{name}.command", settings.command, reason),)


def _request(kb: KnowledgeBase, subject: str, command: str, reason: str) -> TrustRequest:
    lines = [command, *_files(kb, command)]
    return TrustRequest("program", subject, reason, "\n".join(lines))


def _files(kb: KnowledgeBase, command: str) -> Iterator[str]:
    """Yield the files of the repository that the command names, with their hashes.

    A command such as `python tools/agent.py` stays the same when the file changes.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return  # it cannot be run either
    roots = [kb.root.resolve()]
    if not kb.is_personal:
        roots.append(agent_folder(kb).resolve())  # the code of a journal that is elsewhere
    values = (word.partition("=")[2] for word in words)  # `--config=tools/agent.toml`
    for word in dict.fromkeys([*words, *values]):
        if not word or "\0" in word or len(word) > 1_000:
            continue
        for folder in dict.fromkeys((kb.root, kb.environment.cwd)):
            place = Path(folder, word)
            try:
                real = place.resolve()
                root = next((one for one in roots if real.is_relative_to(one)), None)
                inside = root is not None and real.is_file()
                digest = hashlib.sha256(real.read_bytes()).hexdigest() if inside else ""
            except OSError:
                continue
            if root and digest:
                yield f"file {real.relative_to(root).as_posix()} sha256 {digest}"
                break
