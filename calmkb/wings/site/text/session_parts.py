"""What a session's page makes of its record: a drafted summary as a list, links to its commits."""

import re

_PART = re.compile(
    r'\s+(?=Found: "|Changed [\w.]|Committed |Opened PR #|Ran `|Ended |Broke off |Stopped by '
    r"|Interrupted by )"
)
_HOSTED = re.compile(r"((?:[a-z0-9-]+\.)+[a-z]+)((?:/[\w.~-]+){2,})", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


def summary_parts(summary: str) -> list[str]:
    """Return what was asked, found, changed, run and how it ended; a written summary is whole."""
    if not summary.startswith('Asked: "'):
        return [summary]
    # What is quoted begins no part.
    found = [end for end in _PART.finditer(summary) if summary.count('"', 0, end.start()) % 2 == 0]
    starts, ends = [0, *(end.end() for end in found)], [end.start() for end in found]
    return [summary[a:b] for a, b in zip(starts, [*ends, len(summary)], strict=True)]


def commit_address(repository: str, commit: str) -> str:
    """Return where a commit is shown by the host of its repository, "" where no host is known."""
    hosted = _HOSTED.fullmatch(repository)
    if not hosted or not _COMMIT.fullmatch(commit):
        return ""
    kinds = {"gitlab": "/-/commit/", "bitbucket": "/commits/"}
    kind = next((path for name, path in kinds.items() if name in hosted[1]), "/commit/")
    return f"https://{hosted[0]}{kind}{commit}"
