"""The team's git host: a pull request by `gh` where it is installed, else the address for one."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from calmkb.store.git.repository import Repository
from calmkb.system.programs import find_program, safe_path
from calmkb.system.run_program import Ended, run_program

_SECONDS = 60
_MAY_PUSH = ("OWNER", "MEMBER", "COLLABORATOR")
_SSH = re.compile(
    r"(?:ssh://)?(?:[\w.-]+@)?(?P<host>[\w.-]+\.[\w-]+)(?::\d+/|[:/])(?P<path>[^\s?#]+)"
)
_HTTPS = re.compile(r"https?://(?:[^/@\s]+@)?(?P<host>[\w.:-]+)/(?P<path>[^\s?#]+)")


@dataclass(frozen=True, slots=True)
class Opened:
    """The address of a pull request, or of the page that opens one; nothing where none is known.

    `fault` says why `gh` did not open it, where it is installed and tried.
    """

    address: str
    by_gh: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What a pull request is opened with: branches by their short names, title and body."""

    branch: str
    base: str
    title: str
    body: str


def has_host_program(env: Mapping[str, str]) -> bool:
    """Return whether a request can be opened, and read again, by `gh`."""
    return find_program("gh", env.get("PATH")) is not None


def open_request(
    repository: Repository, remote: str, request: Request, *, env: Mapping[str, str]
) -> Opened:
    """Open the pull request, or say where a person can; raises nothing."""
    place = compare_address(repository.git.ask("remote", "get-url", "--", remote) or "", request)
    if not has_host_program(env):
        return Opened(place)
    asked = ["--head", request.branch, "--base", request.base, "--title", request.title]
    done = _gh(repository, env, "create", *asked, "--body-file", "-", given=request.body)
    lines = done.output.strip().splitlines()
    if done.code == 0 and not done.fault and lines and lines[-1].startswith("https://"):
        return Opened(lines[-1].strip(), by_gh=True)
    answer = " ".join((done.fault or done.complaint or "it said nothing").split())[-200:]
    return Opened(place, fault=f"gh opened none: {answer}")


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A pull request as `gh` tells of it: closed without a merge, its text, what was said of it.

    `comments` are those of people who may push to the repository, the oldest first.
    """

    closed: bool
    body: str
    comments: tuple[str, ...]


def request_from(
    repository: Repository, branch: str, *, env: Mapping[str, str]
) -> HostRequest | None:
    """Return the request from `branch` that `gh` knows, the newest; None where it knows none."""
    if not has_host_program(env):
        return None
    asked = ["--head", branch, "--state", "all", "--json", "state,body,comments"]
    done = _gh(repository, env, "list", *asked)
    try:
        found = json.loads(done.output) if done.code == 0 else []
    except (ValueError, RecursionError):
        return None
    rows = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    if not rows:
        return None
    closed = all(row.get("state") == "CLOSED" for row in rows)
    return HostRequest(closed, str(rows[0].get("body") or ""), tuple(_comments(rows[0])))


def _comments(row: Mapping[str, object]) -> Iterator[str]:
    """Yield what people said who may push: on a public host anybody may comment."""
    given = row.get("comments")
    for one in given if isinstance(given, list) else ():
        if isinstance(one, dict) and one.get("authorAssociation") in _MAY_PUSH:
            yield str(one.get("body") or "")


def compare_address(url: str, request: Request) -> str:
    """Return the page of the git host that opens a request, or nothing for an unknown remote."""
    found = _HTTPS.match(url) or (None if "://" in url and "ssh" not in url else _SSH.match(url))
    if not found:
        return ""
    host, path = found["host"], found["path"].removesuffix("/").removesuffix(".git")
    branch, base = quote(request.branch, safe="/"), quote(request.base, safe="/")
    if "gitlab" in host:
        source = f"merge_request%5Bsource_branch%5D={quote(request.branch, safe='')}"
        return f"https://{host}/{path}/-/merge_requests/new?{source}"
    if "bitbucket" in host:
        return f"https://{host}/{path}/pull-requests/new?source={quote(request.branch, safe='')}"
    expand = "?expand=1" if "github" in host else ""
    return f"https://{host}/{path}/compare/{base}...{branch}{expand}"


def _gh(repository: Repository, env: Mapping[str, str], *asked: str, given: str = "") -> Ended:
    """Run `gh pr`, which asks nothing and talks to no terminal."""
    safe = safe_path(env.get("PATH", ""))  # gh starts git in its turn
    quiet = {"GH_PROMPT_DISABLED": "1", "NO_COLOR": "1", "GH_NO_UPDATE_NOTIFIER": "1"}
    command = [find_program("gh", env.get("PATH")) or "gh", "pr", *asked]
    env = {**env, "PATH": safe, **quiet}
    return run_program(command, given, cwd=repository.top, env=env, seconds=_SECONDS)
