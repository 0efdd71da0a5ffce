"""Where this calmkb came from, for a command that installs the same one again.

There is no released package: the bare name `calmkb` could be registered by anybody. What pip noted
when it installed calmkb (direct_url.json, PEP 610) names the address, or nothing where it came
from an index under that very name.
"""

import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution

_ADDRESS = re.compile(r"https://[\w.-]+(:\d+)?/[\w./~+-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Source:
    """A repository's `git+ADDRESS@COMMIT`, or a checkout's or a wheel's path; both may be empty."""

    repository: str = ""
    path: str = ""
    editable: bool = False


def install_source() -> Source | None:
    """Return what pip noted of this calmkb; None where it came from an index."""
    try:
        noted = distribution("calmkb").read_text("direct_url.json")
    except PackageNotFoundError:
        return Source()
    return None if noted is None else source_in(noted)


def source_in(noted: str) -> Source:
    """Return the source in a direct_url.json; an empty one where it has another form."""
    try:
        found = json.loads(noted)
        address = str(found["url"])
        if address.startswith("file://"):
            from urllib.parse import unquote, urlparse  # what nobody else pays for
            from urllib.request import url2pathname

            path = url2pathname(unquote(urlparse(address).path))
            return Source(path=path, editable=bool(found.get("dir_info", {}).get("editable")))
        commit = str(found["vcs_info"]["commit_id"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Source()
    if not (_ADDRESS.fullmatch(address) and _COMMIT.fullmatch(commit)):
        return Source()
    return Source(f"git+{address}@{commit}")


def install_extra(extra: str) -> str:
    """Return the command that adds an extra to this calmkb, from where it came from."""
    source = install_source()
    if source is None:
        return f"pip install 'calmkb[{extra}]'"
    if source.repository:
        return f"pip install 'calmkb[{extra}] @ {source.repository}'"
    if source.path:
        return f"pip install {'-e ' if source.editable else ''}'{source.path}[{extra}]'"
    return f"install calmkb from where you have it, with its extra: [{extra}]"
