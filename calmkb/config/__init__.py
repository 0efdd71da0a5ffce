"""A knowledge base's settings, and where it lies: every fault of a file at once.

Read `settings` first (`Config`), then `loading` (`find_root`, `load_config`).
"""

from calmkb.config.loading import CONFIG_NAME, DEFAULT_ROOT, find_root, load_config, settings_file
from calmkb.config.settings import AgentSettings, Allowed, AnalystSettings, Config, ExportSettings

__all__ = [
    "CONFIG_NAME",
    "DEFAULT_ROOT",
    "AgentSettings",
    "Allowed",
    "AnalystSettings",
    "Config",
    "ExportSettings",
    "find_root",
    "load_config",
    "settings_file",
]
