"""The site served to its author: built again when a record is written, the page reloaded."""

import os
from binascii import crc32
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from calmkb.errors import CalmError
from calmkb.site.builder.build import SiteFolders, build_into, config_file, load
from calmkb.site.builder.output import Output, output_at
from calmkb.system.files import make_private_folder


def preview_folder(state: Path, root: Path) -> Path:
    """Return where the site of the knowledge base at `root` is built to be served."""
    return state / "preview" / f"{root.name}-{crc32(os.fsencode(root)):08x}"


def serve_site(
    site: SiteFolders, *, address: str, check: Callable[[], None] = lambda: None
) -> None:
    """Serve the site of a knowledge base until interrupted; it is built in the state folder.

    `check` raises before each build where the settings may not be loaded: they can change with a
    pull while this runs.

    Raises CalmError where there is no mkdocs.yml, MkDocs refuses or the address is taken.
    """
    from mkdocs.exceptions import MkDocsException

    try:
        make_private_folder(site.state / "preview")
        output = output_at(preview_folder(site.state, site.root), site.state)
        preview = _Preview(site, address, output, check)
        try:
            preview.build()
        except OSError as error:
            raise CalmError(f"the site could not be written: {error}") from error
        preview.serve()
    except MkDocsException as error:
        raise CalmError(f"MkDocs could not serve {config_file(site.root)}: {error}") from error
    except OSError as error:
        raise CalmError(f"cannot serve on {address}: {error}; try another --address") from error


class _Preview:
    def __init__(
        self, site: SiteFolders, address: str, output: Output, check: Callable[[], None]
    ) -> None:
        from mkdocs.livereload import LiveReloadServer, _serve_url

        self._site, self._address, self._output = site, address, output
        self._check = check
        config = self._load()
        host, port = config.dev_addr
        mount = urlsplit(config.site_url or "/").path
        self._url = _serve_url(host, port, mount)
        self._server = LiveReloadServer(self.build, host, port, str(output.folder), mount)
        self._server.error_handler = self._error_page
        self._watch(config)

    def build(self) -> None:
        """Build what changed."""
        config = self._load()
        config.site_url = self._url
        config.plugins.on_startup(command="serve", dirty=False)
        try:
            build_into(config, self._output, serve_url=self._url)
        finally:
            config.plugins.on_shutdown()

    def serve(self) -> None:
        """Answer browsers until interrupted."""
        try:
            self._server.serve()  # type: ignore[no-untyped-call]
        except KeyboardInterrupt:
            pass
        finally:
            self._server.shutdown()

    def _load(self) -> Any:
        self._check()
        return load(self._site, dev_addr=self._address)

    def _watch(self, config: Any) -> None:
        from watchdog.observers import Observer

        # MkDocs looks at every file twice a second; the system reports each change.
        self._server.observer = Observer()  # type: ignore[assignment]
        for place in (config.docs_dir, config.config_file_path):
            self._server.watch(place)
        config.plugins.on_serve(self._server, config=config, builder=self.build)
        for place in config.watch:
            self._server.watch(place)

    def _error_page(self, code: int) -> bytes | None:
        page = self._output.folder / f"{code}.html"
        return page.read_bytes() if page.is_file() else None
