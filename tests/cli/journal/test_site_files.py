"""On the site a record names the file that it is in."""

from pathlib import Path

from calmkb.wings.site.staging.stage import stage
from calmkb.wings.site.verbs.pages import load_library


def test_each_record_names_its_file_from_the_top_of_the_repository(project: Path, cli) -> None:
    cli("wrapup", "--summary", "Worked.", "--friction", "The database was down.")
    cli("memory", "add", "Prices are in cents.", "--category", "fact")
    library = load_library(project)

    assert {view.entry.id for view in library.sessions} <= library.files.keys()
    assert all((project / file).is_file() for file in library.files.values())
    pages = stage(library)
    for name in library.files.values():
        assert [uri for uri, text in pages.items() if f'record_file: "{name}"' in text], name
