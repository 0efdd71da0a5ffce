"""Gives an agent the memories that a prompt or a call is about; the standard library does.

Run as a file, `python -I -S calmkb/recall.py`, by the client: two memories at most before a prompt,
one with the result of a call that reads, searches or edits a file that the memory names, or runs
such a command. Importing the package would cost more than the work. Never fails; it prints nothing
where nothing fits.
"""

import json
import os
import re
import sys

TYPE_CHECKING = False  # as `typing` has it, whose import takes a quarter of the time
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

INDEX, TOLD, ACTS = "recall.json", "recalled.jsonl", "acts.words"
"""What may be recalled, what was, and patterns of the calls it is about; in the state folder."""
MOST = 2
SHARE = 0.4
"""Of a memory's weight of words, how much a prompt must have: read on prompts of one team."""
LEAST = 2
"""Words that both must have, one of them in few memories."""
LIMIT = 4 * 1024 * 1024
AGAIN = 30
"""Calls of a session between two times that a memory is said at one; or a compaction."""
_PROMPT, _WORDS = 4_000, 100
"""Characters of a prompt, and words of a command, that are read."""
_TOKEN = re.compile(r"[^\W_]+(?:[._/:-][^\W_]+)*")
_ADDRESS = re.compile(r"\w+://\S+")
_PART = re.compile(r"[^\W_]+")
_WRITTEN = ("pattern", "new_string", "content", "new_source")
_CALL = re.compile(rb'"type": ?"tool_use"')
_WORD = re.compile(r"[^\s'\"|&;<>()]+")
_ENDINGS = re.compile(r"(?:ing|ed|es|s)$")
_COMMON = frozenset(
    """a about after again all also always an and any are as at be because been before being but by
    can could did do does done don each else even every for from get go had has have he her here him
    his how i if in into is it its just let like make may me more most must my need never new no not
    now of off ok on once one only or other our out over please put run same see she should so some
    still such sure take than that the their them then there these they thing this those through to
    too under up use used uses using very want was way we were what when where which while who why
    will with without would yes you your add change check code create file fix here look test tests
    work works working first last next two""".split()
)


def terms(text: str) -> set[str]:
    """Return the words of a text without common ones and endings; of a name its parts too."""
    found = set()
    for token in _TOKEN.findall(text.casefold()):
        for word in {token, *_PART.findall(token)}:
            if len(word) > 1 and word not in _COMMON and not word.isdigit():
                found.add(_ENDINGS.sub("", word) if len(word) > 4 else word)
    return found


def weighed(texts: "Sequence[str]") -> "list[dict[str, float]]":
    """Return of each text its terms and how rare each is among the texts, 0 to 1."""
    every = [terms(text) for text in texts]
    had: dict[str, int] = {}
    for one in every:
        for term in one:
            had[term] = had.get(term, 0) + 1
    return [{term: round(1 / had[term] ** 0.5, 3) for term in sorted(one)} for one in every]


def fitting(prompt: str, rows: "Iterable[Mapping[str, Any]]") -> "list[Mapping[str, Any]]":
    """Return the rows that a prompt is about, the best first, two at most.

    Each row has `terms` as `weighed` returns them.
    """
    prompt_terms = terms(_ADDRESS.sub(" ", prompt[:_PROMPT]))
    found = []
    for row in rows:
        weights = row["terms"]
        shared = [weight for term, weight in weights.items() if term in prompt_terms]
        share = sum(shared) / (sum(weights.values()) or 1)
        if len(shared) >= LEAST and share >= SHARE and max(shared) > 0.5:
            found.append((share, row))
    found.sort(key=lambda one: -one[0])
    return [row for _, row in found[:MOST]]


def fitting_act(
    payload: "Mapping[str, Any]", base: "Mapping[str, Any]"
) -> "list[tuple[str, Mapping[str, Any]]]":
    """Return the name and the row of each memory that a call is about, the longest name first.

    Each row has `files`, globs from the folder of the `base`, `commands`, and `names` in code.
    """
    given, top, cwd = payload["tool_input"], str(base["folder"]), str(payload["cwd"])
    command = str(given.get("command") or "")
    written = "\n".join(str(given.get(name) or "")[:_PROMPT] for name in _WRITTEN)
    named = [str(given.get(name) or "") for name in ("file_path", "notebook_path", "path")]
    words = [one for one in (*named, *_WORD.findall(command)[:_WORDS]) if one]
    places = [os.path.relpath(os.path.realpath(os.path.join(cwd, one)), top) for one in words]  # noqa: PTH118
    paths = [one for one in places if not one.startswith("..")]
    found = []
    for row in base["memories"]:
        names = [one for one in row.get("commands", ()) if _has(command, one)]
        names += [one for one in row.get("names", ()) if _has(written, one)]
        globs = row.get("files", ())
        names += [one for one in globs if any(matches_path(path, one) for path in paths)]
        if names:
            found.append((max(names, key=len), row))
    return sorted(found, key=lambda one: -len(one[0]))


def _has(text: str, words: str) -> bool:
    pattern = r"\s+".join(map(re.escape, words.split()))
    end = "" if words.endswith("(") else r"(?![\w-])"
    return re.search(rf"(?<![\w/-]){pattern}{end}", text) is not None


def matches_path(path: str, glob: str) -> bool:
    """Return whether a path is what a glob says; one without `/` is a name in any folder."""
    glob = glob.removeprefix("./")
    glob = f"{glob}**" if glob.endswith("/") else glob
    return _matches(path.split("/"), (glob if "/" in glob else f"**/{glob}").split("/"))


def _matches(names: "Sequence[str]", parts: "Sequence[str]") -> bool:
    """Match name by name: one pattern of many `**` could be made to try for ever."""
    from fnmatch import fnmatchcase

    reached = {0}
    for part in parts[:-1]:
        if part == "**":
            reached = set(range(min(reached), len(names))) if reached else set()
        else:
            reached = {n + 1 for n in reached if n < len(names) and fnmatchcase(names[n], part)}
    if parts[-1] == "**":
        return any(n < len(names) for n in reached)
    return len(names) - 1 in reached and fnmatchcase(names[-1], parts[-1])


def told_in(state: str, session: str) -> set[str]:
    """Return the ids of memories that a session was given already."""
    found = set()
    for row in told_rows(state):
        if row.get("session") == session:
            found.add(str(row.get("memory")))
    return found


def told_rows(state: str) -> "list[dict[str, Any]]":
    """Return what was given, oldest first; a line that was cut off by a kill is passed over."""
    rows = []
    try:
        with open(os.path.join(state, TOLD), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            for line in file:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if isinstance(row, dict):
                    rows.append(row)
    except OSError:
        pass
    return rows


def base_of(state: str, folder: str) -> "Mapping[str, Any]":
    """Return what may be recalled in a folder: that of the innermost known one."""
    with open(os.path.join(state, INDEX), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        bases = json.load(file)
    here = os.path.realpath(folder)
    best: tuple[int, Mapping[str, Any]] = (-1, {"folder": here, "memories": []})
    for base in bases:
        top = base["folder"]
        inside = here == top or here.startswith(top.rstrip(os.sep) + os.sep)
        if inside and len(top) > best[0]:
            best = (len(top), base)
    return best[1]


def answer(payload: "Mapping[str, Any]", state: str) -> str:
    """Return what the client is given for a prompt or a call, and note it; "" where nothing is."""
    base, event = base_of(state, str(payload["cwd"])), str(payload.get("hook_event_name"))
    if event == "PreToolUse":
        fit = fitting_act(payload, base)
        found = [row for _, row in fit if _may_be_said(payload, state, row["id"])][:1]
        words = "This call relates to a rule of this project:"
    else:
        known = told_in(state, str(payload.get("session_id", "")))
        rows = [row for row in base["memories"] if row["id"] not in known]
        found = fitting(str(payload["prompt"]), rows)
        words, event = "People of this project approved what may matter here:", "UserPromptSubmit"
    if not found:
        return ""
    _note(payload, state, found)
    told_lines = "\n".join(f"- {one['text']} (calmkb memory {one['id'][:8]})" for one in found)
    made = {"hookEventName": event, "additionalContext": f"{words}\n{told_lines}"}
    return json.dumps({"hookSpecificOutput": made})


def _note(payload: "Mapping[str, Any]", state: str, found: "Sequence[Mapping[str, Any]]") -> None:
    said = {"session": str(payload.get("session_id", "")), "at": _size(payload)}
    lines = "".join(json.dumps({**said, "memory": one["id"]}) + "\n" for one in found)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    handle = os.open(os.path.join(state, TOLD), flags, 0o600)  # noqa: PTH118
    with os.fdopen(handle, "ab") as file:
        file.write(lines.encode())


def _size(payload: "Mapping[str, Any]") -> int:
    try:
        return os.path.getsize(str(payload.get("transcript_path", "")))  # noqa: PTH202
    except (OSError, ValueError):
        return 0


def _may_be_said(payload: "Mapping[str, Any]", state: str, memory: str) -> bool:
    """Return whether a session has not had a memory in its last calls, or since a compaction."""
    session = payload.get("session_id", "")
    ours = [row for row in told_rows(state) if row.get("session") == session]
    said = [row.get("at") for row in ours if row.get("memory") == memory]
    if not said:
        return True
    try:
        with open(str(payload["transcript_path"]), "rb") as file:  # noqa: PTH123
            file.seek(said[-1] if isinstance(said[-1], int) else 0)
            since = file.read(LIMIT)
    except (OSError, ValueError, KeyError):
        return False
    return len(_CALL.findall(since)) >= AGAIN or b'"compact_boundary"' in since


def main() -> None:
    """Answer the client's input on standard output, and leave with 0 whatever happens."""
    try:
        if os.environ.get("CALMKB_CHILD") != "1":
            home = os.path.join(os.path.expanduser("~"), ".calm")  # noqa: PTH111, PTH118
            payload = json.loads(sys.stdin.buffer.read(LIMIT))
            if lines := answer(payload, home):
                sys.stdout.write(lines + "\n")
                sys.stdout.flush()
    except BaseException:  # noqa: S110 - a hook that complains would stop the prompt
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
