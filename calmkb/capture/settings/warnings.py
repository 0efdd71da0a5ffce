"""What would keep calmkb's hooks in a settings file from doing their work."""

from collections.abc import Callable, Iterator
from typing import Any

from calmkb.capture.settings.hooks import program_of
from calmkb.capture.settings.patch import ours_in


def warnings_of(settings: dict[str, Any], exists: Callable[[str], bool]) -> Iterator[str]:
    """Yield what a person should know of our hooks in `settings`; `exists` finds a program."""
    ours = ours_in(settings)
    programs = dict.fromkeys(program_of(command) for _, command in ours)
    for name in programs:
        if name and not exists(name):
            where = "does not exist" if "/" in name or "\\" in name else "is not on PATH"
            yield f"{name} {where}: its hooks do nothing until it is; fix: calmkb agents hooks on"
    if ours and plugin_enabled(settings):
        yield (
            "the calmkb plugin is enabled too and brings the same hooks; keep one of the two: "
            "calmkb agents hooks off, or claude plugin disable calmkb"
        )


def still_captured(settings: dict[str, Any]) -> Iterator[str]:
    """Yield why sessions are captured although `settings` has no hooks of ours."""
    if plugin_enabled(settings):
        yield (
            "the calmkb plugin is enabled and goes on capturing with hooks of its own; "
            "end that with: claude plugin disable calmkb"
        )


def plugin_enabled(settings: dict[str, Any]) -> bool:
    """Return whether the client runs calmkb's plugin, which brings hooks of its own."""
    plugins = settings.get("enabledPlugins")
    named = plugins.items() if isinstance(plugins, dict) else ()
    return any(enabled is True and key.startswith("calmkb@") for key, enabled in named)
