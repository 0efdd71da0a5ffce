"""Settings that are of the right kind and wrong all the same."""

import re

from calmkb.config.settings import AGENT_FORMATS, AgentSettings, Allowed, Config
from calmkb.system.paths import path_fault

COMMAND_LIMIT = 2_000
"""Characters of a command: one that fills the screen cannot be reviewed before it is allowed."""

MOST_DOLLARS = 20
"""A day's budget: the settings of a repository are other people's, the bill is this person's."""


def faults_of(config: Config) -> list[str]:
    """Return what is wrong with values that are of the right kind."""
    faults = []
    for name, value in (("journal", config.journal), ("export.file", config.export.file)):
        if fault := path_fault(value):
            faults.append(f"{name} is {value!r}; {fault}")
    for name, level in (("duplicate", config.reflect.duplicate), ("theme", config.reflect.theme)):
        if not 0 <= level <= 1:
            faults.append(f"reflect.{name} is {level}; give a number from 0 to 1")
    if config.reflect.half_life_days < 1:
        days = config.reflect.half_life_days
        faults.append(f"reflect.half_life_days is {days}; give a number of days above 0")
    if config.export.max_tokens < 1:
        faults.append(f"export.max_tokens is {config.export.max_tokens}; give a number above 0")
    return [*faults, *_faults_of_analysts(config), *_faults_in_tables(config)]


def _faults_of_analysts(config: Config) -> list[str]:
    faults = []
    if not config.analysts.command.strip():
        faults.append("analysts.command is empty; name a program")
    if len(config.analysts.command) > COMMAND_LIMIT:
        faults.append(f"analysts.command is longer than {COMMAND_LIMIT:,} characters")
    if not re.fullmatch(r"[A-Za-z0-9][\w.:/@-]{0,99}", config.analysts.model):
        # It becomes a word of a command: one that begins with a dash would be an option.
        model = config.analysts.model
        faults.append(f"analysts.model is {model!r}; use letters, digits and . _ : / @ -")
    if not 0 < config.analysts.seconds <= 3600:
        faults.append(f"analysts.seconds is {config.analysts.seconds:g}; give 1 to 3600")
    if not 0 < config.analysts.budget <= MOST_DOLLARS:
        faults.append(
            f"analysts.budget is {config.analysts.budget:g}; give dollars a day, above 0 and at "
            f"most {MOST_DOLLARS}"
        )
    return faults


def _faults_in_tables(config: Config) -> list[str]:
    faults = []
    for name, agent in config.agents.items():
        faults += [f"agents.{name} {fault}" for fault in _faults_of_agent(name, agent)]
    for number, item in enumerate(config.redact.allow, 1):
        faults += [f"redact.allow[{number}] {fault}" for fault in _faults_of_item(item)]
    return faults


def _faults_of_agent(name: str, agent: AgentSettings) -> list[str]:
    faults = []
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name):
        faults.append("is not a valid name; use letters, digits, dot, dash and underscore")
    if not agent.command.strip():
        faults.append('needs a command = "…"')
    if len(agent.command) > COMMAND_LIMIT:
        faults.append(f"command is longer than {COMMAND_LIMIT:,} characters")
    if agent.format not in AGENT_FORMATS:
        faults.append(f"format is {agent.format!r}; choose from: {', '.join(AGENT_FORMATS)}")
    if not 0 < agent.seconds <= 7 * 86_400 or agent.max_steps < 0:
        faults.append("seconds must be above 0, at most a week, and max_steps not below 0")
    return faults


def _faults_of_item(item: Allowed) -> list[str]:
    if not item.pattern or not item.reason.strip():
        return ['needs both: pattern = "…", reason = "why this is not a secret"']
    try:
        re.compile(item.pattern)
    except re.error as error:
        return [f"pattern {item.pattern!r} is not a regular expression: {error}"]
    return []
