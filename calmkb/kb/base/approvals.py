"""Approvals: kept for one person on one machine, bound to content, or named by CI."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calmkb.errors import CalmError, StoreError, TrustError
from calmkb.kb.base.environment import agent_mark
from calmkb.model.trust import Grant, TrustRequest
from calmkb.store.git.repository import find_repository
from calmkb.store.local.approvals import allows, grants_in, note

if TYPE_CHECKING:
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.base.knowledge_base import KnowledgeBase

SETTING = "CALMKB_TRUST"
"""The environment variable in which CI names the hashes that it trusts."""
_IN_CI = ("program", "site", "filter")
_CLIENTS = (".claude", ".codex", ".cursor", ".gemini", ".copilot", ".config/opencode")
"""Folders below a home in which a person works with agents."""
_SHORTEST = 8


class NeedsApprovalError(TrustError):
    """A command needs approvals that this person has not given; `requests` are those."""

    def __init__(self, message: str, kb: "KnowledgeBase", requests: Sequence[TrustRequest]) -> None:
        super().__init__(message)
        self.kb, self.requests = kb, tuple(requests)


def is_approved(kb: "KnowledgeBase", request: TrustRequest) -> bool:
    """Return whether this content was approved here, written here, or is named by CALMKB_TRUST."""
    named = request.kind in _IN_CI and request.sha256 in _named(kb.environment)
    return named or allows(kb.environment.own, name_of(kb), request.sha256)


def _named(environment: "Environment") -> list[str]:
    """Return the hashes that CI names: none where a person or an agent works.

    There a clone's settings for a client could set the variable, and hashes are everywhere alike.
    """
    env, home = environment.env, environment.home
    if not env.get("CI") or agent_mark(env) or any((home / one).exists() for one in _CLIENTS):
        return []
    return env.get(SETTING, "").replace(",", " ").split()


def open_requests(
    kb: "KnowledgeBase", requests: Iterable[TrustRequest]
) -> tuple[TrustRequest, ...]:
    """Return those of `requests` that are not approved, each once."""
    return tuple(dict.fromkeys(one for one in requests if not is_approved(kb, one)))


def require(
    kb: "KnowledgeBase", requests: Iterable[TrustRequest], *, how: str = "calmkb agents trust allow"
) -> None:
    """Raise NeedsApprovalError where one is not approved; `how` is the command that grants it."""
    missing = open_requests(kb, requests)
    if missing:
        lines = "; ".join(f"{one.subject}: {one.reason}" for one in missing)
        hashes = " ".join(one.sha256 for one in missing)
        raise NeedsApprovalError(
            f"{kb.root} asks for something that you have not allowed on this machine ({lines}). "
            f"Review it in a terminal with: {how}. "
            f"In CI, where no agent runs, name what you trust: {SETTING}={hashes!r}",
            kb,
            missing,
        )


def approve(kb: "KnowledgeBase", requests: Sequence[TrustRequest]) -> None:
    """Keep this person's approval of `requests`; StoreError where the disk refuses."""
    _note(kb, "allow", requests)


def note_written(kb: "KnowledgeBase", requests: Sequence[TrustRequest]) -> None:
    """Remember what this machine wrote itself; on a full disk it is asked about later."""
    if requests:
        try:
            _note(kb, "written", requests)
        except StoreError:
            return  # the record is committed; only a question comes that need not have come


def grants(environment: "Environment") -> tuple[Grant, ...]:
    """Return the approvals in force on this machine, of every knowledge base."""
    return grants_in(environment.own)


def revoke_grants(environment: "Environment", prefixes: Sequence[str]) -> tuple[Grant, ...]:
    """Take back the approvals whose hashes begin as in `prefixes`, and return them.

    Raises CalmError on a prefix that is too short or fits none.
    """
    known = grants(environment)
    found: list[Grant] = []
    for prefix in prefixes:
        if not re.fullmatch(rf"[0-9a-f]{{{_SHORTEST},64}}", prefix):
            raise CalmError(f"{prefix!r} is not {_SHORTEST} or more digits of a hash")
        fitting = [one for one in known if one.sha256.startswith(prefix)]
        if not fitting:
            raise CalmError(
                f"no approval begins with {prefix}; list them with: calmkb agents trust list"
            )
        found += fitting
    found = list(dict.fromkeys(found))
    _revoke(environment, found)
    return tuple(found)


def revoke_all(kb: "KnowledgeBase") -> tuple[Grant, ...]:
    """Take back every approval of this knowledge base, and return them."""
    own = [one for one in grants(kb.environment) if one.knowledge_base == name_of(kb)]
    _revoke(kb.environment, own)
    return tuple(own)


def name_of(kb: "KnowledgeBase") -> str:
    """Return the place that approvals of `kb` are kept under: worktrees of one clone share it."""
    root = Path(os.path.realpath(kb.root))
    repository = find_repository(root) if root.is_dir() else None
    if repository is None:
        return str(root)
    below = os.path.relpath(root, os.path.realpath(repository.top))
    return str(Path(os.path.realpath(repository.common_dir), below))


def _note(kb: "KnowledgeBase", action: str, requests: Sequence[TrustRequest]) -> None:
    at, name = kb.environment.now().isoformat(), name_of(kb)
    made = [Grant(at, name, one.kind, one.subject, one.sha256) for one in requests]
    note(kb.environment.own, action, made)


def _revoke(environment: "Environment", found: Sequence[Grant]) -> None:
    at = environment.now().isoformat()
    note(environment.own, "revoke", [replace(one, at=at) for one in found])
