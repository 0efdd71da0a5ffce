"""Screenshots: those of the docs, and of every kind of page of a site."""

import html
import os
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which

import pexpect
from playwright.sync_api import Browser, sync_playwright
from sample_journal import TODAY, write_journal

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
TRANSCRIPTS = ROOT / "tests" / "data" / "transcripts"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZES = {"desk": (1280, 860), "wide": (1440, 900), "phone": (390, 844)}
LOOKS = ("light", "dark")
SHOWN = (
    ("site", "", "desk", "light"),
    ("friction", "friction/", "desk", "light"),
    ("memory", "memories/workflow/*-*/", "desk", "light"),
    ("week", "weeks/2026-W38/", "desk", "light"),
    ("told", "told/storefront/", "desk", "light"),
)
"""Name, page, size and look of each picture in the docs; of several pages the first is taken."""
KINDS = {
    "home": "",
    "troubles": "friction/",
    "trouble": "friction/*/",
    "memories": "memories/",
    "memory": "memories/*/*-*/",
    "sessions": "sessions/",
    "session": "sessions/20*/*/*/",
    "week": "weeks/20*/",
    "search": "?q=test",
    "search-typo": "?q=memmory",
    "told": "told/*/",
    "next": "next/",
    "review": "reflections/20*/*/*/",
    "memory-review": "memories/review/",
    "proof": "memories/proof/",
    "numbers": "statistics/",
    "projects": "projects/",
    "about": "about/",
    "missing": "404.html",
}
"""Name and page of each kind of page; of several pages the last is taken, the newest of a date."""
STYLES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow"}
TERMINAL = (
    "body{background:#1d2026;color:#e6e6e6;padding:16px}pre{font:16px/1.4 monospace}"
    ".bold{font-weight:bold}.dim{opacity:.65}.red{color:#ff8b8b}.green{color:#8bd68b}"
    ".yellow{color:#f2d16b}"
)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def main() -> None:
    """Shoot the docs' pictures, and each kind of page at two widths in two looks into `shots/`.

    shots.py [SITE OUT]: the kinds of page alone, of the site in SITE into OUT.
    """
    if len(sys.argv) > 1:
        shoot_kinds(Path(sys.argv[1]), Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        site = build(Path(folder))
        shoot_all(site, IMAGES, [(n, found(site, p), s, look) for n, p, s, look in SHOWN])
        shoot_review(Path(folder), IMAGES / "review.png")
        shoot_kinds(site, ROOT / "shots")


def shoot_kinds(site: Path, out: Path) -> None:
    """Take a picture of each kind of page that a site has, wide and narrow, light and dark."""
    pages = {name: found(site, path, last=True) for name, path in KINDS.items()}
    every = [
        (f"{name}-{size}-{look}", page, size, look)
        for name, page in pages.items()
        if page is not None
        for size in ("wide", "phone")
        for look in LOOKS
    ]
    shoot_all(site, out, every)


def build(folder: Path) -> Path:
    """Return the built site of the invented team's journal: sessions written up, and mined ones."""
    (folder / "home").mkdir()
    (folder / "home" / ".gitconfig").write_text("[user]\nname = Ada\nemail = ada@example.org\n")
    env = {**os.environ, "HOME": str(folder / "home"), "USERPROFILE": str(folder / "home")}
    for name in ("AI_AGENT", "AGENT", "CLAUDECODE"):  # a person takes these pictures
        env.pop(name, None)
    env["SOURCE_DATE_EPOCH"] = str(int(TODAY.timestamp()))
    base = folder / "Storefront and friends"
    base.mkdir()
    calmkb = (sys.executable, "-m", "calmkb", "--kb", str(base))
    subprocess.run([*calmkb, "init", str(base)], env=env, check=True, stdout=subprocess.DEVNULL)
    write_journal(base)
    for one in sorted(TRANSCRIPTS.glob("*.jsonl")):
        subprocess.run([*calmkb, "wrapup", "--from-transcript", str(one)], env=env, cwd=base,
                       check=False, capture_output=True)  # one holds no conversation  # fmt: skip
    output = folder / "site"
    subprocess.run([*calmkb, "site", "build", "--output", str(output)], env=env, check=True)
    return output


def found(site: Path, pattern: str, *, last: bool = False) -> str | None:
    """Return the first or last page of the site that a pattern names; None where there is none."""
    if "*" not in pattern:
        return pattern if pattern.startswith("?") or (site / pattern).exists() else None
    pages = sorted(path.relative_to(site).as_posix() for path in site.glob(pattern))
    return f"{pages[-1 if last else 0]}/" if pages else None


def shoot_all(site: Path, out: Path, wanted: list[tuple[str, str | None, str, str]]) -> None:
    """Take pictures (name, page, size, look) of a site into the folder `out`."""
    out.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = next(one for name in BROWSERS if (one := which(name)))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        for name, path, size, look in wanted:
            url = f"http://127.0.0.1:{server.server_port}/{path}"
            shoot(browser, url, SIZES[size], look, out / f"{name}.png")
        browser.close()
    server.shutdown()


def shoot_review(folder: Path, file: Path) -> None:
    """Take a picture of the review in a terminal of 100 columns, a proposal decided on."""
    env = {**os.environ, "HOME": str(folder / "home"), "TERM": "xterm"}
    command = ["-m", "calmkb", "--kb", str(folder / "Storefront and friends"), "reflect"]
    child = pexpect.spawn(sys.executable, command, env=env, encoding="utf-8", dimensions=(40, 100))
    screen = ""
    for line in ("a", "l"):
        child.expect("reflect> ")
        screen += child.before + child.after
        child.sendline(line)
    child.expect("reflect> ")
    child.sendline("q")
    screen += child.before + child.after
    page = file.with_suffix(".html")
    page.write_text(f"<meta charset=utf-8><style>{TERMINAL}</style><pre>{as_html(screen)}</pre>")
    program = next(one for name in BROWSERS if (one := which(name)))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        shoot(browser, page.as_uri(), SIZES["desk"], "light", file)
        browser.close()
    page.unlink()


def as_html(screen: str) -> str:
    """Return what a program printed as HTML: bold, dim and colours, progress lines left out."""
    lines = (line.rsplit("\r", 1)[-1] for line in screen.replace("\r\n", "\n").split("\n"))
    text = html.escape("\n".join(lines).replace("\x1b[K", ""))
    for code, name in STYLES.items():
        text = text.replace(f"\x1b[{code}m", f"<span class={name}>")
    return text.replace("\x1b[0m", "</span>")


def shoot(browser: Browser, url: str, size: tuple[int, int], look: str, file: Path) -> None:
    """Take one picture of `url` at `size` pixels in the light or the dark look."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if look == "dark" else "light",
    )
    page.goto(url, wait_until="networkidle")
    page.screenshot(path=str(file))
    page.close()


if __name__ == "__main__":
    main()
