"""Which repository a clone, a work tree or a sub-folder belongs to, whatever it is called."""

import contextlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

from calmkb.errors import StoreError
from calmkb.store.git.refs import branch_in, tip_in
from calmkb.store.git.repository import Repository, is_shallow, repository_named
from calmkb.store.git.settings import settings_of
from calmkb.system.files import write_atomically

_URL = re.compile(
    r"[a-z][a-z0-9+]*://(?:[^/@]*@)?(?P<host>[^/:@]+)(?::\d+)?/(?P<path>.+)", re.IGNORECASE
)
_SCP = re.compile(r"(?:[^/@:]+@)?(?P<host>[^/:@]{2,}):(?!//)(?P<path>[^\\]+)")
_HOST = re.compile(r"[a-z0-9.-]{1,200}")
_PATH = re.compile(r"[\w.~+ -]+(?:/[\w.~+ -]+){0,9}")
_CODECOMMIT = re.compile(r"codecommit::([\w-]+)://(?:[^/@]*@)?")
_PLACES = tuple(
    (re.compile(pattern, re.IGNORECASE), there)
    for pattern, there in (
        (r"^ssh\.dev\.azure\.com/v3/", "dev.azure.com/"),
        (r"^vs-ssh\.visualstudio\.com/v3/", "dev.azure.com/"),
        (r"^([^/.]+)\.visualstudio\.com/(?:defaultcollection/)?", r"dev.azure.com/\1/"),
        (r"^dev\.azure\.com/([^/]+)/_git/([^/]+)$", r"dev.azure.com/\1/\2/\2"),
        (r"^(dev\.azure\.com)/(.+)/_git/", r"\1/\2/"),
        (r"^(?:www|ssh|altssh)\.(github|gitlab|bitbucket)\.", r"\1."),
        (r"^(github|gitlab|bitbucket)\.(com|org)-[^/]+/", r"\1.\2/"),  # a name in ~/.ssh/config
        (r"^([^/]*(?:gerrit|review|googlesource)[^/]*)/a/", r"\1/"),  # over HTTPS, with a password
        (r"^([^/]+)/scm/", r"\1/"),  # Bitbucket on a server of one's own, over HTTPS
    )
)
"""What hosts call one repository by ssh and by HTTPS."""
_SUFFIX = re.compile(r"(?:\.git|/)+\Z", re.IGNORECASE)
_ROOT = "calmkb/root-commit"
"""Below the git directory: a walk to the first commit takes long where there are many."""
_LOCAL_HOPS = 5


@dataclass(frozen=True, slots=True)
class RepositoryIdentity:
    """What clones of one repository share, empty where nothing tells, and its usual name."""

    key: str
    name: str


def identify(repository: Repository) -> RepositoryIdentity:
    """Return the repository by its remote, else by its first commit."""
    return _identify(repository, _LOCAL_HOPS)


def remote_identity(url: str) -> RepositoryIdentity | None:
    """Return what a remote's URL tells: the same for ssh, https and scp forms, no user in it.

    None for a folder of this machine, and for what is no URL.
    """
    text = _CODECOMMIT.sub(r"https://git-codecommit.\1.amazonaws.com/v1/repos/", url.strip())
    found = _URL.fullmatch(text) or (None if "://" in text else _SCP.fullmatch(text))
    if found is None:
        return None
    host, path = found["host"].lower(), _SUFFIX.sub("", re.split(r"[?#]", found["path"])[0])
    path = "" if " " in path else normalize("NFC", unquote(path.lstrip("/")))
    if not (_HOST.fullmatch(host) and _PATH.fullmatch(path)) or ".." in path.split("/"):
        return None
    key = f"{host}/{path}"
    for place, there in _PLACES:
        key = place.sub(there, key)
    return RepositoryIdentity(key, path.rpartition("/")[2])


def folder_name(repository: Repository) -> str:
    """Return the name of the folder that all work trees of a repository belong to."""
    shared = repository.common_dir.resolve()
    return (shared.parent if shared.name == ".git" else repository.top).name


def _identify(repository: Repository, hops: int) -> RepositoryIdentity:
    url = _remote_url(repository)
    if found := remote_identity(url):
        return found
    source = _local_remote(repository, url)
    if source is not None and hops:
        if isinstance(source, Repository):
            return _identify(source, hops - 1)
        return RepositoryIdentity(_root_commit(repository), _SUFFIX.sub("", source.name))
    return RepositoryIdentity(_root_commit(repository), folder_name(repository))


def _remote_url(repository: Repository) -> str:
    """Return the remote's URL as git opens it: of what `insteadOf` says, the longest counts."""
    settings = settings_of(repository)
    url, said = settings.get("remote.origin.url", ""), [("", "url.")]
    said += [(begin, key.removesuffix(".insteadof")) for key, begin in settings.items()
             if key.endswith(".insteadof") and url.startswith(begin)]  # fmt: skip
    begin, instead = max(said, key=lambda one: len(one[0]))
    return instead.removeprefix("url.") + url.removeprefix(begin)


def _local_remote(repository: Repository, url: str) -> Repository | Path | None:
    """Return the repository of this machine that `url` names; its folder where it is bare."""
    place = url.removeprefix("file://")
    if not place or "://" in place or "\0" in place:
        return None
    folder = (repository.common_dir.parent / place).resolve()
    if not folder.is_dir():
        return folder if folder.name else None
    if (folder / ".git").exists():
        return repository_named(folder) or folder
    return folder


def _root_commit(repository: Repository) -> str:
    """Return `root:` and twelve digits of the first commit; nothing before it, or if cut off."""
    kept = repository.common_dir / _ROOT
    try:
        known = kept.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        known = ""
    if re.fullmatch(r"root:[0-9a-f]{12}", known):
        return known
    branch = branch_in(repository.git_dir)
    tip = tip_in(repository.git_dir, branch) if branch else None
    first = (_first_commit if tip else _first_commit.__wrapped__)(repository, tip or "")
    if not first or is_shallow(repository):
        return ""
    key = f"root:{first[:12]}"
    # The folder is made by the first write; a repository that is only looked at stays as it is.
    if kept.parent.is_dir() and not kept.parent.is_symlink():
        with contextlib.suppress(StoreError):  # a cache
            write_atomically(kept, key.encode(), durable=False)
    return key


@lru_cache(maxsize=32)
def _first_commit(repository: Repository, tip: str) -> str:
    """Return the first commit: asked again once HEAD is at another `tip`."""
    listed = repository.git.ask("rev-list", "--max-parents=0", "HEAD")
    return listed.split()[-1] if listed else ""
