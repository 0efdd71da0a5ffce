"""calmkb's hooks put into a settings text and taken out; not a byte of anything else changes."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from calmkb.capture.settings.hooks import Hook, covers, is_ours, task_of
from calmkb.capture.settings.json_spans import Span, append, read_object, remove, replace, scan
from calmkb.errors import CalmError

_FIX = "fix it by hand first"


def read_settings(text: str, place: str) -> dict[str, Any]:
    """Return the settings in `text`; raise CalmError naming `place` where they are none."""
    settings = read_object(text, place)
    events = settings.get("hooks", {})
    if not isinstance(events, dict):
        raise CalmError(f"{place}: hooks is not an object; {_FIX}")
    for event, groups in events.items():
        if not isinstance(groups, list) or not all(_is_group(group) for group in groups):
            raise CalmError(f"{place}: hooks.{event} is not a list of objects with hooks; {_FIX}")
    return settings


def _is_group(group: object) -> bool:
    return isinstance(group, dict) and isinstance(group.get("hooks"), list)


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
    """Return the settings with all of `hooks`: those that are there renewed, the others added."""
    read_settings(text, place)
    text = _renewed(text if text.strip() else "{}\n", hooks)
    for hook in missing(json.loads(text), hooks):
        text = _added(text, hook)
    return text


def _renewed(text: str, hooks: Sequence[Hook]) -> str:
    """Return `text` with our commands as they are today, such as after a move of calmkb.

    What else a person set on a handler, such as its timeout, is theirs and stays.
    """
    commands = ((hook.event, hook.handler["command"]) for hook in hooks)
    wanted = {(event, task_of(command, event)): command for event, command in commands}
    for path, index in reversed(_our_places(text)):
        event = next(one.key or "" for one in path[1].members if one.value is path[2])
        command = path[-1].members[index].value.find("command")
        if command is None:
            continue
        old = str(_loads(text, command.value))
        new = wanted.get((event, task_of(old, event)), old)
        if new != old:
            text = replace(text, command.value, new)
    return text


def _added(text: str, hook: Hook) -> str:
    root = scan(text)
    events = root.find("hooks")
    if events is None:
        return append(text, root, "hooks", {hook.event: [hook.group]})
    groups = events.value.find(hook.event)
    if groups is None:
        return append(text, events.value, hook.event, [hook.group])
    return append(text, groups.value, None, hook.group)


def hooks_off(text: str, place: str, *, task: str = "") -> str:
    """Return the settings without any hook of ours, or without those of one task."""
    read_settings(text, place)
    while text.strip() and (places := _our_places(text, task)):
        path, index = places[-1]  # the last first: the undoing of one addition after another
        if len(path[-1].members) == 1:  # a group without handlers says nothing
            path, index = path[:3], [one.value for one in path[2].members].index(path[3])
        text = remove(text, path, index)
    return text


def _our_places(text: str, only: str = "") -> list[tuple[tuple[Span, ...], int]]:
    """Return the containers around each handler of ours, outermost first, and its index."""
    root = scan(text)
    events = root.find("hooks")
    if events is None:
        return []
    return [
        ((root, events.value, event.value, group.value, handlers.value), index)
        for event in events.value.members
        for group in event.value.members
        if (handlers := group.value.find("hooks"))
        for index, handler in enumerate(handlers.value.members)
        if is_ours(loaded := _loads(text, handler.value))
        if only in ("", task_of(loaded["command"], event.key or ""))
    ]


def _loads(text: str, span: Span) -> Any:
    return json.loads(text[span.start : span.end])
