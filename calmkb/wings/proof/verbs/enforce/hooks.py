"""The hooks that enforced memories need: before a tool acts, and at the end of a turn."""

from calmkb.capture.hooks.commands import check_command, stop_command
from calmkb.capture.settings.hooks import Hook, check_hook, stop_hook
from calmkb.kb.base.environment import Environment
from calmkb.wings.proof.enforce.checks import parse_check
from calmkb.wings.proof.local import read_enforced

TASKS = ("StopCheck", "PreToolUse")


def wanted(environment: Environment, program: str) -> dict[str, Hook]:
    """Return by task the hooks that are needed."""
    rows = read_enforced(environment.own)
    at_stop = [parse_check(line).at_stop for row in rows for line in row.checks]
    hooks = {}
    if not all(at_stop):
        hooks["PreToolUse"] = check_hook(check_command("PreToolUse", program), reads=False)
    if any(at_stop):
        hooks["StopCheck"] = stop_hook(stop_command("StopCheck", program))
    return hooks
