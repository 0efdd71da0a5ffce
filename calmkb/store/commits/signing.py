"""Signed commits, where `commit.gpgsign` asks for them: fast-import cannot make these.

The program that signs is one of the person's own settings; what `.git/config` names is not run.
"""

from collections.abc import Mapping

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.changes import Change, PathChange
from calmkb.store.commits.fast_import import FastImport
from calmkb.store.git.filters import settings_like
from calmkb.store.git.repository import Repository

_ASKED = r"^gpg\.(.*\.)?(program|defaultkeycommand)$"
_PROGRAMS = {
    "gpg.program": "gpg",
    "gpg.openpgp.program": "gpg",
    "gpg.x509.program": "gpgsm",
    "gpg.ssh.program": "ssh-keygen",
    "gpg.ssh.defaultkeycommand": "false",
}


def open_import(repository: Repository, branch: str, *, hurry: bool = False) -> FastImport:
    """Return an import whose commits are signed if git would sign them."""
    kind = SignedImport if repository.signs_commits else FastImport
    return kind(repository, branch, hurry=hurry)


class SignedImport(FastImport):
    """An import each of whose commits is made again with a signature."""

    def add(
        self, change: Change, identity: tuple[str, str], stored: Mapping[str, str] | None = None
    ) -> tuple[str, list[PathChange]]:
        """Add one signed commit on top of the last; StoreError where it cannot be signed."""
        below = self._tip or self._base
        unsigned, paths = super().add(change, identity, stored)
        self._ask([b"checkpoint\nprogress written\n"], 1)  # other gits see its objects from now on
        self._tip = sign(self._repository, unsigned, below)
        return self._tip, paths


def sign(repository: Repository, commit: str, parent: str | None) -> str:
    """Return a signed commit like `commit`, on top of `parent`; StoreError where git cannot."""
    raw = repository.git.cat_file("commit", commit, stdout_as_string=False)
    headers, _, message = raw.partition(b"\n\n")
    known = dict(line.split(b" ", 1) for line in headers.split(b"\n") if b" " in line)
    env = _who("AUTHOR", known[b"author"]) | _who("COMMITTER", known[b"committer"])
    encoding = known.get(b"encoding", b"UTF-8").decode()
    git = repository.git(c=[*_programs(repository), f"i18n.commitEncoding={encoding}"])
    below = ("-p", parent) if parent else ()
    try:
        return git.commit_tree("-S", *below, f"{commit}^{{tree}}", istream=message, env=env)
    except GitFailedError as error:
        raise StoreError(
            f"cannot sign commits in {repository.top}, as commit.gpgsign asks ({error.stderr}); "
            "nothing was written. See that `git commit -S` works there, its key and program named "
            "in your own settings (git config --global), or run: git config commit.gpgsign false"
        ) from error


def _who(role: str, line: bytes) -> dict[str, str]:
    """Return a header of a commit as git takes it from the environment."""
    person, seconds, zone = line.decode(errors="surrogateescape").rsplit(" ", 2)
    name, _, email = person.rpartition(" <")
    date = f"@{seconds} {zone}"
    values = {"NAME": name, "EMAIL": email.rstrip(">"), "DATE": date}
    return {f"GIT_{role}_{key}": value for key, value in values.items()}


def _programs(repository: Repository) -> list[str]:
    """Return the settings that put the person's programs in the place of the repository's."""
    rows = settings_like(repository, _ASKED)
    theirs = {key: value for is_own, key, value in rows if not is_own}
    named = sorted({key for is_own, key, _ in rows if is_own})
    usual = _PROGRAMS | (
        {"gpg.openpgp.program": theirs["gpg.program"]} if "gpg.program" in theirs else {}
    )
    return [f"{key}={theirs.get(key, usual.get(key, 'false'))}" for key in named]
