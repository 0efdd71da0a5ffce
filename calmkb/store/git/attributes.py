"""Files that git stores otherwise than as they are: filters, line ends and $Id$ by attributes.

A filter is a program. git runs the ones that its settings name; calmkb runs those of the person's
own settings (`git lfs install`), never one of `.git/config`, which can come with an archive.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.git.filters import attributes_of, filter_names, unfiltered
from calmkb.store.git.repository import Repository

_ASKED = ("filter", "working-tree-encoding")
_LINE_ENDS = (b"text", b"eol", b"crlf")
_UNNAMED = {"unspecified", "unset", "set", ""}
_UTF_8 = {"utf-8", "utf8"} | _UNNAMED
_EXEMPT = "add the line `journal/** -filter -working-tree-encoding` to .gitattributes"


def blob_id(data: bytes, like: str) -> str:
    """Return the id git gives `data` in a repository whose ids are as long as `like`."""
    algorithm = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()


def store_converted(repository: Repository, files: Mapping[str, bytes | None]) -> dict[str, str]:
    """Store those of `files` that git would convert, as it would; return path → blob id.

    Raises StoreError where attributes ask for what calmkb cannot do, or a required filter fails.
    """
    written = {path: data for path, data in files.items() if data is not None}
    if not _may_convert(repository, written):
        return {}
    filtered = _filtered(repository, list(written))
    return {
        path: _hash(repository, path, data, "-w")
        for path, data in written.items()
        if path in filtered or b"\r" in data or b"$Id" in data
    }


def is_stored_as(repository: Repository, path: str, data: bytes, blob: str) -> bool:
    """Return whether git stores `data` at `path` as `blob`."""
    if blob_id(data, blob) == blob:
        return True
    if not _may_convert(repository, {path: data}):
        return False
    try:
        _filtered(repository, [path])
        return _hash(repository, path, data) == blob
    except StoreError:
        return False


def checked_out(repository: Repository, path: str, blob: str) -> bytes:
    """Return what `blob` is in the work tree at `path`."""
    if not _may_convert(repository, {path: b"\r$Id"}):
        return repository.git.cat_file("blob", blob, stdout_as_string=False)
    asked = ("--filters", f"--path={path}", blob)
    return unfiltered(repository).cat_file(*asked, stdout_as_string=False)


def _filtered(repository: Repository, paths: list[str]) -> set[str]:
    """Return those of `paths` that have a filter.

    Raises StoreError where it is one of the repository's own settings, and where a file is to be in
    another encoding than a record's.
    """
    own, filtered = filter_names(repository), set()
    for path, name, value in attributes_of(repository, paths, *_ASKED):
        if name == "filter" and value in own:
            raise StoreError(
                f"{path} has the attribute filter={value}, a program that the settings of "
                f"{repository.top} name and calmkb does not run; nothing was written. Name it in "
                f"your own settings (git config --global), or {_EXEMPT}"
            )
        if name == "working-tree-encoding" and value.lower() not in _UTF_8:
            raise StoreError(
                f"{path} has the attribute working-tree-encoding={value}, and records are UTF-8; "
                f"nothing was written. {_EXEMPT[0].upper()}{_EXEMPT[1:]}"
            )
        if name == "filter" and value not in _UNNAMED:
            filtered.add(path)
    return filtered


def _hash(repository: Repository, path: str, data: bytes, *options: str) -> str:
    asked = (*options, "-t", "blob", f"--path={path}", "--stdin")
    try:
        return repository.git.hash_object(*asked, istream=data)
    except GitFailedError as error:
        reason = (error.stderr or str(error)).split("\n")[-1]
        raise StoreError(
            f"{path} did not get through the filter that its attributes name ({reason}); "
            "nothing was written"
        ) from error


def _may_convert(repository: Repository, files: Mapping[str, bytes]) -> bool:
    """Look without asking git, which costs a fifth of a write: most attributes change nothing."""
    words = [b"filter", b"working-tree-encoding"]
    if any(b"\r" in data for data in files.values()):
        words += _LINE_ENDS
    if any(b"$Id" in data for data in files.values()):
        words.append(b"ident")
    return any(word in text for text in _texts(repository, files) for word in words)


def _texts(repository: Repository, paths: Iterable[str]) -> Iterator[bytes]:
    """Yield the attributes that may hold for `paths`: the person's, the clone's, the folders'."""
    environ = os.environ
    config = environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
    named = repository.setting("core.attributesfile") or f"{config}/git/attributes"
    folders = {parent for path in paths for parent in PurePosixPath(path).parents}
    places = [
        Path("/etc/gitattributes"),
        Path(os.path.expanduser(named)),  # noqa: PTH111 - a name that no home has stays as it is
        repository.common_dir / "info" / "attributes",
        *(repository.top / folder / ".gitattributes" for folder in sorted(folders)),
    ]
    for place in places:
        try:
            yield place.read_bytes().lower()
        except OSError:
            continue
