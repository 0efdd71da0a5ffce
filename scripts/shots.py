"""Screenshots: those of the docs, of an invented team's site; with arguments of any site."""

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
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZES = {"desk": (1280, 860), "phone": (390, 844)}
LOOKS = ("light", "dark")
SHOWN = (
    ("site", "", "desk", "light"),
    ("friction", "friction/", "desk", "light"),
    ("memory", "memories/workflow/*-*/", "desk", "light"),
    ("week", "weeks/2026-W34/", "desk", "light"),
    ("told", "told/storefront/", "desk", "light"),
)
"""Name, page, size and look of each picture in the docs; of several pages the first is taken."""
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
    """Shoot the docs' pictures, or the pages PATH… of the site in SITE into OUT.

    shots.py [SITE OUT [PATH…]]
    """
    if len(sys.argv) == 1:
        with tempfile.TemporaryDirectory() as folder:
            site = build(Path(folder))
            shoot_all(site, IMAGES, [(n, found(site, p), s, look) for n, p, s, look in SHOWN])
            shoot_review(Path(folder), IMAGES / "review.png")
        return
    site, out, *paths = sys.argv[1:]
    every = [
        (f"{path.strip('/').replace('/', '-') or 'home'}-{size}-{look}", path, size, look)
        for path in paths or [""]
        for look in LOOKS
        for size in SIZES
    ]
    shoot_all(Path(site), Path(out), every)


def build(folder: Path) -> Path:
    """Return the built site of the invented team's journal."""
    (folder / "home").mkdir()
    env = {**os.environ, "HOME": str(folder / "home"), "USERPROFILE": str(folder / "home")}
    env["SOURCE_DATE_EPOCH"] = str(int(TODAY.timestamp()))
    base = folder / "Storefront and friends"
    base.mkdir()
    calmkb = (sys.executable, "-m", "calmkb", "--kb", str(base))
    subprocess.run([*calmkb, "init", str(base)], env=env, check=True, stdout=subprocess.DEVNULL)
    write_journal(base)
    output = folder / "site"
    subprocess.run([*calmkb, "site", "build", "--output", str(output)], env=env, check=True)
    return output


def found(site: Path, pattern: str) -> str:
    """Return the first page of the site that a pattern names."""
    if "*" not in pattern:
        return pattern
    return min(path.relative_to(site).as_posix() for path in site.glob(pattern)) + "/"


def shoot_all(site: Path, out: Path, wanted: list[tuple[str, str, str, str]]) -> None:
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
