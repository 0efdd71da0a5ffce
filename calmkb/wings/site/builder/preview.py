"""The site served to its author: built again when a record is written, the page reloaded."""

import os
from binascii import crc32
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from calmkb.errors import CalmError
from calmkb.system.files import make_private_folder
from calmkb.wings.site.builder.build import SiteFolders, build_into, faults_in_words, load
from calmkb.wings.site.builder.output import output_at


def serve_site(
    site: SiteFolders,
    *,
    address: str,
    check: Callable[[], None] = lambda: None,
    report: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the site of a knowledge base until interrupted; it is built in the state folder.

    `report` gets a line at once, one when browsers are answered, and one for each build after it.
    `check` raises before each build where the settings may not be loaded: they can change with a
    pull while this runs.

    Raises CalmError where there is no mkdocs.yml, MkDocs refuses or the address is taken.
    """
    try:
        with faults_in_words(site):
            make_private_folder(site.state / "preview")
            preview = _Preview(site, address, check, report)
            report(f"Building the site for {preview.url}")
            preview.build()
        preview.serve()
    except OSError as error:
        raise CalmError(f"cannot serve on {address}: {error}; try another --port") from error


class _Preview:
    def __init__(
        self,
        site: SiteFolders,
        address: str,
        check: Callable[[], None],
        report: Callable[[str], None],
    ) -> None:
        from mkdocs.livereload import LiveReloadServer, _serve_url

        self._site, self._address = site, address
        name = f"{site.root.name}-{crc32(os.fsencode(site.root)):08x}"
        self._folder = site.state / "preview" / name
        self._check, self._report = check, report
        config = self._load()
        host, port = config.dev_addr
        mount = urlsplit(config.site_url or "/").path
        self.url = _serve_url(host, port, mount)
        self._server = LiveReloadServer(self._rebuild, host, port, str(self._folder), mount)
        self._server.error_handler = self._error_page
        self._watch(config)

    def build(self) -> int:
        """Build what changed and return the number of files."""
        config = self._load()
        config.site_url = self.url
        config.plugins.on_startup(command="serve", dirty=False)
        try:
            # Read again for each build: what the last one recorded is what this one may replace.
            output = output_at(self._folder, self._site.state)
            return build_into(config, output, serve_url=self.url).changed
        finally:
            config.plugins.on_shutdown()

    def _rebuild(self) -> None:
        try:
            with faults_in_words(self._site):
                changed = self.build()
        except CalmError as error:
            self._report(f"Not rebuilt, the pages are those of before: {error}")
            return
        self._report(f"Rebuilt: {changed:,} file{'s' * (changed != 1)} changed")

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
        # MkDocs looks at every file twice a second; the system reports each change.
        told = f"Serving {self.url} (Ctrl-C stops)"
        self._server.observer = _changes_observer(lambda: self._report(told))
        for place in (config.docs_dir, config.config_file_path, *config.watch):
            self._server.watch(place)
        config.plugins.on_serve(self._server, config=config, builder=self._rebuild)

    def _error_page(self, code: int) -> bytes | None:
        page = self._folder / f"{code}.html"
        return page.read_bytes() if page.is_file() else None


def _changes_observer(started: Callable[[], None]) -> Any:
    """Return an observer that tells of changes alone, and that it has `started`.

    MkDocs starts it when the address is bound: a change from then on is seen. The system tells of
    each reading too, and a build reads the files that are watched: it would begin again for ever.
    """
    from watchdog import events
    from watchdog.observers import Observer

    observer: Any = Observer()
    changes = [events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent,
               events.FileDeletedEvent]  # fmt: skip
    start, observer.schedule = observer.start, partial(observer.schedule, event_filter=changes)

    def start_and_tell() -> None:
        start()
        started()

    observer.start = start_and_tell
    return observer
