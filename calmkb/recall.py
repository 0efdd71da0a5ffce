"""Gives an agent two memories at most that a prompt is about; the standard library does.

Run as a file, `python -I -S calmkb/recall.py`, by the client before each prompt: importing the
package would cost more than the work. Never fails; it prints nothing where nothing fits.
"""

import json
import os
import re
import sys

TYPE_CHECKING = False  # as `typing` has it, whose import takes a quarter of the time
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

INDEX, TOLD = "recall.json", "recalled.jsonl"
"""What may be recalled, and what was; both in the state folder."""
MOST = 2
SHARE = 0.4
"""Of a memory's weight of words, how much a prompt must have: read on prompts of one team."""
LEAST = 2
"""Words that both must have, one of them in few memories."""
LIMIT = 4 * 1024 * 1024
_PROMPT = 4_000
"""Characters of a prompt that are read: what follows is mostly pasted."""
_TOKEN = re.compile(r"[^\W_]+(?:[._/:-][^\W_]+)*")
_ADDRESS = re.compile(r"\w+://\S+")
_PART = re.compile(r"[^\W_]+")
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


def rows_for(state: str, folder: str) -> "list[Mapping[str, Any]]":
    """Return the memories that may be recalled in a folder: those of the innermost known one."""
    with open(os.path.join(state, INDEX), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        bases = json.load(file)
    here = os.path.realpath(folder)
    best: tuple[int, list[Mapping[str, Any]]] = (-1, [])
    for base in bases:
        top = base["folder"]
        inside = here == top or here.startswith(top.rstrip(os.sep) + os.sep)
        if inside and len(top) > best[0]:
            best = (len(top), base["memories"])
    return best[1]


def answer(payload: "Mapping[str, Any]", state: str) -> str:
    """Return what the client is given for a prompt, and note it; "" where nothing fits."""
    session = str(payload.get("session_id", ""))
    known = told_in(state, session)
    rows = [row for row in rows_for(state, str(payload["cwd"])) if row["id"] not in known]
    found = fitting(str(payload["prompt"]), rows)
    if not found:
        return ""
    lines = "".join(json.dumps({"session": session, "memory": one["id"]}) + "\n" for one in found)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    handle = os.open(os.path.join(state, TOLD), flags, 0o600)  # noqa: PTH118
    with os.fdopen(handle, "ab") as file:
        file.write(lines.encode())
    told_lines = "\n".join(f"- {one['text']} (calmkb memory {one['id'][:8]})" for one in found)
    words = f"People of this project approved what may matter here:\n{told_lines}"
    made = {"hookEventName": "UserPromptSubmit", "additionalContext": words}
    return json.dumps({"hookSpecificOutput": made})


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
