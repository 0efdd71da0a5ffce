"""A knowledge base's settings, and where it lies: every fault of a file at once.

Read `settings` first (`Config`), then `loading` (`find_root`, `load_config`).
"""

from calmkb.config.loading import (
    CONFIG_NAME,
    DEFAULT_ROOT,
    PYPROJECT,
    find_root,
    load_config,
    settings_file,
)
from calmkb.config.settings import (
    AGENT_FORMATS,
    AgentSettings,
    Allowed,
    AnalystSettings,
    Config,
    ExportSettings,
    RedactSettings,
    ReflectSettings,
)

__all__ = [
    "AGENT_FORMATS",
    "CONFIG_NAME",
    "DEFAULT_ROOT",
    "PYPROJECT",
    "AgentSettings",
    "Allowed",
    "AnalystSettings",
    "Config",
    "ExportSettings",
    "RedactSettings",
    "ReflectSettings",
    "find_root",
    "load_config",
    "settings_file",
]
