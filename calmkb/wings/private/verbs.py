"""The private journal: written and read beside the knowledge base, never inside it."""

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import mul
from pathlib import Path
from typing import Literal, get_args

from calmkb.errors import CalmError, RecordError, StoreError
from calmkb.kb.base.environment import Environment
from calmkb.redact.secrets import redact_secrets
from calmkb.reflect.similarity.vectors import near
from calmkb.store.caches.vectors import Embed
from calmkb.store.git.repository import Repository, find_repository
from calmkb.store.git.trees import is_ignored
from calmkb.system.files import disk_told, make_private_folder, write_atomically
from calmkb.system.safe_paths import check_place, is_below
from calmkb.wings.private.answers import Scored, matching
from calmkb.wings.private.embeddings import embedding_path, read_embedding, render_embedding
from calmkb.wings.private.entries import (
    LIMIT,
    Owner,
    PrivateEntry,
    entry_path,
    render,
    split_by_owner,
    time_of,
)
from calmkb.wings.private.folders import Journals, find_journals, read_entries, read_one

__all__ = ["LIMIT", "OWNERS", "PrivateJournal", "Which", "open_private"]
Which = Literal["project", "user", "both"]
OWNERS: tuple[Which, ...] = get_args(Which)
LEAST_SCORE = 0.1
_ROLLS = 50
log = logging.getLogger("calmkb.private")


@dataclass(frozen=True)
class PrivateJournal:
    """An agent's own journal; `embed` is None without the [semantic] extra."""

    journals: Journals
    cwd: Path
    embed: Embed | None = None
    now: Callable[[], datetime] = field(default=lambda: datetime.now().astimezone())
    chance: Callable[[], int] = field(default=lambda: random.randrange(1000))  # noqa: S311 - a name

    def write(
        self, thoughts: Mapping[str, str], *, note: Callable[[str], None] = log.warning
    ) -> list[Path]:
        """Write thoughts into the journals they belong to; return the files.

        Secrets are removed first. What cannot be kept in the project's folder goes into the user's
        journal, and `note` is called with the reason. Raises RecordError where there is nothing to
        write, and StoreError where a folder refuses, after all other thoughts are written.
        """
        written, failed = [], None
        for owner, texts in split_by_owner(thoughts).items():
            try:
                written.append(self._write(owner, texts, note))
            except StoreError as error:
                failed = failed or error
        if failed:
            raise failed
        return written

    def search(
        self, query: str, *, limit: int = 10, which: Which = "both", sections: Sequence[str] = ()
    ) -> list[Scored]:
        """Return the entries most similar to `query`, scores of at least 0.1, best first."""
        if not query.strip():
            raise RecordError("query is empty; give it at least one word")
        entries = [e for e in matching(self._entries(which), sections) if e.body]
        found = [one for one in self._scores(query, entries) if one.score >= LEAST_SCORE]
        found.sort(key=lambda one: (-one.score, -one.entry.timestamp, str(one.entry.path)))
        return found[:limit]

    def recent(
        self, *, limit: int = 10, which: Which = "both", days: int | None = None
    ) -> list[PrivateEntry]:
        """Return the newest entries, of the last `days` if given."""
        entries = self._entries(which)
        if days is not None:
            since = (self.now() - timedelta(days=days)).timestamp() * 1000
            entries = [entry for entry in entries if entry.timestamp >= since]
        return entries[:limit]

    def read(self, path: str) -> str:
        """Return the exact text of an entry; RecordError on a path outside the journals."""
        return read_one(self.journals, path, cwd=self.cwd)

    def embed_missing(self, *, replace_foreign: bool = False) -> int:
        """Create the embeddings that are missing or broken; return how many.

        A failed one does not stop the others. Those of another model are left alone unless asked.
        """
        if self.embed is None:
            return 0
        done = 0
        for entry in self._entries("both"):
            state = read_embedding(entry.path).state if entry.body else "ours"
            if state == "broken":
                log.warning("%s is not an embedding; making it again", embedding_path(entry.path))
            if state == "foreign" and not replace_foreign:
                log.info("%s is of another model; left alone", embedding_path(entry.path))
            elif state != "ours":
                done += self._embed(entry)
        return done

    def _entries(self, which: Which) -> list[PrivateEntry]:
        owners: tuple[Owner, ...] = ("project", "user") if which == "both" else (which,)
        return read_entries(self.journals, owners)

    def _write(
        self, owner: Owner, thoughts: Mapping[str, str], note: Callable[[str], None]
    ) -> Path:
        user = self.journals.user
        if owner == "project" and self.journals.project != user:
            try:
                return self._write_in(self.journals.project, owner, thoughts)
            except StoreError as error:
                note(f"{error}; the project's notes were written into {user}")
        return self._write_in(user, "user", thoughts)

    def _write_in(self, folder: Path, owner: Owner, thoughts: Mapping[str, str]) -> Path:
        """Write an entry; StoreError where the folder refuses it, or git would show it."""
        at = self.now()
        path = self._free_path(folder, at)
        if owner == "project":
            self._check_private(folder, path)
        clean = {key: redact_secrets(text).replace("\0", "") for key, text in thoughts.items()}
        text = render(clean, at)
        write_atomically(path, text.encode(errors="replace"), mode=0o600)
        self._embed(PrivateEntry(path, owner, time_of(path, text, 0), text))
        return path

    def _check_private(self, folder: Path, path: Path) -> None:
        """Raise StoreError where an entry would leave the project, or be visible to git."""
        repository = find_repository(self.cwd)
        top = repository.top if repository else self.cwd
        if is_below(folder, top):
            check_place(path, top)
        with disk_told(f"make {folder}"):
            make_private_folder(folder)
        if not kept_out_of_git(folder, [path, embedding_path(path)]):
            raise StoreError(
                f"the ignore files of {top} let git show entries of {folder}, or they are tracked"
            )

    def _free_path(self, folder: Path, at: datetime) -> Path:
        for _ in range(_ROLLS):
            path = folder / entry_path(at, self.chance())
            with disk_told(f"write {path}"):
                if not path.exists():
                    return path
        raise CalmError(f"no free name for an entry in {folder}; try again")

    def _embed(self, entry: PrivateEntry) -> bool:
        if self.embed is None or not entry.body:
            return False
        try:
            text = render_embedding(entry, self.embed([entry.body])[0])
            write_atomically(embedding_path(entry.path), text.encode(errors="replace"), mode=0o600)
        except Exception as error:  # an entry is kept even without its vector
            log.warning("no embedding was made for %s: %s", entry.path, error or type(error))
            return False
        return True

    def _scores(self, query: str, entries: Sequence[PrivateEntry]) -> list[Scored]:
        """Return the cosine of each entry: of embeddings where they exist, else of TF-IDF."""
        vectors = (
            {e.path: v for e in entries if (v := read_embedding(e.path).vector)}
            if self.embed
            else {}
        )
        embedded = [entry for entry in entries if entry.path in vectors]
        rest = [entry for entry in entries if entry.path not in vectors]
        found: list[Scored] = []
        if self.embed and embedded:
            target = self.embed([query])[0]
            found += [Scored(e, float(sum(map(mul, target, vectors[e.path])))) for e in embedded]
        if rest:
            levels = {row: x for _, row, x in near([query], [entry.body for entry in rest], 0.0)}
            found += [Scored(entry, levels.get(row, 0.0)) for row, entry in enumerate(rest)]
        return found


def open_private(
    environment: Environment, *, option: str | None = None, project_option: str | None = None,
    embed: Embed | None = None,
) -> PrivateJournal:  # fmt: skip
    """Return the private journal of the folder and the person.

    `option` names one folder for both journals, `project_option` the project's alone.
    """
    # HOME="" says that there is none, as the reference has it; the home is then "/" or nothing.
    home = None if environment.env.get("HOME") == "" else environment.home
    journals = find_journals(
        cwd=environment.cwd,
        home=home,
        env=environment.env,
        option=option,
        project_option=project_option,
    )
    return PrivateJournal(journals, environment.cwd, embed)


def kept_out_of_git(folder: Path, files: Sequence[Path]) -> bool:
    """Return whether git ignores all of `files`, below `folder`; add that to `info/exclude` first.

    The repository's own ignore files are stronger than the exclude file, which is the clone's own:
    with a `!` they can make a file visible again. Outside a work tree there is nothing to do.
    """
    repository = find_repository(folder)
    if repository is None or _ignored(repository, files):
        return True
    named = repository.git.ask("rev-parse", "--git-path", "info/exclude")
    if named is None:
        return False
    path = repository.top / named
    before = path.read_bytes() if path.is_file() else b""
    inside = folder.resolve().relative_to(repository.top.resolve()).as_posix()
    escaped = "".join(f"\\{c}" if c in "\\*?[]! #" else c for c in inside)
    line = f"/{escaped}/\n".encode()
    if line not in before.splitlines(keepends=True):
        gap = b"\n" if before and not before.endswith(b"\n") else b""
        write_atomically(path, before + gap + line)
    return _ignored(repository, files)


def _ignored(repository: Repository, files: Sequence[Path]) -> bool:
    """Ask about the very files: one that is tracked is not ignored, whatever is written."""
    return all(is_ignored(repository, str(file)) for file in files)
