"""Screenshots of a built site, for the README and for a look before a release."""

import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZES = {"desk": (1280, 860), "phone": (390, 844)}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def main() -> None:
    """Shoot the pages PATH… of the site in SITE into OUT: shots.py SITE OUT [PATH…]."""
    site, out, *paths = sys.argv[1:]
    Path(out).mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = next(found for name in BROWSERS if (found := which(name)))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=FLAGS)
        for path in paths or [""]:
            for look in ("light", "dark"):
                for name, size in SIZES.items():
                    file = (
                        Path(out)
                        / f"{path.strip('/').replace('/', '-') or 'home'}-{name}-{look}.png"
                    )
                    shoot(
                        browser, f"http://127.0.0.1:{server.server_port}/{path}", size, look, file
                    )
        browser.close()
    server.shutdown()


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
