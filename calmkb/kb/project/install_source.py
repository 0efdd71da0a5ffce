"""Where this calmkb came from, for workflows that install the same one on another machine.

There is no released package: the bare name `calmkb` could be registered by anybody. What pip noted
when it installed calmkb from its repository names the address and the very commit.
"""

import json
import re
from importlib.metadata import PackageNotFoundError, distribution

_ADDRESS = re.compile(r"https://[\w.-]+(:\d+)?/[\w./~+-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")
UNKNOWN = (
    "echo \"Put calmkb's repository and a full commit of it here, and delete this line and the "
    "next: pip install 'calmkb @ git+https://HOST/calmkb.git@COMMIT'\" >&2\nexit 1"
)
"""What a workflow says where nothing is known."""


def install_command() -> str:
    """Return shell lines that install this very calmkb, or that fail and say what to do."""
    try:
        noted = distribution("calmkb").read_text("direct_url.json")
    except PackageNotFoundError:
        noted = None
    source = source_of(noted or "")
    return f'pip install "calmkb @ {source}"' if source else UNKNOWN


def source_of(noted: str) -> str:
    """Return `git+ADDRESS@COMMIT` of what pip noted (its direct_url.json), or nothing."""
    try:
        found = json.loads(noted)
        address, commit = found["url"], found["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    if not (_ADDRESS.fullmatch(str(address)) and _COMMIT.fullmatch(str(commit))):
        return ""
    return f"git+{address}@{commit}"
