"""The pages of files: which sessions changed each."""

from collections.abc import Iterator

from calmkb.model import Entry
from calmkb.wings.site.content.addresses import file_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.pages.page import Page, leaves

A_PAGE, SESSIONS_SHOWN = 80, 40


def file_pages(catalogue: Catalogue) -> Iterator[Page]:
    """Yield the list of files that several sessions changed, and a page for each."""
    found = catalogue.changed_files
    listed = [(*key, file_uri(*key), len(views)) for key, views in found.items()]
    several = len({project for project, _ in found}) > 1
    for uri, leaf, some in leaves("files/index.md", listed, A_PAGE) if listed else ():
        values = {"files": list(some), "leaf": leaf, "number": len(listed), "several": several}
        yield Page(uri, "files", values, title="Files")
    for (project, path), views in found.items():
        values = {"project": project, "path": path, "number": len(views)}
        values |= {"views": views[:SESSIONS_SHOWN]}
        yield Page(file_uri(project, path), "file", values, title=path)


def files_of(catalogue: Catalogue, entry: Entry) -> list[tuple[str, str, int]]:
    """Return the files that a session changed, each with its page, if any, and its sessions."""
    found = catalogue.changed_files
    keys = ((entry.project_name, path) for path in dict.fromkeys(entry.files))
    return [
        (key[1], file_uri(*key) if key in found else "", len(found.get(key, ()))) for key in keys
    ]
