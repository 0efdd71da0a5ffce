"""What `calmkb.toml` or `[tool.calmkb]` may say, and what holds where it says nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

AGENT_FORMATS = ("lines", "claude-stream-json", "codex-json", "gemini-stream-json")


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Which files the digest is exported to, and how many tokens agents read each time.

    `targets` are exporters, none for the files that are there; `file` is the place of `claude-md`
    below the root.
    """

    targets: tuple[str, ...] = ()
    file: str = "CLAUDE.md"
    max_tokens: int = 1_500


@dataclass(frozen=True, slots=True)
class ReflectSettings:
    """How similarity is measured, and from where on it counts: docs/explanation/reflection.md.

    A threshold is 0 to 1; 0 is the method's own.
    """

    method: str = "tfidf"
    duplicate: float = 0.0
    theme: float = 0.0
    half_life_days: int = 180
    """Days without support after which a memory's support counts half."""


@dataclass(frozen=True, slots=True)
class AnalystSettings:
    """Which program answers for the analysts of `reflect --analysts`, and how long it may take.

    The question comes on its standard input; `{model}` in the command is replaced. `budget` are the
    dollars of one day on one machine, `offer` whether `reflect` asks about it by itself.
    """

    command: str = (
        'claude -p --model {model} --output-format json --tools "" --no-session-persistence'
    )
    model: str = "haiku"
    seconds: float = 180.0
    budget: float = 2.0
    offer: bool = True


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """A program that does tasks: `calmkb run NAME`.

    The task comes on its standard input, or as `{task}` in the command. `format` says how its
    output is read: `lines`, or the stream of a client. 0 steps are as many as it likes.
    """

    command: str = ""
    format: str = "lines"
    seconds: float = 3_600.0
    max_steps: int = 0


@dataclass(frozen=True, slots=True)
class Allowed:
    """A pattern of whole values that are no secrets, and why."""

    pattern: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RedactSettings:
    """What the secret filter spares: each with its reason, for those who review the file."""

    allow: tuple[Allowed, ...] = field(default=(), metadata={"of": Allowed})


@dataclass(frozen=True, slots=True)
class Config:
    """What `calmkb.toml` or `[tool.calmkb]` may say."""

    project: str = ""
    journal: str = "journal"
    export: ExportSettings = field(default_factory=ExportSettings)
    reflect: ReflectSettings = field(default_factory=ReflectSettings)
    agents: Mapping[str, AgentSettings] = field(
        default_factory=dict, metadata={"each": AgentSettings}
    )
    analysts: AnalystSettings = field(default_factory=AnalystSettings)
    redact: RedactSettings = field(default_factory=RedactSettings)
