"""Recall switched on and off by a person: for a knowledge base, and its hook in the client."""

import os
import shlex
import sys
from pathlib import Path

from calmkb import recall
from calmkb.capture.hooks.commands import OWN_HOME
from calmkb.capture.settings.hooks import Hook, blocking_hook
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.hooks.toggle import SettingsChange, has_hook, switch_wanted
from calmkb.wings.proof.hook_commands import check_hook
from calmkb.wings.proof.verbs.recall.bases import told_bases
from calmkb.wings.proof.verbs.recall.recall import note_base

_EVENT = "UserPromptSubmit"
_TASKS = (_EVENT, "PreToolUse")
_SHELL = (
    ": calmkb hook UserPromptSubmit; {own}"
    '[ -s "$HOME/.calm/recall.json" ] && [ -f {script} ] || '
    "{{ cat >/dev/null; exit 0; }}; {program} -I -S {script}; exit 0"
)


def switch_recall(kb: KnowledgeBase, *, on: bool) -> SettingsChange:
    """Switch recall for agents in this project's folder on or off.

    CalmError where there is no knowledge base to tell of.
    """
    note_base(kb, on=on)
    return switch_wanted(kb.environment, _TASKS)


def wanted(environment: Environment, program: str) -> dict[str, Hook]:
    """Return by task the hooks that recall needs: at a prompt, and at a call."""
    if not told_bases(environment):
        return {}
    at_prompt = blocking_hook(_EVENT, recall_command(), seconds=5)
    return {_EVENT: at_prompt, "PreToolUse": check_hook(program, reads=True)}


def has_recall_hook(environment: Environment) -> bool:
    """Return whether the person's own settings have the hook that adds memories to a prompt."""
    return has_hook(environment, _EVENT)


def recall_command() -> str:
    """Return the command that answers a prompt; nothing happens where calmkb has moved or gone.

    It leaves with 0 whatever happens: another code would keep the prompt from the agent.
    """
    program, script = Path(sys.executable).as_posix(), Path(recall.__file__).as_posix()
    if os.name == "nt":
        return f'"{program}" -I -S "{script}"'
    program, script = shlex.quote(program), shlex.quote(script)
    return _SHELL.format(own=OWN_HOME, program=program, script=script)
