"""The agents that a digest can be for: where their traces are, and which target each reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from calmkb.kb.base.agent_folder import project_folder
from calmkb.kb.base.environment import Environment


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent's export target, its folder in the home, and its files in a project."""

    target: str
    home: str
    files: tuple[str, ...]


AGENTS: Mapping[str, Agent] = {
    "claude-code": Agent("claude-md", ".claude", ("CLAUDE.md", ".claude")),
    "codex": Agent("agents-md", ".codex", ("AGENTS.md",)),
    "cursor": Agent("agents-md", ".cursor", (".cursor", ".cursorrules")),
    "copilot": Agent("agents-md", ".copilot", (".github/copilot-instructions.md",)),
    "gemini": Agent("gemini", ".gemini", ("GEMINI.md",)),
    "opencode": Agent("agents-md", ".config/opencode", ("opencode.json",)),
}


def found_agents(environment: Environment) -> tuple[str, ...]:
    """Return the agents whose files are in this repository, else those with a folder in the home.

    A file for an agent that the repository does not know would be one more for everybody to read.
    """
    top = project_folder(environment)
    here = [n for n, agent in AGENTS.items() if any((top / f).exists() for f in agent.files)]
    home = (n for n, agent in AGENTS.items() if (environment.home / agent.home).is_dir())
    return tuple(here or home)


def targets_of(environment: Environment, agents: Iterable[str]) -> tuple[str, ...]:
    """Return the export targets that `agents` read.

    Claude Code reads AGENTS.md as long as there is no CLAUDE.md: one that is there alone is enough.
    """
    top = project_folder(environment)
    only_agents_md = (top / "AGENTS.md").is_file() and not (top / "CLAUDE.md").exists()
    targets = [
        "copilot" if name == "copilot" and (top / AGENTS[name].files[0]).is_file()
        else AGENTS[name].target for name in agents
    ]  # fmt: skip
    if only_agents_md:
        targets = ["agents-md" if target == "claude-md" else target for target in targets]
    return tuple(dict.fromkeys(targets))
