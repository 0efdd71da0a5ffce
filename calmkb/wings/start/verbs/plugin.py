"""The plugin, installed by the client itself."""

from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.system.programs import find_program
from calmkb.system.run_program import run_program

_SECONDS = 120.0


def install_plugin(environment: Environment, folder: str) -> str:
    """Have Claude Code install the plugin in `folder`; CalmError with the commands if it cannot."""
    steps = (["plugin", "marketplace", "add", folder], ["plugin", "install", "calmkb@calmkb"])
    shown = "\n".join(f"  claude {' '.join(step)}" for step in steps)
    if find_program("claude", environment.env.get("PATH")) is None:
        raise CalmError(f"claude is not on PATH; where it is, run:\n{shown}")
    for step in steps:
        ended = run_program(
            ["claude", *step], "", cwd=Path(environment.home), env=environment.env, seconds=_SECONDS
        )
        if ended.fault or ended.code:
            output = " ".join((ended.fault or ended.complaint or ended.output).split())[-300:]
            raise CalmError(f"claude {' '.join(step)} failed: {output}; by hand:\n{shown}")
    return "Installed the plugin; it takes effect in the next session."
