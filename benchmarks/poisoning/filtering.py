"""Secrets and private spans in hostile dress: none may reach git, an export or a signal."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from poisoning.cases import Case, Outcome
from poisoning.sandbox import Sandbox

_TOKEN = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2"
_PASSWORD = "Xk29vm" + "QzLm7R"
_PRIVATE = "the merger with Acme"
_TEXTS = {
    "a token": f"Deployed with {_TOKEN}.",
    "a token parted by U+200B": f"Deployed with {_TOKEN[:15]}\u200b{_TOKEN[15:]}.",
    "a token parted by a soft hyphen": f"Deployed with {_TOKEN[:15]}\u00ad{_TOKEN[15:]}.",
    "a token behind a direction mark": f"Deployed with \u202e{_TOKEN}\u202c.",
    "a password and its echo": f"export DB_PASSWORD={_PASSWORD}\npsql: {_PASSWORD} was denied",
    "a password and its echo before": f"psql: {_PASSWORD} denied\nexport DB_PASSWORD={_PASSWORD}",
    "a password in a table": f"| user | password |\n|---|---|\n| ada | {_PASSWORD} |",
    "a password on the next line": f"password:\n  {_PASSWORD}",
    "a password in German": f"Das Passwort: {_PASSWORD}",
    "a password in French": f"Le mot de passe : {_PASSWORD}",
    "a password in Spanish": f"La contraseña: {_PASSWORD}",
    "a password in Russian": f"пароль: {_PASSWORD}",
    "a password in Chinese": f"密码:{_PASSWORD}",
    "a password in JSON": f'{{"apiKey": {{"value": "{_PASSWORD}"}}}}',
    "a token behind a quoted marker": f"It printed `<!-- calmkb:begin` and then {_TOKEN} there.",
    "a private span": f"Keep it. <private>{_PRIVATE}</private> Go on.",
    "a private span over lines": f"Keep it. <private>\nNever tell {_PRIVATE}.\n</private> Go on.",
    "a private span over sentences": f"<private>Always hide it. No, never tell of {_PRIVATE}."
    " Use it.</private> Go on.",
    "a private span in capitals": f"Keep it. < PRIVATE >\n{_PRIVATE}\n</ private > Go on.",
    "nested private spans": f"<private>a <private>b</private> {_PRIVATE}</private> Go on.",
}
_HIDDEN = (_TOKEN, _PASSWORD, _PRIVATE)


def run(root: Path) -> Iterator[Outcome]:
    """Send each text down every path, and look for it in all that is kept or told."""
    paths = {
        "wrapup": _wrapup, "transcript": _transcript, "hooks": _hooks, "memory": _memory,
    }  # fmt: skip
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for a process of its own
        tried = [
            pool.submit(_tried, root / f"{path}{n}", path, send, name)
            for path, send in paths.items()
            for n, name in enumerate(_TEXTS)
        ]
        yield from (one.result() for one in tried)


def _tried(root: Path, path: str, send: Callable[[Sandbox, Path, str], None], name: str) -> Outcome:
    sandbox = Sandbox(root)
    shop = sandbox.repository("shop", {"calmkb.toml": ""})
    send(sandbox, shop, _TEXTS[name])
    return Outcome(Case("a secret or private span", path, name, ""), _kept(sandbox, shop))


def _kept(sandbox: Sandbox, shop: Path) -> str:
    """Return where a value is found: whole, or whole once invisible characters are gone."""
    places = {"git": sandbox.git(shop, "log", "-p", "--all", "--no-textconv")}
    for folder in (sandbox.home / ".calm", shop):
        for path in folder.rglob("*"):
            if path.is_file() and ".git" not in path.parts:
                places[path.name] = path.read_text(errors="replace")
    return ", ".join(
        place
        for place, text in places.items()
        for value in _HIDDEN
        if value in "".join(c for c in text if c.isprintable() or c in "\n\t")
    )


def _wrapup(sandbox: Sandbox, shop: Path, text: str) -> None:
    sandbox.calmkb(shop, "wrapup", "--summary", f"Worked. {text}", "--friction", text)
    sandbox.calmkb(shop, "export")


def _memory(sandbox: Sandbox, shop: Path, text: str) -> None:
    sandbox.calmkb(shop, "memory", "add", "--category", "fact", f"Mind this. {text}")
    sandbox.calmkb(shop, "export")


def _transcript(sandbox: Sandbox, shop: Path, text: str) -> None:
    path = _session(sandbox, shop, text)
    sandbox.calmkb(shop, "wrapup", "--from-transcript", str(path))


def _hooks(sandbox: Sandbox, shop: Path, text: str) -> None:
    path = _session(sandbox, shop, f"No, use pnpm here. {text}\nNever use npm.")
    about = {"transcript_path": str(path)}
    sandbox.hook(shop, "PreCompact", trigger="auto", **about)
    sandbox.hook(shop, "SessionStart", source="startup")


def _session(sandbox: Sandbox, shop: Path, text: str) -> Path:
    """Write a session in which the person typed the text, outside the places that are searched."""
    lines = [("user", f"Always use pnpm. {text}"), ("assistant", "I switched the scripts to pnpm.")]
    path = sandbox.root / "session.jsonl"
    rows = [
        {"type": role, "uuid": f"u{n}", "isSidechain": False, "sessionId": "s", "cwd": str(shop),
         "timestamp": f"2026-11-20T10:00:{n:02}.000Z", "message": {"role": role, "content": said}}
        for n, (role, said) in enumerate(lines)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
