"""calmkb's hooks put into a settings text and taken out; every other key and hook stays."""

from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.capture.settings.hooks import Hook, covers, is_ours, task_of
from calmkb.capture.settings.json_text import read_object, write_object
from calmkb.errors import CalmError

_FIX = "fix it by hand first"


def read_settings(text: str, place: str) -> dict[str, Any]:
    """Return the settings in `text`; raise CalmError naming `place` where they are none."""
    settings = read_object(text, place)
    events = settings.get("hooks", {})
    if not isinstance(events, dict):
        raise CalmError(f"{place}: hooks is not an object; {_FIX}")
    for event, groups in events.items():
        if not isinstance(groups, list) or not all(
            isinstance(one, dict) and isinstance(one.get("hooks"), list) for one in groups
        ):
            raise CalmError(f"{place}: hooks.{event} is not a list of objects with hooks; {_FIX}")
    return settings


def missing(settings: dict[str, Any], hooks: Sequence[Hook]) -> list[Hook]:
    """Return those of `hooks` that the settings do not have."""
    return [hook for hook in hooks if not any(_matches(settings, hook))]


def _matches(settings: dict[str, Any], hook: Hook) -> Iterator[bool]:
    task = task_of(hook.handler["command"], hook.event)
    for group in settings.get("hooks", {}).get(hook.event, ()):
        if covers(group.get("matcher"), hook):
            ours = [one["command"] for one in group["hooks"] if is_ours(one)]
            yield any(task_of(command, hook.event) == task for command in ours)


def ours_in(settings: dict[str, Any]) -> list[tuple[str, str]]:
    """Return event and command of every handler of ours in the settings."""
    return [
        (event, handler["command"])
        for event, groups in settings.get("hooks", {}).items()
        for group in groups
        for handler in group["hooks"]
        if is_ours(handler)
    ]


def hooks_on(text: str, hooks: Sequence[Hook], place: str) -> str:
    """Return the settings with all of `hooks`: those that are there renewed, the others added.

    What else a person set on a handler, such as its timeout, is theirs and stays.
    """
    settings = read_settings(text, place)
    wanted = {(one.event, task_of(one.handler["command"], one.event)): one for one in hooks}
    changed = False
    for event, groups in settings.get("hooks", {}).items():
        for handler in (one for group in groups for one in group["hooks"] if is_ours(one)):
            hook = wanted.get((event, task_of(handler["command"], event)))
            if hook and handler["command"] != hook.handler["command"]:
                handler["command"], changed = hook.handler["command"], True
    for hook in missing(settings, hooks):
        settings.setdefault("hooks", {}).setdefault(hook.event, []).append(hook.group)
        changed = True
    return write_object(settings, text) if changed else text


def hooks_off(text: str, place: str, *, task: str = "") -> str:
    """Return the settings without any hook of ours, or without those of one task."""
    settings = read_settings(text, place)
    before = settings.get("hooks", {})
    kept = {
        event: [left for group in groups if (left := _without_ours(group, event, task))]
        for event, groups in before.items()
    }
    after = {event: groups for event, groups in kept.items() if groups or not before[event]}
    if after == before:
        return text
    settings["hooks"] = after
    if not after:
        del settings["hooks"]
    return write_object(settings, text)


def _without_ours(group: dict[str, Any], event: str, task: str) -> dict[str, Any] | None:
    """Return a group without our handlers; None where it held ours alone."""
    left = [
        one
        for one in group["hooks"]
        if not is_ours(one) or task not in ("", task_of(one["command"], event))
    ]
    return {**group, "hooks": left} if left or not group["hooks"] else None
